//! Machines out of clauses, clauses out of pieces.
//!
//! In: a text split into tokens. Out: a [`Machine`] of all that could be read. Each piece is parsed on
//! its own, so that one error does not hide the next.

use super::ast::{
    Clause, ClauseKind, Ident, Machine, MachineKind, MachineRef, Name, Node, NodeKind, Operation, RefKind,
    Subst, SubstKind,
};
use super::definitions;
use super::make::Parsed;
use super::parse::Reader;
use super::split::{self, Guards, RawClause, Split};
use super::token::{ClauseWord, Entry, Token};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use std::ops::Range;

/// Reads a whole machine text; `None` without a header.
pub(super) fn machine(r: &Reader) -> Option<Machine> {
    let kind = match r.token(0) {
        Some(Token::Machine(kind)) => *kind,
        Some(Token::Clause(ClauseWord::Definitions)) => return definition_file(r),
        _ => {
            let what = "a machine starts with MACHINE, MODEL, SYSTEM, REFINEMENT or IMPLEMENTATION";
            let text =
                if r.token(0).is_none() { format!("the file is empty: {what}") } else { what.to_owned() };
            let d = Diagnostic::error(Code::UnexpectedToken, r.place(0), text).with_help(
                "the shortest machine is `MACHINE M END`; in front of MACHINE there are comments only",
            );
            r.complain(d);
            return None;
        }
    };
    let split = split::clauses(&r.lexed.tokens, 1);
    let (name, params) = match r.read(Entry::Header, split.header.clone()) {
        Some(Parsed::Header(name, params)) => (name, params),
        _ => (Ident { name: "".into(), span: r.place(0) }, Vec::new()),
    };
    let machine = assemble(r, kind, name, params, &split.clauses);
    check_end(r, &split);
    Some(machine)
}

/// Reads a definition file.
pub(super) fn definition_file(r: &Reader) -> Option<Machine> {
    if r.token(0) != Some(&Token::Clause(ClauseWord::Definitions)) {
        let d =
            Diagnostic::error(Code::UnexpectedToken, r.place(0), "a definition file starts with DEFINITIONS");
        r.complain(d);
        return None;
    }
    let split = split::clauses(&r.lexed.tokens, 0);
    if let Some(extra) = split.clauses.get(1) {
        let d = Diagnostic::error(
            Code::UnexpectedToken,
            r.place(extra.head),
            "a definition file has a DEFINITIONS clause only",
        );
        r.complain(d);
    }
    let name = Ident { name: "".into(), span: r.place(0) };
    let first: Vec<RawClause> = split.clauses.into_iter().take(1).collect();
    Some(assemble(r, MachineKind::Definitions, name, Vec::new(), &first))
}

fn assemble(r: &Reader, kind: MachineKind, name: Ident, params: Vec<Ident>, raw: &[RawClause]) -> Machine {
    check_twice(r, raw);
    let pragma = |word: &str| {
        let of_word = r.lexed.pragmas.iter().filter(move |p| p.word == word);
        of_word.map(|p| p.text.clone()).collect::<Vec<Name>>()
    };
    let mut refines = None;
    let mut clauses = Vec::new();
    for raw in raw {
        if raw.word == ClauseWord::Refines {
            refines = names(r, raw.body.clone()).into_iter().next();
        } else if let Some(kind) = clause(r, raw) {
            let span = r.place(raw.head).to(r.places(&(raw.head..raw.body.end)));
            clauses.push(Clause { kind, span });
        }
    }
    let package = pragma("package").into_iter().next();
    // `/*@` and the word.
    let place = |p: &super::scan::Pragma| Span::new(name.span.file, p.lo, p.lo + 3 + p.word.len());
    let pragmas =
        (r.lexed.pragmas.iter()).map(|p| Ident { name: p.word.as_str().into(), span: place(p) }).collect();
    let imports = pragma("import-package");
    Machine { kind, name, params, refines, clauses, package, imports, pragmas }
}

fn check_end(r: &Reader, split: &Split) {
    let Some(end) = split.end else {
        // After an error in a clause this may only be its consequence.
        if r.failed() {
            return;
        }
        let at = r.lexed.tokens.len();
        let d = Diagnostic::error(Code::UnexpectedToken, r.place(at), "the machine's END is missing")
            .with_other(r.place(0), "the machine starts here");
        r.complain(d);
        return;
    };
    if let Some(Token::Bad(index)) = r.token(end + 1) {
        r.lexed.bad.get(*index as usize).into_iter().for_each(|d| r.complain(d.clone()));
    } else if r.token(end + 1).is_some() {
        let d = Diagnostic::error(Code::UnexpectedToken, r.place(end + 1), "text after the machine's END")
            .with_other(r.place(end), "this END closes the machine")
            .with_help("if the machine should go on, there is one END too many before this place");
        r.complain(d);
    }
}

fn check_twice(r: &Reader, raw: &[RawClause]) {
    for (i, clause) in raw.iter().enumerate() {
        let same = |c: &&RawClause| c.word == clause.word && c.word != ClauseWord::LateDefinitions;
        if let Some(first) = raw.iter().take(i).find(same) {
            let d = Diagnostic::error(Code::ClauseTwice, r.place(clause.head), "this clause appears twice")
                .with_label("second")
                .with_other(r.place(first.head), "first");
            r.complain(d);
        }
    }
}

