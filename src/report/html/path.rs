//! A trace as a picture: states in the order of the steps, in lines as text is read, with what leads from one to the next.
//!
//! In: the steps. Out: SVG for inside a page. Of a long trace only the ends are drawn. A trace that goes on for ever has no last state: its
//! last step leads back. Lines are drawn between the rows and at the margins, so nothing stands on anything else.

use super::super::TraceStep;
use super::super::text::call;
use super::super::traces::{INITIALISATION, SETUP};
use super::escape;
use super::value::short;
use std::fmt::Write as _;

/// States of one line.
const PER_ROW: usize = 6;
/// States that are drawn, and of a longer trace those of each end.
const MOST: usize = 32;
const END: usize = 14;
/// Characters of a label beside an edge.
const LABEL: usize = 17;
/// As [`LABEL`], where there is more room.
const LONG_LABEL: usize = 60;

const LEFT: f64 = 52.0;
const TOP: f64 = 62.0;
const ACROSS: f64 = 150.0;
const DOWN: f64 = 120.0;
const RADIUS: f64 = 13.0;
/// Where lines go beside a row: above it, below it to the next one, below the last one; and where labels are.
const ABOVE: f64 = 34.0;
const TURN: f64 = 56.0;
const MARGIN: f64 = 12.0;

/// What is drawn.
pub(super) struct Path<'t> {
    /// The steps.
    pub steps: &'t [TraceStep],
    /// How many of them were taken.
    pub reached: usize,
    /// How many steps come before those that are taken again and again.
    pub back: Option<usize>,
    /// The word for the last state.
    pub end: &'t str,
}

/// Something in the row: a state by the number of steps that lead to it, or a number of states that are left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    State(usize),
    Gap(usize),
}

/// The picture; nothing where there is nothing to see.
pub(super) fn write(p: &Path<'_>) -> String {
    let n = p.steps.len();
    // The last state of a loop is the one that it leads back to.
    let last = if p.back.is_some_and(|back| back < n) { n - 1 } else { n };
    let items = items(last);
    if last == 0 || items.len() < 2 {
        return String::new();
    }
    let mut out = String::new();
    for (k, pair) in items.windows(2).enumerate() {
        if let [from, to] = pair {
            out += &edge(p, k, *from, *to);
        }
    }
    if let Some(back) = p.back {
        let target = items.iter().position(|i| *i == Item::State(back));
        let target = target.or_else(|| items.iter().position(|i| matches!(i, Item::Gap(_)))).unwrap_or(0);
        out += &again(p, items.len() - 1, target, back < n);
    }
    for (k, item) in items.iter().enumerate() {
        out += &node(p, k, *item, last);
    }
    // Above the first line is what leads back to it.
    let top = if p.back.is_some() { 0.0 } else { 32.0 };
    let rows = items.len().div_ceil(PER_ROW);
    let (width, height) = (
        LEFT + float(items.len().clamp(4, PER_ROW) - 1) * ACROSS + 62.0,
        TOP - top + float(rows - 1) * DOWN + TURN - 12.0 + if p.back.is_some() { 46.0 } else { 0.0 },
    );
    let what = format!("the path of the trace: {n} steps");
    format!(
        "<svg viewBox=\"0 {top:.0} {width:.0} {height:.0}\" width=\"{width:.0}\" role=\"img\" aria-label=\"{what}\">\n{out}</svg>\n"
    )
}

fn items(last: usize) -> Vec<Item> {
    if last < MOST {
        return (0..=last).map(Item::State).collect();
    }
    let between = last + 1 - 2 * END;
    let head = (0..END).map(Item::State);
    head.chain([Item::Gap(between)]).chain((last + 1 - END..=last).map(Item::State)).collect()
}

#[allow(clippy::cast_precision_loss, reason = "places in a picture")]
fn float(n: usize) -> f64 {
    n as f64
}

fn at(k: usize) -> (f64, f64) {
    (LEFT + float(k % PER_ROW) * ACROSS, TOP + float(k / PER_ROW) * DOWN)
}

