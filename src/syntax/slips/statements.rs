//! Statements and heads of operations as other languages, or other statements, have them.
//!
//! In: a place. Out: the edit that writes the statement as B does.

use super::super::token::{ClauseWord, Token};
use super::spelling::word;
use super::{LOOK_BACK, Place, Slip};
use crate::ops::Op;

/// The token that opens the innermost block around the place, and where it stands.
pub(super) fn block<'t>(p: &Place<'t>) -> Option<(usize, &'t Token)> {
    let mut closed = 0_usize;
    for (at, (_, token, _)) in p.tokens.get(..p.at)?.iter().enumerate().rev() {
        match token {
            Token::Clause(_) => return None,
            Token::End => closed += 1,
            token if token.opens_block() => match closed.checked_sub(1) {
                None => return Some((at, token)),
                Some(rest) => closed = rest,
            },
            _ => {}
        }
    }
    None
}

/// Whether a statement may end before a token.
fn ends(token: Option<&Token>) -> bool {
    token.is_none_or(|t| {
        matches!(t, Token::Semi | Token::Par | Token::End | Token::Elsif | Token::Clause(_))
            || t.parts_block()
    })
}

/// `CHOICE S or T END`.
pub(super) fn branches_of_choice(p: &Place<'_>) -> Option<Slip> {
    let (start, _) = block(p).filter(|(_, token)| **token == Token::Choice)?;
    let at = (start..=p.at).rev().find(|at| p.token(*at) == Some(&Token::Or))?;
    let message = "`or` joins predicates, not substitutions".to_owned();
    Some(p.edit(at..at + 1, vec![Token::OrElse], message, "the branches of CHOICE are separated by `OR`"))
}

/// `SELECT P THEN S OR Q THEN T END`.
pub(super) fn branches_of_select(p: &Place<'_>) -> Option<Slip> {
    block(p).filter(|(_, token)| **token == Token::Select)?;
    (p.token(p.at) == Some(&Token::OrElse)).then(|| {
        let message = "`OR` separates the branches of CHOICE".to_owned();
        p.edit(p.at..p.at + 1, vec![Token::When], message, "the branches of SELECT are separated by `WHEN`")
    })
}

/// A condition without THEN, or DO in its place.
pub(super) fn then(p: &Place<'_>) -> Option<Slip> {
    let (start, opening) = block(p)?;
    let (right, wrong, help) = match opening {
        Token::While => (Token::Do, Token::Then, "write `WHILE P DO S INVARIANT Q VARIANT E END`"),
        Token::If => (Token::Then, Token::Do, "write `IF P THEN S END`"),
        Token::Pre => (Token::Then, Token::Do, "write `PRE P THEN S END`"),
        Token::Select => (Token::Then, Token::Do, "write `SELECT P THEN S END`"),
        Token::Any => (Token::Then, Token::Do, "write `ANY x WHERE P THEN S END`"),
        _ => return None,
    };
    let word = p.written(&(start..start + 1));
    let missing = format!("{word} without {}", if right == Token::Do { "DO" } else { "THEN" });
    if p.token(p.at) == Some(&wrong) {
        return Some(p.edit(p.at..p.at + 1, vec![right], missing, help));
    }
    if p.token(p.at) == Some(&Token::LBrace) {
        return braces(p, right, help);
    }
    if comes(p, &right) {
        return None;
    }
    let mut slip = p.edit(p.at..p.at, vec![right], missing, help);
    slip.said.span = Some(p.span(&(p.at..p.at + 1)));
    Some(slip.with_place(p, start, "of this"))
}

/// A block without END before the next operation.
pub(super) fn unclosed(p: &Place<'_>) -> Option<Slip> {
    let (start, _) = block(p)?;
    (p.token(p.at) == Some(&Token::Semi) && heads(p, p.at + 1)).then(|| {
        let message = format!("the END of {} is missing", p.written(&(start..start + 1)));
        let mut slip = p.edit(p.at..p.at, vec![Token::End], message, "the next operation begins here");
        slip.said.span = Some(p.span(&(p.at..p.at + 1)));
        slip.with_place(p, start, "this is not closed")
    })
}

