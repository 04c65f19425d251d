//! A solver: digested data, limits on trees, and what earlier questions found out about them.
//!
//! Three questions can be asked: for the front, for the least weighted error, and for the points inside windows.
//!
//! Guarantees: every (fp, fn) returned was recomputed from the rows as given; `stopped` is `None` only if no limit ended
//! the last pass; the points are the same for any number of threads, and whatever was asked before.

use crate::block::Ground;
use crate::budget::Budget;
use crate::cache::Cache;
use crate::data::{Cells, Data, Input};
use crate::directions::Directions;
use crate::error::Error;
use crate::goal::{Goal, points};
use crate::kernel::Machine;
use crate::limits::{Limits, Reason, Stopped, available_bytes};
use crate::passes::{Passed, Passes, Task};
use crate::refuse;
use crate::rules::{Rule, Rules};
use crate::staircase::{Front, Point, Window, offer};
use crate::stats::Stats;
use crate::stumps;
use crate::tree::{Flat, MOST_COLUMNS, Tree, price};

/// What stays the same from question to question.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The most branching nodes of a tree.
    pub nodes: Option<u32>,
    /// Least weight of a leaf.
    pub least: u32,
    pub rules: Rules,
    pub machine: Machine,
    pub threads: usize,
    /// Bytes that the cache may hold.
    pub cache: usize,
}

/// Which trees are asked about: those up to a depth. Questions about shallower trees that only prepare one about deeper
/// ones say so by `toward`.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    pub depth: u32,
    pub toward: u32,
    /// Only trees with one of the first so many splits at their root, in the order in which splits are tried: they often
    /// hold a good point. Then nothing is proven of others.
    pub splits: Option<usize>,
}

/// The greatest depth that a question may have.
pub const MOST_DEPTH: u32 = 20;
/// The greatest node budget that a question may have where it forbids something.
pub const MOST_NODES: u32 = 255;

/// Bytes from which on the system is asked how many it has.
const MUCH: u64 = 1 << 28;

/// A front: counts ascending by fp, and the trees that attain them.
#[derive(Clone, Debug)]
pub struct Layer {
    pub counts: Vec<(u32, u32)>,
    pub trees: Flat,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Answer {
    /// One front, or one for each budget of 0, 1, … nodes up to the least that does not bind.
    pub layers: Vec<Layer>,
    /// Where a limit came first: weights (a, b) and a value that `a·fp + b·fn` of no tree up to depth `toward` stays
    /// below, but for trees whose errors are those of a point returned, or dominated by one, or not asked for.
    pub lows: Vec<((u32, u32), u128)>,
    pub stopped: Option<Reason>,
    pub stats: Stats,
}

/// Counters of 16 bits where the classes weigh little.
enum Memory {
    Narrow(Passes<u16>),
    Wide(Passes<u32>),
}

/// Digested data that questions can be asked about.
pub struct Solver {
    setting: Setting,
    ground: Ground,
    memory: Memory,
}

/// Checks and digests the input. Where a limit leaves no time for that, the data have no columns: the two constant trees
/// are real points that need none.
pub fn digest(input: &Input, merge_rows: bool, limits: &mut Limits) -> Result<Data, Error> {
    match Data::new(input, merge_rows, limits)? {
        Ok(data) => Ok(data),
        Err(Stopped) => {
            let constant = Input { columns: 0, cells: Cells::Dense(&[]), ..*input };
            match Data::new(&constant, merge_rows, &mut Limits::unwatched())? {
                Ok(data) => Ok(Data { cut_off: true, ..data }),
                Err(Stopped) => refuse!("a search without limits was stopped"),
            }
        }
    }
}

impl Solver {
    pub fn new(data: Data, setting: Setting) -> Result<Self, Error> {
        let columns = data.columns.len();
        if columns > MOST_COLUMNS {
            return refuse!("{columns} distinct columns; at most {MOST_COLUMNS} are supported");
        }
        let narrow = data.total.iter().all(|&total| total <= u32::from(u16::MAX));
        let cache = Cache::new(setting.cache, setting.rules.on(Rule::Cache));
        let memory = if narrow {
            Memory::Narrow(Passes::new(columns, cache))
        } else {
            Memory::Wide(Passes::new(columns, cache))
        };
        let ground = Ground::new(data, setting.machine, setting.least, setting.rules.on(Rule::EqualColumns));
        Ok(Solver { setting, ground, memory })
    }

    pub fn data(&self) -> &Data {
        &self.ground.data
    }

