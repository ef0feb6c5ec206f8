//! Extensions of literals, as data have them, read without the grammar: each of its priorities costs a step of the
//! parser for each number.
//!
//! In: tokens with an opening brace or bracket. Out: the formula that the grammar would build, with the same places,
//! and the index behind it; or the index of the first token that is not of this kind. Absent: whether a bracket starts
//! a sequence or an image (`parse`), and mistakes: a piece that cannot be parsed is read again by the grammar alone.

use super::ast::{Ident, Node, NodeKind};
use super::lexer::Tok;
use super::make::Make;
use super::token::Token;
use crate::ops::Op;

/// What was read, or where it ends to be a literal.
type Read<T> = Result<T, usize>;

/// Reads the extension that starts at token `at`; also the index of the token behind it.
pub(super) fn extension(make: &Make, tokens: &[Tok], at: usize) -> Read<(NodeKind, usize)> {
    let mut reader = Literals { make, tokens, at };
    let kind = reader.brackets()?;
    Ok((kind, reader.at))
}

struct Literals<'t> {
    make: &'t Make,
    tokens: &'t [Tok],
    at: usize,
}

impl<'t> Literals<'t> {
    fn token(&self) -> Option<&'t Token> {
        self.tokens.get(self.at).map(|(_, token, _)| token)
    }

    /// First byte of the token at hand.
    fn lo(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |(lo, _, _)| *lo)
    }

    /// End of the token before the one at hand.
    fn hi(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |(_, _, hi)| *hi)
    }

    /// Goes past a token if it stands here.
    fn skip(&mut self, token: &Token) -> bool {
        let found = self.token() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, token: &Token) -> Read<()> {
        if self.skip(token) { Ok(()) } else { Err(self.at) }
    }

    /// `{a,b}` or `[a,b]`.
    fn brackets(&mut self) -> Read<NodeKind> {
        let (make, close): (fn(Vec<Node>) -> NodeKind, _) = if self.skip(&Token::LBrace) {
            (NodeKind::SetExt, Token::RBrace)
        } else {
            self.need(&Token::LBracket)?;
            (NodeKind::SeqExt, Token::RBracket)
        };
        if self.skip(&close) {
            return Ok(make(Vec::new()));
        }
        let items = self.items()?;
        self.need(&close)?;
        Ok(make(items))
    }

    fn items(&mut self) -> Read<Vec<Node>> {
        let mut items = vec![self.item()?];
        while self.skip(&Token::Comma) {
            items.push(self.item()?);
        }
        Ok(items)
    }

    /// `a |-> b |-> c`.
    fn item(&mut self) -> Read<Node> {
        let mut item = self.atom()?;
        while self.skip(&Token::Infix(Op::Maplet)) {
            let right = self.atom()?;
            item = self.make.infix(Op::Maplet, item, right);
        }
        Ok(item)
    }

    fn atom(&mut self) -> Read<Node> {
        let lo = self.lo();
        let kind = match self.token() {
            Some(Token::LBrace | Token::LBracket) => self.brackets()?,
            Some(Token::LParen) => {
                self.at += 1;
                let items = self.items()?;
                self.need(&Token::RParen)?;
                return Ok(self.make.group(lo, items, self.hi()));
            }
            Some(Token::Minus) => {
                self.at += 1;
                let from = self.lo();
                let Some(Token::Int(n)) = self.token() else { return Err(self.at) };
                self.at += 1;
                NodeKind::Op(Op::Neg, vec![self.make.node(from, NodeKind::Int(n.clone()), self.hi())])
            }
            Some(Token::Rec) => self.record()?,
            token => {
                let kind = token.and_then(single).ok_or(self.at)?;
                self.at += 1;
                kind
            }
        };
        Ok(self.make.node(lo, kind, self.hi()))
    }

    /// `rec(a:x, b:y)`.
    fn record(&mut self) -> Read<NodeKind> {
        self.need(&Token::Rec)?;
        self.need(&Token::LParen)?;
        let mut fields = vec![self.field()?];
        while self.skip(&Token::Comma) {
            fields.push(self.field()?);
        }
        self.need(&Token::RParen)?;
        Ok(NodeKind::Rec(fields))
    }

    fn field(&mut self) -> Read<(Ident, Node)> {
        let Some((lo, Token::Ident(name), hi)) = self.tokens.get(self.at) else { return Err(self.at) };
        let name = self.make.ident(*lo, name.clone(), *hi);
        self.at += 1;
        self.need(&Token::In)?;
        Ok((name, self.item()?))
    }
}

/// The formula that a single token is.
fn single(token: &Token) -> Option<NodeKind> {
    Some(match token {
        Token::Int(n) => NodeKind::Int(n.clone()),
        Token::Ident(name) => NodeKind::Name(name.clone()),
        Token::Str(text) => NodeKind::Str(text.clone()),
        Token::Real(text) => NodeKind::Real(text.clone()),
        Token::Const(op) => NodeKind::Op(*op, Vec::new()),
        Token::EmptySet => NodeKind::SetExt(Vec::new()),
        Token::EmptySeq => NodeKind::SeqExt(Vec::new()),
        Token::Data(kind) => NodeKind::clone(kind),
        _ => return None,
    })
}
