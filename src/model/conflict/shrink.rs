//! Fewer and fewer parts among which nothing is found.
//!
//! In: parts that have no solution together. Out: some of them that have none either, with what the last search has come to,
//! and whether it is known that without any one of them there is a solution.

use super::{Answer, Puzzle};
use crate::ir::{ConstId, ExprKind};
use std::collections::BTreeMap;

impl Puzzle<'_> {
    pub(super) fn shrink(&self) -> (Vec<usize>, Answer, bool) {
        let (kept, answer) = self.worst_component();
        // What is impossible must stay so; where nothing was found, to find nothing is enough.
        let enough: &[Answer] = match answer {
            Answer::Impossible => &[Answer::Impossible],
            Answer::NotFound => &[Answer::Impossible, Answer::NotFound],
            Answer::Possible | Answer::Senseless | Answer::Unknown => return (kept, answer, false),
        };
        self.leave_out(kept, answer, enough)
    }

    /// Leaves out halves, quarters and so on down to single parts.
    fn leave_out(
        &self,
        mut kept: Vec<usize>,
        mut answer: Answer,
        enough: &[Answer],
    ) -> (Vec<usize>, Answer, bool) {
        let mut size = (kept.len() / 2).max(1);
        loop {
            let mut decided = true;
            let mut at = 0;
            while at < kept.len() && kept.len() > 1 {
                if self.over() {
                    return (kept, answer, false);
                }
                let end = at.saturating_add(size).min(kept.len());
                let fewer: Vec<usize> = kept.iter().take(at).chain(kept.iter().skip(end)).copied().collect();
                let found = if fewer.is_empty() { Answer::Possible } else { self.ask(&fewer) };
                // Where nothing was found, there may be nothing.
                let is_open = found == Answer::Unknown
                    || found == Answer::NotFound && !enough.contains(&Answer::NotFound);
                decided &= !is_open;
                if enough.contains(&found) {
                    (kept, answer) = (fewer, found);
                } else {
                    at = end;
                }
            }
            if size == 1 {
                return (kept, answer, decided);
            }
            size /= 2;
        }
    }

    /// Parts that share no constant are independent: the first group without a solution, if there is one.
    fn worst_component(&self) -> (Vec<usize>, Answer) {
        let all: Vec<usize> = (0..self.parts.len()).collect();
        let mut second = None;
        for group in self.components() {
            if self.over() {
                break;
            }
            match self.ask(&group) {
                Answer::Impossible => return (group, Answer::Impossible),
                Answer::NotFound if second.is_none() => second = Some(group),
                _ => {}
            }
        }
        if let Some(group) = second {
            return (group, Answer::NotFound);
        }
        let answer = match self.ask(&all) {
            // The search of the machine itself has ended, and has left nothing out.
            Answer::Unknown if self.evaluator.world.cuts.is_empty() => Answer::Impossible,
            answer => answer,
        };
        (all, answer)
    }

    fn components(&self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut owner: BTreeMap<ConstId, usize> = BTreeMap::new();
        let mut parent: Vec<usize> = (0..self.parts.len()).collect();
        for (i, part) in self.parts.iter().enumerate() {
            for e in &part.exprs {
                if let ExprKind::Const(c) = e.kind {
                    let first = *owner.entry(c).or_insert(i);
                    let (a, b) = (root(&parent, first), root(&parent, i));
                    if let Some(slot) = parent.get_mut(a.max(b)) {
                        *slot = a.min(b);
                    }
                }
            }
        }
        for i in 0..self.parts.len() {
            groups.entry(root(&parent, i)).or_default().push(i);
        }
        groups.into_values().collect()
    }
}

/// The first member of the group of a part.
fn root(parent: &[usize], mut of: usize) -> usize {
    while let Some(&up) = parent.get(of).filter(|up| **up != of) {
        of = up;
    }
    of
}
