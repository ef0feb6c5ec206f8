//! Binders that ask for a key: `{x, y | x : 1..n & y : 1..n & x * y = p}` is asked again and again, for one `p` after the
//! other.
//!
//! In: a binder some of whose conjuncts read its own variables only, while all others equate something made of those with
//! something that does not read them, or say that this is a member of it: `{u | u : U & i : f(u)}` is asked for one `i`
//! after the other. Its own variables are also those of a quantifier that is all of its predicate. Out: its solutions
//! from a table that is made once they have been asked for often: what the former conjuncts leave, by the values on the
//! left. The table lasts as long as the constants that it depends on. Where the conjuncts cannot be listed by
//! themselves, or some left side has no value, there is none.

use super::closure::tuple;
use super::constants::Constants;
use super::implied;
use super::loops::Loops;
use super::problem::{Problem, Unknown};
use super::small::{self, Term};
use super::solve::{CLOSED, Mode};
use super::walk::{self, Reads};
use super::{Env, Evaluator, Flow, Sink};
use crate::ir::{Binder, Expr, ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::{Fault, Op};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use hashbrown::HashMap;
use smallvec::SmallVec;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::{Arc, Mutex, OnceLock};

/// How often a binder is asked before there is a table; twice as often each time that constants change.
const OFTEN: u32 = 16;

/// Most rows of a table.
const ROWS: usize = 1 << 16;

/// Most steps of the solver for making one.
const PATIENCE: u64 = 1 << 18;

/// The values of a key as numbers: its type says how they are read.
pub(super) type Key = SmallVec<[i64; 2]>;

/// The solutions by key.
pub(super) type Table = HashMap<Key, Rows>;

/// The solutions for one key.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Values of the variables.
    tuples: Vec<Box<[Value]>>,
    /// More rows, all of integers, one after the other.
    numbers: Vec<i64>,
    /// The set of them as tuples, once it has been asked for.
    set: OnceLock<Value>,
}

/// A binder with what its table is made from.
#[derive(Debug)]
pub(super) struct Keyed {
    /// What does not depend on the key.
    base: Problem,
    /// What makes up the key of a row.
    own: Vec<Own>,
    /// The key that is asked for.
    asked: Vec<Expr>,
    /// Whether the rows do not depend on constants.
    fixed: bool,
    /// Whether a solution may come in several rows, as there are variables that are quantified.
    several: bool,
    state: Mutex<State>,
}

/// A part of the key of a row.
#[derive(Debug)]
enum Own {
    /// This value.
    Value(Expr),
    /// Each member of this set: the row has several keys.
    Members(Expr),
}

impl Own {
    fn expr(&self) -> &Expr {
        match self {
            Own::Value(e) | Own::Members(e) => e,
        }
    }
}

/// Why there is no table; nobody is told.
fn untabled(why: &str) -> Fault {
    Fault::new(crate::diagnostic::Code::TooLarge, why)
}

#[derive(Debug)]
struct State {
    /// The constants that the table is for (kept, so that no others can be at their address).
    consts: Option<Constants>,
    times: u32,
    often: u32,
    table: Option<Arc<Table>>,
    /// Whether making a table has failed.
    never: bool,
}

