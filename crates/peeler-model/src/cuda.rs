//! Training on an NVIDIA card without the Burn library: the same network, computed by `peeler-cuda`.
//!
//! A tensor library starts many small operations and computes the gradients of each. Here a step of the LSTM is one
//! product and one kernel, and sums of rows are grouped where batches are drawn, beside the training.

mod forward;
mod plan;
mod tables;

use std::sync::Arc;

use peeler_cuda::{AdamW, Card, CardError, Matrix, Moments, Package, Queue, Tape};
use peeler_features::Depth;

pub(crate) use self::plan::Plan;
use crate::batch::{Batch, View};
use crate::config::Config;
use crate::pause::work;
use crate::trainer_state::StateError;
use crate::weights::{Array, Values, Weights};

/// The shares of both moments that a step keeps, as in the Burn library.
const BETAS: [f32; 2] = [0.9, 0.999];
/// The number that is added to the root of the second moment, as in the Burn library.
const EPSILON: f32 = 1e-5;
/// About the largest number of floats for the time steps of all paths that are scored together: two gigabytes.
const FLOATS_TOGETHER: usize = 500_000_000;
/// The largest number of tests that are scored together.
const TESTS_TOGETHER: usize = 2_048;

/// A network in training on an NVIDIA card.
pub(crate) struct CudaLearner {
    queue: Queue,
    config: Config,
    optimiser: AdamW,
    parameters: Vec<Parameter>,
}

/// A parameter of the network on the card.
struct Parameter {
    name: String,
    shape: Vec<usize>,
    value: Arc<Matrix>,
    moments: Moments,
    /// Whether training leaves it as it is.
    is_frozen: bool,
}

/// What a computation needs of its batch, with all numbers in one package.
pub(crate) struct PreparedBatch {
    plan: Plan,
    package: Package,
}

impl PreparedBatch {
    /// Prepares a batch, on any thread.
    pub(crate) fn new(make: impl FnOnce(&mut Package) -> Plan) -> Self {
        let mut package = Package::default();
        Self {
            plan: make(&mut package),
            package,
        }
    }
}

impl CudaLearner {
    /// A network with these parameters, before its first step.
    pub(crate) fn new(
        config: &Config,
        weights: &Weights,
        is_frozen: impl Fn(&str) -> bool,
        longest_gradient: f32,
    ) -> Result<Self, CardError> {
        let _working = work();
        let queue = Queue::new(&Card::open()?)?;
        let parameters = weights.arrays.iter().map(|(name, array)| {
            let (rows, columns) = match array.shape[..] {
                [rows, columns] => (rows, columns),
                _ => (1, array.values.len()),
            };
            Parameter {
                name: name.clone(),
                shape: array.shape.clone(),
                value: Arc::new(queue.upload(&array.values.widened(), rows, columns)),
                moments: Moments::new(&queue, rows, columns),
                is_frozen: is_frozen(name),
            }
        });
        Ok(Self {
            parameters: parameters.collect(),
            config: config.clone(),
            optimiser: AdamW {
                beta_1: BETAS[0],
                beta_2: BETAS[1],
                epsilon: EPSILON,
                weight_decay: config.weight_decay,
                longest_gradient,
            },
            queue,
        })
    }

    /// Takes one training step and returns its loss, which is still on the card.
    pub(crate) fn step(&mut self, prepared: &PreparedBatch, rate: f64) -> Arc<Matrix> {
        let _working = work();
        let (loss, gradients) = self.gradients(prepared);
        for (parameter, gradient) in self.parameters.iter_mut().zip(gradients) {
            if let Some(gradient) = gradient.filter(|_| !parameter.is_frozen) {
                #[expect(clippy::cast_possible_truncation, reason = "kernels compute with 32 bits")]
                let rate = rate as f32;
                let Parameter { value, moments, .. } = parameter;
                self.optimiser.step(&self.queue, value, moments, &gradient, rate);
            }
        }
        loss
    }

    /// The loss of a batch and the gradients of all parameters; `None` for those that it does not follow from.
    fn gradients(&self, prepared: &PreparedBatch) -> (Arc<Matrix>, Vec<Option<Matrix>>) {
        let delivery = self.queue.deliver(&prepared.package);
        let tape = Tape::of_training(&self.queue, &delivery);
        let tables = self.tables(&tape);
        let scores = forward::scores(&tape, &tables, &prepared.plan, &self.config);
        let targets = prepared.plan.targets.as_ref().expect("a training step has labels");
        let loss = tape.cross_entropy(&scores, targets);
        tape.backward(&loss);
        let gradients = self.parameters.iter().map(|it| tape.gradient(tables.of(&it.name)));
        let gradients = gradients.collect();
        (loss.into_value(), gradients)
    }

