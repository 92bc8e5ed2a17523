//! Probabilities of tests: which are judged at a glance and which with their paths, by which networks and regressions, and where.
//!
//! Groups of tests are judged in parallel; a result does not depend on the group beyond rounding.

use burn::tensor::Device;
use peeler_learning::calibration::logit;
use rayon::prelude::*;

use crate::batch::{Batch, View};
use crate::config::Config;
use crate::dataset::Depth;
use crate::linear::Linear;
use crate::network::Network;
use crate::plain::PlainNetwork;
use crate::weights::Weights;

/// Tests judged together: enough to share, few enough for a cache.
const GROUP: usize = 48;
/// Tests judged together on a GPU, where every operation has its price.
const GPU_GROUP: usize = 512;

/// The judgement of one test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judged {
    /// The probability of being flaky.
    pub(crate) probability: f32,
    /// The number of each path of the test with its attention; nothing where the paths were not read.
    pub(crate) attention: Vec<(u32, f32)>,
}

/// Judges some tests of a dataset, by hand or on a device.
pub(crate) fn judge(view: View<'_>, members: &[Weights], tests: &[usize], device: Option<&Device>) -> Vec<Judged> {
    judge_twice(view.config, tests.len(), |chosen, reading| {
        let chosen: Vec<usize> = chosen.iter().map(|at| tests[*at]).collect();
        judge_as(view, members, &chosen, device, reading)
    })
}

/// Judges so many tests as the configuration says: all with their paths, or only those that stand out at a first glance. Of
/// the others that glance is the judgement. `judge` is given places of tests.
pub(crate) fn judge_twice(
    config: &Config,
    tests: usize,
    mut judge: impl FnMut(&[usize], Depth) -> Vec<Judged>,
) -> Vec<Judged> {
    let all: Vec<usize> = (0..tests).collect();
    if !config.glances() {
        return judge(&all, Depth::WithPaths);
    }
    let mut judged = judge(&all, Depth::WithoutPaths);
    let stands_out = |at: &usize| judged[*at].probability >= config.paths_from;
    let standing_out: Vec<usize> = all.into_iter().filter(stands_out).collect();
    let read = judge(&standing_out, Depth::WithPaths);
    for (at, read) in standing_out.into_iter().zip(read) {
        judged[at] = read;
    }
    judged
}

/// Judges some tests of a dataset: the mean of all networks and regressions in log-odds.
pub(crate) fn judge_as(
    view: View<'_>,
    members: &[Weights],
    tests: &[usize],
    device: Option<&Device>,
    reading: Depth,
) -> Vec<Judged> {
    let mut members = members.iter().map(|it| judge_by_one(view, it, tests, device, reading));
    let mut judged = members.next().unwrap_or_default();
    let mut count = 1.0;
    for other in members {
        count += 1.0;
        for (mean, other) in judged.iter_mut().zip(other) {
            let sum = logit(mean.probability) * (count - 1.0) + logit(other.probability);
            mean.probability = sigmoid(sum / count);
            for (mean, other) in mean.attention.iter_mut().zip(other.attention) {
                mean.1 += (other.1 - mean.1) / count;
            }
        }
    }
    judged
}

/// The mean of network and regression in log-odds, where there are both.
fn judge_by_one(
    view: View<'_>,
    weights: &Weights,
    tests: &[usize],
    device: Option<&Device>,
    reading: Depth,
) -> Vec<Judged> {
    let mut judged = match device {
        None => judge_by_hand(view, weights, tests, reading),
        Some(device) => judge_on_device(view, weights, tests, device, reading),
    };
    if let Some(linear) = Linear::of(weights) {
        for (judged, linear) in judged.iter_mut().zip(linear.logits(view, tests)) {
            judged.probability = sigmoid(f32::midpoint(logit(judged.probability), linear));
        }
    }
    judged
}

fn judge_by_hand(view: View<'_>, weights: &Weights, tests: &[usize], reading: Depth) -> Vec<Judged> {
    let network = PlainNetwork::new(view.config, weights);
    let groups: Vec<Vec<Judged>> = tests
        .par_chunks(GROUP)
        .map(|group| network.judge(view.config, &batch(view, group, reading)))
        .collect();
    groups.into_iter().flatten().collect()
}

fn batch(view: View<'_>, tests: &[usize], reading: Depth) -> Batch {
    match reading {
        Depth::WithPaths => Batch::new(view, tests, None),
        Depth::WithoutPaths => Batch::without_paths(view, tests, &mut None),
    }
}

fn judge_on_device(view: View<'_>, weights: &Weights, tests: &[usize], device: &Device, reading: Depth) -> Vec<Judged> {
    let mut source = weights;
    let network = Network::new(view.config, view.vocabulary, &mut source, device).expect("weights of this network");
    let mut judged = Vec::with_capacity(tests.len());
    for group in tests.chunks(GPU_GROUP) {
        let batch = batch(view, group, reading);
        let judgement = network.forward(&batch, None, device);
        let numbers = |tensor: burn::tensor::Tensor<2>| -> Vec<f32> {
            tensor.into_data().try_to_vec().expect("numbers of 32 bits")
        };
        let probabilities = numbers(judgement.log_probabilities.exp());
        let attention = judgement.attention.map(numbers).unwrap_or_default();
        let most = attention.len() / batch.tests.max(1);
        judged.extend((0..batch.tests).map(|test| {
            let own = batch.path_numbers.get(test).map(Vec::as_slice).unwrap_or_default();
            let weights = attention[test * most..].iter();
            Judged {
                probability: probabilities[2 * test + 1],
                attention: own.iter().copied().zip(weights.copied()).collect(),
            }
        }));
    }
    judged
}

pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
