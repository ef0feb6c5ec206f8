//! Keys: what each means, and what the help says of it. One row an action.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What a key asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// The row above.
    Up,
    /// The row below.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// The first row.
    First,
    /// The last row.
    Last,
    /// The operation before, in the list of steps.
    Before,
    /// The next operation.
    After,
    /// The next pane.
    NextPane,
    /// The pane before.
    LastPane,
    /// What is selected.
    Enter,
    /// A step back.
    Undo,
    /// What was taken back.
    Redo,
    /// A step by chance.
    Random,
    /// Several, by a number to be typed.
    RandomSteps,
    /// A place of the trace, by a number to be typed.
    Trace,
    /// The next step of the trace.
    TraceNext,
    /// A step of the trace back.
    TraceBack,
    /// A formula to be typed.
    Eval,
    /// A filter to be typed.
    Filter,
    /// What is selected in full.
    Whole,
    /// Reasons.
    Why,
    /// Constants shown or not.
    Constants,
    /// What a limit has left out.
    Again,
    /// The help.
    Help,
    /// The end.
    Quit,
    /// A step out of whatever it is.
    Escape,
    /// The same; at rest the end.
    Interrupt,
}

/// An action with its keys.
pub(super) struct Row {
    codes: &'static [KeyCode],
    ctrl: bool,
    /// The action.
    pub action: Action,
    /// The keys, as the help names them.
    pub shown: &'static str,
    /// What they do.
    pub help: &'static str,
}

const fn row(codes: &'static [KeyCode], action: Action, shown: &'static str, help: &'static str) -> Row {
    Row { codes, ctrl: false, action, shown, help }
}

const fn ctrl(codes: &'static [KeyCode], action: Action) -> Row {
    Row { codes, ctrl: true, action, shown: "", help: "" }
}

use KeyCode::Char;

/// All of them, in the order of the help; those without words are other keys for what stands there already.
pub(super) const KEYS: &[Row] = &[
    row(
        &[KeyCode::Enter],
        Action::Enter,
        "Enter",
        "take the selected step; in the history: go there; in the state: the value in full",
    ),
    row(&[Char('u'), KeyCode::Backspace], Action::Undo, "u, Backspace", "undo a step"),
    row(&[Char('U')], Action::Redo, "U, Ctrl-R", "redo a step"),
    row(&[Char('r')], Action::Random, "r", "take a step by chance"),
    row(
        &[Char('R')],
        Action::RandomSteps,
        "R",
        "take N steps by chance, until something does not hold that did before",
    ),
    row(&[KeyCode::Down, Char('j')], Action::Down, "↑ ↓, k j", "the row above, below"),
    row(&[KeyCode::Up, Char('k')], Action::Up, "", ""),
    row(&[KeyCode::PageDown], Action::PageDown, "PgUp PgDn", "a page up, down"),
    row(&[KeyCode::PageUp], Action::PageUp, "", ""),
    row(&[KeyCode::Home, Char('g')], Action::First, "Home End, g G", "the first row, the last"),
    row(&[KeyCode::End, Char('G')], Action::Last, "", ""),
    row(&[KeyCode::Right], Action::After, "← →", "the operation before, the next"),
    row(&[KeyCode::Left], Action::Before, "", ""),
    row(&[], Action::Enter, "0 .. 9", "select the step with this number"),
    row(&[KeyCode::Tab], Action::NextPane, "Tab, Shift-Tab", "the next pane, the one before"),
    row(&[KeyCode::BackTab], Action::LastPane, "", ""),
    row(&[Char('/')], Action::Filter, "/", "show only what has this text: steps, or variables in their pane"),
    row(&[Char('v')], Action::Whole, "v", "what is selected in full"),
    row(
        &[Char('w')],
        Action::Why,
        "w",
        "why: what does not hold here; of an operation that is not possible, what is in its way",
    ),
    row(
        &[Char('e')],
        Action::Eval,
        "e",
        "evaluate an expression or predicate in this state; also `:type E`, `:solve P`, `:why P`",
    ),
    row(
        &[Char('t')],
        Action::Trace,
        "t",
        "go to step N of the trace that `--trace` names; without a number to its end",
    ),
    row(&[Char('n')], Action::TraceNext, "n N", "a step of the trace further, back"),
    row(&[Char('N')], Action::TraceBack, "", ""),
    row(&[Char('c')], Action::Constants, "c", "fold the constants, or unfold them"),
    row(&[Char('l')], Action::Again, "l", "look again for what a limit, or Esc, has left out"),
    row(&[KeyCode::Esc], Action::Escape, "Esc", "stop what is computed; close a text; clear a filter"),
    row(&[Char('?'), KeyCode::F(1)], Action::Help, "?", "this list"),
    row(&[Char('q')], Action::Quit, "q", "quit"),
    ctrl(&[Char('r')], Action::Redo),
    Row {
        codes: &[Char('c')],
        ctrl: true,
        action: Action::Interrupt,
        shown: "Ctrl-C",
        help: "stop what is computed; if nothing is, quit",
    },
];

/// A key as somebody has pressed it: one that comes at once after Esc is read as one with Alt, which no key here wants; both Ctrl and Alt
/// are those of a keyboard on which some characters need them.
pub(super) fn pressed(key: KeyEvent) -> impl Iterator<Item = KeyEvent> {
    let both = KeyModifiers::CONTROL | KeyModifiers::ALT;
    let alt = key.modifiers & both;
    let esc = (alt == KeyModifiers::ALT).then(|| KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    let gone = if alt == both { both } else { KeyModifiers::ALT };
    let pressed = key.kind != KeyEventKind::Release;
    esc.into_iter().chain([KeyEvent { modifiers: key.modifiers - gone, ..key }]).filter(move |_| pressed)
}

/// What a key asks for, where no text is typed.
pub(super) fn action(key: KeyEvent) -> Option<Action> {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    KEYS.iter().find(|row| row.ctrl == ctrl && row.codes.contains(&key.code)).map(|row| row.action)
}

/// The list of keys.
pub(super) fn help() -> String {
    let rows = || KEYS.iter().filter(|r| !r.shown.is_empty());
    let width = rows().map(|r| r.shown.chars().count()).max().unwrap_or(0);
    let line = |r: &Row| format!("{:width$}  {}\n", r.shown, r.help);
    let signs = "\n* a variable that the last step has changed\n> the selected row\n• where the run is in its history\n\
                 … there is more than fits (v shows all of it)\n";
    rows().map(line).collect::<String>() + signs
}
