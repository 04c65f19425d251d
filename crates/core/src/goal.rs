//! What is asked for: which points, what is still useful beside those known, and which directions bound that best.
//!
//! Guarantee: a window that was tightened hides no point that the goal wants beside the front it was tightened by.

use crate::data::Data;
use crate::directions::{self, Directions, hull};
use crate::staircase::{Front, Window};
use std::cmp::Ordering;

/// Which points are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The whole front.
    All,
    /// The vertices of its lower left convex hull.
    Supported,
    /// One point with the greatest value.
    Best(Ratio),
}

/// A value of points: a linear function of the errors over another, both with whole coefficients of (1, fp, fn).
///
/// It must not rise with fp or fn, and its lower part must be positive where its upper part is not 0; 0/0 counts as 0.
/// Linear functions have (1, 0, 0) below. F-beta, Jaccard and Cohen's kappa are of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    pub above: [i64; 3],
    pub below: [i64; 3],
}

/// A value as upper and lower part, the latter positive.
type Value = (i128, i128);

impl Ratio {
    /// The same value of (x, y) in place of (fp, fn).
    fn of_points(self, data: &Data) -> Self {
        let turn = |[one, fp, fneg]: [i64; 3]| if data.positives_first { [one, fneg, fp] } else { [one, fp, fneg] };
        Ratio { above: turn(self.above), below: turn(self.below) }
    }

    fn value(self, x: u32, y: u32) -> Value {
        let at =
            |[one, a, b]: [i64; 3]| i128::from(one) + i128::from(a) * i128::from(x) + i128::from(b) * i128::from(y);
        match at(self.below) {
            0 => (0, 1),
            below => (at(self.above), below),
        }
    }

    /// What beats a value as a half-plane: `one + a·x + b·y > 0`, with a and b at most 0.
    fn beats(self, (above, below): Value) -> [i128; 3] {
        [0, 1, 2].map(|i| below * i128::from(self.above[i]) - above * i128::from(self.below[i]))
    }

    /// The best point of a front, the one of lowest x among equals.
    fn best(self, front: &Front) -> usize {
        let compare = |&i: &usize, &j: &usize| {
            let (one, other) = (&front[i], &front[j]);
            let ((a, b), (c, d)) = (self.value(one.x, one.y), self.value(other.x, other.y));
            match (a * d).cmp(&(c * b)) {
                Ordering::Equal => j.cmp(&i),
                order => order,
            }
        };
        (0..front.len()).max_by(compare).expect("a front has a point")
    }
}

impl Goal {
    /// The goal for points (x, y).
    pub fn of_points(self, data: &Data) -> Self {
        match self {
            Goal::Best(ratio) => Goal::Best(ratio.of_points(data)),
            other => other,
        }
    }

    /// Leaves useful only what is wanted beside a front.
    pub fn tighten(self, window: &mut Window, front: &Front) {
        let mut limits = window.limits().to_vec();
        match self {
            Goal::All => return,
            Goal::Supported => below_hull(&mut limits, front),
            Goal::Best(ratio) => {
                let best = &front[ratio.best(front)];
                let [one, a, b] = ratio.beats(ratio.value(best.x, best.y));
                for (x, limit) in limits.iter_mut().enumerate() {
                    let left = one + a * x as i128;
                    let least = match (left > 0, b) {
                        (false, _) => 0,
                        (true, 0) => *limit,
                        (true, b) => u32::try_from((left - b - 1) / -b).unwrap_or(u32::MAX),
                    };
                    *limit = (*limit).min(least);
                }
            }
        }
        *window = Window::from_limits(limits);
    }

    /// Directions for trees whose front lies near this one.
    pub fn directions(self, front: &Front, data: &Data) -> Directions {
        match self {
            Goal::All | Goal::Supported => Directions::near(&points(front), data),
            Goal::Best(ratio) => {
                let best = &front[ratio.best(front)];
                let [_, a, b] = ratio.beats(ratio.value(best.x, best.y));
                Directions::along(-a, -b, data)
            }
        }
    }

    /// Keeps only the points asked for.
    pub fn keep(self, front: &mut Front) {
        match self {
            Goal::All => {}
            Goal::Supported => {
                let hull = hull(&points(front));
                front.retain(|point| hull.contains(&(point.x, point.y)));
            }
            Goal::Best(ratio) => {
                let best = ratio.best(front);
                front.swap(0, best);
                front.truncate(1);
            }
        }
    }
}

fn points(front: &Front) -> Vec<(u32, u32)> {
    front.iter().map(|point| (point.x, point.y)).collect()
}

/// Cuts limits off at the hull: a new vertex lies below every segment between points that trees attain.
fn below_hull(limits: &mut [u32], front: &Front) {
    for edge in directions::hull(&points(front)).windows(2) {
        let ((x1, y1), (x2, y2)) = (edge[0], edge[1]);
        let (dx, dy) = (u64::from(x2 - x1), u64::from(y1 - y2));
        for x in x1..=x2.min(limits.len().saturating_sub(1) as u32) {
            let height = u64::from(y2) * dx + dy * u64::from(x2 - x);
            let limit = &mut limits[x as usize];
            *limit = (*limit).min(height.div_ceil(dx) as u32);
        }
    }
}
