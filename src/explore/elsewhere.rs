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
    /// Whether some edges do not, so that what follows says which do. Until somebody has looked, all are taken.
    some: bool,
    /// The targets that differ, if some do not.
    targets: Vec<u64>,
    /// The numbers of the edges to them, and behind these what is not in use.
    edges: Vec<u32>,
    /// How many there are, and how many edges there are in all.
    count: usize,
    number: u32,
    /// Chunks not to be looked through: now, and after the next in vain.
    rest: u32,
    pause: u32,
}

impl Elsewhere {
    /// Looks through the edges of states; `ends` has the number of edges up to each state's last.
    pub(super) fn look(
        &mut self,
        states: &[u64],
        width: usize,
        ends: impl Iterator<Item = usize>,
        targets: &[u64],
    ) {
        self.begin();
        self.some = false;
        if let Some(rest) = self.rest.checked_sub(1) {
            self.rest = rest;
            return;
        }
        self.compare(states, width, ends, targets);
        self.some = self.count * width < targets.len();
        if self.some {
            self.take(0, 0, width, targets);
        }
        self.pause = if self.some { 0 } else { (self.pause * 2 + 1).min(LONGEST) };
        self.rest = self.pause;
    }

    /// Begins with other states.
    pub(super) fn begin(&mut self) {
        (self.some, self.count, self.number) = (true, 0, 0);
    }

    /// Looks through the edges of the next state. Which targets count: all of them, or those elsewhere.
    pub(super) fn next<'t>(&'t mut self, state: &[u64], targets: &'t [u64], all: bool) -> &'t [u64] {
        let width = state.len().max(1);
        let (number, count) = (self.number, self.count);
        if all {
            self.number += u32::try_from(targets.len() / width).unwrap_or(u32::MAX);
            self.edges.truncate(count);
            self.edges.extend(number..self.number);
            self.count = self.edges.len();
            return targets;
        }
        self.compare(state, width, std::iter::once(targets.len() / width), targets);
        self.take(number, count, width, targets);
        &self.targets
    }

    fn compare(&mut self, states: &[u64], width: usize, ends: impl Iterator<Item = usize>, targets: &[u64]) {
        match width {
            2 => self.compare_each(states.as_chunks::<2>().0, ends, targets.as_chunks::<2>().0),
            3 => self.compare_each(states.as_chunks::<3>().0, ends, targets.as_chunks::<3>().0),
            4 => self.compare_each(states.as_chunks::<4>().0, ends, targets.as_chunks::<4>().0),
            _ => {
                let [states, targets] =
                    [states, targets].map(|all| all.chunks_exact(width).collect::<Vec<_>>());
                self.compare_each(&states, ends, &targets);
            }
        }
    }

    /// Every edge is noted behind those that lead elsewhere, and stays if it does: whether it does can mostly not be foretold.
    fn compare_each<S: PartialEq>(&mut self, states: &[S], ends: impl Iterator<Item = usize>, targets: &[S]) {
        self.edges.resize(self.edges.len().max(self.count + targets.len()), 0);
        let (mut first, mut count, mut number) = (0, self.count, self.number);
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
        (self.count, self.number) = (count, number);
    }

    /// Takes the targets of edges noted since there were so many of all, and so many that lead elsewhere.
    fn take(&mut self, number: u32, count: usize, width: usize, targets: &[u64]) {
        self.targets.clear();
        let edges = self.edges.get(count..self.count).unwrap_or_default();
        self.targets.reserve(edges.len() * width);
        let target = |edge: &u32| {
            let at = (edge - number) as usize * width;
            targets.get(at..at + width)
        };
        edges.iter().filter_map(target).for_each(|target| self.targets.extend_from_slice(target));
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
            // One state after the other, the second with all its edges.
            elsewhere.begin();
            let part = |edges: std::ops::Range<usize>| &targets[edges.start * width..edges.end * width];
            assert_eq!(elsewhere.next(&states[..width], part(0..2), false), part(1..2));
            assert_eq!(elsewhere.next(&states[width..2 * width], part(2..4), true), part(2..4));
            assert_eq!(elsewhere.next(&states[2 * width..], part(4..7), false).len(), 2 * width);
            assert_eq!([0, 1, 2, 3, 4].map(|i| elsewhere.edge(i)), [1, 2, 3, 4, 6]);
        }
    }
}
