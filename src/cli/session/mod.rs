//! A machine walked through by hand: the machine, the run and the limits of an answer.
//!
//! In: the arguments of a session. Out: what `repl` and `animate` answer with. Siblings: `formulas` (values, types, solutions, reasons),
//! `steps` (what is possible, in words). Who asks, and how an answer is shown, is not here.

pub(super) mod formulas;
pub(super) mod steps;

use crate::cli::args::SessionArgs;
use crate::cli::ctrl_c::CtrlC;
use crate::cli::exit::Exit;
use crate::cli::load::{self, Loaded};
use crate::cli::setup::{Extra, Setup, property_time};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{Env, Evaluator};
use crate::explore::limits::{self, Limits, Stop, Watch};
use crate::model::constants::Mode;
use crate::model::{Plain as _, System as _};
use crate::ops::{Fault, Interrupt};
use crate::report::steps::Look;
use crate::report::text::count;
use crate::resolve::Flat;
use crate::source::Sources;
use crate::types::Typed;
use crate::walk::{Choice, Node, Walk};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What comes of a question.
pub(super) type Answer = Result<String, Trouble>;

/// Why there is no answer.
pub(super) enum Trouble {
    /// It is wrong, with places in it.
    Refused(Vec<Diagnostic>),
    /// It is wrong, or does not go here.
    Said(String),
    /// Something has no value.
    Fault(Vec<Diagnostic>),
    /// Not everything could be tried; what is known.
    Unknown(String),
    /// A limit.
    Stopped(String),
    /// The user has had enough.
    Quit,
}

impl Trouble {
    /// How a script ends in which this is the first.
    pub(super) fn exit(&self) -> Exit {
        match self {
            Trouble::Refused(_) | Trouble::Said(_) => Exit::Refused,
            Trouble::Fault(_) => Exit::Fault,
            Trouble::Unknown(_) => Exit::Bounds,
            Trouble::Stopped(_) => Exit::Limit,
            Trouble::Quit => Exit::Fine,
        }
    }
}

/// What questions are answered with.
pub(super) struct Session<'a> {
    /// The arguments.
    pub args: &'a SessionArgs,
    /// The machine with its sizes.
    pub setup: Setup,
    /// The machine before it was typed, for formulas.
    pub flat: Flat,
    /// Where the user is.
    pub walk: Walk,
    /// The steps that were listed last.
    pub listed: Vec<Choice>,
    /// Random numbers.
    pub chance: fastrand::Rng,
    /// Ctrl-C.
    pub ctrl_c: CtrlC,
    sources: &'a mut Sources,
    /// Number of texts that are the machine's.
    files: usize,
    interrupt: Interrupt,
    watch: Option<Watch>,
}

impl<'a> Session<'a> {
    /// Loads the machine, and takes the first steps: those that give constants and variables their values.
    ///
    /// # Errors
    /// What is wrong with the machine or the options.
    pub(super) fn open(
        args: &'a SessionArgs,
        sources: &'a mut Sources,
        ctrl_c: CtrlC,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Loaded { machine, mut flat, notes } = load::load(&args.file, sources)?;
        load::print(&notes, sources);
        let asked = args.world.asked().map_err(|e| vec![e])?;
        let interrupt = Interrupt::default();
        let extra = Extra { time: property_time(args.property_timeout, args.timeout), ..Extra::default() };
        let setup = Setup::with(machine, &asked, Mode::All, interrupt.clone(), &extra);
        let setup = setup.map_err(|e| vec![e])?;
        flat.name_elements(&setup.evaluator.world.elements);
        let walk = Walk::new(setup.plain());
        let files = sources.files().count();
        let chance = fastrand::Rng::with_seed(args.seed);
        let listed = Vec::new();
        Ok(Self { args, setup, flat, walk, listed, chance, ctrl_c, sources, files, interrupt, watch: None })
    }

