//! What is written to standard output: reports, graphs, values.
//!
//! In: a text, or somebody who writes one, and the exit code if all goes well. Out: that code, or the one for a report that
//! could not be written. A reader that has gone away is no reason to fail; a full disk is.

use super::exit::Exit;
use super::load;
use super::progress;
use crate::diagnostic::{Code, Diagnostic};
use std::io::{self, Write};

/// Writes a text.
pub(super) fn print(text: &str, then: Exit) -> Exit {
    say(|out| out.write_all(text.as_bytes()), then)
}

/// Lets somebody write.
pub(super) fn say(say: impl FnOnce(&mut dyn Write) -> io::Result<()>, then: Exit) -> Exit {
    let done = progress::aside(|| {
        let mut out = io::stdout().lock();
        match plainly(&mut out) {
            Some(mut plain) => say(&mut plain).and_then(|()| plain.flush()),
            None => say(&mut out).and_then(|()| out.flush()),
        }
    });
    match done {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            let text = format!("standard output cannot be written: {e}");
            load::refuse(Diagnostic::without_place(Code::FileUnreadable, text))
        }
        _ => then,
    }
}

/// Standard output without a search for the last end of a line, which in a trace may lie a megabyte back.
#[cfg(unix)]
fn plainly(out: &mut io::StdoutLock<'_>) -> Option<impl Write + use<>> {
    use std::os::fd::AsFd as _;
    out.flush().ok()?;
    let same = out.as_fd().try_clone_to_owned().ok()?;
    Some(io::BufWriter::new(std::fs::File::from(same)))
}

/// Elsewhere it is left as it is.
#[cfg(not(unix))]
fn plainly(_: &mut io::StdoutLock<'_>) -> Option<io::Sink> {
    None
}
