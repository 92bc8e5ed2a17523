//! `peeler eval --split time`: judges `peeler tune` by the pasts of git clones.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use peeler_learning::metrics::{Interval, bootstrap_interval};
use peeler_mine::Request;
use peeler_model::Backend;

use crate::clones::{self, Clone};
use crate::exit::ExitStatus;
use crate::tuning::past_reading::Extent;
use crate::tuning::time_split::{Figures, LABEL_COUNTS, TimeSplit, split_day, time_split};
use crate::{destination, model};

/// The minimum number of past labels of a repository.
const LEAST_PAST: usize = 20;
/// The minimum number of tests with evidence after the split.
const LEAST_LATER: usize = 5;
/// The number of resamples of the intervals.
const RESAMPLES: usize = 10_000;

/// What an evaluation by a split in time is asked to do.
pub(super) struct TimeEvaluation<'e> {
    /// Clones, or folders of clones.
    pub(super) clones: &'e [PathBuf],
    /// A file with names of repositories that must not be read.
    pub(super) keep_out: Option<&'e Path>,
    /// A file to write all results to.
    pub(super) json: Option<&'e Path>,
    /// The seed of the intervals.
    pub(super) seed: u64,
    /// The backend that runs the network.
    pub(super) backend: Backend,
}

pub(super) fn run(arguments: &TimeEvaluation<'_>) -> anyhow::Result<ExitStatus> {
    if arguments.clones.is_empty() {
        bail!("--split time reads git histories; name clones with --clones");
    }
    let scorer = model::load(None, arguments.backend)?;
    let mut splits: Vec<TimeSplit> = Vec::new();
    for Clone { path, name } in clones::clones(arguments.clones, arguments.keep_out)? {
        let request = Request {
            repository: Some(name.clone()),
            ..Request::default()
        };
        let split = peeler_mine::mine(&path, &request, &|_, _| {})
            .map_err(anyhow::Error::from)
            .and_then(|mined| {
                let Some(day) = split_day(&mined, LEAST_PAST) else {
                    return Ok(None);
                };
                time_split(
                    &path,
                    &mined,
                    &day,
                    (LEAST_PAST, LEAST_LATER),
                    &*scorer,
                    Extent::Everything,
                )
            });
        match split {
            Ok(Some(split)) => {
                eprintln!("{}", line(&split));
                splits.push(split);
            }
            Ok(None) => eprintln!("{name}: too few labels"),
            Err(error) => eprintln!("{name}: left out: {error:#}"),
        }
    }
    if let Some(path) = arguments.json {
        destination::write(Some(path), |out| Ok(serde_json::to_writer(out, &splits)?))?;
    }
    if splits.is_empty() {
        bail!("no clone has {LEAST_PAST} labels before a day and {LEAST_LATER} after it; give longer histories");
    }
    io::stdout()
        .lock()
        .write_all(table(&splits, arguments.seed).as_bytes())?;
    Ok(ExitStatus::Success)
}

fn figure<'s>(split: &'s TimeSplit, predictor: &str) -> Option<&'s Figures> {
    split.figures.iter().find(|it| it.predictor == predictor)
}

/// One line about a repository.
fn line(split: &TimeSplit) -> String {
    let of = |name: &str| figure(split, name).map_or(0.0, |it| it.average_precision);
    format!(
        "{}: {} past labels before {}, {} positives, {} negatives, {} tests; AP untuned {:.3}, tuned {:.3}, class rate \
         {:.3}, vocabulary {:.3}",
        split.repository,
        split.past,
        split.day,
        split.positives,
        split.negatives,
        split.tests,
        of("untuned"),
        of("tuned all"),
        of("class rate all"),
        of("vocabulary all"),
    )
}

/// The table of means over repositories, with intervals over repositories.
fn table(splits: &[TimeSplit], seed: u64) -> String {
    let mut out = format!(
        "{} repositories, {} past labels, {} positives\n\n\
         {:<16} {:>4} {:>26} {:>10} {:>26} {:>10}\n",
        splits.len(),
        splits.iter().map(|it| it.past).sum::<usize>(),
        splits.iter().map(|it| it.positives).sum::<usize>(),
        "predictor",
        "n",
        "AP (95% interval)",
        "first 10",
        "AP among all tests",
        "first 10"
    );
    let mut predictors = vec!["untuned".to_owned(), "length".to_owned()];
    let counts: Vec<String> = LABEL_COUNTS
        .iter()
        .map(ToString::to_string)
        .chain(["all".to_owned()])
        .collect();
    for method in ["class rate", "vocabulary", "tuned"] {
        predictors.extend(counts.iter().map(|it| format!("{method} {it}")));
    }
    for predictor in &predictors {
        let known: Vec<&Figures> = splits.iter().filter_map(|it| figure(it, predictor)).collect();
        if known.is_empty() {
            continue;
        }
        let shown = |value: fn(&Figures) -> f64| {
            let values: Vec<f64> = known.iter().map(|it| value(it)).collect();
            let (mean, interval) = mean_with_interval(&values, seed);
            format!("{mean:.3} ({:.3} to {:.3})", interval.low, interval.high)
        };
        let mean = |value: fn(&Figures) -> f64| {
            let values: Vec<f64> = known.iter().map(|it| value(it)).collect();
            mean_with_interval(&values, seed).0
        };
        let _ = writeln!(
            out,
            "{predictor:<16} {:>4} {:>26} {:>10.2} {:>26} {:>10.2}",
            known.len(),
            shown(|it| it.average_precision),
            mean(|it| it.first_ten),
            shown(|it| it.average_precision_of_all),
            mean(|it| it.first_ten_of_all),
        );
    }
    out.push('\n');
    for rival in ["untuned", "length", "class rate all", "vocabulary all"] {
        let differences: Vec<f64> = splits
            .iter()
            .filter_map(|it| Some(figure(it, "tuned all")?.average_precision - figure(it, rival)?.average_precision))
            .collect();
        let (mean, interval) = mean_with_interval(&differences, seed);
        let _ = writeln!(
            out,
            "tuned all minus {rival}: {mean:+.3} ({:+.3} to {:+.3})",
            interval.low, interval.high
        );
    }
    out
}

/// The mean of some values, with its 95% interval over the values.
#[expect(clippy::cast_precision_loss, reason = "counts of repositories")]
fn mean_with_interval(values: &[f64], seed: u64) -> (f64, Interval) {
    let mean = |of: &[usize]| of.iter().map(|at| values[*at]).sum::<f64>() / of.len().max(1) as f64;
    let all: Vec<usize> = (0..values.len()).collect();
    (mean(&all), bootstrap_interval(values.len(), RESAMPLES, seed, mean))
}
