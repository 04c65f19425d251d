//! Compares the search with the oracle on random cases until the time is over: `prove SECONDS [SEED]`.
//!
//! Depths 0 to 4, node budgets, leaf sizes, weights, all kernels, any combination of rules, 1 and 2 threads, caches of
//! three sizes. The first difference ends it with the case and its seed.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Matrix, Random, any_question, compare};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let seconds: u64 = arguments.get(1).map_or(60, |text| text.parse().expect("whole seconds"));
    let seed: u64 = arguments.get(2).map_or(7, |text| text.parse().expect("a whole number"));
    let start = Instant::now();
    let mut case = 0;
    while start.elapsed().as_secs() < seconds {
        let random = &mut Random(seed << 40 | case);
        let (rows, columns, depth) =
            [(24, 5, 4), (40, 6, 4), (60, 10, 3), (130, 24, 2), (30, 40, 2)][case as usize % 5];
        let matrix = Matrix::random(random, rows, columns);
        compare(&matrix, &any_question(random, depth), case);
        case += 1;
    }
    println!("{case} random cases in {seconds} s, seed {seed}: no difference");
}
