//! Features about the causes that the catalogue of nondeterminism finds in a test.
//!
//! The text of a feature (`network 1`, `first network`) is its name in shipped vocabularies and never changes.

use std::borrow::Cow;
use std::fmt;

use crate::cause_kind::CauseKind;
use crate::reached_code::MAX_DEPTH;

/// One feature about the causes of nondeterminism in a test: how near a kind of cause is, or the first cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CauseFeature<'t> {
    /// The cause of one kind that is the fewest calls away from the test.
    Nearest {
        /// The kind of nondeterminism of the nearest cause.
        kind: CauseKind,
        /// The number of calls between the cause and the test, its helpers or its setup.
        depth: u8,
    },
    /// The kind of the test's first cause. Causes on contextual paths to assertions come before others.
    First(CauseKind),
    /// The description of the test's first cause: `reads the clock`.
    FirstDescription(Cow<'t, str>),
}

impl CauseFeature<'_> {
    /// Whether a model that reads code up to `call_depth` calls away may see the feature.
    ///
    /// The first cause of a test may be at any depth, so only a model with the maximum depth sees it.
    #[must_use]
    pub fn is_within(&self, call_depth: usize) -> bool {
        let is_near = match self {
            Self::Nearest { depth, .. } => usize::from(*depth) <= call_depth,
            Self::First(_) | Self::FirstDescription(_) => false,
        };
        call_depth >= MAX_DEPTH || is_near
    }
}

impl fmt::Display for CauseFeature<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nearest { kind, depth } => write!(out, "{} {depth}", kind.id()),
            Self::First(kind) => write!(out, "first {}", kind.id()),
            Self::FirstDescription(description) => write!(out, "first {description}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CauseFeature;
    use crate::cause_kind::CauseKind;
    use crate::reached_code::MAX_DEPTH;

    #[test]
    fn features_are_written_as_in_shipped_vocabularies() {
        let features = [
            CauseFeature::Nearest {
                kind: CauseKind::Network,
                depth: 1,
            },
            CauseFeature::First(CauseKind::SleepTimeout),
            CauseFeature::FirstDescription("opens a port".into()),
        ];
        let texts = features.map(|it| it.to_string());
        assert_eq!(texts, ["network 1", "first sleep-timeout", "first opens a port"]);
    }

    #[test]
    fn only_the_deepest_reading_sees_the_cause_of_the_report() {
        let nearest = |depth| CauseFeature::Nearest {
            kind: CauseKind::Clock,
            depth,
        };
        assert!(nearest(1).is_within(1) && !nearest(2).is_within(1));
        let first = [
            CauseFeature::First(CauseKind::Clock),
            CauseFeature::FirstDescription("1".into()),
        ];
        for feature in first {
            assert!(!feature.is_within(MAX_DEPTH - 1) && feature.is_within(MAX_DEPTH));
        }
    }
}
