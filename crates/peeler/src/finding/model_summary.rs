//! What a report says about the model that scored the tests.

use std::fmt::{self, Display, Formatter};

use peeler_features::FlakinessKind;
use peeler_learning::project_record::FIRST;
use peeler_learning::track_record::TrackRecord;
use peeler_model::Head;
use serde::{Deserialize, Serialize};

use super::tuning_summary::TuningSummary;
#[cfg(test)]
use crate::schema;

/// The model that scored the tests of a scan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ModelSummary {
    /// The name of the model, such as `flast`.
    pub(crate) name: String,
    /// Tests with at least this probability are findings, whatever the rules say. If several scanned paths have
    /// thresholds of their own, it is the lowest.
    pub(crate) threshold: f32,
    /// Counts of tests that were held out from the model's training, by the probability that the model gave them.
    /// Present with `--all`, if the model recorded them.
    #[serde(skip_serializing_if = "TrackRecord::is_empty", default)]
    #[cfg_attr(test, schemars(schema_with = "schema::track_record"))]
    pub(crate) track_record: TrackRecord,
    /// The tuning of the model by the scanned repository's own past. Absent without one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) tuned: Option<TuningSummary>,
    /// What the first places of the model's ranking were worth on projects outside its training. Absent if that was not
    /// measured.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) ranks: Vec<RankWorth>,
}

impl ModelSummary {
    /// What the first places of the model's ranking were worth, as a sentence; `None` if that was not measured.
    pub(crate) fn worth_of_first(&self) -> Option<String> {
        let first = self.ranks.first()?.first;
        let worth: Vec<String> = self.ranks.iter().map(ToString::to_string).collect();
        let worth = worth.join(", ");
        Some(format!(
            "of the first {first} tests of a project outside the model's training, {worth}"
        ))
    }
}

/// How many of the first tests of a project outside the model's training were flaky, as a mean over such projects.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RankWorth {
    /// The kind of flakiness that was looked for; absent if the model knows no kinds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(schema_with = "schema::flakiness_kind"))]
    pub(crate) kind: Option<FlakinessKind>,
    /// The number of first tests of a project.
    pub(crate) first: usize,
    /// The mean number of flaky tests among them.
    pub(crate) flaky: f64,
    /// The lower end of the 90% interval of the mean.
    pub(crate) low: f64,
    /// The upper end of the 90% interval of the mean.
    pub(crate) high: f64,
    /// The number of projects that the mean is taken over.
    pub(crate) projects: usize,
}

impl RankWorth {
    /// What the first places of a head's ranking were worth; `None` if no projects were held out from its training.
    pub(crate) fn of(head: &Head) -> Option<Self> {
        let worth = head.model.project_record.flaky_among_first()?;
        let rounded = |value: f64| (value * 10.0).round() / 10.0;
        Some(Self {
            kind: head.kind,
            first: FIRST,
            flaky: rounded(worth.mean),
            low: rounded(worth.interval.low),
            high: rounded(worth.interval.high),
            projects: worth.projects,
        })
    }
}

/// Writes the worth of first places in words: `2.2 were flaky by unspecified behaviour (1.9 to 2.5, 175 projects)`.
impl Display for RankWorth {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{:.1} were flaky", self.flaky)?;
        if let Some(kind) = self.kind {
            write!(out, " by {kind}")?;
        }
        write!(
            out,
            " ({:.1} to {:.1}, {} projects)",
            self.low, self.high, self.projects
        )
    }
}
