//! Random pairs of small machines: `bsym refine` against a direct evaluation on the graph of all pairs, with and without
//! symmetry reduction. The direct evaluation knows nothing of B: it runs the little language that the pairs are written in.
//!
//! Each has a third machine that refines the second, for checks of both levels. `BSYM_PAIRS` says how many (50), `BSYM_SEED` where they begin (else the time); the seed is printed with what fails.

use super::random::Random;
use super::{bsym, number, root};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A state of one machine: a number below 3, and a subset of the two elements as bits.
type State = (usize, usize);

/// A condition on a state and a parameter (an element).
#[derive(Clone, Debug)]
enum Cond {
    Number(usize),
    Below(usize),
    Holds,
    Empty,
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
}

/// What becomes of number, set and result.
#[derive(Clone, Copy, Debug)]
struct Act {
    number: usize,
    set: usize,
    result: usize,
}

/// An operation: PRE, guard, and a choice.
#[derive(Clone, Debug)]
struct Op {
    pre: Option<Cond>,
    guard: Option<Cond>,
    acts: Vec<Act>,
}

#[derive(Clone, Debug)]
struct Machine {
    begin: Vec<Act>,
    ops: Vec<Op>,
}

const GLUING: [(&str, fn(State, State) -> bool); 9] = [
    ("m = n", |a, c| a.0 == c.0),
    ("t = s", |a, c| a.1 == c.1),
    ("t <: s", |a, c| c.1 & !a.1 == 0),
    ("card(t) = card(s)", |a, c| a.1.count_ones() == c.1.count_ones()),
    ("m <= n", |a, c| c.0 <= a.0),
    ("(t = {} => n = m)", |a, c| c.1 != 0 || a.0 == c.0),
    ("m + n /= 4", |a, c| a.0 + c.0 != 4),
    // Of the refinement alone: outside the refined preconditions it may be false, and nobody may call there.
    ("m < 2", |_, c| c.0 < 2),
    ("card(t) < 2", |_, c| c.1.count_ones() < 2),
];

/// Properties of the refinement's states, in no machine's text.
const ASKED: [(&str, fn(State) -> bool); 5] = [
    ("m < 2", |w| w.0 < 2),
    ("card(t) < 2", |w| w.1.count_ones() < 2),
    ("m /= 1", |w| w.0 != 1),
    ("t /= {}", |w| w.1 != 0),
    ("m + card(t) < 4", |w| w.0 + w.1.count_ones() as usize != 4),
];

fn cond(r: &mut Random, depth: usize) -> Cond {
    match r.below(if depth == 0 { 4 } else { 6 }) {
        0 => Cond::Number(r.below(3)),
        1 => Cond::Below(1 + r.below(2)),
        2 => Cond::Holds,
        3 => Cond::Empty,
        4 => Cond::Not(Box::new(cond(r, depth - 1))),
        _ => Cond::And(Box::new(cond(r, depth - 1)), Box::new(cond(r, depth - 1))),
    }
}

fn act(r: &mut Random) -> Act {
    Act { number: r.below(5), set: r.below(5), result: r.below(4) }
}

fn acts(r: &mut Random) -> Vec<Act> {
    (0..=r.below(3)).map(|_| act(r)).collect()
}

fn op(r: &mut Random) -> Op {
    Op {
        pre: (r.below(2) == 0).then(|| cond(r, 1)),
        guard: (r.below(3) == 0).then(|| cond(r, 1)),
        acts: acts(r),
    }
}

fn machine(r: &mut Random) -> Machine {
    Machine { begin: acts(r), ops: (0..2).map(|_| op(r)).collect() }
}

/// A machine near another: what it does less, or a little otherwise.
fn near(r: &mut Random, a: &Machine) -> Machine {
    let mut c = a.clone();
    let fewer = |r: &mut Random, acts: &mut Vec<Act>| {
        if acts.len() > 1 && r.below(2) == 0 {
            let at = r.below(acts.len());
            acts.remove(at);
        }
    };
    fewer(r, &mut c.begin);
    for op in &mut c.ops {
        fewer(r, &mut op.acts);
        match r.below(8) {
            0 => op.guard = Some(cond(r, 1)),
            1 => op.pre = None,
            2 => op.pre = Some(cond(r, 1)),
            3 => op.acts.push(act(r)),
            4 => op.guard = None,
            _ => {}
        }
    }
    c
}

