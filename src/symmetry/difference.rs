//! What tells two nodes with one marker apart: the smallest substructure of the first that the second lacks.
//!
//! In: two nodes. Out: a predicate that is true in the first and false in the second. A *fact* is a member of
//! a variable's or constant's set, or the value of one that is no set. Some facts of the first node embed in
//! the second if an injection of their elements takes each to a fact of the second. Equal markers mean equally
//! many facts, so if all facts embed, the nodes are symmetric: where they are not, some smallest set of facts
//! does not embed. The search for it stops after [`WORK`] trials and then says nothing.

use super::Context;
use super::group::Group;
use super::vector::Vector;
use crate::ty::{SetId, Ty};
use crate::value::Value;
use std::collections::BTreeSet;

/// Most images tried.
const WORK: u64 = 3_000_000;

/// Most facts together.
const MOST: usize = 6;

struct Fact {
    place: usize,
    value: Value,
    member: bool,
    points: BTreeSet<u32>,
    /// The value and what it belongs to, in B.
    text: String,
}

/// A predicate true in the first node and false in the second. Nodes are packed states, or valuations as
/// slices of one word.
#[must_use]
pub fn predicate(context: &Context, first: &[u64], second: &[u64]) -> Option<String> {
    let (a, b) = (facts(context, first), facts(context, second));
    let mut work = WORK;
    (1..=MOST.min(a.len()))
        .find_map(|size| smallest(size, &a, &b, context, &mut work))
        .map(|f| text(&f, context))
}

/// Of all sets of so many facts that do not embed, the first one about the fewest elements.
fn smallest<'f>(
    size: usize,
    facts: &'f [Fact],
    other: &[Fact],
    context: &Context,
    work: &mut u64,
) -> Option<Vec<&'f Fact>> {
    let mut found: Option<(usize, Vec<&Fact>)> = None;
    let mut chosen: Vec<usize> = (0..size).collect();
    loop {
        let some: Vec<&Fact> = chosen.iter().filter_map(|&i| facts.get(i)).collect();
        let points = some.iter().flat_map(|f| &f.points).collect::<BTreeSet<_>>().len();
        // Without budget nothing embeds, and nothing is claimed.
        if found.as_ref().is_none_or(|(n, _)| points < *n)
            && !embeds(&some, other, context.group(), work)
            && *work > 0
        {
            found = Some((points, some));
        }
        if *work == 0 || !following(&mut chosen, facts.len()) {
            return found.map(|(_, f)| f);
        }
    }
}

/// The next choice of as many out of `n` in lexical order.
fn following(chosen: &mut [usize], n: usize) -> bool {
    let size = chosen.len();
    let Some(at) = (0..size).rev().find(|&i| chosen[i] + (size - i) < n) else { return false };
    let from = chosen[at] + 1;
    chosen.iter_mut().skip(at).zip(from..).for_each(|(c, v)| *c = v);
    true
}

fn facts(context: &Context, node: &[u64]) -> Vec<Fact> {
    let number = node.first().and_then(|&w| u32::try_from(w).ok()).unwrap_or(0);
    let vector = if node.len() == 1 && context.layout.words > 1 {
        Vector::of_valuation(context, number)
    } else {
        Vector::of_state(context, node)
    };
    let machine = &context.machine;
    let constants = machine.constants.iter().zip(vector.constants.iter().cloned());
    let variables = machine.variables.iter().zip(vector.variables.into_iter().flatten().map(Some));
    let mut out = Vec::new();
    for (place, (decl, value)) in constants.chain(variables).enumerate() {
        match (value, &decl.ty) {
            (Some(Value::Set(s)), Ty::Pow(ty)) => {
                out.extend(s.items().iter().map(|v| fact(context, place, &decl.name, v, ty, true)));
            }
            (Some(v), ty) => out.push(fact(context, place, &decl.name, &v, ty, false)),
            (None, _) => {}
        }
    }
    out
}

fn fact(context: &Context, place: usize, name: &str, value: &Value, ty: &Ty, member: bool) -> Fact {
    let mut points = BTreeSet::new();
    collect(value, context.group(), &mut points);
    let shown = value.show(ty, &context.world);
    let text = if member { format!("{shown} : {name}") } else { format!("{name} = {shown}") };
    Fact { place, value: value.clone(), member, points, text }
}

