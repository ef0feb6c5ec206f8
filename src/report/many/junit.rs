//! Many machines as `JUnit` XML: the suites of all of them in one file.

use super::super::junit::xml;
use super::{Checked, Many, word};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// All of them.
pub(in super::super) fn write(all: &Many) -> String {
    xml(all.machines.iter().flat_map(suites).collect())
}

fn suites(m: &Checked) -> Vec<TestSuite> {
    if let Ok(report) = Report::deserialize_from_str(&m.report) {
        return report.test_suites;
    }
    // Without a report there is nothing that passed.
    let mut status = match m.exit {
        None => TestCaseStatus::skipped(),
        Some(_) => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    status.set_message(word(m.exit, false)).set_description(m.said.clone());
    let mut case = TestCase::new("the machine is checked", status);
    case.set_classname(m.file.clone());
    let mut suite = TestSuite::new(m.file.clone());
    suite.add_test_case(case);
    vec![suite]
}
