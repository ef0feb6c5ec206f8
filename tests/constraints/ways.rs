//! The ways to ask for solutions, each compared with the brute force.
//!
//! In: a problem. Out: nothing, or the first way that says something else. Asked as: a comprehension, the solutions of a
//! binder one by one, quantifiers and sums, a projection, and (dearer, so rarely) a machine with constants,
//! an initialisation, an ANY and parameters.

use super::force::{Force, subsets};
use super::kinds::Kind;
use super::write::{Problem, Unknown};
use bsym::eval::{Constants, Env, Evaluator, Wanted};
use bsym::ir::{Binder, ExprKind, Machine};
use bsym::model::card;
use bsym::ops::{Cx, Interrupt, Op, World, expand, holds};
use bsym::resolve::{Flat, resolve, resolve_formula};
use bsym::source::{FileId, Sources};
use bsym::syntax::parse_formula;
use bsym::types::{Typed, typecheck, typecheck_formula};
use bsym::value::{SetRef, Value};
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow::{Break, Continue};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Sets that formulas may name.
pub(crate) const SETS: &str = "SETS ID = {p1,p2,p3}; E = {e1,e2}; D";

/// Elements of the deferred set.
const CARD: u32 = 3;

/// Most values of one unknown.
const VALUES: usize = 1000;

/// Most values of a type whose sets are listed.
const BITS: usize = 9;

/// Steps of a first turn that ends before most plans do.
const SHORT_TURN: u64 = 4;

/// Solutions, and others, that are tested by the evaluator that knows no solver.
const TESTED: usize = 24;

pub(crate) type Rows = BTreeSet<Vec<Value>>;

/// A difference.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    pub(crate) way: &'static str,
    pub(crate) text: String,
}

/// What came of one problem.
pub(crate) enum Outcome {
    /// All ways agree; how many solutions there are.
    Same(usize),
    /// The formula has no type, or no value.
    Void(&'static str),
    Differs(Difference),
}

/// A machine without anything but sets, which formulas are typed in.
pub(crate) struct Base {
    flat: Flat,
    machine: Arc<Machine>,
    world: Arc<World>,
    values: HashMap<String, Option<Arc<Vec<Value>>>>,
    scratch: PathBuf,
    interrupt: Interrupt,
    /// How often a way has given up.
    pub(crate) given_up: Cell<u64>,
}

fn load(path: &Path) -> Option<(Flat, Machine)> {
    let mut sources = Sources::default();
    let flat = resolve(path, &mut sources).ok()?;
    let (machine, _) = typecheck(&flat, &sources).ok()?;
    Some((flat, machine))
}

fn world(machine: &Machine, interrupt: &Interrupt) -> Option<World> {
    let asked = card::Asked { all: Some(CARD), ..card::Asked::default() };
    let sizes = card::sizes(machine, &asked).ok()?;
    Some(card::world(machine, &sizes, interrupt.clone()))
}

impl Drop for Base {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.scratch);
    }
}

