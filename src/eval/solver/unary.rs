//! Memberships of one cell in a set that is known, `f(3) : 1..9`: what is no member goes before the search begins, and nothing
//! is left to be tested.
//!
//! In: a predicate under values of quantified variables. Out: whether that was possible: the cell has a value in any case,
//! its options are listed, and each of them is a member or not.

use super::Search;
use super::cells::CellId;
use crate::eval::Env;
use crate::ir::{Expr, Pred, PredKind};
use crate::ops::Op;
use crate::value::Value;

/// So many options are tried, and so many members listed.
const FEW: usize = 256;

impl Search<'_> {
    /// Takes the options of a cell that are no members, or that are; whether that says all of a predicate.
    pub(super) fn confine_cell(&mut self, p: &Pred, env: &mut Env) -> bool {
        let PredKind::Op(op @ (Op::In | Op::NotIn), args) = &p.kind else { return false };
        let [x, set] = &args[..] else { return false };
        if !self.known(set) {
            return false;
        }
        let Some(cell) = self.cell_of(x, env) else { return false };
        let Ok(members) = self.run.ev.expr(set, env) else { return false };
        if *op == Op::In && self.cells.cells[cell].wide.is_some() {
            self.list_members(cell, &members, p, env);
        }
        let Some(gone) = self.options_against(cell, *op, set, &members) else { return false };
        for i in gone {
            self.cells.drop_option(cell, i);
        }
        self.none |= self.cells.cells[cell].left == 0;
        true
    }

    /// Lists the options of an integer, so that what is made of other conjuncts may depend on there being few.
    fn list_members(&mut self, cell: CellId, members: &Value, p: &Pred, env: &mut Env) {
        if let Value::Set(s) = members
            && s.is_extension()
            && s.len() <= FEW
        {
            self.cells.list(cell, s.items());
        } else {
            self.narrow_at_once(p, env);
        }
    }

    /// The options that contradict a membership; `None` if they are not listed, or it is not known of one.
    fn options_against(&self, cell: CellId, op: Op, set: &Expr, members: &Value) -> Option<Vec<usize>> {
        let (cell, ty) = (&self.cells.cells[cell], set.ty.elem()?);
        if cell.wide.is_some() || cell.left as usize > FEW {
            return None;
        }
        let mut gone = Vec::new();
        for i in cell.options() {
            // "Undefined" is not listed.
            let args = [cell.values.get(i)?.clone(), members.clone()];
            if !self.run.ev.holds(op, &args, ty, set.span).ok()? {
                gone.push(i);
            }
        }
        Some(gone)
    }
}
