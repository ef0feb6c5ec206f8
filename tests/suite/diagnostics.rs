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

/// Nobody reads thousands of errors, and nobody waits for them; how many there are is told.
#[test]
fn of_very_many_errors_some_are_shown() {
    let ops: Vec<String> = (0..600).map(|i| format!("o{i} = IF w{i} = v THEN skip END")).collect();
    let text = format!(
        "MACHINE Many\nCONCRETE_CONSTANTS v\nPROPERTIES v = 1\nOPERATIONS\n{}\nEND\n",
        ops.join(";\n")
    );
    let file = std::env::temp_dir().join(format!("bsym-many-errors-{}.mch", std::process::id()));
    std::fs::write(&file, text).expect("written");
    let out = bsym(&["check", &file.display().to_string()]);
    assert_eq!(out.status.code(), Some(2));
    let told = String::from_utf8_lossy(&out.stderr);
    assert!(told.contains("100 of 600 errors are shown"), "{told}");
    assert_eq!(told.matches("error[B").count(), 100, "{told}");
    // The place of one in the middle of the text.
    assert!(told.contains("54 | o49 = IF w49 = v THEN"), "{told}");
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
