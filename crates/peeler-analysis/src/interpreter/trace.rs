//! Traces of an abstract run: where a nondeterministic value comes from, and which places it passed.

use std::sync::Arc;

use peeler_features::Rule;
use serde::{Deserialize, Serialize};

use crate::flows::flow::Site;

/// The maximum number of places that the trace of a nondeterministic value records; later ones are left out.
const MAX_STEPS: u8 = 16;

/// The operation that made the undefined order of a container visible, such as printing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Exposure {
    /// No operation made the order visible yet: the value is a container without a defined order.
    Container,
    /// The elements of an unordered container were put into a sequence.
    Sequence,
    /// The elements of an unordered container were turned into text.
    Text,
    /// One element of an unordered container was picked.
    Element,
}

/// The kind of a source of nondeterminism.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SourceKind {
    /// The source is the order of a hash table.
    HashOrder,
    /// The source is the order of members that reflection returns.
    ReflectionOrder,
    /// The source is the order in which a serialiser writes properties.
    SerialiserOrder,
    /// The source is the order of files in a directory.
    ListingOrder,
    /// The source is the order of rows of a query without `ORDER BY`.
    QueryOrder,
    /// The source is the order in which parallel work ends.
    ParallelOrder,
    /// The source is the order of parts in a text that unknown code made.
    UnknownOrder,
    /// The source is an identity hash in a text, as in `Object@1b6d3586`.
    Identity,
    /// The source is a reading of the clock.
    Clock,
    /// The source is the difference of two readings of the clock.
    Elapsed,
    /// The source is a random value.
    Random,
    /// The source is a generated identifier.
    GeneratedId,
    /// The source is the default time zone or locale.
    ZoneLocale,
    /// The source is the default charset. It is asked for, or it converts a text that is not a literal:
    /// `text.getBytes()`.
    Charset,
    /// The source is the default charset, used to encode a literal with letters outside ASCII: `"é".getBytes()`.
    EncodedText,
    /// The source is the default locale, whose rules decide upper and lower case.
    LetterCase,
    /// The source is a property of the machine, such as its number of processors.
    Environment,
    /// The source is the line separator of the platform.
    LineSeparator,
}

impl SourceKind {
    /// The rule that reports a flow from a source of this kind. For the order of a hash table, the rule also depends on
    /// `exposure`, the operation that made the order visible.
    pub(super) fn rule(self, exposure: Exposure) -> Rule {
        match self {
            Self::HashOrder => match exposure {
                Exposure::Text => Rule::UnorderedTextCompared,
                Exposure::Element => Rule::UnorderedElementPicked,
                Exposure::Container | Exposure::Sequence => Rule::UnorderedSequenceCompared,
            },
            Self::ReflectionOrder => Rule::ReflectionOrderCompared,
            Self::SerialiserOrder => Rule::SerialisedOrderCompared,
            Self::ListingOrder => Rule::FileListingCompared,
            Self::QueryOrder => Rule::QueryOrderCompared,
            Self::ParallelOrder => Rule::ParallelOrderCompared,
            Self::UnknownOrder => Rule::LiteralOrderAssumed,
            Self::Identity => Rule::IdentityTextCompared,
            Self::Clock => Rule::ClockCompared,
            Self::Elapsed => Rule::ElapsedTimeCompared,
            Self::Random => Rule::RandomValueAsserted,
            Self::GeneratedId => Rule::GeneratedIdCompared,
            Self::ZoneLocale | Self::LetterCase => Rule::DefaultZoneOrLocaleCompared,
            Self::Charset | Self::EncodedText => Rule::DefaultCharsetCompared,
            Self::Environment => Rule::EnvironmentValueCompared,
            Self::LineSeparator => Rule::LineSeparatorCompared,
        }
    }

    /// Whether the source is the order in which a serialiser or reflection lists the members of a class. It is
    /// undefined, but the same for all objects of the class.
    pub(super) fn is_reflective(self) -> bool {
        matches!(self, Self::SerialiserOrder | Self::ReflectionOrder)
    }

    /// Whether the source is about an order, rather than about a single value.
    pub(super) fn is_order(self) -> bool {
        matches!(
            self,
            Self::HashOrder
                | Self::ReflectionOrder
                | Self::SerialiserOrder
                | Self::ListingOrder
                | Self::QueryOrder
                | Self::ParallelOrder
                | Self::UnknownOrder
        )
    }

    /// Whether every evaluation of the source gives another value, as every clock reading does.
    pub(super) fn is_drawn(self) -> bool {
        matches!(self, Self::Clock | Self::Random | Self::GeneratedId)
    }

