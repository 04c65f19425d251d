//! One pass over all trees of one depth: workers over the splits of the root.
//!
//! Guarantees: what a pass returns does not depend on the number of workers. The splits of the root are numbered; a worker
//! uses for its windows only what splits before its own have found, and findings are merged in that order.

use crate::block::Block;
use crate::bound::{Corners, Table, UNBOUNDED};
use crate::goal::Goal;
use crate::kernel::Count;
use crate::limits::{Limits, Stopped};
use crate::passes::Task;
use crate::rules::Rule;
use crate::search::Opened;
use crate::staircase::{Front, Window, offer};
use crate::stats::Stats;
use crate::worker::{Known, Pass, Worker};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// More threads than this only take memory.
const MOST_THREADS: usize = 256;

/// One pass: all trees of one depth.
pub struct Run<'a, C> {
    pass: &'a Pass<'a>,
    task: &'a Task,
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
    /// The splits, by number, whose useful trees are all found.
    done: Vec<bool>,
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
                    self.goal.tighten(&mut self.windows[above], &self.fronts[above]);
                }
            }
        }
    }
}

impl<'a, C: Count> Run<'a, C> {
    /// A pass over all rows; `proven` is what is known of the root's splits already.
    pub fn new(pass: &'a Pass<'a>, task: &'a Task, root: Block<C>, proven: Option<Table>) -> Self {
        let worker = &mut Worker::<C>::new(pass, Limits::unwatched());
        let mut known = worker.unknown(root, task.depth);
        let table = std::mem::replace(&mut known.table, Table::new(0, 0, 0));
        let table = proven.unwrap_or(table);
        let (fronts, windows) = (task.fronts.clone(), task.windows.clone());
        let mut order = worker.order(&known.block);
        order.truncate(task.splits.unwrap_or(usize::MAX));
        let done = vec![false; known.block.len()];
        let state = State { table, goal: task.goal, fronts, windows, merged: 0, later: Vec::new(), done };
        Run { pass, task, root: known, order, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the pass; whatever was found before a limit stopped it is kept.
    pub fn go(&mut self, limits: &mut Limits, stats: &mut Stats) -> Result<(), Stopped> {
        let signals = limits.signals.clone();
        let depth = self.task.depth;
        signals.depth.store(depth, Relaxed);
        signals.splits.store(self.order.len(), Relaxed);
        signals.splits_done.store(0, Relaxed);
        let direct = depth < 2 || (depth == 2 && self.pass.rules.on(Rule::DepthTwo));
        if direct {
            let windows = self.state().windows.clone();
            let mut worker = Worker::new(self.pass, limits.lend());
            let found = worker.fronts(&mut self.root, depth, &windows);
            stats.add(&worker.stats);
            let mut state = self.state();
            state.merge(found?);
            state.done.fill(true);
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        // The order of columns for deeper passes must not depend on who comes first.
        let alone = depth <= 3 && self.task.toward > depth;
        let helpers = if alone { 0 } else { self.task.threads.clamp(1, MOST_THREADS) - 1 };
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
        let found = match worker.open(&self.root, split, self.task.depth, &mut lows, &windows, &corners, None)? {
            Opened::Found(found) => found,
            Opened::Closed | Opened::Nothing => Vec::new(),
        };
        let mut state = self.state();
        if lows != before {
            worker.learn(&mut state.table, &self.root.block, split, &lows);
        }
        state.done[split] = true;
        state.add(position, found);
        let points = state.fronts.last().map_or(0, Vec::len);
        drop(state);
        worker.limits.signals.splits_done.fetch_add(1, Relaxed);
        worker.report(points);
        Ok(())
    }

    /// The order of columns for deeper passes: by what this pass proved of them in its middle direction. Only a pass on
    /// one thread gives it, since what others prove depends on who comes first.
    pub fn next_ranks(&self) -> Option<Vec<u32>> {
        let k = self.pass.directions.len();
        if k == 0 {
            return None;
        }
        let state = self.state();
        let pairs = self.last_pairs();
        let mut order: Vec<(i32, u32)> = (0..self.root.block.len())
            .map(|split| (state.table.least(split, pairs, k / 2), self.root.block.columns[split]))
            .collect();
        order.sort_unstable();
        let mut ranks = vec![u32::MAX; self.pass.ranks.len()];
        for (rank, (_, column)) in order.into_iter().enumerate() {
            ranks[column as usize] = rank as u32;
        }
        Some(ranks)
    }

    /// The ways to share out the nodes of the last layer.
    fn last_pairs(&self) -> &[(usize, usize)] {
        let budget = self.pass.budget;
        budget.pairs(self.task.depth, budget.layers(self.task.depth) - 1)
    }

    /// For each direction a value that no tree of a split which is still open stays below.
    pub fn lows(&self) -> Vec<i32> {
        let state = self.state();
        let open = |k: usize| {
            let open = (0..self.root.block.len()).filter(|&split| !state.done[split]);
            open.map(move |split| (split, k))
        };
        let pairs = self.last_pairs();
        (0..self.pass.directions.len())
            .map(|k| open(k).map(|(split, k)| state.table.least(split, pairs, k)).min().unwrap_or(UNBOUNDED))
            .collect()
    }

    pub fn end(self) -> (Vec<Front>, Block<C>, Table) {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut later = std::mem::take(&mut state.later);
        later.sort_by_key(|(at, _)| *at);
        later.into_iter().for_each(|(_, found)| state.merge(found));
        (state.fronts, self.root.block, state.table)
    }
}
