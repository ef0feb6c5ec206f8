//! Sequences: one file per operator.

pub(super) mod append;
pub(super) mod conc;
pub(super) mod concat;
pub(super) mod drop;
pub(super) mod first;
pub(super) mod front;
pub(super) mod iseq;
pub(super) mod iseq1;
pub(super) mod last;
pub(super) mod list;
pub(super) mod perm;
pub(super) mod prepend;
pub(super) mod rev;
pub(super) mod seq;
pub(super) mod seq1;
pub(super) mod size;
pub(super) mod tail;
pub(super) mod take;
