//! Printing and parsing again gives the same tree.

use super::{parsed, shape};
use crate::ops::Op;
use crate::source::{FileId, Span};
use crate::syntax::ast::{Fold, Ident, Node, NodeKind};
use crate::syntax::print;
use proptest::prelude::*;

fn node(kind: NodeKind) -> Node {
    Node { kind, span: Span::default() }
}

fn ident() -> impl Strategy<Value = Ident> {
    prop::sample::select(vec!["x", "yy", "dom", "a b", "END"])
        .prop_map(|name| Ident { name: name.into(), span: Span::default() })
}

fn leaf() -> impl Strategy<Value = Node> {
    prop_oneof![
        ident().prop_map(|x| node(NodeKind::Name(x.name))),
        ident().prop_map(|x| node(NodeKind::Old(Box::new(node(NodeKind::Name(x.name)))))),
        any::<u32>().prop_map(|i| node(NodeKind::Int(i.into()))),
        "[a-z\"\\\\\n ']{0,4}".prop_map(|s| node(NodeKind::Str(s.as_str().into()))),
        prop::sample::select(vec![Op::True, Op::Integer, Op::Succ, Op::TrueValue])
            .prop_map(|op| node(NodeKind::Op(op, Vec::new()))),
    ]
}

fn operator() -> impl Strategy<Value = Op> {
    prop::sample::select(vec![
        Op::Eq,
        Op::NotIn,
        Op::Lt,
        Op::Comp,
        Op::ParProduct,
        Op::TotalFun,
        Op::SurjRel,
        Op::Override,
        Op::Prepend,
        Op::Append,
        Op::Maplet,
        Op::Take,
        Op::Interval,
        Op::Minus,
        Op::Diff,
        Op::Star,
        Op::Product,
        Op::Mod,
        Op::Power,
        Op::Image,
        Op::Prj1,
    ])
}

/// Binary connectives, binders and the rest, over formulas of any kind: sorting is another stage's work.
fn formula() -> impl Strategy<Value = Node> {
    leaf().prop_recursive(5, 40, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        let names = prop::collection::vec(ident(), 1..3);
        prop_oneof![
            (operator(), pair.clone()).prop_map(|(op, (a, b))| node(NodeKind::Op(op, vec![a, b]))),
            (prop::sample::select(vec![Op::Neg, Op::Inverse, Op::Dom, Op::First1]), inner.clone())
                .prop_map(|(op, a)| node(NodeKind::Op(op, vec![a]))),
            (0..4, pair.clone()).prop_map(|(i, (a, b))| connective(i, a, b)),
            inner.clone().prop_map(|a| node(NodeKind::Not(Box::new(a)))),
            inner.clone().prop_map(|a| node(NodeKind::Bool(Box::new(a)))),
            (inner.clone(), prop::collection::vec(inner.clone(), 1..3))
                .prop_map(|(f, v)| node(NodeKind::Apply(Box::new(f), v))),
            (inner.clone(), ident()).prop_map(|(r, x)| node(NodeKind::Field(Box::new(r), x))),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|v| node(NodeKind::SetExt(v))),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|v| node(NodeKind::SeqExt(v))),
            prop::collection::vec((ident(), inner.clone()), 1..3).prop_map(|v| node(NodeKind::Rec(v))),
            (ident(), pair.clone()).prop_map(|(x, (e, a))| local(x, e, a)),
            (inner.clone(), pair.clone()).prop_map(|(p, (a, b))| node(NodeKind::If(
                Box::new(p),
                Box::new(a),
                Box::new(b)
            ))),
            (0..6, names, pair).prop_map(|(i, x, (a, b))| binder(i, x, a, b)),
        ]
    })
}

/// A LET; a value that reads its own name would make its equation a condition like any other.
fn local(x: Ident, e: Node, a: Node) -> Node {
    let reads_itself = print::formula(&e).contains(&*x.name);
    node(if reads_itself { NodeKind::SetExt(vec![e, a]) } else { NodeKind::Let(vec![(x, e)], Box::new(a)) })
}

fn connective(i: i32, a: Node, b: Node) -> Node {
    // As the parser has it: a conjunction that comes first in one is lengthened.
    let make = crate::syntax::make::Make::new(FileId(0));
    match i {
        0 => make.connect(NodeKind::And, a, b),
        1 => make.connect(NodeKind::Or, a, b),
        2 => node(NodeKind::Implies(Box::new(a), Box::new(b))),
        _ => node(NodeKind::Iff(Box::new(a), Box::new(b))),
    }
}

fn binder(i: i32, x: Vec<Ident>, a: Node, b: Node) -> Node {
    let (a, b) = (Box::new(a), Box::new(b));
    node(match i {
        0 => NodeKind::Forall(x, a),
        1 => NodeKind::Exists(x, a),
        2 => NodeKind::Compr(x, a),
        3 => NodeKind::EventCompr(x, a, b),
        4 => NodeKind::Lambda(x, a, b),
        _ => NodeKind::Fold(Fold::Sum, x, a, b),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]
    #[test]
    fn formulas_survive_printing(tree in formula()) {
        let text = print::formula(&tree);
        prop_assert_eq!(shape(&parsed(&text)), shape(&tree), "{}", text);
    }
}

#[test]
fn machines_survive_printing() {
    let text = "/*@package a.b */ MACHINE M(S,n) CONSTRAINTS n : 1..3 SEES x.N, K(1,{2}) /*@file \"k.mch\" */
        SETS T = {a,b}; U; V = W CONSTANTS c PROPERTIES c : T & `END` = 1 ABSTRACT_CONSTANTS d
        DEFINITIONS W == {e,f}; P(x,y) == x + y; I == x := 1; \"f.def\" VARIABLES v CONCRETE_VARIABLES w
        INVARIANT v : S --> NAT & not(w = 1) => w > 2 ASSERTIONS 1 = 1; 2 = 2
        INITIALISATION v :: S --> NAT; w := 1 || skip
        OPERATIONS
          r, s <-- op(p, q) = PRE p : S THEN
            ANY z WHERE z = p THEN r := z; BEGIN s := 1 || v(z) := 2; skip END || skip END END;
          b = SELECT 1 = 1 THEN v, w : (v$0 = w) WHEN 2 = 2 THEN x.op ELSE r <-- x.op(1, (2,3)) END;
          c2 = CASE w OF EITHER 1, 2 THEN skip OR 3 THEN skip ELSE skip END END || skip;
          d2 = WHILE w < 3 DO VAR l IN l := 1; w := l END INVARIANT w : NAT VARIANT 3 - w END;
          e2 = IF w = 1 THEN skip ELSIF w = 2 THEN skip ELSE CHOICE skip OR w := 1 END END;
          f2 = LET l BE l = (1 = 2) IN ASSERT l = l THEN v'g := (r;s) END END
        END";
    let (first, errors) = crate::syntax::parse_machine(FileId(0), text);
    assert!(errors.is_empty(), "{errors:?}");
    let printed = first.as_ref().map(print::machine).unwrap_or_default();
    let (second, errors) = crate::syntax::parse_machine(FileId(0), &printed);
    assert!(errors.is_empty(), "{errors:?}\n{printed}");
    assert_eq!(shape(&first), shape(&second));
}
