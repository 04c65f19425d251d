//! The 0/1 matrix that is searched: distinct rows with their weights in each class, distinct columns.
//!
//! Guarantees: every value was checked; columns that are constant, equal to an earlier one or its complement are gone
//! (they offer no split that an earlier column does not offer); rows that agree in all columns are one row. The class
//! that weighs less is class 0, whose errors are the x of a point; ties make the negatives class 0. `raw` keeps the
//! rows as they were given, for pricing trees independently of all this.

use crate::error::Error;
use crate::limits::{Limits, Stopped};
use crate::refuse;
use std::collections::HashMap;

/// The greatest weight of a class: all sums of the search then fit into 31 bits.
pub const MOST_WEIGHT: u64 = 1 << 29;
/// The greatest weight of the lighter class: a front has an entry for each of its values.
pub const MOST_LIGHT_WEIGHT: u64 = 1 << 24;

/// A 0/1 matrix as the caller has it.
pub enum Cells<'a> {
    /// Row after row, one byte each.
    Dense(&'a [u8]),
    /// Column after column: the rows in which column j is 1 are `rows[starts[j]..starts[j + 1]]`.
    Sparse { starts: &'a [i64], rows: &'a [i64] },
}

/// What the caller gives: `labels[i]` is 1 if row i is positive.
pub struct Input<'a> {
    pub rows: usize,
    pub columns: usize,
    pub cells: Cells<'a>,
    pub labels: &'a [u8],
    pub weights: Option<&'a [u32]>,
}

/// The rows as given: one string of bits per column, and for each class (negatives, positives) and each power of two
/// the rows whose weight has it.
pub struct Raw {
    pub columns: HashMap<u32, Vec<u64>>,
    pub planes: [Vec<(u32, Vec<u64>)>; 2],
    pub words: usize,
}

/// The matrix as it is searched.
pub struct Data {
    /// One string of bits over the distinct rows for each column kept.
    pub columns: Vec<Vec<u64>>,
    /// The caller's number of each column kept.
    pub original: Vec<u32>,
    /// For each class, the weight of each distinct row.
    pub weights: [Vec<u32>; 2],
    pub total: [u32; 2],
    /// Whether class 0 is the positive class.
    pub positives_first: bool,
    /// Rows that agree in all columns with an earlier one.
    pub merged: usize,
    /// Whether a limit left no time for the columns.
    pub cut_off: bool,
    pub raw: Raw,
}

impl Data {
    /// Checks and digests the input. `Ok(Err(_))` if a limit came first.
    pub fn new(input: &Input, merge_rows: bool, limits: &mut Limits) -> Result<Result<Self, Stopped>, Error> {
        let total = check(input)?;
        Ok(Self::digest(input, total, merge_rows, limits))
    }

    fn digest(input: &Input, total: [u64; 2], merge_rows: bool, limits: &mut Limits) -> Result<Self, Stopped> {
        let live = live_rows(input);
        let mut kept = pack(input, limits)?;
        drop_columns(&mut kept, &live, limits)?;
        let positives_first = total[1] < total[0];
        let class_of = |label: usize| if positives_first { 1 - label } else { label };
        let lines = transpose(&kept, input.rows, limits)?;
        let groups = group_rows(&lines, input.rows, &live, merge_rows);
        limits.check()?;
        let mut weights = [vec![0; groups.len()], vec![0; groups.len()]];
        for g in 0..groups.len() {
            for &row in groups.rows(g) {
                let row = row as usize;
                weights[class_of(usize::from(input.labels[row]))][g] += input.weights.map_or(1, |w| w[row]);
            }
        }
        let mut columns = Vec::with_capacity(kept.len());
        for (_, bits) in &kept {
            limits.check()?;
            let mut column = vec![0_u64; groups.len().div_ceil(64)];
            for g in 0..groups.len() {
                let row = groups.rows(g)[0] as usize;
                column[g / 64] |= (bits[row / 64] >> (row % 64) & 1) << (g % 64);
            }
            columns.push(column);
        }
        let original = kept.iter().map(|(j, _)| *j).collect();
        let raw = Raw { columns: kept.into_iter().collect(), planes: planes(input), words: input.rows.div_ceil(64) };
        let total = if positives_first { [total[1], total[0]] } else { total };
        let merged = groups.order.len() - groups.len();
        let total = total.map(|x| x as u32);
        Ok(Data { columns, original, weights, total, positives_first, merged, cut_off: false, raw })
    }

