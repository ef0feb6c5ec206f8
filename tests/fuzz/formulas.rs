//! Temporal formulas, changed: read, lowered and decided by the library.
//!
//! In: the formulas that machines under `machines/` state or expect something of, numbers from a seed. Out: a formula about one of a few machines, and how far it
//! came. It is what `cli/temporal` does, with one graph for each formula; names are bound to values that do not depend on the state.

use super::machines::LIMIT;
use super::mutate::{Corpus, mutate};
use super::random::Random;
use super::{Input, Subject, Tried, root};
use bsym::compile::{Compiled, fitted};
use bsym::diagnostic::{Diagnostic, render};
use bsym::eval::{Env, Evaluator};
use bsym::explore::limits::{Limits as Bounds, Watch};
use bsym::ir::{Expr, Machine};
use bsym::model::card::{self, Asked};
use bsym::model::constants::{Mode, Table};
use bsym::resolve::{Flat, resolve};
use bsym::source::Sources;
use bsym::symmetry::{self, Context, Valuations};
use bsym::syntax::ast::{Node, NodeKind};
use bsym::temporal::ast::Form;
use bsym::temporal::atoms::Atoms;
use bsym::temporal::lower::{Lower, Offered, Question, Refused};
use bsym::temporal::quantified::{Bound, Candidates, Place, Row, parts, spelled};
use bsym::temporal::record::{Limits, Reducers, record};
use bsym::temporal::text::Text;
use bsym::temporal::unwind::unwind;
use bsym::temporal::{Answer, Automaton, Problem, ctl, find, look, show, variants};
use bsym::ty::Ty;
use bsym::types::{Typed, typecheck, typecheck_formula};
use bsym::value::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The machines that formulas are about.
const ABOUT: [&str; 6] = ["Baton", "Elevator", "Ends", "Peterson", "Scheduler", "TokenRing"];

/// Most states of a graph.
const STATES: u64 = 400;

/// Most values of names that are bound.
const VALUES: usize = 4;

/// Longer automata are not written.
const WRITTEN: usize = 200;

/// A machine that formulas are about.
struct About {
    path: PathBuf,
    flat: Flat,
    operations: Vec<Offered>,
    /// Its texts, of which each formula needs its own list.
    text: String,
}

/// What is changed.
pub(crate) struct Formulas {
    about: Vec<About>,
    /// Formulas, all of them and by machine.
    corpus: Corpus,
    own: Vec<Vec<Vec<u8>>>,
}

/// The formulas that a machine states or expects something of.
fn formulas_in(text: &str) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    for line in text.lines().filter(|l| l.contains("ASSERT_") || l.contains("tl=\"")) {
        out.extend(line.split('"').skip(1).step_by(2).map(|f| f.as_bytes().to_vec()));
    }
    out
}

impl Formulas {
    pub(crate) fn new() -> Self {
        let mut all = Vec::new();
        for path in super::machines::files(&root().join("machines"), &["mch"]) {
            all.extend(formulas_in(&std::fs::read_to_string(path).unwrap_or_default()));
        }
        let about: Vec<About> = ABOUT.iter().map(|name| about(name)).collect();
        let own = about.iter().map(|a| formulas_in(&a.text)).collect();
        Self { about, corpus: Corpus::of(all), own }
    }
}

fn about(name: &str) -> About {
    let path = root().join("machines/temporal").join(format!("{name}.mch"));
    let mut sources = Sources::default();
    let text = std::fs::read_to_string(&path).expect("the machine is there");
    let flat = resolve(&path, &mut sources).expect("the machine is one");
    let (machine, _) = typecheck(&flat, &sources).expect("the machine is well typed");
    let offered = machine.operations.iter().filter(|o| o.offered.is_some());
    let operations =
        offered.map(|o| Offered { name: o.name.to_string(), parameters: o.params.len() }).collect();
    About { path, flat, operations, text }
}

