//! The inner loops, compiled for three kinds of machine and chosen once at run time: portable, AVX2, AVX-512.
//!
//! All kinds give identical results; `tests/kernels.rs` compares them. This is the only module with `unsafe`: loops over
//! vectors of lanes (`count`, `evaluate`), which are written once over the traits of `lanes`, and plain loops
//! (`compress`, `sweep`), which the compiler turns into vectors when it may use a machine's instructions.

mod buffer;
mod compress;
mod count;
mod evaluate;
mod lanes;
mod stairs;
mod sweep;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use buffer::Buffer;
pub use compress::{compress, halves};
pub use count::Run;
pub use evaluate::{Best, Job, Side, Sums};
pub use lanes::{Count, Element};
pub use stairs::{MOST_STEPS, Pairs, staircase};
pub use sweep::{Shadow, any_above, common, differences, half_plane, narrow, raise_similar, shift_max, subtract};

use lanes::Plain;

/// Columns are padded to a multiple of this many, the lanes of the widest vector.
pub const LANES: usize = 32;

/// Which instructions the inner loops use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    Portable,
    Avx2,
    Avx512,
}

impl Machine {
    /// The widest kind that this processor has.
    pub fn best() -> Self {
        *Self::available().last().expect("the portable kind is always there")
    }

    /// Every kind that this processor has, narrowest first.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut kinds = vec![Machine::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                kinds.push(Machine::Avx2);
                let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
                if wide && is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx512bitalg") {
                    kinds.push(Machine::Avx512);
                }
            }
        }
        kinds
    }

    /// Its name, as `Machine::named` reads it.
    pub fn name(self) -> &'static str {
        match self {
            Machine::Portable => "portable",
            Machine::Avx2 => "avx2",
            Machine::Avx512 => "avx512",
        }
    }

    /// The kind of that name, if this processor has it.
    pub fn named(name: &str) -> Option<Self> {
        Self::available().into_iter().find(|kind| kind.name() == name)
    }
}

