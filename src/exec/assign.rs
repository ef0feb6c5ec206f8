//! Assignment targets: plain variables, function points, record fields.
//!
//! In: targets and their new values. Out: writes. Variables of the state get values in extension only.

use super::choices::Choices;
use super::subst::Then;
use super::writes::{Key, Write, updated};
use crate::diagnostic::Code;
use crate::eval::problem::member_of;
use crate::eval::{Env, Evaluator, Flow};
use crate::ir::{Access, Expr, Local, Place, Target};
use crate::ops::Fault;
use crate::ty::Ty;
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};
use std::ops::ControlFlow::{Break, Continue};

impl Evaluator {
    /// `x,f(a) := E,F`: all values are evaluated first.
    pub(super) fn assign(
        &self,
        pairs: &[(Target, Expr)],
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let n = out.len();
        for (target, e) in pairs {
            let v = self.settled(e, env)?;
            let w = self.write(target, v, env)?;
            self.add_write(out, w)?;
        }
        let flow = then(self, env, out);
        out.truncate(n);
        flow
    }

    /// Gives several targets their values and goes on.
    pub(super) fn write_all(
        &self,
        targets: &[Target],
        values: Vec<Value>,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let written = targets.iter().zip(values).map(|(target, v)| self.write(target, v, env));
        let writes = written.collect::<Result<Vec<Write>, Fault>>()?;
        self.with_writes(writes, env, out, then)
    }

    /// Goes on with more writes; `out` is as before when this returns, also where two of them contradict each other.
    pub(super) fn with_writes(
        &self,
        writes: impl IntoIterator<Item = Write>,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let n = out.len();
        let added = writes.into_iter().try_for_each(|w| self.add_write(out, w));
        let flow = added.and_then(|()| then(self, env, out));
        out.truncate(n);
        flow
    }

    /// The write of a value to a target.
    pub(super) fn write(&self, t: &Target, v: Value, env: &mut Env) -> Result<Write, Fault> {
        if t.path.is_empty() {
            let value = self.storable(v, &t.ty, t)?;
            return Ok(Write { place: t.place, value, span: t.span, points: Vec::new() });
        }
        let mut path = Vec::with_capacity(t.path.len());
        for step in &t.path {
            path.push(match step {
                Access::At(e) => Key::At(self.settled(e, env)?),
                Access::Field(i) => Key::Field(*i),
            });
        }
        let old = match t.place {
            Place::Var(id) => env.var(id).cloned(),
            Place::Local(id) => env.local(id).cloned(),
        };
        // The state before INITIALISATION has no values: arrays are filled there element by element.
        let empty = || {
            let array = matches!((path.first(), t.place), (Some(Key::At(_)), Place::Var(_)));
            array.then(|| Value::Set(SetRef::from_vec(Vec::new())))
        };
        let old = old.or_else(empty).ok_or_else(|| {
            Fault::new(Code::Unset, "a part of a variable is assigned before it has a value").at(t.span)
        })?;
        let old = self.storable(old, &t.ty, t)?;
        let v = self.storable(v, &Ty::Any, t)?;
        let value = updated(&old, &path, &v).ok_or_else(|| {
            Fault::new(Code::OutsideDomain, "this part does not exist, so no part of it can be assigned")
                .at(t.span)
        })?;
        Ok(Write { place: t.place, value, span: t.span, points: vec![(path, v)] })
    }

    /// A value as a variable of the state can hold it.
    pub(super) fn storable(&self, v: Value, ty: &Ty, t: &Target) -> Result<Value, Fault> {
        match (&v, t.place) {
            (Value::Lazy(_), Place::Var(_)) => {
                self.members(&v, ty, t.span).map(Value::Set).map_err(|f| self.not_held(f, &v, t))
            }
            _ => Ok(v),
        }
    }

    /// That a variable cannot hold an infinite set, in words.
    fn not_held(&self, fault: Fault, v: &Value, t: &Target) -> Fault {
        if fault.0.code != Code::Infinite || fault.0.certain {
            return fault;
        }
        let name = self.place_name(t.place);
        let set = v.beginning(&self.world, 80);
        let message =
            format!("a variable that holds an infinite set is not supported: `{name}` would be `{set}`");
        Fault::new(Code::Unsupported, message).at(t.span)
    }

    /// `x,y :: S`.
    pub(super) fn becomes_in(
        &self,
        targets: &[Target],
        set: &Expr,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let mut s = self.expr(set, env)?;
        if let Value::Lazy(l) = &s
            && set.ty == Ty::pow(Ty::Int)
            && l.size(&self.cx(&set.ty)) == Size::Infinite
        {
            let target = targets.first();
            let name = match target.map(|t| t.place) {
                Some(Place::Var(id)) => self.machine.variables.get(id.0 as usize).map(|d| d.name.clone()),
                _ => None,
            };
            let what = name.unwrap_or_else(|| "::".into());
            let some = self.some_integers(set, (what, target.map_or(set.span, |t| t.span)), env)?;
            s = Value::Set(SetRef::from_sorted(some.into_iter().map(Value::Int).collect()));
        }
        let mut flow = Ok(Continue(()));
        let mut choices = Choices::default();
        let mut one = |v: &Value| {
            flow = choices.after(self.write_parts(targets, v, env, out, then));
            if matches!(flow, Ok(Continue(()))) { Continue(()) } else { Break(()) }
        };
        match &s {
            Value::Set(s) => {
                for v in s.items() {
                    if one(v).is_break() {
                        break;
                    }
                }
            }
            Value::Lazy(l) => {
                let cx = self.cx(&set.ty);
                let mut begun = false;
                let listed = l.each(&cx, &mut |v| {
                    begun = true;
                    one(&v)
                });
                match listed {
                    Err(fault) if fault.0.code == Code::Infinite && !begun => {
                        return self.becomes_some(targets, set, env, out, then);
                    }
                    listed => listed.map_err(|f| f.at(set.span))?,
                }
            }
            _ => {}
        }
        choices.end(flow)
    }

    /// `x :: S` for a set that cannot be listed: as ANY would have it, with `v : S`.
    fn becomes_some(
        &self,
        targets: &[Target],
        set: &Expr,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let Ty::Pow(ty) = &set.ty else { return Ok(Continue(())) };
        let name = targets.first().map_or_else(|| "::".into(), |t| self.place_name(t.place));
        let span = targets.first().map_or(set.span, |t| t.span);
        let x = Local { id: env.unused(), name, ty: (**ty).clone(), span };
        let mut choices = Choices::default();
        let flow = self.solve(std::slice::from_ref(&x), &[&member_of(&x, set)], env, &mut |ev, env| {
            let Some(v) = env.local(x.id).cloned() else { return Ok(Continue(())) };
            choices.after(ev.write_parts(targets, &v, env, out, then))
        });
        choices.end(flow)
    }

    /// Writes the components of a tuple.
    fn write_parts(
        &self,
        targets: &[Target],
        v: &Value,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let mut values = Vec::with_capacity(targets.len());
        parts(v, targets.len(), &mut values);
        self.write_all(targets, values, env, out, then)
    }
}

/// The components of a left-nested tuple of `n` values.
fn parts(v: &Value, n: usize, out: &mut Vec<Value>) {
    match v {
        Value::Pair(p) if n > 1 => {
            parts(&p.0, n - 1, out);
            out.push(p.1.clone());
        }
        _ => out.push(v.clone()),
    }
}
