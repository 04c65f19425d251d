//! The search against the oracle, on random matrices: every limit, rule, kernel and number of threads.

mod common;

use common::{Matrix, Question, Random, answer, any_question, cases, compare, seed};
use paretree_core::goal::Goal;

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

#[test]
fn threads_find_the_same_trees() {
    for case in 0..cases(1000) {
        let random = &mut Random(seed() << 32 | 1 << 29 | case);
        let matrix = Matrix::random(random, 80, 9);
        let mut one = any_question(random, 4);
        one.setting.threads = 1;
        let mut many = one.clone();
        many.setting.threads = 4;
        let (one, many) = (answer(&matrix, &one), answer(&matrix, &many));
        for (one, many) in one.layers.iter().zip(&many.layers) {
            assert_eq!(one.counts, many.counts, "case {case}");
            assert_eq!(format!("{:?}", one.trees), format!("{:?}", many.trees), "case {case}");
        }
    }
}
