//! From trees of text to formulas over numbered atoms.
//!
//! In: a [`Form`], the machine's names and operations. Out: a [`Question`]; its atoms are added to [`Atoms`]. Fairness that the whole formula is about
//! (`WF(a) & SF(b) => f`) becomes conditions on cycles; elsewhere it is spelled out. Names that are bound have values by now, one
//! after the other (`quantified`), or none while only mistakes are looked for. Siblings: `text`, `atoms`.

use super::ast::{Atom, AtomKind, Binary, Call, Form, Place, Unary};
use super::atoms::{Atoms, Called, StateAtom, StepAtom};
use super::ctl::Ctl;
use super::formula::Ltl;
use super::product::Fair;
use super::quantified::{Bound, Candidates, Place as Where, guard};
use super::text::Text;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::ops::Op;
use crate::resolve::{Flat, resolve_formula};
use crate::syntax::ast::{Node, NodeKind};

/// What is asked of a graph.
#[derive(Clone, Debug)]
pub enum Question {
    /// Whether a path is as the first says (the negation of what is stated) and weakly and strongly fair to these.
    Linear(Ltl, Vec<Fair>, Vec<Fair>),
    /// Whether the states that paths begin in are as this says.
    Branching(Ctl),
}

impl Question {
    /// Whether an atom, by its number among those about steps or about states, has anything to do with it.
    #[must_use]
    pub fn uses(&self, about_steps: bool, atom: u32) -> bool {
        let mut found = false;
        let mut met = |steps, n| found |= (steps, n) == (about_steps, atom);
        match self {
            Question::Linear(f, weak, strong) => {
                f.atoms(&mut met);
                for fair in weak.iter().chain(strong) {
                    met(false, fair.enabled);
                    met(true, fair.taken);
                }
            }
            Question::Branching(f) => f.atoms(&mut met),
        }
        found
    }
}

/// An operation that is offered.
#[derive(Clone, Debug)]
pub struct Offered {
    /// Its name.
    pub name: String,
    /// How many parameters it has.
    pub parameters: usize,
}

/// Mistakes, or what is not supported.
pub type Refused = Vec<Diagnostic>;

/// Where formulas are lowered.
pub struct Lower<'a> {
    /// Names.
    pub flat: &'a Flat,
    /// Operations, by number.
    pub operations: &'a [Offered],
    /// What has been met.
    pub atoms: &'a mut Atoms,
    /// Who knows the values of bound names; nobody while mistakes are looked for.
    pub candidates: Option<&'a mut Candidates<'a>>,
    /// Names that are bound.
    pub bound: Vec<Bound>,
    /// The text.
    pub text: &'a Text,
    /// Whether the place at hand is about a later or earlier state.
    pub elsewhere: bool,
}

impl<'a> Lower<'a> {
    /// Nobody knows the values of bound names, and none are bound.
    #[must_use]
    pub fn new(flat: &'a Flat, operations: &'a [Offered], atoms: &'a mut Atoms, text: &'a Text) -> Self {
        Self { flat, operations, atoms, candidates: None, bound: Vec::new(), text, elsewhere: false }
    }
}

