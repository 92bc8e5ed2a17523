//! The timing catalogue: which calls start work in other threads, sleep or wait. It also lists calls that ask the JVM
//! for something that it may ignore, such as `Thread.yield()` and `System.gc()`.
//!
//! The shipped catalogue is the data file `catalogue/timing.toml`, whose header explains its fields.
//!
//! Invariant: an entry that lists classes never matches a class of another package, if the package of the called class
//! is known.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::name_set::NameSet;
use crate::catalogue_text;

/// What a call means for the timing of a test: it starts work, sleeps, waits and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum OperationKind {
    /// A call that starts work which goes on while the caller continues, as `thread.start()` does.
    Start,
    /// A call that pauses for a fixed time, as `Thread.sleep(100)` does.
    Sleep,
    /// A call that returns when some work of another thread is done, without a time limit.
    Wait,
    /// A call that returns when some work of another thread is done, or when its time limit is over.
    LimitedWait,
    Yield,
    Priority,
    MonitorWait,
    GarbageCollection,
}

/// What a call that waits with a time limit does when the limit is over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LimitOutcome {
    /// The wait throws an exception when its time limit is over.
    #[default]
    Throws,
    /// The wait returns `false` when its time limit is over, which the caller must check.
    Returns,
    /// The wait returns `null` when its time limit is over. Code that uses the value then fails.
    Value,
    /// The call runs a function itself, and throws an exception if that takes longer than the time limit.
    Times,
    /// The wait returns nothing, so that the caller cannot tell whether the time limit was reached.
    Silent,
}

/// What happens to a failure in a task that runs in another thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TaskFailure {
    /// A failure in the task ends the thread that runs it, and the test does not see the failure.
    #[default]
    Lost,
    /// A future keeps a failure in the task, so that `get()` of the future throws it.
    Kept,
}

/// An entry of the timing catalogue: which calls it matches, and what they mean for the timing of a test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Operation {
    pub(super) kind: OperationKind,
    owners: Vec<String>,
    methods: NameSet,
    #[serde(default)]
    arguments: Vec<usize>,
    #[serde(default)]
    timed: bool,
    /// Names of methods, such as `subscribeOn` for an entry about `subscribe`. The entry matches a call only if one of
    /// them is called earlier in its chain of calls. If empty, any chain matches.
    #[serde(default)]
    links: NameSet,
    #[serde(default)]
    pub(super) outcome: LimitOutcome,
    /// The position of the time limit among the arguments of a call that the entry matches.
    #[serde(default)]
    pub(super) limit: usize,
    #[serde(default)]
    pub(super) task: TaskFailure,
}

/// Part of the timing catalogue: names of methods and classes with a meaning for timing, such as `await*` for waiting.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    waits: NameSet,
    immediate: NameSet,
    retrying: NameSet,
    unsynchronised: Vec<String>,
    holders: NameSet,
    changes: NameSet,
    lifecycle: NameSet,
    services: NameSet,
    completed: NameSet,
    same_thread: NameSet,
    effects: NameSet,
    ages: Vec<String>,
    direct_executors: NameSet,
    each: NameSet,
    parallel: NameSet,
}

/// Part of the timing catalogue: classes, methods and annotations which show that other threads or processes run during
/// a test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Concurrent {
    packages: Vec<String>,
    values: NameSet,
    methods: NameSet,
    asking: NameSet,
    annotations: NameSet,
}

/// Times in milliseconds that decide which waits, sleeps and time limits the timing rules report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Thresholds {
    pub(super) wait: u64,
    pub(super) test: u64,
    pub(super) computing: u64,
    pub(super) ignored: u64,
    pub(super) ignored_effect: u64,
    pub(super) sleep: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CatalogueFile {
    operation: Vec<Operation>,
    names: Names,
    concurrent: Concurrent,
    limits: Thresholds,
}

/// The timing catalogue, with its entries indexed by the method names that they match exactly.
#[derive(Debug)]
pub(super) struct TimingCatalogue {
    operations: Vec<Operation>,
    by_name: FxHashMap<String, Vec<usize>>,
    /// Positions of timing catalogue entries with a method name that contains a `*`.
    patterns: Vec<usize>,
    pub(super) names: Names,
    pub(super) concurrent: Concurrent,
    pub(super) limits: Thresholds,
}

