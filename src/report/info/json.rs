//! A machine's parts as JSON, schema `bsym.info/1`.

use super::{Info, Operation, Set, Typed};
use serde_json::{Value as Json, json};

/// All of it.
pub(super) fn write(i: &Info) -> String {
    let [(min, min_from), (max, max_from)] = i.integers;
    let stated: serde_json::Map<String, Json> =
        i.properties.iter().map(|(kind, n)| ((*kind).to_owned(), (*n).into())).collect();
    let all = json!({
        "schema": "bsym.info/1",
        "version": env!("CARGO_PKG_VERSION"),
        "machine": i.name,
        "file": i.file,
        "files": i.files,
        "refines": i.refines,
        "minint": {"value": min, "from": min_from},
        "maxint": {"value": max, "from": max_from},
        "sets": i.sets.iter().map(set).collect::<Vec<_>>(),
        "constants": i.constants.iter().map(typed).collect::<Vec<_>>(),
        "variables": i.variables.iter().map(typed).collect::<Vec<_>>(),
        "operations": i.operations.iter().map(operation).collect::<Vec<_>>(),
        "stated": stated,
    });
    format!("{all:#}\n")
}

fn set(s: &Set) -> Json {
    json!({
        "name": s.size.name, "size": s.size.size, "from": s.size.origin, "assumed": s.size.assumed,
        "elements": s.elements, "symmetry": s.symmetry,
    })
}

fn typed(t: &Typed) -> Json {
    json!({"name": t.name, "type": t.ty})
}

fn operation(o: &Operation) -> Json {
    json!({
        "name": o.name, "offered": o.offered,
        "parameters": o.parameters.iter().map(typed).collect::<Vec<_>>(),
        "results": o.results.iter().map(typed).collect::<Vec<_>>(),
        "reads": o.reads, "changes": o.writes,
    })
}
