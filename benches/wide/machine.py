#!/usr/bin/env python3
"""Machines whose text is long: many operations, variables, constants.

    benches/wide/machine.py KIND N > FILE.mch

KIND  chain      N operations, N + 1 states; every guard reads the one variable
      counters   N counters modulo 3, an operation for each, all of them always possible
      turns      N counters modulo 3, of which each may only go on while its left neighbour is not behind it
      constants  N constants, variables and operations
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


KINDS = {f.__name__: f for f in (chain, counters, turns, constants)}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS or not sys.argv[2].isdigit() or sys.argv[2] == "0":
        sys.exit(__doc__)
    print(KINDS[sys.argv[1]](int(sys.argv[2])))
