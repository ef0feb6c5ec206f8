//! Twins: points that can be exchanged without changing any fact.
//!
//! In: a [`Core`]. Out: whether an exchange of points is an automorphism, tested on the facts about these
//! points alone; whether a whole cell consists of twins, by exchanging neighbours (their transpositions
//! generate the full symmetric group of the cell).

use super::core::{Core, Joint, each_point, wide_hash};
use super::mix;

/// Where in a core each point occurs.
#[derive(Clone, Debug, Default)]
pub(super) struct Incidence {
    /// For each point, where its part of `facts` begins; one more at the end.
    starts: Vec<u32>,
    /// Numbers of joints; wide facts follow after them.
    facts: Vec<u32>,
}

impl Incidence {
    /// The places of all points of a core.
    pub(super) fn of(core: &Core) -> Self {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(2 * core.joints.len());
        for (i, j) in (0u32..).zip(&core.joints) {
            pairs.extend([(j.a, i), (j.b, i)]);
        }
        let first_wide = super::core::len(&core.joints);
        for (i, w) in (first_wide..).zip(&core.wide) {
            w.terms.iter().for_each(|t| each_point(t, &mut |p| pairs.push((p, i))));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let point = |n: usize| pairs.partition_point(|&(p, _)| (p as usize) < n);
        Self {
            starts: (0..=core.len()).map(|n| u32::try_from(point(n)).unwrap_or(u32::MAX)).collect(),
            facts: pairs.into_iter().map(|(_, f)| f).collect(),
        }
    }

    fn at(&self, point: u32) -> &[u32] {
        let p = point as usize;
        match (self.starts.get(p), self.starts.get(p + 1)) {
            (Some(&lo), Some(&hi)) => self.facts.get(lo as usize..hi as usize).unwrap_or_default(),
            _ => &[],
        }
    }
}

impl Incidence {
    /// The points that have facts with a point, each with all that is said of the two, as the point sees it.
    pub(super) fn neighbours<'a>(&'a self, core: &'a Core, p: u32) -> impl Iterator<Item = (u32, u128)> + 'a {
        let joint = move |&f: &u32| {
            let j = core.joints.get(f as usize)?;
            Some(if j.a == p { (j.b, j.at_a) } else { (j.a, j.at_b) })
        };
        self.at(p).iter().filter_map(joint)
    }
}

/// Whether exchanging the points of each pair, all at once, leaves all facts as they are (if no
/// point is in two pairs).
pub(super) fn exchangeable(core: &Core, incidence: &Incidence, pairs: &[(u32, u32)]) -> bool {
    let image = |p: u32| {
        pairs.iter().find_map(|&(a, b)| if p == a { Some(b) } else { (p == b).then_some(a) }).unwrap_or(p)
    };
    let colour = |p: u32| core.colours.get(p as usize);
    let disjoint = |(i, p): (usize, u32)| moved_points(pairs).skip(i + 1).all(|q| p != q);
    if !moved_points(pairs).enumerate().all(disjoint) {
        return false;
    }
    if pairs.iter().any(|&(a, b)| colour(a) != colour(b)) {
        return false;
    }
    let mut touched: Vec<u32> = moved_points(pairs).flat_map(|p| incidence.at(p)).copied().collect();
    touched.sort_unstable();
    touched.dedup();
    let mut sum = 0u128;
    for f in touched {
        let f = f as usize;
        let (before, after) = if let Some(j) = core.joints.get(f) {
            (joint_hash(j, &|p| p), joint_hash(j, &image))
        } else if let Some(w) = core.wide.get(f - core.joints.len()) {
            (wide_hash(w, &|p| u128::from(p)), wide_hash(w, &|p| u128::from(image(p))))
        } else {
            continue;
        };
        sum = sum.wrapping_add(before).wrapping_sub(after);
    }
    sum == 0
}

fn moved_points(pairs: &[(u32, u32)]) -> impl Iterator<Item = u32> {
    pairs.iter().flat_map(|&(a, b)| [a, b])
}

/// Whether any two points of a cell are twins.
pub(super) fn all_twins(core: &Core, incidence: &Incidence, cell: &[u32]) -> bool {
    cell.windows(2).all(|w| match w {
        &[a, b] => exchangeable(core, incidence, &[(a, b)]),
        _ => true,
    })
}

/// For each point of a core the least twin of it among the points of its cell.
pub(super) fn twin_classes<'a>(
    core: &Core,
    incidence: &Incidence,
    cells: impl Iterator<Item = &'a [u32]>,
) -> Vec<u32> {
    let mut classes: Vec<u32> = (0u32..).take(core.len()).collect();
    for cell in cells {
        let mut leaders: Vec<u32> = Vec::new();
        for &p in cell {
            match leaders.iter().find(|&&l| exchangeable(core, incidence, &[(l, p)])) {
                Some(&leader) => {
                    if let Some(c) = classes.get_mut(p as usize) {
                        *c = leader;
                    }
                }
                None => leaders.push(p),
            }
        }
    }
    classes
}

/// The hash of a joint under names of points.
pub(super) fn joint_hash(j: &Joint, name: &impl Fn(u32) -> u32) -> u128 {
    let (a, b) = (name(j.a), name(j.b));
    let (a, b, label) = if a < b { (a, b, j.at_a) } else { (b, a, j.at_b) };
    mix::pair(label, u128::from(a) << 32 | u128::from(b))
}
