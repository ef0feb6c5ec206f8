//! The valuations of the constants, numbered as they are found.
//!
//! In: a machine, a [`Mode`]. Out: a [`Table`] that grows while the search asks for more, so that limits act
//! while valuations are still being enumerated.

use super::deciding::{Deciding, PropertyTime};
use super::statics::{self, Extra};
use crate::diagnostic::Code;
use crate::eval::{Alike, Constants, Evaluator, OneOf, Wanted};
use crate::ir::{ConstId, Pred};
use crate::ops::Fault;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Which valuations are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Every one.
    All,
    /// Those that `ProB`'s static symmetry leaves.
    Static,
    /// At least one of every orbit; the reducer removes the rest.
    Orbits,
}

impl Mode {
    /// All modes with their names on the command line.
    pub const ALL: &'static [(&'static str, Mode)] =
        &[("all", Mode::All), ("static", Mode::Static), ("orbits", Mode::Orbits)];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, m)| *m == self).map_or("", |(n, _)| n)
    }
}

/// The valuations found so far.
#[derive(Debug)]
pub struct Table {
    found: RwLock<Vec<Constants>>,
    /// How an enumeration ended that nobody broke off: the valuations found are all there are before that end.
    end: OnceLock<Result<(), Fault>>,
    extra: Extra,
    /// What tells images of each other.
    alike: Option<Arc<dyn Alike>>,
    /// Whether one valuation of those that are images of each other is enough.
    orbits: bool,
    /// Constants of which one value stands for all.
    one_of: Vec<OneOf>,
    /// The time that properties have under these valuations.
    pub(super) deciding: Arc<Deciding>,
    /// How many partial valuations were told apart by hashes.
    compared: AtomicU64,
    setup: bool,
}

impl Table {
    /// An empty table for an evaluator's machine. `alike` says what may be permuted without
    /// changing PROPERTIES; without it `Orbits` finds every valuation.
    #[must_use]
    pub fn new(evaluator: &Evaluator, mode: Mode, alike: Option<Arc<dyn Alike>>) -> Self {
        let (machine, world) = (&evaluator.machine, &evaluator.world);
        let extra = match mode {
            Mode::All | Mode::Orbits => Extra::default(),
            Mode::Static => statics::recorded(machine, world),
        };
        let setup = statics::setup_remains(machine, world, &extra.fixed);
        let (found, end, compared) = (RwLock::default(), OnceLock::new(), AtomicU64::new(0));
        let (orbits, one_of, deciding) = (mode == Mode::Orbits, Vec::new(), Arc::default());
        Self { found, end, extra, alike, orbits, one_of, deciding, compared, setup }
    }

    /// The same table for systems whose properties have so much time.
    #[must_use]
    pub fn within(self, time: PropertyTime) -> Self {
        Self { deciding: Arc::new(Deciding::within(time)), ..self }
    }

    /// The same table for a machine in which nothing but PROPERTIES reads some constants: of those with too many values to be
    /// tried, of which PROPERTIES say nothing but that, one value stands for all.
    #[must_use]
    pub fn unread(self, evaluator: &Evaluator, constants: &[ConstId]) -> Self {
        // What ProB's symmetry adds may speak of any constant.
        let static_symmetry = !self.extra.preds.is_empty() || !self.extra.growing.is_empty();
        let one_of = if static_symmetry { Vec::new() } else { evaluator.one_of_many(constants) };
        Self { one_of, ..self }
    }

    /// Constants of which one value stands for all.
    #[must_use]
    pub fn one_of(&self) -> &[OneOf] {
        &self.one_of
    }

    /// An empty table of the valuations of which something more is known.
    #[must_use]
    pub fn of_known(evaluator: &Evaluator, known: Vec<Pred>) -> Self {
        let mut table = Self::new(evaluator, Mode::All, None);
        table.extra.preds.extend(known);
        table
    }

    /// Whether there is a set-up step.
    #[must_use]
    pub fn has_setup(&self) -> bool {
        self.setup
    }

    /// Calls `f` with the number of every valuation until it returns false. PROPERTIES are solved once: whoever asks
    /// after an enumeration that came to its end is told what that has found.
    ///
    /// # Errors
    /// A fault of evaluating PROPERTIES.
    pub fn each(&self, evaluator: &Evaluator, f: &mut dyn FnMut(u32) -> bool) -> Result<(), Fault> {
        self.told(evaluator, &mut |v| v.is_none_or(&mut *f))
    }

