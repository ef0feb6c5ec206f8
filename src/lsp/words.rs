//! One line for every keyword, and what the table of operators says of an operator.
//!
//! In: a word or an operator. Out: text for people.

use crate::ops::Op;
use crate::ops::table::TABLE;

/// Keywords that start a clause, with what stands in it.
pub(super) const CLAUSES: &[(&str, &str)] = &[
    ("MACHINE", "a machine with its name and parameters"),
    ("REFINEMENT", "a machine that says more exactly what another one does"),
    ("IMPLEMENTATION", "the last refinement, written like a program"),
    ("REFINES", "the machine that this one refines"),
    ("SEES", "machines whose sets, constants and variables may be read here"),
    ("USES", "machines that are included elsewhere and may be read here"),
    ("INCLUDES", "machines that become part of this one; their operations may be called"),
    ("EXTENDS", "as INCLUDES, and all their operations are operations of this machine"),
    ("IMPORTS", "machines on which this implementation is built"),
    ("PROMOTES", "operations of included machines that are operations of this one"),
    ("CONSTRAINTS", "what the parameters of the machine are"),
    ("SETS", "deferred sets (`S`) and enumerated ones (`S = {a, b}`)"),
    ("FREETYPES", "types that constructors build"),
    ("CONSTANTS", "names whose values do not change"),
    ("CONCRETE_CONSTANTS", "constants that an implementation can store"),
    ("ABSTRACT_CONSTANTS", "constants that are kept symbolic where possible"),
    ("PROPERTIES", "what the constants are"),
    ("VALUES", "the values of sets and constants in an implementation"),
    ("DEFINITIONS", "names for formulas and substitutions, put in place where they are used"),
    ("VARIABLES", "what the state of the machine is made of"),
    ("ABSTRACT_VARIABLES", "what the state of the machine is made of"),
    ("CONCRETE_VARIABLES", "variables that refinements keep"),
    ("INVARIANT", "what must hold in all states"),
    ("ASSERTIONS", "what follows from the invariant, checked in all states"),
    ("INITIALISATION", "how the variables begin"),
    ("OPERATIONS", "what can happen"),
    ("LOCAL_OPERATIONS", "operations that only this machine calls"),
];

/// Other keywords.
const OTHERS: &[(&str, &str)] = &[
    ("MODEL", "as MACHINE"),
    ("SYSTEM", "as MACHINE"),
    ("INITIALIZATION", "as INITIALISATION: how the variables begin"),
    ("EVENTS", "as OPERATIONS: what can happen"),
    ("skip", "nothing changes"),
    ("BEGIN", "`BEGIN S END` is S"),
    (
        "PRE",
        "`PRE P THEN S END`: an offered operation is possible where P holds; where it is called, P must hold",
    ),
    ("ASSERT", "`ASSERT P THEN S END`: S, and it is an error if P is false"),
    ("CHOICE", "`CHOICE S OR T END`: one of them"),
    (
        "SELECT",
        "`SELECT P THEN S WHEN Q THEN T ELSE U END`: one of those whose guard holds; without ELSE it may be impossible",
    ),
    ("IF", "`IF P THEN S ELSIF Q THEN T ELSE U END`: the first whose test holds; also between expressions"),
    ("CASE", "`CASE E OF EITHER a THEN S OR b THEN T ELSE U END END`: by the value of E"),
    ("ANY", "`ANY x WHERE P THEN S END`: S with some x for which P holds"),
    ("LET", "`LET x BE x = E IN S END`: S with x for the value of E; also between expressions"),
    ("VAR", "`VAR x IN S END`: S with a local that can be assigned"),
    (
        "WHILE",
        "`WHILE P DO S INVARIANT I VARIANT V END`: S while P holds; V decreases, I holds before each test",
    ),
    ("VARIANT", "a natural number that each round of the loop makes smaller"),
    ("SIGMA", "`SIGMA(x).(P | E)`: the sum of E for all x with P"),
    ("PI", "`PI(x).(P | E)`: the product of E for all x with P"),
    ("UNION", "`UNION(x).(P | E)`: the union of the sets E for all x with P"),
    ("INTER", "`INTER(x).(P | E)`: the intersection of the sets E for all x with P"),
    ("bool", "`bool(P)`: TRUE if P holds, else FALSE"),
    ("rec", "`rec(a: E, b: F)`: a record; `r'a` is a field"),
    ("struct", "`struct(a: S, b: T)`: the set of records with such fields"),
    ("or", "`P or Q`: one of them holds, or both"),
    ("not", "`not(P)`: P is false"),
    ("&", "`P & Q`: both hold"),
    ("=>", "`P => Q`: Q holds if P does"),
    ("<=>", "`P <=> Q`: both hold or none"),
    ("!", "`!x.(P => Q)`: for all x with P, Q holds"),
    ("#", "`#x.(P)`: there is an x for which P holds"),
    ("%", "`%x.(P | E)`: the function that gives E for each x with P"),
    (":=", "`x := E`: x gets the value of E"),
    ("::", "`x :: S`: x gets some element of S"),
    ("<--", "`r <-- op(a)`: a call with results"),
    ("||", "`S || T`: both at once"),
    ("$0", "`x$0`: the value of x before"),
];

/// What a keyword means.
pub(super) fn meaning(word: &str) -> Option<&'static str> {
    CLAUSES.iter().chain(OTHERS).find(|(w, _)| *w == word).map(|(_, text)| *text)
}

/// What the table says of an operator: types and an example.
pub(super) fn operator(op: Op) -> Option<String> {
    let row = TABLE.iter().find(|row| row.op == op)?;
    let types = if row.scheme == "*" { String::new() } else { format!(": {}", row.scheme) };
    let example = row.examples.first().map(|(a, b)| format!("; `{a}` is `{b}`"));
    Some(format!("operator `{}`{types}{}", row.spelling, example.unwrap_or_default()))
}

/// Whether a word is reserved.
pub(super) fn is_reserved(word: &str) -> bool {
    let late =
        matches!(word, "PREDICATES" | "EXPRESSIONS") || !crate::syntax::late_operators(word).is_empty();
    late || crate::syntax::token::Token::keyword(word).is_some()
}
