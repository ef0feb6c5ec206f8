//! Reports as text for people: the answer first and last, what it covers, numbers, traces as tables of changes.

use super::goals;
use super::steps::Look;
use super::{
    Bound, Report, TraceStep, Undecided, Verdict, Violation, blocked, covered, formulas, refinement, shorten,
    steps, unmatched, unsolved, why,
};
use crate::explore::Audited;
use comfy_table::{CellAlignment, Table, presets};
use std::fmt::Write as _;

/// Blanks before what belongs to the line above.
pub(super) const INDENT: usize = 2;

/// Columns of text that is not for a terminal.
pub const WIDTH: u16 = 80;

/// The report as text.
#[must_use]
pub fn write(r: &Report) -> String {
    let answer = answer(r);
    let mut out = format!("{answer}\n");
    // Writing to a string cannot fail.
    for line in covered::lines(r) {
        let _ = writeln!(out, "  {line}");
    }
    if let Some(audit) = r.audit {
        let _ = writeln!(out, "  {}", audited(audit));
    }
    if let Some(settings) = settings(r) {
        let _ = writeln!(out, "  {settings}");
    }
    if !r.bounds.is_empty() {
        let _ = writeln!(out, "  {}", bounds(r));
    }
    for u in &r.undecided {
        let _ = writeln!(out, "  {}", u.text());
    }
    for o in &r.one_of {
        let _ = writeln!(out, "  {}", o.text());
    }
    out += &formulas::lines(r);
    out += &refinement::lines(r);
    for v in r.violations.iter().chain(&r.open).chain(&r.goal) {
        out += &violation(v, r.look);
    }
    out += &goals::text(r);
    out += &numbers(r);
    for w in &r.warnings {
        let _ = writeln!(out, "warning: {}", w.line());
    }
    for n in &r.notes {
        let _ = writeln!(out, "note: {}", n.line());
    }
    let again = again(&out, &answer);
    out += &again;
    out
}

/// The answer once more below a text from whose beginning it may have scrolled away.
pub(super) fn again(text: &str, answer: &str) -> String {
    if text.lines().count() > SCREEN { format!("\n{answer}\n") } else { String::new() }
}

/// Lines that are seen at once.
const SCREEN: usize = 40;

/// One line: verdict, machine, why.
pub(super) fn answer(r: &Report) -> String {
    format!("{} {}: {}{}", r.verdict.name().to_uppercase(), r.machine, why(r), not_checked(r))
}

/// What the verdict rests on.
pub(super) fn why(r: &Report) -> String {
    let first = r.violations.iter().find(|v| (v.kind == "error") == (r.verdict == Verdict::Error));
    match r.verdict {
        Verdict::Holds => checked(r),
        Verdict::Incomplete if let Some(first) = r.open.first() => first.message.clone(),
        Verdict::HoldsWithinBounds => format!("{}, among the values that were tried", checked(r)),
        Verdict::Incomplete if let Some(why) = formulas::undecided(r).filter(|_| r.is_explored()) => {
            format!("{}; {why}", checked(r))
        }
        Verdict::Incomplete if let Some(why) = refinement::undecided(r).filter(|_| r.is_explored()) => {
            format!("{}; {why}", checked(r))
        }
        Verdict::Incomplete if r.is_explored() => format!("{}; {}", checked(r), undecided(r)),
        Verdict::Incomplete => {
            let why = r.stopped_by.unwrap_or("a limit");
            let doing = r.at_work.as_ref().map_or(String::new(), |w| format!(" while {w}"));
            format!("no violation found before the search stopped ({why}){doing}")
        }
        Verdict::Violated | Verdict::Error => first.map_or_else(String::new, |v| v.message.clone()),
    }
}

/// What the verdict says nothing of, at the end of its line.
pub(super) fn not_checked(r: &Report) -> String {
    match r.not_checked().count() {
        0 => String::new(),
        1 => "; 1 property of the file was not checked".to_owned(),
        n => format!("; {n} properties of the file were not checked"),
    }
}

