//! `bsym lsp`: what an editor hears that opens machines, types, asks and leaves.

mod client;
mod names;

use super::Json;
use client::Client;
use serde_json::json;

pub(super) const COUNTER: &str = "MACHINE Counter\nVARIABLES\n  n // how many there are\nINVARIANT n : 0..3\nINITIALISATION n := 0\nOPERATIONS\n  /* one more */\n  inc = PRE n < 3 THEN n := n + 1 END;\n  k <-- get = k := n\nEND\n";
pub(super) const USER: &str = "MACHINE User\nINCLUDES c1.Counter, c2.Counter\nPROMOTES c1.get\nDEFINITIONS\n  small(a) == (a < limit); // less than the limit\n  \"More.def\"\nCONSTANTS limit\nPROPERTIES limit = 2\nVARIABLES x\nINVARIANT x : NAT & x <= 3 & /* é𝔸 */ small(x)\nINITIALISATION x := 0\nOPERATIONS\n  add(n) = PRE n : 0..1 & x + n < limit THEN x := x + n || c1.inc END;\n  any = ANY x WHERE x : 0..1 & c2.n = 0 THEN c2.inc END;\n  res(y) = PRE y = c1.n & twice(y) <= 2 & !x.(x : 0..1 => x < 2) THEN skip END\nEND\n";
pub(super) const MORE: &str = "DEFINITIONS\n  twice(b) == b + b\n";

pub(super) fn files() -> [(&'static str, &'static str); 3] {
    [("Counter.mch", COUNTER), ("User.mch", USER), ("More.def", MORE)]
}

#[test]
fn mistakes_come_move_and_go_while_one_types() {
    let mut c = Client::new("typing", &files());
    c.open("User.mch");
    assert_eq!(c.wrong("User.mch"), [""; 0]);
    c.set("User.mch", 2, &USER.replace("x := 0", "z := 0"));
    assert_eq!(c.wrong("User.mch"), ["B0201 10:15"]);
    // A line above it, put in as editors do.
    let document = json!({"uri": c.uri("User.mch"), "version": 3});
    let place = json!({"line": 1, "character": 0});
    let change = json!([{"range": {"start": place, "end": place}, "text": "/* é */\n"}]);
    c.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": change}));
    assert_eq!(c.wrong("User.mch"), ["B0201 11:15"]);
    c.set("User.mch", 4, &USER.replace("x := 0", "x := "));
    assert_eq!(c.wrong("User.mch"), ["B0102 11:0"]);
    c.set("User.mch", 5, &USER.replace("x + n || c1", "x + TRUE || c1"));
    assert_eq!(c.wrong("User.mch"), ["B0301 12:54"]);
    c.set("User.mch", 6, "");
    assert_eq!(c.wrong("User.mch"), ["B0102 0:0"]);
    // What was known of the names is not forgotten.
    assert!(
        c.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": c.uri("User.mch")}})).is_ok()
    );
    c.set("User.mch", 7, USER);
    assert_eq!(c.wrong("User.mch"), [""; 0]);
    assert_eq!(c.leave(), Some(0));
}

#[test]
fn mistakes_in_an_included_machine_are_those_of_its_file() {
    let mut c = Client::new("included", &files());
    std::fs::write(c.folder.join("Counter.mch"), COUNTER.replace("n < 3", "m < 3")).expect("written");
    c.open("User.mch");
    assert_eq!(c.wrong("User.mch"), [""; 0]);
    assert_eq!(c.wrong("Counter.mch"), ["B0201 7:12"]);
    // The editor's text counts, not that of the disk.
    c.open("Counter.mch");
    assert_eq!(c.wrong("Counter.mch"), ["B0201 7:12"]);
    c.set("Counter.mch", 2, COUNTER);
    assert_eq!(c.wrong("Counter.mch"), [""; 0]);
    c.set("Counter.mch", 3, &COUNTER.replace("inc =", "increase ="));
    let wrong = c.wrong("User.mch");
    assert_eq!(wrong, ["B0201 12:59", "B0201 13:45"]);
    assert_eq!(c.wrong("Counter.mch"), [""; 0]);
    // Closed, it is again what the disk has.
    let document = json!({"textDocument": {"uri": c.uri("Counter.mch")}});
    c.tell("textDocument/didClose", document);
    assert_eq!(c.wrong("User.mch"), [""; 0]);
    assert_eq!(c.wrong("Counter.mch"), [""; 0], "what a closed file had is taken back");
    assert_eq!(c.wrong("Counter.mch"), ["B0201 7:12"]);
    assert_eq!(c.leave(), Some(0));
}