impl Subject for Formulas {
    fn make(&mut self, r: &mut Random) -> Input {
        let of = r.below(self.about.len());
        let own = self.own.get(of).filter(|own| !own.is_empty() && !r.once_in(6));
        let mut text = r.pick(own.unwrap_or(&self.corpus.texts)).cloned().unwrap_or_default();
        mutate(&mut text, r, &self.corpus);
        Input { of, text, choice: r.next() }
    }

    fn file(&self, _: &Input) -> PathBuf {
        PathBuf::from("formula.ltl")
    }

    fn about(&self, input: &Input) -> Option<PathBuf> {
        self.about.get(input.of).map(|a| a.path.clone())
    }

    fn run(&mut self, input: &Input) -> Tried {
        let Some(about) = self.about.get(input.of) else { return Tried::came("no machine") };
        // On the command line a formula that is no text is refused by the reader of options.
        let text = String::from_utf8_lossy(&input.text);
        let mut sources = Sources::default();
        sources.add(about.path.clone(), about.text.as_str());
        let branching = input.choice.is_multiple_of(4);
        let text = Text::of_option("--ltl", branching, &text, &mut sources);
        let limits = Bounds { deadline: Instant::now().checked_add(LIMIT), ..Bounds::default() };
        let watch = Watch::start(limits);
        Tried::came(match decided(about, &text, &sources, &watch) {
            Ok(what) => what,
            Err(errors) => {
                errors.iter().for_each(|d: &Diagnostic| {
                    let _text = render::render(d, &sources, false);
                });
                "refused"
            }
        })
    }
}

impl About {
    fn lower<'l>(
        &'l self,
        text: &'l Text,
        atoms: &'l mut Atoms,
        bound: Vec<Bound>,
        candidates: Option<&'l mut Candidates<'l>>,
    ) -> Lower<'l> {
        let (flat, operations) = (&self.flat, &self.operations);
        Lower { candidates, bound, ..Lower::new(flat, operations, atoms, text) }
    }

    /// The values of bound names, from a set that does not depend on the state.
    fn rows(&self, node: &Node, sources: &Sources, watch: &Watch) -> Result<Vec<Row>, Refused> {
        let Typed::Expr(e, frame) = typecheck_formula(node, &self.flat)? else { return Ok(Vec::new()) };
        let (machine, _) = typecheck(&self.flat, sources)?;
        let Ok(sizes) = card::sizes(&machine, &Asked::default()) else { return Ok(Vec::new()) };
        let world = Arc::new(card::world(&machine, &sizes, watch.interrupt.clone()));
        let evaluator = Evaluator::new(Arc::new(machine), world);
        let mut env = Env::new(Arc::default(), Arc::default(), frame);
        let (Ok(Value::Set(set)), Ty::Pow(of)) = (evaluator.expr(&e, &mut env), &e.ty) else {
            return Ok(Vec::new());
        };
        let NodeKind::Compr(names, _) = innermost(node) else { return Ok(Vec::new()) };
        let row = |v: &Value| -> Option<Row> {
            let parts = parts(v.clone(), (**of).clone(), names.len());
            parts.iter().map(|(v, ty)| Some((spelled(v, ty, node)?, v.show(ty, &evaluator.world)))).collect()
        };
        Ok(set.items().iter().take(VALUES).filter_map(row).collect())
    }
}

fn innermost(node: &Node) -> &NodeKind {
    match &node.kind {
        NodeKind::Let(_, inner) => innermost(inner),
        kind => kind,
    }
}

