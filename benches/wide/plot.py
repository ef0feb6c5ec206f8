#!/usr/bin/env python3
"""How the time of a step grows with the size of a machine, as a picture.

    cargo build --release && benches/wide/plot.py > docs/growth.svg

Each line is one kind of benches/wide/machine.py at several sizes: seconds to explore, over the transitions, best of three, one thread, no
symmetry. What is loaded is left out, what is compiled while it explores is not.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BSYM = os.environ.get("BSYM", os.path.join(ROOT, "target/release/bsym"))

# Kind, what its size is, sizes, the most states explored.
LINES = [
    ("chain", "operations, each looked at", [100, 300, 1000, 3000, 10000], 3000),
    ("counters", "operations, each changes one variable", [100, 300, 1000, 3000], 30000),
    ("constants", "variables and constants", [100, 300, 1000], 30000),
    ("sort", "length of an array", [100, 300, 1000], 100000),
    ("lane", "blocks: pairs of a relation grow with the square", [14, 28, 40, 70, 100], 50000),
]
COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b9770e"]
LEFT, TOP, WIDTH, HEIGHT = 70, 30, 560, 360


def microseconds(kind, size, most):
    """A transition's share of the time to explore."""
    text = subprocess.run([sys.executable, os.path.join(HERE, "machine.py"), kind, str(size)], capture_output=True, check=True)
    with tempfile.NamedTemporaryFile(suffix=".mch") as file:
        file.write(text.stdout)
        file.flush()
        best = None
        for _ in range(3):
            args = ["check", file.name, "--threads", "1", "--symmetry", "off", "--max-states", str(most), "--no-deadlock"]
            run = subprocess.run([BSYM] + args + ["--format", "json"], capture_output=True)
            report = json.loads(run.stdout)
            took = report["seconds"]["explore"] * 1e6 / max(1, report["transitions"])
            best = took if best is None else min(best, took)
    return best


def place(size, took):
    x = LEFT + WIDTH * (math.log10(size) - 1) / 3
    y = TOP + HEIGHT * (2 - math.log10(took)) / 4
    return f"{x:.1f},{y:.1f}"


def main():
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{TOP + HEIGHT + 150}" font-family="sans-serif" font-size="12">',
        f'<text x="{LEFT}" y="18">microseconds a transition, against the size of the machine</text>',
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
    ]
    for power in range(-2, 3):
        y = TOP + HEIGHT * (2 - power) / 4
        out.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{10.0 ** power:g}</text>')
    for power in range(1, 5):
        x = LEFT + WIDTH * (power - 1) / 3
        out.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{TOP + HEIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{x}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{10 ** power}</text>')
    for row, ((kind, what, sizes, most), colour) in enumerate(zip(LINES, COLOURS)):
        points = [(n, microseconds(kind, n, most)) for n in sizes]
        figures = ", ".join(f"{n}: {t:.2g}" for n, t in points)
        print(f"{kind}: {figures}", file=sys.stderr)
        line = " ".join(place(n, t) for n, t in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = TOP + HEIGHT + 42 + 20 * row
        out.append(f'<text x="{LEFT}" y="{y}" fill="{colour}">{kind} ({what}): {figures}</text>')
    print("\n".join(out + ["</svg>"]))


if __name__ == "__main__":
    main()
