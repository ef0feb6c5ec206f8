//! The canonical reducer: the fingerprint of the least image of a state, found by search on its values.
//!
//! In: a packed state. Out: the fingerprint of a canonical image of its vector of values. The same promise
//! as `exact` without its ways around decoding and searching: values are walked as they are, colours are
//! refined, and points are singled out until all have names. Slow; the reference that `exact` is held
//! against (and itself held against all permutations, for small sets).

use super::colour::{Colouring, Structure};
use super::search::search;
use super::vector::{Places, Vector, plain};
use super::{Context, Guarantee, Reducer, mix};
use crate::value::Value;

/// The canonical reducer.
pub struct Canon {
    context: Context,
    places: Places,
}

impl Canon {
    /// A reducer for one run.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), places: Places::new(context) }
    }

    fn hash(&self, vector: &Vector) -> u128 {
        let structure = Values { canon: self, vector };
        let everyone = (0u32..).take(self.context.group().points().len()).collect();
        search(&structure, &Colouring::of(&structure), &|_| None, everyone).hash()
    }
}

impl Reducer for Canon {
    fn key(&self, state: &[u64]) -> u128 {
        self.hash(&Vector::of_state(&self.context, state))
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        self.hash(&Vector::of_valuation(&self.context, valuation))
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }
}

/// A vector of values as something that is said of points.
struct Values<'a> {
    canon: &'a Canon,
    vector: &'a Vector,
}

impl Structure for Values<'_> {
    fn first_colours(&self) -> Vec<u128> {
        self.canon.context.group().points().iter().map(|(s, _)| mix::mix(u128::from(s.0))).collect()
    }

    fn round(&self, colours: &[u128], sums: &mut [u128]) {
        for (place, v) in self.vector.values(&self.canon.places) {
            self.around(v, place, colours, sums);
        }
    }

    fn named(&self, names: &[u32]) -> u128 {
        let group = self.canon.context.group();
        // Ranks count through all sets; inside each set only their order matters.
        let images = group.placed(|p| names.get(p as usize));
        self.vector.permuted(&group.permutation(&images)).fingerprint(&self.canon.places)
    }
}

const POINT: u128 = 81;
const PAIR: u128 = 82;
const RECORD: u128 = 83;
const SET: u128 = 84;
const FREE: u128 = 85;

impl Values<'_> {
    /// Tells each point in a value where it stands, with all other points replaced by colours.
    fn around(&self, v: &Value, context: u128, colours: &[u128], sums: &mut [u128]) {
        let inner = mix::pair(context, self.hash(v, colours));
        match v {
            Value::Elem(s, i) => {
                let point = self.canon.context.group().point(*s, *i);
                if let Some(sum) = point.and_then(|p| sums.get_mut(p as usize)) {
                    *sum = sum.wrapping_add(mix::mix(context));
                }
            }
            Value::Pair(p) => {
                self.around(&p.0, mix::pair(inner, 0), colours, sums);
                self.around(&p.1, mix::pair(inner, 1), colours, sums);
            }
            Value::Rec(fields) => {
                for (i, f) in (0u128..).zip(fields.iter()) {
                    self.around(f, mix::pair(inner, i), colours, sums);
                }
            }
            Value::Free(_, _, Some(arg)) => self.around(arg, inner, colours, sums),
            Value::Set(s) => s.items().iter().for_each(|x| self.around(x, inner, colours, sums)),
            Value::Bool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Real(_)
            | Value::Str(_)
            | Value::Free(_, _, None)
            | Value::Lazy(_) => {}
        }
    }

    /// The hash of a value with points replaced by colours.
    fn hash(&self, v: &Value, colours: &[u128]) -> u128 {
        let go = |v: &Value| self.hash(v, colours);
        match v {
            Value::Elem(s, i) => match self.canon.context.group().point(*s, *i) {
                Some(p) => mix::pair(colours.get(p as usize).copied().unwrap_or(0), POINT),
                None => plain(v),
            },
            Value::Pair(p) => mix::pair(mix::pair(go(&p.0), PAIR), go(&p.1)),
            Value::Rec(fields) => fields.iter().fold(RECORD, |h, f| mix::pair(h, go(f))),
            Value::Free(t, c, Some(arg)) => {
                mix::pair(mix::pair(FREE, u128::from(*t) << 16 | u128::from(*c)), go(arg))
            }
            Value::Set(s) => {
                mix::pair(s.items().iter().map(|x| mix::mix(go(x))).fold(0, u128::wrapping_add), SET)
            }
            Value::Bool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Real(_)
            | Value::Str(_)
            | Value::Free(_, _, None)
            | Value::Lazy(_) => plain(v),
        }
    }
}
