//! From a question to an answer: one pass for each depth, then every tree priced on the raw rows.
//!
//! Guarantees: every (fp, fn) returned was recomputed from the rows as given; `stopped` is `None` only if no limit ended
//! the last pass; the answer is the same for any number of threads.

use crate::block::{Block, Ground, Scratch};
use crate::bound::Table;
use crate::budget::Budget;
use crate::cache::Cache;
use crate::data::{Cells, Data, Input};
use crate::directions::Directions;
use crate::error::Error;
use crate::goal::Goal;
use crate::kernel::{self, Count, Machine};
use crate::limits::{Limits, Reason, Stopped};
use crate::refuse;
use crate::rows::Keys;
use crate::rules::{Rule, Rules};
use crate::run::Run;
use crate::staircase::{Front, Point, Window, offer};
use crate::stats::Stats;
use crate::stumps::Stumps;
use crate::tree::{Flat, MOST_COLUMNS, Tree, Twig, price};
use crate::worker::Pass;

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
/// The greatest node budget that a question may have where it forbids something.
pub const MOST_NODES: u32 = 255;
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
    if let Goal::Best(ratio) = question.goal
        && !ratio.fits(data)
    {
        return refuse!("the coefficients of {ratio:?} are too large for exact comparison: divide them");
    }
    // No tree of use has more branching nodes than it needs to tell all distinct rows apart.
    let most = (data.rows() as u32 - 1).min((1 << question.depth) - 1);
    let nodes = question.nodes.map(|nodes| nodes.min(most));
    if nodes.is_some_and(|nodes| nodes > MOST_NODES) {
        return refuse!("max_nodes is {}; at most {MOST_NODES} are supported at this depth", nodes.unwrap_or(0));
    }
    let question = &Question { nodes, ..question.clone() };
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

/// The front of depth one, straight from the columns: what a limit leaves of the largest data.
fn stumps(ground: &Ground, limits: &mut Limits) -> Result<Front, Stopped> {
    let data = ground.data;
    let planes = data.planes();
    let mut ones = [Vec::new(), Vec::new()];
    for column in &data.columns {
        limits.check()?;
        ones.iter_mut().for_each(|ones| ones.push(0));
        for (class, shift, plane) in &planes {
            let count = (kernel::common(ground.machine, column, plane) << shift) as u32;
            *ones[*class].last_mut().expect("just pushed") += count;
        }
    }
    let columns: Vec<u32> = (0..data.columns.len() as u32).collect();
    let (mut window, mut front) = (Window::everything(data.total), Front::new());
    let mut stumps = Stumps::default();
    let windows = std::slice::from_ref(&window);
    stumps.list(0, [&ones[0], &ones[1]], data.total, &columns, ground.least, windows, None);
    for step in stumps.all(0) {
        offer(&mut front, &mut window, &Point { x: step.x, y: step.y, tree: Tree::Twig(Twig::stump(step.stump)) });
    }
    Ok(front)
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
    if depth > 0
        && question.nodes != Some(0)
        && rules.on(Rule::ShallowFirst)
        && let Ok(front) = stumps(&ground, limits)
    {
        // With budgets, the layer of no node stays below it.
        fronts.truncate(usize::from(question.nodes.is_some()));
        fronts.push(front);
        if depth == 1 {
            // Nothing is left to search, and wide data need no pair counts.
            return fronts;
        }
    }
    let mut ranks: Vec<u32> = (0..data.columns.len() as u32).collect();
    if let Ok(mut root) = Block::<C>::root(&ground, &mut Scratch::default(), limits) {
        let first = if rules.on(Rule::ShallowFirst) { depth.min(2) } else { depth };
        for now in first..=depth {
            stats.rules[Rule::ShallowFirst as usize] +=
                if now > first { fronts.iter().map(Vec::len).sum::<usize>() as u64 } else { 0 };
            let last = fronts.len() - 1;
            let start: Vec<Front> = (0..budget.layers(now)).map(|layer| fronts[layer.min(last)].clone()).collect();
            let done;
            (fronts, root, ranks, done) =
                passes_of(question, &ground, (&budget, &cache), (now, start), root, ranks, limits, stats);
            if done.is_err() {
                break;
            }
        }
    }
    let last = fronts.len() - 1;
    (0..budget.layers(depth)).map(|layer| fronts[layer.min(last)].clone()).collect()
}

/// Passes over the trees of one depth: one, or as many as the goal needs for a proof at the greatest depth.
fn passes_of<C: Count>(
    question: &Question,
    ground: &Ground,
    (budget, cache): (&Budget, &Cache),
    (depth, mut fronts): (u32, Vec<Front>),
    mut root: Block<C>,
    mut ranks: Vec<u32>,
    limits: &mut Limits,
    stats: &mut Stats,
) -> (Vec<Front>, Block<C>, Vec<u32>, Result<(), Stopped>) {
    let goal = question.goal.of_points(ground.data);
    let mut proven: Option<(Table, Directions)> = None;
    loop {
        cache.clear();
        let directions = choose(question, &fronts, &root, ground.data);
        let pass = Pass { ground, budget, directions, rules: question.rules, cache, ranks: ranks.clone() };
        let before = fronts.clone();
        let table = proven.and_then(|(table, old)| table.turned(&old, &pass.directions));
        let mut run = Run::new(&pass, question, depth, fronts, root, table);
        let done = run.go(limits, stats);
        ranks = run.next_ranks(ranks);
        let table;
        (fronts, root, table) = run.end();
        proven = Some((table, pass.directions));
        if done.is_err() || depth < question.depth || !goal.again(&before, &fronts) {
            return (fronts, root, ranks, done);
        }
    }
}

/// Directions near fronts; fewer where a block is so wide that each takes much memory.
fn choose<C: Count>(question: &Question, fronts: &[Front], root: &Block<C>, data: &Data) -> Directions {
    if !question.rules.on(Rule::HalfPlanes) {
        return Directions::none();
    }
    let square = (root.len() * root.width * 4).max(1);
    question.goal.of_points(data).directions(fronts, data).at_most(MOST_SQUARES / square)
}

/// Flattens the trees, prices them on the raw rows, and puts the counts into the caller's order.
fn answer(data: &Data, fronts: Vec<Front>, question: &Question, limits: &Limits, stats: Stats) -> Answer {
    let layers = fronts.into_iter().map(|mut front| {
        question.goal.of_points(data).keep(&mut front);
        if data.positives_first {
            front.reverse();
        }
        let mut trees = Flat::new();
        front.iter().for_each(|point| trees.push(&point.tree.simpler(), data));
        let counts: Vec<(u32, u32)> = front.iter().map(|point| data.counts(point.x, point.y)).collect();
        assert_eq!(price(&trees, data, question.machine), counts, "a tree does not have the errors it was listed with");
        Layer { counts, trees }
    });
    Answer { layers: layers.collect(), stopped: limits.signals.stopped(), stats }
}
