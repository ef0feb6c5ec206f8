//! The table of valuations, as the reducers want to see it.

use crate::model::constants::Table;
use crate::symmetry::Valuations;
use crate::value::Value;
use std::sync::Arc;

impl Valuations for Table {
    fn get(&self, valuation: u32) -> Arc<Vec<Option<Value>>> {
        self.values(valuation)
    }
}
