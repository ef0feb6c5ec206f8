//! The values that names bound by temporal formulas can have.
//!
//! In: a comprehension over the bound names. Out: its members in the states that paths begin in, of all valuations of the constants; where one
//! value stands for all that permutations take to it, one of each kind. Sibling: `temporal`.

use super::setup::Setup;
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{Env, Evaluator, exprs_in};
use crate::ir::{Expr, ExprKind};
use crate::model::card::Asked;
use crate::model::constants::Mode;
use crate::model::pack::expand;
use crate::model::{Steps, System};
use crate::ops::Interrupt;
use crate::resolve::Flat;
use crate::source::Sources;
use crate::symmetry::group::Group;
use crate::syntax::ast::{Node, NodeKind};
use crate::temporal::quantified::{Place, Row, parts, spelled};
use crate::ty::{SetId, Ty};
use crate::types::{Typed, typecheck, typecheck_formula};
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// More values of bound names are not tried.
const MOST: usize = 1000;
/// More states that paths begin in are not looked at.
const MOST_STATES: usize = 100_000;

type Refused = Vec<Diagnostic>;

fn refused<T>(text: impl Into<String>) -> Result<T, Refused> {
    Err(vec![Diagnostic::without_place(Code::Unsupported, text)])
}

/// Who knows the values.
pub(super) struct Values<'a> {
    /// The machine before it was typed.
    pub flat: &'a Flat,
    /// Texts.
    pub sources: &'a Sources,
    /// Sizes.
    pub asked: &'a Asked,
    /// Raised when time is up.
    pub interrupt: Interrupt,
    /// Elements that the formula names besides.
    pub named: BTreeSet<(SetId, u32)>,
    setup: Option<Setup>,
}

impl<'a> Values<'a> {
    /// Nothing is known yet.
    pub(super) fn new(flat: &'a Flat, sources: &'a Sources, asked: &'a Asked, interrupt: Interrupt) -> Self {
        Self { flat, sources, asked, interrupt, named: BTreeSet::new(), setup: None }
    }

    /// The choices of values of a resolved comprehension.
    pub(super) fn rows(&mut self, node: &Node, at: Place) -> Result<Vec<Row>, Refused> {
        let NodeKind::Compr(names, _) = innermost(node) else { return refused("bound names without values") };
        let names = names.len();
        let Typed::Expr(e, frame) = typecheck_formula(node, self.flat)? else {
            return refused("bound names without values");
        };
        let Ty::Pow(of) = e.ty.clone() else { return refused("bound names without values") };
        let about_state = exprs_in(&e).iter().any(|e| matches!(e.kind, ExprKind::Var(_)));
        if about_state && at == Place::Elsewhere {
            return refused("bound names whose values depend on the state, behind a temporal operator");
        }
        if self.setup.is_none() {
            let (machine, _) = typecheck(self.flat, self.sources)?;
            let setup = Setup::new(machine, self.asked, Mode::All, self.interrupt.clone());
            self.setup = Some(setup.map_err(|e| vec![e])?);
        }
        let Some(setup) = &self.setup else { return refused("bound names without values") };
        let all = members(setup, &e, frame, about_state)?;
        let world = &setup.evaluator.world;
        let mut kinds = BTreeSet::new();
        let mut out = Vec::new();
        for value in all {
            if at == Place::Front && !kinds.insert(self.kind(&setup.detection.in_properties, &value)) {
                continue;
            }
            let parts = parts(value, (*of).clone(), names);
            let spell = |(v, ty): &(Value, Ty)| Some((spelled(v, ty, node)?, v.show(ty, world)));
            match parts.iter().map(spell).collect::<Option<Row>>() {
                Some(row) => out.push(row),
                None => return refused("values of bound names that cannot be written"),
            }
        }
        Ok(out)
    }

    /// What permutations leave of a value: of values of one kind each is taken to the other by a permutation under which
    /// the machine and the formula are what they are.
    fn kind(&self, group: &Group, value: &Value) -> Value {
        let moves = |s: SetId, i: u32| group.point(s, i).is_some() && !self.named.contains(&(s, i));
        let mut met: Vec<(SetId, u32)> = Vec::new();
        kind(value, &moves, &mut met).unwrap_or_else(|| value.clone())
    }
}

/// A value with movable elements numbered in the order in which they are met; `None` if there is no such order.
fn kind(v: &Value, moves: &dyn Fn(SetId, u32) -> bool, met: &mut Vec<(SetId, u32)>) -> Option<Value> {
    match v {
        Value::Elem(s, i) if moves(*s, *i) => {
            let known = met.iter().position(|m| m == &(*s, *i)).unwrap_or_else(|| {
                met.push((*s, *i));
                met.len() - 1
            });
            let set = Value::Elem(*s, u32::MAX);
            Some(Value::pair(set, Value::Int(i64::try_from(known).unwrap_or(i64::MAX))))
        }
        Value::Elem(..) | Value::Int(_) | Value::Bool(_) | Value::Str(_) => {
            Some(Value::pair(v.clone(), Value::Int(-1)))
        }
        Value::Pair(p) => Some(Value::pair(kind(&p.0, moves, met)?, kind(&p.1, moves, met)?)),
        _ => None,
    }
}

fn innermost(node: &Node) -> &NodeKind {
    match &node.kind {
        NodeKind::Let(_, inner) => innermost(inner),
        kind => kind,
    }
}

/// The members of a set in all states that paths begin in.
fn members(setup: &Setup, e: &Expr, frame: u32, about_state: bool) -> Result<BTreeSet<Value>, Refused> {
    let plain = setup.plain();
    // What is remembered of the machine's own formulas must not be taken for this one's.
    let evaluator = Evaluator::new(Arc::clone(&setup.machine), Arc::clone(&setup.evaluator.world));
    let told = |f: crate::ops::Fault| {
        vec![Diagnostic { span: f.0.span, ..Diagnostic::without_place(f.0.code, f.0.message.clone()) }]
    };
    let mut valuations = Vec::new();
    plain
        .valuations(&mut |v| {
            valuations.push(v);
            valuations.len() < MOST_STATES
        })
        .map_err(told)?;
    let mut all = BTreeSet::new();
    let mut states = valuations.len();
    for v in valuations {
        let constants = setup.table.values(v);
        let mut places = vec![vec![None; setup.machine.variables.len()]];
        if about_state {
            let mut steps = Steps::default();
            plain.initial(v, &mut steps);
            places = steps.targets.chunks(plain.width().max(1)).map(|s| plain.packer().unpack(s)).collect();
            states += places.len();
        }
        if states >= MOST_STATES {
            return refused("bound names: there are too many states that paths begin in");
        }
        for vars in places {
            let mut env = Env::new(Arc::clone(&constants), Arc::new(vars), frame);
            let value = evaluator.expr(e, &mut env).and_then(|s| expand(&s, &e.ty, &setup.evaluator.world));
            let Value::Set(set) = value.map_err(told)? else { return refused("bound names without values") };
            all.extend(set.items().iter().cloned());
            if all.len() > MOST {
                return refused(format!("names that it binds to more than {MOST} values"));
            }
        }
    }
    Ok(all)
}
