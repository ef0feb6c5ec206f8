//! Why nothing can begin: a smallest set of conjuncts of PROPERTIES, or of parts of INITIALISATION, that cannot hold together.
//!
//! In: an evaluator whose PROPERTIES, or whose INITIALISATION under some valuation, have no solution; the sizes. Out: a
//! [`Conflict`]: the conjuncts by their places, whether their contradiction is proved, what would help. Siblings: `shrink`
//! (leaves parts out as long as nothing is found), `initial` (the parts of a substitution that can say no), `remedy` (other
//! sizes, another MAXINT), `sized` (what has given a set its size). All searches together have a time; what it leaves undone is
//! said, and nothing is concluded from it.

mod initial;
pub(super) mod remedy;
mod shrink;
mod sized;

use super::card::{Origin, Sizes};
use crate::eval::{Budget, Constants, Evaluator, each_expr};
use crate::ir::{Expr, ExprKind, Formula, Pred};
use crate::ops::{Cuts, Fault, Interrupt, Op, World};
use crate::source::Span;
use crate::ty::{SetId, Ty};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps of the search among all parts: what the solver does in a few hundredths of a second.
const STEPS: u64 = 200_000;
/// Steps of a search among some of them. Few parts are a convenience: in the corpus of recorded machines a tenth of the steps
/// above finds as few, and two seconds of explanation of what was found in five milliseconds are none.
const STEPS_OF_SOME: u64 = 20_000;
/// Time for all searches for one conflict, after which what has been found is shown.
const TIME: Duration = Duration::from_millis(500);
/// How long a search may go on behind that, or behind the user's wish to stop.
const LATE: Duration = Duration::from_millis(5);

/// What cannot hold together.
#[derive(Clone, Debug, Default)]
pub struct Conflict {
    /// The places of the conjuncts.
    pub parts: Vec<Span>,
    /// Whether it is known of each of them that without it the others can hold, or mean nothing.
    pub smallest: bool,
    /// Whether no search was cut: then there is no solution with these sizes and this MAXINT.
    pub proved: bool,
    /// Those of NAT, NAT1, INT, MAXINT and MININT that take part.
    pub limits: Vec<&'static str>,
    /// Deferred sets of an assumed size that take part.
    pub assumed: Vec<SetId>,
    /// Options with which the conjuncts can hold together.
    pub remedy: Option<String>,
}

impl Conflict {
    /// Whether nothing that was assumed takes part.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.proved && self.assumed.is_empty()
    }
}

/// The conflict in PROPERTIES, which have no solution.
#[must_use]
pub fn of_properties(evaluator: &Evaluator, sizes: &Sizes) -> Conflict {
    let machine = Arc::clone(&evaluator.machine);
    let all: Vec<&Formula> = machine.properties.iter().collect();
    let parts = all.iter().map(|f| Part { span: f.pred.span, exprs: exprs_of(&f.pred) }).collect();
    let found = |ev: &Evaluator, kept: &[usize]| {
        let some: Vec<&Formula> = kept.iter().filter_map(|i| all.get(*i).copied()).collect();
        ev.satisfiable(&some)
    };
    timed(evaluator, |clock| Puzzle { evaluator, sizes, parts, found: &found, clock }.conflict())
}

/// The conflict in INITIALISATION, which has no outcome under these values of the constants.
#[must_use]
pub fn of_initialisation(evaluator: &Evaluator, constants: &Constants, sizes: &Sizes) -> Conflict {
    let routine = &evaluator.machine.initialisation;
    let parts = initial::parts(&routine.body);
    let found = |ev: &Evaluator, kept: &[usize]| {
        let body = initial::with(&routine.body, kept);
        initial::has_outcome(ev, &body, routine.frame, constants)
    };
    timed(evaluator, |clock| Puzzle { evaluator, sizes, parts, found: &found, clock }.conflict())
}

/// What is found with a clock that is raised when the time is over, or when the user wants no more.
fn timed(evaluator: &Evaluator, find: impl FnOnce(Interrupt) -> Conflict) -> Conflict {
    let (clock, done) = (Interrupt::default(), Done(Interrupt::default()));
    let end = Instant::now() + TIME;
    let over = done.0.clone();
    std::thread::scope(|scope| {
        // Raised when it is dropped, or the clock would be waited for.
        let _done = done;
        scope.spawn(|| {
            while !over.raised() {
                if evaluator.world.interrupt.raised() || Instant::now() >= end {
                    clock.raise();
                }
                std::thread::sleep(LATE);
            }
        });
        find(clock.clone())
    })
}

/// Says that something has ended, however it has.
struct Done(Interrupt);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// A conjunct, or another part that can say no.
struct Part<'m> {
    span: Span,
    exprs: Vec<&'m Expr>,
}

/// All expressions in a predicate.
fn exprs_of(p: &Pred) -> Vec<&Expr> {
    let mut exprs = Vec::new();
    each_expr(p, &mut |e| exprs.push(e));
    exprs
}

