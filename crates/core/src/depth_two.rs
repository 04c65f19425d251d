//! Trees of depth two from counts of pairs: lower bounds in all directions at once, both sides of a split together.
//!
//! Pairs are counted on the lighter side; the heavier side is the block less the lighter one. Guarantee: lows and
//! staircases are the optima of trees of depth two without a leaf size, so they bound those with one.

use crate::block::{Block, Ground, Scratch};
use crate::bound::Low;
use crate::budget::Budget;
use crate::directions::Directions;
use crate::kernel::{self, Best, Buffer, Count, Element, Evaluate, Job, Machine, Pairs, Side, Sums};
use crate::limits::{Limits, Stopped};

/// Differences `b·p - a·n` of all pairs of columns of a block, direction by direction.
pub struct Weighed(Vec<Square>);

/// 16 bits where all sums of a direction fit into them: twice as many lanes.
enum Square {
    Narrow(Differences<i16>),
    Wide(Differences<i32>),
}

/// d of all pairs, and of each column.
struct Differences<E> {
    pairs: Buffer<E>,
    ones: Buffer<E>,
}

impl<E: Element> Differences<E> {
    fn new<C: Count>(block: &Block<C>, (a, b): (i32, i32), machine: Machine) -> Self {
        let (columns, width) = (block.len(), block.width);
        let mut pairs = Buffer::zeroed(columns * width);
        let [n, p] = [0, 1].map(|class: usize| &block.pairs[class][..columns * width]);
        kernel::differences(machine, p, n, a, b, &mut pairs);
        let mut ones = Buffer::zeroed(width);
        for (h, one) in ones.iter_mut().enumerate().take(columns) {
            *one = pairs[h * width + h];
        }
        Differences { pairs, ones }
    }
}

impl Weighed {
    pub fn new<C: Count>(block: &Block<C>, directions: &Directions, machine: Machine) -> Self {
        let squares = directions.iter().map(|(a, b)| {
            let most = i64::from(a) * i64::from(block.total[0]) + i64::from(b) * i64::from(block.total[1]);
            if most <= i16::MOST && C::MOST <= u64::from(u16::MAX) {
                Square::Narrow(Differences::new(block, (a, b), machine))
            } else {
                Square::Wide(Differences::new(block, (a, b), machine))
            }
        });
        Weighed(squares.collect())
    }
}

/// Buffers for lanes of one kind: d of the columns where a split is 1 and where it is 0, and the sums of both sides.
#[derive(Default)]
struct Lines<E> {
    ones: [Buffer<E>; 2],
    sums: [Buffer<E>; 4],
}

/// Columns beyond which one direction takes long enough to ask the limits.
const WIDE: usize = 1000;

/// Which rows are looked at: those of a block, or one side of a split of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    All,
    Side(usize, bool),
}

/// One worker's view of a split at depth two.
pub struct DepthTwo<C> {
    /// Pair counts of the lighter side of the split looked at last.
    pub counts: [Buffer<C>; 2],
    narrow: Lines<i16>,
    wide: Lines<i32>,
    /// Greatest sums of |d| for each first split: `[((k * 2 + heavier) * 2 + without) * width + split]`.
    sums: Vec<i32>,
}

impl<C: Count> Default for DepthTwo<C> {
    fn default() -> Self {
        DepthTwo {
            counts: [Buffer::zeroed(0), Buffer::zeroed(0)],
            narrow: Lines::default(),
            wide: Lines::default(),
            sums: Vec::new(),
        }
    }
}

/// What stays the same while a block is searched at depth two.
pub struct Frame<'a, C> {
    pub ground: &'a Ground,
    pub block: &'a Block<C>,
    pub weighed: &'a Weighed,
    pub directions: &'a Directions,
    pub budget: &'a Budget,
}

impl<C: Count> Frame<'_, C> {
    /// Lows from the greatest sums of |d|.
    fn low(&self, total: [u32; 2], best: &[Best]) -> Low {
        let layers = self.budget.depth_two();
        let value = |nodes: usize, ((a, b), best): ((i32, i32), &Best)| {
            (a * total[0] as i32 + b * total[1] as i32 - best[nodes]) / 2
        };
        layers.flat_map(|nodes| self.directions.iter().zip(best).map(move |one| value(nodes, one))).collect()
    }
}

impl<C: Count> DepthTwo<C> {
    /// Counts and bounds both sides of a split. With `keep` what `fronts` needs is kept.
    pub fn lows(
        &mut self,
        frame: &Frame<C>,
        column: usize,
        keep: bool,
        scratch: &mut Scratch,
        limits: &mut Limits,
    ) -> Result<[Low; 2], Stopped> {
        let Frame { ground, block, .. } = *frame;
        limits.check()?;
        let lighter = block.one_is_lighter(column);
        block.count_side((column, lighter), ground.machine, scratch, &mut self.counts, limits)?;
        let mut best = [Vec::new(), Vec::new()];
        self.sums.clear();
        for k in 0..frame.directions.len() {
            if block.len() > WIDE {
                limits.check()?;
            }
            let pair = match &frame.weighed.0[k] {
                Square::Narrow(square) => {
                    let pair = both_sides(&mut self.narrow, frame, square, &self.counts, (k, column, lighter));
                    widen(&self.narrow, keep, &mut self.sums);
                    pair
                }
                Square::Wide(square) => {
                    let pair = both_sides(&mut self.wide, frame, square, &self.counts, (k, column, lighter));
                    widen(&self.wide, keep, &mut self.sums);
                    pair
                }
            };
            best[0].push(pair[0]);
            best[1].push(pair[1]);
        }
        let mut lows = [false, true].map(|side| {
            let own = usize::from(side != lighter);
            frame.low(block.child_total(column, side), &best[own])
        });
        if lows[0].is_empty() {
            lows = [Vec::new(), Vec::new()];
        }
        Ok(lows)
    }