    /// Whether two values from sources of this kind are equal within one run of the test, wherever they were read.
    pub(super) fn is_fixed_in_run(self) -> bool {
        matches!(
            self,
            Self::ZoneLocale
                | Self::Charset
                | Self::EncodedText
                | Self::LetterCase
                | Self::Environment
                | Self::LineSeparator
        )
    }
}

/// The place that nondeterminism comes from, with its kind and a description.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) kind: SourceKind,
    pub(super) site: Site,
    /// What happens at the source of nondeterminism, in words that follow "the test", such as `reads the clock`.
    pub(super) what: String,
}

#[derive(Debug)]
struct Step {
    site: Site,
    before: Option<Arc<Step>>,
}

/// The source of a nondeterministic value, and the places that the value passed. Clones share everything.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    origin: Arc<Origin>,
    last: Option<Arc<Step>>,
    steps: u8,
    /// The number of calls of the repository's code that the value was returned from.
    calls: u8,
    /// The last call after the source that read the value anew: `random.nextInt()`, or a method that returns the
    /// current time. `None` if there is no such call. Values from two different calls count as different values.
    reading: Option<Site>,
    /// Whether the value was read from its source in the current call, so that calling again reads another value. False
    /// for a value that was passed to the call.
    is_fresh: bool,
}

impl Trace {
    pub(super) fn new(kind: SourceKind, site: Site, what: String) -> Self {
        Self {
            origin: Arc::new(Origin { kind, site, what }),
            last: None,
            steps: 0,
            calls: 0,
            reading: None,
            is_fresh: true,
        }
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether two traces start at the same source of nondeterminism, at the same reading of it.
    pub(super) fn has_origin_of(&self, other: &Self) -> bool {
        self.origin.site == other.origin.site && self.origin.kind == other.origin.kind && self.reading == other.reading
    }

    /// The trace of a nondeterministic value after it passed one more place.
    pub(super) fn then(&self, site: Site) -> Self {
        let is_known = self.origin.site == site || self.last.as_ref().is_some_and(|it| it.site == site);
        if is_known || self.steps == MAX_STEPS {
            return self.clone();
        }
        Self {
            origin: self.origin.clone(),
            last: Some(Arc::new(Step {
                site,
                before: self.last.clone(),
            })),
            steps: self.steps + 1,
            calls: self.calls,
            reading: self.reading,
            is_fresh: self.is_fresh,
        }
    }

    /// The trace of a nondeterministic value after the call at `site` returned it.
    pub(super) fn returned(&self, site: Site) -> Self {
        let mut trace = self.then(site);
        trace.calls = trace.calls.saturating_add(1);
        if trace.is_fresh && trace.origin.kind.is_drawn() {
            trace.reading = Some(site);
        }
        trace
    }

    /// Marks the traced value as stored or passed on, so that reading it again gives the same value.
    pub(super) fn keep(&mut self) {
        self.is_fresh = false;
    }

    /// Whether reading the traced value again gives another value, as another call of a clock does.
    pub(super) fn is_fresh(&self) -> bool {
        self.is_fresh && self.origin.kind.is_drawn()
    }

    /// The trace of a value that a generator or clock returned at `site`. Every such call returns another value.
    pub(super) fn drawn(&self, site: Site) -> Self {
        let mut trace = self.then(site);
        trace.reading = Some(site);
        trace.is_fresh = true;
        trace
    }

    /// Whether the value was read from its source in this place, also by a call of code that reads it anew.
    pub(super) fn is_read_in(&self, place: Site) -> bool {
        self.reading.unwrap_or(self.origin.site).is_in(place)
    }

    /// A copy of this trace with another kind of source, as when clock readings become a duration.
    pub(super) fn with_kind(&self, kind: SourceKind) -> Self {
        Self {
            origin: Arc::new(Origin {
                kind,
                site: self.origin.site,
                what: self.origin.what.clone(),
            }),
            ..self.clone()
        }
    }

    /// The number of calls of the repository's code that the traced value was returned from.
    pub(super) fn calls(&self) -> u8 {
        self.calls
    }

    /// The places that the traced value passed between its source and the assertion, in order.
    pub(super) fn steps(&self) -> Vec<Site> {
        let mut sites = Vec::new();
        let mut step = self.last.as_ref();
        while let Some(it) = step {
            sites.push(it.site);
            step = it.before.as_ref();
        }
        sites.reverse();
        sites
    }
}