static CATALOGUE: LazyLock<TimingCatalogue> = LazyLock::new(|| {
    let file: CatalogueFile = catalogue_text::read(include_str!("../../catalogue/timing.toml"));
    let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut patterns = Vec::new();
    for (at, operation) in file.operation.iter().enumerate() {
        for method in operation.methods.names() {
            by_name.entry(method.clone()).or_default().push(at);
        }
        if operation.methods.has_patterns() {
            patterns.push(at);
        }
    }
    TimingCatalogue {
        operations: file.operation,
        by_name,
        patterns,
        names: file.names,
        concurrent: file.concurrent,
        limits: file.limits,
    }
});

/// The parts of a call that the timing catalogue compares with its entries.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallShape<'a> {
    pub(super) name: &'a str,
    /// The class that declares the called method, with its package if that is known. `None` if the class is unknown.
    pub(super) owner: Option<&'a str>,
    pub(super) arguments: usize,
    /// Whether an argument of the call is a `TimeUnit` or a `Duration`.
    pub(super) is_timed: bool,
    /// The names of the methods called earlier in the chain of the call: `b` and `a` for the call `c` in `a().b().c()`.
    pub(super) links: &'a [&'a str],
    /// The packages that the file of the call imports with a wildcard: `java.util.concurrent` for
    /// `import java.util.concurrent.*;`.
    pub(super) packages: &'a [&'a str],
}

impl TimingCatalogue {
    /// The timing catalogue that is built into Peeler.
    pub(super) fn shipped() -> &'static Self {
        &CATALOGUE
    }

    /// Whether some entry of the timing catalogue may match a call of a method with this name.
    pub(super) fn may_match(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
            || self
                .patterns
                .iter()
                .any(|at| self.operations[*at].methods.contains(name))
    }

    /// The entry of the timing catalogue that says what a call means for the timing of a test. `None` if none matches.
    pub(super) fn operation(&self, call: CallShape<'_>) -> Option<&Operation> {
        let exact = self.by_name.get(call.name).into_iter().flatten();
        exact
            .chain(&self.patterns)
            .map(|at| &self.operations[*at])
            .find(|it| it.matches(call))
    }
}

impl Operation {
    fn matches(&self, call: CallShape<'_>) -> bool {
        let is_owner = match call.owner {
            None => self.owners.is_empty(),
            Some(owner) => self.owners.iter().any(|it| is_class(it, owner, call.packages)),
        };
        is_owner
            && (self.arguments.is_empty() || self.arguments.contains(&call.arguments))
            && (!self.timed || call.is_timed)
            && (self.links.is_empty() || call.links.iter().any(|it| self.links.contains(it)))
            && self.methods.contains(call.name)
    }
}

impl Names {
    /// Whether the name of a method says that it waits, as `awaitDone` does.
    pub(super) fn says_wait(&self, name: &str) -> bool {
        self.waits.contains(name)
    }

    /// Whether a method runs the functions that it is given before it returns, as `assertThrows` does. Judged by its
    /// name.
    pub(super) fn runs_now(&self, name: &str) -> bool {
        self.immediate.contains(name)
    }

    /// Whether a method repeats the functions that it is given until they succeed, as `untilAsserted` does. Judged by
    /// its name.
    pub(super) fn retries(&self, name: &str) -> bool {
        self.retrying.contains(name)
    }

    /// Whether the class with this simple name, such as `ArrayList`, is not safe if several threads change an object of
    /// it.
    pub(super) fn is_unsynchronised(&self, class: &str) -> bool {
        self.unsynchronised.iter().any(|it| it == class)
    }

    /// Whether an object of the class with this simple name holds nothing when it is made without arguments:
    /// `AtomicInteger`, `CopyOnWriteArrayList`.
    pub(super) fn is_holder(&self, class: &str) -> bool {
        self.holders.contains(class)
    }

    /// Whether a method starts or stops a service, whose threads live longer than the call. Judged by its name:
    /// `start*`, `close*`.
    pub(super) fn is_lifecycle(&self, name: &str) -> bool {
        self.lifecycle.contains(name)
    }

    /// Whether a method starts something that runs until it is stopped, judged by its name: `start*`, `listen*`.
    pub(super) fn brings_up(&self, name: &str) -> bool {
        self.services.contains(name)
    }

