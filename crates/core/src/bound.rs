//! What is proven of splits before they are opened, and which of them that closes.
//!
//! A `Low` holds, for each layer and direction, a value that no tree over some rows stays below: half-planes under its
//! front. A `Table` holds the lows of both sides of every split of a block. Everything here only ever raises bounds that
//! stay true; what follows from weak bounds is more work, never a lost point.

use crate::block::Block;
use crate::budget::Budget;
use crate::directions::Directions;
use crate::kernel::{self, Count, Machine, Shadow};
use crate::staircase::Window;

/// Lower bounds of weighted errors, `[layer * directions + k]`.
pub type Low = Vec<i32>;

/// A bound that nothing reaches.
pub const UNBOUNDED: i32 = i32::MAX / 4;

/// Lows of both sides of every split of a block.
pub struct Table {
    width: usize,
    layers: usize,
    directions: usize,
    values: Vec<i32>,
}

impl Table {
    /// Nothing known: no tree makes fewer than no errors.
    pub fn new(width: usize, layers: usize, directions: usize) -> Self {
        Table { width, layers, directions, values: vec![0; 2 * layers * directions * width] }
    }

    /// What the lows in some directions prove in others.
    pub fn turned(&self, from: &Directions, to: &Directions) -> Self {
        let mut turned = Table::new(self.width, self.layers, to.len());
        for (k, direction) in to.iter().enumerate() {
            let parts = from.parts_of(direction);
            for (side, layer) in (0..2).flat_map(|side| (0..self.layers).map(move |layer| (side, layer))) {
                let line = turned.line(side, layer, k);
                for split in 0..self.width {
                    let low = |at: usize| self.values[self.line(side, layer, at) + split];
                    turned.values[line + split] = parts.low(low);
                }
            }
        }
        turned
    }

    fn line(&self, side: usize, layer: usize, k: usize) -> usize {
        ((side * self.layers + layer) * self.directions + k) * self.width
    }

    /// The lows of both sides of a split.
    pub fn get(&self, split: usize) -> [Low; 2] {
        let lines = self.layers * self.directions;
        [0, lines].map(|from| (from..from + lines).map(|line| self.values[line * self.width + split]).collect())
    }

    pub fn set(&mut self, split: usize, lows: &[Low; 2]) {
        for (line, &value) in lows.iter().flatten().enumerate() {
            self.values[line * self.width + split] = value;
        }
    }

    /// Least sum of the two sides of a split over the ways to share out a layer's nodes.
    pub fn least(&self, split: usize, pairs: &[(usize, usize)], k: usize) -> i32 {
        let value = |side, layer| self.values[self.line(side, layer, k) + split];
        pairs.iter().map(|&(i, j)| value(0, i) + value(1, j)).min().unwrap_or(UNBOUNDED)
    }

    /// Rule (D): raises the lows of all splits by what the solved split `from` proves of theirs.
    ///
    /// Let X be a solved set and Y another. A tree for Y with weighted error e, used on X, errs at most e on X ∩ Y and at
    /// most the weight of X∖Y on the rest; it is no better than the best for X, so e ≥ low(X) - weight(X∖Y). The rows of
    /// Y∖X only add to e. (The printed rule has the difference the other way round.) All four combinations of a side of
    /// `from` and a side of another split follow from the counts of their pair. With a least leaf size above 1 the tree may
    /// not be allowed on X, and low(X) says nothing of it: then the rule is not used.
    pub fn raise_similar<C: Count>(
        &mut self,
        block: &Block<C>,
        from: usize,
        lows: &[Low; 2],
        directions: &Directions,
        machine: Machine,
    ) {
        let row = from * self.width..(from + 1) * self.width;
        for layer in 0..self.layers {
            for (k, (a, b)) in directions.iter().enumerate() {
                let weight = |counts: [u32; 2]| a * counts[0] as i32 + b * counts[1] as i32;
                let (zero, one) = (self.line(0, layer, k), self.line(1, layer, k));
                let (head, tail) = self.values.split_at_mut(one);
                let shadow = Shadow {
                    p_both: &block.pairs[1][row.clone()],
                    n_both: &block.pairs[0][row.clone()],
                    p_one: &block.ones[1],
                    n_one: &block.ones[0],
                    a,
                    b,
                    with: weight([0, 1].map(|class| block.ones[class][from])),
                    all: weight(block.total),
                    low: [0, 1].map(|side: usize| lows[side][layer * self.directions + k]),
                };
                kernel::raise_similar(machine, &shadow, &mut head[zero..zero + self.width], &mut tail[..self.width]);
            }
        }
    }
}

