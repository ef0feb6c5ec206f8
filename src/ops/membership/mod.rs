//! Membership and inclusion: one file per operator.

pub(super) mod constants;
pub(super) mod finite;
pub(super) mod inclusion;
pub(super) mod member;
pub(super) mod not_member;
pub(super) mod not_strict_subset;
pub(super) mod not_subset;
pub(super) mod partition;
pub(super) mod strict_subset;
pub(super) mod subset;
