//! Values that the layout of states has no room for.
//!
//! In: a variable, a value that may not fit. Out: the block to go to if it does not: where something is known of
//! the room it takes, the run ends there with a [`Misfit`], so that nobody needs to repeat it, perhaps at length, with
//! the plain evaluator to learn the same. A guess only: the system starts again with a layout that has more room.

use super::Lower;
use super::shape::{Shape, Val};
use crate::compile::ranges;
use crate::compile::word::{Block, End};
use crate::layout::{Hull, Layout};
use crate::ty::Ty;

/// Room that a variable lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Misfit {
    /// The variable, by `VarId`.
    pub(crate) variable: usize,
    /// What its values may be, as far as is known.
    pub(crate) hull: Hull,
}

impl Lower<'_> {
    /// Where to go if this new value of a variable does not fit.
    pub(super) fn misfit(&mut self, variable: usize, v: &Val) -> Block {
        let hull = self.src.machine.variables.get(variable).and_then(|d| match v.shape() {
            // A wider layout does not look at the bounds.
            Some(Shape::Int(..)) if d.ty == Ty::Int => Some(Hull::Open),
            Some(s) => hull(&s, &d.ty)
                .map(|h| self.as_laid_out(variable, h))
                .filter(|h| ranges::is_affordable(h, &d.ty, self.src.world)),
            None => None,
        });
        let Some(hull) = hull else { return self.bail };
        let number = u32::try_from(self.misfits.len()).unwrap_or(u32::MAX);
        let here = self.b.here();
        let block = self.b.block();
        self.b.at(block);
        self.b.end(End::Misfit(number));
        self.b.at(here);
        self.misfits.push(Misfit { variable, hull });
        block
    }

    /// A hull that leads to the kind of layout that the variable has.
    fn as_laid_out(&self, variable: usize, hull: Hull) -> Hull {
        match (hull, self.src.layout.fields.get(variable).map(|f| &f.layout)) {
            (Hull::Set(m), Some(Layout::Rows(_) | Layout::Lanes(_))) => Hull::Fun(m),
            (h, _) => h,
        }
    }
}

/// The hull of the values of a shape; `None` if there are integers without bounds.
fn hull(shape: &Shape, ty: &Ty) -> Option<Hull> {
    Some(match (shape, ty) {
        (Shape::Int(a, b), _) if a > b => Hull::Unknown,
        (Shape::Int(i64::MIN, _) | Shape::Int(_, i64::MAX), _) => return None,
        (Shape::Int(a, b), _) => Hull::Int(*a, *b),
        (Shape::Tuple(parts), Ty::Pair(a, b)) => match parts.as_slice() {
            [x, y] => Hull::Pair(Box::new(hull(x, a)?), Box::new(hull(y, b)?)),
            _ => return None,
        },
        (Shape::Tuple(parts), Ty::Rec(fields)) => {
            Hull::Rec(parts.iter().zip(fields.iter()).map(|(s, (_, t))| hull(s, t)).collect::<Option<_>>()?)
        }
        (Shape::Set(s), Ty::Pow(t)) => Hull::Set(Box::new(hull(s, t)?)),
        _ => Hull::Unknown,
    })
}
