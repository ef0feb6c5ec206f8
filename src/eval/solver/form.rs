//! Tests in the form in which they are looked at fastest: comparisons of integers over cells, and over cells that
//! other cells choose (`f(g(x))`), under connectives.
//!
//! In: a form, the cells. Out: whether it holds ([`Verdict`]), the options that must go if it is to ([`Cuts`]), and the
//! undecided cells that this depends on. Sound: an option goes only if no completion with it makes the form true. What
//! all ways to be true agree in (constructive disjunction: Van Hentenryck, Saraswat and Deville, 1998) goes at once. All that a
//! form reads has a value, and no number passes a word: who makes forms sees to that (`formed`).

use super::cells::{Cell, CellId, Cells};
use super::span::{NONE, Span};
use crate::eval::bits::Ones;
use crate::value::Value;
use smallvec::SmallVec;

/// Cells with more options than a word has bits do not choose.
pub(super) const OPTIONS: usize = 64;

/// Most ways of a disjunction whose consequences are compared.
const WAYS: usize = 8;

/// An integer.
pub(super) enum Term {
    Known(i64),
    Cell(CellId),
    /// What stands at the option of a cell.
    At {
        index: CellId,
        parts: Box<[Part]>,
    },
    Sum(Box<[Term; 2]>),
    Difference(Box<[Term; 2]>),
    Product(Box<[Term; 2]>),
}

/// What an option chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Number(i64),
    Cell(CellId),
}

/// How two integers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rel {
    Eq,
    Neq,
    Le,
    Lt,
}

/// What a test says.
pub(super) enum Form {
    Known(bool),
    Compare(Rel, Term, Term),
    /// A cell has one of the options whose bits are set.
    In {
        cell: CellId,
        options: u64,
    },
    /// Two cells with the same list have the same option, or not.
    Same {
        cells: [CellId; 2],
        equal: bool,
    },
    All(Vec<Form>),
    Any(Vec<Form>),
    /// For each case: if the cell has one of these options, that holds.
    Cases {
        cell: CellId,
        cases: Vec<(u64, Form)>,
    },
}

/// Whether a form holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Never,
    Always,
    Open,
}

/// What may stay of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// Options, as bits: of a cell with at most 64.
    Options(u64),
    /// Integers.
    Span(Span),
}

impl Keep {
    fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Keep::Options(a), Keep::Options(b)) => Keep::Options(a & b),
            (Keep::Span(a), Keep::Span(b)) => Keep::Span(a.meet(b)),
            // A cell is always kept in the same way.
            _ => self,
        }
    }

    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Keep::Options(a), Keep::Options(b)) => Keep::Options(a | b),
            (Keep::Span(a), Keep::Span(b)) => Keep::Span(a.join(b)),
            _ => self,
        }
    }

    fn is_empty(self) -> bool {
        match self {
            Keep::Options(a) => a == 0,
            Keep::Span(a) => a.is_empty(),
        }
    }
}

/// What may stay of some cells.
#[derive(Clone, Default, Debug)]
pub(super) struct Cuts(SmallVec<[(CellId, Keep); 4]>);

impl Cuts {
    pub(super) fn iter(&self) -> impl Iterator<Item = (CellId, Keep)> + '_ {
        self.0.iter().copied()
    }

    /// Keeps no more of a cell than this; false if nothing is left.
    fn keep(&mut self, cell: CellId, keep: Keep) -> bool {
        if let Some((_, before)) = self.0.iter_mut().find(|(c, _)| *c == cell) {
            *before = before.meet(keep);
            return !before.is_empty();
        }
        self.0.push((cell, keep));
        !keep.is_empty()
    }

    /// What must go for either of two reasons; false if nothing of some cell is left.
    fn add(&mut self, other: &Self) -> bool {
        other.iter().all(|(cell, keep)| self.keep(cell, keep))
    }

    /// What goes in any case, of two: for this reason or that.
    fn weaken(&mut self, other: &Self) {
        self.0.retain(|(cell, keep)| match other.0.iter().find(|(c, _)| c == cell) {
            Some((_, more)) => {
                *keep = keep.join(*more);
                true
            }
            None => false,
        });
    }
}

