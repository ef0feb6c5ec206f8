//! Environments: where the evaluator finds the values of names.

use crate::ir::{ConstId, Expr, ExprKind, Local, LocalId, Place, VarId};
use crate::value::Value;
use std::sync::Arc;

/// Values of constants, variables and locals.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// Constants by `ConstId`; `None` while PROPERTIES are being solved and a constant has no value yet.
    pub consts: Arc<Vec<Option<Value>>>,
    /// Variables by `VarId`; `None` before the initialisation has assigned them.
    pub vars: Arc<Vec<Option<Value>>>,
    /// `x$0` in loop invariants.
    pub old: Option<Arc<Vec<Option<Value>>>>,
    /// The frame, by `LocalId`; `None` is unbound, or an unset VAR local.
    pub locals: Vec<Option<Value>>,
}

impl Env {
    /// An environment with an empty frame of `frame` slots.
    #[must_use]
    pub fn new(consts: Arc<Vec<Option<Value>>>, vars: Arc<Vec<Option<Value>>>, frame: u32) -> Self {
        Self { consts, vars, old: None, locals: vec![None; frame as usize] }
    }

    /// The value of a local, if it has one.
    #[must_use]
    pub fn local(&self, id: LocalId) -> Option<&Value> {
        self.locals.get(id.0 as usize).and_then(Option::as_ref)
    }

    /// Sets a local (or unsets it), growing the frame if need be.
    pub fn set_local(&mut self, id: LocalId, v: Option<Value>) {
        let i = id.0 as usize;
        if i >= self.locals.len() {
            self.locals.resize(i + 1, None);
        }
        self.locals[i] = v;
    }

    /// A slot that nothing uses.
    pub(crate) fn unused(&self) -> LocalId {
        LocalId(u32::try_from(self.locals.len()).unwrap_or(u32::MAX))
    }

    /// Sets the variables of a binder.
    pub fn bind(&mut self, vars: &[Local], values: &[Value]) {
        vars.iter().zip(values).for_each(|(x, v)| self.set_local(x.id, Some(v.clone())));
    }

    /// The value of a variable, if it has one.
    #[must_use]
    pub fn var(&self, id: VarId) -> Option<&Value> {
        self.vars.get(id.0 as usize).and_then(Option::as_ref)
    }

    /// Sets a variable.
    pub fn set_var(&mut self, id: VarId, v: Option<Value>) {
        put(&mut self.vars, id.0 as usize, v);
    }

    /// Takes the value of a place away.
    pub fn take(&mut self, place: Place) -> Option<Value> {
        match place {
            Place::Var(id) => Arc::make_mut(&mut self.vars).get_mut(id.0 as usize)?.take(),
            Place::Local(id) => self.locals.get_mut(id.0 as usize)?.take(),
        }
    }

    /// The value of a constant, if it has one.
    #[must_use]
    pub fn constant(&self, id: ConstId) -> Option<&Value> {
        self.consts.get(id.0 as usize).and_then(Option::as_ref)
    }

    /// The value of a name, or of a field of one, where it is kept.
    pub(super) fn held(&self, e: &Expr) -> Option<&Value> {
        match &e.kind {
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Var(id) => self.var(*id),
            ExprKind::Const(id) => self.constant(*id),
            ExprKind::Field(r, i) => match self.held(r)? {
                Value::Rec(fields) => fields.get(*i as usize),
                _ => None,
            },
            _ => None,
        }
    }

    /// Sets a constant.
    pub fn set_const(&mut self, id: ConstId, v: Option<Value>) {
        put(&mut self.consts, id.0 as usize, v);
    }
}

fn put(values: &mut Arc<Vec<Option<Value>>>, i: usize, v: Option<Value>) {
    let values = Arc::make_mut(values);
    if i >= values.len() {
        values.resize(i + 1, None);
    }
    values[i] = v;
}
