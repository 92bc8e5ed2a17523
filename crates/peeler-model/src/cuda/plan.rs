//! What a computation on a card needs of a batch: sums of rows in both directions, masks and labels.
//!
//! Plans are made on the threads that draw batches, so that the training only copies and starts.

use std::sync::Arc;

use peeler_cuda::{Bits, Floats, Groups, Lists, Package, RowLists};
use peeler_features::{MEASURES, narrow};
use rand::Rng;

use crate::batch::{self, Batch, View};
use crate::config::{BodyReading, CutEdges, Input};
use crate::network::{Dropout, distinct};
use crate::recurrence::Packing;

/// What a computation on a card needs of a batch.
pub(crate) struct Plan {
    /// The number of tests.
    pub(super) tests: usize,
    /// Bags of names, each with the name of its table.
    pub(super) bags: Vec<(&'static str, Arc<Lists>)>,
    /// The measures of all tests; `None` if they are not read.
    pub(super) measures: Option<Floats>,
    /// The contextual paths of the batch; `None` if it has none.
    pub(super) paths: Option<PathPlan>,
    /// The features that dropout keeps; `None` if it keeps all.
    pub(super) kept_features: Option<Bits>,
    /// The units of the last hidden layer that dropout keeps; `None` if it keeps all.
    pub(super) kept_hidden: Option<Bits>,
    /// The probabilities of being flaky to learn; `None` in prediction.
    pub(super) targets: Option<Floats>,
}

/// The contextual paths of a batch. [`Batch`] explains texts, edges, tuples and steps.
pub(super) struct PathPlan {
    /// For each distinct text, the embedding rows of its sub-tokens.
    pub(super) texts: Arc<Lists>,
    /// For each distinct node, its text.
    pub(super) node_texts: Arc<Lists>,
    /// For each tuple, its distinct node.
    pub(super) node_places: Arc<Lists>,
    /// For each edge, its text.
    pub(super) edge_texts: Arc<Lists>,
    /// The bodies of called methods; `None` if none is read.
    pub(super) bodies: Option<BodyPlan>,
    /// For each tuple, its edge.
    pub(super) tuple_edges: Arc<Lists>,
    /// For each step of a path, its tuple.
    pub(super) steps: Arc<Lists>,
    /// For each time step, the number of paths that have it.
    pub(super) active: Vec<usize>,
    /// For each path, its last step.
    pub(super) last: Arc<Lists>,
    /// The paths of each test.
    pub(super) groups: Arc<Groups>,
    /// The elements of path states that dropout keeps; `None` if it keeps all.
    pub(super) kept_states: Option<Bits>,
    /// The tests whose paths dropout keeps; `None` if it keeps all.
    pub(super) kept_tests: Option<Bits>,
}

/// The bodies of called methods of a batch.
pub(super) struct BodyPlan {
    /// How they are read.
    pub(super) reading: BodyPlanReading,
    /// The edges whose tokens are read; `None` if all are.
    pub(super) kept_edges: Option<Arc<Lists>>,
    /// For each edge, the method that it calls.
    pub(super) called: Arc<Lists>,
}

/// How bodies are read.
pub(super) enum BodyPlanReading {
    /// For each body, the embedding rows of its sub-tokens.
    Words(Arc<Lists>),
    /// Path contexts: a syntax tree path with its two sub-tokens.
    Contexts {
        /// The embedding rows of sub-token, syntax tree path and sub-token of each context.
        parts: [Arc<Lists>; 3],
        /// The contexts of each body.
        groups: Arc<Groups>,
    },
}

/// Packs what a plan consists of.
struct Packer<'p> {
    package: &'p mut Package,
    direction: Direction,
}

/// The directions in which a computation goes.
#[derive(Debug, Clone, Copy)]
enum Direction {
    /// From inputs to scores.
    Forward,
    /// Gradients flow back too.
    Both,
}