    /// Number of distinct rows.
    pub fn rows(&self) -> usize {
        self.weights[0].len()
    }

    /// For each class and each power of two the distinct rows whose weight has it, where there are any.
    pub fn planes(&self) -> Vec<(usize, u32, Vec<u64>)> {
        let mut planes = Vec::new();
        for (class, weights) in self.weights.iter().enumerate() {
            let any = weights.iter().fold(0, |any, weight| any | weight);
            for shift in (0..32).filter(|shift| any >> shift & 1 == 1) {
                let mut plane = vec![0_u64; self.rows().div_ceil(64)];
                for (row, weight) in weights.iter().enumerate() {
                    plane[row / 64] |= u64::from(weight >> shift & 1) << (row % 64);
                }
                planes.push((class, shift, plane));
            }
        }
        planes
    }

    /// The least weighted error `a·x + b·y` of any classifier of the rows, tree or not: rows that agree in all columns
    /// get one answer.
    pub fn any_classifier(&self, (a, b): (u64, u64)) -> u128 {
        if self.cut_off {
            return 0;
        }
        let [light, heavy] = &self.weights;
        let (a, b) = (u128::from(a), u128::from(b));
        light.iter().zip(heavy).map(|(&x, &y)| (a * u128::from(x)).min(b * u128::from(y))).sum()
    }

    /// (fp, fn) of a point (x, y).
    pub fn counts(&self, x: u32, y: u32) -> (u32, u32) {
        if self.positives_first { (y, x) } else { (x, y) }
    }
}

/// Weights of the negatives and the positives, after everything was found in order.
fn check(input: &Input) -> Result<[u64; 2], Error> {
    let Input { rows, columns, labels, .. } = *input;
    if rows == 0 {
        return refuse!("no rows: X has shape (0, {columns}); give at least one row");
    }
    if labels.len() != rows {
        return refuse!("X has {rows} rows but y has {} labels; they must agree", labels.len());
    }
    if rows > u32::MAX as usize || columns > i32::MAX as usize {
        return refuse!("X has {rows} rows and {columns} columns; at most 2^32 - 1 and 2^31 - 1 are supported");
    }
    match input.cells {
        Cells::Dense(cells) => check_dense(cells, rows, columns)?,
        Cells::Sparse { starts, rows: at } => check_sparse(starts, at, rows, columns)?,
    }
    if let Some(at) = labels.iter().position(|&label| label > 1) {
        return refuse!("label {} at row {at}: labels reach the core as 0 (negative) and 1 (positive)", labels[at]);
    }
    let mut total = [0_u64; 2];
    if let Some(weights) = input.weights {
        if weights.len() != rows {
            return refuse!("X has {rows} rows but there are {} sample weights; they must agree", weights.len());
        }
        for (&label, &weight) in labels.iter().zip(weights) {
            total[usize::from(label)] += u64::from(weight);
        }
    } else {
        total[1] = labels.iter().map(|&label| u64::from(label)).sum();
        total[0] = rows as u64 - total[1];
    }
    if total == [0, 0] {
        return refuse!("all sample weights are zero; give at least one row a positive weight");
    }
    let (light, heavy) = (total[0].min(total[1]), total[0].max(total[1]));
    if light > MOST_LIGHT_WEIGHT || heavy > MOST_WEIGHT {
        return refuse!(
            "the classes weigh {} (negative) and {} (positive); at most {MOST_LIGHT_WEIGHT} for the lighter and \
             {MOST_WEIGHT} for the heavier are supported: divide the sample weights",
            total[0],
            total[1]
        );
    }
    Ok(total)
}

