//! The oracle: fronts by the definition, with no bound, no cache and no counting ahead.
//!
//! ```text
//! front(S, 0) = leaves of S
//! front(S, d) = nondominated( leaves of S, and for every column f the sums of front(S∖f, d-1) and front(S∩f, d-1) )
//! ```
//!
//! It reads the caller's input and shares no code with the search.

use crate::data::{Cells, Input};
use std::collections::BTreeMap;

/// (fp, fn) of all nondominated trees up to a depth, with at most `nodes` branching nodes if given, and at least `least`
/// weight in each leaf (a tree that is one leaf is always allowed).
pub fn front(input: &Input, depth: u32, nodes: Option<u32>, least: u32) -> Vec<(u32, u32)> {
    let rows: Vec<usize> = (0..input.rows).filter(|&row| weight(input, row) > 0).collect();
    grow(input, &rows, depth, nodes.unwrap_or(u32::MAX), least.max(1))
}

fn weight(input: &Input, row: usize) -> u32 {
    input.weights.map_or(1, |weights| weights[row])
}

fn cell(input: &Input, row: usize, column: usize) -> bool {
    match input.cells {
        Cells::Dense(cells) => cells[row * input.columns + column] == 1,
        Cells::Sparse { starts, rows } => {
            rows[starts[column] as usize..starts[column + 1] as usize].contains(&(row as i64))
        }
    }
}

fn grow(input: &Input, rows: &[usize], depth: u32, nodes: u32, least: u32) -> Vec<(u32, u32)> {
    let total = |label: u8| rows.iter().filter(|&&row| input.labels[row] == label).map(|&row| weight(input, row)).sum();
    let mut points = vec![(total(0), 0), (0, total(1))];
    if depth > 0 && nodes > 0 {
        for column in 0..input.columns {
            let (one, zero): (Vec<usize>, Vec<usize>) = rows.iter().partition(|&&row| cell(input, row, column));
            if [&zero, &one].iter().any(|side| side.iter().map(|&row| weight(input, row)).sum::<u32>() < least) {
                continue;
            }
            let shares = if nodes > 1 << depth {
                vec![(nodes, nodes)]
            } else {
                (0..nodes).map(|i| (i, nodes - 1 - i)).collect()
            };
            for (left, right) in shares {
                let (left, right) =
                    (grow(input, &zero, depth - 1, left, least), grow(input, &one, depth - 1, right, least));
                points.extend(left.iter().flat_map(|l| right.iter().map(|r| (l.0 + r.0, l.1 + r.1))));
            }
        }
    }
    nondominated(points)
}

fn nondominated(points: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut least: BTreeMap<u32, u32> = BTreeMap::new();
    for (x, y) in points {
        least.entry(x).and_modify(|best| *best = y.min(*best)).or_insert(y);
    }
    let mut best = u32::MAX;
    least
        .into_iter()
        .filter(|&(_, y)| {
            y < best && {
                best = y;
                true
            }
        })
        .collect()
}
