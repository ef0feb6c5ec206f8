//! Conjunctions of integer comparisons that no integers satisfy, by elimination of one unknown after the other.
//!
//! In: unknown integers with conjuncts, where no window on the integers decides. Out: whether the conjuncts certainly cannot hold
//! together: of their comparisons of polynomials every combination of cases comes to `1 <= 0` (Fourier and Motzkin, each row
//! rounded to integers; even powers are not negative). What a quantifier in them denies is eliminated first, where that loses no
//! integers (one of two factors is 1). Only what has a value for all integers takes part, and `/` and `mod` by positive numbers
//! where the others keep the dividend from being negative. Absent: witnesses.

use super::ints::power_of;
use super::walk::Reads;
use super::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::{Op, interval_of};
use crate::ty::Ty;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::{replace, take};

/// Combinations of cases that are looked at.
const CASES: usize = 64;
/// Rows of one of them, also those that elimination makes.
const ROWS: usize = 400;
/// Terms of a polynomial, factors of one, and levels of an expression.
const TERMS: usize = 24;
const FACTORS: usize = 4;
const LEVELS: usize = 64;

/// The number of an unknown integer: a variable, or the quotient of a division.
type Number = u32;

/// A polynomial: by product of unknowns, in order, its factor; the empty product is 1.
type Polynomial = BTreeMap<Vec<Number>, i128>;

/// What a predicate says of the unknowns.
#[derive(Clone)]
enum Said {
    /// All of this; nothing, if there is none.
    All(Vec<Said>),
    /// One of these.
    One(Vec<Said>),
    /// A polynomial that is not positive.
    Row(Polynomial),
}

const NOTHING: Said = Said::All(Vec::new());

impl Evaluator {
    /// Whether conjuncts cannot hold together, whatever these variables are.
    pub(super) fn is_refuted(&self, vars: &[Local], conjuncts: &[&Pred], env: &mut Env) -> bool {
        if self.naive || self.world.lowered.is_some() || !vars.iter().any(|v| v.ty == Ty::Int) {
            return false;
        }
        let read = |divides: bool, first: Number, env: &mut Env| {
            let mut reader = Reader::new(self, divides, env);
            reader.open(vars);
            reader.count = reader.count.max(first);
            let mut said: Vec<Said> = conjuncts.iter().map(|p| reader.said(p, true, LEVELS)).collect();
            said.append(&mut reader.quotients);
            (Said::All(said), reader.dividends, reader.count)
        };
        let (said, dividends, count) = read(true, 0, env);
        if !is_impossible(Vec::new(), &[&said], &mut CASES.clone()) {
            return false;
        }
        // Where a dividend is negative there is no value, unless what has one rules that out.
        // The unknowns of dividends keep their numbers.
        let valued = if dividends.is_empty() { NOTHING } else { read(false, count, env).0 };
        dividends.iter().all(|d| {
            let negative = sum(constant(1), d, 1);
            negative.is_some_and(|row| is_impossible(vec![row], &[&valued], &mut CASES.clone()))
        })
    }
}

struct Reader<'a> {
    ev: &'a Evaluator,
    env: &'a mut Env,
    /// The unknowns in scope.
    names: BTreeMap<LocalId, Number>,
    /// How many unknowns there are.
    count: Number,
    /// Whether all that was read is said in full.
    exact: bool,
    /// Whether divisions are read, which ones have been, and what is known of their quotients.
    divides: bool,
    dividends: Vec<Polynomial>,
    quotients: Vec<Said>,
}

impl<'a> Reader<'a> {
    fn new(ev: &'a Evaluator, divides: bool, env: &'a mut Env) -> Self {
        let (names, dividends, quotients) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { ev, env, names, count: 0, exact: true, divides, dividends, quotients }
    }

    fn fresh(&mut self) -> Number {
        self.count += 1;
        self.count
    }

    /// Gives variables numbers.
    fn open(&mut self, vars: &[Local]) {
        for v in vars {
            let number = self.fresh();
            self.names.insert(v.id, number);
        }
    }

    /// Nothing, of what says something.
    fn nothing(&mut self) -> Said {
        self.exact = false;
        NOTHING
    }

