//! Every kernel of this machine against one-line loops, on random inputs and at the edges of the counters.

mod common;

use common::{Random, cases};
use paretree_core::kernel::{
    Buffer, Evaluate, Job, LANES, Machine, Run, Shadow, Side, Sums, any_above, compress, count_pairs, differences,
    half_plane, halves, raise_similar, shift_max,
};

fn machines() -> Vec<Machine> {
    Machine::available()
}

fn buffer<T: Copy + Default>(values: &[T]) -> Buffer<T> {
    let mut buffer = Buffer::zeroed(values.len());
    buffer.copy_from_slice(values);
    buffer
}

#[test]
fn pairs_are_counted() {
    for case in 0..cases(60) {
        let random = &mut Random(case);
        let columns = 1 + random.below(70);
        let width = columns.next_multiple_of(LANES);
        let runs: Vec<Run> =
            (0..1 + random.below(3)).map(|shift| Run { words: random.below(9), shift: shift as u32 }).collect();
        let words: usize = runs.iter().map(|run| run.words).sum();
        let bits: Vec<u16> =
            (0..words * width).map(|i| if i % width < columns { random.next() as u16 } else { 0 }).collect();
        let expected = |f: usize, g: usize| {
            let (mut word, mut sum) = (0, 0);
            for run in &runs {
                for _ in 0..run.words {
                    sum += (bits[word * width + f] & bits[word * width + g]).count_ones() << run.shift;
                    word += 1;
                }
            }
            sum
        };
        for machine in machines() {
            let mut narrow = Buffer::<u16>::zeroed(columns.next_multiple_of(8) * width);
            let mut wide = Buffer::<u32>::zeroed(columns.next_multiple_of(8) * width);
            assert!(count_pairs(machine, &bits, (columns, width), &runs, &mut narrow, || true));
            assert!(count_pairs(machine, &bits, (columns, width), &runs, &mut wide, || true));
            for (f, g) in (0..columns).flat_map(|f| (0..columns).map(move |g| (f, g))) {
                assert_eq!(u32::from(narrow[f * width + g]), expected(f, g), "{machine:?} case {case}");
                assert_eq!(wide[f * width + g], expected(f, g), "{machine:?} case {case}");
            }
        }
    }
}

#[test]
fn counters_hold_what_their_width_promises() {
    for rows in [65_520_usize, 65_535, 65_536, 65_537, 70_000, 140_000] {
        let words = rows.div_ceil(16);
        let width = LANES;
        let mut bits = vec![0_u16; words * width];
        for row in 0..rows {
            bits[row / 16 * width] |= 1 << (row % 16);
        }
        for machine in machines() {
            let mut wide = Buffer::<u32>::zeroed(8 * width);
            assert!(count_pairs(machine, &bits, (1, width), &[Run { words, shift: 0 }], &mut wide, || true));
            assert_eq!(wide[0] as usize, rows, "{machine:?}");
            let mut heavy = Buffer::<u32>::zeroed(8 * width);
            assert!(count_pairs(machine, &bits, (1, width), &[Run { words, shift: 12 }], &mut heavy, || true));
            assert_eq!(heavy[0] as usize, rows << 12, "{machine:?}");
            if rows <= 65_535 {
                let mut narrow = Buffer::<u16>::zeroed(8 * width);
                assert!(count_pairs(machine, &bits, (1, width), &[Run { words, shift: 0 }], &mut narrow, || true));
                assert_eq!(narrow[0] as usize, rows, "{machine:?}");
            }
        }
    }
}

/// Rows of two classes over a few columns, as lists, for the definition of what `evaluate` computes.
struct Rows {
    cells: Vec<Vec<bool>>,
    class: Vec<usize>,
    in_set: Vec<bool>,
    columns: usize,
}

impl Rows {
    fn random(random: &mut Random) -> Self {
        let (rows, columns) = (1 + random.below(40), 1 + random.below(36));
        let cells = (0..rows).map(|_| (0..columns).map(|_| random.one_in(2)).collect()).collect();
        let mut coin = |n| (0..rows).map(|_| random.below(n)).collect::<Vec<_>>();
        let (class, half) = (coin(2), coin(2));
        Rows { cells, class, in_set: half.iter().map(|&x| x == 1).collect(), columns }
    }

    fn count(&self, class: usize, of: impl Fn(usize) -> bool) -> u32 {
        (0..self.class.len()).filter(|&row| self.class[row] == class && of(row)).count() as u32
    }

    /// d of the rows for which `of` holds.
    fn d(&self, (a, b): (i32, i32), of: impl Fn(usize) -> bool + Copy) -> i32 {
        b * self.count(1, of) as i32 - a * self.count(0, of) as i32
    }
}

