//! The scene of a fault: the statement that it happened in and the values of names there, for those who explain it.
//!
//! In: nothing, unless somebody has asked by [`Scenes::begin`]. Out: the [`Scene`] of the last fault. Nothing here has a part in
//! what evaluation comes to; while scenes are kept loops run by the way that lists writes.

use super::Env;
use crate::ir::{Subst, SubstKind};
use crate::ops::Fault;
use crate::source::Span;
use crate::value::Value;
use std::cell::{Cell, RefCell};

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Scene>> = const { RefCell::new(None) };
}

/// Where a fault happened.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The innermost statement.
    pub subst: Option<Subst>,
    /// The values of names at its beginning; in a loop those of the round.
    pub env: Env,
    /// The calls that lead to it, the innermost first.
    pub calls: Vec<Span>,
    /// The round of the loop whose invariant or variant is at fault.
    pub round: Option<Round>,
    span: Option<Span>,
}

/// A round of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Its number, from 1.
    pub number: u64,
    /// The value of the variant in the round before.
    pub before: Option<Value>,
    /// Its value in this round, if it was asked for.
    pub now: Option<Value>,
}

/// Keeps scenes of this thread as long as it lives.
#[derive(Debug)]
pub struct Scenes(());

impl Scenes {
    /// From now on scenes are kept.
    #[must_use]
    pub fn begin() -> Self {
        ON.set(true);
        LAST.take();
        Self(())
    }

    /// The scene of the last fault since this was asked for.
    #[must_use]
    pub fn take(&self) -> Option<Scene> {
        LAST.take()
    }
}

impl Drop for Scenes {
    fn drop(&mut self) {
        ON.set(false);
        LAST.take();
    }
}

/// Whether scenes are kept.
pub(crate) fn on() -> bool {
    ON.get()
}

/// The scene of the last fault, to be restored where others come after it that do not count.
pub(crate) fn scene() -> Option<Scene> {
    LAST.with_borrow(Clone::clone)
}

/// Has a scene as the last one again.
pub(crate) fn restore(scene: Option<Scene>) {
    LAST.set(scene);
}

/// A fault has left a statement: the first time this is its scene.
#[cold]
pub(crate) fn note(f: &Fault, s: &Subst, env: &Env) {
    if !on() {
        return;
    }
    LAST.with_borrow_mut(|last| {
        let same = last.as_mut().filter(|l| l.span == f.0.span);
        let scene = match same {
            Some(scene) => scene,
            None => last.insert(Scene {
                subst: None,
                env: env.clone(),
                calls: Vec::new(),
                round: None,
                span: f.0.span,
            }),
        };
        scene.subst.get_or_insert_with(|| s.clone());
        if matches!(s.kind, SubstKind::Call { .. }) {
            scene.calls.push(s.span);
        }
    });
}

/// Invariant or variant of a loop are at fault.
#[cold]
pub(crate) fn note_round(
    f: Fault,
    env: &Env,
    number: u64,
    before: Option<&Value>,
    now: Option<&Value>,
) -> Fault {
    if on() {
        let round = Some(Round { number, before: before.cloned(), now: now.cloned() });
        let scene = Scene { subst: None, env: env.clone(), calls: Vec::new(), round, span: f.0.span };
        LAST.set(Some(scene));
    }
    f
}
