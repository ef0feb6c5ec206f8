//! Random machines over two deferred sets and an enumerated one, as B text.
//!
//! Every expression is typed and well-defined by construction (no application, no division), so that all
//! that can differ between two runs is the search itself. A machine is a function of its seed.

use crate::random::Random;
use std::fmt::Write as _;

/// These machines' own numbers.
const SALT: u64 = 0x1234_5678_9abc_def0;

impl Random {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self::salted(seed, SALT)
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Types of generated expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
enum T {
    /// One of the sets `P`, `Q` (deferred), `E` (enumerated), `BOOL`.
    Set(&'static str),
    Pair(Box<T>, Box<T>),
    Pow(Box<T>),
}

impl T {
    fn rel(a: T, b: T) -> T {
        T::Pow(Box::new(T::Pair(Box::new(a), Box::new(b))))
    }

    /// The set of all values, in B.
    fn all(&self) -> String {
        match self {
            T::Set(s) => (*s).to_owned(),
            T::Pair(a, b) => format!("({} * {})", a.all(), b.all()),
            T::Pow(t) => format!("POW({})", t.all()),
        }
    }
}

const P: T = T::Set("P");
const Q: T = T::Set("Q");
const E: T = T::Set("E");
const B: T = T::Set("BOOL");

/// Names in scope with their types.
type Scope = Vec<(String, T)>;

struct Writer {
    random: Random,
    fresh: usize,
    /// By operation the types of its parameters.
    signatures: Vec<Vec<T>>,
}

/// The text of the machine with a seed. Cardinalities are up to the caller.
pub(crate) fn machine(seed: u64) -> String {
    with_formulas(seed, 0).0
}

/// The machine with so many temporal formulas of linear time.
pub(crate) fn with_formulas(seed: u64, formulas: usize) -> (String, Vec<String>) {
    let mut w = Writer { random: Random::new(seed), fresh: 0, signatures: Vec::new() };
    let kinds = [
        P,
        Q,
        E,
        T::Pow(Box::new(P)),
        T::Pow(Box::new(P)),
        T::Pow(Box::new(Q)),
        T::rel(P, E),
        T::rel(P, B),
        T::rel(P, Q),
        T::rel(P, P),
        T::Pow(Box::new(T::Pow(Box::new(P)))),
        T::rel(E, T::Pow(Box::new(P))),
        T::rel(E, P),
        T::Pair(Box::new(P), Box::new(P)),
    ];
    let count = 1 + w.random.below(3);
    let vars: Scope = (0..count).map(|i| (format!("v{i}"), w.random.pick(&kinds).clone())).collect();
    let constants = w.constants(&kinds);
    let mut scope = vars.clone();
    let mut text = String::from("MACHINE Random\nSETS P; Q; E = {e1, e2}\n");
    scope.extend(constants.iter().cloned());
    if !constants.is_empty() {
        let names: Vec<&str> = constants.iter().map(|(n, _)| n.as_str()).collect();
        let typing: Vec<String> = constants.iter().map(|(n, t)| format!("{n} : {}", w.range(t))).collect();
        let (names, typing) = (names.join(", "), typing.join(" & "));
        let _ = write!(text, "CONSTANTS {names}\nPROPERTIES {typing} & {}\n", w.pred(&constants, 2));
    }
    let names: Vec<&str> = vars.iter().map(|(n, _)| n.as_str()).collect();
    let typing: Vec<String> = vars.iter().map(|(n, t)| format!("{n} : {}", t.all())).collect();
    let _ = write!(
        text,
        "VARIABLES {}\nINVARIANT {} & {}\n",
        names.join(", "),
        typing.join(" & "),
        w.pred(&scope, 1)
    );
    let inits: Vec<String> = vars.iter().map(|(n, t)| w.initial(n, t, &constants)).collect();
    let _ = write!(text, "INITIALISATION {}\nOPERATIONS\n", inits.join(" || "));
    let operations: Vec<String> = (0..=w.random.below(3)).map(|i| w.operation(i, &vars, &scope)).collect();
    let _ = write!(text, "{}\nEND\n", operations.join(";\n"));
    let formulas = (0..formulas).map(|_| w.stated(&scope)).collect();
    (text, formulas)
}

impl Writer {
    /// A temporal formula about a machine, some about an element that it binds, some under fairness.
    fn stated(&mut self, scope: &Scope) -> String {
        let mut inner = scope.clone();
        let bound = self.random.below(2) == 0;
        if bound {
            inner.push(("p".to_owned(), P));
        }
        let size = 1 + self.random.below(4);
        let mut f = self.temporal(&inner, size);
        if self.random.below(3) == 0 {
            let fair = self.random.pick(&["WF", "SF"]).to_owned();
            f = format!("{fair}({}) => ({f})", self.call(&inner));
        }
        if bound { format!("!p.({{p : P}} => ({f}))") } else { f }
    }

