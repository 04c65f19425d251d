//! Exact fronts of depth two from pair counts: every first split that half-planes leave open, with both its stumps.
//!
//! Guarantees: all points that the windows leave useful, with leaf sizes; and the same tree for a point whatever the windows
//! are: the first split in the order of the least weighted error in the middle direction that attains it.

use crate::bound::Corners;
use crate::depth_two::{DepthTwo, Frame, Part};
use crate::directions;
use crate::kernel::Count;
use crate::limits::{Limits, Stopped};
use crate::staircase::{Front, Point, Window, add, offer};
use crate::stumps::{Line, Step, Stumps};
use crate::tree::{Tree, Twig};

/// One worker's buffers: weights of the part looked at, for each class and column.
#[derive(Default)]
pub struct Twigs {
    stumps: Stumps,
    one: [Vec<u32>; 2],
    both: [Vec<u32>; 2],
    rest: [Vec<u32>; 2],
}

impl Twigs {
    /// All points of a part that the windows, one for each layer, leave useful. For a side of a split, `lows` of this
    /// split has to be the last call, with `keep`; for all rows, `low_of_all`.
    pub fn fronts<C: Count>(
        &mut self,
        frame: &Frame<C>,
        two: &DepthTwo<C>,
        part: Part,
        windows: &[Window],
        limits: &mut Limits,
    ) -> Result<Vec<Front>, Stopped> {
        let Frame { block, ground, .. } = *frame;
        let total = match part {
            Part::All => block.total,
            Part::Side(column, side) => block.child_total(column, side),
        };
        let mut open = Open::new(frame, total, windows);
        open.offer_leaves();
        self.load_ones(frame, part);
        for (_, split) in order(frame, two, part) {
            if open.is_closed() {
                break;
            }
            let one = [0, 1].map(|class| self.one[class][split]);
            let zero = [0, 1].map(|class| total[class] - one[class]);
            if one[0] + one[1] < ground.least || zero[0] + zero[1] < ground.least {
                continue;
            }
            let layers = open.surviving(two, part, split, (zero, one));
            if layers == 0 {
                continue;
            }
            limits.check()?;
            self.load_pairs(frame, two, part, split);
            let columns = &block.columns;
            let windows = &open.windows;
            let [zero_line, one_line] = open.lines(two, part, split, (zero, one));
            self.stumps.list(0, [&self.rest[0], &self.rest[1]], zero, columns, ground.least, windows, zero_line);
            self.stumps.list(1, [&self.both[0], &self.both[1]], one, columns, ground.least, windows, one_line);
            open.combine(&self.stumps, block.columns[split], layers);
        }
        Ok(open.fronts)
    }

    /// Weights of the part where each column is 1.
    fn load_ones<C: Count>(&mut self, frame: &Frame<C>, part: Part) {
        let block = frame.block;
        for (class, ones) in self.one.iter_mut().enumerate() {
            ones.clear();
            match part {
                Part::All => ones.extend_from_slice(&block.ones[class][..block.len()]),
                Part::Side(c, side) => ones.extend((0..block.len()).map(|h| block.child_one(class, c, side, h))),
            }
        }
    }

    /// Weights of the part where the first split is 1 (`both`) or 0 (`rest`) and each column is 1.
    fn load_pairs<C: Count>(&mut self, frame: &Frame<C>, two: &DepthTwo<C>, part: Part, split: usize) {
        let block = frame.block;
        let row = split * block.width..split * block.width + block.len();
        for class in 0..2 {
            let all = block.pairs[class][row.clone()].iter().map(|count| count.get());
            let both = &mut self.both[class];
            both.clear();
            match part {
                Part::All => both.extend(all),
                Part::Side(column, side) => {
                    let counted = two.counts[class][row.clone()].iter().map(|count| count.get());
                    if side == block.one_is_lighter(column) {
                        both.extend(counted);
                    } else {
                        both.extend(all.zip(counted).map(|(all, counted)| all - counted));
                    }
                }
            }
            self.rest[class].clear();
            self.rest[class].extend(self.one[class].iter().zip(both).map(|(one, both)| one - *both));
        }
    }
}

/// The fronts of a part while it is searched.
struct Open<'a, C> {
    frame: &'a Frame<'a, C>,
    total: [u32; 2],
    windows: Vec<Window>,
    corners: Vec<Corners>,
    fronts: Vec<Front>,
}

impl<'a, C: Count> Open<'a, C> {
    fn new(frame: &'a Frame<'a, C>, total: [u32; 2], windows: &[Window]) -> Self {
        Open { frame, total, windows: windows.to_vec(), corners: Vec::new(), fronts: vec![Front::new(); windows.len()] }
    }

