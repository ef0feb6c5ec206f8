//! What comes out: snapshots of the IR of small machines.

use super::machine;
use crate::ir::dump;

fn dumped(text: &str) -> String {
    dump::machine(&machine(text))
}

#[test]
fn operations_with_guards_results_and_settings() {
    insta::assert_snapshot!(dumped(
        "MACHINE M
         SETS S; C = {red, green}
         DEFINITIONS SET_PREF_MAXINT == 7; scope_S == 3; SET_PREF_SHOW_EVENTB_ANY_VALUES == TRUE;
           SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE; GOAL == (n = 7)
         CONSTANTS lim ABSTRACT_CONSTANTS dbl
         PROPERTIES lim = -3 + 5 & dbl = %i.(i : NATURAL | i * 2)
         VARIABLES n, used
         INVARIANT n : NATURAL & used <: S & (n > 0 or used = {})
         ASSERTIONS n >= 0 & n < 100
         INITIALISATION n := 0 || used := {}
         OPERATIONS
           put(s, c) = PRE s : S & c : C & s /: used THEN PRE n < lim THEN n := dbl(n) || used := used \\/ {s} END END;
           r <-- get = r := bool(used = S);
           pick = ANY s, t WHERE s : S - used & t = s THEN used := used - {t} END;
           again(x) = BEGIN put(x, red) END
         END"
    ));
}

#[test]
fn binders_have_slots_captures_and_know_the_state() {
    insta::assert_snapshot!(dumped(
        "MACHINE M
         SETS S
         CONSTANTS r
         PROPERTIES r : S <-> S & !(x, y).(x : S => (y : S & x |-> y : r => (x /= y => y |-> x /: r)))
         VARIABLES f
         INVARIANT f : S +-> POW(S) & !x.(x : dom(f) => #y.(y : f(x) & {z | z : r[{y}] & z /= x} = {}))
           & !x.(x : S)
         INITIALISATION f := %x.(x : S | {y | x |-> y : r})
         OPERATIONS
           n <-- count(a) = PRE a : S THEN
             n := SIGMA(x).(x : f(a) | card({y | y : S & y /= x & y /= a})) + card({(y).y : S | f(y)})
           END
         END"
    ));
}

#[test]
fn every_substitution() {
    insta::assert_snapshot!(dumped(
        "MACHINE M
         VARIABLES n, f, p
         INVARIANT n : INTEGER & f : 0..3 +-> (0..3 +-> BOOL) & p : struct(a : INTEGER, b : INTEGER +-> INTEGER)
         INITIALISATION n := 0 ; f := {} ; p := rec(a : 0, b : {})
         OPERATIONS
           assign(x, y) = BEGIN f(x)(y) := TRUE || n, p'a := 1, 2 END;
           inside(x) = p'b(x) := 1;
           become = CHOICE n :: 1..3 OR n : (n > n$0 & n < 5) OR n, p : (n = p'a & p$0 = p) END;
           r <-- test(x) = IF x = 1 THEN r := 1 ELSIF x = 2 THEN r := 2 ELSE r := 0 END;
           select(x) = SELECT x = 1 THEN skip WHEN x = 2 THEN n := x ELSE n := -x END;
           r <-- cases = CASE n OF EITHER 0, 1 THEN r := TRUE OR 2 THEN r : (r = FALSE) ELSE r := TRUE END END;
           bind = LET u, v BE u = n & v = u + 1 IN VAR w IN w := v ; n := w END END;
           loop = VAR i IN i := 3 ;
                    WHILE i > 0 DO i := i - 1 ; n := n + i INVARIANT i >= 0 & n >= n$0 VARIANT i END END;
           sure = ASSERT n >= 0 THEN skip END
         END"
    ));
}

#[test]
fn expressions_after_overloading() {
    insta::assert_snapshot!(dumped(
        "MACHINE M
         SETS S; C = {red, green}
         FREETYPES T = leaf, node(INTEGER * INTEGER)
         CONSTANTS a, b, c, d, e, g
         PROPERTIES a = 2 - 3 * 4 & b = S * C - {} & c = {red |-> \"one\", green |-> \"two\\\"\"}
           & d = IF a < 0 THEN [a, MAXINT] ELSE [] END & e = LET x BE x = red IN c(x) |-> c~[{e0 | e0 = \"one\"}] END
           & g = {leaf, node(1 |-> -2)} & not(a mod 2 = 1 <=> b /= {})
           & LET y BE y = a IN y = 1 or y = 2 or y = 3 END
           & (a = 1 => b = {} => a = 2)
         END"
    ));
}
