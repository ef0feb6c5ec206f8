//! `bsym.toml`: as if the command line said so, unless it says something else.

use super::{Json, bsym};
use std::path::{Path, PathBuf};

/// A folder with a machine in a folder below, and this `bsym.toml`.
fn folder(name: &str, toml: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("config").join(name);
    std::fs::create_dir_all(folder.join("below")).expect("a folder");
    std::fs::create_dir_all(folder.join("lib")).expect("a folder");
    std::fs::write(folder.join("bsym.toml"), toml).expect("written");
    let text = "MACHINE M SETS S DEFINITIONS top == 3 VARIABLES x, s INVARIANT x : 0..top & s <: S \
                INITIALISATION x := 0 || s := {} \
                OPERATIONS up = SELECT x < top THEN x := x + 1 END; \
                add(e) = PRE e : S - s THEN s := s \\/ {e} END END";
    std::fs::write(folder.join("below").join("M.mch"), text).expect("written");
    folder
}

/// Exit code, report and what is said beside it.
fn check(folder: &Path, more: &[&str]) -> (Option<i32>, Json, String) {
    let file = folder.join("below").join("M.mch").display().to_string();
    let out = bsym(&[&["check", &file, "--format=json"], more].concat());
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    (out.status.code(), serde_json::from_slice(&out.stdout).unwrap_or_default(), said)
}

#[test]
fn options_of_a_folder_are_as_if_they_were_given() {
    let toml = "card = { S = 3 }\ndefine = [\"top=4\"]\n[check]\nno-deadlock = true\nsymmetry = \"off\"\n[graph]\nsymmetry = \"exact\"\n";
    let folder = folder("given", toml);
    let (exit, mut by_file, said) = check(&folder, &[]);
    let given = ["--no-config", "--card=S=3", "--no-deadlock", "--symmetry=off", "-Dtop=4"];
    let (code, mut by_option, silent) = check(&folder, &given);
    for report in [&mut by_file, &mut by_option] {
        ["seconds", "peak_bytes"]
            .iter()
            .for_each(|p| drop(report.as_object_mut().and_then(|r| r.remove(*p))));
    }
    assert_eq!((exit, &by_file), (code, &by_option));
    assert_eq!((exit, &by_file["states"]), (Some(0), &40.into()), "{by_file}");
    assert!(said.contains("gives the options") && said.contains("--card=S=3"), "{said}");
    assert_eq!(silent, "");
    // What the command line says counts, and of the other options those of the file.
    let (exit, report, _) = check(&folder, &["--card=2", "--symmetry=exact"]);
    assert_eq!((exit, &report["states"]), (Some(0), &15.into()), "{report}");
    let (exit, report, _) = check(&folder, &["--no-config"]);
    assert_eq!((exit, &report["violations"][0]["kind"]), (Some(1), &"deadlock".into()), "{report}");
}

/// Each of several machines has the options of its folder; comparisons are those of the options that they say.
#[test]
fn checks_in_processes_of_their_own_have_them_once() {
    let folder = folder("several", "card = 2\nno-deadlock = true\n");
    let path = folder.display().to_string();
    let out = bsym(&["check", &path, "--format=json"]);
    let json: Json = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(
        (out.status.code(), &json["machines"][0]["report"]["states"]),
        (Some(0), &12.into()),
        "{json}"
    );
    let file = folder.join("below").join("M.mch").display().to_string();
    let out = bsym(&["agree", &file, "--format=json"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{text}");
}

#[test]
fn paths_begin_at_the_file() {
    let folder = folder("paths", "include = [\"lib\"]\n");
    let text = "MACHINE Uses INCLUDES Used INVARIANT TRUE = TRUE OPERATIONS nothing = skip END";
    std::fs::write(folder.join("below").join("Uses.mch"), text).expect("written");
    std::fs::write(folder.join("lib").join("Used.mch"), "MACHINE Used END").expect("written");
    let file = folder.join("below").join("Uses.mch").display().to_string();
    assert_eq!(bsym(&["check", &file]).status.code(), Some(0));
    assert_eq!(bsym(&["check", &file, "--no-config"]).status.code(), Some(2));
}

#[test]
fn mistakes_have_their_place() {
    for (name, toml, what, line) in [
        ("typo", "card = 2\nsymetry = \"off\"\n", "did you mean `symmetry`?", 2),
        ("of-another", "[eval]\nsymmetry = \"off\"\n", "no option `--symmetry`", 2),
        ("of-the-call", "format = \"json\"\n", "who reads the answer", 1),
        ("no-value", "[check]\nno-deadlock = 3\n", "has no value", 2),
        ("no-flag", "\nmaxint = true\n", "has a value", 2),
        ("kind", "maxint = 1.5\n", "an option is a text", 1),
        ("syntax", "card = \n", "", 1),
    ] {
        let folder = folder(name, toml);
        let (exit, _, said) = check(&folder, &[]);
        assert_eq!(exit, Some(2), "{name}: {said}");
        assert!(said.contains(what) && said.contains(&format!("bsym.toml:{line}:")), "{name}: {said}");
    }
    // A value that the option does not take is told by the command line, with the file.
    let (exit, _, said) = check(&folder("value", "maxint = \"many\"\n"), &[]);
    assert_eq!(exit, Some(2), "{said}");
    assert!(said.contains("'--maxint <N>'") && said.contains("bsym.toml"), "{said}");
}
