//! One machine at several sizes: where the verdict and the shape of the growth stop changing.
//!
//! In: a report for each size. Out: a [`Sweep`] with what can be said of all of them, and its text. All of it is
//! observed on these sizes and proves nothing for larger ones; the text says so.

use super::{Report, Verdict, covered, json, text};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// A machine at several sizes.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The set whose size varies; `None` if it is all deferred sets.
    pub set: Option<String>,
    /// Sizes that were asked for.
    pub asked: Vec<u32>,
    /// Sizes that were run, with their reports; at least one.
    pub runs: Vec<(u32, Report)>,
}

/// How the number of states grows.
#[derive(Clone, PartialEq, Debug)]
pub enum Growth {
    /// The values from this size on are those of a polynomial of this degree, and two more than determine it.
    Polynomial {
        /// The degree.
        degree: usize,
        /// The size.
        from: u32,
    },
    /// The last factors from one size to the next differ by less than five percent.
    Factor {
        /// The last factor.
        factor: f64,
        /// The size.
        from: u32,
    },
    /// Neither is seen.
    Unsettled,
}

/// Factors that must be near each other.
const FACTORS: usize = 3;
/// How near.
const NEAR: f64 = 0.05;

impl Sweep {
    /// The verdict of the sweep: that of the first size with the worst one.
    #[must_use]
    pub fn worst(&self) -> Option<&(u32, Report)> {
        let rank = |v: Verdict| match v {
            Verdict::Holds => 0,
            Verdict::HoldsWithinBounds => 1,
            Verdict::Incomplete => 2,
            Verdict::Error => 3,
            Verdict::Violated => 4,
        };
        self.runs.iter().min_by_key(|(size, r)| (std::cmp::Reverse(rank(r.verdict)), *size))
    }

    /// The verdict of the sweep.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.worst().map_or(Verdict::Incomplete, |(_, r)| r.verdict)
    }

    /// `PROC = ` or nothing.
    #[must_use]
    pub fn label(&self) -> String {
        self.set.as_ref().map_or_else(String::new, |s| format!("{s} = "))
    }

    /// The size from which on the verdict, with the properties that are violated, is the same.
    #[must_use]
    pub fn same_verdict_from(&self) -> Option<u32> {
        let what = |r: &Report| {
            let violated: Vec<_> = r.violations.iter().map(|v| (v.kind, v.conjunct.clone())).collect();
            (r.verdict, violated)
        };
        self.tail(&what)
    }

    /// The size from which on the same operations are possible.
    #[must_use]
    pub fn same_operations_from(&self) -> Option<u32> {
        self.tail(&possible)
    }

    fn tail<T: PartialEq>(&self, what: &dyn Fn(&Report) -> T) -> Option<u32> {
        let (_, last) = self.runs.last()?;
        let last = what(last);
        self.runs.iter().rev().take_while(|(_, r)| what(r) == last).last().map(|(size, _)| *size)
    }

    /// The shape of the growth of the stored states, of those sizes that were explored completely.
    #[must_use]
    pub fn growth(&self) -> Growth {
        let done: Vec<(u32, u64)> =
            self.runs.iter().take_while(|(_, r)| r.complete).map(|(n, r)| (*n, r.states)).collect();
        growth(&done)
    }

    /// Sizes that were asked for and not run.
    #[must_use]
    pub fn not_run(&self) -> &[u32] {
        self.asked.get(self.runs.len()..).unwrap_or_default()
    }

    /// One line: verdict, machine, why.
    #[must_use]
    pub fn answer(&self) -> String {
        let Some((size, r)) = self.worst() else { return String::new() };
        let (first, last) = (self.asked.first().unwrap_or(size), self.asked.last().unwrap_or(size));
        if r.verdict.is_fine() {
            let deadlock = if r.deadlock_checked { ", no deadlock" } else { "" };
            let sizes = format!("{}{first}..{last}", self.label());
            let word = r.verdict.name().to_uppercase();
            let open = text::not_checked(r);
            return format!(
                "{word} {}: no violation at the sizes {sizes}{deadlock}{}{open}",
                r.machine,
                super::refinement::held(r)
            );
        }
        format!("{}, at size {}{size}", text::answer(r), self.label())
    }

    /// What the sizes show.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut out = Vec::new();
        let last = self.runs.last().map(|(size, _)| *size).filter(|_| self.runs.len() > 1);
        match self.same_verdict_from() {
            Some(size) if Some(size) == last => out.push(format!("the verdict changed at size {size}")),
            Some(size) => out.push(format!("the verdict is the same from size {size} on")),
            None => {}
        }
        if let (Some(size), Some((_, last))) = (self.same_operations_from(), self.runs.last()) {
            let never: Vec<&str> =
                last.operations.iter().filter(|o| o.transitions == 0).map(|o| o.name.as_str()).collect();
            let never =
                if never.is_empty() { String::new() } else { format!("; never {}", never.join(", ")) };
            let n = last.operations.len();
            out.push(format!(
                "the same {} of {n} operations are possible from size {size} on{never}",
                possible(last).len()
            ));
        }
        out.push(match self.growth() {
            Growth::Polynomial { degree, from } => {
                format!("the number of states is a polynomial of degree {degree} from size {from} on")
            }
            Growth::Factor { factor, from } => format!(
                "the number of states grows by a factor of about {factor:.2} with each size, from size {from} on"
            ),
            Growth::Unsettled => "the growth of the number of states has not settled".to_owned(),
        });
        out.push("this is what these sizes show; it proves nothing for larger ones".to_owned());
        match self.not_run() {
            [] => {}
            [one] => out.push(format!("size {one} was not run")),
            [first, .., last] => out.push(format!("the sizes {first}..{last} were not run")),
        }
        out
    }
}

