//! Why a step of a refinement is no step of the refined machine: data for reports, in B text.

use super::Label;

/// A step of a refinement without a counterpart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmatched {
    /// What is wrong with it.
    pub why: Why,
    /// The refined machine.
    pub refined: String,
    /// The operation with arguments and results; without a name for a beginning.
    pub label: Label,
    /// What the refinement does.
    pub own: Vec<Delta>,
    /// What the refined machine could do instead, with the same arguments.
    pub attempts: Vec<Attempt>,
    /// How many more of these there are.
    pub more: usize,
}

/// What is wrong with a step of a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The refined machine's precondition holds, and the refinement's does not.
    Precondition,
    /// Nothing that the refined machine could do ends in a state that the gluing invariant relates to the refinement's.
    Outcome,
    /// In each state of the refined machine something is possible that the refinement refuses.
    Refusal,
}

/// A variable that a step changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delta {
    /// Its name.
    pub name: String,
    /// Its value before, if it had one.
    pub before: Option<String>,
    /// Its value after.
    pub after: String,
}

/// An outcome of the refined machine that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Its results.
    pub results: Vec<(String, String)>,
    /// What it changes.
    pub changes: Vec<Delta>,
    /// Whether its results are others than the refinement's: the gluing invariant is not asked then.
    pub other_results: bool,
    /// The conjuncts of the gluing invariant that are false.
    pub broken: Vec<String>,
    /// What is possible in a state of the refined machine and refused by the refinement; the changes are then its values.
    pub offers: Option<Label>,
}

impl Why {
    /// The word in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Why::Precondition => "precondition",
            Why::Outcome => "outcome",
            Why::Refusal => "refusal",
        }
    }
}
