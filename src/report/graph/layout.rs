//! Where the nodes of a picture stand and where its edges go: layers by distance from the root, few crossings, short edges.
//!
//! In: sizes of nodes, edges, the layers. Out: a box for each node, and for each edge the curves that it is drawn as. An edge
//! back over several layers has a place of its own in each of them, so that no edge is behind a node. Orders are
//! improved by sorting each layer by the means of its neighbours, as in Sugiyama's method; in its order a layer has the
//! places nearest to the means of its neighbours that leave enough room.

use super::labels::{Curve, Frame};

/// Room beside a node, and beside an edge that goes through a layer.
const GAP: f64 = 44.0;
const GAP_OF_EDGE: f64 = 20.0;
/// Room below a layer, besides that for labels.
const BELOW: f64 = 50.0;
/// Where edges leave and enter a box, as shares of its width: down on the left, up on the right.
const DOWN: f64 = 0.35;
const UP: f64 = 0.65;
/// How far the curve of a loop goes to the right, and where its label begins.
const LOOP: f64 = 60.0;
pub(super) const BESIDE: f64 = 50.0;
/// How often orders and places are improved.
const ROUNDS: usize = 12;

/// What is to be placed.
pub(super) struct Wanted<'g> {
    /// Width and height of each node.
    pub sizes: &'g [(f64, f64)],
    /// The edges.
    pub edges: &'g [(usize, usize)],
    /// Room that each node needs to its right for its loop.
    pub beside: &'g [f64],
    /// The nodes by distance from the root.
    pub layers: &'g [Vec<usize>],
    /// Room below each layer for labels.
    pub below: &'g [f64],
}

/// Where all is.
pub(super) struct Placed {
    /// The box of each node.
    pub frames: Vec<Frame>,
    /// The curves of each edge, from its source on.
    pub routes: Vec<Vec<Curve>>,
}

