//! Search for set- and function-valued unknowns: decide one cell at a time, look at every constraint that the decision
//! touches, go back as soon as one is false.
//!
//! In: a node of a plan whose next unknowns are sets or functions with moderate domains. Out: every assignment of them
//! that no constraint is known to contradict; the plan goes on from there and tests exactly. Siblings: `cells` (what is
//! decided), `constraint` (what must hold), `domain` (cells from typing; `own`: of what is defined), `abs`,
//! `alternatives`, `bounds` and `truth` (what expressions and predicates can be), `arrows` (memberships in spaces of
//! functions), `expand` (universal quantifiers taken apart; `circular`: equations; `faithful`: what tests say), `linear`
//! (sums), `records`, `distinct` (injections and surjections), `table` (memberships of two cells), `unary` (of one),
//! `relation` (of several), `formed` (tests in a form that is looked at fast: `form`, `span`), `bools` (truth tables;
//! `members` for memberships; `join` joins them),
//! `images`, `wake` (which constraint is looked at when), `exact` (constraints that only whole values decide), `fixed`
//! (those that a few cells decide), `choose` (what is decided next), `partial` (symmetric assignments turned away),
//! `probe` (disjunctions by their parts), `judge` (one test), `trial` (cells decided on trial), `once` (what was found already), `steady` (what stays the
//! same in a test), `recall` (what was said of the same options before), `pairs` (what solutions are made of), `leaf` (what
//! is told of a solution), `determined` (functions without a list of their points). Pruning is sound, so no solution is
//! lost.

mod abs;
mod address;
mod alternatives;
mod arrows;
mod bools;
mod bounds;
mod cells;
mod choose;
mod circular;
mod constraint;
mod defined;
mod determined;
mod distinct;
mod domain;
mod enforce;
mod exact;
mod expand;
mod faithful;
mod fixed;
mod form;
mod formed;
mod images;
mod join;
mod judge;
mod leaf;
mod linear;
mod members;
mod nature;
mod once;
mod own;
mod pairs;
mod partial;
mod points;
mod probe;
mod recall;
mod records;
mod relation;
mod rows;
mod sets;
mod sift;
mod span;
mod steady;
mod table;
mod trial;
mod truth;
mod unary;
mod wake;
mod whole;

use super::alike::Context;
use super::bind::Run;
use super::bits::Bits;
use super::interval::Interval;
use super::plan::{Node, Step};
use super::problem::Slot;
use super::walk::Reads;
use super::{Env, Flow, Sink};
use crate::diagnostic::Code;
use crate::ir::{Binder, Expr, LocalId, Pred};
use crate::ops::Fault;
use crate::value::{SetRef, Value};
use address::ByAddress;
use cells::{CellId, Cells, Shape};
use constraint::Constraint;
use hashbrown::HashMap;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::ControlFlow::{Break, Continue};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use wake::{Agenda, Waits};

/// How often integer ranges are narrowed between two decisions.
const PATIENCE: u32 = 20_000;

/// A place to go back to.
#[derive(Clone, Copy)]
struct Mark {
    cells: usize,
    settled: usize,
}

