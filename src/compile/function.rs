//! Compiled operations and predicates.
//!
//! In: an operation or a predicate of the IR with what `lower` needs. Out: a program for the executors. An
//! operation's program emits one record per outcome: the words of its label (parameters, shown
//! variables, results), then those of the target state. Records may repeat; the caller removes duplicates.

use super::lower::effects::{loops, note, read, written};
use super::lower::free::in_pred;
use super::lower::misfit::Misfit;
use super::lower::{Env, Lower, Res, Source, no};
use super::word::{End, Program};
use crate::ir::{Local, Operation, Pred, Subst, SubstKind};
use crate::model::{Twins, twins};
use std::collections::BTreeSet;

/// A compiled operation.
#[derive(Clone, Debug)]
pub(crate) struct OpProgram {
    /// The program.
    pub(crate) program: Program,
    /// Words before the target in a record: those of the label and the weight, as far as there are any.
    pub(crate) label: usize,
    /// Whether two outcomes may be the same edge.
    pub(crate) repeats: bool,
    /// Whether the records are known to come in order and without repetition; they then have no labels.
    pub(crate) sorted: bool,
    /// What [`End::Misfit`] means, by number.
    pub(crate) misfits: Vec<Misfit>,
    /// Whether a run may be void only for having been a try: the program with a long counter may do better.
    pub(crate) is_try: bool,
}

/// How an operation is compiled.
#[derive(Clone, Copy)]
struct How<'t> {
    /// Whether records have labels.
    labels: bool,
    /// For those arguments only that are tried.
    twins: Option<&'t Twins>,
    /// Whether runs are tries.
    short: bool,
}

/// The locals that make up an operation's label, in order.
pub(crate) fn label_locals(op: &Operation) -> Vec<Local> {
    twins::arguments(op).chain(&op.results).cloned().collect()
}

/// Compiles what an operation does when offered. Without labels, if the loops turn out to run in the order of
/// edges.
pub(crate) fn operation(src: Source<'_>, op: &Operation) -> Res<OpProgram> {
    either(src, op, How { labels: true, twins: None, short: false })
}

/// The same with runs that are tries, where loops may have so many rounds.
pub(crate) fn try_of_operation(src: Source<'_>, op: &Operation) -> Res<OpProgram> {
    either(src, op, How { labels: true, twins: None, short: true })
}

/// The same for those arguments only that are tried, its records with a word more before the target (behind the
/// label, if there is one): the weight. Its programs read the words of twins behind those of the state.
pub(crate) fn operation_within(src: Source<'_>, op: &Operation, twins: &Twins) -> Res<OpProgram> {
    either(src, op, How { labels: true, twins: Some(twins), short: false })
}

/// Without labels where that is possible.
fn either(src: Source<'_>, op: &Operation, how: How<'_>) -> Res<OpProgram> {
    if chosen_by_label(src, op) {
        let p = compile(src, op, How { labels: false, ..how })?;
        if p.sorted {
            return Ok(p);
        }
    }
    compile(src, op, how)
}

/// The same with labels in any case.
pub(crate) fn labelled(src: Source<'_>, op: &Operation) -> Res<OpProgram> {
    compile(src, op, How { labels: true, twins: None, short: false })
}

/// Whether the label tells the outcome.
fn chosen_by_label(src: Source<'_>, op: &Operation) -> bool {
    let Some(body) = &op.offered else { return false };
    let rest = match &body.kind {
        SubstKind::Any(b, s) if b.vars.iter().map(|v| v.id).eq(op.shown.iter().copied()) => s,
        _ => body,
    };
    Lower::new(src).deterministic(rest, 0)
}

fn compile(src: Source<'_>, op: &Operation, how: How<'_>) -> Res<OpProgram> {
    let How { labels, twins, short } = how;
    let Some(body) = &op.offered else { return no("operation not offered") };
    let written = written(body, src.machine);
    let mut reads = read(body, src.machine);
    // A branch that does not write a variable keeps its value.
    reads.extend(&written);
    let mut g = Lower::new(src);
    if short {
        g.try_shortly();
    }
    if let Some(twins) = twins {
        g.try_within(op, twins)?;
    }
    let old = g.whole_state();
    let env = g.read_state(&reads);
    let locals = label_locals(op);
    let mut label = 0;
    let (guard, rest): (Vec<&Pred>, &Subst) = match &body.kind {
        SubstKind::Select(bs, None) if bs.len() == 1 => match bs.first() {
            Some((p, s)) => (vec![p], s),
            None => return no("SELECT"),
        },
        _ => (Vec::new(), body),
    };
    let single = g.deterministic(rest, 0);
    g.watch_order(op.params.iter().map(|l| l.id).collect());
    if let SubstKind::Any(b, _) = &rest.kind {
        g.watch_order(b.vars.iter().map(|l| l.id).collect());
    }
    g.solve(&op.params, &guard, &env, &mut |g, env| {
        g.outcomes(rest, env, &mut |g, after: &Env| {
            // Those that no loop has given their values.
            let after = &g.tried(after)?;
            let mut words = Vec::new();
            for l in &locals {
                match after.locals.get(&l.id) {
                    Some(v) if labels => g.label_words(v, &l.ty, &mut words)?,
                    Some(_) => {}
                    None => return no("result that may be unset"),
                }
            }
            if twins.is_some() {
                words.push(g.weight(op, after)?);
            }
            label = words.len();
            g.emit_target(words, &old, &written, after)
        })
    })?;
    let sorted = !labels && g.in_order();
    let (misfits, is_try) = (std::mem::take(&mut g.misfits), g.is_try());
    Ok(OpProgram { program: g.finish(End::Return(true)), label, repeats: !single, sorted, misfits, is_try })
}

/// Compiles an INITIALISATION that has loops and by its form one outcome: the program reads a state of which only the
/// number of the valuation counts, and emits the initial state. Others run once, for less than compiling costs.
pub(crate) fn initialisation(src: Source<'_>) -> Res<OpProgram> {
    let body = &src.machine.initialisation.body;
    if !loops(body, src.machine) {
        return no("nothing repeated");
    }
    let mut g = Lower::new(src);
    if !g.deterministic(body, 0) {
        return no("several outcomes");
    }
    let old = g.whole_state();
    // No variable has a value yet, and whoever reads one is refused.
    let env = g.read_state(&BTreeSet::new());
    let all: BTreeSet<usize> = (0..src.layout.fields.len()).collect();
    g.outcomes(body, &env, &mut |g, after| g.emit_target(Vec::new(), &old, &all, after))?;
    let misfits = std::mem::take(&mut g.misfits);
    let program = g.finish(End::Return(true));
    Ok(OpProgram { program, label: 0, repeats: false, sorted: true, misfits, is_try: false })
}

/// Compiles a predicate on states: the program's result is its truth.
pub(crate) fn predicate(src: Source<'_>, p: &Pred) -> Res<Program> {
    let mut reads = BTreeSet::new();
    in_pred(p, &mut |e| note(e, &mut reads));
    let mut g = Lower::new(src);
    let env = g.read_state(&reads);
    g.decide(&[p], &env)
}

/// Compiles a conjunction of predicates on states; no rule about conjuncts without value but to bail.
pub(crate) fn conjunction(src: Source<'_>, ps: &[&Pred]) -> Res<Program> {
    let mut reads = BTreeSet::new();
    for p in ps {
        in_pred(p, &mut |e| note(e, &mut reads));
    }
    let mut g = Lower::new(src);
    let env = g.read_state(&reads);
    g.decide(ps, &env)
}