/// Undecided cells that were met, some more than once.
pub(super) type Met = SmallVec<[CellId; 16]>;

/// A look at a form.
pub(super) struct Look<'c> {
    pub(super) cells: &'c Cells,
    pub(super) met: Met,
}

/// The number that an option of an integer cell stands for.
fn number(cell: &Cell, option: usize) -> i64 {
    match cell.values.get(option) {
        Some(Value::Int(n)) => *n,
        _ => 0,
    }
}

/// The first number of a cell's list, if the others follow without a gap.
pub(super) fn base(cell: &Cell) -> Option<i64> {
    let last = cell.values.len().checked_sub(1)?;
    let (lo, hi) = (number(cell, 0), number(cell, last));
    (usize::try_from(hi - lo) == Ok(last)).then_some(lo)
}

/// What an integer cell may be.
pub(super) fn span(cell: &Cell) -> Span {
    let Some(first) = cell.first() else { return NONE };
    let lo = number(cell, first);
    if cell.left == 1 {
        return Span::one(lo);
    }
    let hi = number(cell, cell.last().unwrap_or(first));
    if hi - lo >= 64 {
        return Span::between(lo, hi);
    }
    let bits = if base(cell).is_some() {
        cell.options_from(first)
    } else {
        cell.options().fold(0, |all, i| all | 1 << (number(cell, i) - lo))
    };
    Span::listed(lo, bits)
}

/// The options of a cell that are integers of a span.
fn options_in(cell: &Cell, to: &Span) -> u64 {
    let alive = cell.alive.first().copied().unwrap_or(0);
    match base(cell) {
        Some(base) => alive & to.window(base),
        None => Ones(alive).filter(|i| to.contains(number(cell, *i))).fold(0, |all, i| all | 1 << i),
    }
}

/// Whether a cell has so few options that these are kept, rather than its integers.
fn is_small(cell: &Cell) -> bool {
    cell.values.len() <= OPTIONS
}

