//! A whole folder of machines, named by the environment: all must resolve. Run by hand.

use crate::resolve::resolve;
use crate::source::Sources;
use std::path::{Path, PathBuf};

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "mch") {
            out.push(path);
        }
    }
}

#[test]
#[ignore = "needs BSYM_MACHINES, a folder of machines"]
fn a_folder_resolves() {
    let dir = std::env::var("BSYM_MACHINES").expect("BSYM_MACHINES names a folder");
    let mut all = Vec::new();
    files(Path::new(&dir), &mut all);
    let mut refused = Vec::new();
    for path in &all {
        if let Err(errors) = resolve(path, &mut Sources::default()) {
            refused.push(format!("{}: {}", path.display(), errors[0].message));
        }
    }
    assert!(refused.is_empty(), "{} of {} refused:\n{}", refused.len(), all.len(), refused.join("\n"));
}