    /// An operation, sometimes with an argument.
    fn call(&mut self, scope: &Scope) -> String {
        let number = self.random.below(self.signatures.len());
        let first = self.signatures.get(number).and_then(|t| t.first()).cloned();
        match first {
            Some(ty) if self.random.below(2) == 0 && has(&ty, scope) => {
                format!("op{number}({})", self.expr(&ty, scope, 0))
            }
            _ => format!("op{number}"),
        }
    }

    fn temporal(&mut self, scope: &Scope, size: usize) -> String {
        if size == 0 {
            return match self.random.below(8) {
                0 => format!("[{}]", self.call(scope)),
                1 => format!("e({})", self.call(scope)),
                2 => self.random.pick(&["sink", "deadlock", "true"]).to_owned().to_owned(),
                3 => format!("changed({{{}}})", self.set_of(&P, scope, 0)),
                _ => format!("{{{}}}", self.pred(scope, 1)),
            };
        }
        let left = self.random.below(size);
        match self.random.below(9) {
            0 => format!("not({})", self.temporal(scope, size - 1)),
            1..=4 => {
                let op = *self.random.pick(&["X", "F", "G", "F", "G", "GF", "Y", "O", "H"]);
                format!("{op}({})", self.temporal(scope, size - 1))
            }
            5 | 6 => {
                let op = *self.random.pick(&["U", "W", "R", "S", "T"]);
                format!("({} {op} {})", self.temporal(scope, left), self.temporal(scope, size - 1 - left))
            }
            _ => {
                let op = *self.random.pick(&["&", "or", "=>"]);
                format!("({} {op} {})", self.temporal(scope, left), self.temporal(scope, size - 1 - left))
            }
        }
    }

    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("x{}", self.fresh)
    }

    /// Constants, one machine in three; several only if they have few values together.
    fn constants(&mut self, kinds: &[T]) -> Scope {
        if self.random.below(3) > 0 {
            return Scope::new();
        }
        let mut constants = vec![("k".to_owned(), self.random.pick(kinds).clone())];
        let small = [P, Q, E, T::Pow(Box::new(P)), T::Pow(Box::new(Q)), T::rel(P, E), T::rel(Q, P)];
        if self.random.below(2) == 0 {
            let ty = [self.random.pick(&small).clone(), self.random.pick(&small[..4]).clone()];
            constants = ["k", "l"].map(str::to_owned).into_iter().zip(ty).collect();
        }
        constants
    }

    /// A set that a constant is a member of: all values of its type, or for relations some functions.
    fn range(&mut self, ty: &T) -> String {
        match ty {
            T::Pow(pair) => match &**pair {
                T::Pair(a, b) => {
                    let arrow = self.random.pick(&["<->", "-->", "+->", ">->", ">+>", "+->>"]);
                    format!("{} {arrow} {}", a.all(), b.all())
                }
                _ => ty.all(),
            },
            _ => ty.all(),
        }
    }

    fn initial(&mut self, name: &str, ty: &T, known: &Scope) -> String {
        match ty {
            T::Pow(_) if self.random.below(2) == 0 => format!("{name} := {}", self.expr(ty, known, 1)),
            T::Pow(_) => format!("{name} := {{}}"),
            _ => format!("{name} :: {}", ty.all()),
        }
    }