    /// The budget for trees of a depth: one layer, or one for each number of nodes up to the least that does not bind.
    pub fn budget(&self, depth: u32) -> Result<Budget, Error> {
        if depth > MOST_DEPTH {
            return refuse!("max_depth is {depth}; at most {MOST_DEPTH} is supported");
        }
        // No tree of use has more branching nodes than it needs to tell all distinct rows apart.
        let most = (self.data().rows() as u32 - 1).min((1 << depth) - 1);
        let nodes = self.setting.nodes.map(|nodes| nodes.min(most));
        if nodes.is_some_and(|nodes| nodes > MOST_NODES) {
            return refuse!("max_nodes is {}; at most {MOST_NODES} are supported at this depth", nodes.unwrap_or(0));
        }
        Ok(Budget::new(nodes, depth))
    }

    /// The front, or its supported points, for each budget.
    pub fn front(&mut self, depth: u32, goal: Goal, limits: &mut Limits) -> Result<Answer, Error> {
        let budget = self.budget(depth)?;
        self.check_width(depth)?;
        let mut stats = self.stats();
        let mut fronts = vec![constants(&self.ground.data)];
        let shallow_first = self.on(Rule::ShallowFirst);
        if depth > 0
            && self.setting.nodes != Some(0)
            && shallow_first
            && let Ok(front) = stumps::front(&self.ground, limits)
        {
            // With budgets, the layer of no node stays below it.
            fronts.truncate(usize::from(self.setting.nodes.is_some()));
            fronts.push(front);
        }
        // Nothing is left to search at depth one, and wide data need no pair counts.
        let first = if shallow_first && depth > 0 { 2 } else { depth };
        for now in first..=depth {
            if now > first {
                stats.rules[Rule::ShallowFirst as usize] += fronts.iter().map(Vec::len).sum::<usize>() as u64;
            }
            let known: Vec<Front> = spread(&fronts, budget.layers(now));
            let windows = known.iter().map(|front| {
                let mut window = Window::everything(self.data().total);
                front.iter().for_each(|point| window.cut(point.x, point.y));
                goal.tighten(&mut window, front);
                window
            });
            let windows = windows.collect();
            let directions = Directions::near(&points(&known[known.len() - 1]), self.data());
            let depth = Depth { depth: now, toward: depth, splits: None };
            match self.pass(depth, &budget, goal, known, windows, directions, limits, &mut stats) {
                Ok(passed) => {
                    fronts = passed.fronts;
                    if passed.done.is_err() {
                        break;
                    }
                }
                Err(Stopped) => break,
            }
        }
        let mut fronts = spread(&fronts, budget.layers(depth));
        fronts.iter_mut().for_each(|front| goal.keep(front));
        Ok(self.answer(fronts, Vec::new(), limits, stats))
    }

    /// One of the points of the last layer whose weight `a·fp + b·fn` is least, if it is below a value.
    pub fn least(
        &mut self,
        depth: Depth,
        (a, b): (u64, u64),
        value: u128,
        limits: &mut Limits,
    ) -> Result<Answer, Error> {
        let layers = self.budget(depth.depth)?.layers(depth.depth);
        let data = self.data();
        let line = if data.positives_first { (b, a) } else { (a, b) };
        let mut windows = vec![Window::default(); layers];
        windows[layers - 1] = Window::below(data.total, line, value);
        let directions = Directions::along(std::iter::once(line), data);
        self.within(depth, windows, directions, limits)
    }

    /// The points that windows, one for each layer, leave useful. A window lists for each number of errors of the lighter
    /// class (of the negatives where both weigh the same) the least number of errors of the other class that is of no
    /// use. `weights` (a, b) of fp and fn are those to bound with.
    pub fn useful(
        &mut self,
        depth: Depth,
        windows: Vec<Vec<u32>>,
        weights: &[(u64, u64)],
        limits: &mut Limits,
    ) -> Result<Answer, Error> {
        let layers = self.budget(depth.depth)?.layers(depth.depth);
        let data = self.data();
        if windows.len() != layers {
            return refuse!("{} windows for {layers} layers", windows.len());
        }
        for window in &windows {
            if window.len() > data.total[0] as usize + 1 || window.windows(2).any(|pair| pair[0] < pair[1]) {
                return refuse!("a window has at most {} limits, which never rise", data.total[0] + 1);
            }
        }
        let most = data.total[1] + 1;
        let limit = |window: Vec<u32>| window.into_iter().map(|limit| limit.min(most)).collect();
        let windows = windows.into_iter().map(|window| Window::from_limits(limit(window))).collect();
        let turn = |&(a, b): &(u64, u64)| if data.positives_first { (b, a) } else { (a, b) };
        let directions = Directions::along(weights.iter().map(turn), data);
        self.within(depth, windows, directions, limits)
    }

