//! A closer look at the tests that stand out: cause, path and source, as a finding shows them.
//!
//! Invariant: what a finding says about a test was read in that test or in code that it leads to; without a match in
//! the catalogue of causes the reason is the strongest path, or the first one where the judge weighs no paths.

use std::collections::HashMap;

use peeler_analysis::{
    Analysis, Cause, CauseFinder, CutView, EdgeView, Extraction, Limits, MAX_DEPTH, NodeKind, TracedTest,
};
use peeler_eval::corpus::stable_hash;

use crate::finding::{Edge, Excerpt, Finding, Graph, Node, Path, Region, Role, RootCause, Step};
use crate::judge::Basis;
use crate::memory::{Judgement, Look};
use crate::pipeline::Request;

/// What is needed to look at tests of one analysis.
pub(crate) struct Looker<'a, 'r> {
    analysis: &'a Analysis<'r>,
    causes: CauseFinder<'a, 'r>,
    basis: Basis,
    /// Whether anybody will ask what a finding rests on.
    remembers: bool,
}

impl<'a, 'r> Looker<'a, 'r> {
    pub(crate) fn new(analysis: &'a Analysis<'r>, request: &Request<'a>) -> Self {
        Self {
            analysis,
            causes: CauseFinder::new(analysis, request.settings.causes()),
            basis: request.judge.basis(),
            remembers: request.remembers,
        }
    }

    /// What a report says about a test, and where that is remembered the files that it rests on: a cause may lie further away
    /// than what was read to judge.
    fn look(&self, traced: &TracedTest<'_>, judgement: &Judgement) -> (Finding, Vec<usize>) {
        let finding = finding(self.analysis, &self.causes, traced, self.basis, judgement);
        let grounds = self.remembers.then(|| self.analysis.reach(traced, MAX_DEPTH).files());
        (finding, grounds.unwrap_or_default())
    }

    /// Looks at a test that was just judged.
    pub(crate) fn look_at(&self, traced: &TracedTest<'_>, judgement: &mut Judgement) {
        let (finding, grounds) = self.look(traced, judgement);
        judgement.found(finding, grounds);
    }

    /// Looks at the chosen tests that nobody looked at yet.
    pub(crate) fn look_at_chosen(&self, tests: &mut [Judgement], chosen: &[usize]) {
        let without = chosen.iter().copied().filter(|at| tests[*at].look.is_none());
        let places: HashMap<String, usize> = without.map(|at| (tests[at].test.clone(), at)).collect();
        if places.is_empty() {
            return;
        }
        let mut found: Vec<(usize, (Finding, Vec<usize>))> = Vec::with_capacity(places.len());
        self.analysis.extract(
            Limits::default(),
            |name| places.contains_key(name),
            |traced| {
                let at = *places.get(&traced.case.name)?;
                Some((at, self.look(&traced, &tests[at])))
            },
            |made| found.extend(made),
        );
        for (at, (finding, grounds)) in found {
            // Modules may hold copies of one test; the first stands for all, as it did for the model.
            if tests[at].look.is_none() {
                tests[at].found(finding, grounds);
            }
        }
    }
}

/// Marks the chosen tests about which their code asks for silence. Of what was remembered nothing does.
pub(crate) fn mark_suppressed(analysis: &Analysis<'_>, tests: &mut [Judgement], chosen: &[usize]) {
    let fresh = chosen.iter().copied().filter(|at| tests[*at].is_fresh());
    let places: HashMap<String, usize> = fresh.map(|at| (tests[at].test.clone(), at)).collect();
    if places.is_empty() {
        return;
    }
    for suppression in analysis.suppressions(|name| places.contains_key(name)) {
        tests[places[&suppression.test]].look = Some(Look::Suppressed);
    }
}

fn finding(
    analysis: &Analysis<'_>,
    causes: &CauseFinder<'_, '_>,
    traced: &TracedTest<'_>,
    basis: Basis,
    judgement: &Judgement,
) -> Finding {
    let extraction = &analysis.extraction(traced);
    let basis = basis.with_attention(&judgement.strongest);
    let strongest: Vec<(usize, f32)> = judgement
        .strongest
        .iter()
        .map(|(number, attention)| (*number as usize, *attention))
        .filter(|(number, _)| *number < extraction.paths.len())
        .collect();
    let numbers: Vec<usize> = strongest.iter().map(|(number, _)| *number).collect();
    let causes = causes.causes(traced, &numbers);
    let root_cause = causes.list.into_iter().next().map(root_cause);
    // The strongest path that passes the cause shows more than the strongest of all.
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
        probability: judgement.probability,
        reason: reason(root_cause.as_ref(), basis, &witness),
        fingerprint: fingerprint(&extraction.case.name, root_cause.as_ref()),
        root_cause,
        witness,
        paths: strongest
            .iter()
            .map(|(number, attention)| Path {
                attention: (basis == Basis::Paths).then_some(*attention),
                nodes: extraction.paths[*number].nodes().collect(),
                edges: extraction.paths[*number].edges().collect(),
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

/// Whether a path has a node in the line of a cause.
fn passes(extraction: &Extraction<'_>, path: usize, cause: &RootCause) -> bool {
    let of_test = cause.file == extraction.case.file;
    extraction.paths[path].nodes().any(|at| {
        let node = &extraction.nodes[at];
        node.line == cause.line && node.file.map_or(of_test, |file| file == cause.file)
    })
}

fn root_cause(cause: Cause) -> RootCause {
    RootCause {
        kind: cause.kind().id().to_owned(),
        title: cause.kind().title().to_owned(),
        what: cause.description.to_string(),
        file: cause.file,
        line: cause.line,
        text: cause.text,
        via: cause.via,
        advice: cause.description.kind().advice().to_owned(),
    }
}

/// The nodes of a path with their places; those behind an edge into the repository's own code say so.
fn witness(analysis: &Analysis<'_>, extraction: &Extraction<'_>, path: usize) -> Vec<Step> {
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
            Step {
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

/// One line in plain words.
fn reason(cause: Option<&RootCause>, basis: Basis, witness: &[Step]) -> String {
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

/// Of the test and its cause, without lines.
pub(crate) fn fingerprint(test: &str, cause: Option<&RootCause>) -> String {
    let cause = cause.map_or_else(String::new, |it| format!("{} {}", it.kind, it.text));
    format!("{:016x}", stable_hash(format!("{test}\n{cause}").as_bytes()))
}

fn graph(extraction: &Extraction<'_>) -> Graph {
    let nodes = extraction.nodes.iter().map(|node| Node {
        text: node.text.to_string(),
        kind: match node.kind {
            NodeKind::Variable => "variable",
            NodeKind::Literal => "literal",
            NodeKind::Call => "call",
        }
        .to_owned(),
        line: node.line,
        file: node.file.map(str::to_owned),
        start: node.start,
        assert: node.assert,
    });
    let edges = extraction.edges.iter().map(|edge| Edge {
        from: edge.from,
        to: edge.to,
        operation: edge.operation.to_string(),
        kind: edge.kind.name().to_owned(),
        line: edge.line,
        cut: cut(extraction, edge),
    });
    Graph {
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

fn cut(extraction: &Extraction<'_>, edge: &EdgeView<'_>) -> Option<String> {
    match edge.cut.as_ref()? {
        CutView::Resolved { declaration, .. } => Some(extraction.cut_methods[*declaration].method.clone()),
        CutView::Type(name) => Some(name.clone()),
    }
}