    fn operation(&mut self, number: usize, vars: &Scope, scope: &Scope) -> String {
        let mut inner = scope.clone();
        let mut guards = Vec::new();
        let mut params = Vec::new();
        for _ in 0..self.random.below(3) {
            let ty = self.random.pick(&[P, P, Q, E]).clone();
            let name = self.name();
            let from = self.set_of(&ty, &inner, 1);
            guards.push(format!("{name} : {from}"));
            inner.push((name.clone(), ty));
            params.push(name);
        }
        if self.random.below(2) == 0 || guards.is_empty() {
            guards.push(self.pred(&inner, 2));
        }
        let any = !params.is_empty() && self.random.below(4) == 0;
        let types = inner.iter().filter(|(n, _)| params.contains(n)).map(|(_, t)| t.clone());
        let types = types.collect();
        self.signatures.push(if any { Vec::new() } else { types });
        let (target, ty) = self.random.pick(vars).clone();
        let mut body = format!("{target} := {}", self.assigned(&ty, &inner));
        if let Some((other, ty)) =
            vars.iter().find(|(n, _)| *n != target && self.random.below(2) == 0).cloned()
        {
            let _ = write!(body, " || {other} := {}", self.assigned(&ty, &inner));
        }
        let guard = guards.join(" & ");
        if params.is_empty() {
            format!("  op{number} = SELECT {guard} THEN {body} END")
        } else if any {
            format!("  op{number} = ANY {} WHERE {guard} THEN {body} END", params.join(", "))
        } else {
            format!("  op{number}({}) = PRE {guard} THEN {body} END", params.join(", "))
        }
    }

    /// An expression for an assignment; values that are no sets may have to be chosen by a condition.
    fn assigned(&mut self, ty: &T, scope: &Scope) -> String {
        self.expr(ty, scope, 2)
    }

    fn expr(&mut self, ty: &T, scope: &Scope, depth: usize) -> String {
        match ty {
            T::Pow(t) => self.set_of(t, scope, depth),
            T::Pair(a, b) => format!("({} |-> {})", self.expr(a, scope, depth), self.expr(b, scope, depth)),
            T::Set(s) => self.element(s, ty, scope),
        }
    }

    /// An element: a name in scope, or where there is none a literal or the only choice that names none.
    fn element(&mut self, set: &str, ty: &T, scope: &Scope) -> String {
        let names: Vec<String> = scope.iter().filter(|(_, t)| t == ty).map(|(n, _)| n.clone()).collect();
        match set {
            "E" if names.is_empty() || self.random.below(3) == 0 => {
                (*self.random.pick(&["e1", "e2"])).to_owned()
            }
            "BOOL" if names.is_empty() || self.random.below(2) == 0 => {
                format!("bool({})", self.pred(scope, 0))
            }
            _ if !names.is_empty() => self.random.pick(&names).clone(),
            // No element of a deferred set has a name: there is none to write.
            _ => format!("any_{set}"),
        }
    }

