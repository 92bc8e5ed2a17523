//! Timing: asynchronous work whose effect a test asserts without waiting for it, sleeps and time limits.
//!
//! ```java
//! executor.execute(() -> cart.add(pen));
//! Thread.sleep(100);                       // source: a sleep is no wait -> PLR201
//! assertEquals(1, cart.size());            // oracle
//! ```
//!
//! `scan.rs` turns one method body into timing events in program order. `summary.rs` inserts the events of called
//! bodies at the calls. `rules.rs` reads the events of setup and test from the first to the last, and reports flows.
//!
//! Left out: the interleaving of two pieces of work that both are asynchronous, and `wait`/`notify` protocols.

mod absence;
mod annotations;
mod assigned_mocks;
mod called_code;
mod catalogue;
mod conditions;
mod duration;
mod effects;
mod event;
mod executors;
mod loops;
mod mocked_types;
mod mocks;
mod name_set;
mod operations;
mod own_writes;
mod owner;
mod pending;
mod plain_values;
mod publishers;
mod references;
mod refuted;
mod released;
mod rules;
mod scan;
mod scanned_body;
mod services;
mod sharing;
mod starts;
mod summary;
mod task_assertions;
mod variables;

use peeler_features::Rule;

use crate::assertions::ExtraAssertion;
use crate::discovery::DiscoveredTest;
use crate::flows::flow::FoundFlow;
use crate::lifecycle::{Phase, phase_around_test, setup_methods, setup_types};
use crate::symbols::index::Index;

use self::annotations::{annotated_limits, expects_timeout, is_disabled};
use self::rules::{Place, Reader};
use self::services::starts_application;
use self::summary::{MAX_CALLS, Summaries};

/// Finds flows of tests that come from threads, sleeps, waits and time limits.
pub(crate) struct Timing<'i, 'r> {
    index: &'i Index<'r>,
    summaries: Summaries<'i, 'r>,
}

impl<'i, 'r> Timing<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>, assertions: &'i [ExtraAssertion]) -> Self {
        Self {
            index,
            summaries: Summaries::new(index, assertions),
        }
    }

    /// The timing flows of a test; none for a disabled test.
    pub(crate) fn flows(&self, test: DiscoveredTest) -> Vec<FoundFlow> {
        if is_disabled(self.index, test) {
            return Vec::new();
        }
        let own_types = setup_types(self.index, test.class);
        let mut reader = Reader::new(self.index, &self.summaries, own_types.clone());
        reader.has_service = starts_application(self.index, &own_types);
        for phase in [Phase::BeforeAll, Phase::BeforeEach] {
            // Superclasses are set up first.
            for id in own_types.iter().rev() {
                for method in setup_methods(self.index, *id) {
                    if phase_around_test(self.index.method(method)) == Some(phase) {
                        reader.read(&self.summaries.of(method, MAX_CALLS), Place::Setup);
                    }
                }
            }
        }
        reader.read(&self.summaries.of(test.method, MAX_CALLS), Place::Test);
        let (load, slept) = (reader.load(), reader.slept());
        let mut flows = reader.flows;
        if expects_timeout(self.index, test) {
            flows.retain(|it| it.rule != Rule::ShortTimeLimit);
        }
        flows.extend(annotated_limits(self.index, test, load, slept));
        flows
    }
}
