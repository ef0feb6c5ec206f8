//! `bsym info`: what a machine is made of.
//!
//! In: a machine and sizes. Out: what `report::info` makes of it: sets with their sizes and what of them is permuted,
//! types, operations with what they read and change, how much is checked.

use super::args::InfoArgs;
use super::exit::Exit;
use super::load::{self, Loaded};
use super::out;
use crate::compile::{reads, writes};
use crate::diagnostic::Diagnostic;
use crate::ir::{Decl, Local, Machine};
use crate::model::card::{self, Sizes};
use crate::ops::Interrupt;
use crate::report::SetSize;
use crate::report::info::{FORMATS, Info, Operation, Set, Typed};
use crate::resolve::Flat;
use crate::source::Sources;
use crate::symmetry::{Detection, explain};
use std::collections::BTreeSet;

/// Runs the command.
pub(super) fn run(args: &InfoArgs) -> Exit {
    let mut sources = args.places.sources();
    match info(args, &mut sources) {
        Ok(info) => match FORMATS.iter().find(|f| f.name == args.format) {
            Some(format) => out::print(&(format.write)(&info), Exit::Fine),
            None => Exit::Fine,
        },
        Err(errors) => {
            load::print(&errors, &sources);
            Exit::Refused
        }
    }
}

fn info(args: &InfoArgs, sources: &mut Sources) -> Result<Info, Vec<Diagnostic>> {
    let Loaded { machine, flat, notes } = load::load(&args.file, sources)?;
    load::print(&notes, sources);
    let asked = args.world.asked().map_err(|e| vec![e])?;
    let sizes = card::sizes(&machine, &asked).map_err(|e| vec![e])?;
    let decls = |all: &[Decl]| -> Vec<Typed> {
        all.iter().map(|d| Typed { name: d.name.to_string(), ty: d.ty.show(&machine).to_string() }).collect()
    };
    Ok(Info {
        name: machine.name.to_string(),
        file: args.file.display().to_string(),
        files: sources.files().map(|f| f.path.display().to_string()).collect(),
        refines: flat.levels.iter().map(|l| l.refined.name.to_string()).collect(),
        sets: sets(&machine, &sizes, sources),
        integers: [(sizes.minint, sizes.origin_of_minint), (sizes.maxint, sizes.origin_of_maxint)],
        constants: decls(&machine.constants),
        variables: decls(&machine.variables),
        operations: machine.operations.iter().map(|o| operation(o, &machine)).collect(),
        properties: properties(&machine, &flat),
    })
}

fn sets(machine: &Machine, sizes: &Sizes, sources: &Sources) -> Vec<Set> {
    let world = card::world(machine, sizes, Interrupt::default());
    let detection = Detection::with(machine, &world, None);
    let lines = explain::lines(&detection, machine, &world);
    let one =
        |((set, line), (size, origin)): ((&crate::ir::GivenSet, &explain::Line), &(u32, card::Origin))| {
            let place = line.at.and_then(|span| crate::report::Location::of(span, sources));
            let place = place.map(|l| format!("{}:{}:{}", l.file, l.line, l.column));
            let size = SetSize::new(&set.name, *size, *origin);
            let names = |all: &Vec<std::sync::Arc<str>>| all.iter().map(ToString::to_string).collect();
            Set { size, elements: set.elements.as_ref().map(names), symmetry: line.text(place.as_deref()) }
        };
    machine.sets.iter().zip(&lines).zip(&sizes.sizes).map(one).collect()
}

fn operation(o: &crate::ir::Operation, machine: &Machine) -> Operation {
    let locals = |all: &[Local]| -> Vec<Typed> {
        all.iter().map(|l| Typed { name: l.name.to_string(), ty: l.ty.show(machine).to_string() }).collect()
    };
    let body = o.offered.as_ref().unwrap_or(&o.called);
    let names = |of: BTreeSet<usize>| -> Vec<String> {
        of.into_iter().filter_map(|v| machine.variables.get(v)).map(|d| d.name.to_string()).collect()
    };
    Operation {
        name: o.name.to_string(),
        parameters: locals(&o.params),
        results: locals(&o.results),
        offered: o.offered.is_some(),
        reads: names(reads(body, machine)),
        writes: names(writes(body, machine)),
    }
}

fn properties(machine: &Machine, flat: &Flat) -> Vec<(&'static str, usize)> {
    vec![
        ("conjuncts of PROPERTIES", machine.properties.len()),
        ("conjuncts of INVARIANT", machine.invariants.len()),
        ("assertions", machine.assertions.len()),
        ("goal", usize::from(machine.goal.is_some())),
        ("scope", usize::from(machine.scope.is_some())),
        ("temporal formulas", flat.temporal.len()),
    ]
}
