//! Random conjunctions: few unknowns, templates said of several of their points, connectives, quantifiers, operators.
//!
//! In: random numbers. Out: a [`Problem`]. The same template stands at several points and for several unknowns on purpose:
//! mechanisms that share what they find between formulas of one form are met only by formulas of one form. Integers stay
//! small, quantified ones have a range first, so that trying all values is possible.

use super::kinds::Kind;
use super::random::Random;
use super::tree::{T, Tree};

/// An unknown with what is said first of it.
#[derive(Clone, Debug)]
pub(crate) struct Unknown {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) typing: Vec<String>,
}

/// Unknowns and what must hold.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) unknowns: Vec<Unknown>,
    pub(crate) conjuncts: Vec<Tree>,
}

impl Problem {
    /// All conjuncts as text, those that type the unknowns first.
    pub(crate) fn texts(&self) -> Vec<String> {
        let typing = self.unknowns.iter().flat_map(|u| u.typing.iter().cloned());
        typing.chain(self.conjuncts.iter().map(Tree::show)).collect()
    }

    /// As one predicate.
    pub(crate) fn text(&self) -> String {
        self.texts().join(" & ")
    }

    /// The names of the unknowns.
    pub(crate) fn names(&self) -> String {
        self.unknowns.iter().map(|u| u.name.as_str()).collect::<Vec<_>>().join(",")
    }

    pub(crate) fn size(&self) -> usize {
        self.unknowns.len() + self.conjuncts.iter().map(Tree::size).sum::<usize>()
    }

    /// Problems that are one step smaller.
    pub(crate) fn smaller(&self) -> Vec<Problem> {
        let mut out = Vec::new();
        for i in 0..self.unknowns.len() {
            let name = &self.unknowns[i].name;
            if self.unknowns.len() > 1 && !self.conjuncts.iter().any(|c| c.mentions(name)) {
                let mut p = self.clone();
                p.unknowns.remove(i);
                out.push(p);
            }
        }
        for i in 0..self.conjuncts.len() {
            let mut p = self.clone();
            p.conjuncts.remove(i);
            out.push(p);
        }
        for (i, c) in self.conjuncts.iter().enumerate() {
            for tree in c.smaller() {
                let mut p = self.clone();
                p.conjuncts[i] = tree;
                out.push(p);
            }
        }
        out
    }
}

/// Makes formulas over some points.
pub(crate) struct Writer<'r> {
    pub(crate) r: &'r mut Random,
    /// Values that have a name: points of unknowns, variables of quantifiers around.
    pub(crate) scope: Vec<Tree>,
    fresh: usize,
}

/// A problem whose unknowns have at most so many values together, as `count` says for each kind.
pub(crate) fn problem(r: &mut Random, most: usize, count: &mut dyn FnMut(&Kind) -> Option<usize>) -> Problem {
    let names = ["x", "y", "z", "u", "v"];
    let n = 2 + r.below(4);
    let mut unknowns: Vec<Unknown> = Vec::new();
    let mut product = 1;
    let mut tries = 0;
    while unknowns.len() < n && tries < 40 {
        tries += 1;
        // The same kind again, now and then.
        let kind = match unknowns.last() {
            Some(u) if r.once_in(3) => u.kind.clone(),
            _ => Kind::random(r),
        };
        let Some(values) = count(&kind) else { continue };
        if product * values > most {
            continue;
        }
        product *= values.max(1);
        let name = names[unknowns.len()].to_owned();
        let typing = kind.typing(&name, r);
        unknowns.push(Unknown { name, kind, typing });
    }
    let mut scope = Vec::new();
    for u in &unknowns {
        u.kind.points(&Tree::leaf(u.kind.ty(), u.name.as_str()), r, &mut scope);
    }
    let mut w = Writer { r, scope, fresh: 0 };
    let mut conjuncts = Vec::new();
    for _ in 0..=w.r.below(2) {
        w.group(&mut conjuncts);
    }
    for _ in 0..w.r.below(2) {
        let depth = w.r.below(3);
        conjuncts.push(w.pred(depth));
    }
    if w.r.once_in(4) {
        let mut left = std::mem::take(&mut conjuncts);
        while !left.is_empty() {
            let i = w.r.below(left.len());
            conjuncts.push(left.swap_remove(i));
        }
    }
    Problem { unknowns, conjuncts }
}

