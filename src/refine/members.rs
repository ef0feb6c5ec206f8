//! Sets of states of the refined machine as values, beside the variables of the refinement.
//!
//! In: the machine that holds both. Out: one in whose states the first variable of the refined machine is a set of tuples of all
//! of them and the others are nothing, so that layout and reductions take it like any other; tuples and back.

use super::glue::Vars;
use crate::ir::{Decl, Formula, Machine, Routine, Subst, SubstKind};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Values of the refined machine's variables.
pub(super) type Member = Vec<Value>;

/// The machine whose variables are those of the stored states; `slots` are the places of the refined machine's.
pub(super) fn machine(inner: &Machine, slots: &[usize], refined: &str) -> Machine {
    let mut variables = inner.variables.clone();
    let types: Vec<Ty> = slots.iter().filter_map(|s| inner.variables.get(*s)).map(|d| d.ty.clone()).collect();
    let tuple = types.into_iter().reduce(|a, b| Ty::Pair(a.into(), b.into()));
    for (nth, slot) in slots.iter().enumerate() {
        let Some(decl) = variables.get_mut(*slot) else { continue };
        let set = tuple.clone().filter(|_| nth == 0).map(|t| Ty::Pow(t.into()));
        *decl = match set {
            Some(ty) => Decl { name: Arc::from(format!("{refined}.states")), ty, ..decl.clone() },
            None => Decl { ty: Ty::Bool, ..decl.clone() },
        };
    }
    let own = |f: &&Formula| !f.reads.iter().any(|v| slots.contains(&(v.0 as usize)));
    let skip = Subst { kind: SubstKind::Skip, span: inner.initialisation.body.span };
    Machine {
        name: Arc::clone(&inner.name),
        sets: inner.sets.clone(),
        free_types: inner.free_types.clone(),
        constants: inner.constants.clone(),
        variables,
        properties: Vec::new(),
        invariants: Vec::new(),
        typing: inner.typing.iter().filter(own).cloned().collect(),
        assertions: Vec::new(),
        goal: None,
        scope: None,
        initialisation: Routine { body: skip, frame: 0 },
        operations: Vec::new(),
        settings: inner.settings.clone(),
        named: inner.named.clone(),
        watched: Vec::new(),
    }
}

/// The members of a state of the refined machine among the values of all variables.
pub(super) fn member(vars: &Vars, slots: &[usize]) -> Option<Member> {
    slots.iter().map(|s| vars.get(*s).cloned().flatten()).collect()
}

/// The values of a stored state: the refinement's, and the set.
pub(super) fn stored(mut own: Vars, members: &BTreeSet<Member>, slots: &[usize]) -> Vars {
    let tuple = |m: &Member| m.iter().cloned().reduce(Value::pair);
    let set = Value::Set(SetRef::from_vec(members.iter().filter_map(tuple).collect()));
    for (nth, slot) in slots.iter().enumerate() {
        if let Some(place) = own.get_mut(*slot) {
            *place = Some(if nth == 0 { set.clone() } else { Value::Bool(false) });
        }
    }
    own
}

/// The members of the set in a stored state. A machine without variables has one state.
pub(super) fn members(vars: &Vars, slots: &[usize]) -> Vec<Member> {
    let Some(first) = slots.first() else { return vec![Vec::new()] };
    let Some(Some(Value::Set(set))) = vars.get(*first) else { return Vec::new() };
    set.items().iter().map(|tuple| apart(tuple, slots.len())).collect()
}

/// The parts of a tuple.
fn apart(tuple: &Value, parts: usize) -> Member {
    match tuple {
        Value::Pair(pair) if parts > 1 => {
            let mut out = apart(&pair.0, parts - 1);
            out.push(pair.1.clone());
            out
        }
        other => vec![other.clone()],
    }
}