    /// What it says that there are, or are not, values for which a predicate is true and another is true or false.
    fn exists(&mut self, binder: &Binder, body: Option<&Pred>, holds: bool, levels: usize) -> Said {
        if binder.vars.iter().any(|v| v.ty != Ty::Int) {
            return self.nothing();
        }
        let (before, whole, divides) =
            (self.count, replace(&mut self.exact, true), replace(&mut self.divides, false));
        let names = self.names.clone();
        self.open(&binder.vars);
        let mut said = vec![self.said(&binder.pred, true, levels)];
        said.extend(body.map(|p| self.said(p, false, levels)));
        self.names = names;
        self.divides = divides;
        let said = Said::All(said);
        if holds {
            self.exact &= whole;
            return said;
        }
        let mut cases = Vec::new();
        let exact = replace(&mut self.exact, whole);
        if !exact
            || !each_case(Vec::new(), &[&said], &mut CASES.clone(), &mut |rows| cases.push(rows.to_vec()))
        {
            return self.nothing();
        }
        let projected: Option<Vec<Said>> = cases.into_iter().map(|rows| denied(rows, before)).collect();
        projected.map_or_else(|| self.nothing(), Said::All)
    }

    /// What it says that a predicate is true, or false.
    fn said(&mut self, p: &Pred, holds: bool, levels: usize) -> Said {
        let Some(levels) = levels.checked_sub(1) else { return self.nothing() };
        match (&p.kind, holds) {
            (PredKind::True, true) | (PredKind::False, false) => NOTHING,
            (PredKind::True, false) | (PredKind::False, true) => Said::One(Vec::new()),
            (PredKind::And(ps), true) | (PredKind::Or(ps), false) => {
                Said::All(ps.iter().map(|p| self.said(p, holds, levels)).collect())
            }
            (PredKind::And(ps), false) | (PredKind::Or(ps), true) => {
                Said::One(ps.iter().map(|p| self.said(p, holds, levels)).collect())
            }
            (PredKind::Not(p), _) => self.said(p, !holds, levels),
            (PredKind::Implies(a, b), _) => {
                let parts = vec![self.said(a, !holds, levels), self.said(b, holds, levels)];
                if holds { Said::One(parts) } else { Said::All(parts) }
            }
            (PredKind::Iff(a, b), _) => {
                let mut both = |a_holds, b_holds| {
                    Said::All(vec![self.said(a, a_holds, levels), self.said(b, b_holds, levels)])
                };
                Said::One(vec![both(true, holds), both(false, !holds)])
            }
            (PredKind::Op(op, args), _) => match &args[..] {
                [a, b] if a.ty == Ty::Int => {
                    self.compared(*op, a, b, holds).unwrap_or_else(|| self.nothing())
                }
                _ => self.nothing(),
            },
            (PredKind::Exists(b), _) => self.exists(b, None, holds, levels),
            (PredKind::Forall(s), _) => self.exists(&s.binder, Some(&s.body), !holds, levels),
            _ => self.nothing(),
        }
    }

    fn compared(&mut self, op: Op, a: &Expr, b: &Expr, holds: bool) -> Option<Said> {
        let op = if holds { op } else { super::negate::opposite(op)? };
        if matches!(op, Op::In | Op::NotIn) {
            return self.member(a, b, op == Op::In);
        }
        let difference = sum(self.polynomial(a, LEVELS)?, &self.polynomial(b, LEVELS)?, -1)?;
        // Integers: less is less or equal by one.
        let at_most = |by: i128| Some(Said::Row(sum(difference.clone(), &constant(by), 1)?));
        let at_least = |by: i128| Some(Said::Row(sum(constant(by), &difference, -1)?));
        Some(match op {
            Op::Lt => at_most(1)?,
            Op::Le => at_most(0)?,
            Op::Gt => at_least(1)?,
            Op::Ge => at_least(0)?,
            Op::Eq => Said::All(vec![at_most(0)?, at_least(0)?]),
            Op::Neq => Said::One(vec![at_most(1)?, at_least(1)?]),
            _ => return None,
        })
    }

