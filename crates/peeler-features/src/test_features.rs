//! Everything that a model may see of a test.
//!
//! Invariant: a [`TestFeatures`] has no label, no project and no way to either. Scanned tests and stored ones have the
//! same features, so models cannot tell them apart.

use std::borrow::Cow;

use crate::cause_feature::CauseFeature;
use crate::graph::GraphFeatures;
use crate::measures::{MEASURES, Sizes};
use crate::reached_code::{CallList, CallOrigin, MAX_DEPTH, ReachedCode};
use crate::test_name::TestName;
use crate::text_list::TextList;

/// The features of one test. All texts are borrowed.
#[derive(Debug, Clone)]
pub struct TestFeatures<'t> {
    /// The name of the test.
    pub name: &'t TestName,
    /// Lines of the method.
    pub lines: u32,
    /// White-space separated tokens of the method, in order.
    pub tokens: TextList<'t>,
    /// Lower-case sub-tokens of the method, in order.
    pub words: TextList<'t>,
    /// Lower-case sub-tokens of the class, its imports, its fields and its setup.
    pub context_words: TextList<'t>,
    /// Code that is reached from the body of the test.
    pub body: ReachedCode<'t>,
    /// Code that is reached from the setup of its class.
    pub setup: ReachedCode<'t>,
    /// The causes that the catalogue of nondeterminism finds.
    pub causes: Cow<'t, [CauseFeature<'t>]>,
    /// The dependency graph and the contextual paths.
    pub graph: GraphFeatures<'t>,
}

impl<'t> TestFeatures<'t> {
    /// The features of a test of which nothing but the name is known.
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
            graph: GraphFeatures::default(),
        }
    }

    /// The code that is reached from an origin.
    #[must_use]
    pub fn reached_from(&self, origin: CallOrigin) -> &ReachedCode<'t> {
        match origin {
            CallOrigin::Body => &self.body,
            CallOrigin::Setup => &self.setup,
        }
    }

    /// Logarithms of the sizes of the test and of what it reaches up to `call_depth` calls away.
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
