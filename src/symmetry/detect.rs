//! Which elements may be permuted, and why not the others.
//!
//! In: the IR of a machine. Out: for each given set its permutable elements and, where some are missing, the
//! reason with its place. The argument (symmetry.md, part 3): if no formula names an element and no
//! construct depends on the order of elements, every formula and substitution commutes with permutations. So an
//! element that is named is left out; a set whose elements reach a construct that depends on their order is left out
//! as a whole. An element that only PROPERTIES name is permuted all the same: the values of constants are part of
//! every state, so that states are put together only where a permutation takes these values to each other as well.
//! Only PROPERTIES themselves may tell such elements apart (`in_properties`). What operators mean is not known here,
//! only which of them look at the order: external functions (unless listed) and sums of reals, where rounding shows
//! the order.

use super::group::Group;
use super::walk::{self, Node};
use crate::diagnostic::suggest::listed;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{ExprKind, Machine, PredKind};
use crate::ops::World;
use crate::ops::external::External;
use crate::source::Span;
use crate::ty::{SetId, Ty};
use crate::types::Typed;
use crate::value::Value;

/// External functions that take permuted arguments to the permuted result although nothing else is known
/// of them.
const COMMUTING: &[&str] = &["MU", "ASSERT_TRUE", "ASSERT_EXPR"];

/// What was found out about one given set.
#[derive(Clone, Debug)]
pub struct SetStatus {
    /// Its name.
    pub name: String,
    /// Elements that may be permuted, ascending.
    pub permutable: Vec<u32>,
    /// Elements that a formula names, ascending, each with the first place that does.
    pub named: Vec<(u32, Span)>,
    /// Permutable elements that PROPERTIES name, ascending, each with the first place.
    pub constant: Vec<(u32, Span)>,
    /// The place where the order of the elements matters, if it does, and why.
    pub ordered: Option<(Span, String)>,
    /// Whether constants or variables can contain its elements.
    pub used: bool,
    /// Whether the set is deferred or a parameter.
    pub deferred: bool,
    /// Whether its elements are to be permuted, where they may.
    pub asked: bool,
}

/// What was found out about a machine.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    /// By `SetId`.
    pub sets: Vec<SetStatus>,
    /// The product of the symmetric groups on the permutable elements of sets that constants or variables
    /// speak of.
    pub group: Group,
    /// As `group`, for the values of constants while they are looked for: without elements that PROPERTIES name.
    pub in_properties: Group,
}

impl Detection {
    /// Finds out what may be permuted in a machine.
    #[must_use]
    pub fn of(machine: &Machine, world: &World) -> Self {
        Self::with(machine, world, None)
    }

    /// The same where one more formula is evaluated in the states.
    #[must_use]
    pub fn with(machine: &Machine, world: &World, formula: Option<&Typed>) -> Self {
        let mut finder = Finder::new(machine);
        walk::properties(machine, &mut |node| finder.look(node));
        let constant = finder.named.clone();
        finder.named.iter_mut().for_each(Vec::clear);
        walk::behaviour(machine, &mut |node| finder.look(node));
        match formula {
            Some(Typed::Expr(e, _)) => walk::expr(e, &mut |node| finder.look(node)),
            Some(Typed::Pred(p, _)) => walk::pred(p, &mut |node| finder.look(node)),
            None => {}
        }
        finder.constant = constant;
        let sets: Vec<SetStatus> =
            (0u16..).zip(&machine.sets).map(|(s, _)| finder.status(SetId(s), world)).collect();
        Self::grouped(sets, world)
    }

    fn grouped(sets: Vec<SetStatus>, world: &World) -> Self {
        // Sets that no value of a state can contain need no points: nothing would ever be said of them.
        let points = |s: &SetStatus| if s.used && s.asked { s.permutable.clone() } else { Vec::new() };
        let permutable: Vec<Vec<u32>> = sets.iter().map(points).collect();
        let unnamed = |(s, points): (&SetStatus, &Vec<u32>)| {
            points.iter().copied().filter(|p| s.constant.iter().all(|(c, _)| c != p)).collect()
        };
        let in_properties: Vec<Vec<u32>> = sets.iter().zip(&permutable).map(unnamed).collect();
        Self { group: Group::new(world, &permutable), in_properties: Group::new(world, &in_properties), sets }
    }

    /// The same where the elements of no other sets than those named are permuted.
    ///
    /// # Errors
    /// A name that is none of a set.
    pub fn only(mut self, names: &[String], world: &World) -> Result<Self, Diagnostic> {
        let known: Vec<&str> = self.sets.iter().map(|s| &*s.name).collect();
        if let Some(wrong) = names.iter().find(|n| !known.contains(&n.as_str())) {
            let text = format!("`--permute`: the machine has no set `{wrong}`");
            let d = Diagnostic::without_place(Code::BadOption, text);
            return Err(match listed(wrong, "its sets are", &known) {
                Some(help) => d.with_help(help),
                None => d,
            });
        }
        for s in &mut self.sets {
            s.asked = names.contains(&s.name);
        }
        Ok(Self::grouped(self.sets, world))
    }

