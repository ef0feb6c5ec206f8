//! Operations of which formulas ask for certain arguments, as one operation for each combination of answers.
//!
//! In: a resolved machine, atoms. Out: the machine in which `leave(p)`, where a formula speaks of `leave(PROC1)`, is a `leave` with `p = PROC1` and one with
//! `p /= PROC1`: which atoms are true of a step is then known by its operation, and compiled code decides it. Only arguments whose value is written down: others
//! may have none in some state. Siblings: `atoms`, `look` (who asks which operation it is).

use super::atoms::{Atoms, Called, StateAtom, StepAtom};
use crate::ops::Op;
use crate::resolve::Flat;
use crate::resolve::flat::FlatOperation;
use crate::syntax::ast::{Entity, Ident, Name, Node, NodeKind, Subst, SubstKind};

/// What an operation of a split machine was.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The number of the operation that it is a part of.
    pub operation: u32,
    /// What was asked of the arguments, and whether it is so.
    pub answers: Vec<(Called, bool)>,
}

impl Origin {
    /// Whether it is a part, and no whole operation.
    #[must_use]
    pub fn is_part(&self) -> bool {
        !self.answers.is_empty()
    }
}

/// A split machine that offers nothing but the parts.
#[must_use]
pub fn parts(split: &Flat, origins: &[Origin]) -> Flat {
    let mut out = split.clone();
    let offered = out.operations.iter_mut().filter(|o| o.offered);
    offered.zip(origins).for_each(|(op, origin)| op.offered = origin.is_part());
    out
}

/// Most parts of one operation: every part is tried in every state.
const MOST: usize = 64;

/// Arguments by place, as far as they matter.
type Arguments<'a> = Vec<Option<&'a NodeKind>>;

/// The machine with operations split, and what its offered operations were, in order; `None` if no argument is asked for that can be
/// told apart so.
#[must_use]
pub fn split(flat: &Flat, atoms: &Atoms) -> Option<(Flat, Vec<Origin>)> {
    let offered = || flat.operations.iter().enumerate().filter(|(_, o)| o.offered);
    let mut out = flat.clone();
    let (mut origins, mut parts) = (Vec::new(), Vec::new());
    for (number, (at, op)) in (0u32..).zip(offered()) {
        let called = asked(atoms, number);
        match variants(op, number, &called, atoms) {
            Some(list) => {
                out.operations.get_mut(at)?.offered = false;
                parts.extend(list);
            }
            None => origins.push(Origin { operation: number, answers: Vec::new() }),
        }
    }
    if parts.is_empty() {
        return None;
    }
    let (operations, more): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    out.operations.extend(operations);
    origins.extend(more);
    Some((out, origins))
}

/// What is asked of an operation's arguments, each once.
fn asked(atoms: &Atoms, operation: u32) -> Vec<&Called> {
    let states = atoms.states.iter().filter_map(|a| match a {
        StateAtom::Enabled(c) => Some(c),
        _ => None,
    });
    let steps = atoms.steps.iter().filter_map(|a| match a {
        StepAtom::Taken(c) => Some(c),
        StepAtom::Change(..) => None,
    });
    let mut out: Vec<&Called> = Vec::new();
    for c in states.chain(steps).filter(|c| c.operation == operation && c.has_arguments()) {
        if !out.contains(&c) {
            out.push(c);
        }
    }
    out
}

