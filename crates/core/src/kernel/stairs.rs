//! The exact staircase of trees of depth two where the axis of class 0 is short: for each x the least y.
//!
//! Lanes are first splits g. For each second split f both sides of g get the two stumps on f; `least[x]` of a lane is the
//! least y of its stumps with at most x errors of class 0. The sides are then added up by min-plus. Plain loops over
//! arrays of lanes, which the compiler turns into vectors.

use super::lanes::Count;
use super::versions;

/// The longest axis: x from 0 to 31.
pub const MOST_STEPS: usize = 32;
const LANES: usize = super::LANES;
type Lane = [u16; LANES];

/// A set of rows by its pair counts: those counted, or those of the parent less those counted.
pub struct Pairs<'a, C> {
    pub counted: [&'a [C]; 2],
    pub parent: Option<[&'a [C]; 2]>,
    pub columns: usize,
    pub width: usize,
    /// Weights of the set in each class for each column, `width` of them, and of all its rows.
    pub ones: [&'a [u16]; 2],
    pub total: [u16; 2],
}

impl<C: Count> Pairs<'_, C> {
    #[inline(always)]
    fn lanes(&self, class: usize, at: usize) -> Lane {
        let counted = &self.counted[class][at..at + LANES];
        match self.parent {
            None => std::array::from_fn(|i| counted[i].get() as u16),
            Some(parent) => {
                let parent = &parent[class][at..at + LANES];
                std::array::from_fn(|i| (parent[i].get() - counted[i].get()) as u16)
            }
        }
    }
}

#[inline(always)]
fn lower(steps: &mut [Lane], n: &Lane, y: &Lane) {
    for (x, step) in steps.iter_mut().enumerate() {
        for i in 0..LANES {
            let candidate = if n[i] <= x as u16 { y[i] } else { u16::MAX };
            step[i] = step[i].min(candidate);
        }
    }
}

#[inline(always)]
fn less(from: &Lane, part: &Lane) -> Lane {
    std::array::from_fn(|i| from[i].wrapping_sub(part[i]))
}

#[inline(always)]
fn staircase_body<C: Count>(pairs: &Pairs<C>, out: &mut [u16]) {
    let length = out.len();
    out.fill(u16::MAX);
    let mut with = [[0; LANES]; MOST_STEPS];
    let mut without = [[0; LANES]; MOST_STEPS];
    let (with, without) = (&mut with[..length], &mut without[..length]);
    for at in (0..pairs.width).step_by(LANES) {
        let one: [Lane; 2] = [0, 1].map(|class: usize| std::array::from_fn(|i| pairs.ones[class][at + i]));
        let rest = [0, 1].map(|class: usize| less(&[pairs.total[class]; LANES], &one[class]));
        for (steps, side) in [(&mut *with, &one), (&mut *without, &rest)] {
            steps.fill(side[1]);
            lower(steps, &side[0], &[0; LANES]);
        }
        for f in 0..pairs.columns {
            let [n, p] = [0, 1].map(|class| pairs.lanes(class, f * pairs.width + at));
            lower(with, &n, &less(&one[1], &p));
            lower(with, &less(&one[0], &n), &p);
            let [n, p] = [0, 1].map(|class: usize| less(&[pairs.ones[class][f]; LANES], [&n, &p][class]));
            lower(without, &n, &less(&rest[1], &p));
            lower(without, &less(&rest[0], &n), &p);
        }
        for (x, out) in out.iter_mut().enumerate() {
            for left in 0..=x {
                for i in 0..LANES {
                    *out = (*out).min(with[left][i].saturating_add(without[x - left][i]));
                }
            }
        }
    }
}

versions! {
    /// `out[x]` is the least y of the trees of depth two over a set with at most x errors of class 0.
    staircase<C: Count> = staircase_body, (pairs: &Pairs<C>, out: &mut [u16])
}
