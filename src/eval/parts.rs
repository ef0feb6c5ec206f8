//! Independent parts of a problem: all combinations of their solutions.
//!
//! In: the plans of the parts. Out: calls of the consumer, one per combination. A part is solved once and its solutions are
//! kept, unless what is left of it depends on the solutions of the parts before. Whoever follows the search gets the first
//! combinations before all solutions of a part with many are known; of several such parts all but one have to be listed.

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

/// Solutions after which a part has many, and how many times as many are listed when several have many.
const MANY: usize = 64;
const MORE: usize = 16;
/// Combinations that are told before parts with many solutions are listed.
const EARLY: usize = 4096;

/// The solutions of a part of a problem, or the part to be solved again for each solution of the parts before it.
struct Column<'n> {
    vars: &'n Bits,
    slots: Vec<Slot>,
    rows: Result<Vec<Vec<Value>>, &'n Node>,
    /// Rows that have been told in all combinations with those of the other columns: all of a part that has few.
    told: usize,
}

/// The solutions of a part, or the first of them.
struct Listed {
    rows: Vec<Vec<Value>>,
    whole: bool,
    fault: Option<Fault>,
}

type Part = (Bits, Box<Node>);

impl Run<'_> {
    /// All combinations of the solutions of independent parts.
    pub(super) fn split(&self, parts: &[Part], pending: Option<&Fault>, env: &mut Env, f: Sink<'_>) -> Flow {
        // What is turned away depends on what was met: a part is not to be met twice.
        if self.meanwhile.is_some() && self.sieve.is_none_or(|s| parts.iter().all(|(vars, _)| !s.moves(vars)))
        {
            return self.split_early(parts, pending, env, f);
        }
        let mut columns: Vec<Column<'_>> = Vec::with_capacity(parts.len());
        let mut moved = false;
        let mut fault = None;
        for part in parts {
            let (vars, node) = part;
            let listed = self.list(part, usize::MAX, env)?;
            if listed.rows.is_empty() && listed.fault.is_none() {
                return Ok(Continue(()));
            }
            fault = fault.or(listed.fault);
            // What is left of one part goes with what is left of another only if nothing was turned away there.
            let again = self.sieve.is_some_and(|s| s.moves(vars)) && std::mem::replace(&mut moved, true);
            let rows = if again { Err(&**node) } else { Ok(listed.rows) };
            columns.push(Column { vars, slots: self.slots(vars), rows, told: 0 });
        }
        match pending.or(fault.as_ref()) {
            Some(fault) => Err(fault.clone()),
            None => self.combine(&columns, false, env, f),
        }
    }

    /// The first `most` solutions of a part.
    fn list(&self, (vars, node): &Part, most: usize, env: &mut Env) -> Result<Listed, Fault> {
        let slots = self.slots(vars);
        let mut rows = Vec::new();
        let done = self.node(node, None, env, &mut |_, env| {
            rows.push(slots.iter().filter_map(|s| get(env, *s).cloned()).collect());
            Ok(if rows.len() < most { Continue(()) } else { Break(()) })
        });
        match done {
            Ok(flow) => Ok(Listed { rows, whole: flow.is_continue(), fault: None }),
            Err(f) if fatal(&f) => Err(f),
            Err(f) => Ok(Listed { rows, whole: true, fault: Some(f) }),
        }
    }

    /// The same without waiting for all solutions of a part that has many.
    fn split_early(&self, parts: &[Part], pending: Option<&Fault>, env: &mut Env, f: Sink<'_>) -> Flow {
        let mut listed = Vec::with_capacity(parts.len());
        for part in parts {
            let first = self.list(part, MANY, env)?;
            if first.rows.is_empty() && first.fault.is_none() {
                return Ok(Continue(()));
            }
            listed.push(first);
        }
        if let Some(fault) = pending.or(listed.iter().find_map(|l| l.fault.as_ref())) {
            return Err(fault.clone());
        }
        let many = listed.iter().filter(|l| !l.whole).count();
        let mut columns: Vec<Column<'_>> = Vec::with_capacity(parts.len());
        for ((vars, _), l) in parts.iter().zip(&mut listed) {
            let rows = std::mem::take(&mut l.rows);
            columns.push(Column { vars, slots: self.slots(vars), told: rows.len(), rows: Ok(rows) });
        }
        if many > 1 {
            let each = early_of_each(many);
            for (column, l) in columns.iter_mut().zip(&listed) {
                column.told = if l.whole { column.told } else { each };
            }
            if self.combine_first(&columns, env, f)?.is_break() {
                return Ok(Break(()));
            }
            self.list_others(parts, &mut listed, env)?;
            for (column, l) in columns.iter_mut().zip(&mut listed) {
                if !l.rows.is_empty() {
                    column.rows = Ok(std::mem::take(&mut l.rows));
                }
            }
            if let Some(fault) = listed.iter().find_map(|l| l.fault.as_ref()) {
                return Err(fault.clone());
            }
        }
        let open = listed.iter().position(|l| !l.whole);
        let Some((at, (_, node))) = open.and_then(|at| Some((at, parts.get(at)?))) else {
            return self.combine(&columns, many > 1, env, f);
        };
        // The one that is left is not listed: what it has is told as it is found.
        let told = columns.remove(at).told;
        let mut row = 0;
        self.node(node, None, env, &mut |_, env| {
            row += 1;
            self.combine(&columns, many > 1 && row <= told, env, f)
        })
    }

    /// Lists parts with many solutions until at most one is left that has more.
    fn list_others(&self, parts: &[Part], listed: &mut [Listed], env: &mut Env) -> Result<(), Fault> {
        let mut most = MANY;
        while listed.iter().filter(|l| !l.whole).count() > 1 {
            most = most.saturating_mul(MORE);
            let mut left = listed.iter().filter(|l| !l.whole).count();
            for (part, l) in parts.iter().zip(&mut *listed).filter(|(_, l)| !l.whole) {
                if left > 1 {
                    *l = self.list(part, most, env)?;
                    left -= usize::from(l.whole);
                }
            }
        }
        Ok(())
    }

    /// The combinations of the rows that are told first.
    fn combine_first(&self, columns: &[Column<'_>], env: &mut Env, f: Sink<'_>) -> Flow {
        let Some((column, rest)) = columns.split_first() else { return f(self.ev, env) };
        for row in column.rows.iter().flatten().take(column.told) {
            column.put(row, env);
            if self.combine_first(rest, env, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// All combinations; `told` says whether those of the rows that were told first have been told.
    fn combine(&self, columns: &[Column<'_>], told: bool, env: &mut Env, f: Sink<'_>) -> Flow {
        let Some((column, rest)) = columns.split_first() else {
            return if told { Ok(Continue(())) } else { f(self.ev, env) };
        };
        let mut next = |told: bool, env: &mut Env| match self.sieve {
            Some(s) => s.holding(column.vars, || self.combine(rest, told, env, f)),
            None => self.combine(rest, told, env, f),
        };
        let rows = match &column.rows {
            Ok(rows) => rows,
            Err(node) => return self.node(node, None, env, &mut |_, env| next(told, env)),
        };
        for (i, row) in rows.iter().enumerate() {
            column.put(row, env);
            if next(told && i < column.told, env)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }
}

impl Column<'_> {
    fn put(&self, row: &[Value], env: &mut Env) {
        for (slot, v) in self.slots.iter().zip(row) {
            put(env, *slot, v.clone());
        }
    }
}

/// Solutions of each of so many parts that together make few combinations.
fn early_of_each(parts: usize) -> usize {
    let power = |n: usize| u32::try_from(parts).ok().and_then(|p| n.checked_pow(p));
    (1..=MANY).rev().find(|n| power(*n).is_some_and(|all| all <= EARLY)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_combinations_come_first() {
        assert_eq!([2, 3, 12, 13, 1000].map(early_of_each), [64, 16, 2, 1, 1]);
    }
}
