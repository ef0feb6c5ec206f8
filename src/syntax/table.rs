//! Tables read straight from the text: large extensions of ground literals, as generated data have them.
//!
//! In: a text and the place of an opening brace or bracket. Out: a [`Table`] and the place behind it, or the place of the
//! first byte that is not of this kind. Read are integers (also sums of them), strings without escapes, TRUE and FALSE,
//! names, pairs, records, sets and sequences, where all members are built alike; whatever else there is in B is left to
//! tokens and grammar. Nothing is refused here, so that mistakes are told elsewhere: whoever reads tables and finds a
//! mistake anywhere in the text reads it again without tables (`parse`).

use super::ast::{Code, Ident, Name, Node, NodeKind, Rows, Table};
use super::token::Token;
use super::walk;
use crate::source::{FileId, Span};
use hashbrown::HashMap;
use std::sync::Arc;

/// With so many members an extension of literals becomes a table: what is short is read by those who solve predicates.
const LARGE: usize = 64;
/// Brackets that may be open inside a table; the lexer allows more.
const DEEPEST: usize = 50;
/// Pairs that may be chained in a member; the lexer allows more.
const LONGEST: usize = 500;

/// Done, or no table: the reader stands where it ends to be one.
type Read<T = ()> = Result<T, ()>;

/// Reads the table that starts at byte `at`, a bracket; also the byte behind it. The error is the byte where it ends to be
/// a table; `None` if it is merely none that is large.
pub(super) fn table(file: FileId, text: &str, at: usize) -> Result<(Table, usize), Option<usize>> {
    let mut scan = Scan::new(text, at + 1);
    let sequence = text.as_bytes().get(at) == Some(&b'[');
    let program = scan.program().map_err(|()| None)?;
    let close = if sequence { b']' } else { b'}' };
    let len = scan.members(program, close).map_err(|()| Some(scan.at))?;
    // A list of bare names may also declare a set.
    if len < LARGE || matches!(scan.programs.first().map(Vec::as_slice), Some([Code::Name(_)])) {
        return Err(None);
    }
    let end = scan.at;
    let rows = Rows {
        text: text.get(at..end).unwrap_or_default().into(),
        span: Span::new(file, at, end),
        sequence,
        len,
        programs: scan.programs,
        records: scan.records,
        words: scan.words,
        names: scan.names.list.into_iter().zip(scan.places).map(|(name, lo)| ident(file, name, lo)).collect(),
        strings: scan.strings.list,
        columns: scan.columns.into_iter().map(|seen| seen.list).collect(),
    };
    Ok((Table { rows: Arc::new(rows), elements: Arc::default() }, end))
}

fn ident(file: FileId, name: Name, lo: usize) -> Ident {
    let span = Span::new(file, lo, lo + name.len());
    Ident { name, span }
}

/// The formula that a table stands for; names that are resolved are references.
#[must_use]
pub fn spelled(table: &Table) -> Node {
    let node = super::parse::spelled(&table.rows);
    if table.elements.is_empty() { node } else { resolved(node, table) }
}

fn resolved(node: Node, table: &Table) -> Node {
    let node = walk::map_children(node, &mut |child| resolved(child, table));
    let NodeKind::Name(name) = &node.kind else { return node };
    let at = table.rows.names.iter().position(|n| n.name == *name);
    match at.and_then(|at| table.elements.get(at)) {
        Some((set, i)) => Node { kind: NodeKind::Ref(super::ast::Entity::Element(*set, *i)), ..node },
        None => node,
    }
}

/// Texts, each once, by their number.
#[derive(Default)]
struct Texts<'t> {
    index: HashMap<&'t str, u32>,
    list: Vec<Name>,
}

impl<'t> Texts<'t> {
    /// The number of a text, and whether it is new.
    fn number(&mut self, text: &'t str) -> Read<(u32, bool)> {
        if let Some(known) = self.index.get(text) {
            return Ok((*known, false));
        }
        let new = u32::try_from(self.list.len()).map_err(|_| ())?;
        self.index.insert(text, new);
        self.list.push(text.into());
        Ok((new, true))
    }
}

/// The names of a column, in the order met.
#[derive(Default)]
struct Column {
    seen: Vec<bool>,
    list: Vec<u32>,
}

impl Column {
    fn add(&mut self, name: u32) {
        let at = name as usize;
        if at >= self.seen.len() {
            self.seen.resize(at + 1, false);
        }
        if let Some(seen @ false) = self.seen.get_mut(at) {
            *seen = true;
            self.list.push(name);
        }
    }
}

/// A member while it is read: the program that it must follow, or that it makes if it is the first.
struct Member<'p> {
    program: &'p mut Vec<Code>,
    at: usize,
    first: bool,
}

