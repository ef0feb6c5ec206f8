//! From the IR of B to the word IR.
//!
//! In: operations and predicates, constants with known values, the layout of states. Out: a
//! [`word::Program`](super::word::Program), or [`Unsupported`] for what stays with the plain evaluator. Siblings:
//! `shape` (numberings), `bits` (sets as words), `rel` (relations as bit matrices), `arrays`, `expr`, `sets` (set-valued
//! expressions), `pred`, `member` (`x : S` without building S), `given` (constants that formulas give), `bind`
//! (solutions of a predicate) with `arms`, `arrows`, `lists`, `lift`, `isolate`, `pattern`, `once` (what loops need not
//! repeat), `order` (whether they come in order), `fuel` (loops that run too long), `subst` (outcomes) with `looping`,
//! `state` (fields of packed states), `slots` (values of variables), `misfit` (values without room in them), `touch` (evaluation for the sake of
//! faults), `twins` (arguments that need not be tried).
//!
//! Two rules keep results equal to the plain evaluator's. Whatever has no value (or leaves 64 bits, or the
//! interval it was thought to lie in) jumps to `bail`, which voids the run. And nothing here orders or
//! removes edges: the caller does.

mod arms;
mod arrays;
mod arrows;
pub(crate) mod bind;
mod bits;
pub(crate) mod effects;
mod expr;
mod fold;
pub(crate) mod free;
mod fuel;
mod funmember;
mod funs;
mod given;
mod isolate;
mod lift;
mod lists;
mod looping;
mod member;
pub(crate) mod misfit;
mod once;
mod order;
mod pattern;
mod pred;
mod rel;
mod seqs;
mod sets;
pub(crate) mod shape;
mod slots;
pub(crate) mod state;
pub(crate) mod subst;
mod tables;
mod touch;
mod twins;

use super::word::build::Builder;
use super::word::{Bin, Block, End, Ins, Opd, Program, Un};
use crate::ir::{ConstId, LocalId, Machine, Pred};
use crate::layout::StateLayout;
use crate::ops::World;
use crate::source::Span;
use crate::value::Value;
use shape::{MOST, Val};
use slots::Slots;
use std::collections::BTreeMap;

/// Why something is not compiled.
#[derive(Clone, Debug)]
pub(crate) struct Unsupported {
    /// What.
    pub(crate) what: &'static str,
    /// Where, if known.
    pub(crate) span: Option<Span>,
}

/// A result, or the reason to leave it to the plain evaluator.
pub(crate) type Res<T> = Result<T, Unsupported>;

/// The refusal.
pub(crate) fn no<T>(what: &'static str) -> Res<T> {
    Err(Unsupported { what, span: None })
}

/// Values of names while compiling. Operands in it are never overwritten while it is in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    /// Locals; absent or `None` is unset.
    pub(crate) locals: BTreeMap<LocalId, Val>,
    /// Variables by `VarId`.
    pub(crate) vars: Slots,
    /// `x$0`.
    pub(crate) old: Slots,
    /// How many of the arguments that are elements are known to be tried.
    tried: usize,
}

/// What compilation reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// The machine.
    pub(crate) machine: &'a Machine,
    /// Sizes of sets.
    pub(crate) world: &'a World,
    /// Layout of states.
    pub(crate) layout: &'a StateLayout,
    /// Values of the constants.
    pub(crate) consts: &'a [Option<Value>],
}

/// Most instructions of one program.
const LONGEST: usize = 40_000;
/// Deepest nesting of expressions, loops and calls.
const DEEPEST: u32 = 200;

/// Compiles one function.
#[derive(Debug)]
pub(crate) struct Lower<'a> {
    src: Source<'a>,
    b: Builder,
    /// Where to go when the current choice leads to nothing.
    fail: Block,
    /// Where to go when something has no value.
    bail: Block,
    /// While an atomic conjunct of a binder is compiled: the binder's variables, and where to go when an
    /// application of or to one of them is outside the domain (the conjunct is then false).
    soft: Option<(Vec<LocalId>, Block)>,
    depth: u32,
    /// How many arms of disjunctions there are in each of which what follows is emitted.
    arms: usize,
    /// The constants whose formulas are being compiled.
    inlined: Vec<ConstId>,
    order: order::Watch,
    fuel: fuel::Fuel,
    /// The arguments that are elements of sets with twins, in order.
    within: Vec<twins::Argument>,
    /// The variables as the run found them.
    start: Slots,
    /// Room found lacking, by the numbers in [`End::Misfit`].
    pub(crate) misfits: Vec<misfit::Misfit>,
}

impl<'a> Lower<'a> {
    /// An empty function.
    pub(crate) fn new(src: Source<'a>) -> Self {
        let mut b = Builder::new();
        let bail = b.block();
        b.at(bail);
        b.end(End::Bail);
        b.at(0);
        Self {
            src,
            b,
            fail: bail,
            bail,
            soft: None,
            depth: 0,
            arms: 1,
            inlined: Vec::new(),
            order: order::Watch::default(),
            fuel: fuel::Fuel::default(),
            within: Vec::new(),
            start: Slots::default(),
            misfits: Vec::new(),
        }
    }

    /// Appends an instruction.
    pub(crate) fn emit(&mut self, ins: Ins) {
        self.b.push(ins);
    }

