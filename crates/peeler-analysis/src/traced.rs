//! A test with its graph and its contextual paths, in terms of internal identifiers.
//!
//! Most tests are scored without the texts of their graphs. [`Analysis::extraction`](crate::Analysis::extraction) looks
//! these texts up.

use std::time::Duration;

use crate::discovery::DiscoveredTest;
use crate::graph::{Assertion, Edge, Graph, Node};
use crate::paths::{ContextualPaths, Path};
use crate::test_case::TestCase;

/// A test with its dependency graph and its contextual paths.
#[derive(Debug)]
pub struct TracedTest<'i> {
    /// The test case that the graph and paths belong to.
    pub case: TestCase,
    /// The time taken to build the graph and select the paths.
    pub took: Duration,
    pub(crate) test: DiscoveredTest,
    pub(crate) nodes: Vec<Node<'i>>,
    pub(crate) edges: Vec<Edge<'i>>,
    pub(crate) assertions: Vec<Assertion<'i>>,
    /// Whether each graph node leads to an assertion. Other nodes are left out of all results.
    pub(crate) is_relevant: Vec<bool>,
    pub(crate) paths: ContextualPaths,
    /// The number of nodes that were left out because the graph had its maximum size.
    pub(crate) dropped_nodes: usize,
    /// Messages about code that was left out or could not be parsed completely, or about a test with too many branches
    /// to follow each alone.
    pub(crate) problems: Vec<&'static str>,
}

impl<'i> TracedTest<'i> {
    pub(crate) fn new(
        test: DiscoveredTest,
        case: TestCase,
        graph: Graph<'i>,
        paths: ContextualPaths,
        problems: Vec<&'static str>,
    ) -> Self {
        Self {
            case,
            took: Duration::ZERO,
            test,
            is_relevant: leads_to_assertion(&graph),
            dropped_nodes: graph.dropped_nodes(),
            nodes: graph.nodes,
            edges: graph.edges,
            assertions: graph.assertions,
            paths,
            problems,
        }
    }

    /// The number of graph nodes that lead to an assertion.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.is_relevant.iter().filter(|it| **it).count()
    }

    /// The number of contextual paths of the test.
    #[must_use]
    pub fn path_count(&self) -> usize {
        self.paths.paths.len()
    }

    /// The nodes of a contextual path in order, as positions in the graph.
    pub(crate) fn nodes_of<'p>(&'p self, path: &'p Path) -> impl Iterator<Item = usize> + 'p {
        let behind = path.edges.iter().map(|it| self.edges[*it as usize].to);
        std::iter::once(path.first).chain(behind).map(|it| it.0 as usize)
    }
}

/// Whether each graph node leads to an assertion, by any edges including loop-carried ones.
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
