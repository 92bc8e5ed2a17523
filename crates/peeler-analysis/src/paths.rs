//! Contextual paths: simple ways from a `START` node to an `ASSERT` node.
//!
//! A path is `n1 -e1-> n2 ... n_l`, written here as nodes and edges in turn. A test has far more simple
//! paths than anybody can read, so a bounded number is kept, in three rounds: first for every
//! assertion and every source that reaches it the *longest* way between them; then the shortest, where
//! it differs and the longest was too long to keep whole; then ways over edges that no kept path uses,
//! loop-carried ones among them. Within a round the assertions take turns, each preferring a source
//! that has been kept least, so that with few places many assertions and many sources are seen.
//!
//! A path with too many elements is cut at its start: the assertion survives.
//!
//! Everything is polynomial: ways are found by dynamic programming over the graph without its
//! loop-carried edges, which has no cycle. The paths of that graph that are not kept are counted in the same way.

use rustc_hash::FxHashSet;

use crate::graph::{Graph, NodeId, NodeKind};

/// How many paths a test keeps, and how long they may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Paths kept for a test.
    pub paths: usize,
    /// Nodes and edges of a path together.
    pub elements: usize,
}

impl Default for Limits {
    /// The figures of the paper.
    fn default() -> Self {
        Self {
            paths: 100,
            elements: 20,
        }
    }
}

/// The edges of a path in order; a path of a single node has none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Path {
    pub(crate) first: NodeId,
    pub(crate) edges: Vec<u32>,
    /// Whether the start was cut off.
    pub(crate) is_cut: bool,
}

/// The kept paths, and the number of simple paths without loop-carried edges that were not kept.
#[derive(Debug, Default)]
pub(crate) struct ContextualPaths {
    pub(crate) paths: Vec<Path>,
    pub(crate) dropped: u64,
}

/// Selects the contextual paths of a graph.
pub(crate) fn contextual_paths(graph: &Graph<'_>, limits: Limits) -> ContextualPaths {
    Search::new(graph, limits).run()
}

/// How many assertions are searched one by one; beyond that, the first ones stand for the rest.
const MAX_SINKS: usize = 400;

struct Search<'g, 'r> {
    graph: &'g Graph<'r>,
    limits: Limits,
    /// For every node the edges that end in it, without the loop-carried ones.
    incoming: Vec<Vec<u32>>,
    back: Vec<u32>,
    kept: Vec<Path>,
    seen: FxHashSet<(NodeId, Vec<u32>)>,
    used_edges: FxHashSet<u32>,
    /// How often a source begins a kept path.
    source_uses: Vec<u32>,
}

/// What can be said about the ways from each node to one assertion.
struct Ways {
    /// Number of edges of the longest way and its first edge.
    longest: Vec<Option<(u32, u32)>>,
    shortest: Vec<Option<(u32, u32)>>,
    /// Nodes that reach the assertion and that nothing reaches, in order.
    sources: Vec<NodeId>,
}

