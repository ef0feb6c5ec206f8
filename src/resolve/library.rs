//! Definition files of the standard library that are known without a file on disk.
//!
//! In: a file name. Out: declarations, so that machines may use the functions by name. The meanings are
//! elsewhere: printing and observing helpers mean the body given here, all others the row of their name
//! in `ops::external` (a function without a row is refused when it is used, whatever its body).

use std::fmt::Write as _;

/// What a declared function yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A value; the body is never used unless it is the first argument passed through.
    Function,
    /// A truth value; the body is true.
    Predicate,
    /// A substitution; the body does nothing.
    Substitution,
}

use Kind::{Function, Predicate, Substitution};

/// Name, kind, number of parameters, and the parameter whose value is passed through.
type Row = (&'static str, Kind, usize, Option<usize>);

const IO: &[Row] = &[
    ("printf", Predicate, 2, None),
    ("fprintf", Predicate, 3, None),
    ("iprintf", Predicate, 2, None),
    ("tprintf", Predicate, 2, None),
    ("printf1", Predicate, 2, None),
    ("printf_nonvar", Predicate, 2, None),
    ("printf_opt_trace", Predicate, 3, None),
    ("vprintf", Function, 2, Some(1)),
    ("fvprintf", Function, 3, Some(2)),
    ("observe", Predicate, 1, None),
    ("observe_silent", Predicate, 1, None),
    ("observe_indent", Predicate, 1, None),
    ("observe_fun", Predicate, 1, None),
    ("tobserve", Predicate, 1, None),
    ("ENUMERATE", Predicate, 1, None),
    ("DO_NOT_ENUMERATE", Predicate, 1, None),
    ("SET_PREF", Predicate, 2, None),
    ("TRACE", Predicate, 1, None),
    ("PRINT", Substitution, 1, None),
    ("PRINTF", Substitution, 2, None),
    ("FPRINTF", Substitution, 3, None),
    ("PRINT_BT", Substitution, 1, None),
    ("DEBUG_PRINT_STATE", Substitution, 1, None),
    ("SEE", Substitution, 1, None),
    ("SEEN", Substitution, 1, None),
    ("ADD_ERROR", Substitution, 2, None),
    ("ASSERT_TRUE", Predicate, 2, None),
    ("ASSERT_EXPR", Function, 3, None),
    ("CHOOSE", Function, 1, None),
    ("TIME", Function, 1, None),
    ("TIMESTAMP", Function, 6, None),
    ("TIMESTAMP_INFO", Function, 2, None),
    ("DELTA_WALLTIME", Function, 0, None),
    ("ARGV", Function, 1, None),
    ("ARGC", Function, 0, None),
    ("READ_LINE", Function, 1, None),
    ("READ_FILE_AS_STRINGS", Function, 1, None),
    ("GET_CODE", Function, 1, None),
    ("GET_CODE_STDIN", Function, 0, None),
    ("GET_INFO", Function, 1, None),
    ("EOF", Predicate, 1, None),
    ("EOF_STDIN", Predicate, 1, None),
    ("CURRENT_FILE_POSITION", Function, 1, None),
];

const STRINGS: &[Row] = &[
    ("STRING_LENGTH", Function, 1, None),
    ("STRING_APPEND", Function, 2, None),
    ("STRING_CONC", Function, 1, None),
    ("STRING_SPLIT", Function, 2, None),
    ("STRING_JOIN", Function, 2, None),
    ("STRING_CHARS", Function, 1, None),
    ("STRING_CODES", Function, 1, None),
    ("CODES_TO_STRING", Function, 1, None),
    ("STRING_CONTAINS_STRING", Function, 2, None),
    ("STRING_REPLACE", Function, 3, None),
    ("STRING_REV", Function, 1, None),
    ("STRING_EQUAL_CASE_INSENSITIVE", Predicate, 2, None),
    ("STRING_TO_UPPER", Function, 1, None),
    ("STRING_TO_LOWER", Function, 1, None),
    ("STRING_TO_INT", Function, 1, None),
    ("STRING_IS_INT", Predicate, 1, None),
    ("STRING_IS_DECIMAL", Predicate, 1, None),
    ("STRING_IS_NUMBER", Predicate, 1, None),
    ("STRING_IS_ALPHANUMERIC", Predicate, 1, None),
    ("STRING_PADLEFT", Function, 3, None),
    ("STRING_TO_ENUM", Function, 1, None),
    ("DEC_STRING_TO_INT", Function, 2, None),
    ("INT_TO_STRING", Function, 1, None),
    ("INT_TO_DEC_STRING", Function, 2, None),
    ("INT_TO_HEX_STRING", Function, 1, None),
    ("SUB_STRING", Function, 3, None),
    ("TO_STRING", Function, 1, None),
    ("FORMAT_TO_STRING", Function, 2, None),
];

const MATH: &[Row] = &[
    ("SIN", Function, 1, None),
    ("COS", Function, 1, None),
    ("TAN", Function, 1, None),
    ("SINx", Function, 2, None),
    ("COSx", Function, 2, None),
    ("TANx", Function, 2, None),
    ("LOGx", Function, 3, None),
    ("GCD", Function, 2, None),
    ("MSB", Function, 1, None),
    ("ABS", Function, 1, None),
    ("SIGN", Function, 1, None),
    ("FDIV", Function, 2, None),
    ("CDIV", Function, 2, None),
    ("SQRT", Function, 1, None),
];

const CHOICES: &[Row] =
    &[("CHOOSE", Function, 1, None), ("MU", Function, 1, None), ("MU_WITH_DEFAULT", Function, 2, None)];

const SORTING: &[Row] =
    &[("SORT", Function, 1, None), ("SQUASH", Function, 1, None), ("REPLACE", Function, 3, None)];

const GRAPHS: &[Row] = &[("SCCS", Function, 1, None), ("CLOSURE1", Function, 1, None)];

const BITS: &[Row] = &[
    ("BNOT", Function, 1, None),
    ("BAND", Function, 2, None),
    ("BOR", Function, 2, None),
    ("BXOR", Function, 2, None),
    ("BLSHIFT", Function, 2, None),
    ("BRSHIFT", Function, 2, None),
];

const PATTERNS: &[Row] = &[
    ("IS_REGEX", Predicate, 1, None),
    ("REGEX_MATCH", Predicate, 2, None),
    ("REGEX_IMATCH", Predicate, 2, None),
    ("REGEX_REPLACE", Function, 3, None),
    ("REGEX_IREPLACE", Function, 3, None),
    ("REGEX_SEARCH", Function, 3, None),
    ("REGEX_ISEARCH", Function, 3, None),
    ("REGEX_SEARCH_STR", Function, 2, None),
    ("REGEX_ISEARCH_STR", Function, 2, None),
    ("REGEX_SEARCH_ALL", Function, 2, None),
    ("REGEX_ISEARCH_ALL", Function, 2, None),
];

const HASHES: &[Row] =
    &[("HASH", Function, 1, None), ("SHA_HASH", Function, 1, None), ("SHA_HASH_HEX", Function, 1, None)];

const DISK: &[Row] = &[
    ("FILE_EXISTS", Predicate, 1, None),
    ("DIRECTORY_EXISTS", Predicate, 1, None),
    ("FILE_PROPERTY", Predicate, 2, None),
    ("DIRECTORY_PROPERTY", Predicate, 2, None),
    ("FILE_PROPERTY_VALUE", Function, 2, None),
    ("DIRECTORY_PROPERTY_VALUE", Function, 2, None),
    ("FILES", Function, 1, None),
    ("FULL_FILES", Function, 1, None),
    ("DIRECTORIES", Function, 1, None),
    ("FULL_DIRECTORIES", Function, 1, None),
];

const CHANCE: &[Row] = &[
    ("RANDOM", Function, 2, None),
    ("random_element", Function, 1, None),
    ("random_subset", Function, 1, None),
    ("random_permutation", Function, 1, None),
    ("random_ordering", Function, 1, None),
    ("normal", Function, 2, None),
];

const FILES: &[(&str, &[&[Row]])] = &[
    ("LibraryIO.def", &[IO]),
    ("LibraryStrings.def", &[STRINGS]),
    ("LibraryMath.def", &[MATH]),
    ("CHOOSE.def", &[CHOICES]),
    ("SORT.def", &[SORTING]),
    ("SCCS.def", &[GRAPHS]),
    ("LibraryBits.def", &[BITS]),
    ("LibraryRegex.def", &[PATTERNS]),
    ("LibraryHash.def", &[HASHES]),
    ("LibraryFiles.def", &[DISK]),
    ("LibraryRandom.def", &[CHANCE]),
];

/// The declarations of a file, or `None` if it is not known.
pub(super) fn text(name: &str) -> Option<String> {
    let (_, groups) = FILES.iter().find(|(file, _)| *file == name)?;
    let mut out = String::from("DEFINITIONS\n");
    for (name, kind, arity, through) in groups.iter().copied().flatten() {
        let params: Vec<String> = (0..*arity).map(|i| format!("p{i}")).collect();
        let list = if params.is_empty() { String::new() } else { format!("({})", params.join(",")) };
        let (word, body) = match (kind, through) {
            (Function, Some(i)) => ("FUNCTION", format!("p{i}")),
            (Function, None) => ("FUNCTION", "0".to_owned()),
            (Predicate, _) => ("PREDICATE", "0=0".to_owned()),
            (Substitution, _) => ("SUBSTITUTION", "skip".to_owned()),
        };
        let _ = writeln!(out, "EXTERNAL_{word}_{name} == 0;\n{name}{list} == {body};");
    }
    Some(out)
}
