//! The batches of an epoch: which tests a step learns from.

use rand_chacha::ChaCha8Rng;

use crate::batch::{Batch, View};
use crate::network::Dropout;
use crate::random::random_stream;
use crate::sampler::Sampler;
use crate::setting::{Parts, Setting};

/// What the batches of an epoch are drawn from.
pub(super) struct Drawing<'t> {
    /// The inputs of the training run.
    pub(super) setting: Setting<'t>,
    /// The tests and their labels.
    pub(super) parts: &'t Parts,
    /// The tests as the network reads them.
    pub(super) view: View<'t>,
    /// The stable tests to learn from.
    pub(super) stable: &'t Sampler,
    /// The flaky tests of the epoch in their order.
    pub(super) order: Vec<usize>,
}

/// The input of a training step, with the random numbers of its dropout.
pub(super) struct DrawnBatch {
    /// The input of the network.
    pub(super) batch: Batch,
    /// For each test of the batch, whether it is flaky.
    pub(super) labels: Vec<bool>,
    /// The random numbers that the step continues with.
    pub(super) random: ChaCha8Rng,
}

impl DrawnBatch {
    /// The dropout of the step.
    pub(super) fn dropout<'r>(setting: Setting<'_>, random: &'r mut ChaCha8Rng) -> Dropout<'r> {
        Dropout {
            share: setting.config.dropout,
            paths: setting.config.path_dropout,
            random,
        }
    }
}

impl Drawing<'_> {
    /// The batch of a training step. `number` counts the steps from the start of training, `within` those of the epoch.
    pub(super) fn batch(&self, number: usize, within: usize) -> DrawnBatch {
        let config = self.setting.config;
        let mut random = random_stream(self.setting.seed, (number as u64) << 20 | 0xFFFFF);
        let flaky = (config.batch / (1 + config.stable_per_flaky)).max(1);
        let mut tests: Vec<usize> = (0..flaky)
            .map(|at| self.order[(within * flaky + at) % self.order.len()])
            .collect();
        for at in flaky..config.batch {
            let companion = self.setting.dataset.tests[tests[at % flaky]].project;
            tests.extend(self.stable.draw_beside(companion, config.same_project, &mut random));
        }
        DrawnBatch {
            batch: Batch::new(self.view, &tests, Some(&mut random)),
            labels: tests.iter().map(|it| self.parts.flaky[*it]).collect(),
            random,
        }
    }
}
