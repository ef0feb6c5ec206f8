//! Values as traces write them, read as what they are declared to be.
//!
//! In: texts of values with the names of variables, constants, parameters or results. Out: the values, whatever the way to
//! write them: a sequence may come as a relation and a relation as a sequence, a set as an interval or by its name, an
//! element with the name of its machine before it or, as in ITF, as a string. What is no value of the type is compared as text.

use crate::eval::{Constants, Env, Evaluator};
use crate::ops::{Cx, Op, equal, set_of, settle};
use crate::report::traces::tree::canonical;
use crate::resolve::{Flat, resolve_formula};
use crate::source::FileId;
use crate::syntax::ast::{Name, Node, NodeKind};
use crate::syntax::{parse_formula, table, walk};
use crate::ty::{SetId, Ty};
use crate::types::{Typed, typecheck_formula};
use crate::value::Value;
use std::sync::Arc;

/// What a trace says of one name.
pub(in crate::cli) struct Said {
    /// The name.
    pub name: String,
    /// The value as written.
    pub text: String,
    /// The value, if it can be read.
    pub value: Option<Value>,
}

/// A name with its type and the value that it has.
pub(in crate::cli) type Real<'r> = (&'r str, &'r Ty, Option<&'r Value>);

impl Said {
    /// Whether a declared name is meant: a trace may give the machine's name before it.
    pub(in crate::cli) fn means(&self, name: &str) -> bool {
        means(&self.name, name)
    }

    fn is(&self, real: &Value, ty: &Ty, evaluator: &Evaluator) -> bool {
        let world = &*evaluator.world;
        let same = self.value.as_ref().map(|v| equal(v, real, &Cx { world, ty }));
        match same {
            Some(Ok(same)) => same,
            _ => canonical(&real.show(ty, world)) == canonical(&self.text),
        }
    }
}

/// The first thing said that is not so; names that the machine does not know are not so.
pub(in crate::cli) fn difference(said: &[Said], real: &[Real<'_>], evaluator: &Evaluator) -> Option<String> {
    said.iter().find_map(|s| {
        let exact = real.iter().find(|(name, _, _)| *name == s.name);
        match exact.or_else(|| real.iter().find(|(name, _, _)| s.means(name))) {
            None => Some(format!("there is no `{}`", s.name)),
            Some((name, ty, Some(v))) if !s.is(v, ty, evaluator) => {
                Some(format!("`{name}` is {}, not {}", v.show(ty, &evaluator.world), s.text))
            }
            Some(_) => None,
        }
    })
}

/// Whether a name in a trace means a declared one.
pub(in crate::cli) fn means(said: &str, name: &str) -> bool {
    said == name || last(said) == name
}

/// The part of a name behind the last dot.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Reads values under a valuation of the constants.
pub(in crate::cli) struct Reader<'a> {
    pub flat: &'a Flat,
    pub evaluator: &'a Evaluator,
    pub constants: Constants,
    /// The values of the variables, where texts may speak of them; else none.
    pub variables: Constants,
}

