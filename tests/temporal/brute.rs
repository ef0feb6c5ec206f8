//! Formulas by their meaning: on one path after the other, and by counting steps. Knows nothing of automata or labels.

use bsym::temporal::{Ctl, Fair, Graph, Ltl, Path};

/// A path as places: the state and the label of the step that leaves it, and where the last place is followed by another.
struct Places {
    at: Vec<(u32, Option<u32>)>,
    back: Option<usize>,
}

/// The loop is gone through so often that what was before it makes no difference to what is remembered at its end.
fn places(path: &Path, times: usize) -> Places {
    let mut at: Vec<(u32, Option<u32>)> =
        path.states.iter().zip(&path.labels).map(|(s, l)| (*s, Some(*l))).collect();
    let Some(back) = path.back else {
        at.extend(path.states.last().map(|s| (*s, None)));
        return Places { at, back: None };
    };
    let body = at[back..].to_vec();
    for _ in 1..times {
        at.extend_from_slice(&body);
    }
    let back = Some(at.len() - body.len());
    Places { at, back }
}

fn size(f: &Ltl) -> usize {
    match f {
        Ltl::True | Ltl::False | Ltl::State(_) | Ltl::Step(_) => 1,
        Ltl::Not(f) | Ltl::Next(f) | Ltl::Yesterday(f) => 1 + size(f),
        Ltl::And(l) | Ltl::Or(l) => 1 + l.iter().map(size).sum::<usize>(),
        Ltl::Until(f, g) | Ltl::Release(f, g) | Ltl::Since(f, g) | Ltl::Trigger(f, g) => {
            1 + size(f) + size(g)
        }
    }
}

/// Whether a formula holds on a path.
pub(crate) fn holds(graph: &Graph, f: &Ltl, path: &Path) -> bool {
    let places = places(path, 2 + size(f));
    truth(graph, f, &places)[0]
}

fn truth(graph: &Graph, f: &Ltl, p: &Places) -> Vec<bool> {
    let n = p.at.len();
    let of = |g: &Ltl| truth(graph, g, p);
    let next = |i: usize| if i + 1 < n { Some(i + 1) } else { p.back };
    // Least and greatest fixpoints, by going round until nothing changes.
    let ahead = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
        let mut now = vec![start; n];
        loop {
            // At an end an until has come to nothing, and a release to no harm.
            let after: Vec<bool> = (0..n).map(|i| step(i, next(i).map_or(start, |j| now[j]))).collect();
            if after == now {
                return now;
            }
            now = after;
        }
    };
    match f {
        Ltl::True => vec![true; n],
        Ltl::False => vec![false; n],
        Ltl::State(a) => p.at.iter().map(|(s, _)| graph.states.get(*s, *a)).collect(),
        Ltl::Step(a) => p.at.iter().map(|(_, l)| l.is_some_and(|l| graph.labels.get(l, *a))).collect(),
        Ltl::Not(g) => of(g).into_iter().map(|b| !b).collect(),
        Ltl::And(list) => {
            let all: Vec<_> = list.iter().map(of).collect();
            (0..n).map(|i| all.iter().all(|v| v[i])).collect()
        }
        Ltl::Or(list) => {
            let all: Vec<_> = list.iter().map(of).collect();
            (0..n).map(|i| all.iter().any(|v| v[i])).collect()
        }
        Ltl::Next(g) => {
            let g = of(g);
            (0..n).map(|i| next(i).is_some_and(|j| g[j])).collect()
        }
        Ltl::Until(g, h) => {
            let (g, h) = (of(g), of(h));
            ahead(false, &|i, later| h[i] || g[i] && later)
        }
        Ltl::Release(g, h) => {
            let (g, h) = (of(g), of(h));
            ahead(true, &|i, later| h[i] && (g[i] || later))
        }
        Ltl::Yesterday(g) => {
            let g = of(g);
            (0..n).map(|i| i > 0 && g[i - 1]).collect()
        }
        Ltl::Since(g, h) => {
            let (g, h) = (of(g), of(h));
            let mut before = false;
            let mut out = Vec::new();
            for i in 0..n {
                before = h[i] || g[i] && before;
                out.push(before);
            }
            out
        }
        Ltl::Trigger(g, h) => {
            let (g, h) = (of(g), of(h));
            let mut before = true;
            let mut out = Vec::new();
            for i in 0..n {
                before = h[i] && (g[i] || before);
                out.push(before);
            }
            out
        }
    }
}

/// Whether a path is fair.
pub(crate) fn fair(graph: &Graph, weak: &[Fair], strong: &[Fair], path: &Path) -> bool {
    let Some(back) = path.back else { return true };
    let places = || path.states.iter().zip(&path.labels).skip(back);
    let taken = |f: &Fair| places().any(|(_, l)| graph.labels.get(*l, f.taken));
    let enabled = |f: &Fair, s: u32| graph.states.get(s, f.enabled);
    weak.iter().all(|f| taken(f) || places().any(|(s, _)| !enabled(f, *s)))
        && strong.iter().all(|f| taken(f) || places().all(|(s, _)| !enabled(f, *s)))
}

/// Calls `f` on paths of up to so many steps, ends and loops, until it says that it has seen enough.
pub(crate) fn paths(graph: &Graph, most: usize, f: &mut dyn FnMut(&Path) -> bool) -> bool {
    graph.initial.iter().any(|s| {
        let mut path = Path { states: vec![*s], ..Path::default() };
        further(graph, most, &mut path, f)
    })
}

fn further(graph: &Graph, most: usize, path: &mut Path, f: &mut dyn FnMut(&Path) -> bool) -> bool {
    let at = path.states[path.states.len() - 1];
    if graph.is_end(at) {
        return f(path);
    }
    for i in 0..path.states.len() - 1 {
        if path.states[i] == at {
            path.back = Some(i);
            let enough = f(path);
            path.back = None;
            if enough {
                return true;
            }
        }
    }
    if path.labels.len() == most {
        return false;
    }
    for e in graph.edges(at) {
        path.labels.push(e.label);
        path.states.push(e.target);
        let enough = further(graph, most, path, f);
        path.labels.pop();
        path.states.pop();
        if enough {
            return true;
        }
    }
    false
}

/// Whether a formula of branching time holds in a state, by looking so far ahead that every state would come again.
pub(crate) fn branching(graph: &Graph, f: &Ctl, state: u32) -> bool {
    let here = |f: &Ctl| branching(graph, f, state);
    match f {
        Ctl::True => true,
        Ctl::State(a) => graph.states.get(state, *a),
        Ctl::Not(g) => !here(g),
        Ctl::And(list) => list.iter().all(here),
        Ctl::Or(list) => list.iter().any(here),
        Ctl::ExistsNext(step, g) => graph
            .edges(state)
            .iter()
            .any(|e| step.is_none_or(|a| graph.labels.get(e.label, a)) && branching(graph, g, e.target)),
        Ctl::ExistsUntil(g, h) => reaches(graph, g, h, state, graph.len()),
        Ctl::ExistsAlways(g) => stays(graph, g, state, graph.len()),
    }
}

fn reaches(graph: &Graph, g: &Ctl, h: &Ctl, state: u32, most: usize) -> bool {
    branching(graph, h, state)
        || most > 0
            && branching(graph, g, state)
            && graph.edges(state).iter().any(|e| reaches(graph, g, h, e.target, most - 1))
}

fn stays(graph: &Graph, g: &Ctl, state: u32, most: usize) -> bool {
    branching(graph, g, state)
        && (graph.is_end(state)
            || most == 0
            || graph.edges(state).iter().any(|e| stays(graph, g, e.target, most - 1)))
}