/// Compiles a loop once for each kind of machine: `versions!(name, body, (arguments))` defines `name(machine, arguments)`.
///
/// The body is `#[inline(always)]`, so that it is compiled anew with the instructions of each caller.
macro_rules! versions {
    ($(#[$doc:meta])* $name:ident $(<$($g:ident: $bound:path),*>)? = $body:path,
     ($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)?) => {
        $(#[$doc])*
        pub fn $name $(<$($g: $bound),*>)? (machine: $crate::kernel::Machine, $($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
                unsafe fn avx2 $(<$($g: $bound),*>)? ($($arg: $type),*) $(-> $out)? {
                    $body($($arg),*)
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512bitalg,avx2,popcnt,bmi1,bmi2,lzcnt")]
                unsafe fn avx512 $(<$($g: $bound),*>)? ($($arg: $type),*) $(-> $out)? {
                    $body($($arg),*)
                }
                match machine {
                    // SAFETY: a Machine of that kind is only made by `available`, after the processor was asked.
                    $crate::kernel::Machine::Avx512 => return unsafe { avx512($($arg),*) },
                    $crate::kernel::Machine::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::kernel::Machine::Portable => {}
                }
            }
            let _ = machine;
            $body($($arg),*)
        }
    };
}
pub(crate) use versions;

/// Calls a loop over lanes with the vectors of the machine. `$lanes` is (portable, AVX2, AVX-512).
macro_rules! with_lanes {
    ($machine:expr, $function:ident, [$($generic:tt)*], ($plain:ty, $avx2:ident, $avx512:ident), ($($arg:ident: $type:ty),*) -> $out:ty) => {{
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            unsafe fn avx2<C: Count>($($arg: $type),*) -> $out {
                unsafe { $function::<x86::$avx2, $($generic)*>($($arg),*) }
            }
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,avx2")]
            unsafe fn avx512<C: Count>($($arg: $type),*) -> $out {
                unsafe { $function::<x86::$avx512, $($generic)*>($($arg),*) }
            }
            match $machine {
                // SAFETY: as for `versions`; the slices were checked by the caller of this macro.
                Machine::Avx512 => return unsafe { avx512::<C>($($arg),*) },
                Machine::Avx2 => return unsafe { avx2::<C>($($arg),*) },
                Machine::Portable => {}
            }
        }
        // SAFETY: plain Rust needs no instructions; the slices were checked by the caller of this macro.
        unsafe { $function::<$plain, $($generic)*>($($arg),*) }
    }};
}

/// Counts of columns `from..from + 4` against all columns from a vector on; see `count::count_four`.
fn count_lines<C: Count>(
    machine: Machine,
    bits: &[u16],
    width: usize,
    runs: &[Run],
    from: usize,
    start: usize,
    out: &mut [C],
) {
    let words: usize = runs.iter().map(|run| run.words).sum();
    assert!(width.is_multiple_of(LANES) && from.is_multiple_of(4) && from < width && start < width);
    assert!(bits.len() >= words * width && out.len() >= 4 * width);
    use count::count_four;
    with_lanes!(machine, count_four, [C], (lanes::Plain16, Avx2, Avx512),
        (bits: &[u16], width: usize, runs: &[Run], from: usize, start: usize, out: &mut [C]) -> ())
}

versions! {
    /// Completes a square of which only the upper half was counted; see `count::mirror`.
    mirror<C: Count> = count::mirror, (square: &mut [C], width: usize, columns: usize, lanes: usize)
}

/// Words up to which the whole square is counted.
const SHORT: usize = 24;
/// Words times lanes that are counted between two questions whether to go on: well below a millisecond.
const BETWEEN: usize = 1 << 20;

/// Counts of all pairs of `columns` columns into the square `out`, which has a multiple of 8 lines of `width` counts.
///
/// `alive` is asked now and then; when it says no the square is left unfinished and false is returned.
pub fn count_pairs<C: Count>(
    machine: Machine,
    bits: &[u16],
    (columns, width): (usize, usize),
    runs: &[Run],
    out: &mut [C],
    mut alive: impl FnMut() -> bool,
) -> bool {
    let words: usize = runs.iter().map(|run| run.words).sum();
    let mut counted = 0;
    for from in (0..columns).step_by(4) {
        counted += words * width;
        if counted > BETWEEN {
            counted = 0;
            if !alive() {
                return false;
            }
        }
        let start = if words <= SHORT { 0 } else { from };
        count_lines(machine, bits, width, runs, from, start, &mut out[from * width..]);
    }
    let lanes = match machine {
        Machine::Portable => 8,
        Machine::Avx2 => 16,
        Machine::Avx512 => 32,
    };
    if words > SHORT {
        mirror(machine, out, width, columns, lanes);
    }
    true
}

/// An element type with the vectors that evaluate it.
pub trait Evaluate: Element {
    /// Evaluates a set of rows and its sibling; see `evaluate::evaluate`.
    fn pair<C: Count>(
        machine: Machine,
        job: &Job<C, Self>,
        sums: &mut Sums<Self>,
        sibling: &mut Sums<Self>,
    ) -> [Best; 2];
    /// Evaluates a set alone; the sibling's side of the job and of the result mean nothing.
    fn alone<C: Count>(machine: Machine, job: &Job<C, Self>, sums: &mut Sums<Self>) -> Best;
}

fn check<C, E>(job: &Job<C, E>, sums: &Sums<E>, sibling: &Sums<E>, with_sibling: bool) {
    let (square, width) = (job.columns * job.width, job.width);
    assert!(width % LANES == 0 && job.p.len() >= square && job.n.len() >= square && job.set.one.len() >= width);
    assert!(sums.with.len() >= width && sums.without.len() >= width);
    if with_sibling {
        assert!(job.parent.len() >= square && job.sibling.one.len() >= width);
        assert!(sibling.with.len() >= width && sibling.without.len() >= width);
    }
}

macro_rules! evaluates {
    ($element:ty, $plain:ty, $avx2:ident, $avx512:ident) => {
        impl Evaluate for $element {
            fn pair<C: Count>(
                machine: Machine,
                job: &Job<C, Self>,
                sums: &mut Sums<Self>,
                sibling: &mut Sums<Self>,
            ) -> [Best; 2] {
                check(job, sums, sibling, true);
                use evaluate::evaluate;
                with_lanes!(machine, evaluate, [C, true], ($plain, $avx2, $avx512),
                    (job: &Job<C, $element>, sums: &mut Sums<$element>, sibling: &mut Sums<$element>) -> [Best; 2])
            }
            fn alone<C: Count>(machine: Machine, job: &Job<C, Self>, sums: &mut Sums<Self>) -> Best {
                let sibling = &mut Sums { with: &mut [], without: &mut [] };
                check(job, sums, sibling, false);
                fn both<C: Count>(
                    machine: Machine,
                    job: &Job<C, $element>,
                    sums: &mut Sums<$element>,
                    sibling: &mut Sums<$element>,
                ) -> [Best; 2] {
                    use evaluate::evaluate;
                    with_lanes!(machine, evaluate, [C, false], ($plain, $avx2, $avx512),
                        (job: &Job<C, $element>, sums: &mut Sums<$element>, sibling: &mut Sums<$element>) -> [Best; 2])
                }
                both(machine, job, sums, sibling)[0]
            }
        }
    };
}

evaluates!(i16, Plain<i16, 8>, Avx2I16, Avx512I16);
evaluates!(i32, Plain<i32, 4>, Avx2I32, Avx512I32);