    /// The finished program, its last block ended so.
    pub(crate) fn finish(mut self, end: End) -> Program {
        self.b.end(end);
        self.fill();
        self.b.finish()
    }

    /// The program that decides a conjunction.
    pub(crate) fn decide(mut self, ps: &[&Pred], env: &Env) -> Res<Program> {
        let other = self.b.block();
        for p in ps {
            let yes = self.b.block();
            self.cond(p, env, yes, other)?;
            self.b.at(yes);
        }
        self.b.end(End::Return(true));
        self.b.at(other);
        Ok(self.finish(End::Return(false)))
    }

    fn bin(&mut self, op: Bin, a: Opd, b: Opd) -> Opd {
        self.b.bin(op, a, b)
    }

    fn un(&mut self, op: Un, a: Opd) -> Opd {
        self.b.un(op, a)
    }

    /// Goes on only if `c` is not 0; else to `other`.
    fn require(&mut self, c: Opd, other: Block) {
        let on = self.b.block();
        self.b.branch(c, on, other);
        self.b.at(on);
    }

    /// Emits an alternative: what `f` emits, ended by a jump to what follows, as are failures in it.
    fn alternative(&mut self, f: &mut dyn FnMut(&mut Self) -> Res<()>) -> Res<()> {
        let next = self.b.block();
        let fail = std::mem::replace(&mut self.fail, next);
        let done = f(self);
        self.fail = fail;
        self.b.jump(next);
        self.b.at(next);
        done
    }

    /// Emits what `f` emits with another rule for applications outside the domain.
    fn with_soft<T>(
        &mut self,
        soft: Option<(Vec<LocalId>, Block)>,
        f: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let kept = std::mem::replace(&mut self.soft, soft);
        let r = f(self);
        self.soft = kept;
        r
    }

    /// Counts one level of nesting while `f` runs; refuses what grows too large.
    fn nest<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= DEEPEST {
            return no("nesting too deep");
        }
        if self.b.size() > LONGEST {
            return no("program too long");
        }
        self.depth += 1;
        let r = f(self);
        self.depth -= 1;
        r
    }

    /// A loop over the set bits of some words; `f` gets the bit's number.
    fn each_bit(&mut self, words: &[Opd], f: &mut dyn FnMut(&mut Self, Opd) -> Res<()>) -> Res<()> {
        if let [w] = words {
            return self.each_bit_of(*w, &mut |s, i| f(s, i));
        }
        let n = words.len() as u64;
        self.count(Opd::K(0), Opd::K(n), &mut |s, j| {
            let w = s.b.pick(words, j);
            let base = s.bin(Bin::Shl, j, Opd::K(6));
            s.each_bit_of(w, &mut |s, i| {
                let i = s.bin(Bin::Add, base, i);
                f(s, i)
            })
        })
    }

    fn each_bit_of(&mut self, word: Opd, f: &mut dyn FnMut(&mut Self, Opd) -> Res<()>) -> Res<()> {
        if word == Opd::K(0) {
            return Ok(());
        }
        let rest = self.b.var(word);
        let (head, body, exit) = (self.b.block(), self.b.block(), self.b.block());
        self.b.jump(head);
        self.b.at(head);
        self.b.branch(Opd::R(rest), body, exit);
        self.b.at(body);
        let i = self.un(Un::Low, Opd::R(rest));
        let less = self.bin(Bin::Sub, Opd::R(rest), Opd::K(1));
        let less = self.bin(Bin::And, Opd::R(rest), less);
        self.b.set(rest, less);
        let fail = std::mem::replace(&mut self.fail, head);
        let done = self.round(64, |s| f(s, i));
        self.fail = fail;
        self.b.jump(head);
        self.b.at(exit);
        done
    }

    /// A loop from `lo` up to but without `hi` (signed) over numbers of a dense set.
    fn count(&mut self, lo: Opd, hi: Opd, f: &mut dyn FnMut(&mut Self, Opd) -> Res<()>) -> Res<()> {
        self.count_most(MOST, lo, hi, f)
    }

    /// A loop from `lo` up to but without `hi` (signed), of at most so many rounds.
    fn count_most(
        &mut self,
        most: u64,
        lo: Opd,
        hi: Opd,
        f: &mut dyn FnMut(&mut Self, Opd) -> Res<()>,
    ) -> Res<()> {
        let most = match (lo, hi) {
            (Opd::K(lo), Opd::K(hi)) => hi.wrapping_sub(lo),
            _ => most,
        };
        let next = self.b.var(lo);
        let (head, body, exit) = (self.b.block(), self.b.block(), self.b.block());
        self.b.jump(head);
        self.b.at(head);
        let more = self.bin(Bin::Slt, Opd::R(next), hi);
        self.b.branch(more, body, exit);
        self.b.at(body);
        // A register of its own: the body may run after the counter has moved on.
        let i = Opd::R(self.b.var(Opd::R(next)));
        let up = self.bin(Bin::Add, Opd::R(next), Opd::K(1));
        self.b.set(next, up);
        let fail = std::mem::replace(&mut self.fail, head);
        let done = self.round(most, |s| f(s, i));
        self.fail = fail;
        self.b.jump(head);
        self.b.at(exit);
        done
    }
}
