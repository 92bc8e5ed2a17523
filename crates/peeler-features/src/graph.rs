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
    /// The repository's own methods that operations on the graph's edges may call.
    pub methods: Vec<Method<'t>>,
    /// The contextual paths: indices of node, edge, node, ... from `START` to `ASSERT`.
    pub paths: Cow<'t, [Vec<u32>]>,
}

/// A node of a dependency graph: a variable, a literal or a call.
#[derive(Debug, Clone)]
pub struct Node<'t> {
    /// The source text of the graph node, such as the name of a variable.
    pub text: Cow<'t, str>,
    /// What the graph node stands for: a variable, a literal or a call.
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
    /// The repository's methods that the operation on the edge may call, as indices in [`Graph::methods`]. The declared
    /// method comes first, then its implementations. Empty if no such method is known.
    pub methods: Vec<u32>,
}

impl Edge<'_> {
    /// The one method that the encoder takes as the method that this edge calls, as an index in [`Graph::methods`].
    ///
    /// It is the last implementation of the called method, or the called method itself if no implementation is listed.
    /// `None` if the edge calls no known method of the repository.
    #[must_use]
    pub fn method(&self) -> Option<u32> {
        self.methods.last().copied()
    }
}

/// The identity of a method among the methods of tests that are encoded together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodKey(pub u64);

/// A method of the repository that an edge of a test's dependency graph may call.
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
    /// The kinds of the syntax nodes on the path between the two terminals. `a^b_c` goes up from `a` to `b`, then down
    /// to `c`.
    pub way: Cow<'t, str>,
    /// The text of the terminal of the syntax tree at which the path ends.
    pub to: Cow<'t, str>,
}
