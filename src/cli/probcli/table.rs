//! The switches of `probcli`, a row each: names, arguments, what bsym makes of it, a line of help.
//!
//! In: nothing. Out: rows. Help, docs/probcli.md and the translation (`wanted`) read these and know no other switch. Preferences (`-p`)
//! have a table of their own (`preferences`).

use super::wanted::{Part, Task};

/// What bsym makes of a switch.
#[derive(Clone, Copy)]
pub(super) enum Means {
    /// Something of its own; the words say what.
    Do(Task, &'static str),
    /// An option of `check`, in which arguments stand in braces.
    Check(&'static str),
    /// An option of every command that runs.
    World(&'static str),
    /// Nothing: the answer is the same without it.
    Ignored,
    /// Nothing, and the answer would be another one.
    Refused,
}

/// A switch.
pub(super) struct Switch {
    /// Its names, without the dash, and with `_` for a dash inside.
    pub names: &'static [&'static str],
    /// Its arguments; `N` is a number, one in brackets is left out where the word has a dot.
    pub arguments: &'static [&'static str],
    /// What bsym makes of it.
    pub means: Means,
    /// What it says, why it is ignored, or what to do instead.
    pub help: &'static str,
}

const fn row(
    names: &'static [&'static str],
    arguments: &'static [&'static str],
    means: Means,
    help: &'static str,
) -> Switch {
    Switch { names, arguments, means, help }
}

use Means::{Check, Do, Ignored, Refused, World};

