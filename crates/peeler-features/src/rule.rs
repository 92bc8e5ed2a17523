//! The rules: every kind of flow of nondeterminism that a scan reports, with a stable id and name.
//!
//! ```text
//! PLR101 unordered-text-compared    a HashMap is printed, and the text is compared with a literal
//! ```
//!
//! Invariant: ids, names and codes are used in stored files, suppressions and settings, and never change. The page of a
//! rule is `docs/rules/<id>.md`.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::cause_kind::CauseKind;
use crate::codes::StoredCode;

/// A group of rules. The first digit of a rule's number tells its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleFamily {
    /// Order that the platform leaves open (`PLR1xx`): implementation-dependent tests.
    Order,
    /// Threads, waits and time limits (`PLR2xx`).
    Timing,
    /// Values that differ from run to run or from machine to machine (`PLR3xx`).
    Value,
    /// Ports, hosts and files outside the test (`PLR4xx`).
    Outside,
    /// State that one test leaves for another (`PLR5xx`): order-dependent tests.
    TestOrder,
    /// Habits that hide or cause flakiness (`PLR6xx`).
    Practice,
}

impl RuleFamily {
    /// All families, in the order of their digits.
    #[must_use]
    pub fn all() -> [Self; 6] {
        [
            Self::Order,
            Self::Timing,
            Self::Value,
            Self::Outside,
            Self::TestOrder,
            Self::Practice,
        ]
    }

    /// The name of the family in options and settings: `test-order`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Timing => "timing",
            Self::Value => "value",
            Self::Outside => "outside",
            Self::TestOrder => "test-order",
            Self::Practice => "practice",
        }
    }

    /// The family in a few words.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Order => "order that the platform leaves open",
            Self::Timing => "threads, waits and time limits",
            Self::Value => "values that differ from run to run",
            Self::Outside => "ports, hosts and files",
            Self::TestOrder => "state shared between tests",
            Self::Practice => "habits that hide flakiness",
        }
    }
}

/// A rule about a kind of flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The rule PLR101: a test that compares text made from an unordered collection.
    UnorderedTextCompared,
    /// The rule PLR102: a test that compares a sequence that was copied from an unordered collection.
    UnorderedSequenceCompared,
    /// The rule PLR103: a test that asserts on one element picked from an unordered collection.
    UnorderedElementPicked,
    /// The rule PLR104: a test that relies on the order in which reflection returns members.
    ReflectionOrderCompared,
    /// The rule PLR105: a test that compares serialised text whose property order is not defined.
    SerialisedOrderCompared,
    /// The rule PLR106: a test that relies on the order of a directory listing.
    FileListingCompared,
    /// The rule PLR107: a test that relies on the order of rows that a query does not sort.
    QueryOrderCompared,
    /// The rule PLR108: a test that compares text that contains an identity hash.
    IdentityTextCompared,
    /// The rule PLR109: a test that relies on the order in which parallel work finishes.
    ParallelOrderCompared,
    /// The rule PLR110: a test that compares a literal of several keys with text whose order is not known.
    LiteralOrderAssumed,
    /// The rule PLR201: a test that sleeps for a fixed time before it asserts.
    SleepBeforeAssertion,
    /// The rule PLR202: a test that asserts an asynchronous effect without waiting for it.
    EffectNotAwaited,
    /// The rule PLR203: a test that gives up after a short time limit.
    ShortTimeLimit,
    /// The rule PLR204: a test that asserts how long something takes.
    ElapsedTimeCompared,
    /// The rule PLR205: a test that asserts in another thread, where a failure is lost or late.
    AssertionInOtherThread,
    /// The rule PLR206: a test that ignores whether a wait with a limit succeeded.
    WaitResultIgnored,
    /// The rule PLR207: a test that relies on how threads are scheduled.
    SchedulingAssumed,
    /// The rule PLR208: a test that relies on a garbage collection.
    GarbageCollectionAssumed,
    /// The rule PLR209: a test that shares an object between threads without synchronisation.
    UnsynchronisedSharing,
    /// The rule PLR301: a test that compares two readings of the clock.
    ClockCompared,
    /// The rule PLR302: a test that asserts on a random value.
    RandomValueAsserted,
    /// The rule PLR303: a test that compares a generated identifier.
    GeneratedIdCompared,
    /// The rule PLR304: a test that compares a value that depends on the default time zone or locale.
    DefaultZoneOrLocaleCompared,
    /// The rule PLR305: a test that compares a value that depends on the default charset.
    DefaultCharsetCompared,
    /// The rule PLR306: a test that compares a value of the machine that runs the test.
    EnvironmentValueCompared,
    /// The rule PLR307: a test that compares text with line separators of the platform.
    LineSeparatorCompared,
    /// The rule PLR308: a test that compares computed floating-point numbers for equality.
    FloatEquality,
    /// The rule PLR309: a test that looks up a host name to hash or compare a URL.
    UrlHashUsed,
    /// The rule PLR401: a test that uses a fixed port.
    FixedPort,
    /// The rule PLR402: a test that talks to a host outside the machine.
    RealNetwork,
    /// The rule PLR403: a test that uses a file with a fixed name outside a directory of its own.
    FixedPath,
    /// The rule PLR404: a test that finds a free port and releases it before use.
    FreePortReleased,
    /// The rule PLR501: a test that leaves static state changed for other tests.
    StaticStateLeft,
    /// The rule PLR502: a test that relies on static state that other tests change.
    StaticStateAssumed,
    /// The rule PLR503: a test that leaves a system property changed.
    SystemPropertyLeft,
    /// The rule PLR504: a test that leaves the default time zone or locale changed.
    DefaultLeft,
    /// The rule PLR505: a test that leaves a file with a fixed name behind.
    FileLeft,
    /// The rule PLR506: a test that leaves a static mock open.
    StaticMockLeft,
    /// The rule PLR507: a test that needs another test to run before it.
    TestOrderRequired,
    /// The rule PLR508: a test that leaves data in a store that tests share.
    SharedStoreLeft,
    /// The rule PLR601: a test that is retried until it passes.
    RetriedTest,
    /// The rule PLR602: a test that has several setup or teardown methods in no defined order.
    DuplicateLifecycle,
    /// The rule PLR603: a test that replaces a setup or teardown of its superclass without calling it.
    SuperSetupNotCalled,
    /// The rule PLR604: a test that dirties an application context that other tests share.
    DirtiedContext,
    /// The rule PLR605: a test that leaves files until the JVM exits.
    DeletedOnExit,
}

