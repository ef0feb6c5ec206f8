//! Keys in, screens out, without a terminal: who draws and who computes take turns on one thread.

use super::act::Effect;
use super::app::App;
use super::desk::{Desk, desk};
use super::keys::pressed;
use super::news::{Job, News};
use super::view;
use super::work::Worker;
use crate::cli::args::{AnimateArgs, Cli, Command};
use crate::cli::ctrl_c::CtrlC;
use crate::cli::follow::{Followed, follow};
use crate::cli::session::Session;
use crate::model::System as _;
use crate::report::traces::{INITIALISATION, Recorded, RecordedStep};
use crate::walk::Walk;
use clap::Parser as _;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Color;
use std::cell::RefCell;

const SCHEDULER: &str = "machines/symmetry/Scheduler0.mch";

/// A screen and who computes for it.
struct Rig<'a> {
    app: App,
    worker: Worker<'a>,
    desk: Desk,
    told: &'a RefCell<Vec<News>>,
    quit: bool,
}

/// Runs the command of these arguments as far as a test wants it.
fn with(args: &[&str], test: impl FnOnce(&mut Rig<'_>)) {
    let cli = Cli::try_parse_from([&["bsym", "animate"], args].concat()).expect("arguments");
    let Command::Animate(AnimateArgs { session: args, .. }) = cli.command else { panic!("another command") };
    let mut sources = args.places.sources();
    let Ok(session) = Session::open(&args, &mut sources, CtrlC::default()) else { panic!("refused") };
    let (desk, tray) = desk();
    let told = RefCell::new(Vec::new());
    let tell = |news: News| told.borrow_mut().push(news);
    let app = App::new(session.setup.machine.name.to_string());
    let mut worker = Worker::new(session, None, tray, &tell);
    worker.set_up();
    let mut rig = Rig { app, worker, desk, told: &told, quit: false };
    rig.rest();
    test(&mut rig);
}

impl Rig<'_> {
    fn rest(&mut self) {
        self.worker.rest();
        self.told.take().into_iter().for_each(|news| self.app.hear(news));
    }

    /// Presses keys, each when all that came of the last one is there.
    fn press(&mut self, keys: &str) {
        for c in keys.chars() {
            let code = match c {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '\u{1b}' => KeyCode::Esc,
                '↓' => KeyCode::Down,
                '↑' => KeyCode::Up,
                '→' => KeyCode::Right,
                '←' => KeyCode::Left,
                c => KeyCode::Char(c),
            };
            self.key(KeyEvent::new(code, KeyModifiers::NONE));
        }
    }

    fn key(&mut self, key: KeyEvent) {
        match self.app.key(key) {
            Effect::None => {}
            Effect::Quit => self.quit = true,
            Effect::Job(job) => {
                assert!(self.desk.put(job));
                self.rest();
            }
        }
    }

    fn screen(&mut self, width: u16, height: u16) -> String {
        self.drawn(width, height, true).backend().to_string()
    }

    fn drawn(&mut self, width: u16, height: u16, colour: bool) -> Terminal<TestBackend> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen");
        terminal.draw(|frame| view::draw(frame, &mut self.app, colour)).expect("drawn");
        terminal
    }

    /// The variables.
    fn state(&self) -> Vec<String> {
        self.app.place.variables.iter().map(|e| format!("{} = {}", e.name, e.value)).collect()
    }

    fn read(&self) -> &str {
        self.app.reading.as_ref().map_or("", |r| &r.page.text)
    }
}

#[test]
fn all_panes_on_a_large_screen() {
    with(&[SCHEDULER, "--card=3"], |rig| {
        rig.press("2\n/wake\n\n");
        rig.press("/\u{1b}");
        insta::assert_snapshot!(rig.screen(90, 26));
    });
}

