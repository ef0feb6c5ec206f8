//! The machines that a command is for: files that were named, and those in folders.

use std::path::{Path, PathBuf};

/// What machines are written in.
const ENDINGS: [&str; 4] = ["mch", "ref", "imp", "sys"];

/// The machines under paths.
///
/// # Errors
/// A path that cannot be read.
pub(super) fn machines(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut out = Vec::new();
    for path in paths {
        below(path, &mut out).map_err(|e| format!("`{}` cannot be read: {e}", path.display()))?;
    }
    Ok(out)
}

/// Those under one path, sorted, so that the order does not depend on the file system.
fn below(path: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        // A file that was named is tried, whatever its ending.
        std::fs::metadata(path)?;
        out.push(path.to_owned());
        return Ok(());
    }
    let mut entries = std::fs::read_dir(path)?.map(|e| e.map(|e| e.path())).collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    for entry in entries {
        let ending = entry.extension().and_then(|e| e.to_str()).unwrap_or("");
        // Links are not followed into folders: they may lead back.
        if entry.is_dir() && !entry.is_symlink() || ENDINGS.contains(&ending) {
            below(&entry, out)?;
        }
    }
    Ok(())
}
