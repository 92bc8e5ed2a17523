//! A batch: the input of the network for some tests.
//!
//! A path is a sequence of tuples; a tuple is a node of a contextual path and the edge that leaves it. Each distinct
//! text, edge and tuple is stored once.
//!
//! Paths are sorted by length, longest first, and their tuples are packed by time step. All first tuples come first,
//! then the second tuples of the paths that have one, and so on. There is no padding.
//!
//! The result for a test does not depend on the other tests of its batch.

use peeler_features::{Dataset, Depth, MEASURES, narrow};
use rand::Rng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use crate::config::{Config, CutEdges, Input};
use crate::vocabulary::{Rows, Vocabulary};

/// The score that padding gets before a softmax, so low that its weight is zero.
pub(crate) const PADDING_SCORE: f32 = -1e9;
/// The maximum number of syntax tree paths between two tokens (path contexts of code2vec) read per method body.
const MOST_CONTEXTS: usize = 24;

/// A dataset, with the configuration of a network and the embedding rows of the dataset's names in that network.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'d> {
    pub(crate) dataset: &'d Dataset,
    pub(crate) vocabulary: &'d Vocabulary,
    pub(crate) rows: &'d Rows,
    pub(crate) config: &'d Config,
}

/// Lists of rows of an embedding table, with a weight for each row.
///
/// A list stands for a text, a method body or a bag of names, whose vector is the weighted sum of its rows.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) starts: Vec<usize>,
    pub(crate) rows: Vec<u32>,
    pub(crate) weights: Vec<f32>,
}

impl Lists {
    /// Adds a list of `n` embedding rows. Each row gets the weight `1 / n` by `Scaling::Mean`, and `1 / sqrt(n)` by
    /// `Scaling::Root`.
    fn push(&mut self, rows: impl Iterator<Item = u32>, scaling: Scaling) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let first = self.rows.len();
        self.rows.extend(rows);
        #[allow(clippy::cast_precision_loss)]
        let count = (self.rows.len() - first).max(1) as f32;
        let weight = match scaling {
            Scaling::Mean => 1.0 / count,
            Scaling::Root => 1.0 / count.sqrt(),
        };
        self.weights.resize(self.rows.len(), weight);
        self.starts.push(self.rows.len());
    }

    /// Sorts the embedding rows of the last list, so that rounding does not depend on the other tests of a batch.
    fn sort_last(&mut self) {
        if let [.., first, _] = self.starts[..] {
            self.rows[first..].sort_unstable();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn rows_of(&self, at: usize) -> &[u32] {
        &self.rows[self.starts[at]..self.starts[at + 1]]
    }

    pub(crate) fn list(&self, at: usize) -> impl Iterator<Item = (u32, f32)> + '_ {
        let range = self.starts[at]..self.starts[at + 1];
        self.rows[range.clone()]
            .iter()
            .copied()
            .zip(self.weights[range].iter().copied())
    }

    pub(crate) fn longest(&self) -> usize {
        self.starts.windows(2).map(|it| it[1] - it[0]).max().unwrap_or(0)
    }
}

#[derive(Debug, Clone, Copy)]
enum Scaling {
    Mean,
    Root,
}

/// The input of the network for some tests: their words, calls, causes, flows, measures and contextual paths, as
/// numbers.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) tests: usize,
    pub(crate) words: Lists,
    pub(crate) context: Lists,
    pub(crate) calls: Lists,
    pub(crate) causes: Lists,
    pub(crate) flows: Lists,
    pub(crate) oracles: Lists,
    /// The measures of all tests, such as the number of lines, with mean 0 and deviation 1: `[tests, MEASURES]`.
    pub(crate) measures: Vec<f32>,
    pub(crate) texts: Lists,
    /// For each distinct graph edge of the batch, the index of its text in `texts`.
    pub(crate) edge_texts: Vec<u32>,
    /// For each distinct graph edge of the batch, the index in `method_words` of the method under test that it calls.
    /// `None` if it calls none, or if the configuration does not read method bodies.
    pub(crate) edge_methods: Vec<Option<u32>>,
    /// The sub-tokens of the body of each method under test that edges of the batch call, as embedding rows.
    pub(crate) method_words: Lists,
    /// The path contexts of each method of `method_words`: sub-token, syntax tree path and sub-token, as embedding
    /// rows.
    pub(crate) contexts: Vec<Vec<[u32; 3]>>,
    /// For each distinct tuple of node and edge in the batch, the index of the node's text in `texts`.
    pub(crate) tuple_nodes: Vec<u32>,
    /// For each distinct tuple of node and edge in the batch, the index of its edge in `edge_texts`.
    pub(crate) tuple_edges: Vec<u32>,
    /// The tuples of node and edge of all paths, as indices in `tuple_nodes`. Those of all first time steps come first,
    /// then those of all second ones, and so on.
    pub(crate) steps: Vec<u32>,
    /// For each time step, the number of paths that are long enough to have it.
    pub(crate) active: Vec<usize>,
    /// For each test, the indices of its paths among all paths of the batch, which are sorted by length, longest first.
    pub(crate) paths: Vec<Vec<u32>>,
    /// For each test, the indices of its paths in the test's own list of contextual paths, in the order of `paths`.
    ///
    /// Training reads only a random part of a long list.
    pub(crate) path_numbers: Vec<Vec<u32>>,
}