/// Reads one clause; `None` if nothing of it can be used.
fn clause(r: &Reader, raw: &RawClause) -> Option<ClauseKind> {
    let body = raw.body.clone();
    Some(match raw.word {
        ClauseWord::Sets => ClauseKind::Sets(list(r, Entry::SetDecl, body, |p| match p {
            Parsed::SetDecl(s) => Some(s),
            _ => None,
        })),
        ClauseWord::FreeTypes => ClauseKind::FreeTypes(list(r, Entry::FreeType, body, |p| match p {
            Parsed::FreeType(name, constructors) => Some((name, constructors)),
            _ => None,
        })),
        ClauseWord::Values => ClauseKind::Values(list(r, Entry::Value, body, |p| match p {
            Parsed::Value(name, value) => Some((name, value)),
            _ => None,
        })),
        ClauseWord::Assertions => ClauseKind::Assertions(list(r, Entry::Formula, body, |p| match p {
            Parsed::Formula(node) => Some(node),
            _ => None,
        })),
        ClauseWord::Operations => ClauseKind::Operations(operations(r, body)),
        ClauseWord::LocalOperations => ClauseKind::LocalOperations(operations(r, body)),
        ClauseWord::Constants => ClauseKind::Constants(false, names(r, body)),
        ClauseWord::AbstractConstants => ClauseKind::Constants(true, names(r, body)),
        ClauseWord::Variables => ClauseKind::Variables(false, names(r, body)),
        ClauseWord::ConcreteVariables => ClauseKind::Variables(true, names(r, body)),
        ClauseWord::Promotes => ClauseKind::Promotes(names(r, body)),
        ClauseWord::Properties => ClauseKind::Properties(predicate(r, body)),
        ClauseWord::Constraints => ClauseKind::Constraints(predicate(r, body)),
        ClauseWord::Invariant => ClauseKind::Invariant(predicate(r, body)),
        ClauseWord::Initialisation => ClauseKind::Initialisation(initialisation(r, body)),
        ClauseWord::Definitions | ClauseWord::LateDefinitions => {
            ClauseKind::Definitions(definitions::definitions(r, body))
        }
        ClauseWord::References(kind) => references(r, kind, body),
        ClauseWord::Refines => return None,
    })
}

/// The entries of a clause between `;`, each parsed on its own.
fn list<T>(r: &Reader, entry: Entry, body: Range<usize>, pick: impl Fn(Parsed) -> Option<T>) -> Vec<T> {
    let ranges = split::pieces(&r.lexed.tokens, body, &Token::Semi, Guards::All);
    ranges.into_iter().filter_map(|range| r.read(entry, range).and_then(&pick)).collect()
}

fn operations(r: &Reader, body: Range<usize>) -> Vec<Operation> {
    let mut out = Vec::new();
    for range in split::pieces(&r.lexed.tokens, body, &Token::Semi, Guards::All) {
        if let Ok(Parsed::Operation(o)) = r.attempt(Entry::Operation, range.clone()) {
            out.push(o);
            continue;
        }
        // If an END is missing, the piece holds the operations behind too: they are read on their own.
        for part in split::operations(&r.lexed.tokens, range) {
            if let Some(Parsed::Operation(o)) = r.read(Entry::Operation, part) {
                out.push(o);
            }
        }
    }
    out
}

fn names(r: &Reader, body: Range<usize>) -> Vec<Ident> {
    match r.read(Entry::Names, body) {
        Some(Parsed::Names(names)) => names,
        _ => Vec::new(),
    }
}

fn references(r: &Reader, kind: RefKind, body: Range<usize>) -> ClauseKind {
    let end = r.place(body.end).lo as usize;
    let mut refs = match r.read(Entry::Refs, body) {
        Some(Parsed::Refs(refs)) => refs,
        _ => Vec::new(),
    };
    let starts: Vec<usize> = refs.iter().map(|m: &MachineRef| m.name.span.lo as usize).collect();
    for (i, reference) in refs.iter_mut().enumerate() {
        let lo = reference.name.span.lo as usize;
        let hi = starts.get(i + 1).copied().unwrap_or(end.max(lo + 1));
        let here = |p: &&super::scan::Pragma| p.word == "file" && (lo..hi).contains(&p.lo);
        reference.file = r.lexed.pragmas.iter().find(here).map(|p| p.text.clone());
    }
    ClauseKind::References(kind, refs)
}

/// A predicate. If it cannot be read, each conjunct is tried, so that all errors are found.
fn predicate(r: &Reader, body: Range<usize>) -> Node {
    let span = r.places(&body);
    match r.attempt(Entry::Formula, body.clone()) {
        Ok(Parsed::Formula(node)) => return node,
        Ok(_) => {}
        Err(first) => retry(r, Entry::Formula, body, &Token::And, *first),
    }
    Node { kind: NodeKind::Error, span }
}

/// The initialisation. If it cannot be read, each statement is tried.
fn initialisation(r: &Reader, body: Range<usize>) -> Subst {
    let span = r.places(&body);
    match r.attempt(Entry::Subst, body.clone()) {
        Ok(Parsed::Subst(subst)) => return subst,
        Ok(_) => {}
        Err(first) => retry(r, Entry::Subst, body, &Token::Semi, *first),
    }
    Subst { kind: SubstKind::Error, span }
}

/// Reports the errors of the parts of a piece that failed as a whole: of each part if they are several,
/// else the first error found.
fn retry(r: &Reader, entry: Entry, body: Range<usize>, separator: &Token, first: Diagnostic) {
    let parts = split::pieces(&r.lexed.tokens, body, separator, Guards::All);
    let errors: Vec<_> = parts.into_iter().filter_map(|part| r.attempt(entry, part).err()).collect();
    if errors.is_empty() {
        r.complain(first);
    }
    for d in errors {
        r.complain(*d);
    }
}
