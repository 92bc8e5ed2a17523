//! The dependency graph of a finding and its contextual paths.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A contextual path: a path through the dependency graph of a test that ends at an assertion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Path {
    /// The share of the network's attention that the path got; absent where the model did not read paths.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) attention: Option<f32>,
    /// The nodes of the path, as indices into the graph's `nodes`.
    pub(crate) nodes: Vec<usize>,
    /// The edges of the path, as indices into the graph's `edges`.
    pub(crate) edges: Vec<usize>,
}

/// The part of a test's dependency graph that the listed paths pass. It shows how data flows to the assertions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Graph {
    /// The nodes of the graph: variables, literals and calls, in the order of evaluation.
    pub(crate) nodes: Vec<Node>,
    /// The edges of the graph: data that flows from one node to another.
    pub(crate) edges: Vec<Edge>,
}

impl Graph {
    /// Removes the paths beyond the first `most`, and then all nodes and edges that no path passes.
    pub(crate) fn keep_paths(&mut self, paths: &mut Vec<Path>, most: usize) {
        paths.truncate(most);
        let passed = |of: fn(&Path) -> &[usize]| -> BTreeSet<usize> {
            paths.iter().flat_map(|it| of(it).iter().copied()).collect()
        };
        let (nodes, edges) = (passed(|it| &it.nodes), passed(|it| &it.edges));
        let place = |all: &BTreeSet<usize>, at: usize| all.range(..at).count();
        for path in &mut *paths {
            path.nodes.iter_mut().for_each(|it| *it = place(&nodes, *it));
            path.edges.iter_mut().for_each(|it| *it = place(&edges, *it));
        }
        let mut at = 0..;
        self.nodes.retain(|_| at.next().is_some_and(|it| nodes.contains(&it)));
        let mut at = 0..;
        self.edges.retain(|_| at.next().is_some_and(|it| edges.contains(&it)));
        for edge in &mut self.edges {
            (edge.from, edge.to) = (place(&nodes, edge.from), place(&nodes, edge.to));
        }
    }
}

/// A node of the dependency graph of a test: a variable, a literal or a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Node {
    /// The source text of the node.
    pub(crate) text: String,
    /// Whether the node is a variable, a literal or a call.
    pub(crate) kind: NodeKind,
    /// The line of the node in its file.
    pub(crate) line: u32,
    /// The file of the node; null if it is the file of the test.
    pub(crate) file: Option<String>,
    /// Whether data begins at the node, so that a contextual path can start there.
    pub(crate) start: bool,
    /// Whether the node appears in an assertion.
    pub(crate) assert: bool,
}

/// What a node of a dependency graph is: a variable, a literal or a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum NodeKind {
    /// The node is a variable or field.
    Variable,
    /// The node is a literal, such as `42`.
    Literal,
    /// The node is a call, construction or method reference whose value is used.
    Call,
}

/// An edge of the dependency graph of a test: data that flows from one node to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Edge {
    /// The node that the data comes from, as an index into the graph's `nodes`.
    pub(crate) from: usize,
    /// The node that the data goes to, as an index into the graph's `nodes`.
    pub(crate) to: usize,
    /// The operation that the data passes through, such as an operator or the name of a method.
    pub(crate) operation: String,
    /// The kind of the operation that the data passes through, such as a call or an assignment.
    pub(crate) kind: EdgeKind,
    /// The line of the operation that the data passes through.
    pub(crate) line: u32,
    /// The method of the repository that the operation of the edge calls, or only its type if the method is not known.
    /// Null if the operation calls no code of the repository.
    pub(crate) cut: Option<String>,
}

/// The kind of operation that data on an edge of a dependency graph passes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum EdgeKind {
    /// The data is assigned to a variable, or passed as an argument to a parameter.
    Assign,
    /// The data passes through a method call.
    Call,
    /// The data goes into the construction of an object or array.
    Construct,
    /// The data passes through an operator such as `+`, a `? :` or a `switch`.
    Operator,
    /// The data passes through an array access `array[index]`.
    Index,
    /// The data passes through a field access `object.field`.
    Field,
    /// The data passes through a cast or `instanceof`.
    Cast,
    /// The data passes through a loop over the elements of a collection or array.
    Iterate,
    /// The data goes into the assertion that checks it.
    Assert,
    /// No data passes: the node at the start of the edge is evaluated before the assertion at its end.
    Order,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Node {
        Node {
            text: text.to_owned(),
            kind: NodeKind::Variable,
            line: 1,
            file: None,
            start: false,
            assert: false,
        }
    }

    fn edge(from: usize, to: usize) -> Edge {
        Edge {
            from,
            to,
            operation: "=".to_owned(),
            kind: EdgeKind::Assign,
            line: 1,
            cut: None,
        }
    }

    fn path(nodes: &[usize], edges: &[usize]) -> Path {
        Path {
            attention: None,
            nodes: nodes.to_vec(),
            edges: edges.to_vec(),
        }
    }

    #[test]
    fn only_what_the_kept_paths_pass_stays() {
        let mut graph = Graph {
            nodes: ["a", "unused", "b", "c"].map(node).to_vec(),
            edges: vec![edge(0, 1), edge(0, 2), edge(2, 3)],
        };
        let mut paths = vec![path(&[0, 2, 3], &[1, 2]), path(&[0, 1], &[0])];
        graph.keep_paths(&mut paths, 1);
        let texts: Vec<&str> = graph.nodes.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["a", "b", "c"]);
        assert_eq!(graph.edges, [edge(0, 1), edge(1, 2)]);
        assert_eq!(paths, [path(&[0, 1, 2], &[0, 1])]);
    }
}
