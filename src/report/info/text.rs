//! A machine's parts as text: a heading each, a line for each name.

use super::{Info, Operation, Set, Typed};
use std::fmt::Write as _;

/// All of it.
pub(super) fn write(i: &Info) -> String {
    let mut out = format!("{} ({})\n", i.name, i.file);
    list(&mut out, "refines", &i.refines);
    let others: Vec<String> = i.files.iter().filter(|f| **f != i.file).cloned().collect();
    list(&mut out, "reads", &others);
    let [(min, min_from), (max, max_from)] = i.integers;
    let _ = writeln!(out, "MININT = {min} ({min_from}), MAXINT = {max} ({max_from})");
    part(&mut out, "sets", i.sets.iter().flat_map(set));
    part(&mut out, "constants", i.constants.iter().map(typed));
    part(&mut out, "variables", i.variables.iter().map(typed));
    part(&mut out, "operations", i.operations.iter().flat_map(operation));
    let counted = |(kind, n): &(&'static str, usize)| format!("{n:>4} {kind}");
    part(&mut out, "stated", i.properties.iter().filter(|(_, n)| *n > 0).map(counted));
    out
}

fn list(out: &mut String, what: &str, names: &[String]) {
    if !names.is_empty() {
        let _ = writeln!(out, "{what} {}", names.join(", "));
    }
}

fn part(out: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        let _ = writeln!(out, "\n{heading}");
        lines.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
}

/// Elements shown at most.
const SHOWN: usize = 12;

fn set(s: &Set) -> Vec<String> {
    let first = match &s.elements {
        Some(names) => {
            let more = if names.len() > SHOWN { ", ..." } else { "" };
            let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
            format!("{} = {{{}{more}}}, {} elements", s.size.name, shown.join(", "), names.len())
        }
        None => format!("{}, {} elements ({})", s.size.name, s.size.size, s.size.origin),
    };
    let own = format!("{}: ", s.size.name);
    vec![first, format!("  {}", s.symmetry.strip_prefix(&own).unwrap_or(&s.symmetry))]
}

fn typed(t: &Typed) -> String {
    format!("{} : {}", t.name, t.ty)
}

fn operation(o: &Operation) -> Vec<String> {
    let all = |list: &[Typed]| list.iter().map(typed).collect::<Vec<_>>().join(", ");
    let results = if o.results.is_empty() { String::new() } else { format!("{} <-- ", all(&o.results)) };
    let parameters =
        if o.parameters.is_empty() { String::new() } else { format!("({})", all(&o.parameters)) };
    let called = if o.offered { "" } else { ", only called" };
    let mut out = vec![format!("{results}{}{parameters}{called}", o.name)];
    for (what, names) in [("reads", &o.reads), ("changes", &o.writes)] {
        if !names.is_empty() {
            out.push(format!("  {what} {}", names.join(", ")));
        }
    }
    out
}
