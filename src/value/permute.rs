//! Permutations of deferred elements acting on values.
