//! What is told of a step besides the values after it.
//!
//! In: an evaluator, the values before and after a step. Out: which variables have changed and how, in few words, and the values of
//! expressions that traces show.

use super::shapes::shapes;
use crate::eval::{Env, Evaluator};
use crate::ir::{Decl, Machine, Watched};
use crate::ops::{Cuts, World};
use crate::value::Value;
use crate::value::delta::{Delta, Shape};
use std::sync::{Arc, OnceLock};

/// What is told of a step. Variables have their places in [`super::System::show_state_in`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// For each variable whether it has another value.
    pub changed: Vec<bool>,
    /// For each variable lines that say in few words what has changed, to stand behind its name; none where values say it.
    pub deltas: Vec<Vec<String>>,
    /// Expressions that traces show, with their values as B text.
    pub watched: Vec<(String, String)>,
}

/// Tells of the steps of a machine.
#[derive(Debug, Default)]
pub(super) struct Teller {
    /// Which variables are functions.
    shapes: OnceLock<Vec<Shape>>,
}

/// Values of variables.
type Values = [Option<Value>];

impl Teller {
    /// What is told of a step, or of a state; texts may end after so many bytes.
    pub(super) fn told(&self, ev: &Evaluator, most: usize, before: Option<&Values>, after: &Env) -> Told {
        let watched = watched(ev, after);
        let Some(before) = before else { return Told { watched, ..Told::default() } };
        let changed = before.iter().zip(after.vars.iter()).map(|(b, a)| b != a).collect();
        Told { changed, deltas: self.deltas(ev, most, before, &after.vars), watched }
    }

    fn deltas(&self, ev: &Evaluator, most: usize, before: &Values, after: &Values) -> Vec<Vec<String>> {
        let machine: &Machine = &ev.machine;
        let shapes = self.shapes.get_or_init(|| shapes(machine));
        let values = before.iter().zip(after).zip(machine.variables.iter().zip(shapes));
        let delta = |((b, a), (d, shape)): ((&Option<Value>, &Option<Value>), (&Decl, &Shape))| {
            let (b, a) = b.as_ref().zip(a.as_ref()).filter(|(b, a)| b != a)?;
            Some(Delta::lines((b, a), (&d.ty, shape), &ev.world, most))
        };
        values.map(|v| delta(v).unwrap_or_default()).collect()
    }
}

fn watched(ev: &Evaluator, env: &Env) -> Vec<(String, String)> {
    let all = &ev.machine.watched;
    if all.is_empty() {
        return Vec::new();
    }
    // What is cut here is no matter of the verdict.
    let world = Arc::new(World { cuts: Cuts::default(), ..(*ev.world).clone() });
    let ev = Evaluator::new(Arc::clone(&ev.machine), world);
    let value = |w: &Watched| {
        let mut env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), w.frame);
        match ev.expr(&w.expr, &mut env) {
            Ok(v) => v.show(&w.expr.ty, &ev.world),
            Err(fault) => format!("no value: {}", fault.0.message),
        }
    };
    all.iter().map(|w| (w.text.to_string(), value(w))).collect()
}
