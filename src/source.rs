//! Source texts and places in them.
//!
//! In: files (or texts without a file). Out: [`Span`]s, byte ranges that every later stage carries
//! along, and the lines and columns a person wants. No parsing happens here.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Index of a file in [`Sources`].
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub struct FileId(pub u16);

/// A byte range `lo..hi` of one source file.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The span of bytes `lo..hi` of `file`.
    #[must_use]
    pub fn new(file: FileId, lo: usize, hi: usize) -> Self {
        let clip = |x: usize| u32::try_from(x).unwrap_or(u32::MAX);
        Self { file, lo: clip(lo), hi: clip(hi) }
    }

    /// Whether another span lies within this one.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.file == other.file && self.lo <= other.lo && other.hi <= self.hi
    }

    /// The smallest span that covers both; `self`'s file wins if they differ.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file == other.file {
            Self { file: self.file, lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
        } else {
            self
        }
    }
}

/// One text with its path.
#[derive(Debug)]
pub struct SourceFile {
    /// Where it was read from; shown in diagnostics.
    pub path: PathBuf,
    /// The text, made valid UTF-8 (invalid bytes replaced one for one).
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    /// How many characters begin before each block of bytes: lines may be as long as a file.
    characters: Vec<u32>,
}

/// Bytes of a block.
const BLOCK: usize = 1 << 10;

/// How many characters begin in some bytes.
fn begins(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| (**b).cast_signed() >= -0x40).count()
}

impl SourceFile {
    fn new(path: PathBuf, text: Arc<str>) -> Self {
        let starts = text.match_indices('\n').map(|(i, _)| u32::try_from(i + 1).unwrap_or(u32::MAX));
        // A byte order mark is no character of the first line.
        let first = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let line_starts = std::iter::once(first).chain(starts).collect();
        let blocks = text.as_bytes().chunks(BLOCK).map(begins);
        let characters = std::iter::once(0).chain(blocks.scan(0_u32, |sum, n| {
            *sum = sum.saturating_add(u32::try_from(n).unwrap_or(u32::MAX));
            Some(*sum)
        }));
        Self { path, characters: characters.collect(), line_starts, text }
    }

    /// How many characters begin before a byte.
    fn characters_before(&self, at: usize) -> usize {
        let block = at / BLOCK;
        let rest = self.text.as_bytes().get(block * BLOCK..at).map_or(0, begins);
        self.characters.get(block).map_or(0, |n| *n as usize) + rest
    }

    /// Line and column, both from 1, of a byte offset; columns count characters.
    #[must_use]
    pub fn line_col(&self, at: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&s| s <= at).max(1) - 1;
        let start = self.line_starts[line] as usize;
        let end = (at as usize).min(self.text.len());
        let column = self.characters_before(end).saturating_sub(self.characters_before(start));
        (line + 1, column + 1)
    }
}

/// Most bytes of a file: checking it takes some 150 times as many, and what has no end (a device, a pipe) is noticed.
const LONGEST: u64 = 1 << 26;

/// The bytes of a file, pipe or device.
///
/// # Errors
/// What the operating system says, or that there are too many.
fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        let message = format!("there are more than {} MiB in it", LONGEST >> 20);
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The text of a file that is no machine: a trace.
///
/// # Errors
/// What the operating system says, that there is too much, or that it is not UTF-8.
pub fn read_text(path: &Path) -> std::io::Result<String> {
    let invalid = |e| std::io::Error::new(std::io::ErrorKind::InvalidData, e);
    String::from_utf8(read_bytes(path)?).map_err(invalid)
}

/// A definition of the command line that counts instead of those of its name in machines.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// It, as a text `NAME=E`.
    pub text: Arc<str>,
    /// Whether it is a mistake if no machine has a definition of this name.
    pub needed: bool,
}

/// All texts of one run. Only grows, so that [`FileId`]s stay valid.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Folders where machines and definition files are looked for that are not beside the file that names them.
    pub folders: Vec<PathBuf>,
    /// Definitions that count instead of those in machines.
    pub replacements: Vec<Replacement>,
    /// Texts that count instead of what is on the disk, by [`canonical`] path: those open in an editor.
    pub open: BTreeMap<PathBuf, Arc<str>>,
}

