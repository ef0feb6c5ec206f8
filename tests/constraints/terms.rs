//! Random expressions of a type.
//!
//! In: a type, a depth. Out: a tree over what is in scope. Applications outside a domain are possible, but rare.

use super::kinds::{FAR, Kind};
use super::tree::{T, Tree};
use super::write::{Writer, is_small};

impl Writer<'_> {
    pub(crate) fn term(&mut self, ty: &T, depth: usize) -> Tree {
        let named: Vec<Tree> = self.scope.iter().filter(|p| p.ty == *ty).cloned().collect();
        if !named.is_empty() && (depth == 0 || self.r.below(5) < 2) {
            return self.r.pick(&named).clone();
        }
        if depth > 0 && self.r.once_in(8) {
            let (c, a, b) = (self.pred(0), self.term(ty, depth - 1), self.term(ty, 0));
            return Tree::new(ty.clone(), "(IF @ THEN @ ELSE @ END)", vec![c, a, b]);
        }
        if depth > 0
            && self.r.once_in(6)
            && let Some(tree) = self.applied(ty)
        {
            return tree;
        }
        match ty {
            T::Int => self.integer(depth),
            T::Set(t) => self.set(t, depth),
            T::Pair(a, b) => Tree::new(ty.clone(), "(@ |-> @)", vec![self.term(a, 0), self.term(b, 0)]),
            T::Rec(a, b) => Tree::new(ty.clone(), "rec(a:@, b:@)", vec![self.term(a, 0), self.term(b, 0)]),
            T::Elem("BOOL") if depth > 0 && self.r.once_in(2) => {
                Tree::new(ty.clone(), "bool(@)", vec![self.pred(depth - 1)])
            }
            T::Elem(set) => match Kind::literals(ty) {
                // No element of a deferred set has a name: one that is chosen does not, either.
                [] => named.first().cloned().unwrap_or_else(|| Tree::leaf(ty.clone(), format!("any_{set}"))),
                names => Tree::leaf(ty.clone(), *self.r.pick(names)),
            },
            T::Pred => self.pred(depth),
        }
    }

    /// `f(x)` for a function in scope.
    fn applied(&mut self, ty: &T) -> Option<Tree> {
        let fits = |p: &&Tree| p.ty.sides().is_some_and(|(_, b)| b == ty);
        let funs: Vec<Tree> = self.scope.iter().filter(fits).cloned().collect();
        if funs.is_empty() {
            return None;
        }
        let f = self.r.pick(&funs).clone();
        let from = f.ty.sides()?.0.clone();
        let named: Vec<Tree> = self.scope.iter().filter(|p| p.ty == from).cloned().collect();
        let x = if named.is_empty() { return None } else { self.r.pick(&named).clone() };
        Some(Tree::new(ty.clone(), "@(@)", vec![f, x]))
    }

    fn integer(&mut self, depth: usize) -> Tree {
        let literal = |w: &mut Self| {
            let few: &[&str] = if w.r.once_in(12) { &FAR } else { &["0", "1", "2", "3"] };
            Tree::leaf(T::Int, *w.r.pick(few))
        };
        if depth == 0 {
            return literal(self);
        }
        let d = depth - 1;
        match self.r.below(11) {
            0 | 1 => Tree::new(T::Int, "(@ + @)", vec![self.term(&T::Int, d), self.term(&T::Int, d)]),
            2 => Tree::new(T::Int, "(@ - @)", vec![self.term(&T::Int, d), self.term(&T::Int, d)]),
            3 => Tree::new(T::Int, "(@ * @)", vec![self.term(&T::Int, 0), self.term(&T::Int, d)]),
            4 | 5 => {
                let ty = self.inner_type();
                Tree::new(T::Int, "card(@)", vec![self.term(&T::set(ty), d)])
            }
            6 => {
                let (x, set) = (self.name(), "0..2");
                self.scope.push(Tree::leaf(T::Int, x.as_str()));
                let body = self.term(&T::Int, d);
                self.scope.pop();
                Tree::new(T::Int, format!("SIGMA({x}).({x} : {set} | @)"), vec![body]).binding(x)
            }
            7 | 8 => {
                let (text, a, b) =
                    (*self.r.pick(&["(@ / @)", "(@ mod @)"]), self.term(&T::Int, d), self.divisor());
                Tree::new(T::Int, text, vec![a, b])
            }
            9 => {
                let (text, set) = (*self.r.pick(&["min(@)", "max(@)"]), self.some_integers());
                Tree::new(T::Int, text, vec![set])
            }
            _ => literal(self),
        }
    }

    /// Mostly a number other than zero: a formula without a value at some point is not compared.
    fn divisor(&mut self) -> Tree {
        match self.r.below(6) {
            0 => self.term(&T::Int, 0),
            1 => Tree::new(T::Int, "(@ + 1)", vec![self.term(&T::Int, 0)]),
            _ => Tree::leaf(T::Int, *self.r.pick(&["1", "2", "2", "3"])),
        }
    }

    /// A set of integers that has members.
    fn some_integers(&mut self) -> Tree {
        Tree::new(T::set(T::Int), "{@, @}", vec![self.term(&T::Int, 0), self.term(&T::Int, 0)])
    }

    fn inner_type(&mut self) -> T {
        let ty = self.r.pick(&self.scope).ty.clone();
        if is_small(&ty) { ty } else { T::Elem("ID") }
    }

    fn set(&mut self, of: &T, depth: usize) -> Tree {
        let ty = T::set(of.clone());
        if depth == 0 || self.r.once_in(5) {
            return self.listed(of);
        }
        let d = depth - 1;
        if let T::Pair(a, b) = of
            && self.r.once_in(2)
        {
            return self.relation(a, b, d);
        }
        match self.r.below(12) {
            0..=2 => {
                let text = *self.r.pick(&["(@ \\/ @)", "(@ /\\ @)", "(@ - @)"]);
                Tree::new(ty.clone(), text, vec![self.term(&ty, d), self.term(&ty, d)])
            }
            3 | 4 => self.listed(of),
            5 | 6 => self.side(of, d),
            7 | 8 => self.image(of, d),
            9 if is_small(of) => {
                let x = self.name();
                let base = self.term(&ty, 0);
                self.scope.push(Tree::leaf(of.clone(), x.as_str()));
                let p = self.pred(d);
                self.scope.pop();
                Tree::new(ty, format!("{{{x} | {x} : @ & @}}"), vec![base, p]).binding(x)
            }
            10 => {
                let x = self.name();
                self.scope.push(Tree::leaf(T::Int, x.as_str()));
                let e = self.term(&ty, d);
                self.scope.pop();
                Tree::new(ty, format!("UNION({x}).({x} : 0..2 | @)"), vec![e]).binding(x)
            }
            _ => self.listed(of),
        }
    }

    /// A set without operators.
    fn listed(&mut self, of: &T) -> Tree {
        let ty = T::set(of.clone());
        match (of, self.r.below(8)) {
            (T::Elem(set), 0) => Tree::leaf(ty, *set),
            (T::Int, 0) => Tree::leaf(ty, *self.r.pick(&["(0..1)", "(1..2)", "(0..3)"])),
            (T::Elem("ID"), 1) => Tree::leaf(ty, *self.r.pick(&["{p1,p2}", "{p2,p3}", "{p1,p3}"])),
            (T::Pair(a, b), 2) => {
                let (a, b) = (self.term(&T::set((**a).clone()), 0), self.term(&T::set((**b).clone()), 0));
                Tree::new(ty, "(@ * @)", vec![a, b])
            }
            (_, 3) => Tree::leaf(ty, "{}"),
            (_, 4) => Tree::new(ty, "{@}", vec![self.term(of, 0)]),
            _ => Tree::new(ty, "{@,@}", vec![self.term(of, 0), self.term(of, 0)]),
        }
    }

    /// Domains, ranges, fields of relations in scope.
    fn side(&mut self, of: &T, d: usize) -> Tree {
        let ty = T::set(of.clone());
        let rels: Vec<T> = self.scope.iter().map(|p| p.ty.clone()).filter(|t| t.sides().is_some()).collect();
        for rel in rels {
            if let Some((a, b)) = rel.sides() {
                let dom = *a == *of;
                if (dom || *b == *of) && self.r.once_in(2) {
                    let r = self.term(&rel, d);
                    return Tree::new(ty, if dom { "dom(@)" } else { "ran(@)" }, vec![r]);
                }
            }
        }
        self.listed(of)
    }

    fn image(&mut self, of: &T, d: usize) -> Tree {
        let ty = T::set(of.clone());
        let rels: Vec<T> = self.scope.iter().map(|p| p.ty.clone()).filter(|t| t.sides().is_some()).collect();
        for rel in rels {
            if let Some((a, b)) = rel.sides().map(|(a, b)| (a.clone(), b.clone())) {
                if b == *of {
                    let parts = vec![self.term(&rel, d), self.term(&T::set(a), d)];
                    return Tree::new(ty, "@[@]", parts);
                }
                if a == *of {
                    let parts = vec![self.term(&rel, d), self.term(&T::set(b), d)];
                    return Tree::new(ty, "(@~)[@]", parts);
                }
            }
        }
        self.listed(of)
    }

    fn relation(&mut self, a: &T, b: &T, d: usize) -> Tree {
        let ty = T::rel(a.clone(), b.clone());
        let (s, t) = (T::set(a.clone()), T::set(b.clone()));
        match self.r.below(9) {
            0 => Tree::new(ty.clone(), "(@ <| @)", vec![self.term(&s, d), self.term(&ty, d)]),
            1 => Tree::new(ty.clone(), "(@ <<| @)", vec![self.term(&s, d), self.term(&ty, d)]),
            2 => Tree::new(ty.clone(), "(@ |> @)", vec![self.term(&ty, d), self.term(&t, d)]),
            3 => Tree::new(ty.clone(), "(@ <+ @)", vec![self.term(&ty, d), self.term(&ty, d)]),
            4 => Tree::new(ty, "(@~)", vec![self.term(&T::rel(b.clone(), a.clone()), d)]),
            5 if a == b => Tree::new(ty.clone(), "closure1(@)", vec![self.term(&ty, d)]),
            6 if a == b => Tree::new(ty, "id(@)", vec![self.term(&s, d)]),
            7 if a == b => Tree::new(ty.clone(), "(@ ; @)", vec![self.term(&ty, d), self.term(&ty, d)]),
            _ if is_small(a) => {
                let x = self.name();
                let base = self.term(&s, 0);
                self.scope.push(Tree::leaf(a.clone(), x.as_str()));
                let e = self.term(b, d);
                self.scope.pop();
                Tree::new(ty, format!("%{x}.({x} : @ | @)"), vec![base, e]).binding(x)
            }
            _ => self.term(&ty, d),
        }
    }
}
