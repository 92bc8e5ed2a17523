//! Reads the timing events of setup and test in program order, and reports what the timing rules forbid.

use std::cell::OnceCell;

use peeler_features::Rule;

use crate::flows::flow::{FlowOrigin, FoundFlow, Site};
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;

use super::annotations::{Load, words};
use super::catalogue::TimingCatalogue;
use super::event::{Certainty, Event, EventKind, Oracle, Reaction, Span, Turns};
use super::mocked_types::MockedTypes;
use super::pending::{Pending, Sleep};
use super::scanned_body::CodeKind;
use super::summary::Summaries;

/// The part of a test that timing events belong to: its setup or the test method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Setup,
    Test,
}

/// Reads the timing events of a test in program order, and collects the flows that the timing rules report.
pub(super) struct Reader<'a, 'i, 'r> {
    index: &'a Index<'r>,
    summaries: &'a Summaries<'i, 'r>,
    /// The test class, its superclasses and enclosing classes.
    own_types: Vec<TypeId>,
    /// The types of which the test class makes mocks, once they are needed.
    mocked: OnceCell<MockedTypes<'r>>,
    pub(super) flows: Vec<FoundFlow>,
    /// The last sleep that neither a wait nor an assertion followed.
    sleep: Option<Sleep<'r>>,
    /// Whether an assertion after that sleep checked that nothing had happened, which is what the sleep was for.
    is_sleep_checked: bool,
    /// Where a task was last started in another thread, by test code if that started any; `None` if none was started, or
    /// if a wait followed.
    task: Option<Site>,
    /// Where a server, listener or timer was last started, by test code if that started any. It runs beside the test until
    /// it is stopped. `None` if none was started.
    beside: Option<Site>,
    /// Where the test last used a server, broker or client of a library; `None` if it used none.
    library: Option<Site>,
    /// Whether a server, listener, timer or application runs beside the test.
    pub(super) has_service: bool,
    /// Starts of work in other threads that no wait followed.
    starts: Vec<Pending<'r>>,
    collection: Option<Pending<'r>>,
    /// Waits with a time limit whose result was ignored.
    ignored: Vec<IgnoredWait<'r>>,
    /// Changes of objects by tasks that each run in one thread, if no wait followed.
    changes: Vec<Pending<'r>>,
    /// Changes of objects by tasks that run in several threads at the same time.
    shared: Vec<Pending<'r>>,
    /// Starts of asynchronous work that a wait followed, each with the wait.
    settled: Vec<(Pending<'r>, Site)>,
    /// Whether the test or its setup sleeps, waits, or starts work in another thread.
    is_waiting: bool,
    /// Whether the test or its setup is seen to have work done beside it: by another thread, a server or a timer.
    goes_beside: bool,
    /// The time that the test sleeps in any case, in milliseconds, as far as it is known.
    slept: u64,
}

/// A wait with a time limit whose result was ignored.
struct IgnoredWait<'r> {
    wait: Pending<'r>,
    /// The variables that the awaited work changes; `None` if any later assertion may depend on the wait.
    effects: Option<Vec<&'r str>>,
}

impl<'a, 'i, 'r> Reader<'a, 'i, 'r> {
    pub(super) fn new(index: &'a Index<'r>, summaries: &'a Summaries<'i, 'r>, own_types: Vec<TypeId>) -> Self {
        Self {
            index,
            summaries,
            own_types,
            mocked: OnceCell::new(),
            flows: Vec::new(),
            sleep: None,
            is_sleep_checked: false,
            task: None,
            beside: None,
            library: None,
            has_service: false,
            starts: Vec::new(),
            collection: None,
            ignored: Vec::new(),
            changes: Vec::new(),
            shared: Vec::new(),
            settled: Vec::new(),
            is_waiting: false,
            goes_beside: false,
            slept: 0,
        }
    }

    /// The time that the test sleeps in any case, in milliseconds, as far as it is known.
    pub(super) fn slept(&self) -> u64 {
        self.slept
    }

    /// Whether the time that the test takes depends on more than the processor.
    pub(super) fn load(&self) -> Load {
        if self.is_waiting || self.has_service {
            Load::Waiting
        } else {
            Load::Computing
        }
    }

