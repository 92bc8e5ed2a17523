//! What the partner of the network reads of a test.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::Context;
use peeler_analysis::{AnalysedTests, Analysis, CauseCatalogue, FeatureReader, Limits, TracedTest};
use peeler_features::{TestName, content_hash};
use peeler_mine::stripped_name;
use peeler_model::BackendError;

use super::bag::{Bag, context_of};
use crate::scorer::Scorer;

/// Probabilities are kept this far from 0 and 1, so that their log-odds are finite.
const LEAST: f32 = 1e-4;

/// The hash of the name of a test's class, without words such as `flaky`.
pub(crate) fn class_hash(test: &TestName) -> u64 {
    content_hash(stripped_name(test.class()).as_bytes())
}

/// What the partner of the network reads of one test.
#[derive(Debug, Clone)]
pub(crate) struct TestInputs {
    /// The name of the test, without words such as `flaky`.
    pub(crate) test: TestName,
    /// The path of the test's file.
    pub(crate) file: String,
    /// The hash of the test's class.
    pub(crate) class: u64,
    /// The hashes of the superclasses in the repository: fixtures and helpers that the class shares with others.
    pub(crate) superclasses: Vec<u64>,
    /// The text of the test method.
    pub(crate) source: String,
    /// The words in the test method and around it.
    pub(crate) bag: Bag,
    /// The number of lines of the test method.
    pub(crate) lines: u32,
    /// The log-odds of the network that the test is flaky.
    pub(crate) log_odds: f32,
}

impl TestInputs {
    /// The inputs of an analysed test to which the network gave a probability. `context` is that of its class.
    fn new(analysis: &Analysis<'_>, traced: &TracedTest<'_>, context: &Arc<[u64]>, probability: f32) -> Self {
        let case = &traced.case;
        let class = stripped_name(case.name.class());
        let relatives = analysis.relatives(traced);
        let [own, _, outermost] = &relatives.twins;
        let others = relatives.related.iter().filter(|it| *it != own && *it != outermost);
        let source = analysis.method_text(traced);
        Self {
            test: TestName::new(&class, &stripped_name(case.name.method())),
            file: case.file.clone(),
            class: class_hash(&case.name),
            superclasses: others.map(|it| content_hash(stripped_name(it).as_bytes())).collect(),
            source: source.to_owned(),
            bag: Bag::of(source, context.clone()),
            lines: u32::try_from(source.lines().count()).unwrap_or(u32::MAX),
            log_odds: log_odds(probability),
        }
    }
}

impl TestInputs {
    /// The inputs of analysed tests to which the network gave probabilities.
    pub(crate) fn of_all(tests: &AnalysedTests<'_, '_>, probabilities: impl Iterator<Item = f32>) -> Vec<Self> {
        let analysis = tests.analysis();
        // All tests of a class come one after the other.
        let mut last: Option<(String, Arc<[u64]>)> = None;
        let inputs = tests.iter().zip(probabilities).map(|(test, probability)| {
            let class = test.traced.case.name.class();
            let context = match &last {
                Some((known, context)) if known == class => context.clone(),
                _ => context_of(analysis.context(&test.traced).texts.into_iter()),
            };
            last = Some((class.to_owned(), context.clone()));
            Self::new(analysis, &test.traced, &context, probability)
        });
        inputs.collect()
    }

    /// The probability of the network that the test is flaky.
    pub(crate) fn probability(&self) -> f32 {
        1.0 / (1.0 + (-self.log_odds).exp())
    }
}

/// The log-odds of a probability, finite also at 0 and 1.
pub(crate) fn log_odds(probability: f32) -> f32 {
    let probability = probability.clamp(LEAST, 1.0 - LEAST);
    (probability / (1.0 - probability)).ln()
}

/// Reads the inputs of the tests that `is_wanted` accepts by name. Of several tests with one name the first counts.
pub(crate) fn read(
    analysis: &Analysis<'_>,
    scorer: &dyn Scorer,
    is_wanted: impl Fn(&str) -> bool + Sync,
) -> anyhow::Result<Vec<TestInputs>> {
    let reader = FeatureReader::new(analysis, CauseCatalogue::shipped(), scorer.reads());
    let mut found: Vec<TestInputs> = Vec::new();
    let mut known: HashSet<TestName> = HashSet::new();
    let mut failed = None;
    reader.read_classes(
        Limits::default(),
        is_wanted,
        |class| -> Result<Vec<TestInputs>, BackendError> {
            let scores = scorer.scores(&class)?;
            Ok(TestInputs::of_all(&class, scores.iter().map(|it| it.probability)))
        },
        |class| match class {
            Ok(inputs) => found.extend(inputs.into_iter().filter(|it| known.insert(it.test.clone()))),
            Err(error) => failed = Some(error),
        },
    );
    match failed {
        Some(error) => Err(error).context("the network could not score the tests"),
        None => Ok(found),
    }
}
