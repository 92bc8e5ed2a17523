//! [`Extraction`]: the result of the analysis for one test, without internal identifiers. It has the dependency graph
//! that leads to the assertions, and the contextual paths.
//!
//! Texts are slices of the source in which runs of white space became one space; very long texts end in `…`.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::code_under_test::{CutMethodId, CutReference};
use crate::graph::{Cut, IMPLICIT, Node, NodeId, NodeKind, OperationKind};
use crate::symbols::ids::{FileId, MethodId};
use crate::symbols::index::Index;
use crate::test_case::TestCase;
use crate::text_range::TextRange;
use crate::traced::TracedTest;

/// The maximum length in bytes of a source text of a graph node, edge or assertion; longer texts are shortened.
const MAX_TEXT: usize = 400;

/// The dependency graph and the contextual paths of one test, with texts and lines instead of internal identifiers.
#[derive(Debug)]
pub struct Extraction<'t> {
    /// The test that the graph and paths belong to.
    pub case: &'t TestCase,
    /// The assertions of the test, in the order in which the abstract run of the test reaches them.
    pub assertions: Vec<AssertionView<'t>>,
    /// The nodes of the dependency graph from which an assertion can be reached, in the order of evaluation.
    pub nodes: Vec<NodeView<'t>>,
    /// The edges of the dependency graph between nodes from which an assertion can be reached.
    pub edges: Vec<EdgeView<'t>>,
    /// The methods of the repository that operations on edges of the dependency graph call.
    pub cut_methods: Vec<CutReference>,
    /// The contextual paths of the test, from a `START` node to an `ASSERT` node of its graph.
    pub paths: Vec<PathView>,
    /// The number of paths of the graph from `START` to `ASSERT` that were not kept as contextual paths. Paths over
    /// loop-carried edges are not counted.
    pub dropped_paths: u64,
    /// The number of graph nodes that were left out because the graph reached its maximum size.
    pub dropped_nodes: usize,
    /// Messages about code that was left out, that has syntax errors, or whose branches could not be kept apart.
    pub problems: &'t [&'static str],
    /// The ranges of bytes that the nodes of the graph have in their files.
    pub(crate) node_spans: Vec<Span>,
}

/// A range of bytes in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) file: FileId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// The range of the source text of a graph node. It can start before the node's position: a call is at its method's
    /// name, its text starts with the receiver. A text that does not occur in the file has an empty range.
    pub(crate) fn of(index: &Index<'_>, node: &Node<'_>) -> Self {
        let file = node.file;
        let range = TextRange::of_slice(index.source(file).text(), node.text);
        let TextRange { start, end } = range.unwrap_or(TextRange::empty(node.at));
        Self { file, start, end }
    }
}

/// An assertion of a test, with its source text and line.
#[derive(Debug, Clone, Serialize)]
pub struct AssertionView<'i> {
    /// The line of the assertion in its file.
    pub line: u32,
    /// The file of the assertion; `None` if it is the file of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'i str>,
    /// The family of the assertion: its group in the catalogue, such as `junit`, or another kind, such as `throw` for a
    /// thrown error. `implicit` in a test without assertions, which implicitly asserts that nothing is thrown.
    pub family: &'static str,
    /// The source text of the assertion.
    pub text: Cow<'i, str>,
}

/// A node of the dependency graph of a test.
#[derive(Debug, Clone, Serialize)]
pub struct NodeView<'i> {
    /// The source text of the graph node.
    pub text: Cow<'i, str>,
    /// The kind of syntax that the graph node represents: a variable, a literal or a call.
    pub kind: NodeKind,
    /// The line of the graph node in its file.
    pub line: u32,
    /// The file of the graph node; `None` if it is the file of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'i str>,
    /// Whether data begins at this graph node (`START`).
    #[serde(skip_serializing_if = "is_false")]
    pub start: bool,
    /// Whether the graph node appears in an assertion (`ASSERT`).
    #[serde(skip_serializing_if = "is_false")]
    pub assert: bool,
}

/// An edge of the dependency graph of a test: data that flows from one node to another.
#[derive(Debug, Clone, Serialize)]
pub struct EdgeView<'i> {
    /// Index of the graph node that the data comes from.
    pub from: usize,
    /// Index of the graph node that the data goes to.
    pub to: usize,
    /// The name of the operation that the data on the edge passes through, such as a called method.
    pub operation: Cow<'i, str>,
    /// The kind of the edge's operation, such as a call or an assignment.
    pub kind: OperationKind,
    /// The line of the edge's operation in its file.
    pub line: u32,
    /// The method or type of the repository that the edge's operation calls, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutView>,
}

/// The code of the repository that the operation on a graph edge calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CutView {
    /// The called method is known. It is given by indices into [`Extraction::cut_methods`].
    Resolved {
        /// The method or constructor that the call names, as an index into [`Extraction::cut_methods`].
        declaration: usize,
        /// The implementations of an abstract method, as indices into [`Extraction::cut_methods`]; empty if there are
        /// too many.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        implementations: Vec<usize>,
    },
    /// The called method is not known, only its class: for an implicit constructor, or an overload that was not found.
    Type(String),
}

/// A contextual path: the indices of a node, an edge, a node, and so on, from a `START` node to an `ASSERT` node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PathView {
    /// The elements of a contextual path: indices of nodes at even positions, indices of edges at odd positions.
    pub elements: Vec<usize>,
}

