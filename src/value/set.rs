//! Sets in extension: sorted, without duplicates, shared.

use super::Value;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, OnceLock, Weak};

/// A finite set as a sorted, shared vector of distinct values.
#[derive(Clone, Debug)]
pub struct SetRef(Arc<Data>);

#[derive(Debug)]
struct Data {
    items: Vec<Value>,
    /// Whether no member contains a set that is not enumerated; kept so that asking costs nothing.
    extension: bool,
    /// How often the relation has been read backwards without its inverse.
    scans: AtomicU8,
    /// The inverse relation, once somebody has asked for it.
    inverse: OnceLock<SetRef>,
    /// Where the row that was looked up last begins, if the relation is large; only a place to look first.
    lately: AtomicUsize,
}

/// Intervals of more integers are worth sharing.
const LARGE: i64 = 256;

thread_local! {
    /// The large interval that was listed last: its ends, its members while somebody holds them.
    static RECENT: RefCell<(i64, i64, Weak<Data>)> = const { RefCell::new((0, -1, Weak::new())) };
}

/// In relations of so many pairs, a search is long.
const TABLE: usize = 1024;

/// A relation that is read backwards more often than this had better be inverted.
const SCANS: u8 = 3;

impl Data {
    fn new(items: Vec<Value>, extension: bool) -> Self {
        Self {
            items,
            extension,
            scans: AtomicU8::new(0),
            inverse: OnceLock::new(),
            lately: AtomicUsize::new(0),
        }
    }
}

impl Clone for Data {
    /// The same members; what is remembered of them is not taken over, since a copy is made to be changed.
    fn clone(&self) -> Self {
        Self::new(self.items.clone(), self.extension)
    }
}

static EMPTY: LazyLock<SetRef> = LazyLock::new(|| SetRef::new(Vec::new()));

