//! Who computes: does jobs one after the other, and between them looks for what is possible and what holds where the run is.
//!
//! In: a session, jobs. Out: news. What is looked for beside jobs comes operation by operation; one that takes long is put off until the
//! others have had their turn, and all of it ends as soon as a job waits, to go on after it.

use super::answers;
use super::desk::{Next, Tray};
use super::history::{History, Left, Trace, call, short};
use super::news::{Along, Checked, Doing, Group, Job, Known, News, Page, Possible, Sign};
use super::todo::{Unit, What, why};
use crate::cli::found::{self, Mark};
use crate::cli::session::steps::{self, VALUATIONS};
use crate::cli::session::{Answer, Session};
use crate::diagnostic::Code;
use crate::explore::limits::Stop;
use crate::model::{StepFault, System as _};
use crate::report::text::count;
use crate::report::traces::{INITIALISATION, Recorded, SETUP};
use crate::walk::{Choice, Choices, Node};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long what is looked for may take before the others have their turn.
const TURN: Duration = Duration::from_millis(300);

/// How long a job that ends what is computed may be on its way.
const ON_ITS_WAY: Duration = Duration::from_millis(100);

/// How often it is told how far a long job is.
const PROGRESS: Duration = Duration::from_millis(100);

/// Bytes of a step in the list of those that are possible.
const STEP: usize = 500;

/// Who computes.
pub(super) struct Worker<'a> {
    pub(super) session: Session<'a>,
    pub(super) history: History,
    pub(super) trace: Option<Trace>,
    tray: Tray,
    tell: &'a dyn Fn(News),
    place: u64,
    todo: VecDeque<Unit>,
    groups: Vec<Group>,
    /// Whether a limit has ended the look at the properties.
    unchecked: bool,
    /// Whether a job was ended because it was not wanted any more: what is looked for beside it then goes on.
    broken_off: bool,
    /// Errors of steps, by group.
    faults: Vec<Vec<StepFault>>,
}

impl<'a> Worker<'a> {
    /// Nothing is done yet.
    pub(super) fn new(
        session: Session<'a>,
        trace: Option<Recorded>,
        tray: Tray,
        tell: &'a dyn Fn(News),
    ) -> Self {
        Self {
            session,
            history: History::default(),
            trace: trace.map(Trace::new),
            tray,
            tell,
            place: 0,
            todo: VecDeque::new(),
            groups: Vec::new(),
            unchecked: false,
            broken_off: false,
            faults: Vec::new(),
        }
    }

    /// Works until no more jobs will come.
    pub(super) fn run(mut self) {
        self.set_up();
        loop {
            self.rest();
            match self.tray.next() {
                Some(job) => self.answer(job),
                None => return,
            }
        }
    }

    /// Works until nothing is left to do, and nobody has a job.
    pub(super) fn rest(&mut self) {
        loop {
            match self.tray.next_within(Duration::ZERO) {
                Next::Job(job) => self.answer(job),
                Next::None if self.todo.is_empty() => break,
                Next::None => self.look(),
                Next::End => {
                    self.todo.clear();
                    break;
                }
            }
        }
        self.tell(News::Doing(None));
    }

    fn tell(&self, news: News) {
        (self.tell)(news);
    }

    fn doing(&self, what: impl Into<String>, asked: bool) {
        self.tell(News::Doing(Some(Doing { what: what.into(), asked })));
    }

    fn note(&self, text: impl Into<String>) {
        self.tell(News::Note(text.into()));
    }

    /// Begins what somebody asks for.
    fn begin(&mut self) {
        let stop = self.tray.stop();
        self.session.begin_within(self.session.args.timeout, stop);
    }

    /// Takes the steps that only set the machine up.
    pub(super) fn set_up(&mut self) {
        self.tell(News::Place(Box::new(answers::place(self, 0))));
        self.doing("looking for values of the constants and variables", true);
        self.begin();
        while self.session.walk.state().is_none() {
            let mut choices = self.session.walk.choices(1);
            if choices.all.is_empty() || self.session.is_stopped() {
                break;
            }
            let first = choices.all.swap_remove(0);
            self.history.take(&mut self.session.walk, first);
        }
        let stop = self.ended();
        self.arrive();
        if let Some(stop) = stop {
            self.give_up(why(stop));
        }
    }

    /// Ends an answer; the limit that did so.
    fn ended(&mut self) -> Option<Stop> {
        let stop = self.session.stop();
        // What is dropped here is the watch; the answer is told elsewhere.
        let _ = self.session.end(Ok(String::new()));
        stop
    }

