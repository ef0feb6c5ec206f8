#!/usr/bin/env python3
"""Machines whose text is long (many operations, variables, constants), and machines whose values are wide.

    benches/wide/machine.py KIND N > FILE.mch

KIND  chain      N operations, N + 1 states; every guard reads the one variable
      counters   N counters modulo 3, an operation for each, all of them always possible
      turns      N counters modulo 3, of which each may only go on while its left neighbour is not behind it
      constants  N constants, variables and operations
      sort       N integers in the wrong order, sorted by exchanges: N * (N + 1) / 2 states and one
      relation   a graph of N nodes of which few edges are there, and a node at hand
      lane       an interlocking: N blocks in a line, routes of 4 blocks from every third one; relations of blocks and routes
"""
import sys


def machine(name, constants, variables, invariant, initialisation, operations):
    clauses = [f"MACHINE {name}"]
    if constants:
        clauses.append("CONSTANTS " + ", ".join(k for k, _ in constants))
        clauses.append("PROPERTIES\n  " + " &\n  ".join(f"{k} = {v}" for k, v in constants))
    clauses.append("VARIABLES " + ", ".join(variables))
    clauses.append("INVARIANT\n  " + " &\n  ".join(invariant))
    clauses.append("INITIALISATION " + " || ".join(initialisation))
    clauses.append("OPERATIONS\n  " + ";\n  ".join(operations))
    return "\n".join(clauses + ["END"])


def chain(n):
    steps = [f"step{i} = SELECT x = {i} THEN x := {i + 1} END" for i in range(n)]
    return machine(f"Chain{n}", [], ["x"], [f"x : 0..{n}"], ["x := 0"], steps)


def counted(name, n, step):
    c = [f"c{i}" for i in range(1, n + 1)]
    return machine(name, [], c, [f"{x} : 0..2" for x in c], [f"{x} := 0" for x in c], map(step, range(1, n + 1)))


def counters(n):
    return counted(f"Counters{n}", n, lambda i: f"step{i} = BEGIN c{i} := (c{i} + 1) mod 3 END")


def turns(n):
    def step(i):
        left = f"c{i - 1} > c{i}" if i > 1 else "c1 < 2"
        return f"step{i} = SELECT {left} THEN c{i} := c{i} + 1 END"

    return counted(f"Turns{n}", n, step)


def constants(n):
    all_ = range(1, n + 1)
    steps = [f"step{i} = SELECT v{i} < k{i} THEN v{i} := v{i} + 1 END" for i in all_]
    given = [(f"k{i}", 1 + i % 7) for i in all_]
    v = [f"v{i}" for i in all_]
    invariant = [f"v{i} : 0..k{i}" for i in all_]
    return machine(f"Constants{n}", given, v, invariant, [f"{x} := 0" for x in v], steps)


def sort(n):
    seek = f"k < {n} & j < {n}"
    return f"""MACHINE Sort{n}
VARIABLES g, k, j, l
INVARIANT
  g : 1..{n} --> 0..{2 * n} & k : 1..{n} & j : 1..{n} & l : 1..{n} & l <= j & k <= l
INITIALISATION g := %i.(i : 1..{n} | {n} - i) || k := 1 || j := 1 || l := 1
OPERATIONS
  exchange = SELECT k < {n} & j = {n} THEN
    g := g <+ {{k |-> g(l), l |-> g(k)}} || k := k + 1 || j := k + 1 || l := k + 1
  END;
  pass = SELECT {seek} & g(l) <= g(j + 1) THEN j := j + 1 END;
  less = SELECT {seek} & g(l) > g(j + 1) THEN j := j + 1 || l := j + 1 END
END"""