fn hover(c: &mut Client, text: &str, n: usize) -> String {
    let place = c.at("User.mch", text, n);
    let found = c.ask_at("hover", place, json!({})).expect("an answer");
    found["contents"]["value"].as_str().unwrap_or("").to_owned()
}

#[test]
fn a_name_says_what_it_is() {
    let mut c = Client::new("hover", &files());
    c.open("User.mch");
    assert_eq!(hover(&mut c, "x + n", 0), "variable x : INTEGER\n\ndeclared in User.mch, line 9");
    assert_eq!(hover(&mut c, "n < limit", 0), "parameter n : INTEGER of add");
    assert_eq!(hover(&mut c, "inc END", 0), "operation inc\n\ndeclared in Counter.mch, line 8\n\none more");
    let variable = "variable n : INTEGER\n\ndeclared in Counter.mch, line 3\n\nhow many there are";
    assert_eq!(hover(&mut c, "n = 0", 0), variable);
    assert_eq!(hover(&mut c, "get", 0), "operation k : INTEGER <-- get\n\ndeclared in Counter.mch, line 9");
    let small = "definition small(a) == (a < limit)\n\ndeclared in User.mch, line 5\n\nless than the limit";
    assert_eq!(hover(&mut c, "small(x)", 0), small);
    assert_eq!(hover(&mut c, "x < 2", 0), "local x : INTEGER");
    assert!(hover(&mut c, "PROMOTES", 0).contains("operations of included machines"));
    assert!(hover(&mut c, "<=", 0).contains("num, num -> pred"), "{}", hover(&mut c, "<=", 0));
    assert_eq!(hover(&mut c, "less", 0), "", "a comment says nothing");
    // With a mistake elsewhere, types are those of before.
    c.set("User.mch", 2, &USER.replace("x := 0", "x := "));
    assert_eq!(hover(&mut c, "limit = 2", 0), "constant limit : INTEGER\n\ndeclared in User.mch, line 7");
    assert_eq!(c.leave(), Some(0));
}

#[test]
fn columns_are_counted_as_was_agreed() {
    let encodings = json!({"general": {"positionEncodings": ["utf-8", "utf-16"]}});
    for (can, kind, column) in [(encodings, "utf-8", 42), (json!({}), "utf-16", 39)] {
        let mut c = Client::with(kind, &files(), can, json!({}));
        assert_eq!(c.capabilities["positionEncoding"], kind);
        c.open("User.mch");
        assert_eq!(c.wrong("User.mch"), [""; 0]);
        // The argument of `small`, behind characters of two and four bytes.
        let document = json!({"uri": c.uri("User.mch")});
        let place = json!({"textDocument": document, "position": {"line": 9, "character": column + 6}});
        let found = c.ask_at("definition", place, json!({})).expect("an answer");
        assert_eq!(c.places(&found), ["User.mch 8:10-11"], "{kind}");
        c.set("User.mch", 2, &USER.replace("small(x)", "smell(x)"));
        let wrong = c.wrong("User.mch");
        assert_eq!(wrong, [format!("B0201 9:{column}")], "{kind}");
        assert_eq!(c.leave(), Some(0));
    }
}

