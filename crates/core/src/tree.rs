//! Trees: shared while a search runs, flat arrays when they leave it, priced on the rows as given.

use crate::data::Data;
use crate::kernel::{self, Machine};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A tree over the kept columns; leaves name the class they predict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    Twig(Twig),
    Split(Arc<Split>),
}

/// Rows with the column at 0 go to `zero`, the others to `one`.
#[derive(Debug, PartialEq, Eq)]
pub struct Split {
    pub column: u32,
    pub zero: Tree,
    pub one: Tree,
}

impl Tree {
    pub fn leaf(class: u8) -> Self {
        Tree::Twig(Twig::leaf(class))
    }

    pub fn split(column: u32, zero: Tree, one: Tree) -> Self {
        Tree::Split(Arc::new(Split { column, zero, one }))
    }

    /// The same predictions without splits whose two sides are the same tree.
    #[must_use]
    pub fn simpler(&self) -> Tree {
        match self {
            Tree::Twig(twig) => match twig.root() {
                Some((_, [zero, one])) if zero == one => Tree::Twig(Twig::stump(zero)),
                _ => self.clone(),
            },
            Tree::Split(split) => {
                let (zero, one) = (split.zero.simpler(), split.one.simpler());
                if zero == one { zero } else { Tree::split(split.column, zero, one) }
            }
        }
    }
}

/// The columns that a twig can name.
pub const MOST_COLUMNS: usize = NONE as usize;
const NONE: u32 = (1 << 20) - 1;

/// A tree of depth at most 1 in 21 bits: a column, or none, and the class predicted where it is 1, or everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stump(u32);

impl Stump {
    pub fn leaf(class: u8) -> Self {
        Stump(NONE << 1 | u32::from(class))
    }

    /// Predicts `class` where the column is 1 and the other class where it is 0.
    pub fn split(column: u32, class: u8) -> Self {
        Stump(column << 1 | u32::from(class))
    }

    pub fn column(self) -> Option<u32> {
        let column = self.0 >> 1;
        (column != NONE).then_some(column)
    }

    pub fn class(self) -> u8 {
        (self.0 & 1) as u8
    }
}

/// A tree of depth at most 2 in one word, made by the million in the inner loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twig(u64);

impl Twig {
    pub fn leaf(class: u8) -> Self {
        Twig::split(NONE, Stump::leaf(class), Stump::leaf(class))
    }

    /// A tree of depth at most 1.
    pub fn stump(stump: Stump) -> Self {
        let class = stump.class();
        match stump.column() {
            None => Twig::leaf(class),
            Some(column) => Twig::split(column, Stump::leaf(1 - class), Stump::leaf(class)),
        }
    }

    pub fn split(column: u32, zero: Stump, one: Stump) -> Self {
        Twig(u64::from(column) << 42 | u64::from(zero.0) << 21 | u64::from(one.0))
    }

    /// The column at the root and the two sides; `None` for a leaf.
    pub fn root(self) -> Option<(u32, [Stump; 2])> {
        let column = (self.0 >> 42) as u32;
        (column != NONE).then(|| (column, self.sides()))
    }

    fn sides(self) -> [Stump; 2] {
        [Stump((self.0 >> 21) as u32 & 0x1F_FFFF), Stump(self.0 as u32 & 0x1F_FFFF)]
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
    /// Weight of the negatives and the positives that reach each node; `price` fills it in.
    pub reached: Vec<[u32; 2]>,
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
        match tree {
            Tree::Split(split) => {
                let at = self.branch(split.column, data);
                self.zero[at] = self.grow(&split.zero, data, start);
                self.one[at] = self.grow(&split.one, data, start);
                (at - start) as i32
            }
            Tree::Twig(twig) => match twig.root() {
                None => self.stump(twig.sides()[0], data, start),
                Some((column, [zero, one])) => {
                    let at = self.branch(column, data);
                    self.zero[at] = self.stump(zero, data, start);
                    self.one[at] = self.stump(one, data, start);
                    (at - start) as i32
                }
            },
        }
    }

