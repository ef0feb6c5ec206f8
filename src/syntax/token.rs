//! The tokens of B.
//!
//! In: text. Out: tokens with their payload. Infix spellings are grouped by priority: one token per
//! priority carries the operator, so a new operator is a line here and leaves the grammar alone.
//! Absent: places and dotted names (`lexer`), which words start a clause *here* (`split`).

use super::ast::{Fold, MachineKind, Name, NodeKind, RefKind};
use super::scan;
use crate::ops::Op;
use logos::Logos;
use num_bigint::BigInt;

/// What a clause keyword starts. Aliases share one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the clause of that name")]
pub enum ClauseWord {
    Sets,
    FreeTypes,
    Constants,
    AbstractConstants,
    Properties,
    Constraints,
    Variables,
    ConcreteVariables,
    Invariant,
    Assertions,
    Initialisation,
    Operations,
    LocalOperations,
    Definitions,
    /// PREDICATES and EXPRESSIONS: definitions by another name, and ordinary names elsewhere.
    LateDefinitions,
    References(RefKind),
    Promotes,
    Values,
    Refines,
}

/// What the parser is asked to read: a pseudo-token that stands before the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the nonterminal of that name")]
pub enum Entry {
    Formula,
    Subst,
    Operation,
    Names,
    Header,
    SetDecl,
    Refs,
    FreeType,
    Value,
}

/// A token.
#[derive(Logos, Clone, PartialEq, Debug)]
#[logos(extras = scan::Side)]
#[logos(error = scan::BadText)]
#[logos(skip r"[ \t\r\n\f\u{A0}\u{2028}\u{2029}\u{FEFF}]+")]
#[allow(missing_docs, reason = "each token is documented by its spelling")]
pub enum Token {
    /// Words of all kinds; the callback emits one of the variants below, never this one.
    #[regex(r"[A-Za-z][A-Za-z0-9_]*", scan::word)]
    #[regex(r"[^\x00-\x7F]", scan::foreign, priority = 0)]
    #[token("`", scan::quoted)]
    #[token("//", scan::line_comment)]
    #[token("/*", scan::block_comment)]
    Scanned,
    /// A name; dotted names are joined by the lexer.
    Ident(Name),
    #[regex("[0-9]+", scan::decimal)]
    #[regex("0x[0-9A-Fa-f]+", scan::hexadecimal)]
    Int(BigInt),
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?", |lex| Name::from(lex.slice()))]
    Real(Name),
    #[token("\"", scan::string)]
    #[token("'''", scan::long_string)]
    Str(Name),
    #[token("$0")]
    Old,

    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semi,
    #[token("||")]
    #[token("∥")]
    #[token("‖")]
    Par,
    #[token("|")]
    #[token("∣")]
    Bar,
    /// True if it is the ASCII dot, which also joins names.
    #[token(".", |_| true)]
    #[token("·", |_| false)]
    #[token("⋅", |_| false)]
    #[token("•", |_| false)]
    Dot(bool),
    #[token("'")]
    Quote,

    #[token(":=")]
    #[token("≔")]
    Assign,
    #[token("::")]
    #[token(":∈")]
    Choose,
    #[regex("<[-−][-−]")]
    #[token("←")]
    #[token("⟵")]
    Results,
    #[token("==")]
    #[token("≜")]
    Defined,
    #[token("=")]
    Equal,
    #[token(":")]
    #[token("∈")]
    In,

    #[token("&")]
    #[token("∧")]
    And,
    #[token("∨")]
    Or,
    #[token("¬")]
    Not,
    #[token("=>")]
    #[token("⇒")]
    #[token("⟹")]
    Implies,
    #[token("<=>")]
    #[token("⇔")]
    #[token("⟺")]
    Iff,
    #[token("!")]
    #[token("∀")]
    Forall,
    #[token("#")]
    #[token("∃")]
    Exists,
    #[token("%")]
    #[token("λ")]
    #[token("\u{1D706}")]
    Lambda,
    #[token("⋃", |_| Fold::Union)]
    #[token("⋂", |_| Fold::Inter)]
    #[token("∑", |_| Fold::Sum)]
    #[token("∏", |_| Fold::Product)]
    Fold(Fold),

