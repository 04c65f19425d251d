//! The search against the oracle, on random matrices: every limit, rule, kernel and number of threads.

mod common;

use common::{Matrix, Random, answer, any_rules};
use paretree_core::kernel::Machine;
use paretree_core::naive;
use paretree_core::solve::{Goal, Question};

/// Number of random cases; `PARETREE_CASES` asks for more.
fn cases(usual: u64) -> u64 {
    std::env::var("PARETREE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn seed() -> u64 {
    std::env::var("PARETREE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn any_question(random: &mut Random, most_depth: u32) -> Question {
    let machines = Machine::available();
    Question {
        depth: random.below(most_depth as usize + 1) as u32,
        nodes: random.one_in(2).then(|| random.below(18) as u32),
        least: if random.one_in(2) { 1 } else { 1 + random.below(8) as u32 },
        goal: Goal::All,
        rules: any_rules(random),
        machine: machines[random.below(machines.len())],
        threads: 1 + random.below(2),
        cache: [0, 1 << 12, 1 << 28][random.below(3)],
    }
}

fn compare(matrix: &Matrix, question: &Question, case: u64) {
    let found = answer(matrix, question);
    let input = matrix.input();
    assert!(found.stopped.is_none());
    let budgets = found.layers.len();
    for (layer, found) in found.layers.iter().enumerate() {
        let nodes = question.nodes.map(|most| if layer + 1 == budgets { most } else { layer as u32 });
        let expected = naive::front(&input, question.depth, nodes, question.least);
        assert_eq!(
            found.counts, expected,
            "case {case}: layer {layer} of {question:?}\n{} x {}: {:?}\nlabels {:?} weights {:?}",
            matrix.rows, matrix.columns, matrix.cells, matrix.labels, matrix.weights
        );
    }
}

#[test]
fn small_matrices_at_every_depth() {
    for case in 0..cases(1500) {
        let random = &mut Random(seed() << 32 | case);
        let matrix = Matrix::random(random, 24, 5);
        compare(&matrix, &any_question(random, 4), case);
    }
}

#[test]
fn wider_matrices_at_depth_three() {
    for case in 0..cases(150) {
        let random = &mut Random(seed() << 32 | 1 << 31 | case);
        let matrix = Matrix::random(random, 60, 10);
        compare(&matrix, &any_question(random, 3), case);
    }
}

#[test]
fn supported_points_are_the_hull_of_the_front() {
    for case in 0..cases(300) {
        let random = &mut Random(seed() << 32 | 1 << 30 | case);
        let matrix = Matrix::random(random, 60, 8);
        let whole = any_question(random, 4);
        let supported = Question { goal: Goal::Supported, ..whole.clone() };
        let (whole, supported) = (answer(&matrix, &whole), answer(&matrix, &supported));
        for (whole, supported) in whole.layers.iter().zip(&supported.layers) {
            assert_eq!(supported.counts, paretree_core::directions::hull(&whole.counts), "case {case}");
        }
    }
}

#[test]
fn threads_find_the_same_trees() {
    for case in 0..cases(200) {
        let random = &mut Random(seed() << 32 | 1 << 29 | case);
        let matrix = Matrix::random(random, 80, 9);
        let one = Question { threads: 1, ..any_question(random, 4) };
        let many = Question { threads: 4, ..one.clone() };
        let (one, many) = (answer(&matrix, &one), answer(&matrix, &many));
        for (one, many) in one.layers.iter().zip(&many.layers) {
            assert_eq!(one.counts, many.counts, "case {case}");
            assert_eq!(format!("{:?}", one.trees), format!("{:?}", many.trees), "case {case}");
        }
    }
}