impl Cond {
    fn text(&self, (n, s): (&str, &str)) -> String {
        match self {
            Cond::Number(k) => format!("{n} = {k}"),
            Cond::Below(k) => format!("{n} < {k}"),
            Cond::Holds => format!("p : {s}"),
            Cond::Empty => format!("{s} = {{}}"),
            Cond::Not(c) => format!("not({})", c.text((n, s))),
            Cond::And(a, b) => format!("{} & {}", a.text((n, s)), b.text((n, s))),
        }
    }

    fn holds(&self, (n, s): State, p: usize) -> bool {
        match self {
            Cond::Number(k) => n == *k,
            Cond::Below(k) => n < *k,
            Cond::Holds => s >> p & 1 == 1,
            Cond::Empty => s == 0,
            Cond::Not(c) => !c.holds((n, s), p),
            Cond::And(a, b) => a.holds((n, s), p) && b.holds((n, s), p),
        }
    }
}

impl Act {
    fn text(self, (n, s): (&str, &str), begin: bool) -> String {
        let number = match self.number {
            k @ 0..3 => k.to_string(),
            3 if !begin => format!("({n} + 1) mod 3"),
            _ if begin => "0".to_owned(),
            _ => n.to_owned(),
        };
        let set = match self.set {
            0 => "{}".to_owned(),
            1 if !begin => format!("{s} \\/ {{p}}"),
            2 if !begin => format!("{s} - {{p}}"),
            3 => "E".to_owned(),
            _ if begin => "{}".to_owned(),
            _ => s.to_owned(),
        };
        let result = match self.result {
            k @ 0..2 => k.to_string(),
            2 => n.to_owned(),
            _ => format!("card({s})"),
        };
        if begin {
            format!("{n} := {number} || {s} := {set}")
        } else {
            format!("{n} := {number} || {s} := {set} || r := {result}")
        }
    }

    fn done(self, (n, s): State, p: usize) -> (State, usize) {
        let number = match self.number {
            k @ 0..3 => k,
            3 => (n + 1) % 3,
            _ => n,
        };
        let set = match self.set {
            0 => 0,
            1 => s | 1 << p,
            2 => s & !(1 << p),
            3 => 3,
            _ => s,
        };
        let result = match self.result {
            k @ 0..2 => k,
            2 => n,
            _ => s.count_ones() as usize,
        };
        ((number, set), result)
    }

    fn begun(self) -> State {
        let number = if self.number < 3 { self.number } else { 0 };
        (number, if self.set == 3 { 3 } else { 0 })
    }
}

impl Machine {
    fn text(&self, head: &str, names: (&str, &str), gluing: &str) -> String {
        let (n, s) = names;
        let all = |acts: &[Act], begin| {
            let texts: Vec<String> = acts.iter().map(|a| a.text(names, begin)).collect();
            format!("CHOICE {} END", texts.join(" OR "))
        };
        let mut out = format!(
            "{head}\nVARIABLES {n}, {s}\nINVARIANT {n} : 0..2 & {s} <: E{gluing}\nINITIALISATION {}\nOPERATIONS\n",
            all(&self.begin, true)
        );
        for (i, op) in self.ops.iter().enumerate() {
            let body = all(&op.acts, false);
            let body = op
                .guard
                .as_ref()
                .map_or(body.clone(), |g| format!("SELECT {} THEN {body} END", g.text(names)));
            let pre = op.pre.as_ref().map_or(String::new(), |p| format!(" & {}", p.text(names)));
            let _ = writeln!(
                out,
                "  r <-- op{i}(p) = PRE p : E{pre} THEN {body} END{}",
                if i + 1 < self.ops.len() { ";" } else { "" }
            );
        }
        out + "END\n"
    }
}

impl Op {
    fn accepts(&self, state: State, p: usize) -> bool {
        self.pre.as_ref().is_none_or(|c| c.holds(state, p))
    }

    fn outcomes(&self, state: State, p: usize) -> Vec<(State, usize)> {
        if self.guard.as_ref().is_some_and(|g| !g.holds(state, p)) {
            return Vec::new();
        }
        self.acts.iter().map(|a| a.done(state, p)).collect()
    }
}

/// The states of a machine by itself.
fn by_itself(c: &Machine) -> BTreeSet<State> {
    let mut known: BTreeSet<State> = c.begin.iter().map(|x| x.begun()).collect();
    let mut todo: Vec<State> = known.iter().copied().collect();
    while let Some(w) = todo.pop() {
        let calls = c.ops.iter().flat_map(|op| (0..2).map(move |p| (op, p)));
        for (op, p) in calls.filter(|(op, p)| op.accepts(w, *p)) {
            todo.extend(op.outcomes(w, p).into_iter().map(|(own, _)| own).filter(|own| known.insert(*own)));
        }
    }
    known
}

