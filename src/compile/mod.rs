//! Compilation of dense machines to word programs.
