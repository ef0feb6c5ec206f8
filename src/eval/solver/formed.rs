//! Tests that are looked at often get a form that is looked at fast (`form`).
//!
//! In: a search that has made many decisions. Out: for tests that comparisons of integers, equalities and memberships make
//! up, each with its terms resolved to cells, once for what these may be before anything is decided. Tests of one
//! instance of a quantifier whose guards are about the same cell become one constraint: what all options of that cell
//! agree in goes at once. Soon is not worth it: most searches make few decisions. What may lack a value stays as it is.

use super::abs::Abs;
use super::cells::{Cell, CellId, Cells, Shape, point};
use super::enforce::opposite;
use super::expand::place;
use super::form::{Cuts, Form, Keep, Look, Met, OPTIONS, Part, Rel, Term, Verdict, base, span};
use super::wake::Waits;
use super::{Constraint, Search};
use crate::eval::Env;
use crate::eval::interval::Interval;
use crate::ir::{Expr, ExprKind, LocalId, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;
use std::collections::BTreeSet;

/// After so many decisions, twice, four times as many and so on, forms are made.
const DECISIONS: usize = 4;

/// Of tests looked at so often in vain.
const OFTEN: usize = 4;

/// So many for each decision.
const SHARE: usize = 2;

/// Most predicates of one form: equivalences in equivalences are said twice.
const ROOM: usize = 128;

/// Numbers of cells and names up to this.
const SMALL: i64 = 1 << 40;

/// Numbers of terms up to this: more than that is left to numbers without a limit.
const LARGE: i64 = 1 << 58;

/// Some tests as one form.
pub(super) struct Formed {
    form: Form,
    /// The constraints that it stands for.
    members: Vec<usize>,
}

impl Formed {
    /// Whether it holds whatever is decided, or does not.
    pub(super) fn holds(&self, cells: &Cells) -> Option<bool> {
        match Look::new(cells).judge(&self.form, &mut Cuts::default()) {
            Verdict::Always => Some(true),
            Verdict::Never => Some(false),
            Verdict::Open => None,
        }
    }
}

/// When forms are made.
#[derive(Default)]
pub(super) struct Forms {
    decisions: usize,
    /// The tests that have been looked into.
    seen: BTreeSet<usize>,
    /// How many predicates the form may still have that is made.
    room: usize,
}

/// A form with the undecided cells that it depends on.
struct Draft {
    formed: Formed,
    met: Vec<CellId>,
}

impl Search<'_> {
    /// Counts a decision; makes forms, now and then.
    pub(super) fn form_tests(&mut self, env: &mut Env) {
        self.forms.decisions += 1;
        if self.forms.decisions < DECISIONS || !self.forms.decisions.is_power_of_two() {
            return;
        }
        let tests = self.worn();
        if tests.is_empty() {
            return;
        }
        self.forms.seen.extend(&tests);
        let drafts = self.at_root(|s| s.drafts(&tests, env)).unwrap_or_default();
        let merged = drafts.iter().any(|d| d.formed.members.len() > 1);
        for draft in drafts {
            self.replace(draft);
        }
        if merged {
            let Self { watchers, resting, constraints, .. } = self;
            for list in watchers.iter_mut().chain(resting) {
                list.retain(|c| !matches!(constraints[*c], Constraint::Part));
            }
        }
    }

    /// The tests that are looked at most, with those of the same instances.
    fn worn(&self) -> BTreeSet<usize> {
        let fresh = |c: usize| {
            matches!(self.constraints.get(c), Some(Constraint::Test { .. }))
                && self.waits[c] != Waits::Whole
                && !matches!(self.waits[c], Waits::Two(_))
                && !self.forms.seen.contains(&c)
                && !self.choices.has(c)
        };
        let mut often: Vec<usize> =
            (0..self.constraints.len()).filter(|c| self.looks[*c] >= OFTEN && fresh(*c)).collect();
        often.sort_by_key(|c| usize::MAX - self.looks[*c]);
        let mut tests = BTreeSet::new();
        for c in often.into_iter().take(SHARE * self.forms.decisions) {
            let sibling = |d: &usize| fresh(*d) && self.locals(*d) == self.locals(c);
            tests.extend((0..c).rev().take_while(sibling));
            tests.extend((c..).take_while(sibling));
        }
        tests
    }

    fn locals(&self, c: usize) -> Option<&[(LocalId, Value)]> {
        match self.constraints.get(c)? {
            Constraint::Test { locals, .. } => Some(locals),
            _ => None,
        }
    }

    /// The forms of some tests.
    fn drafts(&mut self, tests: &BTreeSet<usize>, env: &mut Env) -> Vec<Draft> {
        let mut drafts: Vec<Formed> = Vec::new();
        for c in tests {
            let Some(form) = self.form_of(*c, env) else { continue };
            match (drafts.last_mut(), form) {
                (
                    Some(Formed { form: Form::Cases { cell, cases }, members }),
                    Form::Cases { cell: other, cases: mut more },
                ) if *cell == other
                    && members.first().is_some_and(|m| self.locals(*m) == self.locals(*c)) =>
                {
                    cases.append(&mut more);
                    members.push(*c);
                }
                (_, form) => drafts.push(Formed { form, members: vec![*c] }),
            }
        }
        drafts.into_iter().filter_map(|formed| self.draft(formed)).collect()
    }

    /// A form with its cells; none if nothing is left to be said.
    fn draft(&self, formed: Formed) -> Option<Draft> {
        let mut look = Look::new(&self.cells);
        if look.judge(&formed.form, &mut Cuts::default()) != Verdict::Open {
            return None;
        }
        let mut met = look.met.to_vec();
        met.sort_unstable();
        met.dedup();
        Some(Draft { formed, met })
    }

    /// Has a form stand for its tests.
    fn replace(&mut self, Draft { formed, met }: Draft) {
        let Some(c) = formed.members.first().copied() else { return };
        for m in formed.members.iter().skip(1) {
            self.constraints[*m] = Constraint::Part;
        }
        self.constraints[c] = Constraint::Formed(formed);
        self.patient[c] = false;
        self.waits[c] = Waits::Any;
        // The first of the tests may hold already; all together need not.
        self.settled[c] = false;
        met.iter().for_each(|cell| self.wake_by(*cell, c));
        self.watched[c] = met;
    }

    /// Looks at a form; false if it cannot hold.
    pub(super) fn look_at_form(&mut self, c: usize, env: &mut Env, changed: &mut Vec<CellId>) -> bool {
        let Constraint::Formed(formed) = &self.constraints[c] else { return true };
        let mut cuts = Cuts::default();
        let mut look = Look::new(&self.cells);
        let verdict = look.judge(&formed.form, &mut cuts);
        let met = look.met;
        match verdict {
            Verdict::Never => return false,
            Verdict::Always => {
                self.settle_form(c);
                return true;
            }
            Verdict::Open => {}
        }
        for (cell, kept) in cuts.iter() {
            if keep(&mut self.cells, cell, kept) {
                changed.push(cell);
                if self.cells.cells[cell].left == 0 {
                    return false;
                }
            }
        }
        match only(&met) {
            // What has changed is looked at again.
            Some(cell) if changed.is_empty() => self.sift_form(c, cell, env, changed),
            _ => true,
        }
    }

    fn sift_form(&mut self, c: usize, cell: CellId, env: &mut Env, changed: &mut Vec<CellId>) -> bool {
        let Some(always) = self.sift(c, cell, env, changed) else { return false };
        if always {
            self.settle_form(c);
        }
        true
    }

    fn settle_form(&mut self, c: usize) {
        let Constraint::Formed(formed) = &mut self.constraints[c] else { return };
        let members = std::mem::take(&mut formed.members);
        members.iter().for_each(|m| self.settle(*m));
        if let Constraint::Formed(formed) = &mut self.constraints[c] {
            formed.members = members;
        }
    }

    /// The form of a test, if it has one.
    fn form_of(&mut self, c: usize, env: &mut Env) -> Option<Form> {
        let Constraint::Test { pred, locals } = &self.constraints[c] else { return None };
        place(locals, env);
        let pred = pred.clone();
        if !self.nature(&pred).total || self.lacks_part(&pred, env) {
            return None;
        }
        self.forms.room = ROOM;
        self.form(&pred, true, env)
    }

    /// What a predicate says, or, if not `yes`, its negation.
    fn form(&mut self, p: &Pred, yes: bool, env: &mut Env) -> Option<Form> {
        self.forms.room = self.forms.room.checked_sub(1)?;
        match &p.kind {
            PredKind::True => Some(Form::Known(yes)),
            PredKind::False => Some(Form::Known(!yes)),
            PredKind::Not(q) => self.form(q, !yes, env),
            PredKind::And(ps) | PredKind::Or(ps) => {
                let forms = ps.iter().map(|p| self.form(p, yes, env)).collect::<Option<Vec<Form>>>()?;
                Some(joined(forms, matches!(p.kind, PredKind::And(_)) == yes))
            }
            PredKind::Implies(a, b) if yes => self.implication(a, b, env),
            PredKind::Implies(a, b) => {
                Some(joined(vec![self.form(a, true, env)?, self.form(b, false, env)?], true))
            }
            PredKind::Iff(a, b) => {
                let one = vec![self.form(a, false, env)?, self.form(b, yes, env)?];
                let other = vec![self.form(a, true, env)?, self.form(b, !yes, env)?];
                Some(joined(vec![joined(one, false), joined(other, false)], true))
            }
            PredKind::Op(op, args) => match &args[..] {
                [a, b] => self.atomic(p, (*op, a, b), yes, env),
                _ => None,
            },
            _ => None,
        }
    }

    fn implication(&mut self, a: &Pred, b: &Pred, env: &mut Env) -> Option<Form> {
        let right = self.form(b, true, env)?;
        match self.form(a, true, env)? {
            Form::Known(true) => Some(right),
            Form::In { cell, options } if !matches!(right, Form::Known(_)) => {
                Some(Form::Cases { cell, cases: vec![(options, right)] })
            }
            _ => Some(joined(vec![self.form(a, false, env)?, right], false)),
        }
    }

    fn atomic(&mut self, p: &Pred, (op, a, b): (Op, &Expr, &Expr), yes: bool, env: &mut Env) -> Option<Form> {
        self.touched.borrow_mut().clear();
        if let Some(truth) = self.truth(p, env) {
            return Some(Form::Known(truth == yes));
        }
        if let [cell] = self.met_since(0)[..]
            && let Some(options) = self.options_where(p, cell, yes, env)
        {
            return Some(Form::In { cell, options });
        }
        let op = if yes { op } else { opposite(op)? };
        if a.ty != Ty::Int {
            return self.same(op, a, b, env);
        }
        let (rel, a, b) = match op {
            Op::Eq => (Rel::Eq, a, b),
            Op::Neq => (Rel::Neq, a, b),
            Op::Le => (Rel::Le, a, b),
            Op::Lt => (Rel::Lt, a, b),
            Op::Ge => (Rel::Le, b, a),
            Op::Gt => (Rel::Lt, b, a),
            _ => return None,
        };
        Some(Form::Compare(rel, self.term(a, env)?, self.term(b, env)?))
    }

    /// The options of a cell for which a predicate about no other is true, or, if not `yes`, false.
    fn options_where(&mut self, p: &Pred, cell: CellId, yes: bool, env: &mut Env) -> Option<u64> {
        self.each_option(cell, |s| s.truth(p, env)).map(|truths| {
            truths.iter().fold(0, |all, (i, truth)| if *truth == yes { all | 1 << i } else { all })
        })
    }

    /// What is found for each option of a cell, if these are few and something is for each.
    fn each_option<T>(
        &mut self,
        id: CellId,
        mut find: impl FnMut(&Self) -> Option<T>,
    ) -> Option<Vec<(usize, T)>> {
        if !is_few(&self.cells.cells[id]) {
            return None;
        }
        let options: Vec<usize> = self.cells.cells[id].options().collect();
        let mut all = Vec::with_capacity(options.len());
        for i in options {
            let found = self.on_trial(|cells| cells.keep(id, i), |s| find(s));
            all.push((i, found?));
        }
        Some(all)
    }

    fn same(&self, op: Op, a: &Expr, b: &Expr, env: &mut Env) -> Option<Form> {
        let equal = match op {
            Op::Eq => true,
            Op::Neq => false,
            _ => return None,
        };
        let cells = [self.cell_of(a, env)?, self.cell_of(b, env)?];
        let [x, y] = cells.map(|id| &self.cells.cells[id]);
        let alike = is_few(x) && is_few(y) && !x.values.is_empty() && x.values == y.values;
        (alike && cells[0] != cells[1]).then_some(Form::Same { cells, equal })
    }

    /// An integer, as what cells are.
    fn term(&mut self, e: &Expr, env: &mut Env) -> Option<Term> {
        let term = self.free_term(e, env)?;
        size(&term, &self.cells).is_some().then_some(term)
    }

    fn free_term(&mut self, e: &Expr, env: &mut Env) -> Option<Term> {
        self.touched.borrow_mut().clear();
        if let Abs::Known(v) = self.abs(e, env) {
            return small(&v).map(Term::Known);
        }
        let met = self.met_since(0);
        if let Some(id) = self.cell_of(e, env) {
            return self.is_integer(id).then_some(Term::Cell(id));
        }
        if let [cell] = met[..]
            && let Some(parts) = self.each_option(cell, |s| s.number_of(e, env))
        {
            return Some(choice(cell, parts));
        }
        let ExprKind::Op(op, args) = &e.kind else { return None };
        match (op, &args[..]) {
            (Op::Add, [a, b]) => Some(Term::Sum(self.sides(a, b, env)?)),
            (Op::Sub, [a, b]) => Some(Term::Difference(self.sides(a, b, env)?)),
            (Op::Mul, [a, b]) => Some(Term::Product(self.sides(a, b, env)?)),
            (Op::Neg, [a]) => Some(Term::Difference(Box::new([Term::Known(0), self.term(a, env)?]))),
            (Op::Apply, [f, x]) => {
                self.touched.borrow_mut().clear();
                self.abs(x, env);
                let [index] = self.met_since(0)[..] else { return None };
                let parts = self.each_option(index, |s| s.part_at(f, x, env))?;
                Some(choice(index, parts))
            }
            _ => None,
        }
    }

    fn sides(&mut self, a: &Expr, b: &Expr, env: &mut Env) -> Option<Box<[Term; 2]>> {
        Some(Box::new([self.term(a, env)?, self.term(b, env)?]))
    }

    fn number_of(&self, e: &Expr, env: &mut Env) -> Option<Part> {
        match self.abs(e, env) {
            Abs::Known(v) => small(&v).map(Part::Number),
            _ => None,
        }
    }

    /// The point of a function at an argument that is decided.
    fn part_at(&self, f: &Expr, x: &Expr, env: &mut Env) -> Option<Part> {
        let Abs::Known(x) = self.abs(x, env) else { return None };
        match self.abs(f, env) {
            Abs::Part(Shape::Fun { keys, parts }) => {
                let id = point(keys, parts, &x)?;
                let only = self.cells.cells[id].single();
                match only.and_then(|i| self.cells.cells[id].values.get(i)) {
                    Some(v) => small(v).map(Part::Number),
                    None => self.is_integer(id).then_some(Part::Cell(id)),
                }
            }
            Abs::Known(Value::Set(f)) => match f.row(&x) {
                [Value::Pair(p)] => small(&p.1).map(Part::Number),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a cell is an integer of a list, whatever is decided.
    fn is_integer(&self, id: CellId) -> bool {
        let cell = &self.cells.cells[id];
        let ends = cell.values.first().zip(cell.values.last());
        cell.wide.is_none()
            && !cell.has(cell.values.len())
            && ends.is_some_and(|(a, b)| small(a).is_some() && small(b).is_some())
    }
}

/// Keeps some of a cell; whether that changes it.
fn keep(cells: &mut Cells, id: CellId, kept: Keep) -> bool {
    match kept {
        Keep::Options(options) => cells.retain(id, |word| if word == 0 { options } else { 0 }),
        Keep::Span(to) => match base(&cells.cells[id]) {
            Some(base) => cells.retain(id, |word| to.window(base + 64 * i64::try_from(word).unwrap_or(0))),
            None => cells.confine(id, Interval::new(Some(to.lo.into()), Some(to.hi.into()))),
        },
    }
}

/// The only cell that was met.
fn only(met: &Met) -> Option<CellId> {
    let first = *met.first()?;
    met.iter().all(|c| *c == first).then_some(first)
}

fn is_few(cell: &Cell) -> bool {
    let n = cell.values.len();
    // Cells of sets list no values; elsewhere the option after the last is none.
    cell.wide.is_none() && n <= OPTIONS && (n == 0 || !cell.has(n))
}

/// What the options of a cell choose.
fn choice(index: CellId, found: Vec<(usize, Part)>) -> Term {
    let mut parts = vec![Part::Number(0); found.last().map_or(0, |(i, _)| i + 1)];
    for (i, part) in found {
        parts[i] = part;
    }
    Term::At { index, parts: parts.into() }
}

fn small(v: &Value) -> Option<i64> {
    match v {
        Value::Int(n) if (-SMALL..=SMALL).contains(n) => Some(*n),
        _ => None,
    }
}

/// The greatest number that a term may be, or its negation; none if that is too large.
fn size(term: &Term, cells: &Cells) -> Option<i64> {
    let of_cell = |id: CellId| {
        let range = span(&cells.cells[id]);
        range.lo.abs().max(range.hi.abs())
    };
    let n = match term {
        Term::Known(n) => n.abs(),
        Term::Cell(id) => of_cell(*id),
        Term::At { parts, .. } => {
            let one = |part: &Part| match part {
                Part::Number(n) => n.abs(),
                Part::Cell(id) => of_cell(*id),
            };
            parts.iter().map(one).max()?
        }
        Term::Sum(sides) | Term::Difference(sides) => {
            size(&sides[0], cells)?.checked_add(size(&sides[1], cells)?)?
        }
        Term::Product(sides) => size(&sides[0], cells)?.checked_mul(size(&sides[1], cells)?)?,
    };
    (n <= LARGE).then_some(n)
}

/// All of some forms, or any.
fn joined(forms: Vec<Form>, all: bool) -> Form {
    if forms.iter().any(|f| matches!(f, Form::Known(b) if *b != all)) {
        return Form::Known(!all);
    }
    let mut open: Vec<Form> = forms.into_iter().filter(|f| !matches!(f, Form::Known(_))).collect();
    match open.len() {
        0 => Form::Known(all),
        1 => open.swap_remove(0),
        _ if all => Form::All(open),
        _ => Form::Any(open),
    }
}