#[test]
fn one_pane_and_a_text_on_a_small_screen() {
    with(&[SCHEDULER, "--card=3"], |rig| {
        rig.press("2\n");
        let steps = rig.screen(40, 9);
        rig.press("eknown \\/ PROC\n");
        insta::assert_snapshot!(format!("{steps}\n{}", rig.screen(40, 9)));
    });
}

/// Whatever is shown, a screen of any size shows what it can.
#[test]
fn no_screen_is_too_small() {
    with(&[SCHEDULER, "--card=3"], |rig| {
        for keys in ["", "2\n", "\t", "\t", "?", "\u{1b}e1+1", "\n", "\u{1b}/zzz"] {
            rig.press(keys);
            for width in (0..24).chain([60, 61, 200]) {
                for height in (0..16).chain([60]) {
                    rig.drawn(width, height, true);
                }
            }
        }
        rig.press("\u{1b}\u{1b}");
        let small = rig.screen(20, 5);
        assert!(small.contains("Steps") || small.contains("Scheduler0"), "{small}");
    });
}

#[test]
fn what_has_changed_is_marked_without_colours_as_well() {
    with(&[SCHEDULER, "--card=3"], |rig| {
        rig.press("2\n");
        let screen = rig.screen(90, 26);
        assert!(screen.contains("*known = {PROC2}") && screen.contains("+ PROC2"), "{screen}");
        let coloured = |t: &Terminal<TestBackend>| {
            t.backend().buffer().content().iter().any(|c| c.fg != Color::Reset || c.bg != Color::Reset)
        };
        assert!(coloured(&rig.drawn(90, 26, true)));
        assert!(!coloured(&rig.drawn(90, 26, false)));
    });
}

/// The steps in the history, taken along as a trace, lead to the state that is shown.
#[test]
fn keys_lead_where_the_same_steps_lead() {
    with(&[SCHEDULER, "--card=3"], |rig| {
        // By number, by arrow, back and elsewhere, by a filter, back far and forth again.
        for keys in ["2\n", "↓\n", "uu", "1\n", "U", "/wake\n\n", "/\u{1b}", "→\n", "\t↑↑↑\n", "\tUUU"]
        {
            rig.press(keys);
        }
        let steps = rig.app.place.at;
        assert!(steps > 3, "{steps}");
        let step = |number: usize| {
            let choice = rig.worker.history.step(number).expect("a step");
            let begins = choice.label.operation.is_empty();
            RecordedStep {
                operation: Some(if begins {
                    INITIALISATION.to_owned()
                } else {
                    choice.label.operation.clone()
                }),
                arguments: choice.label.arguments.clone(),
                ..RecordedStep::default()
            }
        };
        let trace = Recorded { steps: (0..steps).map(step).collect(), ..Recorded::default() };
        let mut walk = Walk::new(rig.worker.session.setup.plain());
        assert_eq!(follow(&mut walk, &trace, usize::MAX), Followed::All);
        assert_eq!(walk.words(), rig.worker.session.walk.words());
        let values = walk.system().show_state(&walk.words());
        let values: Vec<String> = values.into_iter().map(|(n, v)| format!("{n} = {v}")).collect();
        assert_eq!(values, rig.state());
    });
}

#[test]
fn steps_that_were_undone_can_be_redone() {
    with(&[SCHEDULER, "--card=2"], |rig| {
        rig.press("1\n1\n");
        let end = rig.state();
        rig.press("uu");
        assert_eq!((rig.app.place.at, rig.app.place.history.len()), (1, 3));
        rig.press("UU");
        assert_eq!(rig.state(), end);
        rig.press("U");
        assert_eq!(rig.app.note.as_deref(), Some("there is no step to redo"));
        // Another step takes the place of those that were undone.
        rig.press("uu2\n");
        assert_eq!((rig.app.place.at, rig.app.place.history.len()), (2, 2));
        rig.press("uuuu");
        assert_eq!((rig.app.place.at, rig.app.place.variables.len()), (0, 0));
        assert_eq!(rig.app.note.as_deref(), Some("there is no step to undo"));
        rig.press("\n");
        assert_eq!(rig.app.place.at, 1);
    });
}

