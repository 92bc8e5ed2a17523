//! How fast an epoch was trained, and what it waited for.

use std::time::{Duration, Instant};

/// The times of one epoch of training.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pace {
    /// The number of training steps of the epoch.
    pub steps: usize,
    /// The time that training and validation of the epoch took.
    pub took: Duration,
    /// The part of [`Pace::took`] in which the training waited for batches that another thread draws.
    pub waited_for_batches: Duration,
    /// The part of [`Pace::took`] in which all steps were handed to the device, and the training waited for it.
    pub waited_for_device: Duration,
}

impl Pace {
    /// The number of training steps in a second of the epoch, validation included.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an epoch has few steps")]
    pub fn steps_per_second(&self) -> f64 {
        self.steps as f64 / self.took.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// The share of the epoch in which the training waited for batches, from 0 to 1.
    #[must_use]
    pub fn batch_share(&self) -> f64 {
        self.share(self.waited_for_batches)
    }

    /// The share of the epoch in which the training waited for the device, from 0 to 1.
    #[must_use]
    pub fn device_share(&self) -> f64 {
        self.share(self.waited_for_device)
    }

    fn share(&self, part: Duration) -> f64 {
        part.as_secs_f64() / self.took.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// The result of `work`, whose time is added to `spent`.
pub(crate) fn timed<T>(spent: &mut Duration, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = work();
    *spent += started.elapsed();
    result
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Pace, timed};

    #[test]
    fn shares_and_rates_are_of_the_whole_epoch() {
        let pace = Pace {
            steps: 30,
            took: Duration::from_secs(4),
            waited_for_batches: Duration::from_secs(1),
            waited_for_device: Duration::from_secs(3),
        };
        assert!((pace.steps_per_second() - 7.5).abs() < 1e-9);
        assert!((pace.batch_share() - 0.25).abs() < 1e-9);
        assert!((pace.device_share() - 0.75).abs() < 1e-9);
    }

    #[test]
    fn an_epoch_without_steps_has_no_pace() {
        assert!(Pace::default().steps_per_second().abs() < 1e-9);
        assert!(Pace::default().device_share().abs() < 1e-9);
    }

    #[test]
    fn time_is_added_up() {
        let mut spent = Duration::from_secs(7);
        assert_eq!(timed(&mut spent, || 3), 3);
        assert!(spent >= Duration::from_secs(7));
    }
}
