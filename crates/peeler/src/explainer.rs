//! Makes the findings of tests with their details: graph, paths and source.
//!
//! Flows are added when it is known which tests the report lists ([`crate::flow_report`]).
//!
//! Invariant: everything in a finding was read in the test or in code that it reaches. Without a flow, the reason says
//! that no cause was found.

use std::collections::HashMap;

use peeler_analysis::{
    self as analysis, Analysis, CauseFinder, CutView, EdgeView, Extraction, FileId, Limits, MAX_DEPTH, OperationKind,
    TracedTest,
};
use peeler_features::TestName;

use crate::finding::{Edge, EdgeKind, Excerpt, Finding, FoundBy, Graph, Node, NodeKind, Path};
use crate::fingerprint;
use crate::request::{Caching, Request};
use crate::scored_test::{ScoredTest, Silence};
use crate::scorer::{Basis, PathScore};

/// The maximum number of contextual paths of a finding in a scan. Graphs of whole tests are too large for reports: they
/// would make up nine tenths of a report's size.
const MOST_PATHS: usize = 3;

/// Makes findings for tests of one repository, each with the test's graph, paths and source.
pub(crate) struct Explainer<'a, 'r> {
    analysis: &'a Analysis<'r>,
    causes: CauseFinder<'a, 'r>,
    basis: Basis,
    caching: Caching,
    /// The maximum number of contextual paths of a finding.
    most_paths: usize,
}

impl<'a, 'r> Explainer<'a, 'r> {
    /// An explainer that looks for causes with the catalogue in the settings of `request`.
    pub(crate) fn new(analysis: &'a Analysis<'r>, request: &Request<'a>) -> Self {
        Self {
            analysis,
            causes: CauseFinder::new(analysis, request.settings.causes()),
            basis: request.scorer.basis(),
            caching: request.caching,
            most_paths: MOST_PATHS,
        }
    }

    /// The same explainer, for findings with all paths that the network read most.
    pub(crate) fn with_all_paths(self) -> Self {
        Self {
            most_paths: usize::MAX,
            ..self
        }
    }

    /// The finding of a test without its flows, and the files that it depends on, which the cache stores. It may depend
    /// on a file that the score does not depend on.
    fn finding(&self, traced: &TracedTest<'_>, test: &ScoredTest) -> (Finding, Vec<FileId>) {
        let mut finding = finding(self.analysis, &self.causes, traced, self.basis, test);
        finding.graph.keep_paths(&mut finding.paths, self.most_paths);
        let grounds = match self.caching {
            Caching::On => self.analysis.reach(traced, MAX_DEPTH).files(),
            Caching::Off => Vec::new(),
        };
        (finding, grounds)
    }

    /// Adds a finding with graph, paths and source to a test whose graph is still in memory.
    pub(crate) fn explain(&self, traced: &TracedTest<'_>, test: &mut ScoredTest) {
        let (finding, grounds) = self.finding(traced, test);
        test.explain(finding, &grounds);
    }

    /// Adds a finding with graph, paths and source to the tests at the indices `chosen` that have none yet. Builds
    /// their graphs again.
    pub(crate) fn explain_all(&self, tests: &mut [ScoredTest], chosen: &[usize]) {
        let without = chosen.iter().copied().filter(|at| tests[*at].detail.is_none());
        let places: HashMap<TestName, usize> = without.map(|at| (tests[at].test.clone(), at)).collect();
        if places.is_empty() {
            return;
        }
        let mut found: Vec<(usize, (Finding, Vec<FileId>))> = Vec::with_capacity(places.len());
        self.analysis.extract(
            Limits::default(),
            |name| places.contains_key(name),
            |traced| {
                let at = *places.get(&traced.case.name)?;
                Some((at, self.finding(&traced, &tests[at])))
            },
            |made| found.extend(made),
        );
        for (at, (finding, grounds)) in found {
            // Several modules may contain a copy of one test; the first copy was scored.
            if tests[at].detail.is_none() {
                tests[at].explain(finding, &grounds);
            }
        }
    }
}

/// Records for the tests at the indices `chosen` which findings their comments or annotations suppress. Skips tests
/// that have this record already, for instance from the cache.
pub(crate) fn mark_suppressed(analysis: &Analysis<'_>, tests: &mut [ScoredTest], chosen: &[usize]) {
    let unmarked = chosen.iter().copied().filter(|at| tests[*at].silence.is_none());
    let places: HashMap<TestName, usize> = unmarked.map(|at| (tests[at].test.clone(), at)).collect();
    if places.is_empty() {
        return;
    }
    for at in places.values() {
        tests[*at].silence = Some(Silence::NOTHING);
    }
    for suppression in analysis.suppressions(|name| places.contains_key(name)) {
        if let Some(silence) = &mut tests[places[suppression.test.as_str()]].silence {
            silence.add(&suppression);
        }
    }
}

