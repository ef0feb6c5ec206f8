//! Every diagnostic code, one line each. A code never changes its meaning and is never reused.

macro_rules! codes {
    ($($name:ident = $text:literal, $what:literal;)*) => {
        /// A stable diagnostic code, e.g. `B0101`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs, reason = "the table's third column documents each code")]
        pub enum Code { $($name),* }
        impl Code {
            /// All codes, in table order.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];
            /// The code as printed.
            #[must_use]
            pub fn as_str(self) -> &'static str { match self { $(Code::$name => $text),* } }
            /// What the code stands for.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(Code::$name => $what),* } }
        }
    };
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let known = Code::ALL.iter().find(|c| c.as_str() == text);
        known.copied().ok_or_else(|| serde::de::Error::custom("no such code"))
    }
}

codes! {
    // 00: files and options
    FileUnreadable      = "B0001", "a file cannot be read";
    BadOption           = "B0002", "an option has a value that makes no sense for this machine";
    Resumed             = "B0003", "a search that went on from a checkpoint";
    NotKept             = "B0004", "a checkpoint that could not be written";
    // 01: syntax
    BadToken            = "B0101", "text that is no token of B";
    UnexpectedToken     = "B0102", "a token where another was expected";
    UnclosedComment     = "B0103", "a comment or string that is not closed";
    ClauseTwice         = "B0104", "a clause that appears twice";
    MixedKinds          = "B0105", "a predicate where an expression is needed, or the reverse";
    Misread             = "B0106", "a formula that says something else than it seems to";
    // 02: names
    UnknownName         = "B0201", "a name that is declared nowhere";
    NameClash           = "B0202", "two declarations of one name";
    MachineNotFound     = "B0203", "an included, seen or refined machine that was not found";
    MachineCycle        = "B0204", "machines that include each other";
    DefinitionCycle     = "B0205", "definitions that use each other";
    WrongArity          = "B0206", "wrong number of arguments";
    NotAssignable       = "B0207", "assignment to something that is no variable here";
    NotVisible          = "B0208", "a name that exists but may not be used here";
    MissingClause       = "B0209", "a clause that is needed and missing";
    NeverAssigned       = "B0210", "a variable or result that nothing assigns a value";
    // 03: types
    TypeMismatch        = "B0301", "two types that must be equal and are not";
    TypeUnknown         = "B0302", "an identifier whose type nothing determines";
    // 04: not supported
    Unsupported         = "B0401", "a construct that bsym does not support";
    ImpureExternal      = "B0402", "an external function with side effects";
    Ignored             = "B0403", "something that has no influence on the result here";
    NotChecked          = "B0404", "a property that is stated and not checked";
    // 05: evaluation
    NotWellDefined      = "B0501", "an expression that is not well-defined";
    DivisionByZero      = "B0502", "division by zero, or modulo of a negative number";
    OutsideDomain       = "B0503", "function application outside the domain";
    NotAFunction        = "B0504", "application of a relation that is not a function there";
    EmptySet            = "B0505", "an operator that needs a non-empty set or sequence";
    Infinite            = "B0506", "a set that would have to be enumerated and is infinite";
    AssertFailed        = "B0507", "a false ASSERT, or a false precondition of a called operation";
    LoopFault           = "B0508", "a loop invariant that is false, or a variant that does not decrease";
    Unset               = "B0509", "a local or result read before it was assigned";
    DoubleAssignment    = "B0510", "one variable assigned twice in parallel";
    TooLarge            = "B0511", "a value too large to be built";
    Interrupted         = "B0512", "evaluation stopped at a limit";
    Undecided           = "B0513", "a value that is not known, since not all values of a variable were tried";
    Disproved           = "B0514", "an error of bsym: what was found to be a solution is none";
    OutOfTime           = "B0515", "a property whose evaluation takes longer than its time";
    // 06: symmetry and exploration
    SymmetryOff         = "B0601", "a deferred set that cannot be permuted";
    NeverEnabled        = "B0602", "an operation that is possible in no reachable state";
    Idle                = "B0603", "a conjunct that decides nothing in any reachable state";
    GuardVoid           = "B0604", "a guard without a value, which counts as false";
    NotRefined          = "B0605", "a step of a refinement that is none of the refined machine";
    MayNotEnd           = "B0606", "a recursion that may go on for ever where nothing has asked yet";
}
