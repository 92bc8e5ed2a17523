//! A pause of all work with a card, so that a process can end.

#[cfg(feature = "cuda")]
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Read by everything that works with a card, and written by who ends the process.
#[cfg(feature = "cuda")]
static AT_WORK: RwLock<()> = RwLock::new(());

/// A pause of all training by CUDA, while it lives.
///
/// A process that ends while another of its threads works with CUDA may crash instead.
#[derive(Debug)]
pub struct Pause {
    #[cfg(feature = "cuda")]
    _nobody_works: RwLockWriteGuard<'static, ()>,
}

impl Pause {
    /// Waits until no learner works with a card.
    #[must_use]
    pub fn begin() -> Self {
        Self {
            #[cfg(feature = "cuda")]
            _nobody_works: AT_WORK.write().unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// Waits until there is no pause; while the result lives, none begins.
///
/// Nobody may call this twice without dropping the first result.
#[cfg(feature = "cuda")]
pub(crate) fn work() -> RwLockReadGuard<'static, ()> {
    AT_WORK.read().unwrap_or_else(PoisonError::into_inner)
}