impl Lower<'_> {
    /// What a formula asks.
    ///
    /// # Errors
    /// It has mistakes.
    pub fn question(&mut self, form: &Form) -> Result<Question, Refused> {
        if self.text.branching {
            return self.branching(form).map(Question::Branching);
        }
        let (mut fair, mut given) = (Vec::new(), Vec::new());
        let mut rest = form;
        while let Form::Implies(before, after) = rest {
            conditions(before, &mut fair, &mut given);
            rest = after;
        }
        let mut wanted = Vec::new();
        for f in given {
            wanted.push(self.linear(f)?);
        }
        wanted.push(self.linear(rest)?.negated());
        let (mut weak, mut strong) = (Vec::new(), Vec::new());
        for (is_strong, call) in fair {
            let into = if is_strong { &mut strong } else { &mut weak };
            for f in self.fair(call)? {
                if !into.contains(&f) {
                    into.push(f);
                }
            }
        }
        Ok(Question::Linear(Ltl::And(wanted), weak, strong))
    }

    fn refused<T>(&self, code: Code, place: &Place, message: impl Into<String>) -> Result<T, Refused> {
        Err(vec![Diagnostic::error(code, self.text.span(place), message)])
    }

    /// Fairness to an operation, or to all.
    fn fair(&mut self, call: Option<&Call>) -> Result<Vec<Fair>, Refused> {
        let all = if let Some(call) = call {
            vec![self.called(call)?]
        } else {
            let numbers = 0..u32::try_from(self.operations.len()).unwrap_or(u32::MAX);
            numbers.map(|operation| Called { operation, arguments: Vec::new() }).collect()
        };
        let one = |c: Called| Fair {
            enabled: self.atoms.state(StateAtom::Enabled(c.clone())),
            taken: self.atoms.step(StepAtom::Taken(c)),
        };
        Ok(all.into_iter().map(one).collect())
    }

    fn linear(&mut self, form: &Form) -> Result<Ltl, Refused> {
        Ok(match form {
            Form::Constant(true) => Ltl::True,
            Form::Constant(false) => Ltl::False,
            Form::Atom(Atom { kind: AtomKind::Fair(strong, call), .. }) => {
                let each = |f: Fair| {
                    let taken = Ltl::Step(f.taken).finally().globally();
                    let enabled = Ltl::State(f.enabled);
                    let enabled =
                        if *strong { enabled.finally().globally() } else { enabled.globally().finally() };
                    enabled.implies(taken)
                };
                Ltl::And(self.fair(call.as_ref())?.into_iter().map(each).collect())
            }
            Form::Atom(Atom { kind: AtomKind::Change(change, place), .. }) => {
                let expression = self.expression(place)?;
                Ltl::Step(self.atoms.step(StepAtom::Change(*change, expression)))
            }
            Form::Atom(atom) => self.atom(atom)?.linear(),
            Form::Step(call) => {
                let called = self.called(call)?;
                Ltl::Step(self.atoms.step(StepAtom::Taken(called)))
            }
            Form::Not(f) => self.linear(f)?.negated(),
            Form::And(f, g) => self.linear(f)?.and(self.linear(g)?),
            Form::Or(f, g) => self.linear(f)?.or(self.linear(g)?),
            Form::Implies(f, g) => self.linear(f)?.implies(self.linear(g)?),
            Form::Iff(f, g) => self.linear(f)?.iff(self.linear(g)?),
            Form::Unary(op, f) => {
                let before = std::mem::replace(&mut self.elsewhere, true);
                let f = self.linear(f)?;
                self.elsewhere = before;
                match op {
                    Unary::Next => f.next(),
                    Unary::Finally => f.finally(),
                    Unary::Globally => f.globally(),
                    Unary::Yesterday => f.yesterday(),
                    Unary::Once => f.once(),
                    Unary::Historically => f.historically(),
                }
            }
            Form::Binary(op, f, g) => {
                let before = std::mem::replace(&mut self.elsewhere, true);
                let (f, g) = (self.linear(f)?, self.linear(g)?);
                self.elsewhere = before;
                match op {
                    Binary::Until => f.until(g),
                    Binary::Weak => f.weak_until(g),
                    Binary::Release => f.release(g),
                    Binary::Since => f.since(g),
                    Binary::Trigger => f.trigger(g),
                }
            }
            Form::Bound(all, ..) => {
                let each = self.each(form, &mut |lower, body| lower.linear(body))?;
                if *all { Ltl::And(each) } else { Ltl::Or(each) }
            }
            Form::Next(..) | Form::Path(..) | Form::Paths(..) | Form::PathsOf(..) => {
                return self.refused(
                    Code::UnexpectedToken,
                    &(0..self.text.text.len()),
                    "this is about branching time",
                );
            }
        })
    }

    fn branching(&mut self, form: &Form) -> Result<Ctl, Refused> {
        let whole = 0..self.text.text.len();
        Ok(match form {
            Form::Constant(true) => Ctl::True,
            Form::Constant(false) => Ctl::True.negated(),
            Form::Atom(Atom { kind: AtomKind::Fair(..), place }) => {
                return self.refused(Code::Unsupported, place, "fairness in a formula of branching time");
            }
            Form::Atom(Atom { kind: AtomKind::Change(..), place }) => {
                return self.refused(Code::Unsupported, place, "a change in a formula of branching time");
            }
            Form::Atom(atom) => self.atom(atom)?.branching(),
            Form::Step(call) => {
                let text = "a step stands behind `EX` or `AX` in a formula of branching time";
                return self.refused(Code::UnexpectedToken, &call.name.place, text);
            }
            Form::Not(f) => self.branching(f)?.negated(),
            Form::And(f, g) => Ctl::And(vec![self.branching(f)?, self.branching(g)?]),
            Form::Or(f, g) => Ctl::Or(vec![self.branching(f)?, self.branching(g)?]),
            Form::Implies(f, g) => self.branching(f)?.implies(self.branching(g)?),
            Form::Iff(f, g) => {
                let (f, g) = (self.branching(f)?, self.branching(g)?);
                Ctl::And(vec![f.clone().implies(g.clone()), g.implies(f)])
            }
            Form::Next(all, step, f) => {
                // `EX [Op]` is `EX [Op] true`.
                let (step, f) = match (step, &**f) {
                    (None, Form::Step(call)) => (Some(call), &Form::Constant(true)),
                    (step, f) => (step.as_ref(), f),
                };
                let step = match step {
                    Some(call) => Some(StepAtom::Taken(self.called(call)?)),
                    None => None,
                };
                let step = step.map(|s| self.atoms.step(s));
                let f = self.apart(f)?;
                if *all { f.always_next(step) } else { f.exists_next(step) }
            }
            Form::Path(all, op, f) => {
                let f = self.apart(f)?;
                match (all, op) {
                    (true, Unary::Finally) => f.always_finally(),
                    (false, Unary::Finally) => f.exists_finally(),
                    (true, _) => f.always_always(),
                    (false, _) => f.exists_always(),
                }
            }
            Form::PathsOf(all, f) => match &**f {
                Form::Binary(Binary::Until, f, g) => self.until(*all, f, g)?,
                _ => return self.refused(Code::UnexpectedToken, &whole, "`E` and `A` stand before `f U g`"),
            },
            Form::Paths(all, Binary::Until, f, g) => self.until(*all, f, g)?,
            Form::Bound(all, ..) => {
                let each = self.each(form, &mut |lower, body| lower.branching(body))?;
                if *all { Ctl::And(each) } else { Ctl::Or(each) }
            }
            Form::Paths(..) => {
                return self.refused(
                    Code::Unsupported,
                    &whole,
                    "an operator other than `U` behind `E` or `A`",
                );
            }
            Form::Unary(..) | Form::Binary(..) => {
                let text = "in a formula of branching time, temporal operators stand behind `E` or `A`";
                return self.refused(Code::UnexpectedToken, &whole, text);
            }
        })
    }

    fn until(&mut self, all: bool, f: &Form, g: &Form) -> Result<Ctl, Refused> {
        let (f, g) = (self.apart(f)?, self.apart(g)?);
        Ok(if all { f.always_until(g) } else { f.exists_until(g) })
    }

    fn apart(&mut self, f: &Form) -> Result<Ctl, Refused> {
        let before = std::mem::replace(&mut self.elsewhere, true);
        let f = self.branching(f);
        self.elsewhere = before;
        f
    }

    /// A formula for each value of the names that it binds.
    fn each<T>(
        &mut self,
        form: &Form,
        lower: &mut dyn FnMut(&mut Self, &Form) -> Result<T, Refused>,
    ) -> Result<Vec<T>, Refused> {
        let Form::Bound(_, _, body) = form else { return Ok(Vec::new()) };
        let mark = self.bound.len();
        let rows = self.rows(form, if self.elsewhere { Where::Elsewhere } else { Where::Here })?;
        let mut out = Vec::new();
        for row in rows {
            self.bound.extend(row);
            let one = lower(self, body);
            self.bound.truncate(mark);
            out.push(one?);
        }
        Ok(out)
    }

    /// The choices of values for the names that a formula binds.
    ///
    /// # Errors
    /// It does not say which values are meant, or they are not known.
    pub fn rows(&mut self, form: &Form, at: Where) -> Result<Vec<Vec<Bound>>, Refused> {
        let Form::Bound(all, names, body) = form else { return Ok(vec![Vec::new()]) };
        let Some(place) = guard(*all, body) else {
            let place = names.first().map_or(0..0, |n| n.place.clone());
            let text = "a predicate in braces must say which values are meant: `!p.({p : S} => f)`, `#p.({p : S} & f)`";
            return self.refused(Code::UnexpectedToken, &place, text);
        };
        let read = self.text.formula(&place)?;
        let unknown = Bound::names(names, self.text, read.clone());
        let Some(candidates) = self.candidates.take() else { return Ok(vec![unknown]) };
        let node = self.around(Bound::comprehension(&unknown, read));
        let found = self.resolved(node).and_then(|n| (candidates.find)(&n, at));
        self.candidates = Some(candidates);
        let found = found.map_err(|list| self.placed(list, &place))?;
        Ok(found.into_iter().map(|values| Bound::with(&unknown, values)).collect())
    }

    /// Diagnostics without a place get one.
    fn placed(&self, list: Refused, place: &Place) -> Refused {
        let span = self.text.span(place);
        list.into_iter().map(|d| Diagnostic { span: d.span.or(Some(span)), ..d }).collect()
    }

    fn resolved(&self, node: Node) -> Result<Node, Refused> {
        resolve_formula(node, self.flat)
    }

    /// Bound names with their values around a formula; names without values around a predicate.
    fn around(&self, node: Node) -> Node {
        Bound::around(&self.bound, node)
    }

    /// What tells a piece of B from others of the same text.
    fn key(&self, place: &Place) -> String {
        let text = self.text.text.get(place.clone()).unwrap_or("");
        let bound: Vec<String> = self.bound.iter().map(Bound::key).collect();
        format!("{}\n{}", text.trim(), bound.join("\n"))
    }

    fn predicate(&mut self, place: &Place) -> Result<u32, Refused> {
        let node = self.text.formula(place)?;
        let span = node.span;
        let node = self.resolved(self.around(node))?;
        // Whole, it has one truth value: its conjuncts would have several.
        let not = |n| Node { kind: NodeKind::Not(Box::new(n)), span };
        Ok(self.atoms.predicate(self.key(place), not(not(node))))
    }

    fn expression(&mut self, place: &Place) -> Result<u32, Refused> {
        let node = self.text.formula(place)?;
        let span = node.span;
        let equal = |n: Node| Node { kind: NodeKind::Op(Op::Eq, vec![n.clone(), n]), span };
        let node = if self.candidates.is_some() || self.bound.is_empty() {
            equal(self.resolved(self.around(node))?)
        } else {
            self.resolved(self.around(equal(node)))?
        };
        Ok(self.atoms.expression(self.key(place), node))
    }

    fn called(&mut self, call: &Call) -> Result<Called, Refused> {
        let name = &call.name;
        let Some(number) = self.operations.iter().position(|o| o.name == name.text) else {
            let text = format!("there is no operation `{}`", name.text);
            let d = Diagnostic::error(Code::UnknownName, self.text.span(&name.place), text);
            let near = suggest::nearest(&name.text, self.operations.iter().map(|o| o.name.as_str()));
            return Err(vec![match near {
                Some(near) => d.with_help(format!("did you mean `{near}`?")),
                None => d,
            }]);
        };
        let parameters = self.operations.get(number).map_or(0, |o| o.parameters);
        if call.arguments.len() > parameters {
            let text = format!("`{}` takes {parameters} arguments, not {}", name.text, call.arguments.len());
            return self.refused(Code::WrongArity, &name.place, text);
        }
        let mut arguments = Vec::new();
        for place in &call.arguments {
            arguments.push(match place {
                Some(place) => Some(self.expression(place)?),
                None => None,
            });
        }
        while arguments.last().is_some_and(Option::is_none) {
            arguments.pop();
        }
        Ok(Called { operation: u32::try_from(number).unwrap_or(u32::MAX), arguments })
    }

    /// An atom about the state.
    fn atom(&mut self, atom: &Atom) -> Result<Truth, Refused> {
        let enabled = |lower: &mut Self, calls: &[Call]| {
            let one = |c: &Call| {
                let called = lower.called(c)?;
                Ok(Truth::Atom(lower.atoms.state(StateAtom::Enabled(called))))
            };
            calls.iter().map(one).collect::<Result<Vec<Truth>, Refused>>()
        };
        Ok(match &atom.kind {
            AtomKind::Holds(place) => {
                let number = self.predicate(place)?;
                Truth::Atom(self.atoms.state(StateAtom::Holds(number)))
            }
            AtomKind::Enabled(call) => Truth::All(enabled(self, std::slice::from_ref(call))?),
            AtomKind::Deadlock(calls) if calls.is_empty() => {
                Truth::Atom(self.atoms.state(StateAtom::Deadlock))
            }
            AtomKind::Deadlock(calls) => {
                Truth::All(enabled(self, calls)?.into_iter().map(Truth::negated).collect())
            }
            AtomKind::Sink => Truth::Atom(self.atoms.state(StateAtom::Sink)),
            AtomKind::Deterministic(calls) => at_most_one(&enabled(self, calls)?),
            AtomKind::Controller(calls) => {
                let all = enabled(self, calls)?;
                let none = Truth::All(all.iter().cloned().map(Truth::negated).collect());
                Truth::All(vec![none.negated(), at_most_one(&all)])
            }
            AtomKind::Current => {
                let text = "`current`: a check has no state that it stands at";
                return self.refused(Code::Unsupported, &atom.place, text);
            }
            AtomKind::Change(..) | AtomKind::Fair(..) => Truth::All(Vec::new()),
        })
    }
}