/// One path for a file, however it is written. The file need not exist if its folder does.
#[must_use]
pub fn canonical(path: &Path) -> PathBuf {
    let in_folder = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

impl Sources {
    /// No texts, looked for in the same places.
    #[must_use]
    pub fn anew(&self) -> Self {
        let Self { folders, replacements, open, .. } = self;
        Self {
            files: Vec::new(),
            folders: folders.clone(),
            replacements: replacements.clone(),
            open: open.clone(),
        }
    }

    /// Adds a text and returns its id.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> FileId {
        self.files.push(SourceFile::new(path.into(), text.into()));
        FileId(u16::try_from(self.files.len() - 1).unwrap_or(u16::MAX))
    }

    /// Reads a file; bytes that are not UTF-8 become U+FFFD (old machines have them in comments).
    ///
    /// # Errors
    /// What the operating system says when the file cannot be read.
    pub fn read(&mut self, path: &Path) -> std::io::Result<FileId> {
        if let Some(text) = self.open_text(path).cloned() {
            return Ok(self.add(path, text));
        }
        let bytes = read_bytes(path)?;
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            return Err(std::io::Error::new(
                std::io::ErrorKind::InvalidData,
                "the file is UTF-16 text; save it as UTF-8",
            ));
        }
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned());
        Ok(self.add(path, text))
    }

    /// Forgets all texts but the first so many: ids of the others are no longer valid.
    pub fn keep(&mut self, texts: usize) {
        self.files.truncate(texts);
    }

    fn open_text(&self, path: &Path) -> Option<&Arc<str>> {
        if self.open.is_empty() { None } else { self.open.get(&canonical(path)) }
    }

    /// Whether there is a file to read at a path, on the disk or open.
    #[must_use]
    pub fn is_file(&self, path: &Path) -> bool {
        path.is_file() || self.open_text(path).is_some()
    }

    /// All of them, in the order in which they were read.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// The file behind an id, or `None` for an id of another `Sources`.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(usize::from(id.0))
    }

    /// Whether two places are one, in a file that may have been read twice.
    #[must_use]
    pub fn is_same_place(&self, a: Option<Span>, b: Option<Span>) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return false };
        let path = |s: Span| self.get(s.file).map(|f| &f.path);
        (a.lo, a.hi) == (b.lo, b.hi) && path(a) == path(b)
    }

    /// The text of the pragma `/*@ .. */` that stands directly before a place.
    #[must_use]
    pub fn pragma_before(&self, span: Span) -> Option<&str> {
        let text = self.get(span.file)?.text.get(..span.lo as usize)?;
        let comment = text.trim_end().strip_suffix("*/")?;
        let (before, body) = comment.rsplit_once("/*")?;
        // What stands in a comment to the end of the line is no pragma.
        if before.rsplit('\n').next().is_some_and(|line| line.contains("//")) {
            return None;
        }
        body.strip_prefix('@').map(str::trim)
    }

    /// The text under a span; empty if the span is not of these sources.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|f| f.text.get(span.lo as usize..span.hi as usize)).unwrap_or("")
    }

    /// Line (from 1) where a span starts; 0 if unknown.
    #[must_use]
    pub fn line(&self, span: Span) -> usize {
        self.get(span.file).map_or(0, |f| f.line_col(span.lo).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_on_lines_of_any_length() {
        let line = "aé".repeat(2 * BLOCK);
        let mut sources = Sources::default();
        let file = sources.add("M.mch", format!("ü\n{line}x"));
        let file = sources.get(file).expect("it has been added");
        for (at, place) in [(0, (1, 1)), (2, (1, 2)), (3, (2, 1)), (4, (2, 2)), (6, (2, 3))] {
            assert_eq!(file.line_col(at), place);
        }
        let last = u32::try_from(file.text.len() - 1).expect("a short text");
        assert_eq!(file.line_col(last), (2, 4 * BLOCK + 1));
        assert_eq!(file.line_col(u32::MAX), (2, 4 * BLOCK + 2));
    }
}
