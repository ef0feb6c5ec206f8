//! Edges that lead elsewhere than where they begin.
//!
//! In: states and their edges. Out: the targets that differ from their sources, and which edges these are. A state that is
//! expanded is stored, so an edge back to it needs no key and no look into the set of keys. In many machines there are
//! no such edges: where none are found, fewer and fewer chunks are looked through.

/// At most so many chunks are not looked through.
const LONGEST: u32 = 32;

/// The edges of some states that lead elsewhere; keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// Whether some edges do not, so that what follows says which do.
    some: bool,
    /// The targets that differ, if some do not.
    targets: Vec<u64>,
    /// The numbers of the edges to them, and behind these what is not in use.
    edges: Vec<u32>,
    /// How many there are.
    count: usize,
    /// Chunks not to be looked through: now, and after the next in vain.
    rest: u32,
    pause: u32,
}

impl Elsewhere {
    /// For what follows all edges count.
    pub(super) fn take_all(&mut self) {
        self.some = false;
    }

    /// Looks through the edges of states; `ends` has the number of edges up to each state's last.
    pub(super) fn look(
        &mut self,
        states: &[u64],
        width: usize,
        ends: impl Iterator<Item = usize>,
        targets: &[u64],
    ) {
        self.some = false;
        if let Some(rest) = self.rest.checked_sub(1) {
            self.rest = rest;
            return;
        }
        match width {
            2 => self.compare(states.as_chunks::<2>().0, ends, targets.as_chunks::<2>().0),
            3 => self.compare(states.as_chunks::<3>().0, ends, targets.as_chunks::<3>().0),
            4 => self.compare(states.as_chunks::<4>().0, ends, targets.as_chunks::<4>().0),
            _ => {
                let [states, targets] =
                    [states, targets].map(|all| all.chunks_exact(width).collect::<Vec<_>>());
                self.compare(&states, ends, &targets);
            }
        }
        self.some = self.count * width < targets.len();
        self.pause = if self.some { 0 } else { (self.pause * 2 + 1).min(LONGEST) };
        self.rest = self.pause;
    }

    /// Every edge is noted behind those that lead elsewhere, and stays if it does: whether it does can mostly not be foretold.
    fn compare<S: AsRef<[u64]> + PartialEq>(
        &mut self,
        states: &[S],
        ends: impl Iterator<Item = usize>,
        targets: &[S],
    ) {
        self.edges.resize(self.edges.len().max(targets.len()), 0);
        let (mut first, mut count, mut number) = (0, 0, 0u32);
        for (state, end) in states.iter().zip(ends) {
            for target in targets.get(first..end).unwrap_or(&[]) {
                if let Some(edge) = self.edges.get_mut(count) {
                    *edge = number;
                }
                number += 1;
                count += usize::from(target != state);
            }
            first = end;
        }
        self.count = count;
        self.targets.clear();
        if count < targets.len() {
            let elsewhere = self.edges.iter().take(count).filter_map(|edge| targets.get(*edge as usize));
            elsewhere.for_each(|target| self.targets.extend_from_slice(target.as_ref()));
        }
    }

    /// The targets elsewhere, of all those.
    pub(super) fn of<'a>(&'a self, all: &'a [u64]) -> &'a [u64] {
        if self.some { &self.targets } else { all }
    }

    /// The number of the edge to one of the targets elsewhere.
    #[inline]
    pub(super) fn edge(&self, target: usize) -> u32 {
        let own = || u32::try_from(target).unwrap_or(u32::MAX);
        if self.some { self.edges.get(target).copied().unwrap_or(u32::MAX) } else { own() }
    }

    /// Which of the targets elsewhere an edge leads to.
    pub(super) fn target(&self, edge: u32) -> Option<usize> {
        if self.some { self.edges.get(..self.count)?.binary_search(&edge).ok() } else { Some(edge as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_back_is_left_out() {
        for width in 1..7 {
            let state = |n: u64| (0..width as u64).map(move |i| n * 10 + i);
            let states: Vec<u64> = [1, 2, 3].into_iter().flat_map(state).collect();
            let targets: Vec<u64> = [1, 2, 2, 2, 1, 3, 5].into_iter().flat_map(state).collect();
            let mut elsewhere = Elsewhere::default();
            elsewhere.look(&states, width, [2, 4, 7].into_iter(), &targets);
            let expected: Vec<u64> = [2, 1, 5].into_iter().flat_map(state).collect();
            assert_eq!(elsewhere.of(&targets), expected);
            assert_eq!([0, 1, 2].map(|i| elsewhere.edge(i)), [1, 4, 6]);
            assert_eq!([0, 1, 4].map(|e| elsewhere.target(e)), [None, Some(0), Some(1)]);
            elsewhere.look(&states, width, [1, 1, 2].into_iter(), &targets[width..3 * width]);
            assert_eq!(elsewhere.of(&targets[width..3 * width]), &targets[width..3 * width]);
            assert_eq!((elsewhere.edge(1), elsewhere.target(1)), (1, Some(1)));
        }
    }
}
