//! What unknowns can be: sets and spaces, with all their members.
//!
//! In: a number that chooses. Out: a [`Kind`]: its B text, its type, what may be said of a name of this kind. Its members
//! are listed by `force`, from the text alone.

use super::random::Random;
use super::tree::{T, Tree};
use bsym::value::Value;

/// What an unknown is a member of.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// An element of a set, given by its text and the literals that name its members (none for deferred sets).
    Of { text: &'static str, ty: T, names: Vec<&'static str> },
    /// A subset.
    Sub(Box<Kind>),
    /// A function or relation.
    Fun { arrow: &'static str, from: Box<Kind>, to: Box<Kind> },
    /// A sequence of at most two members.
    Seq { space: &'static str, of: Box<Kind> },
    /// A record with fields `a` and `b`.
    Rec(Box<Kind>, Box<Kind>),
    /// A pair.
    Pair(Box<Kind>, Box<Kind>),
}

const ARROWS: [&str; 12] =
    ["-->", "-->", "-->", "-->", "+->", "+->", ">->", ">+>", "-->>", "+->>", ">->>", "<->"];

/// Integers around the last one of 64 bits.
pub(crate) const FAR: [&str; 2] = ["9223372036854775807", "9223372036854775808"];

/// The members of the kind that lies there.
pub(crate) fn far() -> impl Iterator<Item = Value> {
    (-1..=1).map(|n| Value::double(i128::from(i64::MAX) + n))
}

impl Kind {
    fn of(text: &'static str, ty: T, names: &[&'static str]) -> Kind {
        Kind::Of { text, ty, names: names.to_vec() }
    }

    /// A small set of elements or integers.
    fn base(r: &mut Random) -> Kind {
        let id = || T::Elem("ID");
        match r.below(15) {
            0..=3 => Kind::of("ID", id(), &["p1", "p2", "p3"]),
            4 => Kind::of("{p1,p3}", id(), &["p1", "p3"]),
            5 => Kind::of("E", T::Elem("E"), &["e1", "e2"]),
            6 => Kind::of("D", T::Elem("D"), &[]),
            7 => Kind::of("BOOL", T::Elem("BOOL"), &["TRUE", "FALSE"]),
            8 | 9 => Kind::of("0..1", T::Int, &["0", "1"]),
            10 => Kind::of("1..2", T::Int, &["1", "2"]),
            11 => Kind::of("0..2", T::Int, &["0", "1", "2"]),
            12 => Kind::of("NAT", T::Int, &["0", "1", "2", "3"]),
            // Beyond 64 bits in part.
            13 => Kind::of("9223372036854775806..9223372036854775808", T::Int, &FAR),
            _ => Kind::of("{p2,p3}", id(), &["p2", "p3"]),
        }
    }

    fn space(r: &mut Random, depth: usize) -> Kind {
        match r.below(if depth == 0 { 8 } else { 12 }) {
            0..=4 => Kind::base(r),
            5 | 6 => Kind::Sub(Box::new(Kind::base(r))),
            7 => Kind::Pair(Box::new(Kind::base(r)), Box::new(Kind::base(r))),
            8 => Kind::Rec(Box::new(Kind::base(r)), Box::new(Kind::base(r))),
            _ => Kind::fun(r, 0),
        }
    }

    fn fun(r: &mut Random, depth: usize) -> Kind {
        let from = Box::new(Kind::base(r));
        let to = Box::new(if depth > 0 && r.once_in(4) { Kind::space(r, 1) } else { Kind::base(r) });
        Kind::Fun { arrow: r.pick::<&str>(&ARROWS), from, to }
    }

    /// A random kind.
    pub(crate) fn random(r: &mut Random) -> Kind {
        match r.below(16) {
            0..=4 => Kind::base(r),
            5 | 6 => Kind::Sub(Box::new(if r.once_in(5) { Kind::space(r, 0) } else { Kind::base(r) })),
            7..=11 => Kind::fun(r, 1),
            12 => {
                let space = *r.pick::<&str>(&["seq", "seq1", "iseq", "iseq1"]);
                Kind::Seq { space, of: Box::new(Kind::base(r)) }
            }
            13 => Kind::Rec(Box::new(Kind::space(r, 0)), Box::new(Kind::base(r))),
            14 => Kind::Pair(Box::new(Kind::base(r)), Box::new(Kind::base(r))),
            _ => Kind::of("-2..300", T::Int, &["0", "2", "299"]),
        }
    }

    /// The set in B.
    pub(crate) fn text(&self) -> String {
        match self {
            Kind::Of { text, .. } => (*text).to_owned(),
            Kind::Sub(k) => format!("POW({})", k.text()),
            Kind::Fun { arrow, from, to } => format!("(({}) {arrow} ({}))", from.text(), to.text()),
            Kind::Seq { space, of } => format!("{space}({})", of.text()),
            Kind::Rec(a, b) => format!("struct(a:{}, b:{})", a.text(), b.text()),
            Kind::Pair(a, b) => format!("(({}) * ({}))", a.text(), b.text()),
        }
    }

    /// What is said first of a name.
    pub(crate) fn typing(&self, name: &str, r: &mut Random) -> Vec<String> {
        match self {
            Kind::Sub(k) if r.once_in(2) => vec![format!("{name} <: {}", k.text())],
            Kind::Seq { .. } => vec![format!("{name} : {}", self.text()), format!("size({name}) <= 2")],
            Kind::Pair(..) | Kind::Rec(..) | Kind::Of { .. } | Kind::Sub(_) | Kind::Fun { .. } => {
                vec![format!("{name} : {}", self.text())]
            }
        }
    }

    /// The type of its members.
    pub(crate) fn ty(&self) -> T {
        match self {
            Kind::Of { ty, .. } => ty.clone(),
            Kind::Sub(k) => T::set(k.ty()),
            Kind::Fun { from, to, .. } => T::rel(from.ty(), to.ty()),
            Kind::Seq { of, .. } => T::rel(T::Int, of.ty()),
            Kind::Rec(a, b) => T::Rec(Box::new(a.ty()), Box::new(b.ty())),
            Kind::Pair(a, b) => T::pair(a.ty(), b.ty()),
        }
    }

    /// Single values that an expression of this kind has: itself, its points, its fields.
    pub(crate) fn points(&self, of: &Tree, r: &mut Random, out: &mut Vec<Tree>) {
        out.push(of.clone());
        match self {
            Kind::Fun { arrow, from, to } => {
                let Kind::Of { names, .. } = &**from else { return };
                // Where a function may be undefined, or a relation is none, few of its points are asked for.
                let rare = matches!(*arrow, "+->" | ">+>" | "+->>" | "<->");
                for x in names {
                    if !rare || r.once_in(4) {
                        let point = Tree::new(to.ty(), format!("@({x})"), vec![of.clone()]);
                        to.points(&point, r, out);
                    }
                }
            }
            Kind::Rec(a, b) => {
                for (field, kind) in [("a", a), ("b", b)] {
                    kind.points(&Tree::new(kind.ty(), format!("@'{field}"), vec![of.clone()]), r, out);
                }
            }
            Kind::Seq { space, of: k } => {
                out.push(Tree::new(T::Int, "size(@)", vec![of.clone()]));
                if space.ends_with('1') {
                    for text in ["@(1)", "first(@)", "last(@)"] {
                        k.points(&Tree::new(k.ty(), text, vec![of.clone()]), r, out);
                    }
                }
            }
            Kind::Of { .. } | Kind::Sub(_) | Kind::Pair(..) => {}
        }
    }

    /// Literals that name members.
    pub(crate) fn literals(ty: &T) -> &'static [&'static str] {
        match ty {
            T::Int => &["0", "1", "2"],
            T::Elem("ID") => &["p1", "p2", "p3"],
            T::Elem("E") => &["e1", "e2"],
            T::Elem("BOOL") => &["TRUE", "FALSE"],
            _ => &[],
        }
    }
}
