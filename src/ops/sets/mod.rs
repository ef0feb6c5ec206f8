//! Sets: one file per operator.

pub(super) mod big_inter;
pub(super) mod big_union;
pub(super) mod booleans;
pub(super) mod card;
pub(super) mod diff;
pub(super) mod fin;
pub(super) mod fin1;
pub(super) mod integers;
pub(super) mod inter;
pub(super) mod interval;
pub(super) mod maplet;
pub(super) mod merge;
pub(super) mod pow;
pub(super) mod pow1;
pub(super) mod product;
pub(super) mod types;
pub(super) mod union;
