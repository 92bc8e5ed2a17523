//! Errors of configurations.

use peeler_features::MAX_DEPTH;

/// The largest size in a configuration. Products of two sizes are far below the largest integer.
pub(crate) const MOST_UNITS: usize = 1 << 20;

/// The reason why a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// The configuration selects no input.
    #[error("`inputs` is empty; name at least one of paths, words, context, reach, measures, causes")]
    NoInputs,
    /// A size in the configuration is zero.
    #[error("`{0}` is 0; it must be at least 1")]
    Zero(&'static str),
    /// A size is larger than any network.
    #[error("`{name}` is {value}; it must be at most {MOST_UNITS}")]
    TooLarge {
        /// The name of the size.
        name: &'static str,
        /// The size.
        value: usize,
    },
    /// A value is not between 0 and 1.
    #[error("`{name}` is {value}; it must be between 0 and 1")]
    NoShare {
        /// The name of the configuration's invalid value.
        name: &'static str,
        /// The value of the configuration that is not between 0 and 1.
        value: f32,
    },
    /// A value of the configuration is negative, or 1 or more.
    #[error("`{name}` is {value}; it must be at least 0 and less than 1")]
    NotBelowOne {
        /// The name of the configuration's invalid value.
        name: &'static str,
        /// The value of the configuration that is negative, or 1 or more.
        value: f32,
    },
    /// The configured depth of calls is larger than corpora record.
    #[error("`depth` is {0}; calls are followed {MAX_DEPTH} deep at most")]
    TooDeep(usize),
    /// The paths of some tests are left unread, but no path dropout trains the network for that.
    #[error("`paths_from` needs a `path_dropout` above 0, which trains the network to score tests without paths")]
    NoPathDropout,
    /// The cost of the regression is negative or not finite.
    #[error("`regression` is {0}; it must be a positive cost, or 0 for no regression")]
    RegressionCost(f32),
    /// A batch cannot hold two flaky tests with their stable ones.
    #[error("`batch` is {batch}, too small for `stable_per_flaky` {stable_per_flaky}; use at least twice that plus 2")]
    BatchTooSmall {
        /// The number of tests in a batch.
        batch: usize,
        /// The number of stable tests for each flaky one.
        stable_per_flaky: usize,
    },
}
