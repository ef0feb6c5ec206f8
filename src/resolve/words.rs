//! Small words for messages.

/// `1 argument`, `2 arguments`.
pub(super) fn arguments(n: usize) -> String {
    counted(n, "argument")
}

/// A number with its noun.
pub(super) fn counted(n: usize, noun: &str) -> String {
    match n {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}
