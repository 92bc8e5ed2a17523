//! Contextual paths: simple paths from a `START` node to an `ASSERT` node of the dependency graph of a test.
//!
//! A path is `n1 -e1-> n2 ... n_l`: nodes and edges in turn. A test has far more simple paths than a model can read. So
//! a limited number is kept, in three rounds:
//!
//! 1. for every assertion and every source that reaches it, the *longest* path between them;
//! 2. the shortest path, if the longest is too long to be kept whole;
//! 3. paths over edges that no kept path uses, including loop-carried edges.
//!
//! In the first round the assertions take turns, and each prefers the source from which the fewest paths are kept. A
//! path with too many elements loses its start and keeps its assertion.
//!
//! All costs are polynomial: paths are found by dynamic programming over the graph without its loop-carried edges,
//! which has no cycle. The paths of that graph that are not kept are counted in the same way.

use rustc_hash::FxHashSet;

use crate::graph::{Graph, NodeId, NodeKind};

/// Limits for the contextual paths of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of contextual paths of a test.
    pub paths: usize,
    /// The maximum number of nodes and edges of a path together.
    pub elements: usize,
}

impl Default for Limits {
    /// The default limits for contextual paths, as in the PEELER paper (Qin et al., 2022): 100 paths of at most 20
    /// nodes and edges.
    fn default() -> Self {
        Self {
            paths: 100,
            elements: 20,
        }
    }
}

/// A contextual path: its first node and its edges in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Path {
    pub(crate) first: NodeId,
    pub(crate) edges: Vec<u32>,
    /// Whether the start of the path was removed because the path was too long.
    pub(crate) is_cut: bool,
}

/// The selected contextual paths of a test, and the number of its other simple paths. Paths over loop-carried edges are
/// not counted.
#[derive(Debug, Default)]
pub(crate) struct ContextualPaths {
    pub(crate) paths: Vec<Path>,
    pub(crate) dropped: u64,
}

/// Selects the contextual paths of the dependency graph of a test.
pub(crate) fn contextual_paths(graph: &Graph<'_>, limits: Limits) -> ContextualPaths {
    Search::new(graph, limits).run()
}

/// The maximum number of assertions of a test for which contextual paths are selected. Paths to further assertions are
/// only counted.
const MAX_SINKS: usize = 400;

/// The maximum number of edges and sources that are visited to choose the paths of one test. Further paths are only
/// counted. Long chains have many paths whose last elements are the same, so that few of them are kept.
const MAX_VISITS: usize = 4_000_000;

/// The state of the selection of contextual paths from the dependency graph of one test.
struct Search<'g, 'r> {
    graph: &'g Graph<'r>,
    limits: Limits,
    /// For each node of the graph, the edges that end in it, without loop-carried ones.
    incoming: Vec<Vec<u32>>,
    back: Vec<u32>,
    kept: Vec<Path>,
    seen: FxHashSet<(NodeId, Vec<u32>)>,
    used_edges: FxHashSet<u32>,
    /// For each node of the graph, the number of kept paths that begin with it.
    source_uses: Vec<u32>,
    /// The number of edges and sources that the selection of paths may still visit.
    visits_left: usize,
}

/// The longest and shortest paths from each node of a dependency graph to one assertion.
struct Routes {
    /// For each node of the graph, the longest path from it to one given assertion; `None` if the node does not reach
    /// it.
    longest: Vec<Option<Route>>,
    /// For each node of the graph, the shortest path from it to one given assertion; `None` if the node does not reach
    /// it.
    shortest: Vec<Option<Route>>,
    /// Nodes without incoming edges from which a path leads to the assertion that these routes end in, sorted by
    /// number.
    sources: Vec<NodeId>,
}

/// A path from a node to an assertion, or from a source to a node. Only its length and its edge at that node are
/// stored. The next edge is stored with the path of the next node.
#[derive(Debug, Clone, Copy)]
struct Route {
    /// The number of edges of the path.
    length: u32,
    /// The first edge of a path to an assertion, or the last edge of a path from a source. `None` if the path has no
    /// edges.
    edge: Option<u32>,
}

impl Route {
    const END: Self = Self { length: 0, edge: None };

    /// This path made one edge longer; `edge` is the added edge.
    fn extended(self, edge: u32) -> Self {
        Self {
            length: self.length + 1,
            edge: Some(edge),
        }
    }
}

impl<'g, 'r> Search<'g, 'r> {
    fn new(graph: &'g Graph<'r>, limits: Limits) -> Self {
        let mut incoming = vec![Vec::new(); graph.nodes.len()];
        let mut back = Vec::new();
        for (at, edge) in graph.edges.iter().enumerate() {
            let at = u32::try_from(at).expect("graphs are bounded");
            if edge.from < edge.to {
                incoming[edge.to.0 as usize].push(at);
            } else {
                back.push(at);
            }
        }
        Self {
            graph,
            limits,
            incoming,
            back,
            kept: Vec::new(),
            seen: FxHashSet::default(),
            used_edges: FxHashSet::default(),
            source_uses: vec![0; graph.nodes.len()],
            visits_left: MAX_VISITS,
        }
    }

