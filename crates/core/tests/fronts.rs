//! The search against the oracle, on random matrices: every limit, rule, kernel and number of threads.

mod common;

use common::{Matrix, Random, answer, any_question, cases, compare, seed};
use paretree_core::goal::{Goal, Ratio};
use paretree_core::rules::Rules;
use paretree_core::solve::Question;

#[test]
fn small_matrices_at_every_depth() {
    for case in 0..cases(8000) {
        let random = &mut Random(seed() << 32 | case);
        let matrix = Matrix::random(random, 24, 5);
        compare(&matrix, &any_question(random, 4), case);
    }
}

#[test]
fn wider_matrices_at_depth_three() {
    for case in 0..cases(1000) {
        let random = &mut Random(seed() << 32 | 1 << 31 | case);
        let matrix = Matrix::random(random, 60, 10);
        compare(&matrix, &any_question(random, 3), case);
    }
}

#[test]
fn supported_points_are_the_hull_of_the_front() {
    for case in 0..cases(1500) {
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

/// F1, cost and accuracy as ratios of (1, fp, fn).
fn ratios(positives: i64) -> [Ratio; 4] {
    [
        Ratio { above: [2 * positives, 0, -2], below: [2 * positives, 1, -1] },
        Ratio { above: [0, -3, -100_003], below: [1, 0, 0] },
        Ratio { above: [0, -1, -1], below: [1, 0, 0] },
        Ratio { above: [positives, 0, -1], below: [positives, 1, -1] },
    ]
}

/// The best points of all budgets by their own searches, and by going through the fronts.
fn compare_best(matrix: &Matrix, whole: &Question, case: u64) {
    let weight = |row: usize| matrix.weights.as_ref().map_or(1, |weights| i64::from(weights[row]));
    let positives = (0..matrix.rows).filter(|&row| matrix.labels[row] == 1).map(weight).sum::<i64>();
    let fronts = answer(matrix, whole);
    for ratio in ratios(positives) {
        let value = |&(fp, fneg): &(u32, u32)| {
            let at = |[one, a, b]: [i64; 3]| one + a * i64::from(fp) + b * i64::from(fneg);
            if at(ratio.below) == 0 { 0.0 } else { at(ratio.above) as f64 / at(ratio.below) as f64 }
        };
        let best = answer(matrix, &Question { goal: Goal::Best(ratio), ..whole.clone() });
        for (front, best) in fronts.layers.iter().zip(&best.layers) {
            let expected = front.counts.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(
                best.counts.iter().map(value).collect::<Vec<_>>(),
                [expected],
                "case {case} {ratio:?} {whole:?}"
            );
        }
    }
}

#[test]
fn the_best_point_is_the_best_of_the_front() {
    for case in 0..cases(2000) {
        let random = &mut Random(seed() << 32 | 1 << 28 | case);
        let matrix = Matrix::random(random, 60, 8);
        compare_best(&matrix, &any_question(random, 4), case);
    }
}

#[test]
fn the_best_point_of_every_budget_is_the_best_of_its_front() {
    for case in 0..cases(400) {
        let random = &mut Random(seed() << 32 | 1 << 27 | case);
        let mut matrix = Matrix::random(random, 160, 18);
        while matrix.columns < 12 || matrix.rows < 40 {
            matrix = Matrix::random(random, 160, 18);
        }
        let (nodes, depth) = (Some(8 + random.below(8) as u32), 3 + random.below(2) as u32);
        compare_best(&matrix, &Question { depth, nodes, least: 1, rules: Rules::ALL, ..any_question(random, 1) }, case);
    }
}

#[test]
fn threads_find_the_same_trees() {
    for case in 0..cases(1000) {
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