/// Something in a layer: a node, or an edge that goes through it.
struct Slot {
    width: f64,
    beside: f64,
    gap: f64,
    /// Its middle.
    x: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

struct Grid {
    slots: Vec<Slot>,
    rows: Vec<Vec<usize>>,
    /// For each edge the slots that it goes through, from the lowest on.
    through: Vec<Vec<usize>>,
}

/// Places everything.
pub(super) fn place(w: &Wanted<'_>) -> Placed {
    let mut level = vec![0; w.sizes.len()];
    for (l, layer) in w.layers.iter().enumerate() {
        layer.iter().for_each(|&i| level[i] = l);
    }
    let mut grid = grid(w, &level);
    order(&mut grid);
    straighten(&mut grid);
    let left = grid.slots.iter().map(|s| s.x - s.width / 2.0).fold(f64::INFINITY, f64::min);
    let mut frames = vec![Frame::default(); w.sizes.len()];
    let (mut y, mut tops) = (GAP, Vec::new());
    for (layer, room) in w.layers.iter().zip(w.below) {
        let tallest = layer.iter().map(|&i| w.sizes[i].1).fold(0.0, f64::max);
        for &i in layer {
            let (width, h) = w.sizes[i];
            frames[i] = Frame { x: grid.slots[i].x - width / 2.0 - left + GAP, y, w: width, h };
        }
        tops.push((y, y + tallest));
        y += tallest + BELOW + room;
    }
    let middle = |slot: usize| grid.slots[slot].x - left + GAP;
    let route = |(&(a, b), through): (&(usize, usize), &Vec<usize>)| {
        let passed = through.iter().zip((0..level[a]).rev()).map(|(&s, l)| (middle(s), tops[l]));
        curves(frames[a], frames[b], a == b, &passed.collect::<Vec<_>>())
    };
    let routes = w.edges.iter().zip(&grid.through).map(route).collect();
    Placed { frames, routes }
}

/// The layers with a slot for each node and each edge that goes through.
fn grid(w: &Wanted<'_>, level: &[usize]) -> Grid {
    let node = |(&(width, _), &beside): (&(f64, f64), &f64)| Slot {
        width,
        beside,
        gap: GAP,
        x: 0.0,
        above: Vec::new(),
        below: Vec::new(),
    };
    let mut slots: Vec<Slot> = w.sizes.iter().zip(w.beside).map(node).collect();
    let mut rows = w.layers.to_vec();
    let mut through = Vec::with_capacity(w.edges.len());
    for &(a, b) in w.edges {
        let (high, low) = (level[a].min(level[b]), level[a].max(level[b]));
        let mut below = if level[a] >= level[b] { a } else { b };
        let top = if level[a] >= level[b] { b } else { a };
        let mut passed = Vec::new();
        for l in (high + 1..low).rev() {
            let slot = slots.len();
            slots.push(Slot {
                width: 0.0,
                beside: 0.0,
                gap: GAP_OF_EDGE,
                x: 0.0,
                above: Vec::new(),
                below: Vec::new(),
            });
            rows[l].push(slot);
            link(&mut slots, slot, below);
            passed.push(slot);
            below = slot;
        }
        if high < low {
            link(&mut slots, top, below);
        }
        through.push(passed);
    }
    Grid { slots, rows, through }
}

fn link(slots: &mut [Slot], above: usize, below: usize) {
    slots[above].below.push(below);
    slots[below].above.push(above);
}

/// Orders each layer; of all orders that are met the one with the fewest crossings stays.
fn order(r: &mut Grid) {
    let mut best = r.rows.clone();
    let mut fewest = crossings(r);
    for round in 0..ROUNDS {
        let down = round % 2 == 0;
        let last = r.rows.len();
        for step in 1..last {
            let l = if down { step } else { last - 1 - step };
            let next = if down { l - 1 } else { l + 1 };
            let at = positions(&r.rows[next], r.slots.len());
            let mean = |&slot: &usize| {
                let s = &r.slots[slot];
                mean(if down { &s.above } else { &s.below }, |n| at[n])
            };
            let own = positions(&r.rows[l], r.slots.len());
            let mut wish: Vec<(f64, usize)> =
                r.rows[l].iter().map(|s| (mean(s).unwrap_or(own[*s]), *s)).collect();
            wish.sort_by(|a, b| a.0.total_cmp(&b.0));
            r.rows[l] = wish.into_iter().map(|(_, s)| s).collect();
        }
        let now = crossings(r);
        if now < fewest {
            fewest = now;
            best.clone_from(&r.rows);
        }
    }
    r.rows = best;
}

#[allow(clippy::cast_precision_loss, reason = "places in a picture")]
fn positions(row: &[usize], slots: usize) -> Vec<f64> {
    let mut at = vec![0.0; slots];
    row.iter().enumerate().for_each(|(i, &s)| at[s] = i as f64);
    at
}

#[allow(clippy::cast_precision_loss, reason = "a mean of places in a picture")]
fn mean(of: &[usize], value: impl Fn(usize) -> f64) -> Option<f64> {
    (!of.is_empty()).then(|| of.iter().map(|&n| value(n)).sum::<f64>() / of.len() as f64)
}

/// How often edges between neighbouring layers cross.
fn crossings(r: &Grid) -> usize {
    let mut sum = 0;
    for (row, next) in r.rows.iter().zip(r.rows.iter().skip(1)) {
        let at = positions(next, r.slots.len());
        let ends = row.iter().map(|&s| r.slots[s].below.iter().map(|&b| at[b]).collect::<Vec<_>>());
        let ends: Vec<Vec<f64>> = ends.collect();
        for (i, a) in ends.iter().enumerate() {
            let right = ends.iter().skip(i + 1).flatten();
            sum += right.map(|b| a.iter().filter(|a| *a > b).count()).sum::<usize>();
        }
    }
    sum
}

/// Gives each slot its place, in the order of its layer.
fn straighten(r: &mut Grid) {
    for row in &r.rows {
        let mut x = 0.0;
        for (i, &s) in row.iter().enumerate() {
            x += if i == 0 { 0.0 } else { apart(&r.slots, row[i - 1], s) };
            r.slots[s].x = x;
        }
    }
    for round in 0..2 * ROUNDS {
        let down = round % 2 == 0;
        for step in 0..r.rows.len() {
            let row = &r.rows[if down { step } else { r.rows.len() - 1 - step }];
            let wish: Vec<f64> = row
                .iter()
                .map(|&s| {
                    let slot = &r.slots[s];
                    let of = if down { &slot.above } else { &slot.below };
                    mean(of, |n| r.slots[n].x).unwrap_or(slot.x)
                })
                .collect();
            let gaps: Vec<f64> = row.windows(2).map(|p| apart(&r.slots, p[0], p[1])).collect();
            for (&s, x) in row.iter().zip(nearest(&wish, &gaps)) {
                r.slots[s].x = x;
            }
        }
    }
}

/// How far the middles of neighbours are apart at least.
fn apart(slots: &[Slot], a: usize, b: usize) -> f64 {
    let (a, b) = (&slots[a], &slots[b]);
    a.width / 2.0 + a.beside + a.gap.max(b.gap) + b.width / 2.0
}

/// The places nearest to those that are wished for (least squares) among those that keep the gaps: blocks that would
/// overlap are put together at their mean.
fn nearest(wish: &[f64], gaps: &[f64]) -> Vec<f64> {
    let mut offset = 0.0;
    // The sum of the wishes without the gaps, and the number of places.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (i, w) in wish.iter().enumerate() {
        offset += if i == 0 { 0.0 } else { gaps[i - 1] };
        blocks.push((w - offset, 1.0, 1));
        while let [.., (a, m, i), (b, n, k)] = blocks.as_slice()
            && a / m > b / n
        {
            let joined = (a + b, m + n, i + k);
            blocks.truncate(blocks.len() - 2);
            blocks.push(joined);
        }
    }
    let flat = blocks.iter().flat_map(|(sum, n, count)| std::iter::repeat_n(sum / n, *count));
    let mut offset = 0.0;
    let place = |(i, x): (usize, f64)| {
        offset += if i == 0 { 0.0 } else { gaps[i - 1] };
        x + offset
    };
    flat.enumerate().map(place).collect()
}

