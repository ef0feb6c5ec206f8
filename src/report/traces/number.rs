//! Elements of deferred sets renumbered by first use, constants first.
//!
//! In: a trace, the elements that may be permuted, by set. Out: the same trace under one permutation, so it is a
//! trace of the same machine. Values are not sorted again: readers compare sets as sets.

use super::TraceStep;
use crate::report::Change;
use crate::value::words::rename;
use std::cell::RefCell;
use std::collections::HashMap;

pub(super) fn lowest_first(steps: &[TraceStep], sets: &[Vec<String>]) -> Vec<TraceStep> {
    let used: RefCell<Vec<Vec<String>>> = RefCell::new(vec![Vec::new(); sets.len()]);
    let note = |word: &str| {
        if let Some(i) = sets.iter().position(|s| s.iter().any(|e| e == word)) {
            let mut used = used.borrow_mut();
            if let Some(list) = used.get_mut(i).filter(|l| l.iter().all(|e| e != word)) {
                list.push(word.to_owned());
            }
        }
        None
    };
    for step in steps {
        for (_, text) in step.arguments.iter().chain(&step.results).chain(&step.values) {
            let _ = rename(text, &note);
        }
    }
    let mut new: HashMap<String, String> = HashMap::new();
    for (used, all) in used.into_inner().iter().zip(sets) {
        let rest = all.iter().filter(|e| !used.contains(e));
        new.extend(used.iter().chain(rest).cloned().zip(all.iter().cloned()));
    }
    let fix = |text: &String| rename(text, &|w| new.get(w).cloned());
    let all = |list: &[(String, String)]| list.iter().map(|(n, v)| (n.clone(), fix(v))).collect();
    steps
        .iter()
        .map(|s| TraceStep {
            operation: s.operation.clone(),
            arguments: all(&s.arguments),
            results: all(&s.results),
            values: all(&s.values),
            watched: all(&s.watched),
            changes: s
                .changes
                .iter()
                .map(|c| Change {
                    name: c.name.clone(),
                    before: c.before.as_ref().map(fix),
                    after: fix(&c.after),
                    delta: c.delta.iter().map(fix).collect(),
                })
                .collect(),
            fault: s.fault.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_used_gets_the_lowest_number() {
        let values = vec![("c".to_owned(), "{P3,P1}".to_owned())];
        let step = TraceStep { values, ..TraceStep::default() };
        let sets = [["P1", "P2", "P3"].map(str::to_owned).to_vec()];
        assert_eq!(lowest_first(&[step], &sets)[0].values[0].1, "{P1,P2}");
    }
}