impl Keyed {
    /// The parts of a binder's predicate; `None` if it does not ask for a key.
    pub(super) fn new(binder: &Binder, ev: &Evaluator) -> Option<Self> {
        let (vars, conjuncts) = flattened(binder);
        let mine = |id: LocalId| vars.iter().any(|v| v.id == id);
        let unknowns: Vec<Unknown> = vars.iter().map(|v| Unknown::local(v)).collect();
        // What the key says of the variables, too.
        let implied = implied::memberships(&conjuncts, &unknowns, ev.named());
        let (mut base, mut own, mut asked) = (Vec::new(), Vec::new(), Vec::new());
        for p in &conjuncts {
            if reads_only(p, &mine) {
                base.push(*p);
                continue;
            }
            let PredKind::Op(op @ (Op::Eq | Op::In), sides) = &p.kind else { return None };
            let [a, b] = &sides[..] else { return None };
            let is_own = |e: &Expr| {
                let reads = Reads::of(e);
                !reads.state && reads.free().all(mine) && !is_direct(e, &mine)
            };
            let is_asked = |e: &Expr| !Reads::of(e).free().any(mine);
            let (a, b) = match (op, is_own(a) && is_asked(b), is_own(b) && is_asked(a)) {
                (Op::In, _, true) if is_stored(b) => (Own::Members(b.clone()), a),
                (Op::Eq, true, _) => (Own::Value(a.clone()), b),
                (Op::Eq, _, true) => (Own::Value(b.clone()), a),
                _ => return None,
            };
            if !is_scalar(&b.ty) {
                return None;
            }
            own.push(a);
            asked.push(b.clone());
        }
        if own.is_empty() {
            return None;
        }
        let mut fixed = true;
        let mut note = |e: &Expr| fixed &= !matches!(e.kind, ExprKind::Const(_));
        base.iter().for_each(|p| walk::pred(p, &mut note));
        own.iter().for_each(|own| walk::expr(own.expr(), &mut note));
        base.extend(implied.iter().filter(|p| reads_only(p, &mine)));
        let base = Problem::new(unknowns, &base, ev);
        let state = State { consts: None, times: 0, often: OFTEN, table: None, never: false };
        let several = vars.len() > binder.vars.len();
        Some(Self { base, own, asked, fixed, several, state: Mutex::new(state) })
    }

    /// What makes up the key that is asked for.
    pub(super) fn asked(&self) -> &[Expr] {
        &self.asked
    }

    /// The table for the constants as they are, if there is one.
    pub(super) fn ready(&self, env: &Env) -> Option<Arc<Table>> {
        let state = self.state.try_lock().ok()?;
        let same = |consts: &Constants| self.fixed || Arc::ptr_eq(consts, &env.consts);
        state.table.clone().filter(|_| state.consts.as_ref().is_some_and(same))
    }

    /// The table for the constants as they are, once it is worth its while.
    fn table(&self, ev: &Evaluator, binder: &Binder, env: &mut Env) -> Option<Arc<Table>> {
        let mut state = self.state.try_lock().ok()?;
        if state.never {
            return None;
        }
        let same = |consts: &Constants| self.fixed || Arc::ptr_eq(consts, &env.consts);
        if !state.consts.as_ref().is_some_and(same) {
            let often =
                if state.table.take().is_some() { state.often.saturating_mul(2) } else { state.often };
            *state = State { consts: Some(env.consts.clone()), times: 0, often, table: None, never: false };
        }
        if state.table.is_none() {
            state.times = state.times.saturating_add(1);
            if state.times < state.often {
                return None;
            }
            state.table = self.make(ev, binder, env).ok().map(Arc::new);
            state.never = state.table.is_none();
        }
        state.table.clone()
    }

    fn make(&self, ev: &Evaluator, binder: &Binder, env: &mut Env) -> Result<Table, Fault> {
        let mode = Mode { limit: ROWS as u64, ..CLOSED }.within(PATIENCE);
        if let Some(table) = self.looped(ev, binder, mode, env) {
            return Ok(table);
        }
        let mut table = Table::new();
        let mut rows = 0;
        let _ = ev.run(&self.base, mode, env, &mut |ev, env| {
            let row: Box<[Value]> = binder.vars.iter().filter_map(|v| env.local(v.id).cloned()).collect();
            if self.several && !row.iter().all(Value::is_extension) {
                return Err(untabled("whether solutions are equal is not for the order of values to say"));
            }
            let mut keys = self.keys(ev, env)?;
            rows += keys.len();
            if rows > ROWS {
                return Ok(Break(()));
            }
            let last = keys.pop();
            for key in keys {
                table.entry(key).or_default().tuples.push(row.clone());
            }
            if let Some(key) = last {
                table.entry(key).or_default().tuples.push(row);
            }
            Ok(Continue(()))
        })?;
        if rows > ROWS {
            return Err(untabled("too many rows for a table"));
        }
        if self.several {
            for found in table.values_mut() {
                found.tuples.sort_unstable();
                found.tuples.dedup();
            }
        }
        Ok(table)
    }

