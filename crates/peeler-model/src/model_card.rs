//! The model card: a README about a model, with its training data and its accuracy on held-out tests.

use peeler_learning::calibration::Curve;
use peeler_learning::project_record::FIRST;

use crate::config::Input;
use crate::member::Member;
use crate::model::TrainedModel;
use crate::origin::Origin;

/// The parts of a test that the model reads, as a list in words.
fn inputs(model: &TrainedModel) -> String {
    let words = model.config.inputs.iter().map(|input| match input {
        Input::Paths => "its contextual paths",
        Input::Words => "its words",
        Input::Context => "the words of its class",
        Input::Reach => "the library calls that it can reach",
        Input::Measures => "its size and that of the code it reaches",
        Input::Causes => "causes from the catalogue of nondeterminism",
        Input::Flows => "the flows of nondeterminism that rules find",
        Input::Oracles => "what its assertions compare",
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A sentence about the threshold from which on the model reports tests, and about its precision on held-out data.
fn reporting(model: &TrainedModel) -> String {
    let threshold = model.reporting_threshold();
    if model.project_record.projects.is_empty() {
        return match model.track_record.tests_from(threshold) {
            (0, _) => format!("Reported from {threshold:.3} on; no held-out test scored as high"),
            (tests, flaky) => {
                format!("Reported from {threshold:.3} on; of {tests} held-out tests with such scores {flaky} are flaky")
            }
        };
    }
    match model.project_record.precision() {
        None => "Only ranks tests: from no probability on, half of the tests of a held-out project are surely flaky"
            .to_owned(),
        Some(precision) => format!(
            "Reported from {threshold:.2} on; of such tests of a held-out project {:.0}% are flaky ({:.0}% to {:.0}%, \
             {} projects)",
            100.0 * precision.mean,
            100.0 * precision.interval.low,
            100.0 * precision.interval.high,
            precision.projects
        ),
    }
}

/// A sentence about the flaky tests among the first tests of a held-out project; empty if no projects were held out.
fn ranking(model: &TrainedModel) -> String {
    model
        .project_record
        .flaky_among_first()
        .map_or_else(String::new, |first| {
            format!(
                "- Of the first {FIRST} tests of a held-out project {:.1} are flaky ({:.1} to {:.1}, {} projects)\n",
                first.mean, first.interval.low, first.interval.high, first.projects
            )
        })
}

/// What to add about tests that were never held out; empty if there are none.
fn learned_only(origin: &Origin) -> String {
    match origin.learned_only {
        0 => String::new(),
        tests => format!("; {tests} of the tests are samples of their projects and were never held out"),
    }
}

/// The model card (a README about a model and its training data) in Markdown.
pub(crate) fn model_card(model: &TrainedModel, origin: &Origin) -> String {
    let parameters: usize = model.members.iter().map(Member::parameter_count).sum();
    format!(
        "# Model card: {name}\n\n\
         Predicts how likely a Java test is flaky, from {inputs}. Written by `peeler train`; read by `peeler`.\n\n\
         - Networks averaged: {members}, {regression}; parameters: {parameters}\n\
         - Learned from {tests} tests ({flaky} flaky) of {projects} projects, corpus `{corpus}`{learned_only}\n\
         - Seed {seed}, computed with {backend}\n\
         - Average precision on held-out {held_out}: {validation} (of the scouts, at their best epoch)\n\
         - Best F1 at {threshold:.3}, temperature {temperature:.3}, shift {shift:.3}, all from held-out {held_out}\n\
         {ranking}\
         - {reporting}\n\n\
         Labels are noisy: a test that nobody reported may still be flaky. Probabilities are calibrated on the \
         held-out part of the corpus{curve}, where the share of flaky tests may differ from your project's: trust the \
         order within a project more than the number.\n\n\
         ## Projects\n\n{list}\n",
        name = model.config.name,
        inputs = inputs(model),
        members = model.members.len(),
        regression = if model.config.regression.is_some() {
            "each with a regression"
        } else {
            "without regression"
        },
        tests = origin.tests,
        flaky = origin.flaky,
        projects = origin.projects.len(),
        corpus = origin.corpus,
        learned_only = learned_only(origin),
        seed = origin.seed,
        backend = origin.backend,
        held_out = origin.held_out,
        validation = origin
            .validation
            .map_or_else(|| "not measured".to_owned(), |it| format!("{it:.3}")),
        threshold = model.threshold,
        ranking = ranking(model),
        reporting = reporting(model),
        temperature = model.calibration.temperature,
        shift = model.calibration.shift,
        curve = if model.curve == Curve::default() {
            ""
        } else {
            ", by the share of flaky tests among those of about the same score"
        },
        list = origin.projects.join(", "),
    )
}