/// A search under way.
pub(super) struct Search<'s> {
    run: &'s Run<'s>,
    rest: &'s [usize],
    bound: &'s Bits,
    scope: &'s Bits,
    cells: Cells,
    shapes: BTreeMap<usize, Shape>,
    /// Unknowns that equations define in terms of others.
    defined: &'s [(usize, Expr)],
    constraints: Vec<Constraint>,
    /// Which of them say what, of the conjunct that is taken apart.
    said: HashMap<linear::Said, usize>,
    /// The unknown for which sets of integers without an end are cut at MININT and MAXINT.
    cut: Option<usize>,
    /// The cells before anything was decided.
    root: Option<Cells>,
    /// Whether nothing has been decided yet, nor is tried.
    early: bool,
    /// How often each test has been looked at in vain.
    looks: Vec<usize>,
    /// Whether cuts of each test have been of use.
    paid: Vec<judge::Paid>,
    /// Which constraints say nothing before a cell is decided.
    patient: Vec<bool>,
    /// For each constraint the cells that it waits for.
    waits: Vec<Waits>,
    /// Which constraints hold whatever becomes of the undecided cells, with the order in which that was found.
    settled: Vec<bool>,
    settled_trail: Vec<usize>,
    /// Conjuncts that hold for all values that the cells can make up.
    given: Bits,
    /// Which constraints have been evaluated, with the values that they have at the end: they hold, and have a value.
    evaluated: Vec<bool>,
    /// Whether what was judged last was evaluated.
    by_value: Cell<bool>,
    /// Up to which constraint they come from which conjunct.
    ends: Vec<(usize, usize)>,
    /// Conjuncts that say the same as all constraints of a range, once those that may have no value have been evaluated.
    exact: Vec<(usize, Range<usize>)>,
    /// Tests that may have no value, in order; those of conjuncts before the one that is taken apart.
    doubted: Vec<usize>,
    doubted_before: usize,
    /// Whether the conjunct that is taken apart says no more than its constraints so far.
    faithful: bool,
    /// Whether there is no solution, which is known from the typing.
    none: bool,
    /// Whether some cell has just two options: only then are there truth tables.
    pairs_of_options: bool,
    /// Whether some unknown may have no value, or several, at some argument.
    gaps: bool,
    /// In how many constraints a cell has been seen; those that have failed count again (`choose`).
    degree: Vec<usize>,
    /// Formulas that caches know by address: kept for as long as the search.
    formulas: ByAddress<Arc<Pred>>,
    /// The tables made so far.
    tables: Vec<table::Made>,
    /// How much room there is for relations.
    relation_room: usize,
    /// For each constraint that waits for any of its cells those that have been met, sorted.
    watched: Vec<Vec<CellId>>,
    /// For each cell the constraints to look at when it changes.
    watchers: Vec<Vec<usize>>,
    /// For each cell the patient ones, to look at when it is decided.
    resting: Vec<Vec<usize>>,
    /// What propagation works off; kept for its room.
    agenda: Agenda,
    /// How often integer ranges may still be narrowed before the next decision.
    patience: u32,
    /// Undecided cells that the evaluation going on has looked at.
    touched: RefCell<Vec<CellId>>,
    /// Whether expressions, by address, read no unknown.
    known: RefCell<ByAddress<bool>>,
    /// What predicates, by address, are by their form.
    natures: RefCell<ByAddress<Arc<nature::Nature>>>,
    /// The values of functions, by the address of their parts, that take each just once.
    onto: RefCell<ByAddress<Option<Arc<Vec<Value>>>>>,
    /// Values of expressions, by address, that read neither undecided unknowns nor quantified variables.
    values: RefCell<ByAddress<Option<Value>>>,
    /// What the variables of binders, by address, must satisfy in any case.
    frames: RefCell<ByAddress<Arc<rows::Frame>>>,
    /// Their solutions, where those stay the same.
    listings: RefCell<ByAddress<rows::Listing>>,
    /// What expressions, by address, were found to be.
    found: RefCell<ByAddress<once::Found>>,
    /// What expressions, by address, were found to be for options of the cells that they read.
    recalled: recall::Recalls<once::Lasting>,
    /// What tests, by number, said for such options.
    judged: recall::Recalls<judge::Said>,
    /// The cells that tests, by address, read, if what they say is remembered.
    read: RefCell<ByAddress<Option<Box<[CellId]>>>>,
    /// Which cells have had all their options listed from the start.
    listed: Vec<bool>,
    /// How many words may still be kept of such.
    room: Cell<usize>,
    /// The bounds of shapes, by address, with the cells as they were.
    bounded: RefCell<ByAddress<once::Kept<(SetRef, SetRef)>>>,
    /// The rows of binders, by address, with the cells as they were.
    rowed: RefCell<ByAddress<rows::Rowed>>,
    /// What expressions, by address, of the test that is looked at were found to be: with the cells as they were, and the test.
    lately: RefCell<ByAddress<once::Kept<abs::Abs<'static>, (u64, usize)>>>,
    /// That test.
    turn: RefCell<Option<steady::Turn>>,
    /// The rows of binders, by address, likewise.
    rowed_lately: RefCell<ByAddress<once::Kept<Vec<rows::Row>, (u64, usize)>>>,
    /// Whether expressions and binders, by address, read only what has one value in a test: that, by address, and whether.
    steady: RefCell<ByAddress<(usize, bool)>>,
    /// The variables that have one value in tests, by address.
    steady_in: RefCell<ByAddress<Arc<[LocalId]>>>,
    /// The cells that tests read at fixed arguments, by number.
    fixed: RefCell<fixed::ByTest>,
    /// Where predicates, by address, read unknowns, if at fixed arguments only.
    places: RefCell<ByAddress<Option<Rc<fixed::Places>>>>,
    /// What was found of the predicate that was looked at last before tests are made.
    fixed_lately: fixed::Lately,
    /// Whether predicates, by address, have no binders in them.
    flat: RefCell<ByAddress<bool>>,
    /// What the members of comprehensions, by address, are.
    members: RefCell<ByAddress<Arc<Expr>>>,
    /// Whether two sides of the constraint that was judged last are open, so that nothing follows for either.
    idle: Cell<bool>,
    /// Constraints looked at so far.
    effort: usize,
    choices: probe::Choices,
    forms: formed::Forms,
    /// What solutions are made of.
    pairs: RefCell<pairs::Pairs>,
    /// What was bound before, if of assignments that are images of each other only one is wanted.
    context: Option<Context>,
}

