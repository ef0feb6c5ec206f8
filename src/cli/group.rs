//! `bsym show --stage group`: what the constants leave of the permutations of elements.
//!
//! In: a machine with sizes. Out: for each valuation of the constants, one of those that are images of each other, the
//! order of its stabiliser, its structure, generators in the machine's own names, and what `exact` makes of it.

use super::args::ShowArgs;
use super::load::{self, Loaded};
use super::setup::Setup;
use crate::diagnostic::Diagnostic;
use crate::model::System;
use crate::model::constants::Mode;
use crate::ops::{Interrupt, World};
use crate::source::Sources;
use crate::symmetry::stabiliser::{self, Stabiliser};
use crate::symmetry::{Count, MarkerHash};
use crate::ty::{SetId, Ty};
use crate::value::Value;
use std::fmt::Write as _;

/// Valuations shown at most.
const SHOWN: usize = 20;

/// The text.
pub(super) fn text(
    args: &ShowArgs,
    sources: &mut Sources,
    interrupt: Interrupt,
) -> Result<String, Vec<Diagnostic>> {
    let Loaded { machine, .. } = load::load(&args.file, sources)?;
    let asked = args.world.asked().map_err(|e| vec![e])?;
    let setup = Setup::new(machine, &asked, Mode::Orbits, interrupt).map_err(|e| vec![e])?;
    let system = setup.plain();
    let context = setup.context(&system, MarkerHash::default());
    let (mut found, mut more) = (Vec::new(), false);
    let end = system.valuations(&mut |v| {
        more = found.len() == SHOWN;
        if !more {
            found.push(v);
        }
        !more
    });
    let mut out = format!("permutations of elements: {}\n", setup.detection.group.order());
    for (n, &valuation) in (1..).zip(&found) {
        let has_constants = !setup.machine.constants.is_empty();
        let of =
            if has_constants { format!("valuation {n} of the constants") } else { "no constants".to_owned() };
        match stabiliser::of(&context, valuation) {
            Some(s) => {
                let _ =
                    writeln!(out, "\n{of}: {} of them {} it as it is{}", s.order, keep(&s.order), kind(&s));
                let _ = writeln!(out, "  {}", s.keys);
                s.generators.iter().for_each(|g| {
                    let _ = writeln!(out, "  {}", cycles(g, &setup.evaluator.world));
                });
            }
            None => {
                let _ = writeln!(out, "\n{of}: two hashes collide, so nothing is known");
            }
        }
    }
    if more {
        let _ = writeln!(out, "\nfurther valuations are not shown");
    }
    match end {
        Err(fault) => {
            let _ = writeln!(out, "\nthere may be further valuations: {}", fault.0.message);
        }
        Ok(()) if found.is_empty() => out.push_str("\nPROPERTIES have no solution\n"),
        Ok(()) => {}
    }
    Ok(out)
}

fn keep(order: &Count) -> &'static str {
    if *order == Count::ONE { "leaves" } else { "leave" }
}

fn kind(s: &Stabiliser) -> String {
    match &s.structure {
        _ if s.order == Count::ONE => String::new(),
        Some(structure) => format!(": {structure}"),
        None => {
            format!(" (its structure is not looked for, since more than {} elements move)", stabiliser::MOST)
        }
    }
}

/// A permutation as cycles of names.
fn cycles(cycles: &[Vec<(SetId, u32)>], world: &World) -> String {
    let name = |&(set, e): &(SetId, u32)| Value::Elem(set, e).show(&Ty::Given(set), world);
    let cycle = |c: &Vec<(SetId, u32)>| format!("({})", c.iter().map(name).collect::<Vec<_>>().join(" "));
    cycles.iter().map(cycle).collect()
}