/// What a search for a solution of some parts has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// There is one.
    Possible,
    /// There is none.
    Impossible,
    /// None was found where the search looked.
    NotFound,
    /// They have no meaning without the others.
    Senseless,
    /// The search did not end.
    Unknown,
}

/// Parts of which one search tells whether some of them have a solution.
struct Puzzle<'a> {
    evaluator: &'a Evaluator,
    sizes: &'a Sizes,
    parts: Vec<Part<'a>>,
    found: &'a dyn Fn(&Evaluator, &[usize]) -> Result<bool, Fault>,
    clock: Interrupt,
}

impl Puzzle<'_> {
    fn conflict(&self) -> Conflict {
        let (kept, answer, smallest) = self.shrink();
        let exprs = self.exprs(&kept);
        let limits = limits(&exprs);
        let remedy = self.remedy(&kept, answer, &limits, &self.assumed(&exprs), &exprs);
        let (kept, smallest) = match remedy {
            Some(_) => (kept, smallest),
            None => self.with_sizes(kept, smallest),
        };
        Conflict {
            parts: kept.iter().filter_map(|i| self.parts.get(*i)).map(|p| p.span).collect(),
            smallest,
            proved: answer == Answer::Impossible,
            remedy,
            limits,
            assumed: self.assumed(&self.exprs(&kept)),
        }
    }

    fn exprs(&self, kept: &[usize]) -> Vec<&Expr> {
        kept.iter().filter_map(|i| self.parts.get(*i)).flat_map(|p| p.exprs.iter().copied()).collect()
    }

    /// Looks for a solution of some parts in the world of the machine.
    fn ask(&self, kept: &[usize]) -> Answer {
        let interrupt = self.clock.clone();
        self.ask_in(World { cuts: Cuts::default(), interrupt, ..(*self.evaluator.world).clone() }, kept)
    }

    /// The same in another world.
    fn ask_in(&self, world: World, kept: &[usize]) -> Answer {
        let steps = if kept.len() == self.parts.len() { STEPS } else { STEPS_OF_SOME };
        self.answer(world, steps, |ev| (self.found)(ev, kept))
    }

    /// What a search of so many steps in a world comes to.
    fn answer(
        &self,
        world: World,
        steps: u64,
        found: impl FnOnce(&Evaluator) -> Result<bool, Fault>,
    ) -> Answer {
        let ev = Evaluator::new(Arc::clone(&self.evaluator.machine), Arc::new(world));
        let budget = Budget::of(steps);
        match found(&ev) {
            Ok(true) => Answer::Possible,
            _ if budget.is_spent() || ev.is_stopped() => Answer::Unknown,
            Ok(false) if ev.world.cuts.is_empty() => Answer::Impossible,
            Ok(false) => Answer::NotFound,
            Err(_) => Answer::Senseless,
        }
    }

    fn over(&self) -> bool {
        self.clock.raised()
    }

    /// Deferred sets of an assumed size that occur in expressions, or in their types.
    fn assumed(&self, exprs: &[&Expr]) -> Vec<SetId> {
        self.sets(exprs, Origin::is_assumed)
    }

    /// Sets with sizes of such origins that occur there.
    fn sets(&self, exprs: &[&Expr], is_such: impl Fn(Origin) -> bool) -> Vec<SetId> {
        let mut sets = BTreeSet::new();
        for e in exprs {
            given(&e.ty, &mut sets);
            if let ExprKind::Given(s) = e.kind {
                sets.insert(s);
            }
        }
        let is_one = |s: &SetId| self.sizes.sizes.get(usize::from(s.0)).is_some_and(|(_, o)| is_such(*o));
        sets.into_iter().filter(is_one).collect()
    }
}

/// The given sets in a type.
fn given(ty: &Ty, sets: &mut BTreeSet<SetId>) {
    match ty {
        Ty::Given(s) => {
            sets.insert(*s);
        }
        Ty::Pow(t) => given(t, sets),
        Ty::Pair(a, b) => {
            given(a, sets);
            given(b, sets);
        }
        Ty::Rec(fields) => fields.iter().for_each(|(_, t)| given(t, sets)),
        _ => {}
    }
}

/// The names of limits of integers in expressions.
pub(crate) fn limits(exprs: &[&Expr]) -> Vec<&'static str> {
    const NAMES: [(Op, &str); 5] = [
        (Op::Nat, "NAT"),
        (Op::Nat1, "NAT1"),
        (Op::Int, "INT"),
        (Op::Maxint, "MAXINT"),
        (Op::Minint, "MININT"),
    ];
    let occurs = |op: Op| exprs.iter().any(|e| matches!(e.kind, ExprKind::Op(o, _) if o == op));
    NAMES.into_iter().filter(|(op, _)| occurs(*op)).map(|(_, name)| name).collect()
}
