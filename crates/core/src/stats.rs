//! What a search did, in exact counts.

use crate::rules::Rule;

/// Counters of one worker; `add` sums them up. All but `seconds` and `peak` are the same for every run on one thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Compacted matrices built.
    pub blocks: u64,
    /// Splits of which both children were counted and bounded.
    pub pairs: u64,
    /// Sets of rows of which a front was computed, and how many of these had a point to offer.
    pub fronts: u64,
    pub fruitful: u64,
    /// One counter for each rule.
    pub rules: [u64; Rule::ALL.len()],
}

impl Stats {
    #[inline]
    pub fn fired(&mut self, rule: Rule) {
        self.rules[rule as usize] += 1;
    }

    pub fn add(&mut self, other: &Stats) {
        self.blocks += other.blocks;
        self.pairs += other.pairs;
        self.fronts += other.fronts;
        self.fruitful += other.fruitful;
        for (sum, more) in self.rules.iter_mut().zip(&other.rules) {
            *sum += more;
        }
    }
}
