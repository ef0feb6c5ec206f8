//! What is shown of a false formula makes the shown part false: it is evaluated again, alone, under the shown values.

use super::traces::{machines, sizes};
use super::{bsym, root};
use serde_json::Value as Json;

/// Explanations that must have been tried, at least.
const TRIED: usize = 25;

/// Names and values as equations; `None` where a name cannot be bound, or a value is cut off.
fn equations(part: &Json, names: &mut Vec<String>) -> Option<Vec<String>> {
    let is_name = |n: &str| n.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut out = Vec::new();
    for (text, value) in part.as_object()? {
        let value = value.as_str()?;
        if value.contains("... ") || (is_name(text) && names.contains(text)) {
            return None;
        }
        if is_name(text) {
            names.push(text.clone());
        } else if text.contains('.') {
            return None;
        }
        out.push(format!("({text}) = ({value})"));
    }
    Some(out)
}

/// The shown part, with the shown values, as a formula that is true if they explain it.
fn formula(report: &Json, why: &Json) -> Option<String> {
    let mut names = Vec::new();
    let mut conjuncts = Vec::new();
    for (set, size) in report["cardinalities"].as_object()? {
        let elements: Vec<String> = (1..=size.as_u64()?).map(|i| format!("{set}{i}")).collect();
        let listed = elements.join(", ");
        conjuncts.push(format!("{{{listed}}} = {set}"));
        names.extend(elements);
    }
    let witness = equations(&why["for"], &mut names)?;
    let values = equations(&why["values"], &mut names)?;
    conjuncts.extend(witness.into_iter().chain(values));
    let truth = if why["is"] == true { "TRUE" } else { "FALSE" };
    conjuncts.push(format!("bool({}) = {truth}", why["part"].as_str()?));
    let all = conjuncts.join(" & ");
    Some(if names.is_empty() { all } else { format!("#({}).({all})", names.join(",")) })
}

#[test]
fn shown_values_make_the_shown_part_false() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for file in machines(&root().join("machines")) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if !text.contains("verdict=violated") {
            continue;
        }
        let name = file.display().to_string();
        let out = bsym(&[
            "check",
            &name,
            "--keep-going",
            "--max-states",
            "500",
            "--timeout",
            "2s",
            "--format",
            "json",
        ]);
        let report: Json = serde_json::from_slice(&out.stdout).unwrap_or(Json::Null);
        for v in report["violations"].as_array().into_iter().flatten() {
            let Some(formula) = Some(&v["why"]).filter(|w| w.is_object()).and_then(|w| formula(&report, w))
            else {
                continue;
            };
            let sizes = sizes(&report);
            let mut args = vec!["eval", &name, &formula];
            args.extend(sizes.iter().map(String::as_str));
            let out = bsym(&args);
            let said = String::from_utf8_lossy(&out.stdout);
            // Definitions with parameters of their own and names of included machines are not there alone.
            if out.status.code() == Some(2) {
                continue;
            }
            tried += 1;
            if said.trim() != "TRUE" {
                wrong.push(format!("{name}: {formula}: {said}{}", String::from_utf8_lossy(&out.stderr)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried >= TRIED, "only {tried} explanations were tried");
}