impl<'s> Search<'s> {
    /// Prepares a search for those of `vars` that have domains; `None` if none has.
    pub(super) fn new(
        run: &'s Run<'s>,
        node: &'s Node,
        vars: &[usize],
        defined: &'s [(usize, Expr)],
        other: &Step,
        env: &mut Env,
    ) -> Option<Self> {
        let mut s = Self {
            run,
            rest: &node.rest,
            bound: &node.bound,
            scope: &node.scope,
            cells: Cells::default(),
            shapes: BTreeMap::new(),
            defined,
            constraints: Vec::new(),
            said: HashMap::default(),
            formulas: ByAddress::default(),
            tables: Vec::new(),
            relation_room: relation::ROOM,
            cut: None,
            root: None,
            early: true,
            looks: Vec::new(),
            paid: Vec::new(),
            patient: Vec::new(),
            waits: Vec::new(),
            settled: Vec::new(),
            settled_trail: Vec::new(),
            given: Bits::default(),
            doubted: Vec::new(),
            doubted_before: 0,
            evaluated: Vec::new(),
            by_value: Cell::default(),
            exact: Vec::new(),
            ends: Vec::new(),
            faithful: true,
            none: false,
            pairs_of_options: false,
            gaps: false,
            degree: Vec::new(),
            watched: Vec::new(),
            watchers: Vec::new(),
            resting: Vec::new(),
            agenda: Agenda::default(),
            patience: PATIENCE,
            touched: RefCell::default(),
            known: RefCell::default(),
            natures: RefCell::default(),
            onto: RefCell::default(),
            values: RefCell::default(),
            frames: RefCell::default(),
            listings: RefCell::default(),
            found: RefCell::default(),
            recalled: RefCell::default(),
            judged: RefCell::default(),
            read: RefCell::default(),
            listed: Vec::new(),
            room: Cell::new(recall::ROOM),
            bounded: RefCell::default(),
            rowed: RefCell::default(),
            lately: RefCell::default(),
            turn: RefCell::default(),
            rowed_lately: RefCell::default(),
            steady: RefCell::default(),
            steady_in: RefCell::default(),
            fixed: RefCell::default(),
            places: RefCell::default(),
            fixed_lately: None,
            flat: RefCell::default(),
            members: RefCell::default(),
            idle: Cell::default(),
            effort: 0,
            choices: probe::Choices::default(),
            forms: formed::Forms::default(),
            pairs: RefCell::default(),
            context: None,
        };
        for defer in [true, false] {
            if !s.shapes.is_empty() {
                break;
            }
            for v in vars {
                let shape = s
                    .shape(*v, defer, &node.bound, env)
                    .or_else(|| s.last_resort(*v, other, &node.bound, env));
                if let Some(shape) = shape {
                    s.shapes.insert(*v, shape);
                }
            }
        }
        if s.shapes.is_empty() {
            return None;
        }
        s.give_own_cells(&node.bound, env);
        s.context = s.place(node, env);
        s.gaps = s.has_gaps();
        s.none |= s.constraints.iter().any(|c| distinct::is_impossible(&s.cells, c));
        if s.none {
            return Some(s);
        }
        s.expand_all(env);
        s.find_choices();
        s.prepare_recall();
        s.patient = s.constraints.iter().map(wake::is_patient).collect();
        s.looks = vec![0; s.constraints.len()];
        s.paid = vec![judge::Paid::default(); s.constraints.len()];
        s.waits = vec![Waits::Unseen; s.constraints.len()];
        s.settled = vec![false; s.constraints.len()];
        s.evaluated = vec![false; s.constraints.len()];
        s.watched = vec![Vec::new(); s.constraints.len()];
        s.watchers = vec![Vec::new(); s.cells.cells.len()];
        s.resting = vec![Vec::new(); s.cells.cells.len()];
        s.degree = vec![0; s.cells.cells.len()];
        for (i, c) in s.constraints.iter().enumerate() {
            if s.patient[i] {
                continue;
            }
            for cell in c.cells() {
                s.watchers[cell].push(i);
                s.degree[cell] += c.copies();
            }
        }
        Some(s)
    }

