//! An image of a state, in the order in which images are compared.
//!
//! In: the values of a state. Out: its control part (for each point what is said of it alone) and the values of its variables.
//! The control part is compared first, point by point, then the values: the order of Donaldson and Miller, whose
//! references are all that is said of several points together.

use super::super::facts::Facts;
use super::super::group::Group;
use super::super::vector::{Places, Vector};
use crate::value::Value;
use std::sync::Arc;

/// The values of the constants.
type Constants = Arc<Vec<Option<Value>>>;

/// An image of a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Image {
    /// By point a hash of what is said of it alone.
    pub(super) control: Vec<u128>,
    /// By `VarId`.
    pub(super) values: Vec<Value>,
    /// Whether something is said of several points together.
    pub(super) refers: bool,
}

impl Image {
    /// A state as it is, and its constants.
    pub(super) fn of(vector: Vector, places: &Places, group: &Group) -> (Constants, Self) {
        let Vector { constants, variables } = vector;
        let values = variables.unwrap_or_default();
        let mut facts = Facts::new(group.points().len());
        for (v, &place) in values.iter().zip(&places.variables) {
            facts.read(v, place, group);
        }
        let refers = !facts.is_unary();
        (constants, Self { control: facts.colours, values, refers })
    }

    /// What is said of a point alone.
    pub(super) fn control(&self, point: u32) -> u128 {
        self.control.get(point as usize).copied().unwrap_or(0)
    }

    /// The values.
    pub(super) fn into_values(self) -> Vec<Value> {
        self.values
    }
}
