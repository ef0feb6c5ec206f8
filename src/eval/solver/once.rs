//! What expressions were found to be, kept while the cells stay as they are.
//!
//! In: an expression with a way to find what it can be. Out: that, and the undecided cells that were met are noted as if it had
//! been found anew. Expressions that read quantified variables are found each time.

use super::Search;
use super::abs::Abs;
use super::cells::CellId;
use crate::eval::Env;
use crate::ir::Expr;
use smallvec::SmallVec;

/// What was found of an expression.
pub(super) enum Found {
    /// It depends on more than the cells.
    Varies,
    /// What it can be, and the undecided cells that were met, with the cells as they were.
    As { value: Abs<'static>, met: SmallVec<[CellId; 8]>, at: u64 },
}

impl Abs<'_> {
    /// The same without a part of an unknown in it.
    fn lasting(&self) -> Option<Abs<'static>> {
        Some(match self {
            Abs::Known(v) => Abs::Known(v.clone()),
            Abs::OneOf(vs) => Abs::OneOf(vs.clone()),
            Abs::Int(i) => Abs::Int(*i),
            Abs::Between(a, b) => Abs::Between(a.clone(), b.clone()),
            Abs::Top => Abs::Top,
            Abs::Part(_) | Abs::Options(_) | Abs::Pair(..) => return None,
        })
    }
}

impl Search<'_> {
    /// What an expression can be; if it reads no quantified variables, found once while the cells stay as they are: for
    /// all instances, and for the judgement of a constraint as for its consequences.
    pub(super) fn once<'a>(
        &'a self,
        e: &Expr,
        env: &mut Env,
        find: impl FnOnce(&mut Env) -> Abs<'a>,
    ) -> Abs<'a> {
        let key = std::ptr::from_ref(e).addr();
        let version = self.cells.version;
        // Finding looks here again, so nothing may be borrowed meanwhile.
        let varies = match self.found.borrow().get(&key) {
            Some(Found::As { value, met, at }) if *at == version => {
                self.touched.borrow_mut().extend(met);
                return value.clone();
            }
            found => found.map(|f| matches!(f, Found::Varies)),
        };
        if varies.unwrap_or_else(|| !self.closed(e)) {
            if varies.is_none() {
                self.found.borrow_mut().insert(key, Found::Varies);
            }
            return find(env);
        }
        let before = self.touched.borrow().len();
        let value = find(env);
        if let Some(kept) = value.lasting() {
            let mut met: SmallVec<[CellId; 8]> =
                self.touched.borrow().get(before..).unwrap_or_default().into();
            // Definitions lead to other definitions: what each meets twice would grow without end.
            met.sort_unstable();
            met.dedup();
            self.found.borrow_mut().insert(key, Found::As { value: kept, met, at: version });
        }
        value
    }
}
