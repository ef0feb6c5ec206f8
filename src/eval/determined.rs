//! Comprehensions that are functions because their equations say so: `{x, y | x : S & y : T & y = {r, s | ... y(r - 1) ...}}`.
//!
//! In: a binder with its environment. Out: how many values all its variables but the last can have, if there is just one value of
//! the last for each. What answers is a search before its first decision (`solver/determined`), so nothing is listed; `None`
//! where that says nothing.

use super::bind::Run;
use super::plan::Step;
use super::problem::Slot;
use super::solve::CLOSED;
use super::solver::Search;
use super::{Env, Evaluator};
use crate::ir::Binder;

impl Evaluator {
    /// The number of left sides of a comprehension of pairs that is certainly a function.
    pub(super) fn determined(&self, binder: &Binder, env: &mut Env) -> Option<u64> {
        let [_, .., last] = &binder.vars[..] else { return None };
        let problem = self.problem(binder)?;
        let run = Run::new(self, problem, CLOSED);
        let root = problem.root.get_or_init(|| run.planner().root());
        let Step::Search { vars, defined, other, .. } = &root.step else { return None };
        if !root.tests.iter().all(|c| matches!(run.test(*c, env), Ok(true))) {
            return None;
        }
        let last = problem.index.get(Slot::Local(last.id))?;
        Search::new(&run, root, vars, defined, other, env).filter(Search::has_sets)?.determines(last, env)
    }
}