/// Greatest sum of |d| over the leaves on each side of a first split, by going through all second splits.
fn sums_of(rows: &Rows, weights: (i32, i32), part: bool, g: usize) -> [i32; 2] {
    [true, false].map(|side| {
        let here = |row: usize| rows.in_set[row] == part && rows.cells[row][g] == side;
        let split = |f: usize| {
            rows.d(weights, |row| here(row) && rows.cells[row][f]).abs()
                + rows.d(weights, |row| here(row) && !rows.cells[row][f]).abs()
        };
        (0..rows.columns).map(split).max().unwrap_or(0).max(rows.d(weights, here).abs())
    })
}

fn evaluate_both<E: Evaluate>(random: &mut Random, most: i32) {
    let rows = Rows::random(random);
    let weights = (1 + random.below(most as usize) as i32, 1 + random.below(most as usize) as i32);
    let (columns, width) = (rows.columns, rows.columns.next_multiple_of(LANES));
    let square = |part: Option<bool>, class: usize| {
        let mut out = vec![0_u16; columns * width];
        for (f, g) in (0..columns).flat_map(|f| (0..columns).map(move |g| (f, g))) {
            let both = |row: usize| {
                part.is_none_or(|part| rows.in_set[row] == part) && rows.cells[row][f] && rows.cells[row][g]
            };
            out[f * width + g] = rows.count(class, both) as u16;
        }
        buffer(&out)
    };
    let (p, n) = (square(Some(true), 1), square(Some(true), 0));
    let mut parent = Buffer::<E>::zeroed(columns * width);
    differences(Machine::Portable, &square(None, 1), &square(None, 0), weights.0, weights.1, &mut parent);
    let ones = [true, false].map(|part| {
        let mut out = vec![E::default(); width];
        for (f, out) in out.iter_mut().enumerate().take(columns) {
            *out = E::from_i32(rows.d(weights, |row| rows.in_set[row] == part && rows.cells[row][f]));
        }
        buffer(&out)
    });
    let side = |at: usize, part: bool| Side {
        one: &ones[at],
        all: E::from_i32(rows.d(weights, |row| rows.in_set[row] == part)),
    };
    let (a, b) = (E::from_i32(weights.0), E::from_i32(weights.1));
    let (set, sibling) = (side(0, true), side(1, false));
    let job = Job { p: &p, n: &n, columns, width, a, b, set, sibling, parent: &parent };
    for machine in machines() {
        let mut lines: Vec<Buffer<E>> = (0..6).map(|_| Buffer::zeroed(width)).collect();
        let [with, without, other_with, other_without, alone_with, alone_without] = &mut lines[..] else {
            unreachable!()
        };
        let mut sums = Sums { with, without };
        let mut other = Sums { with: other_with, without: other_without };
        let best = E::pair(machine, &job, &mut sums, &mut other);
        let alone = E::alone(machine, &job, &mut Sums { with: alone_with, without: alone_without });
        assert_eq!(alone, best[0], "{machine:?}");
        for (at, part) in [true, false].into_iter().enumerate() {
            let all: Vec<[i32; 2]> = (0..columns).map(|g| sums_of(&rows, weights, part, g)).collect();
            for (g, expected) in all.iter().enumerate() {
                assert_eq!([lines[2 * at][g].to_i32(), lines[2 * at + 1][g].to_i32()], *expected, "{machine:?}");
            }
            let leaf = rows.d(weights, |row| rows.in_set[row] == part).abs();
            let three = all.iter().map(|sides| sides[0] + sides[1]).max().unwrap_or(0).max(leaf);
            assert_eq!((best[at][0], best[at][3]), (leaf, three), "{machine:?}");
            assert!(best[at].is_sorted(), "{machine:?}");
        }
    }
}

#[test]
fn both_sides_of_a_split_are_evaluated() {
    for case in 0..cases(40) {
        evaluate_both::<i16>(&mut Random(case), 200);
        evaluate_both::<i32>(&mut Random(case << 20), 5000);
    }
}

#[test]
fn sweeps_do_what_they_say() {
    for case in 0..cases(200) {
        let random = &mut Random(case);
        let length = random.below(90);
        let values: Vec<u32> = (0..length).map(|_| random.below(1000) as u32).collect();
        let start: Vec<u32> = (0..length).map(|_| random.below(500) as u32).collect();
        let less = random.below(600) as u32;
        let (a, b, value) = (1 + random.below(200) as i32, 1 + random.below(200) as i32, random.below(30_000) as i32);
        for machine in machines() {
            let mut out = start.clone();
            shift_max(machine, &mut out, &values, less);
            assert!((0..length).all(|i| out[i] == start[i].max(values[i].saturating_sub(less))), "{machine:?}");
            let mut out = start.clone();
            half_plane(machine, &mut out, value, a, b);
            for (x, (out, start)) in out.iter().zip(&start).enumerate() {
                let y = (0..).find(|y| a * x as i32 + b * y >= value).expect("b is positive") as u32;
                assert_eq!(*out, y.max(*start), "{machine:?}");
            }
        }
    }
}

