//! Lower bounds of blocks in all directions, and of both sides of their splits, worked out no further than is of use.

use crate::block::Block;
use crate::bound::{self, Corners, Low, Table, UNBOUNDED};
use crate::cache::Bounded;
use crate::kernel::Count;
use crate::limits::Stopped;
use crate::rules::Rule;
use crate::staircase::Window;
use crate::worker::{Known, Worker, frame};
use std::sync::Arc;

/// Corners that are close to what a direction proves count for its cap.
const SLACK: f64 = 1.05;

impl<C: Count> Worker<'_, '_, C> {
    /// Half-planes under the front of a block, good up to the caps, and the lows of its splits on the way.
    ///
    /// Contract: `low` is a lower bound whatever the caps; where it is below its cap it is the least sum over all
    /// splits of what was proven of their sides.
    pub fn bounds(&mut self, block: Block<C>, depth: u32, caps: &[i32]) -> Result<(Known<C>, Arc<Bounded>), Stopped> {
        let mut known = self.unknown(block, depth);
        let pass = self.pass;
        let layers = pass.budget.layers(depth);
        let leaf = bound::leaf(known.block.total, layers, &pass.directions);
        let k = pass.directions.len();
        let mut best = leaf.clone();
        if self.from_pairs(depth) {
            let low = self.two.low_of_all(&frame(pass, &known), &mut self.limits)?;
            best = low;
        } else if depth == 1 {
            self.bound_stumps(&known.block, &mut best);
        } else if depth > 1 && k > 0 {
            for split in self.order(&known.block) {
                if let Some(rule) = self.closed(&known.table, split, depth, &best, caps) {
                    self.fired(rule);
                    continue;
                }
                let lows = self.child_lows(&known, split, depth, caps)?;
                self.learn(&mut known.table, &known.block, split, &lows);
                for (at, best) in best.iter_mut().enumerate() {
                    *best = (*best).min(known.table.least(split, pass.budget.pairs(depth, at / k), at % k));
                }
            }
            known.low = leaf;
            for (at, low) in known.low.iter_mut().enumerate() {
                let pairs = pass.budget.pairs(depth, at / k);
                let all = (0..known.block.len()).map(|split| known.table.least(split, pairs, at % k));
                *low = all.fold(*low, i32::min);
            }
        }
        let searched = depth > 1 && !self.from_pairs(depth);
        if !searched || k == 0 {
            known.low.clone_from(&best);
        }
        // A low below its cap is attained: no split that was passed over could be better, and the sides of the best
        // split were below their own caps. Where the sides came from pair counts they are optima in any case.
        let sides_exact = !searched || self.from_pairs(depth - 1);
        let attained = known.low.iter().zip(&best).zip(caps);
        let exact = attained.map(|((low, best), cap)| low == best && (sides_exact || low < cap)).collect();
        let bounded = Arc::new(Bounded { low: known.low.clone(), caps: caps.to_vec(), exact });
        pass.cache.put_bounded(known.block.name, depth, bounded.clone());
        Ok((known, bounded))
    }

    fn bound_stumps(&self, block: &Block<C>, best: &mut [i32]) {
        let k = self.pass.directions.len();
        let leaf = bound::leaf(block.total, 1, &self.pass.directions);
        for (layer, best) in best.chunks_mut(k.max(1)).enumerate() {
            if self.pass.budget.pairs(1, layer).is_empty() {
                continue;
            }
            for split in 0..block.len() {
                let sides =
                    [false, true].map(|side| bound::leaf(block.child_total(split, side), 1, &self.pass.directions));
                for (k, best) in best.iter_mut().enumerate() {
                    *best = (*best).min(leaf[k]).min(sides[0][k] + sides[1][k]);
                }
            }
        }
    }

    /// The rule, if any, by which a split cannot lower the best bounds so far, or not by anything that the caps can use.
    fn closed(&self, table: &Table, split: usize, depth: u32, best: &[i32], caps: &[i32]) -> Option<Rule> {
        let (pass, bounded) = (self.pass, self.on(Rule::BoundedBounds));
        let k = pass.directions.len();
        let mut rule = Rule::Similarity;
        for (at, (&best, &cap)) in best.iter().zip(caps).enumerate() {
            let sum = table.least(split, pass.budget.pairs(depth, at / k), at % k);
            if sum < best {
                if !bounded || sum < cap {
                    return None;
                }
                rule = Rule::BoundedBounds;
            }
        }
        Some(rule)
    }

