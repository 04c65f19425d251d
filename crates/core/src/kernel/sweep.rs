//! Plain loops over staircases and bounds that the compiler vectorises for each kind of machine.

use super::lanes::{Count, Element};
use super::versions;

#[inline(always)]
fn shift_max_body(to: &mut [u32], from: &[u32], less: u32) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = (*to).max(from.saturating_sub(less));
    }
}

versions! {
    /// `to[i] = max(to[i], from[i] - less)`, never below zero.
    shift_max = shift_max_body, (to: &mut [u32], from: &[u32], less: u32)
}

#[inline(always)]
fn half_plane_body(to: &mut [u32], value: i32, a: i32, b: i32) {
    // The least y with a·x + b·y ≥ value is ⌈(value - a·x) / b⌉ = ⌊(value - a·x + b - 1) / b⌋. The half added keeps the
    // rounded product above the integer it should reach: with b < 2²⁰ the margin 1/2b exceeds the error 2³¹·2⁻⁵².
    let inverse = 1.0 / f64::from(b);
    for (x, to) in to.iter_mut().enumerate() {
        let left = value - a.wrapping_mul(x as i32);
        let y = (f64::from(left) + (f64::from(b) - 0.5)) * inverse;
        // SAFETY: |y| ≤ 2³¹ / b + 1 < 2³¹, or b = 1 and y = left + 0.5.
        let y = unsafe { y.to_int_unchecked::<i32>() };
        *to = (*to).max(if left > 0 { y as u32 } else { 0 });
    }
}

versions! {
    /// Raises `to[x]` to the least y with a·x + b·y ≥ value. No `a·x` of the range may overflow.
    half_plane = half_plane_body, (to: &mut [u32], value: i32, a: i32, b: i32)
}

// A loop and not `any`, whose closure would be compiled for the portable machine.
#[inline(always)]
fn any_above_body(table: &[[i32; 16]], directions: usize, least: &[i32]) -> bool {
    let least = &least[..directions];
    let mut at = 0;
    while at < table.len() {
        let mut all = [-1_i32; 16];
        let mut some = -1;
        for (values, &least) in table[at..at + directions].iter().zip(least) {
            some = 0;
            for lane in 0..16 {
                all[lane] &= -i32::from(values[lane] >= least);
                some |= all[lane];
            }
            if some == 0 {
                break;
            }
        }
        if some != 0 {
            return true;
        }
        at += directions;
    }
    false
}

versions! {
    /// Whether one of the corners reaches `least` in every direction. Sixteen corners stand together, direction by direction.
    any_above = any_above_body, (table: &[[i32; 16]], directions: usize, least: &[i32]) -> bool
}

/// What the rule of similarity needs of a solved split c, for one direction: see `bound::similarity`.
pub struct Shadow<'a, C> {
    /// Counts of class 1 and class 0 for (c, h), all h, and for (h, h).
    pub p_both: &'a [C],
    pub n_both: &'a [C],
    pub p_one: &'a [u32],
    pub n_one: &'a [u32],
    pub a: i32,
    pub b: i32,
    /// Weight of the rows with c = 1 and of all rows.
    pub with: i32,
    pub all: i32,
    /// The bounds of the two children of c.
    pub low: [i32; 2],
}

#[inline(always)]
fn raise_similar_body<C: Count>(shadow: &Shadow<C>, zero: &mut [i32], one: &mut [i32]) {
    let Shadow { a, b, with, all, low, .. } = *shadow;
    let counts = shadow.p_both.iter().zip(shadow.n_both).zip(shadow.p_one.iter().zip(shadow.n_one));
    for ((zero, one), ((p, n), (p1, n1))) in zero.iter_mut().zip(one).zip(counts) {
        let both = b * p.get() as i32 + a * n.get() as i32;
        let only_h = b * *p1 as i32 + a * *n1 as i32 - both;
        let only_c = with - both;
        let neither = all - with - only_h;
        *one = (*one).max(low[1] - only_c).max(low[0] - neither);
        *zero = (*zero).max(low[1] - both).max(low[0] - only_h);
    }
}

versions! {
    /// Raises the bounds of the children h = 0 and h = 1 of all splits h by what the shadow of split c proves.
    raise_similar<C: Count> = raise_similar_body, (shadow: &Shadow<C>, zero: &mut [i32], one: &mut [i32])
}

#[inline(always)]
fn differences_body<C: Count, E: Element>(p: &[C], n: &[C], a: i32, b: i32, out: &mut [E]) {
    for (out, (p, n)) in out.iter_mut().zip(p.iter().zip(n)) {
        *out = E::from_i32(b.wrapping_mul(p.get() as i32).wrapping_sub(a.wrapping_mul(n.get() as i32)));
    }
}

versions! {
    /// `out[i] = b·p[i] - a·n[i]`.
    differences<C: Count, E: Element> = differences_body, (p: &[C], n: &[C], a: i32, b: i32, out: &mut [E])
}

#[inline(always)]
fn narrow_body(rows: &[u64], column: &[u64], flip: u64, out: &mut [u64]) {
    for ((out, rows), column) in out.iter_mut().zip(rows).zip(column) {
        *out = rows & (column ^ flip);
    }
}

versions! {
    /// The rows with the column at 1, or at 0 if `flip` is all ones.
    narrow = narrow_body, (rows: &[u64], column: &[u64], flip: u64, out: &mut [u64])
}

#[inline(always)]
fn common_body(rows: &[u64], plane: &[u64]) -> u64 {
    rows.iter().zip(plane).map(|(rows, plane)| u64::from((rows & plane).count_ones())).sum()
}

versions! {
    /// Number of rows in both sets.
    common = common_body, (rows: &[u64], plane: &[u64]) -> u64
}

#[inline(always)]
fn subtract_body<E: Element>(from: &[E], less: &[E], out: &mut [E]) {
    for ((out, from), less) in out.iter_mut().zip(from).zip(less) {
        *out = E::from_i32(from.to_i32() - less.to_i32());
    }
}

versions! {
    /// `out[i] = from[i] - less[i]`.
    subtract<E: Element> = subtract_body, (from: &[E], less: &[E], out: &mut [E])
}
