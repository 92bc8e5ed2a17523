//! Which tests are run, and at what price.

use std::fs;
use std::path::Path;

use anyhow::Context;
use peeler_eval::evaluation::Evaluation;
use peeler_rerun::cannier::{Plan, Thresholds, candidates, validation_front};
use peeler_rerun::evidence::Event;

use super::arguments::ConfirmArgs;
use super::selection::Selection;

/// Which tests are run, by the model's word or by the user's.
pub(super) fn plan(arguments: &ConfirmArgs, selection: &Selection, known: &[Event]) -> anyhow::Result<Plan> {
    let candidates = candidates(&selection.chosen, &selection.probabilities, known);
    let thresholds = if arguments.from.is_none() || arguments.all {
        None
    } else {
        let front = match &arguments.validation {
            Some(path) => Some(validation_front(&predictions(path)?, arguments.runs)),
            None => None,
        };
        let chosen = match (front, arguments.budget) {
            (Some(front), Some(budget)) => Thresholds::best_within(&front, budget, &candidates, arguments.runs),
            (Some(front), None) => Thresholds::balanced(&front),
            (None, Some(budget)) => Thresholds::within(budget, &candidates, arguments.runs),
            (None, None) => Thresholds::default(),
        };
        Some(Thresholds {
            lower: arguments.omega_lower.unwrap_or(chosen.lower),
            upper: arguments.omega_upper.unwrap_or(chosen.upper),
        })
    };
    Ok(Plan::new(&candidates, thresholds, arguments.runs))
}

/// The labelled predictions of an evaluation: of the network, or of the first predictor.
fn predictions(path: &Path) -> anyhow::Result<Vec<(f64, bool)>> {
    let text = fs::read(path).with_context(|| format!("cannot read {}; does it exist?", path.display()))?;
    let remedy = || {
        format!(
            "{} is no evaluation; write it with `peeler eval --json`",
            path.display()
        )
    };
    let evaluation: Evaluation = serde_json::from_slice(&text).with_context(remedy)?;
    let models = &evaluation.models;
    let model = models.iter().find(|it| it.model == "peeler").or(models.first());
    let tests = &model.with_context(remedy)?.predictions;
    Ok(tests
        .iter()
        .map(|it| (f64::from(it.prediction.score), it.flaky))
        .collect())
}
