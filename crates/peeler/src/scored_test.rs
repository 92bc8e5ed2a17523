//! A test with its score inside a scan.

use std::fmt;

use peeler_analysis::FileId;
use peeler_features::TestName;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

use crate::finding::Finding;
use crate::scorer::PathScore;

/// A test with its probability and, if reported, its finding.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ScoredTest {
    pub(crate) test: TestName,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) probability: f32,
    /// The strongest paths, strongest first.
    pub(crate) paths: Vec<PathScore>,
    /// The files that score and detail depend on, as indices into the files of the scan.
    pub(crate) grounds: Vec<FileId>,
    /// Whether the test reaches more code than is followed, so that its score depends on a part of it.
    pub(crate) is_incomplete: bool,
    /// Cause, path and source; `None` for a test that no report needed.
    pub(crate) detail: Option<Detail>,
}

/// The details of a test that a report needs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Detail {
    /// The test is suppressed in its code, so it has no finding.
    Suppressed,
    /// The finding of the test.
    Finding(FindingText),
}

/// A finding, as a value or as JSON that is parsed on demand.
#[derive(Debug, Clone)]
pub(crate) enum FindingText {
    /// A finding made by this scan.
    Fresh(Box<Finding>),
    /// A finding that an earlier scan stored as JSON.
    Json(Vec<u8>),
}

impl ScoredTest {
    /// Adds a finding of this scan and the files that it depends on.
    pub(crate) fn explain(&mut self, finding: Finding, grounds: Vec<FileId>) {
        self.detail = Some(Detail::Finding(FindingText::Fresh(Box::new(finding))));
        self.grounds = grounds;
    }

    /// Whether this scan made the detail of the test, or the test has none.
    pub(crate) fn is_fresh(&self) -> bool {
        matches!(self.detail, None | Some(Detail::Finding(FindingText::Fresh(_))))
    }

    /// A copy of the finding; `None` if the test has no detail, is suppressed, or its stored JSON is damaged.
    pub(crate) fn finding(&self) -> Option<Finding> {
        match self.detail.as_ref()? {
            Detail::Suppressed => None,
            Detail::Finding(FindingText::Fresh(finding)) => Some((**finding).clone()),
            Detail::Finding(FindingText::Json(json)) => serde_json::from_slice(json).ok(),
        }
    }

    /// Moves the finding out of the test if possible, or else parses it.
    pub(crate) fn take_finding(&mut self) -> Option<Finding> {
        match self.detail.take()? {
            Detail::Finding(FindingText::Fresh(finding)) => Some(*finding),
            detail => {
                self.detail = Some(detail);
                self.finding()
            }
        }
    }
}

impl Serialize for FindingText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fresh(finding) => {
                let json = serde_json::to_vec(finding).map_err(ser::Error::custom)?;
                serializer.serialize_bytes(&json)
            }
            Self::Json(json) => serializer.serialize_bytes(json),
        }
    }
}

impl<'de> Deserialize<'de> for FindingText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A derived implementation would deserialise the bytes one by one.
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = FindingText;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("bytes")
            }

            fn visit_bytes<E: de::Error>(self, json: &[u8]) -> Result<FindingText, E> {
                Ok(FindingText::Json(json.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}
