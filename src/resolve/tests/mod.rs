//! Tests of the room on small machines in temporary folders.

mod composition;
mod definitions;
mod errors;
mod many;
mod special;

use super::{Flat, resolve};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Sources;
use crate::syntax::ast::Node;
use crate::syntax::print;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

static FOLDERS: AtomicUsize = AtomicUsize::new(0);

/// A folder of machine files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("bsym-resolve-{}-{number}", std::process::id()));
        for (name, text) in files {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder");
            std::fs::write(path, text).expect("file");
        }
        Self(dir)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Resolves the first of the files.
fn run(files: &[(&str, &str)]) -> (Result<Flat, Vec<Diagnostic>>, Sources) {
    let folder = Folder::new(files);
    let mut sources = Sources::default();
    let main = files.first().map_or("", |(name, _)| name);
    let result = resolve(&folder.0.join(main), &mut sources);
    (result, sources)
}

/// The flat machine of files without mistakes.
fn flat(files: &[(&str, &str)]) -> Flat {
    let (result, sources) = run(files);
    result.unwrap_or_else(|errors| {
        let texts: Vec<String> =
            errors.iter().map(|d| crate::diagnostic::render::render(d, &sources, false)).collect();
        panic!("{}", texts.join("\n"))
    })
}

/// Codes, underlined texts and messages of the mistakes.
fn mistakes(files: &[(&str, &str)]) -> Vec<(Code, String, String)> {
    let (result, sources) = run(files);
    let text = |d: &Diagnostic| d.span.map_or(String::new(), |s| sources.text(s).to_owned());
    result
        .map(drop)
        .expect_err("there are mistakes")
        .iter()
        .map(|d| (d.code, text(d), d.message.clone()))
        .collect()
}

/// The only mistake: its code and the underlined text.
fn mistake(files: &[(&str, &str)]) -> (Code, String) {
    let mut all = mistakes(files);
    assert_eq!(all.len(), 1, "{all:?}");
    let (code, text, _) = all.remove(0);
    (code, text)
}

/// A formula with the names of its entities in angle brackets.
fn shown(flat: &Flat, node: &Node) -> String {
    print::formula_with(node, &|e| format!("<{}>", flat.name_of(e)))
}

/// PROPERTIES of a machine with one constant `c` and the given definitions, resolved.
fn property(definitions: &str, p: &str) -> String {
    let text = format!(
        "MACHINE M\nSETS S={{s1,s2}}; T\nDEFINITIONS {definitions}\nCONSTANTS c,d\nPROPERTIES {p}\nEND\n"
    );
    let flat = flat(&[("M.mch", &text)]);
    shown(&flat, &flat.properties[0])
}

/// Names of the operations, those offered with a star.
fn operations(flat: &Flat) -> Vec<String> {
    let star = |offered: bool| if offered { "*" } else { "" };
    flat.operations.iter().map(|o| format!("{}{}", o.name.name, star(o.offered))).collect()
}

fn names<'a>(idents: impl Iterator<Item = &'a crate::syntax::ast::Ident>) -> Vec<String> {
    idents.map(|i| i.name.to_string()).collect()
}