    /// The loss of a batch, and the gradient of every parameter by name.
    #[cfg(test)]
    pub(crate) fn gradients_by_name(&self, prepared: &PreparedBatch) -> (f64, Vec<(String, Vec<f32>)>) {
        let (loss, gradients) = self.gradients(prepared);
        let values = |(parameter, gradient): (&Parameter, Option<Matrix>)| {
            let gradient = gradient.unwrap_or_else(|| panic!("no gradient for {}", parameter.name));
            (parameter.name.clone(), self.queue.download(&gradient))
        };
        let gradients = self.parameters.iter().zip(gradients).map(values).collect();
        (f64::from(self.queue.download(&loss)[0]), gradients)
    }

    /// The losses of training steps. Waits until they are computed.
    pub(crate) fn losses(&self, losses: Vec<Arc<Matrix>>) -> Vec<f32> {
        let _working = work();
        losses.into_iter().flat_map(|it| self.queue.download(&it)).collect()
    }

    /// The probabilities of tests by the network as it is.
    pub(crate) fn probabilities(&self, view: View<'_>, tests: &[usize], depth: Depth) -> Vec<f32> {
        let mut found = Vec::with_capacity(tests.len());
        for group in groups(view, tests, depth) {
            let _working = work();
            let batch = Batch::with_depth(view, group, depth);
            let prepared = PreparedBatch::new(|package| Plan::of_prediction(view, &batch, package));
            let delivery = self.queue.deliver(&prepared.package);
            let tape = Tape::of_prediction(&self.queue, &delivery);
            let scores = forward::scores(&tape, &self.tables(&tape), &prepared.plan, &self.config);
            found.extend(self.queue.download(&tape.probabilities(&scores)));
        }
        found
    }

    /// All parameters of the network as arrays by name.
    pub(crate) fn weights(&self) -> Weights {
        let _working = work();
        let arrays = self.parameters.iter().map(|it| {
            let values = Values::Single(self.queue.download(&it.value).into());
            let shape = it.shape.clone();
            (it.name.clone(), Array { shape, values })
        });
        Weights {
            arrays: arrays.collect(),
        }
    }

    /// The state of the optimiser: for each parameter its number of steps and its moments.
    pub(crate) fn optimiser_state(&self) -> Vec<u8> {
        let _working = work();
        let mut bytes = Vec::new();
        for Parameter { moments, .. } in &self.parameters {
            bytes.extend(moments.steps.to_le_bytes());
            for moment in [&moments.mean, &moments.square] {
                bytes.extend(self.queue.download(moment).into_iter().flat_map(f32::to_le_bytes));
            }
        }
        bytes
    }

    /// Continues with a stored state of the optimiser.
    pub(crate) fn restore_optimiser(&mut self, state: &[u8]) -> Result<(), StateError> {
        let _working = work();
        let elements = self.parameters.iter().map(|it| 1 + 2 * it.value.elements());
        let wanted = 4 * elements.sum::<usize>();
        if state.len() != wanted {
            let found = state.len();
            return Err(StateError::Optimiser(format!(
                "it has {found} bytes instead of {wanted}"
            )));
        }
        let mut words = state.chunks_exact(4).map(|it| [it[0], it[1], it[2], it[3]]);
        for Parameter { value, moments, .. } in &mut self.parameters {
            moments.steps = i32::from_le_bytes(words.next().unwrap_or_default());
            for moment in [&mut moments.mean, &mut moments.square] {
                let own: Vec<f32> = words.by_ref().take(value.elements()).map(f32::from_le_bytes).collect();
                *moment = self.queue.upload(&own, value.rows(), value.columns());
            }
        }
        Ok(())
    }

    fn tables(&self, tape: &Tape<'_>) -> tables::Tables {
        tables::Tables::new(
            self.parameters
                .iter()
                .map(|it| (it.name.clone(), tape.input(&it.value))),
        )
    }
}

impl Drop for CudaLearner {
    fn drop(&mut self) {
        let _working = work();
        self.parameters.clear();
    }
}

/// Cuts tests into groups that are scored together.
fn groups<'t>(view: View<'_>, tests: &'t [usize], depth: Depth) -> Vec<&'t [usize]> {
    // A step has gates twice, a cell and a state, and tuples are normalised in three matrices.
    let Config { hidden, tuple, .. } = view.config;
    let most = FLOATS_TOGETHER / (10 * hidden + 3 * tuple);
    let steps = |at: usize| -> usize {
        let test = &view.dataset.tests[at];
        match depth {
            Depth::WithPaths => test.paths.iter().map(Vec::len).sum(),
            Depth::WithoutPaths => 0,
        }
    };
    let mut groups = Vec::new();
    let (mut first, mut sum) = (0, 0);
    for (at, test) in tests.iter().enumerate() {
        let own = steps(*test);
        if at > first && (sum + own > most || at - first == TESTS_TOGETHER) {
            groups.push(&tests[first..at]);
            (first, sum) = (at, 0);
        }
        sum += own;
    }
    if first < tests.len() {
        groups.push(&tests[first..]);
    }
    groups
}