    /// Priority 100 except `=` and `:`, which have other uses too.
    #[regex("/=|≠", |_| Op::Neq)]
    #[regex("/:|∉", |_| Op::NotIn)]
    #[regex("<:|⊆", |_| Op::Subset)]
    #[regex("/<:|⊈", |_| Op::NotSubset)]
    #[regex("<<:|⊂|⊊", |_| Op::StrictSubset)]
    #[regex("/<<:|⊄", |_| Op::NotStrictSubset)]
    #[token("<", |_| Op::Lt)]
    #[token(">", |_| Op::Gt)]
    #[regex("<=|≤", |_| Op::Le)]
    #[regex(">=|≥", |_| Op::Ge)]
    Cmp(Op),
    /// Priority 100, with the operands swapped.
    #[token("∋", |_| Op::In)]
    #[token("∌", |_| Op::NotIn)]
    #[token("⊇", |_| Op::Subset)]
    #[token("⊃", |_| Op::StrictSubset)]
    #[token("⊉", |_| Op::NotSubset)]
    #[regex("⊅|⊋", |_| Op::NotStrictSubset)]
    Swapped(Op),
    /// Priority 125.
    #[regex("<[-−]>|↔", |_| Op::Rel)]
    #[regex("[+][-−]>|⇸", |_| Op::PartialFun)]
    #[regex("[-−][-−]>|→", |_| Op::TotalFun)]
    #[regex(">[+]>|⤔", |_| Op::PartialInj)]
    #[regex(">[-−]>|↣", |_| Op::TotalInj)]
    #[regex("[+][-−]>>|⤀", |_| Op::PartialSurj)]
    #[regex("[-−][-−]>>|↠", |_| Op::TotalSurj)]
    #[regex(">[-−]>>|⤖", |_| Op::TotalBij)]
    #[regex(">[+]>>", |_| Op::PartialBij)]
    #[regex("<<[-−]>|\u{E100}", |_| Op::TotalRel)]
    #[regex("<[-−]>>|\u{E101}", |_| Op::SurjRel)]
    #[regex("<<[-−]>>|\u{E102}", |_| Op::TotalSurjRel)]
    Arrow(Op),
    /// Priority 160.
    #[regex(r"<\+|\u{E103}|⋖", |_| Op::Override)]
    #[regex("><|⊗", |_| Op::DirectProduct)]
    #[token("∘", |_| Op::BackComp)]
    #[regex(r"\^|⌒", |_| Op::Concat)]
    #[regex(r"<\||◁", |_| Op::DomRes)]
    #[regex(r"<<\||⩤|◀", |_| Op::DomSub)]
    #[regex(r"\|>|▷", |_| Op::RanRes)]
    #[regex(r"\|>>|⩥|▶", |_| Op::RanSub)]
    #[regex("[-−]>|⇾", |_| Op::Prepend)]
    #[regex("<[-−]|⇽", |_| Op::Append)]
    #[regex(r"\\/|∪", |_| Op::Union)]
    #[regex(r"/\\|∩", |_| Op::Inter)]
    #[regex(r"/\|\\|↑", |_| Op::Take)]
    #[regex(r"\\\|/|↓", |_| Op::Drop)]
    #[regex(r"\|[-−]>|↦", |_| Op::Maplet)]
    Infix(Op),
    /// Priority 170.
    #[regex(r"\.\.|‥", |_| Op::Interval)]
    Range(Op),
    /// Priority 180, and the unary sign.
    #[regex("[-−]")]
    Minus,
    /// Priority 180.
    #[token("+", |_| Op::Add)]
    #[regex(r"\\|∖", |_| Op::Diff)]
    Sum(Op),
    /// Priority 190.
    #[regex(r"\*|∗", |_| Op::Star)]
    #[regex("×|⨯", |_| Op::Product)]
    #[regex("/|÷", |_| Op::Div)]
    Times(Op),
    /// Priority 200.
    #[regex(r"\*\*|˄", |_| Op::Power)]
    Power(Op),
    /// Priority 230.
    #[regex("~|∼|⁻¹", |_| Op::Inverse)]
    After(Op),

    /// An operator with arguments in parentheses.
    #[token("@finite", |_| Op::Finite)]
    #[token("@partition", |_| Op::Partition)]
    #[token("@prj1", |_| Op::Prj1)]
    #[token("@prj2", |_| Op::Prj2)]
    #[token("ℙ", |_| Op::Pow)]
    #[regex("ℙ1|ℙ₁", |_| Op::Pow1)]
    Word(Op),
    /// An operator without arguments.
    #[token("ℤ", |_| Op::Integer)]
    #[token("ℕ", |_| Op::Natural)]
    #[regex("ℕ1|ℕ₁", |_| Op::Natural1)]
    #[token("\u{1D539}", |_| Op::BoolSet)]
    #[token("ℝ", |_| Op::RealSet)]
    #[token("⊤", |_| Op::True)]
    #[token("⊥", |_| Op::False)]
    Const(Op),
    #[token("∅")]
    EmptySet,
    #[regex(r"<[ \t\r\n]*>")]
    EmptySeq,

