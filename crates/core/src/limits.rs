//! When a search has to end: time, memory, the caller's wish.
//!
//! Guarantees: every worker asks `check` before each piece of work of a few milliseconds at most; once one of them is
//! told to stop, all are. Only the worker on the calling thread looks at the clock, the memory and the caller's hook;
//! the others see its flag. What `Stopped` interrupts returns nothing that could be taken for an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A limit was reached; whatever was under way has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Time,
    Memory,
    Interrupt,
}

/// What the workers of one search share, and what the hook is shown.
#[derive(Default)]
pub struct Signals {
    stop: AtomicBool,
    reason: AtomicU8,
    /// Set when memory runs short: the cache forgets its older half.
    pub forget: AtomicBool,
    pub depth: AtomicU32,
    pub splits: AtomicUsize,
    pub splits_done: AtomicUsize,
    pub points: AtomicUsize,
}

impl Signals {
    pub fn stop(&self, reason: Reason) {
        if !self.stop.swap(true, Relaxed) {
            self.reason.store(reason as u8, Relaxed);
        }
    }

    pub fn stopped(&self) -> Option<Reason> {
        let reasons = [Reason::Time, Reason::Memory, Reason::Interrupt];
        self.stop.load(Relaxed).then(|| reasons[self.reason.load(Relaxed) as usize])
    }
}

/// Called every few milliseconds on the calling thread; false stops the search.
pub type Hook<'a> = &'a mut dyn FnMut(&Signals, Duration) -> bool;

/// One worker's view of the limits.
pub struct Limits<'a> {
    pub signals: Arc<Signals>,
    clock: Option<Clock<'a>>,
    /// Checks until the search is stopped, for tests that stop it at every possible place.
    left: u64,
}

struct Clock<'a> {
    start: Instant,
    next: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    hook: Hook<'a>,
}

const POLL: Duration = Duration::from_millis(20);

impl<'a> Limits<'a> {
    /// The view of the calling thread. `memory` is the resident size, in bytes, that the process shall keep below.
    pub fn new(start: Instant, time: Option<Duration>, memory: Option<u64>, hook: Hook<'a>) -> Self {
        let deadline = time.and_then(|time| start.checked_add(time));
        let clock = Clock { start, next: start + POLL, deadline, memory, hook };
        Limits { signals: Arc::default(), clock: Some(clock), left: u64::MAX }
    }

    /// A view that nothing ends.
    pub fn unwatched() -> Limits<'static> {
        Limits { signals: Arc::default(), clock: None, left: u64::MAX }
    }

    /// A view that is stopped by the check after so many.
    pub fn after(checks: u64) -> Limits<'static> {
        Limits { left: checks, ..Limits::unwatched() }
    }

    /// The same view, stopped by the check after so many.
    #[must_use]
    pub fn no_longer_than(self, checks: u64) -> Self {
        Limits { left: checks, ..self }
    }

    /// The same view, for a worker on this thread.
    pub fn lend(&mut self) -> Limits<'_> {
        let clock = self.clock.as_mut().map(|clock| Clock { hook: &mut *clock.hook, ..*clock });
        Limits { signals: self.signals.clone(), clock, left: self.left }
    }

    /// The view of a worker on another thread.
    pub fn following(signals: Arc<Signals>) -> Limits<'static> {
        Limits { signals, clock: None, left: u64::MAX }
    }

    /// `Err` when so many bytes more would pass the memory limit.
    pub fn room_for(&mut self, bytes: usize) -> Result<(), Stopped> {
        let limit = self.clock.as_ref().and_then(|clock| clock.memory);
        if let (Some(limit), Some(resident)) = (limit, resident_bytes())
            && resident + bytes as u64 > limit
        {
            self.signals.stop(Reason::Memory);
        }
        self.check()
    }

    /// `Err` when the search must end.
    #[inline]
    pub fn check(&mut self) -> Result<(), Stopped> {
        if let Some(clock) = &mut self.clock {
            clock.look(&self.signals);
        }
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.signals.stop(Reason::Interrupt),
        }
        if self.signals.stop.load(Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

impl Clock<'_> {
    fn look(&mut self, signals: &Signals) {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            signals.stop(Reason::Time);
        }
        if now < self.next {
            return;
        }
        self.next = now + POLL;
        if let (Some(limit), Some(resident)) = (self.memory, resident_bytes()) {
            if resident > limit {
                signals.stop(Reason::Memory);
            } else if resident > limit / 100 * 92 {
                signals.forget.store(true, Relaxed);
            }
        }
        if !(self.hook)(signals, now - self.start) {
            signals.stop(Reason::Interrupt);
        }
    }
}

/// The resident size of this process, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The memory that new allocations can have, where the system tells.
pub fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
