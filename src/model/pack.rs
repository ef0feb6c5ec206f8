//! States between their two forms: values of the variables, and packed words.
//!
//! In: values as the evaluator leaves them. Out: words as the layout says, and back. Sets that are not in
//! extension are expanded here, so that equal values have equal words; one that is infinite is a fault at
//! the variable's declaration.

use crate::diagnostic::Code;
use crate::ir::{Decl, Machine};
use crate::layout::{Hull, Misfit, Pool, StateLayout};
use crate::ops::{Cx, Fault, World};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// What is needed to pack and unpack states.
#[derive(Clone, Debug)]
pub struct Packer {
    /// The machine.
    pub machine: Arc<Machine>,
    /// Sizes of the given sets.
    pub world: Arc<World>,
    /// Where the variables are in a state.
    pub layout: Arc<StateLayout>,
    /// Values that do not fit into words.
    pub pool: Arc<Pool>,
    /// By variable, the values that the layout has no room for.
    pub misfits: Arc<Mutex<Vec<Hull>>>,
}

impl Packer {
    /// Appends the words of a state; on a fault nothing is appended.
    ///
    /// # Errors
    /// A variable without value, or one that cannot be stored.
    pub fn pack(&self, valuation: u64, vars: &[Option<Value>], out: &mut Vec<u64>) -> Result<(), Fault> {
        let start = out.len();
        out.resize(start + self.layout.words, 0);
        let Some(words) = out.get_mut(start..) else { return Ok(()) };
        let result = self.fill(vars, &|_| false, words);
        if let Some(first) = words.first_mut() {
            *first = valuation;
        }
        if result.is_err() {
            out.truncate(start);
        }
        result
    }

    /// As [`Packer::pack`], for a step from a state: sets that it has not changed keep their words, which saves looking
    /// at all their members.
    ///
    /// # Errors
    /// As there.
    pub fn pack_step(
        &self,
        state: &[u64],
        before: &[Option<Value>],
        vars: &[Option<Value>],
        out: &mut Vec<u64>,
    ) -> Result<(), Fault> {
        let start = out.len();
        out.extend_from_slice(state.get(..self.layout.words).unwrap_or(state));
        let Some(words) = out.get_mut(start..) else { return Ok(()) };
        let kept = |i: usize| match (before.get(i), vars.get(i)) {
            (Some(Some(Value::Set(a))), Some(Some(Value::Set(b)))) => a.is(b),
            _ => false,
        };
        let result = self.fill(vars, &kept, words);
        if result.is_err() {
            out.truncate(start);
        }
        result
    }

    /// Writes all variables but those kept. After one that the layout has no room for, the others are still looked at:
    /// a wider layout is made for all of them at once.
    fn fill(
        &self,
        vars: &[Option<Value>],
        kept: &dyn Fn(usize) -> bool,
        words: &mut [u64],
    ) -> Result<(), Fault> {
        let mut first = Ok(());
        for (i, decl) in self.machine.variables.iter().enumerate() {
            let Some(value) = vars.get(i).and_then(Option::as_ref) else {
                let text = format!("the initialisation does not assign `{}`", decl.name);
                return Err(Fault::new(Code::Unset, text).at(decl.span));
            };
            if !kept(i) {
                match self.put(i, decl, value, words) {
                    Err(fault) if fault.0.code == Code::Interrupted => first = first.and(Err(fault)),
                    other => other?,
                }
            }
        }
        first
    }

    fn put(&self, i: usize, decl: &Decl, value: &Value, words: &mut [u64]) -> Result<(), Fault> {
        let stored = match self.layout.set(words, i, value, &self.pool) {
            Err(Misfit::NotInExtension) => {
                let expanded = expand(value, &decl.ty, &self.world).map_err(|f| f.at(decl.span))?;
                self.layout.set(words, i, &expanded, &self.pool)
            }
            other => other,
        };
        if stored == Err(Misfit::NoFunction) {
            return Err(self.misfit(i, |h| *h = Hull::Open));
        }
        if stored == Err(Misfit::OutsideHull) {
            return Err(self.misfit(i, |h| {
                h.include(value);
            }));
        }
        stored.map_err(|why| {
            let text = format!("the value of `{}` cannot be stored ({why:?})", decl.name);
            Fault::new(Code::TooLarge, text).at(decl.span)
        })
    }

    /// Notes what the layout has no room for in a variable; the fault voids the run: whoever made the layout makes a
    /// wider one.
    pub fn misfit(&self, variable: usize, note: impl FnOnce(&mut Hull)) -> Fault {
        let mut misfits = self.misfits.lock().unwrap_or_else(PoisonError::into_inner);
        misfits.resize(self.machine.variables.len(), Hull::Unknown);
        if let Some(h) = misfits.get_mut(variable) {
            note(h);
        }
        let fault = Fault::new(Code::Interrupted, "the layout of states is too narrow");
        match self.machine.variables.get(variable) {
            Some(decl) => fault.at(decl.span),
            None => fault,
        }
    }

    /// The values of all variables of a packed state.
    #[must_use]
    pub fn unpack(&self, words: &[u64]) -> Vec<Option<Value>> {
        (0..self.layout.fields.len()).map(|i| self.layout.get(words, i, &self.pool)).collect()
    }
}

/// The same value with every set in extension.
///
/// # Errors
/// A set that is infinite, or a fault of evaluating its members.
pub fn expand(v: &Value, ty: &Ty, world: &World) -> Result<Value, Fault> {
    if v.is_extension() {
        return Ok(v.clone());
    }
    match (v, ty) {
        (Value::Pair(p), Ty::Pair(a, b)) => Ok(Value::pair(expand(&p.0, a, world)?, expand(&p.1, b, world)?)),
        (Value::Rec(fields), Ty::Rec(types)) => {
            let parts: Result<Vec<Value>, Fault> =
                fields.iter().zip(types.iter()).map(|(f, (_, t))| expand(f, t, world)).collect();
            Ok(Value::Rec(parts?.into()))
        }
        (Value::Set(s), Ty::Pow(t)) => {
            let items: Result<Vec<Value>, Fault> = s.items().iter().map(|x| expand(x, t, world)).collect();
            Ok(Value::Set(SetRef::from_vec(items?)))
        }
        (Value::Lazy(l), Ty::Pow(t)) => {
            let mut items = Vec::new();
            let mut failed = None;
            l.each(&Cx { world, ty }, &mut |x| match expand(&x, t, world) {
                Ok(x) => {
                    items.push(x);
                    ControlFlow::Continue(())
                }
                Err(f) => {
                    failed = Some(f);
                    ControlFlow::Break(())
                }
            })?;
            failed.map_or_else(|| Ok(Value::Set(SetRef::from_vec(items))), Err)
        }
        _ => Ok(v.clone()),
    }
}