impl PathView {
    /// The indices of the nodes of the contextual path, from `START` to `ASSERT`.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.elements.iter().copied().step_by(2)
    }

    /// The indices of the edges of the contextual path, from `START` to `ASSERT`.
    pub fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        self.elements.iter().copied().skip(1).step_by(2)
    }
}

// serde requires a function that takes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

impl<'t> Extraction<'t> {
    /// Turns the dependency graph and contextual paths of a test into texts, lines and indices.
    pub(crate) fn new(index: &'t Index<'_>, traced: &'t TracedTest<'_>) -> Self {
        let mut view = View {
            index,
            test_file: &traced.case.file,
            cut_methods: Vec::new(),
            cut_positions: FxHashMap::default(),
        };
        let mut has_input = vec![false; traced.nodes.len()];
        for edge in &traced.edges {
            has_input[edge.to.0 as usize] = true;
        }
        // Positions among the relevant nodes and edges; `None` for all others.
        let mut node_position: Vec<Option<usize>> = vec![None; traced.nodes.len()];
        let mut nodes = Vec::new();
        let mut node_spans = Vec::new();
        let is_relevant = |at: usize| traced.is_relevant[at];
        for (at, node) in traced.nodes.iter().enumerate().filter(|(at, _)| is_relevant(*at)) {
            node_position[at] = Some(nodes.len());
            node_spans.push(Span::of(index, node));
            nodes.push(NodeView {
                text: folded(node.text),
                kind: node.kind,
                line: view.line(node.file, node.at),
                file: view.other_file(node.file),
                start: !has_input[at],
                assert: node.is_assert,
            });
        }
        let mut edge_position: Vec<Option<usize>> = vec![None; traced.edges.len()];
        let mut edges = Vec::new();
        for (at, edge) in traced.edges.iter().enumerate() {
            let ends = (node_position[edge.from.0 as usize], node_position[edge.to.0 as usize]);
            let (Some(from), Some(to)) = ends else { continue };
            edge_position[at] = Some(edges.len());
            edges.push(EdgeView {
                from,
                to,
                operation: folded(&edge.operation.text),
                kind: edge.operation.kind,
                line: view.line(edge.operation.file, edge.operation.at),
                cut: view.cut(edge.operation.cut),
            });
        }
        let paths = traced.paths.paths.iter().map(|path| {
            let node = |id: NodeId| node_position[id.0 as usize].expect("nodes of paths lead to an assertion");
            let mut elements = vec![node(path.first)];
            for &edge in &path.edges {
                elements.push(edge_position[edge as usize].expect("both ends of the edge lead to an assertion"));
                elements.push(node(traced.edges[edge as usize].to));
            }
            PathView { elements }
        });
        let assertions = traced.assertions.iter().map(|assertion| AssertionView {
            line: view.line(assertion.file, assertion.at),
            file: view.other_file(assertion.file),
            family: assertion.family,
            text: folded(assertion.text),
        });
        Self {
            case: &traced.case,
            assertions: assertions.collect(),
            nodes,
            edges,
            paths: paths.collect(),
            dropped_paths: traced.paths.dropped,
            dropped_nodes: traced.dropped_nodes,
            problems: &traced.problems,
            node_spans,
            cut_methods: view.cut_methods,
        }
    }

    /// Whether the test contains an assertion in its code, rather than only the implicit one that nothing is thrown.
    #[must_use]
    pub fn has_explicit_assertion(&self) -> bool {
        self.assertions.iter().any(|it| it.family != IMPLICIT)
    }
}

/// Translates internal identifiers of files and methods into lines, paths and references for an [`Extraction`].
struct View<'i, 'r> {
    index: &'i Index<'r>,
    test_file: &'i str,
    cut_methods: Vec<CutReference>,
    cut_positions: FxHashMap<MethodId, usize>,
}

impl<'i> View<'i, '_> {
    /// The line of a byte offset in a file.
    fn line(&self, file: FileId, at: u32) -> u32 {
        self.index.source(file).line(at)
    }

    /// The path of a file relative to the root of the repository; `None` for the file of the test.
    fn other_file(&self, file: FileId) -> Option<&'i str> {
        let path = self.index.source(file).path();
        (path != self.test_file).then_some(path)
    }

    /// The index of a method in the list of methods that the [`Extraction`] will refer to. A method that is not in the
    /// list yet is appended.
    fn method_position(&mut self, method: MethodId) -> usize {
        if let Some(&known) = self.cut_positions.get(&method) {
            return known;
        }
        let position = self.cut_methods.len();
        self.cut_positions.insert(method, position);
        self.cut_methods
            .push(CutReference::new(self.index, CutMethodId(method)));
        position
    }

    /// Translates the code that a graph edge calls into indices and names; `None` if the repository does not declare
    /// it.
    fn cut(&mut self, cut: Cut) -> Option<CutView> {
        match cut {
            Cut::No => None,
            Cut::Type(id) => Some(CutView::Type(self.index.binary_name(id))),
            Cut::Method(method) => {
                let implementations = self.index.implementations(method);
                Some(CutView::Resolved {
                    declaration: self.method_position(method),
                    implementations: implementations.iter().map(|it| self.method_position(*it)).collect(),
                })
            }
        }
    }
}

/// A text with each run of white space turned into one space, shortened if it is very long.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    let is_short = text.len() <= MAX_TEXT;
    let mut before = 0;
    let is_flat = text.bytes().all(|byte| {
        let is_second_space = byte == b' ' && before == b' ';
        before = byte;
        byte >= b' ' && !is_second_space
    });
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
