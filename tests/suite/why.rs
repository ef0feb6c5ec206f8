//! The law of explanations: substituting the values that are shown makes the part that is shown what it is said to be, and every
//! expression in it what it is said to be. Asked of `bsym eval`, which knows nothing of the explanation but its text.

use super::plain::seeds;
use super::traces::machines;
use super::{bsym, random_machine, report, root};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// Sizes of deferred sets in random machines, and how many of these are tried.
const CARD: &str = "P=2,Q=2";
const RANDOM: u64 = 40;

/// What became of explanations.
#[derive(Default, Debug)]
struct Tally {
    /// Violations that have one, and that have none, of which the output tells.
    explained: usize,
    unexplained: usize,
    /// Parts that are as they are said to be, and parts that could not be asked for: names of copies of machines, values that
    /// are cut off, empty sets of no type.
    asked: usize,
    unasked: usize,
    /// What is not.
    wrong: Vec<String>,
}

/// All parts of an explanation that are not said to be so for what parts of them are.
fn leaves<'j>(why: &'j Json, out: &mut Vec<&'j Json>) {
    let parts = why["parts"].as_array();
    if parts.is_none() || why["missing"].is_array() {
        out.push(why);
    }
    parts.into_iter().flatten().for_each(|p| leaves(p, out));
}

/// Equations of expressions with their values, those in them included; `None` if one cannot be written.
fn equations(shown: &Json, out: &mut Vec<String>) -> Option<()> {
    for s in shown.as_array().into_iter().flatten() {
        if s["cut"] == true {
            return None;
        }
        out.push(format!("({}) = {}", s["text"].as_str()?, s["value"].as_str()?));
        equations(&s["parts"], out)?;
    }
    Some(())
}

/// A formula that is true if the part is what it is said to be under the values that are shown.
fn law(leaf: &Json, typed: bool) -> Option<String> {
    let mut names = Vec::new();
    for name in leaf["names"].as_array()? {
        let text = name["text"].as_str()?;
        if name["cut"] == true || !text.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        names.push((text, name["value"].as_str()?));
    }
    let mut all: Vec<String> = names.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    equations(&leaf["values"], &mut all)?;
    let part = leaf["part"].as_str()?;
    all.push(match leaf["holds"].as_bool() {
        Some(true) => format!("({part})"),
        Some(false) => format!("not({part})"),
        // True if it has a value.
        None => format!("{{{part}}} /= {{}}"),
    });
    let list: Vec<&str> = names.iter().map(|(n, _)| *n).collect();
    if list.is_empty() {
        return Some(all.join(" & "));
    }
    // Empty sets have the type of the machine's names.
    let twins: Vec<String> = list.iter().map(|n| format!("zz_{n}")).collect();
    if typed {
        all.extend(list.iter().zip(&twins).map(|(n, t)| format!("{n} : {{{n}, {t}}}")));
    }
    let inner = format!("#({}).({})", list.join(","), all.join(" & "));
    let outer: Vec<String> = list.iter().zip(&twins).map(|(n, t)| format!("{t} = {n}")).collect();
    Some(if typed { format!("#({}).({} & {inner})", twins.join(","), outer.join(" & ")) } else { inner })
}

/// A copy of a machine in which the elements of deferred sets have names, as reports name them.
fn with_names(file: &Path, report: &Json, to: &Path) -> PathBuf {
    let mut text = std::fs::read_to_string(file).expect("a machine");
    for (set, n) in report["cardinalities"].as_object().into_iter().flatten() {
        let names: Vec<String> = (1..=n.as_u64().unwrap_or(0)).map(|i| format!("{set}{i}")).collect();
        let Some(sets) = text.find("SETS") else { continue };
        let declared = text[sets..].match_indices(set.as_str()).find(|(i, _)| {
            let (before, after) = (&text[..sets + i], &text[sets + i + set.len()..]);
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
            edge(before.chars().next_back()) && edge(after.chars().next())
        });
        if let Some((i, _)) = declared {
            text.insert_str(sets + i + set.len(), &format!(" = {{{}}}", names.join(",")));
        }
    }
    let copy = to.join(file.file_name().unwrap_or_default());
    std::fs::write(&copy, text).expect("a file is written");
    copy
}

/// All explanations of a violation: of a deadlock one for each operation and kind of argument.
fn explanations(violation: &Json) -> Vec<&Json> {
    let mut all = Vec::new();
    for blocked in violation["blocked"].as_array().into_iter().flatten() {
        for kind in blocked["kinds"].as_array().into_iter().flatten() {
            all.extend(kind["why"].as_array().into_iter().flatten());
        }
    }
    all.extend(Some(&violation["why"]).filter(|w| w.is_object()));
    all
}

