//! Records: what `r'field` and `rec(..)` can be, and what must go if they are to have certain values.
//!
//! In: the record or the expressions of its fields, a limit. Out: values one by one, where they are few; cuts. A record has no
//! cells of its own: a point is one of some records, so that a limit on a field is one on them.

use super::Search;
use super::abs::{ALTERNATIVES, Abs};
use super::alternatives::one_of;
use super::enforce::{Cuts, Limit};
use crate::eval::Env;
use crate::ir::Expr;
use crate::value::Value;
use std::sync::Arc;

impl Search<'_> {
    /// What a field of a record can be.
    pub(super) fn field<'a>(&'a self, record: &Expr, field: u32, env: &mut Env) -> Abs<'a> {
        let Some(records) = self.abs(record, env).alternatives() else { return Abs::Top };
        let values: Option<Vec<Value>> = records.iter().map(|r| field_of(r, field).cloned()).collect();
        values.map_or(Abs::Top, one_of)
    }

    /// What a record can be whose fields are given one by one.
    pub(super) fn record<'a>(&'a self, fields: &[Expr], env: &mut Env) -> Abs<'a> {
        let mut rows: Vec<Vec<Value>> = vec![Vec::with_capacity(fields.len())];
        let mut few = true;
        for e in fields {
            // All fields are looked at, so that their cells are met.
            match self.abs(e, env).alternatives() {
                Some(values) if few && rows.len() * values.len() <= ALTERNATIVES => {
                    let with = |row: &Vec<Value>, v: &Value| row.iter().chain([v]).cloned().collect();
                    rows = rows.iter().flat_map(|row| values.iter().map(move |v| with(row, v))).collect();
                }
                _ => few = false,
            }
        }
        if !few {
            return Abs::Top;
        }
        one_of(rows.into_iter().map(|row| Value::Rec(Arc::from(row))).collect())
    }

    /// Keeps the records whose field is within a limit.
    pub(super) fn narrow_field(
        &self,
        record: &Expr,
        field: u32,
        limit: &Limit,
        env: &mut Env,
        cuts: &mut Cuts,
    ) {
        let Some(mut records) = self.abs(record, env).alternatives() else { return };
        let all = records.len();
        records.retain(|r| field_of(r, field).is_none_or(|v| limit.admits(v)));
        if records.len() < all {
            records.sort_unstable();
            self.narrow(record, &Limit::OneOf(records), env, cuts);
        }
    }

    /// Keeps each field among those of the records that are left.
    pub(super) fn narrow_record(&self, fields: &[Expr], limit: &Limit, env: &mut Env, cuts: &mut Cuts) {
        let Limit::OneOf(records) = limit else { return };
        for (i, e) in (0u32..).zip(fields) {
            let mut values: Vec<Value> = records.iter().filter_map(|r| field_of(r, i).cloned()).collect();
            values.sort_unstable();
            values.dedup();
            self.narrow(e, &Limit::OneOf(values), env, cuts);
        }
    }
}

fn field_of(record: &Value, field: u32) -> Option<&Value> {
    match record {
        Value::Rec(fields) => fields.get(field as usize),
        _ => None,
    }
}