impl Packer<'_> {
    fn lists(&mut self, lists: &batch::Lists, sources: usize) -> Arc<Lists> {
        let starts = if lists.starts.is_empty() {
            vec![0]
        } else {
            lists.starts.iter().map(|it| narrow(*it)).collect()
        };
        let lists = RowLists::new(starts, lists.rows.clone(), Some(lists.weights.clone()), sources);
        self.pack(&lists)
    }

    fn picks(&mut self, rows: Vec<u32>, sources: usize) -> Arc<Lists> {
        self.pack(&RowLists::picks(rows, sources))
    }

    /// Lists of one row or none.
    fn optional(&mut self, rows: impl Iterator<Item = Option<u32>>, sources: usize) -> Arc<Lists> {
        let (mut starts, mut known) = (vec![0], Vec::new());
        for row in rows {
            known.extend(row);
            starts.push(narrow(known.len()));
        }
        self.pack(&RowLists::new(starts, known, None, sources))
    }

    fn pack(&mut self, lists: &RowLists) -> Arc<Lists> {
        Arc::new(match self.direction {
            Direction::Both => self.package.lists_both_ways(lists),
            Direction::Forward => self.package.lists(lists),
        })
    }

    fn groups(&mut self, groups: impl Iterator<Item = Vec<u32>>, sources: usize) -> Arc<Groups> {
        let (mut starts, mut members) = (vec![0], Vec::new());
        for group in groups {
            members.extend(group);
            starts.push(narrow(members.len()));
        }
        Arc::new(self.package.groups(&RowLists::new(starts, members, None, sources)))
    }
}

impl Plan {
    /// The plan of a training step.
    pub(crate) fn of_training(
        view: View<'_>,
        batch: &Batch,
        labels: &[bool],
        mut dropout: Dropout<'_>,
        package: &mut Package,
    ) -> Self {
        let smoothing = view.config.label_smoothing;
        let target = |flaky: &bool| f32::from(u8::from(*flaky)) * (1.0 - smoothing) + smoothing / 2.0;
        let targets = package.floats(labels.iter().map(target));
        let mut plan = Self::new(view, batch, package, Some(&mut dropout));
        plan.targets = Some(targets);
        plan
    }

    /// The plan of a prediction.
    pub(crate) fn of_prediction(view: View<'_>, batch: &Batch, package: &mut Package) -> Self {
        Self::new(view, batch, package, None)
    }

    fn new(view: View<'_>, batch: &Batch, package: &mut Package, mut dropout: Option<&mut Dropout<'_>>) -> Self {
        let (config, vocabulary) = (view.config, view.vocabulary);
        let mut packer = Packer {
            direction: if dropout.is_some() {
                Direction::Both
            } else {
                Direction::Forward
            },
            package,
        };
        let tokens = vocabulary.tokens.rows();
        let bags = [
            (Input::Words, "words", &batch.words, tokens),
            (Input::Context, "context", &batch.context, tokens),
            (Input::Reach, "calls", &batch.calls, vocabulary.calls.rows()),
            (Input::Causes, "causes", &batch.causes, vocabulary.causes.rows()),
            (Input::Flows, "flows", &batch.flows, vocabulary.flows.rows()),
            (Input::Oracles, "oracles", &batch.oracles, vocabulary.oracles.rows()),
        ];
        let read = bags.into_iter().filter(|it| config.reads(it.0));
        let bags: Vec<_> = read
            .map(|(_, name, lists, rows)| (name, packer.lists(lists, rows)))
            .collect();
        let reads_measures = config.reads(Input::Measures);
        let measures = reads_measures.then(|| packer.package.floats(batch.measures.iter().copied()));
        debug_assert!(!reads_measures || batch.measures.len() == batch.tests * MEASURES);
        let paths = batch
            .has_paths()
            .then(|| PathPlan::new(view, batch, &mut packer, dropout.as_deref_mut()));
        // A bag, the measures and the paths are as wide as their tables.
        let width = (bags.len() + usize::from(reads_measures)) * config.embedding
            + usize::from(config.reads(Input::Paths)) * config.hidden;
        let kept_features = packer.kept(batch.tests * width, dropout.as_deref_mut());
        let kept_hidden = packer.kept(batch.tests * config.head, dropout);
        Self {
            tests: batch.tests,
            bags,
            measures,
            paths,
            kept_features,
            kept_hidden,
            targets: None,
        }
    }
}

