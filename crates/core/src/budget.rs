//! Budgets of branching nodes as layers: what at most 0, 1, 2, … nodes can reach, from one search.
//!
//! Without a budget there is one layer, trees of any number of nodes. With a budget of k, layer i holds what at most i
//! nodes can reach; each layer includes those below it. All code loops over layers and pairs of layers; one layer is
//! simply the case in which the loops run once.

/// At most how many branching nodes a tree may have; `None` is no limit beyond its depth.
#[derive(Clone, Debug)]
pub struct Budget {
    most: Option<u32>,
    pairs: Vec<Vec<Vec<(usize, usize)>>>,
}

impl Budget {
    /// Budgets for trees up to `depth`.
    pub fn new(most: Option<u32>, depth: u32) -> Self {
        let mut budget = Budget { most, pairs: Vec::new() };
        budget.pairs =
            (0..=depth).map(|d| (0..budget.layers(d)).map(|layer| budget.splits(d, layer)).collect()).collect();
        budget
    }

    /// Number of layers of trees of this depth.
    pub fn layers(&self, depth: u32) -> usize {
        self.most.map_or(1, |most| most.min((1 << depth) - 1) as usize + 1)
    }

    /// The layers of the two children of a tree in this layer: one node is the split, the rest is shared out. It is
    /// enough to share out all of it, since each layer includes those below.
    pub fn pairs(&self, depth: u32, layer: usize) -> &[(usize, usize)] {
        &self.pairs[depth as usize][layer]
    }

    fn splits(&self, depth: u32, layer: usize) -> Vec<(usize, usize)> {
        match (depth, self.most) {
            (0, _) => Vec::new(),
            (_, None) => vec![(0, 0)],
            (_, Some(_)) => {
                let below = self.layers(depth - 1);
                (0..layer).filter(|&i| i < below && layer - 1 - i < below).map(|i| (i, layer - 1 - i)).collect()
            }
        }
    }

    /// The layers of depth two among its trees of at most 0, 1, 2 and 3 nodes.
    pub fn depth_two(&self) -> std::ops::RangeInclusive<usize> {
        match self.most {
            None => 3..=3,
            Some(_) => 0..=self.layers(2) - 1,
        }
    }
}
