//! What the search has to satisfy: a formula, or what says the same faster.
//!
//! In: conjuncts, taken apart (`expand`). Out: constraints by kind; what each of them does is in the file of its kind.

use super::cells::CellId;
use super::{bools, formed, linear, relation, table};
use crate::ir::{LocalId, Pred};
use crate::value::Value;
use std::sync::Arc;

/// Something that must hold.
pub(super) enum Constraint {
    /// A predicate under values of quantified variables.
    Test { pred: Arc<Pred>, locals: Vec<(LocalId, Value)> },
    /// A comparison of sums of cells.
    Linear(linear::Linear),
    /// One of some sums of cells is not zero.
    Differ(Vec<linear::Linear>),
    /// Which options of two cells go together.
    Table { cells: [CellId; 2], table: Arc<table::Table> },
    /// Which options of several cells go together.
    Relation(relation::Relation),
    /// Which combinations of the options of cells with two options each are possible.
    Bools(bools::Bools),
    /// Decided cells differ; cells that share one list of so many values.
    AllDifferent { cells: Vec<CellId>, values: usize },
    /// What tests say, in the form in which they are looked at fastest.
    Formed(formed::Formed),
    /// What another constraint says, too.
    Part,
    /// Every one of so many values is taken by some cell.
    Onto { cells: Vec<CellId>, values: usize },
}

impl Constraint {
    /// The cells that it is about; none for what has to be looked at first.
    pub(super) fn cells(&self) -> Vec<CellId> {
        let of = |sum: &linear::Linear| sum.terms.iter().map(|(_, c)| *c).collect::<Vec<CellId>>();
        match self {
            Constraint::AllDifferent { cells, .. } | Constraint::Onto { cells, .. } => cells.clone(),
            Constraint::Table { cells, .. } => cells.to_vec(),
            Constraint::Relation(relation) => relation.cells.clone(),
            Constraint::Bools(table) => table.cells.to_vec(),
            Constraint::Linear(sum) => of(sum),
            Constraint::Differ(sums) => sums.iter().flat_map(of).collect(),
            Constraint::Test { .. } | Constraint::Formed(_) | Constraint::Part => Vec::new(),
        }
    }

    /// How often it has been said.
    pub(super) fn copies(&self) -> usize {
        if let Constraint::Linear(sum) = self { sum.copies } else { 1 }
    }
}
