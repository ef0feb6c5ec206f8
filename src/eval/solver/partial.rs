//! What the decided cells of a search say, as values: for turning away what is alike (`alike`).
//!
//! In: shapes with cells, some decided. Out: for each unknown the tuples that are known to be in its value and those
//! known not to be. Both are statements about the value, so they have images under permutations.

use super::Search;
use super::cells::{CellId, Shape};
use crate::eval::Env;
use crate::eval::alike::Context;
use crate::eval::plan::Node;
use crate::value::{SetRef, Value};

/// Kinds of statements, above the number of the unknown: a tuple is in, a tuple or everything that begins so is out.
const IN: u128 = 1 << 64;
const OUT: u128 = 2 << 64;

/// To compare so many statements with those made before is as much work as a step.
const FACTS: usize = 4;

/// The statements about one unknown.
#[derive(Default)]
struct Known {
    inside: Vec<Value>,
    outside: Vec<Value>,
}

impl Search<'_> {
    /// Whether what is decided is new up to permutations. A decision and what follows from it are told apart.
    pub(super) fn is_new(&self, follows: bool) -> bool {
        let (Some(sieve), Some(context)) = (self.run.sieve, &self.context) else { return true };
        let mut more = Vec::with_capacity(2 * self.shapes.len());
        let mut count = 0;
        for (&var, shape) in &self.shapes {
            let mut known = Known::default();
            self.collect(shape, None, &mut known);
            count += known.inside.len() + known.outside.len();
            for (kind, tuples) in [(IN, known.inside), (OUT, known.outside)] {
                more.push((kind + var as u128, Value::Set(SetRef::from_vec(tuples))));
            }
        }
        self.run.ev.went_on((count / FACTS) as u64);
        sieve.first(context, 1 + 2 * count + usize::from(follows), more)
    }

    /// What is known of a part of a value, found under some arguments.
    fn collect(&self, shape: &Shape, under: Option<&Value>, known: &mut Known) {
        let below = |v: &Value| under.map_or_else(|| v.clone(), |u| Value::pair(u.clone(), v.clone()));
        let single = |id: CellId| self.cells.cells[id].single();
        match shape {
            Shape::Point(id) => {
                if let Some(v) = single(*id).and_then(|i| self.cells.cells[*id].values.get(i)) {
                    known.inside.push(below(v));
                }
            }
            Shape::Fun { keys, parts } => {
                for (k, part) in keys.iter().zip(parts) {
                    let k = below(k);
                    match part {
                        Shape::Point(id) if single(*id) == Some(self.cells.cells[*id].values.len()) => {
                            known.outside.push(k);
                        }
                        part => self.collect(part, Some(&k), known),
                    }
                }
            }
            Shape::Set { items, first } => {
                for (id, v) in (*first..).zip(items.iter()) {
                    match single(id) {
                        Some(1) => known.inside.push(below(v)),
                        Some(_) => known.outside.push(below(v)),
                        None => {}
                    }
                }
            }
        }
    }

    /// The place of a search at a node with the values bound before it, if what is alike is to be turned away.
    pub(super) fn place(&self, node: &Node, env: &Env) -> Option<Context> {
        self.run.sieve.filter(|s| s.moves(&self.binds())).and_then(|s| s.context(node, env))
    }
}
