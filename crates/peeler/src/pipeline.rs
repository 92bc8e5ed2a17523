//! Scans one repository: the steps from its files to the findings of a report.
//!
//! ```text
//! cache entry -> reusable tests -> what is left to analyse -> scores and flows -> flows between tests
//!             -> selection -> findings -> scan and cache entry
//! ```
//!
//! Left out: baselines, results of test runs and several scanned roots, which are handled later ([`crate::listing`],
//! [`crate::proof`], [`crate::roots`]).

use std::collections::HashSet;

use peeler_analysis::{Analysis, Problem, Repository};
use peeler_features::{Rule, TestName};
use peeler_learning::track_record::TrackRecord;
use peeler_model::BackendError;

use crate::base_revision::Changes;
use crate::cached_scan::{CachedScan, ReusableTests};
use crate::explainer::{Explainer, mark_suppressed};
use crate::finding::{Comparison, Finding, ModelSummary, NamedFiles, SCHEMA, Scan, Summary, TestScore, Tool};
use crate::flow_report;
use crate::grounding::Grounding;
use crate::ranking::Selection;
use crate::request::{Caching, Disposal, Request, ScoreList};
use crate::scored_test::ScoredTest;
use crate::scoring::scored_tests;
use crate::{late_details, state_pairs, witness_source};

/// Scans one repository. `cached` holds the results of its last scan. Returns new results to cache if the request asks
/// for them and something changed.
pub(crate) fn scan(
    root: &str,
    repository: &Repository,
    cached: Option<CachedScan>,
    request: &Request<'_>,
) -> Result<(Scan, Option<CachedScan>), BackendError> {
    let mut reusable = cached.and_then(|it| it.reusable(repository));
    if let Some(reusable) = &mut reusable {
        reusable.leave_out_unexplained(&request.listing_rule());
    }
    let scope = Scope::new(repository, reusable.as_ref(), request);
    let explainer = scope.as_ref().map(|it| Explainer::new(&it.analysis, request));
    let mut tests = reusable.as_mut().map(ReusableTests::take_tests).unwrap_or_default();
    let reused = tests.len();
    if let Some((scope, explainer)) = scope.as_ref().zip(explainer.as_ref()) {
        let new = scope.new_tests(&tests, explainer, request)?;
        tests.extend(new);
    }
    let is_reused: HashSet<TestName> = tests[..reused].iter().map(|it| it.test.clone()).collect();
    tests.sort_by(|a, b| (&a.file, a.line, &a.test).cmp(&(&b.file, b.line, &b.test)));
    state_pairs::pair(&mut tests);
    if let Some(reusable) = reusable.as_mut().filter(|_| scope.is_some()) {
        let is_reused = |it: &ScoredTest| is_reused.contains(&it.test);
        late_details::add(&mut tests, reusable, is_reused, repository, request);
    }

    let listed = list(&mut tests, repository, scope.as_ref().zip(explainer.as_ref()), request);
    let summary = Summary {
        reused,
        ..summary(repository, &tests, &listed, scope.as_ref(), request)
    };
    let scores = test_scores(&tests, request);
    let entry = scope.as_ref().filter(|_| request.caching == Caching::On).map(|scope| {
        let known = reusable.map(|it| it.interfaces).unwrap_or_default();
        CachedScan::new(repository, &scope.analysis, known, tests)
    });
    if request.disposal == Disposal::Leak {
        std::mem::forget(explainer);
        std::mem::forget(scope);
    }
    let scan = Scan {
        version: SCHEMA,
        tool: Tool::this(),
        model: model_summary(request),
        roots: vec![root.to_owned()],
        checkout: None,
        summary,
        findings: listed.findings,
        known: Vec::new(),
        likeliest: listed.likeliest,
        tests: scores,
        problems: repository.problems().iter().map(problem).collect(),
    };
    Ok((scan, entry))
}

/// The part of a repository that a scan has to analyse: tests that cannot be reused from the cache and that the user
/// asked for.
struct Scope<'r> {
    analysis: Analysis<'r>,
    /// The number of files named on standard input, and the number of tests in other files; `None` if the scan covers
    /// all files.
    files: Option<NamedFiles>,
    /// The tests that differ from the git revision of `--since`; `None` without `--since`.
    changes: Option<Changes>,
}

impl<'r> Scope<'r> {
    /// Prepares the analysis of the tests that cannot be reused from the cache. Returns `None` if all can be reused.
    fn new(repository: &'r Repository, reusable: Option<&ReusableTests>, request: &Request<'_>) -> Option<Self> {
        let settings = request.settings;
        let analysis = match reusable {
            Some(reusable) if reusable.is_everything() => return None,
            Some(reusable) => Analysis::of_part(repository, &reusable.rest()),
            None => Analysis::new(repository),
        };
        let mut analysis = analysis.with_assertions(&settings.assertions);
        analysis.keep_tests(|it| settings.takes(it.method));
        let files = request.files.map(|files| {
            let all = distinct_tests(&analysis);
            analysis.keep_tests(|it| files.contains(it.method) || files.contains(it.class));
            NamedFiles {
                files: files.len(),
                others: all - distinct_tests(&analysis),
            }
        });
        let changes = request.since.map(|it| it.changes(&analysis));
        Some(Self {
            analysis,
            files,
            changes,
        })
    }

