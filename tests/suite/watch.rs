//! `check --watch`: every version of a machine, and of what it includes, is checked.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Long enough for any check here on a busy host.
const PATIENCE: Duration = Duration::from_mins(1);

/// A process with the lines that it has written.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn begin(file: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
        command.arg("check").arg(file).args(["--watch", "--no-config", "--quiet"]);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("bsym");
        let out = child.stdout.take().expect("a pipe");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self { child, lines }
    }

    /// Waits for a line that begins so.
    fn until(&self, begin: &str) {
        let mut seen = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|e| panic!("{begin}: {e}: {seen:?}"));
            if line.starts_with(begin) {
                return;
            }
            seen.push(line);
        }
    }
}

#[test]
fn every_change_is_checked() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watch");
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    let counter = |most: u32| {
        format!(
            "MACHINE Counter VARIABLES x INVARIANT x : 0..{most} INITIALISATION x := 0 \
             OPERATIONS up = BEGIN x := (x + 1) mod 4 END END"
        )
    };
    write("Counter.mch", &counter(3));
    let outer = "MACHINE Outer INCLUDES Counter PROMOTES up";
    write("Outer.mch", &format!("{outer} END"));
    let mut watching = Watching::begin(&folder.join("Outer.mch"));
    watching.until("HOLDS Outer");
    // In what is included.
    write("Counter.mch", &counter(22));
    watching.until("HOLDS Outer");
    write("Counter.mch", &counter(2));
    watching.until("VIOLATED Outer");
    // A mistake, which goes to standard error, and a check that does not end.
    write("Outer.mch", "MACHINE Outer INCLUDES END");
    std::thread::sleep(Duration::from_millis(500));
    let endless = "VARIABLES y INVARIANT y : NATURAL INITIALISATION y := 0 OPERATIONS on = y := y + 1";
    write("Outer.mch", &format!("MACHINE Outer {endless} END"));
    std::thread::sleep(Duration::from_millis(500));
    write("Outer.mch", &format!("{outer} INVARIANT x < 100 END"));
    watching.until("VIOLATED Outer");
    let id = watching.child.id().to_string();
    let asked = Command::new("kill").args(["-INT", &id]).status();
    assert!(asked.is_ok_and(|s| s.success()), "`kill` ends it");
    assert_eq!(watching.child.wait().expect("it ends").code(), Some(1), "the exit code of the last check");
}
