//! Makes findings of tests: their cause, witness path, graph and source.
//!
//! Invariant: everything in a finding was read in the test or in code that it reaches. If no cause matches, the reason
//! names the strongest path. If the model read no paths, it names the first path.

use std::collections::HashMap;

use peeler_analysis::{
    self as analysis, Analysis, Cause, CauseFinder, CutView, EdgeView, Extraction, FileId, Limits, MAX_DEPTH,
    OperationKind, TracedTest,
};
use peeler_features::{TestName, stored_hash};

use crate::finding::{
    Edge, EdgeKind, Excerpt, Finding, Graph, Node, NodeKind, Path, Region, Role, RootCause, WitnessStep,
};
use crate::request::{Caching, Request};
use crate::scored_test::{Detail, ScoredTest};
use crate::scorer::{Basis, PathScore};

/// Makes findings of the tests of one analysis.
pub(crate) struct Explainer<'a, 'r> {
    analysis: &'a Analysis<'r>,
    causes: CauseFinder<'a, 'r>,
    basis: Basis,
    caching: Caching,
}

impl<'a, 'r> Explainer<'a, 'r> {
    /// An explainer that uses the cause catalogue of the request's settings.
    pub(crate) fn new(analysis: &'a Analysis<'r>, request: &Request<'a>) -> Self {
        Self {
            analysis,
            causes: CauseFinder::new(analysis, request.settings.causes()),
            basis: request.scorer.basis(),
            caching: request.caching,
        }
    }

    /// The finding of a test, and the files that the finding depends on, for a cache entry. The cause may be in a file
    /// that the score does not depend on.
    fn finding(&self, traced: &TracedTest<'_>, test: &ScoredTest) -> (Finding, Vec<FileId>) {
        let finding = finding(self.analysis, &self.causes, traced, self.basis, test);
        let grounds = match self.caching {
            Caching::On => self.analysis.reach(traced, MAX_DEPTH).files(),
            Caching::Off => Vec::new(),
        };
        (finding, grounds)
    }

    /// Adds the finding to a test whose graph is still in memory.
    pub(crate) fn explain(&self, traced: &TracedTest<'_>, test: &mut ScoredTest) {
        let (finding, grounds) = self.finding(traced, test);
        test.explain(finding, grounds);
    }

    /// Adds findings to the chosen tests that have no detail yet. Builds their graphs again.
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
                tests[at].explain(finding, grounds);
            }
        }
    }
}

