//! The questions for a least weighted error and for the points inside windows, against the oracle: one solver is asked
//! several of them in a row, of several depths, so that what one leaves behind meets the next.

mod common;

use common::{Matrix, Random, any_question, cases, seed, solver};
use paretree_core::limits::{Limits, Reason};
use paretree_core::naive;
use paretree_core::solver::{Answer, Depth, Solver};

/// What is asked: of trees of a depth, for the front of each layer, as the oracle has it.
struct Asked<'a> {
    solver: &'a mut Solver,
    depth: Depth,
    fronts: Vec<Vec<(u32, u32)>>,
    /// The front of the last layer of the deepest trees to come.
    deepest: &'a [(u32, u32)],
    total: [u32; 2],
}

fn weight((a, b): (u64, u64), (fp, fneg): (u32, u32)) -> u128 {
    u128::from(a) * u128::from(fp) + u128::from(b) * u128::from(fneg)
}

/// Small and large weights, 0 among them.
fn any_weights(random: &mut Random) -> (u64, u64) {
    let one = |random: &mut Random| match random.below(8) {
        0 => 0,
        1 => 1 + random.below(1 << 40) as u64,
        _ => 1 + random.below(40) as u64,
    };
    let (a, b) = (one(random), one(random));
    if a + b == 0 { (1, 0) } else { (a, b) }
}

/// Checks that cut some searches off.
fn any_limits(random: &mut Random) -> Limits<'static> {
    if random.one_in(4) { Limits::after(random.below(80) as u64) } else { Limits::unwatched() }
}

/// Every bound that an unfinished answer comes with holds for every tree of the last layer that it leaves open.
fn check_lows(answer: &Answer, open: &[(u32, u32)], case: u64) {
    for &((a, b), low) in &answer.lows {
        for &point in open {
            assert!(
                weight((a.into(), b.into()), point) >= low,
                "case {case}: {point:?} lies below {low} in direction {:?}",
                (a, b)
            );
        }
    }
}

impl Asked<'_> {
    /// Of these points of the front, those that the bounds of an unfinished answer speak of: with deeper trees to come, all
    /// of theirs.
    fn open(&self, points: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
        let all = self.depth.depth < self.depth.toward || self.depth.splits.is_some();
        if all { self.deepest.to_vec() } else { points.collect() }
    }

    fn least(&mut self, random: &mut Random, case: u64) {
        let weights = any_weights(random);
        let front = &self.fronts[self.fronts.len() - 1];
        let least = front.iter().map(|&point| weight(weights, point)).min().expect("a front has a point");
        let value = least.saturating_add(random.below(5) as u128).saturating_sub(random.below(4) as u128);
        let limits = &mut any_limits(random);
        let found = self.solver.least(self.depth, weights, value, limits).expect("a good question");
        let (last, below) = found.layers.split_last().expect("a layer");
        assert!(below.iter().all(|layer| layer.counts.is_empty()), "case {case}");
        assert!(last.counts.len() <= 1, "case {case}");
        assert!(last.counts.iter().all(|&point| (least..value).contains(&weight(weights, point))), "case {case}");
        if self.depth.splits.is_some() && found.stopped.is_none() {
            assert!(found.lows.is_empty(), "case {case}");
        } else if found.stopped.is_none() {
            let expected: Vec<u128> = if least < value { vec![least] } else { vec![] };
            let found: Vec<u128> = last.counts.iter().map(|&point| weight(weights, point)).collect();
            assert_eq!(found, expected, "case {case}: {weights:?} below {value}");
        } else {
            let beaten = last.counts.first().map_or(value, |&point| weight(weights, point));
            let open = self.open(front.iter().copied().filter(|&point| weight(weights, point) < beaten));
            check_lows(&found, &open, case);
        }
    }

    /// Limits that never rise, and which points of a front they leave useful.
    fn any_window(&self, random: &mut Random, layer: usize) -> Vec<u32> {
        if random.one_in(5) {
            return Vec::new();
        }
        let mut limit = self.total[1] + 1 + random.below(2) as u32;
        let mut window = Vec::new();
        for _ in 0..=self.total[0] {
            if random.one_in(4) {
                limit = limit.saturating_sub(random.below(self.total[1] as usize / 2 + 2) as u32);
            }
            window.push(limit);
        }
        if random.one_in(3) && layer > 0 { window.split_off(window.len() / 2) } else { window }
    }

    fn useful(&mut self, random: &mut Random, case: u64) {
        let windows: Vec<Vec<u32>> = (0..self.fronts.len()).map(|layer| self.any_window(random, layer)).collect();
        let weights: Vec<(u64, u64)> = (0..random.below(5)).map(|_| any_weights(random)).collect();
        let positives_first = self.solver.data().positives_first;
        let limits = &mut any_limits(random);
        let found = self.solver.useful(self.depth, windows.clone(), &weights, limits).expect("a good question");
        for (layer, found_here) in found.layers.iter().enumerate() {
            let useful = |&(fp, fneg): &(u32, u32)| {
                let (x, y) = if positives_first { (fneg, fp) } else { (fp, fneg) };
                windows[layer].get(x as usize).is_some_and(|&limit| y < limit)
            };
            let expected: Vec<(u32, u32)> = self.fronts[layer].iter().copied().filter(useful).collect();
            if self.depth.splits.is_some() && found.stopped.is_none() {
                let worse = |point: &(u32, u32)| expected.iter().any(|at| at.0 <= point.0 && at.1 <= point.1);
                assert!(found_here.counts.iter().all(|point| useful(point) && worse(point)), "case {case}");
            } else if found.stopped.is_none() {
                assert_eq!(found_here.counts, expected, "case {case}, layer {layer}");
            } else if layer + 1 == self.fronts.len() {
                let dominated =
                    |point: &(u32, u32)| found_here.counts.iter().any(|at| at.0 <= point.0 && at.1 <= point.1);
                let open = self.open(expected.into_iter().filter(|point| !dominated(point)));
                check_lows(&found, &open, case);
            }
        }
    }
}

