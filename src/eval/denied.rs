//! Solutions tested again, as a whole, in debug builds.
//!
//! In: the end of a plan, with values for all that it binds. Out: a conjunct that is false for them, which is an error of the
//! solver. Absent: conjuncts without a value, which are reported elsewhere. To do this in release builds would cost more than half.

use super::Env;
use super::bind::Run;
use super::plan::Node;

impl Run<'_> {
    /// Of what has been found to be a solution, a conjunct that is false. Nothing has to be evaluated twice, so this is for
    /// tests only.
    pub(super) fn denied(&self, node: &Node, env: &mut Env) -> Option<usize> {
        let conjs = self.problem.conjs.iter().enumerate().take(self.problem.active);
        let mut known = conjs.filter(|(_, c)| c.reads.is_subset(&node.bound)).map(|(i, _)| i);
        known.find(|c| matches!(self.test(*c, env), Ok(false)))
    }
}