impl Base {
    /// `name` tells the scratch files of threads apart; those of two runs at the same time are apart anyway.
    pub(crate) fn new(name: &str, interrupt: Interrupt) -> Self {
        let name = format!("constraints-{name}-{}.mch", std::process::id());
        let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&scratch, format!("MACHINE Base\n{SETS}\nEND\n"))
            .expect("the target folder is writable");
        let (flat, machine) = load(&scratch).expect("the base machine is one");
        let world = world(&machine, &interrupt).expect("its sets have sizes");
        Self {
            flat,
            machine: Arc::new(machine),
            world: Arc::new(world),
            values: HashMap::new(),
            scratch,
            interrupt,
            given_up: Cell::new(0),
        }
    }

    fn typed(&self, text: &str) -> Option<Typed> {
        let (node, errors) = parse_formula(FileId(1), text);
        let node = node.filter(|_| errors.is_empty())?;
        let node = resolve_formula(node, &self.flat).ok()?;
        typecheck_formula(&node, &self.flat).ok()
    }

    /// An evaluator that has seen nothing yet.
    fn evaluator(&self) -> Evaluator {
        Evaluator::new(self.machine.clone(), self.world.clone())
    }

    /// The number of members of a kind, if they can be listed.
    pub(crate) fn count(&mut self, kind: &Kind) -> Option<usize> {
        self.members(kind).map(|vs| vs.len())
    }

    /// All members of a kind.
    fn members(&mut self, kind: &Kind) -> Option<Arc<Vec<Value>>> {
        let text = kind.text();
        if let Some(found) = self.values.get(&text) {
            return found.clone();
        }
        let found = self.list(kind, &text).filter(|vs| vs.len() <= VALUES).map(Arc::new);
        self.values.insert(text, found.clone());
        found
    }

    fn list(&mut self, kind: &Kind, text: &str) -> Option<Vec<Value>> {
        let candidates = match kind {
            Kind::Of { .. } => {
                let Typed::Expr(e, _) = self.typed(text)? else { return None };
                let v = Force::new(&self.world, Vec::new()).expr(&e).ok()?;
                let s = expand(&v, &Cx { world: &self.world, ty: &e.ty }).ok()?;
                return Some(s.items().to_vec());
            }
            Kind::Sub(k) => {
                let items = self.members(k)?;
                return (items.len() <= BITS).then(|| subsets(&items));
            }
            Kind::Fun { arrow, from, to } => {
                let (from, to) = (self.members(from)?, self.members(to)?);
                if *arrow == "<->" { relations(&from, &to)? } else { functions(&from, &to)? }
            }
            Kind::Seq { of, .. } => {
                let of = self.members(of)?;
                let seq = |vs: &[&Value]| {
                    let pairs = (1..).zip(vs).map(|(i, v)| Value::pair(Value::Int(i), (*v).clone()));
                    Value::Set(SetRef::from_vec(pairs.collect()))
                };
                let mut all = vec![Value::empty()];
                all.extend(of.iter().map(|a| seq(&[a])));
                all.extend(of.iter().flat_map(|a| of.iter().map(move |b| seq(&[a, b]))));
                all
            }
            Kind::Rec(a, b) | Kind::Pair(a, b) => {
                let (a, b) = (self.members(a)?, self.members(b)?);
                let is_pair = matches!(kind, Kind::Pair(..));
                let one = |x: &Value, y: &Value| {
                    let parts = (x.clone(), y.clone());
                    if is_pair {
                        Value::pair(parts.0, parts.1)
                    } else {
                        Value::Rec(vec![parts.0, parts.1].into())
                    }
                };
                return Some(a.iter().flat_map(|x| b.iter().map(move |y| one(x, y))).collect());
            }
        };
        let Typed::Expr(e, _) = self.typed(text)? else { return None };
        let space = Force::new(&self.world, Vec::new()).expr(&e).ok()?;
        let ty = e.ty.elem()?.clone();
        let is = |v: &Value| {
            holds(Op::In, &[v.clone(), space.clone()], &Cx { world: &self.world, ty: &ty }).unwrap_or(false)
        };
        Some(candidates.into_iter().filter(is).collect())
    }

    /// Compares all ways for one problem; with `dear`, those that need a machine, too.
    pub(crate) fn compare(&mut self, problem: &Problem, dear: bool) -> Outcome {
        let text = format!("{{{} | {}}}", problem.names(), problem.text());
        let Some(Typed::Expr(set, frame)) = self.typed(&text) else { return Outcome::Void("no type") };
        let ExprKind::Compr(binder, _) = &set.kind else { return Outcome::Void("no comprehension") };
        let domains: Option<Vec<Arc<Vec<Value>>>> =
            problem.unknowns.iter().map(|u| self.members(&u.kind)).collect();
        let Some(domains) = domains else { return Outcome::Void("no domain") };
        let domains: Vec<&[Value]> = domains.iter().map(|d| &d[..]).collect();
        let mut force = Force::new(&self.world, binder.vars.iter().map(|v| v.id).collect());
        let Some(expected) = force.solutions(&binder.pred.conjuncts(), &domains) else {
            return Outcome::Void("no value");
        };
        let ways = Ways { base: self, expected: &expected, problem };
        let said = ways.naive(binder, frame, &domains);
        let said = said.or_else(|| ways.one_by_one("binder", &self.evaluator(), binder, frame));
        let said = said.or_else(|| {
            let mut ev = self.evaluator();
            ev.first_turn = SHORT_TURN;
            ways.one_by_one("turns", &ev, binder, frame)
        });
        let said = said.or_else(|| {
            let v = self.evaluator().expr(&set, &mut env(frame));
            let listed = v.map_err(|f| f.0.message).and_then(|v| {
                let cx = Cx { world: &self.world, ty: &set.ty };
                expand(&v, &cx).map_err(|f| f.0.message)
            });
            let n = problem.unknowns.len();
            ways.judge("comprehension", listed.map(|s| s.items().iter().map(|v| row(v, n)).collect()))
        });
        let said = said.or_else(|| ways.quantified());
        let said = if force.excused { said } else { said.or_else(|| ways.projected()) };
        let said = if dear { said.or_else(|| ways.machine()) } else { said };
        // What was broken off says nothing.
        if self.interrupt.raised() {
            return Outcome::Void("too slow");
        }
        said.map_or(Outcome::Same(expected.len()), Outcome::Differs)
    }
}

