//! Passes over trees of one depth, and what one pass leaves for the next: the block of all rows, the order of columns,
//! the cache, and what was proven of the root's splits.
//!
//! Guarantee: what is handed on changes how long a pass takes and, by the order of columns, which of several trees with
//! the same errors it finds; never which points.

use crate::block::{Block, Ground, Scratch};
use crate::bound::Table;
use crate::budget::Budget;
use crate::cache::Cache;
use crate::directions::Directions;
use crate::goal::Goal;
use crate::kernel::Count;
use crate::limits::{Limits, Stopped};
use crate::rules::{Rule, Rules};
use crate::run::Run;
use crate::staircase::{Front, Window};
use crate::stats::Stats;
use crate::worker::Pass;

/// What a pass is to do.
pub struct Task {
    pub depth: u32,
    /// The depth of the last pass that is to come; the order of its columns is worked out on the way there.
    pub toward: u32,
    /// How many splits of the root to look at, if not all.
    pub splits: Option<usize>,
    pub budget: Budget,
    pub goal: Goal,
    /// Points known, and what is useful beside them, for each layer.
    pub fronts: Vec<Front>,
    pub windows: Vec<Window>,
    pub directions: Directions,
    pub rules: Rules,
    pub threads: usize,
}

/// What came of a pass: the points for each layer, and for each direction a value that no tree of the last layer whose
/// split was not looked at stays below.
pub struct Passed {
    pub fronts: Vec<Front>,
    pub lows: Vec<((i32, i32), i32)>,
    pub done: Result<(), Stopped>,
}

/// Memory between passes.
pub struct Passes<C> {
    root: Option<Block<C>>,
    ranks: Vec<u32>,
    cache: Cache,
    /// What the cache holds was found in these directions.
    cached: Directions,
    /// What the last pass proved of the root's splits: its depth, its directions, its lows.
    proven: Option<(u32, Directions, Table)>,
}

/// Bytes that the weighed squares of one block may take before directions are given up.
const MOST_SQUARES: usize = 64 << 20;

impl<C: Count> Passes<C> {
    pub fn new(columns: usize, cache: Cache) -> Self {
        let ranks = (0..columns as u32).collect();
        Passes { root: None, ranks, cache, cached: Directions::none(), proven: None }
    }

    /// Runs a pass. `Err` if a limit came before it began.
    pub fn run(
        &mut self,
        ground: &Ground,
        task: &Task,
        limits: &mut Limits,
        stats: &mut Stats,
    ) -> Result<Passed, Stopped> {
        let root = match self.root.take() {
            Some(root) => root,
            None => Block::root(ground, &mut Scratch::default(), limits)?,
        };
        let directions = if task.rules.on(Rule::HalfPlanes) {
            // Fewer where a block is so wide that each takes much memory.
            let square = (root.len() * root.width * 4).max(1);
            task.directions.clone().at_most(MOST_SQUARES / square)
        } else {
            Directions::none()
        };
        if directions != self.cached {
            self.cache.clear();
            self.cached = directions.clone();
        }
        let proven = self.proven.take().filter(|(depth, ..)| *depth == task.depth);
        let proven = proven.map(|(_, from, table)| table.turned(&from, &directions));
        let ranks = self.ranks.clone();
        let pass = Pass { ground, budget: &task.budget, directions, rules: task.rules, cache: &self.cache, ranks };
        let (depth, toward) = (task.depth, task.toward);
        let mut run = Run::new(&pass, task, root, proven);
        let done = run.go(limits, stats);
        if depth == 3
            && toward > 3
            && let Some(ranks) = run.next_ranks()
        {
            // Trees that are remembered were found in the order before.
            self.cached = Directions::none();
            self.ranks = ranks;
        }
        let lows = pass.directions.iter().zip(run.lows()).collect();
        let (fronts, root, table) = run.end();
        self.root = Some(root);
        self.proven = Some((depth, pass.directions, table));
        Ok(Passed { fronts, lows, done })
    }
}
