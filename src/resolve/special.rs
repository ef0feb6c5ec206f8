//! Definitions whose name has a meaning: settings, sizes of sets, the goal.
//!
//! In: the definitions of the main machine. Out: the settings of the flat machine; notes on special
//! definitions that are known and have no effect. Display definitions are not even looked at.

use super::definitions::{Definitions, machine};
use super::flat::{Flat, Stated};
use super::flatten::set_named;
use super::fold;
use super::formula::Resolver;
use super::idle;
use super::scope::Scope;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::syntax::ast::{DefBody, Ident, Node, NodeKind};
use num_traits::ToPrimitive as _;

const PREFERENCE: &str = "SET_PREF_";

/// Preferences about how other tools search or check; they cannot change what is computed here.
const NOTED: &[&str] = &["TRY_FIND_ABORT", "IGNORE_PRJ_TYPES", "REQUIRE_OUTPUT_ASSIGNMENT"];

/// Preferences that have a meaning here.
const KNOWN: &[&str] = &[
    "ALLOW_LOCAL_OPERATION_CALLS",
    "ALLOW_SIMULTANEOUS_ASSIGNMENTS",
    "DEFAULT_SETSIZE",
    "MAXINT",
    "MININT",
    "SHOW_EVENTB_ANY_VALUES",
    "SYMBOLIC",
];

/// Preferences of other tools about how they search, show and store; none changes what is computed here.
const ELSEWHERE: &[&str] = &[
    "CHR",
    "CLPFD",
    "COMPRESSION",
    "CSE",
    "CSE_PRED_ONLY",
    "CSE_SUBST",
    "DATA_VALIDATION_MODE",
    "DETECT_LAMBDAS",
    "DISPROVER_MODE",
    "DOUBLE_EVALUATION",
    "DOT_LOOPS",
    "ENUMERATE_INFINITE_TYPES",
    "EXPAND_CLOSURES_FOR_STATE",
    "EXPAND_FORALL_UPTO",
    "FORGET_STATE_SPACE",
    "INVARIANT_CHECKING",
    "KODKOD",
    "KODKOD_MAX_NR_SOLS",
    "KODKOD_RAISE_WARNINGS",
    "KODKOD_SAT_SOLVER",
    "KODKOD_SYMMETRY",
    "LIFT_EXISTS",
    "LTSMIN",
    "MAX_DISPLAY_SET",
    "MAX_INITIALISATIONS",
    "MAX_OPERATIONS",
    "MEMO",
    "MEMOIZE_FUNCTIONS",
    "OPERATION_REUSE",
    "OPTIMIZE_AST",
    "PARTITION_PROPERTIES",
    "PERFORMANCE_INFO",
    "PP_SEQUENCES",
    "PROOF_INFO",
    "RAISE_ABORT_IMMEDIATELY",
    "RANDOMISE_ENUMERATION_ORDER",
    "RANDOMISE_OPERATION_ORDER",
    "RECURSIVE",
    "SAFETY_MODEL_CHECK",
    "SMT",
    "SMT_SUPPORTED_INTERPRETER",
    "STATIC_SYMMETRY_DETECTION",
    "STRICT_RAISE_ENUM_WARNINGS",
    "STRICT_RAISE_WARNINGS",
    "SYMMETRY_MODE",
    "TIME_OUT",
    "TRACE_INFO",
    "TRACE_UPON_ERROR",
    "USE_COMMON_SUBEXPRESSION_ELIMINATION",
    "USE_IGNORE_PRAGMAS",
    "USE_PO",
    "USE_RECORD_CONSTRUCTION",
    "USE_SCOPE_PREDICATE",
    "WARN_WHEN_EXPANDING_INFINITE_CLOSURES",
    "WARN_IF_DEFINITION_HIDES_VARIABLE",
];

/// Beginnings of names of definitions that only draw pictures; their text may be in a notation of its own.
const PICTURES: &[&str] = &["ANIMATION_", "CUSTOM_GRAPH", "VISB_"];

/// Definitions whose text is no B: an error whether or not they are used, but for pictures.
pub(super) fn unreadable(definitions: &Definitions) -> impl Iterator<Item = Diagnostic> {
    definitions.all().filter_map(|def| {
        let DefBody::Unreadable(error) = &def.body else { return None };
        let picture = PICTURES.iter().any(|prefix| def.name.name.starts_with(prefix));
        // Nobody looks at pictures, which has a note of its own.
        (!picture).then(|| error.as_ref().clone())
    })
}

