//! Trees: shared while a search runs, flat arrays when they leave it, priced on the rows as given.

use crate::data::Data;
use std::sync::Arc;

/// A tree over the kept columns; a leaf names the class it predicts.
#[derive(Clone, Debug)]
pub enum Tree {
    Leaf(u8),
    Split(Arc<Split>),
}

/// Rows with the column at 0 go to `zero`, the others to `one`.
#[derive(Debug)]
pub struct Split {
    pub column: u32,
    pub zero: Tree,
    pub one: Tree,
}

impl Tree {
    pub fn split(column: u32, zero: Tree, one: Tree) -> Self {
        Tree::Split(Arc::new(Split { column, zero, one }))
    }

    /// Number of branching nodes.
    pub fn nodes(&self) -> usize {
        match self {
            Tree::Leaf(_) => 0,
            Tree::Split(split) => 1 + split.zero.nodes() + split.one.nodes(),
        }
    }
}

/// Many trees as arrays. Tree t occupies `starts[t]..starts[t + 1]`, its root first; `column` is the caller's column
/// number, or -1 for a leaf; `zero` and `one` are positions relative to the tree's start; `label` is 1 for positive.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    pub starts: Vec<u32>,
    pub column: Vec<i32>,
    pub zero: Vec<i32>,
    pub one: Vec<i32>,
    pub label: Vec<i8>,
}

impl Flat {
    pub fn new() -> Self {
        Flat { starts: vec![0], ..Flat::default() }
    }

    /// Appends a tree in preorder.
    pub fn push(&mut self, tree: &Tree, data: &Data) {
        let start = self.column.len();
        self.grow(tree, data, start);
        self.starts.push(self.column.len() as u32);
    }

    fn grow(&mut self, tree: &Tree, data: &Data, start: usize) -> i32 {
        let at = self.column.len();
        let (column, label) = match tree {
            Tree::Leaf(class) => (-1, ((*class == 1) != data.positives_first) as i8),
            Tree::Split(split) => (data.original[split.column as usize] as i32, -1),
        };
        self.column.push(column);
        self.label.push(label);
        self.zero.push(-1);
        self.one.push(-1);
        if let Tree::Split(split) = tree {
            self.zero[at] = self.grow(&split.zero, data, start);
            self.one[at] = self.grow(&split.one, data, start);
        }
        (at - start) as i32
    }
}

/// (fp, fn) of each tree, counted on the rows as they were given: neither merged rows, nor the order of the search, nor
/// anything else that the search built takes part.
pub fn price(flat: &Flat, data: &Data) -> Vec<(u32, u32)> {
    let raw = &data.raw;
    let mut reached = vec![vec![u64::MAX; raw.words]];
    flat.starts
        .windows(2)
        .map(|range| {
            let mut errors = [0_u32; 2];
            walk(flat, data, range[0] as usize, 0, 0, &mut reached, &mut errors);
            (errors[0], errors[1])
        })
        .collect()
}

/// Adds the errors below a node; `reached[level]` are the rows that come to it.
fn walk(flat: &Flat, data: &Data, start: usize, node: usize, level: usize, reached: &mut Vec<Vec<u64>>, errors: &mut [u32; 2]) {
    let at = start + node;
    if flat.column[at] < 0 {
        // A leaf that says positive is wrong on the negatives, which are class 0 of the raw rows, and the other way.
        let wrong = usize::from(flat.label[at] == 0);
        for (shift, plane) in &data.raw.planes[wrong] {
            let ones: u32 = reached[level].iter().zip(plane).map(|(x, y)| (x & y).count_ones()).sum();
            errors[wrong] += ones << shift;
        }
        return;
    }
    let column = &data.raw.columns[&(flat.column[at] as u32)];
    for (child, flip) in [(flat.zero[at], u64::MAX), (flat.one[at], 0)] {
        if reached.len() == level + 1 {
            reached.push(vec![0; data.raw.words]);
        }
        let (above, below) = reached.split_at_mut(level + 1);
        for ((to, from), bits) in below[0].iter_mut().zip(&above[level]).zip(column) {
            *to = from & (bits ^ flip);
        }
        walk(flat, data, start, child as usize, level + 1, reached, errors);
    }
}
