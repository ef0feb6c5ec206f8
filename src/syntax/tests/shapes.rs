//! What parses to what: the traps of tokenisation and the ladder of priorities.

use super::{parsed, shape};
use crate::source::FileId;
use crate::syntax::ast::{ClauseKind, DefBody, Definition};
use crate::syntax::print;

/// Both texts are the same formula; the second shows the structure by parentheses.
fn same(text: &str, explicit: &str) {
    assert_eq!(shape(&parsed(text)), shape(&parsed(explicit)), "{text}");
}

#[test]
fn connectives_are_left_associative() {
    same("P => Q => R", "(P => Q) => R");
    same("P or Q & R", "(P or Q) & R");
    same("P & Q or R", "(P & Q) or R");
    same("P & Q <=> R", "P & (Q <=> R)");
    same("a = b & c : d", "(a = b) & (c : d)");
    same("not(P) & Q", "(not(P)) & Q");
    same("P&Q, R".split(',').next().unwrap_or(""), "(P & Q)");
}

#[test]
fn expressions_follow_their_ladder() {
    same("a |-> b \\/ c", "(a |-> b) \\/ c");
    same("x - {a} \\/ {b}", "(x - {a}) \\/ {b}");
    same("1..n-1", "1..(n-1)");
    same("a |-> 5-1", "a |-> (5-1)");
    same("A <-> B <-> C", "(A <-> B) <-> C");
    same("-2**2", "(-2)**2");
    same("2**3**2", "2**(3**2)");
    same("2**-1", "2**(-1)");
    same("s <- a <- b", "(s <- a) <- b");
    same("a - b - c", "(a - b) - c");
    same("a / b * c", "(a / b) * c");
    same("f <+ {} <+ g", "(f <+ {}) <+ g");
    same("(a, b, c)", "((a |-> b) |-> c)");
    same("(r ; s || t)", "((r ; s) || t)");
    same("f~(x)", "(f~)(x)");
    same("f(x)~[S]", "((f(x))~)[S]");
}

#[test]
fn traps_of_tokenisation() {
    same("x<-3", "x <- 3");
    same("x < -3", "x < (-3)");
    same("a-->b", "(a --> b)");
    same("a->b", "(a -> b)");
    same("f+->g", "f +-> g");
    same("< >", "[]");
    same("<>", "[]");
    same("{x|->y}", "{(x |-> y)}");
    same("{x|-1<x}", "{x | (-1) < x}");
    same("2..-1", "2 .. (-1)");
    same("1 ..n", "1..n");
    same("xx . yy", "xx.yy");
    same("x:S&y:T", "(x : S) & (y : T)");
    same("r'a", "(r)'a");
    same("!x.(x=1)", "!(x).(x = 1)");
    same("0xFF", "255");
    same("'''a\"b'''", "\"a\\\"b\"");
    same("x /*c*/ + // d\n y", "x + y");
    same("`x`", "x");
    same("`dom`", "`dom`");
}

#[test]
fn unicode_spellings() {
    same("∀(x,y).(x∈ℕ ∧ y∉S ⇒ x↦y ≠ z)", "!(x,y).(x : NATURAL & y /: S => x |-> y /= z)");
    same("S ∋ x", "x : S");
    same("A ⊇ B", "B <: A");
    same("f ⋖ {a ↦ ∅}", "f <+ {a |-> {}}");
    same("λx.(x∈ℕ1 ∣ x÷2)", "%x.(x : NATURAL1 | x / 2)");
    same("{x·x∈S | x∗2}", "{(x).x : S | x * 2}");
    same("r⁻¹ ∖ s", "r~ \\ s");
    same("naïve₂′ = 1", "naïve₂′ = 1");
}

#[test]
fn one_argument_and_two() {
    assert!(shape(&parsed("prj1(e)")).contains("First1"));
    assert!(shape(&parsed("prj2(S,T)")).contains("Prj2"));
    same("dom(r;s)", "dom((r;s))");
    same("r[S;T]", "r[(S;T)]");
    assert_ne!(shape(&parsed("f(a,b)")), shape(&parsed("f((a,b))")));
}

#[test]
fn late_words_are_names() {
    same("floor + real", "`floor` + `real`");
    same("floor(x)", "`floor`(x)");
}

#[test]
fn long_chains_stay_within_the_stack() {
    let run = || {
        let text = vec!["x = 1"; 9_000].join(" & ");
        let text = print::formula(&parsed(&text));
        assert_eq!(text.matches('&').count(), 8_999);
        let nested = "(".repeat(100_000);
        assert_eq!(crate::syntax::parse_formula(FileId(0), &nested).1.len(), 1);
        let many = "- ".repeat(100_000) + "1";
        assert_eq!(crate::syntax::parse_formula(FileId(0), &many).1.len(), 1);
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run);
    assert!(thread.is_ok_and(|t| t.join().is_ok()));
}

#[test]
fn kinds_of_definitions() {
    let text =
        "DEFINITIONS a == 1; b(x) == x := {r;s} ; c == x,y; \"f.def\"; d == BEGIN skip; skip END; e == ] ;";
    let text = text.replace("{r;s}", "{(r;s)}");
    let (machine, errors) = crate::syntax::parse_definitions(FileId(0), &text);
    assert!(errors.is_empty(), "{errors:?}");
    let clauses = machine.map(|m| m.clauses).unwrap_or_default();
    let Some(ClauseKind::Definitions(all)) = clauses.first().map(|c| &c.kind) else { unreachable!() };
    let kinds: Vec<&str> = all.iter().map(kind).collect();
    assert_eq!(kinds, ["formula", "subst", "names", "file", "subst", "unreadable"]);
}

fn kind(definition: &Definition) -> &'static str {
    match definition {
        Definition::File(..) => "file",
        Definition::Body { body: DefBody::Formula(_), .. } => "formula",
        Definition::Body { body: DefBody::Subst(_), .. } => "subst",
        Definition::Body { body: DefBody::Names(_), .. } => "names",
        Definition::Body { body: DefBody::Unreadable(_), .. } => "unreadable",
    }
}