/// The step to the next state, to its right or at the beginning of the next line.
fn edge(p: &Path<'_>, k: usize, from: Item, to: Item) -> String {
    let ((x, y), (u, v)) = (at(k), at(k + 1));
    let number = match (from, to) {
        (_, Item::State(n)) => n,
        (Item::State(n), Item::Gap(_)) => n + 1,
        (Item::Gap(_), Item::Gap(_)) => 0,
    };
    let step = number.checked_sub(1).and_then(|i| p.steps.get(i));
    let left_out = matches!(to, Item::Gap(_)) || number > p.reached;
    let class = if left_out { "edge left-out" } else { "edge" };
    if y.total_cmp(&v).is_eq() {
        let line = format!("M{:.0} {y:.0}H{:.0}", x + RADIUS, u - RADIUS);
        return drawn(class, &line, tip(u - RADIUS, v, true, ""))
            + &label(step, (x.midpoint(u), y - 8.0, y + 16.0), LABEL);
    }
    let lane = y + TURN;
    let line = format!(
        "M{:.0} {y:.0}H{:.0}V{lane:.0}H{:.0}V{v:.0}H{:.0}",
        x + RADIUS,
        x + 34.0,
        u - 34.0,
        u - RADIUS
    );
    drawn(class, &line, tip(u - RADIUS, v, true, ""))
        + &label(step, (x.midpoint(u), lane - 6.0, lane + 15.0), LONG_LABEL)
}

/// The step back to a state that was there before; or that the last one is kept for ever.
fn again(p: &Path<'_>, k: usize, target: usize, step: bool) -> String {
    let ((x, y), (u, v)) = (at(k), at(target));
    let step = p.steps.last().filter(|_| step);
    let up = v - ABOVE;
    let (line, middle) = if k == target {
        let line =
            format!("M{:.0} {:.0}V{up:.0}H{:.0}V{:.0}", x + 6.0, y - RADIUS + 1.0, x - 6.0, y - RADIUS);
        (line, (x, up - 6.0, up - 18.0))
    } else if y.total_cmp(&v).is_eq() {
        let line = format!("M{x:.0} {:.0}V{up:.0}H{u:.0}V{:.0}", y - RADIUS, v - RADIUS);
        (line, (x.midpoint(u), up - 6.0, up + 13.0))
    } else {
        let lane = y + TURN + 14.0;
        let line = format!(
            "M{:.0} {y:.0}H{:.0}V{lane:.0}H{MARGIN:.0}V{up:.0}H{u:.0}V{:.0}",
            x + RADIUS,
            x + 24.0,
            v - RADIUS
        );
        // What leads back from the beginning of a line is too short for a label; behind the last state there is room.
        let middle = if k % PER_ROW < 3 { x + 90.0 } else { x.midpoint(MARGIN) };
        (line, (middle, lane - 6.0, lane + 9.0))
    };
    let end = if k == target { x - 6.0 } else { u };
    let name = match step {
        Some(s) => label(Some(s), middle, LABEL),
        None => text(middle.0, middle.1, "", "for ever"),
    };
    drawn("edge loop", &line, tip(end, v - RADIUS, false, " loop")) + &name
}

fn drawn(class: &str, line: &str, tip: String) -> String {
    format!("<path class=\"{class}\" d=\"{line}\"/>\n{tip}")
}

/// The point of an arrow to the right or down.
fn tip(x: f64, y: f64, right: bool, class: &str) -> String {
    let line = if right { "l-7 -4v8z" } else { "l-4 -7h8z" };
    format!("<path class=\"tip{class}\" d=\"M{x:.0} {y:.0}{line}\"/>\n")
}

