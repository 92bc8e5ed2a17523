//! The test dependency graph: how data flows in one test, from its sources to its assertions.
//!
//! A node is a variable (one node for each definition), a literal, or a call whose value is used. An edge is one
//! transfer of data, with its operation. `START` marks nodes where data begins: literals, and names without a
//! definition. `ASSERT` marks nodes that appear in an assertion.
//!
//! ```java
//! String text = fetch("url");          // "url" -fetch-> text
//! assertEquals("expected", text);      // text -assertEquals-> text -assertEquals-> "expected"
//! ```
//!
//! Inside an assertion data flows from the actual value to the expected one, so a path ends with the expected value.
//!
//! Invariant: nodes are numbered in the order of evaluation. An edge to a lower number is carried around a loop;
//! without those edges the graph has no cycle. There are no self-loops and no two edges with the same ends and
//! operation. A graph has at most [`MAX_NODES`] nodes; nodes beyond are counted.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

pub use peeler_features::{NodeKind, OperationKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::symbols::index::{FileId, MethodId, TypeId};

/// The index of a node in the dependency graph of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// A node of the test dependency graph.
#[derive(Debug, Clone)]
pub(crate) struct Node<'r> {
    /// The source text of the graph node, white space included.
    pub(crate) text: &'r str,
    pub(crate) file: FileId,
    pub(crate) at: u32,
    pub(crate) kind: NodeKind,
    pub(crate) is_assert: bool,
}

/// The code of the repository that an operation on a graph edge calls: a method, or only its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Cut {
    /// The operation calls no code of the repository, or none that is known.
    #[default]
    No,
    /// The operation calls a method or constructor of the repository.
    Method(MethodId),
    /// The operation calls a method of a known class of the repository, but the method is unknown, such as an implicit
    /// constructor.
    Type(TypeId),
}

/// The operation that data on a graph edge passes through, such as a call or an assignment, with its place in the
/// source.
#[derive(Debug, Clone)]
pub(crate) struct Operation<'r> {
    pub(crate) text: Cow<'r, str>,
    pub(crate) kind: OperationKind,
    pub(crate) file: FileId,
    pub(crate) at: u32,
    pub(crate) cut: Cut,
}

/// An edge of the dependency graph of a test: a transfer of data from one node to another.
#[derive(Debug, Clone)]
pub(crate) struct Edge<'r> {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) operation: Operation<'r>,
}

/// An assertion of a test, with its source text and position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Assertion<'r> {
    pub(crate) file: FileId,
    pub(crate) at: u32,
    pub(crate) end: u32,
    /// The family of the assertion: its group in the catalogue, such as `junit`, or another kind, such as `throw` for a
    /// thrown error. `implicit` in a test without assertions, which implicitly asserts that nothing is thrown.
    pub(crate) family: &'static str,
    pub(crate) text: &'r str,
}

/// The `family` of the assertion that a test without assertions makes implicitly: that its last calls do not throw.
pub(crate) const IMPLICIT: &str = "implicit";

/// The maximum number of nodes of a test's dependency graph. Further nodes are only counted; they get no edges or
/// marks.
pub(crate) const MAX_NODES: usize = 20_000;

/// The maximum number of edges of a test's dependency graph. Further edges are left out.
pub(crate) const MAX_EDGES: usize = 60_000;

/// The identity of a node within a dependency graph. Evaluating one source position again, as a loop does, gives the
/// same node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeKey {
    /// The identifier of the chain of followed calls that leads to the position of the node.
    pub(crate) context: u32,
    pub(crate) file: FileId,
    pub(crate) at: u32,
    pub(crate) kind: NodeKind,
    pub(crate) form: NodeForm,
}

/// What a graph node represents at its position in the source. Two nodes at one position differ in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NodeForm {
    /// The node is a definition of a variable, or a literal.
    Plain,
    /// The node is a call: inside another expression, made only for its side effect, or an assertion such as `fail()`.
    NestedCall,
    /// The node is a field of some object.
    Field,
    /// The node is a variable after its object was changed in place.
    Changed,
    /// The node is one occurrence of an operand in an assertion, such as `x` in `assertTrue(x)`, or an expected
    /// exception.
    Occurrence,
    /// The node is a type or `this`, at which data begins if an operation has no inputs: `this` for the call `load()`.
    Source,
    /// The node is a variable that is read before any definition was seen.
    FirstRead,
}

