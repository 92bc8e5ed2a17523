//! The families of rules: order, timing, values, outside, test order and practice.

use crate::flakiness_kind::FlakinessKind;

/// A group of rules. The first digit of a rule's number tells its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleFamily {
    /// Rules about an order that is not defined (`PLR1xx`), such as that of a `HashMap` or of a directory listing.
    Order,
    /// Rules about threads, waits and time limits (`PLR2xx`).
    Timing,
    /// Rules about values that differ from run to run or from machine to machine (`PLR3xx`).
    Value,
    /// Rules about ports, hosts and files outside the test (`PLR4xx`).
    Outside,
    /// Rules about state that one test leaves for another (`PLR5xx`): order-dependent tests.
    TestOrder,
    /// Rules about habits that hide or cause flakiness (`PLR6xx`).
    Practice,
}

impl RuleFamily {
    /// All families of rules, in the order of their ids from `PLR1xx` to `PLR6xx`.
    #[must_use]
    pub fn all() -> [Self; 6] {
        [
            Self::Order,
            Self::Timing,
            Self::Value,
            Self::Outside,
            Self::TestOrder,
            Self::Practice,
        ]
    }

    /// The name of the family in options and settings: `test-order`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Timing => "timing",
            Self::Value => "value",
            Self::Outside => "outside",
            Self::TestOrder => "test-order",
            Self::Practice => "practice",
        }
    }

    /// The kind of flakiness of the tests that rules of this family find; `None` for habits, which belong to no kind.
    #[must_use]
    pub fn flakiness_kind(self) -> Option<FlakinessKind> {
        match self {
            Self::Order => Some(FlakinessKind::UnspecifiedBehaviour),
            Self::Timing | Self::Value | Self::Outside => Some(FlakinessKind::Timing),
            Self::TestOrder => Some(FlakinessKind::TestOrder),
            Self::Practice => None,
        }
    }

    /// The rule family in a few words for headings, such as `ports, hosts and files`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Order => "order that the platform leaves open",
            Self::Timing => "threads, waits and time limits",
            Self::Value => "values that differ from run to run",
            Self::Outside => "ports, hosts and files",
            Self::TestOrder => "state shared between tests",
            Self::Practice => "habits that hide flakiness",
        }
    }
}
