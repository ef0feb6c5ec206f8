//! What stands around the violations of a page: above them what the verdict covers, below them the operations and options.

use super::super::formulas::{FormulaLine, Outcome};
use super::super::markup::escape;
use super::super::refinement::RefinementLine;
use super::super::{Property, Report, Verdict, covered, text};
use super::value::{code, marked};
use super::{Badge, folded, list, table};

/// What was covered and checked, and what was not.
pub(super) fn write(r: &Report) -> String {
    let mut lines: Vec<String> = covered::lines(r).iter().map(|l| escape(l)).collect();
    lines.extend(r.audit.map(|a| escape(&text::audited(a))));
    if !r.bounds.is_empty() {
        lines.push(marked(&text::bounds(r)));
    }
    lines.extend(r.undecided.iter().map(|u| escape(&u.text())));
    lines.extend(r.one_of.iter().map(|o| marked(&o.text())));
    lines.extend(text::settings(r).map(|s| escape(&s)));
    lines.extend(text::counts(r).iter().map(|l| escape(l)));
    let mut out = format!("<section>\n<h2>What the verdict covers</h2>\n{}", list("", lines.into_iter()));
    let missing: Vec<String> = r.not_checked().map(|m| marked(&m.message)).collect();
    if !missing.is_empty() {
        out += &format!("<h3>Not checked</h3>\n{}", list("", missing.into_iter()));
    }
    out += &checked(r);
    if !r.symmetry_sets.is_empty() {
        let sets = r.symmetry_sets.iter().map(|s| marked(&s.text));
        out += &folded("What is permuted", &list("", sets), false);
    }
    out + "</section>\n" + &formulas(r) + &refinements(r)
}

/// All that was checked, folded.
fn checked(r: &Report) -> String {
    if r.properties.is_empty() {
        return String::new();
    }
    let line = |p: &Property| {
        let violated = r.violations.iter().any(|v| p.is_of(v));
        let sign = if violated { " <span class=\"badge violated\">\u{2717} violated</span>" } else { "" };
        let at = p.location.as_ref().map_or_else(String::new, |l| format!(" (line {})", l.line));
        match &p.text {
            Some(text) => format!("{}: {}{at}{sign}", escape(p.kind), code(text)),
            None => format!("{}{sign}", escape(&p.name())),
        }
    };
    let title = match r.properties.len() {
        1 => "1 property".to_owned(),
        n => format!("{n} properties"),
    };
    let whole = r.is_explored();
    let note = if whole {
        ""
    } else {
        "<p>The search did not finish: what is not marked was not violated so far.</p>\n"
    };
    let inside = format!("{note}{}", list("", r.properties.iter().map(line)));
    folded(&format!("What was checked: {title}"), &inside, false)
}

fn formulas(r: &Report) -> String {
    if r.formulas.is_empty() {
        return String::new();
    }
    let line = |f: &FormulaLine| {
        let badge = match f.outcome {
            Outcome::Held => Badge::of(Verdict::Holds),
            Outcome::HeldWithinBounds => Badge::of(Verdict::HoldsWithinBounds),
            Outcome::Violated => Badge::of(Verdict::Violated),
            Outcome::Undecided => Badge::of(Verdict::Incomplete),
            Outcome::Error => Badge::of(Verdict::Error),
        };
        format!("{} {}", badge.html(), marked(&f.text()))
    };
    format!(
        "<section>\n<h2>Temporal formulas</h2>\n{}</section>\n",
        list("values", r.formulas.iter().map(line))
    )
}

fn refinements(r: &Report) -> String {
    if r.refinements.is_empty() {
        return String::new();
    }
    let line = |l: &RefinementLine| format!("{} {}", Badge::of(l.verdict).html(), marked(&l.text()));
    format!("<section>\n<h2>Refinement</h2>\n{}</section>\n", list("values", r.refinements.iter().map(line)))
}

/// Which operations were taken, and in how many states they are possible.
pub(super) fn operations(r: &Report) -> String {
    if r.operations.is_empty() {
        return String::new();
    }
    let never = r.operations.iter().filter(|o| o.transitions == 0).count();
    let never = match (never, r.operations.len()) {
        (0, _) => String::new(),
        (n, all) if n == all => ", never taken".to_owned(),
        (n, _) => format!(", {n} of them never taken"),
    };
    let rows = r.operations.iter().map(|o| {
        let [edges, states] = [o.transitions, o.states_enabled].map(|n| text::grouped(&n.to_string()));
        vec![o.name.clone(), edges, states]
    });
    let title = format!("{}{never}", text::count(r.operations.len() as u64, "operation"));
    let all = table(&["operation", "transitions", "enabled in"], 1, rows);
    format!("<section>\n{}</section>\n", folded(&title, &all, r.operations.len() <= 12))
}

/// The options that the verdict depends on, and what the run has cost.
pub(super) fn options(r: &Report) -> String {
    let (max, min) = r.integers;
    let mut out = format!(
        "<p>symmetry {}, constants {}, MININT = {min}, MAXINT = {max}",
        escape(&r.symmetry),
        escape(r.constants)
    );
    for s in &r.sets {
        out += &format!(", {} = {}", escape(&s.name), s.size);
    }
    let by = r.refines.as_ref().map_or_else(String::new, |(refined, notion)| {
        format!(", steps compared with those of {} by {}", escape(refined), escape(notion))
    });
    format!("{out}{by}</p>\n<p>{}</p>\n", escape(&text::cost(r)))
}
