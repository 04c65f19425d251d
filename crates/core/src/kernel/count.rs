//! Counting pairs of columns: for each pair (f, g), how much weight the rows have in which both are 1.
//!
//! The rows of one class come as 16-bit words, `bits[word * width + column]`; runs of words share a weight `1 << shift`.
//! One register holds one word of many columns, so a pair costs AND, population count and ADD for sixteen rows at once.
//! Of long sets only pairs with `g` in or after the vector of `f` are counted and `mirror` completes the square; of short
//! ones counting it all is faster.

use super::lanes::{Count, Lanes16};

/// Words `len` in number whose rows weigh `1 << shift` each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub words: usize,
    pub shift: u32,
}

/// Words that a 16-bit lane can count without overflow: 4095 times 16 rows.
const WORDS_AT_ONCE: usize = 4095;

/// Counts for columns `from..from + 4` (`from` a multiple of 4) against all columns from the vector of `start` on.
///
/// # Safety
/// `bits` holds a full row of `width` lanes for every word of `runs`; `out` holds `width` counts for each of the four
/// columns; `width` is a multiple of 32; the machine has V's instructions.
#[inline(always)]
pub unsafe fn count_four<V: Lanes16, C: Count>(
    bits: &[u16],
    width: usize,
    runs: &[Run],
    from: usize,
    start: usize,
    out: &mut [C],
) {
    let mut at = start / V::N * V::N;
    while at < width {
        let mut wide = [[0u32; 32]; 4];
        let mut sum = [V::zero(); 4];
        let mut word = bits.as_ptr();
        for run in runs {
            let mut left = run.words;
            while left > 0 {
                let now = if C::MOST > u16::MAX as u64 { left.min(WORDS_AT_ONCE) } else { left };
                left -= now;
                let mut part = [V::zero(); 4];
                for _ in 0..now {
                    let x = V::load(word.add(at));
                    for i in 0..4 {
                        part[i] = part[i].add(x.and(V::splat(*word.add(from + i))).ones());
                    }
                    word = word.add(width);
                }
                for i in 0..4 {
                    if C::MOST > u16::MAX as u64 {
                        let mut lanes = [0u16; 32];
                        part[i].store(lanes.as_mut_ptr());
                        for j in 0..V::N {
                            wide[i][j] += (lanes[j] as u32) << run.shift;
                        }
                    } else if run.shift == 0 {
                        sum[i] = sum[i].add(part[i]);
                    } else {
                        sum[i] = sum[i].add(part[i].shift_left(run.shift));
                    }
                }
            }
        }
        for i in 0..4 {
            let to = out.as_mut_ptr().add(i * width + at);
            if C::MOST > u16::MAX as u64 {
                for j in 0..V::N {
                    *to.add(j) = C::from_u32(wide[i][j]);
                }
            } else {
                sum[i].store(to.cast::<u16>());
            }
        }
        at += V::N;
    }
}

/// Copies the counted half of the square onto the other: afterwards `square[f][g] == square[g][f]` for all `f, g < columns`
/// rounded up to 8. `lanes` is the width of the vectors that counted.
#[inline(always)]
pub fn mirror<C: Count>(square: &mut [C], width: usize, columns: usize, lanes: usize) {
    let end = columns.next_multiple_of(8).min(width);
    for rows in (0..end).step_by(8) {
        for cols in (0..rows / lanes * lanes).step_by(8) {
            let mut tile = [[C::default(); 8]; 8];
            for (i, line) in tile.iter_mut().enumerate() {
                line.copy_from_slice(&square[(cols + i) * width + rows..][..8]);
            }
            for i in 0..8 {
                let to = &mut square[(rows + i) * width + cols..][..8];
                for j in 0..8 {
                    to[j] = tile[j][i];
                }
            }
        }
    }
}