/// The fixed texts of one rule.
struct RuleText {
    rule: Rule,
    number: u16,
    id: &'static str,
    name: &'static str,
    family: RuleFamily,
    cause: CauseKind,
    title: &'static str,
    advice: &'static str,
}

impl Rule {
    /// All rules, in the order of their ids.
    #[must_use]
    pub fn all() -> &'static [Self] {
        Self::ALL
    }

    fn text(self) -> &'static RuleText {
        let text = &TEXTS[self as usize];
        debug_assert_eq!(text.rule, self);
        text
    }

    /// The id of the rule: `PLR101`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.text().id
    }

    /// The name of the rule: `unordered-text-compared`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.text().name
    }

    /// The family of the rule.
    #[must_use]
    pub fn family(self) -> RuleFamily {
        self.text().family
    }

    /// The kind of nondeterminism that the rule is about.
    #[must_use]
    pub fn cause(self) -> CauseKind {
        self.text().cause
    }

    /// What a test does that breaks the rule, in words that follow "the test".
    #[must_use]
    pub fn title(self) -> &'static str {
        self.text().title
    }

    /// How such a test is usually fixed.
    #[must_use]
    pub fn advice(self) -> &'static str {
        self.text().advice
    }

    /// The rule with this id or name. Upper and lower case are the same.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        let is_meant = |it: &&RuleText| it.id.eq_ignore_ascii_case(text) || it.name.eq_ignore_ascii_case(text);
        TEXTS.iter().find(is_meant).map(|it| it.rule)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::find(&text).ok_or_else(|| de::Error::custom(format!("`{text}` is not a rule; `peeler rules` lists them")))
    }
}

