//! The reports of many machines as one, in each format: one file each.
//!
//! In: what the check of each machine wrote in the format and how it ended. Out: one text. Reports are not read again
//! but where a format needs it (`junit`, `sarif`); nothing is run here.

pub(super) mod github;
pub(super) mod html;
pub(super) mod json;
pub(super) mod junit;
pub(super) mod sarif;
pub mod text;

/// What came of one machine.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The file, as it was found.
    pub file: String,
    /// The exit code of its check; `None` if it was ended, or not begun.
    pub exit: Option<u8>,
    /// What it wrote, in the format.
    pub report: String,
    /// What it wrote to standard error: warnings, and why an input was refused.
    pub said: String,
}

/// What came of many.
#[derive(Clone, Debug)]
pub struct Many {
    /// In the order of the files.
    pub machines: Vec<Checked>,
    /// Whether exit code 0 stands for the verdict that was asked for, and not for what holds.
    pub expected: bool,
}

/// Exit codes from the worst on, with the words for one that ends so, and for one that was to have another verdict.
const CODES: [(Option<u8>, &str); 8] = [
    (Some(1), "violated"),
    (Some(101), "ended by a bug in bsym"),
    (Some(4), "in error"),
    (Some(2), "refused"),
    (Some(3), "incomplete"),
    (None, "not checked"),
    (Some(5), "holds within bounds"),
    (Some(0), "holds"),
];

/// What an exit code says of a machine.
fn word(exit: Option<u8>, expected: bool) -> &'static str {
    match exit {
        Some(0) if expected => "as expected",
        Some(1) if expected => "not as expected",
        _ => CODES.iter().find(|(code, _)| *code == exit).map_or("ended by the system", |(_, word)| word),
    }
}

impl Many {
    /// The exit code of all: the worst there is; `None` stands for one that was not checked, or that the system ended.
    #[must_use]
    pub fn worst(&self) -> Option<u8> {
        let known = |exit: Option<u8>| exit.filter(|_| CODES.iter().any(|(code, _)| *code == exit));
        let ends: Vec<Option<u8>> = self.machines.iter().map(|m| known(m.exit)).collect();
        CODES.iter().map(|(code, _)| *code).find(|code| ends.contains(code)).unwrap_or(Some(0))
    }

    /// How many there are of each word, from the worst on.
    fn counts(&self) -> Vec<(usize, &'static str)> {
        let mut out: Vec<(usize, &'static str)> = Vec::new();
        let codes = CODES.iter().map(|(code, _)| *code);
        let others = self.machines.iter().map(|m| m.exit).filter(|e| CODES.iter().all(|(c, _)| c != e));
        for code in codes.chain(others) {
            let n = self.machines.iter().filter(|m| m.exit == code).count();
            let word = word(code, self.expected);
            if n > 0 && out.iter().all(|(_, w)| *w != word) {
                out.push((n, word));
            }
        }
        out
    }

    /// `3 machines: 1 violated, 2 holds`.
    fn summary(&self) -> String {
        let counts: Vec<String> = self.counts().iter().map(|(n, word)| format!("{n} {word}")).collect();
        let all = match self.machines.len() {
            1 => "1 machine".to_owned(),
            n => format!("{n} machines"),
        };
        format!("{all}: {}", counts.join(", "))
    }
}
