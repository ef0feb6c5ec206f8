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
    /// Looks through the edges of states, `always` or where that is worth it; `ends` has the number of edges up to each state's last.
    pub(super) fn look(
        &mut self,
        always: bool,
        (states, width): (&[u64], usize),
        ends: &[usize],
        targets: &[u64],
    ) {
        self.begin();
        self.some = false;
        if let Some(rest) = self.rest.checked_sub(1).filter(|_| !always) {
            self.rest = rest;
            return;
        }
        self.compare(states, width, ends, targets);
        self.some = self.count * width < targets.len();
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
        let (edges, count) = (targets.len() / width, self.count);
        if all {
            let first = self.number;
            self.number += u32::try_from(edges).unwrap_or(u32::MAX);
            self.edges.truncate(count);
            self.edges.extend(first..self.number);
            self.count = self.edges.len();
            return targets;
        }
        self.compare(state, width, &[edges], targets);
        if self.count - count < edges { &self.targets } else { targets }
    }

    fn compare(&mut self, states: &[u64], width: usize, ends: &[usize], targets: &[u64]) {
        match width {
            2 => self.compare_each(states.as_chunks::<2>().0, ends, targets.as_chunks::<2>().0),
            3 => self.compare_each(states.as_chunks::<3>().0, ends, targets.as_chunks::<3>().0),
            4 => self.compare_each(states.as_chunks::<4>().0, ends, targets.as_chunks::<4>().0),
            5 => self.compare_each(states.as_chunks::<5>().0, ends, targets.as_chunks::<5>().0),
            6 => self.compare_each(states.as_chunks::<6>().0, ends, targets.as_chunks::<6>().0),
            _ => {
                let [states, targets] =
                    [states, targets].map(|all| all.chunks_exact(width).collect::<Vec<_>>());
                self.compare_each(&states, ends, &targets);
            }
        }
    }

    /// Every edge is noted behind those that lead elsewhere, and stays if it does: whether it does can mostly not be foretold.
    /// Then takes the targets of those that stay, if others do not.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a chunk's edges are held in memory, with many bytes each"
    )]
    fn compare_each<S: AsRef<[u64]>>(&mut self, states: &[S], ends: &[usize], targets: &[S]) {
        self.edges.resize(self.edges.len().max(self.count + targets.len()), 0);
        self.targets.clear();
        let edges = self.edges.get_mut(self.count..).unwrap_or_default();
        let (mut first, mut count) = (0, 0usize);
        for (state, &end) in states.iter().zip(ends) {
            let of_state = targets.get(first..end).unwrap_or(&[]);
            for (target, at) in of_state.iter().zip(first..) {
                if let Some(edge) = edges.get_mut(count) {
                    *edge = at as u32;
                }
                count = count.wrapping_add(usize::from(differ(target.as_ref(), state.as_ref())));
            }
            first = end;
        }
        let edges = edges.get_mut(..count).unwrap_or_default();
        if count < targets.len() {
            let elsewhere = edges.iter().filter_map(|at| targets.get(*at as usize));
            elsewhere.for_each(|target| self.targets.extend_from_slice(target.as_ref()));
        }
        if self.number > 0 {
            edges.iter_mut().for_each(|edge| *edge += self.number);
        }
        self.count += count;
        self.number += u32::try_from(targets.len()).unwrap_or(u32::MAX);
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

/// Whether two states of one width differ. All their words are looked at: to compare them as memory would be a call.
#[inline]
fn differ(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_back_is_left_out() {
        for width in 1..9 {
            let state = |n: u64| (0..width as u64).map(move |i| n * 10 + i);
            let states: Vec<u64> = [1, 2, 3].into_iter().flat_map(state).collect();
            let targets: Vec<u64> = [1, 2, 2, 2, 1, 3, 5].into_iter().flat_map(state).collect();
            let mut elsewhere = Elsewhere::default();
            elsewhere.look(false, (&states, width), &[2, 4, 7], &targets);
            let expected: Vec<u64> = [2, 1, 5].into_iter().flat_map(state).collect();
            assert_eq!(elsewhere.of(&targets), expected);
            assert_eq!([0, 1, 2].map(|i| elsewhere.edge(i)), [1, 4, 6]);
            assert_eq!([0, 1, 4].map(|e| elsewhere.target(e)), [None, Some(0), Some(1)]);
            let last = &targets[width..3 * width];
            elsewhere.look(false, (&states, width), &[1, 1, 2], last);
            assert_eq!(elsewhere.of(last), last);
            assert_eq!((elsewhere.edge(1), elsewhere.target(1)), (1, Some(1)));
            // Where all were elsewhere the next are not looked through, unless they must be.
            for (always, some) in [(false, &targets[..2 * width]), (true, &targets[width..2 * width])] {
                elsewhere.rest = 1;
                elsewhere.look(always, (&states[..width], width), &[2], &targets[..2 * width]);
                assert_eq!(elsewhere.of(&targets[..2 * width]), some);
            }
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
