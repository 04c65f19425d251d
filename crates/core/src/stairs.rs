//! Rule "staircases": lower bounds that are not convex, for fronts on which half-planes cut nothing.
//!
//! Where class 0 is small, the whole staircase of a side of a split (for each x the least y) is a handful of numbers. That
//! of a solved side bounds the sides of all other splits of the block: a tree for Y with errors (x, y), used on the solved
//! X, errs at most (x + |X∖Y|₀, y + |X∖Y|₁) there, hence `y ≥ stairs(X)[x + |X∖Y|₀] - |X∖Y|₁`. Rule (D) for staircases in
//! place of half-planes; like it, only without a least leaf size. A split is closed when no sum of its two staircases is
//! useful. A block begins with this only after several of its splits were opened for nothing, since it costs more.

use crate::block::Block;
use crate::bound::Table;
use crate::directions::Directions;
use crate::kernel::{Count, MOST_STEPS};
use crate::staircase::Window;

/// Staircases under both sides of every split of a block: `[(side * length + x) * width + split]`.
pub struct Stairs {
    length: usize,
    width: usize,
    least: Vec<u16>,
}

/// Splits that were opened for nothing before a block begins with staircases.
pub const PATIENCE: usize = 3;

impl Stairs {
    /// What the half-planes of a table say; `None` where the axis is too long or y does not fit into 16 bits.
    pub fn new<C: Count>(block: &Block<C>, windows: &[Window], table: &Table, directions: &Directions) -> Option<Self> {
        let length = windows.iter().map(|window| window.limits().len()).max().unwrap_or(0);
        if length == 0 || length > MOST_STEPS || block.total.iter().any(|&total| total > u32::from(u16::MAX)) {
            return None;
        }
        let (width, k) = (block.width, directions.len());
        let mut stairs = Stairs { length, width, least: vec![0; 2 * length * width] };
        for split in 0..block.len() {
            for (side, low) in table.get(split).iter().enumerate() {
                // The last layer has the most nodes, so that its half-planes lie under those of the others.
                let values = &low[low.len() - k..];
                for x in 0..length {
                    let above = |(&value, (a, b)): (&i32, (i32, i32))| (value - a * x as i32 + b - 1).max(0) / b;
                    let least = values.iter().zip(directions.iter()).map(above).max().unwrap_or(0);
                    stairs.least[(side * length + x) * width + split] = least as u16;
                }
            }
        }
        Some(stairs)
    }

    /// Number of steps.
    pub fn length(&self) -> usize {
        self.length
    }

    /// What is known of one side of a split: for each x the least y.
    pub fn of(&self, split: usize, side: bool) -> Vec<u16> {
        let from = usize::from(side) * self.length;
        (from..from + self.length).map(|line| self.least[line * self.width + split]).collect()
    }

    /// Whether some sum of the two sides of a split is useful.
    pub fn survive(&self, split: usize, windows: &[Window]) -> bool {
        let line = |side: usize, x: usize| u32::from(self.least[(side * self.length + x) * self.width + split]);
        windows.iter().any(|window| {
            let limits = window.limits();
            (0..limits.len()).any(|zero| {
                let left = line(0, zero);
                (0..limits.len() - zero).any(|one| left + line(1, one) < limits[zero + one])
            })
        })
    }

    /// Enters the staircases of both sides of a solved split, and what they prove of all other splits.
    pub fn learn<C: Count>(&mut self, block: &Block<C>, from: usize, solved: &[Vec<u16>; 2]) {
        for side in [0, 1] {
            // Beyond the length nothing is known, unless the set has no more rows of class 0.
            let rows = block.child_total(from, side == 1)[0] as usize;
            let known = |x: usize| match solved[side].get(x.min(rows)) {
                Some(&y) => y,
                None => 0,
            };
            let beyond: Vec<u16> = (0..2 * MOST_STEPS).map(known).collect();
            for split in 0..block.len() {
                for target in [0, 1] {
                    let [dx, dy] = [0, 1].map(|class| self.difference(block, class, (from, side), (split, target)));
                    if dx as usize >= MOST_STEPS {
                        continue;
                    }
                    let dy = dy.min(u32::from(u16::MAX)) as u16;
                    for x in 0..self.length {
                        let least = &mut self.least[(target * self.length + x) * self.width + split];
                        *least = (*least).max(beyond[x + dx as usize].saturating_sub(dy));
                    }
                }
            }
        }
    }

    /// Weight of a class in one side of a split and not in one side of another.
    fn difference<C: Count>(&self, block: &Block<C>, class: usize, from: (usize, usize), to: (usize, usize)) -> u32 {
        let both = block.pairs[class][from.0 * block.width + to.0].get();
        let (one, other) = (block.ones[class][from.0], block.ones[class][to.0]);
        match (from.1, to.1) {
            (1, 1) => one - both,
            (1, _) => both,
            (_, 1) => block.total[class] - one - other + both,
            _ => other - both,
        }
    }
}