/// The reached pairs, and the number of pairs (and beginnings: one) where something does not refine.
fn direct(a: &Machine, c: &Machine, glued: &dyn Fn(State, State) -> bool) -> (usize, usize) {
    let (known, failed) = pairs(a, c, glued);
    (known.len(), failed)
}

/// As [`direct`], with the pairs.
fn pairs(
    a: &Machine,
    c: &Machine,
    glued: &dyn Fn(State, State) -> bool,
) -> (BTreeSet<(State, State)>, usize) {
    let mut known = BTreeSet::new();
    let mut failed = 0;
    let mut wrong = false;
    for own in c.begin.iter().map(|x| x.begun()) {
        let with: Vec<State> = a.begin.iter().map(|x| x.begun()).filter(|v| glued(*v, own)).collect();
        wrong |= with.is_empty();
        known.extend(with.into_iter().map(|v| (v, own)));
    }
    failed += usize::from(wrong);
    let mut todo: Vec<(State, State)> = known.iter().copied().collect();
    while let Some((v, w)) = todo.pop() {
        let mut wrong = false;
        for (abs, con) in a.ops.iter().zip(&c.ops) {
            for p in (0..2).filter(|p| abs.accepts(v, *p)) {
                if !con.accepts(w, p) {
                    wrong = true;
                    continue;
                }
                for (own, result) in con.outcomes(w, p) {
                    let fits = abs.outcomes(v, p).into_iter().filter(|(s, r)| *r == result && glued(*s, own));
                    let next: Vec<State> = fits.map(|(s, _)| s).collect();
                    wrong |= next.is_empty();
                    todo.extend(next.into_iter().map(|s| (s, own)).filter(|pair| known.insert(*pair)));
                }
            }
        }
        // What the refined machine does not have leaves it as it is.
        for con in c.ops.iter().skip(a.ops.len()) {
            for p in (0..2).filter(|p| con.accepts(w, *p)) {
                for (own, _) in con.outcomes(w, p) {
                    wrong |= !glued(v, own);
                    todo.extend(Some((v, own)).filter(|_| glued(v, own)).filter(|pair| known.insert(*pair)));
                }
            }
        }
        failed += usize::from(wrong);
    }
    (known, failed)
}

/// The operations with arguments that are possible.
fn offered(ops: &[Op], state: State) -> BTreeSet<(usize, usize)> {
    let all = (0..ops.len()).flat_map(|i| (0..2).map(move |p| (i, p)));
    all.filter(|(i, p)| ops[*i].accepts(state, *p) && !ops[*i].outcomes(state, *p).is_empty()).collect()
}

/// Whether some of the refined states offers nothing else than the refinement's, or this can do something on its own.
fn may_refuse(a: &Machine, c: &Machine, set: &BTreeSet<State>, w: State) -> bool {
    let own = offered(&c.ops, w);
    own.iter().any(|(i, _)| *i >= a.ops.len()) || set.iter().any(|v| offered(&a.ops, *v).is_subset(&own))
}

/// The reached pairs of a set of refined states and one of the refinement, and the number of those with a step that does not refine, or
/// that refuse too much.
fn direct_traces(a: &Machine, c: &Machine, failures: bool) -> (usize, usize) {
    let first: BTreeSet<State> = a.begin.iter().map(|x| x.begun()).collect();
    let mut known: BTreeSet<(BTreeSet<State>, State)> =
        c.begin.iter().map(|x| (first.clone(), x.begun())).collect();
    let mut todo: Vec<(BTreeSet<State>, State)> = known.iter().cloned().collect();
    let mut failed = 0;
    while let Some((set, w)) = todo.pop() {
        let mut wrong = failures && !may_refuse(a, c, &set, w);
        for con in c.ops.iter().skip(a.ops.len()) {
            for p in (0..2).filter(|p| con.accepts(w, *p)) {
                let all = con.outcomes(w, p).into_iter().map(|(own, _)| (set.clone(), own));
                todo.extend(all.filter(|pair| known.insert(pair.clone())));
            }
        }
        for (abs, con) in a.ops.iter().zip(&c.ops) {
            for p in (0..2).filter(|p| con.accepts(w, *p)) {
                for (own, result) in con.outcomes(w, p) {
                    let able = set.iter().filter(|v| abs.accepts(**v, p));
                    let all = able.flat_map(|v| abs.outcomes(*v, p));
                    let next: BTreeSet<State> = all.filter(|(_, r)| *r == result).map(|(s, _)| s).collect();
                    wrong |= next.is_empty();
                    let pair = (next, own);
                    if !pair.0.is_empty() && known.insert(pair.clone()) {
                        todo.push(pair);
                    }
                }
            }
        }
        failed += usize::from(wrong);
    }
    (known.len(), failed)
}

