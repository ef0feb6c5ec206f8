//! Values of options: cardinalities, sizes in bytes, durations.

use std::time::Duration;

/// `--level`: which machines of a chain of REFINES.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LevelArg {
    /// All that refine another.
    All,
    /// One, by its number from 1.
    One(usize),
}

/// As it was typed.
impl std::fmt::Display for LevelArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LevelArg::All => f.write_str("all"),
            LevelArg::One(n) => write!(f, "{n}"),
        }
    }
}

/// Reads `all` or `2`.
pub(super) fn level(text: &str) -> Result<LevelArg, String> {
    let number = text.parse().ok().filter(|n| *n > 0).map(LevelArg::One);
    let level = if text == "all" { Some(LevelArg::All) } else { number };
    level.ok_or_else(|| format!("`{text}` is neither `all` nor a number from 1"))
}

/// `--card`: numbers for all deferred sets, or sizes by name; each may be a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Card {
    /// For all sets not named; one, unless it is given twice.
    pub all: Vec<Sizes>,
    /// By name.
    pub named: Vec<(String, Sizes)>,
}

/// As it was typed.
impl std::fmt::Display for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = self.all.iter().map(ToString::to_string);
        let named = self.named.iter().map(|(set, n)| format!("{set}={n}"));
        f.write_str(&all.chain(named).collect::<Vec<_>>().join(","))
    }
}

/// Reads `5`, `2..6`, `PROC=5,KEY=3` or a mixture.
pub(super) fn card(text: &str) -> Result<Card, String> {
    let mut out = Card { all: Vec::new(), named: Vec::new() };
    for part in text.split(',').map(str::trim) {
        let (name, number) = part.split_once('=').map_or((None, part), |(n, x)| (Some(n.trim()), x.trim()));
        let size = if number.contains("..") {
            range(number)?
        } else {
            let size = number.parse::<u32>().ok().filter(|n| *n > 0);
            Sizes(vec![size.ok_or_else(|| format!("`{number}` is no positive number"))?])
        };
        match name {
            Some(name) if !name.is_empty() => out.named.push((name.to_owned(), size)),
            Some(_) => return Err(format!("`{part}` names no set")),
            None => out.all.push(size),
        }
    }
    Ok(out)
}

/// Sizes one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sizes(pub Vec<u32>);

/// As it was typed.
impl std::fmt::Display for Sizes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.as_slice() {
            [first, .., last] => write!(f, "{first}..{last}"),
            [one] => write!(f, "{one}"),
            [] => Ok(()),
        }
    }
}

/// Reads `1..6` or `4`.
pub(super) fn range(text: &str) -> Result<Sizes, String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let number = |n: &str| n.trim().parse::<u32>().ok().filter(|n| *n > 0);
    match (number(low), number(high)) {
        (Some(a), Some(b)) if a <= b => Ok(Sizes((a..=b).collect())),
        _ => Err(format!("`{text}` is no range of positive sizes such as 1..6")),
    }
}

/// Reads `4GiB`, `500 MB`, `1000000 B`. A number alone is refused: nobody means that many bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let units = [
        ("b", 1),
        ("k", 1 << 10),
        ("kb", 1000),
        ("kib", 1 << 10),
        ("m", 1 << 20),
        ("mb", 1_000_000),
        ("mib", 1 << 20),
        ("g", 1 << 30),
        ("gb", 1_000_000_000),
        ("gib", 1 << 30),
        ("t", 1 << 40),
        ("tb", 1_000_000_000_000),
        ("tib", 1 << 40),
    ];
    let (number, unit) = split(text);
    if unit.is_empty() {
        return Err(format!("`{text}` has no unit; write `{number}GiB` or `{number}MiB`"));
    }
    let factor = units.iter().find(|(u, _)| *u == unit).map(|(_, f)| *f);
    let factor = factor.ok_or_else(|| format!("`{unit}` is no unit of memory; use GiB, MiB, GB, ..."))?;
    let number: u64 = number.parse().map_err(|_| format!("`{text}` is no size such as 4GiB"))?;
    number.checked_mul(factor).ok_or_else(|| format!("`{text}` is too large"))
}

/// What [`bytes`] reads as so many.
pub(super) fn in_bytes(n: u64) -> String {
    format!("{n}B")
}

/// Reads a number of threads.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|n| *n > 0);
    number.ok_or_else(|| format!("`{text}` is no number of threads; at least one is needed"))
}

/// Reads a number from 0 to 1.
pub(super) fn fraction(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (0.0..=1.0).contains(n));
    number.ok_or_else(|| format!("`{text}` is no number from 0 to 1"))
}

/// Reads `60s`, `5min`, `2h`, `500ms`; a number alone is seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let factor = match unit.as_str() {
        "ms" => 0.001,
        "" | "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; use ms, s, min or h")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is no duration such as 60s"))?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| format!("`{text}` is too long"))
}

/// The number and the unit in lower case.
fn split(text: &str) -> (String, String) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number.to_owned(), unit.trim().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_units() {
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("10 kb"), Ok(10_000));
        assert!(bytes("4 potatoes").is_err() && bytes("4").is_err());
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2min"), Ok(Duration::from_mins(2)));
        assert!(duration("x").is_err());
    }

    #[test]
    fn reads_cardinalities() {
        let sizes = |n: &[u32]| Sizes(n.to_vec());
        assert_eq!(card("5"), Ok(Card { all: vec![sizes(&[5])], named: vec![] }));
        let named = vec![("A".to_owned(), sizes(&[2])), ("B".to_owned(), sizes(&[3, 4]))];
        assert_eq!(card("A=2, B=3..4"), Ok(Card { all: vec![], named }));
        assert!(card("3..2").is_err());
        assert!(card("A=0").is_err() && card("=3").is_err() && card("x").is_err());
    }
}
