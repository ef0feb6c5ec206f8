//! `ProB`'s preferences (`-p NAME VALUE`), a row each: those that bsym has an option for, those that change nothing, those that would.
//!
//! In: a name and a value. Out: what is to be done. A name that stands nowhere here is refused: it may change the answer.

use super::table::Means;
use super::wanted::Task;
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Code, Diagnostic};

/// A preference.
pub(super) struct Preference {
    /// Its names.
    pub names: &'static [&'static str],
    /// What bsym makes of it; the value is `VALUE`.
    pub means: Means,
    /// What it says, why it is ignored, or what to do instead.
    pub help: &'static str,
}

const fn row(names: &'static [&'static str], means: Means, help: &'static str) -> Preference {
    Preference { names, means, help }
}

use Means::{Check, Do, Ignored, Refused, World};

/// All that are known.
pub(super) const PREFERENCES: &[Preference] = &[
    row(&["MAXINT"], World("--maxint={VALUE}"), "the largest implementable integer"),
    row(&["MININT"], World("--minint={VALUE}"), "the smallest"),
    row(
        &["DEFAULT_SETSIZE"],
        World("--card={VALUE}"),
        "the size of all deferred sets that nothing else gives a size",
    ),
    row(&["TIME_OUT"], Check("--property-timeout={VALUE}ms"), "milliseconds for one property in one state"),
    row(&["SYMMETRY_MODE"], Do(Task::Symmetry, "--symmetry"), "as `-symm`"),
    row(
        &[
            "MAX_INITIALISATIONS",
            "MAX_OPERATIONS",
            "MAX_DISPLAY_SET",
            "MAX_NR_OF_SOLUTIONS",
            "KODKOD_MAX_NR_SOLS",
        ],
        Ignored,
        "all are computed, however many there are",
    ),
    row(
        &["COMPRESSION", "FORGET_STATE_SPACE", "IGNORE_HASH_COLLISIONS"],
        Ignored,
        "how states are stored does not change them",
    ),
    row(
        &[
            "CLPFD",
            "CHR",
            "SMT",
            "SMT_SUPPORTED_INTERPRETER",
            "KODKOD",
            "KODKOD_ONLY_FULL",
            "KODKOD_SAT_SOLVER",
            "KODKOD_SYMMETRY",
            "STATIC_SYMMETRY_DETECTION",
            "SOLVER_STRENGTH",
            "SAT",
            "USE_CLPFD_SOLVER",
            "USE_CHR_SOLVER",
            "USE_SMT_MODE",
        ],
        Ignored,
        "bsym has its own search for values, and says what it left out",
    ),
    row(
        &[
            "CSE",
            "CSE_PRED",
            "CSE_SUBST",
            "OPTIMIZE_AST",
            "NORMALIZE_AST",
            "MEMO",
            "MEMOIZE_FUNCTIONS",
            "SYMBOLIC",
            "RECURSIVE",
            "USE_RECORD_CONSTRUCTION",
            "EXPAND_CLOSURES_FOR_STATE",
            "CONVERT_TYPES",
            "LIFT_EXISTS",
            "EXPAND_FORALL_UPTO",
            "DATA_VALIDATION",
            "DATA_VALIDATION_MODE",
            "STATIC_ORDERING",
            "PARTITION_PROPERTIES",
            "WARN_WHEN_EXPANDING_INFINITE_CLOSURES",
        ],
        Ignored,
        "how formulas are evaluated does not change their values",
    ),
    row(
        &[
            "OPERATION_REUSE",
            "POR",
            "PGE",
            "SAFETY_MODEL_CHECK",
            "PROOF_INFO",
            "USE_PO",
            "RANDOMISE_OPERATION_ORDER",
            "RANDOMISE_ENUMERATION_ORDER",
            "RANDOMISE_OPERATION_CHOICE",
        ],
        Ignored,
        "how states are found does not change them",
    ),
    row(
        &[
            "TRY_FIND_ABORT",
            "RAISE_ABORT_IMMEDIATELY",
            "DOUBLE_EVALUATION",
            "STRICT_RAISE_WARNINGS",
            "STRICT_RAISE_ENUM_WARNINGS",
            "DISPROVER_MODE",
        ],
        Ignored,
        "formulas without a value are always errors, and values that were left out always stand in the verdict",
    ),
    row(
        &[
            "ALLOW_INCOMPLETE_SETUP_CONSTANTS",
            "NUMBER_OF_ANIMATED_ABSTRACTIONS",
            "ALLOW_LOCAL_OPERATION_CALLS",
            "ALLOW_SIMULTANEOUS_ASSIGNMENTS",
            "REQUIRE_OUTPUT_ASSIGNMENT",
        ],
        Ignored,
        "docs/language.md says which machines are read, and how",
    ),
    row(
        &[
            "TRACE_INFO",
            "TRACE_UPON_ERROR",
            "PERFORMANCE_INFO",
            "STORE_DETAILED_TRANSITION_INFOS",
            "SHOW_EVENTB_ANY_VALUES",
            "REPL_CACHE_PARSING",
            "PRETTY_PRINT_TYPES",
            "USE_UNICODE",
            "JVM_PARSER_ARGS",
            "DOT_HORIZONTAL_LAYOUT",
            "DOT_NODE_COLOR",
            "DOT_ROOT",
            "DOT_COLORS",
            "DOT_USE_UNICODE",
            "DOT_LOOPS",
            "DOT_IDS",
        ],
        Ignored,
        "it is about how ProB shows things",
    ),
    row(
        &["USE_SCOPE_PREDICATE"],
        Refused,
        "`-scope P` gives a scope; a SCOPE definition of the machine always counts",
    ),
    row(&["ALLOW_UNTYPED_IDENTIFIERS"], Refused, "give every name a type: bsym guesses none"),
    row(
        &["ENUMERATE_INFINITE_TYPES"],
        Refused,
        "values of infinite types are always tried within bounds, and the verdict says so (exit code 5)",
    ),
];

/// The preference of a name, however it is written.
///
/// # Errors
/// There is none.
pub(super) fn find(name: &str) -> Result<&'static Preference, Diagnostic> {
    let wanted = name.to_ascii_uppercase();
    let known = PREFERENCES.iter().find(|p| p.names.contains(&wanted.as_str()));
    known.ok_or_else(|| {
        let all = PREFERENCES.iter().flat_map(|p| p.names.iter().copied());
        let text = format!("`-p {name}`: bsym does not know this preference, which may change the answer");
        let help = match nearest(&wanted, all) {
            Some(near) => format!("did you mean `{near}`? If it is about speed only, leave it out"),
            None => "if it is about speed only, leave it out; docs/probcli.md lists those that are known"
                .to_owned(),
        };
        Diagnostic::without_place(Code::BadOption, text).with_help(help)
    })
}