impl StoredCode for Rule {
    const ALL: &'static [Self] = &[
        Self::UnorderedTextCompared,
        Self::UnorderedSequenceCompared,
        Self::UnorderedElementPicked,
        Self::ReflectionOrderCompared,
        Self::SerialisedOrderCompared,
        Self::FileListingCompared,
        Self::QueryOrderCompared,
        Self::IdentityTextCompared,
        Self::ParallelOrderCompared,
        Self::LiteralOrderAssumed,
        Self::SleepBeforeAssertion,
        Self::EffectNotAwaited,
        Self::ShortTimeLimit,
        Self::ElapsedTimeCompared,
        Self::AssertionInOtherThread,
        Self::WaitResultIgnored,
        Self::SchedulingAssumed,
        Self::GarbageCollectionAssumed,
        Self::UnsynchronisedSharing,
        Self::ClockCompared,
        Self::RandomValueAsserted,
        Self::GeneratedIdCompared,
        Self::DefaultZoneOrLocaleCompared,
        Self::DefaultCharsetCompared,
        Self::EnvironmentValueCompared,
        Self::LineSeparatorCompared,
        Self::FloatEquality,
        Self::UrlHashUsed,
        Self::FixedPort,
        Self::RealNetwork,
        Self::FixedPath,
        Self::FreePortReleased,
        Self::StaticStateLeft,
        Self::StaticStateAssumed,
        Self::SystemPropertyLeft,
        Self::DefaultLeft,
        Self::FileLeft,
        Self::StaticMockLeft,
        Self::TestOrderRequired,
        Self::SharedStoreLeft,
        Self::RetriedTest,
        Self::DuplicateLifecycle,
        Self::SuperSetupNotCalled,
        Self::DirtiedContext,
        Self::DeletedOnExit,
    ];

    fn code(self) -> u8 {
        // The hundreds and the rest of a number fit into three and five bits.
        let number = self.text().number;
        u8::try_from(number / 100 * 32 + number % 100).expect("numbers of rules are below 800")
    }
}

