//! Fronts, and windows onto them.
//!
//! A front is a list of points with x ascending and y descending. A window says what is still useful: the points (x, y)
//! with `y < limit[x]`. Limits never rise with x, so what is useful is a staircase standing on the axes.

use crate::kernel::{self, Machine};
use crate::tree::Tree;

/// Errors of class 0 and of class 1, and a tree that makes them.
#[derive(Clone, Debug)]
pub struct Point {
    pub x: u32,
    pub y: u32,
    pub tree: Tree,
}

/// Nondominated points, x ascending and y descending.
pub type Front = Vec<Point>;

/// Adds a point if it is useful, and cuts the window by it.
pub fn offer(front: &mut Front, window: &mut Window, point: &Point) -> bool {
    let useful = window.useful(point.x, point.y);
    if useful {
        add(front, window, point.clone());
    }
    useful
}

/// Adds a useful point and cuts the window by it. With a line it is the only one left.
pub fn add(front: &mut Front, window: &mut Window, point: Point) {
    window.cut(point.x, point.y);
    if window.line.is_some() {
        front.clear();
    }
    insert(front, point);
}

/// Adds a point that nothing in the front dominates or equals; what it dominates goes.
fn insert(front: &mut Front, point: Point) {
    let at = front.partition_point(|other| other.x < point.x);
    let end = at + front[at..].iter().take_while(|other| other.y >= point.y).count();
    front.splice(at..end, [point]);
}

/// What is still useful: points (x, y) with `y < limit[x]`; nothing beyond its end. The last limit is not 0.
///
/// Where only the least weighted error is asked for, a window has a line: beside a point nothing is useful that is not
/// below the line of its weight. That holds for the sides of a split as for the split, since the least sum is the sum of
/// the least.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    limit: Vec<u32>,
    line: Option<(u64, u64)>,
}

/// The limit at x of the points whose weight is below `value`.
fn below(value: u128, (a, b): (u64, u64), x: usize) -> u32 {
    let left = value.saturating_sub(u128::from(a) * x as u128);
    match b {
        0 if left > 0 => u32::MAX,
        0 => 0,
        _ => u32::try_from(left.div_ceil(u128::from(b))).unwrap_or(u32::MAX),
    }
}

impl Window {
    /// All that trees over rows of these weights could reach.
    pub fn everything(total: [u32; 2]) -> Self {
        Window { limit: vec![total[1] + 1; total[0] as usize + 1], line: None }
    }

    pub fn from_limits(limit: Vec<u32>) -> Self {
        let mut window = Window { limit, line: None };
        window.trim();
        window
    }

    /// The points whose weight `a·x + b·y` is below a value, for rows of these weights; only a least one is asked for.
    pub fn below(total: [u32; 2], line: (u64, u64), value: u128) -> Self {
        let mut window = Window::everything(total);
        window.line = Some(line);
        window.cut_line(line, value);
        window
    }

    pub fn line(&self) -> Option<(u64, u64)> {
        self.line
    }

    pub fn is_empty(&self) -> bool {
        self.limit.is_empty()
    }

    pub fn limits(&self) -> &[u32] {
        &self.limit
    }

    #[inline]
    pub fn useful(&self, x: u32, y: u32) -> bool {
        self.limit.get(x as usize).is_some_and(|&limit| y < limit)
    }

    /// Nothing that (x, y) dominates or equals is useful from now on; with a line, nothing that weighs as much.
    #[inline]
    pub fn cut(&mut self, x: u32, y: u32) {
        if let Some((a, b)) = self.line {
            return self.cut_line((a, b), u128::from(a) * u128::from(x) + u128::from(b) * u128::from(y));
        }
        for limit in self.limit.iter_mut().skip(x as usize).take_while(|limit| **limit > y) {
            *limit = y;
        }
        if y == 0 {
            self.trim();
        }
    }

    fn cut_line(&mut self, line: (u64, u64), value: u128) {
        for (x, limit) in self.limit.iter_mut().enumerate() {
            *limit = (*limit).min(below(value, line, x));
        }
        self.trim();
    }

    /// Whether all that `other` finds useful is useful here.
    pub fn covers(&self, other: &Window) -> bool {
        (self.line.is_none() || self.line == other.line)
            && other.limit.len() <= self.limit.len()
            && other.limit.iter().zip(&self.limit).all(|(other, own)| other <= own)
    }

    fn trim(&mut self) {
        let end = self.limit.partition_point(|&limit| limit > 0);
        self.limit.truncate(end);
    }

    /// Widens this window, which is for rows of weight `total`, by what `parent` can use of a point here when the
    /// sibling contributes one of the points `sibling` or something that they dominate or equal.
    ///
    /// (x, y) is useless only if for every sibling point (l, m) the sum (x + l, y + m) is: hence the maximum over the
    /// sibling's points of `parent.limit[x + l] - m`, and not the minimum that the union in the printed rule (A) takes.
    pub fn widen(&mut self, machine: Machine, parent: &Window, sibling: &[(u32, u32)], total: [u32; 2]) {
        // All windows of a pass have the same line, or none.
        self.line = parent.line;
        let room = parent.limit.len().min(total[0] as usize + 1);
        if self.limit.len() < room {
            self.limit.resize(room, 0);
        }
        for &(l, m) in sibling {
            let Some(from) = parent.limit.get(l as usize..) else { break };
            let end = from.len().min(room);
            kernel::shift_max(machine, &mut self.limit[..end], &from[..end], m);
        }
        let most = total[1] + 1;
        for limit in self.limit.iter_mut().take_while(|limit| **limit > most) {
            *limit = most;
        }
        self.trim();
    }
}

/// A lower bound of a front: for each x the least y that a tree with at most x errors of class 0 may have.
pub struct Floor {
    least: Vec<u32>,
}

impl Floor {
    /// No tree makes fewer than no errors.
    pub fn nothing(length: usize) -> Self {
        Floor { least: vec![0; length] }
    }

    /// Raises the bound to the half-plane a·x + b·y ≥ value.
    pub fn half_plane(&mut self, machine: Machine, value: i32, a: i32, b: i32) {
        if value > 0 {
            // Beyond value / a the half-plane says nothing.
            let end = self.least.len().min((value / a) as usize + 1);
            kernel::half_plane(machine, &mut self.least[..end], value, a, b);
        }
    }

    /// Raises the bound by a search that found just `front` useful in `window`: whatever else there is lies outside.
    pub fn searched(&mut self, window: &Window, front: &Front) {
        if window.line.is_some() {
            // It looked for the least only; its half-planes say as much.
            return;
        }
        let mut points = front.iter().peekable();
        let mut best = u32::MAX;
        for (x, (least, &limit)) in self.least.iter_mut().zip(&window.limit).enumerate() {
            while let Some(point) = points.next_if(|point| point.x as usize <= x) {
                best = point.y;
            }
            *least = (*least).max(limit.min(best));
        }
    }

    /// The points of the staircase.
    pub fn steps(&self) -> Vec<(u32, u32)> {
        let mut steps = Vec::new();
        let mut last = u32::MAX;
        for (x, &y) in self.least.iter().enumerate() {
            if y < last {
                steps.push((x as u32, y));
                last = y;
            }
        }
        steps
    }
}

/// At most `most` points that lie below those of a staircase: where there are more, neighbours are joined in the point
/// that dominates them, which lowers a bound and keeps it true.
pub fn coarse(steps: &[(u32, u32)], most: usize) -> Vec<(u32, u32)> {
    let size = steps.len().div_ceil(most).max(1);
    steps.chunks(size).map(|chunk| (chunk[0].0, chunk[chunk.len() - 1].1)).collect()
}
