//! Which tests are run, and at what price.
//!
//! Thresholds come from labelled predictions wherever there are some: those that the user names, else what the model that
//! made the scan said of tests that were held out from it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use peeler_eval::evaluation::Evaluation;
use peeler_learning::cannier::{Thresholds, ValidationFront};
use peeler_rerun::candidates::{Candidate, candidates, warm_up};
use peeler_rerun::evidence::Event;
use peeler_rerun::plan::{Plan, affordable_thresholds, affordable_thresholds_without_labels};

use super::arguments::{Budget, ConfirmArgs};
use super::selection::Selection;

/// A plan, and in words where its thresholds come from, if it has some.
pub(super) struct Planned {
    pub(super) plan: Plan,
    pub(super) grounds: Option<String>,
}

/// Which tests are run, by the model's word or by the user's. `known` are earlier runs, which tell the price.
pub(super) fn planned(arguments: &ConfirmArgs, selection: &Selection, known: &[Event]) -> anyhow::Result<Planned> {
    let candidates = candidates(&selection.chosen, &selection.probabilities, known);
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
        return Ok((Thresholds { lower, upper }, "as they were given".to_owned()));
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
            format!("the best that the budget pays for, by {of}"),
        ),
        (Some((front, of)), None) => (front.balanced(), format!("the balance of price and proof, by {of}")),
        (None, Some(budget)) => (
            affordable_thresholds_without_labels(budget, candidates, arguments.runs),
            "the best that the budget pays for, with the model's probabilities taken at their word".to_owned(),
        ),
        (None, None) => (
            Thresholds::default(),
            "the literature's: nothing is known about this model's mistakes".to_owned(),
        ),
    };
    let given = Thresholds {
        lower: arguments.omega_lower.unwrap_or(chosen.lower),
        upper: arguments.omega_upper.or(chosen.upper),
    };
    Ok((given, grounds))
}

/// The front of labelled predictions, and in words whose they are.
fn labelled(arguments: &ConfirmArgs, selection: &Selection) -> anyhow::Result<Option<(ValidationFront, String)>> {
    if let Some(path) = &arguments.validation {
        let front = ValidationFront::new(&predictions(path)?, arguments.runs);
        return Ok(Some((front, format!("the predictions of {}", path.display()))));
    }
    let record = &selection.track_record;
    let (tests, flaky) = record.tests();
    // Tests of one kind show no mistakes of the other.
    Ok((0 < flaky && flaky < tests).then(|| {
        let front = ValidationFront::new(&record.predictions(), arguments.runs);
        let of = format!("what the model said of {tests} tests that it had not learnt from, {flaky} of them flaky");
        (front, of)
    }))
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