    /// Scores the tests that are not reused from the cache. Findings get graph, paths and source at once if `--top` is
    /// not given and the model scores tests one by one.
    fn new_tests(
        &self,
        reused: &[ScoredTest],
        explainer: &Explainer<'_, '_>,
        request: &Request<'_>,
    ) -> Result<Vec<ScoredTest>, BackendError> {
        let known: HashSet<&str> = reused.iter().map(|it| it.test.as_str()).collect();
        let is_changed = |name: &str| self.changes.as_ref().is_none_or(|it| it.tests.contains(name));
        let at_once = request.top.is_none() && request.scorer.tests_at_once() == 1;
        scored_tests(&self.analysis, request, at_once.then_some(explainer), |name| {
            !known.contains(name) && is_changed(name)
        })
    }
}

/// The number of tests with different names. Copies of a test in several modules count once, as in the summary.
fn distinct_tests(analysis: &Analysis<'_>) -> usize {
    let names: HashSet<TestName> = analysis.test_cases().into_iter().map(|it| it.name).collect();
    names.len()
}

/// The findings that a report lists, and the number of findings that are suppressed.
#[derive(Default)]
struct Listed {
    findings: Vec<Finding>,
    /// The most probable tests of the scan, if it has no findings; otherwise empty.
    likeliest: Vec<Finding>,
    /// The number of findings that comments or annotations suppress.
    suppressed: usize,
    /// The number of tests that would be findings if they were not disabled.
    disabled: usize,
}

/// Selects the tests that a report lists, and makes their findings where these are still missing. `analysed` is `None`
/// if all tests are reused from the cache.
fn list(
    tests: &mut [ScoredTest],
    repository: &Repository,
    analysed: Option<(&Scope<'_>, &Explainer<'_, '_>)>,
    request: &Request<'_>,
) -> Listed {
    let rule = request.listing_rule();
    let disabled = rule.disabled_findings(tests);
    let mut selection = rule.select(tests);
    // A scan of some tests does not list tests below the threshold.
    if request.is_partial() && matches!(selection, Selection::Likeliest(_)) {
        return Listed {
            disabled,
            ..Listed::default()
        };
    }
    if let Some((scope, _)) = analysed {
        mark_suppressed(&scope.analysis, tests, selection.tests());
    }
    let suppressed = rule.limit(tests, &mut selection);
    if let Some((_, explainer)) = analysed {
        explainer.explain_all(tests, selection.tests());
    }
    let is_findings = matches!(selection, Selection::Findings(_));
    let mut finding = |at: &usize| {
        let test = &mut tests[*at];
        let mut finding = match request.caching {
            // The cache entry also needs the details.
            Caching::On => test.detail(),
            Caching::Off => test.take_detail(),
        }?;
        let flows = test
            .reported_flows(rule.rules)
            .filter(|it| Grounding::of(it.flow).is_shown());
        flow_report::show(&mut finding, flows, rule.threshold);
        witness_source::add(&mut finding, repository);
        finding.below_threshold = is_findings && !rule.lists(test);
        Some(finding)
    };
    let findings = selection.tests().iter().filter_map(&mut finding).collect();
    match selection {
        Selection::Findings(_) => Listed {
            findings,
            likeliest: Vec::new(),
            suppressed,
            disabled,
        },
        Selection::Likeliest(_) => Listed {
            likeliest: findings,
            disabled,
            ..Listed::default()
        },
    }
}

/// The counts of a scan, such as files, tests and findings, without the number of tests reused from the cache.
fn summary(
    repository: &Repository,
    tests: &[ScoredTest],
    listed: &Listed,
    scope: Option<&Scope<'_>>,
    request: &Request<'_>,
) -> Summary {
    let changes = scope.and_then(|it| it.changes.as_ref());
    let files = repository.files();
    Summary {
        files: files.len(),
        tests: tests.len(),
        findings: listed.findings.len(),
        suppressed: listed.suppressed,
        disabled: listed.disabled,
        incomplete: tests.iter().filter(|it| it.is_incomplete).count(),
        excluded: files.iter().filter(|it| !request.settings.takes(it.path())).count(),
        given: scope.and_then(|it| it.files),
        since: request.since.zip(changes).map(|(base, changes)| Comparison {
            revision: base.revision.clone(),
            unchanged: changes.unchanged,
        }),
        milliseconds: u64::try_from(request.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        ..Summary::default()
    }
}

fn test_scores(tests: &[ScoredTest], request: &Request<'_>) -> Option<Vec<TestScore>> {
    let score = |it: &ScoredTest| {
        let mut rules: Vec<Rule> = it.selected_flows(request.rules).map(|it| it.flow.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        TestScore {
            test: it.test.clone(),
            file: it.file.clone(),
            line: it.line,
            probability: it.probability,
            kinds: it.kinds.clone(),
            rules,
        }
    };
    match request.scores {
        ScoreList::Nothing => None,
        ScoreList::EveryTest => Some(tests.iter().map(score).collect()),
    }
}

fn model_summary(request: &Request<'_>) -> ModelSummary {
    ModelSummary {
        name: request.scorer.name().to_owned(),
        ranks: request.scorer.ranks(),
        threshold: request.threshold(),
        track_record: match request.scores {
            ScoreList::Nothing => TrackRecord::default(),
            ScoreList::EveryTest => request.scorer.track_record(),
        },
        tuned: request.scorer.tuning().cloned(),
    }
}

fn problem(problem: &Problem) -> crate::finding::Problem {
    crate::finding::Problem {
        file: problem.file.clone(),
        message: match problem.line {
            Some(line) => format!("line {line}: {}", problem.message),
            None => problem.message.clone(),
        },
    }
}