/// `IF P { S }`, with an END behind or without.
fn braces(p: &Place<'_>, right: Token, help: &str) -> Option<Slip> {
    let mut open = 0_usize;
    let close = (p.at..p.tokens.len()).find(|at| {
        match p.token(*at) {
            Some(Token::LBrace) => open += 1,
            Some(Token::RBrace) => open -= 1,
            _ => {}
        }
        open == 0
    })?;
    // The last END is the machine's.
    let closed = p.token(close + 1) == Some(&Token::End) && p.token(close + 2).is_some();
    let end = if closed { Vec::new() } else { vec![Token::End] };
    let mut slip = p.edit(p.at..p.at + 1, vec![right], "`{` opens a set, not a block".to_owned(), help);
    slip.edits.push((close..close + 1, end));
    Some(slip)
}

/// Whether a word of the innermost block stands behind the place, in the same part.
fn comes(p: &Place<'_>, word: &Token) -> bool {
    let mut open = 0_usize;
    for (_, token, _) in p.tokens.get(p.at..).unwrap_or_default() {
        match token {
            token if open == 0 && token == word => return true,
            Token::Clause(_) => return false,
            token if token.opens_block() => open += 1,
            Token::End if open > 0 => open -= 1,
            Token::End | Token::Elsif | Token::Else | Token::When if open == 0 => return false,
            _ => {}
        }
    }
    false
}

/// `x++`, `x--`, `x += 1`, `y := x++`.
pub(super) fn increment(p: &Place<'_>) -> Option<Slip> {
    let at = [Some(p.at), p.at.checked_sub(1)]
        .into_iter()
        .flatten()
        .find(|at| matches!(p.written(&(*at..at + 2)), "++" | "--" | "+=" | "-=" | "*="))?;
    let before = at.checked_sub(1)?;
    let name = p.name(before)?;
    let written = p.written(&(at..at + 2));
    let sign = p.written(&(at..at + 1));
    let message = format!("`{written}` means nothing here");
    if p.token(at + 1) == Some(&Token::Equal) {
        let help = format!("write `{name} := {name} {sign} ..`");
        return Some(p.edit(at..at + 2, vec![Token::Assign], message, help));
    }
    let assigned = before.checked_sub(1).and_then(|at| p.token(at)) == Some(&Token::Assign);
    let help =
        format!("write `{}{name} {sign} 1`", if assigned { String::new() } else { format!("{name} := ") });
    ends(p.token(at + 2)).then(|| {
        let with = if assigned { format!("{sign} 1") } else { format!(":= {name} {sign} 1") };
        p.edit(at..at + 2, word(&with), message, help)
    })
}

/// `x := 1 & y := 2`.
pub(super) fn parallel(p: &Place<'_>) -> Option<Slip> {
    if !matches!(p.token(p.at), Some(Token::Assign | Token::Choose)) || p.is_predicate() {
        return None;
    }
    let start = p.at.saturating_sub(LOOK_BACK);
    let at = (start..p.at).rev().find(|at| p.token(*at) == Some(&Token::And))?;
    let message = "`&` joins predicates, not substitutions".to_owned();
    let help = "substitutions at once are joined by `||`, one after the other by `;`";
    Some(p.edit(at..at + 1, vec![Token::Par], message, help))
}

