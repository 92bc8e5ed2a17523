//! Scores of tests by all members (networks) of a model, on the CPU or on a GPU.
//!
//! A configuration may leave the paths of most tests unread. All tests are then scored without paths first, and those
//! with a probability of at least `paths_from` are scored again with their paths.
//!
//! Invariant: the score of a test does not depend on the tests beside it, but for rounding on a GPU.

#[cfg(feature = "training")]
mod on_device;

use peeler_learning::calibration::logit;
use rayon::prelude::*;

use crate::batch::{Batch, View};
use crate::config::Config;
use crate::device::Device;
use crate::member::Member;
use crate::plain;
use crate::regression::Regression;
use crate::score::{Score, sigmoid};
use peeler_features::Depth;

/// The number of tests that are scored together on the CPU.
///
/// Enough tests to share common steps of their paths, and few enough for the processor cache.
const GROUP: usize = 48;

/// The uncalibrated scores of the tests with these indices in a dataset, on the CPU or on `device`.
///
/// With `paths_from` in the configuration, paths are read only for tests that score high without them.
pub(crate) fn scores(view: View<'_>, members: &[Member], tests: &[usize], device: Option<&Device>) -> Vec<Score> {
    two_passes(view.config, tests.len(), |chosen, depth| {
        let chosen: Vec<usize> = chosen.iter().map(|at| tests[*at]).collect();
        scores_as(view, members, &chosen, device, depth)
    })
}

/// Scores tests without paths, then scores those with a probability of at least `paths_from` again, with paths.
///
/// If the configuration has no `paths_from`, all tests are scored once, with their paths if it reads them. `score` gets
/// indices of tests, all below `tests`.
pub(crate) fn two_passes(
    config: &Config,
    tests: usize,
    mut score: impl FnMut(&[usize], Depth) -> Vec<Score>,
) -> Vec<Score> {
    let all: Vec<usize> = (0..tests).collect();
    let Some(paths_from) = config.second_pass_from() else {
        return score(&all, config.encoding());
    };
    let mut scores = score(&all, Depth::WithoutPaths);
    let is_high = |at: &usize| scores[*at].probability >= paths_from;
    let high: Vec<usize> = all.into_iter().filter(is_high).collect();
    let rescored = score(&high, Depth::WithPaths);
    for (at, score) in high.into_iter().zip(rescored) {
        scores[at] = score;
    }
    scores
}

/// The uncalibrated scores of the tests with these indices: the mean log-odds of all members (networks) of the model.
///
/// `depth` says whether their contextual paths are read.
pub(crate) fn scores_as(
    view: View<'_>,
    members: &[Member],
    tests: &[usize],
    device: Option<&Device>,
    depth: Depth,
) -> Vec<Score> {
    let mut members = members.iter().map(|it| member_scores(view, it, tests, device, depth));
    let mut scores = members.next().unwrap_or_default();
    let mut count = 1.0;
    for others in members {
        count += 1.0;
        for (mean, other) in scores.iter_mut().zip(others) {
            let sum = logit(mean.probability) * (count - 1.0) + logit(other.probability);
            mean.probability = sigmoid(sum / count);
            let own = mean.attention.iter_mut().flatten();
            for (mean, other) in own.zip(other.attention.into_iter().flatten()) {
                mean.1 += (other.1 - mean.1) / count;
            }
        }
    }
    scores
}

/// The uncalibrated scores of tests by one member of a model: its network, averaged in log-odds with its regression, if
/// any. The configuration says how much the regression counts.
fn member_scores(
    view: View<'_>,
    member: &Member,
    tests: &[usize],
    device: Option<&Device>,
    depth: Depth,
) -> Vec<Score> {
    let mut scores = match device {
        None => scores_on_cpu(view, member, tests, depth),
        #[cfg(feature = "training")]
        Some(device) => on_device::scores(view, member, tests, device, depth),
        #[cfg(not(feature = "training"))]
        Some(device) => match *device {},
    };
    average_with(
        member.regression(),
        view,
        tests,
        scores.iter_mut().map(|it| &mut it.probability),
    );
    scores
}

/// Averages the probabilities of a network with those of its regression, if any, in log-odds.
fn average_with<'p>(
    regression: Option<&Regression>,
    view: View<'_>,
    tests: &[usize],
    probabilities: impl Iterator<Item = &'p mut f32>,
) {
    let Some(regression) = regression else {
        return;
    };
    for (probability, linear) in probabilities.zip(regression.logits(view, tests)) {
        let own = logit(*probability);
        *probability = sigmoid(own + (linear - own) * view.config.regression_share);
    }
}

/// The uncalibrated probabilities of tests by a network that is computed elsewhere, and its regression.
#[cfg(feature = "cuda")]
pub(crate) fn probabilities_by(
    view: View<'_>,
    regression: Option<&Regression>,
    tests: &[usize],
    network: impl Fn(&[usize], Depth) -> Vec<f32>,
) -> Vec<f32> {
    let scores = two_passes(view.config, tests.len(), |chosen, depth| {
        let chosen: Vec<usize> = chosen.iter().map(|at| tests[*at]).collect();
        let mut probabilities = network(&chosen, depth);
        average_with(regression, view, &chosen, probabilities.iter_mut());
        let score = |probability| Score {
            probability,
            attention: None,
        };
        probabilities.into_iter().map(score).collect()
    });
    scores.into_iter().map(|it| it.probability).collect()
}

fn scores_on_cpu(view: View<'_>, member: &Member, tests: &[usize], depth: Depth) -> Vec<Score> {
    let groups: Vec<Vec<Score>> = tests
        .par_chunks(GROUP)
        .map(|group| plain::scores(view.config, member.parameters(), &Batch::with_depth(view, group, depth)))
        .collect();
    groups.into_iter().flatten().collect()
}
