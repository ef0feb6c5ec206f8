//! From a formula to an automaton that accepts the paths on which it holds.
//!
//! In: an [`Ltl`]. Out: an [`Automaton`] with sets of transitions of which a path must take some of each again and again
//! (generalised Büchi, on transitions), and with transitions that a path may end in. A state is a formula: what is left to
//! hold. It is split into covers: letters that are read, what is left to hold next, and which untils are put off. Finite
//! paths need no loop that is not there: at their last state a cover counts that asks for no next state. Siblings: `normal`
//! (formulas), `past` (memory), `product` (who reads).

use super::formula::Ltl;
use super::normal::{Arena, FALSE, Id, Letter, Node, TRUE};
use super::past::Past;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Covers of one state, and states, that are not too many.
const MOST_COVERS: usize = 20_000;
const MOST_STATES: usize = 20_000;
/// Bits of a mark, and of memory.
const MOST_BITS: usize = 63;

/// Why there is no automaton: it would be too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge(pub &'static str);

/// A transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Transition {
    /// The letters that are read, and whether they are true; each once.
    pub guard: Vec<(Letter, bool)>,
    /// Where it leads.
    pub to: u32,
    /// The sets it is in, as bits.
    pub marks: u64,
    /// Whether a path may end here.
    pub may_end: bool,
}

/// An automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Transitions of each state; the first state is where paths begin.
    pub states: Vec<Vec<Transition>>,
    /// The number of sets.
    pub sets: u32,
    /// Its memory of the past.
    pub(super) past: Past,
}

/// A way for a formula to hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Cover {
    /// Letters, as nodes, sorted.
    letters: Vec<Id>,
    /// What must hold next, sorted.
    next: Vec<Id>,
    /// Whether there must be a next state.
    strong: bool,
    /// Untils that are put off.
    put_off: u64,
}

impl Cover {
    /// Whether everything that this asks for is also asked for by the other.
    fn covers(&self, other: &Cover) -> bool {
        let within = |a: &[Id], b: &[Id]| a.iter().all(|x| b.binary_search(x).is_ok());
        (!self.strong || other.strong)
            && self.put_off & !other.put_off == 0
            && within(&self.letters, &other.letters)
            && within(&self.next, &other.next)
    }
}

struct Builder {
    arena: Arena,
    covers: HashMap<Id, Rc<Vec<Cover>>>,
    /// Untils that were put off somewhere, each with its bit.
    untils: Vec<Id>,
}

impl Automaton {
    /// The automaton of a formula.
    ///
    /// # Errors
    /// It would be too large.
    pub fn new(f: &Ltl) -> Result<Self, TooLarge> {
        let mut arena = Arena::new();
        let start = arena.formula(f);
        if arena.past.len() > MOST_BITS || arena.guesses() > MOST_BITS {
            return Err(TooLarge("too many operators about the past"));
        }
        let mut b = Builder { arena, covers: HashMap::new(), untils: Vec::new() };
        let states = b.states(start)?;
        let all = (1u64 << b.untils.len()) - 1;
        let marked = |list: Vec<Transition>| -> Vec<Transition> {
            list.into_iter().map(|t| Transition { marks: all & !t.marks, ..t }).collect()
        };
        let states = merged(states.into_iter().map(marked).collect());
        let sets = u32::try_from(b.untils.len()).unwrap_or(u32::MAX);
        Ok(Self { states, sets, past: b.arena.past })
    }

    /// Whether it accepts every path that goes on from a state, or ends there, where such letters are as a guard says: there is a transition
    /// to a state that asks for nothing any more. That all such paths are fair does not matter: each can go on so that it is.
    pub(super) fn settled(&self, state: u32, mut is: impl FnMut((Letter, bool)) -> bool) -> bool {
        let of = |state: u32| self.states.get(state as usize).into_iter().flatten();
        let all = !(u64::MAX << self.sets);
        let asks_nothing =
            |q: u32| of(q).any(|t| t.guard.is_empty() && t.to == q && t.may_end && t.marks & all == all);
        of(state).any(|t| t.may_end && asks_nothing(t.to) && t.guard.iter().all(|l| is(*l)))
    }

    /// Bits of memory that it has for the past.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.past.len()
    }
}

impl Builder {
    /// All states, with the untils that transitions put off in place of marks.
    fn states(&mut self, start: Id) -> Result<Vec<Vec<Transition>>, TooLarge> {
        let mut numbers: HashMap<Id, u32> = [(start, 0)].into();
        let mut todo = vec![start];
        let mut states = Vec::new();
        while let Some(&formula) = todo.get(states.len()) {
            if todo.len() > MOST_STATES {
                return Err(TooLarge("its automaton has too many states"));
            }
            let mut transitions = Vec::new();
            let covers = self.covers(formula)?;
            for cover in self.least(&covers) {
                let next = self.arena.and(cover.next.clone());
                if next == FALSE && cover.strong {
                    continue;
                }
                let fresh = u32::try_from(todo.len()).unwrap_or(u32::MAX);
                let to = *numbers.entry(next).or_insert_with(|| {
                    todo.push(next);
                    fresh
                });
                let letter = |id: &Id| match self.arena.node(*id) {
                    Node::Lit(letter, positive) => Some((*letter, *positive)),
                    _ => None,
                };
                let guard = cover.letters.iter().filter_map(letter).collect();
                transitions.push(Transition { guard, to, marks: cover.put_off, may_end: !cover.strong });
            }
            states.push(transitions);
        }
        Ok(states)
    }

