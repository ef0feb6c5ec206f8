//! A real terminal, that of tmux, with the program in it.
//!
//! In: arguments, keys. Out: what is to be seen. Where there is no tmux, there is no screen, and it is said.

use super::root;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a screen is waited for on a busy host.
pub(crate) const LONG: Duration = Duration::from_mins(1);

/// A terminal with the program in it, ended when this is dropped.
pub(crate) struct Screen {
    socket: PathBuf,
}

impl Screen {
    /// Starts the program; nothing where there is no tmux.
    pub(crate) fn of(name: &str, (width, height): (u32, u32), args: &[&str]) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("SKIPPED: no tmux on PATH");
            return None;
        }
        let screen =
            Self { socket: std::env::temp_dir().join(format!("bsym-screen-{name}-{}", std::process::id())) };
        let quoted: Vec<String> = args.iter().map(|a| format!("'{a}'")).collect();
        // How it ended is seen, and whether the terminal is as it was; Ctrl-C is for the program alone.
        let line = format!(
            "trap : INT; '{}' {}; echo \"ended with $?\"; stty -a | tr ' ;' '\\n' | grep -x -e icanon -e echo | tr '\\n' ' '; sleep 600",
            env!("CARGO_BIN_EXE_bsym"),
            quoted.join(" ")
        );
        let (width, height) = (width.to_string(), height.to_string());
        let begin = ["-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height, "sh", "-c", &line];
        screen.tmux(&begin);
        Some(screen)
    }

    pub(crate) fn tmux(&self, args: &[&str]) -> String {
        let out =
            Command::new("tmux").args(["-u", "-S"]).arg(&self.socket).args(args).current_dir(root()).output();
        String::from_utf8_lossy(&out.expect("tmux starts").stdout).into_owned()
    }

    pub(crate) fn seen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// Waits until there is something to see.
    pub(crate) fn wait(&self, what: &str) -> String {
        let since = Instant::now();
        loop {
            let seen = self.seen();
            if seen.contains(what) {
                return seen;
            }
            assert!(since.elapsed() < LONG, "`{what}` does not come:\n{seen}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Presses keys, by the names that tmux has for them.
    pub(crate) fn press(&self, keys: &[&str]) {
        for key in keys {
            self.tmux(&["send-keys", key]);
            if *key == "Escape" {
                // What comes at once after it would be one key with it.
                std::thread::sleep(Duration::from_millis(200));
            }
        }
    }

    /// Types a text.
    pub(crate) fn write(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    /// Waits for the end, which leaves the terminal as it was.
    pub(crate) fn ended(&self) {
        let seen = self.wait("icanon echo");
        assert!(seen.contains("ended with 0"), "{seen}");
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
        let _ = std::fs::remove_file(&self.socket);
    }
}
