//! Names that other languages have for what B writes otherwise.
//!
//! In: a name that is declared nowhere. Out: what B writes. Only names that can mean nothing else are here; what is
//! nearly a name of the machine is for "did you mean".

/// The name, and the advice.
const FOREIGN: &[(&[&str], &str)] = &[
    (&["true", "True"], "truth values are written `TRUE` and `FALSE`; the true predicate is `1 = 1`"),
    (&["false", "False"], "truth values are written `TRUE` and `FALSE`; the false predicate is `1 = 0`"),
    (&["Bool", "Boolean", "boolean", "BOOLEAN"], "the set of truth values is `BOOL`"),
    (
        &["Int", "int", "Integer", "integer"],
        "the integers are `INTEGER`; `INT` is those from MININT to MAXINT",
    ),
    (&["Nat", "nat", "Natural"], "the naturals are `NATURAL`; `NAT` is those up to MAXINT"),
    (&["String", "string"], "the set of strings is `STRING`"),
    (
        &["sum", "Sum", "SUM"],
        "a sum is written `SIGMA(x).(x : S | E)`: of a function, `SIGMA(x).(x : dom(f) | f(x))`",
    ),
    (&["product", "Product"], "a product is written `PI(x).(x : S | E)`"),
    (&["abs"], "the absolute value is `max({x, -x})`"),
    (&["length", "len", "Len", "count"], "a sequence has `size(s)` members, a set `card(s)`"),
    (&["cardinality", "Cardinality"], "the number of members of a set is `card(s)`"),
    (&["head", "Head"], "the first member of a sequence is `first(s)`"),
    (&["Tail"], "a sequence without its first member is `tail(s)`"),
    (&["domain", "DOMAIN"], "the domain of a relation is `dom(r)`"),
    (&["range"], "the range of a relation is `ran(r)`"),
    (&["inverse"], "the inverse of a relation is `r~`"),
    (&["powerset", "PowerSet", "SUBSET", "Powerset"], "the set of the subsets of S is `POW(S)`"),
    (&["emptyset", "EmptySet", "empty"], "the empty set is `{}`"),
    (
        &["null", "NULL", "nil", "None", "none"],
        "B has no such value: a partial function `+->` is not defined everywhere, or a set gets an element for it",
    ),
];

/// What B writes.
pub(super) fn meant(name: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(names, _)| names.contains(&name)).map(|(_, help)| *help)
}