/// The dependency graph of a test: how data flows from its sources to its assertions.
#[derive(Debug, Clone)]
pub(crate) struct Graph<'r> {
    pub(crate) nodes: Vec<Node<'r>>,
    pub(crate) edges: Vec<Edge<'r>>,
    pub(crate) assertions: Vec<Assertion<'r>>,
    /// The file, start offset and end offset of each assertion in the graph.
    asserted: FxHashSet<(FileId, u32, u32)>,
    keys: FxHashMap<NodeKey, NodeId>,
    /// The number of nodes that the graph may have at most.
    pub(crate) max_nodes: usize,
    /// Nodes that were left out because the graph had its maximum number of nodes.
    dropped: FxHashSet<NodeKey>,
    /// For each pair of nodes with edges between them, the byte offsets of the operations on these edges. An edge whose
    /// operation has a known offset is not added again.
    known_edges: FxHashMap<(NodeId, NodeId), SmallVec<[u32; 1]>>,
}

impl Default for Graph<'_> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            assertions: Vec::new(),
            asserted: FxHashSet::default(),
            keys: FxHashMap::default(),
            max_nodes: MAX_NODES,
            dropped: FxHashSet::default(),
            known_edges: FxHashMap::default(),
        }
    }
}

impl<'r> Graph<'r> {
    /// The graph node with this key, created if necessary. `None` if it is new and the graph has its maximum number of
    /// nodes.
    pub(crate) fn node_at(&mut self, key: NodeKey, text: &'r str) -> Option<NodeId> {
        let vacant = match self.keys.entry(key) {
            Entry::Occupied(known) => return Some(*known.get()),
            Entry::Vacant(vacant) => vacant,
        };
        if self.nodes.len() >= self.max_nodes {
            self.dropped.insert(key);
            return None;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("graphs are bounded"));
        vacant.insert(id);
        self.nodes.push(Node {
            text,
            file: key.file,
            at: key.at,
            kind: key.kind,
            is_assert: false,
        });
        Some(id)
    }

    /// The number of nodes that were left out because the graph had its maximum number of nodes.
    pub(crate) fn dropped_nodes(&self) -> usize {
        self.dropped.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<'r> {
        &self.nodes[id.0 as usize]
    }

    /// Adds an assertion, unless the graph has it already.
    pub(crate) fn add_assertion(&mut self, assertion: Assertion<'r>) {
        if self.asserted.insert((assertion.file, assertion.at, assertion.end)) {
            self.assertions.push(assertion);
        }
    }

    /// Removes all assertions and `ASSERT` marks from the graph; the nodes stay.
    pub(crate) fn clear_assertions(&mut self) {
        self.nodes.iter_mut().for_each(|it| it.is_assert = false);
        self.assertions.clear();
        self.asserted.clear();
    }

    /// Marks a node as `ASSERT`, which means that it appears in an assertion.
    pub(crate) fn mark_assert(&mut self, id: NodeId) {
        self.nodes[id.0 as usize].is_assert = true;
    }

    /// Whether the graph has its maximum number of edges.
    pub(crate) fn is_full_of_edges(&self) -> bool {
        self.edges.len() >= MAX_EDGES
    }

    /// Adds an edge, unless it is a self-loop, exists already, or the graph has its maximum number of edges.
    pub(crate) fn connect(&mut self, from: NodeId, to: NodeId, operation: &Operation<'r>) {
        if from == to || self.is_full_of_edges() {
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

    /// Whether one of the last 64 edges of the graph leads from the node `id` to an `ASSERT` node.
    pub(crate) fn passes_on(&self, id: NodeId) -> bool {
        self.edges
            .iter()
            .rev()
            .take(64)
            .any(|it| it.from == id && self.node(it.to).is_assert)
    }

    /// Whether there is an edge from one node to another.
    pub(crate) fn is_connected(&self, from: NodeId, to: NodeId) -> bool {
        self.known_edges.contains_key(&(from, to))
    }
}
