//! Which weights to bound fronts with.
//!
//! A direction (a, b) proves half-planes `a·x + b·y ≥ value`: the least weighted error of all trees over a set of rows.
//! It cuts most next to the points of a front where its normal touches the lower hull. So the directions are normals of
//! the hull of a front that is already known, spread over its points, with the two outermost edges in any case.

use crate::data::Data;
use std::cmp::Ordering;

/// A few weights (a, b), both at least 1, ascending by a / b, none twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directions(Vec<(i32, i32)>);

/// A direction as a sum of others: `divisor` times it is the sum of the shares, and of something along the axes.
pub struct Parts {
    shares: Vec<(usize, i64)>,
    divisor: i64,
}

impl Parts {
    /// What the lows in the others prove: `n·e ≥ low` for each of them gives the sum, in whole numbers rounded up.
    pub fn low(&self, low: impl Fn(usize) -> i32) -> i32 {
        let sum: i128 = self.shares.iter().map(|&(k, share)| i128::from(share) * i128::from(low(k))).sum();
        let divisor = i128::from(self.divisor);
        ((sum + divisor - 1) / divisor) as i32
    }
}

/// Directions spread over the points of a front; the outermost edges come on top.
const SPREAD: usize = 6;
/// The most directions that `any_above` is asked about at once.
pub const MOST: usize = SPREAD + 2;
/// The greatest weight, where sums allow it.
const MOST_WEIGHT: i64 = 200;
/// Tried in this order where the front has too few edges.
const FILLERS: [(i32, i32); 7] = [(1, 1), (1, 3), (3, 1), (1, 12), (12, 1), (1, 2), (2, 1)];

impl Directions {
    /// No direction at all: nothing is bounded.
    pub fn none() -> Self {
        Directions::default()
    }

    /// Just this direction.
    pub fn one(a: i32, b: i32) -> Self {
        Directions(vec![(a, b)])
    }

    /// Directions for trees whose front lies near this one.
    pub fn near(front: &[(u32, u32)], data: &Data) -> Self {
        let most = greatest(data.total, MOST_WEIGHT);
        let hull = hull(front);
        let edges: Vec<((i32, i32), usize)> = hull
            .windows(2)
            .map(|edge| {
                let (left, right) = (edge[0], edge[1]);
                let normal = rounded(f64::from(left.1 - right.1) / f64::from(right.0 - left.0), most);
                let points = front.iter().filter(|point| point.0 > left.0 && point.0 <= right.0).count();
                (normal, points)
            })
            .collect();
        let points: usize = edges.iter().map(|edge| edge.1).sum();
        let mut chosen = Vec::new();
        let mut add = |direction: (i32, i32), most: usize| {
            if chosen.len() < most && !chosen.contains(&direction) {
                chosen.push(direction);
            }
        };
        let (mut passed, mut step) = (0, 0);
        for &(normal, here) in &edges {
            passed += here;
            while (2 * step + 1) * points <= 2 * passed * SPREAD && step < SPREAD {
                add(normal, SPREAD);
                step += 1;
            }
        }
        for edge in edges.first().into_iter().chain(edges.last()) {
            add(edge.0, MOST);
        }
        for (a, b) in FILLERS {
            if i64::from(a.max(b)) <= most {
                add((a, b), SPREAD);
            }
        }
        chosen.sort_by(ascending);
        chosen.dedup_by(|one, other| ascending(one, other).is_eq());
        Directions(chosen)
    }

    /// These weights, or close ones where they are too large or 0; at most `MOST`.
    pub fn along(lines: impl Iterator<Item = (u64, u64)>, data: &Data) -> Self {
        let most = greatest(data.total, i64::from(i32::MAX / 2)) as u64;
        let mut chosen: Vec<(i32, i32)> = lines
            .map(|(a, b)| {
                if a.max(b) <= most && a.min(b) > 0 {
                    return (a as i32, b as i32);
                }
                rounded(a.max(1) as f64 / b.max(1) as f64, greatest(data.total, MOST_WEIGHT))
            })
            .collect();
        chosen.sort_by(ascending);
        chosen.dedup_by(|one, other| ascending(one, other).is_eq());
        Directions(chosen).at_most(MOST)
    }

    /// How another direction is a sum of these and of the axes: of its two neighbours in angle, all shares positive.
    pub fn parts_of(&self, (c, d): (i32, i32)) -> Parts {
        let (c64, d64) = (i64::from(c), i64::from(d));
        let above = self.0.partition_point(|known| ascending(known, &(c, d)).is_lt());
        match (above.checked_sub(1).map(|k| (k, self.0[k])), self.0.get(above)) {
            (None, None) => Parts { shares: Vec::new(), divisor: 1 },
            // What is left over is a part of an axis, along which no tree makes fewer than no errors.
            (None, Some(&(a, _))) => Parts { shares: vec![(above, c64)], divisor: i64::from(a) },
            (Some((k, (_, b))), None) => Parts { shares: vec![(k, d64)], divisor: i64::from(b) },
            (Some((k, one)), Some(&other)) => {
                let cross =
                    |(a, b): (i32, i32), (c, d): (i32, i32)| i64::from(c) * i64::from(b) - i64::from(a) * i64::from(d);
                let shares = vec![(k, cross((c, d), other)), (above, cross(one, (c, d)))];
                Parts { shares, divisor: cross(one, other) }
            }
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.0.iter().copied()
    }

    pub fn get(&self, k: usize) -> (i32, i32) {
        self.0[k]
    }

    /// Only the first `most` of them, for data so wide that each costs much memory; the middle one stays.
    pub fn at_most(mut self, most: usize) -> Self {
        while self.0.len() > most.max(1) {
            let at = if self.0.len().is_multiple_of(2) { 0 } else { self.0.len() - 1 };
            self.0.remove(at);
        }
        self
    }
}

/// The greatest weight, at most `most`, for which no sum over rows of these weights leaves 31 bits.
fn greatest(total: [u32; 2], most: i64) -> i64 {
    let all = i64::from(total[0]) + i64::from(total[1]);
    (i64::from(i32::MAX / 2) / all.max(1)).clamp(1, most)
}

/// Orders weights by a / b.
fn ascending(&(a, b): &(i32, i32), &(c, d): &(i32, i32)) -> Ordering {
    (i64::from(a) * i64::from(d)).cmp(&(i64::from(c) * i64::from(b)))
}

/// Whole numbers (a, b) up to `most` whose ratio is close to `ratio`, small ones preferred: they need fewer bits.
fn rounded(ratio: f64, most: i64) -> (i32, i32) {
    let mut best = if ratio > 1.0 { (most, 1, f64::MAX) } else { (1, most, f64::MAX) };
    for b in 1..=most {
        let a = (ratio * b as f64).round() as i64;
        if (1..=most).contains(&a) {
            let error = (a as f64 / b as f64 / ratio).ln().abs() + 0.001 * a.min(b) as f64;
            if error < best.2 {
                best = (a, b, error);
            }
        }
    }
    (best.0 as i32, best.1 as i32)
}

/// The vertices of the lower left convex hull of points with x ascending and y descending.
pub fn hull(front: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut hull: Vec<(u32, u32)> = Vec::new();
    for &point in front {
        while let [.., first, second] = hull[..] {
            let delta = |to: (u32, u32)| (i64::from(to.0) - i64::from(first.0), i64::from(to.1) - i64::from(first.1));
            let ((x1, y1), (x2, y2)) = (delta(second), delta(point));
            if x1 * y2 - x2 * y1 > 0 {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    }
    hull
}
