//! The tuples that several bound variables make together, nested to the left.
//!
//! In: variables, a value or an environment. Out: the variables bound, or the tuple of their values.

use super::Env;
use crate::ir::Local;
use crate::value::Value;

/// Binds variables to the parts of a left-nested tuple; false if the value is no such tuple.
pub(super) fn bind_tuple(vars: &[Local], v: &Value, env: &mut Env) -> bool {
    match vars {
        [] => true,
        [x] => {
            env.set_local(x.id, Some(v.clone()));
            true
        }
        [firsts @ .., last] => match v {
            Value::Pair(p) => {
                env.set_local(last.id, Some(p.1.clone()));
                bind_tuple(firsts, &p.0, env)
            }
            _ => false,
        },
    }
}

/// The left-nested tuple of the values of variables.
pub(super) fn tuple(vars: &[Local], env: &Env) -> Value {
    let value = |x: &Local| env.local(x.id).cloned().unwrap_or_else(Value::empty);
    let mut vars = vars.iter();
    let Some(first) = vars.next() else { return Value::empty() };
    vars.fold(value(first), |t, x| Value::pair(t, value(x)))
}
