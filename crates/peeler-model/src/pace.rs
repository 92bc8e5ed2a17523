//! How fast an epoch was trained, and how much of its time the device had work.

use std::time::{Duration, Instant};

/// The times of one epoch of training.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pace {
    /// The number of training steps of the epoch.
    pub steps: usize,
    /// The time that training and validation of the epoch took.
    pub took: Duration,
    /// The part of [`Pace::took`] in which the device computed, or was given work: steps and scores of validation tests.
    /// The rest went into waiting for drawn batches, and into copying parameters.
    pub on_device: Duration,
}

impl Pace {
    /// Adds the time that work of the device takes.
    pub(crate) fn on_device<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        self.on_device += started.elapsed();
        result
    }

    /// The number of training steps in a second of the epoch, validation included.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an epoch has few steps")]
    pub fn steps_per_second(&self) -> f64 {
        self.steps as f64 / self.took.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// The share of the epoch's time in which the device had work, from 0 to 1.
    #[must_use]
    pub fn device_share(&self) -> f64 {
        self.on_device.as_secs_f64() / self.took.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Pace;

    #[test]
    fn shares_and_rates_are_of_the_whole_epoch() {
        let pace = Pace {
            steps: 30,
            took: Duration::from_secs(4),
            on_device: Duration::from_secs(3),
        };
        assert!((pace.steps_per_second() - 7.5).abs() < 1e-9);
        assert!((pace.device_share() - 0.75).abs() < 1e-9);
    }

    #[test]
    fn an_epoch_without_steps_has_no_pace() {
        assert!(Pace::default().steps_per_second().abs() < 1e-9);
        assert!(Pace::default().device_share().abs() < 1e-9);
    }
}
