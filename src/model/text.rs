//! Values as B text, with the names of elements from the world.

use crate::ir::Machine;
use crate::ops::World;
use crate::ty::SetId;
use crate::value::Value;

/// A value in B syntax.
pub(super) fn show(v: &Value, machine: &Machine, world: &World) -> String {
    match v {
        Value::Bool(b) => if *b { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Int(n) => n.to_string(),
        Value::Big(n) => n.to_string(),
        Value::Real(x) => x.to_string(),
        Value::Str(s) => format!("\"{s}\""),
        Value::Elem(s, i) => element(*s, *i, world),
        Value::Pair(p) => format!("({} |-> {})", show(&p.0, machine, world), show(&p.1, machine, world)),
        Value::Set(s) => {
            let items: Vec<String> = s.items().iter().map(|x| show(x, machine, world)).collect();
            format!("{{{}}}", items.join(", "))
        }
        Value::Rec(fields) => {
            let items: Vec<String> = fields.iter().map(|x| show(x, machine, world)).collect();
            format!("rec({})", items.join(", "))
        }
        Value::Free(t, c, arg) => {
            let free = machine.free_types.get(usize::from(*t));
            let name = free.and_then(|f| f.constructors.get(usize::from(*c))).map_or("?", |c| &c.0);
            arg.as_ref().map_or_else(|| name.to_owned(), |a| format!("{name}({})", show(a, machine, world)))
        }
        Value::Lazy(l) => l.describe(),
    }
}

fn element(set: SetId, i: u32, world: &World) -> String {
    let name = world.elements.get(usize::from(set.0)).and_then(|e| e.get(i as usize));
    name.map_or_else(|| format!("?{i}"), ToString::to_string)
}
