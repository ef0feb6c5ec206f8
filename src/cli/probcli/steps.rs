//! From what a command line of `probcli` asks for to commands of bsym.
//!
//! In: [`Wanted`]. Out: [`Step`]s, each a command line of bsym, in the order in which they run: the check first, so that files and formulas
//! may speak of what it has found.

use super::wanted::{Graph, Part, Wanted, wrong};
use crate::diagnostic::Diagnostic;
use crate::report::graph::FORMATS;
use crate::report::traces;
use std::path::Path;

/// What a command is for, as far as what is said of it differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The machine is checked.
    ModelCheck,
    /// Assertions or formulas alone are.
    Questions,
    /// Steps by chance.
    Walk,
    /// A trace is replayed.
    Replay,
    /// Anything else.
    Other,
}

/// A command.
pub(super) struct Step {
    /// What it is for.
    pub kind: Kind,
    /// Its words, behind `bsym`.
    pub words: Vec<String>,
}

impl Step {
    /// As it would be typed.
    pub(super) fn text(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|w| quoted(w)).collect();
        format!("bsym {}", words.join(" "))
    }
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./=:,-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The commands.
///
/// # Errors
/// There is no machine, or a file cannot be written in the format that its name stands for.
pub(super) fn of(wanted: &Wanted) -> Result<Vec<Step>, Diagnostic> {
    let Some(file) = &wanted.file else {
        let text = "no machine is named";
        return Err(
            wrong(text).with_help("`bsym probcli M.mch -mc 1000`; `bsym probcli -help` lists the switches")
        );
    };
    if Path::new(file).is_dir() {
        return Err(wrong(format!("`{file}` is a folder")).with_help("`bsym check` takes folders"));
    }
    let mut out = Vec::new();
    let step = |kind, command: &str, more: Vec<String>| Step {
        kind,
        words: [vec![command.to_owned(), file.clone()], more].concat(),
    };
    let common = || wanted.world.iter().chain(&wanted.timeout).cloned();
    let init = wanted.init || wanted.state.is_some();
    if wanted.is_checked() {
        let kind = if wanted.model_check { Kind::ModelCheck } else { Kind::Questions };
        out.push(step(kind, "check", check(wanted).into_iter().chain(common()).collect()));
    }
    if let Some(steps) = &wanted.walk {
        if let Some(path) = wanted.history.as_ref().filter(|f| is_trace(f) && !wanted.is_checked()) {
            let text = format!("`-his {path}`: the history of steps by chance is written as text");
            return Err(wrong(text).with_help("name a file such as `history.txt`"));
        }
        let words =
            ["--walks=1".to_owned(), format!("--steps={steps}")].into_iter().chain(without_deadlock(wanted));
        out.push(step(Kind::Walk, "simulate", words.chain(common()).collect()));
    }
    if wanted.refines.is_some() {
        let strategy = wanted.symmetry.iter().map(|s| format!("--symmetry={s}"));
        let words = std::iter::once("--against=traces".to_owned()).chain(strategy);
        out.push(step(
            Kind::ModelCheck,
            "refine",
            words.chain(wanted.checks.clone()).chain(common()).collect(),
        ));
    }
    for graph in &wanted.graphs {
        out.push(step(Kind::Other, "graph", drawn(wanted, graph)?.into_iter().chain(common()).collect()));
    }
    for trace in &wanted.replays {
        let beside = || Path::new(file).with_extension("prob2trace").display().to_string();
        let words = std::iter::once(trace.clone().unwrap_or_else(beside));
        out.push(step(Kind::Replay, "trace", words.chain(common()).collect()));
    }
    for formula in &wanted.evals {
        // Behind the options: a formula may begin with a minus sign.
        let words = common().chain(["--".to_owned(), formula.clone()]);
        out.push(step(Kind::Other, "eval", words.collect()));
    }
    if init && out.is_empty() {
        let words = ["--walks=1", "--steps=0", "--no-deadlock"].map(str::to_owned).into_iter();
        out.push(step(Kind::Walk, "simulate", words.chain(common()).collect()));
    }
    if wanted.repl {
        out.push(step(Kind::Other, "repl", wanted.world.clone()));
    }
    if out.is_empty() {
        out.push(step(Kind::Other, "info", wanted.world.clone()));
    }
    Ok(out)
}

fn without_deadlock(wanted: &Wanted) -> Option<String> {
    (wanted.to_the_end || wanted.without.contains(&Part::Deadlock)).then(|| "--no-deadlock".to_owned())
}

/// The options of the check.
fn check(wanted: &Wanted) -> Vec<String> {
    let all = wanted.model_check;
    let kept = |part: Part| {
        let asked = match part {
            Part::Assertions => all || wanted.assertions,
            // Both are asked for by a switch of their own, too.
            Part::Formulas => return wanted.stated || all && !wanted.without.contains(&part),
            _ => all,
        };
        asked && !wanted.without.contains(&part)
    };
    let parts = [
        (Part::Deadlock, "--no-deadlock"),
        (Part::Invariant, "--no-invariant"),
        (Part::Assertions, "--no-assertions"),
        (Part::Goal, "--no-goal"),
        (Part::Formulas, "--no-formulas"),
    ];
    let mut out: Vec<String> =
        parts.into_iter().filter(|(part, _)| !kept(*part)).map(|(_, option)| option.to_owned()).collect();
    if !all {
        out.push("--no-refinement".to_owned());
    }
    let goal = wanted.goal.iter().filter(|_| kept(Part::Goal)).map(|p| format!("--goal={p}"));
    let most = wanted.most.iter().chain(wanted.most_for_formulas.iter().filter(|_| wanted.most.is_none()));
    let strategy = wanted.symmetry.iter().map(|s| format!("--symmetry={s}"));
    out.extend(goal.chain(most.map(|n| format!("--max-states={n}"))).chain(strategy));
    out.extend(wanted.formulas.iter().chain(&wanted.checks).cloned());
    let trace = wanted.history.iter().filter(|f| is_trace(f)).map(|f| format!("--trace-out={f}"));
    out.extend(trace);
    out
}

/// Whether a file is of one of bsym's own formats of traces.
pub(super) fn is_trace(file: &str) -> bool {
    traces::find(file).is_some_and(|f| f.write.is_some())
}

/// Endings of pictures that Graphviz makes.
const PICTURES: [&str; 4] = ["pdf", "png", "ps", "jpg"];

/// The options for a graph. It is the whole one, unless something else is asked for: it is there to be looked at.
fn drawn(wanted: &Wanted, graph: &Graph) -> Result<Vec<String>, Diagnostic> {
    let ending = Path::new(&graph.file).extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let ending = ending.unwrap_or_default();
    if PICTURES.contains(&ending.as_str()) {
        let text = format!("`{}`: bsym makes no pictures of this kind", graph.file);
        return Err(wrong(text).with_help("write to a `.svg`, or to a `.dot` for Graphviz"));
    }
    let strategy = wanted.symmetry.as_deref().unwrap_or("off");
    let mut out = vec![format!("--symmetry={strategy}"), format!("--out={}", graph.file)];
    if FORMATS.iter().all(|f| f.name != ending) {
        out.push("--format=dot".to_owned());
    }
    out.extend(graph.project.iter().map(|e| format!("--project={e}")));
    Ok(out)
}
