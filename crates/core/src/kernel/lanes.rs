//! What the two inner loops need of a machine's vectors, and the portable vectors.
//!
//! `Lanes16` counts: AND, population count and sums of 16-bit words. `Lanes` evaluates: signed sums, products, extremes.
//! The loops in `count.rs` and `evaluate.rs` are written once over these traits and never ask which machine they run on.
//!
//! # Safety
//! Every method is `unsafe` because an implementation may need instructions that the caller must know to exist, and
//! because `load` and `store` touch `Self::N` elements from the pointer on.

/// A vector of unsigned 16-bit lanes.
pub trait Lanes16: Copy {
    const N: usize;
    unsafe fn zero() -> Self;
    unsafe fn splat(x: u16) -> Self;
    unsafe fn load(from: *const u16) -> Self;
    unsafe fn store(self, to: *mut u16);
    unsafe fn and(self, other: Self) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn shift_left(self, by: u32) -> Self;
    /// Number of ones of each lane.
    unsafe fn ones(self) -> Self;
}

/// A vector of signed lanes of type `E`.
pub trait Lanes: Copy {
    type E: Element;
    const N: usize;
    unsafe fn splat(x: Self::E) -> Self;
    unsafe fn load(from: *const Self::E) -> Self;
    unsafe fn store(self, to: *mut Self::E);
    unsafe fn from_u16(from: *const u16) -> Self;
    unsafe fn from_u32(from: *const u32) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    unsafe fn max(self, other: Self) -> Self;
    unsafe fn min(self, other: Self) -> Self;
    unsafe fn abs(self) -> Self;
}

/// A signed number that differences of weighted counts are held in.
pub trait Element: Copy + Default + Send + Sync + 'static {
    /// The largest value that every intermediate result must stay within.
    const MOST: i64;
    fn from_i32(x: i32) -> Self;
    fn to_i32(self) -> i32;
}

impl Element for i16 {
    const MOST: i64 = i16::MAX as i64;
    #[inline(always)]
    fn from_i32(x: i32) -> Self {
        x as i16
    }
    #[inline(always)]
    fn to_i32(self) -> i32 {
        self as i32
    }
}

impl Element for i32 {
    const MOST: i64 = i32::MAX as i64;
    #[inline(always)]
    fn from_i32(x: i32) -> Self {
        x
    }
    #[inline(always)]
    fn to_i32(self) -> i32 {
        self
    }
}

/// A number that counts of one class are held in: 16 bits where a class weighs at most 65,535, else 32.
pub trait Count: Copy + Default + Send + Sync + 'static {
    const MOST: u64;
    fn from_u32(x: u32) -> Self;
    fn get(self) -> u32;
    /// Loads as many counts as `V` has lanes.
    ///
    /// # Safety
    /// As for `Lanes`.
    unsafe fn lanes<V: Lanes>(from: *const Self) -> V;
}

impl Count for u16 {
    const MOST: u64 = u16::MAX as u64;
    #[inline(always)]
    fn from_u32(x: u32) -> Self {
        x as u16
    }
    #[inline(always)]
    fn get(self) -> u32 {
        self as u32
    }
    #[inline(always)]
    unsafe fn lanes<V: Lanes>(from: *const Self) -> V {
        V::from_u16(from)
    }
}

impl Count for u32 {
    const MOST: u64 = 1 << 30;
    #[inline(always)]
    fn from_u32(x: u32) -> Self {
        x
    }
    #[inline(always)]
    fn get(self) -> u32 {
        self
    }
    #[inline(always)]
    unsafe fn lanes<V: Lanes>(from: *const Self) -> V {
        V::from_u32(from)
    }
}

/// Eight 16-bit lanes in plain Rust.
#[derive(Clone, Copy)]
pub struct Plain16([u16; 8]);

impl Lanes16 for Plain16 {
    const N: usize = 8;
    #[inline(always)]
    unsafe fn zero() -> Self {
        Plain16([0; 8])
    }
    #[inline(always)]
    unsafe fn splat(x: u16) -> Self {
        Plain16([x; 8])
    }
    #[inline(always)]
    unsafe fn load(from: *const u16) -> Self {
        Plain16(from.cast::<[u16; 8]>().read_unaligned())
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u16) {
        to.cast::<[u16; 8]>().write_unaligned(self.0)
    }
    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        Plain16(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Plain16(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
    #[inline(always)]
    unsafe fn shift_left(self, by: u32) -> Self {
        Plain16(std::array::from_fn(|i| self.0[i] << by))
    }
    #[inline(always)]
    unsafe fn ones(self) -> Self {
        Plain16(std::array::from_fn(|i| self.0[i].count_ones() as u16))
    }
}

/// Signed lanes in plain Rust.
#[derive(Clone, Copy)]
pub struct Plain<E, const N: usize>([E; N]);

macro_rules! plain {
    ($element:ty, $n:literal) => {
        impl Lanes for Plain<$element, $n> {
            type E = $element;
            const N: usize = $n;
            #[inline(always)]
            unsafe fn splat(x: $element) -> Self {
                Plain([x; $n])
            }
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                Plain(from.cast::<[$element; $n]>().read_unaligned())
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                to.cast::<[$element; $n]>().write_unaligned(self.0)
            }
            #[inline(always)]
            unsafe fn from_u16(from: *const u16) -> Self {
                let counts = from.cast::<[u16; $n]>().read_unaligned();
                Plain(std::array::from_fn(|i| counts[i] as $element))
            }
            #[inline(always)]
            unsafe fn from_u32(from: *const u32) -> Self {
                let counts = from.cast::<[u32; $n]>().read_unaligned();
                Plain(std::array::from_fn(|i| counts[i] as $element))
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                Plain(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                Plain(std::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                Plain(std::array::from_fn(|i| self.0[i].wrapping_mul(other.0[i])))
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                Plain(std::array::from_fn(|i| self.0[i].max(other.0[i])))
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                Plain(std::array::from_fn(|i| self.0[i].min(other.0[i])))
            }
            #[inline(always)]
            unsafe fn abs(self) -> Self {
                Plain(std::array::from_fn(|i| self.0[i].wrapping_abs()))
            }
        }
    };
}

plain!(i16, 8);
plain!(i32, 4);