    /// The exact staircases of both sides of a split, without a leaf size, up to `length` steps; `lows` of this split has
    /// to be the last call.
    pub fn staircases(&mut self, frame: &Frame<C>, column: usize, length: usize) -> [Vec<u16>; 2] {
        let Frame { block, ground, .. } = *frame;
        let lighter = block.one_is_lighter(column);
        [false, true].map(|side| {
            let ones = [0, 1].map(|class| {
                let one = |h| if h < block.len() { block.child_one(class, column, side, h) as u16 } else { 0 };
                (0..block.width).map(one).collect::<Vec<u16>>()
            });
            let pairs = Pairs {
                counted: [&self.counts[0], &self.counts[1]],
                parent: (side != lighter).then_some([&block.pairs[0], &block.pairs[1]]),
                columns: block.len(),
                width: block.width,
                ones: [&ones[0], &ones[1]],
                total: block.child_total(column, side).map(|total| total as u16),
            };
            let mut out = vec![0; length];
            kernel::staircase(ground.machine, &pairs, &mut out);
            out
        })
    }

    /// Bounds the whole block, for `fronts` of `Part::All`.
    pub fn low_of_all(&mut self, frame: &Frame<C>, limits: &mut Limits) -> Result<Low, Stopped> {
        let mut best = Vec::new();
        self.sums.clear();
        for k in 0..frame.directions.len() {
            limits.check()?;
            best.push(match &frame.weighed.0[k] {
                Square::Narrow(square) => {
                    let one = alone(&mut self.narrow, frame, square, k);
                    widen(&self.narrow, true, &mut self.sums);
                    one
                }
                Square::Wide(square) => {
                    let one = alone(&mut self.wide, frame, square, k);
                    widen(&self.wide, true, &mut self.sums);
                    one
                }
            });
        }
        Ok(frame.low(frame.block.total, &best))
    }

    /// Greatest sums of |d| on both sides of a first split.
    pub fn sums_of(&self, frame: &Frame<C>, part: Part, k: usize, split: usize) -> [i32; 2] {
        let heavier = match part {
            Part::All => 0,
            Part::Side(column, side) => usize::from(side != frame.block.one_is_lighter(column)),
        };
        let from = (k * 2 + heavier) * 2;
        [0, 1].map(|without| self.sums[(from + without) * frame.block.width + split])
    }
}

/// Evaluates both sides of a split in one direction: the lighter side first.
fn both_sides<C: Count, E: Evaluate>(
    lines: &mut Lines<E>,
    frame: &Frame<C>,
    square: &Differences<E>,
    counts: &[Buffer<C>; 2],
    (k, column, lighter): (usize, usize, bool),
) -> [Best; 2] {
    let Frame { block, ground, directions, .. } = *frame;
    let (width, (a, b)) = (block.width, directions.get(k));
    lines.ones.iter_mut().chain(&mut lines.sums).for_each(|line| line.reserve(width));
    let (with, without) = lines.ones.split_at_mut(1);
    with[0].copy_from_slice(&square.pairs[column * width..][..width]);
    kernel::subtract(ground.machine, &square.ones, &with[0], &mut without[0]);
    let d = |total: [u32; 2]| E::from_i32(b * total[1] as i32 - a * total[0] as i32);
    let side = |side: bool| Side { one: &lines.ones[usize::from(!side)][..], all: d(block.child_total(column, side)) };
    let (p, n, columns) = (&counts[1][..], &counts[0][..], block.len());
    let (a, b) = (E::from_i32(a), E::from_i32(b));
    let (set, sibling) = (side(lighter), side(!lighter));
    let job = Job { p, n, columns, width, a, b, set, sibling, parent: &square.pairs };
    let [with, without, sibling_with, sibling_without] = &mut lines.sums;
    let mut sums = Sums { with, without };
    let mut sibling = Sums { with: sibling_with, without: sibling_without };
    E::pair(ground.machine, &job, &mut sums, &mut sibling)
}

/// Evaluates all rows of a block in one direction.
fn alone<C: Count, E: Evaluate>(lines: &mut Lines<E>, frame: &Frame<C>, square: &Differences<E>, k: usize) -> Best {
    let Frame { block, ground, directions, .. } = *frame;
    let (width, (a, b)) = (block.width, directions.get(k));
    lines.sums.iter_mut().for_each(|line| line.reserve(width));
    let all = E::from_i32(b * block.total[1] as i32 - a * block.total[0] as i32);
    let side = Side { one: &square.ones[..], all };
    let (p, n, columns) = (&block.pairs[1][..], &block.pairs[0][..], block.len());
    let (a, b) = (E::from_i32(a), E::from_i32(b));
    let job = Job { p, n, columns, width, a, b, set: side, sibling: side, parent: &[] };
    let [with, without, ..] = &mut lines.sums;
    E::alone(ground.machine, &job, &mut Sums { with, without })
}

/// Appends the four lines of sums as 32-bit numbers.
fn widen<E: Element>(lines: &Lines<E>, keep: bool, sums: &mut Vec<i32>) {
    if keep {
        for line in &lines.sums {
            sums.extend(line.iter().map(|sum| sum.to_i32()));
        }
    }
}
