//! The error of a network configuration that cannot be used.

use peeler_features::MAX_DEPTH;

/// The largest size that a configuration may give, such as the width of a layer.
///
/// It is small enough that the product of two sizes does not overflow.
pub(crate) const MOST_UNITS: usize = 1 << 20;

/// The reason why the configuration of a network cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// The configuration names no part of a test that the network reads: `inputs` is empty.
    #[error("`inputs` is empty; name at least one of paths, words, context, reach, measures, causes, flows, oracles")]
    NoInputs,
    /// The size with this name in the configuration is zero, such as `batch`.
    #[error("`{0}` is 0; it must be at least 1")]
    Zero(&'static str),
    /// A size in the configuration, such as the width of a layer, is above 1,048,576.
    #[error("`{name}` is {value}; it must be at most {MOST_UNITS}")]
    TooLarge {
        /// The name of the size that is too large, such as `hidden`.
        name: &'static str,
        /// The size that is too large.
        value: usize,
    },
    /// A value in the configuration that must be a share is not between 0 and 1.
    #[error("`{name}` is {value}; it must be between 0 and 1")]
    NoShare {
        /// The name of the value that is not between 0 and 1.
        name: &'static str,
        /// The value of the setting `name`, which has to be between 0 and 1.
        value: f32,
    },
    /// A value in the configuration is negative, or 1 or more.
    #[error("`{name}` is {value}; it must be at least 0 and less than 1")]
    NotBelowOne {
        /// The name of the value that is negative, or 1 or more.
        name: &'static str,
        /// The value of the setting `name`, which has to be at least 0 and below 1.
        value: f32,
    },
    /// The `depth` of the configuration is above 3. Calls are recorded only up to 3 calls away from the test.
    #[error("`depth` is {0}; calls are followed {MAX_DEPTH} deep at most")]
    TooDeep(usize),
    /// The configuration has `paths_from`, but no `path_dropout`, which trains the network to score tests without
    /// paths.
    #[error("`paths_from` needs a `path_dropout` above 0, which trains the network to score tests without paths")]
    NoPathDropout,
    /// The value `regression` of the configuration is negative or not finite.
    ///
    /// It is the factor of the tests' losses when the logistic regression is fitted.
    #[error("`regression` is {0}; it must be a positive cost, or 0 for no regression")]
    RegressionCost(f32),
    /// A weight of pairs of tests in fitting the logistic regression is negative or not finite.
    #[error("`{name}` is {weight}; it must not be negative")]
    PairWeight {
        /// The name of the value in the configuration.
        name: &'static str,
        /// The value.
        weight: f32,
    },
    /// A batch of the configured size cannot hold two flaky tests with `stable_per_flaky` stable tests for each.
    #[error("`batch` is {batch}, too small for `stable_per_flaky` {stable_per_flaky}; use at least twice that plus 2")]
    BatchTooSmall {
        /// The configured number of tests in a batch.
        batch: usize,
        /// The configured number of stable tests in a batch for each flaky one.
        stable_per_flaky: usize,
    },
}