impl Member<'_> {
    /// The next step of the program, if there is one already.
    fn expected(&self) -> Option<Code> {
        if self.first { None } else { self.program.get(self.at).copied() }
    }

    fn step(&mut self, code: Code) -> Read {
        if self.first {
            self.program.push(code);
        } else if self.program.get(self.at) != Some(&code) {
            return Err(());
        }
        self.at += 1;
        Ok(())
    }
}

struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// Brackets that are open.
    depth: usize,
    programs: Vec<Vec<Code>>,
    records: Vec<Vec<Name>>,
    words: Vec<i64>,
    names: Texts<'t>,
    /// The first byte of each name where it was met first.
    places: Vec<usize>,
    strings: Texts<'t>,
    columns: Vec<Column>,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            depth: 0,
            programs: Vec::new(),
            records: Vec::new(),
            words: Vec::new(),
            names: Texts::default(),
            places: Vec::new(),
            strings: Texts::default(),
            columns: Vec::new(),
        }
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes past blanks and comments.
    fn blanks(&mut self) -> Read {
        loop {
            match self.byte() {
                Some(b' ' | b'\t' | b'\r' | b'\n' | b'\x0C') => self.at += 1,
                Some(b'/') => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Read {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let len = if rest.starts_with("//") {
            rest.find(['\n', '\r'])
        } else if rest.starts_with("/*") && !rest.starts_with("/*@") {
            rest.get(2..).and_then(|body| body.find("*/")).map(|end| end + 4)
        } else {
            None
        };
        self.at += len.ok_or(())?;
        Ok(())
    }

    /// Goes past a byte if it stands here.
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.byte() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, byte: u8) -> Read {
        if self.skip(byte) { Ok(()) } else { Err(()) }
    }

    /// A new program that nothing is known of.
    fn program(&mut self) -> Read<u16> {
        self.programs.push(Vec::new());
        u16::try_from(self.programs.len() - 1).map_err(|_| ())
    }

    /// Members up to a closing bracket; their number.
    fn members(&mut self, program: u16, close: u8) -> Read<usize> {
        self.blanks()?;
        if self.skip(close) {
            return Ok(0);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(());
        }
        let own = |scan: &mut Self| scan.programs.get_mut(usize::from(program)).map(std::mem::take);
        let mut code = own(self).unwrap_or_default();
        let mut len = 0;
        loop {
            let first = code.is_empty();
            let mut member = Member { program: &mut code, at: 0, first };
            self.item(&mut member)?;
            if member.at != member.program.len() {
                return Err(());
            }
            len += 1;
            if self.skip(close) {
                break;
            }
            self.need(b',')?;
        }
        if let Some(slot) = self.programs.get_mut(usize::from(program)) {
            *slot = code;
        }
        self.depth -= 1;
        Ok(len)
    }

    /// `a |-> b |-> c`, and the blanks behind.
    fn item(&mut self, member: &mut Member) -> Read {
        self.atom(member)?;
        let mut links = 0;
        while self.byte() == Some(b'|') {
            if self.bytes.get(self.at..self.at + 3) != Some(b"|->") || links > LONGEST {
                return Err(());
            }
            self.at += 3;
            links += 1;
            self.atom(member)?;
            member.step(Code::Pair)?;
        }
        Ok(())
    }

    /// A literal with the blanks around it.
    fn atom(&mut self, member: &mut Member) -> Read {
        self.blanks()?;
        match self.byte().ok_or(())? {
            b'0'..=b'9' => {
                let sum = self.sum()?;
                self.words.push(sum);
                member.step(Code::Int)?;
            }
            b'-' => {
                self.at += 1;
                self.blanks()?;
                let n = self.digits()?;
                self.words.push(-n);
                member.step(Code::Int)?;
            }
            b'"' => {
                let text = self.string()?;
                let (number, _) = self.strings.number(text)?;
                self.words.push(i64::from(number));
                member.step(Code::Str)?;
            }
            b'(' => self.group(member)?,
            open @ (b'{' | b'[') => self.extension(open, member)?,
            b'A'..=b'Z' | b'a'..=b'z' => self.word(member)?,
            _ => return Err(()),
        }
        self.blanks()
    }

    /// `(a,b,c)`.
    fn group(&mut self, member: &mut Member) -> Read {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(());
        }
        self.item(member)?;
        let mut links = 0;
        while self.skip(b',') {
            links += 1;
            if links > LONGEST {
                return Err(());
            }
            self.item(member)?;
            member.step(Code::Pair)?;
        }
        self.depth -= 1;
        self.need(b')')
    }

    /// `{a,b}` or `[a,b]` inside a member.
    fn extension(&mut self, open: u8, member: &mut Member) -> Read {
        self.at += 1;
        let program = match member.expected() {
            Some(Code::Set(program) | Code::Sequence(program)) => program,
            Some(_) => return Err(()),
            None => self.program()?,
        };
        let (code, close) =
            if open == b'{' { (Code::Set(program), b'}') } else { (Code::Sequence(program), b']') };
        member.step(code)?;
        let at = self.words.len();
        self.words.push(0);
        let len = self.members(program, close)?;
        if let Some(word) = self.words.get_mut(at) {
            *word = i64::try_from(len).map_err(|_| ())?;
        }
        Ok(())
    }

    /// A number of so few digits that it fits.
    fn digits(&mut self) -> Read<i64> {
        const MOST: usize = 18;
        let from = self.at;
        let mut n = 0_i64;
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            if self.at - from >= MOST {
                return Err(());
            }
            n = n * 10 + i64::from(digit - b'0');
            self.at += 1;
        }
        if self.at == from { Err(()) } else { Ok(n) }
    }

    /// `a+b-c`.
    fn sum(&mut self) -> Read<i64> {
        let mut sum = self.digits()?;
        loop {
            self.blanks()?;
            let minus = match self.byte() {
                Some(b'+') => false,
                Some(b'-') => true,
                _ => return Ok(sum),
            };
            self.at += 1;
            self.blanks()?;
            let n = self.digits()?;
            sum = if minus { sum.checked_sub(n) } else { sum.checked_add(n) }.ok_or(())?;
        }
    }

    /// The text between quotes, without escapes.
    fn string(&mut self) -> Read<&'t str> {
        self.at += 1;
        let from = self.at;
        loop {
            match self.byte().ok_or(())? {
                b'"' => break,
                b'\\' | b'\n' => return Err(()),
                _ => self.at += 1,
            }
        }
        let text = self.text.get(from..self.at).ok_or(())?;
        self.at += 1;
        Ok(text)
    }

    /// An ASCII word. What may follow it in a longer one is no blank, comma or bracket, so the caller will refuse it.
    fn letters(&mut self) -> Read<&'t str> {
        let from = self.at;
        if !self.byte().is_some_and(|c| c.is_ascii_alphabetic()) {
            return Err(());
        }
        while self.byte().is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_') {
            self.at += 1;
        }
        self.text.get(from..self.at).ok_or(())
    }

    fn word(&mut self, member: &mut Member) -> Read {
        match self.letters()? {
            "TRUE" => self.truth(true, member),
            "FALSE" => self.truth(false, member),
            "rec" => self.record(member),
            name => self.name(name, member),
        }
    }

    fn truth(&mut self, value: bool, member: &mut Member) -> Read {
        self.words.push(i64::from(value));
        member.step(Code::Bool)
    }

    fn name(&mut self, name: &'t str, member: &mut Member) -> Read {
        let column = match member.expected() {
            Some(Code::Name(column)) => column,
            Some(_) => return Err(()),
            None => {
                self.columns.push(Column::default());
                u16::try_from(self.columns.len() - 1).map_err(|_| ())?
            }
        };
        let (number, new) = self.names.number(name)?;
        if new {
            if Token::keyword(name).is_some() {
                return Err(());
            }
            self.places.push(self.at - name.len());
        }
        if let Some(column) = self.columns.get_mut(usize::from(column)) {
            column.add(number);
        }
        self.words.push(i64::from(number));
        member.step(Code::Name(column))
    }

    /// `rec(a:x, b:y)` behind its first word; all records of a kind name their fields in one order.
    fn record(&mut self, member: &mut Member) -> Read {
        let (record, first) = match member.expected() {
            Some(Code::Fields(record)) => (record, false),
            Some(_) => return Err(()),
            None => (u16::try_from(self.records.len()).map_err(|_| ())?, true),
        };
        if first {
            self.records.push(Vec::new());
        }
        member.step(Code::Fields(record))?;
        self.blanks()?;
        self.need(b'(')?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(());
        }
        let mut len = 0;
        loop {
            self.field(record, len, first)?;
            self.item(member)?;
            len += 1;
            if !self.skip(b',') {
                break;
            }
        }
        self.need(b')')?;
        self.depth -= 1;
        if self.records.get(usize::from(record)).map(Vec::len) != Some(len) {
            return Err(());
        }
        member.step(Code::Record(record))
    }

    /// `a:` as field number `at` of a record.
    fn field(&mut self, record: u16, at: usize, first: bool) -> Read {
        self.blanks()?;
        let name = self.letters()?;
        self.blanks()?;
        self.need(b':')?;
        let fields = self.records.get_mut(usize::from(record)).ok_or(())?;
        if !first {
            return if fields.get(at).is_some_and(|field| **field == *name) { Ok(()) } else { Err(()) };
        }
        if Token::keyword(name).is_some() || fields.iter().any(|field| **field == *name) {
            return Err(());
        }
        fields.push(name.into());
        Ok(())
    }
}