    /// The unknowns that the search gives values.
    pub(super) fn binds(&self) -> Bits {
        let mut bits = Bits::default();
        self.shapes.keys().for_each(|v| bits.insert(*v));
        bits
    }

    /// Runs the search; `f` is called with all its unknowns bound.
    pub(super) fn run(mut self, env: &mut Env, f: Sink<'_>) -> Flow {
        if self.none {
            return Ok(Continue(()));
        }
        let all = (0..self.constraints.len()).collect();
        if !self.consistent(all, env)? {
            return Ok(Continue(()));
        }
        if self.has_too_many() {
            return Err(Fault::new(Code::TooLarge, "too many solutions to be listed"));
        }
        let joined = self.join_tables();
        if !joined.is_empty() && !self.consistent(joined, env)? {
            return Ok(Continue(()));
        }
        self.root = Some(self.cells.undecided());
        self.early = false;
        let fine = self.try_singles(env);
        if !self.uninterrupted(fine)? {
            return Ok(Continue(()));
        }
        self.branch(env, f)
    }

    fn branch(&mut self, env: &mut Env, f: Sink<'_>) -> Flow {
        if !self.is_new(true) {
            return Ok(Continue(()));
        }
        let Some(cell) = self.choose() else { return self.leaf(env, f) };
        if let Some(range) = self.cells.cells[cell].wide {
            return self.branch_wide(cell, range, env, f);
        }
        let options: Vec<usize> = self.cells.cells[cell].options().collect();
        for i in options {
            let mark = self.mark();
            self.cells.keep(cell, i);
            if self.decided(cell, mark, env, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// Goes on after a cell was decided, and back to before.
    fn decided(&mut self, cell: CellId, mark: Mark, env: &mut Env, f: Sink<'_>) -> Flow {
        self.run.decide()?;
        self.form_tests(env);
        let queue = self.woken(cell);
        if self.is_new(false) && self.consistent(queue, env)? && self.branch(env, f)?.is_break() {
            return Ok(Break(()));
        }
        self.back_to(mark);
        Ok(Continue(()))
    }

    fn mark(&mut self) -> Mark {
        Mark { cells: self.cells.mark(), settled: self.settled_trail.len() }
    }

    fn back_to(&mut self, mark: Mark) {
        self.cells.back_to(mark.cells);
        for c in self.settled_trail.drain(mark.settled..) {
            self.settled[c] = false;
            self.evaluated[c] = false;
        }
    }

    /// Notes that a constraint holds.
    fn settle(&mut self, c: usize) {
        if !std::mem::replace(&mut self.settled[c], true) {
            self.settled_trail.push(c);
        }
    }

    /// Notes that a constraint holds, if that is what a look at it said: `None` is that it cannot. Whether it can.
    fn settle_if(&mut self, c: usize, said: Option<bool>) -> bool {
        if said == Some(true) {
            self.settle(c);
        }
        said.is_some()
    }

    /// Notes that a constraint holds, which was found by evaluating it with the values that all it reads have.
    fn settle_by_value(&mut self, c: usize) {
        self.settle_as(c, true);
    }

    /// Notes that a constraint holds; whether that was found by value.
    fn settle_as(&mut self, c: usize, by_value: bool) {
        self.settle(c);
        self.evaluated[c] |= by_value;
    }

    /// Notes that a constraint holds, as it was judged last.
    fn settle_as_judged(&mut self, c: usize) {
        self.settle_as(c, self.by_value.get());
    }

    /// All integers of a range, one after the other. An open end is cut like that of any integer.
    fn branch_wide(&mut self, cell: CellId, range: Interval, env: &mut Env, f: Sink<'_>) -> Flow {
        let run = self.run;
        let range = match (range.lo(), range.hi()) {
            (Some(_), Some(_)) => range,
            _ => run.opened(self.owner(cell), range)?,
        };
        let (Some(lo), Some(hi)) = (range.lo(), range.hi()) else { return Ok(Continue(())) };
        for n in lo..=hi {
            let mark = self.mark();
            self.cells.list(cell, &[Value::double(n)]);
            if self.decided(cell, mark, env, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// Propagates; false if some constraint cannot hold.
    fn consistent(&mut self, queue: Vec<usize>, env: &mut Env) -> Result<bool, Fault> {
        let before = self.effort;
        let fine = self.propagate(queue, env);
        self.earn(self.effort - before);
        let fine = fine && self.probe(env);
        self.uninterrupted(fine)
    }

    /// What was found, unless it was found since evaluation is to stop.
    fn uninterrupted(&self, fine: bool) -> Result<bool, Fault> {
        self.run.ev.go_on()?;
        Ok(fine)
    }

    /// Looks at constraints until nothing changes, or evaluation is to stop; false if one cannot hold.
    fn propagate(&mut self, first: Vec<usize>, env: &mut Env) -> bool {
        self.patience = PATIENCE;
        let mut agenda = std::mem::take(&mut self.agenda);
        first.into_iter().for_each(|c| agenda.add(c, wake::is_cheap(&self.constraints[c])));
        let fine = self.work_off(&mut agenda, env);
        agenda.clear();
        self.agenda = agenda;
        fine
    }

    fn work_off(&mut self, agenda: &mut Agenda, env: &mut Env) -> bool {
        let mut changed = Vec::new();
        while let Some(c) = agenda.next() {
            if self.run.ev.is_stopped() {
                return false;
            }
            if self.settled[c] {
                continue;
            }
            self.effort += 1;
            let fine = self.look(c, env, &mut changed);
            if !fine {
                self.blame(c);
                return false;
            }
            self.queue_woken(c, &changed, agenda);
            changed.clear();
        }
        true
    }

    /// Looks at one constraint; false if it cannot hold.
    fn look(&mut self, c: usize, env: &mut Env, changed: &mut Vec<CellId>) -> bool {
        match &self.constraints[c] {
            Constraint::AllDifferent { cells, values } => {
                distinct::different(&mut self.cells, cells, *values, changed)
            }
            Constraint::Onto { cells, values } => distinct::onto(&mut self.cells, cells, *values, changed),
            Constraint::Linear(_) => self.weigh(c, changed),
            Constraint::Differ(_) => self.weigh_all(c, changed),
            Constraint::Table { .. } => self.pair_up(c, changed),
            Constraint::Relation(_) => self.look_into(c, changed),
            Constraint::Bools(_) => self.look_up(c, changed),
            Constraint::Test { .. } => self.test(c, env, changed),
            Constraint::Formed(_) => self.look_at_form(c, env, changed),
            Constraint::Part => true,
        }
    }

    /// Notes that an undecided cell has been looked at.
    fn note(&self, cell: CellId) {
        self.touched.borrow_mut().push(cell);
    }

    /// Whether an expression reads no unknown that lacks a value.
    fn known(&self, e: &Expr) -> bool {
        let key = std::ptr::from_ref(e).addr();
        if let Some(k) = self.known.borrow().get(&key) {
            return *k;
        }
        let k = self.run.is_known(e, self.bound);
        self.known.borrow_mut().insert(key, k);
        k
    }

    /// Whether an expression reads no local but unknowns of this problem and its own bound variables.
    fn closed(&self, e: &Expr) -> bool {
        Reads::of(e).free().all(|id| self.is_unknown(id))
    }

    /// The unknown that an expression is, if it has no value from before the search.
    fn open_unknown(&self, e: &Expr) -> Option<usize> {
        self.run.problem.unknown_of(e).filter(|i| !self.bound.contains(*i))
    }

    fn is_unknown(&self, id: LocalId) -> bool {
        self.run.problem.index.get(Slot::Local(id)).is_some()
    }

    fn known_pred(&self, p: &Pred) -> bool {
        let key = std::ptr::from_ref(p).addr();
        if let Some(k) = self.known.borrow().get(&key) {
            return *k;
        }
        let k = self.reads_nothing(p);
        self.known.borrow_mut().insert(key, k);
        k
    }

    fn known_binder(&self, b: &Binder) -> bool {
        self.known_pred(&b.pred)
    }
}

#[cfg(test)]
mod tests;