    Bool,
    Rec,
    Struct,
    Skip,
    Begin,
    End,
    Pre,
    Then,
    Assert,
    Choice,
    /// `OR` of CHOICE and CASE.
    OrElse,
    Select,
    When,
    Else,
    Elsif,
    If,
    Case,
    Of,
    Either,
    Any,
    Where,
    Let,
    Be,
    InWord,
    Var,
    While,
    Do,
    /// `INVARIANT` of a loop; at the outer level it starts a clause.
    Invariant,
    Variant,
    Machine(MachineKind),
    Clause(ClauseWord),
    /// Text that is no token; the index of its diagnostic.
    Bad(u32),
    /// The pseudo-token before the input.
    Start(Entry),
    /// A table or another extension of literals that has been read already, in place of its tokens.
    Data(Box<NodeKind>),
}

impl Token {
    /// The operator of a token that is a row of the table of operators; `None` of all others, also of those that the grammar writes
    /// itself, such as `=`.
    #[must_use]
    pub fn operator(&self) -> Option<Op> {
        match self {
            Token::Cmp(op)
            | Token::Swapped(op)
            | Token::Arrow(op)
            | Token::Infix(op)
            | Token::Range(op)
            | Token::Sum(op)
            | Token::Times(op)
            | Token::Power(op)
            | Token::After(op)
            | Token::Word(op)
            | Token::Const(op) => Some(*op),
            _ => None,
        }
    }

    /// The keyword that a word is, or `None` for an ordinary name.
    #[must_use]
    pub fn keyword(word: &str) -> Option<Self> {
        if let Some(op) = constant(word) {
            return Some(Self::Const(op));
        }
        if let Some(op) = operator_word(word) {
            return Some(Self::Word(op));
        }
        statement_word(word).or_else(|| clause_word(word))
    }

    /// Whether a bracket behind this token starts a sequence: behind others it may be that of an image.
    #[must_use]
    pub fn before_sequence(&self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::In
                | Self::Assign
                | Self::Comma
                | Self::LParen
                | Self::LBrace
                | Self::LBracket
                | Self::Infix(_)
        )
    }

    /// Whether the token opens a block that END closes.
    #[must_use]
    pub fn opens_block(&self) -> bool {
        matches!(
            self,
            Self::Begin
                | Self::Pre
                | Self::Assert
                | Self::Choice
                | Self::If
                | Self::Select
                | Self::Case
                | Self::Any
                | Self::Var
                | Self::While
                | Self::Let
        )
    }

    /// Whether the token stands between two parts of a block.
    #[must_use]
    pub fn parts_block(&self) -> bool {
        matches!(
            self,
            Self::Then
                | Self::Else
                | Self::When
                | Self::OrElse
                | Self::Of
                | Self::Either
                | Self::Where
                | Self::Be
                | Self::InWord
                | Self::Do
                | Self::Invariant
                | Self::Variant
        )
    }
}

/// Operators that are no keywords: those of later versions of the language, and those on trees, whose words are
/// names in most machines. They are lexed as names; `resolve` takes a name of this list that is declared nowhere for
/// the operator with that number of arguments. Empty if the name is not of the list.
#[must_use]
pub fn late_operators(name: &str) -> &'static [(usize, Op)] {
    match name {
        "floor" => &[(1, Op::Floor)],
        "ceiling" => &[(1, Op::Ceiling)],
        "real" => &[(1, Op::ToReal)],
        "REAL" => &[(0, Op::RealSet)],
        "FLOAT" => &[(0, Op::FloatSet)],
        "tree" => &[(1, Op::Trees)],
        "btree" => &[(1, Op::BinaryTrees)],
        "const" => &[(2, Op::TreeConst)],
        "bin" => &[(1, Op::TreeLeaf), (3, Op::TreeFork)],
        "top" => &[(1, Op::TreeTop)],
        "sons" => &[(1, Op::TreeSons)],
        "prefix" => &[(1, Op::TreePrefix)],
        "postfix" => &[(1, Op::TreePostfix)],
        "infix" => &[(1, Op::TreeInfix)],
        "sizet" => &[(1, Op::TreeSize)],
        "mirror" => &[(1, Op::TreeMirror)],
        "rank" => &[(2, Op::TreeRank)],
        "father" => &[(2, Op::TreeFather)],
        "son" => &[(3, Op::TreeSon)],
        "subtree" => &[(2, Op::TreeSubtree)],
        "arity" => &[(2, Op::TreeArity)],
        "left" => &[(1, Op::TreeLeft)],
        "right" => &[(1, Op::TreeRight)],
        _ => &[],
    }
}

fn constant(word: &str) -> Option<Op> {
    Some(match word {
        "TRUE" => Op::TrueValue,
        "FALSE" => Op::FalseValue,
        "BOOL" => Op::BoolSet,
        "INTEGER" => Op::Integer,
        "NATURAL" => Op::Natural,
        "NATURAL1" => Op::Natural1,
        "INT" => Op::Int,
        "NAT" => Op::Nat,
        "NAT1" => Op::Nat1,
        "STRING" => Op::StringSet,
        "MAXINT" => Op::Maxint,
        "MININT" => Op::Minint,
        "succ" => Op::Succ,
        "pred" => Op::Pred,
        "btrue" => Op::True,
        "bfalse" => Op::False,
        _ => return None,
    })
}