impl Packer<'_> {
    /// The features that dropout keeps, drawn as on other backends; `None` if it keeps all.
    fn kept(&mut self, count: usize, dropout: Option<&mut Dropout<'_>>) -> Option<Bits> {
        let dropout = dropout.filter(|it| it.share > 0.0)?;
        let share = dropout.share;
        Some(
            self.package
                .bits((0..count).map(|_| dropout.random.random::<f32>() >= share)),
        )
    }
}

impl PathPlan {
    fn new(view: View<'_>, batch: &Batch, packer: &mut Packer<'_>, dropout: Option<&mut Dropout<'_>>) -> Self {
        let texts = batch.texts.len();
        let (node_texts, node_places) = distinct(&batch.tuple_nodes);
        let (nodes, edges, tuples) = (node_texts.len(), batch.edge_texts.len(), batch.tuple_nodes.len());
        let packing = Packing::new(batch.active.clone());
        let last: Vec<u32> = packing.last_rows().map(narrow).collect();
        let paths = last.len();
        let mut kept_states = None;
        let mut kept_tests = None;
        if let Some(dropout) = dropout {
            kept_states = packer.kept(paths * view.config.hidden, Some(&mut *dropout));
            if dropout.paths > 0.0 {
                let share = dropout.paths;
                let bits = (0..batch.tests).map(|_| dropout.random.random::<f32>() >= share);
                kept_tests = Some(packer.package.bits(bits));
            }
        }
        Self {
            texts: packer.lists(&batch.texts, view.vocabulary.tokens.rows()),
            node_texts: packer.picks(node_texts, texts),
            node_places: packer.picks(node_places, nodes),
            edge_texts: packer.picks(batch.edge_texts.clone(), texts),
            bodies: BodyPlan::new(view, batch, packer),
            tuple_edges: packer.picks(batch.tuple_edges.clone(), edges),
            steps: packer.picks(batch.steps.clone(), tuples),
            active: batch.active.clone(),
            last: packer.picks(last, batch.steps.len()),
            groups: packer.groups(batch.paths.iter().cloned(), paths),
            kept_states,
            kept_tests,
        }
    }
}

impl BodyPlan {
    /// `None` if no body is read.
    fn new(view: View<'_>, batch: &Batch, packer: &mut Packer<'_>) -> Option<Self> {
        let methods = batch.contexts.len();
        if methods == 0 {
            return None;
        }
        let tokens = view.vocabulary.tokens.rows();
        let reading = match view.config.body {
            BodyReading::Words => BodyPlanReading::Words(packer.lists(&batch.method_words, tokens)),
            BodyReading::Contexts => {
                // A method without a body attends to an empty context.
                let contexts: Vec<Vec<[u32; 3]>> = batch
                    .contexts
                    .iter()
                    .map(|own| if own.is_empty() { vec![[0; 3]] } else { own.clone() })
                    .collect();
                let mut first = 0;
                let members = contexts.iter().map(|own| {
                    let group = first..first + narrow(own.len());
                    first = group.end;
                    group.collect()
                });
                let groups = packer.groups(members, contexts.iter().map(Vec::len).sum());
                let rows = [tokens, view.vocabulary.ways.rows(), tokens];
                let parts = [0, 1, 2].map(|part| {
                    let column = contexts.iter().flatten().map(|it| it[part]);
                    packer.picks(column.collect(), rows[part])
                });
                BodyPlanReading::Contexts { parts, groups }
            }
        };
        let edges = batch.edge_methods.len();
        let keeps_all = view.config.cut == CutEdges::Both;
        let own = batch.edge_methods.iter().zip(0..);
        let kept = own.map(|(method, edge)| method.is_none().then_some(edge));
        Some(Self {
            reading,
            kept_edges: (!keeps_all).then(|| packer.optional(kept, edges)),
            called: packer.optional(batch.edge_methods.iter().copied(), methods),
        })
    }
}
