//! A flow that a rule found, as reports show it.

use peeler_analysis::{Flow, FlowOrigin, FlowStep};
use peeler_features::{Rule, TestName};
use serde::{Deserialize, Serialize};

use crate::advice::advice;
#[cfg(test)]
use crate::schema;

use super::region::Region;

/// A flow that a rule found: the way of something nondeterministic from its source to the assertion that notices it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RuleMatch {
    /// The id of the rule, such as `PLR101`.
    #[cfg_attr(test, schemars(schema_with = "schema::rule"))]
    pub(crate) rule: Rule,
    /// The name of the rule, such as `unordered-text-compared`.
    pub(crate) name: String,
    /// What happens at the source of the flow, in words that follow "the test": `iterates a HashMap`.
    pub(crate) what: String,
    /// The place that the nondeterminism of the flow comes from.
    pub(crate) source: FlowPlace,
    /// The places that the nondeterministic value passes between the source and the assertion, in order.
    pub(crate) steps: Vec<FlowPlace>,
    /// The assertion that notices the nondeterminism; null if the rule needs none.
    pub(crate) oracle: Option<FlowPlace>,
    /// The code that contains the source of the flow, such as the test method or its setup.
    pub(crate) origin: Origin,
    /// The number of calls from the test to the code that contains the source of the flow, if that is code under test.
    /// Zero if the source is elsewhere.
    pub(crate) calls: u8,
    /// Whether what the flow needs is known to be there, such as two elements, or other threads beside a wait.
    #[serde(rename = "sure", default = "sure")]
    pub(crate) is_sure: bool,
    /// The other tests of a flow between tests; empty for other flows. Either they read a state that this test leaves
    /// changed, or they leave a state changed that it reads. In the second case, tests of the same class or package
    /// that write the state directly come first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, schemars(schema_with = "schema::test_names"))]
    pub(crate) partners: Vec<TestName>,
    /// Advice on how a test that the rule reports is usually fixed.
    pub(crate) advice: String,
}

/// What files of programs that did not record it are taken to say.
fn sure() -> bool {
    true
}

impl RuleMatch {
    /// A flow as reports show it. For a flow from one test to another through shared state, `partners` are the other
    /// tests. For other flows it is empty.
    pub(crate) fn of(flow: &Flow, partners: &[TestName]) -> Self {
        let (origin, calls) = match flow.origin {
            FlowOrigin::Body => (Origin::Body, 0),
            FlowOrigin::Helper => (Origin::Helper, 0),
            FlowOrigin::Setup => (Origin::Setup, 0),
            FlowOrigin::CodeUnderTest(calls) => (Origin::CodeUnderTest, calls),
        };
        Self {
            rule: flow.rule,
            name: flow.rule.name().to_owned(),
            what: flow.what.clone(),
            source: FlowPlace::of(&flow.source),
            steps: flow.steps.iter().map(FlowPlace::of).collect(),
            oracle: flow.oracle.as_ref().map(FlowPlace::of),
            origin,
            calls,
            is_sure: flow.is_sure,
            partners: partners.to_vec(),
            advice: advice(flow.rule, &flow.source.text).to_owned(),
        }
    }

    /// Calls `change` with the path of every file that the flow passes through.
    pub(crate) fn for_each_file(&mut self, change: impl Fn(&mut String)) {
        change(&mut self.source.region.file);
        self.steps
            .iter_mut()
            .chain(&mut self.oracle)
            .for_each(|it| change(&mut it.region.file));
    }
}

/// The code that contains the source of a flow, such as the test method or its setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    /// The source of the flow is in the body of the test method.
    Body,
    /// The source of the flow is in a helper method of the test class, its superclasses or enclosing classes.
    Helper,
    /// The source of the flow is in a field, initialiser, setup or teardown of the test class, its superclasses or
    /// enclosing classes.
    Setup,
    /// The source of the flow is in the code under test, the repository's own code that the test calls.
    CodeUnderTest,
}

impl Origin {
    /// Whether the source of the flow is in the test class: its test method, helpers, fields or setup.
    pub(crate) fn is_direct(self) -> bool {
        self != Self::CodeUnderTest
    }
}

/// A place that a flow passes: its source, a step on the way or its assertion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FlowPlace {
    /// The range of characters of the place in its file.
    #[serde(flatten)]
    pub(crate) region: Region,
    /// The source text of the place, on one line.
    pub(crate) text: String,
}

impl FlowPlace {
    fn of(step: &FlowStep) -> Self {
        Self {
            region: Region {
                file: step.file.clone(),
                line: step.line,
                column: step.column,
                end_line: step.end_line,
                end_column: step.end_column,
            },
            text: step.text.clone(),
        }
    }
}