/// Marks the chosen tests that are suppressed in their code. Reused tests are marked already.
pub(crate) fn mark_suppressed(analysis: &Analysis<'_>, tests: &mut [ScoredTest], chosen: &[usize]) {
    let fresh = chosen.iter().copied().filter(|at| tests[*at].is_fresh());
    let places: HashMap<TestName, usize> = fresh.map(|at| (tests[at].test.clone(), at)).collect();
    if places.is_empty() {
        return;
    }
    for suppression in analysis.suppressions(|name| places.contains_key(name)) {
        tests[places[suppression.test.as_str()]].detail = Some(Detail::Suppressed);
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
    let causes = causes.causes(traced, &numbers);
    let root_cause = causes.list.into_iter().next().map(root_cause);
    // A path through the cause explains more than the overall strongest path.
    let passes = |path: &&usize| root_cause.as_ref().is_some_and(|it| passes(extraction, **path, it));
    let shown = numbers.iter().find(passes).or(numbers.first());
    let witness = shown.map_or_else(Vec::new, |path| witness(analysis, extraction, *path));
    let source = analysis.test_source(traced);
    let end_line = source.first_line + u32::try_from(source.lines.len()).unwrap_or(u32::MAX).saturating_sub(1);
    Finding {
        test: extraction.case.name.clone(),
        file: extraction.case.file.clone(),
        line: extraction.case.line,
        end_line,
        probability: test.probability,
        reason: reason(root_cause.as_ref(), basis, &witness),
        fingerprint: fingerprint(&extraction.case.name, root_cause.as_ref()),
        root_cause,
        witness,
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

/// Whether a path has a node on the line of a cause.
fn passes(extraction: &Extraction<'_>, path: usize, cause: &RootCause) -> bool {
    let of_test = cause.file == extraction.case.file;
    extraction.paths[path].nodes().any(|at| {
        let node = &extraction.nodes[at];
        node.line == cause.line && node.file.map_or(of_test, |file| file == cause.file)
    })
}

fn root_cause(cause: Cause) -> RootCause {
    RootCause {
        kind: cause.kind(),
        title: cause.kind().title().to_owned(),
        what: cause.description.to_string(),
        file: cause.file,
        line: cause.line,
        text: cause.text,
        via: cause.via,
        advice: cause.description.kind().advice().to_owned(),
    }
}

/// The nodes of a path with their positions. Nodes after an edge into the repository's own code have the role of code
/// under test.
fn witness(analysis: &Analysis<'_>, extraction: &Extraction<'_>, path: usize) -> Vec<WitnessStep> {
    let path = &extraction.paths[path];
    let edges: Vec<usize> = path.edges().collect();
    let nodes: Vec<usize> = path.nodes().collect();
    let last = nodes.len().saturating_sub(1);
    nodes
        .iter()
        .enumerate()
        .map(|(at, &node)| {
            let is_cut = at > 0 && extraction.edges[edges[at - 1]].cut.is_some();
            let role = match at {
                _ if at == last => Role::Assertion,
                0 => Role::Source,
                _ if is_cut => Role::CodeUnderTest,
                _ => Role::Step,
            };
            let place = analysis.node_place(extraction, node);
            WitnessStep {
                role,
                region: Region {
                    file: place.file.to_owned(),
                    line: place.line,
                    column: place.column,
                    end_line: place.end_line,
                    end_column: place.end_column,
                },
                text: extraction.nodes[node].text.to_string(),
            }
        })
        .collect()
}

/// The reason why the test is reported, in one line.
fn reason(cause: Option<&RootCause>, basis: Basis, witness: &[WitnessStep]) -> String {
    if let Some(cause) = cause {
        let file = cause.file.rsplit('/').next().unwrap_or(&cause.file);
        let way = match cause.via.as_slice() {
            [] => String::new(),
            way => format!(" through {}", way.join(", ")),
        };
        return format!("it {}{way} ({file}:{})", cause.what, cause.line);
    }
    if let Some(judged) = basis.words() {
        return match witness {
            [] => format!("no known cause; {judged}"),
            [only] => format!("no known cause; {judged}; its first path is `{}`", only.text),
            [first, .., last] => format!(
                "no known cause; {judged}; its first path leads from `{}` to `{}`",
                first.text, last.text
            ),
        };
    }
    match witness {
        [] => "no contextual path; judged by its words and by what it reaches".to_owned(),
        [only] => format!("no known cause; what stood out is `{}`", only.text),
        [first, .., last] => format!(
            "no known cause; what stood out is the way from `{}` to `{}`",
            first.text, last.text
        ),
    }
}

/// The identifier of a finding in baselines: a hash of test and cause, independent of line numbers.
pub(crate) fn fingerprint(test: &TestName, cause: Option<&RootCause>) -> String {
    let cause = cause.map_or_else(String::new, |it| format!("{} {}", it.kind.id(), it.text));
    format!("{:016x}", stored_hash(format!("{test}\n{cause}").as_bytes()))
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

/// The method of the repository that an edge calls.
fn cut(extraction: &Extraction<'_>, edge: &EdgeView<'_>) -> Option<String> {
    match edge.cut.as_ref()? {
        CutView::Resolved { declaration, .. } => Some(extraction.cut_methods[*declaration].method.clone()),
        CutView::Type(name) => Some(name.clone()),
    }
}