    /// Whether a method makes a future that is already complete, as `completedFuture` does. Judged by its name.
    pub(super) fn completes(&self, name: &str) -> bool {
        self.completed.contains(name)
    }

    /// Whether objects of a class do all their work in the thread that calls them, and give futures that are complete.
    /// Judged by its name.
    pub(super) fn works_in_same_thread(&self, class: &str) -> bool {
        self.same_thread.contains(class)
    }

    /// Whether a method changes the object that it is called on, even if that is thread-safe. Judged by its name:
    /// `add`, `incrementAndGet`.
    pub(super) fn is_effect(&self, name: &str) -> bool {
        self.effects.contains(name)
    }

    /// Whether a word is about the age at which something expires: `ttl`.
    pub(super) fn is_age(&self, word: &str) -> bool {
        self.ages.iter().any(|it| it == word)
    }

    /// Whether the name is that of a method or class that makes an executor which runs tasks in the calling thread.
    pub(super) fn is_direct_executor(&self, name: &str) -> bool {
        self.direct_executors.contains(name)
    }

    /// Whether a method runs the function that it is given once for each element, as `map` does. Judged by its name.
    pub(super) fn runs_for_each(&self, name: &str) -> bool {
        self.each.contains(name)
    }

    /// Whether a method makes a stream whose functions run in several threads, as `parallelStream` does. Judged by its
    /// name.
    pub(super) fn is_parallel(&self, name: &str) -> bool {
        self.parallel.contains(name)
    }

    /// Whether a method of a collection changes the collection, judged by its name: `add`, `clear`.
    pub(super) fn is_change(&self, name: &str) -> bool {
        self.changes.contains(name)
    }
}

impl Concurrent {
    /// Whether a class or package with this full name belongs to servers, brokers, listeners or timers.
    pub(super) fn is_service(&self, name: &str) -> bool {
        let is_inside = |it: &str| {
            let rest = name.strip_prefix(it);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.packages.iter().any(|it| is_inside(it))
    }

    /// Whether a class with this name is no service itself, even if its package belongs to servers or brokers. Judged
    /// by its simple name: `BrokerConfig`, `BrokerException`.
    pub(super) fn is_value(&self, name: &str) -> bool {
        let class = name.rsplit('.').next().unwrap_or(name);
        self.values.contains(class)
    }

    /// Whether the name of a method of an unknown class says that work goes on after it returns, as in `sendAsync`.
    pub(super) fn says_start(&self, name: &str) -> bool {
        self.methods.contains(name)
    }

    /// Whether a method of a server, broker or client only makes something or asks for it, judged by its name.
    pub(super) fn only_asks(&self, name: &str) -> bool {
        self.asking.contains(name)
    }

    /// Whether an annotation shows that code runs in another thread or in a started application: `@Async`,
    /// `@SpringBootTest`.
    pub(super) fn is_annotation(&self, name: &str) -> bool {
        self.annotations.contains(name)
    }
}

/// Whether the class `known` of the catalogue is the class `given` of a call. If `given` has no package, it may be in
/// `java.lang` or in one of `packages`.
fn is_class(known: &str, given: &str, packages: &[&str]) -> bool {
    if given.contains('.') {
        return known == given;
    }
    let package = known.strip_suffix(given).and_then(|it| it.strip_suffix('.'));
    package.is_some_and(|it| it == "java.lang" || packages.contains(&it))
}

#[cfg(test)]
mod tests {
    use super::{CallShape, OperationKind, TimingCatalogue};

    fn kind(name: &str, owner: Option<&str>, arguments: usize) -> Option<OperationKind> {
        let call = CallShape {
            name,
            owner,
            arguments,
            is_timed: arguments == 2,
            links: &[],
            packages: &[],
        };
        TimingCatalogue::shipped().operation(call).map(|it| it.kind)
    }

    #[test]
    fn the_number_of_arguments_tells_a_wait_from_a_limited_wait() {
        let latch = Some("java.util.concurrent.CountDownLatch");
        assert_eq!(kind("await", latch, 0), Some(OperationKind::Wait));
        assert_eq!(kind("await", latch, 2), Some(OperationKind::LimitedWait));
        assert_eq!(kind("await", Some("shop.Latch"), 0), None);
    }
}
