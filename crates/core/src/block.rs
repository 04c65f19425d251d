//! A subproblem: the rows that reach a node, as a compacted bit-matrix with the counts of all pairs of columns.
//!
//! Guarantees: `columns` are the columns that still offer a split, that is, both sides weigh at least the least leaf;
//! with the rule on, none equals another or its complement on these rows. `pairs[k][f * width + g]` is the weight of
//! class k in which f and g are 1, zero beyond the last column. A row that weighs 5 stands in the segments 1 and 4.

use crate::data::Data;
use crate::kernel::{self, Buffer, Count, LANES, Machine, Run};
use crate::limits::{Limits, Stopped};
use crate::rows::{Keys, Name};
use std::collections::HashMap;

/// What all blocks of a search have in common.
pub struct Ground {
    pub data: Data,
    pub keys: Keys,
    pub machine: Machine,
    /// Least weight of a leaf, at least 1.
    pub least: u32,
    pub drop_equal_columns: bool,
}

impl Ground {
    pub fn new(data: Data, machine: Machine, least: u32, drop_equal_columns: bool) -> Self {
        let keys = Keys::new(data.rows().div_ceil(64));
        Ground { data, keys, machine, least: least.max(1), drop_equal_columns }
    }
}

/// Rows of one class that share a bit of their weight; they start at a word of their own.
#[derive(Clone, Copy, Debug)]
struct Segment {
    class: usize,
    shift: u32,
    rows: usize,
}

impl Segment {
    fn words(&self) -> usize {
        self.rows.div_ceil(64)
    }

    /// The bits of word `w` of the segment that stand for rows.
    fn valid(&self, w: usize) -> u64 {
        let left = self.rows - w * 64;
        if left >= 64 { u64::MAX } else { (1 << left) - 1 }
    }
}

/// Rows in compacted form: `bits[word * width + column]`, segment after segment.
#[derive(Default)]
struct Bits {
    segments: Vec<Segment>,
    words: Buffer<u64>,
}

/// Working space for building blocks.
#[derive(Default)]
pub struct Scratch {
    masks: Vec<u64>,
    bits: Bits,
    halves: Buffer<u16>,
    runs: Vec<Run>,
}

/// A subproblem.
pub struct Block<C> {
    /// The distinct rows, in the numbering of the data, and their name.
    pub set: Vec<u64>,
    pub name: Name,
    /// The columns, in the numbering of the data.
    pub columns: Vec<u32>,
    /// Columns rounded up to whole vectors.
    pub width: usize,
    bits: Bits,
    /// Weights of each class for all pairs of columns, for each column, and of all rows.
    pub pairs: [Buffer<C>; 2],
    pub ones: [Vec<u32>; 2],
    pub total: [u32; 2],
    /// Columns dropped because they equal another one on these rows.
    pub equal: usize,
}

impl<C: Count> Block<C> {
    /// All rows of the data.
    pub fn root(ground: &Ground, scratch: &mut Scratch, limits: &mut Limits) -> Result<Self, Stopped> {
        let data = &ground.data;
        let (rows, columns) = (data.rows(), data.columns.len());
        let (words, width) = (rows.div_ceil(64), columns.next_multiple_of(LANES).max(LANES));
        let mut matrix = vec![0_u64; words * width];
        for (j, column) in data.columns.iter().enumerate() {
            limits.check()?;
            for (w, &bits) in column.iter().enumerate() {
                matrix[w * width + j] = bits;
            }
        }
        let mut bits = Bits::default();
        let planes = data.planes();
        for (class, shift, mask) in &planes {
            let rows = mask.iter().map(|word| word.count_ones() as usize).sum();
            bits.segments.push(Segment { class: *class, shift: *shift, rows });
        }
        bits.words.reserve(bits.segments.iter().map(Segment::words).sum::<usize>() * width);
        let mut at = 0;
        for (segment, (_, _, mask)) in bits.segments.iter().zip(&planes) {
            limits.check()?;
            let end = at + segment.words() * width;
            kernel::compress(ground.machine, &matrix, width, mask, &mut bits.words[at..end]);
            at = end;
        }
        drop(matrix);
        let mut set = vec![u64::MAX; words];
        if rows % 64 > 0 {
            set[words - 1] = (1 << (rows % 64)) - 1;
        }
        let name = ground.keys.name(set.iter().copied());
        let mut block = Block::new(set, name, (0..columns as u32).collect(), width, data.total);
        block.bits = bits;
        limits.room_for(2 * columns * width * size_of::<C>())?;
        block.count(ground.machine, scratch, limits)?;
        let kept: Vec<usize> = (0..columns).filter(|&j| block.offers_split(j, ground.least)).collect();
        if kept.len() < columns {
            block.keep(&kept);
            block.count(ground.machine, scratch, limits)?;
        }
        Ok(block)
    }

