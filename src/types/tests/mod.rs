//! Tests of the room: what types, what does not and where that is shown, and what comes out as IR.
//!
//! Machines are written here as text and read the way a user's are, from files in a folder of their own.

mod lowered;
mod refused;
mod typed;

use super::{Typed, typecheck, typecheck_formula};
use crate::diagnostic::Diagnostic;
use crate::ir::Machine;
use crate::resolve::{Flat, resolve, resolve_formula};
use crate::source::Sources;
use crate::syntax::parse_formula;
use std::sync::atomic::{AtomicU32, Ordering};

/// Reads a machine called `M` up to resolving.
fn flat(text: &str, sources: &mut Sources) -> Result<Flat, Vec<Diagnostic>> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("bsym-types-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("the temporary folder is writable");
    let path = dir.join("M.mch");
    std::fs::write(&path, text).expect("the temporary folder is writable");
    let flat = resolve(&path, sources);
    std::fs::remove_dir_all(&dir).ok();
    flat
}

/// Reads and types a machine called `M`.
fn check(text: &str, sources: &mut Sources) -> Result<(Machine, Vec<Diagnostic>), Vec<Diagnostic>> {
    typecheck(&flat(text, sources)?, sources)
}

/// A machine that types.
fn machine(text: &str) -> Machine {
    let mut sources = Sources::default();
    match check(text, &mut sources) {
        Ok((machine, _)) => machine,
        Err(errors) => panic!("{}", shown(&errors, &sources)),
    }
}

/// Diagnostics as text, for the messages of failing tests.
fn shown(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    use crate::diagnostic::render::render;
    diagnostics.iter().map(|d| render(d, sources, false)).collect::<Vec<_>>().join("\n\n")
}

/// A formula typed in the scope of a machine.
fn formula(machine: &str, text: &str) -> Result<Typed, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let flat = flat(machine, &mut sources)?;
    let file = sources.add("formula", text);
    let (node, errors) = parse_formula(file, text);
    let node = node.ok_or(errors)?;
    typecheck_formula(&resolve_formula(node, &flat)?, &flat)
}
