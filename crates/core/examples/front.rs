//! Fronts of files in the papers' format, with times: `front FILE DEPTH [nodes=K] [threads=N] [machine=NAME] [off=RULE,…]`.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Matrix, answer, question};
use paretree_core::goal::Goal;
use paretree_core::kernel::Machine;
use paretree_core::rules::Rule;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let matrix = Matrix::read(arguments[1].as_ref()).expect("a readable file");
    let mut question = question(arguments[2].parse().expect("a depth"));
    let mut repeats = 1;
    for argument in &arguments[3..] {
        match argument.split_once('=').expect("NAME=VALUE") {
            ("nodes", value) => question.setting.nodes = Some(value.parse().expect("a number")),
            ("least", value) => question.setting.least = value.parse().expect("a number"),
            ("threads", value) => question.setting.threads = value.parse().expect("a number"),
            ("repeats", value) => repeats = value.parse().expect("a number"),
            ("machine", value) => question.setting.machine = Machine::named(value).expect("a kind of machine"),
            ("points", "supported") => question.goal = Goal::Supported,
            ("off", value) => {
                for rule in value.split(',') {
                    let rule = Rule::ALL.iter().find(|known| known.name() == rule).expect("a rule");
                    question.setting.rules = question.setting.rules.with(*rule, false);
                }
            }
            (other, _) => panic!("{other} is not an option"),
        }
    }
    let mut best = f64::INFINITY;
    for repeat in 0..repeats {
        let start = Instant::now();
        let found = answer(&matrix, &question);
        best = best.min(start.elapsed().as_secs_f64());
        if repeat + 1 == repeats {
            let sizes: Vec<usize> = found.layers.iter().map(|layer| layer.counts.len()).collect();
            let s = &found.stats;
            let rules = Rule::ALL.iter().map(|&rule| format!("{}={}", rule.name(), s.rules[rule as usize]));
            let rules: Vec<String> = rules.collect();
            println!("pairs {} blocks {} fronts {}/{} {}", s.pairs, s.blocks, s.fruitful, s.fronts, rules.join(" "));
            println!("{} depth {} sizes {sizes:?} {best:.4} s", arguments[1], question.depth);
        }
    }
}
