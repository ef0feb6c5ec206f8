//! Canonical labelling: names for points that depend on what is said of them alone.
//!
//! In: a [`Core`], or any [`Structure`]. Out: a hash of its facts under canonical names: equal, up to a
//! collision, exactly for isomorphic structures. Where colours, twins and links decide (`settle`), there is
//! nothing to search. Otherwise points are singled out one by one until they do, in all ways that are not
//! known to be images of each other (`McKay`'s individualisation and refinement), and the least result counts.

use super::colour::{Colouring, Structure};
use super::core::Core;
use super::settle::settle;
use super::twins::{Incidence, twin_classes};

/// The hash of a core under canonical names.
pub(super) fn canonical(core: &Core) -> u128 {
    let colouring = Colouring::of(core);
    if colouring.is_discrete() {
        return core.named(&colouring.ranks());
    }
    let incidence = Incidence::of(core);
    match settle(core, &incidence, &colouring) {
        Some(settled) => core.named(&settled.names),
        None => search_core(core, &incidence, &colouring).hash(),
    }
}

/// Canonical names of the points of a core.
pub(super) fn canonical_names(core: &Core) -> Vec<u32> {
    let colouring = Colouring::of(core);
    let incidence = Incidence::of(core);
    match settle(core, &incidence, &colouring) {
        Some(settled) => settled.names,
        None => search_core(core, &incidence, &colouring).best.map_or_else(Vec::new, |leaf| leaf.names),
    }
}

/// Searches the names that a core's colouring does not decide.
pub(super) fn search_core(core: &Core, incidence: &Incidence, colouring: &Colouring) -> Found {
    let twins = twin_classes(core, incidence, colouring.cells().map(|cell| colouring.cell(cell)));
    search(core, colouring, &|c| settle(core, incidence, c).map(|s| s.names), twins)
}

/// Searches the names that a colouring still allows. `settled` gives names where it can tell them from a
/// colouring; `twins` gives for each point one that stands for it.
pub(super) fn search(
    structure: &impl Structure,
    colouring: &Colouring,
    settled: &dyn Fn(&Colouring) -> Option<Vec<u32>>,
    twins: Vec<u32>,
) -> Found {
    let mut search =
        Search { structure, settled, found: Found { twins, best: None, automorphisms: Vec::new() } };
    search.visit(colouring, &mut Vec::new(), &mut Vec::new());
    search.found
}

/// What a search has found.
pub(super) struct Found {
    /// For each point a twin that stands for it.
    twins: Vec<u32>,
    best: Option<Leaf>,
    /// Automorphisms, as images of the points. With the twins they generate, for each point of the best
    /// prefix, its orbit under those that fix the points before it: a point of that orbit that was tried
    /// later has led to a leaf equal to the best, and one tried earlier would have been the best itself.
    automorphisms: Vec<Vec<u32>>,
}

impl Found {
    /// The least hash.
    pub(super) fn hash(&self) -> u128 {
        self.best.as_ref().map_or(0, |leaf| leaf.hash)
    }

    /// The points that were singled out for the least hash.
    pub(super) fn prefix(&self) -> &[u32] {
        self.best.as_ref().map_or(&[], |leaf| &leaf.prefix)
    }

    /// The automorphisms met on the way, as images of the points.
    pub(super) fn automorphisms(&self) -> impl Iterator<Item = &[u32]> {
        self.automorphisms.iter().map(Vec::as_slice)
    }

    /// Each point that another one stands for, after that one.
    pub(super) fn twins(&self) -> impl Iterator<Item = (u32, u32)> {
        (0u32..).zip(&self.twins).map(|(p, &leader)| (leader, p)).filter(|(leader, p)| leader != p)
    }

    /// The number of images of a point of a colouring under the automorphisms that fix the points of a part
    /// of the prefix, which the colouring has singled out.
    pub(super) fn orbit_size(&self, p: u32, prefix: &[u32], colouring: &Colouring) -> usize {
        let orbit = self.orbit(p, prefix);
        let classes: Vec<Option<&u32>> = orbit.iter().map(|&p| self.twins.get(p as usize)).collect();
        let cell = colouring.cells().map(|c| colouring.cell(c)).find(|c| c.contains(&p)).unwrap_or_default();
        cell.iter().filter(|&&q| classes.contains(&self.twins.get(q as usize))).count()
    }

