//! Machine files, changed: read, resolved, typed and explored by the library.
//!
//! In: the files under `machines/`, numbers from a seed. Out: a text in the place of one of these files, and how far it came. Bytes that are no UTF-8
//! are read from a file; all other texts count as if an editor had the file open. What the command line does around this is left to `commands`.

use super::explore::{Way, explored};
use super::mutate::{Corpus, mutate};
use super::random::Random;
use super::{Input, Subject, Tried, root, scratch};
use bsym::diagnostic::{Diagnostic, Severity, render};
use bsym::explore::Stop;
use bsym::explore::limits::{Limits, Watch};
use bsym::refine::Plan;
use bsym::resolve::flat::Notion;
use bsym::resolve::{resolve, resolve_joint};
use bsym::source::{Sources, canonical};
use bsym::syntax::{parse_machine_in_full, print};
use bsym::types::typecheck;
use bsym::{flow, ir};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest exploration.
pub(crate) const LIMIT: Duration = Duration::from_millis(200);

/// Most memory in use.
const MEMORY: u64 = 1 << 30;

/// Larger files are seldom what is changed.
const LARGE: usize = 8000;

/// Longer texts are not printed as they were read: nobody reads that.
const PRINTED: usize = 1 << 16;

/// The files that are changed.
pub(crate) struct Machines {
    paths: Vec<PathBuf>,
    pub(crate) corpus: Corpus,
}

/// All files below a folder with one of some endings, in order.
pub(crate) fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| endings.iter().any(|wanted| e == *wanted)) {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

impl Machines {
    pub(crate) fn new() -> Self {
        let paths = files(&root().join("machines"), &["mch", "ref", "imp", "def"]);
        let texts = paths.iter().map(|p| std::fs::read(p).unwrap_or_default()).collect();
        Self { paths, corpus: Corpus::of(texts) }
    }

    /// A changed text and the number of the file that it stands for.
    pub(crate) fn changed(&self, r: &mut Random) -> (usize, Vec<u8>) {
        let mut of = r.below(self.paths.len());
        if self.corpus.texts.get(of).is_some_and(|t| t.len() > LARGE) && !r.once_in(4) {
            of = r.below(self.paths.len());
        }
        let mut text = self.corpus.texts.get(of).cloned().unwrap_or_default();
        mutate(&mut text, r, &self.corpus);
        (of, text)
    }
}

impl Subject for Machines {
    fn make(&mut self, r: &mut Random) -> Input {
        let (of, text) = self.changed(r);
        Input { of, text, choice: r.next() }
    }

    fn file(&self, input: &Input) -> PathBuf {
        self.paths.get(input.of).cloned().unwrap_or_default()
    }

    fn run(&mut self, input: &Input) -> Tried {
        let mut r = Random::salted(input.choice, 0);
        let way = Way::drawn(&mut r);
        let path = self.file(input);
        let mut sources = Sources::default();
        let path = if let Ok(text) = std::str::from_utf8(&input.text) {
            sources.open.insert(canonical(&path), text.into());
            path
        } else {
            sources.folders.extend(path.parent().map(Path::to_owned));
            let copy = scratch().join(path.file_name().unwrap_or_default());
            if std::fs::write(&copy, &input.text).is_err() {
                return Tried::came("not written");
            }
            copy
        };
        if input.text.len() < PRINTED && r.once_in(4) {
            printed(&mut sources, &path);
        }
        Tried::came(match through(&path, &mut sources, way) {
            Ok(None) => "explored whole",
            Ok(Some(Stop::Violation)) => "explored to a violation",
            Ok(Some(Stop::States | Stop::Depth | Stop::Bounds)) => "explored in part",
            Ok(Some(_)) => "explored to the limit of time",
            Err(why) => why,
        })
    }
}

/// Reads a text and prints what was read.
fn printed(sources: &mut Sources, path: &Path) {
    let Ok(file) = sources.read(path) else { return };
    let text = sources.get(file).map(|f| std::sync::Arc::clone(&f.text)).unwrap_or_default();
    if let (Some(machine), _) = parse_machine_in_full(file, &text) {
        let _text = print::machine(&machine);
    }
}

/// Messages as they are shown.
fn shown(list: &[Diagnostic], sources: &Sources) {
    for d in list {
        let _text = render::render(d, sources, true);
    }
}

/// The way of a machine through all rooms.
fn through(path: &Path, sources: &mut Sources, way: Way) -> Result<Option<Stop>, &'static str> {
    let notion = way.notion.filter(|_| path.extension().is_some_and(|e| e != "mch"));
    let flat = read(path, sources, notion).map_err(|errors| {
        shown(&errors, sources);
        "refused before types"
    })?;
    let (mut machine, notes) = typecheck(&flat, sources).map_err(|errors| {
        shown(&errors, sources);
        "refused by types"
    })?;
    shown(&notes, sources);
    let more = flow::check(&machine);
    shown(&more, sources);
    if more.iter().any(|d| d.severity == Severity::Error) {
        return Err("refused by flow");
    }
    let _text = ir::dump::machine(&machine);
    let plan = flat.joint.as_ref().map(|joint| Plan::new(&mut machine, joint));
    let limits =
        Limits { deadline: Instant::now().checked_add(LIMIT), memory: Some(MEMORY), address_space: None };
    let watch = Watch::start(limits);
    explored(machine, plan.as_ref(), way, sources, &watch)
}

fn read(
    path: &Path,
    sources: &mut Sources,
    notion: Option<Notion>,
) -> Result<bsym::resolve::Flat, Vec<Diagnostic>> {
    match notion {
        Some(notion) => resolve_joint(path, sources, notion),
        None => resolve(path, sources),
    }
}
