//! The fixed texts of the rules: id, name, family, cause, title and advice.
//!
//! Invariant: the table has one entry for each rule, in the order of the values of [`Rule`].

use super::family::RuleFamily;
use super::kinds::Rule;
use crate::cause_kind::CauseKind;

/// The fixed texts of one rule: its id, name, title and advice, with its family and cause.
pub(super) struct RuleText {
    pub(super) rule: Rule,
    pub(super) number: u16,
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) family: RuleFamily,
    pub(super) cause: CauseKind,
    pub(super) title: &'static str,
    pub(super) advice: &'static str,
}

/// The fixed texts of all rules, in the order of the values of [`Rule`].
#[rustfmt::skip]
pub(super) static TEXTS: &[RuleText] = &[
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
