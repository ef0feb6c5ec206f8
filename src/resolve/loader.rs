//! Files: the main machine and what it refers to.
//!
//! In: paths and references. Out: machines as written, each file once, with the definitions it can use;
//! a diagnostic for what is missing or misnamed. Which machine plays which part is settled in `graph`.

use super::definitions::Definitions;
use super::definitions::machine::{self as expansion, Expanded};
use super::given::{self, Given};
use super::library;
use super::written::{Link, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Sources, Span, canonical};
use crate::syntax::ast::{ClauseKind, Definition, Ident, Machine, MachineKind, Name};
use crate::syntax::{parse_definitions, parse_machine};
use std::path::{Path, PathBuf};

/// Extensions of machine files in the order they are looked for.
const EXTENSIONS: &[&str] = &["ref", "mch", "sys", "imp"];

/// Definition files may include each other this deep.
const DEEPEST: usize = 100;

/// A machine that was read.
#[derive(Debug)]
pub(super) struct Unit {
    /// Its text as a tree, definitions expanded.
    pub(super) machine: Machine,
    /// The definitions it can use.
    pub(super) definitions: Definitions,
    /// What expansion found out.
    pub(super) expanded: Expanded,
    /// Its file.
    pub(super) path: PathBuf,
    /// Its text among those that are kept.
    text: usize,
}

/// Where definitions come from.
#[derive(Clone, Copy)]
struct Origin<'a> {
    path: &'a Path,
    library: bool,
    depth: usize,
    /// The text among those that are kept.
    text: usize,
}

/// All machines read so far.
#[derive(Debug)]
pub(super) struct Loader<'a> {
    sources: &'a mut Sources,
    pub(super) units: Vec<Unit>,
    pub(super) errors: Vec<Diagnostic>,
    /// What was read as it is written, if that is wanted.
    pub(super) texts: Option<Vec<Text>>,
    /// Definitions that count instead of those of machines.
    given: Vec<Given>,
}

impl<'a> Loader<'a> {
    pub(super) fn new(sources: &'a mut Sources) -> Self {
        Self { sources, units: Vec::new(), errors: Vec::new(), texts: None, given: Vec::new() }
    }

    /// Keeps a text as it is written; its number.
    fn keep(&mut self, file: FileId, path: &Path, machine: &Machine, of: Option<Origin<'_>>) -> usize {
        let Some(texts) = &mut self.texts else { return 0 };
        let owner = of.map(|of| texts.get(of.text).and_then(|t| t.owner).unwrap_or(of.text));
        let library = of.is_some_and(|of| of.library);
        let path = if library { path.to_owned() } else { canonical(path) };
        texts.push(Text { file, path, owner, library, machine: machine.clone(), links: Vec::new() });
        texts.len() - 1
    }

    fn link(&mut self, from: usize, span: Span, to: usize) {
        let text = self.texts.as_mut().and_then(|texts| texts.get_mut(from));
        text.into_iter().for_each(|text| text.links.push(Link { span, to }));
    }

    /// Notes that one machine refers to another.
    fn referred(&mut self, from: usize, name: &Ident, to: usize) {
        let text = |unit: usize| self.units.get(unit).map(|u| u.text);
        if let (Some(from), Some(to)) = (text(from), text(to)) {
            self.link(from, name.span, to);
        }
    }

    /// Reads the main machine; `None` if that failed (reported).
    pub(super) fn main(&mut self, path: &Path) -> Option<usize> {
        let read = self.sources.read(path);
        self.given = given::all(self.sources, &mut self.errors);
        match read {
            Ok(file) => self.unit(file, path.to_owned()),
            Err(e) => {
                let text = format!("cannot read `{}`: {e}", path.display());
                self.errors.push(Diagnostic::without_place(Code::FileUnreadable, text));
                None
            }
        }
    }