    /// Covers that are not covered by others.
    fn least(&mut self, covers: &[Cover]) -> Vec<Cover> {
        let mut simple: Vec<Cover> = covers.to_vec();
        for c in &mut simple {
            self.arena.strongest(&mut c.next);
        }
        let mut least: Vec<Cover> = Vec::new();
        for c in simple {
            if least.iter().any(|l| l.covers(&c)) {
                continue;
            }
            least.retain(|l| !c.covers(l));
            least.push(c);
        }
        least
    }

    fn covers(&mut self, id: Id) -> Result<Rc<Vec<Cover>>, TooLarge> {
        if let Some(known) = self.covers.get(&id) {
            return Ok(Rc::clone(known));
        }
        let one = |next: Id, strong| {
            let next = if next == TRUE { Vec::new() } else { vec![next] };
            vec![Cover { next, strong, ..Cover::default() }]
        };
        let found = match self.arena.node(id).clone() {
            Node::True => vec![Cover::default()],
            Node::False => Vec::new(),
            Node::Lit(..) => vec![Cover { letters: vec![id], ..Cover::default() }],
            Node::Next(f) => one(f, true),
            Node::WeakNext(f) => one(f, false),
            Node::And(list) => {
                let mut all = vec![Cover::default()];
                for f in list {
                    let covers = self.covers(f)?;
                    all = self.product(&all, &covers)?;
                }
                all
            }
            Node::Or(list) => {
                let mut all = Vec::new();
                for f in list {
                    all.extend_from_slice(&self.covers(f)?);
                }
                all
            }
            Node::Until(f, g) => {
                let mut later = one(id, true);
                let bit = self.bit(id)?;
                later.iter_mut().for_each(|c| c.put_off = bit);
                let on = self.covers(f)?;
                let mut all = self.product(&later, &on)?;
                all.extend_from_slice(&self.covers(g)?);
                all
            }
            Node::Release(f, g) => {
                let mut end = one(id, false);
                end.extend_from_slice(&self.covers(f)?);
                let on = self.covers(g)?;
                self.product(&end, &on)?
            }
        };
        if found.len() > MOST_COVERS {
            return Err(TooLarge("there are too many ways for it to hold"));
        }
        let found = Rc::new(found);
        self.covers.insert(id, Rc::clone(&found));
        Ok(found)
    }

    fn bit(&mut self, until: Id) -> Result<u64, TooLarge> {
        let known = self.untils.iter().position(|u| *u == until);
        let bit = known.unwrap_or_else(|| {
            self.untils.push(until);
            self.untils.len() - 1
        });
        if bit < MOST_BITS { Ok(1 << bit) } else { Err(TooLarge("too many operators about the future")) }
    }

    /// Both at once.
    fn product(&self, a: &[Cover], b: &[Cover]) -> Result<Vec<Cover>, TooLarge> {
        let mut out: Vec<Cover> = Vec::new();
        for x in a {
            for y in b {
                let Some(both) = self.both(x, y) else { continue };
                if out.iter().any(|c| c.covers(&both)) {
                    continue;
                }
                out.retain(|c| !both.covers(c));
                out.push(both);
                if out.len() > MOST_COVERS {
                    return Err(TooLarge("there are too many ways for it to hold"));
                }
            }
        }
        Ok(out)
    }

    fn both(&self, x: &Cover, y: &Cover) -> Option<Cover> {
        let join = |a: &[Id], b: &[Id]| {
            let mut all: Vec<Id> = a.iter().chain(b).copied().collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let letters = join(&x.letters, &y.letters);
        let node = |id: &Id| self.arena.node(*id);
        let clash = letters.iter().enumerate().any(|(i, a)| {
            letters
                .iter()
                .skip(i + 1)
                .any(|b| matches!((node(a), node(b)), (Node::Lit(l, p), Node::Lit(m, q)) if l == m && p != q))
        });
        (!clash).then(|| Cover {
            letters,
            next: join(&x.next, &y.next),
            strong: x.strong || y.strong,
            put_off: x.put_off | y.put_off,
        })
    }
}

/// The same with one state for all that have the same transitions.
fn merged(states: Vec<Vec<Transition>>) -> Vec<Vec<Transition>> {
    let mut class: Vec<u32> = vec![0; states.len()];
    let mut count = 1;
    loop {
        let mut known: BTreeMap<(u32, Vec<Transition>), u32> = BTreeMap::new();
        let mut next = Vec::with_capacity(states.len());
        for (state, of) in states.iter().zip(&class) {
            let fresh = u32::try_from(known.len()).unwrap_or(u32::MAX);
            next.push(*known.entry((*of, seen(state, &class))).or_insert(fresh));
        }
        class = next;
        if known.len() == count {
            break;
        }
        count = known.len();
    }
    let mut out: Vec<Option<Vec<Transition>>> = vec![None; count];
    for (state, of) in states.iter().zip(&class) {
        if let Some(slot) = out.get_mut(*of as usize) {
            slot.get_or_insert_with(|| seen(state, &class));
        }
    }
    out.into_iter().map(Option::unwrap_or_default).collect()
}

/// A state's transitions to classes of states.
fn seen(state: &[Transition], class: &[u32]) -> Vec<Transition> {
    let to = |t: &Transition| class.get(t.to as usize).copied().unwrap_or(0);
    let mut out: Vec<Transition> = state.iter().map(|t| Transition { to: to(t), ..t.clone() }).collect();
    out.sort();
    out.dedup();
    out
}