    /// The elements that PROPERTIES name and the group moves.
    pub(super) fn constant(&self) -> impl Iterator<Item = (SetId, u32)> + '_ {
        let all = (0u16..).zip(&self.sets);
        let all = all.flat_map(|(s, status)| status.constant.iter().map(move |(i, _)| (SetId(s), *i)));
        all.filter(|(s, i)| self.group.point(*s, *i).is_some())
    }

    /// Warnings about sets that are not permuted because the order of their elements matters.
    #[must_use]
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let warning = |s: &SetStatus| {
            let text = format!("the elements of `{}` are not permuted", s.name);
            let (span, _) = s.ordered.as_ref()?;
            let w = Diagnostic::warning(Code::SymmetryOff, *span, text);
            Some(w.with_label("depends on the order of the elements"))
        };
        self.sets.iter().filter_map(warning).collect()
    }
}

struct Finder<'a> {
    machine: &'a Machine,
    /// By set, the elements that are named, each once, with the first place.
    named: Vec<Vec<(u32, Span)>>,
    /// As `named`, in PROPERTIES.
    constant: Vec<Vec<(u32, Span)>>,
    /// By set, where the order matters first, and in what words.
    ordered: Vec<Option<(Span, String)>>,
}

impl<'a> Finder<'a> {
    fn new(machine: &'a Machine) -> Self {
        let n = machine.sets.len();
        Self { machine, named: vec![Vec::new(); n], constant: vec![Vec::new(); n], ordered: vec![None; n] }
    }

    fn look(&mut self, node: Node<'_>) {
        match node {
            Node::Expr(e) => match &e.kind {
                ExprKind::Lit(v) => self.literal(v, e.span),
                ExprKind::External(x, args) => {
                    let types = args.iter().map(|a| &a.ty).chain([&e.ty]);
                    self.external(x, types, e.span);
                }
                ExprKind::Fold(_, s) if e.ty == Ty::Real => {
                    for v in &s.binder.vars {
                        self.order(&v.ty, e.span, "a sum or product of reals over it depends on their order");
                    }
                }
                _ => {}
            },
            Node::Pred(p) => {
                if let PredKind::External(x, args) = &p.kind {
                    self.external(x, args.iter().map(|a| &a.ty), p.span);
                }
            }
        }
    }

    fn external<'t>(&mut self, x: &External, types: impl Iterator<Item = &'t Ty>, span: Span) {
        if COMMUTING.contains(&x.name) {
            return;
        }
        let why = format!("`{}` may depend on their order", x.name);
        for ty in types {
            self.order(ty, span, &why);
        }
    }

    /// Notes every element that a literal names.
    fn literal(&mut self, v: &Value, span: Span) {
        match self.machine.named.get(&span) {
            Some(all) if matches!(v, Value::Set(_)) => {
                all.iter().for_each(|(set, i, place)| self.element(*set, *i, *place));
            }
            _ => self.name(v, span),
        }
    }

    fn element(&mut self, set: SetId, i: u32, span: Span) {
        if let Some(named) = self.named.get_mut(usize::from(set.0))
            && named.iter().all(|(n, _)| *n != i)
        {
            named.push((i, span));
        }
    }

    /// Notes every element in a value.
    fn name(&mut self, v: &Value, span: Span) {
        match v {
            Value::Elem(s, i) => self.element(*s, *i, span),
            Value::Pair(p) => {
                self.name(&p.0, span);
                self.name(&p.1, span);
            }
            Value::Rec(fields) => fields.iter().for_each(|f| self.name(f, span)),
            Value::Free(_, _, Some(arg)) => self.name(arg, span),
            Value::Set(s) => s.items().iter().for_each(|x| self.name(x, span)),
            Value::Bool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Real(_)
            | Value::Str(_)
            | Value::Free(_, _, None)
            | Value::Lazy(_) => {}
        }
    }

    /// Notes that the order of all elements in values of this type matters.
    fn order(&mut self, ty: &Ty, span: Span, why: &str) {
        for (s, slot) in (0u16..).zip(&mut self.ordered) {
            if slot.is_none() && mentions(ty, SetId(s), self.machine) {
                *slot = Some((span, why.to_owned()));
            }
        }
    }

    fn status(&self, set: SetId, world: &World) -> SetStatus {
        let s = usize::from(set.0);
        let card = world.card.get(s).copied().unwrap_or(0);
        let given = self.machine.sets.get(s);
        let mut named = self.named.get(s).cloned().unwrap_or_default();
        named.sort_unstable_by_key(|(i, _)| *i);
        let mut constant = self.constant.get(s).cloned().unwrap_or_default();
        constant.retain(|(i, _)| named.iter().all(|(n, _)| n != i));
        constant.sort_unstable_by_key(|(i, _)| *i);
        let ordered = self.ordered.get(s).cloned().flatten();
        let permutable = match ordered {
            Some(_) => Vec::new(),
            None => (0..card).filter(|i| named.iter().all(|(n, _)| n != i)).collect(),
        };
        let types = self.machine.constants.iter().chain(&self.machine.variables).map(|d| &d.ty);
        SetStatus {
            name: given.map_or_else(String::new, |g| g.name.to_string()),
            permutable,
            named,
            constant,
            ordered,
            used: types.into_iter().any(|ty| mentions(ty, set, self.machine)),
            deferred: given.is_some_and(|g| g.elements.is_none()),
            asked: true,
        }
    }
}