/// `f[a] := E`.
pub(super) fn place_of_array(p: &Place<'_>) -> Option<Slip> {
    let open = [Some(p.at), p.at.checked_sub(1)].into_iter().flatten();
    let open = open.into_iter().find(|at| p.token(*at) == Some(&Token::LBracket))?;
    let before = open.checked_sub(1)?;
    let name = match p.token(before)? {
        Token::Ident(name) => name,
        Token::RParen => "f(a)",
        _ => return None,
    };
    let close =
        (open..p.tokens.len().min(open + LOOK_BACK)).find(|at| p.token(*at) == Some(&Token::RBracket))?;
    if !matches!(p.token(close + 1), Some(Token::Assign | Token::Choose)) {
        return None;
    }
    let index = p.written(&(open + 1..close));
    let help = format!("the value of a function at one place is assigned by `{name}({index}) := ..`");
    let message = "`[` takes the image of a set".to_owned();
    let mut slip = p.edit(open..open + 1, vec![Token::LParen], message, help);
    slip.edits.push((close..close + 1, vec![Token::RParen]));
    Some(slip)
}

/// `return x`.
pub(super) fn returned(p: &Place<'_>) -> Option<Slip> {
    let at = [p.at.checked_sub(1), Some(p.at)]
        .into_iter()
        .flatten()
        .find(|at| matches!(p.name(*at), Some("return" | "RETURN")))?;
    let message = format!("`{}` is no keyword of B", p.name(at)?);
    let help = "an operation assigns its result, which its head names: `r <-- op = BEGIN r := x END`";
    Some(p.edit(at..at + 1, word("r :="), message, help))
}

/// Whether a name stands at an index, with arguments if any, and `=` behind: the head of an operation.
pub(super) fn heads(p: &Place<'_>, at: usize) -> bool {
    let arguments = |at: usize| (at..p.tokens.len()).find(|at| p.token(*at) == Some(&Token::RParen));
    p.name(at).is_some()
        && match p.token(at + 1) {
            Some(Token::Equal) => true,
            Some(Token::LParen) => {
                arguments(at).is_some_and(|close| p.token(close + 1) == Some(&Token::Equal))
            }
            _ => false,
        }
}

/// `r <- op = ..` and `r := op = ..` for `r <-- op = ..`.
pub(super) fn results(p: &Place<'_>) -> Option<Slip> {
    let at = (p.at.saturating_sub(3)..=p.at)
        .find(|at| matches!(p.written(&(*at..at + 1)), "<-" | ":=") && heads(p, at + 1))?;
    (p.clause()? == ClauseWord::Operations).then(|| {
        let message = match p.token(at) {
            Some(Token::Assign) => "`:=` assigns, it does not name results",
            _ => "`<-` appends to a sequence",
        };
        let help = "results of an operation are written `r <-- op(x) = ..`";
        p.edit(at..at + 1, vec![Token::Results], message.to_owned(), help)
    })
}

/// `x <- E` for `x := E` or `x <-- op`.
pub(super) fn arrow(p: &Place<'_>) -> Option<Slip> {
    let at = p.at;
    (p.token(at) == Some(&Token::Infix(Op::Append)) && !p.is_predicate()).then(|| {
        let message = "`<-` appends to a sequence".to_owned();
        let calls =
            p.name(at + 1).is_some() && (ends(p.token(at + 2)) || p.token(at + 2) == Some(&Token::LParen));
        if calls {
            let help = "an assignment is written `x := ..`, a call with a result `x <-- op`";
            return p.edit(at..at + 1, vec![Token::Results], message, help);
        }
        let target = at.checked_sub(1).and_then(|before| p.name(before)).unwrap_or("f(a)");
        let help = format!("an assignment is written `{target} := ..`");
        p.edit(at..at + 1, vec![Token::Assign], message, help)
    })
}

/// `op == ..`.
pub(super) fn head(p: &Place<'_>) -> Option<Slip> {
    let is_head = p.token(p.at) == Some(&Token::Defined) && p.clause()? == ClauseWord::Operations;
    let before = p.tokens.get(..p.at)?.iter().rev().map(|(_, token, _)| token);
    let mut own = before.take_while(|t| !matches!(t, Token::Semi | Token::Clause(_)));
    (is_head && own.all(|t| !matches!(t, Token::Equal) && !t.opens_block())).then(|| {
        let message = "`==` is for DEFINITIONS".to_owned();
        p.edit(p.at..p.at + 1, vec![Token::Equal], message, "an operation is written `op = ..`")
    })
}
