//! From a question to an answer: one pass for each depth, workers over the splits of the root, trees priced on raw rows.
//!
//! Guarantees: every (fp, fn) returned was recomputed from the rows as given; `complete` is true only if no limit ended
//! the last pass; the answer is the same for any number of threads. For the last of these the splits of the root are
//! numbered, a worker uses for its windows only what splits before its own have found, and findings are merged in order.

use crate::block::{Block, Ground, Scratch};
use crate::bound::{Corners, Table};
use crate::budget::Budget;
use crate::cache::Cache;
use crate::data::{Cells, Data, Input};
use crate::directions::{self, Directions};
use crate::error::Error;
use crate::kernel::{Count, Machine};
use crate::limits::{Limits, Reason, Stopped};
use crate::refuse;
use crate::rows::Keys;
use crate::rules::{Rule, Rules};
use crate::search::{Known, Opened, Pass, Worker, offer};
use crate::staircase::{Front, Point, Window};
use crate::stats::Stats;
use crate::tree::{Flat, MOST_COLUMNS, Tree, price};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Which points are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The whole front.
    All,
    /// The vertices of its lower left convex hull.
    Supported,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    pub depth: u32,
    pub nodes: Option<u32>,
    /// Least weight of a leaf.
    pub least: u32,
    pub goal: Goal,
    pub rules: Rules,
    pub machine: Machine,
    pub threads: usize,
    /// Bytes that the cache may hold.
    pub cache: usize,
}

/// The greatest depth that a question may have.
pub const MOST_DEPTH: u32 = 20;
/// Bytes that the weighed squares of one block may take before directions are given up.
const MOST_SQUARES: usize = 64 << 20;

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
    pub stopped: Option<Reason>,
    pub stats: Stats,
}

/// Checks and digests the input. Where a limit leaves no time for that, the data have no columns: the two constant trees
/// are real points that need none.
pub fn digest(input: &Input, merge_rows: bool, limits: &mut Limits) -> Result<Data, Error> {
    match Data::new(input, merge_rows, limits)? {
        Ok(data) => Ok(data),
        Err(Stopped) => {
            let constant = Input { columns: 0, cells: Cells::Dense(&[]), ..*input };
            match Data::new(&constant, merge_rows, &mut Limits::unwatched())? {
                Ok(data) => Ok(data),
                Err(Stopped) => refuse!("a search without limits was stopped"),
            }
        }
    }
}

/// Answers a question. Only a question out of range is an error; a limit shows in the answer.
pub fn solve(data: &Data, question: &Question, limits: &mut Limits) -> Result<Answer, Error> {
    if question.depth > MOST_DEPTH {
        return refuse!("max_depth is {}; at most {MOST_DEPTH} is supported", question.depth);
    }
    if data.columns.len() > MOST_COLUMNS {
        return refuse!("{} distinct columns; at most {MOST_COLUMNS} are supported", data.columns.len());
    }
    let mut stats = Stats::default();
    stats.rules[Rule::MergeRows as usize] += data.merged as u64;
    let fronts = if data.total.iter().all(|&total| total <= u32::from(u16::MAX)) {
        passes::<u16>(data, question, limits, &mut stats)
    } else {
        passes::<u32>(data, question, limits, &mut stats)
    };
    Ok(answer(data, fronts, question, limits, stats))
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

/// The fronts of all layers, as far as the limits let them grow.
fn passes<C: Count>(data: &Data, question: &Question, limits: &mut Limits, stats: &mut Stats) -> Vec<Front> {
    let Question { depth, rules, machine, .. } = *question;
    let ground = Ground {
        data,
        keys: Keys::new(data.rows().div_ceil(64)),
        machine,
        least: question.least.max(1),
        drop_equal_columns: rules.on(Rule::EqualColumns),
    };
    let budget = Budget::new(question.nodes, depth);
    let cache = Cache::new(question.cache, rules.on(Rule::Cache));
    let mut fronts = vec![constants(data)];
    let mut ranks: Vec<u32> = (0..data.columns.len() as u32).collect();
    if let Ok(mut root) = Block::<C>::root(&ground, &mut Scratch::default(), limits) {
        let first = if rules.on(Rule::ShallowFirst) { depth.min(2) } else { depth };
        for now in first..=depth {
            stats.rules[Rule::ShallowFirst as usize] +=
                if now > first { fronts.iter().map(Vec::len).sum::<usize>() as u64 } else { 0 };
            let last = fronts.len() - 1;
            let start: Vec<Front> = (0..budget.layers(now)).map(|layer| fronts[layer.min(last)].clone()).collect();
            cache.clear();
            let pass = Pass {
                ground: &ground,
                budget: &budget,
                directions: choose(&start[start.len() - 1], &root, data, rules),
                rules,
                cache: &cache,
                ranks: ranks.clone(),
            };
            let mut run = Run::new(&pass, question, now, start, root);
            let done = run.go(limits, stats);
            ranks = run.next_ranks(ranks);
            (fronts, root) = run.end();
            if done.is_err() {
                break;
            }
        }
    }
    let last = fronts.len() - 1;
    (0..budget.layers(depth)).map(|layer| fronts[layer.min(last)].clone()).collect()
}

/// Directions near a front; fewer where a block is so wide that each takes much memory.
fn choose<C: Count>(front: &Front, root: &Block<C>, data: &Data, rules: Rules) -> Directions {
    if !rules.on(Rule::HalfPlanes) {
        return Directions::none();
    }
    let points: Vec<(u32, u32)> = front.iter().map(|point| (point.x, point.y)).collect();
    let square = (root.len() * root.width * 4).max(1);
    Directions::near(&points, data).at_most(MOST_SQUARES / square)
}

/// One pass: all trees of one depth.
struct Run<'a, C> {
    pass: &'a Pass<'a>,
    question: &'a Question,
    depth: u32,
    root: Known<C>,
    order: Vec<usize>,
    state: Mutex<State>,
}