/// The parts of an operation; `None` if it stays whole.
fn variants(
    op: &FlatOperation,
    number: u32,
    called: &[&Called],
    atoms: &Atoms,
) -> Option<Vec<(FlatOperation, Origin)>> {
    if called.is_empty() {
        return None;
    }
    let arguments: Vec<Arguments<'_>> = called.iter().map(|c| written(c, atoms)).collect::<Option<_>>()?;
    let mut kinds: Vec<&Arguments<'_>> = Vec::new();
    for a in &arguments {
        if !kinds.contains(&a) {
            kinds.push(a);
        }
    }
    let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
    for (i, a) in kinds.iter().enumerate() {
        let apart = |j: &usize| kinds.get(*j).is_some_and(|b| exclude(a, b));
        let with: Vec<Vec<usize>> = choices.iter().filter(|c| !c.iter().any(apart)).cloned().collect();
        choices.extend(with.into_iter().map(|mut c| {
            c.push(i);
            c
        }));
        if choices.len() > MOST {
            return None;
        }
    }
    let one = |choice: &Vec<usize>| {
        let mut guard = Vec::new();
        for (i, a) in kinds.iter().enumerate() {
            let implied = || choice.iter().any(|j| kinds.get(*j).is_some_and(|b| exclude(a, b)));
            if choice.contains(&i) {
                guard.extend(equations(op, a));
            } else if !implied() {
                guard.push(Node { kind: NodeKind::Not(Box::new(all(equations(op, a), op))), span: op.span });
            }
        }
        let is = |a: &Arguments<'_>| choice.iter().any(|j| kinds.get(*j).is_some_and(|b| *b == a));
        let answers = called.iter().zip(&arguments).map(|(c, a)| ((*c).clone(), is(a))).collect();
        (guarded(op, guard), Origin { operation: number, answers })
    };
    Some(choices.iter().map(one).collect())
}

/// The arguments of a call, if all that matter are values that are written down.
fn written<'a>(called: &Called, atoms: &'a Atoms) -> Option<Arguments<'a>> {
    // An expression is held as `E = E`.
    let side = |e: u32| match &atoms.expressions.get(e as usize)?.kind {
        NodeKind::Op(Op::Eq, sides) => sides.first(),
        _ => None,
    };
    let one = |a: &Option<u32>| match a {
        None => Some(None),
        Some(e) => value(side(*e)?, &mut Vec::new()).map(Some),
    };
    called.arguments.iter().map(one).collect()
}

/// The value that an expression spells; names around it are bound to such values.
fn value<'a>(node: &'a Node, bound: &mut Vec<(&'a Name, &'a Node)>) -> Option<&'a NodeKind> {
    match &node.kind {
        NodeKind::Ref(Entity::Element(..)) | NodeKind::Int(_) | NodeKind::Str(_) => Some(&node.kind),
        NodeKind::Op(Op::TrueValue | Op::FalseValue, _) => Some(&node.kind),
        NodeKind::Let(names, body) => {
            bound.extend(names.iter().map(|(Ident { name, .. }, node)| (name, node)));
            value(body, bound)
        }
        NodeKind::Name(name) => {
            let at = bound.iter().rposition(|(n, _)| *n == name)?;
            let (_, node) = *bound.get(at)?;
            bound.truncate(at);
            value(node, bound)
        }
        _ => None,
    }
}

/// Whether no choice of arguments is as both say.
fn exclude(a: &Arguments<'_>, b: &Arguments<'_>) -> bool {
    a.iter().zip(b).any(|(a, b)| a.is_some_and(|a| b.is_some_and(|b| a != b)))
}

/// The parameters of an operation have these values.
fn equations(op: &FlatOperation, arguments: &Arguments<'_>) -> Vec<Node> {
    let node = |kind: NodeKind| Node { kind, span: op.span };
    let one = |(param, value): (&Ident, Option<&NodeKind>)| {
        let sides = vec![node(NodeKind::Name(param.name.clone())), node(value?.clone())];
        Some(node(NodeKind::Op(Op::Eq, sides)))
    };
    op.params.iter().zip(arguments.iter().copied()).filter_map(one).collect()
}

fn all(mut list: Vec<Node>, op: &FlatOperation) -> Node {
    match list.pop() {
        Some(only) if list.is_empty() => only,
        last => {
            list.extend(last);
            Node { kind: NodeKind::And(list), span: op.span }
        }
    }
}

/// The operation where a guard holds.
fn guarded(op: &FlatOperation, guard: Vec<Node>) -> FlatOperation {
    let kind = match &op.body.kind {
        SubstKind::Pre(p, body) => {
            let mut both = guard;
            both.push((**p).clone());
            SubstKind::Pre(Box::new(all(both, op)), body.clone())
        }
        _ if guard.is_empty() => op.body.kind.clone(),
        _ => SubstKind::Select(vec![(all(guard, op), op.body.clone())], None),
    };
    FlatOperation { body: Subst { kind, span: op.body.span }, ..op.clone() }
}