    /// The same, but `f` is also called now and then with nothing, while the next valuation is looked for.
    ///
    /// # Errors
    /// A fault of evaluating PROPERTIES.
    pub fn told(&self, evaluator: &Evaluator, f: &mut dyn FnMut(Option<u32>) -> bool) -> Result<(), Fault> {
        if let Some(end) = self.end.get() {
            let all = self.found.read().unwrap_or_else(PoisonError::into_inner).len();
            return if (0u32..).take(all).all(|n| f(Some(n))) { end.clone() } else { Ok(()) };
        }
        let mut next = 0u32;
        let mut broken_off = false;
        let (extra, alike) = (&self.extra.preds, self.alike.as_deref());
        let wanted = Wanted { extra, alike, orbits: self.orbits, one_of: &self.one_of };
        let end = evaluator.constants(&wanted, &mut |values| {
            let Some(values) = values else {
                broken_off = !f(None);
                return if broken_off { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            };
            if !self.extra.accepts(values) {
                return ControlFlow::Continue(());
            }
            let number = next;
            next = next.saturating_add(1);
            let mut found = self.found.write().unwrap_or_else(PoisonError::into_inner);
            if found.len() == number as usize {
                found.push(values.clone());
            }
            drop(found);
            broken_off = !f(Some(number));
            if broken_off { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let end = end.map(|compared| self.compared.store(compared, Ordering::Relaxed));
        // An interruption is not the end of the valuations.
        let interrupted = matches!(&end, Err(f) if f.0.code == Code::Interrupted);
        if broken_off && interrupted && !evaluator.is_stopped() {
            return Ok(());
        }
        if !broken_off && !interrupted && !evaluator.is_stopped() {
            let _first = self.end.get_or_init(|| end.clone());
        }
        end
    }

    /// How many partial valuations were told apart by hashes to find the valuations, or that there is none.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.compared.load(Ordering::Relaxed)
    }

    /// The values of a valuation that has been found.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<Constants> {
        self.found.read().unwrap_or_else(PoisonError::into_inner).get(number as usize).cloned()
    }

    /// The values of a valuation; none if it has not been found.
    #[must_use]
    pub fn values(&self, number: u32) -> Constants {
        self.get(number).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{ConstId, Expr, Machine};
    use crate::ir::{Decl, ExprKind, Formula, PredKind, Routine, Settings, Subst, SubstKind};
    use crate::ops::{Op, World};
    use crate::source::Span;
    use crate::ty::Ty;
    use crate::value::Value;

    fn expr(kind: ExprKind, ty: Ty) -> Expr {
        Expr { kind, ty, span: Span::default() }
    }

    fn int(n: i64) -> Expr {
        expr(ExprKind::Lit(Value::Int(n)), Ty::Int)
    }

    /// An evaluator for one constant that is a number from 1 to 3 and satisfies something more.
    fn evaluator(more: Pred) -> Evaluator {
        let k = expr(ExprKind::Const(ConstId(0)), Ty::Int);
        let upto = expr(ExprKind::Op(Op::Interval, vec![int(1), int(3)]), Ty::pow(Ty::Int));
        let typing = Pred { kind: PredKind::Op(Op::In, vec![k, upto]), span: Span::default() };
        let formula = |pred| Formula { pred, text: "".into(), frame: 0, reads: Vec::new() };
        let decl =
            Decl { name: "k".into(), ty: Ty::Int, span: Span::default(), symbolic: false, parameter: false };
        let skip = Subst { kind: SubstKind::Skip, span: Span::default() };
        let machine = Machine {
            name: "M".into(),
            sets: Vec::new(),
            free_types: Vec::new(),
            constants: vec![decl],
            variables: Vec::new(),
            properties: vec![formula(typing), formula(more)],
            invariants: Vec::new(),
            typing: Vec::new(),
            assertions: Vec::new(),
            goal: None,
            scope: None,
            initialisation: Routine { body: skip, frame: 0 },
            operations: Vec::new(),
            settings: Settings::default(),
            named: std::collections::BTreeMap::new(),
            watched: Vec::new(),
        };
        Evaluator::new(machine.into(), World { maxint: 3, minint: -1, ..World::default() }.into())
    }

    fn all(table: &Table, evaluator: &Evaluator, most: usize) -> (Vec<u32>, Result<(), Fault>) {
        let mut numbers = Vec::new();
        let end = table.each(evaluator, &mut |n| {
            numbers.push(n);
            numbers.len() < most
        });
        (numbers, end)
    }

    #[test]
    fn properties_are_solved_once() {
        let evaluator = evaluator(Pred { kind: PredKind::True, span: Span::default() });
        let table = Table::new(&evaluator, Mode::All, None);
        assert_eq!(all(&table, &evaluator, 2), (vec![0, 1], Ok(())));
        assert_eq!(all(&table, &evaluator, 9), (vec![0, 1, 2], Ok(())));
        // Nothing could be solved any more.
        evaluator.world.interrupt.raise();
        assert_eq!(all(&table, &evaluator, 9), (vec![0, 1, 2], Ok(())));
        assert_eq!(all(&table, &evaluator, 1), (vec![0], Ok(())));
        assert_eq!(*table.values(2), vec![Some(Value::Int(3))]);
        // What an interruption has left undone is done later.
        let table = Table::new(&evaluator, Mode::All, None);
        assert!(all(&table, &evaluator, 9).1.is_err());
        assert!(table.end.get().is_none());
    }

    #[test]
    fn a_fault_is_told_again() {
        let quotient = expr(ExprKind::Op(Op::Div, vec![int(1), int(0)]), Ty::Int);
        let one = Pred { kind: PredKind::Op(Op::Eq, vec![quotient, int(1)]), span: Span::default() };
        let evaluator = evaluator(one);
        let table = Table::new(&evaluator, Mode::All, None);
        let (found, end) = all(&table, &evaluator, 9);
        assert!(end.is_err());
        evaluator.world.interrupt.raise();
        assert_eq!(all(&table, &evaluator, 9), (found, end));
    }
}
