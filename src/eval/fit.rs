//! One candidate of a step: whether it fits, and on from there.
//!
//! In: a source, a value that it offers. Out: the solutions with that value. Matching evaluates parts of the source's conjunct;
//! where these have no value, the conjunct has none or is as good as false (b-language.md 4.6): it is tested beside the
//! others then, since its fault counts only if none of them is false.

use super::bind::Run;
use super::pattern::Pat;
use super::plan::{Later, Node, Source};
use super::pred::fatal;
use super::{Env, Flow, Sink};
use crate::ops::Fault;
use crate::value::Value;
use std::ops::ControlFlow::Continue;

impl Run<'_> {
    /// Goes on with a value if it matches. `known` are the values of what the source's pattern knows.
    pub(super) fn fit(
        &self,
        node: &Node,
        source: &Source,
        (pat, v): (&Pat, &Value),
        known: &[Value],
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let binds = &source.matcher.binds;
        match self.ev.matches(pat, v, known, env) {
            Ok(true) => {
                let settled = source.settles.then_some(source.conj);
                self.go(node, &source.next, binds, settled, pending, env, f)
            }
            Ok(false) => Ok(Continue(())),
            Err(fault) if fatal(&fault) => Err(fault),
            Err(fault) if self.problem.conjs[source.conj].excuses(&fault) => Ok(Continue(())),
            // Rare, so what comes next is not kept.
            Err(_) if self.ev.binds(pat, v, known, env)? => {
                self.go(node, &Later::new(), binds, None, pending, env, f)
            }
            Err(_) => Ok(Continue(())),
        }
    }
}
