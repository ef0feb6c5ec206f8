//! Machines as B text, one clause after the other.

use super::super::ast::{
    Clause, ClauseKind, DefBody, Definition, Machine, MachineKind, MachineRef, Operation, RefKind, SetDecl,
    SetKind,
};
use super::subst::{body, substitution, tight};
use std::fmt::Write;

use super::{formula, names, quote, spell};

/// A machine as B text.
#[must_use]
pub fn machine(m: &Machine) -> String {
    let mut out = String::new();
    if let Some(p) = &m.package {
        let _ = writeln!(out, "/*@package {p} */");
    }
    for p in &m.imports {
        let _ = writeln!(out, "/*@import-package {p} */");
    }
    let word = match m.kind {
        MachineKind::Machine => "MACHINE ",
        MachineKind::Refinement => "REFINEMENT ",
        MachineKind::Implementation => "IMPLEMENTATION ",
        MachineKind::Definitions => "",
    };
    if m.kind != MachineKind::Definitions {
        let _ = writeln!(out, "{word}{}{}", spell(&m.name.name), params(&m.params));
    }
    if let Some(x) = &m.refines {
        let _ = writeln!(out, "REFINES {}", spell(&x.name));
    }
    for c in &m.clauses {
        out.push_str(&clause(c));
    }
    if m.kind != MachineKind::Definitions {
        out.push_str("END\n");
    }
    out
}

fn params(p: &[super::Ident]) -> String {
    if p.is_empty() { String::new() } else { format!("({})", names(p)) }
}

fn separated<T>(items: &[T], with: &str, f: impl Fn(&T) -> String) -> String {
    items.iter().map(f).collect::<Vec<_>>().join(with)
}

fn clause(c: &Clause) -> String {
    let (word, text) = match &c.kind {
        ClauseKind::Sets(v) => ("SETS", separated(v, ";\n  ", set)),
        ClauseKind::FreeTypes(v) => (
            "FREETYPES",
            separated(v, ";\n  ", |(t, constructors)| {
                let one = |(c, e): &(super::Ident, Option<super::Node>)| match e {
                    Some(e) => format!("{}({})", spell(&c.name), formula(e)),
                    None => spell(&c.name),
                };
                format!("{} = {}", spell(&t.name), separated(constructors, ", ", one))
            }),
        ),
        ClauseKind::Constants(false, v) => ("CONSTANTS", names(v)),
        ClauseKind::Constants(true, v) => ("ABSTRACT_CONSTANTS", names(v)),
        ClauseKind::Properties(p) => ("PROPERTIES", formula(p)),
        ClauseKind::Constraints(p) => ("CONSTRAINTS", formula(p)),
        ClauseKind::Variables(false, v) => ("VARIABLES", names(v)),
        ClauseKind::Variables(true, v) => ("CONCRETE_VARIABLES", names(v)),
        ClauseKind::Invariant(p) => ("INVARIANT", formula(p)),
        ClauseKind::Assertions(v) => ("ASSERTIONS", separated(v, ";\n  ", formula)),
        ClauseKind::Initialisation(s) => ("INITIALISATION", substitution(s)),
        ClauseKind::Operations(v) => ("OPERATIONS", separated(v, ";\n  ", operation)),
        ClauseKind::LocalOperations(v) => ("LOCAL_OPERATIONS", separated(v, ";\n  ", operation)),
        ClauseKind::Definitions(v) => ("DEFINITIONS", separated(v, ";\n  ", definition)),
        ClauseKind::References(kind, v) => (reference_word(*kind), separated(v, ", ", reference)),
        ClauseKind::Promotes(v) => ("PROMOTES", names(v)),
        ClauseKind::Values(v) => {
            ("VALUES", separated(v, ";\n  ", |(x, e)| format!("{} = {}", spell(&x.name), tight(e))))
        }
    };
    format!("{word}\n  {text}\n")
}

fn reference_word(kind: RefKind) -> &'static str {
    match kind {
        RefKind::Sees => "SEES",
        RefKind::Uses => "USES",
        RefKind::Includes => "INCLUDES",
        RefKind::Extends => "EXTENDS",
        RefKind::Imports => "IMPORTS",
    }
}

fn reference(r: &MachineRef) -> String {
    let prefix = r.prefix.as_ref().map_or(String::new(), |x| format!("{}.", spell(&x.name)));
    let args =
        if r.args.is_empty() { String::new() } else { format!("({})", separated(&r.args, ", ", formula)) };
    let file = r.file.as_ref().map_or(String::new(), |f| format!(" /*@file \"{f}\" */"));
    format!("{prefix}{}{args}{file}", spell(&r.name.name))
}

fn set(s: &SetDecl) -> String {
    let name = spell(&s.name.name);
    match &s.kind {
        SetKind::Deferred => name,
        SetKind::Enumerated(v) => format!("{name} = {{{}}}", names(v)),
        SetKind::ByDefinition(d) => format!("{name} = {}", spell(&d.name)),
    }
}

fn operation(o: &Operation) -> String {
    let results = if o.results.is_empty() { String::new() } else { format!("{} <-- ", names(&o.results)) };
    let refines = o.refines.as_ref().map_or(String::new(), |x| format!(" ref {}", spell(&x.name)));
    format!("{results}{}{}{refines} = {}", spell(&o.name.name), params(&o.params), body(&o.body))
}

fn definition(d: &Definition) -> String {
    match d {
        Definition::File(file, _) => quote(file),
        Definition::Body { name, params: p, body: b } => {
            let text = match b {
                DefBody::Formula(node) => formula(node),
                DefBody::Subst(s) => body(s),
                DefBody::Names(v) => names(v),
                DefBody::Unreadable(_) => "?".to_owned(),
            };
            format!("{}{} == {text}", spell(&name.name), params(p))
        }
    }
}
