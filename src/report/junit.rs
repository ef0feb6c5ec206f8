//! Reports as `JUnit` XML, which CI systems show as tests.
//!
//! A machine at one size is a suite; every property that was checked is a test: freedom from deadlock and from
//! evaluation errors, each conjunct of the invariant, each assertion. A property that was not violated when a limit
//! stopped the search is skipped, not passed; so is what the file states and no run checks.

use super::formulas::{FormulaLine, Outcome};
use super::refinement::RefinementLine;
use super::steps::Look;
use super::{Message, Property, Refusal, Report, Severity, Sweep, Verdict, Violation, text};
use quick_junit::{NonSuccessKind, Report as Suites, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The report as `JUnit` XML.
#[must_use]
pub fn write(r: &Report) -> String {
    xml(vec![suite(r, &r.machine)])
}

/// A refused input as `JUnit` XML: one test in error.
#[must_use]
pub fn refused(r: &Refusal) -> String {
    let (errors, others): (Vec<&Message>, Vec<&Message>) =
        r.messages.iter().partition(|m| m.severity == Severity::Error);
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    if let Some(first) = errors.first() {
        status.set_type(first.code).set_message(first.line());
    }
    let lines: Vec<String> = errors.iter().map(|m| format!("error[{}]: {}", m.code, m.line())).collect();
    status.set_description(lines.join("\n"));
    let mut case = TestCase::new("the machine is accepted", status);
    case.set_classname(r.file.clone());
    warnings(&mut case, others.into_iter());
    let mut suite = TestSuite::new(r.file.clone());
    suite.add_test_case(case);
    xml(vec![suite])
}

/// One suite for each size.
#[must_use]
pub fn sweep(s: &Sweep) -> String {
    xml(s.runs.iter().map(|(size, r)| suite(r, &format!("{} at {}{size}", r.machine, s.label()))).collect())
}

/// Suites as one file.
pub(super) fn xml(suites: Vec<TestSuite>) -> String {
    let mut all = Suites::new("bsym");
    all.add_test_suites(suites);
    // Only a writer that fails can fail, and a string does not.
    all.to_string().unwrap_or_default()
}

fn suite(r: &Report, name: &str) -> TestSuite {
    let mut suite = TestSuite::new(name);
    let seconds = Duration::try_from_secs_f64(r.load_seconds + r.explore_seconds).unwrap_or_default();
    suite.set_time(seconds);
    for (name, value) in [
        ("symmetry", r.symmetry.clone()),
        ("guarantee", r.guarantee_name().to_owned()),
        ("verdict", r.verdict.name().to_owned()),
        ("states", r.states.to_string()),
        ("transitions", r.transitions.to_string()),
    ] {
        suite.add_property((name, value.as_str()));
    }
    for set in &r.sets {
        suite.add_property((format!("card({})", set.name).as_str(), set.size.to_string().as_str()));
    }
    for limit in &r.limits {
        suite.add_property((limit.name, limit.value.to_string().as_str()));
    }
    for p in &r.properties {
        let found: Vec<&Violation> = r.violations.iter().filter(|v| p.is_of(v)).collect();
        let mut case = TestCase::new(p.name(), status(r, p, &found));
        case.set_classname(r.machine.clone());
        if let Some(l) = &p.location {
            case.extra.insert("file".into(), l.file.as_str().into());
            case.extra.insert("line".into(), l.line.to_string().into());
        }
        if p.kind == "error" {
            warnings(&mut case, r.warnings.iter().chain(&r.notes));
        }
        suite.add_test_case(case);
    }
    for m in r.not_checked() {
        let mut status = TestCaseStatus::skipped();
        status.set_message(m.line());
        let mut case = TestCase::new(m.message.clone(), status);
        case.set_classname(r.machine.clone());
        suite.add_test_case(case);
    }
    for f in &r.formulas {
        suite.add_test_case(formula(r, f));
    }
    for l in &r.refinements {
        suite.add_test_case(refinement(r, l));
    }
    suite
}

/// A temporal formula as a test.
fn formula(r: &Report, f: &FormulaLine) -> TestCase {
    let found = r.violations.iter().find(|v| v.conjunct.as_ref() == Some(&f.text));
    let shown = || found.map(|v| text::violation(v, look(r))).unwrap_or_default();
    let fails = |kind| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_type(f.kind).set_message(f.text()).set_description(shown());
        status
    };
    let status = match f.outcome {
        Outcome::Held => TestCaseStatus::success(),
        Outcome::Violated => fails(NonSuccessKind::Failure),
        Outcome::Error => fails(NonSuccessKind::Error),
        Outcome::Undecided | Outcome::HeldWithinBounds => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(f.text());
            status
        }
    };
    let name = if f.name == f.text { String::new() } else { format!(" {}", f.name) };
    let mut case = TestCase::new(format!("{}{name}: {}", f.kind, f.text), status);
    case.set_classname(r.machine.clone());
    if let Some(l) = &f.location {
        case.extra.insert("file".into(), l.file.as_str().into());
        case.extra.insert("line".into(), l.line.to_string().into());
    }
    case
}

/// A level of the chain of REFINES as a test.
fn refinement(r: &Report, l: &RefinementLine) -> TestCase {
    let status = match l.verdict {
        Verdict::Holds => TestCaseStatus::success(),
        Verdict::Violated | Verdict::Error => {
            let found =
                r.violations.iter().filter(|v| v.unmatched.as_ref().is_some_and(|u| u.refined == l.refined));
            let shown: String = found.map(|v| text::violation(v, look(r))).collect();
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("refinement").set_message(l.text()).set_description(shown);
            status
        }
        Verdict::Incomplete | Verdict::HoldsWithinBounds => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(l.text());
            status
        }
    };
    let mut case = TestCase::new(format!("refinement: {}", l.name()), status);
    case.set_classname(r.machine.clone());
    if let Some(at) = &l.location {
        case.extra.insert("file".into(), at.file.as_str().into());
        case.extra.insert("line".into(), at.line.to_string().into());
    }
    case
}

fn status(r: &Report, p: &Property, found: &[&Violation]) -> TestCaseStatus {
    let Some(first) = found.first() else {
        let late = r.undecided.iter().find(|u| u.property.is_same(p));
        if late.is_none() && r.is_explored() && r.bounds.is_empty() {
            return TestCaseStatus::success();
        }
        let mut status = TestCaseStatus::skipped();
        if let Some(late) = late {
            status.set_message(late.text());
            return status;
        }
        if r.is_explored() {
            status.set_message(format!("not violated in {} states; {}", r.states, text::bounds(r)));
            return status;
        }
        let why = r.stopped_by.unwrap_or("a limit");
        status.set_message(format!("not violated in {} states before the search stopped ({why})", r.states));
        return status;
    };
    let kind = if p.kind == "error" { NonSuccessKind::Error } else { NonSuccessKind::Failure };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(first.code.unwrap_or(first.kind)).set_message(first.message.clone());
    status.set_description(found.iter().map(|v| text::violation(v, look(r))).collect::<String>());
    status
}

/// Files have lines of one length.
fn look(r: &Report) -> Look {
    Look { columns: text::WIDTH, ..r.look }
}

fn warnings<'a>(case: &mut TestCase, all: impl Iterator<Item = &'a Message>) {
    let word = |m: &Message| if m.severity == Severity::Note { "note" } else { "warning" };
    let lines: Vec<String> = all.map(|m| format!("{}: {}", word(m), m.line())).collect();
    if !lines.is_empty() {
        case.set_system_out(lines.join("\n"));
    }
}
