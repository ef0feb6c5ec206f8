//! Formulas of linear time over numbered atoms: what is left of the text once its atoms have numbers.
//!
//! In: constructors. Out: [`Ltl`], a tree without derived operators. What it means on finite paths is in the paths: at
//! the last state `Next` is false and so is every atom about a step. Siblings: `normal` (negation normal form), `ctl`.

/// A formula of linear time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ltl {
    /// True.
    True,
    /// False.
    False,
    /// An atom about the state.
    State(u32),
    /// An atom about the next step.
    Step(u32),
    /// Negation.
    Not(Box<Ltl>),
    /// All of them.
    And(Vec<Ltl>),
    /// One of them.
    Or(Vec<Ltl>),
    /// There is a next state, and it holds there.
    Next(Box<Ltl>),
    /// The first until the second, which comes.
    Until(Box<Ltl>, Box<Ltl>),
    /// The second up to and including where the first holds, or for as long as the path goes.
    Release(Box<Ltl>, Box<Ltl>),
    /// There is a state before, and it holds there.
    Yesterday(Box<Ltl>),
    /// The first since the second, which was.
    Since(Box<Ltl>, Box<Ltl>),
    /// The second since and including where the first held, or since the beginning.
    Trigger(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    /// `not f`.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Ltl::True => Ltl::False,
            Ltl::False => Ltl::True,
            Ltl::Not(f) => *f,
            f => Ltl::Not(Box::new(f)),
        }
    }

    /// `f & g`.
    #[must_use]
    pub fn and(self, g: Self) -> Self {
        Ltl::And(vec![self, g])
    }

    /// `f or g`.
    #[must_use]
    pub fn or(self, g: Self) -> Self {
        Ltl::Or(vec![self, g])
    }

    /// `f => g`.
    #[must_use]
    pub fn implies(self, g: Self) -> Self {
        self.negated().or(g)
    }

    /// `f <=> g`.
    #[must_use]
    pub fn iff(self, g: Self) -> Self {
        let (not_f, not_g) = (self.clone().negated(), g.clone().negated());
        self.and(g).or(not_f.and(not_g))
    }

    /// `X f`.
    #[must_use]
    pub fn next(self) -> Self {
        Ltl::Next(Box::new(self))
    }

    /// `F f`.
    #[must_use]
    pub fn finally(self) -> Self {
        Ltl::True.until(self)
    }

    /// `G f`.
    #[must_use]
    pub fn globally(self) -> Self {
        Ltl::False.release(self)
    }

    /// `f U g`.
    #[must_use]
    pub fn until(self, g: Self) -> Self {
        Ltl::Until(Box::new(self), Box::new(g))
    }

    /// `f R g`.
    #[must_use]
    pub fn release(self, g: Self) -> Self {
        Ltl::Release(Box::new(self), Box::new(g))
    }

    /// `f W g`.
    #[must_use]
    pub fn weak_until(self, g: Self) -> Self {
        g.clone().release(self.or(g))
    }

    /// `Y f`.
    #[must_use]
    pub fn yesterday(self) -> Self {
        Ltl::Yesterday(Box::new(self))
    }

    /// `O f`.
    #[must_use]
    pub fn once(self) -> Self {
        Ltl::True.since(self)
    }

    /// `H f`.
    #[must_use]
    pub fn historically(self) -> Self {
        Ltl::False.trigger(self)
    }

    /// `f S g`.
    #[must_use]
    pub fn since(self, g: Self) -> Self {
        Ltl::Since(Box::new(self), Box::new(g))
    }

    /// `f T g`.
    #[must_use]
    pub fn trigger(self, g: Self) -> Self {
        Ltl::Trigger(Box::new(self), Box::new(g))
    }

    /// The operands.
    pub(super) fn operands(&self) -> Vec<&Ltl> {
        match self {
            Ltl::True | Ltl::False | Ltl::State(_) | Ltl::Step(_) => Vec::new(),
            Ltl::Not(f) | Ltl::Next(f) | Ltl::Yesterday(f) => vec![f],
            Ltl::And(list) | Ltl::Or(list) => list.iter().collect(),
            Ltl::Until(f, g) | Ltl::Release(f, g) | Ltl::Since(f, g) | Ltl::Trigger(f, g) => vec![f, g],
        }
    }

    /// Calls `f` on every atom: whether it is about a step, and its number.
    pub(super) fn atoms(&self, f: &mut dyn FnMut(bool, u32)) {
        match self {
            Ltl::State(n) => f(false, *n),
            Ltl::Step(n) => f(true, *n),
            other => other.operands().iter().for_each(|g| g.atoms(f)),
        }
    }
}
