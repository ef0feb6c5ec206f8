//! The list of switches, as text and as tables for docs/probcli.md.
//!
//! In: the rows of `table`, `preferences` and `errors`. Out: text.

use super::errors::ERRORS;
use super::preferences::PREFERENCES;
use super::table::{Means, SWITCHES, Switch};

/// What stands above each kind of switches.
const KINDS: [(&str, fn(Means) -> bool); 3] = [
    ("Switches that bsym has", |m| !matches!(m, Means::Ignored | Means::Refused)),
    ("Ignored with a warning, as the answer is the same without them", |m| matches!(m, Means::Ignored)),
    ("Refused, as the answer would be another one without them", |m| matches!(m, Means::Refused)),
];

/// For a terminal.
pub(super) fn text() -> String {
    let mut out = "bsym probcli MACHINE SWITCHES: bsym with the command line of ProB's probcli\n".to_owned();
    for (title, is) in KINDS {
        out += &format!("\n{title}:\n");
        for switch in SWITCHES.iter().filter(|s| is(s.means)) {
            out += &format!("  {}\n", written(switch, ", "));
            out += &format!(
                "      {}{}\n",
                switch.help,
                becomes(switch.means).map_or_else(String::new, |b| format!(" [{b}]"))
            );
        }
        let preferences = PREFERENCES.iter().filter(|p| is(p.means));
        for p in preferences {
            out += &format!("  -p {}\n      {}\n", p.names.join(", "), p.help);
        }
    }
    out += "\nErrors for -expcterr:\n";
    for e in ERRORS {
        out += &format!("  {}\n      {}\n", e.names.join(", "), e.help);
    }
    out
}

/// For a page.
pub(super) fn markdown() -> String {
    let mut out = String::new();
    for (title, is) in KINDS {
        out += &format!("### {title}\n\n| switch | for bsym |\n|---|---|\n");
        for s in SWITCHES.iter().filter(|s| is(s.means)) {
            let becomes = becomes(s.means).map_or_else(String::new, |b| format!(" (`{b}`)"));
            out += &format!("| {} | {}{becomes} |\n", code(&written(s, "\n")), cell(s.help));
        }
        for p in PREFERENCES.iter().filter(|p| is(p.means)) {
            let names: Vec<String> = p.names.iter().map(|n| format!("-p {n}")).collect();
            let becomes = becomes(p.means).map_or_else(String::new, |b| format!(" (`{b}`)"));
            out += &format!("| {} | {}{becomes} |\n", code(&names.join("\n")), cell(p.help));
        }
        out.push('\n');
    }
    out += "### Errors for `-expcterr`\n\n| error | when it is found |\n|---|---|\n";
    for e in ERRORS {
        out += &format!("| {} | {} |\n", code(&e.names.join("\n")), e.help);
    }
    out
}

/// A switch with its other names and its arguments.
fn written(s: &Switch, between: &str) -> String {
    let arguments: String = s.arguments.iter().map(|a| format!(" {a}")).collect();
    s.names.iter().map(|n| format!("-{n}{arguments}")).collect::<Vec<_>>().join(between)
}

/// What of bsym it stands for.
fn becomes(means: Means) -> Option<String> {
    match means {
        Means::Do(_, text) => Some(text.to_owned()),
        Means::Check(pattern) | Means::World(pattern) => Some(pattern.replace(['{', '}'], "")),
        Means::Ignored | Means::Refused => None,
    }
}

/// Names on lines as code, side by side.
fn code(lines: &str) -> String {
    lines.lines().map(|l| format!("`{l}`")).collect::<Vec<_>>().join(", ")
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
