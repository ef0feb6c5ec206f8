//! How far a command is, in a real terminal: the line comes, says what is done, and goes again.

use super::bsym;
use super::screen::Screen;

const SCHEDULER: &str = "machines/symmetry/Scheduler0.mch";

/// Wide enough for the line, and high enough for the report.
const SIZE: (u32, u32) = (120, 60);

#[test]
fn a_check_says_how_far_it_is_and_ctrl_c_takes_that_away() {
    let args = ["check", SCHEDULER, "--card=14", "--symmetry=off"];
    let Some(screen) = Screen::of("progress", SIZE, &args) else { return };
    let seen = screen.wait("exploring (OPERATIONS): ");
    assert!(seen.contains(" waiting") && seen.contains("depth ") && seen.contains(" MiB"), "{seen}");
    screen.press(&["C-c"]);
    let seen = screen.wait("icanon echo");
    assert!(seen.contains("ended with 3") && seen.contains("interrupted"), "{seen}");
    assert!(!seen.contains(" waiting"), "what has ended is no more to be seen:\n{seen}");
}

#[test]
fn strategies_that_are_compared_are_counted() {
    let args = ["compare", SCHEDULER, "--card=12", "--modes=off"];
    let Some(screen) = Screen::of("progress-of-compare", SIZE, &args) else { return };
    screen.wait("size 12, off, run 1 of ");
    screen.press(&["C-c"]);
    let seen = screen.wait("icanon echo");
    assert!(!seen.contains("run 1 of"), "{seen}");
}

/// Who reads standard error from a pipe has no line in it.
#[test]
fn there_is_none_without_a_terminal() {
    let out = bsym(&["check", SCHEDULER, "--card=10", "--symmetry=off"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success() && !said.contains("exploring"), "{said}");
}
