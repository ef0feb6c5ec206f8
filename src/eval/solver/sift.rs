//! The options of the only undecided cell that a test has met: those that make it false go.
//!
//! In: a test, the cell. Out: whether the test holds for all options that stay. A few options are tried one by one; many are
//! halved as long as a part decides nothing, since what the bounds of a part contradict goes at once: `x + x = 3` leaves
//! nothing of a thousand integers after some twenty looks.

use super::Search;
use super::cells::CellId;
use crate::eval::Env;

/// So many options are tried one by one.
const FEW: usize = 16;

impl Search<'_> {
    /// Takes away the options of a cell that make a test false. `None` if none is left; else whether the test holds for the
    /// others, and counts as evaluated if it was for each of them.
    pub(super) fn sift(
        &mut self,
        c: usize,
        cell: CellId,
        env: &mut Env,
        changed: &mut Vec<CellId>,
    ) -> Option<bool> {
        let options: Vec<usize> = self.cells.cells[cell].options().collect();
        let mut gone = Vec::new();
        let mut by_value = true;
        let always = self.sift_part(c, cell, &options, env, &mut gone, &mut by_value);
        self.by_value.set(by_value);
        if gone.len() == options.len() {
            return None;
        }
        for i in &gone {
            self.cells.remove(cell, *i);
        }
        changed.extend((!gone.is_empty()).then_some(cell));
        Some(always)
    }

    /// Collects the options among some that make a test false; whether it holds for the others.
    fn sift_part(
        &mut self,
        c: usize,
        cell: CellId,
        options: &[usize],
        env: &mut Env,
        gone: &mut Vec<usize>,
        by_value: &mut bool,
    ) -> bool {
        let parts = if options.len() > FEW { options.len().div_ceil(2) } else { 1 };
        let mut always = true;
        for part in options.chunks(parts) {
            let truth = self.on_trial(|cells| cells.keep_options(cell, part), |s| s.judge(c, env));
            always &= match truth {
                Some(true) => {
                    *by_value &= self.by_value.get();
                    true
                }
                Some(false) => {
                    gone.extend_from_slice(part);
                    true
                }
                None => part.len() > 1 && self.sift_part(c, cell, part, env, gone, by_value),
            };
        }
        always
    }
}
