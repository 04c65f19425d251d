//! Staircases of solved sides are exact, and what they prove of other sides never exceeds what trees attain there.

mod common;

use common::{Matrix, Random, cases, seed};
use paretree_core::block::{Block, Ground, Scratch};
use paretree_core::bound::Table;
use paretree_core::budget::Budget;
use paretree_core::data::{Cells, Data, Input};
use paretree_core::depth_two::{DepthTwo, Frame, Weighed};
use paretree_core::directions::Directions;
use paretree_core::kernel::Machine;
use paretree_core::limits::Limits;
use paretree_core::naive;
use paretree_core::staircase::Window;
use paretree_core::stairs::Stairs;

/// The least y for each x of the trees of depth two over the rows with `column` at `side`, by the oracle.
fn expected(matrix: &Matrix, data: &Data, column: usize, side: bool, length: usize) -> Vec<u32> {
    let rows: Vec<usize> =
        (0..matrix.rows).filter(|&row| (matrix.cells[row * matrix.columns + column] == 1) == side).collect();
    let cells: Vec<u8> =
        rows.iter().flat_map(|&row| matrix.cells[row * matrix.columns..][..matrix.columns].to_vec()).collect();
    let labels: Vec<u8> = rows.iter().map(|&row| matrix.labels[row]).collect();
    let weights: Option<Vec<u32>> =
        matrix.weights.as_ref().map(|weights| rows.iter().map(|&row| weights[row]).collect());
    let part = Input {
        rows: rows.len(),
        columns: matrix.columns,
        cells: Cells::Dense(&cells),
        labels: &labels,
        weights: weights.as_deref(),
    };
    let front: Vec<(u32, u32)> =
        naive::front(&part, 2, None, 1).iter().map(|&(fp, fneg)| data.counts(fp, fneg)).collect();
    let least = |x: usize| front.iter().filter(|point| point.0 as usize <= x).map(|point| point.1).min();
    (0..length).map(|x| least(x).expect("a leaf makes no errors of class 0")).collect()
}

#[test]
fn staircases_are_exact_and_shifted_soundly() {
    let mut raised = 0;
    for case in 0..cases(300) {
        let random = &mut Random(seed() << 32 | 5 << 28 | case);
        let matrix = Matrix::random(random, 50, 12);
        let data = Data::new(&matrix.input(), true, &mut Limits::unwatched()).expect("good input").expect("no limit");
        if data.columns.len() < 2 {
            continue;
        }
        let machines = Machine::available();
        let machine = machines[random.below(machines.len())];
        let ground = Ground::new(data, machine, 1, true);
        let data = &ground.data;
        let (limits, scratch) = (&mut Limits::unwatched(), &mut Scratch::default());
        let block = Block::<u16>::root(&ground, scratch, limits).expect("no limit");
        let directions = if random.one_in(2) { Directions::none() } else { Directions::one(1, 1) };
        let weighed = Weighed::new(&block, &directions, machine);
        let budget = Budget::new(None, 3);
        let mut window = Window::everything(data.total);
        window.cut(random.below(30) as u32, 0);
        let table = Table::new(block.width, 1, directions.len());
        let Some(mut stairs) = Stairs::new(&block, &[window], &table, &directions) else { continue };
        let frame =
            Frame { ground: &ground, block: &block, weighed: &weighed, directions: &directions, budget: &budget };
        let mut two = DepthTwo::default();
        for _ in 0..3 {
            let from = random.below(block.len());
            two.lows(&frame, from, false, scratch, limits).expect("no limit");
            let solved = two.staircases(&frame, from, stairs.length());
            for side in [false, true] {
                let column = data.original[block.columns[from] as usize] as usize;
                let expected = expected(&matrix, data, column, side, stairs.length());
                let found: Vec<u32> = solved[usize::from(side)].iter().map(|&y| u32::from(y)).collect();
                assert_eq!(found, expected, "case {case} {machine:?}");
            }
            stairs.learn(&block, from, &solved);
        }
        for split in 0..block.len() {
            for side in [false, true] {
                let column = data.original[block.columns[split] as usize] as usize;
                let expected = expected(&matrix, data, column, side, stairs.length());
                let proven = stairs.of(split, side);
                raised += proven.iter().filter(|&&y| y > 0).count();
                let below = proven.iter().zip(&expected).all(|(&proven, &expected)| u32::from(proven) <= expected);
                assert!(below, "case {case}: {proven:?} is above {expected:?}");
            }
        }
    }
    assert!(raised > 0);
}
