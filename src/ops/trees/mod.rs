//! Trees: one file per operator. A tree is a function from paths to labels: a path is the sequence of the
//! numbers of the sons on the way down from the root (B-Book; Atelier B reference manual, "Trees").

pub(super) mod all;
pub(super) mod arity;
pub(super) mod binary;
pub(super) mod constant;
pub(super) mod father;
pub(super) mod fork;
pub(super) mod infix;
pub(super) mod leaf;
pub(super) mod left;
pub(super) mod mirror;
pub(super) mod nodes;
pub(super) mod postfix;
pub(super) mod prefix;
pub(super) mod rank;
pub(super) mod right;
pub(super) mod sizet;
pub(super) mod son;
pub(super) mod sons;
pub(super) mod subtree;
pub(super) mod top;
