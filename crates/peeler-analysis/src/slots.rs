//! Caches with one slot for each of a fixed number of items. A filled slot is read without locks.

use std::sync::OnceLock;

/// A cache with one slot for each of a fixed number of items. The slots are allocated on the first access.
#[derive(Debug)]
pub(crate) struct Slots<T>(OnceLock<Box<[OnceLock<T>]>>);

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Slots<T> {
    /// The cache slot of the item at a position. `count` returns the number of items, which must be the same in every
    /// call.
    pub(crate) fn slot(&self, at: usize, count: impl FnOnce() -> usize) -> &OnceLock<T> {
        &self.0.get_or_init(|| (0..count()).map(|_| OnceLock::new()).collect())[at]
    }
}
