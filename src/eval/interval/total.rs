//! Sums of intervals from which a part may be taken out again.
//!
//! In: intervals, one by one. Out: where their sum lies, with or without one of them. Ends that there are not are counted, not
//! added.

use super::{HUGE, Interval};

/// The sum of intervals, one of which may be taken out again.
pub(super) struct Total {
    /// The sum of all ends that there are.
    least: i128,
    most: i128,
    /// How many have no end.
    open: [u32; 2],
}

impl Total {
    pub(super) fn new() -> Self {
        Self { least: 0, most: 0, open: [0; 2] }
    }

    /// The sum of multiples of variables and a constant.
    pub(super) fn of(parts: &[(i128, usize)], k: i128, doms: &[Interval]) -> Self {
        let mut total = Self::new();
        total.add(Interval::one(k));
        parts.iter().for_each(|(c, v)| total.add(doms[*v].scaled(*c)));
        total
    }

    pub(super) fn add(&mut self, i: Interval) {
        if i.least == -HUGE {
            self.open[0] += 1;
        } else {
            self.least += i.least;
        }
        if i.most == HUGE {
            self.open[1] += 1;
        } else {
            self.most += i.most;
        }
    }

    /// Takes a part out.
    pub(super) fn take(&mut self, i: Interval) {
        if i.least == -HUGE {
            self.open[0] -= 1;
        } else {
            self.least -= i.least;
        }
        if i.most == HUGE {
            self.open[1] -= 1;
        } else {
            self.most -= i.most;
        }
    }

    pub(super) fn interval(&self) -> Interval {
        let [lo, hi] = self.open.map(|n| n > 0);
        Interval::between(if lo { -HUGE } else { self.least }, if hi { HUGE } else { self.most })
    }
}