/// Whether the machine's own operations may be called.
pub(super) fn local_calls(definitions: &Definitions) -> bool {
    value(definitions, "SET_PREF_ALLOW_LOCAL_OPERATION_CALLS").and_then(|n| fold::truth(&n)).unwrap_or(false)
}

/// The expanded body of a definition without parameters; errors in it are nobody's business here.
fn value(definitions: &Definitions, name: &str) -> Option<Node> {
    let def = definitions.get(name).filter(|d| d.params.is_empty())?;
    let DefBody::Formula(body) = &def.body else { return None };
    let mut errors = Vec::new();
    let (node, _) = machine::formula(body.clone(), definitions, &mut errors);
    errors.is_empty().then_some(node)
}

/// Reads all special definitions.
pub(super) fn read(flat: &mut Flat, scope: &Scope, definitions: &Definitions) {
    let named = |wanted: &dyn Fn(&str) -> bool| -> Vec<&Ident> {
        definitions.all().filter(|d| wanted(&d.name.name)).map(|d| &d.name).collect()
    };
    for (group, wanted) in IDLE {
        flat.notes.extend(idle::note(*group, named(wanted)));
    }
    for def in definitions.all() {
        let name = &*def.name.name;
        if name == "GOAL" {
            flat.goal = predicate(flat, scope, definitions, &def.name, "");
        } else if let Some(set) = name.strip_prefix("scope_") {
            scope_of(flat, scope, definitions, &def.name, set);
        } else if let Some(set) = name.strip_prefix("FORCE_SYMMETRY_") {
            force_symmetry(flat, scope, definitions, &def.name, set);
        } else if let Some(preference) = name.strip_prefix(PREFERENCE) {
            read_preference(flat, definitions, &def.name, preference);
        } else if name == "SCOPE" {
            // States in which it is false are checked, and not left.
            let honoured = predicate(flat, scope, definitions, &def.name, " (all states are explored)");
            flat.scope = honoured.map(|p| (p, def.name.span));
        } else if name.starts_with("ASSERT_LTL") || name.starts_with("ASSERT_CTL") {
            let value = value(definitions, name);
            let string = value.filter(|v| matches!(v.kind, NodeKind::Str(_)));
            let why = if string.is_some() { "" } else { ": it must be a string, without parameters" };
            not_checked(flat, &def.name, &format!("the temporal formula `{name}`{why}"));
            flat.temporal.push(Stated {
                name: def.name.clone(),
                branching: name.starts_with("ASSERT_CTL"),
                text: string.map(|s| s.span),
            });
        }
    }
}

/// Definitions that are known and change nothing here, told once for each group.
const IDLE: &[(idle::Group, &dyn Fn(&str) -> bool)] = &[
    (idle::Group::Pictures, &|name| PICTURES.iter().any(|prefix| name.starts_with(prefix))),
    (idle::Group::Order, &|name| name == "HEURISTIC_FUNCTION"),
    (idle::Group::Permuted, &|name| name.starts_with("FORCE_SYMMETRY_")),
    (idle::Group::Limits, &|name| name.starts_with("MAX_OPERATIONS_")),
    (idle::Group::Preferences, &|name| {
        let preference = name.strip_prefix(PREFERENCE);
        preference.is_some_and(|p| ELSEWHERE.contains(&p) || NOTED.contains(&p))
    }),
];

/// A property that the file states and that no run decides.
fn not_checked(flat: &mut Flat, at: &Ident, what: &str) {
    flat.notes.push(Diagnostic::warning(Code::NotChecked, at.span, format!("not checked: {what}")));
}

fn note(flat: &mut Flat, at: &Ident, text: &str) {
    flat.notes.push(Diagnostic::note(Code::Ignored, at.span, text));
}

