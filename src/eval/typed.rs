//! Unknowns that nothing but their type bounds: all its values.
//!
//! In: a node with the unknown that goes next. Out: its values, of infinite types those that a window of integers makes, with an
//! entry for the others. Siblings: `finite` (values of types), `sequences`, `outward` (windows that grow).

use super::bind::Run;
use super::bits::Bits;
use super::pattern::put;
use super::plan::{Later, Node};
use super::{Env, Flow, Sink, finite, ledger};
use crate::diagnostic::Code;
use crate::ops::Fault;
use std::ops::ControlFlow::Break;

impl Run<'_> {
    /// Goes on with each value of an unknown's type; with those that integers of a window make where the type is infinite.
    pub(super) fn whole_type(
        &self,
        node: &Node,
        var: usize,
        next: &Later,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let u = &self.problem.unknowns[var];
        let mut bits = Bits::default();
        bits.insert(var);
        let open = self.mode.open;
        if open && let Some(base) = self.sequence_over(var, &node.rest, &node.bound) {
            return self
                .each_sequence(var, base, env, &mut |env| self.go(node, next, &bits, None, pending, env, f));
        }
        if let Some(set) = self.product_over(var, &node.rest, &node.bound)
            && let Some(flow) = self.each_product(node, var, set, env, &mut |env| {
                self.go(node, next, &bits, None, pending, env, f)
            })
        {
            return flow;
        }
        if open && finite::infinite(&u.ty) {
            ledger::note(&self.ev.cut(u.span, &u.name, &u.ty));
        }
        if self.mode.reach > 0
            && self
                .subsets_of_named(var, env, &mut |env| self.go(node, next, &bits, None, pending, env, f))?
                .is_break()
        {
            return Ok(Break(()));
        }
        let window = open.then(|| self.window(&u.ty));
        finite::each(&u.ty, &self.ev.world, window.as_ref(), &mut |v| {
            put(env, u.slot, v);
            self.go(node, next, &bits, None, pending, env, f)
        })
        .map_err(|g| {
            let message = match g.0.code {
                Code::Infinite => format!("`{}` ranges over an infinite set and nothing bounds it", u.name),
                Code::TooLarge => format!("`{}` has too many values to be tried one after the other", u.name),
                Code::TypeUnknown => format!("nothing determines the type of `{}`", u.name),
                _ => return g,
            };
            if g.0.span.is_some() { g } else { Fault::new(g.0.code, message).at(u.span) }
        })
    }

    /// A fault that names an unknown which nothing bounds.
    pub(super) fn unbounded(&self, var: usize) -> Fault {
        let u = &self.problem.unknowns[var];
        Fault::new(Code::Infinite, format!("`{}` ranges over an infinite set and nothing bounds it", u.name))
            .at(u.span)
    }
}