    /// The machine that unit `from` calls `name`, read now or before; `None` if that failed (reported).
    pub(super) fn refer(&mut self, from: usize, name: &Ident, file: Option<&Name>) -> Option<usize> {
        let (found, tried) = self.find(from, name, file)?;
        let Some(path) = found else {
            let text = format!("the machine `{}` was not found", name.name);
            let d = Diagnostic::error(Code::MachineNotFound, name.span, text).with_help(tried);
            self.errors.push(d);
            return None;
        };
        let known = canonical(&path);
        if let Some(at) = self.units.iter().position(|u| canonical(&u.path) == known) {
            self.referred(from, name, at);
            return Some(at);
        }
        let file = match self.sources.read(&path) {
            Ok(file) => file,
            Err(e) => {
                let text = format!("cannot read `{}`: {e}", path.display());
                self.errors.push(Diagnostic::error(Code::FileUnreadable, name.span, text));
                return None;
            }
        };
        let unit = self.unit(file, path)?;
        self.referred(from, name, unit);
        self.check_name(unit, name);
        Some(unit)
    }

    /// Where a machine is, and else where it was looked for.
    fn find(&self, from: usize, name: &Ident, file: Option<&Name>) -> Option<(Option<PathBuf>, String)> {
        let unit = self.units.get(from)?;
        let dir = unit.path.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(file) = file {
            let path = dir.join(&**file);
            return Some((
                self.sources.is_file(&path).then_some(path),
                format!("the pragma names the file `{file}`"),
            ));
        }
        let mut folders = vec![dir.clone()];
        if let Some(root) = package_root(&dir, unit.machine.package.as_deref()) {
            let imports = unit.machine.imports.iter();
            folders.extend(imports.map(|p| root.join(p.replace('.', std::path::MAIN_SEPARATOR_STR))));
            folders.push(root);
        }
        folders.extend(self.sources.folders.iter().cloned());
        let mut candidates = folders
            .iter()
            .flat_map(|folder| EXTENSIONS.iter().map(move |e| folder.join(format!("{}.{e}", name.name))));
        let found = candidates.find(|path| self.sources.is_file(path));
        let tried: Vec<String> = EXTENSIONS.iter().map(|e| format!("`{}.{e}`", name.name)).collect();
        Some((found, format!("looked for {} in {}", tried.join(", "), named(&folders))))
    }

    fn check_name(&mut self, unit: usize, name: &Ident) {
        let Some(unit) = self.units.get(unit) else { return };
        let found = &unit.machine.name;
        if unit.machine.kind == MachineKind::Definitions {
            let text = format!("`{}` is a definition file, not a machine", unit.path.display());
            self.errors.push(Diagnostic::error(Code::MachineNotFound, name.span, text));
        } else if found.name != name.name && !found.name.is_empty() {
            let text = format!("the file of `{}` holds a machine of another name", name.name);
            let d = Diagnostic::error(Code::MachineNotFound, name.span, text)
                .with_label("asked for here")
                .with_other(found.span, format!("this is `{}`", found.name));
            self.errors.push(d);
        }
    }

    /// Parses a machine, reads its definition files and expands it.
    fn unit(&mut self, file: FileId, path: PathBuf) -> Option<usize> {
        let text = self.sources.get(file)?.text.clone();
        let (machine, mut errors) = parse_machine(file, &text);
        self.errors.append(&mut errors);
        let mut machine = machine?;
        let text = self.keep(file, &path, &machine, None);
        let mut definitions = Definitions::default();
        let mut files: Vec<PathBuf> = Vec::new();
        let from = Origin { path: &path, library: false, depth: 0, text };
        self.definitions(&machine, from, &mut definitions, &mut files);
        self.given.iter_mut().for_each(|given| given.put_into(&mut definitions));
        let expanded = expansion::machine(&mut machine, &definitions, &mut self.errors);
        self.units.push(Unit { machine, definitions, expanded, path, text });
        Some(self.units.len() - 1)
    }

