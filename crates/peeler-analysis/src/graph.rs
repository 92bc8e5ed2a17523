//! The test dependency graph: what flows where in one test, from its sources to its assertions.
//!
//! A node is a variable (one node for each definition), a literal, or a call whose value is used; an
//! edge is one transfer of data with the operation that makes it. `START` marks where data begins: a
//! literal, or something at its first appearance that nothing flows into. `ASSERT` marks what appears
//! in an assertion.
//!
//! ```java
//! String text = fetch("url");          // "url" -fetch-> text
//! assertEquals("expected", text);      // text -assertEquals-> text -assertEquals-> "expected"
//! ```
//!
//! Inside an assertion data runs from the actual value to the expected one, so a path ends with what
//! the value is compared to.
//!
//! Invariant: nodes are numbered in the order in which they are evaluated. An edge to a lower number
//! is carried around a loop; without those edges the graph has no cycle. There are no self-loops and
//! no two edges with the same ends and operation.

use std::borrow::Cow;

pub use peeler_features::{NodeKind, OperationKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::symbols::index::{FileId, MethodId, TypeId};

/// Index of a node in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

#[derive(Debug, Clone)]
pub(crate) struct Node<'r> {
    /// As written in the source, white space included.
    pub(crate) text: &'r str,
    pub(crate) file: FileId,
    pub(crate) at: u32,
    pub(crate) kind: NodeKind,
    pub(crate) is_assert: bool,
}

/// What is known about the repository's own method behind an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Cut {
    /// Not code of the repository, or not known to be.
    #[default]
    No,
    /// A method or constructor of the repository.
    Method(MethodId),
    /// The owner is a type of the repository, the method is not among its declarations.
    Type(TypeId),
}

#[derive(Debug, Clone)]
pub(crate) struct Operation<'r> {
    pub(crate) text: Cow<'r, str>,
    pub(crate) kind: OperationKind,
    pub(crate) file: FileId,
    pub(crate) at: u32,
    pub(crate) cut: Cut,
}

#[derive(Debug, Clone)]
pub(crate) struct Edge<'r> {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) operation: Operation<'r>,
}

/// One assertion, whatever its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Assertion<'r> {
    pub(crate) file: FileId,
    pub(crate) at: u32,
    pub(crate) end: u32,
    /// The family of the catalogue, or `implicit`.
    pub(crate) family: &'static str,
    pub(crate) text: &'r str,
}

/// The family of assertions that nobody wrote: the test fails when its last effects throw.
pub(crate) const IMPLICIT: &str = "implicit";

/// Where a node comes from: evaluating the same place again, as a loop does, gives the same node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// Which chain of followed calls the place was reached through.
    pub(crate) context: u32,
    pub(crate) file: FileId,
    pub(crate) at: u32,
    pub(crate) kind: NodeKind,
    /// Tells apart what one place can produce: a definition, its occurrence in an assertion.
    pub(crate) variant: u8,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Graph<'r> {
    pub(crate) nodes: Vec<Node<'r>>,
    pub(crate) edges: Vec<Edge<'r>>,
    pub(crate) assertions: Vec<Assertion<'r>>,
    places: FxHashMap<Place, NodeId>,
    /// Where the operations between two nodes stand.
    known_edges: FxHashMap<(NodeId, NodeId), SmallVec<[u32; 1]>>,
}

impl<'r> Graph<'r> {
    /// The node of a place, made when it is new.
    pub(crate) fn node_at(&mut self, place: Place, text: &'r str) -> NodeId {
        let next = NodeId(u32::try_from(self.nodes.len()).expect("graphs are bounded"));
        let id = *self.places.entry(place).or_insert(next);
        if id == next {
            self.nodes.push(Node {
                text,
                file: place.file,
                at: place.at,
                kind: place.kind,
                is_assert: false,
            });
        }
        id
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<'r> {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn mark_assert(&mut self, id: NodeId) {
        self.nodes[id.0 as usize].is_assert = true;
    }

    /// Adds an edge unless it would be a self-loop or is there already.
    pub(crate) fn connect(&mut self, from: NodeId, to: NodeId, operation: &Operation<'r>) {
        if from == to {
            return;
        }
        let known = self.known_edges.entry((from, to)).or_default();
        if !known.contains(&operation.at) {
            known.push(operation.at);
            self.edges.push(Edge {
                from,
                to,
                operation: operation.clone(),
            });
        }
    }

    /// Whether an edge leads from the node to another `ASSERT` node.
    pub(crate) fn passes_on(&self, id: NodeId) -> bool {
        self.edges
            .iter()
            .rev()
            .take(64)
            .any(|it| it.from == id && self.node(it.to).is_assert)
    }

    pub(crate) fn is_connected(&self, from: NodeId, to: NodeId) -> bool {
        self.known_edges.contains_key(&(from, to))
    }
}