#[test]
fn the_outline_has_clauses_with_what_they_declare() {
    let mut c = Client::new("outline", &files());
    c.open("User.mch");
    let document = json!({"textDocument": {"uri": c.uri("User.mch")}});
    let outline = c.ask("textDocument/documentSymbol", document).expect("an answer");
    assert_eq!(outline[0]["name"], "User");
    let names = |of: &Json| -> Vec<String> {
        let all = of["children"].as_array().into_iter().flatten();
        all.map(|s| s["name"].as_str().unwrap_or("").to_owned()).collect()
    };
    let clauses = names(&outline[0]);
    assert!(clauses.contains(&"INVARIANT".to_owned()), "{clauses:?}");
    let operations = outline[0]["children"].as_array().expect("clauses").last().expect("a clause");
    assert_eq!(names(operations), ["add", "any", "res"]);
    assert_eq!(names(&outline[0]["children"][2]), ["small", "More.def"]);
    assert_eq!(c.leave(), Some(0));
}

#[test]
fn what_may_be_meant_is_offered() {
    let mut c = Client::new("completion", &files());
    c.open("User.mch");
    let offered = |c: &mut Client, text: &str, n: usize| -> Vec<String> {
        let place = c.at("User.mch", text, n);
        let found = c.ask_at("completion", place, json!({})).expect("an answer");
        found
            .as_array()
            .expect("a list")
            .iter()
            .map(|i| i["label"].as_str().unwrap_or("").to_owned())
            .collect()
    };
    let has = |all: &[String], wanted: &[&str]| wanted.iter().all(|w| all.contains(&(*w).to_owned()));
    let inside = offered(&mut c, " + n < limit", 0);
    assert!(has(&inside, &["x"]) && !has(&inside, &["n"]), "what is typed narrows it down: {inside:?}");
    let inside = offered(&mut c, "x + n < limit", 0);
    assert!(has(&inside, &["n", "x", "limit", "small", "c1.inc", "twice", "c2.n"]), "{inside:?}");
    assert!(!has(&inside, &["y"]) && !has(&inside, &["INVARIANT"]), "{inside:?}");
    let start = offered(&mut c, "INVARIANT", 0);
    assert!(has(&start, &["INVARIANT", "ASSERTIONS"]), "{start:?}");
    assert_eq!(offered(&mut c, "less than", 0), [""; 0], "nothing in a comment");
    // An operation that is being written has no tree.
    c.set("User.mch", 2, &USER.replace("x + n < limit", "x + n < "));
    assert!(has(&offered(&mut c, " < limit THEN", 0), &["n"]));
    assert_eq!(c.leave(), Some(0));
}

#[test]
fn a_lens_checks_and_says_how_it_went() {
    let endless = "MACHINE Endless VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0 OPERATIONS up = x := x + 1 END";
    let more = [("Endless.mch", endless)];
    let can =
        json!({"window": {"workDoneProgress": true}, "workspace": {"codeLens": {"refreshSupport": true}}});
    let options = json!({"check": ["--max-states=1000000000"]});
    let mut c = Client::with("lens", &[files().as_slice(), &more].concat(), can, options);
    c.open("User.mch");
    let lens = |c: &mut Client, file: &str| {
        let document = json!({"textDocument": {"uri": c.uri(file)}});
        c.ask("textDocument/codeLens", document).expect("lenses")[0]["command"].clone()
    };
    let command = lens(&mut c, "User.mch");
    assert_eq!(command["title"], "Check");
    let run = |command: &Json| json!({"command": command["command"], "arguments": command["arguments"]});
    let answer = c.ask("workspace/executeCommand", run(&command)).expect("a verdict");
    let verdict = answer["verdict"].as_str().expect("a text").to_owned();
    assert!(verdict.starts_with("ERROR User: this precondition is false"), "{answer}");
    assert_eq!(c.told("window/showMessage")["message"], verdict.as_str());
    assert_eq!(c.told("$/progress")["value"]["kind"], "begin");
    assert_eq!(c.told("$/progress")["value"]["kind"], "end");
    // One that does not end is ended by its own lens, by the request and by the end of the session.
    c.open("Endless.mch");
    let start = run(&lens(&mut c, "Endless.mch"));
    let running = c.begin("workspace/executeCommand", start.clone());
    assert!(c.ask("workspace/executeCommand", start.clone()).is_err_and(|e| e.contains("already")));
    let cancel = lens(&mut c, "Endless.mch");
    assert_eq!(cancel["title"], "Cancel the check");
    assert_eq!(c.ask("workspace/executeCommand", run(&cancel)), Ok(Json::Bool(true)));
    assert!(c.answer(&running).is_err_and(|e| e.contains("cancelled")));
    let running = c.begin("workspace/executeCommand", start.clone());
    c.tell("$/cancelRequest", json!({"id": 7}));
    let id: Json = serde_json::to_value(&running).expect("a number");
    c.tell("$/cancelRequest", json!({"id": id}));
    assert!(c.answer(&running).is_err_and(|e| e.contains("cancelled")));
    c.begin("workspace/executeCommand", start);
    assert_eq!(c.leave(), Some(0));
}

