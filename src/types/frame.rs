//! Frames: every binder gets slots of its own, and what closures must capture is kept track of.
//!
//! In: names in the order they are bound and read. Out: slots, captures, the variables read. A frame belongs
//! to one formula, routine or operation.

use super::lower::Lower;
use crate::ir::{Binder, ExprKind, Local, LocalId, Pred, Scoped, VarId};
use crate::source::Span;
use crate::syntax::ast::{Ident, Name};
use crate::ty::Ty;
use std::sync::Arc;

/// The frame of one formula, routine or operation.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Slots given out so far.
    next: u32,
    /// Slots that will have been given out at the end.
    size: u32,
    /// Names in scope, innermost last.
    pub(super) scope: Vec<(Name, LocalId)>,
    /// How many of these are in scope outside of the formula in which `x$0` has a meaning.
    pub(super) outside: usize,
    /// Variables whose new value is a local inside `x : (P)`.
    pub(super) renamed: Vec<(u32, LocalId)>,
    /// Open binders: first slot, captured locals, whether the state is read.
    open: Vec<(u32, Vec<LocalId>, bool)>,
    /// Variables read so far.
    reads: Vec<VarId>,
}

impl Lower<'_, '_> {
    /// Starts a frame of at most so many slots.
    pub(super) fn start(&mut self, size: usize) {
        self.frame = Frame { size: u32::try_from(size).unwrap_or(u32::MAX), ..Frame::default() };
    }

    /// Size of the frame.
    pub(super) fn size(&self) -> u32 {
        self.frame.size.max(self.frame.next)
    }

    /// Variables read in this frame, sorted.
    pub(super) fn reads(&self) -> Vec<VarId> {
        let mut reads = self.frame.reads.clone();
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// A new local in scope.
    pub(super) fn bind(&mut self, id: &Ident) -> Local {
        let ty = self.ty(id);
        let local = self.fresh(id.name.clone(), ty, id.span);
        self.frame.scope.push((id.name.clone(), local.id));
        local
    }

    /// A new slot.
    pub(super) fn fresh(&mut self, name: Name, ty: Ty, span: Span) -> Local {
        let id = LocalId(self.frame.next);
        self.frame.next += 1;
        Local { id, name, ty, span }
    }

    pub(super) fn read_local(&mut self, id: LocalId) -> ExprKind {
        for (base, captures, _) in &mut self.frame.open {
            if id.0 < *base && !captures.contains(&id) {
                captures.push(id);
            }
        }
        ExprKind::Local(id)
    }

    pub(super) fn read_var(&mut self, i: u32) -> ExprKind {
        self.reads_state(i);
        ExprKind::Var(VarId(i))
    }

    /// The value of a variable when the operation began.
    pub(super) fn read_old(&mut self, i: u32) -> ExprKind {
        self.reads_state(i);
        ExprKind::Old(VarId(i))
    }

    fn reads_state(&mut self, i: u32) {
        self.frame.reads.push(VarId(i));
        for (_, _, reads_state) in &mut self.frame.open {
            *reads_state = true;
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<LocalId> {
        self.frame.scope.iter().rev().find(|(n, _)| &**n == name).map(|(_, id)| *id)
    }

    /// Lowers a binder: `make` lowers predicate and body with the names in scope.
    pub(super) fn binder<T>(
        &mut self,
        names: &[Ident],
        make: impl FnOnce(&mut Self) -> (Pred, T),
    ) -> (Arc<Binder>, T) {
        self.binder_with(|s| names.iter().map(|id| s.bind(id)).collect(), |s, _| make(s))
    }

    /// As [`Lower::binder`], for locals that `vars` makes.
    pub(super) fn binder_with<T>(
        &mut self,
        vars: impl FnOnce(&mut Self) -> Vec<Local>,
        make: impl FnOnce(&mut Self, &[Local]) -> (Pred, T),
    ) -> (Arc<Binder>, T) {
        let mark = self.frame.scope.len();
        self.frame.open.push((self.frame.next, Vec::new(), false));
        let vars = vars(self);
        let (pred, body) = make(self, &vars);
        self.frame.scope.truncate(mark);
        let (_, mut captures, reads_state) = self.frame.open.pop().unwrap_or_default();
        captures.sort_unstable();
        self.binders += 1;
        let frame = self.size();
        let id = self.binders - 1;
        (Arc::new(Binder { vars, pred, captures, frame, reads_state, id }), body)
    }

    pub(super) fn scoped<T>(
        &mut self,
        names: &[Ident],
        make: impl FnOnce(&mut Self) -> (Pred, T),
    ) -> Arc<Scoped<T>> {
        let (binder, body) = self.binder(names, make);
        Arc::new(Scoped { binder, body })
    }
}
