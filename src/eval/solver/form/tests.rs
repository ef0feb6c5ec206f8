//! Looks at random forms against all ways to decide their cells.

use super::*;
use std::sync::Arc;

/// Numbers in no order.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    fn number(&mut self, n: usize) -> i64 {
        i64::try_from(self.roll(n)).unwrap()
    }

    fn term(&mut self, depth: usize) -> Term {
        let cell = self.roll(4);
        match self.roll(if depth == 0 { 3 } else { 6 }) {
            0 => Term::Known(self.number(9) - 3),
            1 => Term::Cell(cell),
            2 => {
                let mut part = || match self.roll(2) {
                    0 => Part::Number(self.number(7)),
                    _ => Part::Cell(self.roll(4)),
                };
                Term::At { index: cell % 2, parts: (0..4).map(|_| part()).collect() }
            }
            3 => Term::Sum(Box::new([self.term(depth - 1), self.term(depth - 1)])),
            4 => Term::Difference(Box::new([self.term(depth - 1), self.term(depth - 1)])),
            _ => Term::Product(Box::new([self.term(depth - 1), self.term(depth - 1)])),
        }
    }

    fn form(&mut self, depth: usize) -> Form {
        match self.roll(if depth == 0 { 4 } else { 7 }) {
            0 => Form::In { cell: self.roll(3), options: self.roll(16) as u64 },
            1 => Form::Same { cells: [0, 1], equal: self.roll(2) == 0 },
            2 | 3 => {
                let rel = [Rel::Eq, Rel::Neq, Rel::Le, Rel::Lt][self.roll(4)];
                Form::Compare(rel, self.term(2), self.term(2))
            }
            4 => Form::All((0..2).map(|_| self.form(depth - 1)).collect()),
            5 => Form::Any((0..3).map(|_| self.form(depth - 1)).collect()),
            _ => {
                let mut case = || (self.roll(16) as u64, self.form(depth - 1));
                Form::Cases { cell: 0, cases: (0..3).map(|_| case()).collect() }
            }
        }
    }
}

fn value(cells: &Cells, options: &[usize], id: CellId) -> i64 {
    number(&cells.cells[id], options[id])
}

fn term(cells: &Cells, options: &[usize], t: &Term) -> i64 {
    let side = |t: &Term| term(cells, options, t);
    match t {
        Term::Known(n) => *n,
        Term::Cell(id) => value(cells, options, *id),
        Term::At { index, parts } => match parts[options[*index]] {
            Part::Number(n) => n,
            Part::Cell(id) => value(cells, options, id),
        },
        Term::Sum(s) => side(&s[0]) + side(&s[1]),
        Term::Difference(s) => side(&s[0]) - side(&s[1]),
        Term::Product(s) => side(&s[0]) * side(&s[1]),
    }
}

fn holds(cells: &Cells, options: &[usize], form: &Form) -> bool {
    match form {
        Form::Known(b) => *b,
        Form::Compare(rel, a, b) => {
            let (a, b) = (term(cells, options, a), term(cells, options, b));
            match rel {
                Rel::Eq => a == b,
                Rel::Neq => a != b,
                Rel::Le => a <= b,
                Rel::Lt => a < b,
            }
        }
        Form::In { cell, options: some } => some >> options[*cell] & 1 == 1,
        Form::Same { cells: [a, b], equal } => (options[*a] == options[*b]) == *equal,
        Form::All(forms) => forms.iter().all(|f| holds(cells, options, f)),
        Form::Any(forms) => forms.iter().any(|f| holds(cells, options, f)),
        Form::Cases { cell, cases } => {
            cases.iter().all(|(some, f)| some >> options[*cell] & 1 == 0 || holds(cells, options, f))
        }
    }
}

fn long(n: usize) -> i64 {
    i64::try_from(n).unwrap()
}

/// Four cells: two that share a list, one with holes, one with more options than a word has bits.
fn cells(dice: &mut Dice) -> Cells {
    let ints = |list: Vec<i64>| Arc::new(list.into_iter().map(Value::Int).collect::<Vec<Value>>());
    let (few, holes, many) = (ints((0..4).collect()), ints(vec![-4, 0, 9]), ints((-40..40).collect()));
    let mut cells = Cells::default();
    for values in [few.clone(), few, holes, many] {
        let n = values.len();
        let id = cells.add(Cell::new(values, n));
        let (a, b) = (dice.roll(n), dice.roll(n));
        let span = Span::between(long(a.min(b)), long(a.max(b)));
        cells.retain(id, |word| span.window(64 * long(word)));
    }
    cells
}

fn kept(cells: &Cells, options: &[usize], (id, keep): (CellId, Keep)) -> bool {
    match keep {
        Keep::Options(some) => some >> options[id] & 1 == 1,
        Keep::Span(to) => to.contains(value(cells, options, id)),
    }
}

/// What a look says and cuts is right for all ways to decide the cells.
#[test]
fn looks_are_sound() {
    let mut dice = Dice(11);
    let mut counts = [0; 4];
    for _ in 0..1500 {
        let (cells, form) = (cells(&mut dice), dice.form(2));
        let mut cuts = Cuts::default();
        let verdict = Look::new(&cells).judge(&form, &mut cuts);
        let lists: Vec<Vec<usize>> = cells.cells.iter().map(|c| c.options().collect()).collect();
        let [a, b, c, d] = &lists[..] else { panic!("four cells") };
        for (i, j) in a.iter().flat_map(|i| b.iter().map(move |j| (*i, *j))) {
            for (k, l) in c.iter().flat_map(|k| d.iter().map(move |l| (*k, *l))) {
                let options = [i, j, k, l];
                match (verdict, holds(&cells, &options, &form)) {
                    (Verdict::Never, true) | (Verdict::Always, false) => panic!("{verdict:?}"),
                    (Verdict::Open, true) => {
                        assert!(cuts.iter().all(|cut| kept(&cells, &options, cut)), "{cuts:?}");
                    }
                    _ => {}
                }
            }
        }
        counts[verdict as usize] += 1;
        counts[3] += usize::from(cuts.iter().next().is_some());
    }
    assert!(counts.iter().all(|n| *n > 50), "{counts:?}");
}
