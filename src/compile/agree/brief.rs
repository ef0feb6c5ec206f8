//! Formulas in short, for the messages of failing tests.

use super::random::VARS;
use crate::ir::{Access, Binder, Expr, ExprKind, Pred, PredKind, Subst, SubstKind};

/// Formulas in short, for failures.
pub(super) struct Brief<'a, X>(pub(super) &'a X);

impl std::fmt::Display for Brief<'_, Expr> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let binder = |b: &Binder| {
            let names: Vec<String> = b.vars.iter().map(|v| format!("l{}", v.id.0)).collect();
            format!("{} | {}", names.join(","), Brief(&b.pred))
        };
        let list = |es: &[Expr]| es.iter().map(|e| Brief(e).to_string()).collect::<Vec<_>>().join(", ");
        match &self.0.kind {
            ExprKind::Lit(v) => write!(f, "{v:?}"),
            ExprKind::Local(l) => write!(f, "l{}", l.0),
            ExprKind::Var(v) => write!(f, "v{}:{:?}", v.0, VARS[v.0 as usize]),
            ExprKind::Given(_) => write!(f, "GIVEN"),
            ExprKind::Op(o, es) => write!(f, "{o:?}({})", list(es)),
            ExprKind::SetExt(es) => write!(f, "{{{}}}", list(es)),
            ExprKind::SeqExt(es) => write!(f, "[{}]", list(es)),
            ExprKind::Bool(p) => write!(f, "bool({})", Brief(&**p)),
            ExprKind::Compr(b, _) => write!(f, "{{{}}}", binder(b)),
            ExprKind::Lambda(s, _) => write!(f, "LAMBDA {}.({})", binder(&s.binder), Brief(&s.body)),
            ExprKind::Fold(k, s) => write!(f, "{k:?} {}.({})", binder(&s.binder), Brief(&s.body)),
            ExprKind::If(p, a, b) => {
                write!(f, "IF {} THEN {} ELSE {} END", Brief(&**p), Brief(&**a), Brief(&**b))
            }
            _ => write!(f, "?"),
        }
    }
}

impl std::fmt::Display for Brief<'_, Pred> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list =
            |ps: &[Pred], by: &str| ps.iter().map(|p| format!("({})", Brief(p))).collect::<Vec<_>>().join(by);
        match &self.0.kind {
            PredKind::And(ps) => write!(f, "{}", list(ps, " & ")),
            PredKind::Or(ps) => write!(f, "{}", list(ps, " or ")),
            PredKind::Implies(p, q) => write!(f, "({}) => ({})", Brief(&**p), Brief(&**q)),
            PredKind::Iff(p, q) => write!(f, "({}) <=> ({})", Brief(&**p), Brief(&**q)),
            PredKind::Not(p) => write!(f, "not({})", Brief(&**p)),
            PredKind::Op(o, es) => {
                let list: Vec<String> = es.iter().map(|e| Brief(e).to_string()).collect();
                write!(f, "{o:?}({})", list.join(", "))
            }
            PredKind::Forall(s) => write!(
                f,
                "! {:?}.({} => {})",
                s.binder.vars.iter().map(|v| v.id.0).collect::<Vec<_>>(),
                Brief(&s.binder.pred),
                Brief(&s.body)
            ),
            PredKind::Exists(b) => {
                write!(f, "# {:?}.({})", b.vars.iter().map(|v| v.id.0).collect::<Vec<_>>(), Brief(&b.pred))
            }
            k => write!(f, "{}", if matches!(k, PredKind::True) { "true" } else { "?" }),
        }
    }
}

impl std::fmt::Display for Brief<'_, Subst> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list =
            |ss: &[Subst], by: &str| ss.iter().map(|s| Brief(s).to_string()).collect::<Vec<_>>().join(by);
        let branches = |bs: &[(Pred, Subst)]| {
            bs.iter()
                .map(|(p, s)| format!("{} THEN {}", Brief(p), Brief(s)))
                .collect::<Vec<_>>()
                .join(" WHEN ")
        };
        let other = |o: &Option<Box<Subst>>| o.as_ref().map(|s| Brief(&**s).to_string());
        match &self.0.kind {
            SubstKind::Assign(ps) => ps.iter().try_for_each(|(t, e)| {
                write!(f, "{:?}", t.place)?;
                for a in &t.path {
                    if let Access::At(e) = a {
                        write!(f, "({})", Brief(e))?;
                    }
                }
                write!(f, " := {}", Brief(e))
            }),
            SubstKind::BecomesIn(t, e) => write!(f, "{:?} :: {}", t[0].place, Brief(e)),
            SubstKind::Par(ss) => write!(f, "({})", list(ss, " || ")),
            SubstKind::Seq(ss) => write!(f, "({})", list(ss, " ; ")),
            SubstKind::Choice(ss) => write!(f, "CHOICE {} END", list(ss, " OR ")),
            SubstKind::If(bs, o) => write!(f, "IF {} ELSE {:?} END", branches(bs), other(o)),
            SubstKind::Select(bs, o) => write!(f, "SELECT {} ELSE {:?} END", branches(bs), other(o)),
            SubstKind::Any(b, s) => write!(
                f,
                "ANY {:?} WHERE {} THEN {} END",
                b.vars.iter().map(|v| v.id.0).collect::<Vec<_>>(),
                Brief(&b.pred),
                Brief(&**s)
            ),
            SubstKind::Let(ps, s) => {
                write!(f, "LET l{} = {} IN {} END", ps[0].0.id.0, Brief(&ps[0].1), Brief(&**s))
            }
            _ => write!(f, "skip"),
        }
    }
}
