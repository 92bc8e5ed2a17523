//! The timing catalogue: which calls start work, sleep, wait, or assume something about threads.
//!
//! The shipped catalogue is the data file `catalogue/timing.toml`, whose header explains its fields.
//!
//! Invariant: an entry with owners never matches a class of another package whose package is known.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

/// The meaning of a call for the timing of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum OperationKind {
    /// The call begins work that goes on while the caller goes on.
    Start,
    /// The call pauses for a fixed time.
    Sleep,
    /// The call returns when some work is done.
    Wait,
    /// The call returns when some work is done, or when its time limit is over.
    LimitedWait,
    Yield,
    Priority,
    MonitorWait,
    GarbageCollection,
}

/// What a wait with a time limit does when the limit is over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LimitOutcome {
    /// The wait throws an exception when its time limit is over.
    #[default]
    Throws,
    /// The wait returns `false` when its time limit is over, which the caller must check.
    Returns,
    /// The wait returns `null` when its time limit is over, which the next use notices.
    Value,
    /// The wait returns nothing, so that the caller cannot tell whether the time limit was reached.
    Silent,
}

/// What happens to a failure in a task that was started in another thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TaskFailure {
    /// The failure of the task ends the other thread and is lost.
    #[default]
    Lost,
    /// A future keeps the failure of the task.
    Kept,
}

/// An entry of the timing catalogue: which calls it matches, and what they mean for the timing of a test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Operation {
    pub(super) kind: OperationKind,
    owners: Vec<String>,
    methods: Vec<String>,
    #[serde(default)]
    arguments: Vec<usize>,
    #[serde(default)]
    timed: bool,
    /// Names of methods, one of which must be called earlier in the same chain of calls; any chain matches if empty.
    #[serde(default)]
    links: Vec<String>,
    #[serde(default)]
    pub(super) outcome: LimitOutcome,
    /// The position of the time limit among the call's arguments.
    #[serde(default)]
    pub(super) limit: usize,
    #[serde(default)]
    pub(super) task: TaskFailure,
}

/// Part of the timing catalogue: names of methods and classes with a special meaning.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    waits: Vec<String>,
    immediate: Vec<String>,
    retrying: Vec<String>,
    unsynchronised: Vec<String>,
    changes: Vec<String>,
    lifecycle: Vec<String>,
    services: Vec<String>,
    completed: Vec<String>,
    effects: Vec<String>,
    direct_executors: Vec<String>,
    each: Vec<String>,
    parallel: Vec<String>,
}

/// What is seen to run beside a test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Concurrent {
    packages: Vec<String>,
    methods: Vec<String>,
    annotations: Vec<String>,
}

/// The longest times that a rule reports, in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Thresholds {
    pub(super) wait: u64,
    pub(super) test: u64,
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

/// The timing catalogue, with its entries by the method names that they match exactly.
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
    let file: CatalogueFile =
        toml::from_str(include_str!("../../catalogue/timing.toml")).expect("the catalogue is well-formed");
    let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut patterns = Vec::new();
    for (at, operation) in file.operation.iter().enumerate() {
        for method in &operation.methods {
            if method.contains('*') {
                patterns.push(at);
            } else {
                by_name.entry(method.clone()).or_default().push(at);
            }
        }
    }
    patterns.dedup();
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
    /// The class that declares the method: with its package, if that is known. `None` if the class is unknown.
    pub(super) owner: Option<&'a str>,
    pub(super) arguments: usize,
    /// Whether an argument is a `TimeUnit` or a `Duration`.
    pub(super) is_timed: bool,
    /// The names of the methods called earlier in the chain of calls that leads to this call.
    pub(super) links: &'a [&'a str],
    /// The packages that the file of the call imports as a whole.
    pub(super) packages: &'a [&'a str],
}

impl TimingCatalogue {
    /// The timing catalogue that is built into the program.
    pub(super) fn shipped() -> &'static Self {
        &CATALOGUE
    }

    /// Whether some entry of the timing catalogue may match a call of this name.
    pub(super) fn may_match(&self, name: &str) -> bool {
        self.by_name.contains_key(name) || self.patterns.iter().any(|at| self.operations[*at].has_method(name))
    }

    /// The timing catalogue entry for a call.
    pub(super) fn operation(&self, call: CallShape<'_>) -> Option<&Operation> {
        let exact = self.by_name.get(call.name).into_iter().flatten();
        exact
            .chain(&self.patterns)
            .map(|at| &self.operations[*at])
            .find(|it| it.matches(call))
    }
}

