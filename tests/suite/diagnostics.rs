//! What a user sees when a machine is refused: snapshots of the machines in `machines/faults`.

use super::{bsym, root};
use bsym::diagnostic::Code;

/// Diagnostics of a machine in `machines/faults`.
fn refused(name: &str) -> String {
    let out = bsym(&["check", &format!("machines/faults/{name}.mch")]);
    assert_eq!(out.status.code(), Some(2), "{name} is refused");
    String::from_utf8_lossy(&out.stderr).into_owned()
}

#[test]
fn an_unknown_name() {
    insta::assert_snapshot!(refused("UnknownName"));
}

#[test]
fn a_type_error() {
    insta::assert_snapshot!(refused("TypeError"));
}

#[test]
fn two_syntax_errors() {
    insta::assert_snapshot!(refused("SyntaxErrors"));
}

#[test]
fn an_unsupported_construct() {
    insta::assert_snapshot!(refused("Unsupported"));
}

/// docs/errors.md has one row for each code, in order, with its meaning and what to do.
#[test]
fn every_code_is_explained() {
    let text = std::fs::read_to_string(root().join("docs/errors.md")).expect("a file of the project");
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|l| l.starts_with("| B")).map(|l| l.split(" | ").collect()).collect();
    assert_eq!(rows.len(), Code::ALL.len());
    for (row, code) in rows.iter().zip(Code::ALL) {
        assert_eq!(row[0], format!("| {}", code.as_str()));
        assert_eq!(row[1], code.meaning(), "{}", code.as_str());
        assert!(row[2].len() > 10, "{}", code.as_str());
    }
}

/// Two strings whose bytes differ must not become one because they are not UTF-8.
#[test]
fn strings_that_are_not_utf8_are_refused() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("Latin.mch");
    let machine = |first: &[u8], second: &[u8]| {
        [&b"/* "[..], first, b" */ MACHINE Latin ASSERTIONS \"", first, b"\" /= \"", second, b"\" END"]
            .concat()
    };
    std::fs::write(&file, machine(b"M\xFCller", b"M\xF6ller")).expect("written");
    let out = super::bsym(&["check", &file.display().to_string()]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("a string with bytes that are no text") && said.contains("save it as UTF-8"),
        "{said}"
    );
    std::fs::write(&file, machine("Müller".as_bytes(), "Möller".as_bytes())).expect("written");
    assert_eq!(super::bsym(&["check", &file.display().to_string()]).status.code(), Some(0));
}
