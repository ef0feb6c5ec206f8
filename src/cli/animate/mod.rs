//! `bsym animate`: a machine in the terminal: its state, the steps that are possible, those that were taken.
//!
//! In: a machine, keys. Out: a screen. One thread draws and reads keys, the other computes, so that keys are answered whatever is computed.
//! Siblings: `news` (what passes between them), `desk` (how jobs get there), `work` (who computes), `todo` (what is looked for), `answers` (what is told of a place),
//! `history` (steps taken and taken back, traces), `app` and `act` (what is shown, and what keys do to it), `rows`, `status`, `keys`,
//! `view` (how it looks), `wrap` (texts in lines), `terminal` (taken and given back).

mod act;
mod answers;
mod app;
mod desk;
mod history;
mod keys;
mod news;
mod rows;
mod status;
mod terminal;
#[cfg(test)]
mod tests;
mod todo;
mod view;
mod work;
mod wrap;

pub(super) use terminal::give_back;

use super::args::AnimateArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::follow;
use super::load;
use super::session::Session;
use act::Effect;
use app::App;
use desk::{Desk, desk};
use news::{Job, News};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event};
use std::io::{self, IsTerminal as _, Stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};
use work::Worker;

/// How long keys are waited for before news are looked at, and where nothing is computed.
const BUSY: Duration = Duration::from_millis(15);
const IDLE: Duration = Duration::from_millis(60);

/// How long a job may take before the next key is looked at: what is typed ahead is meant for what comes of it.
const AHEAD: Duration = Duration::from_millis(150);

/// How often the time that something takes is drawn.
const CLOCK: Duration = Duration::from_millis(200);

/// How long what is computed may go on after the end, until the process ends all the same.
const PATIENCE: Duration = Duration::from_millis(700);

/// Runs the command.
pub(super) fn run(args: &AnimateArgs) -> Exit {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        tell!(
            "error: `bsym animate` draws on a terminal and reads keys, and standard input or output is none; \
             `bsym repl FILE` answers lines of a pipe"
        );
        return Exit::Refused;
    }
    let recorded = match args.trace.as_deref().map(follow::first).transpose() {
        Ok(recorded) => recorded,
        Err(message) => {
            tell!("error: {message}");
            return Exit::Refused;
        }
    };
    let mut sources = args.session.places.sources();
    let opened = Session::open(&args.session, &mut sources, CtrlC::default());
    let session = match opened {
        Ok(session) => session,
        Err(errors) => {
            load::print(&errors, &sources);
            return Exit::Refused;
        }
    };
    let terminal = match terminal::take() {
        Ok(terminal) => terminal,
        Err(why) => return unusable(&why),
    };
    let app = App::new(session.setup.machine.name.to_string());
    let ended = std::thread::scope(|scope| {
        let (desk, tray) = desk();
        let (tell, news) = channel();
        let screen = scope.spawn(move || Screen { terminal, app, desk, news }.run());
        let tell = move |news| drop(tell.send(news));
        Worker::new(session, recorded, tray, &tell).run();
        drop(tell);
        screen.join()
    });
    match ended {
        Ok(Ok(())) => Exit::Fine,
        Ok(Err(why)) => unusable(&why),
        Err(_) => Exit::Bug,
    }
}

fn unusable(why: &io::Error) -> Exit {
    tell!("error: the terminal cannot be used: {why}");
    Exit::Refused
}

/// Ends the process some time after a signal has asked for it, should it not end by itself.
fn insist(signals: CtrlC) {
    let wait = move || {
        while !signals.pressed() {
            std::thread::sleep(IDLE);
        }
        std::thread::sleep(PATIENCE * 2);
        give_back();
        std::process::exit(Exit::Limit.code().into())
    };
    // Without a thread a second signal does so.
    let _ = std::thread::Builder::new().name("signals".into()).stack_size(64 << 10).spawn(wait);
}

/// Who draws and reads keys.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    app: App,
    desk: Desk,
    news: Receiver<News>,
}

impl Screen {
    /// Until the user has had enough.
    fn run(mut self) -> io::Result<()> {
        let done = self.show();
        let Self { desk, news, .. } = self;
        give_back();
        // Nobody has a job any more, and what runs is not wanted.
        drop(desk);
        let end = Instant::now() + PATIENCE;
        loop {
            match news.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return done,
                // It does not heed that it is to stop.
                Err(RecvTimeoutError::Timeout) => std::process::exit(Exit::Fine.code().into()),
            }
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let signals = CtrlC::new();
        insist(signals.clone());
        let colour = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let (mut stale, mut drawn) = (true, Instant::now());
        while !signals.pressed() {
            match self.hear() {
                Some(some) => stale |= some,
                None => break,
            }
            stale |= self.app.doing.is_some() && drawn.elapsed() > CLOCK;
            if stale && terminal::is_taken() {
                self.terminal.draw(|frame| view::draw(frame, &mut self.app, colour))?;
                (stale, drawn) = (false, Instant::now());
            }
            if !terminal::wait(if self.app.doing.is_some() { BUSY } else { IDLE })? {
                break;
            }
            while event::poll(Duration::ZERO)? {
                stale = true;
                let Event::Key(key) = event::read()? else { continue };
                for key in keys::pressed(key) {
                    match self.app.key(key) {
                        Effect::None => {}
                        Effect::Quit => return Ok(()),
                        Effect::Job(job) => {
                            if !self.put(job) {
                                return Ok(());
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts down a job, and waits a moment for what comes of it; whether somebody is there to do it.
    fn put(&mut self, job: Job) -> bool {
        let end = Instant::now() + AHEAD;
        let there = self.hear().is_some() && self.desk.put(job);
        while let Ok(news) = self.news.recv_timeout(end.saturating_duration_since(Instant::now())) {
            let rests = matches!(news, News::Doing(None));
            self.app.hear(news);
            if rests {
                break;
            }
        }
        there
    }

    /// Takes in what was told; whether there was something. `None` if nothing will come any more.
    fn hear(&mut self) -> Option<bool> {
        let mut some = false;
        loop {
            match self.news.try_recv() {
                Ok(news) => self.app.hear(news),
                Err(TryRecvError::Empty) => return Some(some),
                Err(TryRecvError::Disconnected) => return None,
            }
            some = true;
        }
    }
}