fn check_dense(cells: &[u8], rows: usize, columns: usize) -> Result<(), Error> {
    if cells.len() != rows * columns {
        return refuse!("X of shape ({rows}, {columns}) came with {} values", cells.len());
    }
    if cells.iter().fold(0, |any, &x| any | x) > 1 {
        let at = cells.iter().position(|&x| x > 1).unwrap_or(0);
        let (row, column) = (at / columns, at % columns);
        return refuse!("X holds {} at row {row}, column {column}; only 0 and 1 are allowed", cells[at]);
    }
    Ok(())
}

fn check_sparse(starts: &[i64], at: &[i64], rows: usize, columns: usize) -> Result<(), Error> {
    let ordered = starts.len() == columns + 1 && starts[0] == 0 && starts.windows(2).all(|pair| pair[0] <= pair[1]);
    if !ordered || starts[columns] != at.len() as i64 {
        return refuse!("the column pointers of the sparse X do not ascend from 0 to its {} entries", at.len());
    }
    match at.iter().find(|&&row| row < 0 || row >= rows as i64) {
        Some(row) => refuse!("the sparse X names row {row}, but it has {rows} rows"),
        None => Ok(()),
    }
}

/// The rows of positive weight, as bits.
fn live_rows(input: &Input) -> Vec<u64> {
    let mut live = vec![0_u64; input.rows.div_ceil(64)];
    for row in 0..input.rows {
        live[row / 64] |= u64::from(input.weights.is_none_or(|w| w[row] > 0)) << (row % 64);
    }
    live
}

/// The columns as bits, with the caller's numbers.
fn pack(input: &Input, limits: &mut Limits) -> Result<Vec<(u32, Vec<u64>)>, Stopped> {
    let words = input.rows.div_ceil(64);
    // One allocation each: zeroed pages cost nothing until they are written.
    let mut columns: Vec<Vec<u64>> = (0..input.columns).map(|_| vec![0; words]).collect();
    match input.cells {
        Cells::Dense(cells) if input.columns > 0 => {
            let mut word = vec![0_u64; input.columns];
            for (w, block) in cells.chunks(64 * input.columns).enumerate() {
                limits.check()?;
                word.fill(0);
                for (bit, row) in block.chunks_exact(input.columns).enumerate() {
                    for (word, &cell) in word.iter_mut().zip(row) {
                        *word |= u64::from(cell) << bit;
                    }
                }
                for (column, &word) in columns.iter_mut().zip(&word) {
                    column[w] = word;
                }
            }
        }
        Cells::Dense(_) => {}
        Cells::Sparse { starts, rows } => {
            for (column, range) in columns.iter_mut().zip(starts.windows(2)) {
                limits.check()?;
                for &row in &rows[range[0] as usize..range[1] as usize] {
                    column[row as usize / 64] |= 1 << (row % 64);
                }
            }
        }
    }
    Ok(columns.into_iter().enumerate().map(|(j, bits)| (j as u32, bits)).collect())
}

/// Drops columns that are constant on the live rows, or equal or complementary to an earlier one.
fn drop_columns(columns: &mut Vec<(u32, Vec<u64>)>, live: &[u64], limits: &mut Limits) -> Result<(), Stopped> {
    let Some(first) = live.iter().position(|&word| word != 0) else {
        columns.clear();
        return Ok(());
    };
    let bit = live[first].trailing_zeros();
    // The word of a column as if its first live row were 0: equal for equal and for complementary columns.
    let normal = |bits: &[u64], w: usize| (bits[w] ^ 0_u64.wrapping_sub(bits[first] >> bit & 1)) & live[w];
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut kept: Vec<(u32, Vec<u64>)> = Vec::new();
    for (j, bits) in std::mem::take(columns) {
        limits.check()?;
        let mut hash = 0_u64;
        let mut constant = true;
        for w in 0..live.len() {
            let word = normal(&bits, w);
            constant &= word == 0;
            hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 29;
        }
        let alike = seen.entry(hash).or_default();
        let equal = |&k: &usize| (0..live.len()).all(|w| normal(&bits, w) == normal(&kept[k].1, w));
        if !constant && !alike.iter().any(equal) {
            alike.push(kept.len());
            kept.push((j, bits));
        }
    }
    *columns = kept;
    Ok(())
}