#[test]
fn chance_takes_the_same_steps_for_the_same_seed() {
    let run = |seed: &str, keys: &str| {
        let mut out = Vec::new();
        with(&[SCHEDULER, "--card=3", seed], |rig| {
            rig.press(keys);
            assert_eq!(rig.app.place.at, 6);
            out = rig.app.place.history.clone();
        });
        out
    };
    let one = run("--seed=7", "rrrrr");
    assert_eq!(one, run("--seed=7", "R5\n"));
    assert_ne!(one, run("--seed=8", "rrrrr"));
}

#[test]
fn what_does_not_hold_is_told() {
    let verdict = |file: &str, keys: &str| {
        let mut screen = String::new();
        with(&[file], |rig| {
            rig.press(keys);
            screen = rig.screen(120, 30);
        });
        screen
    };
    let violated = verdict("machines/basics/CounterViolated.mch", "R100\n");
    assert!(
        violated.contains("✗ invariant violated: `") && violated.contains("something does not hold"),
        "{violated}"
    );
    let deadlock = verdict("machines/basics/Deadlock.mch", "R100\n");
    assert!(deadlock.contains("✗ deadlock: no step is possible"), "{deadlock}");
    let fine = verdict(SCHEDULER, "");
    assert!(fine.contains("✓ the invariant and the assertions hold"), "{fine}");
}

#[test]
fn formulas_values_and_reasons_are_read_in_full() {
    with(&[SCHEDULER, "--card=3"], |rig| {
        rig.press("2\necard(known)\n");
        assert_eq!(rig.read(), "1");
        rig.press("\u{1b}e:solve x : PROC - known\n");
        assert!(rig.read().contains("2 solutions"), "{}", rig.read());
        rig.press("\u{1b}enothing\n");
        assert!(rig.read().contains("`nothing` is declared nowhere"), "{}", rig.read());
        rig.press("\u{1b}\t\tv");
        assert_eq!(rig.read(), "{PROC2}");
        rig.press("\u{1b}w");
        assert!(rig.read().contains("the invariant and the assertions hold here"), "{}", rig.read());
        // The last row is an operation that is not possible.
        rig.press("\u{1b}\tGw");
        assert!(rig.read().contains("leave"), "{}", rig.read());
        rig.press("\u{1b}?");
        assert!(rig.read().contains("Ctrl-C"));
        rig.press("q");
        assert!(!rig.quit && rig.app.reading.is_none());
        rig.press("q");
        assert!(rig.quit);
    });
}

#[test]
fn a_key_at_once_after_escape_is_no_other_key() {
    let codes = |modifiers| {
        let key = KeyEvent::new(KeyCode::Char('q'), modifiers);
        pressed(key).map(|k| (k.code, k.modifiers)).collect::<Vec<_>>()
    };
    let q = (KeyCode::Char('q'), KeyModifiers::NONE);
    assert_eq!(codes(KeyModifiers::NONE), [q]);
    assert_eq!(codes(KeyModifiers::ALT), [(KeyCode::Esc, KeyModifiers::NONE), q]);
    assert_eq!(codes(KeyModifiers::ALT | KeyModifiers::CONTROL), [q]);
    assert_eq!(codes(KeyModifiers::CONTROL), [(KeyCode::Char('q'), KeyModifiers::CONTROL)]);
}

#[test]
fn what_waits_is_not_done_once_it_is_not_wanted() {
    with(&[SCHEDULER, "--card=3"], |rig| {
        for job in [Job::Eval("1+1".to_owned()), Job::Random(3), Job::Stop] {
            assert!(rig.desk.put(job));
        }
        rig.rest();
        assert_eq!((rig.read(), rig.app.place.at), ("", 1));
        assert!(rig.desk.put(Job::Eval("1+1".to_owned())));
        rig.rest();
        assert_eq!(rig.read(), "2");
    });
}
