//! A test as the analysis sees it: its graph and its contextual paths.
//!
//! Nothing of them is in words yet, and most of those who judge a test never ask for words; [`Analysis::extraction`] finds them.

use std::time::Duration;

use crate::analysis::{Analysis, TestCase};
use crate::discovery::DiscoveredTest;
use crate::extraction::Extraction;
use crate::graph::{Assertion, Edge, Graph, Node};
use crate::paths::{ContextualPaths, Path};

/// A test whose data was followed to its assertions.
#[derive(Debug)]
pub struct TracedTest<'i> {
    /// The test.
    pub case: TestCase,
    /// How long graph and paths took.
    pub took: Duration,
    pub(crate) test: DiscoveredTest,
    pub(crate) nodes: Vec<Node<'i>>,
    pub(crate) edges: Vec<Edge<'i>>,
    pub(crate) assertions: Vec<Assertion<'i>>,
    /// For each node whether an assertion can be reached from it. The others are nobody's concern.
    pub(crate) is_relevant: Vec<bool>,
    pub(crate) paths: ContextualPaths,
    /// How many nodes were left out because the graph was full.
    pub(crate) dropped_nodes: usize,
    /// What was left out.
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

    /// How many nodes an assertion can be reached from.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.is_relevant.iter().filter(|it| **it).count()
    }

    /// How many contextual paths there are.
    #[must_use]
    pub fn path_count(&self) -> usize {
        self.paths.paths.len()
    }

    /// The nodes of a path in order, as places in the graph.
    pub(crate) fn nodes_of<'p>(&'p self, path: &'p Path) -> impl Iterator<Item = usize> + 'p {
        let behind = path.edges.iter().map(|it| self.edges[*it as usize].to);
        std::iter::once(path.first).chain(behind).map(|it| it.0 as usize)
    }
}

impl Analysis<'_> {
    /// What there is to say about a test.
    #[must_use]
    pub fn extraction<'t>(&'t self, traced: &'t TracedTest<'_>) -> Extraction<'t> {
        Extraction::new(self.index(), traced)
    }
}

/// Which nodes lead to an assertion. Loop-carried edges count, so this walks until nothing changes.
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