#[test]
fn what_is_no_request_gets_an_error_and_what_is_no_message_ends_it() {
    let mut c = Client::new("errors", &files());
    c.open("User.mch");
    assert!(c.ask("textDocument/nothing", json!({})).is_err_and(|e| e.contains("not known")));
    assert!(c.ask("textDocument/hover", json!({"position": 3})).is_err());
    let command = json!({"command": "bsym.nothing", "arguments": [c.uri("User.mch")]});
    assert!(c.ask("workspace/executeCommand", command).is_err_and(|e| e.contains("bsym.nothing")));
    c.tell("textDocument/didChange", json!({"textDocument": 1}));
    assert!(c.told("window/showMessage")["message"].as_str().is_some_and(|m| m.contains("didChange")));
    let place = c.at("User.mch", "x := 0", 0);
    assert!(c.ask_at("hover", place, json!({})).is_ok(), "it goes on");
    c.raw(b"Content-Length: 9\r\n\r\n{\"a\": 1,,");
    let (code, said) = c.vanish();
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no message of the Language Server Protocol"), "{said}");
    // One that goes away without a word is no error of the server, and no success.
    let c = Client::new("vanish", &[]);
    assert_eq!(c.vanish(), (Some(1), String::new()));
}

#[test]
fn definitions_and_the_folders_options_count_in_the_editor_and_in_its_checks() {
    let machine =
        "MACHINE Room\nDEFINITIONS N == 3\nVARIABLES x\nINVARIANT x : 0..N\nINITIALISATION x := 3\nEND\n";
    let files = [("Room.mch", machine), ("Counter.mch", COUNTER), ("bsym.toml", "define = [\"N=1\"]\n")];
    let verdict = |c: &mut Client| {
        let start = json!({"command": "bsym.check", "arguments": [c.uri("Room.mch")]});
        c.ask("workspace/executeCommand", start).expect("a verdict").to_string()
    };
    let mut c = Client::called("defined", &files, &["-D", "N=TRUE"]);
    c.open("Room.mch");
    // What is wrong stands in no file.
    assert_eq!(c.wrong("Room.mch"), ["B0301 0:0"]);
    // A machine without such a definition is none the worse.
    c.open("Counter.mch");
    assert_eq!(c.wrong("Counter.mch"), [""; 0]);
    assert_eq!(c.leave(), Some(0));
    let mut c = Client::new("configured", &[files[0], ("bsym.toml", "define = [\"N=TRUE\"]\n")]);
    c.open("Room.mch");
    assert_eq!(c.wrong("Room.mch"), ["B0301 0:0"]);
    assert_eq!(c.leave(), Some(0));
    for (args, expected) in [(&["-D", "N=4"][..], "HOLDS"), (&["--no-config"], "HOLDS"), (&[], "VIOLATED")] {
        let mut c = Client::called("defined", &files, args);
        c.open("Room.mch");
        assert_eq!(c.wrong("Room.mch"), [""; 0]);
        let said = verdict(&mut c);
        assert!(said.contains(expected), "{args:?}: {said}");
        assert_eq!(c.leave(), Some(0));
    }
}