/// Weighted errors of the better leaf, the same for every layer.
pub fn leaf(total: [u32; 2], layers: usize, directions: &Directions) -> Low {
    let one = directions.iter().map(|(a, b)| (a * total[0] as i32).min(b * total[1] as i32));
    one.collect::<Vec<_>>().repeat(layers)
}

/// The corners of a window, weighed in every direction, sixteen together: every useful point dominates or equals one.
pub struct Corners {
    table: Vec<[i32; 16]>,
    directions: usize,
    count: usize,
    /// Changes of the window since the first corners, and at which of them to bring the corners up to date.
    changes: usize,
    next: usize,
}

/// Corners so few that they are brought up to date at every change.
const FEW: usize = 64;

impl Corners {
    pub fn new(window: &Window, directions: &Directions) -> Self {
        let mut corners: Vec<(i32, i32)> = Vec::new();
        for (x, steps) in window.limits().windows(2).enumerate() {
            if steps[0] > steps[1] {
                corners.push((x as i32, steps[0] as i32 - 1));
            }
        }
        if let Some(&last) = window.limits().last() {
            corners.push((window.limits().len() as i32 - 1, last as i32 - 1));
        }
        let mut table = Vec::with_capacity(corners.len().div_ceil(16) * directions.len());
        for sixteen in corners.chunks(16) {
            let mut lanes = [[0; 16]; 2];
            for (lane, &(x, y)) in sixteen.iter().enumerate() {
                (lanes[0][lane], lanes[1][lane]) = (x, y);
            }
            for (a, b) in directions.iter() {
                let mut values: [i32; 16] = std::array::from_fn(|lane| a * lanes[0][lane] + b * lanes[1][lane]);
                values[sixteen.len()..].fill(i32::MIN);
                table.push(values);
            }
        }
        Corners { table, directions: directions.len(), count: corners.len(), changes: 0, next: 1 }
    }

    /// Follows a change of the window; where corners are many, only after twice as many changes as the last time. Corners
    /// that are out of date are of a wider window and close fewer splits.
    pub fn follow(&mut self, window: &Window, directions: &Directions) {
        self.changes += 1;
        if self.changes >= self.next || self.count <= FEW || window.is_empty() {
            let (changes, next) = (self.changes, self.changes * 2);
            *self = Corners { changes, next, ..Corners::new(window, directions) };
        }
    }

    /// The greatest value of a corner in a direction.
    pub fn most(&self, k: usize) -> i32 {
        let lines = self.table.iter().skip(k).step_by(self.directions.max(1));
        lines.flatten().copied().max().unwrap_or(i32::MIN / 4)
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether half-planes at these values leave a corner: if every corner is cut off by one of them, then so is every
    /// useful point, for each of them dominates or equals a corner.
    pub fn survive(&self, least: &[i32], machine: Machine) -> bool {
        if self.directions == 0 {
            return self.count > 0;
        }
        kernel::any_above(machine, &self.table, self.directions, least)
    }

    /// For each direction a value from which on more is of no use: each corner is cut off as soon as one of the
    /// directions that come closest to cutting it off reaches its cap. Rule "bounded_bounds" stops at caps.
    pub fn caps(&self, slack: f64) -> Low {
        let values =
            |k: usize| (0..self.count).map(move |i| f64::from(self.table[i / 16 * self.directions + k][i % 16]) + 1.0);
        let least: Vec<f64> = (0..self.directions).map(|k| values(k).fold(f64::INFINITY, f64::min)).collect();
        let mut caps = vec![0.0_f64; self.directions];
        for i in 0..self.count {
            let value = |k: usize| f64::from(self.table[i / 16 * self.directions + k][i % 16]) + 1.0;
            let closest = (0..self.directions).map(|k| value(k) / least[k]).fold(f64::INFINITY, f64::min);
            for (k, cap) in caps.iter_mut().enumerate() {
                if value(k) / least[k] <= closest * slack {
                    *cap = cap.max(value(k));
                }
            }
        }
        caps.into_iter().map(|cap| cap as i32).collect()
    }
}

/// The caps of one side of a split when the other side has these lows: what the sum needs less what the other side gives.
pub fn caps_below(
    caps: &[i32],
    other: &[i32],
    other_is_one: bool,
    budget: &Budget,
    depth: u32,
    directions: usize,
) -> Low {
    let below = budget.layers(depth - 1);
    let mut out = vec![0; below * directions];
    for layer in 0..budget.layers(depth) {
        for &(zero, one) in budget.pairs(depth, layer) {
            let (own, sibling) = if other_is_one { (zero, one) } else { (one, zero) };
            for k in 0..directions {
                let cap = caps[layer * directions + k];
                let rest = if cap >= UNBOUNDED { UNBOUNDED } else { cap - other[sibling * directions + k] };
                let out = &mut out[own * directions + k];
                *out = (*out).max(rest);
            }
        }
    }
    out
}