impl Reader<'_> {
    /// What is said of the names that are declared.
    pub(in crate::cli) fn read(&self, said: &[(String, String)], declared: &[Real<'_>]) -> Vec<Said> {
        let one = |(name, text): &(String, String)| {
            let mut said = Said { name: name.clone(), text: text.clone(), value: None };
            let exact = declared.iter().find(|d| d.0 == name);
            let meant = exact.or_else(|| declared.iter().find(|d| said.means(d.0)));
            said.value = meant.and_then(|(_, ty, _)| self.value(text, ty));
            said
        };
        said.iter().map(one).collect()
    }

    /// Whether a predicate holds in one of some states, with some names bound to values.
    pub(in crate::cli) fn holds(
        &self,
        text: &str,
        bound: &[Real<'_>],
        states: &[&[Option<Value>]],
    ) -> Result<bool, String> {
        let unread = || "cannot be read".to_owned();
        let world = &self.evaluator.world;
        let known = bound.iter().filter_map(|(name, ty, v)| Some((*name, v.as_ref()?.show(ty, world))));
        let (names, equations): (Vec<_>, Vec<_>) =
            known.map(|(name, value)| (name, format!("{name} = {value}"))).unzip();
        let whole = if names.is_empty() {
            text.to_owned()
        } else {
            format!("#({}).({} & ({text}))", names.join(","), equations.join(" & "))
        };
        let (node, errors) = parse_formula(FileId(0), &whole);
        let node = node.filter(|_| errors.is_empty()).ok_or_else(unread)?;
        let resolved = resolve_formula(node, self.flat).map_err(|_| unread())?;
        let Ok(Typed::Pred(pred, frame)) = typecheck_formula(&resolved, self.flat) else {
            return Err(unread());
        };
        let (mut fault, evaluator) = (None, self.evaluator.for_a_while());
        for state in states {
            let mut values = state.to_vec();
            values.resize(self.evaluator.machine.variables.len(), None);
            let mut env = Env::new(self.constants.clone(), Arc::new(values), frame);
            match evaluator.pred(&pred, &mut env) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(f) => fault = Some(f.0.message.clone()),
            }
        }
        fault.map_or(Ok(false), |why| Err(format!("has no value: {why}")))
    }

    fn value(&self, text: &str, ty: &Ty) -> Option<Value> {
        let (node, errors) = parse_formula(FileId(0), text);
        self.node(&node.filter(|_| errors.is_empty())?, ty)
    }

    /// The value of a formula of a type. What has the form of a value is read by its type, all else as a formula.
    fn node(&self, node: &Node, ty: &Ty) -> Option<Value> {
        match (&node.kind, ty) {
            (NodeKind::Table(t), _) => self.node(&table::spelled(t), ty),
            (NodeKind::SetExt(members), Ty::Pow(of)) => {
                let members = members.iter().map(|m| self.node(m, of)).collect::<Option<Vec<_>>>()?;
                set_of(members, &Cx { world: &self.evaluator.world, ty }).ok()
            }
            (NodeKind::SeqExt(members), Ty::Pow(pair)) => {
                let Ty::Pair(_, of) = &**pair else { return None };
                let member = |(i, m)| Some(Value::pair(Value::Int(i), self.node(m, of)?));
                let members = (1..).zip(members).map(member).collect::<Option<Vec<_>>>()?;
                set_of(members, &Cx { world: &self.evaluator.world, ty }).ok()
            }
            (NodeKind::Op(Op::Maplet, sides), Ty::Pair(a, b)) => match &sides[..] {
                [x, y] => Some(Value::pair(self.node(x, a)?, self.node(y, b)?)),
                _ => None,
            },
            (NodeKind::Rec(fields), Ty::Rec(types)) if fields.len() == types.len() => {
                let field = |(name, ty): &(Arc<str>, Ty)| {
                    let (_, value) = fields.iter().find(|(f, _)| f.name == *name)?;
                    self.node(value, ty)
                };
                Some(Value::Rec(types.iter().map(field).collect::<Option<Vec<_>>>()?.into()))
            }
            (NodeKind::Str(text), Ty::Str) => Some(Value::Str(text.clone())),
            (NodeKind::Name(name) | NodeKind::Str(name), Ty::Given(set)) => {
                self.element(name, *set).or_else(|| self.formula(node, ty))
            }
            (NodeKind::Name(name) | NodeKind::Str(name), Ty::Free(of)) => {
                Some(Value::Free(of.0, self.constructor(name, of.0)?.0, None))
            }
            (NodeKind::Apply(f, arguments), Ty::Free(of)) => {
                let NodeKind::Name(name) = &f.kind else { return None };
                let (number, ty) = self.constructor(name, of.0)?;
                let whole = arguments.iter().cloned().reduce(|a, b| {
                    let span = a.span;
                    Node { kind: NodeKind::Op(Op::Maplet, vec![a, b]), span }
                });
                Some(Value::Free(of.0, number, Some(Arc::new(self.node(&whole?, ty?)?))))
            }
            _ => self.formula(node, ty),
        }
    }

    fn element(&self, name: &str, set: SetId) -> Option<Value> {
        let names = self.evaluator.world.elements.get(usize::from(set.0))?;
        let at = names.iter().position(|n| **n == *name);
        let at = at.or_else(|| names.iter().position(|n| **n == *last(name)))?;
        Some(Value::Elem(set, u32::try_from(at).ok()?))
    }

    /// A constructor by its name, or as values are written: its number and the type of its argument.
    fn constructor(&self, name: &str, of: u16) -> Option<(u16, Option<&Ty>)> {
        let constructors = &self.evaluator.machine.free_types.get(usize::from(of))?.constructors;
        let named =
            |number: u16, c: &Arc<str>| **c == *last(name) || name == format!("constructor_{of}_{number}");
        let (number, (_, ty)) = (0u16..).zip(constructors).find(|(n, (c, _))| named(*n, c))?;
        Some((number, ty.as_ref()))
    }

    /// The value of a formula in the names of the machine.
    fn formula(&self, node: &Node, ty: &Ty) -> Option<Value> {
        let resolved = resolve_formula(node.clone(), self.flat);
        let resolved = resolved.or_else(|_| resolve_formula(plain(node.clone()), self.flat)).ok()?;
        let Typed::Expr(e, frame) = typecheck_formula(&resolved, self.flat).ok()? else { return None };
        if !alike(&e.ty, ty) {
            return None;
        }
        let machine = &self.evaluator.machine;
        let all = |values: &Constants, n: usize| {
            if values.len() < n { Arc::new(vec![None; n]) } else { values.clone() }
        };
        let constants = all(&self.constants, machine.constants.len());
        let variables = all(&self.variables, machine.variables.len());
        let value = self.evaluator.for_a_while().expr(&e, &mut Env::new(constants, variables, frame));
        let cx = Cx { world: &self.evaluator.world, ty };
        value.and_then(|v| settle(v, &cx)).ok()
    }
}

/// Names without what stands before their last dot.
fn plain(node: Node) -> Node {
    if let NodeKind::Name(name) = &node.kind {
        return Node { kind: NodeKind::Name(Name::from(last(name))), span: node.span };
    }
    walk::map_children(node, &mut plain)
}

/// Whether two types are the same as far as they are known.
fn alike(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Any, _) | (_, Ty::Any) => true,
        (Ty::Pow(a), Ty::Pow(b)) => alike(a, b),
        (Ty::Pair(a, b), Ty::Pair(c, d)) => alike(a, c) && alike(b, d),
        (Ty::Rec(a), Ty::Rec(b)) => {
            a.len() == b.len() && a.iter().zip(&**b).all(|((n, a), (m, b))| n == m && alike(a, b))
        }
        _ => a == b,
    }
}