/// The first property that was not decided in its time, and how many more.
fn undecided(r: &Report) -> String {
    let first = r.undecided.first().map_or_else(String::new, Undecided::text);
    let more = r.undecided.len().saturating_sub(1);
    if more == 0 { first } else { format!("{first}; and {more} more") }
}

fn checked(r: &Report) -> String {
    let deadlock = match (r.deadlock_checked, r.stuck()) {
        (true, _) => ", no deadlock",
        (false, 0) => "",
        (false, _) => " (there are deadlocks)",
    };
    let outside = outside(r.outside_scope);
    if let Some((refined, notion)) = &r.refines {
        return format!(
            "every step is one of {refined} ({notion}), in {}{outside} of both together{}",
            count(r.states, "state"),
            refinement::held(r)
        );
    }
    format!("no violation in {}{outside}{deadlock}{}", count(r.states, "state"), refinement::held(r))
}

/// How many of some states are outside the scope.
pub(super) fn outside(states: u64) -> String {
    match states {
        0 => String::new(),
        n => format!(", {n} of them outside SCOPE and not left"),
    }
}

/// What the audit of the reduction has found.
pub(super) fn audited(a: Audited) -> String {
    let bound = match a.bound() {
        Some(0.0) => ", all of them".to_owned(),
        Some(b) => format!("; so at most {b:.1e} of all known ones are, with probability 0.95"),
        None => String::new(),
    };
    format!(
        "audit: of {} whose key was known, {} compared with the stored one, {} different{bound}",
        count(a.known, "state"),
        a.compared,
        a.different
    )
}

/// Sizes of sets and limits of integers, with where they come from.
pub(super) fn settings(r: &Report) -> Option<String> {
    let sets = r.sets.iter().map(|s| format!("{} = {} ({})", s.name, s.size, s.origin));
    let limits = r.limits.iter().map(|l| format!("{} = {} ({})", l.name, l.value, l.origin));
    let all: Vec<String> = sets.chain(limits).collect();
    (!all.is_empty()).then(|| format!("sizes: {}", all.join(", ")))
}

/// What the verdict does not cover: values of infinite types beyond those that were tried.
pub(super) fn bounds(r: &Report) -> String {
    bounded(&r.bounds, r.integers)
}

/// The same, with MAXINT and MININT.
pub(super) fn bounded(bounds: &[Bound], (max, min): (i64, i64)) -> String {
    let listed = |bounds: &[&Bound], text: fn(&Bound) -> String| {
        let shown: Vec<String> = bounds.iter().take(3).map(|b| text(b)).collect();
        let more = bounds.len() - shown.len();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{}{more}", shown.join(", "))
    };
    let (asked, open): (Vec<&Bound>, Vec<&Bound>) = bounds.iter().partition(|b| b.option.is_some());
    let (integers, others): (Vec<&Bound>, Vec<&Bound>) = open.into_iter().partition(|b| b.is_of_integers());
    let mut parts = Vec::new();
    if !integers.is_empty() {
        let list = listed(&integers, Bound::text);
        let limits = format!("MININT = {min}, MAXINT = {max}");
        parts.push(format!("nothing bounds these, which were tried in part ({limits}): {list}"));
    }
    if !others.is_empty() {
        let text = |b: &Bound| if b.of.is_some() { b.text() } else { b.name() };
        parts.push(format!("not all values of these were tried: {}", listed(&others, text)));
    }
    parts.extend(asked.into_iter().map(Bound::text));
    parts.join("; ")
}

/// A number of things, with a plural that is regular.
#[must_use]
pub fn count(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(&n.to_string()), if n == 1 { "" } else { "s" })
}

