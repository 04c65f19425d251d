//! The recursion: which points of a block are useful, and what bounds the ones that were not looked at.
//!
//! `bounds` gives half-planes under the front of a block, `fronts` the points that windows leave useful, `open` does for
//! one split what `fronts` does for all. Each is exact in the sense of its contract; what a limit interrupts returns
//! `Stopped` and leaves no trace. For each point the tree is that of the first split, in the order of `Ranks`, that
//! attains it, and of the pair of points that leaves the side 0 the fewest errors of class 0; windows and caches decide
//! which points are looked at but not which tree a point gets, so every run and every thread finds the same trees.

use crate::block::{Block, Ground, Scratch};
use crate::bound::{self, Corners, Low, Table, UNBOUNDED};
use crate::budget::Budget;
use crate::cache::{Bounded, Cache, Search};
use crate::depth_two::{DepthTwo, Frame, Part, Weighed};
use crate::directions::Directions;
use crate::kernel::Count;
use crate::limits::{Limits, Stopped};
use crate::rules::{Rule, Rules};
use crate::staircase::{Floor, Front, Point, Window, insert};
use crate::stairs::{PATIENCE, Stairs};
use crate::stats::Stats;
use crate::stumps::Stumps;
use crate::tree::{Tree, Twig};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// What all workers of a pass share.
pub struct Pass<'a> {
    pub ground: &'a Ground<'a>,
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
}

/// A block with what is known of its splits.
pub struct Known<C> {
    pub block: Block<C>,
    pub weighed: Option<Weighed>,
    pub table: Table,
    pub low: Low,
}

/// What came of opening a split.
pub enum Opened {
    /// Bounds closed it.
    Closed,
    /// A side was searched and has nothing useful.
    Nothing,
    /// Useful points, for each layer.
    Found(Vec<Front>),
}

/// Corners that are close to what a direction proves count for its cap.
const SLACK: f64 = 1.05;
/// Steps of a floor beyond which neighbours are joined.
const STEPS: usize = 256;

impl<'p, 'l, C: Count> Worker<'p, 'l, C> {
    pub fn new(pass: &'p Pass<'p>, limits: Limits<'l>) -> Self {
        Worker { pass, limits, stats: Stats::default(), scratch: Scratch::default(), two: DepthTwo::default() }
    }

    fn on(&self, rule: Rule) -> bool {
        self.pass.rules.on(rule)
    }

    /// Whether a rule is on that uses trees for one set on another, which a least leaf size may forbid.
    fn similar(&self, rule: Rule) -> bool {
        self.on(rule) && self.pass.ground.least == 1
    }