const AT_END: u32 = u32::MAX;

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
        }
    }

    fn run(mut self) -> ContextualPaths {
        let sinks = self.sinks();
        let total = self.count_paths(&sinks);
        let ways: Vec<(NodeId, Ways)> = sinks
            .into_iter()
            .take(MAX_SINKS)
            .map(|sink| (sink, self.ways(sink)))
            .collect();
        self.one_path_a_source(&ways);
        self.shorter_ways(&ways);
        self.unused_edges(&ways);
        // Only paths without loop-carried edges are part of the total.
        let is_forward = |path: &&Path| path.edges.iter().all(|it| self.is_forward(*it));
        let kept = self.kept.iter().filter(is_forward).count() as u64;
        ContextualPaths {
            dropped: total.saturating_sub(kept),
            paths: self.kept,
        }
    }

    /// Whether an edge is not carried around a loop.
    fn is_forward(&self, edge: u32) -> bool {
        let edge = &self.graph.edges[edge as usize];
        edge.from < edge.to
    }

    /// The number of paths without loop-carried edges that end in one of the sinks, at most `u64::MAX`.
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

    /// The last nodes of assertions: those that pass nothing on to another `ASSERT` node. A literal that
    /// nothing reaches is not worth a path unless there is nothing else.
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

    /// Dynamic programming from the assertion backwards; node numbers are a topological order.
    fn ways(&self, sink: NodeId) -> Ways {
        let size = sink.0 as usize + 1;
        let mut longest: Vec<Option<(u32, u32)>> = vec![None; size];
        let mut shortest: Vec<Option<(u32, u32)>> = vec![None; size];
        let mut sources = Vec::new();
        longest[sink.0 as usize] = Some((0, AT_END));
        shortest[sink.0 as usize] = Some((0, AT_END));
        for at in (0..size).rev() {
            let (Some((long, _)), Some((short, _))) = (longest[at], shortest[at]) else {
                continue;
            };
            if self.incoming[at].is_empty() {
                sources.push(NodeId(u32::try_from(at).expect("graphs are bounded")));
            }
            for &edge in &self.incoming[at] {
                let from = self.graph.edges[edge as usize].from.0 as usize;
                if longest[from].is_none_or(|(known, _)| known < long + 1) {
                    longest[from] = Some((long + 1, edge));
                }
                if shortest[from].is_none_or(|(known, _)| known > short + 1) {
                    shortest[from] = Some((short + 1, edge));
                }
            }
        }
        sources.reverse();
        Ways {
            longest,
            shortest,
            sources,
        }
    }

    fn follow(&self, steps: &[Option<(u32, u32)>], from: NodeId) -> Vec<u32> {
        let mut edges = Vec::new();
        let mut at = from;
        while let Some((_, edge)) = steps[at.0 as usize] {
            if edge == AT_END {
                break;
            }
            edges.push(edge);
            at = self.graph.edges[edge as usize].to;
        }
        edges
    }

    fn is_full(&self) -> bool {
        self.kept.len() >= self.limits.paths
    }

    fn max_edges(&self) -> usize {
        self.limits.elements.saturating_sub(1) / 2
    }

    /// Keeps a path, cut to its last elements; false when it was kept before.
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

    fn one_path_a_source(&mut self, ways: &[(NodeId, Ways)]) {
        let mut waiting: Vec<Vec<NodeId>> = ways.iter().map(|(_, it)| it.sources.clone()).collect();
        while !self.is_full() && waiting.iter().any(|it| !it.is_empty()) {
            for (at, (_, ways)) in ways.iter().enumerate() {
                if self.is_full() {
                    return;
                }
                let least = waiting[at]
                    .iter()
                    .enumerate()
                    .min_by_key(|(place, source)| (self.source_uses[source.0 as usize], *place));
                let Some((place, _)) = least else { continue };
                let source = waiting[at].remove(place);
                let edges = self.follow(&ways.longest, source);
                self.keep(source, edges);
            }
        }
    }

    /// Where the longest way had to be cut, its source was lost: the shortest way may keep it.
    fn shorter_ways(&mut self, ways: &[(NodeId, Ways)]) {
        for (_, ways) in ways {
            for &source in &ways.sources {
                let length = |steps: &[Option<(u32, u32)>]| steps[source.0 as usize].map_or(0, |(it, _)| it as usize);
                let longest = length(&ways.longest);
                if self.is_full() {
                    return;
                }
                if longest > self.max_edges() && length(&ways.shortest) < longest {
                    let edges = self.follow(&ways.shortest, source);
                    self.keep(source, edges);
                }
            }
        }
    }

    /// One way over each edge that no path uses yet.
    fn unused_edges(&mut self, ways: &[(NodeId, Ways)]) {
        let reached = self.longest_from_sources();
        let forward = self.incoming.iter().flatten().copied().collect::<Vec<_>>();
        let back = self.back.clone();
        for edge in forward.into_iter().chain(back) {
            if self.is_full() {
                return;
            }
            if self.used_edges.contains(&edge) {
                continue;
            }
            let (from, to) = (self.graph.edges[edge as usize].from, self.graph.edges[edge as usize].to);
            let judged = ways
                .iter()
                .find(|(_, ways)| ways.longest.get(to.0 as usize).is_some_and(Option::is_some));
            let Some((_, ways)) = judged else { continue };
            let mut edges = self.back_to_source(&reached, from);
            let source = match edges.first() {
                Some(&first) => self.graph.edges[first as usize].from,
                None => from,
            };
            edges.push(edge);
            edges.extend(self.follow(&ways.longest, to));
            if self.is_simple(source, &edges) {
                self.keep(source, edges);
            }
        }
    }

    /// For every node the last edge of the longest way from a source to it.
    fn longest_from_sources(&self) -> Vec<(u32, u32)> {
        let mut reached = vec![(0, AT_END); self.graph.nodes.len()];
        for at in 0..reached.len() {
            for &edge in &self.incoming[at] {
                let from = self.graph.edges[edge as usize].from.0 as usize;
                if reached[from].0 + 1 > reached[at].0 {
                    reached[at] = (reached[from].0 + 1, edge);
                }
            }
        }
        reached
    }

    fn back_to_source(&self, reached: &[(u32, u32)], from: NodeId) -> Vec<u32> {
        let mut edges = Vec::new();
        let mut at = from;
        while reached[at.0 as usize].1 != AT_END {
            let edge = reached[at.0 as usize].1;
            edges.push(edge);
            at = self.graph.edges[edge as usize].from;
        }
        edges.reverse();
        edges
    }

    fn is_simple(&self, first: NodeId, edges: &[u32]) -> bool {
        let mut visited: FxHashSet<NodeId> = FxHashSet::default();
        visited.insert(first);
        edges
            .iter()
            .all(|edge| visited.insert(self.graph.edges[*edge as usize].to))
    }
}
