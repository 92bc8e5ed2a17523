//! What a model may see of the causes and flows of nondeterminism in a test.

use peeler_features::{CauseFeature, FlowFeature, FlowOutcome, FlowPlace, MAX_FLOW_CALLS, RuleFamily};

use crate::causes::CauseKinds;
use crate::flows::{Flow, FlowOrigin};

/// What a model sees of a flow of nondeterminism: its rule, its outcome, the place of its source and its distance,
/// whether an assertion notices it, and whether it is sure. Only orders are told apart by the last.
pub(crate) fn flow_feature(flow: &Flow) -> FlowFeature {
    FlowFeature {
        rule: flow.rule,
        outcome: match flow.settled_by {
            Some(_) => FlowOutcome::Settled,
            None => FlowOutcome::Unsettled,
        },
        place: match flow.origin {
            FlowOrigin::Body => FlowPlace::Body,
            FlowOrigin::Helper => FlowPlace::Helper,
            FlowOrigin::Setup => FlowPlace::Setup,
            FlowOrigin::CodeUnderTest(_) => FlowPlace::CodeUnderTest,
        },
        is_noticed: flow.oracle.is_some(),
        calls: match flow.origin {
            FlowOrigin::CodeUnderTest(calls) => calls.min(MAX_FLOW_CALLS),
            _ => 0,
        },
        is_sure: flow.is_sure || flow.rule.family() != RuleFamily::Order,
    }
}

/// The nearest cause of every kind, and the cause that a report names first, as features for a model.
pub(crate) fn cause_features(causes: CauseKinds) -> Vec<CauseFeature<'static>> {
    let nearest = causes.nearest.into_iter().map(|(kind, depth)| CauseFeature::Nearest {
        kind,
        depth: u8::try_from(depth).expect("calls are followed a few steps"),
    });
    let first = causes.first.into_iter().flat_map(|description| {
        [
            CauseFeature::First(description.kind()),
            CauseFeature::FirstDescription(description.to_string().into()),
        ]
    });
    nearest.chain(first).collect()
}
