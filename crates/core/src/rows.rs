//! Sets of rows and their names.
//!
//! A set is a string of words, one bit per row. Its name is a 128-bit hash: two multilinear sums over the field of
//! 2^61 - 1 with independent random keys. For two different sets the chance over the keys that the names agree is at most
//! 2^-61 for each sum (a difference of the sums is a non-zero linear form in the keys), hence 2^-122 for both; among q
//! sets the chance that any two collide is below q^2 / 2^123. The keys are fixed, so that runs repeat.

/// What identifies a set of rows in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Name(pub u128);

impl Name {
    /// The name of what remains of this set when a part of it is taken away: the sums of disjoint sets add up.
    pub fn without(self, part: Name) -> Name {
        let rest = |whole: u128, part: u128| (whole + PRIME - part) % PRIME;
        Name(rest(self.0 >> 64, part.0 >> 64) << 64 | rest(self.0 as u64 as u128, part.0 as u64 as u128))
    }
}

const PRIME: u128 = (1 << 61) - 1;

/// The random keys of the hash: four for each word of a set.
pub struct Keys(Vec<[u64; 4]>);

impl Keys {
    /// Keys for sets of `words` words.
    pub fn new(words: usize) -> Self {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || loop {
            // SplitMix64 (Steele, Lea, Flood 2014); values outside the field are drawn again.
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z = (z ^ (z >> 31)) >> 3;
            if u128::from(z) < PRIME {
                return z;
            }
        };
        Keys((0..words).map(|_| std::array::from_fn(|_| next())).collect())
    }

    /// The name of the set with these words.
    ///
    /// A key is below 2^61 and half a word below 2^32, so that 2^34 products fit into the sums without reduction.
    #[inline]
    pub fn name(&self, words: impl Iterator<Item = u64>) -> Name {
        let (mut first, mut second) = (0_u128, 0_u128);
        for (word, key) in words.zip(&self.0) {
            let (low, high) = (u128::from(word as u32), u128::from(word >> 32));
            first += u128::from(key[0]) * low + u128::from(key[1]) * high;
            second += u128::from(key[2]) * low + u128::from(key[3]) * high;
        }
        Name((first % PRIME) << 64 | (second % PRIME))
    }
}
