//! Features about the flows of nondeterminism that rules find in a test.
//!
//! The names of a feature (`PLR101`, `settled PLR101 body`) are its names in vocabularies of trained models and never
//! change.

use crate::codes::StoredCode;
use crate::rule::Rule;

/// What a model sees of a flow of nondeterminism in a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowFeature {
    /// The rule that finds the flow.
    pub rule: Rule,
    /// Whether an operation such as a sort makes the flow harmless.
    pub outcome: FlowOutcome,
    /// The code that contains the source of the flow.
    pub place: FlowPlace,
    /// Whether the flow is known to reach an assertion that notices it.
    pub is_noticed: bool,
    /// The calls from the test to the code under test that contains the source of the flow, at most
    /// [`MAX_FLOW_CALLS`]; zero if the source is in the test, its helpers or its setup.
    pub calls: u8,
    /// Whether at least two elements are known to be in the undefined order; true for flows that are about no order.
    pub is_sure: bool,
}

/// The largest number of calls to the source of a flow that models tell apart; more calls count as this many.
pub const MAX_FLOW_CALLS: u8 = 4;

/// Whether an operation makes a flow of nondeterminism harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlowOutcome {
    /// Nothing makes the flow harmless, so the test may fail because of it.
    Unsettled,
    /// An operation between the source of the flow and the assertion, such as a sort, makes the flow harmless.
    Settled,
}

/// The code that contains the source of a flow of nondeterminism.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlowPlace {
    /// The source of the flow is in the body of the test method.
    Body,
    /// The source of the flow is in a helper method of the test class, its superclasses or enclosing classes.
    Helper,
    /// The source of the flow is in a field, initialiser, setup or teardown of the test class.
    Setup,
    /// The source of the flow is in code that the test calls and that does not belong to the test class.
    CodeUnderTest,
}

/// The number of bytes at the start of a rule's id that all rules of its family share: `PLR1` of `PLR101`.
const FAMILY_LENGTH: usize = 4;

impl FlowFeature {
    /// The names of the flow in vocabularies of models: `PLR1`, `PLR101`, `PLR101 body`, `PLR101 noticed`, `PLR101 sure`
    /// and `PLR101 0 calls`. The first is shared by all rules of a family, so that a model learns about rare rules from
    /// others.
    #[must_use]
    pub fn names(self) -> [String; 6] {
        let settled = match self.outcome {
            FlowOutcome::Unsettled => "",
            FlowOutcome::Settled => "settled ",
        };
        let place = match self.place {
            FlowPlace::Body => "body",
            FlowPlace::Helper => "helper",
            FlowPlace::Setup => "setup",
            FlowPlace::CodeUnderTest => "code under test",
        };
        let noticed = if self.is_noticed { "noticed" } else { "unnoticed" };
        let sure = if self.is_sure { "sure" } else { "unsure" };
        let calls = self.calls;
        let id = self.rule.id();
        let family = &id[..FAMILY_LENGTH];
        [
            format!("{settled}{family}"),
            format!("{settled}{id}"),
            format!("{settled}{id} {place}"),
            format!("{settled}{id} {noticed}"),
            format!("{settled}{id} {sure}"),
            format!("{settled}{id} {calls} calls"),
        ]
    }
}

impl StoredCode for FlowOutcome {
    const ALL: &'static [Self] = &[Self::Unsettled, Self::Settled];

    fn code(self) -> u8 {
        match self {
            Self::Unsettled => 0,
            Self::Settled => 1,
        }
    }
}

impl StoredCode for FlowPlace {
    const ALL: &'static [Self] = &[Self::Body, Self::Helper, Self::Setup, Self::CodeUnderTest];

    fn code(self) -> u8 {
        match self {
            Self::Body => 0,
            Self::Helper => 1,
            Self::Setup => 2,
            Self::CodeUnderTest => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FlowFeature, FlowOutcome, FlowPlace};
    use crate::codes::StoredCode;
    use crate::rule::Rule;

    #[test]
    fn flows_are_written_as_in_vocabularies() {
        let flow = |outcome, place, is_noticed| FlowFeature {
            rule: Rule::UnorderedTextCompared,
            outcome,
            place,
            is_noticed,
            calls: 2,
            is_sure: is_noticed,
        };
        let unsettled = flow(FlowOutcome::Unsettled, FlowPlace::CodeUnderTest, true);
        assert_eq!(
            unsettled.names(),
            [
                "PLR1",
                "PLR101",
                "PLR101 code under test",
                "PLR101 noticed",
                "PLR101 sure",
                "PLR101 2 calls"
            ]
        );
        let settled = flow(FlowOutcome::Settled, FlowPlace::Body, false);
        assert_eq!(
            settled.names(),
            [
                "settled PLR1",
                "settled PLR101",
                "settled PLR101 body",
                "settled PLR101 unnoticed",
                "settled PLR101 unsure",
                "settled PLR101 2 calls"
            ]
        );
    }

    #[test]
    fn stored_codes_stay() {
        let outcomes = [FlowOutcome::Unsettled, FlowOutcome::Settled];
        assert_eq!(outcomes.map(StoredCode::code), [0, 1]);
        let places = [
            FlowPlace::Body,
            FlowPlace::Helper,
            FlowPlace::Setup,
            FlowPlace::CodeUnderTest,
        ];
        assert_eq!(places.map(StoredCode::code), [0, 1, 2, 3]);
        assert_eq!((FlowOutcome::ALL.len(), FlowPlace::ALL.len()), (2, 4));
    }
}
