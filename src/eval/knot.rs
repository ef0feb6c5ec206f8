//! A constant that occurs in its own defining equation: a name for a value that is not there yet.
//!
//! In: the value, once it is known ([`Knot::tie`]). Out: a lazy set that answers like it. Asking before that is a
//! fault. A run over a problem ties the knots of its equations. The value usually holds the knot, a cycle of references
//! that lives as long as the process.

use super::bind::Run;
use super::bits::Bits;
use super::budget::{self, Budget};
use super::depth::Depth;
use super::pattern::put;
use super::plan::{Later, Node};
use super::prim::later as ops;
use super::{Env, Flow, Sink, descent};
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind};
use crate::ops::{Cx, Fault, Op, operands};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// A value by name.
pub(super) struct Knot {
    name: Arc<str>,
    value: OnceLock<Value>,
}

impl std::fmt::Debug for Knot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl Run<'_> {
    /// Gives a constant the value of an equation that reads it.
    pub(super) fn knot(
        &self,
        node: &Node,
        (conj, var): (usize, usize),
        value: &Expr,
        (next, tested): (&Later, &Later),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let slot = self.problem.unknowns[var].slot;
        let u = &self.problem.unknowns[var];
        let knot = Knot::new(&u.name);
        put(env, slot, Value::Lazy(knot.clone()));
        let v = self.ev.expr(value, env)?;
        // Taken apart it would be found in itself again and again.
        if holds(&v, &knot) {
            return Err(Depth::exceed(u.span));
        }
        knot.tie(&v);
        let lazy = matches!(v, Value::Lazy(_));
        put(env, slot, v);
        let mut bits = Bits::default();
        bits.insert(var);
        if lazy {
            if !self.is_determined(var, value, env)? {
                self.ev.world.cuts.note_recursion(u.span, &u.name);
            }
            // The value is defined by what the equation says: it cannot be false.
            return self.go(node, next, &bits, Some(conj), pending, env, f);
        }
        self.go(node, tested, &bits, None, pending, env, f)
    }

    /// Whether the recursion that gives an unknown its value ends for every argument, so that there is no other value; by its form,
    /// or by taking every argument.
    ///
    /// # Errors
    /// The recursion goes on for ever for some argument: what the unknown is there the equation alone does not say.
    fn is_determined(&self, var: usize, value: &Expr, env: &Env) -> Result<bool, Fault> {
        let slot = self.problem.unknowns[var].slot;
        if descent::ends(slot, value, &self.ev.world) {
            return Ok(true);
        }
        // Parts of a union may be listed by turns, each for what the others ask: that takes long.
        if !matches!(value.kind, ExprKind::Lambda(..) | ExprKind::Compr(..)) {
            return Ok(false);
        }
        Depth::forget();
        let _budget = Budget::of(LISTED.min(budget::left()));
        // A value of its own: what lists the other later must find it as if nothing had been asked.
        let (mut own, knot) = (env.clone(), Knot::new(&self.problem.unknowns[var].name));
        put(&mut own, slot, Value::Lazy(knot.clone()));
        let members = self.ev.expr(value, &mut own).and_then(|v| {
            knot.tie(&v);
            self.ev.members(&v, &value.ty, value.span)
        });
        match members {
            Ok(_) => Ok(true),
            Err(f) if self.ev.world.interrupt.raised() || Depth::was_exceeded() => Err(f),
            Err(_) => Ok(false),
        }
    }
}

/// Steps of an evaluation of all members of a recursive set: some milliseconds.
const LISTED: u64 = 50_000;

/// Whether a union, intersection or difference has a value by name among its operands, which is to get this value.
fn holds(v: &Value, knot: &Arc<Knot>) -> bool {
    let itself = matches!(v, Value::Lazy(l) if std::ptr::addr_eq(Arc::as_ptr(l), Arc::as_ptr(knot)));
    itself || operands(v).is_some_and(|(a, b)| holds(a, knot) || holds(b, knot))
}

impl Knot {
    pub(super) fn new(name: &Arc<str>) -> Arc<Knot> {
        Arc::new(Self { name: name.clone(), value: OnceLock::new() })
    }

    /// Gives the name its value.
    pub(super) fn tie(&self, v: &Value) {
        let _ = self.value.set(v.clone());
    }

    fn value(&self) -> Result<&Value, Fault> {
        self.value.get().ok_or_else(|| {
            Fault::new(Code::Unset, format!("`{}` is needed to compute its own value", self.name))
        })
    }
}

impl Lazy for Knot {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        match self.value()? {
            Value::Lazy(l) => l.contains(v, cx),
            other => ops::holds(Op::In, &[v.clone(), other.clone()], cx),
        }
    }

    fn each(&self, cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        match self.value()? {
            Value::Lazy(l) => l.each(cx, f),
            Value::Set(s) => {
                for v in s.items() {
                    if f(v.clone()).is_break() {
                        break;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        match self.value.get() {
            Some(Value::Lazy(l)) => l.size(cx),
            Some(Value::Set(s)) => Size::Exact(s.items().len().into()),
            _ => Size::Unknown,
        }
    }

    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        match self.value() {
            Err(f) => Some(Err(f)),
            Ok(Value::Lazy(l)) => l.image(x, cx),
            Ok(Value::Set(s)) => Some(Ok((s.row(x).iter())
                .filter_map(|v| match v {
                    Value::Pair(p) => Some(p.1.clone()),
                    _ => None,
                })
                .collect())),
            Ok(_) => None,
        }
    }

    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        match self.value() {
            Err(f) => Some(Err(f)),
            Ok(Value::Lazy(l)) => l.domain(cx),
            Ok(_) => None,
        }
    }

    fn maps_into(&self, ran: &Value, cx: &Cx<'_>) -> Option<bool> {
        match self.value.get() {
            Some(Value::Lazy(l)) => l.maps_into(ran, cx),
            _ => None,
        }
    }

    fn functional(&self, cx: &Cx<'_>) -> Option<bool> {
        match self.value.get() {
            Some(Value::Lazy(l)) => l.functional(cx),
            _ => None,
        }
    }

    fn describe(&self) -> String {
        self.name.to_string()
    }

    fn as_any(&self) -> &dyn Any {
        match self.value.get() {
            Some(Value::Lazy(l)) => l.as_any(),
            _ => self,
        }
    }
}