#[test]
fn half_planes_round_up_at_large_values() {
    for case in 0..cases(2000) {
        let random = &mut Random(case);
        let b = 1 + random.below(1 << 20) as i32;
        let y = random.below(((i32::MAX - b) / b).max(1) as usize) as i32;
        let value = (y * b).saturating_add(random.below(3) as i32 - 1).max(1);
        for machine in machines() {
            let mut out = [0];
            half_plane(machine, &mut out, value, 1, b);
            assert_eq!(
                i64::from(out[0]),
                (i64::from(value) + i64::from(b) - 1) / i64::from(b),
                "{machine:?} {value} / {b}"
            );
        }
    }
}

#[test]
fn corners_survive_all_directions_or_not() {
    for case in 0..cases(300) {
        let random = &mut Random(case);
        let (directions, blocks) = (1 + random.below(8), random.below(4));
        let table: Vec<[i32; 16]> =
            (0..directions * blocks).map(|_| std::array::from_fn(|_| random.below(20) as i32)).collect();
        let least: Vec<i32> = (0..directions).map(|_| random.below(20) as i32).collect();
        let expected = (0..blocks)
            .any(|block| (0..16).any(|lane| (0..directions).all(|k| table[block * directions + k][lane] >= least[k])));
        for machine in machines() {
            assert_eq!(any_above(machine, &table, directions, &least), expected, "{machine:?}");
        }
    }
}

#[test]
fn similar_sets_bound_each_other() {
    for case in 0..cases(100) {
        let random = &mut Random(case);
        let width = LANES * (1 + random.below(3));
        let both: [Vec<u16>; 2] = std::array::from_fn(|_| (0..width).map(|_| random.below(50) as u16).collect());
        let one: [Vec<u32>; 2] =
            std::array::from_fn(|c| both[c].iter().map(|&x| u32::from(x) + random.below(50) as u32).collect());
        let (a, b) = (1 + random.below(9) as i32, 1 + random.below(9) as i32);
        let low = [random.below(2000) as i32, random.below(2000) as i32];
        let shadow = Shadow {
            p_both: &both[1],
            n_both: &both[0],
            p_one: &one[1],
            n_one: &one[0],
            a,
            b,
            with: 700,
            all: 1500,
            low,
        };
        for machine in machines() {
            let (mut zero, mut ones) = (vec![3; width], vec![5; width]);
            raise_similar(machine, &shadow, &mut zero, &mut ones);
            for h in 0..width {
                let w = |counts: [u32; 2]| a * counts[0] as i32 + b * counts[1] as i32;
                let (c_and_h, h_all) =
                    (w([0, 1].map(|k: usize| u32::from(both[k][h]))), w([0, 1].map(|k: usize| one[k][h])));
                let (only_c, only_h) = (700 - c_and_h, h_all - c_and_h);
                let neither = 1500 - 700 - only_h;
                assert_eq!(ones[h], 5.max(low[1] - only_c).max(low[0] - neither), "{machine:?}");
                assert_eq!(zero[h], 3.max(low[1] - c_and_h).max(low[0] - only_h), "{machine:?}");
            }
        }
    }
}

#[test]
fn rows_are_compressed() {
    for case in 0..cases(100) {
        let random = &mut Random(case);
        let (words, width) = (random.below(5), 8 * (1 + random.below(5)));
        let bits: Vec<u64> = (0..words * width).map(|_| random.next()).collect();
        let masks: Vec<u64> = (0..words)
            .map(|_| match random.below(4) {
                0 => 0,
                1 => u64::MAX,
                _ => random.next() & random.next(),
            })
            .collect();
        let kept: Vec<usize> = (0..words * 64).filter(|row| masks[row / 64] >> (row % 64) & 1 == 1).collect();
        for machine in machines() {
            let mut out = vec![u64::MAX; kept.len().div_ceil(64) * width];
            compress(machine, &bits, width, &masks, &mut out);
            let mut expected = vec![0_u64; out.len()];
            for (to, from) in kept.iter().enumerate() {
                for column in 0..width {
                    expected[to / 64 * width + column] |=
                        (bits[from / 64 * width + column] >> (from % 64) & 1) << (to % 64);
                }
            }
            assert_eq!(out, expected, "{machine:?}");
            let mut words = vec![0_u16; kept.len().div_ceil(16) * width];
            halves(machine, &out, width, &mut words);
            let expected =
                (0..words.len()).map(|i| (out[i / width / 4 * width + i % width] >> (i / width % 4 * 16)) as u16);
            assert!(words.iter().copied().eq(expected), "{machine:?}");
        }
    }
}