    /// What it says that an integer is a member of a set, or is none.
    fn member(&mut self, x: &Expr, set: &Expr, holds: bool) -> Option<Said> {
        let x = self.polynomial(x, LEVELS)?;
        let (low, high, whole) = self.ends(set)?;
        let below = |end: &Polynomial, by| Some(Said::Row(sum(sum(x.clone(), end, -1)?, &constant(by), 1)?));
        let above = |end: &Polynomial, by| Some(Said::Row(sum(sum(constant(by), &x, -1)?, end, 1)?));
        let mut sides = Vec::new();
        if let Some(low) = &low {
            sides.push(if holds { above(low, 0)? } else { below(low, 1)? });
        }
        if let Some(high) = &high {
            sides.push(if holds { below(high, 0)? } else { above(high, 1)? });
        }
        match holds {
            true => {
                self.exact &= whole;
                Some(Said::All(sides))
            }
            // Between its ends a set may have holes.
            false if whole => Some(Said::One(sides)),
            false => None,
        }
    }

    /// The ends of a set, and whether all between them are members.
    fn ends(&mut self, set: &Expr) -> Option<(Option<Polynomial>, Option<Polynomial>, bool)> {
        if let ExprKind::Op(Op::Interval, ends) = &set.kind
            && let [a, b] = &ends[..]
        {
            return Some((Some(self.polynomial(a, LEVELS)?), Some(self.polynomial(b, LEVELS)?), true));
        }
        if self.is_unknown(set) {
            return None;
        }
        let v = self.ev.expr(set, self.env).ok()?;
        let end = |n: Option<&num_bigint::BigInt>| match n {
            Some(n) => Some(Some(constant(i128::try_from(n).ok()?))),
            None => Some(None),
        };
        if let Some(range) = interval_of(&v) {
            return Some((end(range.lo.as_ref())?, end(range.hi.as_ref())?, true));
        }
        let Value::Set(s) = &v else { return None };
        let items = if s.is_extension() { s.items() } else { return None };
        let end = |v: Option<&Value>| match v {
            Some(Value::Int(n)) => Some(Some(constant((*n).into()))),
            _ => None,
        };
        Some((end(items.first())?, end(items.last())?, false))
    }

    fn is_unknown(&self, e: &Expr) -> bool {
        Reads::of(e).free().any(|id| self.names.contains_key(&id))
    }

    /// An integer as a polynomial; `None` if it is none, or may have no value.
    fn polynomial(&mut self, e: &Expr, levels: usize) -> Option<Polynomial> {
        let levels = levels.checked_sub(1)?;
        match &e.kind {
            ExprKind::Lit(Value::Int(n)) => return Some(constant((*n).into())),
            ExprKind::Local(id) if let Some(number) = self.names.get(id) => {
                return Some([(vec![*number], 1)].into());
            }
            ExprKind::Op(op, args) => match (op, &args[..]) {
                (Op::Add, [a, b]) => {
                    return sum(self.polynomial(a, levels)?, &self.polynomial(b, levels)?, 1);
                }
                (Op::Sub, [a, b]) => {
                    return sum(self.polynomial(a, levels)?, &self.polynomial(b, levels)?, -1);
                }
                (Op::Neg, [a]) => return sum(Polynomial::new(), &self.polynomial(a, levels)?, -1),
                (Op::Mul, [a, b]) => {
                    return product(&self.polynomial(a, levels)?, &self.polynomial(b, levels)?);
                }
                (Op::Div | Op::Mod, [a, b]) if self.divides && self.is_unknown(a) && !self.is_unknown(b) => {
                    return self.divided(*op, a, b, levels);
                }
                (Op::Power, args) => {
                    if let Some((a, n)) = power_of(Op::Power, args).filter(|(_, n)| *n as usize <= FACTORS) {
                        let a = self.polynomial(a, levels)?;
                        return (0..n).try_fold(constant(1), |all, _| product(&all, &a));
                    }
                }
                _ => {}
            },
            _ => {}
        }
        if self.is_unknown(e) {
            return None;
        }
        match self.ev.expr(e, self.env).ok()? {
            Value::Int(n) => Some(constant(n.into())),
            Value::Big(n) => Some(constant(i128::try_from(&*n).ok()?)),
            _ => None,
        }
    }
}