    /// Does a job, unless it is not wanted any more.
    fn answer(&mut self, job: Job) {
        if matches!(job, Job::Stop) {
            if !std::mem::take(&mut self.broken_off) {
                self.give_up("stopped");
            }
            return;
        }
        let stop = self.tray.stop();
        if !stop.load(Ordering::SeqCst) {
            self.done(job);
        }
        self.broken_off |= stop.load(Ordering::SeqCst);
    }

    fn done(&mut self, job: Job) {
        match job {
            Job::Stop => {}
            Job::Take(place, choice) if place == self.place => {
                self.history.take(&mut self.session.walk, Choice::clone(&choice));
                self.arrive();
            }
            // It was taken from a list that is gone.
            Job::Take(..) => {}
            Job::To(steps) => self.to(steps),
            Job::Undo => match self.session.walk.len().checked_sub(1) {
                Some(before) => self.to(before),
                None => self.note("there is no step to undo"),
            },
            Job::Redo if self.session.walk.len() < self.history.names().len() => {
                self.to(self.session.walk.len() + 1);
            }
            Job::Redo => self.note("there is no step to redo"),
            Job::Random(steps) => self.random(steps),
            Job::Along(along) => self.along(along),
            Job::Again => self.again(),
            Job::Eval(text) => self.page(text.clone(), |w| answers::value(&mut w.session, &text)),
            Job::Value(name) => {
                let title = answers::title(&self.session, &name);
                self.page(title, |w| Ok(answers::whole(&w.session, &name)));
            }
            Job::Step(choice) => {
                self.page("a step that is possible".to_owned(), |w| Ok(answers::step(&w.session, &choice)));
            }
            Job::Taken(number) => {
                let step = self.history.step(number).cloned();
                let title = format!("step {}", number + 1);
                self.page(title, |w| Ok(step.map_or_else(String::new, |c| answers::step(&w.session, &c))));
            }
            Job::Why(operation) => {
                let title = operation.clone().unwrap_or_else(|| "this place".to_owned());
                self.page(format!("why: {title}"), |w| w.why(operation.as_deref()));
            }
        }
    }

    /// Goes to a step of the history.
    fn to(&mut self, steps: usize) {
        self.doing("going there", true);
        self.history.to(&mut self.session.walk, steps);
        self.arrive();
    }

    /// Answers with a page.
    fn page(&mut self, title: String, answer: impl FnOnce(&mut Self) -> Answer) {
        self.doing(format!("computing {}", short(title.clone(), 60)), true);
        self.begin();
        let answer = answer(self);
        let answer = self.session.end(answer);
        let text = answers::text(answer, &self.session);
        self.tell(News::Page(Page { title, text }));
    }

    /// Why an operation is not possible; what does not hold.
    fn why(&mut self, operation: Option<&str>) -> Answer {
        let session = &mut self.session;
        let Some(operation) = operation else {
            let mut text = crate::cli::session::formulas::check(session, "")?;
            text = format!("{}\n", text.trim_end());
            let faults = self.faults.concat();
            text += &steps::told(&faults, session);
            let none = |g: &Group| g.steps.is_empty() && g.known == Known::All;
            let stuck = session.walk.state().is_some() && self.groups.iter().all(none);
            if stuck && !self.groups.is_empty() && faults.is_empty() {
                text += "no step is possible:\n";
                text += &crate::cli::session::formulas::why(session, "")?;
            }
            return Ok(text);
        };
        let at = self.groups.iter().position(|g| g.name == operation);
        match at.and_then(|at| self.faults.get(at)).filter(|f| !f.is_empty()) {
            Some(faults) => Ok(steps::told(faults, session)),
            None => crate::cli::session::formulas::why(session, operation),
        }
    }

