//! Fields of packed states: reading them into values, writing values back; labels of edges.
//!
//! In: words of a state, new values of variables. Out: operands. A value outside the interval that its
//! layout has makes the run void: the plain evaluator then reports the misfit.

use super::arrays::Array;
use super::funs::Fun;
use super::shape::{Bits, Range, Shape, Val};
use super::slots::Slots;
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Ins, Opd};
use crate::layout::{Field, Layout};
use crate::ty::Ty;
use Opd::{K, R};
use std::collections::BTreeSet;

impl Lower<'_> {
    pub(super) fn load(&mut self, word: usize) -> Opd {
        let r = self.b.reg();
        self.b.push(Ins::Load(r, u32::try_from(word).unwrap_or(u32::MAX)));
        R(r)
    }

    /// Loads the variables in `reads`; others stay without value. To be called in the entry block.
    pub(crate) fn read_state(&mut self, reads: &BTreeSet<usize>) -> Env {
        let mut env = Env { vars: Slots::unset(self.src.layout.fields.len()), ..Env::default() };
        for &v in reads {
            if let Some(f) = self.src.layout.fields.get(v)
                && let Some(slot) = env.vars.get_mut(v)
            {
                *slot = self.read_field(f);
            }
        }
        self.start.clone_from(&env.vars);
        env
    }

    /// The shape of the members of a variable's value, if it is a set of a fixed layout.
    pub(super) fn home(&self, variable: usize) -> Option<Shape> {
        match &self.src.layout.fields.get(variable)?.layout {
            Layout::Bits(d) => Some(Shape::of_dense(d)),
            Layout::Index(d) => match Shape::of_dense(d) {
                Shape::Set(s) => Some(*s),
                _ => None,
            },
            _ => None,
        }
    }

    fn read_field(&mut self, f: &Field) -> Option<Val> {
        let word = f.word as usize;
        match &f.layout {
            Layout::Shared => None,
            Layout::Int => {
                let w = self.load(word);
                let small = self.bin(Bin::And, w, K(1));
                let bail = self.bail;
                self.require(small, bail);
                Some(Val::Int(self.bin(Bin::Sar, w, K(1)), Range(-SMALL, SMALL - 1)))
            }
            Layout::Index(d) => {
                let i = self.small(f);
                Some(self.value_at(i, &Shape::of_dense(d)))
            }
            Layout::Span(lo, hi) => {
                let i = self.small(f);
                Some(self.value_at(i, &Shape::Int(*lo, *hi)))
            }
            Layout::Bits(d) => {
                let elem = Shape::of_dense(d);
                let words = self.field_words(f, elem.words()?);
                Some(Val::Set(Bits { elem, words }))
            }
            Layout::Lanes(l) => Some(Val::Array(Array::of(f, l))),
            Layout::Rows(r) => {
                let elem = Shape::pair(&Shape::of_dense(&r.left), &Shape::Word(r.width()));
                let words = self.field_words(f, elem.words()?);
                Some(Val::Fun(Fun { item: Shape::of_dense(&r.item), bits: Bits { elem, words } }))
            }
        }
    }

    /// The `n` words of a field.
    fn field_words(&mut self, f: &Field, n: usize) -> Vec<Opd> {
        match n {
            0 => Vec::new(),
            1 => vec![self.small(f)],
            _ => (0..n).map(|j| self.load(f.word as usize + j)).collect(),
        }
    }

    /// Writes the words of a field.
    fn put_field(&mut self, words: &mut [Opd], f: &Field, value: &[Opd]) {
        let at = f.word as usize;
        if let [w] = value {
            words[at] = self.insert(words[at], f, *w);
        } else {
            words[at..at + value.len()].copy_from_slice(value);
        }
    }

    fn small(&mut self, f: &Field) -> Opd {
        let bits = f.layout.bits();
        if bits == 0 {
            return K(0);
        }
        let w = self.load(f.word as usize);
        let w = self.bin(Bin::Shr, w, K(u64::from(f.shift)));
        if f.shift + bits == 64 { w } else { self.bin(Bin::And, w, K(super::bits::ones(u64::from(bits)))) }
    }

    /// Emits the state in which the variables in `writes` have their values in `env`, after other words.
    pub(crate) fn emit_target(
        &mut self,
        mut before: Vec<Opd>,
        old: &[Opd],
        writes: &BTreeSet<usize>,
        env: &Env,
    ) -> Res<()> {
        let mut patches = Vec::new();
        before.extend(self.target(old, writes, env, &mut patches)?);
        self.emit(Ins::Emit(before.into()));
        patches.into_iter().for_each(|p| self.emit(p));
        Ok(())
    }

    /// The words of that state; what is to be changed in them afterwards is added to `patches`.
    fn target(
        &mut self,
        old: &[Opd],
        writes: &BTreeSet<usize>,
        env: &Env,
        patches: &mut Vec<Ins>,
    ) -> Res<Vec<Opd>> {
        let mut words = old.to_vec();
        for &v in writes {
            let (Some(f), Some(Some(val))) = (self.src.layout.fields.get(v), env.vars.get(v)) else {
                return no("variable without dense layout");
            };
            let at = f.word as usize;
            match (&f.layout, val) {
                (Layout::Int, Val::Int(w, Range(lo, hi))) => {
                    if *lo < -SMALL || *hi >= SMALL {
                        let shifted = self.bin(Bin::Add, *w, K(SMALL.cast_unsigned()));
                        let fits = self.bin(Bin::Ult, shifted, K((2 * SMALL).cast_unsigned()));
                        let bail = self.bail;
                        self.require(fits, bail);
                    }
                    let w = self.bin(Bin::Shl, *w, K(1));
                    words[at] = self.bin(Bin::Or, w, K(1));
                }
                (Layout::Index(d), _) => {
                    let out = self.misfit(v, val);
                    let i = self.number(val, &Shape::of_dense(d), out)?;
                    words[at] = self.insert(words[at], f, i);
                }
                (Layout::Span(lo, hi), _) => {
                    let out = self.misfit(v, val);
                    let i = self.number(val, &Shape::Int(*lo, *hi), out)?;
                    words[at] = self.insert(words[at], f, i);
                }
                (Layout::Bits(d), Val::Set(s)) => {
                    let out = self.misfit(v, val);
                    let s = self.reshape(s, &Shape::of_dense(d), out)?;
                    self.put_field(&mut words, f, &s.words);
                }
                (Layout::Bits(d), Val::Fun(g)) => {
                    let out = self.misfit(v, val);
                    let s = self.spread(g)?;
                    let s = self.reshape(&s, &Shape::of_dense(d), out)?;
                    self.put_field(&mut words, f, &s.words);
                }
                (Layout::Rows(r), Val::Fun(_) | Val::Set(_)) => {
                    let out = self.misfit(v, val);
                    let g = self.refit(val, &Shape::of_dense(&r.left), &Shape::of_dense(&r.item), out)?;
                    self.put_field(&mut words, f, &g.bits.words);
                }
                (Layout::Lanes(l), Val::Array(g)) => self.put_array(g, f, l, &mut words, patches)?,
                (Layout::Lanes(l), Val::Set(s)) if s.words.iter().all(|w| *w == K(0)) => {
                    words[at..at + l.words() as usize].fill(K(0));
                }
                _ => return no("layout"),
            }
        }
        Ok(words)
    }

    fn insert(&mut self, word: Opd, f: &Field, x: Opd) -> Opd {
        let bits = f.layout.bits();
        if bits == 0 {
            return word;
        }
        let mask = super::bits::ones(u64::from(bits)) << f.shift;
        let kept = self.bin(Bin::And, word, K(!mask));
        let x = self.bin(Bin::Shl, x, K(u64::from(f.shift)));
        self.bin(Bin::Or, kept, x)
    }

    /// All words of the state.
    pub(crate) fn whole_state(&mut self) -> Vec<Opd> {
        (0..self.src.layout.words).map(|w| self.load(w)).collect()
    }

    /// The words that stand for a value in a label: equal exactly for equal values of the type.
    pub(crate) fn label_words(&mut self, v: &Val, ty: &Ty, out: &mut Vec<Opd>) -> Res<()> {
        match (v, ty) {
            (Val::Word(_, w), _) | (Val::Int(w, _), Ty::Int) => out.push(*w),
            (Val::Tuple(parts), Ty::Pair(a, b)) => {
                for (v, t) in parts.iter().zip([a, b]) {
                    self.label_words(v, t, out)?;
                }
            }
            (Val::Tuple(parts), Ty::Rec(fields)) => {
                for (v, (_, t)) in parts.iter().zip(fields.iter()) {
                    self.label_words(v, t, out)?;
                }
            }
            (Val::Set(s), Ty::Pow(t)) if !super::bind::has_int(t) => {
                let Some(shape) = Shape::of(t, self.src.world) else { return no("label") };
                let bail = self.bail;
                let s = self.reshape(s, &shape, bail)?;
                out.extend(s.words);
            }
            _ => return no("label"),
        }
        Ok(())
    }
}

/// As in `layout`: integers of smaller absolute value are stored in the word itself.
const SMALL: i64 = 1 << 61;
