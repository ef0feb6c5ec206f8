//! Texts that are long and not deep: conjunctions, disjunctions, lists and sequences of 200,000 members are read, typed,
//! evaluated and compiled, in time that grows with their length.

use super::bsym;
use serde_json::Value as Json;

const MANY: usize = 200_000;

/// The members of a list.
fn members(between: &str, member: impl Fn(usize) -> String) -> String {
    (0..MANY).map(member).collect::<Vec<_>>().join(between)
}

/// The report on a machine.
fn report(name: &str, text: &str) -> Json {
    let dir = std::env::temp_dir().join(format!("bsym-long-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder is made");
    let path = dir.join(format!("{name}.mch"));
    std::fs::write(&path, text).expect("a machine is written");
    let out = bsym(&["check", &path.display().to_string(), "--timeout", "100s", "--format", "json"]);
    let _ = std::fs::remove_dir_all(&dir);
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| {
        panic!("{name}: {e}: {:.300}", String::from_utf8_lossy(&out.stderr));
    })
}

fn holds(name: &str, text: &str, states: u64) {
    let report = report(name, text);
    assert_eq!((&report["verdict"], &report["states"]), (&"holds".into(), &states.into()), "{name}");
}

#[test]
fn conjunctions_of_any_length() {
    let unequal = members(" & ", |i| format!("x /= {}", i + 2));
    let text = format!(
        "MACHINE M VARIABLES x INVARIANT x : INTEGER & {unequal} INITIALISATION x := 0
         OPERATIONS flip = PRE {unequal} THEN x := 1 - x END END"
    );
    holds("conjunctions", &text, 2);
}

#[test]
fn properties_and_parameters_under_conjunctions_of_any_length() {
    let constant = members(" & ", |i| format!("c /= {}", i + 2));
    let parameter = members(" & ", |i| format!("p /= {}", i + 2));
    let text = format!(
        "MACHINE M CONSTANTS c PROPERTIES c = 1 & {constant} VARIABLES x INVARIANT x : 0..c
         INITIALISATION x := 0 OPERATIONS set(p) = PRE p : 0..3 & {parameter} THEN x := p END END"
    );
    holds("properties", &text, 3);
}

#[test]
fn disjunctions_of_any_length() {
    let equal = members(" or ", |i| format!("x = {i} - {}", MANY / 2));
    let text = equal_or_not(&equal);
    holds("disjunctions", &text, 2);
}

fn equal_or_not(equal: &str) -> String {
    format!(
        "MACHINE M VARIABLES x INVARIANT x : INTEGER & ({equal}) INITIALISATION x := 0
         OPERATIONS flip = SELECT {equal} THEN x := 1 - x END END"
    )
}

#[test]
fn lists_of_any_length() {
    let sums = members(",", |i| format!("x + {i}"));
    let names = members(",", |i| format!("e{i}"));
    let text = format!(
        "MACHINE M SETS S = {{{names}}} VARIABLES x INVARIANT x : {{{sums}}}
         ASSERTIONS size([{sums}]) = {MANY}; card(S) = {MANY} INITIALISATION x := 0
         OPERATIONS flip = x := 1 - x END"
    );
    holds("lists", &text, 2);
}

#[test]
fn substitutions_of_any_length() {
    let steps = members("; ", |i| format!("x := {}", (i + 1) % 2));
    let skips = members(" || ", |_| "skip".to_owned());
    let text = format!(
        "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION {steps}
         OPERATIONS one = BEGIN {steps} END; flip = BEGIN {skips} || x := 1 - x END END"
    );
    holds("substitutions", &text, 2);
}

#[test]
fn branches_of_any_length() {
    let elsif = members(" ", |i| format!("ELSIF x = {i} THEN x := {}", (i + 1) % 2));
    let when = members(" ", |i| format!("WHEN x = {i} THEN x := {}", (i + 1) % 2));
    let or = members(" ", |i| format!("OR {i} THEN x := {}", (i + 1) % 2));
    let text = format!(
        "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0
         OPERATIONS one = IF x < 0 THEN skip {elsif} END; two = SELECT x < 0 THEN skip {when} END;
           three = CASE x OF EITHER -1 THEN skip {or} END END END"
    );
    holds("branches", &text, 2);
}

/// Elements that nothing names are interchangeable: what is counted of them has a million digits.
#[test]
fn enumerations_of_any_length() {
    let names = members(",", |i| format!("e{i}"));
    let text = format!(
        "MACHINE M SETS S = {{{names}}} VARIABLES x INVARIANT x : S INITIALISATION x := e0 OPERATIONS go = x := e7 END"
    );
    holds("enumeration", &text, 2);
}

#[test]
fn records_and_lets_of_many_names() {
    let some = |between: &str, part: &dyn Fn(usize) -> String| {
        (0..MANY / 8).map(part).collect::<Vec<_>>().join(between)
    };
    let fields = some(", ", &|i| format!("f{i} : {i}"));
    let names = some(", ", &|i| format!("a{i}"));
    let equations = some(" & ", &|i| format!("a{} = {i}", MANY / 8 - 1 - i));
    let text = format!(
        "MACHINE M CONSTANTS r PROPERTIES r = rec({fields}) VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 0
         OPERATIONS go = LET {names} BE {equations} IN x := a3 END END"
    );
    holds("names", &text, 3);
}

/// Long sequences with choices among their parts have the outcomes that short ones have.
#[test]
fn long_sequences_may_have_choices() {
    let ups = vec!["x := x + 1"; 70].join("; ");
    let text = format!(
        "MACHINE M VARIABLES x, y INVARIANT x : NATURAL & y : NATURAL INITIALISATION x := 0 || y := 0
         OPERATIONS go = SELECT y = 0 THEN {ups};
           CHOICE x := x + 1 OR y := 5 OR SELECT x = 0 THEN x := 99 END END; {ups}; y := x + y END;
           stay = skip END"
    );
    // The beginning, and one state for each choice that is possible.
    holds("choices", &text, 3);
    let parallel = vec!["skip"; 70].join(" || ");
    let text = format!(
        "MACHINE M VARIABLES x, y INVARIANT x : 0..2 & y : 0..1 INITIALISATION x := 0 || y := 0
         OPERATIONS go = BEGIN {parallel} || x :: 0..2 || {parallel} || y :: {{1 - y}} END END"
    );
    holds("parallel", &text, 6);
}

#[test]
fn a_deep_text_is_still_refused() {
    let deep = format!("{}1{}", "(".repeat(2_000), ")".repeat(2_000));
    let long = vec!["1"; 30_000].join(" + ");
    for text in [deep, long] {
        let text = format!(
            "MACHINE M VARIABLES x INVARIANT x : INTEGER & x < {text} INITIALISATION x := 0 OPERATIONS o = skip END"
        );
        assert_eq!(report("deep", &text)["verdict"], "refused");
    }
}
