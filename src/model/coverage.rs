//! What guards and invariants came to in the states of a finished search: which conjuncts decided nothing.
//!
//! In: an evaluator, the states. Out: for each conjunct of a guard how often it was true, false and without value; for each
//! conjunct of the invariant whether it ever said anything. Evaluation has a number of steps; what is beyond it is not looked
//! at, and then only guards without a value are told, since `never` speaks of every state.

use crate::diagnostic::Code;
use crate::eval::{Budget, Env, Evaluator};
use crate::exec::{Guard, Truth};
use crate::ir::{Pred, PredKind};
use crate::ops::{Cuts, Fault, World};
use crate::source::Span;
use std::sync::Arc;

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// States.
    pub states: usize,
    /// Conjuncts evaluated, each in a state with a choice of parameters, and steps of their evaluation.
    pub steps: u64,
    /// Choices of parameters of one operation in one state.
    pub choices: usize,
}

/// Without being asked: so little that it makes no difference to any search that takes time. Of 350 machines that have so few
/// states all but three need fewer steps, most of them fewer than 1,000; the slowest takes 0.12 s for them without optimisation.
pub const LITTLE: Effort = Effort { states: 256, steps: 20_000, choices: 64 };
/// If it is asked for.
pub const MUCH: Effort = Effort { states: 1 << 22, steps: u64::MAX - 1, choices: 4096 };

/// What a conjunct came to.
#[derive(Clone, Debug)]
pub struct Conjunct {
    /// Where it stands.
    pub span: Span,
    /// Whether it reads a parameter.
    pub chooses: bool,
    /// Whether it only says which values there are, as `x : S`.
    pub typing: bool,
    /// How often it was true.
    pub held: u64,
    /// How often it was false.
    pub failed: u64,
    /// How often it had no value where no other conjunct was false: the choice was left out therefore.
    pub void: u64,
    /// Why, the first time.
    pub why: Option<String>,
}

/// The guard of an operation.
#[derive(Clone, Debug)]
pub struct Looked {
    /// The operation's number among all.
    pub op: u32,
    /// Whether all choices of parameters were looked at.
    pub all: bool,
    /// Its conjuncts.
    pub conjuncts: Vec<Conjunct>,
}

/// A part of the invariant that said nothing in any state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Empty {
    /// The left side of `=>` was never true.
    Premise,
    /// Nothing satisfied what the quantifier ranges over.
    Range,
    /// A side of `or` was never true.
    Side,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// States looked at.
    pub states: u64,
    /// Whether these are all.
    pub whole: bool,
    /// Guards.
    pub guards: Vec<Looked>,
    /// Parts of the invariant, by their places.
    pub empty: Vec<(Empty, Span)>,
}

/// A part of the invariant that should be true at times.
struct Part {
    what: Empty,
    pred: Pred,
    span: Span,
    frame: u32,
    held: bool,
}

/// What guards and invariants come to in these states, or in as many of them as the effort suffices for; `None` if
/// something else stops it.
pub(super) fn coverage(
    evaluator: &Evaluator,
    states: impl Iterator<Item = Env>,
    effort: Effort,
) -> Option<Coverage> {
    let machine = Arc::clone(&evaluator.machine);
    // What is cut here has been cut before.
    let world = World { cuts: Cuts::default(), ..(*evaluator.world).clone() };
    let ev = Evaluator::new(Arc::clone(&machine), Arc::new(world));
    let guards = (0u32..).zip(&machine.operations).filter_map(|(i, _)| Guard::of(&ev, &machine, i));
    let mut guards: Vec<(Guard, Looked)> = guards.map(|g| (looked(&g), g)).map(|(l, g)| (g, l)).collect();
    let mut parts: Vec<Part> = Vec::new();
    for formula in &machine.invariants {
        parts_of(&formula.pred, formula.frame, &mut parts);
    }
    let budget = Budget::of(effort.steps);
    let (mut number, mut whole) = (0, true);
    for env in states {
        number += 1;
        for (guard, looked) in &mut guards {
            let Looked { all, conjuncts, .. } = looked;
            let cuts = ev.world.cuts.len();
            let done = ev.examine(guard, &env, effort.choices, &mut |_, truths| count(truths, conjuncts));
            *all &= matches!(done, Ok(true)) && ev.world.cuts.len() == cuts;
        }
        for part in parts.iter_mut().filter(|p| !p.held) {
            let mut env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), part.frame);
            budget.spend(1);
            // What is not known may be true.
            part.held = !matches!(ev.pred(&part.pred, &mut env), Ok(false));
        }
        if budget.is_spent() {
            whole = false;
            break;
        }
        if ev.is_stopped() {
            return None;
        }
    }

    let empty = parts.iter().filter(|p| !p.held).map(|p| (p.what, p.span)).collect();
    let guards = guards.into_iter().map(|(_, l)| l).collect();
    Some(Coverage { states: number, whole, guards, empty })
}

fn looked(guard: &Guard) -> Looked {
    let conjunct = |(p, reads): (&Pred, &bool)| Conjunct {
        span: p.span,
        chooses: *reads,
        typing: matches!(p.kind, PredKind::Op(crate::ops::Op::In | crate::ops::Op::Subset, _)),
        held: 0,
        failed: 0,
        void: 0,
        why: None,
    };
    let conjuncts = guard.conjuncts.iter().zip(&guard.reads).map(conjunct).collect();
    Looked { op: guard.op, all: true, conjuncts }
}

/// Whether a choice is left out for this, and not an error of the step.
fn leaves_out(fault: &Fault, chooses: bool) -> bool {
    match fault.0.code {
        Code::OutsideDomain => true,
        Code::NotAFunction | Code::NotWellDefined => chooses,
        _ => false,
    }
}

fn count(truths: &[Truth], conjuncts: &mut [Conjunct]) {
    let decided = truths.iter().any(|t| matches!(t, Truth::False));
    for (truth, c) in truths.iter().zip(conjuncts) {
        match truth {
            Truth::True => c.held += 1,
            Truth::False => c.failed += 1,
            Truth::Void(fault) if !decided && leaves_out(fault, c.chooses) => {
                c.void += 1;
                c.why.get_or_insert_with(|| fault.0.message.clone());
            }
            Truth::Void(_) => {}
        }
    }
}

/// The parts of a conjunct of the invariant without which it says nothing.
fn parts_of(p: &Pred, frame: u32, out: &mut Vec<Part>) {
    let part = |what, pred: Pred, span| Part { what, pred, span, frame, held: false };
    match &p.kind {
        PredKind::And(all) => all.iter().for_each(|p| parts_of(p, frame, out)),
        PredKind::Implies(a, _) => out.push(part(Empty::Premise, (**a).clone(), a.span)),
        PredKind::Or(all) => {
            out.extend(all.iter().map(|side| part(Empty::Side, side.clone(), side.span)));
        }
        PredKind::Forall(s) if !matches!(s.binder.pred.kind, PredKind::True) => {
            let kind = PredKind::Exists(Arc::clone(&s.binder));
            out.push(part(Empty::Range, Pred { kind, span: p.span }, s.binder.pred.span));
        }
        _ => {}
    }
}
