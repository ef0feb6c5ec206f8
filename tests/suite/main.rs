//! One binary for the tests that are no expectation of a single machine. See `tests/README.md`.

mod tidy;
