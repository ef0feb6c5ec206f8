//! Values in B syntax, with the names of elements from the world.

use super::Value;
use crate::ops::World;
use crate::ty::Ty;

impl Value {
    /// The value in B syntax as far as that can be seen without its type (fields of records are numbered).
    #[must_use]
    pub fn brief(&self, world: &World) -> String {
        self.show(&Ty::Any, world)
    }

    /// The value in B syntax; the type gives the names of fields, and says what is a sequence.
    #[must_use]
    pub fn show(&self, ty: &Ty, world: &World) -> String {
        let mut out = String::new();
        write(self, ty, world, &mut out);
        out
    }
}

fn write(v: &Value, ty: &Ty, world: &World, out: &mut String) {
    match v {
        Value::Bool(true) => out.push_str("TRUE"),
        Value::Bool(false) => out.push_str("FALSE"),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Big(n) => out.push_str(&n.to_string()),
        Value::Real(x) => out.push_str(&format!("{x:?}")),
        Value::Str(s) => out.push_str(&format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""))),
        Value::Elem(s, i) => match world.elements.get(usize::from(s.0)).and_then(|e| e.get(*i as usize)) {
            Some(name) => out.push_str(name),
            None => out.push_str(&format!("?{i}")),
        },
        Value::Pair(p) => {
            let (a, b) = match ty {
                Ty::Pair(a, b) => (&**a, &**b),
                _ => (&Ty::Any, &Ty::Any),
            };
            out.push('(');
            write(&p.0, a, world, out);
            out.push_str("|->");
            write(&p.1, b, world, out);
            out.push(')');
        }
        Value::Rec(fields) => record(fields, ty, world, out),
        Value::Free(t, c, arg) => {
            out.push_str(&format!("constructor_{t}_{c}"));
            if let Some(a) = arg {
                out.push('(');
                write(a, &Ty::Any, world, out);
                out.push(')');
            }
        }
        Value::Set(s) => members(s.items(), ty, world, out),
        Value::Lazy(l) => out.push_str(&l.describe()),
    }
}

fn record(fields: &[Value], ty: &Ty, world: &World, out: &mut String) {
    out.push_str("rec(");
    for (i, f) in fields.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        match ty {
            Ty::Rec(types) if types.len() == fields.len() => {
                out.push_str(&types[i].0);
                out.push(':');
                write(f, &types[i].1, world, out);
            }
            _ => {
                out.push_str(&format!("field{}:", i + 1));
                write(f, &Ty::Any, world, out);
            }
        }
    }
    out.push(')');
}

fn members(items: &[Value], ty: &Ty, world: &World, out: &mut String) {
    let elem = ty.elem().unwrap_or(&Ty::Any);
    if let Some(values) = sequence(items, elem) {
        let (Ty::Pair(_, right), true) = (elem, !values.is_empty()) else { return out.push_str("{}") };
        out.push('[');
        for (i, x) in values.into_iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            write(x, right, world, out);
        }
        return out.push(']');
    }
    out.push('{');
    for (i, x) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(x, elem, world, out);
    }
    out.push('}');
}

/// The values of a sequence, if the members are `1|->a, 2|->b, ...` and the type says INTEGER * t.
fn sequence<'v>(items: &'v [Value], elem: &Ty) -> Option<Vec<&'v Value>> {
    if !matches!(elem, Ty::Pair(a, _) if **a == Ty::Int) {
        return None;
    }
    let at = |(i, v): (i64, &'v Value)| match v {
        Value::Pair(p) if p.0 == Value::Int(i) => Some(&p.1),
        _ => None,
    };
    (1i64..).zip(items).map(at).collect()
}
