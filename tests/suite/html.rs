//! Pages of reports (`--format html`): well-formed, escaped, complete by themselves, and with what the JSON report has.

use super::browser::measured;
use super::{Json, bsym};
use std::path::{Path, PathBuf};

/// What a page is made of; a text that is not escaped shows up as something else.
const ELEMENTS: [&str; 37] = [
    "html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section", "h1", "h2",
    "h3", "p", "ul", "li", "span", "code", "pre", "div", "details", "summary", "table", "thead", "tbody",
    "tr", "th", "td", "br", "a", "svg", "path", "circle", "text", "g", "title", "line",
];

/// Machines with the options and the exit code, one of each outcome and of each kind of violation.
const RUNS: [(&str, &[&str], i32); 16] = [
    ("machines/basics/Counter.mch", &["check"], 0),
    ("machines/basics/CounterViolated.mch", &["check", "--show-expr", "n + 1 < 3"], 1),
    ("machines/basics/CounterViolated.mch", &["check", "--goal", "n = 2", "--keep-going"], 1),
    ("machines/basics/Explained.mch", &["check"], 1),
    ("machines/basics/FalseAssertion.mch", &["check"], 1),
    ("machines/basics/NoWayOut.mch", &["check"], 1),
    ("machines/basics/NotChecked.mch", &["check"], 0),
    ("machines/basics/Undecided.mch", &["check", "--property-timeout", "0.2s"], 3),
    ("machines/bounds/ChoiceAbove.mch", &["check"], 5),
    ("machines/faults/DivisionByZero.mch", &["check"], 4),
    ("machines/refinement/Stack_forgets.ref", &["refine"], 1),
    ("machines/refinement/Stack_forgets.ref", &["check"], 1),
    ("machines/refinement/Stack_nodes.ref", &["check", "--no-deadlock"], 0),
    ("machines/setup/AssumedSize.mch", &["check"], 3),
    ("machines/setup/Contradiction.mch", &["check"], 1),
    ("machines/temporal/Baton.mch", &["check"], 1),
];

