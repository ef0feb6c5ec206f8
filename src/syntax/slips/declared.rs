//! What stands beside names where they are declared: types, values, lists that are none.
//!
//! In: a place in a clause of names, or in the names of a statement. Out: the edit that leaves the name alone.

use super::super::token::{ClauseWord, Token};
use super::spelling::word;
use super::statements::heads;
use super::{Place, Slip};
use crate::ops::Op;

/// A type or a value beside a name that is declared: `op(n : NAT)`, `VAR y : S IN`, `VARIABLES x : S`,
/// `CONSTANTS n = 5`.
pub(super) fn typed(p: &Place<'_>) -> Option<Slip> {
    let valued = matches!(p.token(p.at)?, Token::Equal | Token::Assign | Token::Defined);
    let start = (valued || p.token(p.at) == Some(&Token::In)).then(|| {
        let name = |at: &usize| matches!(p.token(*at), Some(Token::Ident(_) | Token::Comma));
        (0..p.at).rev().find(|at| !name(at))
    })??;
    let help = match (p.token(start)?, p.clause()?) {
        (Token::LParen, ClauseWord::Operations) if !valued && heads(p, start.checked_sub(1)?) => {
            "parameters get their types in PRE: `op(x) = PRE x : S THEN .. END`"
        }
        (Token::Var, _) if valued => "VAR declares, and the substitution assigns: `VAR x IN x := .. END`",
        (Token::Var, _) => "a variable of VAR has the type of what is assigned to it: `VAR x IN x := ..`",
        (Token::Any, _) if valued => "a value stands in WHERE: `ANY x WHERE x = .. THEN .. END`",
        (Token::Any, _) => "the type stands in WHERE: `ANY x WHERE x : S THEN .. END`",
        (Token::Clause(ClauseWord::Variables | ClauseWord::ConcreteVariables), _) if valued => {
            "variables get their first values in INITIALISATION: `INITIALISATION x := ..`"
        }
        (Token::Clause(ClauseWord::Variables | ClauseWord::ConcreteVariables), _) => {
            "variables get their types in INVARIANT: `INVARIANT x : S`"
        }
        (Token::Clause(ClauseWord::Constants | ClauseWord::AbstractConstants), _) if valued => {
            "constants get their values in PROPERTIES: `PROPERTIES x = ..`"
        }
        (Token::Clause(ClauseWord::Constants | ClauseWord::AbstractConstants), _) => {
            "constants get their types in PROPERTIES: `PROPERTIES x : S`"
        }
        _ => return None,
    };
    let mut open = 0_usize;
    let end = (p.at + 1..p.tokens.len()).find(|at| match p.token(*at) {
        Some(Token::LParen | Token::LBrace | Token::LBracket) => {
            open += 1;
            false
        }
        Some(Token::RParen | Token::RBrace | Token::RBracket) if open > 0 => {
            open -= 1;
            false
        }
        Some(Token::Comma | Token::RParen | Token::Where | Token::InWord) => open == 0,
        Some(Token::Clause(_)) => true,
        _ => false,
    })?;
    let what = if valued { "a value where names are declared" } else { "a type where names are declared" };
    let mut slip = p.edit(p.at..end, Vec::new(), what.to_owned(), help);
    slip.said.span = Some(p.span(&(p.at..p.at + 1)));
    Some(slip)
}

/// `SETS S = 1..4`, `SETS S = [a, b]`, `SETS S = a, b`.
pub(super) fn elements(p: &Place<'_>) -> Option<Slip> {
    let start = (p.at.saturating_sub(2)..p.at).rev().find(|at| p.token(*at) == Some(&Token::Equal))? + 1;
    if p.clause()? != ClauseWord::Sets || p.token(start) == Some(&Token::LBrace) {
        return None;
    }
    let name = p.name(start.checked_sub(2)?)?;
    let ends = |at: &usize| matches!(p.token(*at), None | Some(Token::Semi | Token::End | Token::Clause(_)));
    let end = (start..=p.tokens.len()).find(ends)?;
    let is_interval = (start..end).any(|at| matches!(p.token(at), Some(Token::Range(Op::Interval))));
    let help = if is_interval {
        format!(
            "a set of SETS has elements of its own; an interval is a constant: `CONSTANTS {name} PROPERTIES {name} = {}`",
            p.written(&(start..end))
        )
    } else {
        format!("the elements of a set stand in braces: `{name} = {{a, b}}`")
    };
    let message = "what follows `=` lists no elements".to_owned();
    Some(p.edit(start..end, word(&format!("{{{name}_1}}")), message, help))
}