    fn run(mut self) -> ContextualPaths {
        let sinks = self.sinks();
        let total = self.count_paths(&sinks);
        let routes: Vec<(NodeId, Routes)> = sinks
            .into_iter()
            .take(MAX_SINKS)
            .map(|sink| (sink, self.routes(sink)))
            .collect();
        self.one_path_a_source(&routes);
        self.shorter_routes(&routes);
        self.unused_edges(&routes);
        // Only paths without loop-carried edges are part of the total.
        let is_forward = |path: &&Path| path.edges.iter().all(|it| self.is_forward(*it));
        let kept = self.kept.iter().filter(is_forward).count() as u64;
        ContextualPaths {
            dropped: total.saturating_sub(kept),
            paths: self.kept,
        }
    }

    /// Whether an edge is not loop-carried, so that it leads to a node with a larger number.
    fn is_forward(&self, edge: u32) -> bool {
        let edge = &self.graph.edges[edge as usize];
        edge.from < edge.to
    }

    /// The number of paths without loop-carried edges that end in one of the assertion nodes `sinks`; `u64::MAX` if
    /// there are more.
    fn count_paths(&self, sinks: &[NodeId]) -> u64 {
        let mut count = vec![0_u64; self.incoming.len()];
        for (at, incoming) in self.incoming.iter().enumerate() {
            let before = incoming.iter().map(|it| self.graph.edges[*it as usize].from.0 as usize);
            count[at] = match incoming.as_slice() {
                [] => 1,
                _ => before.fold(0, |sum, from| sum.saturating_add(count[from])),
            };
        }
        let ends = sinks.iter().map(|it| count[it.0 as usize]);
        ends.fold(0, u64::saturating_add)
    }

    /// The last nodes of assertions: `ASSERT` nodes without an edge to another `ASSERT` node. Those that are literals
    /// without incoming edges are left out, unless nothing else remains.
    fn sinks(&self) -> Vec<NodeId> {
        let nodes = &self.graph.nodes;
        let mut passes_on = vec![false; nodes.len()];
        for edge in &self.graph.edges {
            if nodes[edge.to.0 as usize].is_assert {
                passes_on[edge.from.0 as usize] = true;
            }
        }
        let ends = |with_bare_literals: bool| -> Vec<NodeId> {
            (0..nodes.len())
                .filter(|&at| {
                    let is_bare = self.incoming[at].is_empty() && nodes[at].kind == NodeKind::Literal;
                    nodes[at].is_assert && !passes_on[at] && (with_bare_literals || !is_bare)
                })
                .filter_map(|at| u32::try_from(at).ok().map(NodeId))
                .collect()
        };
        let found = ends(false);
        if found.is_empty() { ends(true) } else { found }
    }

    /// The longest and shortest paths from each node to the assertion `sink`. They are found by dynamic programming
    /// from the assertion backwards, because edges lead to larger node numbers.
    fn routes(&self, sink: NodeId) -> Routes {
        let size = sink.0 as usize + 1;
        let mut longest: Vec<Option<Route>> = vec![None; size];
        let mut shortest: Vec<Option<Route>> = vec![None; size];
        let mut sources = Vec::new();
        longest[sink.0 as usize] = Some(Route::END);
        shortest[sink.0 as usize] = Some(Route::END);
        for at in (0..size).rev() {
            let (Some(long), Some(short)) = (longest[at], shortest[at]) else {
                continue;
            };
            if self.incoming[at].is_empty() {
                sources.push(NodeId(u32::try_from(at).expect("graphs are bounded")));
            }
            for &edge in &self.incoming[at] {
                let from = self.graph.edges[edge as usize].from.0 as usize;
                if longest[from].is_none_or(|known| known.length < long.length + 1) {
                    longest[from] = Some(long.extended(edge));
                }
                if shortest[from].is_none_or(|known| known.length > short.length + 1) {
                    shortest[from] = Some(short.extended(edge));
                }
            }
        }
        sources.reverse();
        Routes {
            longest,
            shortest,
            sources,
        }
    }

    /// The edges of the path from the node `from` to an assertion. `routes` holds the path of each node; `None` for a
    /// node without one.
    fn follow(&self, routes: &[Option<Route>], from: NodeId) -> Vec<u32> {
        let mut edges = Vec::new();
        let mut at = from;
        while let Some(edge) = routes[at.0 as usize].and_then(|it| it.edge) {
            edges.push(edge);
            at = self.graph.edges[edge as usize].to;
        }
        edges
    }

    /// Whether no further path is searched for: enough paths are kept, or enough edges were visited.
    fn is_done(&self) -> bool {
        self.kept.len() >= self.limits.paths || self.visits_left == 0
    }

    /// Counts visits of edges or sources towards [`MAX_VISITS`].
    fn visit(&mut self, visits: usize) {
        self.visits_left = self.visits_left.saturating_sub(visits);
    }