def relation(n):
    node = f"1..{n}"
    free = "x |-> y /: r & card(r[{x}]) < 3"
    operations = [
        f"join(y) = SELECT y : {node} & y mod 3 = x mod 3 & {free} THEN r := r \\/ {{x |-> y}} || from := from \\/ {{x}} END",
        "leave(y) = SELECT y : r[{x}] & card(r[{x}]) > 1 THEN r := r - {x |-> y} END",
        f"go(y) = SELECT y : {node} & y = (x * 7) mod {n} + 1 & r[{{x}}] /= {{}} THEN x := y END",
        "turn = SELECT card(r) > 4 THEN r := r~ || from := ran(r) END",
    ]
    invariant = [f"r : {node} <-> {node}", f"x : {node}", f"from <: {node}", "from = dom(r)"]
    return machine(f"Relation{n}", [], ["r", "x", "from"], invariant, ["r := {}", "x := 1", "from := {}"], operations)


def lane(n):
    routes = range(1, max(2, (n - 1) // 3 + 1))
    path = {r: range(3 * r - 2, min(3 * r + 1, n) + 1) for r in routes}
    pairs = [(b, r) for r in routes for b in path[r]]
    nxt = ", ".join(
        f"{r} |-> {{{', '.join(f'{b} |-> {b + 1}' for b in path[r][:-1])}}}" for r in routes
    )
    first = ", ".join(f"{r} |-> {path[r][0]}" for r in routes)
    last = ", ".join(f"{r} |-> {path[r][-1]}" for r in routes)
    shared = ", ".join(f"{b} |-> {r}" for b, r in pairs)
    return f"""MACHINE Lane{n}
CONSTANTS BLOCK, ROUTE, nxt, fst, lst, rtbl
PROPERTIES
  BLOCK = 1..{n} & ROUTE = 1..{len(routes)} &
  nxt : ROUTE --> (BLOCK +-> BLOCK) & nxt = {{{nxt}}} &
  fst = {{{first}}} & lst = {{{last}}} & rtbl = {{{shared}}}
VARIABLES resrt, rsrtbl, OCC, TRK, formed
INVARIANT
  resrt <: ROUTE & rsrtbl : BLOCK +-> ROUTE & OCC <: BLOCK & TRK : BLOCK +-> BLOCK &
  formed <: resrt & OCC <: dom(rsrtbl)
INITIALISATION resrt, rsrtbl, OCC, TRK, formed := {{}}, {{}}, {{}}, {{}}, {{}}
OPERATIONS
  reserve(r) = SELECT r : ROUTE & r /: resrt & card(resrt) < 3 & rtbl~[{{r}}] /\\ dom(rsrtbl) = {{}} THEN
    resrt := resrt \\/ {{r}} || rsrtbl := rsrtbl \\/ (rtbl |> {{r}})
  END;
  point(r) = SELECT r : resrt - formed & not(nxt(r) <: TRK) THEN
    TRK := ((dom(nxt(r)) <<| TRK) |>> ran(nxt(r))) \\/ nxt(r)
  END;
  form(r) = SELECT r : resrt - formed & nxt(r) <: TRK THEN formed := formed \\/ {{r}} END;
  enter(r) = SELECT r : formed & fst(r) : dom(rsrtbl) & fst(r) /: OCC & rsrtbl(fst(r)) = r
    & rtbl~[{{r}}] /\\ OCC = {{}} & rtbl~[{{r}}] <: dom(rsrtbl) THEN
    OCC := OCC \\/ {{fst(r)}}
  END;
  move(b) = SELECT b : OCC & b : dom(TRK) & TRK(b) /: OCC & TRK(b) : dom(rsrtbl) & rsrtbl(TRK(b)) = rsrtbl(b) THEN
    OCC := (OCC - {{b}}) \\/ {{TRK(b)}} || rsrtbl := {{b}} <<| rsrtbl
  END;
  leave(b) = SELECT b : OCC & b = lst(rsrtbl(b)) THEN
    OCC := OCC - {{b}} || rsrtbl := {{b}} <<| rsrtbl
  END;
  free(r) = SELECT r : resrt & r /: ran(rsrtbl) THEN resrt := resrt - {{r}} || formed := formed - {{r}} END
END"""


KINDS = {f.__name__: f for f in (chain, counters, turns, constants, sort, relation, lane)}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS or not sys.argv[2].isdigit() or sys.argv[2] == "0":
        sys.exit(__doc__)
    print(KINDS[sys.argv[1]](int(sys.argv[2])))