fn compare(random: &mut Random, matrix: &Matrix, most_depth: u32, case: u64) {
    let question = any_question(random, most_depth);
    let mut solver = solver(matrix, &question.setting);
    let mut weights = [0; 2];
    for (row, &label) in matrix.labels.iter().enumerate() {
        weights[usize::from(label)] += matrix.weights.as_ref().map_or(1, |weights| weights[row]);
    }
    weights.sort_unstable();
    let deepest = naive::front(&matrix.input(), question.depth, question.setting.nodes, question.setting.least);
    for _ in 0..6 {
        let depth = random.below(question.depth as usize + 1) as u32;
        let layers = solver.budget(depth).expect("a small budget").layers(depth);
        let fronts = (0..layers).map(|layer| {
            let nodes = question.setting.nodes.map(|most| if layer + 1 == layers { most } else { layer as u32 });
            naive::front(&matrix.input(), depth, nodes, question.setting.least)
        });
        let splits = random.one_in(5).then(|| random.below(4));
        let depth = Depth { depth, toward: question.depth, splits };
        let (fronts, solver) = (fronts.collect(), &mut solver);
        let mut asked = Asked { fronts, solver, depth, deepest: &deepest, total: weights };
        if random.one_in(2) { asked.least(random, case) } else { asked.useful(random, case) }
    }
}

#[test]
fn small_matrices_at_every_depth() {
    for case in 0..cases(3000) {
        let random = &mut Random(seed() << 32 | 5 << 28 | case);
        let matrix = Matrix::random(random, 24, 5);
        compare(random, &matrix, 4, case);
    }
}

#[test]
fn wider_matrices_at_depth_three() {
    for case in 0..cases(500) {
        let random = &mut Random(seed() << 32 | 6 << 28 | case);
        let matrix = Matrix::random(random, 60, 9);
        compare(random, &matrix, 3, case);
    }
}

#[test]
fn threads_find_the_same_points_inside_windows() {
    for case in 0..cases(400) {
        let random = &mut Random(seed() << 32 | 7 << 28 | case);
        let matrix = Matrix::random(random, 80, 9);
        let mut question = any_question(random, 4);
        let (windows, weights) = (random.next(), any_weights(random));
        let answers = [1, 4].map(|threads| {
            question.setting.threads = threads;
            let mut solver = solver(&matrix, &question.setting);
            let total = solver.data().total;
            (2..=question.depth.max(2))
                .map(|depth| {
                    let layers = solver.budget(depth).expect("a small budget").layers(depth);
                    let limit = |x: u32| total[1].saturating_sub((u64::from(x) * (1 + windows % 5)) as u32);
                    let windows = vec![(0..=total[0]).map(limit).collect(); layers];
                    let depth = Depth { depth, toward: question.depth, splits: None };
                    let found = solver.useful(depth, windows, &[weights], &mut Limits::unwatched()).expect("good");
                    found.layers.iter().map(|layer| format!("{:?} {:?}", layer.counts, layer.trees)).collect::<Vec<_>>()
                })
                .collect::<Vec<_>>()
        });
        assert_eq!(answers[0], answers[1], "case {case}");
    }
}

#[test]
fn bad_windows_are_refused() {
    let random = &mut Random(9);
    let matrix = Matrix { labels: vec![0, 1, 1], rows: 3, ..Matrix::random(random, 1, 0) };
    let matrix = Matrix { cells: vec![0, 1, 0], columns: 1, weights: None, ..matrix };
    let mut solver = solver(&matrix, &common::question(2).setting);
    let depth = Depth { depth: 2, toward: 2, splits: None };
    let limits = &mut Limits::unwatched();
    assert!(solver.useful(depth, vec![], &[], limits).unwrap_err().0.contains("0 windows for 1 layers"));
    for window in [vec![1, 2], vec![2, 1, 0]] {
        let error = solver.useful(depth, vec![window], &[], limits).unwrap_err();
        assert!(error.0.contains("at most 2 limits, which never rise"));
    }
    assert!(
        solver
            .least(Depth { depth: 21, toward: 21, splits: None }, (1, 1), 2, limits)
            .unwrap_err()
            .0
            .contains("max_depth is 21")
    );
    let stopped = solver.least(depth, (1, 1), 9, &mut Limits::after(0)).expect("an answer");
    assert_eq!((stopped.stopped, stopped.layers[0].counts.len()), (Some(Reason::Interrupt), 1));
}