impl Reader<'_> {
    /// A quotient, or a remainder, by a positive number.
    fn divided(&mut self, op: Op, a: &Expr, b: &Expr, levels: usize) -> Option<Polynomial> {
        let (a, b) = (self.polynomial(a, levels)?, self.polynomial(b, levels)?);
        let by = b.get(&Vec::new()).copied().filter(|n| *n > 0 && b.len() == 1)?;
        let quotient = Polynomial::from([(vec![self.fresh()], 1)]);
        let rest = sum(a.clone(), &quotient, by.checked_neg()?)?;
        let least = sum(Polynomial::new(), &rest, -1)?;
        let most = sum(rest.clone(), &constant(by.checked_sub(1)?), -1)?;
        self.quotients.extend([Said::Row(least), Said::Row(most)]);
        self.dividends.push(a);
        Some(if op == Op::Div { quotient } else { rest })
    }
}

fn constant(n: i128) -> Polynomial {
    [(Vec::new(), n)].into()
}

/// `a + factor * b`.
fn sum(mut a: Polynomial, b: &Polynomial, factor: i128) -> Option<Polynomial> {
    for (of, n) in b {
        let slot = a.entry(of.clone()).or_insert(0);
        *slot = slot.checked_add(n.checked_mul(factor)?)?;
    }
    (a.len() <= TERMS).then_some(a)
}

fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut all = Polynomial::new();
    for (of, n) in a {
        for (with, m) in b {
            let mut both = [of.as_slice(), with].concat();
            both.sort_unstable();
            if both.len() > FACTORS {
                return None;
            }
            let slot = all.entry(both).or_insert(0);
            *slot = slot.checked_add(n.checked_mul(*m)?)?;
        }
    }
    (all.len() <= TERMS).then_some(all)
}

/// Whether some rows and all of this cannot hold together; `cases` is how many are left to look at.
fn is_impossible(rows: Vec<Polynomial>, said: &[&Said], cases: &mut usize) -> bool {
    let mut possible = false;
    each_case(rows, said, cases, &mut |_| possible = true) && !possible
}

/// The cases of rows and all of this that are not contradictory. Whether these are all of them.
fn each_case(
    mut rows: Vec<Polynomial>,
    said: &[&Said],
    cases: &mut usize,
    f: &mut dyn FnMut(&[Polynomial]),
) -> bool {
    let (mut said, mut choices) = (said.to_vec(), Vec::new());
    while let Some(one) = said.pop() {
        match one {
            Said::All(all) => said.extend(all),
            Said::One(of) => choices.push((one, of)),
            Said::Row(row) => rows.push(row.clone()),
        }
    }
    let Some(left) = cases.checked_sub(1) else { return false };
    *cases = left;
    if rows.len() > ROWS {
        return false;
    }
    if has_contradiction(&rows) {
        return true;
    }
    // The one with the fewest cases first.
    let Some(at) = (0..choices.len()).min_by_key(|i| choices[*i].1.len()) else {
        f(&rows);
        return true;
    };
    let (_, of) = choices.swap_remove(at);
    let others: Vec<&Said> = choices.iter().map(|(one, _)| *one).collect();
    of.iter().all(|case| each_case(rows.clone(), &[others.as_slice(), &[case]].concat(), cases, f))
}

/// What is said by denying that there are values of the unknowns above `last` with which some rows hold; `None` if elimination
/// does not say it exactly.
fn denied(mut rows: Vec<Polynomial>, last: Number) -> Option<Said> {
    rows.iter_mut().for_each(|row| row.retain(|_, n| *n != 0));
    loop {
        let inner = |p: &Polynomial| p.keys().flatten().copied().filter(|n| *n > last).max();
        let Some(number) = rows.iter().filter_map(inner).max() else { break };
        let (with, without): (Vec<_>, Vec<_>) =
            take(&mut rows).into_iter().partition(|p| p.keys().any(|of| of.contains(&number)));
        rows = without;
        let factor = |p: &Polynomial| p.get(&vec![number]).copied();
        if with.iter().any(|p| p.keys().any(|of| of.contains(&number) && of.len() > 1)) {
            return None;
        }
        for up in with.iter().filter(|p| factor(p) > Some(0)) {
            for down in with.iter().filter(|p| factor(p) < Some(0)) {
                let (m, n) = (factor(up)?, factor(down)?.checked_neg()?);
                if m != 1 && n != 1 {
                    return None;
                }
                let scaled = sum(Polynomial::new(), up, n)?;
                let mut row = sum(scaled, down, m)?;
                row.retain(|_, n| *n != 0);
                rows.push(row);
                if rows.len() > ROWS {
                    return None;
                }
            }
        }
    }
    let opposite = |row: &Polynomial| Some(Said::Row(sum(constant(1), row, -1)?));
    Some(Said::One(rows.iter().map(opposite).collect::<Option<_>>()?))
}

