//! What may be permuted, put into words: one line per given set.
//!
//! In: what was found out about a machine (`detect`). Out: for each set the elements that are permuted, why
//! they are or why not, and the place that forbids it. Nothing is decided here.

use super::detect::{Detection, SetStatus};
use crate::ir::Machine;
use crate::ops::World;
use crate::source::Span;

/// What the report says about one set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The set.
    pub set: String,
    /// Number of its elements.
    pub size: usize,
    /// Names of the elements that are permuted.
    pub permuted: Vec<String>,
    /// Why these.
    pub why: String,
    /// The first place that keeps elements from being permuted.
    pub at: Option<Span>,
}

/// Elements named in a line at most.
const SHOWN: usize = 4;

/// One line per given set, in the order of the machine.
#[must_use]
pub fn lines(detection: &Detection, machine: &Machine, world: &World) -> Vec<Line> {
    detection.sets.iter().enumerate().map(|(i, s)| line(i, s, machine, world)).collect()
}

fn line(set: usize, status: &SetStatus, machine: &Machine, world: &World) -> Line {
    let declared = machine.sets.get(set).and_then(|g| g.elements.as_deref()).unwrap_or_default();
    let shown = world.elements.get(set).map_or(&[][..], Vec::as_slice);
    let name = |i: u32| {
        let known = declared.get(i as usize).or_else(|| shown.get(i as usize));
        known.map_or_else(|| format!("{}{}", status.name, i + 1), ToString::to_string)
    };
    let size = world.card.get(set).copied().unwrap_or(0) as usize;
    let moved = status.used && status.asked && status.ordered.is_none() && status.permutable.len() > 1;
    let permuted = if moved { status.permutable.iter().map(|&i| name(i)).collect() } else { Vec::new() };
    let first = |all: &[(u32, Span)]| all.iter().map(|(_, span)| *span).min_by_key(|s| s.lo);
    let at = match &status.ordered {
        None if !status.asked => None,
        Some((span, _)) => Some(*span),
        None if status.named.is_empty() => first(&status.constant),
        None => first(&status.named),
    };
    Line { set: status.name.clone(), size, permuted, why: why(status, size, &name), at }
}

fn why(status: &SetStatus, size: usize, name: &dyn Fn(u32) -> String) -> String {
    if let Some((_, why)) = &status.ordered {
        return why.clone();
    }
    if !status.used {
        return "no constant or variable contains its elements".to_owned();
    }
    if size < 2 {
        return "it has one element only".to_owned();
    }
    if !status.asked {
        return "not asked for (`--permute`)".to_owned();
    }
    match (status.named.is_empty(), status.constant.is_empty()) {
        (true, true) => "no formula names one of them or depends on their order".to_owned(),
        (true, false) => {
            format!("{}, as far as the constants allow", named(&status.constant, "PROPERTIES", name))
        }
        (false, _) => named(&status.named, "the machine", name),
    }
}

/// Which elements are named, and where.
fn named(elements: &[(u32, Span)], place: &str, name: &dyn Fn(u32) -> String) -> String {
    let names: Vec<String> = elements.iter().take(SHOWN).map(|(i, _)| format!("`{}`", name(*i))).collect();
    let more = if elements.len() > SHOWN { ", ..." } else { "" };
    let verb = if elements.len() == 1 { "is" } else { "are" };
    let only = if place == "PROPERTIES" { " only" } else { "" };
    format!("{}{more} {verb} named in {place}{only}", names.join(", "))
}

impl Line {
    /// The line for people; `place` is the text of [`Line::at`].
    #[must_use]
    pub fn text(&self, place: Option<&str>) -> String {
        let at = place.map_or_else(String::new, |p| format!(" ({p})"));
        let mut names = self.permuted.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        if self.permuted.len() > SHOWN {
            names += ", ...";
        }
        let what = match self.permuted.len() {
            0 => "not permuted".to_owned(),
            n if n == self.size => format!("all {n} elements are permuted, {names}"),
            n => format!("{n} of {} elements are permuted, {names}", self.size),
        };
        format!("{}: {what}: {}{at}", self.set, self.why)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Toy;
    use super::*;
    use crate::ty::{SetId, Ty};

    #[test]
    fn every_set_has_its_reason() {
        let used = [Ty::Given(SetId(0)), Ty::Given(SetId(1)), Ty::Given(SetId(2)), Ty::Given(SetId(3))];
        let context = Toy::new(&[3, 1, 4, 2, 2], &[], &used, &[]).context;
        let mut detection = (*context.detection).clone();
        detection.sets[2].named = vec![(0, Span::default())];
        detection.sets[2].permutable = vec![1, 2, 3];
        detection.sets[3].ordered = Some((Span::default(), "`SORT` may depend on their order".to_owned()));
        let all = lines(&detection, &context.machine, &context.world);
        let text: Vec<String> = all.iter().map(|l| l.text(l.at.map(|_| "m.mch:1:2"))).collect();
        assert_eq!(
            text,
            [
                "S0: all 3 elements are permuted, S01, S02, S03: no formula names one of them or depends on their order",
                "S1: not permuted: it has one element only",
                "S2: 3 of 4 elements are permuted, S22, S23, S24: `S21` is named in the machine (m.mch:1:2)",
                "S3: not permuted: `SORT` may depend on their order (m.mch:1:2)",
                "S4: not permuted: no constant or variable contains its elements",
            ]
        );
    }
}
