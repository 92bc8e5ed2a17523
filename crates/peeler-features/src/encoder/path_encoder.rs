//! Encoding of graphs and paths: texts become sub-tokens, and each step of a path becomes a tuple of node and edge.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dataset::{Dataset, EncodedEdge, EncodedMethod, Tuple};
use crate::graph::{Graph, Method, MethodKey, MethodWords};
use crate::graph_kinds::{NodeKind, NodeMark, OperationKind};
use crate::sub_tokens::sub_tokens;
use crate::texts::{TextSet, narrow};

/// The maximum number of sub-tokens that are read from the text of a graph node or edge.
const MOST_SUB_TOKENS: usize = 14;
/// The maximum number of distinct sub-tokens that are read from a method body.
const MOST_BODY_WORDS: usize = 64;
/// The text of the edge after the last node of a path.
const END: &str = "<end>";

/// The role of a text in a graph. The same text as a node and as an edge is encoded as two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Node { kind: NodeKind, mark: NodeMark },
    Edge { kind: OperationKind },
}

/// Encodes graphs into a dataset, and remembers the number of every text, edge, tuple and method that it has encoded.
#[derive(Debug, Default)]
pub(super) struct PathEncoder {
    /// The distinct source texts of graph nodes and edges.
    written: TextSet,
    texts: FxHashMap<(u32, Role), u32>,
    edges: FxHashMap<EncodedEdge, u32>,
    tuples: FxHashMap<Tuple, u32>,
    methods: FxHashMap<MethodKey, u32>,
    /// The index of the text `<end>` in the dataset; `None` before the first graph is encoded.
    end: Option<u32>,
}

impl PathEncoder {
    /// The encoded paths of a graph. A graph without paths gets one path that consists of `<end>` only.
    pub(super) fn encode(&mut self, graph: &Graph<'_>, out: &mut Dataset) -> Vec<Vec<u32>> {
        let nodes: Vec<u32> = graph
            .nodes
            .iter()
            .map(|it| {
                let (kind, mark) = (it.kind, it.mark);
                self.text(&it.text, Role::Node { kind, mark }, out)
            })
            .collect();
        let edges: Vec<u32> = graph
            .edges
            .iter()
            .map(|it| {
                let text = self.text(&it.operation, Role::Edge { kind: it.kind }, out);
                let method = it.method().map(|at| self.method(&graph.methods[at as usize], out));
                self.edge(EncodedEdge { text, method }, out)
            })
            .collect();
        let end_text = self.end_text(out);
        let end = self.edge(
            EncodedEdge {
                text: end_text,
                method: None,
            },
            out,
        );
        let mut paths = Vec::with_capacity(graph.paths.len().max(1));
        for path in graph.paths.iter() {
            let tuples = path.chunks(2).map(|step| {
                let edge = step.get(1).map_or(end, |at| edges[*at as usize]);
                let node = nodes[step[0] as usize];
                self.tuple(Tuple { node, edge }, out)
            });
            paths.push(tuples.collect());
        }
        if paths.is_empty() {
            let only = Tuple {
                node: end_text,
                edge: end,
            };
            paths.push(vec![self.tuple(only, out)]);
        }
        paths
    }

    fn text(&mut self, text: &str, role: Role, out: &mut Dataset) -> u32 {
        let key = (self.written.number(text), role);
        if let Some(&known) = self.texts.get(&key) {
            return known;
        }
        let mut tokens: Vec<u32> = sub_tokens(text)
            .take(MOST_SUB_TOKENS)
            .map(|it| out.tokens.number(&it))
            .collect();
        match role {
            Role::Node { kind, mark } => {
                tokens.push(out.tokens.number(kind.token()));
                tokens.extend(mark.token().map(|it| out.tokens.number(it)));
            }
            Role::Edge { kind } => tokens.push(out.tokens.number(kind.token())),
        }
        out.texts.push(tokens);
        let number = narrow(out.texts.len() - 1);
        self.texts.insert(key, number);
        number
    }

    fn end_text(&mut self, out: &mut Dataset) -> u32 {
        *self.end.get_or_insert_with(|| {
            out.texts.push(vec![out.tokens.number(END)]);
            narrow(out.texts.len() - 1)
        })
    }

    fn edge(&mut self, edge: EncodedEdge, out: &mut Dataset) -> u32 {
        *self.edges.entry(edge).or_insert_with(|| {
            out.edges.push(edge);
            narrow(out.edges.len() - 1)
        })
    }

    fn tuple(&mut self, tuple: Tuple, out: &mut Dataset) -> u32 {
        *self.tuples.entry(tuple).or_insert_with(|| {
            out.tuples.push(tuple);
            narrow(out.tuples.len() - 1)
        })
    }

    fn method(&mut self, method: &Method<'_>, out: &mut Dataset) -> u32 {
        *self.methods.entry(method.key).or_insert_with(|| {
            let words = match method.words {
                MethodWords::Source(source) => body_words(sub_tokens(source), &mut out.tokens),
                MethodWords::Words(words) => body_words(words.iter().map(Cow::Borrowed), &mut out.tokens),
            };
            let contexts = method.contexts.iter().map(|it| {
                let mut end = |text: &str| {
                    let last = sub_tokens(text).last().unwrap_or_default();
                    out.tokens.number(&last)
                };
                let from = end(&it.from);
                let way = out.ways.number(&it.way);
                [from, way, end(&it.to)]
            });
            let contexts = contexts.collect();
            out.methods.push(EncodedMethod { words, contexts });
            narrow(out.methods.len() - 1)
        })
    }
}

/// The numbers of the first [`MOST_BODY_WORDS`] distinct words of a method body, ascending. The choice of words depends
/// only on the body.
fn body_words<'w>(words: impl Iterator<Item = Cow<'w, str>>, tokens: &mut TextSet) -> Vec<u32> {
    let mut seen = FxHashSet::default();
    let mut first = Vec::new();
    for word in words {
        if seen.len() == MOST_BODY_WORDS {
            break;
        }
        let number = tokens.number(&word);
        if seen.insert(number) {
            first.push(number);
        }
    }
    first.sort_unstable();
    first
}