fn run(args: &[&str], code: i32) -> String {
    let out = bsym(args);
    assert_eq!(out.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

fn page(args: &[&str], code: i32) -> String {
    let page = run(&[args, &["--format", "html"]].concat(), code);
    well_formed(&page);
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Reads a page as an XML parser does: what it does not take is a failure. Nothing in it runs or is fetched.
fn well_formed(page: &str) {
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a document type");
    let mut open: Vec<&str> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    while let Some((text, after)) = rest.split_once('<') {
        characters(text);
        let (tag, next) = after.split_once('>').expect("a tag ends");
        rest = next;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "an end tag out of place, before {rest:.80}");
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |t| (t, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ELEMENTS.contains(&name), "<{tag}>");
        for (key, value) in attributes_of(attributes) {
            assert!(key.chars().all(|c| c.is_ascii_alphabetic() || c == '-'), "<{tag}>");
            assert!(!key.starts_with("on") && key != "src", "<{tag}>");
            assert!(key != "href" || value.starts_with('#'), "<{tag}>");
            characters(&value);
            if key == "id" {
                assert!(!ids.contains(&value), "twice {value}");
                ids.push(value);
            }
        }
        if !empty {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    for word in ["http", "<script", "javascript", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
}

/// The attributes of a tag, each with its value between quotes.
fn attributes_of(mut text: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    while !text.trim().is_empty() {
        let (key, rest) = text.trim_start().split_once("=\"").expect("a value between quotes");
        let (value, rest) = rest.split_once('"').expect("a quote at its end");
        assert!(out.iter().all(|(k, _)| k != key), "{key} twice");
        out.push((key.to_owned(), value.to_owned()));
        text = rest;
    }
    out
}

/// Text in which every ampersand begins an entity that XML has, without characters that it does not have.
fn characters(text: &str) {
    for part in text.split('&').skip(1) {
        let entity = part.split_once(';').map_or("", |(e, _)| e);
        assert!(["amp", "lt", "gt", "quot"].contains(&entity), "&{part:.40}");
    }
    assert!(!text.contains('>') || text.contains("main{"), "{text:.80}");
    assert!(text.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'), "{text:.80}");
}

/// All steps of traces in a JSON report.
fn steps(report: &Json) -> Vec<Json> {
    let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let goal = (!report["goal"].is_null()).then(|| report["goal"].clone());
    let found = list("violations").into_iter().chain(list("open")).chain(goal);
    found.flat_map(|v| v["trace"].as_array().cloned().unwrap_or_default()).collect()
}

fn rows(page: &str) -> usize {
    page.matches("<tr class=\"step").count()
}

#[test]
fn pages_say_what_reports_in_json_say() {
    let mut kinds = Vec::new();
    for (file, options, code) in RUNS {
        let args = [&options[..1], &[file], &options[1..]].concat();
        let page = page(&args, code);
        let report: Json =
            serde_json::from_str(&run(&[&args[..], &["--format", "json"]].concat(), code)).expect("JSON");
        let verdict = report["verdict"].as_str().expect("a verdict");
        let head = page.split_once("</header>").expect("a head").0;
        assert!(head.contains(&format!(" {}</span>", verdict.to_uppercase())), "{file}: {verdict}\n{head}");
        assert!(
            head.contains(&format!(
                "<title>{}: {verdict}</title>",
                report["machine"].as_str().expect("a name")
            ))
        );
        let steps = steps(&report);
        assert_eq!(rows(&page), steps.len(), "{file}: rows");
        let values = steps.iter().flat_map(|s| [&s["state"], &s["arguments"], &s["expressions"]]);
        for (name, value) in values.filter_map(Json::as_object).flatten() {
            let value = value.as_str().unwrap_or_default();
            assert!(page.contains(&escaped(value)) || value.len() > 80, "{file}: {name} = {value}");
        }
        for v in report["violations"].as_array().into_iter().flatten() {
            let kind = v["kind"].as_str().unwrap_or_default().to_owned();
            assert!(page.contains(&format!("<h2>{kind}: ")), "{file}: {kind}");
            assert_eq!(page.contains("class=\"edge loop\""), !v["loop"].is_null(), "{file}");
            kinds.push(kind);
        }
        let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
        for told in list("warnings").iter().chain(&list("notes")).filter_map(Json::as_str) {
            // Formulas in it are marked, and its place stands apart.
            let part = told.rsplit(": ").next().and_then(|t| t.rsplit('`').next()).unwrap_or_default();
            assert!(page.contains(&escaped(part)), "{file}: {told}");
        }
        for f in list("formulas") {
            assert!(
                page.contains(&format!(": {}", f["verdict"].as_str().unwrap_or_default())),
                "{file}: {f}"
            );
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    let all = ["assertion", "deadlock", "error", "invariant", "ltl", "refinement", "setup"];
    assert_eq!(kinds, all);
}

/// The answer of the text and the lines below it are on the page, too.
#[test]
fn what_is_covered_is_told() {
    for (file, line) in [
        ("machines/basics/Explained.mch", "symmetry exact: each state stands for all its renamings"),
        (
            "machines/bounds/ChoiceAbove.mch",
            "all states reachable with the values that were tried are covered",
        ),
        ("machines/bounds/ChoiceAbove.mch", "nothing bounds these, which were tried in part"),
        ("machines/setup/Contradiction.mch", "these cannot hold together; all of them take part"),
        ("machines/basics/NoWayOut.mch", "if it is meant to end here: <code>--no-deadlock</code>"),
        ("machines/basics/NotChecked.mch", "<h3>Not checked</h3>"),
    ] {
        let out = bsym(&["check", file, "--format", "html"]);
        let page = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(page.contains(line), "{file}: {line}\n{page}");
    }
}

fn written(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    std::fs::create_dir_all(&folder).expect("folder");
    let path = folder.join(format!("{name}.mch"));
    std::fs::write(&path, text).expect("written");
    path
}

/// Texts that would be markup, in values, arguments, results, formulas and comments; and more steps than are shown.
fn hostile(steps: usize) -> PathBuf {
    let text = format!(
        r#"MACHINE Hostile
/* <b>&"' --> ]]> <script>alert(1)</script> */
VARIABLES n, s, a, b, c, d, e, f
INVARIANT n : 0..999 & s : STRING & n < {steps} & (s /= "<b>&" or n < 998) & a = 1 & b = 1 & c = "<b>&" & d = 1 & e = 1 & f = 1
INITIALISATION n := 0 || s := "<b>&" || a := 1 || b := 1 || c := "<b>&" || d := 1 || e := 1 || f := 1
OPERATIONS
 r <-- set_it_up_now(k, t) = PRE k = n & t = "<i>&amp;" THEN n := n + 1 || s := "</td>" || r := "<&>" END
END"#
    );
    written(&format!("Hostile{steps}"), &text)
}

#[test]
fn texts_are_no_markup() {
    let file = hostile(9).display().to_string();
    let args = ["check", &file, "--maxint", "999", "--show-expr", "s = \"<b>&\""];
    let page = page(&args, 1);
    for text in [
        "&quot;&lt;b&gt;&amp;&quot;",
        "&quot;&lt;/td&gt;&quot;",
        "&quot;&lt;i&gt;&amp;amp;&quot;",
        "&quot;&lt;&amp;&gt;&quot;",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.contains("6 variables keep their values"), "what never changes has no column");
    let comment = written(
        "Wrong",
        "MACHINE Wrong VARIABLES x INVARIANT x : STRING & x < \"<b>&\" INITIALISATION x := y END",
    );
    self::page(&["check", &comment.display().to_string()], 2);
}

#[test]
fn long_traces_are_shown_by_their_ends() {
    let file = hostile(120).display().to_string();
    let args = ["check", &file, "--maxint", "999"];
    let page = self::page(&args, 1);
    assert_eq!(rows(&page), 50);
    assert!(page.contains("71 steps are left out here"), "what is left out is told");
    assert_eq!(rows(&self::page(&[&args[..], &["--trace-full"]].concat(), 1)), 121);
    if let Some(found) = measured("long", &page) {
        drawn(&found);
    }
}

/// Nothing of a picture stands on anything else of it, or is cut off.
fn drawn(found: &Json) {
    for plot in found["plots"].as_array().into_iter().flatten() {
        assert_eq!(plot["outside"], serde_json::json!([]), "texts outside the picture");
        assert_eq!(plot["overlaps"], serde_json::json!([]), "texts that overlap");
    }
}

#[test]
fn pictures_of_loops_can_be_read() {
    for (last, back) in [(3, 1), (4, 3), (5, 0), (6, 2), (9, 8), (11, 3)] {
        let text = format!(
            "MACHINE Ring VARIABLES n INVARIANT n : 0..20 INITIALISATION n := 0 OPERATIONS \
             step = SELECT n < {last} THEN n := n + 1 END; \
             back_again(k) = SELECT n = {last} & k = {back} THEN n := k END END"
        );
        let file = written(&format!("Ring{last}"), &text).display().to_string();
        let page = page(&["check", &file, "--ltl", "F {n = 20}", "--maxint", "20"], 1);
        assert_eq!(page.matches("class=\"edge loop\"").count(), 1);
        assert_eq!(page.matches("step again").count(), last + 1 - back, "rows of the loop");
        if let Some(found) = measured(&format!("ring{last}"), &page) {
            drawn(&found);
        }
    }
}

#[test]
fn several_sizes_and_many_machines_are_one_page() {
    let sizes = page(&["check", "machines/symmetry/Scheduler0.mch", "--card", "1..3"], 0);
    assert_eq!(sizes.matches("<summary><span class=\"badge holds\">").count(), 3);
    let files = [
        "machines/basics/Counter.mch",
        "machines/basics/CounterViolated.mch",
        "machines/faults/TypeError.mch",
    ];
    let many = page(&[&["check"], &files[..]].concat(), 1);
    assert!(many.contains("<h1>3 machines: 1 violated, 1 refused, 1 holds</h1>"), "{many}");
    for (i, file) in files.iter().enumerate() {
        assert!(many.contains(&format!("<a href=\"#m{0}\"><code>{file}</code></a>", i + 1)), "{file}");
    }
    assert_eq!(rows(&many), rows(&page(&["check", files[1]], 1)));
    let refused = page(&["check", files[2]], 2);
    assert!(refused.contains("REFUSED") && refused.contains("<h2>error: "), "{refused}");
}

#[test]
fn replayed_traces_are_pages() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    std::fs::create_dir_all(&folder).expect("folder");
    let trace = folder.join("replay.prob2trace").display().to_string();
    let machine = "machines/basics/NoWayOut.mch";
    run(&["check", machine, "--trace-out", &trace], 1);
    let good = page(&["trace", machine, &trace], 0);
    assert!(good.contains("REPLAYED") && good.contains("<code>{P1|-&gt;red,P2|-&gt;red}</code>"), "{good}");
    assert_eq!((rows(&good), good.matches("step missed").count()), (5, 0));
    let mut wrong: Json =
        serde_json::from_str(&std::fs::read_to_string(&trace).expect("a trace")).expect("JSON");
    wrong["transitionList"][3]["params"]["c"] = "green".into();
    std::fs::write(&trace, wrong.to_string()).expect("written");
    let bad = page(&["trace", machine, &trace], 1);
    let text = run(&["trace", machine, &trace], 1);
    assert!(bad.contains("FAILS") && bad.contains(text.trim()), "{text}\n{bad}");
    assert_eq!(
        (rows(&bad), bad.matches("step missed").count(), bad.matches("class=\"fault\"").count()),
        (5, 0, 1)
    );
    // The states that only the machine knows.
    wrong["transitionList"].as_array_mut().expect("steps").truncate(3);
    for step in wrong["transitionList"].as_array_mut().into_iter().flatten() {
        step["destState"] = serde_json::json!({});
    }
    std::fs::write(&trace, wrong.to_string()).expect("written");
    let silent = page(&["trace", machine, &trace], 0);
    assert!(silent.contains("<td class=\"changed\"><code>[0,1]</code>"), "{silent}");
    // Several traces, one of which goes on for ever.
    let report = folder.join("replay.json").display().to_string();
    let json = run(&["check", "machines/temporal/Baton.mch", "--format", "json"], 1);
    std::fs::write(&report, json).expect("written");
    assert!(page(&["trace", "machines/temporal/Baton.mch", &report], 0).contains("class=\"edge loop\""));
}
