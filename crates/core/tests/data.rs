//! The paper's data sets point by point against the oracle. They are found in `PARETREE_DATA`, or in `../shared/data`
//! beside the repository; without them these tests say so and pass, unless `PARETREE_REQUIRE_DATA` is set.

mod common;

use common::{Matrix, answer, question};
use paretree_core::naive;
use std::path::PathBuf;

const FILES: [&str; 12] = [
    "Hu/compas-binary",
    "NL/IndiansDiabetes_categorical_bin",
    "NL/banknote_categorical_bin",
    "NL/bank_conv_categorical_bin",
    "NL/monk1_bin",
    "NL/monk2_bin",
    "NL/monk3_bin",
    "NL/seismic_bumps_categorical_bin",
    "NL/tic-tac-toe_bin",
    "Nina/car-un_converted",
    "Nina/corral-un_converted",
    "Nina/house-votes-84-un_converted",
];
const DEEP_FILES: [&str; 7] = [
    "NL/IndiansDiabetes_categorical_bin",
    "NL/monk1_bin",
    "NL/monk2_bin",
    "NL/monk3_bin",
    "NL/seismic_bumps_categorical_bin",
    "Nina/corral-un_converted",
    "Nina/house-votes-84-un_converted",
];

fn folder() -> Option<PathBuf> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let folder = std::env::var_os("PARETREE_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(
        std::env::var_os("PARETREE_REQUIRE_DATA").is_none(),
        "the data sets are required, but {folder:?} is no folder"
    );
    println!("no data sets in {folder:?}: nothing compared");
    None
}

fn compare(files: &[&str], depth: u32) {
    let Some(folder) = folder() else { return };
    for file in files {
        let matrix = Matrix::read(&folder.join(format!("{file}.txt"))).expect("a readable file");
        let found = answer(&matrix, &question(depth));
        assert_eq!(found.layers[0].counts, naive::front(&matrix.input(), depth, None, 1), "{file} at depth {depth}");
        println!("{file} depth {depth}: {} points equal", found.layers[0].counts.len());
    }
}

#[test]
fn fronts_of_depth_two_equal_the_oracle() {
    compare(&FILES, 2);
}

#[test]
fn fronts_of_depth_three_equal_the_oracle() {
    compare(&FILES, 3);
}

#[test]
#[ignore = "takes minutes: `make prove` runs it"]
fn fronts_of_depth_four_equal_the_oracle() {
    compare(&DEEP_FILES, 4);
}
