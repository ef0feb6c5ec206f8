//! Functions: one file per operator.

pub(super) mod apply;
pub(super) mod partial_bij;
pub(super) mod partial_fun;
pub(super) mod partial_inj;
pub(super) mod partial_surj;
pub(super) mod total_bij;
pub(super) mod total_fun;
pub(super) mod total_inj;
pub(super) mod total_surj;
