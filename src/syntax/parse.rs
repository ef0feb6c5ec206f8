//! Text to AST with all syntax errors. The only file that names the parser generator.
//!
//! In: the text of a machine, a definition file, a formula or a substitution. Out: what could be read,
//! and a diagnostic for each piece that could not: a clause, an operation, a definition, a conjunct.

use super::ast::{Machine, Node, NodeKind, Rows, Subst};
use super::clauses;
use super::explain::{self, Trouble};
use super::lexer::{Lexed, Tok, lex, lex_tables};
use super::literal;
use super::make::{Make, Parsed};
use super::slips;
use super::token::{Entry, Token};
use crate::diagnostic::{Code, Diagnostic, joined};
use crate::source::{FileId, Span};
use lalrpop_util::{ParseError, lalrpop_mod};
use std::cell::Cell;
use std::ops::Range;

lalrpop_mod!(
    #[allow(warnings, clippy::all, clippy::pedantic, reason = "generated code")]
    b
);

/// Reads a machine. `None` if the text does not even have a header; errors may be there in any case.
#[must_use]
pub fn parse_machine(file: FileId, text: &str) -> (Option<Machine>, Vec<Diagnostic>) {
    parse(file, text, clauses::machine)
}

/// The same with a node for everything, members of tables too: for those who show the tree.
#[must_use]
pub fn parse_machine_in_full(file: FileId, text: &str) -> (Option<Machine>, Vec<Diagnostic>) {
    let (machine, reader) = attempt(file, text, lex(file, text), clauses::machine);
    (machine, reader.finish())
}

/// Reads a definition file: one DEFINITIONS clause.
#[must_use]
pub fn parse_definitions(file: FileId, text: &str) -> (Option<Machine>, Vec<Diagnostic>) {
    parse(file, text, clauses::definition_file)
}

/// Reads one formula.
#[must_use]
pub fn parse_formula(file: FileId, text: &str) -> (Option<Node>, Vec<Diagnostic>) {
    parse(file, text, |reader| match reader.read(Entry::Formula, reader.all()) {
        Some(Parsed::Formula(node)) => Some(node),
        _ => None,
    })
}

/// Reads one substitution.
#[must_use]
pub fn parse_substitution(file: FileId, text: &str) -> (Option<Subst>, Vec<Diagnostic>) {
    parse(file, text, |reader| match reader.read(Entry::Subst, reader.all()) {
        Some(Parsed::Subst(subst)) => Some(subst),
        _ => None,
    })
}

/// Reads a text with its tables. What is wrong with a text is told in terms of the tokens as they are, so one with
/// mistakes is read again without.
fn parse<T>(file: FileId, text: &str, read: impl Fn(&Reader) -> Option<T>) -> (Option<T>, Vec<Diagnostic>) {
    let (out, reader) = attempt(file, text, lex_tables(file, text), &read);
    if reader.lexed.tables && (reader.failed() || reader.explained.get()) {
        let (out, reader) = attempt(file, text, lex(file, text), &read);
        return (out, told(file, text, reader, &read));
    }
    (out, told(file, text, reader, &read))
}

/// The errors of a reader, those that are usual slips told as such; a sign that is none of B is one mistake wherever it
/// stands.
fn told<T>(file: FileId, text: &str, reader: Reader, read: &dyn Fn(&Reader) -> Option<T>) -> Vec<Diagnostic> {
    joined(mended(file, text, reader, read), |d| d.code == Code::BadToken)
}

fn mended<T>(
    file: FileId,
    text: &str,
    reader: Reader,
    read: &dyn Fn(&Reader) -> Option<T>,
) -> Vec<Diagnostic> {
    if !reader.failed() || reader.lexed.too_deep.is_some() {
        return reader.finish();
    }
    let lexed = reader.lexed.clone();
    let again = |tokens| {
        let edited = Lexed { tokens, ..lexed.clone() };
        attempt(file, text, edited, read).1.finish()
    };
    slips::told((file, text), &lexed, reader.finish(), &again)
}

/// Reads a text in tokens, if it may be read; the reader knows the mistakes.
fn attempt<T>(
    file: FileId,
    text: &str,
    lexed: Lexed,
    read: impl Fn(&Reader) -> Option<T>,
) -> (Option<T>, Reader) {
    let reader = Reader::new(file, text.len(), lexed);
    let out = reader.ready().then(|| read(&reader)).flatten();
    (out, reader)
}

