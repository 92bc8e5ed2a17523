//! The results of `peeler eval` as a table, as JSON without predictions, and as an HTML page with curves.

use std::fmt::Write as _;

use peeler_eval::evaluation::Evaluation;
use peeler_eval::plots::{calibration_points, calibration_svg, precision_recall_svg, project_bars_svg};
use peeler_eval::splits::Split;
use peeler_learning::metrics::precision_recall_curve;

/// The metrics of an evaluation, such as precision and recall, as a text table with one row per predictor.
pub(crate) fn table(evaluation: &Evaluation) -> String {
    let mut out = format!("{}\n{}\n", heading(evaluation), leakage(evaluation));
    let _ = writeln!(
        out,
        "{:<20} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} | {:>5} {:>5} {:>5} {:>6} {:>13} {:>6}",
        "predictor",
        "TP",
        "FP",
        "FN",
        "prec",
        "recall",
        "F1",
        "F1*",
        "MCC",
        "AP",
        "AUC",
        "mAP",
        "P@10",
        "P@20",
        "ECE",
        "mAP 95%",
        "val AP"
    );
    for model in &evaluation.models {
        let (pooled, projects) = (&model.pooled, &model.projects);
        let _ = writeln!(
            out,
            "{:<20} {:>6} {:>6} {:>6} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6} | {:>5.3} {:>5.3} {:>5.3} {:>6.3} {:>13} {:>6.3}",
            model.model,
            pooled.confusion.true_positives,
            pooled.confusion.false_positives,
            pooled.confusion.false_negatives,
            pooled.precision,
            pooled.recall,
            pooled.f1,
            pooled.tuned_f1,
            pooled.mcc,
            pooled.average_precision,
            pooled.roc_auc.map_or_else(|| "-".to_owned(), |it| format!("{it:.3}")),
            projects.average_precision,
            projects.precision_at_10,
            projects.precision_at_20,
            pooled.calibration_error,
            format!(
                "{:.3}-{:.3}",
                projects.average_precision_interval.low, projects.average_precision_interval.high
            ),
            model.validation,
        );
    }
    out.push_str(&differences(evaluation));
    out.push_str(&fixes(evaluation));
    out
}

/// One line for each predictor that scored tests before and after their fix.
fn fixes(evaluation: &Evaluation) -> String {
    let mut out = String::new();
    for model in &evaluation.models {
        let Some(fixes) = &model.fixes else { continue };
        let _ = writeln!(
            out,
            "{}: flaky test above its fixed version in {} of {} pairs, {} equal; mean over {} projects {:.3} \
             ({:.3}-{:.3})",
            model.model,
            fixes.higher,
            fixes.pairs,
            fixes.equal,
            fixes.projects,
            fixes.share,
            fixes.interval.low,
            fixes.interval.high
        );
    }
    out
}

/// One line for each predictor but the first. It states how much higher the mean average precision of the first one is.
fn differences(evaluation: &Evaluation) -> String {
    let mut out = String::new();
    let Some(first) = evaluation.models.first() else {
        return out;
    };
    for it in &evaluation.differences {
        let _ = writeln!(
            out,
            "mAP of {} less that of {}: {:+.3} ({:+.3} to {:+.3})",
            first.model, it.than, it.average_precision, it.interval.low, it.interval.high
        );
    }
    out
}

fn heading(evaluation: &Evaluation) -> String {
    let split = match evaluation.split {
        Split::Random => "random stratified folds",
        Split::Class => "folds by class",
        Split::Family => "folds by family of classes",
        Split::Project => "whole projects held out",
    };
    let category = evaluation
        .category
        .as_ref()
        .map(|it| format!(", category {it}"))
        .unwrap_or_default();
    format!(
        "{} tests, {} flaky{category}; {split}, {} folds, seed {}; corpus {}",
        evaluation.tests, evaluation.flaky, evaluation.folds, evaluation.seed, evaluation.corpus
    )
}

fn leakage(evaluation: &Evaluation) -> String {
    format!(
        "{} judged tests have an identical bag of tokens in their training side, {} an identical bag of paths",
        evaluation.leakage.same_tokens, evaluation.leakage.same_paths
    )
}