    /// With one direction alone: above which line the points of each side are of no use, since the other side makes at
    /// least the errors that its least weighted stump makes.
    fn lines(
        &self,
        two: &DepthTwo<C>,
        part: Part,
        split: usize,
        (zero, one): ([u32; 2], [u32; 2]),
    ) -> [Option<Line>; 2] {
        if self.frame.directions.len() != 1 {
            return [None; 2];
        }
        let (a, b) = self.frame.directions.get(0);
        let [with, without] = two.sums_of(self.frame, part, 0, split);
        let least = |total: [u32; 2], sum: i32| (a * total[0] as i32 + b * total[1] as i32 - sum) / 2;
        let most = self.corners.iter().map(|corners| corners.most(0)).max().unwrap_or(0);
        [least(one, with), least(zero, without)].map(|other| Some(Line { a, b, most: most - other }))
    }

    fn is_closed(&self) -> bool {
        self.windows.iter().all(Window::is_empty)
    }

    /// Which layers (as bits) have a corner that the half-planes of a first split do not cut off.
    fn surviving(&self, two: &DepthTwo<C>, part: Part, split: usize, (zero, one): ([u32; 2], [u32; 2])) -> u32 {
        let Frame { directions, budget, ground, .. } = *self.frame;
        let mut least = [0; directions::MOST];
        let mut layers = 0;
        for (layer, nodes) in budget.depth_two().enumerate().filter(|(_, nodes)| *nodes > 0) {
            for (least, (k, (a, b))) in least.iter_mut().zip(directions.iter().enumerate()) {
                let size = |counts: [u32; 2]| (b * counts[1] as i32 - a * counts[0] as i32).abs();
                let [with, without] = two.sums_of(self.frame, part, k, split);
                let sum = match nodes {
                    1 => size(zero) + size(one),
                    2 => (with + size(zero)).max(size(one) + without),
                    _ => with + without,
                };
                *least = (a * (zero[0] + one[0]) as i32 + b * (zero[1] + one[1]) as i32 - sum) / 2;
            }
            let alive = self.corners[layer].survive(&least[..directions.len()], ground.machine);
            layers |= u32::from(alive) << layer;
        }
        layers
    }

    fn offer_leaves(&mut self) {
        let leaves = [(self.total[0], 0, Tree::leaf(1)), (0, self.total[1], Tree::leaf(0))];
        for (window, front) in self.windows.iter_mut().zip(&mut self.fronts) {
            for (x, y, tree) in &leaves {
                offer(front, window, &Point { x: *x, y: *y, tree: tree.clone() });
            }
        }
        self.corners = self.windows.iter().map(|window| Corners::new(window, self.frame.directions)).collect();
    }

    /// Adds the useful sums of the stumps on both sides of a first split, for the layers whose bits are set.
    fn combine(&mut self, stumps: &Stumps, column: u32, layers: u32) {
        for (layer, nodes) in self.frame.budget.depth_two().enumerate() {
            if layers >> layer & 1 == 0 {
                continue;
            }
            let changed = match nodes {
                1 => self.add(layer, column, stumps.leaves(0), stumps.leaves(1)),
                2 => {
                    let first = self.add(layer, column, stumps.all(0), stumps.leaves(1));
                    self.add(layer, column, stumps.leaves(0), stumps.all(1)) || first
                }
                _ => self.add(layer, column, stumps.all(0), stumps.all(1)),
            };
            if changed {
                self.corners[layer].follow(&self.windows[layer], self.frame.directions);
            }
        }
    }

    fn add(&mut self, layer: usize, column: u32, zero: &[Step], one: &[Step]) -> bool {
        let (window, front) = (&mut self.windows[layer], &mut self.fronts[layer]);
        let mut changed = false;
        for left in zero {
            for right in one {
                let (x, y) = (left.x + right.x, left.y + right.y);
                if x as usize >= window.limits().len() {
                    break;
                }
                if window.useful(x, y) {
                    let tree = Tree::Twig(Twig::split(column, left.stump, right.stump));
                    add(front, window, Point { x, y, tree });
                    changed = true;
                }
            }
        }
        changed
    }
}

/// The first splits of a part by the least weighted error of their trees in the middle direction, then by number.
fn order<C: Count>(frame: &Frame<C>, two: &DepthTwo<C>, part: Part) -> Vec<(i32, usize)> {
    let middle = frame.directions.len() / 2;
    let key = |split: usize| {
        if frame.directions.is_empty() { 0 } else { -two.sums_of(frame, part, middle, split).iter().sum::<i32>() }
    };
    let mut order: Vec<(i32, usize)> = (0..frame.block.len()).map(|split| (key(split), split)).collect();
    order.sort_unstable();
    order
}
