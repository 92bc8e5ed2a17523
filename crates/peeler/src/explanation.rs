//! The detailed explanation of one test, for `peeler explain`.

use peeler_analysis::{Analysis, Flow, FlowFinder, Limits, Repository, Suppression};
use peeler_features::TestName;
use peeler_model::BackendError;

use crate::explainer::Explainer;
use crate::finding::Finding;
use crate::flow_report;
use crate::request::Request;
use crate::scoring::scored_tests;
use crate::{roots, state_pairs, witness_source};

/// Everything that `peeler explain` prints about one test.
pub(crate) struct Explanation {
    /// The test as a finding, with probability, flows, paths and source.
    pub(crate) finding: Finding,
    /// Flows of the test that a scan does not report. First come those of unselected rules, then those that an
    /// operation makes harmless.
    pub(crate) other_flows: Vec<Flow>,
    /// The position of the test, counted from one, among all tests in the order in which reports list them.
    pub(crate) rank: usize,
    /// The number of tests in the repository.
    pub(crate) tests: usize,
    /// The lowest probability that makes a test a finding of a scan.
    pub(crate) threshold: f32,
    /// The path of the settings file that excludes the test from scans; `None` if none does.
    pub(crate) excluded_by: Option<String>,
    /// The annotations and comments that suppress findings about the test.
    pub(crate) suppressions: Vec<Suppression>,
}

impl Explanation {
    /// Puts the prefix of the scanned root in front of every file.
    pub(crate) fn name_files(&mut self, prefix: &str) {
        let add = |file: &mut String| file.insert_str(0, prefix);
        roots::for_each_file(&mut self.finding, add);
        for flow in &mut self.other_flows {
            let ends = [&mut flow.source]
                .into_iter()
                .chain(&mut flow.oracle)
                .chain(&mut flow.settled_by);
            ends.chain(&mut flow.steps).for_each(|it| add(&mut it.file));
        }
        self.suppressions.iter_mut().for_each(|it| add(&mut it.file));
    }
}

/// Explains one test, whatever its probability. Returns `None` if the test does not exist.
pub(crate) fn explain(
    repository: &Repository,
    analysis: &Analysis<'_>,
    test: &TestName,
    request: &Request<'_>,
) -> Result<Option<Explanation>, BackendError> {
    let mut tests = scored_tests(analysis, request, None, |_| true)?;
    state_pairs::pair(&mut tests);
    let order = request.listing_rule().order(&tests);
    let Some(place) = order.iter().position(|at| tests[*at].test == *test) else {
        return Ok(None);
    };
    let at = order[place];
    Explainer::new(analysis, request)
        .with_all_paths()
        .explain_all(&mut tests, &[at]);
    let settings = request.settings;
    Ok(tests[at].take_detail().map(|mut finding| {
        // Suppressed flows are shown too.
        flow_report::show(
            &mut finding,
            tests[at].selected_flows(request.rules),
            request.threshold(),
        );
        witness_source::add(&mut finding, repository);
        let is_other = |it: &Flow| it.settled_by.is_some() || !request.rules.reports(it.rule, &tests[at].file);
        let shared = tests[at].shared.iter().map(|it| it.flow.clone());
        let mut other_flows: Vec<Flow> = shared.chain(flows(analysis, test)).filter(is_other).collect();
        other_flows.sort_by_key(|it| it.settled_by.is_some());
        Explanation {
            excluded_by: settings.file().filter(|_| !settings.takes(&finding.file)),
            finding,
            other_flows,
            rank: place + 1,
            tests: tests.len(),
            threshold: request.threshold(),
            suppressions: analysis.suppressions(|name| *test == *name),
        }
    }))
}

/// All flows of a test; those that an operation such as a sort makes harmless come last.
fn flows(analysis: &Analysis<'_>, test: &TestName) -> Vec<Flow> {
    let finder = FlowFinder::new(analysis);
    let mut found = None;
    analysis.extract(
        Limits::default(),
        |name| *test == *name,
        |traced| finder.flows(&traced).flows,
        |flows| {
            // Several modules may contain a copy of the test; the first copy is explained.
            found.get_or_insert(flows);
        },
    );
    found.unwrap_or_default()
}
