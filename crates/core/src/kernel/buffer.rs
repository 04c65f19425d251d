//! A growable buffer whose first element lies on a 64-byte line, so that the wide kernels load whole cache lines.

use std::ops::{Deref, DerefMut};

/// `len` elements, aligned to 64 bytes. Cloning and growing keep the alignment.
#[derive(Default)]
pub struct Buffer<T> {
    store: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Buffer<T> {
    /// `len` elements, all `T::default()`.
    pub fn zeroed(len: usize) -> Self {
        let mut buffer = Buffer { store: Vec::new(), start: 0, len: 0 };
        buffer.reserve(len);
        buffer
    }

    /// Makes the length `len`. The contents are unspecified, but initialised.
    pub fn reserve(&mut self, len: usize) {
        let slack = 64 / std::mem::size_of::<T>().max(1);
        if self.store.len() < len + slack {
            self.store = vec![T::default(); len + slack];
            self.start = self.store.as_ptr().align_offset(64);
            assert!(self.start < slack + 1);
        }
        self.len = len;
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.store.len() * std::mem::size_of::<T>()
    }
}

impl<T: Copy + Default> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        let mut copy = Buffer::zeroed(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.store[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.store[self.start..self.start + self.len]
    }
}
