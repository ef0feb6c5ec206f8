//! What must be defined: an application of a relation that is solved for is false where the relation is no function
//! (b-language.md 4.6), so where a constraint surely evaluates it, exactly one pair is there.
//!
//! In: a constraint. Out: cuts. Only what is evaluated whatever the undecided cells are is looked at: the first part
//! of a disjunction, the left side of an implication.

use super::Search;
use super::abs::Abs;
use super::cells::{Shape, point};
use super::enforce::{Cuts, Limit};
use crate::eval::Env;
use crate::eval::interval::ALL;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;

impl Search<'_> {
    /// Makes the applications defined that `p`, which is to be true, evaluates.
    pub(super) fn define(&self, p: &Pred, env: &mut Env, cuts: &mut Cuts) {
        match &p.kind {
            PredKind::And(ps) => ps.iter().for_each(|p| self.define(p, env, cuts)),
            _ => self.define_first(p, env, cuts),
        }
    }

    /// The same for a predicate of which only a part may be evaluated.
    fn define_first(&self, p: &Pred, env: &mut Env, cuts: &mut Cuts) {
        match &p.kind {
            PredKind::And(ps) | PredKind::Or(ps) => {
                ps.first().iter().for_each(|p| self.define_first(p, env, cuts));
            }
            PredKind::Implies(a, _) | PredKind::Not(a) => self.define_first(a, env, cuts),
            PredKind::Op(Op::Eq | Op::Neq | Op::Lt | Op::Le | Op::Gt | Op::Ge, args) => {
                args.iter().for_each(|e| self.define_points(e, env, cuts));
            }
            _ => {}
        }
    }

    fn define_points(&self, e: &Expr, env: &mut Env, cuts: &mut Cuts) {
        let ExprKind::Op(op, args) = &e.kind else { return };
        if !matches!(op, Op::Apply | Op::Maplet | Op::Add | Op::Sub | Op::Mul | Op::Neg) {
            return;
        }
        args.iter().for_each(|e| self.define_points(e, env, cuts));
        let (Op::Apply, [f, x]) = (op, &args[..]) else { return };
        let Some(xs) = self.abs(x, env).alternatives() else { return };
        let [x] = &xs[..] else { return };
        match self.abs(f, env) {
            Abs::Part(Shape::Set { items, first }) => {
                self.narrow_row(x, items, *first, &Limit::Int(ALL), cuts);
            }
            Abs::Part(Shape::Fun { keys, parts }) => {
                if let Some(id) = point(keys, parts, x) {
                    let cell = &self.cells.cells[id];
                    let nothing = cell.values.len();
                    if cell.wide.is_none() && cell.has(nothing) && cell.left > 1 {
                        cuts.push((id, nothing));
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether some unknown may have no value, or several, at some argument.
    pub(super) fn has_gaps(&self) -> bool {
        self.shapes.values().any(|s| match s {
            Shape::Set { items, .. } => matches!(items.first(), Some(crate::value::Value::Pair(_))),
            Shape::Fun { parts, .. } => parts.iter().any(|p| match p {
                Shape::Point(id) => self.cells.cells[*id].has(self.cells.cells[*id].values.len()),
                _ => false,
            }),
            Shape::Point(_) => false,
        })
    }
}