fn env(frame: u32) -> Env {
    Env::new(Arc::default(), Arc::default(), frame)
}

/// The parts of a left-nested tuple.
fn row(v: &Value, n: usize) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut v = v.clone();
    for _ in 1..n {
        let Value::Pair(p) = &v else { break };
        parts.push(p.1.clone());
        let left = p.0.clone();
        v = left;
    }
    parts.push(v);
    parts.reverse();
    parts
}

/// All partial functions.
fn functions(from: &[Value], to: &[Value]) -> Option<Vec<Value>> {
    let n = (to.len() + 1).checked_pow(u32::try_from(from.len()).ok()?).filter(|n| *n <= 4 * VALUES)?;
    let one = |mut number: usize| {
        let mut pairs = Vec::new();
        for x in from {
            if let Some(y) = to.get(number % (to.len() + 1)) {
                pairs.push(Value::pair(x.clone(), y.clone()));
            }
            number /= to.len() + 1;
        }
        Value::Set(SetRef::from_vec(pairs))
    };
    Some((0..n).map(one).collect())
}

/// All relations.
fn relations(from: &[Value], to: &[Value]) -> Option<Vec<Value>> {
    let pairs: Vec<Value> =
        from.iter().flat_map(|x| to.iter().map(move |y| Value::pair(x.clone(), y.clone()))).collect();
    (pairs.len() <= BITS).then(|| subsets(&pairs))
}

/// One problem with the solutions that the brute force has found.
struct Ways<'a> {
    base: &'a Base,
    expected: &'a Rows,
    problem: &'a Problem,
}

