//! Whether partial valuations of the constants are images of each other: what the enumeration of PROPERTIES asks.
//!
//! In: values at places. Out: a hash that is the same exactly for images of each other, made like the key of a state:
//! facts under canonical names. Enumeration itself is in `eval::alike`.

use super::detect::{Detection, mentions};
use super::exact::named;
use super::facts::Facts;
use super::group::Group;
use super::{classes, mix};
use crate::eval::Alike;
use crate::ir::Machine;
use crate::ty::Ty;
use crate::value::Value;
use std::sync::Arc;

/// The images of values under the permutations that no property can see.
#[derive(Clone, Debug)]
pub struct Images {
    machine: Arc<Machine>,
    group: Group,
}

impl Images {
    /// The images under what has been detected.
    #[must_use]
    pub fn new(machine: &Arc<Machine>, detection: &Detection) -> Self {
        Self { machine: Arc::clone(machine), group: detection.in_properties.clone() }
    }
}

impl Alike for Images {
    fn moves(&self, ty: &Ty) -> bool {
        self.group.cells().iter().any(|c| mentions(ty, c.set, &self.machine))
    }

    fn key(&self, values: &[(u128, Value)]) -> u128 {
        let mut facts = Facts::new(self.group.points().len());
        for (place, v) in values {
            facts.read(v, mix::mix(*place), &self.group);
        }
        named(&facts, &classes::colours(&facts, &self.group))
    }
}
