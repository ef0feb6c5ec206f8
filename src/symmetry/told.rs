//! Markers as text: the paths of each element, the colours that these come to, the values with elements replaced by colours.
//!
//! In: a state. Out: what figure 4 of Leuschel and Massart shows of one, by the improved rules of `marker`, which hashes the same
//! words. Colours are numbered by their paths, so that symmetric states are told by the same text. Constants take part as
//! variables do. Deliberately absent: states of machines in which nothing is permuted, of which there is nothing to tell.

use super::Context;
use super::marker::pointless;
use super::vector::Vector;
use crate::ty::Ty;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The marker of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// The elements that are permuted, in their order.
    pub elements: Vec<Element>,
    /// Names of constants and variables, with the values in which colours stand for such elements.
    pub values: Vec<(String, String)>,
}

/// An element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// The name of its colour: the same exactly for elements of one set with the same paths.
    pub colour: String,
    /// Paths that lead to it, each with how many times; the name of the constant or variable comes first.
    pub paths: Vec<(String, usize)>,
}

impl Element {
    /// The paths in one line.
    #[must_use]
    pub fn text(&self) -> String {
        let path =
            |(path, n): &(String, usize)| if *n == 1 { path.clone() } else { format!("{path} ({n} times)") };
        let all: Vec<String> = self.paths.iter().map(path).collect();
        if all.is_empty() { "nowhere".to_owned() } else { all.join(", ") }
    }
}

/// Paths of points, with how often each leads there.
type Paths = BTreeMap<u32, BTreeMap<String, usize>>;

/// The marker of a state.
#[must_use]
pub fn told(context: &Context, state: &[u64]) -> Told {
    let vector = Vector::of_state(context, state);
    let machine = &context.machine;
    let constants = machine.constants.iter().zip(vector.constants.iter().map(Option::as_ref));
    let variables = machine.variables.iter().zip(vector.variables.iter().flatten().map(Some));
    let places: Vec<(&str, &Ty, &Value)> =
        constants.chain(variables).filter_map(|(d, v)| Some((&*d.name, &d.ty, v?))).collect();
    let walk = Walk { context };
    let mut paths = Paths::new();
    for (name, ty, value) in &places {
        walk.paths(value, ty, name, &mut paths);
    }
    let points = context.group().points();
    let of = |p: u32| paths.get(&p).cloned().unwrap_or_default();
    let sorts: BTreeSet<_> = (0u32..).zip(points).map(|(p, (set, _))| (*set, of(p))).collect();
    let colour = |p: u32| {
        let (set, _) = points.get(p as usize)?;
        let at = sorts.iter().position(|sort| *sort == (*set, of(p)))?;
        Some(format!("c{}", at + 1))
    };
    let colours: Vec<String> = (0u32..).zip(points).map(|(p, _)| colour(p).unwrap_or_default()).collect();
    let element = |(p, (set, i)): (u32, &(crate::ty::SetId, u32))| Element {
        name: Value::Elem(*set, *i).show(&Ty::Given(*set), &context.world),
        colour: colours.get(p as usize).cloned().unwrap_or_default(),
        paths: of(p).into_iter().collect(),
    };
    let elements = (0u32..).zip(points).map(element).collect();
    let marked = |(name, ty, v): &(&str, &Ty, &Value)| ((*name).to_owned(), walk.marked(v, ty, &colours));
    let values = places.iter().map(marked).collect();
    Told { elements, values }
}

struct Walk<'a> {
    context: &'a Context,
}

