//! Places for what is worked out once for each of a known number of things, and read by all threads without waiting.

use std::sync::OnceLock;

/// One slot for each thing; all are empty, and take no memory, until the first is asked for.
#[derive(Debug)]
pub(crate) struct Slots<T>(OnceLock<Box<[OnceLock<T>]>>);

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Slots<T> {
    /// The slot of one thing. `count` says how many things there are, the same every time.
    pub(crate) fn slot(&self, at: usize, count: impl FnOnce() -> usize) -> &OnceLock<T> {
        &self.0.get_or_init(|| (0..count()).map(|_| OnceLock::new()).collect())[at]
    }
}