/// The curves of an edge, through places in the layers between with their upper and lower ends.
fn curves(a: Frame, b: Frame, own: bool, passed: &[(f64, (f64, f64))]) -> Vec<Curve> {
    if own {
        let (x, y) = (a.x + a.w, a.y + a.h / 2.0);
        return vec![[(x, y - 6.0), (x + LOOP, y - 16.0), (x + LOOP, y + 16.0), (x, y + 6.0)]];
    }
    if b.y > a.y {
        return vec![between((a.x + a.w * DOWN, a.y + a.h), (b.x + b.w * DOWN, b.y))];
    }
    if b.y < a.y {
        let mut at = (a.x + a.w * UP, a.y);
        let mut out = Vec::new();
        for &(x, (top, bottom)) in passed {
            out.push(between(at, (x, bottom)));
            out.push(between((x, bottom), (x, top)));
            at = (x, top);
        }
        out.push(between(at, (b.x + b.w * UP, b.y + b.h)));
        return out;
    }
    // Between nodes of one layer the curve hangs below them.
    let (from, to) = ((a.x + a.w / 2.0, a.y + a.h), (b.x + b.w / 2.0, b.y + b.h));
    let low = from.1.max(to.1) + BELOW;
    vec![[from, (from.0, low), (to.0, low), to]]
}

/// A curve that begins and ends upright.
fn between(a: (f64, f64), b: (f64, f64)) -> Curve {
    let bend = (b.1 - a.1) / 2.0;
    [a, (a.0, a.1 + bend), (b.0, b.1 - bend), b]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_nearest_that_keep_the_gaps() {
        assert_eq!(nearest(&[0.0, 10.0], &[5.0]), [0.0, 10.0]);
        assert_eq!(nearest(&[0.0, 0.0], &[10.0]), [-5.0, 5.0]);
        assert_eq!(nearest(&[7.0, 0.0, 100.0], &[3.0, 3.0]), [2.0, 5.0, 100.0]);
        assert_eq!(nearest(&[], &[]), [0.0; 0]);
    }

    /// A chain of four nodes with an edge from its end to its beginning.
    #[test]
    fn no_edge_is_behind_a_node() {
        let layers: Vec<Vec<usize>> = (0..4).map(|i| vec![i]).collect();
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (2, 2)];
        let wanted = Wanted {
            sizes: &[(80.0, 30.0); 4],
            edges: &edges,
            beside: &[0.0, 0.0, 60.0, 0.0],
            layers: &layers,
            below: &[0.0; 4],
        };
        let placed = place(&wanted);
        assert_eq!(placed.routes[3].len(), 5);
        for curve in &placed.routes[3] {
            for f in &placed.frames[1..3] {
                let inside = |&(x, y): &(f64, f64)| x > f.x && x < f.x + f.w && y > f.y && y < f.y + f.h;
                assert!(!curve.iter().any(inside), "{curve:?} {f:?}");
            }
        }
    }
}