impl SetRef {
    fn new(items: Vec<Value>) -> Self {
        let extension = items.iter().all(Value::is_extension);
        Self(Arc::new(Data::new(items, extension)))
    }
    /// The empty set.
    #[must_use]
    pub fn empty() -> Self {
        EMPTY.clone()
    }
    /// A set from values in any order, with or without duplicates.
    #[must_use]
    pub fn from_vec(mut items: Vec<Value>) -> Self {
        if !items.is_sorted_by(|a, b| a < b) {
            sort(&mut items);
        }
        Self::new(items)
    }
    /// A set from values that are sorted and distinct already (checked in debug builds).
    #[must_use]
    pub fn from_sorted(items: Vec<Value>) -> Self {
        debug_assert!(items.is_sorted_by(|a, b| a < b));
        Self::new(items)
    }
    /// A set from values that are sorted and distinct already, none of which has a set in it that is not enumerated (both are
    /// checked in debug builds).
    #[must_use]
    pub fn from_listed(items: Vec<Value>) -> Self {
        debug_assert!(items.is_sorted_by(|a, b| a < b) && items.iter().all(Value::is_extension));
        Self(Arc::new(Data::new(items, true)))
    }
    /// As [`SetRef::from_vec`], of values none of which has a set in it that is not enumerated (checked in debug builds).
    #[must_use]
    pub fn from_listed_vec(mut items: Vec<Value>) -> Self {
        if !items.is_sorted_by(|a, b| a < b) {
            sort(&mut items);
        }
        Self::from_listed(items)
    }
    /// A set from sorted values with parts that are members of other sets: if those are in extension, it need not be
    /// looked at.
    #[must_use]
    pub fn from_members(items: Vec<Value>, of: &[&SetRef]) -> Self {
        debug_assert!(items.is_sorted_by(|a, b| a < b));
        let extension = of.iter().all(|s| s.is_extension()) || items.iter().all(Value::is_extension);
        Self(Arc::new(Data::new(items, extension)))
    }
    /// The integers from `lo` to `hi`. Loops list the same interval again and again: while somebody holds the large one
    /// that was listed last, it is shared.
    #[must_use]
    pub fn interval(lo: i64, hi: i64) -> Self {
        let list = || Self::from_listed((lo..=hi).map(Value::Int).collect());
        if hi.checked_sub(lo).is_none_or(|n| n < LARGE) {
            return list();
        }
        RECENT.with_borrow_mut(|(from, to, data)| {
            if let (true, Some(data)) = ((*from, *to) == (lo, hi), data.upgrade()) {
                return Self(data);
            }
            let set = list();
            (*from, *to, *data) = (lo, hi, Arc::downgrade(&set.0));
            set
        })
    }
    /// The set with one member more; copied only if somebody else holds it.
    #[must_use]
    pub fn with(mut self, v: Value) -> Self {
        let items = self.items();
        // Most sets that grow do so at their end.
        let at = match items.last() {
            Some(last) if *last < v => items.len(),
            _ => items.partition_point(|x| *x < v),
        };
        if items.get(at) != Some(&v) {
            let data = self.own();
            data.extension &= v.is_extension();
            data.items.insert(at, v);
        }
        self
    }
    /// The set without a value; copied only if somebody else holds it.
    #[must_use]
    pub fn without(mut self, v: &Value) -> Self {
        if let Ok(at) = self.items().binary_search(v) {
            let data = self.own();
            data.items.remove(at);
            data.extension = data.extension || data.items.iter().all(Value::is_extension);
        }
        self
    }
    /// For a relation: all pairs on the left side `x` replaced by one; copied only if somebody else holds it.
    #[must_use]
    pub fn overridden(mut self, x: Value, y: Value) -> Self {
        let row = self.row(&x);
        let n = row.len();
        let before = |v: &Value| matches!(v, Value::Pair(p) if p.0 < x);
        let at = self.items().partition_point(before);
        let pair = Value::pair(x, y);
        let data = self.own();
        let extension = data.extension && pair.is_extension();
        match data.items.get_mut(at) {
            Some(slot) if n == 1 => *slot = pair,
            _ => drop(data.items.splice(at..at + n, [pair])),
        }
        data.extension = extension || data.items.iter().all(Value::is_extension);
        self
    }
    /// Whether both are one and the same in memory, so that they need not be compared.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    /// Where it is in memory: as long as somebody holds it, no other set is there, and it does not change.
    #[must_use]
    pub fn place(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
    /// The data as nobody else's, about to change.
    fn own(&mut self) -> &mut Data {
        let data = Arc::make_mut(&mut self.0);
        data.scans = AtomicU8::new(0);
        data.inverse = OnceLock::new();
        data
    }
    /// The inverse of a relation that is read backwards once more, if it is known or worth knowing by now.
    #[must_use]
    pub fn inverse_if_often(&self) -> Option<Self> {
        if self.0.inverse.get().is_none() {
            let scans = self.0.scans.load(Relaxed);
            if scans < SCANS {
                self.0.scans.store(scans + 1, Relaxed);
                return None;
            }
        }
        self.inverse()
    }
    /// The inverse of a relation whose members are in extension, computed once per set; `None` if there is a
    /// member that is no pair.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        if let Some(known) = self.0.inverse.get() {
            return Some(known.clone());
        }
        let back = |v: &Value| match v {
            Value::Pair(p) => Some(Value::pair(p.1.clone(), p.0.clone())),
            _ => None,
        };
        let mut items = self.items().iter().map(back).collect::<Option<Vec<_>>>()?;
        items.sort_unstable();
        let data = Data::new(items, self.is_extension());
        Some(self.0.inverse.get_or_init(|| Self(Arc::new(data))).clone())
    }
    /// The members in order.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        &self.0.items
    }
    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.items.len()
    }
    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.items.is_empty()
    }
    /// Whether no member contains a set that is not enumerated.
    #[must_use]
    pub fn is_extension(&self) -> bool {
        self.0.extension
    }
    /// Whether two sets are one and the same in memory.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    /// Whether a value is a member, for sets and values in extension.
    #[must_use]
    pub fn contains(&self, v: &Value) -> bool {
        self.items().binary_search(v).is_ok()
    }
    /// Whether two sets in extension have no member in common.
    #[must_use]
    pub fn is_apart(&self, other: &Self) -> bool {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        let mut rest = many.items();
        for x in few.items() {
            rest = rest.get(ahead(rest, x)..).unwrap_or_default();
            match rest.first() {
                None => return true,
                Some(y) if y == x => return false,
                Some(_) => {}
            }
        }
        true
    }
    /// For a relation: the members whose left side is `x`, as a slice of pairs.
    #[must_use]
    pub fn row(&self, x: &Value) -> &[Value] {
        let left = |v: &Value| match v {
            Value::Pair(p) => p.0.cmp(x),
            other => other.cmp(x),
        };
        let items = self.items();
        let lo = self.begin(x, left);
        let rest = items.get(lo..).unwrap_or_default();
        // Most rows are short: a function's has one member.
        let n = match rest {
            [_, second, ..] if left(second).is_eq() => rest.partition_point(|v| left(v).is_eq()),
            [first, ..] => usize::from(left(first).is_eq()),
            [] => 0,
        };
        rest.get(..n).unwrap_or_default()
    }

    /// Where the row of `x` begins, or would.
    fn begin(&self, x: &Value, left: impl Fn(&Value) -> std::cmp::Ordering) -> usize {
        let items = self.items();
        let is_there = |i: usize| items.get(i).is_some_and(|v| left(v).is_eq());
        // In a sequence, and in a function on an interval from 1, the place is known.
        if let Value::Int(n) = x
            && let Some(i) = n.checked_sub(1).and_then(|i| usize::try_from(i).ok())
            && is_there(i)
            && !i.checked_sub(1).is_some_and(is_there)
        {
            return i;
        }
        let first = || items.partition_point(|v| left(v).is_lt());
        // Numbers and elements are found as fast as this takes.
        if items.len() < TABLE || !matches!(x, Value::Pair(_) | Value::Set(_) | Value::Rec(_)) {
            return first();
        }
        // One argument is often looked up several times in a row: `f(x)(1) + f(x)(2)`.
        let lately = self.0.lately.load(Relaxed);
        if is_there(lately) && !lately.checked_sub(1).is_some_and(is_there) {
            return lately;
        }
        let lo = first();
        self.0.lately.store(lo, Relaxed);
        lo
    }
}