    fn stump(&mut self, stump: Stump, data: &Data, start: usize) -> i32 {
        let class = stump.class();
        match stump.column() {
            None => self.leaf(class, data, start),
            Some(column) => {
                let at = self.branch(column, data);
                self.zero[at] = self.leaf(1 - class, data, start);
                self.one[at] = self.leaf(class, data, start);
                (at - start) as i32
            }
        }
    }

    fn branch(&mut self, column: u32, data: &Data) -> usize {
        self.node(data.original[column as usize] as i32, -1)
    }

    fn leaf(&mut self, class: u8, data: &Data, start: usize) -> i32 {
        (self.node(-1, ((class == 1) != data.positives_first) as i8) - start) as i32
    }

    fn node(&mut self, column: i32, label: i8) -> usize {
        self.column.push(column);
        self.label.push(label);
        self.zero.push(-1);
        self.one.push(-1);
        self.column.len() - 1
    }
}

/// (fp, fn) of each tree, counted on the rows as they were given: neither merged rows, nor the order of the search, nor
/// anything else that the search built takes part. Trees go down together, so that the rows that reach a node are worked
/// out once for all trees that agree on the way to it.
pub fn price(flat: &mut Flat, data: &Data, machine: Machine) -> Vec<(u32, u32)> {
    let starts = flat.starts[..flat.starts.len() - 1].iter().enumerate();
    let group = starts.map(|(tree, &start)| (tree, start as usize)).collect();
    let mut reached = vec![[0; 2]; flat.column.len()];
    Pricing { flat, data, machine }.go(group, &[u64::MAX].repeat(data.raw.words), &mut reached);
    // Children come after their parent.
    for pair in flat.starts.windows(2).rev() {
        let start = pair[0] as usize;
        for at in (start..pair[1] as usize).rev().filter(|&at| flat.column[at] >= 0) {
            let [zero, one] = [flat.zero[at], flat.one[at]].map(|child| reached[start + child as usize]);
            reached[at] = [zero[0] + one[0], zero[1] + one[1]];
        }
    }
    // A leaf that says positive is wrong on the negatives, and the other way.
    let wrong = |label: i8, at: usize| if flat.label[at] == label { reached[at][usize::from(label == 0)] } else { 0 };
    let errors = flat.starts.windows(2).map(|pair| {
        let nodes = || pair[0] as usize..pair[1] as usize;
        (nodes().map(|at| wrong(1, at)).sum(), nodes().map(|at| wrong(0, at)).sum())
    });
    let errors = errors.collect();
    flat.reached = reached;
    errors
}

struct Pricing<'a> {
    flat: &'a Flat,
    data: &'a Data,
    machine: Machine,
}

impl Pricing<'_> {
    /// Enters what reaches the leaves below these nodes, all nodes being reached by the same rows.
    fn go(&self, group: Vec<(usize, usize)>, rows: &[u64], reached: &mut [[u32; 2]]) {
        let mut branching: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
        let mut counts = None;
        for (tree, at) in group {
            match u32::try_from(self.flat.column[at]) {
                Ok(column) => branching.entry(column).or_default().push((tree, at)),
                Err(_) => reached[at] = *counts.get_or_insert_with(|| self.count(rows)),
            }
        }
        let mut below = vec![0; if branching.is_empty() { 0 } else { rows.len() }];
        for (column, group) in branching {
            for (children, flip) in [(&self.flat.zero, u64::MAX), (&self.flat.one, 0)] {
                kernel::narrow(self.machine, rows, &self.data.raw.columns[&column], flip, &mut below);
                let child =
                    |&(tree, at): &(usize, usize)| (tree, self.flat.starts[tree] as usize + children[at] as usize);
                self.go(group.iter().map(child).collect(), &below, reached);
            }
        }
    }

    /// Weight of each class in some rows.
    fn count(&self, rows: &[u64]) -> [u32; 2] {
        [0, 1].map(|class: usize| {
            let planes = self.data.raw.planes[class].iter();
            planes.map(|(shift, plane)| (kernel::common(self.machine, rows, plane) << shift) as u32).sum()
        })
    }
}