    /// The texts of the machine and of the line.
    pub(super) fn sources(&self) -> &Sources {
        self.sources
    }

    /// The same, to add one.
    pub(super) fn sources_mut(&mut self) -> &mut Sources {
        self.sources
    }

    /// A formula of a line, whose text messages call by this name.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn formula(&mut self, name: &str, text: &str) -> Result<Typed, Vec<Diagnostic>> {
        load::formula(name, text, &self.flat, self.sources).map(|(_, typed)| typed)
    }

    /// Begins an answer: its time and memory count from now.
    pub(super) fn begin(&mut self) {
        self.ctrl_c.forget();
        self.begin_within(self.args.timeout, self.ctrl_c.pressed_flag());
    }

    /// The same of an answer that has this time, and that `wish` ends.
    pub(super) fn begin_within(&mut self, time: Option<Duration>, wish: Arc<AtomicBool>) {
        self.sources.keep(self.files);
        self.interrupt.lower();
        let deadline = time.and_then(|t| Instant::now().checked_add(t));
        let system = limits::of_system();
        let limits = Limits { deadline, memory: self.args.max_memory.or(system.memory), ..system };
        self.watch = Some(Watch::raising(self.interrupt.clone(), limits, wish));
    }

    /// Ends an answer: what a limit has ended is no answer.
    pub(super) fn end(&mut self, answer: Answer) -> Answer {
        let watch = self.watch.take();
        match (answer, watch) {
            (Err(Trouble::Quit), _) => Err(Trouble::Quit),
            (_, Some(watch)) if self.interrupt.raised() => {
                let (why, steps) = (watch.reason().name(), count(self.walk.len() as u64, "step"));
                Err(Trouble::Stopped(format!("stopped by a limit: {why}; the trace has {steps}")))
            }
            (answer, _) => answer,
        }
    }

    /// The limit that ends this answer.
    pub(super) fn stop(&self) -> Option<Stop> {
        self.watch.as_ref().filter(|_| self.interrupt.raised()).map(Watch::reason)
    }

    /// Raised when a limit ends an answer.
    pub(super) fn stopped_flag(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Whether a limit ends this answer.
    pub(super) fn is_stopped(&self) -> bool {
        self.interrupt.raised()
    }

    /// The values of constants and variables where the user is, for a formula with so many slots.
    pub(super) fn env(&self, frame: u32) -> Env {
        let system = self.walk.system();
        let words = self.walk.words();
        let mut env = if words.is_empty() {
            let machine = system.machine();
            let unset = |n: usize| Arc::new(vec![None; n]);
            Env::new(unset(machine.constants.len()), unset(machine.variables.len()), 0)
        } else {
            system.env(&words)
        };
        env.locals = vec![None; frame as usize];
        env
    }

    /// What evaluates a formula of a line, which is gone when the next one comes.
    pub(super) fn evaluator(&self) -> Evaluator {
        self.setup.evaluator.for_a_while()
    }

    /// What a fault is to the user.
    pub(super) fn trouble(&self, fault: &Fault) -> Trouble {
        let message = &fault.0.message;
        match fault.0.code {
            Code::Undecided => Trouble::Unknown(message.clone()),
            code if fault.is_limit() => Trouble::Stopped(format!("{message} ({})", code.as_str())),
            _ => Trouble::Fault(vec![load::fault(fault)]),
        }
    }

    /// Where the user is, in short, for the prompt.
    pub(super) fn place(&self) -> String {
        match self.walk.node() {
            Node::Root => "root".to_owned(),
            Node::Valuation(_) => "constants".to_owned(),
            Node::State(_) => self.walk.len().to_string(),
        }
    }

    /// How steps are shown.
    pub(super) fn look(&self) -> Look {
        Look { columns: crate::cli::run::columns(), all: true, verbose: false }
    }

    /// Names of the operations, by their numbers.
    pub(super) fn operations(&self) -> &[String] {
        self.walk.system().operations()
    }
}
