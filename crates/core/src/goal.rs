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
    /// Whether all sums and products of comparisons fit into their numbers.
    pub fn fits(self, data: &Data) -> bool {
        let weights = [1, data.total[0].max(data.total[1]), data.total[0].max(data.total[1])].map(i128::from);
        let greatest = |part: [i64; 3]| -> i128 {
            part.iter().zip(weights).map(|(&one, weight)| i128::from(one).abs() * weight).sum()
        };
        let most = |part: [i64; 3]| part.iter().map(|&one| i128::from(one).abs()).max().unwrap_or(0);
        let (above, below) = (greatest(self.above), greatest(self.below).max(1));
        above < 1 << 62 && below < 1 << 62 && below * most(self.above) + above * most(self.below) < 1 << 62
    }

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

    /// The weights (a, b) of the points that beat the best of a front: those with `a·x + b·y` below that of the best; and
    /// the best. (Dinkelbach's method: one linear function says what beats a ratio.)
    fn line(self, front: &Front) -> ((u64, u64), (u32, u32)) {
        let best = &front[self.best(front)];
        let [_, a, b] = self.beats(self.value(best.x, best.y)).map(|part| (-part).max(0) as u128);
        let divisor = directions::common_divisor(a, b);
        let [a, b] = [a, b].map(|part| u64::try_from(part / divisor).expect("coefficients were checked"));
        ((a, b), (best.x, best.y))
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
            // The line of a pass stays as it is until the pass ends: what a split returns must not depend on who came first.
            Goal::Best(_) if window.line().is_some() => return,
            Goal::Best(ratio) => {
                let (line, best) = ratio.line(front);
                return window.along(line, best);
            }
        }
        *window = Window::from_limits(limits);
    }

    /// Directions for trees whose fronts, one for each layer, lie near these.
    pub fn directions(self, fronts: &[Front], data: &Data) -> Directions {
        match self {
            Goal::All | Goal::Supported => Directions::near(&points(&fronts[fronts.len() - 1]), data),
            Goal::Best(ratio) => Directions::along(fronts.iter().map(|front| ratio.line(front).0), data),
        }
    }

    /// Whether a pass that started with one front and ended with another has to be repeated: a line proves that a value is
    /// the greatest only if it is the line of that value.
    pub fn again(self, before: &[Front], after: &[Front]) -> bool {
        match self {
            Goal::All | Goal::Supported => false,
            Goal::Best(ratio) => {
                before.iter().zip(after).any(|(before, after)| ratio.line(before).0 != ratio.line(after).0)
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

/// Steps that the slopes of a hull are cut into: each is a corner of the window, and all are tested for every split.
const STEPS: usize = 64;

/// Cuts limits off at the hull: a new vertex lies below every segment between points that trees attain. A step has the
/// limit of its left end, the greatest.
fn below_hull(limits: &mut [u32], front: &Front) {
    let step = limits.len().div_ceil(STEPS).max(1) as u32;
    for edge in directions::hull(&points(front)).windows(2) {
        let ((x1, y1), (x2, y2)) = (edge[0], edge[1]);
        let (dx, dy) = (u64::from(x2 - x1), u64::from(y1 - y2));
        for x in x1..=x2.min(limits.len().saturating_sub(1) as u32) {
            let height = u64::from(y2) * dx + dy * u64::from(x2 - (x - x % step).max(x1));
            let limit = &mut limits[x as usize];
            *limit = (*limit).min(height.div_ceil(dx) as u32);
        }
    }
}