    /// Reads the timing events of a setup method or of the test method.
    pub(super) fn read(&mut self, events: &[Event<'r>], place: Place) {
        for event in events {
            self.event(event, place);
        }
    }

    fn event(&mut self, event: &Event<'r>, place: Place) {
        let limits = &TimingCatalogue::shipped().limits;
        let origin = self.origin(event, place);
        let pending = || Pending {
            event: event.clone(),
            origin,
        };
        self.goes_beside |= match event.kind {
            EventKind::Start | EventKind::StartInFunction | EventKind::TaskChange(_) | EventKind::LostAssertion => true,
            EventKind::Concurrent(_) => !self.is_mocked(event),
            _ => false,
        };
        self.is_waiting |= !matches!(
            event.kind,
            EventKind::Assertion(_) | EventKind::TaskChange(_) | EventKind::GarbageCollection | EventKind::Act
        );
        if let (EventKind::Sleep(Some(millis)), Certainty::Always, Place::Test) = (event.kind, event.certainty, place) {
            self.slept = self.slept.saturating_add(millis);
        }
        let is_test_code = self.is_test_code(event.site);
        match event.kind {
            EventKind::Sleep(millis) if millis.is_none_or(|it| it > limits.sleep) => {
                // Whether a helper comes to a sleep in a branch depends on its arguments.
                let is_certain = event.steps.is_empty() || event.certainty == Certainty::Always;
                let own = [self.task, self.beside]
                    .into_iter()
                    .flatten()
                    .find(|it| self.is_test_code(*it));
                let beside = own.or(self.task).or(self.beside).filter(|_| is_certain);
                let sleep = Sleep {
                    pending: pending(),
                    beside,
                    is_own_work: own.is_some() && is_certain,
                    library: self.library.filter(|_| is_certain),
                };
                self.sleep = Some(sleep);
                self.is_sleep_checked = false;
                self.starts.clear();
            }
            EventKind::Concurrent(_) if self.is_mocked(event) => {}
            EventKind::Concurrent(span) => {
                self.has_service |= span != Span::Task;
                if span != Span::Presence {
                    self.go_on();
                }
                match span {
                    // Nothing is known to go on that a sleep could wait for.
                    Span::Presence => {}
                    // What setup starts serves all tests of the class, whether they need it or not.
                    _ if place == Place::Setup => {}
                    // What test code starts says more about a later sleep than what the code under test does.
                    Span::Task if self.gives_way(self.task, event.site) => self.task = Some(event.site),
                    Span::Service if self.gives_way(self.beside, event.site) => self.beside = Some(event.site),
                    Span::Task | Span::Service => {}
                    Span::Library => self.library = Some(event.site),
                }
            }
            EventKind::Start => {
                let pending = pending();
                self.go_on();
                self.starts.push(pending);
            }
            EventKind::InnerWait => {
                self.starts.clear();
                self.changes.clear();
            }
            EventKind::Wait => {
                self.settle(event.site);
                self.ignored.clear();
            }
            EventKind::LimitedWait { millis, reaction } => {
                let effects = self.awaited(event);
                self.settle(event.site);
                if is_test_code {
                    self.limited(pending(), effects, millis, reaction, place);
                }
            }
            EventKind::Assertion(Oracle::Effect) => self.assertion(event),
            EventKind::Assertion(Oracle::Absence) => self.is_sleep_checked = true,
            EventKind::Assertion(Oracle::Vague) => {
                let sleep = self.sleep.clone();
                self.assertion(event);
                self.sleep = sleep;
            }
            EventKind::Assertion(Oracle::Default) => {
                let sleep = self.sleep.take();
                self.assertion(event);
                self.sleep = sleep;
                self.is_sleep_checked = true;
            }
            EventKind::Act => self.go_on(),
            EventKind::GarbageCollection if is_test_code => self.collection = Some(pending()),
            EventKind::TaskChange(turns) => {
                let pending = pending();
                self.change(pending, turns);
            }
            EventKind::LostAssertion if place == Place::Test => {
                let flow = pending().flow(
                    Rule::AssertionInOtherThread,
                    "asserts in another thread, whose failure is lost",
                );
                self.flows.push(flow);
            }
            EventKind::Yield | EventKind::Priority | EventKind::NakedWait | EventKind::Spin
                if is_test_code && place == Place::Test =>
            {
                let what = match event.kind {
                    EventKind::Yield => "yields and assumes that other threads run",
                    EventKind::Priority => "sets the priority of a thread",
                    EventKind::NakedWait => "waits on a monitor outside a loop",
                    _ => "spins on a field that is not volatile",
                };
                let flow = pending().flow(Rule::SchedulingAssumed, what);
                self.flows.push(flow);
            }
            _ => {}
        }
    }

    fn is_test_code(&self, site: Site) -> bool {
        self.summaries.kind_of(site.file) == CodeKind::Test
    }

    /// Whether a start that is known gives way to a later one: not if only the known one is in test code.
    fn gives_way(&self, known: Option<Site>, later: Site) -> bool {
        self.is_test_code(later) || !known.is_some_and(|it| self.is_test_code(it))
    }

    /// Forgets a sleep to see that nothing happens, once the test starts something else. What is asserted later does not
    /// depend on that sleep.
    fn go_on(&mut self) {
        if std::mem::take(&mut self.is_sleep_checked) {
            self.sleep = None;
        }
    }

    /// Records that a wait makes earlier sleeps and starts of work harmless.
    fn settle(&mut self, wait: Site) {
        self.sleep = None;
        self.task = None;
        self.settled.extend(self.starts.drain(..).map(|it| (it, wait)));
        self.collection = None;
        self.changes.clear();
    }

    /// The variables that are changed by the work for which a wait waits.
    fn awaited(&self, wait: &Event<'r>) -> Vec<&'r str> {
        let shares_name = |it: &&Pending<'r>| it.event.names.iter().any(|name| wait.names.contains(name));
        let starts = self.starts.iter().filter(shares_name);
        let names = starts.flat_map(|it| &it.event.names).chain(&wait.effects);
        names.copied().filter(|it| !wait.names.contains(it)).collect()
    }

    fn limited(
        &mut self,
        wait: Pending<'r>,
        effects: Vec<&'r str>,
        millis: Option<u64>,
        reaction: Reaction,
        place: Place,
    ) {
        let limits = &TimingCatalogue::shipped().limits;
        match (reaction, millis) {
            // A limit of zero only asks whether something has happened.
            (Reaction::Noticed | Reaction::Timed, Some(millis @ 1..))
                if millis <= limits.wait && place == Place::Test =>
            {
                let what = format!("waits at most {}", words(millis));
                self.flows.push(FoundFlow {
                    is_sure: self.goes_beside || self.has_service || reaction == Reaction::Timed,
                    ..wait.flow(Rule::ShortTimeLimit, &what)
                });
            }
            (Reaction::Ignored, Some(millis)) if millis <= limits.ignored && place == Place::Test => {
                // Of two such waits, the last one before an assertion decides whether the assertion holds.
                self.ignored.retain(|it| it.effects.is_some());
                self.ignored.push(IgnoredWait { wait, effects: None });
            }
            (Reaction::Ignored | Reaction::Silent, Some(millis)) if millis <= limits.ignored_effect => {
                self.ignored.push(IgnoredWait {
                    wait,
                    effects: Some(effects),
                });
            }
            _ => {}
        }
    }

    /// Records that a task of another thread changes an object. If two tasks can change the object at the same time, it
    /// counts as shared without synchronisation. `turns` says whether the task runs in several threads.
    fn change(&mut self, change: Pending<'r>, turns: Turns) {
        let is_same = |it: &Pending<'r>| it.event.names == change.event.names;
        if turns == Turns::Several || self.changes.iter().any(is_same) {
            if !self.shared.iter().any(is_same) {
                self.shared.push(change);
            }
        } else {
            self.changes.push(change);
        }
    }

    /// Reports waits with an ignored result, if an assertion checks a variable that the awaited work changes, or if
    /// that work is unknown. An assertion that holds before the work counts only if the work is unknown and the
    /// assertion mentions a variable of the wait. A wait is dropped if the work is known and the assertion mentions the
    /// variables of the wait itself.
    fn ignored_waits(&mut self, oracle: &Event<'r>) {
        let holds_before = oracle.kind == EventKind::Assertion(Oracle::Default);
        let is_vague = oracle.kind == EventKind::Assertion(Oracle::Vague);
        for ignored in std::mem::take(&mut self.ignored) {
            let mentions = |it: &&str| oracle.names.contains(it);
            let is_asked = ignored.wait.event.names.iter().any(mentions);
            let (is_noticed, is_checked) = match &ignored.effects {
                None => (is_asked || !holds_before, false),
                Some(effects) => (!holds_before && effects.iter().any(mentions), is_asked),
            };
            if is_checked {
                continue;
            }
            if is_noticed {
                // An assertion before this one only showed that something is there.
                let is_same = |it: &FoundFlow| it.source == ignored.wait.event.site && it.oracle.is_some();
                self.flows
                    .retain(|it| it.rule != Rule::WaitResultIgnored || !is_same(it));
                let what = "ignores whether the wait reached its limit";
                self.flows
                    .push(ignored.wait.noticed(Rule::WaitResultIgnored, what, oracle));
            }
            if !is_noticed || is_vague {
                self.ignored.push(ignored);
            }
        }
    }

    fn assertion(&mut self, oracle: &Event<'r>) {
        if let Some(sleep) = self.sleep.take() {
            // An assertion before this one only showed that something is there.
            self.flows
                .retain(|it| it.rule != Rule::SleepBeforeAssertion || it.source != sleep.pending.event.site);
            self.flows.push(sleep.flow(oracle));
        }
        if let Some(collection) = self.collection.take() {
            let what = "asks for a garbage collection, which may not happen";
            self.flows
                .push(collection.noticed(Rule::GarbageCollectionAssumed, what, oracle));
        }
        self.ignored_waits(oracle);
        let concerns = |it: &Pending<'r>| it.event.names.iter().any(|name| oracle.names.contains(name));
        let (noticed, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.starts).into_iter().partition(concerns);
        self.starts = rest;
        for start in noticed {
            if start.is_plausible(oracle) {
                let what = "starts work in another thread and does not wait for it";
                self.flows.push(start.noticed(Rule::EffectNotAwaited, what, oracle));
            }
        }
        let settled = std::mem::take(&mut self.settled);
        for (start, wait) in settled
            .into_iter()
            .filter(|(it, _)| concerns(it) && it.is_plausible(oracle))
        {
            let what = "starts work in another thread and waits for it";
            let flow = start.noticed(Rule::EffectNotAwaited, what, oracle);
            self.flows.push(FoundFlow {
                settled_by: Some(wait),
                ..flow
            });
        }
        let reads = |it: &Pending<'r>| {
            let fields = &it.event.effects;
            concerns(it) && (fields.is_empty() || fields.iter().any(|name| oracle.effects.contains(name)))
        };
        let (noticed, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.shared).into_iter().partition(reads);
        self.shared = rest;
        for change in noticed {
            let what = "changes an object in several threads without synchronisation";
            self.flows
                .push(change.noticed(Rule::UnsynchronisedSharing, what, oracle));
        }
    }

    fn origin(&self, event: &Event<'r>, place: Place) -> FlowOrigin {
        if place == Place::Setup {
            return FlowOrigin::Setup;
        }
        if event.steps.is_empty() {
            FlowOrigin::Body
        } else if self.is_own(event.owner) {
            FlowOrigin::Helper
        } else {
            FlowOrigin::CodeUnderTest(u8::try_from(event.steps.len()).unwrap_or(u8::MAX))
        }
    }

    /// Whether an event belongs to an object that the test replaces by a mock.
    fn is_mocked(&self, event: &Event<'r>) -> bool {
        let mocked = self.mocked.get_or_init(|| MockedTypes::of(self.index, &self.own_types));
        mocked.replaces(self.index, event)
    }

    fn is_own(&self, owner: TypeId) -> bool {
        let mut around = Some(owner);
        while let Some(id) = around {
            if self.own_types.contains(&id) {
                return true;
            }
            around = self.index.enclosing(id);
        }
        false
    }
}