#[rustfmt::skip]
static TEXTS: &[RuleText] = &[
    RuleText {
        rule: Rule::UnorderedTextCompared, number: 101, id: "PLR101", name: "unordered-text-compared",
        family: RuleFamily::Order, cause: CauseKind::UnorderedCollection,
        title: "compares text made from an unordered collection",
        advice: "Compare the collections themselves, or build the text from a sorted copy or a LinkedHashMap.",
    },
    RuleText {
        rule: Rule::UnorderedSequenceCompared, number: 102, id: "PLR102", name: "unordered-sequence-compared",
        family: RuleFamily::Order, cause: CauseKind::UnorderedCollection,
        title: "compares a sequence that was copied from an unordered collection",
        advice: "Compare as sets or in any order, sort before comparing, or collect into an ordered collection.",
    },
    RuleText {
        rule: Rule::UnorderedElementPicked, number: 103, id: "PLR103", name: "unordered-element-picked",
        family: RuleFamily::Order, cause: CauseKind::UnorderedCollection,
        title: "asserts on one element picked from an unordered collection",
        advice: "Look the element up by its key, sort first, or assert on all elements.",
    },
    RuleText {
        rule: Rule::ReflectionOrderCompared, number: 104, id: "PLR104", name: "reflection-order-compared",
        family: RuleFamily::Order, cause: CauseKind::ReflectionOrder,
        title: "relies on the order in which reflection returns members",
        advice: "Sort the members by name before use, or compare without order.",
    },
    RuleText {
        rule: Rule::SerialisedOrderCompared, number: 105, id: "PLR105", name: "serialised-order-compared",
        family: RuleFamily::Order, cause: CauseKind::UnorderedCollection,
        title: "compares serialised text whose property order is not defined",
        advice: "Compare parsed trees (JSONAssert, readTree), or fix the property order in the serialiser.",
    },
    RuleText {
        rule: Rule::FileListingCompared, number: 106, id: "PLR106", name: "file-listing-compared",
        family: RuleFamily::Order, cause: CauseKind::Files,
        title: "relies on the order of a directory listing",
        advice: "Sort the listing, or compare as a set.",
    },
    RuleText {
        rule: Rule::QueryOrderCompared, number: 107, id: "PLR107", name: "query-order-compared",
        family: RuleFamily::Order, cause: CauseKind::UnorderedCollection,
        title: "relies on the order of rows that a query does not sort",
        advice: "Add an ORDER BY, or compare the rows in any order.",
    },
    RuleText {
        rule: Rule::IdentityTextCompared, number: 108, id: "PLR108", name: "identity-text-compared",
        family: RuleFamily::Order, cause: CauseKind::Environment,
        title: "compares text that contains an identity hash",
        advice: "Compare fields or equals() instead of the default text of an object or array.",
    },
    RuleText {
        rule: Rule::ParallelOrderCompared, number: 109, id: "PLR109", name: "parallel-order-compared",
        family: RuleFamily::Order, cause: CauseKind::Concurrency,
        title: "relies on the order in which parallel work finishes",
        advice: "Collect results in a defined order, or compare without order.",
    },
    RuleText {
        rule: Rule::LiteralOrderAssumed, number: 110, id: "PLR110", name: "literal-order-assumed",
        family: RuleFamily::Order, cause: CauseKind::UnorderedCollection,
        title: "compares a literal of several keys with text whose order is not known",
        advice: "Compare parsed trees (JSONAssert, readTree) or maps instead of text.",
    },
    RuleText {
        rule: Rule::SleepBeforeAssertion, number: 201, id: "PLR201", name: "sleep-before-assertion",
        family: RuleFamily::Timing, cause: CauseKind::SleepTimeout,
        title: "sleeps for a fixed time before it asserts",
        advice: "Wait for the event itself (a latch, a future, Awaitility) with a generous limit.",
    },
    RuleText {
        rule: Rule::EffectNotAwaited, number: 202, id: "PLR202", name: "effect-not-awaited",
        family: RuleFamily::Timing, cause: CauseKind::Concurrency,
        title: "asserts an asynchronous effect without waiting for it",
        advice: "Join, get or await what was started before asserting.",
    },
    RuleText {
        rule: Rule::ShortTimeLimit, number: 203, id: "PLR203", name: "short-time-limit",
        family: RuleFamily::Timing, cause: CauseKind::SleepTimeout,
        title: "gives up after a short time limit",
        advice: "Wait much longer than the work needs on a slow machine; a limit is only for hanging.",
    },
    RuleText {
        rule: Rule::ElapsedTimeCompared, number: 204, id: "PLR204", name: "elapsed-time-compared",
        family: RuleFamily::Timing, cause: CauseKind::Clock,
        title: "asserts how long something takes",
        advice: "Assert what happened, not how long it took, or use a fake clock.",
    },
    RuleText {
        rule: Rule::AssertionInOtherThread, number: 205, id: "PLR205", name: "assertion-in-other-thread",
        family: RuleFamily::Timing, cause: CauseKind::Concurrency,
        title: "asserts in another thread, where a failure is lost or late",
        advice: "Collect failures of other threads and rethrow them in the test's own thread.",
    },
    RuleText {
        rule: Rule::WaitResultIgnored, number: 206, id: "PLR206", name: "wait-result-ignored",
        family: RuleFamily::Timing, cause: CauseKind::Concurrency,
        title: "ignores whether a wait with a limit succeeded",
        advice: "Assert that the wait returned true.",
    },
    RuleText {
        rule: Rule::SchedulingAssumed, number: 207, id: "PLR207", name: "scheduling-assumed",
        family: RuleFamily::Timing, cause: CauseKind::Concurrency,
        title: "relies on how threads are scheduled",
        advice: "Synchronise with a latch or a condition; yield and priorities promise nothing.",
    },
    RuleText {
        rule: Rule::GarbageCollectionAssumed, number: 208, id: "PLR208", name: "garbage-collection-assumed",
        family: RuleFamily::Timing, cause: CauseKind::Environment,
        title: "relies on a garbage collection",
        advice: "Do not assert on garbage collection, or poll with a generous limit.",
    },
    RuleText {
        rule: Rule::UnsynchronisedSharing, number: 209, id: "PLR209", name: "unsynchronised-sharing",
        family: RuleFamily::Timing, cause: CauseKind::Concurrency,
        title: "shares an object between threads without synchronisation",
        advice: "Use a concurrent collection or an atomic counter.",
    },
    RuleText {
        rule: Rule::ClockCompared, number: 301, id: "PLR301", name: "clock-compared",
        family: RuleFamily::Value, cause: CauseKind::Clock,
        title: "compares two readings of the clock",
        advice: "Pass a fixed clock in, or compare with a tolerance that slow machines keep.",
    },
    RuleText {
        rule: Rule::RandomValueAsserted, number: 302, id: "PLR302", name: "random-value-asserted",
        family: RuleFamily::Value, cause: CauseKind::Randomness,
        title: "asserts on a random value",
        advice: "Give the generator a fixed seed, or assert what holds for every value.",
    },
    RuleText {
        rule: Rule::GeneratedIdCompared, number: 303, id: "PLR303", name: "generated-id-compared",
        family: RuleFamily::Value, cause: CauseKind::Randomness,
        title: "compares a generated identifier",
        advice: "Pass the identifier in, or assert its format only.",
    },
    RuleText {
        rule: Rule::DefaultZoneOrLocaleCompared, number: 304, id: "PLR304", name: "default-zone-or-locale-compared",
        family: RuleFamily::Value, cause: CauseKind::TimeZoneLocale,
        title: "compares a value that depends on the default time zone or locale",
        advice: "Name the zone and the locale in code and test.",
    },
    RuleText {
        rule: Rule::DefaultCharsetCompared, number: 305, id: "PLR305", name: "default-charset-compared",
        family: RuleFamily::Value, cause: CauseKind::Environment,
        title: "compares a value that depends on the default charset",
        advice: "Name the charset in code and test.",
    },
    RuleText {
        rule: Rule::EnvironmentValueCompared, number: 306, id: "PLR306", name: "environment-value-compared",
        family: RuleFamily::Value, cause: CauseKind::Environment,
        title: "compares a value of the machine that runs the test",
        advice: "Pass the value in, or set it in the test and put it back.",
    },
    RuleText {
        rule: Rule::LineSeparatorCompared, number: 307, id: "PLR307", name: "line-separator-compared",
        family: RuleFamily::Value, cause: CauseKind::Environment,
        title: "compares text with line separators of the platform",
        advice: "Write \\n explicitly, or normalise line endings before comparing.",
    },
    RuleText {
        rule: Rule::FloatEquality, number: 308, id: "PLR308", name: "float-equality",
        family: RuleFamily::Value, cause: CauseKind::Environment,
        title: "compares computed floating-point numbers for equality",
        advice: "Compare with a tolerance.",
    },
    RuleText {
        rule: Rule::UrlHashUsed, number: 309, id: "PLR309", name: "url-hash-used",
        family: RuleFamily::Value, cause: CauseKind::Network,
        title: "looks up a host name to hash or compare a URL",
        advice: "Use java.net.URI as the key, which needs no network.",
    },
    RuleText {
        rule: Rule::FixedPort, number: 401, id: "PLR401", name: "fixed-port",
        family: RuleFamily::Outside, cause: CauseKind::Network,
        title: "uses a fixed port",
        advice: "Use port 0 and ask the server which port it got.",
    },
    RuleText {
        rule: Rule::RealNetwork, number: 402, id: "PLR402", name: "real-network",
        family: RuleFamily::Outside, cause: CauseKind::Network,
        title: "talks to a host outside the machine",
        advice: "Replace the remote host by a local fake.",
    },
    RuleText {
        rule: Rule::FixedPath, number: 403, id: "PLR403", name: "fixed-path",
        family: RuleFamily::Outside, cause: CauseKind::Files,
        title: "uses a file with a fixed name outside a directory of its own",
        advice: "Use @TempDir, TemporaryFolder or Files.createTempDirectory.",
    },
    RuleText {
        rule: Rule::FreePortReleased, number: 404, id: "PLR404", name: "free-port-released",
        family: RuleFamily::Outside, cause: CauseKind::Network,
        title: "finds a free port and releases it before use",
        advice: "Bind port 0 in the server itself.",
    },
    RuleText {
        rule: Rule::StaticStateLeft, number: 501, id: "PLR501", name: "static-state-left",
        family: RuleFamily::TestOrder, cause: CauseKind::StaticState,
        title: "leaves static state changed for other tests",
        advice: "Restore the state in teardown, or give each test an instance of its own.",
    },
    RuleText {
        rule: Rule::StaticStateAssumed, number: 502, id: "PLR502", name: "static-state-assumed",
        family: RuleFamily::TestOrder, cause: CauseKind::StaticState,
        title: "relies on static state that other tests change",
        advice: "Set the state in setup before reading it.",
    },
    RuleText {
        rule: Rule::SystemPropertyLeft, number: 503, id: "PLR503", name: "system-property-left",
        family: RuleFamily::TestOrder, cause: CauseKind::StaticState,
        title: "leaves a system property changed",
        advice: "Restore the property in teardown.",
    },
    RuleText {
        rule: Rule::DefaultLeft, number: 504, id: "PLR504", name: "default-left",
        family: RuleFamily::TestOrder, cause: CauseKind::StaticState,
        title: "leaves the default time zone or locale changed",
        advice: "Restore the default in teardown.",
    },
    RuleText {
        rule: Rule::FileLeft, number: 505, id: "PLR505", name: "file-left",
        family: RuleFamily::TestOrder, cause: CauseKind::Files,
        title: "leaves a file with a fixed name behind",
        advice: "Delete the file in teardown, or use a temporary directory.",
    },
    RuleText {
        rule: Rule::StaticMockLeft, number: 506, id: "PLR506", name: "static-mock-left",
        family: RuleFamily::TestOrder, cause: CauseKind::StaticState,
        title: "leaves a static mock open",
        advice: "Close the static mock in teardown or with try-with-resources.",
    },
    RuleText {
        rule: Rule::TestOrderRequired, number: 507, id: "PLR507", name: "test-order-required",
        family: RuleFamily::TestOrder, cause: CauseKind::StaticState,
        title: "needs another test to run before it",
        advice: "Let the test prepare what it needs itself.",
    },
    RuleText {
        rule: Rule::SharedStoreLeft, number: 508, id: "PLR508", name: "shared-store-left",
        family: RuleFamily::TestOrder, cause: CauseKind::StaticState,
        title: "leaves data in a store that tests share",
        advice: "Clear the store in setup, or roll back after each test.",
    },
    RuleText {
        rule: Rule::RetriedTest, number: 601, id: "PLR601", name: "retried-test",
        family: RuleFamily::Practice, cause: CauseKind::SleepTimeout,
        title: "is retried until it passes",
        advice: "Find the cause and remove the retry.",
    },
    RuleText {
        rule: Rule::DuplicateLifecycle, number: 602, id: "PLR602", name: "duplicate-lifecycle",
        family: RuleFamily::Practice, cause: CauseKind::StaticState,
        title: "has several setup or teardown methods in no defined order",
        advice: "Merge the methods into one.",
    },
    RuleText {
        rule: Rule::SuperSetupNotCalled, number: 603, id: "PLR603", name: "super-setup-not-called",
        family: RuleFamily::Practice, cause: CauseKind::StaticState,
        title: "replaces a setup or teardown of its superclass without calling it",
        advice: "Call the method of the superclass, or give the method another name.",
    },
    RuleText {
        rule: Rule::DirtiedContext, number: 604, id: "PLR604", name: "dirtied-context",
        family: RuleFamily::Practice, cause: CauseKind::StaticState,
        title: "dirties an application context that other tests share",
        advice: "Reset the beans that changed instead of the whole context.",
    },
    RuleText {
        rule: Rule::DeletedOnExit, number: 605, id: "PLR605", name: "deleted-on-exit",
        family: RuleFamily::Practice, cause: CauseKind::Files,
        title: "leaves files until the JVM exits",
        advice: "Delete files in teardown or use a temporary directory of the framework.",
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Rule, TEXTS};
    use crate::codes::StoredCode;

    #[test]
    fn the_table_has_every_rule_at_its_place_with_an_id_of_its_own() {
        assert_eq!(TEXTS.len(), Rule::all().len());
        let mut codes = BTreeSet::new();
        for (text, rule) in TEXTS.iter().zip(Rule::all()) {
            assert_eq!(text.rule, *rule);
            assert_eq!(rule.id(), format!("PLR{}", text.number));
            assert_eq!(Rule::from_code(rule.code()), Some(*rule));
            assert!(codes.insert(rule.code()), "{rule}");
            assert_eq!(Rule::find(rule.name()), Some(*rule));
        }
    }

    #[test]
    fn codes_follow_from_ids() {
        assert_eq!(Rule::UnorderedTextCompared.code(), 33);
        assert_eq!(Rule::DeletedOnExit.code(), 197);
    }

    #[test]
    fn rules_are_found_by_id_and_name_in_any_case() {
        assert_eq!(Rule::find("plr101"), Some(Rule::UnorderedTextCompared));
        assert_eq!(Rule::find("Fixed-Port"), Some(Rule::FixedPort));
        assert_eq!(Rule::find("PLR999"), None);
    }
}