/// The metrics of an evaluation as JSON, without the predictions for single tests. Numbers are rounded so that they are
/// equal on all machines.
pub(crate) fn figures(evaluation: &Evaluation) -> serde_json::Value {
    let round = |value: f64| (value * 1e4).round() / 1e4;
    let models: Vec<serde_json::Value> = evaluation
        .models
        .iter()
        .map(|model| {
            let (pooled, projects) = (&model.pooled, &model.projects);
            let mut figures = serde_json::json!({
                "model": model.model,
                "validation_average_precision": round(model.validation),
                "confusion": pooled.confusion,
                "precision": round(pooled.precision),
                "recall": round(pooled.recall),
                "f1": round(pooled.f1),
                "f1_interval": [round(projects.f1_interval.low), round(projects.f1_interval.high)],
                "tuned_f1": round(pooled.tuned_f1),
                "mcc": round(pooled.mcc),
                "average_precision": round(pooled.average_precision),
                "average_precision_interval": [
                    round(projects.pooled_average_precision_interval.low),
                    round(projects.pooled_average_precision_interval.high),
                ],
                "roc_auc": pooled.roc_auc.map(round),
                "calibration_error": round(pooled.calibration_error),
                "mean_average_precision_by_project": round(projects.average_precision),
                "mean_average_precision_interval": [
                    round(projects.average_precision_interval.low),
                    round(projects.average_precision_interval.high),
                ],
                "precision_at_10": round(projects.precision_at_10),
                "precision_at_20": round(projects.precision_at_20),
            });
            if let Some(fixes) = &model.fixes {
                figures["fixes"] = serde_json::json!({
                    "pairs": fixes.pairs,
                    "higher": fixes.higher,
                    "equal": fixes.equal,
                    "projects": fixes.projects,
                    "share": round(fixes.share),
                    "interval": [round(fixes.interval.low), round(fixes.interval.high)],
                });
            }
            figures
        })
        .collect();
    let differences: Vec<serde_json::Value> = evaluation
        .differences
        .iter()
        .map(|it| {
            serde_json::json!({
                "than": it.than,
                "mean_average_precision_by_project": round(it.average_precision),
                "interval": [round(it.interval.low), round(it.interval.high)],
            })
        })
        .collect();
    serde_json::json!({
        "corpus": evaluation.corpus,
        "split": evaluation.split,
        "seed": evaluation.seed,
        "folds": evaluation.folds,
        "category": evaluation.category,
        "tests": evaluation.tests,
        "flaky": evaluation.flaky,
        "leakage": evaluation.leakage,
        "models": models,
        "differences": differences,
    })
}

const CALIBRATION_BINS: usize = 10;

/// A self-contained HTML page about an evaluation, with a table of metrics and three plots: precision and recall,
/// average precision by project, and calibration.
pub(crate) fn page(evaluation: &Evaluation) -> String {
    let columns = |at: usize| {
        let predictions = &evaluation.models[at].predictions;
        let scores: Vec<f32> = predictions.iter().map(|it| it.prediction.score).collect();
        let labels: Vec<bool> = predictions.iter().map(|it| it.flaky).collect();
        (evaluation.models[at].model.clone(), scores, labels)
    };
    let all: Vec<_> = (0..evaluation.models.len()).map(columns).collect();
    let curves: Vec<_> = all
        .iter()
        .map(|(name, scores, labels)| (name.clone(), precision_recall_curve(scores, labels)))
        .collect();
    let calibration: Vec<_> = all
        .iter()
        .map(|(name, scores, labels)| (name.clone(), calibration_points(scores, labels, CALIBRATION_BINS)))
        .collect();
    let names: Vec<String> = all.iter().map(|(name, ..)| name.clone()).collect();
    let projects: Vec<(String, Vec<f64>)> = evaluation
        .models
        .first()
        .map(|first| {
            let flaky = first.by_project.iter().enumerate().filter(|(_, it)| it.flaky > 0);
            flaky
                .map(|(at, project)| {
                    let scores = evaluation.models.iter();
                    let scores = scores.map(|it| it.by_project[at].scores.average_precision).collect();
                    (project.project.clone(), scores)
                })
                .collect()
        })
        .unwrap_or_default();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Peeler evaluation</title>\
         <style>body{{font-family:sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}}\
         pre{{overflow-x:auto}}svg{{max-width:100%;height:auto}}</style></head><body>\n\
         <h1>Evaluation</h1>\n<pre>{}</pre>\n<h2>Precision and recall</h2>\n{}\n\
         <h2>Average precision by project</h2>\n{}\n<h2>Calibration</h2>\n{}\n</body></html>\n",
        escaped(&table(evaluation)),
        precision_recall_svg(&curves),
        project_bars_svg(&names, &projects),
        calibration_svg(&calibration)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
