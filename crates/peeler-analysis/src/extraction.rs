//! What the analysis says about one test, free of internal identifiers: the graph that leads to its
//! assertions, and its contextual paths.
//!
//! Texts are slices of the source with runs of white space folded; very long ones end in `…`.

use std::borrow::Cow;
use std::time::Duration;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::analysis::TestCase;
use crate::cut::{CutMethodId, CutReference, FEW_IMPLEMENTATIONS};
use crate::discovery::DiscoveredTest;
use crate::graph::{Cut, Graph, IMPLICIT, NodeKind, OperationKind};
use crate::paths::ContextualPaths;
use crate::repository::narrow;
use crate::symbols::index::{FileId, Index, MethodId};

/// Longer texts of nodes are shortened.
const MAX_TEXT: usize = 400;

/// Everything about one test.
#[derive(Debug)]
pub struct Extraction<'i> {
    /// The test.
    pub case: TestCase,
    /// Its assertions in the order in which they are reached.
    pub assertions: Vec<AssertionView<'i>>,
    /// The nodes from which an assertion can be reached, in the order of evaluation.
    pub nodes: Vec<NodeView<'i>>,
    /// The edges between them.
    pub edges: Vec<EdgeView<'i>>,
    /// The repository's own methods that edges refer to.
    pub cut_methods: Vec<CutReference>,
    /// The contextual paths.
    pub paths: Vec<PathView>,
    /// How many simple paths were not kept.
    pub dropped_paths: u64,
    /// What was left out.
    pub problems: Vec<&'static str>,
    /// How long graph and paths took.
    pub took: Duration,
    pub(crate) test: DiscoveredTest,
    /// Where the nodes stand.
    pub(crate) node_spans: Vec<Span>,
    /// Where the operations of the edges stand.
    pub(crate) edge_places: Vec<(FileId, u32)>,
}

/// A stretch of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) file: FileId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// One assertion.
#[derive(Debug, Clone, Serialize)]
pub struct AssertionView<'i> {
    /// Its line.
    pub line: u32,
    /// Its file, where it is not the test's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'i str>,
    /// The family of the catalogue; `implicit` when nobody wrote one.
    pub family: &'static str,
    /// As written.
    pub text: Cow<'i, str>,
}

/// A node of the dependency graph.
#[derive(Debug, Clone, Serialize)]
pub struct NodeView<'i> {
    /// As written.
    pub text: Cow<'i, str>,
    /// What it stands for.
    pub kind: NodeKind,
    /// Its line.
    pub line: u32,
    /// Its file, where it is not the test's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'i str>,
    /// Data begins here.
    #[serde(skip_serializing_if = "is_false")]
    pub start: bool,
    /// It appears in an assertion.
    #[serde(skip_serializing_if = "is_false")]
    pub assert: bool,
}

/// An edge of the dependency graph.
#[derive(Debug, Clone, Serialize)]
pub struct EdgeView<'i> {
    /// Index of the node that the data comes from.
    pub from: usize,
    /// Index of the node that it goes to.
    pub to: usize,
    /// The operation it passes through.
    pub operation: Cow<'i, str>,
    /// What kind of operation that is.
    pub kind: OperationKind,
    /// The line of the operation.
    pub line: u32,
    /// The code under test behind the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutView>,
}

/// How an edge refers to the repository's own code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CutView {
    /// Resolved: indices into the test's `cut_methods`.
    Resolved {
        /// The method or constructor that the call names.
        declaration: usize,
        /// The bodies behind it, where it is abstract and they are few.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        implementations: Vec<usize>,
    },
    /// Only the type is known: an implicit constructor, or an overload that was not found.
    Type(String),
}

/// A contextual path: indices of a node, an edge, a node, ... from `START` to `ASSERT`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PathView {
    /// Nodes at even places, edges at odd ones.
    pub elements: Vec<usize>,
}

impl PathView {
    /// The nodes of the path in order.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.elements.iter().copied().step_by(2)
    }

    /// The edges of the path in order.
    pub fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        self.elements.iter().copied().skip(1).step_by(2)
    }
}

// serde asks for a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

