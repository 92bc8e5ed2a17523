//! The features of a test: everything that a model may see.
//!
//! Invariant: a [`TestFeatures`] contains neither label nor project. Scanned tests and stored ones have the same
//! features, so models cannot distinguish them.

use std::borrow::Cow;

use crate::cause_feature::CauseFeature;
use crate::flow_feature::FlowFeature;
use crate::graph::GraphFeatures;
use crate::measures::{MEASURES, Sizes};
use crate::oracle_feature::OracleFeature;
use crate::reached_code::{CallList, CallOrigin, MAX_DEPTH, ReachedCode};
use crate::test_name::TestName;
use crate::text_list::TextList;

/// The features of one test: everything that a model may see of it. All texts are borrowed.
#[derive(Debug, Clone)]
pub struct TestFeatures<'t> {
    /// The name of the test.
    pub name: &'t TestName,
    /// The number of lines of the test method.
    pub lines: u32,
    /// White-space separated tokens of the test method, in order.
    pub tokens: TextList<'t>,
    /// Lower-case sub-tokens of the test method, in order: `get` and `name` for `getName`.
    pub words: TextList<'t>,
    /// Lower-case sub-tokens of the test's class, its imports, its fields and its setup: `get` and `name` for
    /// `getName`.
    pub context_words: TextList<'t>,
    /// The code reachable from the body of the test.
    pub body: ReachedCode<'t>,
    /// The code reachable from the setup of the test's class.
    pub setup: ReachedCode<'t>,
    /// Features about the causes of nondeterminism that the catalogue of causes finds in the test.
    pub causes: Cow<'t, [CauseFeature<'t>]>,
    /// The flows of nondeterminism that rules find in the test, settled ones among them.
    pub flows: Cow<'t, [FlowFeature]>,
    /// What the assertions of the test compare: literals, and the operations whose results they check.
    pub oracles: Cow<'t, [OracleFeature<'t>]>,
    /// The dependency graph and the contextual paths of the test.
    pub graph: GraphFeatures<'t>,
}

impl<'t> TestFeatures<'t> {
    /// Empty features of a test with this name.
    #[must_use]
    pub fn empty(name: &'t TestName) -> Self {
        Self {
            name,
            lines: 0,
            tokens: TextList::default(),
            words: TextList::default(),
            context_words: TextList::default(),
            body: ReachedCode::default(),
            setup: ReachedCode::default(),
            causes: Cow::default(),
            flows: Cow::default(),
            oracles: Cow::default(),
            graph: GraphFeatures::default(),
        }
    }

    /// The code reachable from the body or from the setup of the test.
    #[must_use]
    pub fn reached_from(&self, origin: CallOrigin) -> &ReachedCode<'t> {
        match origin {
            CallOrigin::Body => &self.body,
            CallOrigin::Setup => &self.setup,
        }
    }

    /// Logarithms of the sizes of the test and of the code that it reaches up to `call_depth` calls away.
    #[must_use]
    pub fn measures(&self, call_depth: usize) -> [f32; MEASURES] {
        let sizes = Sizes {
            lines: self.lines,
            paths: self.graph.path_count(),
            nodes: self.graph.node_count(),
            words: self.words.len(),
            context_words: self.context_words.len(),
            bodies: [self.body.bodies, self.setup.bodies],
            calls: [&self.body.calls, &self.setup.calls].map(calls_by_depth),
        };
        sizes.measures(call_depth)
    }
}

fn calls_by_depth(calls: &CallList<'_>) -> [u32; MAX_DEPTH + 1] {
    let mut counts = [0; MAX_DEPTH + 1];
    for call in calls.iter() {
        counts[call.depth] += 1;
    }
    counts
}
