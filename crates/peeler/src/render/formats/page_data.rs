//! The data of the HTML page: a scan in a short form, with every repeated text once.
//!
//! ```text
//! {"texts": ["OrderTest.java", "counts", ...], "findings": [{"file": 0, "graph": {"nodes": [[1, "variable", 12, ...]]}}]}
//! ```
//!
//! A number in the place of a text is an index into `texts`. The script of the page turns it back ([`super::html`]).
//! Left out: findings beyond [`MOST_FINDINGS`], all paths but the first, and scores of other tests.

use std::collections::HashMap;

use serde::Serialize;

use crate::finding::{
    Edge, EdgeKind, Excerpt, Finding, FlowPlace, FoundBy, Graph, ModelSummary, Node, NodeKind, Path, Problem, Proof,
    Role, RuleMatch, Scan, Summary, Tool, WitnessStep,
};

/// The maximum number of findings on a page. The page says how many it leaves out.
const MOST_FINDINGS: usize = 2000;
/// The maximum number of source lines of a test on a page.
const MOST_LINES: usize = 400;

/// The version of the page's data. The script of the page reads this one only.
const VERSION: u32 = 3;

/// An index into the texts of the page.
type TextIndex = usize;

/// The indices of findings by test and file, and by test alone.
type Places<'s> = HashMap<(&'s str, Option<&'s str>), usize>;

/// A scan as the script of the HTML page reads it.
#[derive(Serialize)]
pub(super) struct PageData<'s> {
    version: u32,
    tool: &'s Tool,
    model: &'s ModelSummary,
    roots: &'s [String],
    summary: &'s Summary,
    findings: Vec<PageFinding<'s>>,
    /// The number of findings that the page leaves out.
    left_out: usize,
    likeliest: Vec<LikelyTest<'s>>,
    problems: &'s [Problem],
    sources: Vec<PageExcerpt<'s>>,
    texts: Vec<&'s str>,
}

impl<'s> PageData<'s> {
    /// The data of the page about a scan.
    pub(super) fn new(scan: &'s Scan) -> Self {
        let mut tables = Tables::default();
        let shown = &scan.findings[..scan.findings.len().min(MOST_FINDINGS)];
        let mut places = Places::new();
        for (at, finding) in shown.iter().enumerate().rev() {
            places.insert((finding.test.as_str(), Some(&finding.file)), at);
            places.insert((finding.test.as_str(), None), at);
        }
        let findings = shown.iter().map(|it| tables.finding(it, &places)).collect();
        Self {
            version: VERSION,
            tool: &scan.tool,
            model: &scan.model,
            roots: &scan.roots,
            summary: &scan.summary,
            findings,
            left_out: scan.findings.len() - shown.len(),
            likeliest: scan.likeliest.iter().map(LikelyTest::of).collect(),
            problems: &scan.problems,
            sources: tables.sources,
            texts: tables.texts,
        }
    }
}

/// A test that is no finding, with its place and probability.
#[derive(Serialize)]
struct LikelyTest<'s> {
    test: &'s str,
    file: &'s str,
    line: u32,
    probability: f32,
}

impl<'s> LikelyTest<'s> {
    fn of(finding: &'s Finding) -> Self {
        Self {
            test: finding.test.as_str(),
            file: &finding.file,
            line: finding.line,
            probability: finding.probability,
        }
    }
}

#[derive(Serialize)]
struct PageFinding<'s> {
    test: &'s str,
    file: TextIndex,
    line: u32,
    end_line: u32,
    probability: f32,
    found_by: FoundBy,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    below_threshold: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inherited_by: Vec<&'s str>,
    rules: Vec<PageRule>,
    reason: &'s str,
    fingerprint: &'s str,
    witness: Vec<PageStep>,
    /// The index of the test's source in the sources of the page.
    source: usize,
    graph: PageGraph,
    /// The first contextual path, as nodes and edges of the graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<(&'s [usize], &'s [usize])>,
    /// The indices of similar findings.
    neighbours: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<&'s Proof>,
}

/// A rule that found a test: id, name, title, what it found, place of the source, advice.
#[derive(Serialize)]
struct PageRule {
    rule: TextIndex,
    name: TextIndex,
    title: TextIndex,
    what: TextIndex,
    file: TextIndex,
    line: u32,
    text: TextIndex,
    advice: TextIndex,
}

#[derive(Serialize)]
struct PageStep {
    role: Role,
    file: TextIndex,
    line: u32,
    column: u32,
    text: TextIndex,
    /// The index of the lines around the place in the sources of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<usize>,
}

#[derive(Serialize)]
struct PageExcerpt<'s> {
    file: TextIndex,
    first_line: u32,
    lines: &'s [String],
    /// The number of further lines that the page leaves out.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Nodes and edges as short arrays: text, kind, line, file, start, assert; and from, to, operation, kind, line, method.
