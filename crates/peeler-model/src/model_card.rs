//! The model card: a README about a model, with its training data and its accuracy on held-out tests.

use peeler_learning::calibration::Curve;

use crate::member::Member;
use crate::model::TrainedModel;
use crate::origin::Origin;

/// A phrase about the held-out tests whose probability is high enough to be reported: their number, and how many are
/// flaky.
fn record(model: &TrainedModel) -> String {
    match model.track_record.tests_from(model.reporting_threshold()) {
        (0, _) => "no held-out test scored as high".to_owned(),
        (tests, flaky) => format!("of {tests} held-out tests with such scores {flaky} are flaky"),
    }
}

/// The model card (a README about a model and its training data) in Markdown.
pub(crate) fn model_card(model: &TrainedModel, origin: &Origin) -> String {
    let parameters: usize = model.members.iter().map(Member::parameter_count).sum();
    format!(
        "# Model card: {name}\n\n\
         Predicts how likely a Java test is flaky, from its contextual paths, the words in and around it, the \
         library calls that it can reach, and causes from the catalogue of nondeterminism. \
         Written by `peeler train`; read by `peeler`.\n\n\
         - Networks averaged: {members}, {regression}; parameters: {parameters}\n\
         - Learned from {tests} tests ({flaky} flaky) of {projects} projects, corpus `{corpus}`\n\
         - Seed {seed}, computed with {backend}\n\
         - Average precision on held-out {held_out}: {validation} (of the scouts, at their best epoch)\n\
         - Best F1 at {threshold:.3}, temperature {temperature:.3}, shift {shift:.3}, all from held-out {held_out}\n\
         - Reported from {reported:.3} on; {record}\n\n\
         Labels are noisy: a test that nobody reported may still be flaky. Probabilities are calibrated on the \
         held-out part of the corpus{curve}, where the share of flaky tests may differ from your project's: trust the \
         order within a project more than the number.\n\n\
         ## Projects\n\n{list}\n",
        name = model.config.name,
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
        seed = origin.seed,
        backend = origin.backend,
        held_out = origin.held_out,
        validation = origin
            .validation
            .map_or_else(|| "not measured".to_owned(), |it| format!("{it:.3}")),
        threshold = model.threshold,
        reported = model.reporting_threshold(),
        record = record(model),
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
