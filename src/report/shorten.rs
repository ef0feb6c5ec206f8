//! What is shown of long traces and large reports.
//!
//! In: the steps of a trace; violations. Out: the first and the last steps with the number of those between; violations with fewer
//! steps and shorter values, for a report that is not to be larger than it can be read. What is left out is counted. Files
//! of traces (`traces`) have all.

use super::{TraceStep, Violation};
use crate::explore::trace::{END, LONG, abbreviate, abbreviated};
use std::borrow::Cow;

/// Bytes of a report in JSON beyond which parts are left out.
pub const MOST: usize = 1 << 20;

/// How traces are cut: steps of each end, bytes of a value. Tried one after the other.
pub(super) const LEVELS: [(usize, usize); 4] = [(500, 10_000), (50, 1000), (10, 200), (2, 100)];

/// Steps left out of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// Steps before them.
    pub after: usize,
    /// Their number.
    pub steps: usize,
}

/// The ends of a trace, and how many steps are between; all steps in the first end if they are not too many.
pub(super) fn ends(steps: &[TraceStep]) -> (&[TraceStep], usize, &[TraceStep]) {
    if steps.len() > LONG { cut(steps, END) } else { (steps, 0, &[]) }
}

/// That steps are left out, and what shows them.
pub(super) fn gap(steps: usize) -> String {
    format!("{steps} steps are left out here (`--trace-full` shows all)")
}

fn cut(steps: &[TraceStep], end: usize) -> (&[TraceStep], usize, &[TraceStep]) {
    if steps.len() <= 2 * end {
        return (steps, 0, &[]);
    }
    let (head, rest) = steps.split_at(end);
    let (between, tail) = rest.split_at(rest.len() - end);
    (head, between.len(), tail)
}

/// What was left out of violations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    /// Steps of traces.
    pub(super) steps: usize,
    /// Values of which only the beginning is there.
    pub(super) values: usize,
}

/// Violations with so many steps at each end of their traces, and so many bytes of each value.
pub(super) fn shortened(all: &[Violation], (end, bytes): (usize, usize), sum: &mut Sum) -> Vec<Violation> {
    all.iter().map(|v| one(v, end, bytes, sum)).collect()
}

fn one(v: &Violation, end: usize, bytes: usize, sum: &mut Sum) -> Violation {
    let (head, between, tail) = cut(&v.trace, end);
    sum.steps += between;
    let left_out = (between > 0).then_some(LeftOut { after: head.len(), steps: between });
    let trace = head.iter().chain(tail).map(|s| step(s, bytes, sum)).collect();
    Violation {
        kind: v.kind,
        conjunct: v.conjunct.clone(),
        operation: v.operation.clone(),
        code: v.code,
        message: text(&v.message, bytes, sum).into_owned(),
        location: v.location.clone(),
        count: v.count,
        trace,
        untraced: v.untraced,
        back: v.back,
        prefix: v.prefix,
        left_out,
        unsolved: v.unsolved.clone(),
        beyond: v.beyond.clone(),
        why: v.why.as_ref().map(|w| {
            let (short, cut) = w.shortened(bytes);
            sum.values += cut;
            short
        }),
        blocked: v
            .blocked
            .iter()
            .map(|b| {
                let (short, cut) = b.shortened(bytes);
                sum.values += cut;
                short
            })
            .collect(),
        // Its values are short already.
        unmatched: v.unmatched.clone(),
    }
}

fn step(s: &TraceStep, bytes: usize, sum: &mut Sum) -> TraceStep {
    let mut pairs = |all: &[(String, String)]| {
        let pair = |(n, v): &(String, String)| (n.clone(), text(v, bytes, sum).into_owned());
        all.iter().map(pair).collect::<Vec<_>>()
    };
    let (arguments, results) = (pairs(&s.arguments), pairs(&s.results));
    let (values, watched) = (pairs(&s.values), pairs(&s.watched));
    let changes = s.changes.iter().map(|c| super::Change {
        name: c.name.clone(),
        before: c.before.as_deref().map(|b| text(b, bytes, sum).into_owned()),
        after: text(&c.after, bytes, sum).into_owned(),
        delta: c.delta.clone(),
    });
    let changes = changes.collect();
    let fault = s.fault.clone();
    TraceStep { operation: s.operation.clone(), arguments, results, values, watched, changes, fault }
}

/// A text of at most so many bytes, apart from the sign that something is left out.
fn text<'t>(text: &'t str, bytes: usize, sum: &mut Sum) -> Cow<'t, str> {
    if text.len() <= bytes || abbreviated(text).is_some_and(|kept| kept.len() <= bytes) {
        return Cow::Borrowed(text);
    }
    sum.values += 1;
    Cow::Owned(abbreviate(text, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(n: usize) -> Vec<TraceStep> {
        (0..n).map(|i| TraceStep { operation: i.to_string(), ..TraceStep::default() }).collect()
    }

    #[test]
    fn long_traces_are_shown_by_their_ends() {
        let all = steps(100);
        assert_eq!((ends(&all).0.len(), ends(&all).1), (100, 0));
        let all = steps(101);
        let (head, between, tail) = ends(&all);
        assert_eq!((head.len(), between, tail.len()), (25, 51, 25));
        assert_eq!((tail[0].operation.as_str(), tail[24].operation.as_str()), ("76", "100"));
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let mut trace = steps(9);
        trace[8].values = vec![("x".to_owned(), "\u{e9}".repeat(60)), ("y".to_owned(), "1".to_owned())];
        let violation = Violation { trace, ..Violation::default() };
        let mut sum = Sum::default();
        let short = shortened(&[violation], (2, 50), &mut sum);
        assert_eq!((sum, short[0].trace.len()), (Sum { steps: 5, values: 1 }, 4));
        assert_eq!(short[0].left_out, Some(LeftOut { after: 2, steps: 5 }));
        assert_eq!(abbreviated(&short[0].trace[3].values[0].1), Some("\u{e9}".repeat(25).as_str()));
        assert_eq!(shortened(&short, (2, 50), &mut sum)[0].left_out, None);
    }
}
