//! Which machines take part, and as what.
//!
//! In: the main machine's unit. Out: instances, one per machine and renaming prefix, with their
//! references; parents before children in [`Graph::downwards`]. A machine reached twice is one instance.
//! Names are not looked at here.

use super::flat::Notion;
use super::loader::Loader;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Ident, MachineRef, Name, Node, RefKind};
use crate::syntax::print;

/// How one machine refers to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    /// SEES, USES: readable.
    Sees,
    /// INCLUDES, IMPORTS: readable, its operations can be called and promoted.
    Includes,
    /// EXTENDS: the same with all operations promoted.
    Extends,
    /// REFINES: only sets and constants.
    Refines,
}

impl From<RefKind> for Link {
    fn from(kind: RefKind) -> Self {
        match kind {
            RefKind::Sees | RefKind::Uses => Link::Sees,
            RefKind::Includes | RefKind::Imports => Link::Includes,
            RefKind::Extends => Link::Extends,
        }
    }
}

/// On whose account an instance takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// The main machine's, or what all share since it is seen.
    Own,
    /// The refined machine's, where its variables and operations take part beside those of the refinement.
    Refined,
}

/// A reference.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub(super) link: Link,
    /// The prefix of this reference, without the parent's.
    pub(super) prefix: Option<Name>,
    pub(super) instance: usize,
    pub(super) span: Span,
}

/// One machine under one prefix.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    /// The machine.
    pub(super) unit: usize,
    /// Put before names of variables and operations: empty, or ending in a dot.
    pub(super) prefix: String,
    /// Whether its variables and operations take part; false for a refined machine.
    pub(super) concrete: bool,
    pub(super) side: Side,
    pub(super) children: Vec<Child>,
    /// Actual parameters with the instance in which they are written.
    pub(super) actuals: Option<(usize, Vec<Node>, Span)>,
}

/// All instances; the main machine is the first.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) instances: Vec<Instance>,
    /// Children before parents.
    pub(super) upwards: Vec<usize>,
    open: Vec<(usize, Span)>,
    /// Whether the machine that the main machine refines takes part, too.
    joint: Option<Notion>,
}

/// Reads everything that the main machine refers to; if `joint`, the machine that it refines takes part beside it.
pub(super) fn graph(loader: &mut Loader<'_>, main: usize, joint: Option<Notion>) -> Graph {
    let mut graph = Graph { joint, ..Graph::default() };
    let span = loader.units.get(main).map_or_else(Span::default, |u| u.machine.name.span);
    graph.visit(loader, main, "", (true, Side::Own), span);
    graph
}

/// The references of a unit in the order of the text, the refined machine first.
fn references(loader: &Loader<'_>, unit: usize) -> Vec<(Link, MachineRef)> {
    let Some(unit) = loader.units.get(unit) else { return Vec::new() };
    let refined = unit.machine.refines.iter().map(|name| {
        let r = MachineRef { prefix: None, name: name.clone(), args: Vec::new(), file: None };
        (Link::Refines, r)
    });
    let clauses = unit.machine.clauses.iter().flat_map(|clause| {
        let ClauseKind::References(kind, refs) = &clause.kind else { return Vec::new() };
        refs.iter().map(|r| ((*kind).into(), r.clone())).collect()
    });
    refined.chain(clauses).collect()
}

impl Graph {
    /// Parents before children.
    pub(super) fn downwards(&self) -> impl Iterator<Item = usize> {
        self.upwards.iter().rev().copied()
    }

    /// The machine that the main machine refines, if it takes part beside it.
    pub(super) fn refined(&self) -> Option<(usize, Notion)> {
        let main = self.instances.first()?;
        let child = main.children.iter().find(|c| c.link == Link::Refines)?;
        Some((child.instance, self.joint?))
    }

    /// The references to an instance, with the instance that refers.
    pub(super) fn links_to(&self, at: usize) -> impl Iterator<Item = (usize, &Child)> {
        let all = self.instances.iter().enumerate();
        all.flat_map(|(parent, i)| i.children.iter().map(move |c| (parent, c)))
            .filter(move |(_, c)| c.instance == at)
    }

    /// Machines that are seen: by the main machine, or by one that takes part with it and that no such machine includes.
    /// What is included somewhere is called there, and shows what is promoted.
    pub(super) fn seen(&self) -> Vec<usize> {
        let linked = |at: usize, own: bool, wanted: fn(Link) -> bool| {
            self.links_to(at).any(|(parent, c)| {
                let takes_part = self.instances.get(parent).is_some_and(|i| i.concrete);
                wanted(c.link) && if own { parent == 0 } else { takes_part }
            })
        };
        let sees: fn(Link) -> bool = |l| l == Link::Sees;
        let includes: fn(Link) -> bool = |l| matches!(l, Link::Includes | Link::Extends);
        (1..self.instances.len())
            .filter(|&at| linked(at, true, sees) || (linked(at, false, sees) && !linked(at, false, includes)))
            .collect()
    }