    fn new(set: Vec<u64>, name: Name, columns: Vec<u32>, width: usize, total: [u32; 2]) -> Self {
        let (bits, pairs) = (Bits::default(), [Buffer::zeroed(0), Buffer::zeroed(0)]);
        Block { set, name, columns, width, bits, pairs, ones: [Vec::new(), Vec::new()], total, equal: 0 }
    }

    /// The rows on one side of a split, as a block of their own.
    pub fn child(
        &self,
        (column, side): (usize, bool),
        ground: &Ground,
        scratch: &mut Scratch,
        limits: &mut Limits,
    ) -> Result<Self, Stopped> {
        limits.check()?;
        let (set, name) = self.child_set((column, side), ground);
        let total = self.child_total(column, side);
        self.compact((column, side), ground.machine, scratch);
        let all = total[0] + total[1];
        let mut kept: Vec<usize> = (0..self.columns.len())
            .filter(|&h| {
                let one = self.child_one(0, column, side, h) + self.child_one(1, column, side, h);
                one >= ground.least && all - one >= ground.least
            })
            .collect();
        let before = kept.len();
        if ground.drop_equal_columns {
            drop_equal(&mut kept, &scratch.bits, self.width);
        }
        let columns = kept.iter().map(|&h| self.columns[h]).collect();
        let mut child = Block::new(set, name, columns, self.width, total);
        child.equal = before - kept.len();
        std::mem::swap(&mut child.bits, &mut scratch.bits);
        child.keep_bits(&kept);
        child.count(ground.machine, scratch, limits)?;
        Ok(child)
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// The distinct rows on one side of a split and their name.
    pub fn child_set(&self, (column, side): (usize, bool), ground: &Ground) -> (Vec<u64>, Name) {
        let flip = if side { 0 } else { u64::MAX };
        let bits = &ground.data.columns[self.columns[column] as usize];
        let set: Vec<u64> = self.set.iter().zip(bits).map(|(set, bits)| set & (bits ^ flip)).collect();
        let name = ground.keys.name(set.iter().copied());
        (set, name)
    }

    /// The names of both sides of a split: only one is worked out, since the names of disjoint sets add up.
    pub fn child_names(&self, column: usize, ground: &Ground) -> [Name; 2] {
        let bits = &ground.data.columns[self.columns[column] as usize];
        let one = ground.keys.name(self.set.iter().zip(bits).map(|(set, bits)| set & bits));
        [self.name.without(one), one]
    }

    /// Weight of each class on one side of a split.
    pub fn child_total(&self, column: usize, side: bool) -> [u32; 2] {
        [0, 1].map(|class| {
            let one = self.ones[class][column];
            if side { one } else { self.total[class] - one }
        })
    }

    /// Weight of a class on one side of the split `column` where `h` is 1.
    #[inline]
    pub fn child_one(&self, class: usize, column: usize, side: bool, h: usize) -> u32 {
        let both = self.pairs[class][column * self.width + h].get();
        if side { both } else { self.ones[class][h] - both }
    }

    /// Whether the side on which `column` is 1 is the lighter one.
    pub fn one_is_lighter(&self, column: usize) -> bool {
        2 * (u64::from(self.ones[0][column]) + u64::from(self.ones[1][column]))
            <= u64::from(self.total[0]) + u64::from(self.total[1])
    }

    /// Counts pairs on one side of a split only, all columns kept: `out` gets the squares of both classes.
    pub fn count_side(
        &self,
        split: (usize, bool),
        machine: Machine,
        scratch: &mut Scratch,
        out: &mut [Buffer<C>; 2],
        limits: &mut Limits,
    ) -> Result<(), Stopped> {
        self.compact(split, machine, scratch);
        let bits = std::mem::take(&mut scratch.bits);
        let done = count(machine, &bits, (self.len(), self.width), scratch, out, limits);
        scratch.bits = bits;
        done
    }

    fn offers_split(&self, j: usize, least: u32) -> bool {
        let one = self.ones[0][j] + self.ones[1][j];
        one >= least && self.total[0] + self.total[1] - one >= least
    }

    /// Puts the rows of one side of a split into `scratch.bits`.
    fn compact(&self, (column, side): (usize, bool), machine: Machine, scratch: &mut Scratch) {
        let width = self.width;
        let flip = if side { 0 } else { u64::MAX };
        let Scratch { masks, bits, .. } = scratch;
        masks.clear();
        bits.segments.clear();
        for segment in &self.bits.segments {
            let from = masks.len();
            let mut rows = 0;
            for w in 0..segment.words() {
                let mask = (self.bits.words[(from + w) * width + column] ^ flip) & segment.valid(w);
                rows += mask.count_ones() as usize;
                masks.push(mask);
            }
            bits.segments.push(Segment { rows, ..*segment });
        }
        bits.words.reserve(bits.segments.iter().map(Segment::words).sum::<usize>() * width);
        let (mut from, mut to) = (0, 0);
        for (segment, child) in self.bits.segments.iter().zip(&bits.segments) {
            let (end, to_end) = (from + segment.words(), to + child.words());
            let source = &self.bits.words[from * width..end * width];
            let target = &mut bits.words[to * width..to_end * width];
            kernel::compress(machine, source, width, &masks[from..end], target);
            (from, to) = (end, to_end);
        }
    }

    /// Keeps only some of the columns.
    fn keep(&mut self, kept: &[usize]) {
        self.columns = kept.iter().map(|&j| self.columns[j]).collect();
        self.keep_bits(kept);
    }

    fn keep_bits(&mut self, kept: &[usize]) {
        let width = kept.len().next_multiple_of(LANES).max(LANES);
        let words = self.bits.words.len() / self.width;
        let mut bits = Buffer::zeroed(words * width);
        for w in 0..words {
            let (to, from) = (&mut bits[w * width..][..width], &self.bits.words[w * self.width..][..self.width]);
            for (to, &j) in to.iter_mut().zip(kept) {
                *to = from[j];
            }
        }
        self.bits.words = bits;
        self.bits.segments.retain(|segment| segment.rows > 0);
        self.width = width;
    }

    fn count(&mut self, machine: Machine, scratch: &mut Scratch, limits: &mut Limits) -> Result<(), Stopped> {
        let (columns, width) = (self.columns.len(), self.width);
        count(machine, &self.bits, (columns, width), scratch, &mut self.pairs, limits)?;
        for (ones, pairs) in self.ones.iter_mut().zip(&self.pairs) {
            ones.clear();
            ones.extend((0..columns).map(|j| pairs[j * width + j].get()));
            ones.resize(width, 0);
        }
        Ok(())
    }
}

/// Counts pairs of columns in both classes.
fn count<C: Count>(
    machine: Machine,
    bits: &Bits,
    (columns, width): (usize, usize),
    scratch: &mut Scratch,
    out: &mut [Buffer<C>; 2],
    limits: &mut Limits,
) -> Result<(), Stopped> {
    let mut word = 0;
    for (class, square) in out.iter_mut().enumerate() {
        scratch.runs.clear();
        let mut halves = 0;
        for segment in bits.segments.iter().filter(|segment| segment.class == class) {
            scratch.runs.push(Run { words: segment.rows.div_ceil(16), shift: segment.shift });
            halves += segment.rows.div_ceil(16);
        }
        scratch.halves.reserve(halves * width);
        let mut at = 0;
        for segment in bits.segments.iter().filter(|segment| segment.class == class) {
            let end = at + segment.rows.div_ceil(16) * width;
            let source = &bits.words[word * width..][..segment.words() * width];
            kernel::halves(machine, source, width, &mut scratch.halves[at..end]);
            at = end;
            word += segment.words();
        }
        square.reserve(columns.next_multiple_of(8) * width);
        let counted = kernel::count_pairs(machine, &scratch.halves, (columns, width), &scratch.runs, square, || {
            limits.check().is_ok()
        });
        if !counted {
            return Err(Stopped);
        }
    }
    Ok(())
}

/// Keeps the first of columns that are equal or complementary on the rows.
fn drop_equal(kept: &mut Vec<usize>, bits: &Bits, width: usize) {
    let Some(first) = bits.segments.iter().position(|segment| segment.rows > 0) else { return };
    debug_assert!(bits.segments[..first].iter().all(|segment| segment.words() == 0));
    let valid: Vec<u64> = bits.segments.iter().flat_map(|s| (0..s.words()).map(|w| s.valid(w))).collect();
    // The word of a column as if its first row were 0: equal for equal and for complementary columns.
    let normal = |w: usize, j: usize| (bits.words[w * width + j] ^ 0_u64.wrapping_sub(bits.words[j] & 1)) & valid[w];
    let mut hashes = vec![0_u64; kept.len()];
    for w in 0..valid.len() {
        for (hash, &j) in hashes.iter_mut().zip(kept.iter()) {
            let mixed = (*hash ^ normal(w, j)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            *hash = mixed ^ mixed >> 29;
        }
    }
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::with_capacity(kept.len());
    let mut hashes = hashes.into_iter();
    kept.retain(|&j| {
        let alike = seen.entry(hashes.next().unwrap_or(0)).or_default();
        let new = !alike.iter().any(|&k| (0..valid.len()).all(|w| normal(w, j) == normal(w, k)));
        if new {
            alike.push(j);
        }
        new
    });
}
