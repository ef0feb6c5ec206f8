//! The machines that a command is for: files that were named, and those in folders. And files that a command writes: whole ones or none.

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

/// Writes a file. A limit may end the process while it does: then there is no file, or the one that was there, and none that breaks off.
///
/// # Errors
/// What the operating system says.
pub(super) fn write(path: &Path, text: &str) -> std::io::Result<()> {
    // Devices and pipes take what they are given.
    let is_other = std::fs::metadata(path).is_ok_and(|m| !m.is_file());
    let Some(name) = path.file_name().filter(|_| !is_other && !path.is_symlink()) else {
        return std::fs::write(path, text);
    };
    let mut part = std::ffi::OsString::from(".");
    part.push(name);
    part.push(format!(".{}", std::process::id()));
    let part = path.with_file_name(part);
    if std::fs::write(&part, text).is_err() {
        let _ = std::fs::remove_file(&part);
        // Perhaps the folder takes no other file.
        return std::fs::write(path, text);
    }
    std::fs::rename(&part, path)
}