impl Writer<'_> {
    pub(crate) fn name(&mut self) -> String {
        self.fresh += 1;
        format!("q{}", self.fresh)
    }

    /// One template at several points.
    fn group(&mut self, out: &mut Vec<Tree>) {
        let Some(ty) = self.some_type() else { return };
        let two = self.r.once_in(2);
        let holes = [Tree::leaf(ty.clone(), "h0"), Tree::leaf(ty.clone(), "h1")];
        let used = if two { 2 } else { 1 };
        let before = self.scope.len();
        // What the template says, it says mostly of its holes.
        for hole in &holes[..used] {
            for _ in 0..3 {
                self.scope.push(hole.clone());
            }
        }
        let depth = self.r.below(3);
        let template = if self.r.once_in(3) { self.plain(&holes[..used]) } else { self.pred(depth) };
        self.scope.truncate(before);
        let points: Vec<Tree> = self.scope.iter().filter(|p| p.ty == ty).cloned().collect();
        if points.is_empty() {
            return;
        }
        let mut made = Vec::new();
        let n = 2 + self.r.below(2);
        if two && points.len() <= 4 && self.r.once_in(2) {
            // All pairs.
            for (i, a) in points.iter().enumerate() {
                for b in &points[..i] {
                    made.push(template.with(&[("h0", a), ("h1", b)]));
                }
            }
        } else {
            for i in 0..n {
                let a = if points.len() >= n { &points[i] } else { self.r.pick(&points) }.clone();
                let b = self.r.pick(&points).clone();
                made.push(template.with(&[("h0", &a), ("h1", &b)]));
            }
        }
        match self.r.below(6) {
            0 => out.push(joined(made, " or ")),
            1 => out.push(joined(made, " & ")),
            _ => out.extend(made),
        }
    }

    /// Something short of all holes: the commonest templates by far.
    fn plain(&mut self, holes: &[Tree]) -> Tree {
        let a = holes[0].clone();
        let b = match holes.get(1) {
            Some(b) => b.clone(),
            None => return self.about(a),
        };
        match (&a.ty, self.r.below(3)) {
            (T::Int, 0) => Tree::pred("@ < @", vec![a, b]),
            (T::Set(_), 0) => Tree::pred("@ <: @", vec![a, b]),
            (T::Set(_), 1) => {
                let meet = Tree::new(a.ty.clone(), "(@ /\\ @)", vec![a, b]);
                Tree::pred("@ = {}", vec![meet])
            }
            (_, 2) => Tree::pred("@ = @", vec![a, b]),
            _ => Tree::pred("@ /= @", vec![a, b]),
        }
    }

    /// A membership or comparison of one value.
    fn about(&mut self, a: Tree) -> Tree {
        let d = self.r.below(2);
        match (a.ty.clone(), self.r.below(4)) {
            (T::Set(t), 0) => {
                let x = self.term(&t, d);
                Tree::pred("@ : @", vec![x, a])
            }
            (T::Set(_), _) => {
                let b = self.term(&a.ty, d);
                let text = *self.r.pick(&["@ <: @", "@ <<: @", "@ /<: @", "@ = @"]);
                Tree::pred(text, vec![a, b])
            }
            (t, 0..=2) => {
                let s = self.term(&T::set(t), d);
                Tree::pred(*self.r.pick(&["@ : @", "@ : @", "@ /: @"]), vec![a, s])
            }
            (t, _) => {
                let b = self.term(&t, d);
                Tree::pred("@ /= @", vec![a, b])
            }
        }
    }

    fn some_type(&mut self) -> Option<T> {
        if self.scope.is_empty() {
            return None;
        }
        // A type with several points, if there is one.
        let mut best = self.r.pick(&self.scope).ty.clone();
        for _ in 0..3 {
            let other = self.r.pick(&self.scope).ty.clone();
            let count = |t: &T| self.scope.iter().filter(|p| p.ty == *t).count();
            if count(&other) > count(&best) {
                best = other;
            }
        }
        Some(best)
    }

    pub(crate) fn pred(&mut self, depth: usize) -> Tree {
        if depth == 0 || self.r.once_in(3) {
            return self.atom(depth);
        }
        let d = depth - 1;
        match self.r.below(11) {
            0 => Tree::pred("(@ & @)", vec![self.pred(d), self.pred(d)]),
            1 | 2 => Tree::pred("(@ or @)", vec![self.pred(d), self.pred(d)]),
            3 => Tree::pred("not(@)", vec![self.pred(d)]),
            4 | 5 => Tree::pred("(@ => @)", vec![self.pred(d), self.pred(d)]),
            6 => Tree::pred("(@ <=> @)", vec![self.pred(d), self.pred(d)]),
            7 | 8 => self.quantified(d),
            9 => self.over_points(d),
            _ => {
                let (p, q, c) = (self.pred(d), self.pred(d), self.pred(0));
                Tree::pred("(IF @ THEN @ ELSE @ END)", vec![c, p, q])
            }
        }
    }

    /// A variable in a set, in scope for what `f` makes.
    fn bound<X>(&mut self, depth: usize, f: impl FnOnce(&mut Self, &str, Tree) -> X) -> X {
        let ty = self.some_type().filter(is_small).unwrap_or(T::Elem("ID"));
        let ty = if self.r.once_in(3) { T::Int } else { ty };
        let x = self.name();
        let set = if ty == T::Int {
            Tree::leaf(T::set(T::Int), *self.r.pick(&["(0..1)", "(0..2)", "(1..3)", "{0,2}"]))
        } else {
            self.term(&T::set(ty.clone()), depth.min(1))
        };
        self.scope.push(Tree::leaf(ty, x.as_str()));
        self.scope.push(self.scope[self.scope.len() - 1].clone());
        let before = self.scope.len() - 2;
        let out = f(self, &x, set);
        self.scope.truncate(before);
        out
    }

    fn quantified(&mut self, d: usize) -> Tree {
        let (all, guards) = (self.r.once_in(2), self.r.once_in(2));
        let two = self.r.once_in(4);
        self.bound(d, |w, x, set| {
            let inner = if two {
                w.bound(d, |w, y, other| {
                    let body = w.pred(d);
                    let text =
                        if all { format!("!{y}.({y} : @ => @)") } else { format!("#{y}.({y} : @ & @)") };
                    Tree::pred(text, vec![other, body]).binding(y)
                })
            } else {
                w.pred(d)
            };
            let mut parts = vec![set];
            let mut text = format!("{}{x}.({x} : @", if all { '!' } else { '#' });
            if guards {
                text.push_str(" & @");
                parts.push(w.atom(d));
            }
            text.push_str(if all { " => @)" } else { " & @)" });
            parts.push(inner);
            Tree::pred(text, parts).binding(x)
        })
    }

    /// A template said of all points of a function, or of all pairs of them, by a quantifier.
    fn over_points(&mut self, d: usize) -> Tree {
        let funs: Vec<Tree> = self.scope.iter().filter(|p| p.ty.sides().is_some()).cloned().collect();
        if funs.is_empty() {
            return self.quantified(d);
        }
        let f = self.r.pick(&funs).clone();
        let Some((from, to)) = f.ty.sides().map(|(a, b)| (a.clone(), b.clone())) else {
            return self.atom(d);
        };
        let (i, j) = (self.name(), self.name());
        let dom = Tree::new(T::set(from.clone()), "dom(@)", vec![f.clone()]);
        let at = |x: &str| {
            let x = Tree::leaf(from.clone(), x);
            Tree::new(to.clone(), "@(@)", vec![f.clone(), x])
        };
        let one = self.r.once_in(2);
        let before = self.scope.len();
        self.scope.extend([at(&i), at(&i), Tree::leaf(from.clone(), i.as_str())]);
        if !one {
            self.scope.extend([at(&j), at(&j), Tree::leaf(from.clone(), j.as_str())]);
        }
        let holes = [at(&i), at(&j)];
        let body = if self.r.once_in(2) { self.plain(&holes[..2 - usize::from(one)]) } else { self.pred(d) };
        self.scope.truncate(before);
        if one {
            let q = *self.r.pick(&["!@.(@ : @ => @)", "#@.(@ : @ & @)"]);
            let text = q.replacen('@', &i, 2);
            return Tree::pred(text, vec![dom, body]).binding(i.as_str());
        }
        let distinct = self.r.once_in(2);
        let guard = if distinct { format!(" & {i} /= {j}") } else { String::new() };
        let text = format!("!({i},{j}).({i} : @ & {j} : @{guard} => @)");
        Tree::pred(text, vec![dom.clone(), dom, body]).binding(i.as_str())
    }

    fn atom(&mut self, d: usize) -> Tree {
        let ty = self.some_type().unwrap_or(T::Int);
        let d = d.min(2);
        match self.r.below(8) {
            0 => {
                let (a, b) = (self.term(&T::Int, d), self.term(&T::Int, d));
                Tree::pred(*self.r.pick(&["@ < @", "@ <= @", "@ = @", "@ /= @"]), vec![a, b])
            }
            1 => {
                let s = self.term(&T::set(ty), d);
                let n = self.r.below(4).to_string();
                Tree::pred(format!("card(@) {} {n}", self.r.pick(&["=", "<", ">=", "/="])), vec![s])
            }
            2 | 3 => {
                let (a, b) = (self.term(&ty, d), self.term(&ty, 0));
                Tree::pred(*self.r.pick(&["@ = @", "@ /= @"]), vec![a, b])
            }
            4 if matches!(ty, T::Set(_)) => {
                let (a, b) = (self.term(&ty, d), self.term(&ty, d));
                Tree::pred(*self.r.pick(&["@ <: @", "@ <<: @", "@ /<: @", "@ = @"]), vec![a, b])
            }
            5 if ty.sides().is_some() => self.in_space(&ty, d),
            _ => {
                let a = self.term(&ty, d.min(1));
                let s = self.term(&T::set(ty), d);
                Tree::pred(*self.r.pick(&["@ : @", "@ : @", "@ /: @"]), vec![a, s])
            }
        }
    }

    fn in_space(&mut self, ty: &T, d: usize) -> Tree {
        let Some((a, b)) = ty.sides().map(|(a, b)| (a.clone(), b.clone())) else { return self.atom(0) };
        let f = self.term(ty, d.min(1));
        let (s, t) = (self.term(&T::set(a), d.min(1)), self.term(&T::set(b), d.min(1)));
        let arrow = self.r.pick(&["-->", "+->", ">->", ">+>", "-->>", "+->>", ">->>", "<->"]);
        Tree::pred(format!("@ : @ {arrow} @"), vec![f, s, t])
    }
}

/// Whether all values of a type may be tried inside a formula.
pub(crate) fn is_small(ty: &T) -> bool {
    match ty {
        T::Elem(_) => true,
        T::Set(t) => matches!(**t, T::Elem(_)),
        T::Pair(a, b) => matches!((&**a, &**b), (T::Elem(_), T::Elem(_))),
        T::Pred | T::Int | T::Rec(..) => false,
    }
}

fn joined(trees: Vec<Tree>, by: &str) -> Tree {
    let places = vec!["@"; trees.len()].join(by);
    Tree::pred(format!("({places})"), trees)
}