/// The operation above an edge, its arguments below; the whole when pointed at.
fn label(step: Option<&TraceStep>, (x, above, below): (f64, f64, f64), most: usize) -> String {
    let Some(s) = step else { return String::new() };
    let whole = short(&call(s), 300);
    let arguments: Vec<&str> = s.arguments.iter().map(|(_, v)| v.as_str()).collect();
    let mut out = format!("<g><title>{}</title>", escape(&whole));
    if whole.chars().count() <= most {
        out += &text(x, above, "", &whole);
    } else {
        out += &text(x, above, "", &short(&s.operation, most));
        if !arguments.is_empty() {
            out += &text(x, below, "", &short(&format!("({})", arguments.join(", ")), most));
        }
    }
    out + "</g>\n"
}

fn text(x: f64, y: f64, class: &str, text: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!("<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"middle\"{class}>{}</text>", escape(text))
}

/// A state with its number, coloured and named if it is a special one.
fn node(p: &Path<'_>, k: usize, item: Item, last: usize) -> String {
    let (x, y) = at(k);
    let i = match item {
        Item::Gap(n) => {
            return text(x, y + 4.0, "mark", "\u{2026}")
                + &text(x, y + 32.0, "", &format!("{n} more"))
                + "\n";
        }
        Item::State(0) => {
            return format!(
                "<circle class=\"root\" cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"5\"/>{}\n",
                text(x, y + 32.0, "", "start")
            );
        }
        Item::State(i) => i,
    };
    let Some(step) = p.steps.get(i - 1) else { return String::new() };
    let (class, name) = special(p, step, i == last);
    let sign = if step.fault.is_some() { "\u{2717}".to_owned() } else { i.to_string() };
    let mut out = format!("<g><title>{}</title>", escape(&told(step, i)));
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    // Writing to a string cannot fail.
    let _ = write!(out, "<circle{class} cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{RADIUS:.0}\"/>");
    out += &text(x, y + 4.0, "", &sign);
    if !name.is_empty() {
        out += &text(x, y + 32.0, "mark", name);
    }
    out + "</g>\n"
}

/// The class and name of a state.
fn special<'t>(p: &Path<'t>, step: &TraceStep, last: bool) -> (&'static str, &'t str) {
    let ends = last && p.back.is_none();
    match step.operation.as_str() {
        _ if step.fault.is_some() => ("bad", if p.end.is_empty() { "error" } else { p.end }),
        _ if ends && p.end == "goal" => ("goal", "goal"),
        _ if ends && !p.end.is_empty() => ("bad", p.end),
        INITIALISATION => ("initial", "initial"),
        SETUP => ("", "constants"),
        _ => ("", ""),
    }
}

/// What is seen of a state that is pointed at.
fn told(step: &TraceStep, i: usize) -> String {
    if let Some(fault) = &step.fault {
        return format!("error in step {i}: {}", short(fault, 300));
    }
    let values: Vec<String> = step.values.iter().map(|(n, v)| format!("{n} = {}", short(v, 80))).collect();
    format!("after step {i}: {}", short(&values.join(", "), 600))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(n: usize, back: Option<usize>) -> String {
        let steps: Vec<TraceStep> =
            (0..n).map(|i| TraceStep { operation: format!("op{i}"), ..TraceStep::default() }).collect();
        write(&Path { steps: &steps, reached: n, back, end: "deadlock" })
    }

    #[test]
    fn ends_of_long_traces_are_drawn() {
        let states = |n: usize| path(n, None).matches("<circle").count();
        assert_eq!((states(0), states(1), states(31), states(32), states(1000)), (0, 2, 32, 28, 28));
        assert!(path(1000, None).contains("973 more"));
    }

    #[test]
    fn loops_lead_back() {
        assert_eq!(path(5, Some(2)).matches("edge loop").count(), 1);
        assert_eq!(path(5, Some(2)).matches("<circle").count(), 5);
        assert!(path(5, Some(5)).contains("for ever"));
        // The state that a loop leads back to may be one that is left out.
        assert!(path(100, Some(50)).contains("edge loop"));
        assert_eq!(path(5, None).matches("edge loop").count(), 0);
    }
}
