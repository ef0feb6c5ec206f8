//! The examples in the operators' rows: both sides go through the whole front end and evaluate to the same.

use bsym::eval::{Env, Evaluator};
use bsym::ops::external;
use bsym::ops::table::TABLE;
use bsym::ops::{OpDef, World};
use bsym::resolve::{Flat, resolve, resolve_formula};
use bsym::source::Sources;
use bsym::syntax::parse_formula;
use bsym::types::{Typed, typecheck, typecheck_formula};
use std::sync::Arc;

/// A machine in whose scope all external functions are declared.
fn machine_text() -> String {
    let definitions: Vec<String> = external::table()
        .map(|row| {
            let (args, result) = row.scheme.split_once("->").unwrap_or(("", row.scheme));
            let count = args.split(',').filter(|a| !a.trim().is_empty()).count();
            let names: Vec<String> = (1..=count).map(|i| format!("arg{i}")).collect();
            let names = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            let (kind, body) =
                if result.trim() == "pred" { ("PREDICATE", "1 = 1") } else { ("FUNCTION", "0") };
            format!("EXTERNAL_{kind}_{0} == INTEGER; {0}{names} == {body}", row.name)
        })
        .collect();
    format!("MACHINE Examples\nDEFINITIONS\n{}\nEND\n", definitions.join(";\n"))
}

struct Bench {
    sources: Sources,
    flat: Flat,
    evaluator: Evaluator,
}

impl Bench {
    fn new() -> Self {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("Examples.mch");
        std::fs::write(&path, machine_text()).expect("the machine can be written");
        let mut sources = Sources::default();
        let flat = resolve(&path, &mut sources).expect("the machine is resolved");
        let (machine, _) = typecheck(&flat, &sources).expect("the machine is typed");
        let world = World { maxint: 3, minint: -1, ..World::default() };
        Self { sources, flat, evaluator: Evaluator::new(Arc::new(machine), Arc::new(world)) }
    }

    fn typed(&mut self, text: &str) -> Result<Typed, String> {
        let file = self.sources.add("example", text);
        let (node, errors) = parse_formula(file, text);
        let node = node.filter(|_| errors.is_empty()).ok_or_else(|| format!("{errors:?}"))?;
        let node = resolve_formula(node, &self.flat).map_err(|e| format!("{e:?}"))?;
        typecheck_formula(&node, &self.flat).map_err(|e| format!("{e:?}"))
    }

    fn holds(&mut self, text: &str) -> Result<bool, String> {
        match self.typed(text)? {
            Typed::Expr(..) => Err("an expression".into()),
            Typed::Pred(p, frame) => {
                let mut env = Env::new(Arc::default(), Arc::default(), frame);
                self.evaluator.pred(&p, &mut env).map_err(|f| format!("{f:?}"))
            }
        }
    }

    fn equal(&mut self, left: &str, right: &str) -> Result<bool, String> {
        let predicate = matches!(self.typed(left), Ok(Typed::Pred(..)));
        self.holds(&if predicate { format!("bool({left}) = {right}") } else { format!("{left} = {right}") })
    }
}

#[test]
fn every_example_holds() {
    let mut bench = Bench::new();
    let mut bad = Vec::new();
    for OpDef { op, examples, .. } in TABLE {
        for (left, right) in *examples {
            match bench.equal(left, right) {
                Ok(true) => {}
                other => bad.push(format!("{op:?}: {left} = {right}: {other:?}")),
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn every_operator_has_an_example() {
    let without: Vec<_> = TABLE.iter().filter(|row| row.examples.is_empty()).map(|row| row.op).collect();
    assert!(without.is_empty(), "operators without an example: {without:?}");
}

#[test]
fn every_example_of_external_functions_holds() {
    let mut bench = Bench::new();
    let mut bad = Vec::new();
    for row in external::table() {
        if row.examples.is_empty() {
            bad.push(format!("{}: no example", row.name));
        }
        for (left, right) in row.examples {
            let left =
                if row.scheme.ends_with("pred") { format!("bool({left})") } else { (*left).to_owned() };
            match bench.equal(&left, right) {
                Ok(true) => {}
                other => bad.push(format!("{left} = {right}: {other:?}")),
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
