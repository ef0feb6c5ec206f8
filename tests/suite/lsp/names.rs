//! Definitions, references and other names, in the file and across files.

use super::super::bsym;
use super::{COUNTER, Client, Json, USER, files};
use serde_json::json;

fn places(c: &mut Client, method: &str, file: &str, text: &str, n: usize) -> Vec<String> {
    let place = c.at(file, text, n);
    let more = json!({"context": {"includeDeclaration": true}});
    let found = c.ask_at(method, place, more).expect("an answer");
    c.places(&found)
}

#[test]
fn a_name_leads_to_its_declaration() {
    let mut c = Client::new("definition", &files());
    c.open("User.mch");
    let mut at = |text: &str, n: usize| places(&mut c, "definition", "User.mch", text, n);
    assert_eq!(at("inc END", 0), ["Counter.mch 7:2-5"]);
    assert_eq!(at("n = 0", 0), ["Counter.mch 2:2-3"]);
    assert_eq!(at("c2.n", 0), ["User.mch 1:21-23"], "the prefix is declared where the machine is included");
    assert_eq!(at("Counter, c2", 0), ["Counter.mch 0:8-15"]);
    assert_eq!(at("twice(y)", 0), ["More.def 1:2-7"]);
    assert_eq!(at("\"More.def\"", 0), ["More.def 0:0-0"]);
    assert_eq!(at("get", 0), ["Counter.mch 8:8-11"]);
    // The nearest of several.
    assert_eq!(at("x := 0", 0), ["User.mch 8:10-11"]);
    assert_eq!(at("x : 0..1 & c2", 0), ["User.mch 13:12-13"]);
    assert_eq!(at("x < 2", 0), ["User.mch 14:43-44"]);
    assert_eq!(at("a < limit", 0), ["User.mch 4:8-9"]);
    assert_eq!(at("ANY", 0), [""; 0]);
    assert_eq!(c.leave(), Some(0));
}

#[test]
fn references_are_what_means_the_same() {
    let mut c = Client::new("references", &files());
    c.open("User.mch");
    let variable = places(&mut c, "references", "User.mch", "x := x + n", 0);
    let expected =
        ["8:10-11", "9:10-11", "9:20-21", "9:45-46", "10:15-16", "12:26-27", "12:45-46", "12:50-51"];
    assert_eq!(variable, expected.map(|p| format!("User.mch {p}")), "not the locals of that name");
    let quantified = places(&mut c, "references", "User.mch", "x < 2", 0);
    assert_eq!(quantified, ["14:43-44", "14:46-47", "14:58-59"].map(|p| format!("User.mch {p}")));
    // Those of a machine that includes it and is not open, too.
    let document = json!({"textDocument": {"uri": c.uri("User.mch")}});
    c.tell("textDocument/didClose", document);
    c.open("Counter.mch");
    let inc = places(&mut c, "references", "Counter.mch", "inc", 0);
    assert_eq!(inc, ["Counter.mch 7:2-5", "User.mch 12:62-65", "User.mch 13:48-51"]);
    assert_eq!(c.leave(), Some(0));
}

fn rename(c: &mut Client, file: &str, text: &str, n: usize, new: &str) -> Result<Json, String> {
    let place = c.at(file, text, n);
    c.ask_at("rename", place, json!({"newName": new}))
}

/// The report of a check with another name put back, without times.
fn checked(c: &Client, old: &str, new: &str) -> String {
    let file = c.folder.join("User.mch").display().to_string();
    let out = bsym(&["check", &file, "--keep-going", "--format=json", "--no-deadlock"]);
    let mut report: Json = serde_json::from_slice(&out.stdout).expect("a report");
    for part in ["seconds", "peak_bytes"] {
        report.as_object_mut().and_then(|r| r.remove(part));
    }
    // Places move with the length of a name.
    report.to_string().replace(new, old)
}

#[test]
fn another_name_changes_nothing_else() {
    // Two letters for two, so that places stay.
    let renamed = [
        ("x := x + n", 0, "q", "x"),
        ("n < limit", 0, "q", "n"),
        ("x : 0..1 & c2", 0, "q", "x"),
        ("x < 2", 0, "q", "x"),
        ("limit = 2", 0, "qqqqq", "limit"),
        ("c2.n", 0, "qq", "c2"),
        ("inc END", 0, "qqq", "inc"),
        ("n = 0", 0, "q", "n"),
        ("a < limit", 0, "q", "a"),
        ("twice(y)", 0, "qqqqq", "twice"),
        ("small(x)", 0, "qqqqq", "small"),
        ("any =", 0, "qqq", "any"),
    ];
    for (text, n, new, old) in renamed {
        let mut c = Client::new("rename", &files());
        c.open("User.mch");
        let before = checked(&c, old, new);
        let edit = rename(&mut c, "User.mch", text, n, new).unwrap_or_else(|e| panic!("{text}: {e}"));
        c.apply(&edit);
        let now: String = ["User.mch", "Counter.mch", "More.def"].map(|f| c.disk(f)).concat();
        assert!(now.contains(new), "{now}");
        assert_eq!(checked(&c, old, new), before.replace(new, old), "{text}\n{now}");
        assert_eq!(c.leave(), Some(0));
    }
}

