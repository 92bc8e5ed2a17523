//! Plans which tests `peeler confirm` runs, and estimates the cost.
//!
//! Thresholds are the probabilities between which tests run. They are chosen by labelled predictions if there are any.
//! These come from a file that the user names, or else from the predictions of the scan's model for held-out tests.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use peeler_learning::cannier::{Thresholds, ValidationFront};
use peeler_rerun::candidates::{Candidate, candidates, warm_up};
use peeler_rerun::evidence::Event;
use peeler_rerun::plan::{Plan, affordable_thresholds, affordable_thresholds_without_labels};
use peeler_rerun::steering::{Limit, steered_plan};
use serde::Deserialize;

use super::arguments::{Budget, ConfirmArgs};
use super::selection::Selection;

/// A plan of test runs. `grounds` says in words what the plan's probability thresholds are based on. It is `None` if
/// the plan has no thresholds, so that every test runs.
pub(super) struct Planned {
    pub(super) plan: Plan,
    pub(super) grounds: Option<String>,
}

/// Plans which tests are run. The run times of earlier runs in `known` tell the expected cost.
pub(super) fn planned(arguments: &ConfirmArgs, selection: &Selection, known: &[Event]) -> anyhow::Result<Planned> {
    let candidates = candidates(&selection.chosen, &selection.probabilities, known);
    if let Some(steering) = &selection.steering {
        let limit = match arguments.budget {
            Some(Budget::Time(time)) => Limit::Time(time),
            Some(Budget::Share(share)) => Limit::Share(share),
            None => Limit::None,
        };
        let plan = steered_plan(steering, &candidates, arguments.run_counts(), limit);
        return Ok(Planned {
            plan: plan.with_warm_up(warm_up(known)),
            grounds: None,
        });
    }
    let steered = if arguments.from.is_none() || arguments.all {
        None
    } else {
        Some(thresholds(arguments, selection, &candidates)?)
    };
    let (thresholds, grounds) = steered.unzip();
    let plan = Plan::new(&candidates, thresholds, arguments.runs);
    Ok(Planned {
        plan: plan.with_warm_up(warm_up(known)),
        grounds,
    })
}

fn thresholds(
    arguments: &ConfirmArgs,
    selection: &Selection,
    candidates: &[Candidate],
) -> anyhow::Result<(Thresholds, String)> {
    if let (Some(lower), upper @ Some(_)) = (arguments.omega_lower, arguments.omega_upper) {
        return Ok((Thresholds { lower, upper }, "those given".to_owned()));
    }
    let front = labelled(arguments, selection)?;
    let budget = arguments.budget.map(|it| match it {
        Budget::Time(time) => time,
        Budget::Share(share) => {
            let everything = Plan::new(candidates, None, arguments.runs).estimate.seconds;
            Duration::from_secs_f64(share * everything)
        }
    });
    let (chosen, grounds) = match (front, budget) {
        (Some((front, of)), Some(budget)) => (
            affordable_thresholds(&front, budget, candidates, arguments.runs),
            format!("the best within the budget, by {of}"),
        ),
        (Some((front, of)), None) => (front.balanced(), format!("a balance of cost and proof, by {of}")),
        (None, Some(budget)) => (
            affordable_thresholds_without_labels(budget, candidates, arguments.runs),
            "the best within the budget, assuming that the model's probabilities are right".to_owned(),
        ),
        (None, None) => (
            Thresholds::default(),
            "from the literature, because nothing is known about this model's errors".to_owned(),
        ),
    };
    let given = Thresholds {
        lower: arguments.omega_lower.unwrap_or(chosen.lower),
        upper: arguments.omega_upper.or(chosen.upper),
    };
    Ok((given, grounds))
}

/// The Pareto front of pairs of thresholds: the cost of reruns against errors, measured on labelled predictions. The
/// text says where the predictions come from. `None` if the user names no file with predictions, and the model's own
/// predictions are not about both flaky and stable tests.
fn labelled(arguments: &ConfirmArgs, selection: &Selection) -> anyhow::Result<Option<(ValidationFront, String)>> {
    if let Some(path) = &arguments.validation {
        let front = ValidationFront::new(&predictions(path)?, arguments.runs);
        return Ok(Some((front, format!("the predictions of {}", path.display()))));
    }
    let record = &selection.track_record;
    let (tests, flaky) = record.tests();
    // Without both flaky and stable tests there are no errors to weigh.
    Ok((0 < flaky && flaky < tests).then(|| {
        let front = ValidationFront::new(&record.predictions(), arguments.runs);
        let of = format!("the model's predictions for {tests} held-out tests, {flaky} of them flaky");
        (front, of)
    }))
}

/// Reads labelled predictions from the JSON of `peeler eval`: those of the network, or else of the first predictor.
fn predictions(path: &Path) -> anyhow::Result<Vec<(f64, bool)>> {
    let text = fs::read(path).with_context(|| format!("cannot read {}; does it exist?", path.display()))?;
    let remedy = || {
        format!(
            "{} is not an evaluation; create it with `peeler eval --json`",
            path.display()
        )
    };
    let evaluation: LabelledPredictions = serde_json::from_slice(&text).with_context(remedy)?;
    let models = &evaluation.models;
    let model = models.iter().find(|it| it.model == "peeler").or(models.first());
    let tests = &model.with_context(remedy)?.predictions;
    Ok(tests.iter().map(|it| (it.score, it.flaky)).collect())
}

/// The part of an evaluation that planning needs.
#[derive(Deserialize)]
struct LabelledPredictions {
    models: Vec<PredictionsOfModel>,
}

#[derive(Deserialize)]
struct PredictionsOfModel {
    model: String,
    predictions: Vec<LabelledPrediction>,
}

#[derive(Deserialize)]
struct LabelledPrediction {
    score: f64,
    flaky: bool,
}