impl Walk<'_> {
    /// Adds the paths to all points of a value: `el` for members, `left` and `right` for pairs, `<to,n>` and `<from,n>` where the other
    /// side is a value n without points, `leftright` for both sides at once.
    fn paths(&self, v: &Value, ty: &Ty, path: &str, out: &mut Paths) {
        let group = self.context.group();
        let step = |word: &str| format!("{path}.{word}");
        match (v, ty) {
            (Value::Elem(s, i), _) => {
                if let Some(p) = group.point(*s, *i) {
                    *out.entry(p).or_default().entry(path.to_owned()).or_default() += 1;
                }
            }
            (Value::Set(s), Ty::Pow(ty)) => {
                s.items().iter().for_each(|x| self.paths(x, ty, &step("el"), out));
            }
            (Value::Pair(p), Ty::Pair(a, b)) => match (pointless(&p.0, group), pointless(&p.1, group)) {
                (true, true) => {}
                (false, true) => self.paths(&p.0, a, &step(&format!("<to,{}>", self.plain(&p.1, b))), out),
                (true, false) => self.paths(&p.1, b, &step(&format!("<from,{}>", self.plain(&p.0, a))), out),
                (false, false) if p.0 == p.1 => self.paths(&p.0, a, &step("leftright"), out),
                (false, false) => {
                    self.paths(&p.0, a, &step("left"), out);
                    self.paths(&p.1, b, &step("right"), out);
                }
            },
            (Value::Rec(values), Ty::Rec(fields)) => {
                // All fields without points are written on the steps to the others.
                let fixed = fields.iter().zip(values.iter()).filter(|(_, v)| pointless(v, group));
                let fixed: Vec<String> =
                    fixed.map(|((name, ty), v)| format!("{name}:{}", self.plain(v, ty))).collect();
                let with = if fixed.is_empty() { String::new() } else { format!("<{}>", fixed.join(",")) };
                for ((name, ty), v) in fields.iter().zip(values.iter()) {
                    self.paths(v, ty, &step(&format!("'{name}{with}")), out);
                }
            }
            (Value::Free(t, c, Some(a)), _) => {
                if let Some((name, ty)) = self.constructor(*t, *c) {
                    self.paths(a, ty, &step(name), out);
                }
            }
            _ => {}
        }
    }

    /// A value with points replaced by their colours and sets that have some by multisets.
    fn marked(&self, v: &Value, ty: &Ty, colours: &[String]) -> String {
        let group = self.context.group();
        let inner = |v: &Value, ty: &Ty| self.marked(v, ty, colours);
        match (v, ty) {
            _ if pointless(v, group) => self.plain(v, ty),
            (Value::Elem(s, i), _) => {
                group.point(*s, *i).and_then(|p| colours.get(p as usize)).cloned().unwrap_or_default()
            }
            (Value::Set(s), Ty::Pow(ty)) => {
                let mut all: Vec<String> = s.items().iter().map(|x| inner(x, ty)).collect();
                all.sort();
                format!("{{|{}|}}", all.join(", "))
            }
            (Value::Pair(p), Ty::Pair(a, b)) => format!("({},{})", inner(&p.0, a), inner(&p.1, b)),
            (Value::Rec(values), Ty::Rec(fields)) => {
                let all = fields.iter().zip(values.iter());
                let all: Vec<String> =
                    all.map(|((name, ty), v)| format!("{name}:{}", inner(v, ty))).collect();
                format!("rec({})", all.join(","))
            }
            (Value::Free(t, c, Some(a)), _) => match self.constructor(*t, *c) {
                Some((name, ty)) => format!("{name}({})", inner(a, ty)),
                None => self.plain(v, ty),
            },
            _ => self.plain(v, ty),
        }
    }

    fn plain(&self, v: &Value, ty: &Ty) -> String {
        v.show(ty, &self.context.world)
    }

    /// The name of a constructor with the type of its argument.
    fn constructor(&self, free: u16, constructor: u16) -> Option<(&str, &Ty)> {
        let free = self.context.machine.free_types.get(usize::from(free))?;
        let (name, ty) = free.constructors.get(usize::from(constructor))?;
        Some((name, ty.as_ref()?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cases, reducer};
    use super::*;
    use std::collections::HashMap;

    /// What is told of a marker tells states apart exactly where its hash does.
    #[test]
    fn markers_are_told_as_they_are_hashed() {
        for case in cases() {
            let hashed = reducer(&case.toy, "markers");
            let (mut there, mut back) = (HashMap::new(), HashMap::new());
            for s in case.states.iter().flat_map(|(s, i)| [s, i]) {
                let told = told(&case.toy.context, s);
                let mut elements: Vec<_> = told.elements.into_iter().map(|e| (e.colour, e.paths)).collect();
                elements.sort();
                let (a, b) = (hashed.key(s), (elements, told.values));
                assert_eq!(*there.entry(a).or_insert(b.clone()), b, "one hash");
                assert_eq!(*back.entry(b).or_insert(a), a, "one text");
            }
        }
    }
}