    fn visit(
        &mut self,
        loader: &mut Loader<'_>,
        unit: usize,
        prefix: &str,
        (concrete, side): (bool, Side),
        span: Span,
    ) -> usize {
        let same = |i: &Instance| i.unit == unit && i.prefix == prefix && i.side == side;
        if let Some(at) = self.instances.iter().position(same) {
            self.make_concrete(at, concrete);
            return at;
        }
        let at = self.instances.len();
        self.instances.push(Instance {
            unit,
            prefix: prefix.to_owned(),
            concrete,
            side,
            children: Vec::new(),
            actuals: None,
        });
        self.open.push((unit, span));
        for (link, reference) in references(loader, unit) {
            if let Some(child) = self.child(loader, at, link, &reference)
                && let Some(instance) = self.instances.get_mut(at)
            {
                instance.children.push(child);
            }
        }
        self.open.pop();
        self.upwards.push(at);
        at
    }

    fn child(&mut self, loader: &mut Loader<'_>, parent: usize, link: Link, r: &MachineRef) -> Option<Child> {
        let (from, above, concrete, side) =
            self.instances.get(parent).map(|i| (i.unit, i.prefix.clone(), i.concrete, i.side))?;
        let unit = loader.refer(from, &r.name, r.file.as_ref())?;
        if let Some(first) = self.open.iter().position(|(u, _)| *u == unit) {
            loader.errors.push(self.cycle(first, &r.name));
            return None;
        }
        let own = r.prefix.as_ref().map_or(String::new(), |p| format!("{}.", p.name));
        // Seen machines are shared by all, so the prefix of the machine that sees them does not count.
        let full = if link == Link::Sees { own } else { format!("{above}{own}") };
        let beside = self.joint.is_some() && parent == 0 && link == Link::Refines;
        let concrete = concrete && (link != Link::Refines || beside);
        let side = match link {
            // What is seen is one for all.
            Link::Sees => Side::Own,
            _ if beside => Side::Refined,
            _ => side,
        };
        let instance = self.visit(loader, unit, &full, (concrete, side), r.name.span);
        if matches!(link, Link::Includes | Link::Extends) && !r.args.is_empty() {
            self.actuals(loader, instance, parent, r);
        }
        let prefix = r.prefix.as_ref().map(|p| p.name.clone());
        Some(Child { link, prefix, instance, span: r.name.span })
    }

    fn cycle(&self, first: usize, name: &Ident) -> Diagnostic {
        let text = format!("`{}` refers to itself by way of other machines", name.name);
        let mut d =
            Diagnostic::error(Code::MachineCycle, name.span, text).with_label("this closes the cycle");
        for (_, span) in self.open.iter().skip(first) {
            d = d.with_other(*span, "on the cycle");
        }
        d
    }

    fn actuals(&mut self, loader: &mut Loader<'_>, instance: usize, parent: usize, r: &MachineRef) {
        let concrete = |at: &usize| self.instances.get(*at).is_some_and(|i| i.concrete);
        let here = concrete(&parent);
        let Some(given) =
            self.instances.get(instance).map(|i| i.actuals.as_ref().map(|(at, ..)| concrete(at)))
        else {
            return;
        };
        let Some(instance) = self.instances.get_mut(instance) else { return };
        // An implementation may import with other parameters than the machine behind it includes: its own count.
        if given == Some(true) && !here {
            return;
        }
        if let Some((_, first, span)) = &instance.actuals
            && given == Some(here)
        {
            let same = first.iter().map(print::formula).eq(r.args.iter().map(print::formula));
            if !same {
                let text = format!("`{}` is included twice with different parameters", r.name.name);
                let d = Diagnostic::error(Code::NameClash, r.name.span, text)
                    .with_other(*span, "included here too")
                    .with_help("a renaming prefix makes a copy: `x.M(...)`");
                loader.errors.push(d);
            }
            return;
        }
        instance.actuals = Some((parent, r.args.clone(), r.name.span));
    }

    fn make_concrete(&mut self, at: usize, concrete: bool) {
        let Some(instance) = self.instances.get_mut(at) else { return };
        if !concrete || instance.concrete {
            return;
        }
        instance.concrete = true;
        let children: Vec<usize> =
            instance.children.iter().filter(|c| c.link != Link::Refines).map(|c| c.instance).collect();
        for child in children {
            self.make_concrete(child, true);
        }
    }
}