fn finding(
    analysis: &Analysis<'_>,
    causes: &CauseFinder<'_, '_>,
    traced: &TracedTest<'_>,
    basis: Basis,
    test: &ScoredTest,
) -> Finding {
    let extraction = &analysis.extraction(traced);
    let basis = basis.for_paths(&test.paths);
    let is_known = |it: &&PathScore| it.index() < extraction.paths.len();
    let strongest: Vec<&PathScore> = test.paths.iter().filter(is_known).collect();
    let numbers: Vec<usize> = strongest.iter().map(|it| it.index()).collect();
    let nearest = causes.causes(traced, &numbers).list.into_iter().next();
    let source = analysis.test_source(traced);
    let end_line = source.first_line + u32::try_from(source.lines.len()).unwrap_or(u32::MAX).saturating_sub(1);
    Finding {
        test: extraction.case.name.clone(),
        file: extraction.case.file.clone(),
        line: extraction.case.line,
        end_line,
        probability: test.probability,
        kind: test.kinds.first().map(|it| it.kind),
        kinds: test.kinds.clone(),
        found_by: FoundBy::Neither,
        below_threshold: false,
        inherited_by: Vec::new(),
        rules: Vec::new(),
        reason: reason(test, basis),
        fingerprint: fingerprint::by_network(&extraction.case.name, nearest.as_ref()),
        root_cause: None,
        witness: Vec::new(),
        paths: strongest
            .iter()
            .map(|path| Path {
                attention: path.attention,
                nodes: extraction.paths[path.index()].nodes().collect(),
                edges: extraction.paths[path.index()].edges().collect(),
            })
            .collect(),
        graph: graph(extraction),
        source: Excerpt {
            file: source.file.to_owned(),
            first_line: source.first_line,
            lines: source.lines.into_iter().map(str::to_owned).collect(),
        },
        neighbours: Vec::new(),
        proof: None,
    }
}

/// The reason of a finding without a cause: its likeliest kind of flakiness, and what its score depends on.
fn reason(test: &ScoredTest, basis: Basis) -> String {
    let kind = test.kinds.first().map(|it| format!("; if flaky, then by {}", it.kind));
    format!("no cause found{}; {}", kind.unwrap_or_default(), basis.words())
}

fn graph(extraction: &Extraction<'_>) -> Graph {
    let nodes = extraction.nodes.iter().map(|node| Node {
        text: node.text.to_string(),
        kind: match node.kind {
            analysis::NodeKind::Variable => NodeKind::Variable,
            analysis::NodeKind::Literal => NodeKind::Literal,
            analysis::NodeKind::Call => NodeKind::Call,
        },
        line: node.line,
        file: node.file.map(str::to_owned),
        start: node.start,
        assert: node.assert,
    });
    let edges = extraction.edges.iter().map(|edge| Edge {
        from: edge.from,
        to: edge.to,
        operation: edge.operation.to_string(),
        kind: edge_kind(edge.kind),
        line: edge.line,
        cut: cut(extraction, edge),
    });
    Graph {
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

fn edge_kind(kind: OperationKind) -> EdgeKind {
    match kind {
        OperationKind::Assign => EdgeKind::Assign,
        OperationKind::Call => EdgeKind::Call,
        OperationKind::Construct => EdgeKind::Construct,
        OperationKind::Operator => EdgeKind::Operator,
        OperationKind::Index => EdgeKind::Index,
        OperationKind::Field => EdgeKind::Field,
        OperationKind::Cast => EdgeKind::Cast,
        OperationKind::Iterate => EdgeKind::Iterate,
        OperationKind::Assert => EdgeKind::Assert,
        OperationKind::Order => EdgeKind::Order,
    }
}

/// The repository's own method that a graph edge calls, or only the class of the method if the method is not known.
/// `None` if the edge calls no code of the repository.
fn cut(extraction: &Extraction<'_>, edge: &EdgeView<'_>) -> Option<String> {
    match edge.cut.as_ref()? {
        CutView::Resolved { declaration, .. } => Some(extraction.cut_methods[*declaration].method.clone()),
        CutView::Type(name) => Some(name.clone()),
    }
}
