//! Formulas as trees: written as text, with parts replaced, made smaller.
//!
//! In: what `write` makes. Out: B text; the trees that are one step smaller. A tree knows its type, nothing else of B.

use std::sync::Arc;

/// Types of generated expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum T {
    /// A predicate.
    Pred,
    /// An integer.
    Int,
    /// An element of a set of this name: `ID`, `E`, `D`, `BOOL`.
    Elem(&'static str),
    /// A pair.
    Pair(Box<T>, Box<T>),
    /// A set.
    Set(Box<T>),
    /// A record with fields `a` and `b`.
    Rec(Box<T>, Box<T>),
}

impl T {
    pub(crate) fn set(t: T) -> T {
        T::Set(Box::new(t))
    }

    pub(crate) fn pair(a: T, b: T) -> T {
        T::Pair(Box::new(a), Box::new(b))
    }

    pub(crate) fn rel(a: T, b: T) -> T {
        T::set(T::pair(a, b))
    }

    /// The two sides of a relation.
    pub(crate) fn sides(&self) -> Option<(&T, &T)> {
        match self {
            T::Set(p) => match &**p {
                T::Pair(a, b) => Some((a, b)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A formula, or a part of one: text with a place `@` for each part.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) ty: T,
    pub(crate) text: Arc<str>,
    pub(crate) parts: Vec<Tree>,
    /// The variable that it binds, which its parts may mention.
    pub(crate) binds: Option<Arc<str>>,
}

impl Tree {
    pub(crate) fn leaf(ty: T, text: impl Into<Arc<str>>) -> Self {
        Self::new(ty, text, Vec::new())
    }

    pub(crate) fn new(ty: T, text: impl Into<Arc<str>>, parts: Vec<Tree>) -> Self {
        Self { ty, text: text.into(), parts, binds: None }
    }

    pub(crate) fn pred(text: impl Into<Arc<str>>, parts: Vec<Tree>) -> Self {
        Self::new(T::Pred, text, parts)
    }

    pub(crate) fn binding(self, name: impl Into<Arc<str>>) -> Self {
        Self { binds: Some(name.into()), ..self }
    }

    /// As B text.
    pub(crate) fn show(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        let mut parts = self.parts.iter();
        for (i, piece) in self.text.split('@').enumerate() {
            if i > 0
                && let Some(part) = parts.next()
            {
                part.write(out);
            }
            out.push_str(piece);
        }
    }

    /// The same with another tree for each leaf of some texts.
    pub(crate) fn with(&self, names: &[(&str, &Tree)]) -> Tree {
        if self.parts.is_empty()
            && let Some((_, tree)) = names.iter().find(|(n, _)| **n == *self.text)
        {
            return (*tree).clone();
        }
        Tree { parts: self.parts.iter().map(|p| p.with(names)).collect(), ..self.clone() }
    }

    /// Whether a name is a leaf of it.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        (self.parts.is_empty() && words(&self.text).any(|w| w == name))
            || self.parts.iter().any(|p| p.mentions(name))
    }

    /// How many nodes it has.
    pub(crate) fn size(&self) -> usize {
        1 + self.parts.iter().map(Tree::size).sum::<usize>()
    }

    /// Trees that are one step smaller: some part instead of it, or a part made smaller.
    pub(crate) fn smaller(&self) -> Vec<Tree> {
        let mut out: Vec<Tree> = Vec::new();
        if self.ty == T::Pred && &*self.text != "btrue" {
            out.push(Tree::leaf(T::Pred, "btrue"));
        }
        self.collect(&self.ty, &mut out);
        for (i, part) in self.parts.iter().enumerate() {
            for p in part.smaller() {
                let mut parts = self.parts.clone();
                parts[i] = p;
                out.push(Tree { parts, ..self.clone() });
            }
        }
        out
    }

    /// Parts of a type that mention nothing which is bound on the way to them.
    fn collect(&self, ty: &T, out: &mut Vec<Tree>) {
        for part in &self.parts {
            if part.ty == *ty && !self.binds.as_ref().is_some_and(|x| part.mentions(x)) {
                out.push(part.clone());
            }
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}
