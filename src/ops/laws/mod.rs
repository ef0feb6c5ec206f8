//! Laws of the operators, on random values: against definitions written with plain sets of pairs, between
//! representations, and under permutations of the elements.
//!
//! In: masks that stand for small sets and relations. Out: a failed law shrinks to the smallest masks.

mod arrows;
mod numbers;
mod order;
mod relations;
mod representations;
mod sequences;
mod sets;

use super::{Cx, Fault, Op, World, apply};
use crate::diagnostic::Code;
use crate::ty::{SetId, Ty};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use std::any::Any;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Elements of the one given set.
const CARD: u32 = 4;

/// A relation as a plain set of pairs.
type Pairs = BTreeSet<(u32, u32)>;

fn world() -> World {
    World { maxint: 3, minint: -1, card: vec![CARD], ..World::default() }
}

fn elem(i: u32) -> Value {
    Value::Elem(SetId(0), i)
}

fn element_ty() -> Ty {
    Ty::Given(SetId(0))
}

fn members(mask: u8) -> BTreeSet<u32> {
    (0..CARD).filter(|i| mask >> i & 1 == 1).collect()
}

fn set(members: &BTreeSet<u32>) -> Value {
    Value::Set(SetRef::from_vec(members.iter().rev().map(|i| elem(*i)).collect()))
}

fn pairs(mask: u16) -> Pairs {
    (0..CARD * CARD).filter(|i| mask >> i & 1 == 1).map(|i| (i / CARD, i % CARD)).collect()
}

fn relation(pairs: &Pairs) -> Value {
    Value::Set(SetRef::from_vec(pairs.iter().rev().map(|(a, b)| Value::pair(elem(*a), elem(*b))).collect()))
}

/// The result of an operator with every set in extension; of a fault only the code.
fn run(op: Op, args: &[Value], ty: &Ty) -> Result<Value, Code> {
    let world = world();
    let cx = Cx { world: &world, ty };
    apply(op, args, &cx).and_then(|v| super::expand_deep(&v, &cx)).map_err(|f| f.0.code)
}

/// A set that says nothing of itself but its members: what a comprehension looks like to an operator.
#[derive(Clone, Debug)]
struct Hidden(SetRef);

impl Lazy for Hidden {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        super::contains(&Value::Set(self.0.clone()), v, cx)
    }
    fn each(&self, _: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        let _ = self.0.items().iter().try_for_each(|x| f(x.clone()));
        Ok(())
    }
    fn size(&self, _: &Cx<'_>) -> Size {
        Size::Unknown
    }
    fn describe(&self) -> String {
        "{x | ...}".into()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The same set, hidden.
fn hide(v: &Value) -> Value {
    match v {
        Value::Set(s) => Value::lazy(Hidden(s.clone())),
        other => other.clone(),
    }
}