    /// Whether trees of this depth are solved from pair counts.
    fn from_pairs(&self, depth: u32) -> bool {
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
    fn child(&mut self, block: &Block<C>, split: (usize, bool)) -> Result<Block<C>, Stopped> {
        let child = block.child(split, self.pass.ground, &mut self.scratch, &mut self.limits)?;
        self.stats.rules[Rule::EqualColumns as usize] += child.equal as u64;
        Ok(child)
    }

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
                    self.stats.fired(rule);
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
    fn child_lows(&mut self, known: &Known<C>, split: usize, depth: u32, caps: &[i32]) -> Result<[Low; 2], Stopped> {
        if self.from_pairs(depth - 1) {
            return self.pair_lows(known, split);
        }
        let mut lows = known.table.get(split);
        for side in self.sides(&known.block, split) {
            self.raise_child(&known.block, split, side, depth, caps, &mut lows)?;
        }
        Ok(lows)
    }

    /// The sides of a split, the heavier one first.
    fn sides(&self, block: &Block<C>, split: usize) -> [bool; 2] {
        let heavier = !block.one_is_lighter(split);
        [heavier, !heavier]
    }

    /// Works out the lows of one side as far as the caps need; returns its block if it was built.
    fn raise_child(
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
                self.stats.fired(Rule::Cache);
                return Ok(None);
            }
        }
        if self.on(Rule::BoundedBounds) && lows[own].iter().zip(&caps).all(|(low, cap)| low >= cap) {
            self.stats.fired(Rule::BoundedBounds);
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
            self.stats.fired(Rule::Cache);
            return Ok(lows);
        }
        let lows = self.solve_pair(known, split, false)?;
        pass.cache.put_lows(names[0], &lows[0]);
        pass.cache.put_lows(names[1], &lows[1]);
        Ok(lows)
    }

    fn solve_pair(&mut self, known: &Known<C>, split: usize, keep: bool) -> Result<[Low; 2], Stopped> {
        self.stats.pairs += 1;
        self.stats.rules[Rule::DepthTwo as usize] += 2;
        self.stats.rules[Rule::HalfPlanes as usize] += if self.pass.directions.is_empty() { 0 } else { 2 };
        self.two.lows(&frame(self.pass, known), split, keep, &mut self.scratch, &mut self.limits)
    }

    /// The points of a block that its windows, one for each layer, leave useful. Contract 1.
    pub fn fronts(&mut self, known: &mut Known<C>, depth: u32, windows: &[Window]) -> Result<Vec<Front>, Stopped> {
        self.stats.fronts += 1;
        let pass = self.pass;
        if self.from_pairs(depth) {
            let frame = frame(pass, known);
            self.two.low_of_all(&frame, &mut self.limits)?;
            return self.two.fronts(&frame, Part::All, windows, &mut self.limits);
        }
        let mut open: Vec<Window> = windows.to_vec();
        let mut fronts = vec![Front::new(); windows.len()];
        let block = &known.block;
        let leaves = [(block.total[0], 0, Tree::leaf(1)), (0, block.total[1], Tree::leaf(0))];
        for (x, y, tree) in leaves {
            let point = Point { x, y, tree };
            for (window, front) in open.iter_mut().zip(&mut fronts) {
                offer(front, window, &point);
            }
        }
        if depth == 1 {
            self.stumps(block, &mut open, &mut fronts);
            return Ok(fronts);
        }
        let mut corners: Vec<Corners> = open.iter().map(|window| Corners::new(window, &pass.directions)).collect();
        let (mut stairs, mut fruitless) = (None, 0);
        for split in if depth > 1 { self.order(block) } else { Vec::new() } {
            if open.iter().all(Window::is_empty) {
                break;
            }
            let before = known.table.get(split);
            let mut lows = before.clone();
            let found = match self.open(known, split, depth, &mut lows, &open, &corners, stairs.as_mut())? {
                Opened::Closed => Vec::new(),
                Opened::Found(found) => found,
                Opened::Nothing => {
                    fruitless += 1;
                    if fruitless == PATIENCE && self.from_pairs(depth - 1) && self.similar(Rule::Staircases) {
                        stairs = Stairs::new(&known.block, &open, &known.table, &pass.directions);
                    }
                    Vec::new()
                }
            };
            if lows != before {
                self.learn(&mut known.table, &known.block, split, &lows);
            }
            for (layer, found) in found.iter().enumerate() {
                let mut changed = vec![false; open.len()];
                for point in found {
                    for above in layer..open.len() {
                        changed[above] |= offer(&mut fronts[above], &mut open[above], point);
                    }
                }
                for (above, _) in changed.iter().enumerate().filter(|(_, changed)| **changed) {
                    corners[above] = Corners::new(&open[above], &pass.directions);
                }
            }
        }
        self.stats.fruitful += u64::from(fronts.iter().any(|front| !front.is_empty()));
        Ok(fronts)
    }

    /// Depth one without pair counts.
    fn stumps(&self, block: &Block<C>, windows: &mut [Window], fronts: &mut [Front]) {
        let mut stumps = Stumps::default();
        let ones = [0, 1].map(|class: usize| &block.ones[class][..block.len()]);
        stumps.list(0, ones, block.total, &block.columns, self.pass.ground.least, windows);
        for (layer, (window, front)) in windows.iter_mut().zip(fronts).enumerate() {
            if self.pass.budget.pairs(1, layer).is_empty() {
                continue;
            }
            for step in stumps.all(0) {
                let tree = Tree::Twig(Twig::stump(step.stump));
                offer(front, window, &Point { x: step.x, y: step.y, tree });
            }
        }
    }

    /// The useful points of the trees with this split at the root, for each layer. `lows` are raised to what is proven.
    pub fn open(
        &mut self,
        known: &Known<C>,
        split: usize,
        depth: u32,
        lows: &mut [Low; 2],
        windows: &[Window],
        corners: &[Corners],
        stairs: Option<&mut Stairs>,
    ) -> Result<Opened, Stopped> {
        self.limits.check()?;
        if self.alive(depth, lows, windows, corners).is_empty() {
            self.stats.fired(Rule::Similarity);
            return Ok(Opened::Closed);
        }
        if stairs.as_ref().is_some_and(|stairs| !stairs.survive(split, windows)) {
            self.stats.fired(Rule::Staircases);
            return Ok(Opened::Closed);
        }
        let mut children = [None, None];
        if self.from_pairs(depth - 1) {
            *lows = self.solve_pair(known, split, true)?;
        } else {
            let caps = self.caps(corners, windows);
            for side in self.sides(&known.block, split) {
                children[usize::from(side)] = self.raise_child(&known.block, split, side, depth, &caps, lows)?;
            }
        }
        let alive = self.alive(depth, lows, windows, corners);
        if alive.is_empty() {
            self.stats.fired(Rule::Lookahead);
            return Ok(Opened::Closed);
        }
        if let Some(stairs) = stairs {
            let solved = self.two.staircases(&frame(self.pass, known), split, stairs.length());
            stairs.learn(&known.block, split, &solved);
            if !stairs.survive(split, windows) {
                self.stats.fired(Rule::Staircases);
                return Ok(Opened::Closed);
            }
        }
        self.sums(known, split, depth, &mut children, lows, windows, &alive)
    }

    /// The useful sums of both sides of a split whose bounds leave something open: the heavier side first, in windows that
    /// the floors of the lighter side leave; then the lighter side beside the points found.
    fn sums(
        &mut self,
        known: &Known<C>,
        split: usize,
        depth: u32,
        children: &mut [Option<Known<C>>; 2],
        lows: &[Low; 2],
        windows: &[Window],
        alive: &[(usize, usize, usize)],
    ) -> Result<Opened, Stopped> {
        let [first, second] = self.sides(&known.block, split);
        let floors = self.floors(known, (split, second), depth - 1, &lows[usize::from(second)]);
        let asked = self.windows(known, (split, first), depth, windows, alive, &floors);
        let first_fronts = self.side(known, (split, first), depth - 1, children, &asked)?;
        if first_fronts.iter().all(Front::is_empty) {
            self.stats.fired(Rule::UpperBounds);
            return Ok(Opened::Nothing);
        }
        let points: Vec<Vec<(u32, u32)>> =
            first_fronts.iter().map(|front| front.iter().map(|point| (point.x, point.y)).collect()).collect();
        let asked = self.windows(known, (split, second), depth, windows, alive, &points);
        let second_fronts = self.side(known, (split, second), depth - 1, children, &asked)?;
        let (zero, one) = if first { (&second_fronts, &first_fronts) } else { (&first_fronts, &second_fronts) };
        Ok(Opened::Found(combine(known.block.columns[split], zero, one, windows, alive)))
    }

    /// Rule (C): the layers, and ways to share out their nodes, of which the lows of both sides leave a corner.
    fn alive(
        &self,
        depth: u32,
        lows: &[Low; 2],
        windows: &[Window],
        corners: &[Corners],
    ) -> Vec<(usize, usize, usize)> {
        let pass = self.pass;
        let k = pass.directions.len();
        let mut alive = Vec::new();
        let mut least = vec![0; k];
        for (layer, window) in windows.iter().enumerate().filter(|(_, window)| !window.is_empty()) {
            for &(i, j) in pass.budget.pairs(depth, layer) {
                for (at, least) in least.iter_mut().enumerate() {
                    *least = lows[0][i * k + at] + lows[1][j * k + at];
                }
                debug_assert!(!window.is_empty());
                if !self.on(Rule::Lookahead) || corners[layer].survive(&least, pass.ground.machine) {
                    alive.push((layer, i, j));
                }
            }
        }
        alive
    }

    fn caps(&self, corners: &[Corners], windows: &[Window]) -> Low {
        let k = self.pass.directions.len();
        if !self.on(Rule::BoundedBounds) || !self.on(Rule::Lookahead) {
            return vec![UNBOUNDED; k * windows.len()];
        }
        corners.iter().flat_map(|corners| if corners.is_empty() { vec![0; k] } else { corners.caps(SLACK) }).collect()
    }

    /// Lower bounds of the fronts of a side as staircases, one for each layer.
    fn floors(&self, known: &Known<C>, split: (usize, bool), depth: u32, low: &[i32]) -> Vec<Vec<(u32, u32)>> {
        let pass = self.pass;
        let total = known.block.child_total(split.0, split.1);
        let search = if depth > 2 && self.on(Rule::Infeasibility) && self.on(Rule::Cache) {
            let name = known.block.child_names(split.0, pass.ground)[usize::from(split.1)];
            pass.cache.search(name, depth)
        } else {
            None
        };
        let k = pass.directions.len();
        let floor = |layer: usize| {
            let mut floor = Floor::nothing(total[0] as usize + 1);
            for (&value, (a, b)) in low[layer * k..].iter().zip(pass.directions.iter()) {
                floor.half_plane(pass.ground.machine, value, a, b);
            }
            if let Some(search) = &search {
                floor.searched(&search.windows[layer], &search.fronts[layer]);
            }
            floor.steps(STEPS)
        };
        (0..pass.budget.layers(depth)).map(floor).collect()
    }

    /// Rule (A): for each layer of a side, what its parent can use of it beside the given points of the other side.
    fn windows(
        &self,
        known: &Known<C>,
        (split, side): (usize, bool),
        depth: u32,
        parent: &[Window],
        alive: &[(usize, usize, usize)],
        others: &[Vec<(u32, u32)>],
    ) -> Vec<Window> {
        let total = known.block.child_total(split, side);
        let mut windows = vec![Window::default(); self.pass.budget.layers(depth - 1)];
        for &(layer, zero, one) in alive {
            let (own, other) = if side { (one, zero) } else { (zero, one) };
            if self.on(Rule::UpperBounds) {
                windows[own].widen(self.pass.ground.machine, &parent[layer], &others[other], total);
            } else {
                windows[own] = Window::everything(total);
            }
        }
        windows
    }

    /// The useful points of one side of a split, from memory or by search.
    fn side(
        &mut self,
        known: &Known<C>,
        split: (usize, bool),
        depth: u32,
        children: &mut [Option<Known<C>>; 2],
        windows: &[Window],
    ) -> Result<Vec<Front>, Stopped> {
        if windows.iter().all(Window::is_empty) {
            return Ok(vec![Front::new(); windows.len()]);
        }
        let pass = self.pass;
        if self.from_pairs(depth) {
            self.stats.fronts += 1;
            let fronts =
                self.two.fronts(&frame(pass, known), Part::Side(split.0, split.1), windows, &mut self.limits)?;
            self.stats.fruitful += u64::from(fronts.iter().any(|front| !front.is_empty()));
            return Ok(fronts);
        }
        let own = usize::from(split.1);
        let name = known.block.child_names(split.0, pass.ground)[own];
        if let Some(search) = pass.cache.search(name, depth).filter(|search| search.covers(windows)) {
            self.stats.fired(Rule::Infeasibility);
            return Ok(search.fronts.clone());
        }
        let mut child = match children[own].take() {
            Some(child) => child,
            None => {
                let block = self.child(&known.block, split)?;
                self.worked_out(block, depth, windows)?
            }
        };
        let fronts = self.fronts(&mut child, depth, windows)?;
        let everything = Window::everything(child.block.total);
        if self.on(Rule::Infeasibility) || windows.iter().all(|window| *window == everything) {
            let search = Search { windows: windows.to_vec(), fronts: fronts.clone() };
            pass.cache.put_search(name, depth, Arc::new(search));
        }
        Ok(fronts)
    }

    /// A block with its table, where the lows of the block alone came from memory.
    fn worked_out(&mut self, block: Block<C>, depth: u32, windows: &[Window]) -> Result<Known<C>, Stopped> {
        if depth < 3 || self.pass.directions.is_empty() {
            return Ok(self.unknown(block, depth));
        }
        let corners: Vec<Corners> = windows.iter().map(|window| Corners::new(window, &self.pass.directions)).collect();
        let caps = self.caps(&corners, windows);
        Ok(self.bounds(block, depth, &caps)?.0)
    }

    /// Tells whoever watches how far the search is.
    pub fn report(&self, points: usize) {
        self.limits.signals.points.store(points, Relaxed);
        if self.limits.signals.forget.swap(false, Relaxed) {
            self.pass.cache.forget();
        }
    }
}

