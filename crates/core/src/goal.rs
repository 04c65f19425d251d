//! Which points of a front are asked for, and what is still useful beside those known.
//!
//! Guarantee: a window that was tightened hides no point that the goal wants beside the front it was tightened by.

use crate::directions::hull;
use crate::staircase::{Front, Window};

/// Which points are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// All that windows leave useful.
    All,
    /// The vertices of the lower left convex hull.
    Supported,
}

impl Goal {
    /// Leaves useful only what is wanted beside a front.
    pub fn tighten(self, window: &mut Window, front: &Front) {
        if self == Goal::Supported {
            let mut limits = window.limits().to_vec();
            below_hull(&mut limits, front);
            *window = Window::from_limits(limits);
        }
    }

    /// Keeps only the points asked for.
    pub fn keep(self, front: &mut Front) {
        if self == Goal::Supported {
            let hull = hull(&points(front));
            front.retain(|point| hull.contains(&(point.x, point.y)));
        }
    }
}

/// The points of a front without their trees.
pub fn points(front: &Front) -> Vec<(u32, u32)> {
    front.iter().map(|point| (point.x, point.y)).collect()
}

/// Steps that the slopes of a hull are cut into: each is a corner of the window, and all are tested for every split.
const STEPS: usize = 64;

/// Cuts limits off at the hull: a new vertex lies below every segment between points that trees attain. A step has the
/// limit of its left end, the greatest.
fn below_hull(limits: &mut [u32], front: &Front) {
    let step = limits.len().div_ceil(STEPS).max(1) as u32;
    for edge in hull(&points(front)).windows(2) {
        let ((x1, y1), (x2, y2)) = (edge[0], edge[1]);
        let (dx, dy) = (u64::from(x2 - x1), u64::from(y1 - y2));
        for x in x1..=x2.min(limits.len().saturating_sub(1) as u32) {
            let height = u64::from(y2) * dx + dy * u64::from(x2 - (x - x % step).max(x1));
            let limit = &mut limits[x as usize];
            *limit = (*limit).min(height.div_ceil(dx) as u32);
        }
    }
}
