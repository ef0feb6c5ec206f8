//! `bsym compare`: the paper's node columns, precision, collisions, repeatable output.

use super::bsym;
use serde_json::Value as Json;

fn compare(machine: &str, card: &str, format: &str) -> String {
    let file = format!("machines/symmetry/{machine}.mch");
    let modes = "flood,markers,exact";
    let out =
        bsym(&["compare", &file, "--card", card, "--modes", modes, "--repeat", "1", "--format", format]);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

fn precision(machine: &str, card: &str) -> (Vec<(u64, u64)>, Json) {
    let all: Json = serde_json::from_str(&compare(machine, card, "json")).expect("JSON");
    let list = all["precision"].as_array().cloned().unwrap_or_default();
    let pair = |p: &Json| (p["markers"].as_u64().unwrap_or(0), p["orbits"].as_u64().unwrap_or(0));
    (list.iter().map(pair).collect(), all)
}

#[test]
fn markers_are_precise_on_the_scheduler() {
    assert_eq!(precision("Scheduler0", "1..3").0, [(5, 5), (10, 10), (17, 17)]);
}

/// The node columns of the markers paper (off, flooding, markers) and the true orbits, by size.
type Column = (&'static str, u32, &'static [[u64; 4]]);

const PAPER: &[Column] = &[
    (
        "Scheduler0",
        1,
        &[
            [5, 5, 5, 5],
            [16, 10, 10, 10],
            [55, 17, 17, 17],
            [190, 26, 26, 26],
            [649, 37, 37, 37],
            [2188, 50, 50, 50],
            [7291, 65, 65, 65],
        ],
    ),
    (
        "Scheduler1",
        1,
        &[
            [5, 5, 5, 5],
            [27, 14, 14, 14],
            [145, 29, 29, 29],
            [825, 51, 51, 51],
            [5201, 81, 81, 81],
            [37009, 120, 120, 120],
            [297_473, 169, 169, 169],
        ],
    ),
    ("Peterson", 2, &[[49, 27, 27, 27], [884, 174, 174, 174], [22283, 1134, 1134, 1134]]),
    ("PhilosophersRing", 2, &[[21, 8, 7, 8], [337, 13, 11, 13], [11809, 26, 20, 26]]),
];

fn compare_with_the_paper(sizes: impl Fn(&Column) -> usize) {
    for column in PAPER {
        let (machine, first, rows) = column;
        let rows = &rows[..sizes(column)];
        let last = first + u32::try_from(rows.len()).unwrap_or(0) - 1;
        let file = format!("machines/symmetry/{machine}.mch");
        let card = format!("{first}..{last}");
        let out = bsym(&["compare", &file, "--card", &card, "--repeat", "1", "--format", "json"]);
        let all: Json = serde_json::from_slice(&out.stdout).expect("JSON");
        let nodes: Vec<u64> =
            all["rows"].as_array().into_iter().flatten().filter_map(|r| r["nodes"].as_u64()).collect();
        assert_eq!(nodes, rows.concat(), "{machine}");
        for (found, row) in all["precision"].as_array().into_iter().flatten().zip(rows) {
            assert_eq!((&found["markers"], &found["orbits"]), (&row[2].into(), &row[3].into()), "{machine}");
            assert_eq!(found["collision"].is_null(), row[2] == row[3], "{machine}");
        }
    }
}

#[test]
fn nodes_are_those_of_the_paper() {
    compare_with_the_paper(|(name, _, rows)| match *name {
        "Scheduler1" => 5,
        "Peterson" => 2,
        _ => rows.len(),
    });
}

#[test]
#[ignore = "the largest sizes take a minute; the smaller ones are always tested"]
fn all_nodes_are_those_of_the_paper() {
    compare_with_the_paper(|(_, _, rows)| rows.len());
}

#[test]
fn philosophers_collide() {
    let (found, all) = precision("PhilosophersRing", "2..3");
    assert_eq!(found, [(7, 8), (11, 13)]);
    let collision = &all["precision"][0]["collision"];
    let holder = |which: &str| collision["values"][2][which].as_str().map(str::to_owned);
    assert_eq!(collision["values"][2]["name"], "holder");
    assert_ne!(holder("first"), holder("second"));
    let difference = collision["difference"].as_str().unwrap_or_default();
    assert!(difference.contains("#(phil_1, fork_1)") && difference.contains("holder"), "{difference}");
}

/// JSON without what is measured.
fn unmeasured(mut all: Json) -> Json {
    for row in all["rows"].as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        row.retain(|k, _| {
            !matches!(k.as_str(), "seconds" | "peak_bytes" | "key_share") && !k.starts_with("speed")
        });
    }
    all
}

