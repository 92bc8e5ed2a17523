//! The dependency graph and contextual paths of a test, as a model may see them.
//!
//! ```java
//! String text = fetch("url");          // "url" -fetch-> text
//! assertEquals("expected", text);      // text -assertEquals-> text -assertEquals-> "expected"
//! ```
//!
//! Most tests are scored without their paths, so [`GraphFeatures`] knows sizes and reads the texts on request.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::graph_kinds::{NodeKind, NodeMark, OperationKind};
use crate::text_list::TextList;

/// The sizes of a dependency graph, and the graph itself on request.
#[derive(Clone)]
pub struct GraphFeatures<'t> {
    nodes: usize,
    paths: usize,
    read: Arc<dyn Fn() -> Graph<'t> + Send + Sync + 't>,
}

impl<'t> GraphFeatures<'t> {
    /// A graph of `nodes` and `paths` that `read` makes whenever somebody asks for it.
    pub fn new(nodes: usize, paths: usize, read: impl Fn() -> Graph<'t> + Send + Sync + 't) -> Self {
        Self {
            nodes,
            paths,
            read: Arc::new(read),
        }
    }

    /// The number of nodes from which an assertion can be reached.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes
    }

    /// The number of contextual paths.
    #[must_use]
    pub fn path_count(&self) -> usize {
        self.paths
    }

    /// The whole graph. Every call makes it anew.
    #[must_use]
    pub fn read(&self) -> Graph<'t> {
        (self.read)()
    }
}

impl<'t> From<Graph<'t>> for GraphFeatures<'t> {
    fn from(graph: Graph<'t>) -> Self {
        Self::new(graph.nodes.len(), graph.paths.len(), move || graph.clone())
    }
}

impl Default for GraphFeatures<'_> {
    fn default() -> Self {
        Graph::default().into()
    }
}

impl fmt::Debug for GraphFeatures<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("GraphFeatures")
            .field("nodes", &self.nodes)
            .field("paths", &self.paths)
            .finish_non_exhaustive()
    }
}

/// A dependency graph with its contextual paths.
#[derive(Debug, Clone, Default)]
pub struct Graph<'t> {
    /// The nodes from which an assertion can be reached, in the order of evaluation.
    pub nodes: Vec<Node<'t>>,
    /// The edges between these nodes.
    pub edges: Vec<Edge<'t>>,
    /// The repository's own methods that edges refer to.
    pub methods: Vec<Method<'t>>,
    /// The contextual paths: indices of node, edge, node, ... from `START` to `ASSERT`.
    pub paths: Cow<'t, [Vec<u32>]>,
}

/// A node of a dependency graph.
#[derive(Debug, Clone)]
pub struct Node<'t> {
    /// The text of the node in the source.
    pub text: Cow<'t, str>,
    /// What the node stands for.
    pub kind: NodeKind,
    /// Whether data begins at the node and whether an assertion mentions it.
    pub mark: NodeMark,
    /// The line of the node.
    pub line: u32,
}

/// An edge of a dependency graph.
#[derive(Debug, Clone)]
pub struct Edge<'t> {
    /// Index of the node that data comes from.
    pub from: u32,
    /// Index of the node that data goes to.
    pub to: u32,
    /// The text of the operation that data passes through.
    pub operation: Cow<'t, str>,
    /// The kind of operation.
    pub kind: OperationKind,
    /// Indices in [`Graph::methods`] of the code under test behind the operation: the declared method, then its
    /// implementations. Empty for other operations.
    pub methods: Vec<u32>,
}

impl Edge<'_> {
    /// Index of the method whose body is read for the edge. An implementation says more than an abstract declaration.
    #[must_use]
    pub fn method(&self) -> Option<u32> {
        self.methods.last().copied()
    }
}

/// Identifies a method among those of tests that are encoded together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodKey(pub u64);

/// A method of the repository that a test refers to.
#[derive(Debug, Clone)]
pub struct Method<'t> {
    /// The identity of the method.
    pub key: MethodKey,
    /// `package.Class#method(Type,Type)`.
    pub signature: Cow<'t, str>,
    /// The words of its body.
    pub words: MethodWords<'t>,
    /// AST path contexts of its body; empty where nobody asked for them.
    pub contexts: Vec<PathContext<'t>>,
}

/// The lower-case sub-tokens of a method body.
#[derive(Debug, Clone, Copy)]
pub enum MethodWords<'t> {
    /// The source of the body, to be split into sub-tokens.
    Source(&'t str),
    /// The sub-tokens in their order.
    Words(TextList<'t>),
}

/// Two terminals of a syntax tree with the way between them, as code2vec has it.
#[derive(Debug, Clone)]
pub struct PathContext<'t> {
    /// The terminal at which the way begins.
    pub from: Cow<'t, str>,
    /// The kinds of syntax nodes on the way.
    pub way: Cow<'t, str>,
    /// The terminal at which the way ends.
    pub to: Cow<'t, str>,
}
