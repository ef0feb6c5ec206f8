//! The language server: what an editor asks about machines while they are written.
//!
//! In: messages of the Language Server Protocol on standard input. Out: answers and diagnostics on standard output. Nothing is
//! explored here: checks run as processes of their own (`check`).
//!
//! `documents` holds the open texts, `analysis` what is known of a machine with what it refers to, `index` which name means
//! what; one file for each kind of request: `hover`, `definition`, `references`, `rename`, `outline`, `completion`, `lens`;
//! `diagnostics` is what nobody asks for; `position`, `uri`, `comments` and `words` help them; `session` keeps all of it up to
//! date and `requests` says who answers what.

mod analysis;
mod check;
mod client;
mod comments;
mod completion;
mod definition;
mod diagnostics;
mod documents;
mod hover;
mod index;
mod lens;
mod outline;
mod position;
mod references;
mod rename;
mod requests;
mod session;
mod uri;
mod words;
mod workspace;

use crate::source::Sources;
use client::Client;
use lsp_server::{Connection, ErrorCode, Message, Notification, RequestId, Response};
use serde_json::json;
use session::Session;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// No texts yet, with the folders and definitions that count for the machine at a path.
pub type Start = Arc<dyn Fn(&Path) -> Sources>;

/// What the server is started with.
pub struct Options {
    /// Where machines and definitions come from.
    pub start: Start,
    /// Arguments of checks, besides those that the editor has for them.
    pub arguments: Vec<OsString>,
}

/// How a session has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// As the protocol has it.
    Well,
    /// The editor went away without saying so.
    Early,
}

/// How long nothing must come in before texts are looked at that have changed.
const QUIET: Duration = Duration::from_millis(4);

/// Serves an editor on standard input and output until it leaves.
///
/// # Errors
/// What came in was no message of the protocol.
pub fn serve(options: Options) -> Result<Ended, String> {
    let (connection, threads) = Connection::stdio();
    let served = session(&connection, options);
    // The writer ends when nobody can send any more.
    drop(connection);
    // A reader that has given up says why.
    threads.join().map(|()| served).map_err(|e| broken(&e.to_string()))
}

fn broken(error: &str) -> String {
    let short: String = error.chars().take(200).collect();
    format!("what came in is no message of the Language Server Protocol: {short}")
}

fn session(connection: &Connection, options: Options) -> Ended {
    let Ok((id, params)) = connection.initialize_start() else { return Ended::Early };
    let client = Client::of(&params, options.arguments);
    let result = json!({
        "capabilities": client.capabilities(),
        "serverInfo": {"name": "bsym", "version": env!("CARGO_PKG_VERSION")},
    });
    if connection.initialize_finish(id, result).is_err() {
        return Ended::Early;
    }
    let sender = connection.sender.clone();
    let mut session = Session::new(client, options.start, move |message| {
        // An editor that has gone away hears nothing.
        let _ = sender.send(message);
    });
    session.begin();
    let ended = exchange(connection, &mut session);
    session.end();
    ended
}

/// Takes messages until the last.
fn exchange(connection: &Connection, session: &mut Session) -> Ended {
    loop {
        let next = if session.is_behind() {
            connection.receiver.recv_timeout(QUIET).map_err(|e| e.is_disconnected())
        } else {
            connection.receiver.recv().map_err(|_| true)
        };
        match next {
            Ok(Message::Request(request)) if request.method == "shutdown" => {
                session.end();
                return farewell(connection, request.id);
            }
            Ok(Message::Request(request)) => session.request(request),
            Ok(Message::Notification(Notification { method, .. })) if method == "exit" => {
                return Ended::Early;
            }
            Ok(Message::Notification(notification)) => session.notification(notification),
            Ok(Message::Response(_)) => {}
            Err(true) => return Ended::Early,
            Err(false) => session.catch_up(),
        }
    }
}

/// Answers the last request, and waits for the end.
fn farewell(connection: &Connection, id: RequestId) -> Ended {
    // An editor that has gone away hears nothing.
    let answer = |response: Response| _ = connection.sender.send(response.into());
    answer(Response::new_ok(id, ()));
    loop {
        match connection.receiver.recv() {
            Ok(Message::Notification(n)) if n.method == "exit" => return Ended::Well,
            Ok(Message::Request(request)) => {
                let text = "the server has been told to end".to_owned();
                answer(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, text));
            }
            Ok(_) => {}
            Err(_) => return Ended::Early,
        }
    }
}
