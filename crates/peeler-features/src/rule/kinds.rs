//! The rules as a type: one value for each kind of flow that a scan can report.

/// A rule: a kind of flow of nondeterminism that a scan can report.
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
    /// The rule PLR110: a test that compares a literal with several keys, such as JSON, with text whose order is not
    /// known.
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
    /// The rule PLR206: a test that ignores whether a wait with a time limit succeeded.
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
    /// The rule PLR508: a test that leaves data in a store that tests share, such as a database.
    SharedStoreLeft,
    /// The rule PLR601: a test that is retried until it passes.
    RetriedTest,
    /// The rule PLR602: a test that has several setup or teardown methods in no defined order.
    DuplicateLifecycle,
    /// The rule PLR603: a test that replaces a setup or teardown of its superclass without calling it.
    SuperSetupNotCalled,
    /// The rule PLR604: a test with `@DirtiesContext`, which discards an application context that other tests share.
    DirtiedContext,
    /// The rule PLR605: a test that leaves files until the JVM exits.
    DeletedOnExit,
}
