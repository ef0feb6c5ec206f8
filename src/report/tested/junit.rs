//! Expectations as `JUnit` XML: a machine is a suite, an expectation a test.

use super::super::junit::xml;
use super::{Line, Machine, Outcome, Tested};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

/// All as `JUnit` XML.
pub(super) fn write(t: &Tested) -> String {
    xml(t.machines.iter().map(suite).collect())
}

fn suite(m: &Machine) -> TestSuite {
    let mut suite = TestSuite::new(m.file.clone());
    suite.set_time(m.lines.iter().map(|l| l.took).sum());
    for l in &m.lines {
        let mut case = TestCase::new(l.expected.text.clone(), status(l));
        case.set_classname(m.file.clone()).set_time(l.took);
        case.extra.insert("file".into(), m.file.as_str().into());
        case.extra.insert("line".into(), l.expected.line.to_string().into());
        suite.add_test_case(case);
    }
    suite
}

fn status(l: &Line) -> TestCaseStatus {
    match &l.outcome {
        Outcome::Met => TestCaseStatus::success(),
        Outcome::Unmet(why) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(why.first().cloned().unwrap_or_default()).set_description(why.join("\n"));
            status
        }
        Outcome::Slow | Outcome::Untried => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(l.outcome.name());
            status
        }
    }
}