impl Ways<'_> {
    fn differs(&self, way: &'static str, text: String) -> Option<Difference> {
        // To say that something cannot be listed, or is not known, is no answer, so none that is wrong.
        if ["infinite set", "cannot be enumerated", "too many", "takes too long", "unknown: "]
            .iter()
            .any(|t| text.contains(t))
        {
            self.base.given_up.set(self.base.given_up.get() + 1);
            return None;
        }
        Some(Difference { way, text })
    }

    fn judge(&self, way: &'static str, found: Result<Vec<Vec<Value>>, String>) -> Option<Difference> {
        let found = match found {
            Ok(found) => found,
            Err(fault) => return self.differs(way, format!("fails: {fault}")),
        };
        let set: Rows = found.iter().cloned().collect();
        if set.len() < found.len() {
            return self.differs(way, format!("some of {} solutions are there twice", found.len()));
        }
        if set == *self.expected {
            return None;
        }
        let show = |rows: Vec<&Vec<Value>>| {
            let one =
                |r: &&Vec<Value>| r.iter().map(|v| v.brief(&self.base.world)).collect::<Vec<_>>().join(", ");
            rows.iter().take(3).map(one).collect::<Vec<_>>().join("; ")
        };
        let lost = show(self.expected.difference(&set).collect());
        let more = show(set.difference(self.expected).collect());
        let n = self.expected.len();
        self.differs(way, format!("{} instead of {n} solutions; lost: {lost}; invented: {more}", set.len()))
    }

    /// The evaluator that knows no solver, on solutions and on others.
    fn naive(&self, binder: &Binder, frame: u32, domains: &[&[Value]]) -> Option<Difference> {
        let mut ev = self.base.evaluator();
        ev.naive = true;
        let n: usize = domains.iter().map(|d| d.len()).product();
        let step = (n / TESTED).max(1);
        let others = (0..n).step_by(step).map(|mut i| {
            let mut row = Vec::new();
            for d in domains.iter().rev() {
                row.push(d[i % d.len()].clone());
                i /= d.len();
            }
            row.reverse();
            row
        });
        for row in self.expected.iter().take(TESTED).cloned().chain(others) {
            let mut env = env(frame);
            env.bind(&binder.vars, &row);
            let holds = ev.pred(&binder.pred, &mut env);
            if holds.as_ref().is_ok_and(|h| *h) != self.expected.contains(&row) {
                let shown: Vec<String> = row.iter().map(|v| v.brief(&self.base.world)).collect();
                return self
                    .differs("evaluation", format!("{} at {}", holds.is_ok_and(|h| h), shown.join(", ")));
            }
        }
        None
    }

    fn one_by_one(
        &self,
        way: &'static str,
        ev: &Evaluator,
        binder: &Binder,
        frame: u32,
    ) -> Option<Difference> {
        let mut found = Vec::new();
        let flow = ev.solutions(binder, &mut env(frame), &mut |_, env| {
            found.push(binder.vars.iter().filter_map(|v| env.local(v.id).cloned()).collect());
            Ok(Continue(()))
        });
        self.judge(way, flow.map(|_| found).map_err(|f| f.0.message))
    }

    /// Quantifiers and sums over the same.
    fn quantified(&self) -> Option<Difference> {
        let (names, p, n) = (self.problem.names(), self.problem.text(), self.expected.len());
        let texts = [
            ("exists", format!("bool(#({names}).({p}))"), Value::Bool(n > 0)),
            ("forall", format!("bool(!({names}).({p} => 1 = 2))"), Value::Bool(n == 0)),
            ("sum", format!("SIGMA({names}).({p} | 1)"), Value::Int(i64::try_from(n).unwrap_or(-1))),
        ];
        for (way, text, value) in texts {
            let Some(Typed::Expr(e, frame)) = self.base.typed(&text) else { continue };
            match self.base.evaluator().expr(&e, &mut env(frame)) {
                Ok(v) if v == value => {}
                Ok(v) => {
                    let (v, w) = (v.brief(&self.base.world), value.brief(&self.base.world));
                    return self.differs(way, format!("{v} instead of {w}"));
                }
                Err(f) => return self.differs(way, format!("fails: {}", f.0.message)),
            }
        }
        None
    }

    /// The first unknown alone, the others under a quantifier.
    fn projected(&self) -> Option<Difference> {
        let (first, rest) = self.problem.unknowns.split_first()?;
        if rest.is_empty() {
            return None;
        }
        let mut outer = first.typing.clone();
        let mut inner: Vec<String> = rest.iter().flat_map(|u| u.typing.iter().cloned()).collect();
        for c in &self.problem.conjuncts {
            let apart = rest.iter().all(|u| !c.mentions(&u.name));
            if apart { &mut outer } else { &mut inner }.push(c.show());
        }
        let names: Vec<&str> = rest.iter().map(|u| u.name.as_str()).collect();
        let x = &first.name;
        let text =
            format!("{{{x} | {} & #({}).({})}}", outer.join(" & "), names.join(","), inner.join(" & "));
        let Some(Typed::Expr(e, frame)) = self.base.typed(&text) else { return None };
        let v = self.base.evaluator().expr(&e, &mut env(frame));
        let cx = Cx { world: &self.base.world, ty: &e.ty };
        let found = v.and_then(|v| expand(&v, &cx));
        let expected: BTreeSet<Value> = self.expected.iter().filter_map(|r| r.first().cloned()).collect();
        match found {
            Ok(s) if s.items().iter().eq(expected.iter()) => None,
            Ok(s) => {
                let of = Value::Set(SetRef::from_vec(expected.into_iter().collect()));
                let (a, b) = (Value::Set(s).brief(&self.base.world), of.brief(&self.base.world));
                self.differs("projection", format!("{a} instead of {b}"))
            }
            Err(f) => self.differs("projection", format!("fails: {}", f.0.message)),
        }
    }

    /// Constants, initialisation, ANY and parameters of a machine.
    fn machine(&self) -> Option<Difference> {
        let text = machine_text(self.problem);
        std::fs::write(&self.base.scratch, text).ok()?;
        let (_, machine) = load(&self.base.scratch)?;
        let world = Arc::new(world(&machine, &self.base.interrupt)?);
        let ev = Evaluator::new(Arc::new(machine), world);
        let mut found = Vec::new();
        let mut consts: Constants = Arc::default();
        let end = ev.constants(&Wanted::default(), &mut |c| {
            if let Some(c) = c {
                found.push(c.iter().flatten().cloned().collect());
                consts = c.clone();
            }
            Continue(())
        });
        let said = self.judge("constants", end.map(|_| found).map_err(|f| f.0.message));
        if said.is_some() || self.expected.is_empty() {
            return said;
        }
        let none: Constants = Arc::new(vec![None; ev.machine.variables.len()]);
        let routine = &ev.machine.initialisation;
        let mut start = Env::new(consts.clone(), none, routine.frame);
        let mut states = BTreeSet::new();
        let flow = ev.outcomes(&routine.body, &mut start, &mut |_, after| {
            states.insert(after.vars.iter().flatten().cloned().collect::<Vec<Value>>());
            Ok(Continue(()))
        });
        let flow = flow.map(|_| states.iter().cloned().collect()).map_err(|f| f.0.message);
        let said = self.judge("initialisation", flow);
        let vars: Constants = Arc::new(states.first()?.iter().cloned().map(Some).collect());
        said.or_else(|| {
            (0..2).find_map(|op| {
                let at = Env::new(consts.clone(), vars.clone(), 0);
                let mut found = BTreeSet::new();
                let mut fault = None;
                let flow = ev.operation(op, &at, &|_| true, &mut |edge| match edge {
                    Ok(edge) => {
                        let to = edge.vars.iter().flatten().cloned().collect::<Vec<Value>>();
                        found.insert(to);
                        Continue(())
                    }
                    Err((_, f)) => {
                        fault = Some(f);
                        Break(())
                    }
                });
                let found = match (flow, fault) {
                    (Err(f), _) | (_, Some(f)) => Err(f.0.message),
                    _ => Ok(found.into_iter().collect()),
                };
                self.judge(if op == 0 { "ANY" } else { "parameters" }, found)
            })
        })
    }
}