fn possible(r: &Report) -> Vec<String> {
    r.operations.iter().filter(|o| o.transitions > 0).map(|o| o.name.clone()).collect()
}

/// The shape of a sequence of counts for consecutive sizes.
fn growth(done: &[(u32, u64)]) -> Growth {
    let mut differences: Vec<i128> = done.iter().map(|(_, n)| i128::from(*n)).collect();
    let mut degree = 0;
    while differences.len() >= 3 {
        differences = differences.iter().zip(differences.iter().skip(1)).map(|(a, b)| b - a).collect();
        let zeros = differences.iter().rev().take_while(|d| **d == 0).count();
        // One zero is what any polynomial through one point more shows; two are a pattern.
        if zeros >= 2
            && let Some((from, _)) = done.get(differences.len() - zeros)
        {
            return Growth::Polynomial { degree, from: *from };
        }
        degree += 1;
    }
    factor(done).unwrap_or(Growth::Unsettled)
}

#[allow(clippy::cast_precision_loss, reason = "a trend")]
fn factor(done: &[(u32, u64)]) -> Option<Growth> {
    let pairs = done.iter().zip(done.iter().skip(1));
    let factors: Vec<(u32, f64)> =
        pairs.map(|((size, a), (_, b))| (*size, *b as f64 / (*a).max(1) as f64)).collect();
    let (_, last) = *factors.last()?;
    let near = factors.iter().rev().take_while(|(_, f)| (f / last - 1.0).abs() < NEAR);
    let near: Vec<u32> = near.map(|(size, _)| *size).collect();
    (near.len() >= FACTORS).then(|| Growth::Factor { factor: last, from: near.last().copied().unwrap_or(0) })
}

/// The sweep as text: the answer, a row for each size, what they show, and the report of the worst one if it does
/// not hold.
#[must_use]
pub fn text(s: &Sweep) -> String {
    let mut table = Table::new();
    let header = ["size", "verdict", "states", "x before", "transitions", "full graph", "seconds", "MiB"];
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(header);
    let mut before: Option<u64> = None;
    for (size, r) in &s.runs {
        #[allow(clippy::cast_precision_loss, reason = "a ratio that is shown")]
        let ratio = before.filter(|b| *b > 0).map(|b| format!("{:.2}", r.states as f64 / b as f64));
        before = r.complete.then_some(r.states);
        table.add_row([
            size.to_string(),
            r.verdict.name().to_owned(),
            format!("{}{}", if r.complete { "" } else { "> " }, r.states),
            ratio.filter(|_| r.complete).unwrap_or_default(),
            r.transitions.to_string(),
            r.full_states.clone().unwrap_or_default(),
            format!("{:.3}", r.explore_seconds),
            (r.peak_bytes >> 20).to_string(),
        ]);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(if i == 1 { CellAlignment::Left } else { CellAlignment::Right });
    }
    let answer = s.answer();
    let mut out = format!("{answer}\n");
    if let Some((_, r)) = s.worst() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {}", covered::line(r));
    }
    let _ = writeln!(out, "\n{table}");
    s.lines().iter().for_each(|l| out += &format!("{l}\n"));
    match s.worst() {
        Some((size, r)) if r.verdict != Verdict::Holds => {
            let _ = write!(out, "\nAt size {}{size}:\n\n{}", s.label(), text::write(r));
        }
        _ => {
            let again = text::again(&out, &answer);
            out += &again;
        }
    }
    out
}

/// The sweep as JSON, schema `bsym.sweep/1`; each size has its `bsym.check/1`.
#[must_use]
pub fn json(s: &Sweep) -> String {
    let runs: Vec<Json> =
        s.runs.iter().map(|(size, r)| json!({"size": size, "report": json::object(r)})).collect();
    let growth = match s.growth() {
        Growth::Polynomial { degree, from } => json!({"shape": "polynomial", "degree": degree, "from": from}),
        Growth::Factor { factor, from } => json!({"shape": "factor", "factor": factor, "from": from}),
        Growth::Unsettled => json!({"shape": "unsettled"}),
    };
    let first = s.runs.first().map(|(_, r)| r);
    let all = json!({
        "schema": "bsym.sweep/1", "version": env!("CARGO_PKG_VERSION"),
        "machine": first.map(|r| r.machine.as_str()), "file": first.map(|r| r.file.as_str()),
        "set": s.set, "asked": s.asked, "not_run": s.not_run(), "verdict": s.verdict().name(),
        "size_of_verdict": s.worst().map(|(size, _)| size), "same_verdict_from": s.same_verdict_from(),
        "same_operations_from": s.same_operations_from(), "growth": growth, "sizes": runs,
    });
    format!("{all:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counts: &[u64]) -> Growth {
        growth(&(1..).zip(counts.iter().copied()).collect::<Vec<_>>())
    }

    #[test]
    fn shapes() {
        assert_eq!(of(&[7, 7, 7]), Growth::Polynomial { degree: 0, from: 1 });
        assert_eq!(of(&[4, 9, 16, 25, 36]), Growth::Polynomial { degree: 2, from: 1 });
        // Any three points lie on a parabola.
        assert_eq!(of(&[4, 9, 16]), Growth::Unsettled);
        assert_eq!(of(&[1, 1, 5, 7, 9, 11]), Growth::Polynomial { degree: 1, from: 3 });
        assert_eq!(of(&[2, 4, 8, 16]), Growth::Factor { factor: 2.0, from: 1 });
        assert_eq!(of(&[4, 15, 54, 189]), Growth::Unsettled);
        assert_eq!(of(&[]), Growth::Unsettled);
    }
}