/// Whether values of a type may contain elements of a set.
pub(super) fn mentions(ty: &Ty, set: SetId, machine: &Machine) -> bool {
    fn search(ty: &Ty, set: SetId, machine: &Machine, seen: &mut Vec<u16>) -> bool {
        match ty {
            Ty::Int | Ty::Bool | Ty::Str | Ty::Real | Ty::Any => false,
            Ty::Given(s) => *s == set,
            Ty::Pow(t) => search(t, set, machine, seen),
            Ty::Pair(a, b) => search(a, set, machine, seen) || search(b, set, machine, seen),
            Ty::Rec(fields) => fields.iter().any(|(_, t)| search(t, set, machine, seen)),
            Ty::Free(id) if seen.contains(&id.0) => false,
            Ty::Free(id) => {
                seen.push(id.0);
                let free = machine.free_types.get(usize::from(id.0));
                free.is_some_and(|f| {
                    f.constructors
                        .iter()
                        .any(|(_, t)| t.as_ref().is_some_and(|t| search(t, set, machine, seen)))
                })
            }
        }
    }
    search(ty, set, machine, &mut Vec::new())
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a failing test says why by panicking")]
mod tests {
    use super::super::tests::Toy;
    use super::*;
    use crate::ir::{Binder, Expr, Formula, Local, LocalId, Pred, Scoped};
    use crate::ops::Op;
    use crate::syntax::ast::Fold;
    use std::sync::Arc;

    fn expr(kind: ExprKind, ty: Ty) -> Expr {
        Expr { kind, ty, span: Span::default() }
    }

    /// A toy with two sets of three elements, the first enumerated, and one invariant.
    fn detect(invariant: Vec<Expr>, used: &[Ty]) -> Detection {
        let toy = Toy::new(&[3, 3], &[], used, &[]);
        let context = toy.context;
        let Ok(mut machine) = Arc::try_unwrap(context.machine) else { panic!("nobody else has it") };
        machine.sets[0].elements = Some(["red", "green", "blue"].map(Arc::from).to_vec());
        let pred = Pred { kind: PredKind::Op(Op::Eq, invariant), span: Span::default() };
        machine.invariants = vec![Formula { pred, text: "".into(), frame: 1, reads: Vec::new() }];
        Detection::of(&machine, &context.world)
    }

    #[test]
    fn named_elements_stay() {
        let red = || expr(ExprKind::Lit(Value::Elem(SetId(0), 0)), Ty::Given(SetId(0)));
        let types = [Ty::Given(SetId(0)), Ty::Given(SetId(1))];
        let found = detect(vec![red(), red()], &types);
        assert_eq!(found.sets[0].permutable, [1, 2]);
        assert_eq!(found.group.points().len(), 5);
        assert_eq!(found.sets[0].named, [(0, Span::default())]);
        assert!(found.warnings().is_empty());
        // Where no state can contain elements of a set, there is nothing to permute.
        assert_eq!(detect(Vec::new(), &[Ty::pow(Ty::Int)]).group.points().len(), 0);
    }

    #[test]
    fn sums_of_reals_show_the_order() {
        let x = Local { id: LocalId(0), name: "x".into(), ty: Ty::Given(SetId(1)), span: Span::default() };
        let pred = Pred { kind: PredKind::True, span: Span::default() };
        let vars = vec![x];
        let binder = Binder { vars, pred, captures: Vec::new(), frame: 1, reads_state: false, id: 0 };
        let body = expr(ExprKind::Lit(Value::Real(0.5)), Ty::Real);
        let sum = ExprKind::Fold(Fold::Sum, Arc::new(Scoped { binder: Arc::new(binder), body }));
        let types = [Ty::Given(SetId(0)), Ty::Given(SetId(1))];
        let found = detect(vec![expr(sum, Ty::Real)], &types);
        assert_eq!((found.sets[0].permutable.len(), found.sets[1].permutable.len()), (3, 0));
        assert_eq!(found.warnings().len(), 1);
    }
}
