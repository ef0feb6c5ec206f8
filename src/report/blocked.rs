//! Why no operation is possible in a deadlock, as text and JSON.
//!
//! In: for each operation what its choices of arguments fail at, found elsewhere (`explain`). Out: lines below the violation, and
//! the key `blocked`.

use super::text::{INDENT, count};
use super::why::{self, Reason};
use serde_json::{Map, Value as Json, json};

/// Operations, and kinds of arguments of one, that are told as text: JSON has all.
const OPERATIONS: usize = 30;
const KINDS: usize = 8;

/// Why an operation is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// The operation.
    pub operation: String,
    /// Number of choices of arguments that were looked at, if there is something to choose.
    pub choices: Option<u64>,
    /// Whether there are more of them.
    pub more: bool,
    /// By what they fail at: their number, and why one of them does.
    pub kinds: Vec<(u64, Vec<Reason>)>,
}

/// As lines of text, with what to do if that is meant to be so.
pub(super) fn text(all: &[Blocked]) -> String {
    let mut out = lines(all);
    if !all.is_empty() {
        why::put(INDENT, "if it is meant to end here: `--no-deadlock`", &mut out);
    }
    out
}

/// As lines of text.
pub(super) fn lines(all: &[Blocked]) -> String {
    let mut out = String::new();
    for b in all.iter().take(OPERATIONS) {
        operation(b, &mut out);
    }
    if let Some(more @ 1..) = all.len().checked_sub(OPERATIONS) {
        why::put(
            INDENT,
            &format!("and {} more (`--format json` has all)", count(more as u64, "operation")),
            &mut out,
        );
    }
    out
}

fn operation(b: &Blocked, out: &mut String) {
    let name = &b.operation;
    if b.kinds.is_empty() {
        why::put(INDENT, &format!("{name} is not possible (there is no short reason)"), out);
    }
    for (n, reasons) in b.kinds.iter().take(KINDS) {
        let which = match b.choices {
            Some(all) if b.more => format!("{name}, {n} of the first {all} choices: "),
            Some(all) if all > 1 && b.kinds.len() > 1 => format!("{name}, {n} of {all} choices: "),
            _ => format!("{name}: "),
        };
        for r in reasons {
            why::lines(&which, r, INDENT, out);
        }
    }
    if let Some(more @ 1..) = b.kinds.len().checked_sub(KINDS) {
        why::put(INDENT, &format!("{name}: and {more} more kinds of choices"), out);
    }
}

/// As JSON.
pub(super) fn json(b: &Blocked) -> Json {
    let kind = |(n, reasons): &(u64, Vec<Reason>)| {
        let why: Vec<Json> = reasons.iter().map(why::json).collect();
        json!({"choices": n, "why": why})
    };
    let mut out = Map::new();
    out.insert("operation".into(), b.operation.as_str().into());
    if let Some(n) = b.choices {
        out.insert("choices".into(), n.into());
        out.insert("more".into(), b.more.into());
    }
    out.insert("kinds".into(), b.kinds.iter().map(kind).collect());
    Json::Object(out)
}

impl Blocked {
    /// The same with values of at most so many bytes, and how many were shortened.
    pub(super) fn shortened(&self, bytes: usize) -> (Blocked, usize) {
        let mut cut = 0;
        let mut short = |r: &Reason| {
            let (reason, n) = r.shortened(bytes);
            cut += n;
            reason
        };
        let kinds = self.kinds.iter().map(|(n, all)| (*n, all.iter().map(&mut short).collect())).collect();
        (Blocked { kinds, ..self.clone() }, cut)
    }
}
