//! Fronts of trees of depth one, by going through all splits.

use crate::block::Ground;
use crate::kernel;
use crate::limits::{Limits, Stopped};
use crate::staircase::{Front, Point, Window, offer};
use crate::tree::{Stump, Tree, Twig};

/// A point with the tree of depth one that attains it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub x: u32,
    pub y: u32,
    pub stump: Stump,
}

/// Points with `a·x + b·y` above `most` are of no use.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub a: i32,
    pub b: i32,
    pub most: i32,
}

/// The fronts of depth one of the two sides of a split, and their leaves alone.
#[derive(Default)]
pub struct Stumps {
    sides: [Vec<Step>; 2],
    leaf_steps: [Vec<Step>; 2],
    candidates: Vec<(u64, u32, Stump)>,
    least: Vec<u64>,
}

/// How many times the candidates the axis may be as long before sorting them is faster than going along it.
const DENSE: usize = 16;

impl Stumps {
    /// Works out one side: `ones[k][h]` is the weight of class k where column h is 1, `total` that of all rows.
    ///
    /// Points that no window finds useful even with no errors on the other side, or that lie above the line, are left out.
    /// Of trees with equal errors
    /// a leaf is taken before a split, and the split of the lower column first.
    pub fn list(
        &mut self,
        side: usize,
        ones: [&[u32]; 2],
        total: [u32; 2],
        columns: &[u32],
        least: u32,
        windows: &[Window],
        line: Option<Line>,
    ) {
        let below = |x: u32, y: u32| line.is_none_or(|line| line.a * x as i32 + line.b * y as i32 <= line.most);
        let useful = |x: u32, y: u32| below(x, y) && windows.iter().any(|window| window.useful(x, y));
        let key = |x: u32, y: u32| u64::from(x) << 32 | u64::from(y);
        self.candidates.clear();
        let leaves = [(0, total[1], Stump::leaf(0)), (total[0], 0, Stump::leaf(1))];
        let steps = &mut self.leaf_steps[side];
        steps.clear();
        for (x, y, stump) in leaves {
            if steps.is_empty() || y < total[1] {
                steps.push(Step { x, y, stump });
            }
            self.candidates.push((key(x, y), 0, stump));
        }
        let all = total[0] + total[1];
        for ((rank, &column), (&n, &p)) in (1..).zip(columns).zip(ones[0].iter().zip(ones[1])) {
            if n + p < least || all - n - p < least {
                continue;
            }
            // One predicts class 1 where the column is 1, the other where it is 0.
            if useful(n, total[1] - p) {
                self.candidates.push((key(n, total[1] - p), rank, Stump::split(column, 1)));
            }
            if useful(total[0] - n, p) {
                self.candidates.push((key(total[0] - n, p), rank, Stump::split(column, 0)));
            }
        }
        let steps = &mut self.sides[side];
        steps.clear();
        let mut best = u32::MAX;
        let mut lower = |x: u32, y: u32, stump: Stump| {
            if y < best {
                best = y;
                steps.push(Step { x, y, stump });
            }
        };
        if total[0] as usize > DENSE * self.candidates.len() {
            self.candidates.sort_unstable();
            self.candidates.iter().for_each(|&(key, _, stump)| lower((key >> 32) as u32, key as u32, stump));
        } else {
            // The axis is short: the best candidate of each x, without sorting.
            self.least.clear();
            self.least.resize(total[0] as usize + 1, u64::MAX);
            for (at, &(key, _, _)) in self.candidates.iter().enumerate() {
                // Candidates come in the order of their ranks, so that the earlier one wins a tie.
                let least = &mut self.least[(key >> 32) as usize];
                *least = (*least).min(key << 32 | at as u64);
            }
            for (x, &least) in self.least.iter().enumerate().filter(|(_, least)| **least != u64::MAX) {
                lower(x as u32, (least >> 32) as u32, self.candidates[least as u32 as usize].2);
            }
        }
    }

    /// The front of depth one of a side.
    pub fn all(&self, side: usize) -> &[Step] {
        &self.sides[side]
    }

    /// The leaves of a side.
    pub fn leaves(&self, side: usize) -> &[Step] {
        &self.leaf_steps[side]
    }
}

/// The front of depth one of all rows, straight from the columns: what a limit leaves of the largest data.
pub fn front(ground: &Ground, limits: &mut Limits) -> Result<Front, Stopped> {
    let data = &ground.data;
    let planes = data.planes();
    let mut ones = [Vec::new(), Vec::new()];
    for column in &data.columns {
        limits.check()?;
        ones.iter_mut().for_each(|ones| ones.push(0));
        for (class, shift, plane) in &planes {
            let count = (kernel::common(ground.machine, column, plane) << shift) as u32;
            *ones[*class].last_mut().expect("just pushed") += count;
        }
    }
    let columns: Vec<u32> = (0..data.columns.len() as u32).collect();
    let (mut window, mut front) = (Window::everything(data.total), Front::new());
    let mut stumps = Stumps::default();
    let windows = std::slice::from_ref(&window);
    stumps.list(0, [&ones[0], &ones[1]], data.total, &columns, ground.least, windows, None);
    for step in stumps.all(0) {
        offer(&mut front, &mut window, &Point { x: step.x, y: step.y, tree: Tree::Twig(Twig::stump(step.stump)) });
    }
    Ok(front)
}