/// What the workers of a pass share.
struct State {
    table: Table,
    goal: Goal,
    /// The fronts and what is still useful after the splits `..merged` of the order.
    fronts: Vec<Front>,
    windows: Vec<Window>,
    merged: usize,
    /// Findings of later splits, by position.
    later: Vec<(usize, Vec<Front>)>,
}

impl State {
    /// What is still useful for the split at a position.
    fn windows(&self, position: usize) -> Vec<Window> {
        let mut windows = self.windows.clone();
        for (_, found) in self.later.iter().filter(|(at, _)| *at < position) {
            for (layer, found) in found.iter().enumerate() {
                for window in &mut windows[layer..] {
                    found.iter().for_each(|point| window.cut(point.x, point.y));
                }
            }
        }
        windows
    }

    fn add(&mut self, position: usize, found: Vec<Front>) {
        self.later.push((position, found));
        while let Some(at) = self.later.iter().position(|(at, _)| *at == self.merged) {
            let (_, found) = self.later.swap_remove(at);
            self.merge(found);
            self.merged += 1;
        }
    }

    fn merge(&mut self, found: Vec<Front>) {
        for (layer, found) in found.iter().enumerate() {
            for above in layer..self.fronts.len() {
                let mut changed = false;
                for point in found {
                    changed |= offer(&mut self.fronts[above], &mut self.windows[above], point);
                }
                if changed {
                    tighten(self.goal, &mut self.windows[above], &self.fronts[above]);
                }
            }
        }
    }
}

/// Leaves useful only what the goal wants beside this front: for supported points, what lies below its hull, since a new
/// vertex of the hull lies below every segment between points that trees attain.
fn tighten(goal: Goal, window: &mut Window, front: &Front) {
    if goal == Goal::All {
        return;
    }
    let points: Vec<(u32, u32)> = front.iter().map(|point| (point.x, point.y)).collect();
    let mut limits = window.limits().to_vec();
    for edge in directions::hull(&points).windows(2) {
        let ((x1, y1), (x2, y2)) = (edge[0], edge[1]);
        let (dx, dy) = (u64::from(x2 - x1), u64::from(y1 - y2));
        for x in x1..=x2.min(limits.len().saturating_sub(1) as u32) {
            let height = u64::from(y2) * dx + dy * u64::from(x2 - x);
            let limit = &mut limits[x as usize];
            *limit = (*limit).min(height.div_ceil(dx) as u32);
        }
    }
    *window = Window::from_limits(limits);
}