/// Factors of the products that are left, and a constant: their sum is not positive.
type Row = (Vec<i128>, i128);

fn has_contradiction(polynomials: &[Polynomial]) -> bool {
    let products: BTreeSet<&Vec<Number>> =
        polynomials.iter().flat_map(BTreeMap::keys).filter(|p| !p.is_empty()).collect();
    let products: Vec<&Vec<Number>> = products.into_iter().collect();
    let one: Vec<Number> = Vec::new();
    let of = |p: &Polynomial, product: &Vec<Number>| p.get(product).copied().unwrap_or(0);
    let mut rows = BTreeMap::new();
    for p in polynomials {
        let row = (products.iter().map(|x| of(p, x)).collect(), of(p, &one));
        if add(row, &mut rows) {
            return true;
        }
    }
    for (i, product) in products.iter().enumerate() {
        if is_even(product) {
            let factors = (0..products.len()).map(|j| if i == j { -1 } else { 0 }).collect();
            if add((factors, 0), &mut rows) {
                return true;
            }
        }
    }
    eliminate(rows).unwrap_or(false)
}

/// Whether each of its unknowns is there an even number of times.
fn is_even(product: &[Number]) -> bool {
    product.chunk_by(|a, b| a == b).all(|c| c.len() % 2 == 0)
}

/// Eliminates all unknowns; whether a contradiction is left. `None` if there are too many rows, or numbers are too large.
fn eliminate(mut rows: BTreeMap<Vec<i128>, i128>) -> Option<bool> {
    loop {
        let width = rows.keys().next().map_or(0, Vec::len);
        let count = |i: usize, sign: i128| rows.keys().filter(|f| f[i].signum() == sign).count();
        let there = (0..width).filter(|i| rows.keys().any(|f| f[*i] != 0));
        // First the ones whose elimination loses no integers.
        let is_exact = |i: usize| rows.keys().all(|f| f[i].abs() <= 1);
        let Some(i) = there.min_by_key(|i| (!is_exact(*i), count(*i, 1) * count(*i, -1))) else {
            return Some(false);
        };
        let (with, without): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|(f, _)| f[i] != 0);
        rows = without.into_iter().collect();
        let (up, down): (Vec<Row>, Vec<Row>) = with.into_iter().partition(|(f, _)| f[i] > 0);
        for (a, k) in &up {
            for (b, l) in &down {
                let (m, n) = (b[i].checked_neg()?, a[i]);
                let add_up = |x: i128, y: i128| x.checked_mul(m)?.checked_add(y.checked_mul(n)?);
                let factors = a.iter().zip(b).map(|(x, y)| add_up(*x, *y)).collect::<Option<Vec<_>>>()?;
                if add((factors, add_up(*k, *l)?), &mut rows) {
                    return Some(true);
                }
                if rows.len() > ROWS {
                    return None;
                }
            }
        }
    }
}