/// So many sets are worth being divided by size before they are sorted.
const MANY: usize = 64;

/// Sorts values and takes duplicates out.
fn sort(items: &mut Vec<Value>) {
    let sizes = sizes(items).filter(|_| items.len() >= MANY);
    let Some(largest) = sizes else {
        items.sort_unstable();
        return items.dedup();
    };
    // Small sets come before large ones; listings have those of one size in order mostly, or in reverse.
    let mut by_size: Vec<Vec<Value>> = Vec::new();
    by_size.resize_with(largest + 1, Vec::new);
    for v in items.drain(..) {
        if let Value::Set(s) = &v {
            by_size[s.len()].push(v);
        }
    }
    for mut alike in by_size {
        if alike.first() > alike.last() {
            alike.reverse();
        }
        if !alike.is_sorted_by(|a, b| a < b) {
            alike.sort_unstable();
            alike.dedup();
        }
        items.append(&mut alike);
    }
}

/// The size of the largest of sets, if all values are sets in extension and there are not more sizes than sets.
fn sizes(items: &[Value]) -> Option<usize> {
    let mut largest = 0;
    for v in items {
        let Value::Set(s) = v else { return None };
        largest = largest.max(s.len());
    }
    (largest < items.len()).then_some(largest)
}

/// How many of the members left are less than a value, searched for in doubling steps: the next one is near, most often.
pub(crate) fn ahead(rest: &[Value], x: &Value) -> usize {
    let mut end = 1;
    while rest.get(end - 1).is_some_and(|p| p < x) {
        end *= 2;
    }
    let begin = end / 2;
    let part = rest.get(begin..end.min(rest.len())).unwrap_or_default();
    begin + part.partition_point(|p| p < x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Cx, Fault};
    use crate::value::Lazy;
    use std::ops::ControlFlow;

    /// A set that nobody lists.
    #[derive(Debug)]
    struct Nothing;

    impl Lazy for Nothing {
        fn contains(&self, _: &Value, _: &Cx<'_>) -> Result<bool, Fault> {
            Ok(false)
        }
        fn each(&self, _: &Cx<'_>, _: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
            Ok(())
        }
        fn describe(&self) -> String {
            "nothing".to_owned()
        }
        fn as_any(&self) -> &dyn std::any::Any {
            self
        }
    }

    fn ints(items: &[i64]) -> SetRef {
        SetRef::from_vec(items.iter().map(|n| Value::Int(*n)).collect())
    }

    /// All subsets of a set in any of several orders, some twice: as sorting does it, value by value.
    #[test]
    fn sets_of_sets_are_sorted_by_size_first() {
        let subset = |mask: u64| Value::Set(ints(&(0..7).filter(|i| mask >> i & 1 == 1).collect::<Vec<_>>()));
        let orders: [fn(u64) -> u64; 4] = [|n| n, |n| 127 - n, |n| n * 37 % 128, |n| n / 2];
        for order in orders {
            let items: Vec<Value> = (0..128).map(|n| subset(order(n))).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(SetRef::from_vec(items).items(), expected);
        }
        let mut mixed: Vec<Value> = (0..100).map(|n| subset(99 - n)).collect();
        mixed.push(Value::Lazy(Arc::new(Nothing)));
        assert_eq!(SetRef::from_vec(mixed).len(), 101);
    }

    #[test]
    fn changes_leave_other_holders_alone() {
        let old = ints(&[1, 3, 5]);
        let mut new = old.clone();
        for n in [4, 0, 9, 3] {
            new = new.with(Value::Int(n));
        }
        new = new.without(&Value::Int(5)).without(&Value::Int(7));
        assert_eq!(old.items(), ints(&[1, 3, 5]).items());
        assert_eq!(new.items(), ints(&[0, 1, 3, 4, 9]).items());
    }

    #[test]
    fn intervals_are_shared_but_not_changed() {
        let old = SetRef::interval(1, 1000);
        assert!(old.is(&SetRef::interval(1, 1000)) && !old.is(&SetRef::interval(1, 1001)));
        let shared = SetRef::interval(2, 999);
        let own = SetRef::interval(2, 999).with(Value::Int(0));
        assert_eq!((shared.len(), own.len()), (998, 999));
        // Changed by its only holder, it is no interval any more.
        let changed = SetRef::interval(3, 999).without(&Value::Int(4));
        assert_eq!(SetRef::interval(3, 999).len(), changed.len() + 1);
        assert_eq!(SetRef::interval(1, 0).len(), 0);
    }

    #[test]
    fn sets_without_common_members_are_apart() {
        let evens = ints(&[0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
        for (s, apart) in [(ints(&[1, 9, 19]), true), (ints(&[1, 18]), false), (ints(&[-1, 20]), true)] {
            assert_eq!(evens.is_apart(&s), apart);
            assert_eq!(s.is_apart(&evens), apart);
        }
        assert!(SetRef::empty().is_apart(&SetRef::empty()) && evens.is_apart(&SetRef::empty()));
        assert!(!SetRef::interval(3, 9).is_apart(&evens) && SetRef::interval(19, 30).is_apart(&evens));
    }

    #[test]
    fn inverses_follow_changes() {
        let pair = |a, b| Value::pair(Value::Int(a), Value::Int(b));
        let f = SetRef::from_vec(vec![pair(1, 9), pair(2, 8), pair(2, 9)]);
        let back = SetRef::from_vec(vec![pair(9, 1), pair(8, 2), pair(9, 2)]);
        assert_eq!(f.inverse().unwrap().items(), back.items());
        assert_eq!(f.inverse().unwrap().inverse().unwrap().items(), f.items());
        // The row of 2 has two pairs, that of 5 none.
        let f = f.overridden(Value::Int(2), Value::Int(7)).overridden(Value::Int(5), Value::Int(0));
        assert_eq!(f.items(), [pair(1, 9), pair(2, 7), pair(5, 0)]);
        assert_eq!(f.inverse().unwrap().items(), [pair(0, 5), pair(7, 2), pair(9, 1)]);
        assert!(ints(&[1]).inverse().is_none());
    }

    #[test]
    fn being_in_extension_follows_changes() {
        let lazy = Value::lazy(Nothing);
        let s = SetRef::from_vec(vec![Value::empty()]);
        let more = s.clone().with(lazy.clone());
        assert!(s.is_extension() && !more.is_extension());
        assert!(more.without(&lazy).is_extension());
        let f = SetRef::empty().overridden(Value::Int(1), lazy);
        assert!(!f.is_extension());
        assert!(f.overridden(Value::Int(1), Value::Int(2)).is_extension());
    }
}
