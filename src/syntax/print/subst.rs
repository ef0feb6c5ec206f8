//! Substitutions as B text, on one line.

use super::super::ast::{Node, Subst, SubstKind};
use super::{formula, names, spell};

// How tightly a substitution holds together: a sequence least, then `||`, then a statement.
const SEQUENCE: u8 = 0;
const PARALLEL: u8 = 1;
const STATEMENT: u8 = 2;

/// A substitution as B text.
#[must_use]
pub fn substitution(s: &Subst) -> String {
    text(s, SEQUENCE)
}

/// A substitution as the body of an operation, where `;` needs BEGIN and END.
pub(super) fn body(s: &Subst) -> String {
    text(s, PARALLEL)
}

fn text(s: &Subst, needed: u8) -> String {
    let own = match s.kind {
        SubstKind::Seq(_) => SEQUENCE,
        SubstKind::Par(_) => PARALLEL,
        _ => STATEMENT,
    };
    let plain = plain(&s.kind);
    if own < needed { format!("BEGIN {plain} END") } else { plain }
}

fn list(nodes: &[Node]) -> String {
    nodes.iter().map(formula).collect::<Vec<_>>().join(", ")
}

fn joined(parts: &[Subst], with: &str, needed: u8) -> String {
    parts.iter().map(|s| text(s, needed)).collect::<Vec<_>>().join(with)
}

fn branches(v: &[(Node, Subst)], between: &str) -> String {
    let one = |(p, s): &(Node, Subst)| format!("{} THEN {}", formula(p), text(s, SEQUENCE));
    v.iter().map(one).collect::<Vec<_>>().join(between)
}

fn otherwise(e: Option<&Subst>) -> String {
    e.map_or(String::new(), |s| format!(" ELSE {}", text(s, SEQUENCE)))
}

fn plain(kind: &SubstKind) -> String {
    let inner = |s: &Subst| text(s, SEQUENCE);
    match kind {
        SubstKind::Skip => "skip".to_owned(),
        SubstKind::Assign(t, v) => format!("{} := {}", list(t), list(v)),
        SubstKind::BecomesIn(t, e) => format!("{} :: {}", list(t), tight(e)),
        SubstKind::BecomesSuch(t, p) => format!("{} : ({})", list(t), formula(p)),
        SubstKind::Pre(p, s) => format!("PRE {} THEN {} END", formula(p), inner(s)),
        SubstKind::Assert(p, s) => format!("ASSERT {} THEN {} END", formula(p), inner(s)),
        SubstKind::Choice(v) => format!("CHOICE {} END", joined(v, " OR ", SEQUENCE)),
        SubstKind::Select(v, e) => format!("SELECT {}{} END", branches(v, " WHEN "), otherwise(e.as_deref())),
        SubstKind::If(v, e) => format!("IF {}{} END", branches(v, " ELSIF "), otherwise(e.as_deref())),
        SubstKind::Case(e, v, o) => {
            let one = |(values, s): &(Vec<Node>, Subst)| {
                let values: Vec<String> = values.iter().map(tight).collect();
                format!("{} THEN {}", values.join(", "), inner(s))
            };
            let v: Vec<String> = v.iter().map(one).collect();
            format!("CASE {} OF EITHER {}{} END END", formula(e), v.join(" OR "), otherwise(o.as_deref()))
        }
        SubstKind::Any(x, p, s) => format!("ANY {} WHERE {} THEN {} END", names(x), formula(p), inner(s)),
        SubstKind::Let(v, s) => {
            let x: Vec<String> = v.iter().map(|(x, _)| spell(&x.name)).collect();
            let e: Vec<String> =
                v.iter().map(|(x, e)| format!("{} = {}", spell(&x.name), tight(e))).collect();
            format!("LET {} BE {} IN {} END", x.join(", "), e.join(" & "), inner(s))
        }
        SubstKind::Var(x, s) => format!("VAR {} IN {} END", names(x), inner(s)),
        SubstKind::While { cond, body, invariant, variant } => format!(
            "WHILE {} DO {} INVARIANT {} VARIANT {} END",
            formula(cond),
            inner(body),
            formula(invariant),
            formula(variant)
        ),
        SubstKind::Seq(v) => joined(v, "; ", PARALLEL),
        SubstKind::Par(v) => joined(v, " || ", STATEMENT),
        SubstKind::Call { results, name, args, .. } => {
            let results = if results.is_empty() { String::new() } else { format!("{} <-- ", list(results)) };
            let args = if args.is_empty() { String::new() } else { format!("({})", list(args)) };
            format!("{results}{}{args}", spell(&name.name))
        }
        SubstKind::Error => "?".to_owned(),
    }
}

/// A formula where only an expression may stand without parentheses.
pub(super) fn tight(node: &Node) -> String {
    if super::priority(&node.kind) < super::EXPR { format!("({})", formula(node)) } else { formula(node) }
}
