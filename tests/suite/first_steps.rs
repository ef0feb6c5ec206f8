//! `docs/first-steps.md` is a transcript: its machines are written, its commands run, and what they print is what stands there.

use super::root;
use std::path::Path;
use std::process::{Command, Stdio};

/// The blocks of a text: their kind and what is in them.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    let mut parts = text.split("\n```");
    parts.next();
    while let (Some(block), _) = (parts.next(), parts.next()) {
        blocks.push(block.split_once('\n').unwrap_or((block, "")));
    }
    blocks
}

/// What a shell prints for a command in a folder where `bsym` is known.
fn shell(command: &str, folder: &Path) -> String {
    let bsym = Path::new(env!("CARGO_BIN_EXE_bsym")).parent().expect("a folder");
    let path = format!("{}:{}", bsym.display(), std::env::var("PATH").unwrap_or_default());
    let out = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    String::from_utf8(out.stdout).expect("text")
}

/// A line without what is another each time: numbers with a point in them, the whole number before `MiB`, and the last one in a row
/// of a table with such numbers.
fn steady(line: &str) -> String {
    let is_time = |w: &str| {
        let number = w.trim_end_matches(',');
        number.contains('.') && number.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let timed = words.iter().any(|w| is_time(w));
    for i in 0..words.len() {
        let next = words.get(i + 1).copied();
        let memory = next == Some("MiB") || timed && next == Some("\u{2502}");
        if is_time(words[i]) || memory {
            words[i] = "?";
        }
    }
    words.join(" ")
}

#[cfg(unix)]
#[test]
fn the_first_steps_print_what_they_say() {
    let text = std::fs::read_to_string(root().join("docs/first-steps.md")).expect("the text");
    let folder = std::env::temp_dir().join(format!("bsym-first-steps-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut machines, mut commands) = (0, 0);
    for (kind, block) in blocks(&text) {
        match kind {
            "b" => {
                machines += 1;
                std::fs::write(folder.join("Lock.mch"), format!("{block}\n")).expect("written");
            }
            "console" => {
                let mut expected = String::new();
                let mut said = String::new();
                for line in block.lines() {
                    if let Some(command) = line.strip_prefix("$ ") {
                        commands += 1;
                        said += &shell(command, &folder);
                    } else {
                        expected += &format!("{line}\n");
                    }
                }
                let steady = |text: &str| text.lines().map(steady).collect::<Vec<_>>();
                assert_eq!(steady(&said), steady(&expected), "{block}\n-- now:\n{said}");
            }
            _ => {}
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(machines == 3 && commands == 10, "{machines} machines, {commands} commands");
}