#[derive(Serialize)]
struct PageGraph {
    nodes: Vec<(TextIndex, NodeKind, u32, Option<TextIndex>, u8, u8)>,
    edges: Vec<(usize, usize, TextIndex, EdgeKind, u32, Option<TextIndex>)>,
}

/// The texts and sources of the page, each once.
#[derive(Default)]
struct Tables<'s> {
    texts: Vec<&'s str>,
    text_indices: HashMap<&'s str, TextIndex>,
    sources: Vec<PageExcerpt<'s>>,
    source_indices: HashMap<(&'s str, u32, usize), usize>,
}

impl<'s> Tables<'s> {
    fn text(&mut self, text: &'s str) -> TextIndex {
        *self.text_indices.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() - 1
        })
    }

    fn source(&mut self, excerpt: &'s Excerpt) -> usize {
        let key = (excerpt.file.as_str(), excerpt.first_line, excerpt.lines.len());
        if let Some(known) = self.source_indices.get(&key) {
            return *known;
        }
        let shown = excerpt.lines.len().min(MOST_LINES);
        let source = PageExcerpt {
            file: self.text(&excerpt.file),
            first_line: excerpt.first_line,
            lines: &excerpt.lines[..shown],
            left_out: excerpt.lines.len() - shown,
        };
        self.sources.push(source);
        self.source_indices.insert(key, self.sources.len() - 1);
        self.sources.len() - 1
    }

    fn finding(&mut self, finding: &'s Finding, places: &Places<'_>) -> PageFinding<'s> {
        let neighbours = finding.neighbours.iter().filter_map(|it| {
            // A neighbour has a file where roots may have tests of one name.
            let key = (it.test.as_str(), it.file.as_deref());
            places.get(&key).copied()
        });
        PageFinding {
            test: finding.test.as_str(),
            file: self.text(&finding.file),
            line: finding.line,
            end_line: finding.end_line,
            probability: finding.probability,
            found_by: finding.found_by,
            below_threshold: finding.below_threshold,
            inherited_by: finding.inherited_by.iter().map(|it| it.test.as_str()).collect(),
            rules: finding.rules.iter().map(|it| self.rule(it)).collect(),
            reason: &finding.reason,
            fingerprint: &finding.fingerprint,
            witness: finding.witness.iter().map(|it| self.step(it)).collect(),
            source: self.source(&finding.source),
            graph: self.graph(&finding.graph),
            path: finding
                .paths
                .first()
                .map(|Path { nodes, edges, .. }| (&**nodes, &**edges)),
            neighbours: neighbours.collect(),
            proof: finding.proof.as_ref(),
        }
    }

    fn rule(&mut self, found: &'s RuleMatch) -> PageRule {
        let FlowPlace { region, text } = &found.source;
        PageRule {
            rule: self.text(found.rule.id()),
            name: self.text(&found.name),
            title: self.text(found.rule.title()),
            what: self.text(&found.what),
            file: self.text(&region.file),
            line: region.line,
            text: self.text(text),
            advice: self.text(&found.advice),
        }
    }

    fn step(&mut self, step: &'s WitnessStep) -> PageStep {
        PageStep {
            role: step.role,
            file: self.text(&step.region.file),
            line: step.region.line,
            column: step.region.column,
            text: self.text(&step.text),
            source: step.source.as_ref().map(|it| self.source(it)),
        }
    }

    fn graph(&mut self, graph: &'s Graph) -> PageGraph {
        let node = |node: &'s Node, tables: &mut Self| {
            let file = node.file.as_deref().map(|it| tables.text(it));
            let (start, assert) = (u8::from(node.start), u8::from(node.assert));
            (tables.text(&node.text), node.kind, node.line, file, start, assert)
        };
        let edge = |edge: &'s Edge, tables: &mut Self| {
            let cut = edge.cut.as_deref().map(|it| tables.text(it));
            let operation = tables.text(&edge.operation);
            (edge.from, edge.to, operation, edge.kind, edge.line, cut)
        };
        PageGraph {
            nodes: graph.nodes.iter().map(|it| node(it, self)).collect(),
            edges: graph.edges.iter().map(|it| edge(it, self)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made;
    use super::*;

    #[test]
    fn every_text_is_there_once_and_further_findings_are_counted() {
        let mut scan = made::scan();
        let one = scan.findings[0].clone();
        scan.findings = vec![one; MOST_FINDINGS + 3];
        let data = PageData::new(&scan);
        assert_eq!((data.findings.len(), data.left_out), (MOST_FINDINGS, 3));
        assert_eq!(data.texts.iter().filter(|it| **it == made::TEST_FILE).count(), 1);
        assert_eq!(data.sources.len(), 1);
    }
}
