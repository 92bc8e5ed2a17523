//! A flow that a rule found, as reports show it.

use peeler_analysis::{Flow, FlowOrigin, FlowStep};
use peeler_features::{Rule, TestName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema;

use super::region::Region;

/// A flow of nondeterminism that a rule found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RuleMatch {
    /// The id of the rule: `PLR101`.
    #[schemars(schema_with = "schema::rule")]
    pub(crate) rule: Rule,
    /// The name of the rule: `unordered-text-compared`.
    pub(crate) name: String,
    /// What happens at the source, in words that follow "the test".
    pub(crate) what: String,
    /// The place that the nondeterminism comes from.
    pub(crate) source: FlowPlace,
    /// The places between source and oracle, in the order in which the value passes them.
    pub(crate) steps: Vec<FlowPlace>,
    /// The assertion that notices; null where the rule needs none.
    pub(crate) oracle: Option<FlowPlace>,
    /// The code in which the source is.
    pub(crate) origin: Origin,
    /// The number of calls between the test and a source in the code under test; zero elsewhere.
    pub(crate) calls: u8,
    /// The other tests of a flow between tests, likeliest first: those that leave a state, or those that read it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(schema_with = "schema::test_names")]
    pub(crate) partners: Vec<TestName>,
    /// What would settle the flow.
    pub(crate) advice: String,
}

impl RuleMatch {
    /// The rule match of a flow. `partners` are the other tests of a flow between tests.
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
            partners: partners.to_vec(),
            advice: flow.rule.advice().to_owned(),
        }
    }

    /// Calls a function with every file that the rule match names.
    pub(crate) fn for_each_file(&mut self, change: impl Fn(&mut String)) {
        change(&mut self.source.region.file);
        self.steps
            .iter_mut()
            .chain(&mut self.oracle)
            .for_each(|it| change(&mut it.region.file));
    }
}

/// The code in which the source of a flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    /// The body of the test method.
    Body,
    /// A helper method of the test class, its superclasses or enclosing classes.
    Helper,
    /// A field, initialiser, setup or teardown of these classes.
    Setup,
    /// The repository's own code.
    CodeUnderTest,
}

impl Origin {
    /// Whether the source of the flow is in code of the test itself.
    pub(crate) fn is_direct(self) -> bool {
        self != Self::CodeUnderTest
    }
}

/// A place on the way of a flow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct FlowPlace {
    /// The range of the place in its file.
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
