//! What passes between who draws and who computes: jobs one way, news the other. Plain data.

use crate::walk::Choice;
use std::sync::Arc;

/// What is to be done.
#[derive(Clone, Debug)]
pub(super) enum Job {
    /// Take a step of those that are possible at the place with this number.
    Take(u64, Arc<Choice>),
    /// Go to a step of the history, back or forth.
    To(usize),
    /// Take the last step back.
    Undo,
    /// Take again what was taken back.
    Redo,
    /// Take so many steps by chance.
    Random(u64),
    /// Go along the trace.
    Along(Along),
    /// Evaluate a formula.
    Eval(String),
    /// Show a value in full.
    Value(String),
    /// Show a step of those that are possible in full.
    Step(Arc<Choice>),
    /// Show a step of the history in full.
    Taken(usize),
    /// Say why an operation is not possible, or, without one, what does not hold.
    Why(Option<String>),
    /// Look again for what a limit has left out.
    Again,
    /// What runs, and what waits, is not wanted any more.
    Stop,
}

/// A place of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Along {
    /// After so many of its steps.
    To(usize),
    /// Its end.
    End,
    /// One step further.
    Next,
    /// One step back.
    Back,
}

/// What there is to tell.
#[derive(Clone, Debug)]
pub(super) enum News {
    /// The run is at another place.
    Place(Box<Place>),
    /// What is possible of one operation, by the number of the place and that of its group.
    Group(u64, usize, Group),
    /// What of the properties holds at a place.
    Checked(u64, Checked),
    /// What is being done now; nothing if nothing is.
    Doing(Option<Doing>),
    /// A text to read.
    Page(Page),
    /// A line to read.
    Note(String),
}

/// What is being done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Doing {
    /// In words.
    pub what: String,
    /// Whether somebody asked for it; otherwise it goes on beside what is asked.
    pub asked: bool,
}

/// A text with a title.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Page {
    /// What it is about.
    pub title: String,
    /// The text.
    pub text: String,
}

/// What kind of place it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Stage {
    /// Nothing has a value yet.
    #[default]
    Root,
    /// Constants have.
    Constants,
    /// A state.
    State,
}

/// Where the run is.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// Its number: no two have the same.
    pub number: u64,
    /// What kind of place.
    pub stage: Stage,
    /// Steps taken.
    pub at: usize,
    /// Steps taken, and after them those that were taken back.
    pub history: Vec<String>,
    /// The variables.
    pub variables: Vec<Entry>,
    /// The constants.
    pub constants: Vec<Entry>,
    /// What is possible, as far as it is known.
    pub groups: Vec<Group>,
    /// Whether SCOPE excludes it.
    pub outside: bool,
    /// Where it is in the trace, if there is one.
    pub trace: Option<OnTrace>,
}

/// A place beside a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OnTrace {
    /// Steps that are those of the trace.
    pub at: usize,
    /// Steps of the trace.
    pub of: usize,
    /// Whether other steps follow them.
    pub left: bool,
}

/// A name with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The name.
    pub name: String,
    /// The value; of a long one the beginning.
    pub value: String,
    /// Whether the last step has changed it.
    pub changed: bool,
    /// How, in lines.
    pub changes: Vec<String>,
}

/// What is possible of one operation.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// The operation.
    pub name: String,
    /// The steps.
    pub steps: Vec<Possible>,
    /// Whether these are all.
    pub known: Known,
    /// Errors that other steps have met, and what is not known of others, in lines.
    pub notes: Vec<(Sign, String)>,
}

/// A step that is possible.
#[derive(Clone, Debug)]
pub(super) struct Possible {
    /// In one line.
    pub text: String,
    /// The step.
    pub choice: Arc<Choice>,
}

/// Whether the steps of a group are all there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Known {
    /// They are being looked for.
    #[default]
    Looking,
    /// They are.
    All,
    /// There are, or may be, more: so many are looked for at once, or not all can be tried.
    More,
    /// A limit has ended the search.
    Stopped(&'static str),
}

/// What of the properties holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Checked {
    /// It is being looked at.
    #[default]
    Looking,
    /// This does not hold, or is not known; the rest holds.
    Known(Vec<(Sign, String)>),
    /// A limit has ended the look.
    Stopped(&'static str),
}

/// How a line about the properties is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// Something does not hold, or has no value.
    Bad,
    /// Something is not known.
    Open,
    /// Something is as wanted.
    Good,
}
