//! All solutions up to symmetry: queens on a board of paths, counted by hand, are those that a search lists, one of each class.

use super::{bsym, root};
use serde_json::Value as Json;
use std::fmt::Write as _;

/// A machine whose states are sets of queens that do not attack each other, on a board whose lines are known by their distances.
fn machine(n: usize) -> String {
    let names = |kind: char| (0..n).map(move |i| format!("{kind}{i}"));
    let lines: Vec<String> = names('r').chain(names('c')).collect();
    let mut dist = Vec::new();
    for kind in ['r', 'c'] {
        for a in 0..n {
            dist.extend((0..n).map(|b| format!("{kind}{a}|->{kind}{b}|->{}", a.abs_diff(b))));
        }
    }
    let mut out = format!("MACHINE Queens\nSETS LINE = {{{}}}\nCONSTANTS dist\n", lines.join(","));
    let _ = writeln!(out, "PROPERTIES dist = {{{}}}", dist.join(","));
    out += "DEFINITIONS GOAL == card(queens) = card(LINE)
VARIABLES queens
INVARIANT queens : LINE >+> LINE & queens = queens~
INITIALISATION queens := {}
OPERATIONS
  place(a, b) = PRE a : LINE & b : LINE & a|->b /: dom(dist) & a /: dom(queens) & b /: dom(queens) &
      !c.(c : dom(queens) & c|->a : dom(dist) => dist(c, a) /= dist(queens(c), b))
    THEN queens := queens \\/ {a|->b, b|->a} END
END
";
    out
}

/// Columns of the queens, row by row, of all solutions.
fn solutions(n: usize, placed: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
    if placed.len() == n {
        out.push(placed.clone());
        return;
    }
    for c in 0..n {
        let row = placed.len();
        let free = |(r, p): (usize, &usize)| *p != c && p.abs_diff(c) != row - r;
        if placed.iter().enumerate().all(free) {
            placed.push(c);
            solutions(n, placed, out);
            placed.pop();
        }
    }
}

/// The least of the eight images of a solution.
fn least(s: &[usize]) -> Vec<usize> {
    let n = s.len();
    let mirrored = |s: &[usize]| s.iter().rev().copied().collect::<Vec<_>>();
    let turned = |s: &[usize]| {
        let mut out = vec![0; n];
        s.iter().enumerate().for_each(|(r, c)| out[*c] = n - 1 - r);
        out
    };
    let mut images = vec![s.to_vec()];
    (0..3).for_each(|i| images.push(turned(&images[i])));
    images.extend(images.clone().iter().map(|s| mirrored(s)));
    images.into_iter().min().unwrap_or_default()
}

#[test]
fn solutions_are_listed_once_of_each_class() {
    let dir = root().join("target/goals");
    std::fs::create_dir_all(&dir).expect("target is writable");
    for n in 4..=6 {
        let mut all = Vec::new();
        solutions(n, &mut Vec::new(), &mut all);
        let classes: std::collections::BTreeSet<Vec<usize>> = all.iter().map(|s| least(s)).collect();
        let file = dir.join(format!("Queens{n}.mch"));
        std::fs::write(&file, machine(n)).expect("target is writable");
        let file = file.display().to_string();
        for (symmetry, listed) in [
            ("off", all.len()),
            ("exact", classes.len()),
            ("canon", classes.len()),
            ("sorted", classes.len()),
        ] {
            let words = [
                "check",
                &file,
                "--no-deadlock",
                "--symmetry",
                symmetry,
                "--goals",
                "all",
                "--format",
                "json",
            ];
            let report: Json = serde_json::from_slice(&bsym(&words).stdout).expect("a report");
            let goals = report["goals"].as_array().expect("a list");
            let stand: u64 = goals.iter().filter_map(|g| g["stands_for"].as_u64()).sum();
            assert_eq!((goals.len(), stand), (listed, all.len() as u64), "{n} queens, {symmetry}");
            let texts: std::collections::BTreeSet<_> =
                goals.iter().map(|g| g["state"]["queens"].to_string()).collect();
            assert_eq!(texts.len(), listed, "each once");
        }
    }
}

#[test]
fn without_a_goal_there_are_none_to_list() {
    let file = root().join("machines/symmetry/Towns.mch").display().to_string();
    let out = bsym(&["check", &file, "--goals", "all"]);
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(told.contains("the machine has no goal") && out.status.code() == Some(2), "{told}");
}

/// The refinement check beside it has no goal of its own to list.
#[test]
fn a_refinement_is_checked_beside_its_goals() {
    let file = root().join("machines/refinement/Log_bits.ref").display().to_string();
    let goal = "card(came~[{TRUE}]) = 1";
    let words = ["check", &file, "--goal", goal, "--goals", "all", "--symmetry", "off", "--format", "json"];
    let report: Json = serde_json::from_slice(&bsym(&words).stdout).expect("a report");
    assert_eq!((&report["verdict"], report["goals"].as_array().map(Vec::len)), (&"holds".into(), Some(9)));
    assert_eq!(report["refinements"][0]["verdict"], "holds");
}