impl<'i> Extraction<'i> {
    pub(crate) fn new<'r: 'i>(
        index: &'i Index<'r>,
        test: DiscoveredTest,
        case: TestCase,
        graph: &Graph<'r>,
        paths: &ContextualPaths,
        problems: &[&'static str],
    ) -> Self {
        let mut view = View {
            index,
            test_file: case.file.clone(),
            cut_methods: Vec::new(),
            cut_places: FxHashMap::default(),
        };
        let relevant = leads_to_assertion(graph);
        let mut has_input = vec![false; graph.nodes.len()];
        for edge in &graph.edges {
            has_input[edge.to.0 as usize] = true;
        }
        let mut new_place = vec![usize::MAX; graph.nodes.len()];
        let mut nodes = Vec::new();
        let mut node_spans = Vec::new();
        for (at, node) in graph.nodes.iter().enumerate().filter(|(at, _)| relevant[*at]) {
            new_place[at] = nodes.len();
            node_spans.push(view.span(node.file, node.at, node.text));
            nodes.push(NodeView {
                text: folded(node.text),
                kind: node.kind,
                line: view.line(node.file, node.at),
                file: view.other_file(node.file),
                start: !has_input[at],
                assert: node.is_assert,
            });
        }
        let mut edge_place = vec![usize::MAX; graph.edges.len()];
        let mut edges = Vec::new();
        let mut edge_places = Vec::new();
        for (at, edge) in graph.edges.iter().enumerate() {
            if !relevant[edge.to.0 as usize] || !relevant[edge.from.0 as usize] {
                continue;
            }
            edge_place[at] = edges.len();
            edge_places.push((edge.operation.file, edge.operation.at));
            edges.push(EdgeView {
                from: new_place[edge.from.0 as usize],
                to: new_place[edge.to.0 as usize],
                operation: folded_operation(&edge.operation.text),
                kind: edge.operation.kind,
                line: view.line(edge.operation.file, edge.operation.at),
                cut: view.cut(edge.operation.cut),
            });
        }
        let paths_view = paths
            .paths
            .iter()
            .map(|path| {
                let mut elements = vec![new_place[path.first.0 as usize]];
                for &edge in &path.edges {
                    elements.push(edge_place[edge as usize]);
                    elements.push(new_place[graph.edges[edge as usize].to.0 as usize]);
                }
                PathView { elements }
            })
            .collect();
        let assertions = graph
            .assertions
            .iter()
            .map(|assertion| AssertionView {
                line: view.line(assertion.file, assertion.at),
                file: view.other_file(assertion.file),
                family: assertion.family,
                text: folded(assertion.text),
            })
            .collect();
        Self {
            case,
            assertions,
            nodes,
            edges,
            cut_methods: view.cut_methods,
            paths: paths_view,
            dropped_paths: paths.dropped,
            problems: problems.to_vec(),
            took: Duration::ZERO,
            test,
            node_spans,
            edge_places,
        }
    }

    /// Whether somebody wrote an assertion.
    #[must_use]
    pub fn has_explicit_assertion(&self) -> bool {
        self.assertions.iter().any(|it| it.family != IMPLICIT)
    }
}

struct View<'i, 'r> {
    index: &'i Index<'r>,
    test_file: String,
    cut_methods: Vec<CutReference>,
    cut_places: FxHashMap<MethodId, usize>,
}

impl<'i> View<'i, '_> {
    fn line(&self, file: FileId, at: u32) -> u32 {
        self.index.source(file).line(at)
    }

    /// Where the text of a node stands. A call is *at* its name, its text begins with its receiver; a text that
    /// nobody wrote in this file has no width.
    fn span(&self, file: FileId, at: u32, text: &str) -> Span {
        let source = self.index.source(file).text().as_bytes().as_ptr_range();
        let own = text.as_bytes().as_ptr_range();
        let is_inside = source.start <= own.start && own.end <= source.end;
        let (start, end) = if is_inside {
            let start = own.start.addr() - source.start.addr();
            (narrow(start), narrow(start + text.len()))
        } else {
            (at, at)
        };
        Span { file, start, end }
    }

    fn other_file(&self, file: FileId) -> Option<&'i str> {
        let path = self.index.source(file).path();
        (path != self.test_file).then_some(path)
    }

    fn place(&mut self, method: MethodId) -> usize {
        if let Some(&known) = self.cut_places.get(&method) {
            return known;
        }
        let place = self.cut_methods.len();
        self.cut_places.insert(method, place);
        self.cut_methods
            .push(CutReference::new(self.index, CutMethodId(method)));
        place
    }

    fn cut(&mut self, cut: Cut) -> Option<CutView> {
        match cut {
            Cut::No => None,
            Cut::Type(id) => Some(CutView::Type(self.index.binary_name(id))),
            Cut::Method(method) => {
                let implementations = self.index.implementations(method, FEW_IMPLEMENTATIONS);
                Some(CutView::Resolved {
                    declaration: self.place(method),
                    implementations: implementations.iter().map(|it| self.place(*it)).collect(),
                })
            }
        }
    }
}

/// Which nodes lead to an assertion. Loop-carried edges count, so this walks until nothing changes.
fn leads_to_assertion(graph: &Graph<'_>) -> Vec<bool> {
    let mut incoming = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        incoming[edge.to.0 as usize].push(edge.from);
    }
    let mut relevant = vec![false; graph.nodes.len()];
    let mut pending: Vec<usize> = (0..graph.nodes.len()).filter(|at| graph.nodes[*at].is_assert).collect();
    while let Some(at) = pending.pop() {
        if !std::mem::replace(&mut relevant[at], true) {
            pending.extend(incoming[at].iter().map(|it| it.0 as usize));
        }
    }
    relevant
}

fn folded_operation<'r>(text: &Cow<'r, str>) -> Cow<'r, str> {
    match text {
        Cow::Borrowed(text) => folded(text),
        Cow::Owned(text) => Cow::Owned(folded(text).into_owned()),
    }
}

/// The text on one line.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    let is_short = text.len() <= MAX_TEXT;
    let is_flat = !text.bytes().any(|byte| byte < b' ') && !text.contains("  ");
    if is_short && is_flat {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len().min(MAX_TEXT + 4));
    let mut in_space = false;
    for character in text.chars() {
        if character.is_whitespace() {
            in_space = true;
            continue;
        }
        if folded.len() >= MAX_TEXT {
            folded.push('…');
            break;
        }
        if std::mem::take(&mut in_space) && !folded.is_empty() {
            folded.push(' ');
        }
        folded.push(character);
    }
    Cow::Owned(folded)
}
