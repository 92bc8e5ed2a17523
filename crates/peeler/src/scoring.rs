//! Scores the tests of a repository, class by class.
//!
//! On the CPU each class is scored on the thread that analysed it. A GPU and the methods of the literature get hundreds
//! of tests at once.
//!
//! Invariant: if several modules contain a copy of one test, only the first copy is scored.

use std::collections::HashSet;

use peeler_analysis::{AnalysedTests, Analysis, FeatureReader, Limits};
use peeler_features::TestName;
use peeler_model::{BackendError, KindProbability};

use crate::explainer::Explainer;
use crate::finding::KindScore;
use crate::request::{Caching, Disposal, Request};
use crate::scored_test::ScoredTest;
use crate::scorer::{PathScore, Score};

/// The number of contextual paths of a test that are searched for causes and shown, those with most attention first.
const STRONGEST: usize = 8;

/// Analyses and scores the tests that `is_wanted` accepts. With an explainer, tests that belong in the report also get
/// graph, paths and source.
pub(crate) fn scored_tests(
    analysis: &Analysis<'_>,
    request: &Request<'_>,
    explainer: Option<&Explainer<'_, '_>>,
    is_wanted: impl Fn(&str) -> bool + Sync,
) -> Result<Vec<ScoredTest>, BackendError> {
    let scorer = request.scorer;
    let reader = FeatureReader::new(analysis, request.settings.causes(), scorer.reads());
    let scored = |tests: AnalysedTests<'_, '_>| scored(tests, &reader, request, explainer);
    let mut known: HashSet<TestName> = HashSet::new();
    let mut all = Ok(Vec::new());
    let mut add = |scored: Result<Vec<ScoredTest>, BackendError>| match (&mut all, scored) {
        (Ok(all), Ok(scored)) => all.extend(scored.into_iter().filter(|it| known.insert(it.test.clone()))),
        (Ok(_), Err(error)) => all = Err(error),
        (Err(_), _) => {}
    };
    let mut waiting: Option<AnalysedTests<'_, '_>> = None;
    reader.read_classes(
        Limits::default(),
        is_wanted,
        |class| match scorer.tests_at_once() {
            1 => Class::Scored(scored(class)),
            _ => Class::Waiting(class),
        },
        |class| match class {
            Class::Scored(tests) => add(tests),
            Class::Waiting(class) => {
                match &mut waiting {
                    Some(waiting) => waiting.extend(class),
                    None => waiting = Some(class),
                }
                if let Some(enough) = waiting.take_if(|it| it.len() >= scorer.tests_at_once()) {
                    add(scored(enough));
                }
            }
        },
    );
    if let Some(rest) = waiting {
        add(scored(rest));
    }
    if request.disposal == Disposal::Leak {
        std::mem::forget(reader);
    }
    all
}

/// The tests of a class after analysis, either scored or still to be scored.
enum Class<'a, 'r> {
    Scored(Result<Vec<ScoredTest>, BackendError>),
    /// The tests are scored later, together with those of other classes.
    Waiting(AnalysedTests<'a, 'r>),
}

/// Scores analysed tests. With an explainer, tests that belong in the report also get graph, paths and source.
fn scored(
    tests: AnalysedTests<'_, '_>,
    reader: &FeatureReader<'_, '_>,
    request: &Request<'_>,
    explainer: Option<&Explainer<'_, '_>>,
) -> Result<Vec<ScoredTest>, BackendError> {
    let scores = request.scorer.scores(&tests)?;
    let rule = request.listing_rule();
    let scored = tests.into_iter().zip(scores).map(|(mut analysed, score)| {
        let is_incomplete = analysed.is_incomplete() || analysed.flows.is_incomplete;
        let mut found = std::mem::take(&mut analysed.flows);
        let case = &analysed.traced.case;
        // Only `peeler explain` shows settled flows.
        found.flows.retain(|it| it.settled_by.is_none());
        let mut test = ScoredTest {
            test: case.name.clone(),
            file: case.file.clone(),
            line: case.line,
            probability: rounded(score.probability),
            kinds: score.kinds.iter().copied().map(kind_score).collect(),
            paths: strongest(score),
            grounds: match request.caching {
                Caching::On => analysed.reach.files(),
                Caching::Off => Vec::new(),
            },
            is_incomplete,
            is_disabled: case.is_disabled,
            flows: found.flows,
            state: found.state,
            shared: Vec::new(),
            silence: None,
            detail: None,
        };
        if request.caching == Caching::On {
            test.depend_on(&found.files);
            test.depend_on(&reader.grounds(&analysed.traced));
        }
        if let Some(explainer) = explainer.filter(|_| rule.lists(&test)) {
            explainer.explain(&analysed.traced, &mut test);
        }
        test
    });
    Ok(scored.collect())
}

/// The contextual paths of a test with most of the network's attention; the first paths if the model read none.
fn strongest(score: Score) -> Vec<PathScore> {
    let mut paths = score.paths;
    for path in &mut paths {
        path.attention = path.attention.map(rounded);
    }
    let weight = |it: &PathScore| it.attention.unwrap_or_default();
    paths.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.number.cmp(&b.number)));
    paths.truncate(STRONGEST);
    paths
}

fn kind_score(own: KindProbability) -> KindScore {
    KindScore {
        kind: own.kind,
        probability: rounded(own.probability),
    }
}

/// A probability or a share of attention, rounded to five decimal places. On a GPU, further digits depend on the batch.
fn rounded(share: f32) -> f32 {
    (share * 1e5).round() / 1e5
}
