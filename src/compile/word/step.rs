//! Steps of the portable executor.
//!
//! In: instructions of the word IR over registers. Out: steps that are interpreted. A step costs little but finding out what
//! comes next, so each operator is a step of its own, and what often comes one after the other is one step: parts of words,
//! sets one member after the other, numbers of members, tests.

use super::{Bin, Checked, Un};

/// What is made a step: operators on two words; two of them, one after the other; an operator and a branch by what it says.
macro_rules! operators {
    ($with:ident! $($before:tt)*) => {
        $with! {
            [And Or Xor AndNot Add Sub Mul Shl Shr Sar Div Rem Eq Ult Slt Sle]
            [ShrAnd = Shr And, SubAnd = Sub And, MulAdd = Mul Add, ShlOr = Shl Or, AndAdd = And Add, AddShl = Add Shl]
            [IfEq = Eq, IfUlt = Ult, IfSlt = Slt, IfSle = Sle, IfAnd = And]
            $($before)*
        }
    };
}
pub(super) use operators;

macro_rules! steps {
    ([$($one:ident)*] [$($two:ident = $first:ident $then:ident),*] [$($branch:ident = $test:ident),*]) => {
        /// Registers: the destination first. Places are numbers of steps.
        #[derive(Clone, Debug)]
        pub(super) enum Step {
            $($one(u32, u32, u32),)*
            $($two([u32; 3], [u32; 3]),)*
            $($branch([u32; 3], u32, u32),)*
            Copy(u32, u32),
            Checked(Checked, u32, u32, u32),
            Un(Un, u32, u32),
            Load(u32, u32),
            At(u32, u32, u32, u32),
            Pick(u32, u32, u32, u32),
            Emit(Box<[u32]>),
            Patch { back: u32, len: u32, operands: [u32; 3] },
            Jump(u32),
            Branch(u32, u32, u32),
            Return(bool),
            Bail,
            Misfit(u32),
        }

        impl Step {
            /// An operator on two words.
            pub(super) fn of(op: Bin, d: u32, a: u32, b: u32) -> Self {
                match op {
                    $(Bin::$one => Self::$one(d, a, b),)*
                }
            }

            /// This step and the one after it as one step that does the same.
            fn with(&self, next: &Self) -> Option<Self> {
                match (self, next) {
                    $((&Self::$first(d, a, b), &Self::$then(e, f, g)) => Some(Self::$two([d, a, b], [e, f, g])),)*
                    $((&Self::$test(d, a, b), &Self::Branch(c, yes, no)) if c == d => {
                        Some(Self::$branch([d, a, b], yes, no))
                    })*
                    _ => None,
                }
            }

            /// Whether what it finds says where it goes on.
            pub(super) fn decides(&self) -> bool {
                matches!(self, Self::Branch(..) $(| Self::$branch(..))*)
            }

            /// The places where it may go on, unless that is the next step.
            pub(super) fn places(&mut self) -> [Option<&mut u32>; 2] {
                match self {
                    $(Self::$branch(_, yes, no) => [Some(yes), Some(no)],)*
                    Self::Branch(_, yes, no) => [Some(yes), Some(no)],
                    Self::Jump(to) => [Some(to), None],
                    _ => [None, None],
                }
            }
        }
    };
}
operators!(steps!);

/// Adds a step to those of a block, which begin at a place: as one with the last of them if that can be.
pub(super) fn add(steps: &mut Vec<Step>, begin: usize, step: Step) {
    match steps.get_mut(begin..).and_then(<[Step]>::last_mut) {
        Some(last) if let Some(both) = last.with(&step) => *last = both,
        _ => steps.push(step),
    }
}