/// What a formula is asked under: fairness, and the rest.
fn conditions<'f>(form: &'f Form, fair: &mut Vec<(bool, Option<&'f Call>)>, given: &mut Vec<&'f Form>) {
    match form {
        Form::And(f, g) => {
            conditions(f, fair, given);
            conditions(g, fair, given);
        }
        Form::Atom(Atom { kind: AtomKind::Fair(strong, call), .. }) => fair.push((*strong, call.as_ref())),
        other => given.push(other),
    }
}

/// A combination of atoms about the state.
#[derive(Clone, Debug)]
enum Truth {
    Atom(u32),
    Not(Box<Truth>),
    All(Vec<Truth>),
}

impl Truth {
    fn negated(self) -> Self {
        Truth::Not(Box::new(self))
    }

    fn linear(self) -> Ltl {
        match self {
            Truth::Atom(n) => Ltl::State(n),
            Truth::Not(t) => t.linear().negated(),
            Truth::All(list) => Ltl::And(list.into_iter().map(Truth::linear).collect()),
        }
    }

    fn branching(self) -> Ctl {
        match self {
            Truth::Atom(n) => Ctl::State(n),
            Truth::Not(t) => t.branching().negated(),
            Truth::All(list) => Ctl::And(list.into_iter().map(Truth::branching).collect()),
        }
    }
}

fn at_most_one(all: &[Truth]) -> Truth {
    let pairs = all.iter().enumerate().flat_map(|(i, a)| all.iter().skip(i + 1).map(move |b| (a, b)));
    Truth::All(pairs.map(|(a, b)| Truth::All(vec![a.clone(), b.clone()]).negated()).collect())
}
