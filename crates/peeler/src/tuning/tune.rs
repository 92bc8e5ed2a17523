//! Tunes the model to a repository: from its history to the content of `.peeler/tuned`.

use std::path::Path;

use anyhow::bail;
use peeler_mine::{Mined, date};

use super::activity::Activity;
use super::labels::{LabelIndex, LabelSplit};
use super::partner::Partner;
use super::past_reading::{Extent, PastReading};
use super::probability_map::ProbabilityMap;
use super::sources::StrippedSources;
use super::test_inputs::TestInputs;
use super::time_split::{TimeSplit, split_day, time_split};
use super::tuned_file::Tuning;
use crate::finding::{TuningEstimate, TuningSummary};
use crate::scorer::Scorer;

/// The minimum number of labels that a repository is tuned by.
pub(crate) const LEAST_LABELS: usize = 8;
/// The minimum number of later flaky tests that an estimate is made from.
const LEAST_LATER: usize = 5;
/// About how many tests without a label tuning reads, if the repository has more.
const SAMPLE: usize = 1_500;

/// Tunes a model to the repository at `path` by the labels of its history. `identity` is the hash of the model.
///
/// An error if there are fewer than [`LEAST_LABELS`] labels.
pub(crate) fn tune(path: &Path, mined: &Mined, scorer: &dyn Scorer, identity: &str) -> anyhow::Result<Tuning> {
    let labels = LabelSplit::whole(mined).past;
    if labels.len() < LEAST_LABELS {
        bail!(
            "only {} of the tests of {} are known to have been flaky, and tuning needs {LEAST_LABELS}; `peeler mine` \
             lists them, and --history and --proof add tests that were flaky in runs{}",
            labels.len(),
            path.display(),
            if mined.is_shallow {
                ". The clone is shallow: `git fetch --unshallow` fetches the rest of its history"
            } else {
                ""
            }
        );
    }
    let sources = StrippedSources::at(path, &mined.revision)?;
    let reading = PastReading::read(path, &sources, &labels, &[], scorer, Extent::Sample(SAMPLE))?;
    let learned = reading.past.len();
    if learned < LEAST_LABELS {
        bail!(
            "of {} tests that were flaky, the sources of only {learned} can be read, and tuning needs {LEAST_LABELS}; \
             is the clone complete?",
            labels.len()
        );
    }
    let index = LabelIndex::new(&labels);
    let is_past: Vec<bool> = reading.tests.iter().map(|it| index.find(&it.test).is_some()).collect();
    let now = date::start_of(&mined.last_day).unwrap_or_default() + 86_400;
    let past: Vec<_> = reading.past.values().collect();
    let activity = Activity::before(&mined.activity, now, reading.files.iter().map(String::as_str));
    let partner = Partner::learn(&past, &reading.tests, &reading.classes, &is_past, activity);
    let scores = reading.tests.iter().map(|it| partner.score(it)).collect();
    let probabilities = reading.tests.iter().map(TestInputs::probability).collect();
    Ok(Tuning {
        model: identity.to_owned(),
        summary: TuningSummary {
            tests: u32::try_from(learned).unwrap_or(u32::MAX),
            commit: mined.revision.clone(),
            estimate: estimate(path, mined, scorer)?,
        },
        probabilities: ProbabilityMap::between(scores, probabilities),
        partner,
    })
}

/// How well a model that is tuned by older labels ranks the tests of newer ones. `None` if there
/// are too few labels.
fn estimate(path: &Path, mined: &Mined, scorer: &dyn Scorer) -> anyhow::Result<Option<TuningEstimate>> {
    let Some(day) = split_day(mined, LEAST_LABELS) else {
        return Ok(None);
    };
    let least = (LEAST_LABELS, LEAST_LATER);
    let split = time_split(path, mined, &day, least, scorer, Extent::Sample(SAMPLE))?;
    Ok(split.as_ref().and_then(summary_of))
}

fn summary_of(split: &TimeSplit) -> Option<TuningEstimate> {
    let figures = |name: &str| split.figures.iter().find(|it| it.predictor == name);
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let tuned = figures("tuned all")?;
    Some(TuningEstimate {
        day: split.day.clone(),
        past: count(split.past),
        later: count(split.positives),
        others: count(split.negatives),
        untuned_average_precision: figures("untuned")?.average_precision,
        average_precision: tuned.average_precision,
        first_ten: tuned.first_ten,
    })
}
