//! The type language of B. No inference here: `types` infers, this only says what a type is.

use std::fmt;
use std::sync::{Arc, LazyLock};

/// Index of a given set (deferred, enumerated or set parameter) in the machine's table of sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SetId(pub u16);

/// Index of a free type in the machine's table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FreeId(pub u16);

/// A ground type. Sub-trees are shared; cloning is cheap.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// INTEGER.
    Int,
    /// BOOL.
    Bool,
    /// STRING.
    Str,
    /// REAL.
    Real,
    /// A given set.
    Given(SetId),
    /// POW(t).
    Pow(Arc<Ty>),
    /// s * t.
    Pair(Arc<Ty>, Arc<Ty>),
    /// A record; fields sorted by name.
    Rec(Arc<[(Arc<str>, Ty)]>),
    /// A free type.
    Free(FreeId),
    /// A type that nothing determines, as that of the elements in `{} = {}`. No value has it.
    Any,
}

impl Ty {
    /// POW(t).
    #[must_use]
    pub fn pow(t: Ty) -> Ty {
        Ty::Pow(Arc::new(t))
    }
    /// s * t.
    #[must_use]
    pub fn pair(s: Ty, t: Ty) -> Ty {
        Ty::Pair(Arc::new(s), Arc::new(t))
    }
    /// POW(s * t).
    #[must_use]
    pub fn rel(s: Ty, t: Ty) -> Ty {
        Ty::pow(Ty::pair(s, t))
    }
    /// POW(INTEGER * t) where sequences are spoken of.
    #[must_use]
    pub fn seq(t: Ty) -> Ty {
        Ty::pow(Ty::Pair(Ty::position(), Arc::new(t)))
    }
    /// INTEGER as the type of positions in a sequence. To all but those who show values it is INTEGER; they tell it by
    /// its being one and the same.
    #[must_use]
    pub fn position() -> Arc<Ty> {
        static POSITION: LazyLock<Arc<Ty>> = LazyLock::new(|| Arc::new(Ty::Int));
        Arc::clone(&POSITION)
    }
    /// Whether this is the type of sequences, or of relations that are spoken of as such.
    #[must_use]
    pub fn is_sequence(&self) -> bool {
        matches!(self, Ty::Pow(p) if matches!(&**p, Ty::Pair(s, _) if Arc::ptr_eq(s, &Ty::position())))
    }
    /// The t of POW(t).
    #[must_use]
    pub fn elem(&self) -> Option<&Ty> {
        match self {
            Ty::Pow(t) => Some(t),
            _ => None,
        }
    }
    /// The s and t of POW(s * t).
    #[must_use]
    pub fn sides(&self) -> Option<(&Ty, &Ty)> {
        match self {
            Ty::Pow(p) => match &**p {
                Ty::Pair(a, b) => Some((a, b)),
                _ => None,
            },
            _ => None,
        }
    }
    /// The type in B syntax; `set` gives the name of a given set, `free` that of a free type.
    pub fn show<'a>(&'a self, names: &'a dyn TyNames) -> impl fmt::Display + 'a {
        Shown(self, names)
    }
}

/// Names for the tables that types index.
pub trait TyNames {
    /// Name of a given set.
    fn set_name(&self, id: SetId) -> &str;
    /// Name of a free type.
    fn free_name(&self, id: FreeId) -> &str;
}

struct Shown<'a>(&'a Ty, &'a dyn TyNames);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sub = |t| Shown(t, self.1);
        match self.0 {
            Ty::Int => f.write_str("INTEGER"),
            Ty::Bool => f.write_str("BOOL"),
            Ty::Str => f.write_str("STRING"),
            Ty::Real => f.write_str("REAL"),
            Ty::Given(s) => f.write_str(self.1.set_name(*s)),
            Ty::Free(s) => f.write_str(self.1.free_name(*s)),
            Ty::Any => f.write_str("?"),
            Ty::Pow(t) => write!(f, "POW({})", sub(t)),
            Ty::Pair(a, b) => write!(f, "({}*{})", sub(a), sub(b)),
            Ty::Rec(fields) => {
                f.write_str("struct(")?;
                for (i, (n, t)) in fields.iter().enumerate() {
                    write!(f, "{}{n}:{}", if i > 0 { "," } else { "" }, sub(t))?;
                }
                f.write_str(")")
            }
        }
    }
}