/// All of them: what to do, what to leave out, sizes and limits, files to write, how to end; then what is ignored, then what is refused.
pub(super) const SWITCHES: &[Switch] = &[
    row(&["mc"], &["N"], Do(Task::ModelCheckAtMost, "check --max-states=N"), "check at most N states"),
    row(&["model_check"], &[], Do(Task::ModelCheck, "check"), "check all states"),
    row(
        &["mc_with_tlc", "mc_with_lts_seq", "mc_with_lts_sym"],
        &[],
        Do(Task::OtherChecker, "check"),
        "the same: bsym is the model checker",
    ),
    row(
        &["init", "initialise"],
        &[],
        Do(Task::Init, "simulate --walks=1 --steps=0"),
        "give constants and variables their first values, and check these",
    ),
    row(&["animate"], &["N"], Do(Task::Walk, "simulate --walks=1 --steps=N"), "take N steps by chance"),
    row(
        &["animate_all"],
        &[],
        Do(Task::WalkOn, "simulate --walks=1 --no-deadlock"),
        "take steps by chance until none is possible",
    ),
    row(&["execute"], &["N"], Do(Task::Walk, "simulate --walks=1 --steps=N"), "take N steps"),
    row(
        &["execute_all"],
        &[],
        Do(Task::WalkOn, "simulate --walks=1 --no-deadlock"),
        "take steps until none is possible",
    ),
    row(
        &["assertions", "cbc_assertions", "main_assertions"],
        &[],
        Do(Task::Assertions, "check, without the other properties"),
        "check the ASSERTIONS in all reachable states, with all values of the constants",
    ),
    row(&["ltlformula"], &["F"], Do(Task::Ltl, "check --ltl=F"), "decide a formula of linear time"),
    row(&["ctlformula"], &["F"], Do(Task::Ctl, "check --ctl=F"), "decide a formula of branching time"),
    row(
        &["ltlassertions"],
        &[],
        Do(Task::Stated, "check"),
        "decide the formulas that the machine states (ASSERT_LTL, ASSERT_CTL)",
    ),
    row(
        &["ltlfile"],
        &["FILE"],
        Do(Task::LtlFile, "check --ltl=F for each"),
        "decide the formulas of a file: `[name]` begins one, `#` a comment",
    ),
    row(
        &["refchk"],
        &["FILE"],
        Do(Task::Refines, "refine --against=traces"),
        "check that the machine refines that of FILE, which it names in REFINES",
    ),
    row(
        &["trace_replay"],
        &["FORMAT", "FILE"],
        Do(Task::Replay, "trace"),
        "replay a trace in a file: json for `.prob2trace`; `.itf.json`",
    ),
    row(
        &["t"],
        &[],
        Do(Task::ReplayBeside, "trace"),
        "replay the trace beside the machine: `M.prob2trace` for `M.mch`",
    ),
    row(&["eval"], &["E"], Do(Task::Eval, "eval"), "evaluate a formula in the first initial state"),
    row(&["repl", "i"], &[], Do(Task::Repl, "repl"), "explore by hand; lines come from standard input"),
    row(
        &["nodead", "no_dead", "no_deadlock"],
        &[],
        Do(Task::Without(Part::Deadlock), "--no-deadlock"),
        "deadlocks are no violations",
    ),
    row(
        &["noinv", "no_inv"],
        &[],
        Do(Task::Without(Part::Invariant), "--no-invariant"),
        "do not check the invariant",
    ),
    row(
        &["noass", "no_ass"],
        &[],
        Do(Task::Without(Part::Assertions), "--no-assertions"),
        "do not check the assertions",
    ),
    row(&["nogoal", "no_goal"], &[], Do(Task::Without(Part::Goal), "--no-goal"), "do not look for the goal"),
    row(
        &["noltl", "no_ltl"],
        &[],
        Do(Task::Without(Part::Formulas), "--no-formulas"),
        "do not decide the formulas that the machine states",
    ),
    row(&["goal"], &["P"], Do(Task::Goal, "--goal=P"), "look for a state with this property"),
    row(&["scope"], &["P"], Check("--scope={P}"), "do not leave states in which this is false"),
    row(&["card"], &["S", "N"], World("--card={S}={N}"), "the size of a deferred set"),
    row(&["p", "pref"], &["PREF", "VALUE"], Do(Task::Preference, "see the preferences"), "set a preference"),
    row(
        &["symm"],
        &["MODE"],
        Do(Task::Symmetry, "--symmetry"),
        "off, flood, nauty (`canon`), hash (`markers`)",
    ),
    row(&["c", "coverage"], &[], Check("--coverage"), "say which conjuncts decide nothing"),
    row(
        &["check_op_cover"],
        &[],
        Check("--require-coverage"),
        "an operation that is never possible is a violation",
    ),
    row(
        &["ltllimit"],
        &["N"],
        Do(Task::LtlLimit, "check --max-states=N"),
        "most states for formulas, unless `-mc` says more",
    ),
    row(
        &["timeout", "global_time_out"],
        &["N"],
        Do(Task::Timeout, "--timeout=Nms"),
        "most milliseconds for all that is to be done",
    ),
    row(
        &["disable_timeout", "disable_time_out"],
        &[],
        Check("--property-timeout=0s"),
        "no limit of time for a single property",
    ),
    row(
        &["his"],
        &["FILE"],
        Do(Task::History, "check --trace-out=FILE"),
        "write the trace that was found: `.prob2trace`, `.itf.json`, else a step on each line",
    ),
    row(
        &["sptxt"],
        &["FILE"],
        Do(Task::State, "the last state of check or simulate"),
        "write the values of constants and variables in the state that was found, of steps by chance the last",
    ),
    row(
        &["spdot"],
        &["FILE"],
        Do(Task::Graph, "graph --symmetry=off --out=FILE"),
        "write the state graph: `.dot`, `.svg`, `.aut`, `.json`",
    ),
    row(
        &["dot"],
        &["[COMMAND]", "FILE"],
        Do(Task::GraphCommand, "graph --symmetry=off --out=FILE"),
        "the same; of the commands there is state_space",
    ),
    row(
        &["dotexpr"],
        &["COMMAND", "E", "FILE"],
        Do(Task::Projection, "graph --symmetry=off --project=E --out=FILE"),
        "write a projection of it: transition_diagram, state_space_projection",
    ),
    row(
        &["junit"],
        &["DIR"],
        Do(Task::Junit, "check --format=junit"),
        "also write the report of the check to DIR, as JUnit XML",
    ),
    row(
        &["expcterr", "expecterr", "expcterrpass"],
        &["ERR"],
        Do(Task::Expect, "the exit code"),
        "end with 0 if this error was found, and with another code if not",
    ),
    row(
        &["strict"],
        &[],
        Do(Task::Nothing, "as always"),
        "what is violated or not known always has an exit code of its own",
    ),
    row(&["v", "vv", "verbose"], &[], Check("--verbose"), "say more"),
    row(&["silent", "q"], &[], Check("--quiet"), "show no progress"),
    row(&["version"], &[], Do(Task::Version, "--version"), "the version of bsym"),
    row(&["help", "h"], &[], Do(Task::Help, "this list"), "list the switches"),
    row(&["help_markdown"], &[], Do(Task::Markdown, "this list"), "the same as tables for a page"),
    row(
        &["translate"],
        &[],
        Do(Task::Translate, "what would be run"),
        "of bsym: say which commands these are, and run none",
    ),
    row(
        &["bf", "breadth"],
        &[],
        Do(Task::Nothing, "as always"),
        "states are taken in breadth first, so traces are shortest",
    ),
    row(&["df", "depth"], &[], Ignored, "bsym explores breadth first"),
    row(&["mc_mode"], &["MODE"], Ignored, "bsym explores breadth first"),
    row(&["hash64"], &["N"], Ignored, "it looks for one state of ProB's"),
    row(&["opreuse"], &[], Ignored, "how states are found does not change them"),
    row(&["ltsmin_option"], &["OPTION"], Ignored, "there is no LTSmin in it"),
    row(
        &["animate_stats", "execute_monitoring", "statistics", "stats", "time"],
        &[],
        Ignored,
        "the report has numbers and times",
    ),
    row(
        &["check_complete"],
        &[],
        Ignored,
        "a search that is not complete always has an exit code of its own",
    ),
    row(&["cache", "cache_storage"], &["DIR"], Ignored, "nothing is kept between runs"),
    row(&["his_option"], &["OPTION"], Ignored, "a history has all steps"),
    row(
        &["l", "log", "ll", "logxml", "logtlc"],
        &["FILE"],
        Ignored,
        "there is no log; `check --format=json` writes a report for programs",
    ),
    row(&["pref_group"], &["GROUP", "VALUE"], Ignored, "the groups are about ProB's solver"),
    row(
        &["profile", "prob_profile", "prob_statistics", "info", "debug"],
        &[],
        Ignored,
        "it is about ProB itself",
    ),
    row(&["no_color", "nocolor", "no_colour"], &[], Ignored, "reports have no colours"),
    row(&["release_java_parser"], &[], Ignored, "bsym has its own parser"),
    row(
        &["s", "port"],
        &["PORT"],
        Refused,
        "there is no socket server; `bsym lsp` serves editors, `bsym repl` takes lines",
    ),
    row(
        &["ss"],
        &[],
        Refused,
        "there is no socket server; `bsym lsp` serves editors, `bsym repl` takes lines",
    ),
    row(
        &["pp", "ppf", "ppb", "ppab"],
        &["FILE"],
        Refused,
        "`bsym show FILE --stage ir` shows the machine as it is evaluated",
    ),
    row(
        &["save", "save_state", "statespace"],
        &["FILE"],
        Refused,
        "`-spdot FILE.json` writes the state graph",
    ),
    row(&["load_state"], &["FILE"], Refused, "bsym reads no stored states: it explores again, which is fast"),
    row(
        &["det_check", "det_constants"],
        &[],
        Refused,
        "reports count valuations and initial states; `-ltlformula 'G deterministic(a, b)'` asks about operations",
    ),
    row(&["csv"], &["COMMAND", "FILE"], Refused, "`bsym check FILE --format json` has the numbers"),
    row(
        &["enabling_analysis", "feasibility_analysis"],
        &[],
        Refused,
        "`bsym check FILE --coverage` says what is never possible",
    ),
    row(
        &["enabling_analysis_csv", "feasibility_analysis_csv", "read_write_matrix_csv"],
        &["FILE"],
        Refused,
        "`bsym info FILE` says what operations read and change, `--coverage` what is never possible",
    ),
    row(&["cbc"], &["OPERATION"], Refused, "bsym looks at reachable states: use `-mc N`"),
    row(
        &["cbc_deadlock", "cbc_redundant_invariants"],
        &[],
        Refused,
        "bsym looks at reachable states: use `-mc N`, or `-coverage` for conjuncts that decide nothing",
    ),
    row(&["cbc_deadlock_pred"], &["P"], Refused, "bsym looks at reachable states: use `-mc N -goal P`"),
    row(&["cbc_refinement"], &[], Refused, "bsym looks at reachable states: `bsym refine FILE`"),
    row(
        &["cbc_sequence"],
        &["OPERATIONS"],
        Refused,
        "`-ctlformula` asks whether steps are possible: `EX [a] EX [b] true`",
    ),
    row(
        &["cbc_sequence_with_target"],
        &["OPERATIONS", "P"],
        Refused,
        "`-mc N -goal P` finds a way to a state",
    ),
    row(
        &["bmc", "kinduction", "tinduction", "ic3"],
        &["N"],
        Refused,
        "bsym looks at reachable states: use `-mc N`",
    ),
    row(&["symbolic_model_check"], &["ALGORITHM"], Refused, "bsym looks at reachable states: use `-mc N`"),
    row(
        &["cc"],
        &["N", "N"],
        Refused,
        "`bsym test FILE` compares counts with a line `expect: states=4 transitions=5` in the machine",
    ),
    row(
        &["mcm_tests", "cbc_tests"],
        &["DEPTH", "N", "P", "FILE"],
        Refused,
        "bsym generates no tests; `-goal P -his FILE` writes a way to a state",
    ),
    row(&["property"], &["P"], Refused, "`bsym check FILE --set CONSTANT=E` gives a constant its value"),
    row(&["prefs"], &["FILE"], Refused, "give each preference with `-p`"),
    row(
        &["animate_until_ltl", "animate_until_ltl_state_property"],
        &["F"],
        Refused,
        "`-ltlformula` decides a formula on all paths, `-goal P` finds a state",
    ),
    row(&["csp_main", "csp_guide"], &["NAME"], Refused, "bsym reads B only"),
    row(
        &["assertion"],
        &["P"],
        Refused,
        "`bsym check FILE --invariant P` checks one more predicate in all states",
    ),
    row(
        &["visb", "visb_with_vars"],
        &["FILE"],
        Refused,
        "`bsym check FILE --format html` writes a page with traces as pictures",
    ),
];

/// The switch of a word, with one dash or two.
pub(super) fn find(word: &str) -> Option<&'static Switch> {
    let name = bare(word);
    SWITCHES.iter().find(|s| s.names.contains(&name.as_str()))
}

/// A word without its dashes in front, with `_` for those inside.
pub(super) fn bare(word: &str) -> String {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).unwrap_or(word);
    name.replace('-', "_")
}