/// The random number generator of a training step, for dropout and the choice of paths; `None` in prediction.
pub(crate) type Chance<'r> = Option<&'r mut ChaCha8Rng>;

impl Batch {
    pub(crate) fn new(view: View<'_>, tests: &[usize], mut chance: Chance<'_>) -> Self {
        let mut batch = Self::without_paths(view, tests, &mut chance);
        if view.config.reads(Input::Paths) {
            batch.read_paths(view, tests, &mut chance);
        }
        batch
    }

    /// Whether the batch contains the contextual paths of its tests.
    pub(crate) fn has_paths(&self) -> bool {
        !self.paths.is_empty()
    }

    /// A batch for prediction, with or without contextual paths.
    pub(crate) fn with_depth(view: View<'_>, tests: &[usize], depth: Depth) -> Self {
        match depth {
            Depth::WithPaths => Self::new(view, tests, None),
            Depth::WithoutPaths => Self::without_paths(view, tests, &mut None),
        }
    }

    /// A batch with everything but contextual paths, even if the configuration reads paths.
    pub(crate) fn without_paths(view: View<'_>, tests: &[usize], chance: &mut Chance<'_>) -> Self {
        let config = view.config;
        let mut batch = Self {
            tests: tests.len(),
            ..Self::default()
        };
        let drop = chance.as_ref().map_or(0.0, |_| config.token_dropout);
        for &at in tests {
            let test = &view.dataset.tests[at];
            let bags = [
                (Input::Words, &mut batch.words, &test.words, &view.rows.tokens),
                (Input::Context, &mut batch.context, &test.context, &view.rows.tokens),
                (Input::Reach, &mut batch.calls, &test.calls, &view.rows.calls),
                (Input::Causes, &mut batch.causes, &test.causes, &view.rows.causes),
                (Input::Flows, &mut batch.flows, &test.flows, &view.rows.flows),
                (Input::Oracles, &mut batch.oracles, &test.oracles, &view.rows.oracles),
            ];
            for (input, lists, names, rows) in bags {
                if config.reads(input) {
                    let rows = names.iter().map(|it| rows[*it as usize]);
                    lists.push(kept(rows, drop, chance), Scaling::Root);
                    if chance.is_none() {
                        lists.sort_last();
                    }
                }
            }
            if config.reads(Input::Measures) {
                let scales = view.vocabulary.measures.iter();
                let measures = test.measures.iter().zip(scales);
                batch
                    .measures
                    .extend(measures.map(|(value, (mean, deviation))| (value - mean) / deviation));
                debug_assert_eq!(batch.measures.len() % MEASURES, 0);
            }
        }
        batch
    }

    fn read_paths(&mut self, view: View<'_>, tests: &[usize], chance: &mut Chance<'_>) {
        let dataset = view.dataset;
        let mut chosen: Vec<(usize, u32, Vec<u32>)> = Vec::new();
        for (place, &at) in tests.iter().enumerate() {
            let paths = &dataset.tests[at].paths;
            let most = view.config.training_paths;
            let numbers: Vec<usize> = match chance {
                Some(chance) if paths.len() > most => {
                    let mut numbers = index::sample(chance, paths.len(), most).into_vec();
                    numbers.sort_unstable();
                    numbers
                }
                _ => (0..paths.len()).collect(),
            };
            let before = chosen.len();
            for number in numbers {
                let path = steps_of(view, &paths[number]);
                if !path.is_empty() {
                    chosen.push((place, narrow(number), path));
                }
            }
            // If the configuration leaves out every tuple, the last tuple of the first path is kept.
            if chosen.len() == before {
                let last = *paths[0].last().expect("paths have steps");
                chosen.push((place, 0, vec![last]));
            }
        }
        chosen.sort_by_key(|(_, _, path)| std::cmp::Reverse(path.len()));
        let mut gathering = Gathering::default();
        let longest = chosen.first().map_or(0, |(_, _, path)| path.len());
        for time in 0..longest {
            let active = chosen.partition_point(|(_, _, path)| path.len() > time);
            self.active.push(active);
            for (_, _, path) in &chosen[..active] {
                let tuple = gathering.tuple(self, view, path[time], chance);
                self.steps.push(tuple);
            }
        }
        self.paths = vec![Vec::new(); tests.len()];
        self.path_numbers = vec![Vec::new(); tests.len()];
        for (at, (place, number, _)) in chosen.iter().enumerate() {
            self.paths[*place].push(narrow(at));
            self.path_numbers[*place].push(*number);
        }
    }
}

