//! What a user sees when a machine is refused: snapshots of the machines in `machines/faults`.

use super::bsym;

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
