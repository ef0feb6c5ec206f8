//! Equality and order: one file per operator.

pub(super) mod eq;
pub(super) mod equality;
pub(super) mod ge;
pub(super) mod gt;
pub(super) mod le;
pub(super) mod lt;
pub(super) mod neq;
