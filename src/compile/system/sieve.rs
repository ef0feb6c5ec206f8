//! Which of many operations may have edges in a state.
//!
//! In: the gate of each operation's program, if it has one. Out: for a state the operations whose gates are open, in order, and
//! those without gates: the others have neither edges nor faults there. Gates on the same parts of the state share a table by
//! their value, so that a state of a machine with a thousand operations is looked at once for each key that matters, and not
//! a thousand times. Few operations are all run: that takes less than to look.

use super::super::word::gate::{Gate, Key};
use hashbrown::HashMap;

/// Fewest operations that are worth it.
pub(super) const MANY: usize = 64;

/// Most entries of tables for each operation: gates that are open for more values are left out.
const ENTRIES: u64 = 64;

/// Operations are run together, without being asked for first, where of so many more than one is open.
const SHARP: usize = 4;

/// Tables of operations by the values of keys of a state.
#[derive(Debug)]
pub(super) struct Sieve {
    tables: Vec<Table>,
    /// For each value of each table the end of its operations; before the first one of a table stands where they begin.
    ends: Vec<u32>,
    operations: Vec<u32>,
    /// A bit for each operation: whether it has no gate.
    always: Vec<u64>,
    sharp: bool,
}

#[derive(Debug)]
struct Table {
    key: Key,
    /// Where its ends begin.
    ends: usize,
}

impl Sieve {
    /// Of operations with these gates; none if it is not worth it.
    pub(super) fn new(gates: Vec<Option<Gate>>) -> Option<Sieve> {
        if gates.len() < MANY {
            return None;
        }
        let all = gates.len();
        let mut always = vec![0; all.div_ceil(64)];
        let mut keys: HashMap<Key, Vec<(u32, Gate)>> = HashMap::new();
        let mut order = Vec::new();
        // In millionths, how many operations are open in a state in which all values are as likely.
        let mut open = 0;
        for (op, gate) in (0u32..).zip(gates) {
            if let Some(gate) = gate.filter(|g| g.width() <= ENTRIES) {
                open += (gate.width() * 1_000_000) >> gate.key.bits();
                let known = keys.entry(gate.key.clone()).or_insert_with(|| {
                    order.push(gate.key.clone());
                    Vec::new()
                });
                known.push((op, gate));
            } else {
                open += 1_000_000;
                always[op as usize / 64] |= 1 << (op % 64);
            }
        }
        if keys.is_empty() {
            return None;
        }
        let sharp = open * SHARP as u64 <= all as u64 * 1_000_000;
        let mut sieve = Self { tables: Vec::new(), ends: Vec::new(), operations: Vec::new(), always, sharp };
        for key in order {
            let gates = keys.remove(&key).unwrap_or_default();
            sieve.add(key, &gates);
        }
        Some(sieve)
    }

    /// Adds the table of a key.
    fn add(&mut self, key: Key, gates: &[(u32, Gate)]) {
        let mut of: Vec<(u64, u32)> = Vec::new();
        for (op, gate) in gates {
            of.extend(gate.open.iter().flat_map(|(first, last)| *first..=*last).map(|value| (value, *op)));
        }
        of.sort_unstable();
        let bits = key.bits();
        self.tables.push(Table { key, ends: self.ends.len() });
        self.ends.push(end(&self.operations));
        let mut of = of.into_iter().peekable();
        for value in 0..1u64 << bits {
            self.operations.extend(std::iter::from_fn(|| of.next_if(|(v, _)| *v == value)).map(|(_, op)| op));
            self.ends.push(end(&self.operations));
        }
    }

    /// Whether so few operations are open that the others are not even to be run together with them.
    pub(super) fn is_sharp(&self) -> bool {
        self.sharp
    }

    /// Calls `f` with the operations that may have edges in a state, in order. `open` is memory to be reused.
    pub(super) fn of(&self, state: &[u64], open: &mut Vec<u64>, mut f: impl FnMut(usize)) {
        open.clear();
        open.extend_from_slice(&self.always);
        for table in &self.tables {
            let value = usize::try_from(table.key.of(state)).unwrap_or(usize::MAX);
            let Some([first, last]) = self.ends.get(table.ends + value..).and_then(<[u32]>::first_chunk)
            else {
                continue;
            };
            for op in self.operations.get(*first as usize..*last as usize).unwrap_or_default() {
                if let Some(word) = open.get_mut(*op as usize / 64) {
                    *word |= 1 << (op % 64);
                }
            }
        }
        for (at, word) in open.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                f(at * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }
}

/// The end of the operations so far; there are fewer than 2^32, as each gate has few.
fn end(operations: &[u32]) -> u32 {
    u32::try_from(operations.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::super::word::gate::Part;
    use super::*;
    use smallvec::smallvec;

    #[test]
    fn open_are_those_whose_gates_are_open() {
        let part = |word, shift, bits| Part { word, shift, bits };
        let key = |word, shift, bits| Key(smallvec![part(word, shift, bits)]);
        let gate = |op: u64| {
            let open = vec![(op % 5, op % 5), (5 + op % 3, 7)];
            match op % 4 {
                0 => None,
                1 => Some(Gate { key: key(1, 3, 3), open }),
                2 => Some(Gate { key: key(1, 6, 7), open: vec![(op % 100, op % 100 + op / 2)] }),
                _ => Some(Gate {
                    key: Key(smallvec![part(2, 0, 2), part(1, 1, 1)]),
                    open: if op % 8 == 3 { Vec::new() } else { open },
                }),
            }
        };
        assert!(Sieve::new((0..10).map(gate).collect()).is_none());
        assert!(Sieve::new(vec![None; 100]).is_none());
        let gates: Vec<_> = (0..200).map(gate).collect();
        let sieve = Sieve::new(gates.clone()).expect("there are many");
        for seed in 0..500u64 {
            let state = [0, seed.wrapping_mul(0x9e37_79b9), seed * 5];
            let opens = |g: &Option<Gate>| {
                let is = |g: &Gate| g.open.iter().any(|(a, b)| (*a..=*b).contains(&g.key.of(&state)));
                g.as_ref().is_none_or(|g| g.width() > ENTRIES || is(g))
            };
            let expected: Vec<usize> = (0..200).filter(|op| opens(&gates[*op])).collect();
            let mut found = Vec::new();
            sieve.of(&state, &mut Vec::new(), |op| found.push(op));
            assert_eq!(found, expected);
        }
    }
}
