//! Sequences that nothing bounds, by their length: `q :: seq(S)`.
//!
//! In: an unknown of which a conjunct says that it is a sequence. Out: the sequences up to a length within the window of integers,
//! shorter ones first, and an entry for those that are longer. As relations there would be 2^25 of them between five integers.
//! Absent: sequences whose size a conjunct bounds (`sizes`, `lengths`).

use super::bind::Run;
use super::bits::Bits;
use super::pattern::put;
use super::problem::{Problem, Unknown, member_of, slot_of};
use super::{Env, Flow, ledger, sizes};
use crate::diagnostic::Code;
use crate::ir::{Expr, Local};
use crate::ops::{Cut, Fault};
use crate::value::{SetRef, Value};
use std::ops::ControlFlow::{Break, Continue};

/// Lengths are tried while they have no more sequences than this together: some milliseconds a state.
const MOST: usize = 1 << 12;

impl Run<'_> {
    /// The set over which an unknown is a sequence, if that is known.
    pub(super) fn sequence_over(&self, var: usize, rest: &[usize], bound: &Bits) -> Option<&Expr> {
        rest.iter().find_map(|c| {
            let (s, base, _) = sizes::sequence(&self.problem.conjs.get(*c)?.pred)?;
            let is_var = slot_of(s) == self.problem.unknowns.get(var).map(|u| u.slot);
            (is_var && self.is_known(base, bound)).then_some(base)
        })
    }

    /// Calls `f` with an unknown as each sequence over a set, up to a length; notes that there are others.
    pub(super) fn each_sequence(
        &self,
        var: usize,
        base: &Expr,
        env: &mut Env,
        f: &mut dyn FnMut(&mut Env) -> Flow,
    ) -> Flow {
        let u = &self.problem.unknowns[var];
        let window = self.window(&u.ty);
        let items = self.elements_of(var, base, env)?;
        let longest = window.max().unwrap_or(1).max(1);
        let mut cut = self.ev.cut(u.span, &u.name, &u.ty);
        let (mut tried, mut of_length) = (0_usize, 1_usize);
        for length in 0..=longest {
            tried = tried.saturating_add(of_length);
            if tried > self.ev.world.few(MOST) && length > 1 {
                cut.of = Some(format!("{} of infinitely many", tried - of_length).into());
                break;
            }
            of_length = of_length.saturating_mul(items.len());
            let mut places = vec![0; usize::try_from(length).unwrap_or(0)];
            loop {
                let pairs = (1..).zip(&places).map(|(i, p)| Value::pair(Value::Int(i), items[*p].clone()));
                if places.is_empty() || !items.is_empty() {
                    put(env, u.slot, Value::Set(SetRef::from_vec(pairs.collect())));
                    if f(env)?.is_break() {
                        return Ok(Break(()));
                    }
                }
                if !next(&mut places, |_| items.len()) {
                    break;
                }
            }
        }
        if !items.is_empty() {
            ledger::note(&cut);
        }
        Ok(Continue(()))
    }

    /// What an unknown may be made of: the members of a set, of an infinite one those that a choice has, which notes what it
    /// leaves out.
    pub(super) fn elements_of(&self, var: usize, base: &Expr, env: &mut Env) -> Result<Vec<Value>, Fault> {
        let v = self.ev.expr(base, env)?;
        if let Ok(s) = self.ev.members(&v, &base.ty, base.span) {
            return Ok(s.items().to_vec());
        }
        let Some(ty) = base.ty.elem() else { return Ok(Vec::new()) };
        let u = &self.problem.unknowns[var];
        let x = Local { id: env.unused(), name: u.name.clone(), ty: ty.clone(), span: u.span };
        let problem = Problem::new(vec![Unknown::local(&x)], &[&member_of(&x, base)], self.ev);
        let mut items = Vec::new();
        let _ = Run::new(self.ev, &problem, self.mode).all(env, &mut |_, env| {
            items.extend(env.local(x.id).cloned());
            Ok(if items.len() > MOST { Break(()) } else { Continue(()) })
        })?;
        if items.len() > MOST {
            if !self.mode.open {
                let message = format!("`{}` has too many values to be tried one after the other", u.name);
                return Err(Fault::new(Code::TooLarge, message).at(u.span));
            }
            let of = Some(format!("{} of very many", items.len()).into());
            ledger::note(&Cut { what: u.name.clone(), at: u.span, range: None, of });
        }
        Ok(items)
    }
}

/// Goes on to the next tuple of numbers, each below what there is at its place, the last first; whether there is one.
pub(super) fn next(places: &mut [usize], below: impl Fn(usize) -> usize) -> bool {
    for (i, p) in places.iter_mut().enumerate().rev() {
        *p += 1;
        if *p < below(i) {
            return true;
        }
        *p = 0;
    }
    false
}
