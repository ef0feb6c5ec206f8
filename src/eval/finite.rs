//! All values of a type.
