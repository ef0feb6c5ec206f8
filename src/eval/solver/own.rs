//! Sets that equations define, as unknowns with cells of their own.
//!
//! In: definitions; the shapes of what nothing defines. Out: shapes for defined sets that unions, intersections and
//! differences make of many unknowns. A formula that reads such a set reads one cell a member then, where it would read
//! one for each of the unknowns behind it: truth tables stay small, and the equation itself says how the cells hang
//! together.

use super::Search;
use super::cells::Shape;
use crate::eval::Env;
use crate::eval::bits::Bits;
use crate::ir::{Expr, ExprKind};
use crate::ops::Op;

/// Definitions of so many unknowns stay what stands for the set.
const FEW: usize = 4;

/// Most members of such a set.
const MEMBERS: usize = 64;

impl Search<'_> {
    /// Gives cells to defined sets that are made of many unknowns.
    pub(super) fn give_own_cells(&mut self, bound: &Bits, env: &mut Env) {
        for (var, definition) in self.defined {
            if self.made_of(definition).is_none_or(|read| read.iter().count() <= FEW) {
                continue;
            }
            let mark = (self.cells.cells.len(), self.constraints.len());
            let given = self.given.clone();
            match self.shape(*var, true, bound, env) {
                Some(shape @ Shape::Set { .. }) if self.cells.cells.len() - mark.0 <= MEMBERS => {
                    self.shapes.insert(*var, shape);
                }
                _ => {
                    self.cells.cells.truncate(mark.0);
                    self.constraints.truncate(mark.1);
                    self.given = given;
                }
            }
        }
    }

    /// The unknowns with shapes that a set is made of member by member; `None` if it is made of anything else.
    fn made_of(&self, set: &Expr) -> Option<Bits> {
        if self.known(set) {
            return Some(Bits::default());
        }
        if let ExprKind::Op(Op::Union | Op::Inter | Op::Diff, args) = &set.kind {
            let mut all = Bits::default();
            for arg in args {
                all.add_all(&self.made_of(arg)?);
            }
            return Some(all);
        }
        let var = self.run.problem.unknown_of(set)?;
        if let Some(shape) = self.shapes.get(&var) {
            let mut one = Bits::default();
            one.insert(var);
            return matches!(shape, Shape::Set { .. }).then_some(one);
        }
        self.made_of(&self.defined.iter().find(|(d, _)| *d == var)?.1)
    }
}