#[test]
fn two_runs_differ_in_measurements_only() {
    let run = || unmeasured(precision("Email", "2").1);
    assert_eq!(run().to_string(), run().to_string());
}

#[test]
fn the_page_needs_no_network() {
    let page = compare("Scheduler0", "1..3", "html");
    let lower = page.to_lowercase();
    assert!(!["src=", "<script", "<link", "@import", "url("].iter().any(|w| lower.contains(w)));
    for word in ["seconds (log scale)", "nodes (log scale)", "elements per deferred set", ">markers</text>"] {
        assert!(page.contains(word), "`{word}` is missing");
    }
}

/// CSV without the columns that are measured.
#[test]
fn two_runs_write_the_same_csv_apart_from_times() {
    let run = || {
        let text = compare("Scheduler0", "1..3", "csv");
        let rows = text.lines().map(|l| {
            let fields: Vec<&str> = l.split(',').collect();
            [&fields[..7], &fields[10..]].concat().join(",")
        });
        rows.collect::<Vec<_>>()
    };
    let (a, b) = (run(), run());
    assert!(a[0].starts_with("machine,card,mode,finished,limit,nodes,transitions,verdict"), "{}", a[0]);
    assert_eq!(a, b);
}

#[test]
fn a_budget_that_is_exceeded_is_shown() {
    let file = "machines/symmetry/Scheduler1.mch";
    let out = bsym(&["compare", file, "--card", "7", "--modes", "off", "--repeat", "1", "--timeout", "1ms"]);
    assert!(String::from_utf8_lossy(&out.stdout).contains("> 0.001 s"));
}

/// Formulas are decided under every strategy; markers, which decide none, are finished all the same.
#[test]
fn formulas_are_taken_along() {
    let file = "machines/temporal/TokenRing.mch";
    let more = ["--modes", "off,markers,exact", "--repeat", "1", "--ctl", "EF {wants = SERVER}"];
    let run = |format: &str| {
        let out = bsym(&[&["compare", file, "--card", "4", "--format", format][..], &more].concat());
        assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("text")
    };
    let json: Json = serde_json::from_str(&run("json")).expect("JSON");
    let rows = json["rows"].as_array().expect("rows");
    let of = |row: &Json| -> Vec<String> {
        let all = row["formulas"].as_array().cloned().unwrap_or_default();
        all.iter().map(|f| format!("{} {}", f["name"], f["verdict"])).collect()
    };
    assert_eq!(of(&rows[0]), of(&rows[2]));
    assert_eq!(of(&rows[0]).len(), 4);
    assert!(of(&rows[0]).iter().any(|f| f == "\"ASSERT_LTL_passed_by\" \"violated\""), "{:?}", of(&rows[0]));
    assert!(of(&rows[1]).iter().all(|f| f.ends_with("\"undecided\"")), "{:?}", of(&rows[1]));
    assert!(rows.iter().all(|r| r["finished"] == true), "{json:#}");
    assert!(run("text").contains("Formula ASSERT_LTL_served"));
    assert!(run("csv").contains("ASSERT_LTL_served: holds"));
}
