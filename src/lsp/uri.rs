//! Paths as an editor writes them.
//!
//! In: a URI or a path. Out: the other. A URI that is of no file stands for itself: the text of a buffer without a file.

use lsp_types::Uri;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

/// The path of a URI.
pub(super) fn path(uri: &Uri) -> PathBuf {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else { return PathBuf::from(text) };
    // Behind the slashes there may be a host, which is this one.
    let path = decoded(rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest));
    // On Windows a drive comes behind a slash.
    let drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    PathBuf::from(path.get(usize::from(drive)..).unwrap_or(&path))
}

fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut rest = bytes.clone();
        let digit = |b: Option<u8>| char::from(b?).to_digit(16);
        match (byte, digit(rest.next()), digit(rest.next())) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                bytes = rest;
            }
            _ => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The URI of a path; `None` if it has none.
pub(super) fn of(path: &Path) -> Option<Uri> {
    if !path.is_absolute() {
        return Uri::from_str(&path.to_string_lossy()).ok().filter(|u| u.scheme().is_some());
    }
    let path = path.to_string_lossy();
    let path = path.strip_prefix(r"\\?\").unwrap_or(&path);
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => text.push('/'),
            _ => _ = write!(text, "%{byte:02X}"),
        }
    }
    Uri::from_str(&text).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back() {
        for name in ["/a b/é%41.mch", "/x", "/a+b(c)/M.mch"] {
            let uri = of(Path::new(name)).expect("a URI");
            assert_eq!(path(&uri), Path::new(name), "{}", uri.as_str());
        }
        let buffer = Uri::from_str("untitled:Untitled-1").expect("a URI");
        assert_eq!(of(&path(&buffer)), Some(buffer));
        let hosted = Uri::from_str("file://localhost/a%20b").expect("a URI");
        assert_eq!(path(&hosted), Path::new("/a b"));
    }
}
