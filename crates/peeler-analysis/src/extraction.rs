//! What the analysis says about one test, free of internal identifiers: the graph that leads to its
//! assertions, and its contextual paths.
//!
//! Texts are slices of the source with runs of white space folded; very long ones end in `…`.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::analysis::TestCase;
use crate::cut::{CutMethodId, CutReference};
use crate::graph::{Cut, IMPLICIT, Node, NodeKind, OperationKind};
use crate::repository::narrow;
use crate::symbols::index::{FileId, Index, MethodId};
use crate::traced::TracedTest;

/// Longer texts of nodes are shortened.
const MAX_TEXT: usize = 400;

/// Everything about one test.
#[derive(Debug)]
pub struct Extraction<'t> {
    /// The test.
    pub case: &'t TestCase,
    /// Its assertions in the order in which they are reached.
    pub assertions: Vec<AssertionView<'t>>,
    /// The nodes from which an assertion can be reached, in the order of evaluation.
    pub nodes: Vec<NodeView<'t>>,
    /// The edges between them.
    pub edges: Vec<EdgeView<'t>>,
    /// The repository's own methods that edges refer to.
    pub cut_methods: Vec<CutReference>,
    /// The contextual paths.
    pub paths: Vec<PathView>,
    /// How many simple paths were not kept.
    pub dropped_paths: u64,
    /// How many nodes were left out because the graph was full.
    pub dropped_nodes: usize,
    /// What was left out.
    pub problems: &'t [&'static str],
    /// Where the nodes stand.
    pub(crate) node_spans: Vec<Span>,
}

/// A stretch of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) file: FileId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// Where the text of a node stands. A call is *at* its name, its text begins with its receiver; a text that
    /// nobody wrote in this file has no width.
    pub(crate) fn of(index: &Index<'_>, node: &Node<'_>) -> Self {
        let file = node.file;
        let source = index.source(file).text().as_bytes().as_ptr_range();
        let own = node.text.as_bytes().as_ptr_range();
        let is_inside = source.start <= own.start && own.end <= source.end;
        let (start, end) = if is_inside {
            let start = own.start.addr() - source.start.addr();
            (narrow(start), narrow(start + node.text.len()))
        } else {
            (node.at, node.at)
        };
        Self { file, start, end }
    }
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

impl<'t> Extraction<'t> {
    pub(crate) fn new(index: &'t Index<'_>, traced: &'t TracedTest<'_>) -> Self {
        let mut view = View {
            index,
            test_file: &traced.case.file,
            cut_methods: Vec::new(),
            cut_places: FxHashMap::default(),
        };
        let mut has_input = vec![false; traced.nodes.len()];
        for edge in &traced.edges {
            has_input[edge.to.0 as usize] = true;
        }
        let mut new_place = vec![usize::MAX; traced.nodes.len()];
        let mut nodes = Vec::new();
        let mut node_spans = Vec::new();
        let is_relevant = |at: usize| traced.is_relevant[at];
        for (at, node) in traced.nodes.iter().enumerate().filter(|(at, _)| is_relevant(*at)) {
            new_place[at] = nodes.len();
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
        let mut edge_place = vec![usize::MAX; traced.edges.len()];
        let mut edges = Vec::new();
        for (at, edge) in traced.edges.iter().enumerate() {
            if !is_relevant(edge.to.0 as usize) || !is_relevant(edge.from.0 as usize) {
                continue;
            }
            edge_place[at] = edges.len();
            edges.push(EdgeView {
                from: new_place[edge.from.0 as usize],
                to: new_place[edge.to.0 as usize],
                operation: folded(&edge.operation.text),
                kind: edge.operation.kind,
                line: view.line(edge.operation.file, edge.operation.at),
                cut: view.cut(edge.operation.cut),
            });
        }
        let paths = traced.paths.paths.iter().map(|path| {
            let mut elements = vec![new_place[path.first.0 as usize]];
            for &edge in &path.edges {
                elements.push(edge_place[edge as usize]);
                elements.push(new_place[traced.edges[edge as usize].to.0 as usize]);
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

    /// Whether somebody wrote an assertion.
    #[must_use]
    pub fn has_explicit_assertion(&self) -> bool {
        self.assertions.iter().any(|it| it.family != IMPLICIT)
    }
}

struct View<'i, 'r> {
    index: &'i Index<'r>,
    test_file: &'i str,
    cut_methods: Vec<CutReference>,
    cut_places: FxHashMap<MethodId, usize>,
}

impl<'i> View<'i, '_> {
    fn line(&self, file: FileId, at: u32) -> u32 {
        self.index.source(file).line(at)
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
                let implementations = self.index.implementations(method);
                Some(CutView::Resolved {
                    declaration: self.place(method),
                    implementations: implementations.iter().map(|it| self.place(*it)).collect(),
                })
            }
        }
    }
}

/// The text on one line.
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
