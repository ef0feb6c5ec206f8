#!/bin/sh
# Machines of the papers at sizes that no PROPERTIES would find quickly: the constant graph is written out.
#
#   generate.sh cubic N [TOKENS [SEED]]   tokens on a random cubic graph of N nodes: a ring and a random matching
#   generate.sh hypercube D        messages in a hypercube of dimension D
#   generate.sh queens N           queens on a board whose lines are a constant graph
#   generate.sh ring N             the dining philosophers at one table
#
# The machine goes to standard output. Small ones are in machines/papers.
set -eu
case "${1:-}" in
cubic)
    awk -v n="$2" -v tokens="${3:-3}" -v seed="${4:-1}" '
    function edge(a, b) { list = list sep "n" a "|->n" b ",n" b "|->n" a; sep = ", " }
    BEGIN {
        srand(seed)
        for (tries = 0; tries < 100000; tries++) {
            for (i = 0; i < n; i++) mate[i] = -1
            good = 1
            for (i = 0; i < n && good; i++) if (mate[i] < 0) {
                for (t = 0; t < 200; t++) {
                    j = int(rand() * n); d = (j - i + n) % n
                    if (j != i && mate[j] < 0 && d != 1 && d != n - 1) break
                }
                if (t == 200) good = 0
                else { mate[i] = j; mate[j] = i }
            }
            if (good) break
        }
        for (i = 0; i < n; i++) names = names (i ? "," : "") "n" i
        for (i = 0; i < n; i++) edge(i, (i + 1) % n)
        for (i = 0; i < n; i++) if (mate[i] > i) edge(i, mate[i])
        print "MACHINE Cubic"
        print "SETS NODE = {" names "}"
        print "CONSTANTS link"
        print "PROPERTIES link = {" list "}"
        print "VARIABLES at"
        print "INVARIANT at <: NODE & card(at) <= " tokens
        print "INITIALISATION at := {}"
        print "OPERATIONS"
        print "  put(n) = PRE n : NODE & n /: at & card(at) < " tokens " THEN at := at \\/ {n} END;"
        print "  move(n, m) = PRE n : at & m : link[{n}] - at THEN at := (at - {n}) \\/ {m} END"
        print "END"
    }' ;;
hypercube)
    awk -v d="$2" '
    function bit(x, i) { return int(x / 2 ^ i) % 2 }
    BEGIN {
        n = 2 ^ d
        for (i = 0; i < n; i++) names = names (i ? "," : "") "n" i
        for (i = 0; i < d; i++) dims = dims (i ? "," : "") "d" i
        for (i = 0; i < d; i++) for (x = 0; x < n; x++)
            flip = flip (flip == "" ? "" : ", ") "d" i "|->n" x "|->n" (bit(x, i) ? x - 2 ^ i : x + 2 ^ i)
        for (x = 0; x < n; x++) for (y = 0; y < n; y++) for (i = 0; i < d; i++) if (bit(x, i) != bit(y, i))
            apart = apart (apart == "" ? "" : ", ") "n" x "|->n" y "|->d" i
        print "MACHINE Hypercube"
        print "SETS NODE = {" names "}; DIM = {" dims "}; PHASE = {in_link, at_node}"
        print "CONSTANTS flip, apart"
        print "PROPERTIES"
        print "  flip = {" flip "} &"
        print "  apart = {" apart "}"
        print "VARIABLES pos, dest, phase, used"
        print "INVARIANT pos : NODE & dest : NODE & phase : PHASE & used <: NODE"
        print "INITIALISATION ANY n WHERE n : NODE THEN pos := n || dest := n END || phase := in_link || used := {}"
        print "OPERATIONS"
        print "  arrive = PRE phase = in_link & pos /= dest THEN phase := at_node END;"
        print "  redirect(t) = PRE t : NODE & phase = in_link & pos = dest & t /= pos"
        print "    THEN phase := at_node || dest := t END;"
        print "  forward(d) = PRE d : apart[{pos |-> dest}] & phase = at_node"
        print "    THEN pos := flip(d, pos) || used := used \\/ {pos} || phase := in_link END"
        print "END"
    }' ;;
queens)
    awk -v n="$2" '
    function line(i) { return (i < n ? "r" i : "c" (i - n)) }
    function square(a, b) { return line(a) "|->" line(b) }
    # Whether queens on the squares of rows a, c and columns b, d attack each other, or are one.
    function meet(a, b, c, d) { return a == c || b == d || a - c == b - d || a - c == d - b }
    BEGIN {
        for (i = 0; i < 2 * n; i++) names = names (i ? "," : "") line(i)
        for (a = 0; a < n; a++) for (b = 0; b < n; b++) for (c = 0; c < n; c++) for (d = 0; d < n; d++)
            if (meet(a, b, c, d)) {
                x = square(a, n + b); y = square(n + b, a); u = square(c, n + d); v = square(n + d, c)
                list = list (list == "" ? "" : ",\n    ") "(" x ")|->(" u "), (" x ")|->(" v "), (" y ")|->(" u "), (" y ")|->(" v ")"
            }
        print "MACHINE Queens"
        print "SETS LINE = {" names "}"
        print "CONSTANTS attack"
        print "PROPERTIES attack = {" list "}"
        print "DEFINITIONS GOAL == card(queens) = card(LINE)"
        print "VARIABLES queens, free"
        print "INVARIANT queens : LINE <-> LINE & free : LINE <-> LINE"
        print "INITIALISATION queens := {} || free := dom(attack)"
        print "OPERATIONS"
        print "  place(a, b) = PRE a : LINE & b : LINE & a|->b : free"
        print "    THEN queens := queens \\/ {a|->b, b|->a} || free := free - attack[{a|->b}] END"
        print "END"
    }' ;;
ring)
    awk -v n="$2" '
    BEGIN {
        for (i = 0; i < n; i++) {
            s = i ? "," : ""
            phils = phils s "p" i; forks = forks s "f" i
            left = left s "p" i "|->f" i; right = right s "p" i "|->f" ((i + 1) % n)
        }
        print "MACHINE Ring"
        print "SETS PHIL = {" phils "}; FORK = {" forks "}"
        print "CONSTANTS left, right"
        print "PROPERTIES left = {" left "} & right = {" right "}"
        print "VARIABLES holder"
        print "INVARIANT holder : FORK +-> PHIL & holder <: left~ \\/ right~"
        print "INITIALISATION holder := {}"
        print "OPERATIONS"
        print "  take_left(p, f) = PRE p : PHIL & f : FORK - dom(holder) & left(p) = f THEN holder(f) := p END;"
        print "  take_right(p, f) = PRE p : PHIL & f : FORK - dom(holder) & right(p) = f THEN holder(f) := p END;"
        print "  drop(p, f) = PRE p : PHIL & f : dom(holder) & holder(f) = p THEN holder := {f} <<| holder END"
        print "END"
    }' ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2 ;;
esac