    fn within(
        &mut self,
        depth: Depth,
        mut windows: Vec<Window>,
        directions: Directions,
        limits: &mut Limits,
    ) -> Result<Answer, Error> {
        let budget = self.budget(depth.depth)?;
        self.check_width(depth.depth)?;
        let mut stats = self.stats();
        let layers = windows.len();
        let mut fronts = vec![Front::new(); layers];
        let mut known = vec![constants(self.data())];
        if depth.depth == 1
            && self.setting.nodes != Some(0)
            && let Ok(front) = stumps::front(&self.ground, limits)
        {
            known.truncate(usize::from(self.setting.nodes.is_some()));
            known.push(front);
        }
        for ((front, window), known) in fronts.iter_mut().zip(&mut windows).zip(spread(&known, layers)) {
            known.iter().for_each(|point| {
                offer(front, window, point);
            });
        }
        let mut lows = directions.iter().map(|weights| (weights, 0)).collect();
        if depth.depth > 1
            && let Ok(passed) =
                self.pass(depth, &budget, Goal::All, fronts.clone(), windows, directions, limits, &mut stats)
        {
            fronts = passed.fronts;
            if depth.depth == depth.toward && depth.splits.is_none() {
                lows = passed.lows;
            }
        }
        Ok(self.answer(fronts, lows, limits, stats))
    }

    fn pass(
        &mut self,
        Depth { depth, toward, splits }: Depth,
        budget: &Budget,
        goal: Goal,
        fronts: Vec<Front>,
        windows: Vec<Window>,
        directions: Directions,
        limits: &mut Limits,
        stats: &mut Stats,
    ) -> Result<Passed, Stopped> {
        let Setting { rules, threads, .. } = self.setting;
        let budget = budget.clone();
        let task = Task { depth, toward, splits, budget, goal, fronts, windows, directions, rules, threads };
        match &mut self.memory {
            Memory::Narrow(passes) => passes.run(&self.ground, &task, limits, stats),
            Memory::Wide(passes) => passes.run(&self.ground, &task, limits, stats),
        }
    }

    /// Refuses data so wide that the counts of all pairs of their columns do not fit into memory.
    fn check_width(&self, depth: u32) -> Result<(), Error> {
        let columns = self.data().columns.len() as u64;
        let bytes = 2 * columns * columns * if matches!(self.memory, Memory::Narrow(_)) { 2 } else { 4 };
        if depth < 2 || bytes < MUCH {
            return Ok(());
        }
        match available_bytes() {
            Some(free) if bytes > free => refuse!(
                "{columns} distinct columns: the counts of all their pairs take {} MB, and {} MB are free; leave out \
                 columns, or ask for depth 1, which needs no pairs",
                bytes >> 20,
                free >> 20
            ),
            _ => Ok(()),
        }
    }

    fn on(&self, rule: Rule) -> bool {
        self.setting.rules.on(rule)
    }

    fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        stats.rules[Rule::MergeRows as usize] += self.data().merged as u64;
        stats
    }

    /// Flattens the trees, prices them on the raw rows, and puts everything into the caller's order.
    fn answer(&self, fronts: Vec<Front>, lows: Vec<((i32, i32), i32)>, limits: &Limits, stats: Stats) -> Answer {
        let data = self.data();
        let layers = fronts.into_iter().map(|mut front| {
            if data.positives_first {
                front.reverse();
            }
            let mut trees = Flat::new();
            front.iter().for_each(|point| trees.push(&point.tree.simpler(), data));
            let counts: Vec<(u32, u32)> = front.iter().map(|point| data.counts(point.x, point.y)).collect();
            let priced = price(&mut trees, data, self.setting.machine);
            assert_eq!(priced, counts, "a tree does not have the errors it was listed with");
            Layer { counts, trees }
        });
        let stopped = limits.signals.stopped();
        let lows = lows.into_iter().filter(|_| stopped.is_some()).map(|((a, b), low)| {
            let low = u128::from(low.max(0) as u32).max(data.any_classifier((a as u64, b as u64)));
            (data.counts(a as u32, b as u32), low)
        });
        Answer { lows: lows.collect(), layers: layers.collect(), stopped, stats }
    }
}

/// The front of the two trees that are a leaf.
fn constants(data: &Data) -> Front {
    let mut window = Window::everything(data.total);
    let mut front = Front::new();
    for (x, y, tree) in [(data.total[0], 0, Tree::leaf(1)), (0, data.total[1], Tree::leaf(0))] {
        offer(&mut front, &mut window, &Point { x, y, tree });
    }
    front
}

/// Fronts of a few layers for more: beyond the last, nothing more is known.
fn spread(fronts: &[Front], layers: usize) -> Vec<Front> {
    (0..layers).map(|layer| fronts[layer.min(fronts.len() - 1)].clone()).collect()
}