    /// The table from plain loops, if all is about integers and keys are made of the binder's own variables only.
    fn looped(&self, ev: &Evaluator, binder: &Binder, mode: Mode, env: &mut Env) -> Option<Table> {
        if self.several {
            return None;
        }
        let mut leaf = |e: &Expr| match &e.kind {
            ExprKind::Lit(Value::Int(n)) => Some(Term::Number(*n)),
            _ => self.base.unknown_of(e).map(Term::At),
        };
        let mut term = |own: &Own| match own {
            Own::Value(e) => Term::new(e, &mut leaf),
            Own::Members(_) => None,
        };
        let terms = self.own.iter().map(&mut term).collect::<Option<SmallVec<[Term; 2]>>>()?;
        let loops = Loops::new(&self.base, &binder.vars, ev)?;
        let mut table = Table::new();
        let mut rows = 0;
        loops.each(ev, &self.base, mode, None, env, &mut |at, _| {
            rows += 1;
            let key = terms.iter().map(|t| t.value(at)).collect::<Option<Key>>()?;
            loops.values(at, &mut table.entry(key).or_default().numbers)?;
            (rows <= ROWS).then_some(Continue(()))
        })?;
        Some(table)
    }

    /// The keys of a row: one of each part's values, in all ways.
    fn keys(&self, ev: &Evaluator, env: &mut Env) -> Result<Vec<Key>, Fault> {
        let large = || untabled("a key does not fit");
        let mut keys = vec![Key::new()];
        for own in &self.own {
            match (own, ev.settled(own.expr(), env)?) {
                (Own::Value(_), v) => {
                    keys.iter_mut().try_for_each(|key| numbers(&v, key)).ok_or_else(large)?;
                }
                (Own::Members(_), Value::Set(s)) => {
                    if keys.len().saturating_mul(s.len()) > ROWS {
                        return Err(untabled("too many keys for a table"));
                    }
                    let with = |key: &Key, v: &Value| {
                        let mut key = key.clone();
                        numbers(v, &mut key).map(|()| key)
                    };
                    let all = keys.iter().flat_map(|key| s.items().iter().map(move |v| with(key, v)));
                    keys = all.collect::<Option<Vec<Key>>>().ok_or_else(large)?;
                }
                (Own::Members(_), _) => return Err(untabled("the members of a key cannot be listed")),
            }
        }
        Ok(keys)
    }

    /// Calls `f` with the solutions, if they are in a table. Their order is not that of the plan.
    pub(super) fn solutions(
        &self,
        ev: &Evaluator,
        binder: &Binder,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Option<Flow> {
        let table = self.table(ev, binder, env)?;
        let Some(found) = self.found(&table, ev, env)? else { return Some(Ok(Continue(()))) };
        for row in &found.tuples {
            env.bind(&binder.vars, row);
            match f(ev, env) {
                Ok(Continue(())) => {}
                done => return Some(done),
            }
        }
        for row in found.numbers.chunks_exact(binder.vars.len().max(1)) {
            binder.vars.iter().zip(row).for_each(|(x, n)| env.set_local(x.id, Some(Value::Int(*n))));
            match f(ev, env) {
                Ok(Continue(())) => {}
                done => return Some(done),
            }
        }
        Some(Ok(Continue(())))
    }
}

impl Keyed {
    /// The solutions as the set of their tuples, if they are in a table.
    pub(super) fn set(&self, ev: &Evaluator, binder: &Binder, env: &mut Env) -> Option<Value> {
        let table = self.table(ev, binder, env)?;
        let Some(found) = self.found(&table, ev, env)? else { return Some(Value::empty()) };
        let make = || {
            let tuples = found.tuples.iter().map(|row| {
                env.bind(&binder.vars, row);
                tuple(&binder.vars, env)
            });
            let numbers = found.numbers.chunks_exact(binder.vars.len().max(1));
            let more = numbers.filter_map(|row| row.iter().map(|n| Value::Int(*n)).reduce(Value::pair));
            Value::Set(SetRef::from_vec(tuples.chain(more).collect()))
        };
        // Sets that are not listed are told apart by whoever collects them.
        Some(found.set.get_or_init(make)).filter(|set| set.is_extension()).cloned()
    }