/// A machine that asks for the solutions in all clauses that can.
pub(crate) fn machine_text(problem: &Problem) -> String {
    let of = |u: &Unknown, prefix: &str| format!("{prefix}{}", u.name);
    let list = |prefix: &str| problem.unknowns.iter().map(|u| of(u, prefix)).collect::<Vec<_>>().join(",");
    let pred = |prefix: &str| {
        let mut text = problem.text();
        for u in &problem.unknowns {
            text = renamed(&text, &u.name, &of(u, prefix));
        }
        text
    };
    let assign: Vec<String> =
        problem.unknowns.iter().map(|u| format!("{} := {}", of(u, "v_"), of(u, "a_"))).collect();
    let assign_params: Vec<String> =
        problem.unknowns.iter().map(|u| format!("{} := {}", of(u, "v_"), of(u, "o_"))).collect();
    format!(
        "MACHINE Posed\n{SETS}\nCONSTANTS {}\nPROPERTIES {}\nVARIABLES {}\nINVARIANT {}\n\
         INITIALISATION {} : ({})\nOPERATIONS\n  any = ANY {} WHERE {} THEN {} END;\n  par({}) = PRE {} THEN {} END\nEND\n",
        list("c_"),
        pred("c_"),
        list("v_"),
        problem
            .unknowns
            .iter()
            .map(|u| format!("{} = {}", of(u, "v_"), of(u, "v_")))
            .collect::<Vec<_>>()
            .join(" & "),
        list("v_"),
        pred("v_"),
        list("a_"),
        pred("a_"),
        assign.join(" || "),
        list("o_"),
        pred("o_"),
        assign_params.join(" || "),
    )
}

/// A text with another name for one.
fn renamed(text: &str, name: &str, to: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let end = |word: &mut String, out: &mut String| {
        out.push_str(if word == name { to } else { word });
        word.clear();
    };
    for c in text.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            end(&mut word, &mut out);
            out.push(c);
        }
    }
    end(&mut word, &mut out);
    out
}
