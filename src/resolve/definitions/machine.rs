//! A whole machine without uses of definitions.
//!
//! In: a machine as written and its definitions. Out: its clauses expanded, what was found out on the
//! way ([`Expanded`]). Definitions that are not used are not looked at.

use super::Definitions;
use super::expand::{Env, Expander};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{
    Clause, ClauseKind, DefBody, Ident, Machine, Node, NodeKind, Operation, SetDecl, SetKind, Subst,
    SubstKind,
};
use std::collections::BTreeMap;

/// What expansion found out.
#[derive(Clone, Debug, Default)]
pub(in crate::resolve) struct Expanded {
    /// Places of bodies with the place of their first use.
    pub(in crate::resolve) uses: BTreeMap<Span, Span>,
}

/// Expands all clauses in place; errors are added to `errors`.
pub(in crate::resolve) fn machine(
    machine: &mut Machine,
    defs: &Definitions,
    errors: &mut Vec<Diagnostic>,
) -> Expanded {
    let mut expander = Expander::new(defs);
    for clause in &mut machine.clauses {
        let kind = std::mem::replace(&mut clause.kind, ClauseKind::Promotes(Vec::new()));
        clause.kind = expander.clause(kind);
    }
    machine.clauses.retain(|c: &Clause| !matches!(c.kind, ClauseKind::Definitions(_)));
    errors.append(&mut expander.errors);
    Expanded { uses: expander.uses }
}

/// Expands one formula.
pub(in crate::resolve) fn formula(
    node: Node,
    defs: &Definitions,
    errors: &mut Vec<Diagnostic>,
) -> (Node, Expanded) {
    let mut expander = Expander::new(defs);
    let node = expander.node(node, &mut Env::default());
    errors.append(&mut expander.errors);
    (node, Expanded { uses: expander.uses })
}

impl Expander<'_> {
    fn top(&mut self, node: Node) -> Node {
        self.node(node, &mut Env::default())
    }

    fn clause(&mut self, kind: ClauseKind) -> ClauseKind {
        match kind {
            ClauseKind::Sets(sets) => ClauseKind::Sets(sets.into_iter().map(|s| self.set(s)).collect()),
            ClauseKind::FreeTypes(types) => ClauseKind::FreeTypes(
                types
                    .into_iter()
                    .map(|(t, cs)| (t, cs.into_iter().map(|(c, n)| (c, n.map(|n| self.top(n)))).collect()))
                    .collect(),
            ),
            ClauseKind::Constants(symbolic, names) => {
                ClauseKind::Constants(symbolic, self.declared(names, &Env::default()))
            }
            ClauseKind::Variables(concrete, names) => {
                ClauseKind::Variables(concrete, self.declared(names, &Env::default()))
            }
            ClauseKind::Properties(p) => ClauseKind::Properties(self.top(p)),
            ClauseKind::Constraints(p) => ClauseKind::Constraints(self.top(p)),
            ClauseKind::Invariant(p) => ClauseKind::Invariant(self.top(p)),
            ClauseKind::Assertions(ps) => {
                ClauseKind::Assertions(ps.into_iter().map(|p| self.top(p)).collect())
            }
            ClauseKind::Initialisation(s) => ClauseKind::Initialisation(self.subst(s, &mut Env::default())),
            ClauseKind::Operations(os) => {
                ClauseKind::Operations(os.into_iter().map(|o| self.operation(o)).collect())
            }
            ClauseKind::LocalOperations(os) => {
                ClauseKind::LocalOperations(os.into_iter().map(|o| self.operation(o)).collect())
            }
            ClauseKind::References(kind, mut refs) => {
                for r in &mut refs {
                    r.args = std::mem::take(&mut r.args).into_iter().map(|a| self.top(a)).collect();
                }
                ClauseKind::References(kind, refs)
            }
            ClauseKind::Values(vs) => {
                ClauseKind::Values(vs.into_iter().map(|(x, v)| (x, self.top(v))).collect())
            }
            kind @ (ClauseKind::Definitions(_) | ClauseKind::Promotes(_)) => kind,
        }
    }

    fn operation(&mut self, mut operation: Operation) -> Operation {
        let mut env = Env::default();
        operation.params = self.declared(operation.params, &env);
        operation.results = self.declared(operation.results, &env);
        env.hide(&operation.params);
        env.hide(&operation.results);
        let span = operation.body.span;
        let body = std::mem::replace(&mut operation.body, Subst { kind: SubstKind::Skip, span });
        operation.body = self.subst(body, &mut env);
        operation
    }

    /// `S = D` with `D == {a,b}`.
    fn set(&mut self, set: SetDecl) -> SetDecl {
        let SetKind::ByDefinition(name) = &set.kind else { return set };
        let defs = self.defs;
        let elements = match defs.get(&name.name).map(|d| &d.body) {
            Some(DefBody::Formula(body)) => self.top(body.clone()),
            _ => Node { kind: NodeKind::Error, span: name.span },
        };
        if let Some(elements) = elements_of(&elements) {
            SetDecl { name: set.name, kind: SetKind::Enumerated(elements) }
        } else {
            let text = format!("`{}` is no definition of the form `{} == {{a,b}}`", name.name, name.name);
            self.errors.push(Diagnostic::error(Code::UnknownName, name.span, text));
            SetDecl { name: set.name, kind: SetKind::Deferred }
        }
    }
}

fn elements_of(node: &Node) -> Option<Vec<Ident>> {
    let NodeKind::SetExt(items) = &node.kind else { return None };
    let ident = |n: &Node| match &n.kind {
        NodeKind::Name(name) => Some(Ident { name: name.clone(), span: n.span }),
        _ => None,
    };
    items.iter().map(ident).collect()
}