/// A gluing invariant: of some conjuncts their texts for these names, and their meaning.
struct Gluing(Vec<(&'static str, fn(State, State) -> bool)>);

impl Gluing {
    fn any(r: &mut Random) -> Self {
        let same = r.below(2) == 0;
        let some = (0..=r.below(2)).map(|_| GLUING[r.below(GLUING.len())]).collect();
        Self(if same { vec![GLUING[0], GLUING[1]] } else { some })
    }

    /// Whether some conjunct is of the refinement alone.
    fn is_narrow(&self) -> bool {
        self.0.iter().any(|(text, _)| text.ends_with("< 2"))
    }

    fn holds(&self, v: State, w: State) -> bool {
        self.0.iter().all(|(_, f)| f(v, w))
    }

    /// For the names of number and set of the refined machine, and of the refinement.
    fn text(&self, (n, s): (&str, &str), (m, t): (&str, &str)) -> String {
        let word = |w: &str| match w {
            "n" => n.to_owned(),
            "s" => s.to_owned(),
            "m" => m.to_owned(),
            "t" => t.to_owned(),
            other => other.to_owned(),
        };
        let mut out = String::new();
        for (text, _) in &self.0 {
            out.push_str(" & ");
            let mut name = String::new();
            for c in text.chars().chain([' ']) {
                if c.is_alphabetic() {
                    name.push(c);
                } else {
                    out.push_str(&word(&std::mem::take(&mut name)));
                    out.push(c);
                }
            }
        }
        out
    }
}

/// Runs bsym on a refinement for its report.
fn report(words: &[&str]) -> (Json, String) {
    let out = bsym(words);
    let report = serde_json::from_slice(&out.stdout).unwrap_or_default();
    (report, String::from_utf8_lossy(&out.stderr).into_owned())
}

/// What is wrong with the gluing invariant is told as that: it is read after a step, but no operation has it.
#[test]
fn a_gluing_invariant_without_value_is_named() {
    let file = root().join("machines/refinement/Log_newest.ref");
    let (report, _) = report(&["refine", &file.to_string_lossy(), "--format=json"]);
    let said = "the gluing invariant has no value: `{}` is applied to `1`, outside its domain (in the initialisation)";
    assert_eq!(report["violations"][0]["message"], said, "{report}");
}

#[test]
fn random_pairs_are_judged_as_by_hand() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let first = number("BSYM_SEED").unwrap_or(now.map_or(1, |d| d.as_secs() * 1000));
    let count = number("BSYM_PAIRS").unwrap_or(50);
    println!("seeds from {first}");
    let dir = root().join("target/refinement");
    std::fs::create_dir_all(&dir).expect("target is writable");
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for seed in first..first + count {
        for (what, fine) in one(seed, &dir) {
            *counts.entry((what, fine)).or_default() += 1;
        }
    }
    println!("by notion, and whether it holds: {counts:?}");
    let both = |what| [true, false].iter().all(|fine| counts.contains_key(&(what, *fine)));
    let all = ["gluing", "traces", "failures", "second level"];
    assert!(count < 100 || all.into_iter().all(both), "both answers are tried");
}

/// A chain of three machines; what came of it by each notion.
fn one(seed: u64, dir: &std::path::Path) -> Vec<(&'static str, bool)> {
    let mut r = Random::new(seed);
    let a = machine(&mut r);
    let mut c = if r.below(4) == 0 { machine(&mut r) } else { near(&mut r, &a) };
    if r.below(4) == 0 {
        c.ops.push(op(&mut r));
    }
    let d = near(&mut r, &c);
    let (glued, farther) = (Gluing::any(&mut r), Gluing::any(&mut r));
    let (top, middle, end) = (format!("A{seed}"), format!("R{seed}"), format!("Q{seed}"));
    let names = [("n", "s"), ("m", "t"), ("k", "u")];
    let refinement = |m: &Machine, name: &str, refined: &str, at: usize, g: &Gluing| {
        let gluing = g.text(names[at - 1], names[at]);
        m.text(&format!("REFINEMENT {name}\nREFINES {refined}"), names[at], &gluing)
    };
    let texts = [
        (format!("{top}.mch"), a.text(&format!("MACHINE {top}\nSETS E"), names[0], "")),
        (format!("{middle}.ref"), refinement(&c, &middle, &top, 1, &glued)),
        (format!("{end}.ref"), refinement(&d, &end, &middle, 2, &farther)),
    ];
    for (file, text) in &texts {
        std::fs::write(dir.join(file), text).expect("target is writable");
    }
    let all: String = texts.iter().map(|(_, t)| t.as_str()).collect();
    let (first, second) =
        (direct(&a, &c, &|v, w| glued.holds(v, w)), direct(&c, &d, &|v, w| farther.holds(v, w)));
    let by_hand = [
        ("gluing", first),
        ("traces", direct_traces(&a, &c, false)),
        ("failures", direct_traces(&a, &c, true)),
    ];
    let verdict = |failed| if failed == 0 { "holds" } else { "violated" };
    let name = dir.join(&texts[1].0).display().to_string();
    for (notion, (pairs, failed)) in by_hand {
        for symmetry in ["off", "exact"] {
            let how = ["--card", "2", "--keep-going", "--format", "json", "--symmetry", symmetry];
            let (report, said) = report(&[&["refine", &name, "--against", notion], &how[..]].concat());
            let states = if symmetry == "off" { &report["states"] } else { &report["full_states"] };
            let got = (report["verdict"].as_str(), states.as_u64());
            let wanted = (Some(verdict(failed)), u64::try_from(pairs).ok());
            let told = report["refinement_violations"].as_u64();
            let right = symmetry != "off" || told == u64::try_from(failed).ok();
            assert!(
                got == wanted && right,
                "seed {seed}, {notion}, {symmetry}: {got:?} and {told:?} failures, by hand {wanted:?} and {failed}\n{all}\n{said}"
            );
        }
    }
    // What holds in all pairs is no violation of the refinement by itself.
    let (alone, said) = report(&["check", &name, "--card", "2", "--no-deadlock", "--format", "json"]);
    let fine = alone["verdict"] == verdict(first.1);
    assert!(fine, "seed {seed}, check of {name}: {}\n{all}\n{alone}\n{said}", first.1);
    let (text, holds) = ASKED[r.below(ASKED.len())];
    let (formula, asked) = (format!("G {{{text}}}"), ["--invariant", text, "--ltl"]);
    let how = ["--card", "2", "--no-deadlock", "--format", "json"];
    let (asked, said) = report(&[&["check", &name], &asked[..], &[&formula], &how[..]].concat());
    let reached = pairs(&a, &c, &|v, w| glued.holds(v, w)).0;
    let everywhere = reached.iter().all(|(_, w)| holds(*w));
    let own = verdict(usize::from(!by_itself(&c).into_iter().all(holds)));
    let fine = asked["formulas"][0]["verdict"] == own
        && (first.1 > 0 || asked["verdict"] == if everywhere { own } else { "violated" });
    assert!(fine, "seed {seed}, check of {name} for {text}: {everywhere}, {own}\n{all}\n{asked}\n{said}");
    let name = dir.join(&texts[2].0).display().to_string();
    let (report, said) = report(&["check", &name, "--card", "2", "--no-deadlock", "--format", "json"]);
    let got = [0, 1].map(|level| report["refinements"][level]["verdict"].as_str());
    let wanted = [second, first].map(|(_, failed)| Some(verdict(failed)));
    // The middle machine may break its own invariant where the first one would not be called: that is not known there.
    let open = glued.is_narrow() && got[0] == Some("incomplete");
    let whole = second.1 + first.1 == 0 || report["verdict"] == "violated" || open;
    assert!(
        got[1] == wanted[1] && (open || got[0] == wanted[0]) && whole,
        "seed {seed}, check: {got:?}, by hand {wanted:?}\n{all}\n{said}"
    );
    for (file, _) in &texts {
        let _ = std::fs::remove_file(dir.join(file));
    }
    let second = Some(("second level", second));
    by_hand.into_iter().chain(second).map(|(what, (_, failed))| (what, failed == 0)).collect()
}