/// Digits in groups of three: `26,732,013,741`.
#[must_use]
pub fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A violation with its trace.
pub(super) fn violation(v: &Violation, look: Look) -> String {
    let mut out = format!("\n{}: {}\n", v.kind, v.message);
    if let Some(l) = v.location.as_ref().filter(|_| v.unsolved.is_none()) {
        let _ = writeln!(out, "  at {}:{}:{}", l.file, l.line, l.column);
    }
    out += &v.why.as_ref().map_or_else(String::new, |w| why::text(w, v));
    out += &blocked::text(&v.blocked);
    out += &v.unsolved.as_ref().map_or_else(String::new, unsolved::listed);
    if v.count > 1 {
        let _ = writeln!(out, "  in {} (the first is shown)", count(v.count, "state"));
    }
    if v.untraced {
        out += "  a limit stopped the steps to it from being taken again\n";
    }
    if !v.trace.is_empty() {
        if !look.all && shorten::ends(&v.trace).1 > 0 {
            let _ = writeln!(out, "  after {}", count(v.trace.len() as u64, "step"));
        }
        out += &format!("{}\n", steps::table(&v.trace, look));
    }
    if let Some(end) = formulas::end(v) {
        let _ = writeln!(out, "  {end}");
    }
    out += &steps::last(&v.trace, look);
    out + &v.unmatched.as_ref().map_or_else(String::new, unmatched::text)
}

/// `r <-- op(p = v)`.
#[must_use]
pub fn call(s: &TraceStep) -> String {
    labelled(&s.operation, &s.arguments, &s.results)
}

/// As [`call`], of the parts of a label.
#[must_use]
pub fn labelled(operation: &str, arguments: &[(String, String)], results: &[(String, String)]) -> String {
    let list =
        |l: &[(String, String)]| l.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ");
    let results = if results.is_empty() { String::new() } else { format!("{} <-- ", list(results)) };
    let arguments = if arguments.is_empty() { String::new() } else { format!("({})", list(arguments)) };
    format!("{results}{operation}{arguments}")
}

/// What was counted, in lines.
pub(super) fn counts(r: &Report) -> Vec<String> {
    let mut first = count(r.states, "state");
    if r.look.verbose {
        let _ = write!(first, " ({} with the root)", count(r.states.saturating_add(1), "node"));
    }
    let _ =
        write!(first, ", {}, depth {}", count(r.transitions, "transition"), grouped(&r.depth.to_string()));
    let mut out = vec![first];
    if r.valuations > 0 {
        out.push(format!("{} of the constants among the states", count(r.valuations, "valuation")));
    }
    if let Some(full) = r.full_states.as_ref().filter(|_| r.look.verbose && r.symmetry != "off") {
        let plural = |n: &str| if n == "1" { "" } else { "s" };
        let mut line = format!("they stand for {} state{} of the full graph", grouped(full), plural(full));
        if let Some(edges) = &r.full_transitions {
            let _ = write!(line, " and {} transition{}", grouped(edges), plural(edges));
        }
        out.push(line);
    }
    let counts = [
        (r.invariant_violations, "state violates the invariant", "states violate the invariant"),
        (r.stuck(), "deadlock", "deadlocks"),
        (r.assertion_violations, "state violates an assertion", "states violate an assertion"),
        (r.errors, "state with evaluation errors", "states with evaluation errors"),
        (
            r.refinement_violations,
            "state has a step that does not refine",
            "states have steps that do not refine",
        ),
        (r.goal_states.unwrap_or(0), "state satisfies the goal", "states satisfy the goal"),
    ];
    for (n, one, many) in counts.iter().filter(|(n, ..)| *n > 0) {
        out.push(format!("{} {}", grouped(&n.to_string()), if *n == 1 { one } else { many }));
    }
    if r.goal_states == Some(0) {
        out.push("no state satisfies the goal".to_owned());
    }
    out
}

/// Seconds and memory.
pub(super) fn cost(r: &Report) -> String {
    let memory = if r.peak_bytes > 0 { format!(", {} MiB", r.peak_bytes >> 20) } else { String::new() };
    format!("{:.3} s to load, {:.3} s to explore{memory}", r.load_seconds, r.explore_seconds)
}

fn numbers(r: &Report) -> String {
    let mut out = format!("\n{}\n", counts(r).join("\n"));
    if !r.operations.is_empty() {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY).set_header(["operation", "transitions", "enabled in"]);
        for o in &r.operations {
            let [edges, states] = [o.transitions, o.states_enabled].map(|n| grouped(&n.to_string()));
            table.add_row([o.name.clone(), edges, states]);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let _ = writeln!(out, "{table}");
    }
    out + &cost(r) + "\n"
}