    /// Collects definitions, those of definition files included; each file counts once.
    fn definitions(
        &mut self,
        machine: &Machine,
        from: Origin<'_>,
        into: &mut Definitions,
        files: &mut Vec<PathBuf>,
    ) {
        for clause in &machine.clauses {
            let ClauseKind::Definitions(definitions) = &clause.kind else { continue };
            for definition in definitions {
                match definition {
                    Definition::Body { .. } => into.add(definition, from.library, &mut self.errors),
                    Definition::File(name, span) if from.depth < DEEPEST => {
                        self.definition_file(name, *span, from, into, files);
                    }
                    Definition::File(name, span) => {
                        let text = format!("definition files include each other too deeply at `{name}`");
                        self.errors.push(Diagnostic::error(Code::DefinitionCycle, *span, text));
                    }
                }
            }
        }
    }

    fn definition_file(
        &mut self,
        name: &Name,
        span: Span,
        from: Origin<'_>,
        into: &mut Definitions,
        files: &mut Vec<PathBuf>,
    ) {
        let folders: Vec<PathBuf> = std::iter::once(from.path.parent().unwrap_or(Path::new("")).to_owned())
            .chain(self.sources.folders.iter().cloned())
            .collect();
        let found = folders.iter().map(|folder| folder.join(&**name)).find(|path| self.sources.is_file(path));
        let on_disk = found.is_some();
        let beside = found.unwrap_or_default();
        let path = if on_disk { canonical(&beside) } else { PathBuf::from(&**name) };
        if files.contains(&path) {
            return;
        }
        files.push(path);
        let file = if on_disk { self.sources.read(&beside).ok() } else { self.library_file(name) };
        let text = file.and_then(|id| self.sources.get(id)).map(|f| f.text.clone());
        let (Some(file), Some(text)) = (file, text) else {
            let message = format!("the definition file `{name}` was not found");
            let help = format!("it is neither in {} nor in the standard library of bsym", named(&folders));
            let d = Diagnostic::error(Code::MachineNotFound, span, message).with_help(help);
            self.errors.push(d);
            return;
        };
        let (mut machine, mut errors) = parse_definitions(file, &text);
        if !errors.is_empty()
            && let (Some(whole), other) = parse_machine(file, &text)
            && whole.kind != MachineKind::Definitions
        {
            // A machine gives its definitions, and nothing else of it counts.
            (machine, errors) = (Some(whole), other);
        }
        self.errors.append(&mut errors);
        if let Some(machine) = machine {
            let of = Origin { library: !on_disk, ..from };
            let kept =
                self.keep(file, if on_disk { &beside } else { Path::new(&**name) }, &machine, Some(of));
            self.link(from.text, span, kept);
            let from = Origin { path: &beside, library: !on_disk, depth: from.depth + 1, text: kept };
            self.definitions(&machine, from, into, files);
        }
    }

    /// Mistakes: definitions that count instead of one that no machine has.
    pub(super) fn unused(&self, units: &[Unit]) -> Vec<Diagnostic> {
        let names: Vec<&str> = units.iter().flat_map(|u| u.definitions.names()).collect();
        self.given.iter().filter_map(|given| given.unused(&names)).collect()
    }

    fn library_file(&mut self, name: &str) -> Option<FileId> {
        let text = library::text(name)?;
        Some(self.sources.add(format!("{name} (standard library)"), text))
    }
}

/// Folders as a message names them.
fn named(folders: &[PathBuf]) -> String {
    let name = |f: &PathBuf| if f.as_os_str().is_empty() { ".".to_owned() } else { f.display().to_string() };
    let names: Vec<String> = folders.iter().map(|f| format!("`{}`", name(f))).collect();
    names.join(", ")
}

/// The folder that holds package `a.b` if `dir` is its folder `a/b`.
fn package_root(dir: &Path, package: Option<&str>) -> Option<PathBuf> {
    let mut root = dir.canonicalize().ok()?;
    for part in package?.split('.').rev() {
        if root.file_name()?.to_str()? != part {
            return None;
        }
        root.pop();
    }
    Some(root)
}