/// The rows as strings of words: 64 columns to a word, `words` words to a row.
struct Lines {
    words: usize,
    bits: Vec<u64>,
}

fn transpose(columns: &[(u32, Vec<u64>)], rows: usize, limits: &mut Limits) -> Result<Lines, Stopped> {
    let words = columns.len().div_ceil(64);
    let mut bits = vec![0_u64; words * rows];
    for (c, group) in columns.chunks(64).enumerate() {
        limits.check()?;
        for w in 0..rows.div_ceil(64) {
            let mut tile: [u64; 64] = std::array::from_fn(|j| group.get(j).map_or(0, |(_, column)| column[w]));
            transpose_tile(&mut tile);
            for (r, &line) in tile.iter().enumerate().take(rows - w * 64) {
                bits[(w * 64 + r) * words + c] = line;
            }
        }
    }
    Ok(Lines { words, bits })
}

/// Transposes 64 by 64 bits by swapping ever smaller blocks (Warren, Hacker's Delight, 7-3).
fn transpose_tile(tile: &mut [u64; 64]) {
    let (mut size, mut mask) = (32, 0x0000_0000_FFFF_FFFF_u64);
    while size > 0 {
        let mut k = 0;
        while k < 64 {
            let t = (tile[k] >> size ^ tile[k + size]) & mask;
            tile[k] ^= t << size;
            tile[k + size] ^= t;
            k = (k + size + 1) & !size;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

/// Live rows that agree in all columns stand together: group g is `order[starts[g]..starts[g + 1]]`.
struct Groups {
    order: Vec<u32>,
    starts: Vec<u32>,
}

impl Groups {
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn rows(&self, g: usize) -> &[u32] {
        &self.order[self.starts[g] as usize..self.starts[g + 1] as usize]
    }
}

/// Groups sorted by their columns, which puts rows that are split alike next to each other and makes the masks of
/// subsets sparse in words. Without `merge` every row is a group.
fn group_rows(lines: &Lines, rows: usize, live: &[u64], merge: bool) -> Groups {
    let line = |row: u32| &lines.bits[row as usize * lines.words..][..lines.words];
    let mut order: Vec<u32> = (0..rows as u32).filter(|&r| live[r as usize / 64] >> (r % 64) & 1 == 1).collect();
    if lines.words > 0 {
        order.sort_unstable_by(|&i, &j| line(i).cmp(line(j)).then(i.cmp(&j)));
    }
    let mut starts = Vec::new();
    for at in 0..order.len() {
        if at == 0 || !merge || line(order[at - 1]) != line(order[at]) {
            starts.push(at as u32);
        }
    }
    starts.push(order.len() as u32);
    Groups { order, starts }
}

fn planes(input: &Input) -> [Vec<(u32, Vec<u64>)>; 2] {
    let words = input.rows.div_ceil(64);
    let mut planes = [Vec::<(u32, Vec<u64>)>::new(), Vec::new()];
    for row in 0..input.rows {
        let mut weight = input.weights.map_or(1, |w| w[row]);
        while weight > 0 {
            let shift = weight.trailing_zeros();
            weight &= weight - 1;
            let of_class = &mut planes[usize::from(input.labels[row])];
            let at = of_class.iter().position(|plane| plane.0 == shift).unwrap_or_else(|| {
                of_class.push((shift, vec![0; words]));
                of_class.len() - 1
            });
            of_class[at].1[row / 64] |= 1 << (row % 64);
        }
    }
    planes
}
