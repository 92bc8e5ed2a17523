//! The kinds of nondeterminism, each with its id, its title and advice for a report.

use serde::{Deserialize, Serialize};

/// A kind of nondeterminism.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// The order of a hash table matters.
    UnorderedCollection,
    /// The order of the members of a class matters.
    ReflectionOrder,
    /// The time of day, or how long something took.
    Clock,
    /// The default time zone or locale.
    TimeZoneLocale,
    /// Random numbers without a seed.
    Randomness,
    /// A fixed wait, or a limit of time.
    SleepTimeout,
    /// Threads.
    Concurrency,
    /// Ports, hosts, servers.
    Network,
    /// Directories and times of files.
    Files,
    /// Properties and resources of the machine.
    Environment,
    /// State that outlives the test.
    StaticState,
}

impl CauseKind {
    /// All kinds, in the order of their declaration.
    #[must_use]
    pub fn all() -> [Self; 11] {
        [
            Self::UnorderedCollection,
            Self::ReflectionOrder,
            Self::Clock,
            Self::TimeZoneLocale,
            Self::Randomness,
            Self::SleepTimeout,
            Self::Concurrency,
            Self::Network,
            Self::Files,
            Self::Environment,
            Self::StaticState,
        ]
    }

    /// The name of the kind in files and reports. It is stable across versions.
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

    /// The kind in a few plain words.
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

    /// How a test with such a cause can be fixed.
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

    /// The kind with this [`Self::id`].
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::all().into_iter().find(|it| it.id() == id)
    }

    /// Whether only assertions that depend on the order of elements can notice the kind.
    pub(super) fn is_order(self) -> bool {
        matches!(self, Self::UnorderedCollection | Self::ReflectionOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::CauseKind;

    #[test]
    fn ids_are_stored_in_files_and_do_not_change() {
        let ids = [
            (CauseKind::UnorderedCollection, "unordered-collection"),
            (CauseKind::ReflectionOrder, "reflection-order"),
            (CauseKind::Clock, "clock"),
            (CauseKind::TimeZoneLocale, "time-zone-locale"),
            (CauseKind::Randomness, "randomness"),
            (CauseKind::SleepTimeout, "sleep-timeout"),
            (CauseKind::Concurrency, "concurrency"),
            (CauseKind::Network, "network"),
            (CauseKind::Files, "files"),
            (CauseKind::Environment, "environment"),
            (CauseKind::StaticState, "static-state"),
        ];
        assert_eq!(ids.map(|(kind, _)| kind), CauseKind::all());
        for (kind, id) in ids {
            assert_eq!(kind.id(), id);
            assert_eq!(CauseKind::from_id(id), Some(kind));
            let written = format!("kind = \"{id}\"");
            let read: toml::Table = toml::from_str(&written).expect("well-formed");
            assert_eq!(read["kind"].clone().try_into::<CauseKind>().ok(), Some(kind));
        }
    }
}
