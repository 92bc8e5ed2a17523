//! The kinds of nondeterminism in the catalogue of causes, with the texts of reports about each.
//!
//! Codes and ids are used in stored files and never change.

use serde::{Deserialize, Serialize};

use crate::codes::StoredCode;

/// A kind of nondeterminism that can make a test flaky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// Nondeterminism by the order of a hash table.
    UnorderedCollection,
    /// Nondeterminism by the order of the members of a class, as reflection returns them.
    ReflectionOrder,
    /// Nondeterminism by the time of day, or the duration of an operation.
    Clock,
    /// Nondeterminism by the default time zone or locale.
    TimeZoneLocale,
    /// Nondeterminism by random numbers without a seed.
    Randomness,
    /// Nondeterminism by a fixed wait or a time limit.
    SleepTimeout,
    /// Nondeterminism by the scheduling of threads.
    Concurrency,
    /// Nondeterminism by ports, hosts and servers.
    Network,
    /// Nondeterminism by the order of directory listings and the times of files.
    Files,
    /// Nondeterminism by properties and resources of the machine, such as environment variables and memory.
    Environment,
    /// Nondeterminism by state that outlives the test, such as static fields.
    StaticState,
}

impl CauseKind {
    /// All kinds of nondeterminism, in the order of their declaration.
    #[must_use]
    pub fn all() -> [Self; 11] {
        KINDS
    }

    /// The name of the kind of nondeterminism in files and reports. It is stable across versions.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::UnorderedCollection => "unordered-collection",
            Self::ReflectionOrder => "reflection-order",
            Self::Clock => "clock",
            Self::TimeZoneLocale => "time-zone-locale",
            Self::Randomness => "randomness",
            Self::SleepTimeout => "sleep-timeout",
            Self::Concurrency => "concurrency",
            Self::Network => "network",
            Self::Files => "files",
            Self::Environment => "environment",
            Self::StaticState => "static-state",
        }
    }

    /// The kind of nondeterminism in a few words that follow "the test", such as `depends on the clock`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::UnorderedCollection => "relies on the order of an unordered collection",
            Self::ReflectionOrder => "relies on the order of reflection",
            Self::Clock => "depends on the clock",
            Self::TimeZoneLocale => "depends on the default time zone or locale",
            Self::Randomness => "draws random values",
            Self::SleepTimeout => "waits for a fixed time",
            Self::Concurrency => "depends on the timing of threads",
            Self::Network => "depends on the network",
            Self::Files => "depends on the file system",
            Self::Environment => "depends on the environment",
            Self::StaticState => "changes state that other tests see",
        }
    }

    /// Advice how to fix a test that has this kind of nondeterminism.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::UnorderedCollection => {
                "Compare without order (as sets, as JSON trees, in any order), or use a LinkedHashMap, a TreeMap or a sort \
                 where the order is meant."
            }
            Self::ReflectionOrder => {
                "Sort the members by name, or compare without order; the JVM may return them in any order."
            }
            Self::Clock => "Pass a fixed java.time.Clock in, or compare with a tolerance that slow machines keep.",
            Self::TimeZoneLocale => "Name the zone and the locale in code and test instead of taking the default.",
            Self::Randomness => "Give the generator a fixed seed, and print it when the test fails.",
            Self::SleepTimeout => {
                "Wait for the event itself (a latch, a future, Awaitility) with a generous limit instead of a fixed time."
            }
            Self::Concurrency => {
                "Join or await everything that was started before asserting, or run the work on the calling thread in tests."
            }
            Self::Network => {
                "Use a port that the system picks, wait until the server is ready, and replace remote hosts by a fake."
            }
            Self::Files => "Give each test a directory of its own, sort listings, and do not compare times of files.",
            Self::Environment => "Pass the value in, or set it in the test and put it back afterwards.",
            Self::StaticState => "Reset the state after each test, or give each test an instance of its own.",
        }
    }

    /// The kind of nondeterminism with this [`Self::id`]; `None` if no kind has it.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::all().into_iter().find(|it| it.id() == id)
    }

    /// Whether only assertions that depend on the order of elements can notice this kind of nondeterminism.
    #[must_use]
    pub fn is_order(self) -> bool {
        matches!(self, Self::UnorderedCollection | Self::ReflectionOrder)
    }
}

const KINDS: [CauseKind; 11] = [
    CauseKind::UnorderedCollection,
    CauseKind::ReflectionOrder,
    CauseKind::Clock,
    CauseKind::TimeZoneLocale,
    CauseKind::Randomness,
    CauseKind::SleepTimeout,
    CauseKind::Concurrency,
    CauseKind::Network,
    CauseKind::Files,
    CauseKind::Environment,
    CauseKind::StaticState,
];

impl StoredCode for CauseKind {
    const ALL: &'static [Self] = &KINDS;

    fn code(self) -> u8 {
        match self {
            Self::UnorderedCollection => 0,
            Self::ReflectionOrder => 1,
            Self::Clock => 2,
            Self::TimeZoneLocale => 3,
            Self::Randomness => 4,
            Self::SleepTimeout => 5,
            Self::Concurrency => 6,
            Self::Network => 7,
            Self::Files => 8,
            Self::Environment => 9,
            Self::StaticState => 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CauseKind;
    use crate::codes::StoredCode;

    #[test]
    fn codes_and_ids_are_those_of_stored_corpora_and_shipped_models() {
        let written = CauseKind::all().map(|it| format!("{it:?} {} {}", it.code(), it.id()));
        assert_eq!(
            written,
            [
                "UnorderedCollection 0 unordered-collection",
                "ReflectionOrder 1 reflection-order",
                "Clock 2 clock",
                "TimeZoneLocale 3 time-zone-locale",
                "Randomness 4 randomness",
                "SleepTimeout 5 sleep-timeout",
                "Concurrency 6 concurrency",
                "Network 7 network",
                "Files 8 files",
                "Environment 9 environment",
                "StaticState 10 static-state",
            ]
        );
    }
}
