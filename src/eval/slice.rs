//! A symbolic relation used backwards: `x |-> [5] : {s,t | ...}` where the comprehension cannot be listed.
//!
//! In: the source of a step whose set could not be enumerated. Out: the members that agree with what is known of
//! the pattern, found by solving the comprehension for the rest. Nothing if no part is known.

use super::Env;
use super::bind::Run;
use super::closure::Closure;
use super::pattern::Pat;
use super::plan::Source;
use crate::diagnostic::Code;
use crate::ir::Expr;
use crate::ops::Fault;
use crate::value::{SetRef, Value};

impl Run<'_> {
    /// The members of a set that may match, if its known parts are enough to find them.
    pub(super) fn sliced(&self, set: &Expr, source: &Source, env: &mut Env) -> Result<Option<SetRef>, Fault> {
        let Ok(Value::Lazy(l)) = self.ev.expr(set, env) else { return Ok(None) };
        let Some(closure) = l.as_any().downcast_ref::<Closure>() else { return Ok(None) };
        let mut parts = vec![None; closure.width()];
        components(&source.matcher.pat, &mut parts);
        if parts.iter().all(Option::is_none) {
            return Ok(None);
        }
        let Ok(known) = self.known(source, env) else { return Ok(None) };
        let fixed: Vec<Option<&Value>> = parts.iter().map(|p| p.and_then(|i| known.get(i))).collect();
        match closure.slice(&fixed) {
            Some(Ok(found)) => Ok(Some(found)),
            Some(Err(f)) if f.0.code == Code::Interrupted => Err(f),
            _ => Ok(None),
        }
    }
}

/// The numbers of the known values among the components of a left-nested tuple.
fn components(pat: &Pat, out: &mut [Option<usize>]) {
    let Some((last, firsts)) = out.split_last_mut() else { return };
    match pat {
        Pat::Pair(a, b, _) if !firsts.is_empty() => {
            if let Pat::Known(i, _) = **b {
                *last = Some(i);
            }
            components(a, firsts);
        }
        Pat::Known(i, _) if firsts.is_empty() => *last = Some(*i),
        _ => {}
    }
}