    fn set_of(&mut self, elem: &T, scope: &Scope, depth: usize) -> String {
        let whole = T::Pow(Box::new(elem.clone()));
        let names: Vec<String> = scope.iter().filter(|(_, t)| *t == whole).map(|(n, _)| n.clone()).collect();
        if depth == 0 {
            return match self.random.below(4) {
                0 => "{}".to_owned(),
                1 => elem.all(),
                2 if has(elem, scope) => format!("{{{}}}", self.expr(elem, scope, 0)),
                _ if !names.is_empty() => self.random.pick(&names).clone(),
                _ => elem.all(),
            };
        }
        let d = depth - 1;
        match self.random.below(10) {
            0 | 1 => format!("({} \\/ {})", self.set_of(elem, scope, d), self.set_of(elem, scope, d)),
            2 => format!("({} /\\ {})", self.set_of(elem, scope, d), self.set_of(elem, scope, d)),
            3 => format!("({} - {})", self.set_of(elem, scope, d), self.set_of(elem, scope, d)),
            4 if has(elem, scope) => format!("{{{}}}", self.expr(elem, scope, d)),
            5 => {
                let x = self.name();
                let mut inner = scope.clone();
                let from = self.set_of(elem, scope, d);
                inner.push((x.clone(), elem.clone()));
                format!("{{{x} | {x} : {from} & {}}}", self.pred(&inner, d))
            }
            6 => {
                let other = self.random.pick(&[P, Q, E]).clone();
                let rel = T::rel(other.clone(), elem.clone());
                format!("({})[{}]", self.expr(&rel, scope, d), self.set_of(&other, scope, d))
            }
            7 => {
                let other = self.random.pick(&[P, Q, E]).clone();
                let rel = T::rel(elem.clone(), other);
                format!("dom({})", self.expr(&rel, scope, d))
            }
            8 if matches!(elem, T::Pair(..)) => self.relation(elem, scope, d),
            _ if !names.is_empty() => self.random.pick(&names).clone(),
            _ => self.set_of(elem, scope, 0),
        }
    }

    fn relation(&mut self, elem: &T, scope: &Scope, d: usize) -> String {
        let T::Pair(a, b) = elem else { return elem.all() };
        match self.random.below(4) {
            0 => format!("({} <| {})", self.set_of(a, scope, d), self.set_of(elem, scope, d)),
            1 => format!("({} |>> {})", self.set_of(elem, scope, d), self.set_of(b, scope, d)),
            2 => format!("({} <+ {})", self.set_of(elem, scope, d), self.set_of(elem, scope, d)),
            _ => {
                let back = T::Pair(b.clone(), a.clone());
                format!("({}~)", self.set_of(&back, scope, d))
            }
        }
    }

    fn pred(&mut self, scope: &Scope, depth: usize) -> String {
        let ty = self
            .random
            .pick(&[P, Q, E, T::rel(P, E), T::rel(P, Q), T::Pair(Box::new(P), Box::new(P))])
            .clone();
        if depth == 0 {
            return match self.random.below(3) {
                0 if has(&ty, scope) => {
                    format!("{} : {}", self.expr(&ty, scope, 0), self.set_of(&ty, scope, 0))
                }
                1 => format!("{} <: {}", self.set_of(&ty, scope, 0), self.set_of(&ty, scope, 0)),
                _ => format!("card({}) < {}", self.set_of(&ty, scope, 0), self.random.below(4)),
            };
        }
        let d = depth - 1;
        match self.random.below(9) {
            0 => format!("({} & {})", self.pred(scope, d), self.pred(scope, d)),
            1 => format!("({} or {})", self.pred(scope, d), self.pred(scope, d)),
            2 => format!("not({})", self.pred(scope, d)),
            3 => {
                let x = self.name();
                let from = self.set_of(&ty, scope, d);
                let mut inner = scope.clone();
                inner.push((x.clone(), ty.clone()));
                format!("!{x}.({x} : {from} => {})", self.pred(&inner, d))
            }
            4 => {
                let x = self.name();
                let from = self.set_of(&ty, scope, d);
                let mut inner = scope.clone();
                inner.push((x.clone(), ty.clone()));
                format!("#{x}.({x} : {from} & {})", self.pred(&inner, d))
            }
            5 => format!("{} = {}", self.set_of(&ty, scope, d), self.set_of(&ty, scope, d)),
            6 => format!("card({}) = card({})", self.set_of(&ty, scope, d), self.set_of(&ty, scope, d)),
            _ => self.pred(scope, 0),
        }
    }
}

/// Whether an element of the type can be written in this scope.
fn has(ty: &T, scope: &Scope) -> bool {
    match ty {
        T::Set("P" | "Q") => scope.iter().any(|(_, t)| t == ty),
        T::Set(_) | T::Pow(_) => true,
        T::Pair(a, b) => has(a, scope) && has(b, scope),
    }
}