/// The formula that a table stands for.
pub(super) fn spelled(rows: &Rows) -> Node {
    let (file, base) = (rows.span.file, rows.span.lo as usize);
    let mut lexed = lex(file, &rows.text);
    for (lo, _, hi) in &mut lexed.tokens {
        *lo += base;
        *hi += base;
    }
    let reader = Reader::new(file, base + rows.text.len(), lexed);
    match reader.attempt(Entry::Formula, reader.all()) {
        Ok(Parsed::Formula(node)) => node,
        _ => Node { kind: NodeKind::Error, span: rows.span },
    }
}

/// A text in tokens, from which pieces are parsed.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) file: FileId,
    pub(super) lexed: Lexed,
    make: Make,
    length: usize,
    /// Whether a mistake has been put into words, if only to be kept with a definition.
    explained: Cell<bool>,
}

impl Reader {
    fn new(file: FileId, length: usize, lexed: Lexed) -> Self {
        Self { file, lexed, make: Make::new(file), length, explained: Cell::new(false) }
    }

    /// All tokens.
    fn all(&self) -> Range<usize> {
        0..self.lexed.tokens.len()
    }

    /// Whether the text may be parsed at all.
    fn ready(&self) -> bool {
        self.lexed.too_deep.iter().cloned().for_each(|d| self.complain(d));
        self.lexed.too_deep.is_none()
    }

    /// All diagnostics in the order of the text.
    fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.make.errors.into_inner();
        all.sort_by_key(|d| d.span.map_or(0, |s| s.lo));
        all.dedup();
        all
    }

    /// Notes a mistake.
    pub(super) fn complain(&self, diagnostic: Diagnostic) {
        self.make.errors.borrow_mut().push(diagnostic);
    }

    /// Whether a mistake has been noted.
    pub(super) fn failed(&self) -> bool {
        !self.make.errors.borrow().is_empty()
    }

    /// The token at an index.
    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.lexed.tokens.get(at).map(|(_, t, _)| t)
    }

    /// The place of a token; the end of the text past the last one.
    pub(super) fn place(&self, at: usize) -> Span {
        if let Some((lo, _, hi)) = self.lexed.tokens.get(at) {
            return Span::new(self.file, *lo, *hi);
        }
        let end = self.lexed.tokens.last().map_or(self.length, |(_, _, hi)| *hi);
        Span::new(self.file, end, end)
    }

    /// The place of a range of tokens.
    pub(super) fn places(&self, range: &Range<usize>) -> Span {
        if range.is_empty() {
            self.place(range.start)
        } else {
            self.place(range.start).to(self.place(range.end - 1))
        }
    }

    /// Parses a piece; notes the error if there is one.
    pub(super) fn read(&self, entry: Entry, range: Range<usize>) -> Option<Parsed> {
        self.attempt(entry, range).map_err(|d| self.complain(*d)).ok()
    }

    /// Parses a piece; the error is the caller's.
    pub(super) fn attempt(&self, entry: Entry, range: Range<usize>) -> Result<Parsed, Box<Diagnostic>> {
        let tokens: &[Tok] = self.lexed.tokens.get(range.clone()).unwrap_or(&[]);
        let noted = self.make.errors.borrow().len();
        let mut feed = Feed { make: &self.make, tokens, at: 0, from: 0, data: false };
        if matches!(entry, Entry::Formula | Entry::Subst | Entry::Operation | Entry::Value) {
            let parsed = self.parse(entry, &mut feed);
            if let Ok(parsed) = parsed {
                return Ok(parsed);
            }
            self.make.errors.borrow_mut().truncate(noted);
            if !feed.data {
                return parsed.map_err(|error| Box::new(self.explain(entry, &range, error)));
            }
        }
        // What is wrong is told in terms of the tokens as they are.
        self.parse(entry, &mut tokens.iter().cloned()).map_err(|error| {
            self.make.errors.borrow_mut().truncate(noted);
            Box::new(self.explain(entry, &range, error))
        })
    }

    fn parse(
        &self,
        entry: Entry,
        tokens: &mut dyn Iterator<Item = Tok>,
    ) -> Result<Parsed, ParseError<usize, Token, ()>> {
        let mut tokens = tokens.peekable();
        let start = tokens.peek().map_or(0, |(lo, _, _)| *lo);
        let input = std::iter::once((start, Token::Start(entry), start)).chain(tokens);
        b::StartParser::new().parse(&self.make, input.map(Ok::<Tok, ()>))
    }

    fn explain(&self, entry: Entry, range: &Range<usize>, error: ParseError<usize, Token, ()>) -> Diagnostic {
        self.explained.set(true);
        let (at, mut expected) = match error {
            ParseError::UnrecognizedToken { token: (lo, _, _), expected } => {
                (self.index(lo, range), expected)
            }
            ParseError::UnrecognizedEof { expected, .. } => (range.end, expected),
            ParseError::ExtraToken { token: (lo, _, _) } => (self.index(lo, range), Vec::new()),
            ParseError::InvalidToken { .. } | ParseError::User { .. } => (range.end, Vec::new()),
        };
        // Nobody can write that token.
        expected.retain(|name| name != "\"data\"");
        explain::explain(self, &Trouble { entry, range: range.clone(), at, expected })
    }

    fn index(&self, lo: usize, range: &Range<usize>) -> usize {
        self.lexed.tokens.partition_point(|(start, _, _)| *start < lo).clamp(range.start, range.end)
    }
}