fn operator_word(word: &str) -> Option<Op> {
    Some(match word {
        "min" => Op::Min,
        "max" => Op::Max,
        "POW" => Op::Pow,
        "POW1" => Op::Pow1,
        "FIN" => Op::Fin,
        "FIN1" => Op::Fin1,
        "card" => Op::Card,
        "union" => Op::BigUnion,
        "inter" => Op::BigInter,
        "dom" => Op::Dom,
        "ran" => Op::Ran,
        "id" => Op::Id,
        "prj1" => Op::Prj1,
        "prj2" => Op::Prj2,
        "closure" => Op::Closure,
        "closure1" => Op::Closure1,
        "iterate" => Op::Iterate,
        "fnc" => Op::Fnc,
        "rel" => Op::RelOf,
        "seq" => Op::Seq,
        "seq1" => Op::Seq1,
        "iseq" => Op::Iseq,
        "iseq1" => Op::Iseq1,
        "perm" => Op::Perm,
        "size" => Op::Size,
        "first" => Op::First,
        "last" => Op::Last,
        "front" => Op::Front,
        "tail" => Op::Tail,
        "rev" => Op::Rev,
        "conc" => Op::Conc,
        _ => return None,
    })
}

fn statement_word(word: &str) -> Option<Token> {
    Some(match word {
        "or" => Token::Or,
        "not" => Token::Not,
        "mod" => Token::Times(Op::Mod),
        "bool" => Token::Bool,
        "rec" => Token::Rec,
        "struct" => Token::Struct,
        "SIGMA" => Token::Fold(Fold::Sum),
        "PI" => Token::Fold(Fold::Product),
        "UNION" => Token::Fold(Fold::Union),
        "INTER" => Token::Fold(Fold::Inter),
        "skip" => Token::Skip,
        "BEGIN" => Token::Begin,
        "END" => Token::End,
        "PRE" => Token::Pre,
        "THEN" => Token::Then,
        "ASSERT" => Token::Assert,
        "CHOICE" => Token::Choice,
        "OR" => Token::OrElse,
        "SELECT" => Token::Select,
        "WHEN" => Token::When,
        "ELSE" => Token::Else,
        "ELSIF" => Token::Elsif,
        "IF" => Token::If,
        "CASE" => Token::Case,
        "OF" => Token::Of,
        "EITHER" => Token::Either,
        "ANY" => Token::Any,
        "WHERE" => Token::Where,
        "LET" => Token::Let,
        "BE" => Token::Be,
        "IN" => Token::InWord,
        "VAR" => Token::Var,
        "WHILE" => Token::While,
        "DO" => Token::Do,
        "INVARIANT" => Token::Invariant,
        "VARIANT" => Token::Variant,
        _ => return None,
    })
}

fn clause_word(word: &str) -> Option<Token> {
    use ClauseWord as C;
    Some(Token::Clause(match word {
        "MACHINE" | "MODEL" | "SYSTEM" => return Some(Token::Machine(MachineKind::Machine)),
        "REFINEMENT" => return Some(Token::Machine(MachineKind::Refinement)),
        "IMPLEMENTATION" => return Some(Token::Machine(MachineKind::Implementation)),
        "SETS" => C::Sets,
        "FREETYPES" => C::FreeTypes,
        "CONSTANTS" | "CONCRETE_CONSTANTS" => C::Constants,
        "ABSTRACT_CONSTANTS" => C::AbstractConstants,
        "PROPERTIES" => C::Properties,
        "CONSTRAINTS" => C::Constraints,
        "VARIABLES" | "ABSTRACT_VARIABLES" => C::Variables,
        "CONCRETE_VARIABLES" => C::ConcreteVariables,
        "ASSERTIONS" => C::Assertions,
        "INITIALISATION" | "INITIALIZATION" => C::Initialisation,
        "OPERATIONS" | "EVENTS" => C::Operations,
        "LOCAL_OPERATIONS" => C::LocalOperations,
        "DEFINITIONS" => C::Definitions,
        "SEES" => C::References(RefKind::Sees),
        "USES" => C::References(RefKind::Uses),
        "INCLUDES" => C::References(RefKind::Includes),
        "EXTENDS" => C::References(RefKind::Extends),
        "IMPORTS" => C::References(RefKind::Imports),
        "PROMOTES" => C::Promotes,
        "VALUES" => C::Values,
        "REFINES" => C::Refines,
        _ => return None,
    }))
}
