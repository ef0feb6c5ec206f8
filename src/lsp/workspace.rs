//! The machines in the editor's folders.
//!
//! In: folders. Out: paths of machines and definition files. Folders of other tools, links and what is hidden are left out.

use crate::source::canonical;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What machines and definitions are written in.
const ENDINGS: [&str; 5] = ["mch", "ref", "imp", "sys", "def"];

/// Entries of folders that are looked at: a home folder as a workspace must not take for ever.
const MOST: usize = 20_000;

/// The machines below some folders, and beside some files.
pub(super) fn machines(folders: &[PathBuf], beside: impl Iterator<Item = PathBuf>) -> BTreeSet<PathBuf> {
    let mut left = MOST;
    let mut out = BTreeSet::new();
    for file in beside {
        file.parent().into_iter().for_each(|folder| entries(folder, false, &mut left, &mut out));
    }
    folders.iter().for_each(|folder| entries(folder, true, &mut left, &mut out));
    out
}

fn entries(folder: &Path, below: bool, left: &mut usize, out: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let is_folder = entry.file_type().is_ok_and(|t| t.is_dir());
        if is_folder && below && !name.starts_with('.') && !matches!(&*name, "node_modules" | "target") {
            self::entries(&path, below, left, out);
        } else if !is_folder && ENDINGS.contains(&ending) {
            out.insert(canonical(&path));
        }
    }
}

/// Whether one of some names stands in a file.
pub(super) fn mention<'n>(path: &Path, mut names: impl Iterator<Item = &'n str>) -> bool {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    names.any(|name| text.contains(name))
}
