//! Closing the gaps: from the rows of a set to those of a subset, for all columns at once.
//!
//! Bits come as 64-bit words, `bits[word * width + column]`. The rows kept in a word are the same for every column, so
//! the six moves that push its kept bits together (Warren, Hacker's Delight, 7-4) are worked out once for a word and then
//! applied to all columns with plain shifts, which vectorise on any machine; no bit-extraction instruction is needed.

use super::versions;

/// The moves that compress the bits of `mask` to the low end.
#[inline(always)]
fn moves(mut mask: u64) -> [u64; 6] {
    let mut out = [0; 6];
    let mut gaps = !mask << 1;
    for (i, out) in out.iter_mut().enumerate() {
        let mut parity = gaps;
        for by in [1, 2, 4, 8, 16, 32] {
            parity ^= parity << by;
        }
        let moved = parity & mask;
        *out = moved;
        mask = (mask ^ moved) | (moved >> (1 << i));
        gaps &= !parity;
    }
    out
}

#[inline(always)]
fn compress_body(bits: &[u64], width: usize, masks: &[u64], out: &mut [u64]) {
    out.fill(0);
    let (mut word, mut filled) = (0, 0);
    for (w, &mask) in masks.iter().enumerate() {
        if mask == 0 {
            continue;
        }
        let kept = mask.count_ones();
        let from = &bits[w * width..][..width];
        let moves = moves(mask);
        let (low, high) = out[word * width..].split_at_mut(width);
        let squeeze = |x: u64| {
            let mut x = x & mask;
            for (i, &moved) in moves.iter().enumerate() {
                let t = x & moved;
                x = (x ^ t) | (t >> (1 << i));
            }
            x
        };
        if filled + kept <= 64 {
            for (to, &x) in low.iter_mut().zip(from) {
                *to |= squeeze(x) << filled;
            }
        } else {
            let high = &mut high[..width];
            for ((to, over), &x) in low.iter_mut().zip(high).zip(from) {
                let x = squeeze(x);
                *to |= x << filled;
                *over = x >> (64 - filled);
            }
        }
        filled += kept;
        if filled >= 64 {
            filled -= 64;
            word += 1;
        }
    }
}

versions! {
    /// Writes the rows chosen by `masks` (one word each) to `out`, which holds just the words that they fill.
    compress = compress_body, (bits: &[u64], width: usize, masks: &[u64], out: &mut [u64])
}

#[inline(always)]
fn halves_body(bits: &[u64], width: usize, out: &mut [u16]) {
    for (w, to) in out.chunks_exact_mut(width).enumerate() {
        let from = &bits[w / 4 * width..][..width];
        let shift = w % 4 * 16;
        for (to, &x) in to.iter_mut().zip(from) {
            *to = (x >> shift) as u16;
        }
    }
}

versions! {
    /// Splits 64-bit words into the 16-bit words that `count_pairs` wants; `out` says how many.
    halves = halves_body, (bits: &[u64], width: usize, out: &mut [u16])
}