impl Look<'_> {
    pub(super) fn new(cells: &Cells) -> Look<'_> {
        Look { cells, met: Met::new() }
    }

    /// The cell, which is noted if it is not decided.
    fn cell(&mut self, id: CellId) -> &Cell {
        let cell = &self.cells.cells[id];
        if cell.left > 1 {
            self.met.push(id);
        }
        cell
    }

    /// The options that a cell has.
    fn options(&mut self, id: CellId) -> u64 {
        self.cell(id).alive.first().copied().unwrap_or(0)
    }

    fn part(&mut self, part: Part) -> Span {
        match part {
            Part::Number(n) => Span::one(n),
            Part::Cell(id) => span(self.cell(id)),
        }
    }

    /// What a term may be.
    fn span(&mut self, term: &Term) -> Span {
        match term {
            Term::Known(n) => Span::one(*n),
            Term::Cell(id) => span(self.cell(*id)),
            Term::At { index, parts } => {
                let mut all = NONE;
                for i in Ones(self.options(*index)) {
                    if let Some(part) = parts.get(i) {
                        all = all.join(self.part(*part));
                    }
                }
                all
            }
            Term::Sum(sides) => self.span(&sides[0]).plus(self.span(&sides[1])),
            Term::Difference(sides) => self.span(&sides[0]).plus(self.span(&sides[1]).neg()),
            Term::Product(sides) => self.span(&sides[0]).times(self.span(&sides[1])),
        }
    }

    /// Cuts what makes a term anything but an integer of a span; false if everything does.
    fn narrow(&mut self, term: &Term, to: Span, cuts: &mut Cuts) -> bool {
        if to.is_empty() {
            return false;
        }
        match term {
            Term::Known(n) => to.contains(*n),
            Term::Cell(id) => self.narrow_cell(*id, to, cuts),
            Term::At { index, parts } => self.narrow_choice(*index, parts, to, cuts),
            Term::Sum(sides) => {
                let [a, b] = &**sides;
                let (x, y) = (self.span(a), self.span(b));
                self.narrow(a, to.plus(y.neg()), cuts) && self.narrow(b, to.plus(x.neg()), cuts)
            }
            Term::Difference(sides) => {
                let [a, b] = &**sides;
                let (x, y) = (self.span(a), self.span(b));
                self.narrow(a, to.plus(y), cuts) && self.narrow(b, x.plus(to.neg()), cuts)
            }
            Term::Product(sides) => {
                let [a, b] = &**sides;
                let (x, y) = (self.span(a), self.span(b));
                self.narrow(a, to.over(y), cuts) && self.narrow(b, to.over(x), cuts)
            }
        }
    }

    fn narrow_cell(&mut self, id: CellId, to: Span, cuts: &mut Cuts) -> bool {
        let cell = &self.cells.cells[id];
        if is_small(cell) {
            let kept = options_in(cell, &to);
            return kept.count_ones() == cell.left || cuts.keep(id, Keep::Options(kept));
        }
        let now = span(cell);
        let kept = now.meet(to);
        kept == now || cuts.keep(id, Keep::Span(kept))
    }

    /// Options go that choose something outside; where one is left, what it chooses is narrowed.
    fn narrow_choice(&mut self, index: CellId, parts: &[Part], to: Span, cuts: &mut Cuts) -> bool {
        let options = self.options(index);
        let mut able = 0;
        for i in Ones(options) {
            if parts.get(i).is_some_and(|part| !self.part(*part).meet(to).is_empty()) {
                able |= 1 << i;
            }
        }
        if able != options && !cuts.keep(index, Keep::Options(able)) {
            return false;
        }
        match (able.count_ones(), parts.get(able.trailing_zeros() as usize)) {
            (1, Some(Part::Cell(id))) => self.narrow_cell(*id, to, cuts),
            _ => true,
        }
    }

    /// Whether a form holds; if that is open, cuts what contradicts it.
    pub(super) fn judge(&mut self, form: &Form, cuts: &mut Cuts) -> Verdict {
        match form {
            Form::Known(true) => Verdict::Always,
            Form::Known(false) => Verdict::Never,
            Form::Compare(rel, a, b) => self.compare(*rel, a, b, cuts),
            Form::In { cell, options } => {
                let now = self.options(*cell);
                match now & options {
                    0 => Verdict::Never,
                    kept if kept == now => Verdict::Always,
                    kept => open(cuts.keep(*cell, Keep::Options(kept))),
                }
            }
            Form::Same { cells, equal } => self.same(*cells, *equal, cuts),
            Form::All(forms) => {
                let mut all = Verdict::Always;
                for form in forms {
                    match self.judge(form, cuts) {
                        Verdict::Never => return Verdict::Never,
                        Verdict::Always => {}
                        Verdict::Open => all = Verdict::Open,
                    }
                }
                all
            }
            Form::Any(forms) => self.any(forms, cuts),
            Form::Cases { cell, cases } => self.cases(*cell, cases, cuts),
        }
    }

    fn compare(&mut self, rel: Rel, a: &Term, b: &Term, cuts: &mut Cuts) -> Verdict {
        let (x, y) = (self.span(a), self.span(b));
        if x.is_empty() || y.is_empty() {
            return Verdict::Never;
        }
        match rel {
            Rel::Eq => {
                let both = x.meet(y);
                if both.is_empty() {
                    return Verdict::Never;
                }
                if x.single().is_some() && x == y {
                    return Verdict::Always;
                }
                open(self.narrow(a, both, cuts) && self.narrow(b, both, cuts))
            }
            Rel::Neq if x.meet(y).is_empty() => Verdict::Always,
            Rel::Neq => match (x.single(), y.single()) {
                (Some(_), Some(_)) => Verdict::Never,
                (Some(n), None) => open(self.exclude(b, n, cuts)),
                (None, Some(n)) => open(self.exclude(a, n, cuts)),
                (None, None) => Verdict::Open,
            },
            Rel::Le | Rel::Lt => {
                let gap = i64::from(rel == Rel::Lt);
                if x.hi + gap <= y.lo {
                    return Verdict::Always;
                }
                if x.lo + gap > y.hi {
                    return Verdict::Never;
                }
                let (below, above) = (Span::between(x.lo, y.hi - gap), Span::between(x.lo + gap, y.hi));
                open(self.narrow(a, below, cuts) && self.narrow(b, above, cuts))
            }
        }
    }

    /// Cuts what makes a cell a number that it must not be.
    fn exclude(&mut self, term: &Term, n: i64, cuts: &mut Cuts) -> bool {
        let Term::Cell(id) = term else { return true };
        let cell = &self.cells.cells[*id];
        if !is_small(cell) {
            return true;
        }
        let bad = options_in(cell, &Span::one(n));
        let now = cell.alive.first().copied().unwrap_or(0);
        bad == 0 || cuts.keep(*id, Keep::Options(now & !bad))
    }

    fn same(&mut self, cells: [CellId; 2], equal: bool, cuts: &mut Cuts) -> Verdict {
        let [x, y] = cells.map(|id| self.options(id));
        let both = x & y;
        let one = x.is_power_of_two() && x == y;
        let keep = |cuts: &mut Cuts, kept: [u64; 2]| {
            open(cells.into_iter().zip(kept).all(|(id, kept)| cuts.keep(id, Keep::Options(kept))))
        };
        match (equal, both) {
            (true, 0) => Verdict::Never,
            (true, _) if one => Verdict::Always,
            (true, _) => keep(cuts, [both, both]),
            (false, 0) => Verdict::Always,
            (false, _) if one => Verdict::Never,
            (false, _) if x.is_power_of_two() => keep(cuts, [x, y & !x]),
            (false, _) if y.is_power_of_two() => keep(cuts, [x & !y, y]),
            (false, _) => Verdict::Open,
        }
    }

    fn any(&mut self, forms: &[Form], cuts: &mut Cuts) -> Verdict {
        let mut ways = Ways::default();
        let mut always = false;
        for form in forms {
            let mut way = Cuts::default();
            // All are looked at, so that what they depend on is noted.
            match self.judge(form, &mut way) {
                Verdict::Always => always = true,
                Verdict::Open => ways.add(way),
                Verdict::Never => {}
            }
        }
        match ways.shared {
            _ if always => Verdict::Always,
            None => Verdict::Never,
            Some(shared) => open(cuts.add(&shared)),
        }
    }

    fn cases(&mut self, cell: CellId, cases: &[(u64, Form)], cuts: &mut Cuts) -> Verdict {
        let options = self.options(cell);
        let mut left = options;
        let mut all = Verdict::Always;
        let mut found: SmallVec<[(u64, Cuts); 4]> = SmallVec::new();
        for (under, form) in cases {
            if options & under == 0 {
                continue;
            }
            let mut case = Cuts::default();
            match self.judge(form, &mut case) {
                Verdict::Always => continue,
                Verdict::Open => found.push((*under, case)),
                Verdict::Never => left &= !under,
            }
            all = Verdict::Open;
        }
        if all == Verdict::Always {
            return all;
        }
        let mut ways = Ways::default();
        for i in Ones(left) {
            if ways.is_idle() {
                break;
            }
            let mut way = Cuts::default();
            let mut under = found.iter().filter(|(under, _)| under >> i & 1 == 1);
            if under.all(|(_, case)| way.add(case)) {
                ways.add(way);
            } else {
                left &= !(1 << i);
            }
        }
        if left == 0 {
            return Verdict::Never;
        }
        let fine = left == options || cuts.keep(cell, Keep::Options(left));
        open(fine && ways.shared.is_none_or(|shared| cuts.add(&shared)))
    }
}

/// What all ways to be true agree in.
#[derive(Default)]
struct Ways {
    shared: Option<Cuts>,
    count: usize,
}

impl Ways {
    fn add(&mut self, way: Cuts) {
        self.count += 1;
        match &mut self.shared {
            Some(shared) if self.count > WAYS => shared.0.clear(),
            Some(shared) => shared.weaken(&way),
            None => self.shared = Some(way),
        }
    }

    /// Whether nothing goes in any case, whatever other ways there are.
    fn is_idle(&self) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.0.is_empty())
    }
}

/// What a look says after cuts: if these leave nothing, the form cannot hold.
fn open(fine: bool) -> Verdict {
    if fine { Verdict::Open } else { Verdict::Never }
}

#[cfg(test)]
mod tests;
