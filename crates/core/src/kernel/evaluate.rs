//! One weight vector on all pairs of columns: the cheapest trees of depth at most 2, with 0, 1, 2 and 3 nodes.
//!
//! Let a row weigh `b` if it is of class 1 and `-a` if of class 0, and let d(X) be the sum over a set X, t(X) the sum of
//! the absolute weights. The best leaf for X costs `a·n` or `b·p`, that is `(t(X) - |d(X)|) / 2`. A tree costs least
//! where the sum of |d| over its leaves is greatest. For X split into Y and X∖Y,
//!
//! ```text
//! |d(Y)| + |d(X) - d(Y)| = max(|x|, |2y - x|)      with x = d(X), y = d(Y)
//! ```
//!
//! so all that is needed of the many second splits y is their maximum and their minimum. Lane g is the first split of
//! the tree, f runs over the second ones: `d(g∧f)` and `d(¬g∧f) = d(f) - d(g∧f)`. Nothing is stored per pair, no
//! absolute value is taken in the loop, and every count serves both of its columns.

use super::lanes::{Count, Element, Lanes};

/// A set of rows and, evaluated in the same pass, its sibling under their parent.
///
/// `p`, `n`: counts of class 1 and class 0 of the set for all pairs of columns, `width` apart. `one[f]`: d of the set's
/// rows with column f. `parent`: d of all pairs of columns over the parent, which is the set and its sibling.
pub struct Job<'a, C, E> {
    pub p: &'a [C],
    pub n: &'a [C],
    pub columns: usize,
    pub width: usize,
    pub a: E,
    pub b: E,
    pub set: Side<'a, E>,
    pub sibling: Side<'a, E>,
    pub parent: &'a [E],
}

/// `one[f]` = d(rows with column f), `all` = d(all rows).
#[derive(Clone, Copy)]
pub struct Side<'a, E> {
    pub one: &'a [E],
    pub all: E,
}

/// For each first split g, the greatest sum of |d| over the leaves on the side g = 1 (`with`) and g = 0 (`without`).
pub struct Sums<'a, E> {
    pub with: &'a mut [E],
    pub without: &'a mut [E],
}

/// The greatest sum of |d| over the leaves of a tree with at most 0, 1, 2 and 3 nodes.
pub type Best = [i32; 4];

/// Fills `sums` and returns the best of the set; with `SIBLING` also those of the sibling.
///
/// Columns beyond `columns` are empty sets of rows; as a first split they stand for a tree of depth 1, which is allowed.
///
/// # Safety
/// The squares hold `columns` lines of `width` elements, the other slices `width`; `width` is a multiple of 32;
/// `b·P + a·N` over the parent is at most `E::MOST`; the machine has V's instructions.
#[inline(always)]
pub unsafe fn evaluate<V: Lanes, C: Count, const SIBLING: bool>(
    job: &Job<C, V::E>,
    sums: &mut Sums<V::E>,
    sibling_sums: &mut Sums<V::E>,
) -> [Best; 2] {
    let zero = V::splat(V::E::default());
    let (a, b) = (V::splat(job.a), V::splat(job.b));
    let mut tops = [[zero; 3]; 2];
    let mut at = 0;
    while at < job.width {
        // Greatest and least d(g∧f), greatest and least d(¬g∧f); the empty set is always among them.
        let (mut x1, mut y1, mut x0, mut y0) = (zero, zero, zero, zero);
        let (mut u1, mut v1, mut u0, mut v0) = (zero, zero, zero, zero);
        let mut cell = at;
        for f in 0..job.columns {
            let p = C::lanes::<V>(job.p.as_ptr().add(cell));
            let n = C::lanes::<V>(job.n.as_ptr().add(cell));
            let both = p.mul(b).sub(n.mul(a));
            let other = V::splat(*job.set.one.as_ptr().add(f)).sub(both);
            x1 = x1.max(both);
            y1 = y1.min(both);
            x0 = x0.max(other);
            y0 = y0.min(other);
            if SIBLING {
                let both = V::load(job.parent.as_ptr().add(cell)).sub(both);
                let other = V::splat(*job.sibling.one.as_ptr().add(f)).sub(both);
                u1 = u1.max(both);
                v1 = v1.min(both);
                u0 = u0.max(other);
                v0 = v0.min(other);
            }
            cell += job.width;
        }
        finish::<V>(at, job.set, [x1, y1, x0, y0], sums, &mut tops[0]);
        if SIBLING {
            finish::<V>(at, job.sibling, [u1, v1, u0, v0], sibling_sums, &mut tops[1]);
        }
        at += V::N;
    }
    [best::<V>(job.set.all, &tops[0]), best::<V>(job.sibling.all, &tops[1])]
}

/// From the extremes of one vector of first splits to their sums, and to the best trees of 1, 2 and 3 nodes.
#[inline(always)]
unsafe fn finish<V: Lanes>(
    at: usize,
    side: Side<V::E>,
    [x1, y1, x0, y0]: [V; 4],
    sums: &mut Sums<V::E>,
    tops: &mut [V; 3],
) {
    let one = V::load(side.one.as_ptr().add(at));
    let rest = V::splat(side.all).sub(one);
    let best_of =
        |all: V, most: V, least: V| all.abs().max(most.add(most).sub(all).abs()).max(least.add(least).sub(all).abs());
    let with = best_of(one, x1, y1);
    let without = best_of(rest, x0, y0);
    with.store(sums.with.as_mut_ptr().add(at));
    without.store(sums.without.as_mut_ptr().add(at));
    let (one, rest) = (one.abs(), rest.abs());
    tops[0] = tops[0].max(one.add(rest));
    tops[1] = tops[1].max(with.add(rest)).max(one.add(without));
    tops[2] = tops[2].max(with.add(without));
}

/// The greatest lane of each vector, after the leaf, which is 0 nodes.
#[inline(always)]
unsafe fn best<V: Lanes>(all: V::E, tops: &[V; 3]) -> Best {
    let mut out = [all.to_i32().abs(); 4];
    for (i, top) in tops.iter().enumerate() {
        let mut lanes = [V::E::default(); 32];
        top.store(lanes.as_mut_ptr());
        let greatest = lanes[..V::N].iter().map(|x| x.to_i32()).max().unwrap_or(0);
        out[i + 1] = greatest.max(out[i]);
    }
    out
}