/// Adds a row, of those with the same factors the one that says most; whether it cannot hold.
fn add((mut factors, mut k): Row, rows: &mut BTreeMap<Vec<i128>, i128>) -> bool {
    let divisor = factors.iter().fold(0, |a, b| gcd(a, b.unsigned_abs()));
    let Ok(divisor) = i128::try_from(divisor) else { return false };
    if divisor == 0 {
        return k > 0;
    }
    factors.iter_mut().for_each(|f| *f /= divisor);
    // The sum of the others is an integer, so the constant is rounded up.
    k = k.div_euclid(divisor) + i128::from(k.rem_euclid(divisor) != 0);
    let slot = rows.entry(factors).or_insert(k);
    *slot = k.max(*slot);
    false
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::*;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn terms() -> BoxedStrategy<Expr> {
        let leaf = prop_oneof![3 => (0..3u32).prop_map(x), 2 => (-4..5i64).prop_map(int)];
        leaf.prop_recursive(2, 5, 2, |inner| {
            let operators = prop_oneof![3 => Just(Op::Add), 2 => Just(Op::Sub), 1 => Just(Op::Mul)];
            (operators, inner.clone(), inner).prop_map(|(o, a, b)| op(o, vec![a, b], Ty::Int))
        })
        .boxed()
    }

    fn formulas() -> BoxedStrategy<Pred> {
        let comparisons = prop::sample::select(vec![Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Neq]);
        let compared = (comparisons, terms(), terms()).prop_map(|(o, a, b)| p(o, vec![a, b]));
        let sets = prop_oneof![
            prop::sample::select(vec![Op::Natural, Op::Natural1, Op::Nat, Op::Nat1, Op::Int, Op::Integer])
                .prop_map(|o| op(o, Vec::new(), Ty::pow(Ty::Int))),
            (terms(), terms()).prop_map(|(a, b)| op(Op::Interval, vec![a, b], Ty::pow(Ty::Int))),
            prop::collection::vec(-4..5i64, 1..4).prop_map(|items| set(&items)),
        ];
        let member = prop::sample::select(vec![Op::In, Op::NotIn]);
        let member = (member, terms(), sets).prop_map(|(o, a, s)| p(o, vec![a, s]));
        let pred = |kind| Pred { kind, span: at(4) };
        prop_oneof![3 => compared, 2 => member]
            .prop_recursive(2, 6, 3, move |inner| {
                let two = (inner.clone(), inner.clone());
                prop_oneof![
                    prop::collection::vec(inner.clone(), 1..4).prop_map(or),
                    prop::collection::vec(inner.clone(), 1..4).prop_map(and),
                    inner.prop_map(move |a| pred(PredKind::Not(Box::new(a)))),
                    two.clone().prop_map(move |(a, b)| pred(PredKind::Implies(Box::new(a), Box::new(b)))),
                    two.prop_map(move |(a, b)| pred(PredKind::Iff(Box::new(a), Box::new(b)))),
                ]
            })
            .boxed()
    }

    fn quantified(i: u32, pred: Pred, body: Option<Pred>) -> Pred {
        let (vars, captures) = (vec![local(i, Ty::Int)], Vec::new());
        let binder = Arc::new(Binder { vars, pred, captures, frame: 12, reads_state: false, id: u32::MAX });
        let kind = match body {
            Some(body) => PredKind::Forall(Arc::new(crate::ir::Scoped { binder, body })),
            None => PredKind::Exists(binder),
        };
        Pred { kind, span: at(5) }
    }

    /// The third unknown is quantified.
    fn quantifiers() -> BoxedStrategy<Pred> {
        let exists = formulas().prop_map(|p| quantified(2, p, None));
        let forall = (formulas(), formulas()).prop_map(|(a, b)| quantified(2, a, Some(b)));
        let one = prop_oneof![exists, forall];
        (one, any::<bool>())
            .prop_map(|(one, denied)| match denied {
                true => Pred { kind: PredKind::Not(Box::new(one)), span: at(4) },
                false => one,
            })
            .boxed()
    }

    /// The value of a formula, by all values of what it quantifies within a window wide enough for what a term can come to.
    fn by_hand(p: &Pred, ev: &Evaluator, env: &mut Env) -> bool {
        let some = |env: &mut Env, f: &mut dyn FnMut(&mut Env) -> bool| {
            (-WIDE..=WIDE).any(|n| {
                env.set_local(LocalId(2), Some(Value::Int(n)));
                f(env)
            })
        };
        let holds = |p: &Pred, env: &mut Env| ev.pred(p, env) == Ok(true);
        match &p.kind {
            PredKind::Not(p) => !by_hand(p, ev, env),
            PredKind::Exists(b) => some(env, &mut |env| holds(&b.pred, env)),
            PredKind::Forall(s) => !some(env, &mut |env| holds(&s.binder.pred, env) && !holds(&s.body, env)),
            _ => holds(p, env),
        }
    }

    const WIDE: i64 = 150;

    fn refuted(conjuncts: &[Pred]) -> bool {
        let vars: Vec<Local> = (0..3).map(|i| local(i, Ty::Int)).collect();
        let mut env = Env::new(Vec::new().into(), Vec::new().into(), 12);
        evaluator().is_refuted(&vars, &conjuncts.iter().collect::<Vec<_>>(), &mut env)
    }

    /// What is refuted has no solution among small integers, which are all tried.
    #[test]
    fn refuted_formulas_have_no_solution() {
        let (ev, refutations) = (evaluator(), std::cell::Cell::new(0));
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(3_000));
        let run = runner.run(&prop::collection::vec(formulas(), 1..5), |conjuncts| {
            if !refuted(&conjuncts) {
                return Ok(());
            }
            refutations.set(refutations.get() + 1);
            let mut env = Env::new(Vec::new().into(), Vec::new().into(), 12);
            for n in 0..1_000 {
                for (i, digit) in [n / 100, n / 10 % 10, n % 10].into_iter().enumerate() {
                    env.set_local(LocalId(u32::try_from(i).expect("small")), Some(Value::Int(digit - 5)));
                }
                let solves = conjuncts.iter().all(|c| ev.pred(c, &mut env) == Ok(true));
                prop_assert!(!solves, "{conjuncts:?}");
            }
            Ok(())
        });
        run.expect("no solution");
        assert!(refutations.get() > 300, "{refutations:?}");
    }

    /// What is refuted with a quantifier over all integers has no solution, either.
    #[test]
    fn refuted_quantifiers_have_no_solution() {
        let (ev, refutations) = (evaluator(), std::cell::Cell::new(0));
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(4_000));
        let outer = prop::collection::vec(formulas(), 0..2);
        let run = runner.run(&(prop::collection::vec(quantifiers(), 1..3), outer), |(mut all, outer)| {
            let plain = refuted(&outer);
            all.extend(outer);
            if plain || !refuted(&all) {
                return Ok(());
            }
            refutations.set(refutations.get() + 1);
            let mut env = Env::new(Vec::new().into(), Vec::new().into(), 12);
            for n in 0..125 {
                let digits = [n / 25, n / 5 % 5, n % 5].map(|d| d - 2);
                let solves = all.iter().all(|c| {
                    for (i, digit) in (0..).zip(digits) {
                        env.set_local(LocalId(i), Some(Value::Int(digit)));
                    }
                    by_hand(c, &ev, &mut env)
                });
                prop_assert!(!solves, "{digits:?}: {all:?}");
            }
            Ok(())
        });
        run.expect("no solution");
        assert!(refutations.get() > 100, "{refutations:?}");
    }

    /// Chains, parities, squares and cases are seen.
    #[test]
    fn what_is_refuted() {
        let sum = |a, b| op(Op::Add, vec![a, b], Ty::Int);
        let times = |a, b| op(Op::Mul, vec![a, b], Ty::Int);
        let less = |a, b| p(Op::Lt, vec![a, b]);
        assert!(refuted(&[less(x(0), x(1)), less(x(1), x(2)), less(x(2), x(0))]));
        assert!(!refuted(&[less(x(0), x(1)), less(x(1), x(2)), less(x(0), x(2))]));
        let odd = p(Op::Eq, vec![sum(times(int(2), x(0)), times(int(4), x(1))), int(7)]);
        assert!(refuted(&[odd]));
        assert!(refuted(&[less(sum(times(x(0), x(0)), times(x(1), x(1))), int(0))]));
        assert!(!refuted(&[less(times(x(0), x(1)), int(0))]));
        let rest = |by, is| p(Op::Eq, vec![op(Op::Mod, vec![x(0), int(by)], Ty::Int), int(is)]);
        let natural = p(Op::Ge, vec![x(0), int(0)]);
        assert!(refuted(&[natural.clone(), rest(4, 2), rest(2, 1)]));
        assert!(!refuted(&[natural, rest(4, 2), rest(2, 0)]));
        // Negative numbers have no remainder.
        assert!(!refuted(&[rest(4, 2), rest(2, 1)]));
        let any = Pred { kind: PredKind::True, span: at(4) };
        assert!(refuted(&[quantified(3, any.clone(), Some(less(x(0), x(3))))]));
        assert!(!refuted(&[quantified(3, less(x(0), x(3)), Some(less(int(0), x(3))))]));
        let next = quantified(4, less(x(3), x(4)), None);
        let without = Pred { kind: PredKind::Not(Box::new(quantified(3, any, Some(next)))), span: at(4) };
        assert!(refuted(&[without]));
        let apart = or(vec![less(x(0), int(0)), less(int(9), x(0))]);
        assert!(refuted(&[apart, p(Op::In, vec![x(0), set(&[0, 9])])]));
    }
}
