//! The dependency graph of a finding and its contextual paths.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A contextual path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Path {
    /// The share of the network's attention that the path got; absent where the model did not read paths.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) attention: Option<f32>,
    /// The nodes of the path, as indices into the graph.
    pub(crate) nodes: Vec<usize>,
    /// The edges of the path, as indices into the graph.
    pub(crate) edges: Vec<usize>,
}

/// A dependency graph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Graph {
    /// Variables, literals and calls, in the order of evaluation.
    pub(crate) nodes: Vec<Node>,
    /// Dependencies between nodes.
    pub(crate) edges: Vec<Edge>,
}

/// A node of a dependency graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Node {
    /// The source text of the node.
    pub(crate) text: String,
    /// What the node stands for.
    pub(crate) kind: NodeKind,
    /// The line of the node.
    pub(crate) line: u32,
    /// The file of the node, where it is not that of the test.
    pub(crate) file: Option<String>,
    /// Whether a contextual path starts at the node.
    pub(crate) start: bool,
    /// Whether an assertion reads the node.
    pub(crate) assert: bool,
}

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NodeKind {
    /// A variable or field.
    Variable,
    /// A literal.
    Literal,
    /// A call, construction or method reference whose value is used.
    Call,
}

/// An edge of a dependency graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Edge {
    /// The node that the data comes from, as an index.
    pub(crate) from: usize,
    /// The node that the data goes to, as an index.
    pub(crate) to: usize,
    /// The operation: an operator, the name of a method, ...
    pub(crate) operation: String,
    /// The kind of the operation.
    pub(crate) kind: EdgeKind,
    /// The line of the operation.
    pub(crate) line: u32,
    /// The method of the repository that the operation calls, or its type where the method is not known.
    pub(crate) cut: Option<String>,
}

/// The kind of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EdgeKind {
    /// An assignment, or an argument that is bound to a parameter.
    Assign,
    /// A method call.
    Call,
    /// A construction of an object or array.
    Construct,
    /// An operator, `? :` or `switch`.
    Operator,
    /// `array[index]`.
    Index,
    /// `object.field`.
    Field,
    /// A cast or `instanceof`.
    Cast,
    /// The elements of an iteration.
    Iterate,
    /// An assertion.
    Assert,
    /// No data: the source happens before the assertion at the other end.
    Order,
}
