//! A test with its score, its flows and its finding, as a scan handles and caches it.

use std::fmt;

use peeler_analysis::{FileId, Flow, StateAccess, StateFinding, Suppression, SuppressionScope};
use peeler_features::{Rule, TestName};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

use crate::finding::{Finding, KindScore};
use crate::rule_selection::RuleSelection;
use crate::scorer::PathScore;

/// A test with its probability and flows and, if a report lists it, its finding.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ScoredTest {
    pub(crate) test: TestName,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) probability: f32,
    /// The probability of each kind of flakiness, likeliest first; empty if the model knows no kinds.
    pub(crate) kinds: Vec<KindScore>,
    /// The contextual paths of the test that got most of the network's attention, strongest first.
    pub(crate) paths: Vec<PathScore>,
    /// The files that the test's score and finding depend on, as indices into the files of the scan.
    pub(crate) grounds: Vec<FileId>,
    /// Whether the test reaches more code than the analysis follows, so that its score or flows depend on only a part
    /// of it.
    pub(crate) is_incomplete: bool,
    /// Whether an annotation says that the test does not run.
    pub(crate) is_disabled: bool,
    /// The flows of the test alone that nothing makes harmless. Those whose source is nearest to the test come first.
    /// Flows of rules that are not selected are included.
    pub(crate) flows: Vec<Flow>,
    /// The shared states, such as static fields, that the test reads without setting them or leaves changed.
    pub(crate) state: StateAccess,
    /// Flows between this test and others. One test changes a shared state, such as a static field, without restoring
    /// it, and another test reads it.
    #[serde(skip)]
    pub(crate) shared: Vec<StateFinding>,
    /// The findings that comments or annotations of the test suppress. `None` if these were never read, because the
    /// test was no candidate for a report.
    pub(crate) silence: Option<Silence>,
    /// The finding of the test with graph, paths and source, without flows; `None` if no report needed it.
    pub(crate) detail: Option<FindingText>,
}

/// A flow of nondeterminism in a test, with the other tests that take part in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReportedFlow<'t> {
    pub(crate) flow: &'t Flow,
    /// The other tests of a flow between tests; empty for a flow of one test. If they change a state that this test
    /// reads, the likeliest culprits come first.
    pub(crate) partners: &'t [TestName],
}

/// The findings about a test that comments or annotations in its code suppress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Silence {
    /// Every finding about the test is suppressed.
    Everything,
    /// Findings by the listed rules are suppressed.
    Rules(Vec<Rule>),
}

impl Silence {
    /// No finding about the test is suppressed.
    pub(crate) const NOTHING: Self = Self::Rules(Vec::new());

    /// Adds the findings that one comment or annotation suppresses.
    pub(crate) fn add(&mut self, suppression: &Suppression) {
        match (&mut *self, &suppression.scope) {
            (Self::Rules(all), SuppressionScope::Rules(rules)) => all.extend(rules),
            _ => *self = Self::Everything,
        }
    }
}

/// The finding of a test, as a value or as JSON that is parsed on demand.
#[derive(Debug, Clone)]
pub(crate) enum FindingText {
    /// A finding made by this scan.
    Fresh(Box<Finding>),
    /// A finding that an earlier scan stored as JSON.
    Json(Vec<u8>),
}

impl ScoredTest {
    /// Stores the finding that this scan made for the test, and adds the files that it depends on (`grounds`).
    pub(crate) fn explain(&mut self, finding: Finding, grounds: &[FileId]) {
        self.detail = Some(FindingText::Fresh(Box::new(finding)));
        self.depend_on(grounds);
    }

    /// Adds files to those that the test's score, flows or finding depend on.
    pub(crate) fn depend_on(&mut self, files: &[FileId]) {
        self.grounds.extend(files);
        self.grounds.sort_unstable();
        self.grounds.dedup();
    }

    /// Whether comments or annotations of the test suppress every finding about it.
    pub(crate) fn is_silent(&self) -> bool {
        self.silence == Some(Silence::Everything)
    }

    /// The test's flows of rules that are selected for its file: first those of the test alone, then those between
    /// tests.
    pub(crate) fn selected_flows<'t>(&'t self, rules: &'t RuleSelection<'_>) -> impl Iterator<Item = ReportedFlow<'t>> {
        let own = self.flows.iter().map(|flow| ReportedFlow { flow, partners: &[] });
        let shared = self.shared.iter().map(|it| ReportedFlow {
            flow: &it.flow,
            partners: &it.partners,
        });
        own.chain(shared).filter(|it| rules.reports(it.flow.rule, &self.file))
    }

    /// The test's flows of selected rules that its comments and annotations do not suppress. Flows between tests come
    /// last.
    pub(crate) fn reported_flows<'t>(&'t self, rules: &'t RuleSelection<'_>) -> impl Iterator<Item = ReportedFlow<'t>> {
        self.selected_flows(rules).filter(|it| match &self.silence {
            None => true,
            Some(Silence::Everything) => false,
            Some(Silence::Rules(rules)) => !rules.contains(&it.flow.rule),
        })
    }

    /// A copy of the test's finding; `None` if the test has none or the stored JSON is damaged.
    pub(crate) fn detail(&self) -> Option<Finding> {
        match self.detail.as_ref()? {
            FindingText::Fresh(finding) => Some((**finding).clone()),
            FindingText::Json(json) => serde_json::from_slice(json).ok(),
        }
    }

    /// Takes the finding out of the test, without a copy if this scan made it. A finding stored as JSON is parsed and
    /// kept.
    pub(crate) fn take_detail(&mut self) -> Option<Finding> {
        match self.detail.take()? {
            FindingText::Fresh(finding) => Some(*finding),
            detail @ FindingText::Json(_) => {
                self.detail = Some(detail);
                self.detail()
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