/// Decides a formula, for one choice of values of the names that it binds in front.
fn decided(about: &About, text: &Text, sources: &Sources, watch: &Watch) -> Result<&'static str, Refused> {
    let form = text.read().map_err(|e| vec![e])?;
    let mut mistakes = Atoms::default();
    about.lower(text, &mut mistakes, Vec::new(), None).question(&form)?;
    mistakes.machine(&about.flat, sources)?;
    let mut search = |node: &Node, _: Place| about.rows(node, sources, watch);
    let mut bound = Vec::new();
    let mut body = &form;
    if let Form::Bound(true, _, inside) = &form {
        let mut candidates = Candidates { find: &mut search };
        let mut ignored = Atoms::default();
        let rows =
            about.lower(text, &mut ignored, Vec::new(), Some(&mut candidates)).rows(&form, Place::Front)?;
        let Some(first) = rows.into_iter().next() else { return Ok("about nothing") };
        (bound, body) = (first, inside);
    }
    let mut atoms = Atoms::default();
    let mut candidates = Candidates { find: &mut search };
    let question = about.lower(text, &mut atoms, bound, Some(&mut candidates)).question(body)?;
    let mut machine = atoms.machine(&about.flat, sources)?;
    let Some(expressions) = atoms.evaluated(&machine).into_iter().collect::<Option<Vec<_>>>() else {
        return Ok("not understood");
    };
    let split = variants::split(&about.flat, &atoms);
    if let Some((flat, _)) = &split {
        machine = atoms.machine(flat, sources)?;
    }
    let origins = split.as_ref().map(|(_, origins)| origins.as_slice());
    on_graph(about, machine, (&atoms, &expressions, origins), &question, watch)
}

fn on_graph(
    about: &About,
    machine: Machine,
    (atoms, expressions, origins): (&Atoms, &[(Expr, u32)], Option<&[variants::Origin]>),
    question: &Question,
    watch: &Watch,
) -> Result<&'static str, Refused> {
    let sizes = card::sizes(&machine, &Asked::default()).map_err(|e| vec![e])?;
    let world = Arc::new(card::world(&machine, &sizes, watch.interrupt.clone()));
    let evaluator = Evaluator::new(Arc::new(machine), Arc::clone(&world));
    let table = Arc::new(Table::new(&evaluator, Mode::All, None));
    let mut work = |code: &Compiled| {
        let plain = code.plain();
        let packer = plain.packer();
        let context = Context::new(
            Arc::clone(&packer.machine),
            Arc::clone(&world),
            Arc::clone(&packer.layout),
            Arc::clone(&packer.pool),
            Arc::clone(&table) as Arc<dyn Valuations>,
        );
        let reducer = symmetry::build(symmetry::DEFAULT, &context).map_err(|e| vec![e])?;
        let subject = look::Subject { system: code, plain, atoms, expressions, origins };
        answer(about, &subject, &*reducer, question, watch)
    };
    fitted(&evaluator, &table, (false, None), &mut work).0
}

fn answer(
    about: &About,
    subject: &look::Subject<'_>,
    reducer: &dyn symmetry::Reducer,
    question: &Question,
    watch: &Watch,
) -> Result<&'static str, Refused> {
    let limits =
        Limits { states: Some(STATES), interrupt: watch.interrupt.clone(), threads: 1, ..Limits::default() };
    let mut recorded = record(subject, Reducers { states: reducer, valuations: reducer }, &limits);
    if recorded.missing.is_some() || !recorded.unknown.is_empty() {
        return Ok("not all states known");
    }
    let stop = || watch.interrupt.raised();
    let found = match question {
        Question::Branching(f) => ctl::refute(&recorded.graph, f, &stop),
        Question::Linear(wanted, weak, strong) => {
            let Ok(automaton) = Automaton::new(wanted) else { return Ok("too large") };
            if automaton.sets as usize + weak.len() + strong.len() > 60 {
                return Ok("too large");
            }
            if automaton.states.len() < WRITTEN {
                let named = |l| subject.atoms.named(l, &about.operations);
                let _texts = (show::hoa("f", &automaton, &named), show::dot(&automaton, &named));
            }
            find(&Problem { graph: &recorded.graph, automaton: &automaton, weak, strong, stop: &stop }).0
        }
    };
    Ok(match found {
        Answer::None => "holds",
        Answer::Stopped => "stopped",
        Answer::Found(path) => {
            unwind(subject, reducer, &mut recorded, &path);
            "violated"
        }
    })
}
