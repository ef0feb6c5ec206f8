//! Apalache's ITF. Shape: `docs/traces.md`.
//!
//! Constants are `params` and stand in every state. Integers are `#bigint`; a variable whose values are functions in
//! all states is a `#map` in all states, else a `#set` of `#tup`.

use super::tree::{Tree, parse};
use super::{INITIALISATION, Recorded, RecordedStep, SETUP, hint};
use crate::ir::Machine;
use crate::report::{Report, TraceStep, Violation};
use crate::ty::Ty;
use serde_json::{Map, Value as Json, json};

/// The trace as an ITF file.
pub fn write(r: &Report, v: &Violation, steps: &[TraceStep]) -> String {
    let setup = steps.iter().find(|s| s.operation == SETUP && s.fault.is_none());
    let constants: &[(String, String)] = setup.map_or(&[], |s| &s.values);
    let shown: Vec<&TraceStep> = steps.iter().filter(|s| s.operation != SETUP && s.fault.is_none()).collect();
    let variables = shown.first().map_or(&[][..], |s| &s.values);
    let names = |list: &[(String, String)]| list.iter().map(|(n, _)| n.clone()).collect::<Vec<_>>();
    let functional = |name: &str| {
        let all = || shown.iter().flat_map(|s| &s.values).chain(constants).filter(|(n, _)| n == name);
        let trees = || all().map(|(_, v)| parse(v));
        trees().all(|t| t.is_some_and(|t| t.is_function()))
            && trees().any(|t| !matches!(t, Some(Tree::Set(items)) if items.is_empty()))
    };
    let value = |(name, text): &(String, String)| {
        let json = parse(text).map_or_else(|| json!(text), |t| t.itf(functional(name)));
        (name.clone(), json)
    };
    let states: Vec<Json> = shown
        .iter()
        .enumerate()
        .map(|(index, s)| {
            let mut out = Map::new();
            out.insert("#meta".into(), json!({"index": index, "action": s.operation}));
            out.extend(constants.iter().chain(&s.values).map(value));
            Json::Object(out)
        })
        .collect();
    let types: Map<String, Json> = r.types.iter().map(|(n, t)| (n.clone(), json!(t))).collect();
    let all = json!({
        "#meta": {
            "format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": r.file, "varTypes": types, "description": format!("{} ({})", v.message, hint(r)),
        },
        "params": names(constants), "vars": names(variables), "states": states,
    });
    format!("{all:#}\n")
}

/// Reads the one trace of a file.
pub fn read(text: &str) -> Result<Vec<Recorded>, String> {
    let file: Json = serde_json::from_str(text).map_err(|e| format!("no JSON: {e}"))?;
    let list = file.get("states").and_then(Json::as_array).ok_or("there are no `states`")?;
    let params: Vec<&str> = strings(file.get("params"));
    let mut steps: Vec<RecordedStep> = Vec::new();
    for (i, state) in list.iter().enumerate() {
        let entries = state.as_object().ok_or_else(|| format!("state {i} is no object"))?;
        let mut values = Vec::new();
        for (name, value) in entries.iter().filter(|(n, _)| *n != "#meta") {
            let tree = Tree::of_itf(value).ok_or_else(|| format!("state {i}: `{name}` is no ITF value"))?;
            values.push((name.clone(), tree.readable()));
        }
        let (constants, variables): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|(n, _)| params.contains(&n.as_str()));
        if i == 0 && !params.is_empty() {
            let operation = Some(SETUP.to_owned());
            steps.push(RecordedStep { operation, values: constants, ..RecordedStep::default() });
        }
        let action = state.pointer("/#meta/action").and_then(Json::as_str);
        let operation = if i == 0 { Some(INITIALISATION) } else { action };
        let operation = operation.map(str::to_owned);
        steps.push(RecordedStep { operation, values: variables, ..RecordedStep::default() });
    }
    Ok(vec![Recorded { steps, ..Recorded::default() }])
}

/// The types of constants and variables, by name.
pub(in crate::report) fn types(machine: &Machine) -> Vec<(String, String)> {
    let decls = machine.constants.iter().chain(&machine.variables);
    decls.map(|d| (d.name.to_string(), itf_type(&d.ty, machine))).collect()
}

/// A type in Apalache's notation; sets of pairs are relations there, too.
fn itf_type(ty: &Ty, machine: &Machine) -> String {
    match ty {
        Ty::Int => "Int".to_owned(),
        Ty::Bool => "Bool".to_owned(),
        Ty::Str => "Str".to_owned(),
        Ty::Pow(x) => format!("Set({})", itf_type(x, machine)),
        Ty::Pair(a, b) => format!("<<{}, {}>>", itf_type(a, machine), itf_type(b, machine)),
        other => other.show(machine).to_string(),
    }
}

fn strings(list: Option<&Json>) -> Vec<&str> {
    list.and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect()
}
