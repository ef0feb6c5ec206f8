//! How many valuations of the constants are images of each other, where PROPERTIES can tell elements apart that
//! nothing else can.
//!
//! In: all valuations that were found. Out: for the class of one the number of valuations in it, found or not.
//! PROPERTIES commute with the smaller group of elements that they do not name, so the images under that group of
//! what was found are all the valuations there are; each of these smaller orbits is counted once.

use super::Context;
use super::core::Core;
use super::facts::Facts;
use super::group::Group;
use super::vector::{Places, Vector};
use super::{Count, exact, mix, orbit};
use hashbrown::{HashMap, HashSet};

/// The sizes of the classes by key.
#[derive(Debug, Default)]
pub(super) struct Classes(HashMap<u128, Count>);

impl Classes {
    /// The classes of the valuations that a context knows; `key` is that of a valuation's class.
    pub(super) fn of(context: &Context, places: &Places, key: &dyn Fn(u32) -> u128) -> Self {
        let group = &context.detection.in_properties;
        let mut classes = Self::default();
        let mut met = HashSet::new();
        for n in (0..u32::MAX).take_while(|n| !context.valuations.get(*n).is_empty()) {
            let facts = Facts::of(&Vector::of_valuation(context, n), places, group);
            let colours = colours(&facts, group);
            if met.insert(exact::named(&facts, &colours)) {
                let core = if facts.is_unary() { Core::default() } else { Core::of(&facts, &colours) };
                *classes.0.entry(key(n)).or_default() += &orbit::size(&core, &colours, group, &mut |_| {}).0;
            }
        }
        classes
    }

    /// The number of valuations in a class.
    pub(super) fn size(&self, key: u128) -> Option<Count> {
        self.0.get(&key).cloned()
    }
}

/// First colours of the points of a group: what is said of each alone, and its set.
pub(super) fn colours(facts: &Facts, group: &Group) -> Vec<u128> {
    let points = facts.colours.iter().zip(group.points());
    points.map(|(&c, (s, _))| mix::pair(c, mix::mix(u128::from(s.0)))).collect()
}
