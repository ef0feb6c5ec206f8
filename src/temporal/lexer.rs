//! The tokens of temporal formulas.
//!
//! In: the text of a formula, and whether it is one of linear or of branching time. Out: tokens with their places, or the first mistake. B inside is skipped by its
//! brackets and strings.

use super::ast::{Atom, AtomKind, Binary, Call, Change, Name, Place, Token, Unary};
use crate::diagnostic::Code;

/// A mistake: its place and what it is.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mistake {
    pub(super) place: Place,
    pub(super) code: Code,
    pub(super) message: String,
}

fn mistake(place: Place, message: impl Into<String>) -> Mistake {
    Mistake { place, code: Code::BadToken, message: message.into() }
}

type Read<T> = Result<T, Mistake>;

/// All tokens.
pub(super) fn tokens(text: &str, branching: bool) -> Read<Vec<(usize, Token, usize)>> {
    let mut lexer = Lexer { text, at: 0, branching, out: Vec::new() };
    while lexer.one()? {}
    Ok(lexer.out)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    branching: bool,
    out: Vec<(usize, Token, usize)>,
}

/// Symbols, longer ones first.
const SYMBOLS: &[(&str, Token)] = &[
    ("<=>", Token::Iff),
    ("<->", Token::Iff),
    ("=>", Token::Implies),
    ("->", Token::Implies),
    ("(", Token::Open),
    (")", Token::Close),
    ("&", Token::And),
];

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn push(&mut self, start: usize, token: Token) {
        self.out.push((start, token, self.at));
    }

    /// Reads a token, or several from one word; whether there was one.
    fn one(&mut self) -> Read<bool> {
        self.blank();
        let start = self.at;
        let Some(c) = self.rest().chars().next() else { return Ok(false) };
        if let Some((text, token)) = SYMBOLS.iter().find(|(s, _)| self.rest().starts_with(s)) {
            self.at += text.len();
            self.push(start, token.clone());
            return Ok(true);
        }
        match c {
            '{' => {
                let inside = self.bracketed()?;
                self.push(start, Token::Atom(Atom { kind: AtomKind::Holds(inside), place: start..self.at }));
            }
            '[' => {
                let inside = self.bracketed()?;
                let call = self.at(inside.start).call(inside.end)?;
                self.push(start, Token::Step(call));
            }
            '!' | '#' => self.bound(c == '!')?,
            c if c.is_alphabetic() || c == '_' => self.word()?,
            c => {
                return Err(mistake(
                    start..start + c.len_utf8(),
                    format!("`{c}` is no part of a temporal formula"),
                ));
            }
        }
        Ok(true)
    }

    /// Another look at the same text.
    fn at(&self, at: usize) -> Lexer<'_> {
        Lexer { text: self.text, at, branching: self.branching, out: Vec::new() }
    }

    /// What is between a bracket and the one that closes it.
    fn bracketed(&mut self) -> Read<Place> {
        let start = self.at;
        let mut open: Vec<char> = Vec::new();
        let mut quoted = false;
        for (i, c) in self.rest().char_indices() {
            let here = start + i;
            match c {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' => open.push(c),
                ')' | ']' | '}' => {
                    let fits =
                        matches!((open.pop(), c), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}'));
                    if !fits {
                        return Err(mistake(here..here + 1, format!("`{c}` closes nothing here")));
                    }
                    if open.is_empty() {
                        self.at = here + 1;
                        return Ok(start + 1..here);
                    }
                }
                _ => {}
            }
        }
        Err(mistake(start..start + 1, "this is not closed"))
    }

    fn name(&mut self) -> Option<Name> {
        self.blank();
        let start = self.at;
        let ends = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '\u{2032}'));
        let rest = self.rest();
        let mut len = rest.find(ends).unwrap_or(rest.len());
        // The point behind bound names is none of a name.
        while rest.get(..len).is_some_and(|w| w.ends_with('.')) {
            len -= 1;
        }
        let text = rest.get(..len).filter(|w| !w.is_empty())?.to_owned();
        self.at += len;
        Some(Name { text, place: start..self.at })
    }

    /// An operation, perhaps with arguments, which ends before `end`.
    fn call(&mut self, end: usize) -> Read<Call> {
        let name = self.name().filter(|n| n.place.end <= end);
        let name = name.ok_or_else(|| mistake(self.at..end.max(self.at), "an operation is needed here"))?;
        self.blank();
        let mut arguments = Vec::new();
        if self.at < end && self.rest().starts_with('(') {
            let inside = self.bracketed()?;
            arguments = self.list(inside).into_iter().map(|p| (self.slice(&p) != "_").then_some(p)).collect();
            self.blank();
        }
        if self.at < end {
            return Err(mistake(self.at..end, "nothing else may stand here"));
        }
        Ok(Call { name, arguments })
    }

    fn slice(&self, place: &Place) -> &str {
        self.text.get(place.clone()).unwrap_or("")
    }

    /// The parts between commas, without the blanks around them; none of an empty text.
    fn list(&self, place: Place) -> Vec<Place> {
        let text = self.slice(&place);
        let (mut depth, mut quoted, mut start) = (0i32, false, 0);
        let mut cuts = Vec::new();
        for (i, c) in text.char_indices() {
            match c {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    cuts.push(start..i);
                    start = i + 1;
                }
                _ => {}
            }
        }
        cuts.push(start..text.len());
        let trimmed = |cut: Place| {
            let part = text.get(cut.clone()).unwrap_or("");
            let before = part.len() - part.trim_start().len();
            let lo = place.start + cut.start + before;
            lo..lo + part.trim().len()
        };
        let all: Vec<Place> = cuts.into_iter().map(trimmed).collect();
        if all.len() == 1 && all.iter().all(Place::is_empty) { Vec::new() } else { all }
    }

    /// The operations between parentheses, if there are any.
    fn calls(&mut self) -> Read<Option<Vec<Call>>> {
        let here = self.at;
        self.blank();
        if !self.rest().starts_with('(') {
            self.at = here;
            return Ok(None);
        }
        let inside = self.bracketed()?;
        let places = self.list(inside);
        let call = |p: Place| self.at(p.start).call(p.end);
        places.into_iter().map(call).collect::<Read<Vec<Call>>>().map(Some)
    }

    fn word(&mut self) -> Read<()> {
        let Some(Name { text, place }) = self.name() else { return Ok(()) };
        let start = place.start;
        let simple = match text.as_str() {
            "true" | "false" => Some(Token::Constant(text == "true")),
            "not" => Some(Token::Not),
            "or" => Some(Token::Or),
            "U" => Some(Token::Binary(Binary::Until)),
            "W" => Some(Token::Binary(Binary::Weak)),
            "R" => Some(Token::Binary(Binary::Release)),
            "S" => Some(Token::Binary(Binary::Since)),
            "T" => Some(Token::Binary(Binary::Trigger)),
            "E" | "A" if self.branching => Some(Token::Paths(text == "A")),
            _ => None,
        };
        if let Some(token) = simple {
            self.push(start, token);
            return Ok(());
        }
        if let Some(all) = operators(&text, self.branching) {
            for (i, token) in all.into_iter().enumerate() {
                let width = if self.branching { 2 } else { 1 };
                self.out.push((start + i * width, token, start + (i + 1) * width));
            }
            return Ok(());
        }
        let kind = self.atom(&text, &place)?;
        self.push(start, Token::Atom(Atom { kind, place: start..self.at }));
        Ok(())
    }

    fn atom(&mut self, word: &str, place: &Place) -> Read<AtomKind> {
        let change = |c| Some(AtomKind::Change(c, 0..0));
        let changes = match word {
            "changed" => change(Change::Changed),
            "unchanged" => change(Change::Unchanged),
            "increasing" => change(Change::Increasing),
            "decreasing" => change(Change::Decreasing),
            _ => None,
        };
        if let Some(AtomKind::Change(c, _)) = changes {
            return Ok(AtomKind::Change(c, self.braced(place)?));
        }
        match word {
            "sink" => return Ok(AtomKind::Sink),
            "current" => return Ok(AtomKind::Current),
            "WEF" | "SEF" => return Ok(AtomKind::Fair(word == "SEF", None)),
            "deadlock" => return Ok(AtomKind::Deadlock(self.calls()?.unwrap_or_default())),
            "deterministic" | "controller" | "e" | "WF" | "SF" => {}
            _ => {
                let text = format!("`{word}` is no part of a temporal formula");
                let also = if self.branching { " of branching time" } else { "" };
                return Err(mistake(place.clone(), text + also));
            }
        }
        let needed = || mistake(place.clone(), format!("`{word}` needs an operation in parentheses"));
        let mut calls = self.calls()?.filter(|c| !c.is_empty()).ok_or_else(needed)?;
        match word {
            "deterministic" => Ok(AtomKind::Deterministic(calls)),
            "controller" => Ok(AtomKind::Controller(calls)),
            _ if calls.len() > 1 => {
                let extra = calls.get(1).map_or(place.clone(), |c| c.name.place.clone());
                Err(mistake(extra, format!("`{word}` takes one operation")))
            }
            _ => {
                let call = calls.pop().ok_or_else(needed)?;
                Ok(match word {
                    "e" => AtomKind::Enabled(call),
                    _ => AtomKind::Fair(word == "SF", Some(call)),
                })
            }
        }
    }

    /// The expression in `({E})`, or in `(E)`.
    fn braced(&mut self, word: &Place) -> Read<Place> {
        self.blank();
        if !self.rest().starts_with('(') {
            return Err(mistake(
                word.clone(),
                "an expression in parentheses and braces is needed: `changed({x})`",
            ));
        }
        let inside = self.bracketed()?;
        let parts = self.list(inside.clone());
        let Some(first) = parts.first().filter(|_| parts.len() == 1) else {
            return Err(mistake(inside, "one expression in braces is needed here"));
        };
        let text = self.slice(first);
        if text.starts_with('{') && text.ends_with('}') {
            return Ok(first.start + 1..first.end - 1);
        }
        Err(mistake(first.clone(), "the expression stands in braces: `changed({x})`"))
    }

    /// `!p,q.` with what follows up to the formula, where it is no formula: `(p : S`.
    fn bound(&mut self, all: bool) -> Read<()> {
        let start = self.at;
        self.at += 1;
        let mut names = Vec::new();
        let mut ahead = Lexer { text: self.text, at: self.at, branching: self.branching, out: Vec::new() };
        let parenthesised = {
            ahead.blank();
            ahead.rest().starts_with('(')
        };
        if parenthesised && all {
            let inside = ahead.bracketed()?;
            let listed = ahead.list(inside);
            ahead.blank();
            if !ahead.rest().starts_with('.') {
                // `!(f)`: a negation.
                self.push(start, Token::Not);
                return Ok(());
            }
            for place in listed {
                names.push(Name { text: ahead.slice(&place).to_owned(), place });
            }
        } else {
            while let Some(name) = ahead.name() {
                names.push(name);
                ahead.blank();
                if !ahead.rest().starts_with(',') {
                    break;
                }
                ahead.at += 1;
            }
            ahead.blank();
            if names.is_empty() || !ahead.rest().starts_with('.') {
                if all {
                    self.push(start, Token::Not);
                    return Ok(());
                }
                return Err(mistake(start..start + 1, "`#` begins `#p.({p : S} & f)`"));
            }
        }
        self.at = ahead.at + 1;
        let bound: Vec<String> = names.iter().map(|n| n.text.clone()).collect();
        self.push(start, Token::Bound((all, names)));
        self.blank();
        if !self.rest().starts_with('(') {
            return Err(mistake(start..self.at, "a formula in parentheses is needed behind this"));
        }
        let open = self.at;
        self.at += 1;
        self.push(open, Token::Open);
        self.blank();
        let mut ahead = Lexer { text: self.text, at: self.at, branching: self.branching, out: Vec::new() };
        if ahead.name().is_some_and(|n| bound.contains(&n.text)) {
            let place = self.guard(if all { "=>" } else { "&" })?;
            let kind = AtomKind::Holds(place.clone());
            self.at = place.end;
            self.push(place.start, Token::Atom(Atom { kind, place: place.clone() }));
        }
        Ok(())
    }

    /// A predicate that ends before a symbol.
    fn guard(&self, end: &str) -> Read<Place> {
        let mut depth = 0i32;
        for (i, c) in self.rest().char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ if depth == 0 && self.rest().get(i..).is_some_and(|r| r.starts_with(end)) => {
                    let text = self.rest().get(..i).unwrap_or("");
                    return Ok(self.at..self.at + text.trim_end().len());
                }
                _ => {}
            }
        }
        Err(mistake(
            self.at..self.text.len(),
            format!("`{end}` is missing behind what is said of the bound names"),
        ))
    }
}

/// Operators that are written together: `GF`, `AGEF`.
fn operators(word: &str, branching: bool) -> Option<Vec<Token>> {
    let unary = |c| match c {
        'X' => Some(Unary::Next),
        'F' => Some(Unary::Finally),
        'G' => Some(Unary::Globally),
        'Y' if !branching => Some(Unary::Yesterday),
        'O' if !branching => Some(Unary::Once),
        'H' if !branching => Some(Unary::Historically),
        _ => None,
    };
    if !branching {
        return word.chars().map(|c| unary(c).map(Token::Unary)).collect();
    }
    let letters: Vec<char> = word.chars().collect();
    let pair = |p: &[char]| {
        let [quantifier @ ('A' | 'E'), operator] = p else { return None };
        let all = *quantifier == 'A';
        Some(match unary(*operator)? {
            Unary::Next => Token::Next(all),
            other => Token::Path((all, other)),
        })
    };
    letters.chunks(2).map(pair).collect()
}