/// The predicate that a definition is, of which `otherwise` follows if it is none; else a warning that it is not checked.
fn predicate(
    flat: &mut Flat,
    scope: &Scope,
    definitions: &Definitions,
    at: &Ident,
    otherwise: &str,
) -> Option<Node> {
    let Some(node) = value(definitions, &at.name) else {
        not_checked(flat, at, &format!("`{}`, which is no predicate{otherwise}", at.name));
        return None;
    };
    let uses = std::collections::BTreeMap::new();
    let mut resolver = Resolver::new(scope, &uses, Vec::new());
    let node = resolver.formula(node);
    let Some(error) = resolver.errors.first() else { return Some(node) };
    let text = format!("not checked: `{}`, which has an error: {}", at.name, error.message);
    let place = error.span.unwrap_or(at.span);
    flat.notes.push(Diagnostic::warning(Code::NotChecked, at.span, text).with_other(place, "here"));
    None
}

/// `scope_S == n` or `scope_S == a..b`.
fn scope_of(flat: &mut Flat, scope: &Scope, definitions: &Definitions, at: &Ident, set: &str) {
    let size = value(definitions, &at.name).and_then(|node| match fold::interval(&node) {
        Some((lo, hi)) => (hi - lo + 1_u32).to_u32(),
        None => fold::integer(&node)?.to_u32(),
    });
    let Some(index) = set_named(scope, set) else {
        return note(flat, at, &format!("`{}` is ignored: there is no set `{set}`", at.name));
    };
    let enumerated = flat.sets.get(usize::from(index)).is_some_and(|s| s.elements.is_some());
    match size.filter(|n| *n > 0) {
        _ if enumerated => {
            note(flat, at, &format!("`{}` is ignored: the elements of `{set}` have names", at.name));
        }
        Some(size) => flat.settings.scopes.push((index, size)),
        None => note(flat, at, &format!("`{}` is ignored: it is no positive number or interval", at.name)),
    }
}

fn force_symmetry(flat: &mut Flat, scope: &Scope, definitions: &Definitions, at: &Ident, set: &str) {
    let wanted = value(definitions, &at.name).and_then(|n| fold::truth(&n)) != Some(false);
    match set_named(scope, set) {
        Some(index) if wanted => flat.settings.force_symmetry.push(index),
        Some(_) => {}
        None => note(flat, at, &format!("`{}` is ignored: there is no set `{set}`", at.name)),
    }
}

fn read_preference(flat: &mut Flat, definitions: &Definitions, at: &Ident, preference: &str) {
    let node = value(definitions, &at.name);
    let number = node.as_ref().and_then(fold::integer);
    let truth = node.as_ref().and_then(fold::truth);
    let settings = &mut flat.settings;
    let understood = match preference {
        "MAXINT" => store(&mut settings.maxint, number.and_then(|n| n.to_i64())),
        "MININT" => store(&mut settings.minint, number.and_then(|n| n.to_i64())),
        "DEFAULT_SETSIZE" => {
            store(&mut settings.default_set_size, number.and_then(|n| n.to_u32()).filter(|n| *n > 0))
        }
        "SHOW_EVENTB_ANY_VALUES" => set(&mut settings.show_any, truth),
        "ALLOW_SIMULTANEOUS_ASSIGNMENTS" => set(&mut settings.simultaneous, truth),
        "SYMBOLIC" => set(&mut settings.symbolic, truth),
        "ALLOW_LOCAL_OPERATION_CALLS" => truth.is_some(),
        _ if NOTED.contains(&preference) || ELSEWHERE.contains(&preference) => return,
        _ => {
            let text = format!("`{}` is ignored: there is no preference of this name", at.name);
            let known = KNOWN.iter().chain(NOTED).chain(ELSEWHERE).copied();
            let near =
                suggest::nearest(preference, known).map(|n| format!("did you mean `{PREFERENCE}{n}`?"));
            let d = Diagnostic::warning(Code::Ignored, at.span, text);
            flat.notes.push(match near {
                Some(help) => d.with_help(help),
                None => d,
            });
            return;
        }
    };
    if !understood {
        let text = format!("`{}` is ignored: its value is not understood", at.name);
        flat.notes.push(Diagnostic::warning(Code::Ignored, at.span, text));
    }
}

fn store<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    let understood = value.is_some();
    if understood {
        *slot = value;
    }
    understood
}

fn set(slot: &mut bool, value: Option<bool>) -> bool {
    *slot = value.unwrap_or(*slot);
    value.is_some()
}
