//! Arithmetic: one file per operator.

pub(super) mod add;
pub(super) mod ceiling;
pub(super) mod div;
pub(super) mod extremum;
pub(super) mod floor;
pub(super) mod limits;
pub(super) mod max;
pub(super) mod min;
pub(super) mod modulo;
pub(super) mod mul;
pub(super) mod neg;
pub(super) mod number;
pub(super) mod overloaded;
pub(super) mod power;
pub(super) mod real;
pub(super) mod step;
pub(super) mod sub;
