//! Random matrices and the questions asked of them.
#![allow(dead_code)]

use paretree_core::data::{Cells, Input};
use paretree_core::goal::Goal;
use paretree_core::kernel::Machine;
use paretree_core::limits::Limits;
use paretree_core::naive;
use paretree_core::rules::{Rule, Rules};
use paretree_core::solver::{Answer, Setting, Solver, digest};
use std::time::Instant;

/// SplitMix64 (Steele, Lea, Flood 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A matrix that owns its cells.
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub cells: Vec<u8>,
    pub labels: Vec<u8>,
    pub weights: Option<Vec<u32>>,
}

impl Matrix {
    /// Constant, equal and complementary columns, equal rows with different labels and one class all occur.
    pub fn random(random: &mut Random, most_rows: usize, most_columns: usize) -> Self {
        let rows = if random.one_in(12) { 64 } else { 1 + random.below(most_rows) };
        let columns = random.below(most_columns + 1);
        let density = 1 + random.below(9);
        let mut cells: Vec<u8> = (0..rows * columns).map(|_| u8::from(random.below(10) < density)).collect();
        for column in 1..columns {
            let (kind, other) = (random.below(12), random.below(column));
            for row in 0..rows {
                let cell = &cells[row * columns + other];
                match kind {
                    0 => cells[row * columns + column] = *cell,
                    1 => cells[row * columns + column] = 1 - *cell,
                    2 => cells[row * columns + column] = 1,
                    _ => {}
                }
            }
        }
        for row in 1..rows {
            if random.one_in(6) {
                let other = random.below(row);
                cells.copy_within(other * columns..(other + 1) * columns, row * columns);
            }
        }
        let share = random.below(11);
        let labels = (0..rows).map(|_| u8::from(random.below(10) < share)).collect();
        let weights = random.one_in(3).then(|| (0..rows).map(|_| random.below(7) as u32).collect::<Vec<_>>());
        let weights = weights.filter(|weights| weights.iter().any(|&weight| weight > 0));
        Matrix { rows, columns, cells, labels, weights }
    }

    pub fn input(&self) -> Input<'_> {
        Input {
            rows: self.rows,
            columns: self.columns,
            cells: Cells::Dense(&self.cells),
            labels: &self.labels,
            weights: self.weights.as_deref(),
        }
    }

    /// The file format of the papers: label first, then 0/1 columns, separated by blanks.
    pub fn read(path: &std::path::Path) -> std::io::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let lines: Vec<Vec<u8>> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| line.split_ascii_whitespace().map(|cell| u8::from(cell == "1")).collect())
            .collect();
        let columns = lines[0].len() - 1;
        let labels = lines.iter().map(|line| line[0]).collect();
        let cells = lines.iter().flat_map(|line| line[1..].to_vec()).collect();
        Ok(Matrix { rows: lines.len(), columns, cells, labels, weights: None })
    }
}

/// A question about the front, and what it is asked of.
#[derive(Clone, Debug)]
pub struct Question {
    pub depth: u32,
    pub goal: Goal,
    pub setting: Setting,
}

pub fn question(depth: u32) -> Question {
    let setting =
        Setting { nodes: None, least: 1, rules: Rules::ALL, machine: Machine::best(), threads: 1, cache: 1 << 28 };
    Question { depth, goal: Goal::All, setting }
}

pub fn any_rules(random: &mut Random) -> Rules {
    let bits = random.next();
    let rules = Rule::ALL.iter().fold(Rules::ALL, |rules, &rule| rules.with(rule, bits >> rule as u32 & 1 == 1));
    if random.one_in(3) { Rules::ALL } else { rules }
}

pub fn solver(matrix: &Matrix, setting: &Setting) -> Solver {
    let data = digest(&matrix.input(), setting.rules.on(Rule::MergeRows), &mut Limits::unwatched());
    Solver::new(data.expect("good input"), setting.clone()).expect("a good setting")
}

pub fn answer(matrix: &Matrix, question: &Question) -> Answer {
    let mut hook = |_: &_, _| true;
    let mut limits = Limits::new(Instant::now(), None, None, &mut hook);
    let Question { depth, goal, ref setting } = *question;
    solver(matrix, setting).front(depth, goal, &mut limits).expect("a good question")
}

/// Number of random cases; `PARETREE_CASES` asks for more.
pub fn cases(usual: u64) -> u64 {
    std::env::var("PARETREE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Seed of the random cases; `PARETREE_SEED` sets another.
pub fn seed() -> u64 {
    std::env::var("PARETREE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// A question with random limits, rules, kernels, threads and cache.
pub fn any_question(random: &mut Random, most_depth: u32) -> Question {
    let machines = Machine::available();
    let depth = random.below(most_depth as usize + 1) as u32;
    let setting = Setting {
        nodes: random.one_in(2).then(|| random.below(18) as u32),
        least: if random.one_in(2) { 1 } else { 1 + random.below(8) as u32 },
        rules: any_rules(random),
        machine: machines[random.below(machines.len())],
        threads: 1 + random.below(2),
        cache: [0, 1 << 12, 1 << 28][random.below(3)],
    };
    Question { depth, goal: Goal::All, setting }
}

/// One question against the oracle: the front of every budget.
pub fn compare(matrix: &Matrix, question: &Question, case: u64) {
    let found = answer(matrix, question);
    let input = matrix.input();
    assert!(found.stopped.is_none());
    let budgets = found.layers.len();
    for (layer, found) in found.layers.iter().enumerate() {
        let nodes = question.setting.nodes.map(|most| if layer + 1 == budgets { most } else { layer as u32 });
        let expected = naive::front(&input, question.depth, nodes, question.setting.least);
        assert_eq!(
            found.counts, expected,
            "case {case}: layer {layer} of {question:?}\n{} x {}: {:?}\nlabels {:?} weights {:?}",
            matrix.rows, matrix.columns, matrix.cells, matrix.labels, matrix.weights
        );
    }
}