/// Asks for the law of everything that a report explains.
fn check(file: &Path, report: &Json, dir: &Path, tally: &mut Tally) {
    let explained = ["invariant", "assertion", "goal", "error", "deadlock"];
    let found = report["violations"].as_array().into_iter().flatten();
    let found = found.chain(Some(&report["goal"]).filter(|g| g.is_object()));
    let found: Vec<&Json> =
        found.filter(|v| v["kind"].as_str().is_some_and(|k| explained.contains(&k))).collect();
    if found.is_empty() {
        return;
    }
    let copy = with_names(file, report, dir).display().to_string();
    let beside = file.parent().unwrap_or(Path::new(".")).display().to_string();
    let (maxint, minint) =
        (format!("--maxint={}", report["maxint"]), format!("--minint={}", report["minint"]));
    let ask =
        |formula: &str| bsym(&["eval", &copy, formula, "-I", &beside, &maxint, &minint, "--timeout", "20s"]);
    for v in found {
        let explanations = explanations(v);
        if explanations.is_empty() {
            tally.unexplained += 1;
            eprintln!("{}: {v:#}", file.display());
            continue;
        }
        tally.explained += 1;
        let mut parts = Vec::new();
        explanations.into_iter().for_each(|why| leaves(why, &mut parts));
        for leaf in parts {
            let answer = [false, true].into_iter().filter_map(|typed| law(leaf, typed)).map(|f| (ask(&f), f));
            match answer.into_iter().find(|(out, _)| out.status.code() != Some(2)) {
                Some((out, formula)) => {
                    let said = String::from_utf8_lossy(&out.stdout);
                    let error = String::from_utf8_lossy(&out.stderr);
                    let variant = !leaf["round"].is_null() && leaf["holds"].is_null();
                    // What is no predicate has no value, but for variants; a choice that leads to none is no solution.
                    let right = match leaf["holds"].as_bool() {
                        None if !variant => {
                            // A guard without a value has any of the codes.
                            said.trim() == "FALSE" || error.contains(v["code"].as_str().unwrap_or("error[B"))
                        }
                        _ => said.trim() == "TRUE",
                    };
                    if !right {
                        tally.wrong.push(format!("{}: {leaf:#}\n{formula}\n{said}{error}", file.display()));
                    }
                    tally.asked += 1;
                }
                None => tally.unasked += 1,
            }
        }
    }
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("bsym-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder is made");
    dir
}

#[test]
fn explanations_of_all_machines_are_true() {
    let (dir, mut tally) = (folder("why"), Tally::default());
    for file in machines(&root().join("machines")) {
        let name = file.display().to_string();
        let options = ["--keep-going", "--max-states", "500", "--timeout", "2s", "--format", "json"];
        let args: Vec<&str> = ["check", name.as_str()].into_iter().chain(options).collect();
        if let Ok(report) = serde_json::from_slice::<Json>(&bsym(&args).stdout) {
            check(&file, &report, &dir, &mut tally);
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.explained > 45 && tally.unexplained * 20 < tally.explained, "{tally:?}");
    // What is not asked of machines stands in other files, or belongs to a copy of a machine.
    assert!(tally.asked > 40 && tally.unasked * 3 < tally.asked, "{tally:?}");
}

#[test]
fn explanations_of_random_machines_are_true() {
    let (dir, mut tally) = (folder("why-random"), Tally::default());
    for seed in seeds("BSYM_EXPLANATIONS", RANDOM) {
        let file = dir.join(format!("Random{seed}.mch"));
        std::fs::write(&file, random_machine::machine(seed)).expect("a file is written");
        let copies = dir.join("named");
        std::fs::create_dir_all(&copies).expect("a folder is made");
        let name = file.display().to_string();
        let report = report(&[&name, "--card", CARD, "--max-states", "200"]);
        check(&file, &report, &copies, &mut tally);
    }
    let _ = std::fs::remove_dir_all(&dir);
    println!(
        "{} violations explained, {} of their parts asked for, {} not",
        tally.explained, tally.asked, tally.unasked
    );
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.explained > 10 && tally.unexplained == 0, "{tally:?}");
    assert!(tally.asked > 10 && tally.unasked * 5 < tally.asked, "{tally:?}");
}
