//! The laws of what is not known: what decides in spite of it, and what does not.
//!
//! In: formulas with a part that no search decides. Out: what `bsym eval` prints, and its exit code (5 where it is unknown).

use super::{bsym, report};

/// Neither a value nor the lack of one is ever found: there is none (Lebesgue 1869), for a reason that bsym does not know.
const OPEN: &str = "#(x, y).(x : INTEGER & y : INTEGER & x * x * x + 7 = y * y)";

/// The first word that is printed for a formula in which `@` stands for the open one, and the exit code.
fn eval(formula: &str) -> (String, Option<i32>) {
    let out = bsym(&["eval", "machines/basics/BigIntegers.mch", &formula.replace('@', OPEN)]);
    let text = String::from_utf8_lossy(&out.stdout);
    (text.split([':', '\n']).next().unwrap_or_default().to_owned(), out.status.code())
}

#[test]
fn what_is_known_decides() {
    for formula in ["@ & 1 = 2", "1 = 2 & @", "not(@ or 1 = 1)", "not(1 = 2 => @)", "1 = 2 & (@ <=> @)"] {
        assert_eq!(eval(formula), ("FALSE".into(), Some(0)), "{formula}");
    }
    let holding = [
        "@ or 1 = 1",
        "1 = 1 or @",
        "@ => 1 = 1",
        "1 = 2 => @",
        "2 : {x | x : {2} or @}",
        "{} = INTER(x).(x : NATURAL1 | {y | y : 1..100 & y mod x = 0})",
    ];
    for formula in holding {
        assert_eq!(eval(formula), ("TRUE".into(), Some(0)), "{formula}");
    }
}

#[test]
fn what_is_not_known_stays_so() {
    let formulas = [
        "@",
        "not(@)",
        "@ & 1 = 1",
        "1 = 1 & @",
        "@ or 1 = 2",
        "1 = 1 => @",
        "@ => 1 = 2",
        "@ <=> 1 = 1",
        "bool(@)",
        "IF @ THEN 1 ELSE 2 END",
        "!(x, y).(x : INTEGER & y : INTEGER => x * x * x + 7 /= y * y)",
        "SIGMA(x).(x : NATURAL | x)",
    ];
    for formula in formulas {
        assert_eq!(eval(formula), ("unknown".into(), Some(5)), "{formula}");
    }
}

#[test]
fn what_is_found_beyond_a_window_decides() {
    let formulas = [
        "#x.(x > 3 & x mod 2 = 1)",
        "#x.(x > 100 & x mod 2000 = 1 & x mod 3000 = 1)",
        "not(!x.(x : NATURAL => x < 10))",
        "#x.(x : NATURAL & 2 ** x = 1024)",
        "#s.(s : POW(INTEGER) & 5 : s)",
        "#r.(r <: (1..65) * (1..65) & 65 |-> 65 : r)",
        "#q.(q : seq(NATURAL) & first(q) = 7)",
        "#q.(q : seq1(NATURAL) & last(q) = 70 & first(q) = 80)",
        "#q.(q : seq(INTEGER) & first(q) = -70 & size(q) > 3)",
        "#q.(q : seq(STRING) & q(1) = \"abc\")",
        "#f.(f : NATURAL +-> NATURAL & f(70) = 80)",
        "not(!q.(q : seq(NATURAL) & q /= [] => last(q) /= 70))",
    ];
    for formula in formulas {
        assert_eq!(eval(formula), ("TRUE".into(), Some(0)), "{formula}");
    }
}

/// All formats say it, and `--accept-bounds` changes the exit code only.
#[test]
fn every_format_says_what_was_left_out() {
    let file = "machines/bounds/ChoiceAbove.mch";
    let json = report(&[file]);
    let bound = &json["bounds"][0];
    assert_eq!((&json["verdict"], &bound["what"]), (&"holds-within-bounds".into(), &"x".into()), "{json}");
    assert_eq!((&bound["from"], &bound["to"]), (&8.into(), &8.into()), "{json}");
    assert!(bound["place"].to_string().contains("ChoiceAbove"), "{json}");
    let expected = [
        ("text", "HOLDS-WITHIN-BOUNDS"),
        ("junit", "<skipped"),
        ("sarif", "\"ruleId\": \"bounds\""),
        ("github", "::warning"),
    ];
    for (format, word) in expected {
        let out = bsym(&["check", file, "--format", format]);
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(
            text.contains(word) && !text.contains("all reachable states are covered"),
            "{format}: {text}"
        );
        assert_eq!(out.status.code(), Some(5), "{format}");
        let accepted = bsym(&["check", file, "--format", format, "--accept-bounds"]);
        assert_eq!(accepted.status.code(), Some(0), "{format}");
    }
}
