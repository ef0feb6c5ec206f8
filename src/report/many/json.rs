//! Many machines as JSON: the reports as they are, in one object.

use super::{Many, word};
use serde_json::json;

/// All of them, schema `bsym.checks/1`.
pub(in super::super) fn write(all: &Many) -> String {
    let mut machines = Vec::new();
    for m in &all.machines {
        let outer = json!({"file": m.file, "exit": m.exit, "outcome": word(m.exit, all.expected)});
        let whole = serde_json::from_str::<serde::de::IgnoredAny>(&m.report).is_ok();
        let report = if whole { m.report.trim() } else { "null" };
        let outer = outer.to_string();
        // The report stands as it was written: it may be long, and its fields have an order.
        machines.push(format!("{},\"report\":{report}}}", outer.trim_end_matches('}')));
    }
    let counts: serde_json::Map<String, serde_json::Value> =
        all.counts().into_iter().map(|(n, word)| (word.to_owned(), n.into())).collect();
    let (version, counts) = (json!(env!("CARGO_PKG_VERSION")), json!(counts));
    let machines = machines.join(",\n");
    format!(
        "{{\"schema\":\"bsym.checks/1\",\"version\":{version},\"counts\":{counts},\"machines\":[\n{machines}\n]}}\n"
    )
}