/// The tuples of node and edge of a path that the network reads.
///
/// If the configuration has `only_cut_steps`, these are the tuples whose edge calls code under test; otherwise all.
fn steps_of(view: View<'_>, path: &[u32]) -> Vec<u32> {
    let dataset = view.dataset;
    let is_cut = |tuple: &u32| {
        let edge = dataset.tuples[*tuple as usize].edge;
        dataset.edges[edge as usize].method.is_some()
    };
    if view.config.only_cut_steps {
        path.iter().filter(|it| is_cut(it)).copied().collect()
    } else {
        path.to_vec()
    }
}

/// The embedding rows that token dropout keeps: each row is dropped with probability `drop`. All rows in prediction.
fn kept<'c>(
    rows: impl Iterator<Item = u32> + 'c,
    drop: f32,
    chance: &'c mut Chance<'_>,
) -> impl Iterator<Item = u32> + 'c {
    rows.filter(move |_| match chance {
        Some(chance) if drop > 0.0 => chance.random::<f32>() >= drop,
        _ => true,
    })
}

/// Maps from indices of tuples, edges, texts and methods in a dataset to their indices in a batch.
///
/// A map has an entry for everything that the batch already contains.
#[derive(Default)]
struct Gathering {
    tuples: FxHashMap<u32, u32>,
    edges: FxHashMap<u32, u32>,
    texts: FxHashMap<u32, u32>,
    methods: FxHashMap<u32, u32>,
}

impl Gathering {
    fn tuple(&mut self, batch: &mut Batch, view: View<'_>, tuple: u32, chance: &mut Chance<'_>) -> u32 {
        if let Some(&known) = self.tuples.get(&tuple) {
            return known;
        }
        let whole = view.dataset.tuples[tuple as usize];
        let node = self.text(batch, view, whole.node, chance);
        let edge = self.edge(batch, view, whole.edge, chance);
        batch.tuple_nodes.push(node);
        batch.tuple_edges.push(edge);
        let place = narrow(batch.tuple_nodes.len() - 1);
        self.tuples.insert(tuple, place);
        place
    }

    fn edge(&mut self, batch: &mut Batch, view: View<'_>, edge: u32, chance: &mut Chance<'_>) -> u32 {
        if let Some(&known) = self.edges.get(&edge) {
            return known;
        }
        let whole = view.dataset.edges[edge as usize];
        let text = self.text(batch, view, whole.text, chance);
        let method = match view.config.cut {
            CutEdges::Tokens => None,
            CutEdges::Body | CutEdges::Both => whole.method.map(|it| self.method(batch, view, it, chance)),
        };
        batch.edge_texts.push(text);
        batch.edge_methods.push(method);
        let place = narrow(batch.edge_texts.len() - 1);
        self.edges.insert(edge, place);
        place
    }

    fn text(&mut self, batch: &mut Batch, view: View<'_>, text: u32, chance: &mut Chance<'_>) -> u32 {
        if let Some(&known) = self.texts.get(&text) {
            return known;
        }
        let rows = view.dataset.texts[text as usize]
            .iter()
            .map(|it| view.rows.tokens[*it as usize]);
        let drop = chance.as_ref().map_or(0.0, |_| view.config.token_dropout);
        batch.texts.push(kept(rows, drop, chance), Scaling::Mean);
        let place = narrow(batch.texts.len() - 1);
        self.texts.insert(text, place);
        place
    }

    fn method(&mut self, batch: &mut Batch, view: View<'_>, method: u32, chance: &Chance<'_>) -> u32 {
        if let Some(&known) = self.methods.get(&method) {
            return known;
        }
        let body = &view.dataset.methods[method as usize];
        let rows = view.rows;
        let words = body.words.iter().map(|it| rows.tokens[*it as usize]);
        batch.method_words.push(words, Scaling::Mean);
        if chance.is_none() {
            batch.method_words.sort_last();
        }
        let contexts = body.contexts.iter().take(MOST_CONTEXTS).map(|&[from, way, to]| {
            [
                rows.tokens[from as usize],
                rows.ways[way as usize],
                rows.tokens[to as usize],
            ]
        });
        batch.contexts.push(contexts.collect());
        let place = narrow(batch.contexts.len() - 1);
        self.methods.insert(method, place);
        place
    }
}