fn collect(v: &Value, group: &Group, out: &mut BTreeSet<u32>) {
    match v {
        Value::Elem(s, i) => out.extend(group.point(*s, *i)),
        Value::Pair(x) => {
            collect(&x.0, group, out);
            collect(&x.1, group, out);
        }
        Value::Rec(fields) => fields.iter().for_each(|f| collect(f, group, out)),
        Value::Free(_, _, Some(x)) => collect(x, group, out),
        Value::Set(s) => s.items().iter().for_each(|x| collect(x, group, out)),
        _ => {}
    }
}

/// Whether an injection of the points takes all facts to facts of the other node.
fn embeds(facts: &[&Fact], other: &[Fact], group: &Group, work: &mut u64) -> bool {
    let points: Vec<u32> =
        facts.iter().flat_map(|f| f.points.iter().copied()).collect::<BTreeSet<u32>>().into_iter().collect();
    assign(&points, &mut Vec::new(), facts, other, group, work)
}

fn assign(
    points: &[u32],
    images: &mut Vec<u32>,
    facts: &[&Fact],
    other: &[Fact],
    group: &Group,
    work: &mut u64,
) -> bool {
    let Some(&p) = points.get(images.len()) else {
        // Without budget nothing is claimed: the caller looks at `work`.
        *work = work.saturating_sub(1);
        return *work > 0 && hold(points, images, facts, other, group);
    };
    let Some(cell) = group.cells().iter().find(|c| {
        let n = u32::try_from(c.elements.len()).unwrap_or(0);
        (c.first..c.first.saturating_add(n)).contains(&p)
    }) else {
        return false;
    };
    for image in (cell.first..).take(cell.elements.len()) {
        if *work == 0 {
            return false;
        }
        if !images.contains(&image) {
            images.push(image);
            let found = assign(points, images, facts, other, group, work);
            images.pop();
            if found {
                return true;
            }
        }
    }
    false
}

fn hold(points: &[u32], images: &[u32], facts: &[&Fact], other: &[Fact], group: &Group) -> bool {
    let mut all: Vec<u32> = vec![u32::MAX; group.points().len()];
    for (&p, &i) in points.iter().zip(images) {
        if let Some(slot) = all.get_mut(p as usize) {
            *slot = i;
        }
    }
    // The rest goes to what is left of its cell, in order.
    for cell in group.cells() {
        let places = (cell.first..).take(cell.elements.len());
        let mut left = places.clone().filter(|i| !images.contains(i));
        for p in places {
            if let Some(slot) = all.get_mut(p as usize).filter(|s| **s == u32::MAX) {
                *slot = left.next().unwrap_or(p);
            }
        }
    }
    let permutation = group.permutation(&all);
    facts.iter().all(|f| {
        let image = permutation.apply(&f.value);
        other.iter().any(|o| o.place == f.place && o.member == f.member && o.value == image)
    })
}

/// The facts as a predicate: their elements become variables, different ones of a set differ.
fn text(facts: &[&Fact], context: &Context) -> String {
    let points: BTreeSet<u32> = facts.iter().flat_map(|f| f.points.iter().copied()).collect();
    let mut names: Vec<(SetId, String, String)> = Vec::new();
    for p in points {
        let Some(&(set, element)) = context.group().points().get(p as usize) else { continue };
        let shown = Value::Elem(set, element).show(&Ty::Given(set), &context.world);
        let own = names.iter().filter(|n| n.0 == set).count() + 1;
        let base = context.machine.sets.get(usize::from(set.0)).map_or("x", |s| &s.name).to_lowercase();
        names.push((set, shown, format!("{base}_{own}")));
    }
    let mut parts: Vec<String> = Vec::new();
    for (i, a) in names.iter().enumerate() {
        parts.extend(names.iter().skip(i + 1).filter(|b| a.0 == b.0).map(|b| format!("{} /= {}", a.2, b.2)));
    }
    let rename = |word: &str| names.iter().find(|n| n.1 == word).map(|n| n.2.clone());
    parts.extend(facts.iter().map(|f| crate::value::words::rename(&f.text, &rename)));
    let variables: Vec<&str> = names.iter().map(|n| n.2.as_str()).collect();
    match variables.as_slice() {
        [] => parts.join(" & "),
        [one] => format!("#{one}.({})", parts.join(" & ")),
        many => format!("#({}).({})", many.join(", "), parts.join(" & ")),
    }
}