    /// The images of a point under the automorphisms that fix the points of a prefix.
    fn orbit(&self, p: u32, prefix: &[u32]) -> Vec<u32> {
        let fixes = |a: &&Vec<u32>| prefix.iter().all(|&x| a.get(x as usize) == Some(&x));
        let known: Vec<&Vec<u32>> = self.automorphisms.iter().filter(fixes).collect();
        let mut orbit = vec![p];
        let mut next = 0;
        while let Some(&x) = orbit.get(next) {
            next += 1;
            for a in &known {
                let image = a.get(x as usize).copied().unwrap_or(x);
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
        }
        orbit
    }
}

/// A complete choice of names.
struct Leaf {
    /// Points singled out on the way.
    prefix: Vec<u32>,
    /// Hashes of the colourings on the way: compared first.
    traces: Vec<u128>,
    /// Hash of the facts under the names.
    hash: u128,
    /// Name of each point.
    names: Vec<u32>,
}

struct Search<'a, S> {
    structure: &'a S,
    settled: &'a dyn Fn(&Colouring) -> Option<Vec<u32>>,
    found: Found,
}

impl<S: Structure> Search<'_, S> {
    /// Visits the names that a colouring still allows. Returns the depth to go back to: what lies between
    /// is the image of something that has been visited.
    fn visit(&mut self, colouring: &Colouring, prefix: &mut Vec<u32>, traces: &mut Vec<u128>) -> usize {
        let depth = prefix.len();
        if let Some(names) = (self.settled)(colouring) {
            return self.leaf(names, prefix, traces);
        }
        let Some(target) = self.target(colouring) else {
            return self.leaf(colouring.ranks(), prefix, traces);
        };
        let mut visited: Vec<u32> = Vec::new();
        for p in target {
            if !visited.is_empty() && self.found.orbit(p, prefix).iter().any(|x| visited.contains(x)) {
                continue;
            }
            visited.push(p);
            let finer = colouring.singled_out(p, self.structure);
            prefix.push(p);
            traces.push(finer.trace());
            let back = if self.is_worse(traces) { depth } else { self.visit(&finer, prefix, traces) };
            prefix.pop();
            traces.pop();
            if back < depth {
                return back;
            }
        }
        depth
    }

    /// The points to single out next, one of each class of twins: those of the smallest cell with several
    /// classes, the first by colour of these. `None` if all cells are twins.
    fn target(&self, colouring: &Colouring) -> Option<Vec<u32>> {
        let mut best: Option<(usize, Vec<u32>)> = None;
        for cell in colouring.cells() {
            let size = cell.len();
            if size < 2 || best.as_ref().is_some_and(|(s, _)| *s <= size) {
                continue;
            }
            let mut leaders: Vec<u32> = Vec::new();
            let mut seen: Vec<u32> = Vec::new();
            for &p in colouring.cell(cell) {
                let class = self.found.twins.get(p as usize).copied().unwrap_or(p);
                if !seen.contains(&class) {
                    seen.push(class);
                    leaders.push(p);
                }
            }
            if leaders.len() > 1 {
                best = Some((size, leaders));
            }
        }
        best.map(|(_, leaders)| leaders)
    }

    fn is_worse(&self, traces: &[u128]) -> bool {
        self.found.best.as_ref().is_some_and(|b| traces > b.traces.get(..traces.len()).unwrap_or(&b.traces))
    }

    fn leaf(&mut self, names: Vec<u32>, prefix: &[u32], traces: &[u128]) -> usize {
        let hash = self.structure.named(&names);
        let best = match &self.found.best {
            None => std::cmp::Ordering::Less,
            Some(b) => traces.cmp(&b.traces).then(hash.cmp(&b.hash)),
        };
        match (best, &self.found.best) {
            (std::cmp::Ordering::Equal, Some(b)) => {
                // Both name the same facts: points of equal names are images of each other.
                let mut back = vec![0; names.len()];
                for (p, &n) in (0u32..).zip(&names) {
                    if let Some(slot) = back.get_mut(n as usize) {
                        *slot = p;
                    }
                }
                let image = |&n: &u32| back.get(n as usize).copied().unwrap_or(n);
                let automorphism: Vec<u32> = b.names.iter().map(image).collect();
                let shared = prefix.iter().zip(&b.prefix).take_while(|(a, b)| a == b).count();
                self.found.automorphisms.push(automorphism);
                shared
            }
            (std::cmp::Ordering::Less, _) => {
                self.found.best =
                    Some(Leaf { prefix: prefix.to_vec(), traces: traces.to_vec(), hash, names });
                prefix.len()
            }
            _ => prefix.len(),
        }
    }
}
