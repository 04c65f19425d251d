//! What is known of sets of rows, whichever path led to them. Bounded: what was not asked for lately is forgotten.
//!
//! Guarantees: a search is handed out only if its windows cover those asked for; lows hold under any window. Only what
//! was finished is ever stored. Forgetting costs work, nothing else.

use crate::bound::Low;
use crate::rows::Name;
use crate::staircase::{Front, Window};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A search that was finished: all points that its windows, one for each layer, left useful.
pub struct Search {
    pub windows: Vec<Window>,
    pub fronts: Vec<Front>,
}

impl Search {
    /// Whether it found all that these windows could use.
    pub fn covers(&self, windows: &[Window]) -> bool {
        self.windows.iter().zip(windows).all(|(own, other)| own.covers(other))
    }

    fn bytes(&self) -> usize {
        let limits: usize = self.windows.iter().map(|window| window.limits().len() * 4).sum();
        let points: usize = self.fronts.iter().map(|front| front.len() * 48).sum();
        limits + points + 128
    }
}

/// Lows, and the caps up to which they were worked out; a low that is `exact` needs no more work under any cap.
#[derive(Clone)]
pub struct Bounded {
    pub low: Low,
    pub caps: Low,
    pub exact: Vec<bool>,
}

impl Bounded {
    /// Whether working them out under these caps could not raise a low that is still of use.
    pub fn suffices(&self, caps: &[i32]) -> bool {
        let parts = self.low.iter().zip(&self.caps).zip(self.exact.iter().zip(caps));
        parts.into_iter().all(|((&low, &worked), (&exact, &cap))| exact || cap <= worked || cap <= low)
    }
}

#[derive(Default)]
struct Deep {
    bounded: Option<Arc<Bounded>>,
    search: Option<Arc<Search>>,
}

/// Names are hashes already; one multiplication moves their entropy to the bits that the table looks at.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.wrapping_mul(257) ^ u64::from(byte);
        }
    }
    fn write_u128(&mut self, name: u128) {
        self.0 = (name as u64 ^ (name >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

type Map<V> = HashMap<Name, V, BuildHasherDefault<Spread>>;

/// Entries of about one age.
#[derive(Default)]
struct Generation {
    /// Depth two: where the lows of a set begin in `lows`.
    at: Map<u32>,
    lows: Vec<i32>,
    /// Other depths.
    deep: HashMap<u32, Map<Deep>>,
    bytes: usize,
}

#[derive(Default)]
struct Shard {
    young: Generation,
    old: Generation,
}

/// The memory of a search, shared by its workers.
pub struct Cache {
    shards: Vec<Mutex<Shard>>,
    /// Bytes of a generation of one shard.
    most: usize,
    on: bool,
}

const SHARDS: usize = 16;

impl Cache {
    /// A cache that holds about `bytes`; one that is off remembers nothing.
    pub fn new(bytes: usize, on: bool) -> Self {
        Cache { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), most: bytes / (2 * SHARDS), on }
    }

    fn shard(&self, name: Name) -> MutexGuard<'_, Shard> {
        // A worker that panicked cannot have left an entry half written: entries are moved in whole.
        self.shards[name.0 as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lows of a set under depth two, appended to `out`.
    pub fn lows(&self, name: Name, length: usize, out: &mut Low) -> bool {
        if !self.on {
            return false;
        }
        let shard = self.shard(name);
        for generation in [&shard.young, &shard.old] {
            if let Some(&at) = generation.at.get(&name) {
                out.extend_from_slice(&generation.lows[at as usize..][..length]);
                return true;
            }
        }
        false
    }

    pub fn put_lows(&self, name: Name, lows: &[i32]) {
        if !self.on {
            return;
        }
        let mut shard = self.shard(name);
        let young = &mut shard.young;
        if let Ok(at) = u32::try_from(young.lows.len())
            && let Entry::Vacant(free) = young.at.entry(name)
        {
            free.insert(at);
            young.lows.extend_from_slice(lows);
            young.bytes += 48 + lows.len() * 4;
        }
        self.turn(&mut shard);
    }

    pub fn bounded(&self, name: Name, depth: u32) -> Option<Arc<Bounded>> {
        self.deep(name, depth, |deep| deep.bounded.clone())
    }

    pub fn search(&self, name: Name, depth: u32) -> Option<Arc<Search>> {
        self.deep(name, depth, |deep| deep.search.clone())
    }

    fn deep<T>(&self, name: Name, depth: u32, of: impl Fn(&Deep) -> Option<T>) -> Option<T> {
        if !self.on {
            return None;
        }
        let shard = self.shard(name);
        [&shard.young, &shard.old].into_iter().find_map(|g| of(g.deep.get(&depth)?.get(&name)?))
    }

    pub fn put_bounded(&self, name: Name, depth: u32, bounded: Arc<Bounded>) {
        let bytes = 128 + bounded.low.len() * 9;
        self.put(name, depth, bytes, |deep| deep.bounded = Some(bounded));
    }

    pub fn put_search(&self, name: Name, depth: u32, search: Arc<Search>) {
        let bytes = search.bytes();
        self.put(name, depth, bytes, |deep| deep.search = Some(search));
    }

    fn put(&self, name: Name, depth: u32, bytes: usize, set: impl FnOnce(&mut Deep)) {
        if !self.on {
            return;
        }
        let mut shard = self.shard(name);
        set(shard.young.deep.entry(depth).or_default().entry(name).or_default());
        shard.young.bytes += bytes;
        self.turn(&mut shard);
    }

    /// Starts a new generation when the young one is full; the one before the last is forgotten.
    fn turn(&self, shard: &mut Shard) {
        if shard.young.bytes > self.most {
            shard.old = std::mem::take(&mut shard.young);
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for shard in &self.shards {
            *shard.lock().unwrap_or_else(PoisonError::into_inner) = Shard::default();
        }
    }

    /// Forgets the older half.
    pub fn forget(&self) {
        for shard in &self.shards {
            shard.lock().unwrap_or_else(PoisonError::into_inner).old = Generation::default();
        }
    }
}
