//! Where the labels of edges go in a picture: along their curves, off nodes and other labels.
//!
//! In: boxes that are taken, a curve, the size of the label. Out: the place on the curve at which the label covers
//! the least of what is there already.

/// A box: left, top, width, height.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Frame {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Frame {
    /// The area that two boxes share.
    fn shared(self, other: Frame) -> f64 {
        let side = |a: f64, aw: f64, b: f64, bw: f64| ((a + aw).min(b + bw) - a.max(b)).max(0.0);
        side(self.x, self.w, other.x, other.w) * side(self.y, self.h, other.y, other.h)
    }
}

/// A cubic curve by its four points.
pub(super) type Curve = [(f64, f64); 4];

/// The point of a curve at `t` from 0 to 1.
fn point(c: &Curve, t: f64) -> (f64, f64) {
    let s = 1.0 - t;
    let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    let sum = |f: fn(&(f64, f64)) -> f64| weights.iter().zip(c).map(|(w, p)| w * f(p)).sum();
    (sum(|p| p.0), sum(|p| p.1))
}

/// Places on a curve in the order in which they are tried: the middle first.
const TRIED: [f64; 11] = [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.2, 0.8, 0.13, 0.87];

/// The box of a label of this size on a curve, which is taken from then on.
pub(super) fn place(taken: &mut Vec<Frame>, curve: &Curve, w: f64, h: f64) -> Frame {
    let at = |t: f64| {
        let (x, y) = point(curve, t);
        Frame { x: x - w / 2.0, y: y - h / 2.0, w, h }
    };
    let mut best = at(0.5);
    let mut least = f64::INFINITY;
    for frame in TRIED.map(at) {
        let covered: f64 = taken.iter().map(|t| t.shared(frame)).sum();
        if covered < least {
            (best, least) = (frame, covered);
        }
    }
    taken.push(best);
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_avoid_each_other() {
        let curve = [(0.0, 0.0), (0.0, 30.0), (0.0, 70.0), (0.0, 100.0)];
        let mut taken = Vec::new();
        let (a, b) = (place(&mut taken, &curve, 40.0, 15.0), place(&mut taken, &curve, 40.0, 15.0));
        assert!(a.shared(b) < 1e-9 && taken.len() == 2);
        assert!((a.y + 7.5 - 50.0).abs() < 1e-9);
    }
}