impl Operation {
    fn has_method(&self, name: &str) -> bool {
        matches_any(&self.methods, name)
    }

    fn matches(&self, call: CallShape<'_>) -> bool {
        let is_owner = match call.owner {
            None => self.owners.is_empty(),
            Some(owner) => self.owners.iter().any(|it| is_class(it, owner, call.packages)),
        };
        is_owner
            && (self.arguments.is_empty() || self.arguments.contains(&call.arguments))
            && (!self.timed || call.is_timed)
            && (self.links.is_empty() || call.links.iter().any(|it| matches_any(&self.links, it)))
            && self.has_method(call.name)
    }
}

impl Names {
    /// Whether the name of a method says that it waits.
    pub(super) fn says_wait(&self, name: &str) -> bool {
        matches_any(&self.waits, name)
    }

    /// Whether a method runs the functions that it is given before it returns.
    pub(super) fn runs_now(&self, name: &str) -> bool {
        matches_any(&self.immediate, name)
    }

    /// Whether a method repeats the functions that it is given until they hold.
    pub(super) fn retries(&self, name: &str) -> bool {
        matches_any(&self.retrying, name)
    }

    /// Whether several threads must not change an object of a class, by the simple name of the class.
    pub(super) fn is_unsynchronised(&self, class: &str) -> bool {
        self.unsynchronised.iter().any(|it| it == class)
    }

    /// Whether a method brings a service up or down, whose threads live longer than the call.
    pub(super) fn is_lifecycle(&self, name: &str) -> bool {
        matches_any(&self.lifecycle, name)
    }

    /// Whether the name of a method says that it brings up something that goes on.
    pub(super) fn brings_up(&self, name: &str) -> bool {
        matches_any(&self.services, name)
    }

    /// Whether a method makes a future that is complete.
    pub(super) fn completes(&self, name: &str) -> bool {
        matches_any(&self.completed, name)
    }

    /// Whether a method or method reference changes the object that it is called on, also in a safe way.
    pub(super) fn is_effect(&self, name: &str) -> bool {
        matches_any(&self.effects, name)
    }

    /// Whether a method or class makes an executor that runs tasks in the calling thread.
    pub(super) fn is_direct_executor(&self, name: &str) -> bool {
        matches_any(&self.direct_executors, name)
    }

    /// Whether a method runs the function that it is given once for each element.
    pub(super) fn runs_for_each(&self, name: &str) -> bool {
        matches_any(&self.each, name)
    }

    /// Whether a method makes a stream whose functions run in several threads.
    pub(super) fn is_parallel(&self, name: &str) -> bool {
        matches_any(&self.parallel, name)
    }

    /// Whether a method of a collection changes the collection, judged by its name.
    pub(super) fn is_change(&self, name: &str) -> bool {
        matches_any(&self.changes, name)
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

    /// Whether the name of a method of unknown code says that something goes on after it.
    pub(super) fn says_start(&self, name: &str) -> bool {
        matches_any(&self.methods, name)
    }

    /// Whether an annotation starts something that goes on.
    pub(super) fn is_annotation(&self, name: &str) -> bool {
        matches_any(&self.annotations, name)
    }
}

/// Whether a known class is the given one. A class without a package may belong to a package that its file imports.
fn is_class(known: &str, given: &str, packages: &[&str]) -> bool {
    if given.contains('.') {
        return known == given;
    }
    let package = known.strip_suffix(given).and_then(|it| it.strip_suffix('.'));
    package.is_some_and(|it| it == "java.lang" || packages.contains(&it))
}

fn matches_any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|it| matches_pattern(it, name))
}

/// Whether a name matches a pattern in which each `*` stands for any characters, also none.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => {
            let Some(rest) = name.strip_prefix(before) else {
                return false;
            };
            match after.strip_suffix('*') {
                Some(inner) => rest.contains(inner),
                None => rest.ends_with(after),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CallShape, OperationKind, TimingCatalogue, matches_pattern};

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

    #[test]
    fn a_pattern_may_have_a_star_on_both_sides() {
        assert!(matches_pattern("*WaitFor*", "closeWaitForAll"));
        assert!(matches_pattern("*Async", "runAsync"));
        assert!(!matches_pattern("*Async", "AsyncTask"));
    }
}