    /// Takes steps by chance, until something does not hold that did before.
    fn random(&mut self, steps: u64) {
        self.doing("taking a random step", true);
        self.begin();
        let mut bad = if steps > 1 { self.bad() } else { Vec::new() };
        let mut told = Instant::now();
        for taken in 0..steps {
            if told.elapsed() > PROGRESS {
                told = Instant::now();
                self.doing(format!("taking random steps: {taken} of {steps}"), true);
            }
            let Choices { mut all, .. } = self.session.walk.choices(VALUATIONS);
            if let Some(stop) = self.session.stop() {
                self.note(format!("{} after {}", why(stop), count(taken, "random step")));
                break;
            }
            if all.is_empty() {
                self.note(format!("no step is found after {}", count(taken, "random step")));
                break;
            }
            let at = self.session.chance.usize(..all.len());
            self.history.take(&mut self.session.walk, all.swap_remove(at));
            if steps > 1 {
                let now = self.bad();
                if now.iter().any(|line| !bad.contains(line)) {
                    self.note(format!(
                        "here after {}: something does not hold",
                        count(taken + 1, "random step")
                    ));
                    break;
                }
                bad = now;
            }
        }
        self.ended();
        self.arrive();
    }

    /// What does not hold here.
    fn bad(&self) -> Vec<String> {
        let walk = &self.session.walk;
        let found = found::found(&walk.words(), walk.system(), walk.state().is_some());
        let lines = found::lines(&found, &self.session.setup.machine);
        lines.into_iter().filter(|l| matches!(l.mark, Mark::Violated | Mark::Fault)).map(|l| l.text).collect()
    }

    /// Goes along the trace.
    fn along(&mut self, along: Along) {
        let Some(mut trace) = self.trace.take() else {
            return self.note("there is no trace to go along: start with `--trace FILE`");
        };
        self.doing("going along the trace", true);
        self.begin();
        let at = trace.along(&self.history, &self.session.walk);
        let to = match along {
            Along::To(steps) => steps.min(trace.len()),
            Along::End => trace.len(),
            Along::Next => (at + 1).min(trace.len()),
            Along::Back => at.saturating_sub(1),
        };
        let session = &mut self.session;
        let flag = session.stopped_flag();
        let went = trace.go(&mut self.history, &mut session.walk, to, &|| flag.raised());
        let stop = self.ended();
        match went {
            Ok(()) if along == Along::Next && at == to => self.note("the trace has no more steps"),
            Ok(()) => {}
            Err(Left::Error(n)) => self.note(format!("step {n} of the trace is to meet an error here")),
            Err(Left::Lost(n)) => {
                self.note(format!(
                    "step {n} of the trace is none that is found here (`bsym trace` says why)"
                ));
            }
            Err(Left::Stopped) => {
                self.note(format!("{} on the trace", why(stop.unwrap_or(Stop::Interrupted))));
            }
        }
        self.trace = Some(trace);
        self.arrive();
    }

    /// Tells where the run has come to, and begins to look around.
    fn arrive(&mut self) {
        self.place += 1;
        if let Some(trace) = &mut self.trace {
            trace.recognise(&self.history, &self.session.walk);
        }
        let unit = |what| Unit { what, long: false };
        let system = self.session.walk.system();
        let names: Vec<String> = match self.session.walk.node() {
            Node::State(_) => system.operations().to_vec(),
            Node::Root if system.has_setup() => vec![SETUP.to_owned()],
            Node::Root | Node::Valuation(_) => vec![INITIALISATION.to_owned()],
        };
        self.todo = match self.session.walk.node() {
            Node::State(_) => {
                let steps = (0u32..).take(names.len()).map(|n| unit(What::Steps(n)));
                std::iter::once(unit(What::Check)).chain(steps).collect()
            }
            Node::Root => [unit(What::Values)].into(),
            Node::Valuation(_) => [unit(What::Values), unit(What::Check)].into(),
        };
        self.faults = vec![Vec::new(); names.len()];
        self.groups = names.into_iter().map(|name| Group { name, ..Group::default() }).collect();
        self.unchecked = false;
        let mut place = answers::place(self, self.place);
        place.groups.clone_from(&self.groups);
        self.tell(News::Place(Box::new(place)));
    }

    /// Looks for what is next.
    fn look(&mut self) {
        let Some(unit) = self.todo.pop_front() else { return };
        let all = self.session.args.timeout;
        let turn = all.is_none_or(|t| t > TURN) && !unit.long;
        self.session.begin_within(if turn { Some(TURN) } else { all }, self.tray.waiting());
        let name = |n: u32| self.session.operations().get(n as usize).map_or("", String::as_str);
        self.doing(
            match unit.what {
                What::Values => "looking for values".to_owned(),
                What::Steps(n) => format!("looking for steps of {}", name(n)),
                What::Check => "looking at invariant and assertions".to_owned(),
            },
            false,
        );
        match unit.what {
            What::Check => {
                let lines = answers::checked(&self.session);
                match self.ended() {
                    None => self.tell(News::Checked(self.place, Checked::Known(lines))),
                    Some(stop) => self.put_off(unit, stop, turn),
                }
            }
            What::Values => {
                let choices = self.session.walk.choices(VALUATIONS);
                self.found(unit, 0, choices, turn);
            }
            What::Steps(n) => {
                let choices = self.session.walk.choices_of(n);
                self.found(unit, n as usize, choices, turn);
            }
        }
    }

