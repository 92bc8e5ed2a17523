//! The dependency graph and contextual paths of a test, as features for models.
//!
//! ```java
//! String text = fetch("url");          // "url" -fetch-> text
//! assertEquals("expected", text);      // text -assertEquals-> text -assertEquals-> "expected"
//! ```
//!
//! Most tests are scored without their paths, so [`GraphFeatures`] stores the sizes and reads the texts on request.

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
    /// The features of a graph with these numbers of nodes and paths. `read` builds the graph on every request.
    pub fn new(nodes: usize, paths: usize, read: impl Fn() -> Graph<'t> + Send + Sync + 't) -> Self {
        Self {
            nodes,
            paths,
            read: Arc::new(read),
        }
    }

    /// The number of graph nodes from which an assertion can be reached.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes
    }

    /// The number of contextual paths of the graph.
    #[must_use]
    pub fn path_count(&self) -> usize {
        self.paths
    }

    /// Builds the dependency graph with its texts and paths. Every call builds it again.
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
    /// The graph's edges between nodes from which an assertion can be reached.
    pub edges: Vec<Edge<'t>>,
    /// The repository's own methods that edges refer to.
    pub methods: Vec<Method<'t>>,
    /// The contextual paths: indices of node, edge, node, ... from `START` to `ASSERT`.
    pub paths: Cow<'t, [Vec<u32>]>,
}

/// A node of a dependency graph: a variable, a literal or a call.
#[derive(Debug, Clone)]
pub struct Node<'t> {
    /// The source text of the graph node, such as the name of a variable.
    pub text: Cow<'t, str>,
    /// The kind of syntax that the graph node represents.
    pub kind: NodeKind,
    /// Whether data begins at the graph node and whether an assertion mentions it.
    pub mark: NodeMark,
    /// The source line of the graph node.
    pub line: u32,
}

/// An edge of a dependency graph: an operation, such as a call, that leads from one node to another.
#[derive(Debug, Clone)]
pub struct Edge<'t> {
    /// Index of the graph node that data comes from.
    pub from: u32,
    /// Index of the graph node that data goes to.
    pub to: u32,
    /// The text of the operation that data passes through, such as the name of the called method.
    pub operation: Cow<'t, str>,
    /// The kind of operation on the edge, such as a method call or an assignment.
    pub kind: OperationKind,
    /// The repository's methods that the operation calls, as indices in [`Graph::methods`]: the declared method, then
    /// its implementations. Empty if it calls none.
    pub methods: Vec<u32>,
}

impl Edge<'_> {
    /// The index in [`Graph::methods`] of the method whose body is read for the edge. An implementation is preferred to
    /// an abstract declaration.
    #[must_use]
    pub fn method(&self) -> Option<u32> {
        self.methods.last().copied()
    }
}

/// The identity of a method among the methods of tests that are encoded together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodKey(pub u64);

/// A method of the repository that a test refers to.
#[derive(Debug, Clone)]
pub struct Method<'t> {
    /// A key that identifies the method among the methods of all tests that are encoded together.
    pub key: MethodKey,
    /// The signature of the method: `package.Class#method(Type,Type)`.
    pub signature: Cow<'t, str>,
    /// The lower-case sub-tokens of the method's body: `get` and `name` for `getName`.
    pub words: MethodWords<'t>,
    /// AST path contexts of the method's body, as in code2vec; empty if they were not requested.
    pub contexts: Vec<PathContext<'t>>,
}

/// The lower-case sub-tokens of a method body, such as `get` and `name` of `getName`: as a list, or as source to be
/// split.
#[derive(Debug, Clone, Copy)]
pub enum MethodWords<'t> {
    /// The source of the method body, to be split into sub-tokens.
    Source(&'t str),
    /// The sub-tokens of the method body in their order.
    Words(TextList<'t>),
}

/// Two terminals of a syntax tree with the path between them, as in code2vec.
#[derive(Debug, Clone)]
pub struct PathContext<'t> {
    /// The text of the terminal of the syntax tree at which the path starts.
    pub from: Cow<'t, str>,
    /// The kinds of syntax nodes on the path between two terminals.
    pub way: Cow<'t, str>,
    /// The text of the terminal of the syntax tree at which the path ends.
    pub to: Cow<'t, str>,
}