    /// What there is for the key that is asked for; `None` if that has no value.
    fn found<'t>(&self, table: &'t Table, ev: &Evaluator, env: &mut Env) -> Option<Option<&'t Rows>> {
        let (mut key, mut fits) = (Key::new(), true);
        for e in &self.asked {
            if let Some(n) = small::quick(e, env) {
                key.push(n);
                continue;
            }
            let v = ev.settled(e, env).ok()?;
            fits &= numbers(&v, &mut key).is_some();
        }
        // All keys of the table fit.
        Some(if fits { table.get(&key) } else { None })
    }
}

/// Adds what a small value is made of to a key; `None` if it has numbers past 64 bits.
pub(super) fn numbers(v: &Value, key: &mut Key) -> Option<()> {
    match v {
        Value::Int(n) => key.push(*n),
        Value::Bool(b) => key.push(i64::from(*b)),
        Value::Elem(_, i) => key.push(i64::from(*i)),
        Value::Pair(sides) => {
            numbers(&sides.0, key)?;
            numbers(&sides.1, key)?;
        }
        _ => return None,
    }
    Some(())
}

/// The variables of a binder and its conjuncts; where it is one quantifier, also those of the quantifier.
fn flattened(binder: &Binder) -> (Vec<&Local>, Vec<&Pred>) {
    let mut vars: Vec<&Local> = binder.vars.iter().collect();
    let mut conjuncts = binder.pred.conjuncts();
    while let [Pred { kind: PredKind::Exists(inner), .. }] = conjuncts[..] {
        vars.extend(&inner.vars);
        conjuncts = inner.pred.conjuncts();
    }
    (vars, conjuncts)
}

/// Whether a predicate reads some locals only, and no state.
fn reads_only(p: &Pred, mine: &dyn Fn(LocalId) -> bool) -> bool {
    let reads = Reads::of_pred(p);
    !reads.state && reads.free().all(mine)
}

/// Whether a set is read from a variable or a value: one that is made up may have any number of members.
fn is_stored(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) => true,
        ExprKind::Field(of, _) => is_stored(of),
        ExprKind::Op(Op::Apply, args) => {
            args.first().is_some_and(|f| is_stored(f) || matches!(f.kind, ExprKind::Const(_)))
        }
        _ => false,
    }
}

/// Whether an equation with this on one side gives the variables their values: nothing needs to be looked up then.
fn is_direct(e: &Expr, mine: &dyn Fn(LocalId) -> bool) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Lit(_) => true,
        ExprKind::Op(Op::Maplet, args) => args.iter().all(|e| is_direct(e, mine)),
        ExprKind::Op(Op::Add | Op::Sub | Op::Neg, _) => {
            Reads::of(e).free().filter(|id| mine(*id)).count() < 2
        }
        _ => false,
    }
}

/// Whether a type's values have one form each, and are small.
pub(super) fn is_scalar(ty: &Ty) -> bool {
    match ty {
        Ty::Int | Ty::Bool | Ty::Given(_) => true,
        Ty::Pair(a, b) => is_scalar(a) && is_scalar(b),
        _ => false,
    }
}
