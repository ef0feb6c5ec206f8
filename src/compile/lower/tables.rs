//! Constant functions to sets, applied: `nxt(r)` with `nxt = {r1 |-> {..}, r2 |-> {..}}`.
//!
//! In: a constant, an argument. Out: the words of its value, each taken from a table by the argument's number. Absent:
//! functions that are small enough to be held with all their rows (`funs`), which more operators have a rule for.

use super::funs::has_twins;
use super::shape::{Bits, MOST, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Block, Opd};
use crate::ir::{Expr, ExprKind};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use Opd::K;

/// Most words of a table: each is copied into a register before it is looked at.
const MOST_WORDS: u64 = 2048;

/// The argument and the members of the value of each pair.
type Rows<'v> = Vec<(&'v Value, &'v SetRef)>;

impl Lower<'_> {
    /// `f(x)` for a known function to sets with too many possible pairs to be held; goes to `out` where it has no value. `None` if it is none.
    pub(super) fn apply_table(&mut self, f: &Expr, x: &Expr, out: Block, env: &Env) -> Res<Option<Val>> {
        let Some((a, Ty::Pow(b))) = f.ty.sides() else { return Ok(None) };
        let Some(known) = self.known_set(f) else { return Ok(None) };
        let Some(rows) = rows(&known) else { return Ok(None) };
        let Some(left) = self.joined(a, rows.iter().map(|(x, _)| *x)) else { return Ok(None) };
        let Some(item) = self.joined(b, rows.iter().flat_map(|(_, y)| y.items())) else { return Ok(None) };
        let held = left.size().saturating_mul(item.size().saturating_add(1));
        let width = match item.words() {
            Some(n) if held > MOST && left.size().saturating_mul(n as u64) <= MOST_WORDS => n,
            _ => return Ok(None),
        };
        // For each word of a value a row, with one word for each argument.
        let mut table = vec![vec![0; usize::try_from(left.size()).unwrap_or(0)]; width];
        let mut there = vec![0; left.words().unwrap_or(0)];
        for (x, y) in &rows {
            let i = self.literal_number(x, a, &left)?;
            there.get_mut(i / 64).into_iter().for_each(|w| *w |= 1 << (i % 64));
            for v in y.items() {
                let bit = self.literal_number(v, b, &item)?;
                let word = table.get_mut(bit / 64).and_then(|words| words.get_mut(i));
                word.into_iter().for_each(|w| *w |= 1 << (bit % 64));
            }
        }
        let x = self.expr(x, env)?;
        let i = self.number(&x, &left, out)?;
        if (rows.len() as u64) < left.size() {
            let has = self.test(&literals(&there), i);
            self.require(has, out);
        }
        let words = table.iter().map(|words| self.b.pick(&literals(words), i)).collect();
        Ok(Some(Val::Set(Bits { elem: item, words })))
    }

    fn known_set(&self, f: &Expr) -> Option<SetRef> {
        match &f.kind {
            ExprKind::Const(c) => match self.src.consts.get(c.0 as usize)?.as_ref()? {
                Value::Set(s) => Some(s.clone()),
                _ => None,
            },
            ExprKind::Lit(Value::Set(s)) => Some(s.clone()),
            _ => None,
        }
        .filter(SetRef::is_extension)
    }

    /// A numbering of values of a type.
    fn joined<'v>(&mut self, ty: &Ty, values: impl Iterator<Item = &'v Value>) -> Option<Shape> {
        let mut shape = Shape::of(ty, self.src.world)?;
        for v in values {
            shape = shape.join(&self.literal(v, ty).ok()?.shape()?)?;
        }
        Some(shape)
    }

    /// The number of a known value.
    fn literal_number(&mut self, v: &Value, ty: &Ty, shape: &Shape) -> Res<usize> {
        let (v, bail) = (self.literal(v, ty)?, self.bail);
        match self.number(&v, shape, bail)? {
            K(n) => Ok(usize::try_from(n).unwrap_or(usize::MAX)),
            Opd::R(_) => no("value without a number"),
        }
    }
}

fn literals(words: &[u64]) -> Vec<Opd> {
    words.iter().map(|w| K(*w)).collect()
}

/// The rows of a function to sets; `None` if it is none.
fn rows(f: &SetRef) -> Option<Rows<'_>> {
    fn row(v: &Value) -> Option<(&Value, &SetRef)> {
        let Value::Pair(p) = v else { return None };
        if let Value::Set(y) = &p.1 { Some((&p.0, y)) } else { None }
    }
    if has_twins(f.items()) { None } else { f.items().iter().map(row).collect() }
}
