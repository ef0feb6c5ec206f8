//! The house rules that a machine can check: headers, file sizes, and which room may use which.

use std::path::{Path, PathBuf};

/// The rooms in order: a room uses only itself and rooms before it. Rooms in one entry know each other.
const ROOMS: &[&[&str]] = &[
    &["source"],
    &["diagnostic"],
    &["ty"],
    &["ops", "value"],
    &["layout"],
    &["syntax"],
    &["resolve"],
    &["ir"],
    &["types"],
    &["flow"],
    &["eval"],
    &["exec"],
    &["explain"],
    &["model"],
    &["compile"],
    &["refine"],
    &["symmetry"],
    &["explore"],
    &["walk"],
    &["temporal"],
    &["report"],
    &["lsp"],
    &["cli"],
];

/// A file longer than this is more than one thing.
const LONGEST_FILE: usize = 600;

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut out = Vec::new();
    let mut todo = vec![root];
    while let Some(dir) = todo.pop() {
        let mut entries: Vec<_> =
            std::fs::read_dir(dir).expect("src is readable").flatten().map(|e| e.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
                out.push((path, text));
            }
        }
    }
    out
}

/// The room of a file: the first folder or file name below `src`.
fn room(path: &Path) -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let inside = path.strip_prefix(src).unwrap_or(path);
    let first = inside.components().next().map(|c| c.as_os_str().to_string_lossy().into_owned());
    first.unwrap_or_default().trim_end_matches(".rs").to_owned()
}

fn rank(room: &str) -> Option<usize> {
    ROOMS.iter().position(|names| names.contains(&room))
}

#[test]
fn every_file_says_what_it_is() {
    let bad: Vec<_> = sources().into_iter().filter(|(_, t)| !t.starts_with("//!")).map(|(p, _)| p).collect();
    assert!(bad.is_empty(), "files that do not open with `//!`: {bad:?}");
}

#[test]
fn files_stay_readable() {
    let bad: Vec<_> = sources()
        .into_iter()
        .map(|(p, t)| (t.lines().count(), p))
        .filter(|(n, _)| *n > LONGEST_FILE)
        .collect();
    assert!(bad.is_empty(), "files over {LONGEST_FILE} lines: {bad:?}");
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let mut bad = Vec::new();
    for (path, text) in sources() {
        let here = room(&path);
        let Some(own) = rank(&here) else { continue };
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for used in code.split("crate::").skip(1) {
                let name: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if rank(&name).is_some_and(|r| r > own) {
                    bad.push(format!("{}:{}: `{here}` uses `{name}`", path.display(), number + 1));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn every_room_is_in_the_list() {
    let missing: Vec<_> = sources()
        .iter()
        .map(|(p, _)| room(p))
        .filter(|r| r != "lib" && r != "main" && rank(r).is_none())
        .collect();
    assert!(missing.is_empty(), "rooms without a place in the order: {missing:?}");
}
