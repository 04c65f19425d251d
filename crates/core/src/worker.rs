//! One worker of a pass: what it shares with the others, its buffers, and the blocks that it builds.

use crate::block::{Block, Ground, Scratch};
use crate::bound::{Low, Table};
use crate::budget::Budget;
use crate::cache::Cache;
use crate::depth_two::{DepthTwo, Frame, Weighed};
use crate::directions::Directions;
use crate::kernel::Count;
use crate::limits::{Limits, Stopped};
use crate::rules::{Rule, Rules};
use crate::stats::Stats;
use crate::twigs::Twigs;
use std::sync::atomic::Ordering::Relaxed;

/// What all workers of a pass share.
pub struct Pass<'a> {
    pub ground: &'a Ground,
    pub budget: &'a Budget,
    pub directions: Directions,
    pub rules: Rules,
    pub cache: &'a Cache,
    /// Position of each column of the data in the order in which splits are tried.
    pub ranks: Vec<u32>,
}

/// One worker: its buffers, its counters, its view of the limits.
pub struct Worker<'p, 'l, C> {
    pub pass: &'p Pass<'p>,
    pub limits: Limits<'l>,
    pub stats: Stats,
    pub scratch: Scratch,
    pub two: DepthTwo<C>,
    pub twigs: Twigs,
}

/// A block with what is known of its splits.
pub struct Known<C> {
    pub block: Block<C>,
    pub weighed: Option<Weighed>,
    pub table: Table,
    pub low: Low,
}

impl<'p, 'l, C: Count> Worker<'p, 'l, C> {
    pub fn new(pass: &'p Pass<'p>, limits: Limits<'l>) -> Self {
        Worker {
            pass,
            limits,
            stats: Stats::default(),
            scratch: Scratch::default(),
            two: DepthTwo::default(),
            twigs: Twigs::default(),
        }
    }

    pub fn on(&self, rule: Rule) -> bool {
        self.pass.rules.on(rule)
    }

    /// Counts that a rule closed something; where it is off, something else made its bound do so.
    pub fn fired(&mut self, rule: Rule) {
        if self.on(rule) {
            self.stats.fired(rule);
        }
    }

    /// Whether a rule is on that uses trees for one set on another, which a least leaf size may forbid.
    pub fn similar(&self, rule: Rule) -> bool {
        self.on(rule) && self.pass.ground.least == 1
    }

    /// Whether trees of this depth are solved from pair counts.
    pub fn from_pairs(&self, depth: u32) -> bool {
        depth == 2 && self.on(Rule::DepthTwo)
    }

    /// The splits of a block in the order in which they are tried: the same for every window.
    pub fn order(&self, block: &Block<C>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..block.len()).collect();
        order.sort_unstable_by_key(|&split| self.pass.ranks[block.columns[split] as usize]);
        order
    }

    /// A block of which nothing is known yet.
    pub fn unknown(&mut self, block: Block<C>, depth: u32) -> Known<C> {
        self.stats.blocks += 1;
        let pass = self.pass;
        let k = pass.directions.len();
        let pairs = self.from_pairs(depth) || self.from_pairs(depth.saturating_sub(1));
        let weighed = pairs.then(|| Weighed::new(&block, &pass.directions, pass.ground.machine));
        let below = pass.budget.layers(depth.saturating_sub(1));
        let table = Table::new(block.width, if depth > 0 { below } else { 0 }, k);
        let low = vec![0; pass.budget.layers(depth) * k];
        Known { block, weighed, table, low }
    }

    /// The block of one side of a split.
    pub fn child(&mut self, block: &Block<C>, split: (usize, bool)) -> Result<Block<C>, Stopped> {
        let child = block.child(split, self.pass.ground, &mut self.scratch, &mut self.limits)?;
        self.stats.rules[Rule::EqualColumns as usize] += child.equal as u64;
        Ok(child)
    }

    /// The sides of a split, the heavier one first.
    pub fn sides(&self, block: &Block<C>, split: usize) -> [bool; 2] {
        let heavier = !block.one_is_lighter(split);
        [heavier, !heavier]
    }

    /// Tells whoever watches how far the search is.
    pub fn report(&self, points: usize) {
        self.limits.signals.points.store(points, Relaxed);
        if self.limits.signals.forget.swap(false, Relaxed) {
            self.pass.cache.forget();
        }
    }
}

/// What depth two needs of a block whose sides are solved from pair counts.
pub fn frame<'b, C>(pass: &'b Pass, known: &'b Known<C>) -> Frame<'b, C> {
    let weighed = known.weighed.as_ref().expect("blocks whose sides have depth two are weighed");
    let Pass { ground, budget, directions, .. } = pass;
    Frame { ground, block: &known.block, weighed, directions, budget }
}
