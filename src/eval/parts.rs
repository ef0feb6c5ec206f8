//! Independent parts of a problem: all combinations of their solutions.
//!
//! In: the plans of the parts. Out: calls of the consumer, one per combination. A part is solved once and its solutions are
//! kept, unless what is left of it depends on the solutions of the parts before.

use super::bind::Run;
use super::bits::Bits;
use super::pattern::{get, put};
use super::plan::Node;
use super::pred::fatal;
use super::problem::Slot;
use super::{Env, Flow, Sink};
use crate::ops::Fault;
use crate::value::Value;
use std::ops::ControlFlow::{Break, Continue};

/// The solutions of a part of a problem, or the part to be solved again for each solution of the parts before it.
struct Column<'n> {
    vars: &'n Bits,
    slots: Vec<Slot>,
    rows: Result<Vec<Vec<Value>>, &'n Node>,
}

impl Run<'_> {
    /// All combinations of the solutions of independent parts.
    pub(super) fn split(
        &self,
        parts: &[(Bits, Box<Node>)],
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let mut columns: Vec<Column<'_>> = Vec::with_capacity(parts.len());
        let mut moved = false;
        let mut fault = None;
        for (vars, node) in parts {
            let slots: Vec<Slot> = vars.iter().map(|i| self.problem.unknowns[i].slot).collect();
            let mut rows = Vec::new();
            let done = self.node(node, None, env, &mut |_, env| {
                rows.push(slots.iter().filter_map(|s| get(env, *s).cloned()).collect());
                Ok(Continue(()))
            });
            match done {
                Ok(_) if rows.is_empty() => return Ok(Continue(())),
                Ok(_) => {}
                Err(f) if fatal(&f) => return Err(f),
                Err(f) => fault = fault.or(Some(f)),
            }
            // What is left of one part goes with what is left of another only if nothing was turned away there.
            let again = self.sieve.is_some_and(|s| s.moves(vars)) && std::mem::replace(&mut moved, true);
            columns.push(Column { vars, slots, rows: if again { Err(node) } else { Ok(rows) } });
        }
        match pending.or(fault.as_ref()) {
            Some(fault) => Err(fault.clone()),
            None => self.combine(&columns, env, f),
        }
    }

    fn combine(&self, columns: &[Column<'_>], env: &mut Env, f: Sink<'_>) -> Flow {
        let Some((column, rest)) = columns.split_first() else { return f(self.ev, env) };
        let mut next = |env: &mut Env| match self.sieve {
            Some(s) => s.holding(column.vars, || self.combine(rest, env, f)),
            None => self.combine(rest, env, f),
        };
        let rows = match &column.rows {
            Ok(rows) => rows,
            Err(node) => return self.node(node, None, env, &mut |_, env| next(env)),
        };
        for row in rows {
            for (slot, v) in column.slots.iter().zip(row) {
                put(env, *slot, v.clone());
            }
            if next(env)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }
}