    fn max_edges(&self) -> usize {
        self.limits.elements.saturating_sub(1) / 2
    }

    /// Keeps a path for the test. Of a path that is too long, only its end is kept. Returns false if the same path was
    /// kept before.
    fn keep(&mut self, first: NodeId, edges: Vec<u32>) -> bool {
        let excess = edges.len().saturating_sub(self.max_edges());
        let is_cut = excess > 0;
        let edges = if is_cut { edges[excess..].to_vec() } else { edges };
        let first = match edges.first() {
            Some(&edge) => self.graph.edges[edge as usize].from,
            None => first,
        };
        if !self.seen.insert((first, edges.clone())) {
            return false;
        }
        self.source_uses[first.0 as usize] += 1;
        self.used_edges.extend(&edges);
        self.kept.push(Path { first, edges, is_cut });
        true
    }

    /// Keeps the longest path from each source to each assertion, until the maximum number of paths is kept.
    fn one_path_a_source(&mut self, routes: &[(NodeId, Routes)]) {
        let mut waiting: Vec<Vec<NodeId>> = routes.iter().map(|(_, it)| it.sources.clone()).collect();
        while !self.is_done() && waiting.iter().any(|it| !it.is_empty()) {
            for (at, (_, routes)) in routes.iter().enumerate() {
                if self.is_done() {
                    return;
                }
                let least = waiting[at]
                    .iter()
                    .enumerate()
                    .min_by_key(|(place, source)| (self.source_uses[source.0 as usize], *place));
                let Some((place, _)) = least else { continue };
                let source = waiting[at].remove(place);
                let edges = self.follow(&routes.longest, source);
                self.visit(waiting[at].len() + edges.len());
                self.keep(source, edges);
            }
        }
    }

    /// Keeps the shortest path between a source and an assertion if the longest one was cut and so lost its source.
    fn shorter_routes(&mut self, routes: &[(NodeId, Routes)]) {
        for (_, routes) in routes {
            for &source in &routes.sources {
                let length = |routes: &[Option<Route>]| routes[source.0 as usize].map_or(0, |it| it.length as usize);
                let longest = length(&routes.longest);
                if self.is_done() {
                    return;
                }
                if longest > self.max_edges() && length(&routes.shortest) < longest {
                    let edges = self.follow(&routes.shortest, source);
                    self.visit(edges.len());
                    self.keep(source, edges);
                }
            }
        }
    }

    /// Keeps a path over each edge of the graph that no kept path uses yet.
    fn unused_edges(&mut self, routes: &[(NodeId, Routes)]) {
        let reached = self.longest_from_sources();
        let forward = self.incoming.iter().flatten().copied().collect::<Vec<_>>();
        let back = self.back.clone();
        for edge in forward.into_iter().chain(back) {
            if self.is_done() {
                return;
            }
            if self.used_edges.contains(&edge) {
                continue;
            }
            let (from, to) = (self.graph.edges[edge as usize].from, self.graph.edges[edge as usize].to);
            let asserted = routes
                .iter()
                .find(|(_, routes)| routes.longest.get(to.0 as usize).is_some_and(Option::is_some));
            let Some((_, routes)) = asserted else { continue };
            let mut edges = self.back_to_source(&reached, from);
            let source = match edges.first() {
                Some(&first) => self.graph.edges[first as usize].from,
                None => from,
            };
            edges.push(edge);
            edges.extend(self.follow(&routes.longest, to));
            self.visit(edges.len());
            if self.is_forward(edge) || self.is_simple(source, &edges) {
                self.keep(source, edges);
            }
        }
    }

    /// For each node of the graph, the longest path to it from a source (a node without incoming edges).
    fn longest_from_sources(&self) -> Vec<Route> {
        let mut reached = vec![Route::END; self.graph.nodes.len()];
        for at in 0..reached.len() {
            for &edge in &self.incoming[at] {
                let from = self.graph.edges[edge as usize].from.0 as usize;
                if reached[from].length + 1 > reached[at].length {
                    reached[at] = reached[from].extended(edge);
                }
            }
        }
        reached
    }

    /// The edges of the longest path from a source to the node `from`; `reached` holds the longest path to each node.
    fn back_to_source(&self, reached: &[Route], from: NodeId) -> Vec<u32> {
        let mut edges = Vec::new();
        let mut at = from;
        while let Some(edge) = reached[at.0 as usize].edge {
            edges.push(edge);
            at = self.graph.edges[edge as usize].from;
        }
        edges.reverse();
        edges
    }

    /// Whether a path visits no node twice. Paths without loop-carried edges never do.
    fn is_simple(&self, first: NodeId, edges: &[u32]) -> bool {
        let mut visited: FxHashSet<NodeId> = FxHashSet::default();
        visited.insert(first);
        edges
            .iter()
            .all(|edge| visited.insert(self.graph.edges[*edge as usize].to))
    }
}
