//! Values in B syntax.