impl<'a, C: Count> Run<'a, C> {
    fn new(pass: &'a Pass<'a>, question: &'a Question, depth: u32, start: Vec<Front>, root: Block<C>) -> Self {
        let worker = &mut Worker::<C>::new(pass, Limits::unwatched());
        let total = root.total;
        let mut known = worker.unknown(root, depth);
        let windows = start.iter().map(|front| {
            let mut window = Window::everything(total);
            front.iter().for_each(|point| window.cut(point.x, point.y));
            tighten(question.goal, &mut window, front);
            window
        });
        let windows = windows.collect();
        let table = std::mem::replace(&mut known.table, Table::new(0, 0, 0));
        let (fronts, merged, later) = (start, 0, Vec::new());
        let state = Mutex::new(State { table, goal: question.goal, fronts, windows, merged, later });
        let order = worker.order(&known.block);
        Run { pass, question, depth, root: known, order, state }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the pass; whatever was found before a limit stopped it is kept.
    fn go(&mut self, limits: &mut Limits, stats: &mut Stats) -> Result<(), Stopped> {
        let signals = limits.signals.clone();
        signals.depth.store(self.depth, Relaxed);
        signals.splits.store(self.order.len(), Relaxed);
        signals.splits_done.store(0, Relaxed);
        let direct = self.depth < 2 || (self.depth == 2 && self.pass.rules.on(Rule::DepthTwo));
        if direct {
            let windows = self.state().windows.clone();
            let mut worker = Worker::new(self.pass, limits.lend());
            let found = worker.fronts(&mut self.root, self.depth, &windows);
            stats.add(&worker.stats);
            self.state().merge(found?);
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        let helpers =
            if self.question.depth == self.depth || self.depth > 3 { self.question.threads.max(1) - 1 } else { 0 };
        let run = &*self;
        let results: Vec<(Result<(), Stopped>, Stats)> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..helpers.min(run.order.len()))
                .map(|_| {
                    let (next, signals) = (&next, signals.clone());
                    scope.spawn(move || run.work(next, Limits::following(signals)))
                })
                .collect();
            let mut own = run.work(&next, limits.lend());
            while handles.iter().any(|handle| !handle.is_finished()) {
                std::thread::sleep(Duration::from_millis(2));
                own.0 = own.0.and(limits.check());
            }
            let joined = handles.into_iter().map(|handle| handle.join().expect("a worker does not panic"));
            std::iter::once(own).chain(joined).collect()
        });
        results.iter().for_each(|(_, worked)| stats.add(worked));
        results.into_iter().try_for_each(|(done, _)| done)
    }

    /// One worker: takes the next split of the root until there is none.
    fn work(&self, next: &AtomicUsize, limits: Limits) -> (Result<(), Stopped>, Stats) {
        let mut worker = Worker::new(self.pass, limits);
        let mut done = Ok(());
        loop {
            let position = next.fetch_add(1, Relaxed);
            let Some(&split) = self.order.get(position) else { break };
            if let Err(stopped) = self.split(&mut worker, position, split) {
                done = Err(stopped);
                break;
            }
        }
        (done, worker.stats)
    }

    fn split(&self, worker: &mut Worker<'_, '_, C>, position: usize, split: usize) -> Result<(), Stopped> {
        let (windows, before) = {
            let state = self.state();
            (state.windows(position), state.table.get(split))
        };
        let mut lows = before.clone();
        let corners: Vec<Corners> = windows.iter().map(|window| Corners::new(window, &self.pass.directions)).collect();
        let found = match worker.open(&self.root, split, self.depth, &mut lows, &windows, &corners, None)? {
            Opened::Found(found) => found,
            Opened::Closed | Opened::Nothing => Vec::new(),
        };
        let mut state = self.state();
        if lows != before {
            worker.learn(&mut state.table, &self.root.block, split, &lows);
        }
        state.add(position, found);
        let points = state.fronts.last().map_or(0, Vec::len);
        drop(state);
        worker.limits.signals.splits_done.fetch_add(1, Relaxed);
        worker.report(points);
        Ok(())
    }

    /// The order of splits for the next pass: by what this pass proved of them in its middle direction. Only a pass on
    /// one thread gives it, since what others prove depends on who comes first.
    fn next_ranks(&self, ranks: Vec<u32>) -> Vec<u32> {
        let k = self.pass.directions.len();
        if self.depth != 3 || k == 0 || self.question.depth == 3 {
            return ranks;
        }
        let state = self.state();
        let layer = self.pass.budget.layers(3) - 1;
        let pairs = self.pass.budget.pairs(3, layer);
        let mut order: Vec<(i32, u32)> = (0..self.root.block.len())
            .map(|split| (state.table.least(split, pairs, k / 2), self.root.block.columns[split]))
            .collect();
        order.sort_unstable();
        let mut ranks = ranks;
        ranks.iter_mut().for_each(|rank| *rank = u32::MAX);
        for (rank, (_, column)) in order.into_iter().enumerate() {
            ranks[column as usize] = rank as u32;
        }
        ranks
    }

    fn end(self) -> (Vec<Front>, Block<C>) {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut later = std::mem::take(&mut state.later);
        later.sort_by_key(|(at, _)| *at);
        later.into_iter().for_each(|(_, found)| state.merge(found));
        (state.fronts, self.root.block)
    }
}

/// Flattens the trees, prices them on the raw rows, and puts the counts into the caller's order.
fn answer(data: &Data, fronts: Vec<Front>, question: &Question, limits: &Limits, stats: Stats) -> Answer {
    let layers = fronts.into_iter().map(|mut front| {
        if question.goal == Goal::Supported {
            let points: Vec<(u32, u32)> = front.iter().map(|point| (point.x, point.y)).collect();
            let hull = directions::hull(&points);
            front.retain(|point| hull.contains(&(point.x, point.y)));
        }
        if data.positives_first {
            front.reverse();
        }
        let mut trees = Flat::new();
        front.iter().for_each(|point| trees.push(&point.tree, data));
        let counts: Vec<(u32, u32)> = front.iter().map(|point| data.counts(point.x, point.y)).collect();
        assert_eq!(price(&trees, data, question.machine), counts, "a tree does not have the errors it was listed with");
        Layer { counts, trees }
    });
    Answer { layers: layers.collect(), stopped: limits.signals.stopped(), stats }
}