    /// Tells what is possible of a group.
    fn found(&mut self, unit: Unit, at: usize, choices: Choices, turn: bool) {
        let stop = self.ended();
        let Choices { all, more, mut faults, setup } = choices;
        faults.retain(|f| f.fault.0.code != Code::Interrupted);
        let setup = setup.filter(|f| f.0.code != Code::Interrupted);
        let unknown = steps::is_unknown(setup.as_ref(), &faults);
        let (system, words) = (self.session.walk.system(), self.session.walk.words());
        let sign = |open: bool| if open { Sign::Open } else { Sign::Bad };
        let of_setup =
            setup.map(|f| (sign(f.is_open()), steps::of_properties(Some(f)).trim_end().to_owned()));
        let of_steps = faults.iter().map(|f| (sign(f.fault.is_open()), found::fault_line(f, &words, system)));
        let notes = of_setup.into_iter().chain(of_steps).collect();
        let line = |choice: &Choice| match choice.target {
            Node::State(_) if !choice.label.operation.is_empty() => call(choice),
            _ => steps::line(&self.session, choice),
        };
        let possible =
            |choice: Choice| Possible { text: short(line(&choice), STEP), choice: Arc::new(choice) };
        let steps = all.into_iter().map(possible).collect();
        let known = match stop {
            Some(_) => Known::Looking,
            None if more || unknown => Known::More,
            None => Known::All,
        };
        if let (Some(group), Some(of)) = (self.groups.get_mut(at), self.faults.get_mut(at)) {
            *of = faults;
            *group = Group { name: std::mem::take(&mut group.name), steps, known, notes };
            let group = group.clone();
            self.tell(News::Group(self.place, at, group));
        }
        if let Some(stop) = stop {
            self.put_off(unit, stop, turn);
        }
    }

    /// What a limit has ended has its turn later, or none any more.
    fn put_off(&mut self, unit: Unit, stop: Stop, turn: bool) {
        match stop {
            Stop::Interrupted => {
                self.todo.push_front(unit);
                if let Next::Job(job) = self.tray.next_within(ON_ITS_WAY) {
                    self.answer(job);
                }
            }
            Stop::Time if turn => self.todo.push_back(Unit { long: true, ..unit }),
            stop => self.left_out(unit.what, why(stop)),
        }
    }

    /// What is not looked for any more.
    fn give_up(&mut self, why: &'static str) {
        for unit in std::mem::take(&mut self.todo) {
            self.left_out(unit.what, why);
        }
    }

    fn left_out(&mut self, what: What, why: &'static str) {
        let at = match what {
            What::Check => {
                self.unchecked = true;
                return self.tell(News::Checked(self.place, Checked::Stopped(why)));
            }
            What::Values => 0,
            What::Steps(n) => n as usize,
        };
        if let Some(group) = self.groups.get_mut(at) {
            group.known = Known::Stopped(why);
            let group = group.clone();
            self.tell(News::Group(self.place, at, group));
        }
    }

    /// Looks again for what was left out.
    fn again(&mut self) {
        let state = self.session.walk.state().is_some();
        let stopped = (0u32..).zip(&self.groups).filter(|(_, g)| matches!(g.known, Known::Stopped(_)));
        let what = |n| if state { What::Steps(n) } else { What::Values };
        let mut again: Vec<Unit> = stopped.map(|(n, _)| Unit { what: what(n), long: true }).collect();
        if std::mem::take(&mut self.unchecked) {
            again.push(Unit { what: What::Check, long: true });
            self.tell(News::Checked(self.place, Checked::Looking));
        }
        for unit in &again {
            if let What::Steps(n) = unit.what
                && let Some(group) = self.groups.get_mut(n as usize)
            {
                group.known = Known::Looking;
                let group = group.clone();
                self.tell(News::Group(self.place, n as usize, group));
            }
        }
        if again.is_empty() && self.todo.is_empty() {
            self.note("no limit has left out anything here");
        }
        self.todo.extend(again);
    }
}
