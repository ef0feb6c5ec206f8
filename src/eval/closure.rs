//! Comprehensions and lambdas as lazy sets.
