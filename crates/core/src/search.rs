//! The recursion: which points of a block are useful, and what bounds the ones that were not looked at.
//!
//! `fronts` gives the points of a block that windows leave useful, `open` does for one split what `fronts` does for all;
//! what bounds the splits that are not looked at is in `lows`. Each is exact in the sense of its contract; what a limit interrupts returns
//! `Stopped` and leaves no trace. For each point the tree is that of the first split, in the order of `Ranks`, that
//! attains it, and of the pair of points that leaves the side 0 the fewest errors of class 0; windows and caches decide
//! which points are looked at but not which tree a point gets, so every run and every thread finds the same trees.

use crate::block::Block;
use crate::bound::{Corners, Low};
use crate::cache::Search;
use crate::depth_two::Part;
use crate::kernel::Count;
use crate::limits::Stopped;
use crate::rules::Rule;
use crate::staircase::{Floor, Front, Point, Window, add, coarse, offer};
use crate::stairs::{PATIENCE, Stairs};
use crate::stumps::Stumps;
use crate::tree::{Tree, Twig};
use crate::worker::{Known, Worker, frame};
use std::sync::Arc;

/// What came of opening a split.
pub enum Opened {
    /// Bounds closed it.
    Closed,
    /// A side was searched and has nothing useful.
    Nothing,
    /// Useful points, for each layer.
    Found(Vec<Front>),
}

/// Steps of a floor beyond which neighbours are joined.
const STEPS: usize = 256;
/// Steps times length of an axis that one window may take.
const WORK: usize = 1 << 26;

impl<C: Count> Worker<'_, '_, C> {
    /// The points of a block that its windows, one for each layer, leave useful. Contract 1.
    pub fn fronts(&mut self, known: &mut Known<C>, depth: u32, windows: &[Window]) -> Result<Vec<Front>, Stopped> {
        self.stats.fronts += 1;
        let pass = self.pass;
        if self.from_pairs(depth) {
            let frame = frame(pass, known);
            self.two.low_of_all(&frame, &mut self.limits)?;
            return self.twigs.fronts(&frame, &self.two, Part::All, windows, &mut self.limits);
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
                    corners[above].follow(&open[above], &pass.directions);
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
        stumps.list(0, ones, block.total, &block.columns, self.pass.ground.least, windows, None);
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
            self.fired(Rule::Lookahead);
            return Ok(Opened::Closed);
        }
        if stairs.as_ref().is_some_and(|stairs| !stairs.survive(split, windows)) {
            self.fired(Rule::Staircases);
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
            self.fired(Rule::Lookahead);
            return Ok(Opened::Closed);
        }
        if let Some(stairs) = stairs {
            let solved = self.two.staircases(&frame(self.pass, known), split, stairs.length());
            stairs.learn(&known.block, split, &solved);
            if !stairs.survive(split, windows) {
                self.fired(Rule::Staircases);
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
        let floors = self.floors(known, (split, second), depth - 1, &lows[usize::from(second)])?;
        let asked = self.windows(known, (split, first), depth, windows, alive, &floors)?;
        let first_fronts = self.side(known, (split, first), depth - 1, children, &asked)?;
        if first_fronts.iter().all(Front::is_empty) {
            self.fired(Rule::UpperBounds);
            return Ok(Opened::Nothing);
        }
        let points: Vec<Vec<(u32, u32)>> =
            first_fronts.iter().map(|front| front.iter().map(|point| (point.x, point.y)).collect()).collect();
        let asked = self.windows(known, (split, second), depth, windows, alive, &points)?;
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

    /// Lower bounds of the fronts of a side as staircases, one for each layer.
    fn floors(
        &mut self,
        known: &Known<C>,
        split: (usize, bool),
        depth: u32,
        low: &[i32],
    ) -> Result<Vec<Vec<(u32, u32)>>, Stopped> {
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
            coarse(&floor.steps(), STEPS)
        };
        let mut floors = Vec::new();
        for layer in 0..pass.budget.layers(depth) {
            self.limits.check()?;
            floors.push(floor(layer));
        }
        Ok(floors)
    }

    /// Rule (A): for each layer of a side, what its parent can use of it beside the given points of the other side.
    fn windows(
        &mut self,
        known: &Known<C>,
        (split, side): (usize, bool),
        depth: u32,
        parent: &[Window],
        alive: &[(usize, usize, usize)],
        others: &[Vec<(u32, u32)>],
    ) -> Result<Vec<Window>, Stopped> {
        let total = known.block.child_total(split, side);
        let mut windows = vec![Window::default(); self.pass.budget.layers(depth - 1)];
        for &(layer, zero, one) in alive {
            let (own, other) = if side { (one, zero) } else { (zero, one) };
            self.limits.check()?;
            if self.on(Rule::UpperBounds) {
                // On an axis of millions few steps take as long as many on a short one.
                let most = (WORK / parent[layer].limits().len().max(1)).max(8);
                windows[own].widen(self.pass.ground.machine, &parent[layer], &coarse(&others[other], most), total);
            } else {
                windows[own] = Window::everything(total);
            }
        }
        Ok(windows)
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
            let fronts = self.twigs.fronts(
                &frame(pass, known),
                &self.two,
                Part::Side(split.0, split.1),
                windows,
                &mut self.limits,
            )?;
            self.stats.fruitful += u64::from(fronts.iter().any(|front| !front.is_empty()));
            return Ok(fronts);
        }
        let own = usize::from(split.1);
        let name = known.block.child_names(split.0, pass.ground)[own];
        if let Some(search) = pass.cache.search(name, depth).filter(|search| search.covers(windows)) {
            let limited = self.on(Rule::Infeasibility);
            self.fired(if limited { Rule::Infeasibility } else { Rule::Cache });
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
                    add(found, window, Point { x, y, tree });
                }
            }
        }
    }
    found
}
