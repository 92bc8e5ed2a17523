//! A flow of nondeterminism from a source to an assertion, as the analyses find it and as reports show it.

use peeler_features::Rule;
use serde::{Deserialize, Serialize};

use crate::extraction::folded;
use crate::places::region;
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;

/// The maximum number of characters of the source text of a place on a flow; longer texts are shortened.
const MAX_TEXT: usize = 120;

/// A range of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Site {
    pub(crate) file: FileId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Site {
    /// Whether this place is inside another one.
    pub(crate) fn is_in(self, other: Self) -> bool {
        self.file == other.file && other.start <= self.start && self.end <= other.end
    }
}

/// A flow of nondeterminism whose places are byte ranges. Reports need it with lines and texts, as a [`Flow`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundFlow {
    pub(crate) rule: Rule,
    /// What happens at the source of the flow, in words that follow "the test": `iterates a HashMap, which has no
    /// defined order`.
    pub(crate) what: String,
    /// The place that the nondeterminism of the flow comes from.
    pub(crate) source: Site,
    /// The places that the nondeterministic value passes between the source and the assertion, in order.
    pub(crate) steps: Vec<Site>,
    /// The assertion that notices the nondeterminism; `None` if the rule of the flow needs none.
    pub(crate) oracle: Option<Site>,
    pub(crate) origin: FlowOrigin,
    /// The operation that makes the flow harmless, such as a sort; `None` if nothing does.
    pub(crate) settled_by: Option<Site>,
    /// Whether what the flow needs is known to be there: two elements in an undefined order, other threads that a wait is
    /// for, a static field of the test class that nothing resets. True for flows that need nothing of the kind.
    pub(crate) is_sure: bool,
}

/// The code that contains the source of a flow. Code near the test sorts before code far from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FlowOrigin {
    /// The source is in the body of the test method.
    Body,
    /// The source is in a helper method of the test class, its superclasses or enclosing classes.
    Helper,
    /// The source is in a field, initialiser, setup or teardown of the test class, its superclasses or enclosing
    /// classes.
    Setup,
    /// The source is in the repository's own code, with the number of calls between the test and the source.
    CodeUnderTest(u8),
}

/// A flow of nondeterminism from a source to an assertion, with lines and texts for reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// The rule by which the flow is reported, such as `PLR101`.
    pub rule: Rule,
    /// What happens at the source of the flow, in words that follow "the test": `iterates a HashMap`.
    pub what: String,
    /// The place that the nondeterminism of the flow comes from.
    pub source: FlowStep,
    /// The places that the nondeterministic value passes between the source and the assertion, in order.
    pub steps: Vec<FlowStep>,
    /// The assertion that notices the nondeterminism; `None` if the rule of the flow needs none.
    pub oracle: Option<FlowStep>,
    /// The code that contains the source of the flow, such as the test body or the setup.
    pub origin: FlowOrigin,
    /// The operation that makes the flow harmless, such as a sort; `None` if nothing does, so that the flow is
    /// reported.
    pub settled_by: Option<FlowStep>,
    /// Whether what the flow needs is known to be there: two elements in an undefined order, other threads that a wait is
    /// for, a static field of the test class that nothing resets. True for flows that need nothing of the kind.
    pub is_sure: bool,
}

/// A place that a flow passes: its source, a step or its assertion. Lines and columns count from one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowStep {
    /// The file of the place on the flow, relative to the root of the repository.
    pub file: String,
    /// The line where the place on the flow starts.
    pub line: u32,
    /// The column where the place on the flow starts.
    pub column: u32,
    /// The line where the place on the flow ends.
    pub end_line: u32,
    /// The column after the last character of the place on the flow.
    pub end_column: u32,
    /// The source text of the place on the flow, on one line.
    pub text: String,
}

impl FoundFlow {
    /// This flow with lines, columns and texts in place of byte ranges.
    pub(crate) fn resolved(self, index: &Index<'_>) -> Flow {
        let step = |site: Site| FlowStep::new(index, site);
        Flow {
            rule: self.rule,
            what: self.what,
            source: step(self.source),
            steps: self.steps.into_iter().map(step).collect(),
            oracle: self.oracle.map(step),
            origin: self.origin,
            settled_by: self.settled_by.map(step),
            is_sure: self.is_sure,
        }
    }
}

impl FlowStep {
    /// The place of a flow at a range of bytes in a file, with its lines, columns and text.
    pub(crate) fn new(index: &Index<'_>, site: Site) -> Self {
        let source = index.source(site.file);
        let place = region(source, site.start, site.end);
        let text = source.text().get(site.start as usize..site.end as usize);
        Self {
            file: place.file.to_owned(),
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
            text: shortened(&folded(text.unwrap_or_default())),
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