    /// Enters the lows of a split, and what follows from them for the other splits.
    pub fn learn(&self, table: &mut Table, block: &Block<C>, split: usize, lows: &[Low; 2]) {
        table.set(split, lows);
        if self.similar(Rule::Similarity) {
            let (directions, machine) = (&self.pass.directions, self.pass.ground.machine);
            table.raise_similar(block, split, lows, directions, machine);
        }
    }

    /// The lows of both sides of a split, from memory or worked out.
    pub fn child_lows(
        &mut self,
        known: &Known<C>,
        split: usize,
        depth: u32,
        caps: &[i32],
    ) -> Result<[Low; 2], Stopped> {
        if self.from_pairs(depth - 1) {
            return self.pair_lows(known, split);
        }
        let mut lows = known.table.get(split);
        for side in self.sides(&known.block, split) {
            self.raise_child(&known.block, split, side, depth, caps, &mut lows)?;
        }
        Ok(lows)
    }

    /// Works out the lows of one side as far as the caps need; returns its block if it was built.
    pub fn raise_child(
        &mut self,
        block: &Block<C>,
        split: usize,
        side: bool,
        depth: u32,
        caps: &[i32],
        lows: &mut [Low; 2],
    ) -> Result<Option<Known<C>>, Stopped> {
        let pass = self.pass;
        let k = pass.directions.len();
        if k == 0 {
            return Ok(None);
        }
        let caps = bound::caps_below(caps, &lows[usize::from(!side)], !side, pass.budget, depth, k);
        let own = usize::from(side);
        let raise = |lows: &mut [Low; 2], low: &[i32]| {
            lows[own].iter_mut().zip(low).for_each(|(own, low)| *own = (*own).max(*low));
        };
        let name = block.child_names(split, pass.ground)[own];
        if let Some(bounded) = pass.cache.bounded(name, depth - 1) {
            raise(lows, &bounded.low);
            if bounded.suffices(&caps) {
                self.fired(Rule::Cache);
                return Ok(None);
            }
        }
        if self.on(Rule::BoundedBounds) && lows[own].iter().zip(&caps).all(|(low, cap)| low >= cap) {
            self.fired(Rule::BoundedBounds);
            return Ok(None);
        }
        let child = self.child(block, (split, side))?;
        let (known, bounded) = self.bounds(child, depth - 1, &caps)?;
        raise(lows, &bounded.low);
        Ok(Some(known))
    }

    fn pair_lows(&mut self, known: &Known<C>, split: usize) -> Result<[Low; 2], Stopped> {
        let pass = self.pass;
        let length = pass.budget.layers(2) * pass.directions.len();
        let names = if self.on(Rule::Cache) { known.block.child_names(split, pass.ground) } else { Default::default() };
        let mut lows = [Vec::with_capacity(length), Vec::with_capacity(length)];
        let [zero, one] = &mut lows;
        if pass.cache.lows(names[0], length, zero) && pass.cache.lows(names[1], length, one) {
            self.fired(Rule::Cache);
            return Ok(lows);
        }
        let lows = self.solve_pair(known, split, false)?;
        pass.cache.put_lows(names[0], &lows[0]);
        pass.cache.put_lows(names[1], &lows[1]);
        Ok(lows)
    }

    pub fn solve_pair(&mut self, known: &Known<C>, split: usize, keep: bool) -> Result<[Low; 2], Stopped> {
        self.stats.pairs += 1;
        self.stats.rules[Rule::DepthTwo as usize] += 2;
        self.stats.rules[Rule::HalfPlanes as usize] += if self.pass.directions.is_empty() { 0 } else { 2 };
        self.two.lows(&frame(self.pass, known), split, keep, &mut self.scratch, &mut self.limits)
    }

    pub fn caps(&self, corners: &[Corners], windows: &[Window]) -> Low {
        let k = self.pass.directions.len();
        if !self.on(Rule::BoundedBounds) || !self.on(Rule::Lookahead) {
            return vec![UNBOUNDED; k * windows.len()];
        }
        corners.iter().flat_map(|corners| if corners.is_empty() { vec![0; k] } else { corners.caps(SLACK) }).collect()
    }

    /// A block with its table, where the lows of the block alone came from memory.
    pub fn worked_out(&mut self, block: Block<C>, depth: u32, windows: &[Window]) -> Result<Known<C>, Stopped> {
        if depth < 3 || self.pass.directions.is_empty() {
            return Ok(self.unknown(block, depth));
        }
        let corners: Vec<Corners> = windows.iter().map(|window| Corners::new(window, &self.pass.directions)).collect();
        let caps = self.caps(&corners, windows);
        Ok(self.bounds(block, depth, &caps)?.0)
    }
}
