//! The places that the flow of a finding passes, and source lines of a report.

use serde::{Deserialize, Serialize};

use super::region::Region;

/// A place that the flow of a finding passes: its source, a step on the way or its assertion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct WitnessStep {
    /// What the place is for the flow: its source, a step on the way or its assertion.
    pub(crate) role: Role,
    /// The range of characters of the place in its file.
    #[serde(flatten)]
    pub(crate) region: Region,
    /// The source text of the place, on one line.
    pub(crate) text: String,
    /// The source lines around the place, if they are not lines of the test method.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) source: Option<Excerpt>,
}

/// What a place is for the flow of a finding: its source, a step on the way or its assertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// The place is the source of the flow: the nondeterminism comes from it.
    Source,
    /// The place is on the way of the flow: the nondeterministic value passes it.
    Step,
    /// The place is the assertion that notices the nondeterministic value.
    Assertion,
}

/// Consecutive lines of a file, such as those of a test method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Excerpt {
    /// The file that contains the lines.
    pub(crate) file: String,
    /// The line number of the first of these lines in the file, counted from one.
    pub(crate) first_line: u32,
    /// The texts of the lines, without line breaks.
    pub(crate) lines: Vec<String>,
}