#[test]
fn a_name_in_use_is_refused_and_so_is_what_is_none() {
    let mut c = Client::new("refused", &files());
    c.open("User.mch");
    let mut says = |text: &str, new: &str| rename(&mut c, "User.mch", text, 0, new).expect_err(new);
    assert!(says("limit = 2", "x").contains("taken"), "another declaration of the machine");
    assert!(says("limit = 2", "n").contains("taken"), "a parameter would hide it in `add`");
    assert!(says("n < limit", "x").contains("taken"), "it would hide the variable");
    assert!(says("c2.n", "c1").contains("taken"));
    assert!(says("inc END", "get").contains("taken"), "an operation of the included machine");
    assert!(says("limit = 2", "card").contains("reserved"));
    assert!(says("limit = 2", "MACHINE").contains("reserved"));
    assert!(says("limit = 2", "a b").contains("no name"));
    assert!(says("limit = 2", "c1.m").contains("no name"));
    assert!(says("Counter, c2", "Other").contains("file"));
    assert!(says("ANY", "q").contains("no name here"));
    let place = c.at("User.mch", "limit = 2", 0);
    let prepared = c.ask_at("prepareRename", place, json!({})).expect("a range");
    assert_eq!(prepared["placeholder"], "limit");
    // With a mistake in the text nobody knows what else is meant.
    c.set("User.mch", 2, &USER.replace("x := 0", "x := "));
    assert!(rename(&mut c, "User.mch", "limit = 2", 0, "most").is_err_and(|e| e.contains("mend")));
    c.set("User.mch", 3, USER);
    let path = c.folder.join("Counter.mch");
    let mut rights = std::fs::metadata(&path).expect("a file").permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&path, rights.clone()).expect("rights");
    assert!(rename(&mut c, "User.mch", "inc END", 0, "more").is_err_and(|e| e.contains("cannot be written")));
    assert!(rename(&mut c, "User.mch", "limit = 2", 0, "most").is_ok(), "the other files can");
    assert_eq!(c.leave(), Some(0));
    std::fs::remove_file(&path).expect("removed");
}

#[test]
fn a_definition_is_text_and_so_are_the_names_in_it() {
    let text = "MACHINE M\nDEFINITIONS\n  low == (x < y);\n  all(v, P) == (!v.(P));\n  ASSERT_LTL1 == \"G {z >= 0}\"\nVARIABLES y, z\nINVARIANT y : NAT & z : NAT & all(w, w : 0..1 => w < 2)\nINITIALISATION y := 0 || z := 0\nOPERATIONS\n  a(x) = PRE x : 0..1 & low THEN skip END;\n  b(x) = PRE x : 0..2 & x < 1 THEN skip END;\n  c(x) = PRE x : 0..1 & low THEN skip END\nEND\n";
    let refinement = "REFINEMENT R\nREFINES M\nVARIABLES y\nINVARIANT y >= 0\nINITIALISATION y := 0\nOPERATIONS\n  a(x) = PRE x : 0..1 THEN skip END\nEND\n";
    let mut c = Client::new("text", &[("M.mch", text), ("R.ref", refinement), ("Counter.mch", COUNTER)]);
    c.open("M.mch");
    // The name in the definition means a parameter of each operation that uses it.
    assert_eq!(places(&mut c, "definition", "M.mch", "x < y", 0), ["M.mch 9:4-5", "M.mch 11:4-5"]);
    assert!(rename(&mut c, "M.mch", "x : 0..1", 0, "q").is_err_and(|e| e.contains("different things")));
    assert!(rename(&mut c, "M.mch", "x : 0..2", 0, "q").is_ok());
    // `w` is bound, for the parameter of the definition is what its binder binds.
    let bound = places(&mut c, "references", "M.mch", "w < 2", 0);
    assert_eq!(bound, ["6:34-35", "6:37-38", "6:49-50"].map(|p| format!("M.mch {p}")));
    assert!(rename(&mut c, "M.mch", "z : NAT", 0, "q").is_err_and(|e| e.contains("ASSERT_LTL1")));
    assert!(rename(&mut c, "M.mch", "ASSERT_LTL1", 0, "q").is_err_and(|e| e.contains("meaning of its own")));
    // A refinement means the same variable and the same operation, whether or not it is open.
    let kept = places(&mut c, "references", "M.mch", "y := 0", 0);
    assert!(kept.contains(&"R.ref 2:10-11".to_owned()), "{kept:?}");
    let edit = rename(&mut c, "M.mch", "a(x)", 0, "begun").expect("edits");
    assert_eq!(edit["changes"].as_object().map(serde_json::Map::len), Some(2), "{edit}");
    assert!(rename(&mut c, "M.mch", "y := 0", 0, "x").is_err());
    assert_eq!(c.leave(), Some(0));
}