/// The tokens of a piece for the parser; extensions of literals come as one token each.
struct Feed<'t> {
    make: &'t Make,
    tokens: &'t [Tok],
    at: usize,
    /// An extension that starts before this token is none of literals: no token is looked at more than twice.
    from: usize,
    /// Whether there was an extension of literals.
    data: bool,
}

impl Feed<'_> {
    /// Whether an extension starts here; a bracket may also be that of an image.
    fn opens(&self) -> bool {
        match self.tokens.get(self.at) {
            Some((_, Token::LBrace, _)) => true,
            Some((_, Token::LBracket, _)) => {
                let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
                before.is_none_or(|(_, token, _)| token.before_sequence())
            }
            _ => false,
        }
    }
}

impl Iterator for Feed<'_> {
    type Item = Tok;

    fn next(&mut self) -> Option<Tok> {
        let first = self.tokens.get(self.at)?;
        if self.at >= self.from && self.opens() {
            match literal::extension(self.make, self.tokens, self.at) {
                Ok((kind, end)) => {
                    let hi = self.tokens.get(end - 1).map_or(first.2, |(_, _, hi)| *hi);
                    (self.at, self.data) = (end, true);
                    return Some((first.0, Token::Data(Box::new(kind)), hi));
                }
                Err(other) => self.from = other,
            }
        }
        self.at += 1;
        Some(first.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the grammar makes of a formula with and without the reader of literals.
    fn both(text: &str) -> [Option<Node>; 2] {
        let reader = Reader::new(FileId(0), text.len(), lex(FileId(0), text));
        let tokens = &reader.lexed.tokens;
        let formula = |parsed| match parsed {
            Some(Parsed::Formula(node)) => Some(node),
            _ => None,
        };
        let plain = reader.parse(Entry::Formula, &mut tokens.iter().cloned());
        let all = 0..tokens.len();
        [formula(reader.attempt(Entry::Formula, all).ok()), formula(plain.ok())]
    }

    #[test]
    fn literals_are_what_the_grammar_makes_of_them() {
        let texts = [
            "{}",
            "[ ]",
            "{ 1 , -2, - 3 |-> 4 |-> 5, (6,7,8) , (9), ((1|->2),3) |-> TRUE } /\\ S",
            "x = {{1,{}},{a |-> b'c}} & y = {{1},{2,3}}",
            "{a,b | a = {1,2} & b : NAT}",
            "f[{1,2}] \\/ f[[1,2],[3]] \\/ {1,2}~[{1}]",
            "[1,[2,3],<>] ^ [rec(a:1, b:{2 |-> \"s\"})] & {} = {}",
            "{[1,2](1), {3}[4]}",
            "{1.5, \"x\", {[1]}, x$0}",
            "s <| {1 |-> 2} (1) + {(1,2)}(1)",
            "{1,2;3} = [4] ^ -[5]",
            "{(1,2",
            "{1,,2}",
            "{- x, 1}",
            "{rec(a:1,b), 2}",
            "{1,2} {3}",
        ];
        for text in texts {
            let [quick, plain] = both(text);
            assert_eq!(quick, plain, "{text}");
        }
        assert!(both("{1,-2,(3|->4)}")[0].is_some() && both("{1,2} {3}")[0].is_none());
    }

    /// A formula with its tables spelled out.
    fn unfolded(node: Node) -> Node {
        let node = match node.kind {
            NodeKind::Table(table) => Node { span: node.span, ..super::super::table::spelled(&table) },
            kind => Node { kind, ..node },
        };
        super::super::walk::map_children(node, &mut unfolded)
    }

    fn members(member: &dyn Fn(usize) -> String) -> String {
        (0..70).map(member).collect::<Vec<_>>().join(",")
    }

    fn has_table(node: &Node) -> bool {
        let mut found = matches!(node.kind, NodeKind::Table(_));
        super::super::walk::children(node, &mut |child| found |= has_table(child));
        found
    }

    #[test]
    fn tables_stand_for_what_the_grammar_makes_of_them() {
        let tables: [(&str, &dyn Fn(usize) -> String); 9] = [
            ("{@}", &|i| format!("{i}")),
            ("x = ({@})", &|i| format!("({i}|-> - {i})")),
            ("x : [@] ^ [1]", &|i| format!("({i} , a,TRUE)")),
            ("f[{@}] = {}", &|i| format!("{i}+1-{i} |-> \"n {i}\\n\"").replace("\\n", "")),
            ("{@}~", &|i| format!("((({i}))) /* {i} */")),
            ("P & {@} <: S // end", &|i| format!("rec ( a : {i} , b : {{ {{}}, {{{i}}} }}, c:[])")),
            ("{@}(1)", &|i| format!("({i},b{})", i % 3)),
            ("card({@}) > 1", &|i| if i < 5 { "{}".to_owned() } else { format!("{{[{i},{i}]}}") }),
            ("{x | x : {@}}", &|i| format!("({i}|->{i})|->[\"é\"]")),
        ];
        for (around, member) in tables {
            let text = around.replace('@', &members(member));
            let (quick, errors) = parse_formula(FileId(0), &text);
            assert!(errors.is_empty() && quick.as_ref().is_some_and(has_table), "{text}");
            assert_eq!(quick.map(unfolded), both(&text)[1], "{text}");
        }
    }

    #[test]
    fn what_is_not_built_alike_or_no_literal_is_no_table() {
        let others: [(&str, &dyn Fn(usize) -> String); 12] = [
            ("{@}", &|i| format!("a{i}")),
            ("f[@]", &|i| format!("{i}")),
            ("{@}", &|i| if i == 60 { "(1,2)".to_owned() } else { format!("{i}") }),
            ("{@}", &|i| format!("({i}, x.y)")),
            ("{@}", &|i| format!("({i}, x$0)")),
            ("{@}", &|i| format!("({i}, x'a)")),
            ("{@}", &|i| format!("({i}, 1.5)")),
            ("{@}", &|i| format!("({i}, 1..2)")),
            ("{@}", &|i| format!("({i}, MAXINT)")),
            ("{@}", &|i| format!("({i}, f(2))")),
            ("{@}", &|i| format!("({i}, \"a\\\"b\")")),
            ("{@}", &|i| format!("({i}, 99999999999999999999)")),
        ];
        for (around, member) in others {
            let text = around.replace('@', &members(member));
            let (quick, errors) = parse_formula(FileId(0), &text);
            assert!(errors.is_empty() && !quick.as_ref().is_some_and(has_table), "{text}");
            assert_eq!(quick, both(&text)[1], "{text}");
        }
    }

    #[test]
    fn mistakes_beside_tables_are_told_as_without() {
        let table = members(&|i| format!("({i},a)"));
        for text in [format!("{{{table}}} {{3}}"), format!("{{{table}"), format!("x = {{{table},}} & y")] {
            let plain = Reader::new(FileId(0), text.len(), lex(FileId(0), &text));
            assert!(plain.read(Entry::Formula, plain.all()).is_none());
            assert_eq!(parse_formula(FileId(0), &text).1, plain.finish(), "{text}");
        }
        let machine = format!(
            "MACHINE M DEFINITIONS D == {{{table}}} 3; SETS S = {{a}} PROPERTIES x = & {{{table}}} END"
        );
        let (read, errors) = parse_machine(FileId(0), &machine);
        let plain = Reader::new(FileId(0), machine.len(), lex(FileId(0), &machine));
        assert_eq!(read, clauses::machine(&plain));
        assert_eq!(errors, plain.finish());
    }

    #[test]
    fn mistakes_behind_literals_are_told_as_before() {
        let said = |text: &str| parse_formula(FileId(0), text).1.first().map(|d| d.message.clone());
        assert_eq!(said("{1,2} {3}"), said("{1,x+0} {3}"));
        assert_eq!(said("a = {1,2} &"), said("a = {1,x+0} &"));
    }
}
