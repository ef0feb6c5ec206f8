//! Variables that only the parts of a disjunction say something of: `time = 30 & next = 15 or time = 15 & next = 180`.
//!
//! In: conjuncts of a binder none of which gives values of the open variables. Out: the solutions of each arm of a
//! disjunction (an implication, an IF) among them, one arm after the other, without those of earlier arms. The
//! disjunction itself is tested as well, in its own order: arms are only looked at for candidates. Absent: disjunctions
//! in disjunctions past a number of arms.

use super::bind::{Source, Then, has_int};
use super::free::pred_mentions;
use super::isolate::limits;
use super::{Env, Lower, Res};
use crate::ir::{ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;

/// Most arms at one time, those of arms included: what comes after is emitted for each of them.
const MOST: usize = 32;

/// The arms of a predicate that holds if one of them does.
fn arms(p: &Pred) -> Option<Vec<Pred>> {
    match &p.kind {
        PredKind::Or(ps) => Some(ps.clone()),
        PredKind::Implies(p, q) => Some(vec![not(p), (**q).clone()]),
        PredKind::If(c, p, q) => Some(vec![both(c.as_ref().clone(), p), both(not(c), q)]),
        _ => None,
    }
}

fn not(p: &Pred) -> Pred {
    Pred { kind: PredKind::Not(Box::new(p.clone())), span: p.span }
}

fn both(p: Pred, q: &Pred) -> Pred {
    let span = p.span;
    Pred { kind: PredKind::And(vec![p, q.clone()]), span }
}

impl<'a> Lower<'a> {
    /// The variable of a source that has no end, if there are arms that may help.
    pub(super) fn endless(
        &self,
        source: &Source<'_>,
        open: &[&Local],
        rest: &[&Pred],
        env: &Env,
    ) -> Option<LocalId> {
        let least = |op: Op| match op {
            Op::Natural => Some(0),
            Op::Natural1 => Some(1),
            _ => None,
        };
        let (x, low) = match source {
            Source::All(x) => (*x, None),
            Source::In(_, x, s) => match s.kind {
                ExprKind::Op(op @ (Op::Integer | Op::Natural | Op::Natural1), _) => (*x, least(op)),
                _ => return None,
            },
            _ => return None,
        };
        let ty = open.iter().find(|l| l.id == x).map(|l| &l.ty)?;
        let limits = limits(x, rest, env);
        let limited = *ty == Ty::Int
            && limits.iter().any(|l| l.below)
            && (low.is_some() || limits.iter().any(|l| !l.below));
        let helps = self.arms > 1 || self.disjunction(x, rest).is_some();
        (has_int(ty) && !limited && helps).then_some(x)
    }

    /// The first disjunction that says something of a variable, and its arms.
    fn disjunction(&self, x: LocalId, rest: &[&Pred]) -> Option<(usize, Vec<Pred>)> {
        rest.iter().enumerate().filter(|(_, p)| pred_mentions(p, &[x])).find_map(|(i, p)| {
            let arms = arms(p)?;
            (arms.len() * self.arms <= MOST).then_some((i, arms))
        })
    }

    /// Solutions from the arms of a disjunction about `x`. Where an arm has nothing to say the run is void: mostly
    /// control does not get there, as another conjunct contradicts the arm.
    pub(super) fn by_arms(
        &mut self,
        x: LocalId,
        all: &[LocalId],
        open: &[&Local],
        rest: &[&Pred],
        env: &Env,
        then: Then<'_, 'a>,
    ) -> Res<()> {
        let Some((at, arms)) = self.disjunction(x, rest) else {
            self.b.jump(self.bail);
            let dead = self.b.block();
            self.b.at(dead);
            return Ok(());
        };
        self.disorder();
        // Not a source of candidates any more, but a test as before.
        let (whole, earlier): (Pred, Vec<Pred>) = (not(&not(rest[at])), arms.iter().map(not).collect());
        let outer = self.arms;
        self.arms *= arms.len();
        let mut done = Ok(());
        for (k, arm) in arms.iter().enumerate() {
            let mut conjuncts = arm.conjuncts();
            conjuncts.extend(rest.iter().enumerate().map(|(i, p)| if i == at { &whole } else { *p }));
            conjuncts.extend(&earlier[..k]);
            done = self.alternative(&mut |g| g.level(all, open, conjuncts.clone(), env, then));
            if done.is_err() {
                break;
            }
        }
        self.arms = outer;
        done
    }
}
