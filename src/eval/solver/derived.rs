//! What the unknowns can be that equations define: they have no cells, but follow from those of others.
//!
//! In: an unknown without cells. Out: what its equation says of it. Definitions lead to other definitions, and
//! constraints ask for the same ones again and again, so what has been found is kept until a cell changes.

use super::Search;
use super::abs::Abs;
use super::cells::CellId;
use crate::eval::Env;
use crate::value::SetRef;

/// Between which sets an unknown lies.
struct Known {
    var: usize,
    /// The cells for which this is right.
    version: u64,
    low: SetRef,
    high: SetRef,
    /// The undecided cells that this depends on.
    touched: Vec<CellId>,
}

/// What has been found of unknowns that equations define. Equations between conjuncts read no quantified variables, so
/// nothing but the cells decides it.
#[derive(Default)]
pub(super) struct Derived(Vec<Known>);

impl Search<'_> {
    /// What an unknown without cells can be.
    pub(super) fn derived<'a>(&'a self, var: usize, env: &mut Env) -> Abs<'a> {
        let Some((_, definition)) = self.defined.iter().find(|(d, _)| *d == var) else { return Abs::Top };
        let version = self.cells.version;
        if let Some(k) = self.derived.borrow().0.iter().find(|k| k.var == var && k.version == version) {
            self.touched.borrow_mut().extend_from_slice(&k.touched);
            return Abs::Between(k.low.clone(), k.high.clone());
        }
        // What this definition looks at is told apart from what has been looked at before.
        let before = self.touched.take();
        let value = self.abs(definition, env);
        let mut touched = self.touched.replace(before);
        touched.sort_unstable();
        touched.dedup();
        self.touched.borrow_mut().extend_from_slice(&touched);
        if let Abs::Between(low, high) = &value {
            let known = &mut self.derived.borrow_mut().0;
            known.retain(|k| k.var != var);
            known.push(Known { var, version, low: low.clone(), high: high.clone(), touched });
        }
        value
    }
}