fn frame<'b, C>(pass: &'b Pass, known: &'b Known<C>) -> Frame<'b, C> {
    let weighed = known.weighed.as_ref().expect("blocks whose sides have depth two are weighed");
    let Pass { ground, budget, directions, .. } = pass;
    Frame { ground, block: &known.block, weighed, directions, budget }
}

/// Adds a point if it is useful.
pub fn offer(front: &mut Front, window: &mut Window, point: &Point) -> bool {
    let useful = window.useful(point.x, point.y);
    if useful {
        insert(front, point.clone());
        window.cut(point.x, point.y);
    }
    useful
}

/// The useful sums of the points of both sides, for each layer.
fn combine(
    column: u32,
    zero: &[Front],
    one: &[Front],
    windows: &[Window],
    alive: &[(usize, usize, usize)],
) -> Vec<Front> {
    let mut windows: Vec<Window> = windows.to_vec();
    let mut found = vec![Front::new(); windows.len()];
    for &(layer, i, j) in alive {
        let (window, found) = (&mut windows[layer], &mut found[layer]);
        for left in &zero[i] {
            for right in &one[j] {
                let (x, y) = (left.x + right.x, left.y + right.y);
                if x as usize >= window.limits().len() {
                    break;
                }
                if window.useful(x, y) {
                    let tree = Tree::split(column, left.tree.clone(), right.tree.clone());
                    insert(found, Point { x, y, tree });
                    window.cut(x, y);
                }
            }
        }
    }
    found
}
