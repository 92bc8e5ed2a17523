//! Timing summaries: the timing events of a method body, with the events of called bodies inserted at the calls.
//!
//! A summary is computed on demand for a method and a maximum number of nested calls, and kept. So cycles end, and a
//! result does not depend on the test that asks first.
//!
//! Invariant: a summary has at most [`MAX_EVENTS`] events. The events of main code are only starts that it does not
//! wait for, waits, and sleeps that happen in every run.

use std::sync::{Arc, OnceLock, RwLock};

use rustc_hash::FxHashMap;

use crate::assertions::ExtraAssertion;
use crate::flows::flow::Site;
use crate::slots::Slots;
use crate::symbols::ids::{FileId, MethodId};
use crate::symbols::index::Index;
use crate::symbols::resolve::method_targets;

use super::assigned_mocks::AssignedMocks;
use super::catalogue::TimingCatalogue;
use super::event::{CallReceiver, CalledCode, Certainty, Event, EventKind, Item, LoopItems, Span, Turns};
use super::scan::items;
use super::scanned_body::{CodeKind, ScannedBody};

/// The maximum number of calls between a test and a timing event.
pub(super) const MAX_CALLS: u8 = 8;
/// The maximum number of timing events in the summary of one method.
const MAX_EVENTS: usize = 48;
/// The maximum number of calls between a test and the start of code that runs beside it in another thread.
const MAX_CONCURRENT_CALLS: usize = 4;

/// The timing events of a method in program order, with those of the methods that it calls.
pub(super) type Summary<'r> = Arc<[Event<'r>]>;

/// Computes and keeps the timing summaries of a repository's methods: the timing events of each.
pub(super) struct Summaries<'i, 'r> {
    index: &'i Index<'r>,
    extra: &'i [ExtraAssertion],
    /// The timing-relevant parts of method bodies: for each file, one slot for each of its bodies.
    items: Vec<Slots<Vec<Item<'r>>>>,
    /// The kind of code of each file: tests or main code.
    kinds: Vec<OnceLock<CodeKind>>,
    mocks: AssignedMocks<'r>,
    computed: RwLock<FxHashMap<(MethodId, u8), Summary<'r>>>,
}

impl<'i, 'r> Summaries<'i, 'r> {
    pub(super) fn new(index: &'i Index<'r>, extra: &'i [ExtraAssertion]) -> Self {
        let files = index.files().count();
        Self {
            index,
            extra,
            items: (0..files).map(|_| Slots::default()).collect(),
            kinds: (0..files).map(|_| OnceLock::new()).collect(),
            mocks: AssignedMocks::new(files),
            computed: RwLock::default(),
        }
    }

    /// The timing events of a method, with those of method bodies that are at most `calls` calls away.
    pub(super) fn of(&self, method: MethodId, calls: u8) -> Summary<'r> {
        if let Some(known) = self.computed.read().expect("no holder panics").get(&(method, calls)) {
            return known.clone();
        }
        let mut events = Vec::new();
        self.flatten(self.items(method), calls, &mut events);
        if self.kind_of(self.index.file_of(method.owner)) == CodeKind::Main {
            let names = &TimingCatalogue::shipped().names;
            // The threads of a service go on after the wait for its start.
            if names.brings_up(self.index.method(method).name) {
                serve_on(&mut events);
            }
            settle_inside(&mut events);
        }
        self.keep_one_concurrent(&mut events);
        merge_repeated(&mut events);
        events.truncate(MAX_EVENTS);
        let summary: Summary<'r> = events.into();
        let mut computed = self.computed.write().expect("no holder panics");
        computed.entry((method, calls)).or_insert(summary).clone()
    }

    /// The kind of code of a file: test code by its path or imports, main code otherwise.
    pub(super) fn kind_of(&self, file: FileId) -> CodeKind {
        *self.kinds[file.position()].get_or_init(|| {
            let path = self.index.source(file).path();
            let is_test_folder = |it: &str| {
                let folder = it.to_ascii_lowercase();
                folder == "test" || folder == "tests" || folder.ends_with("test") || folder.ends_with("tests")
            };
            let in_folder = path
                .rsplit_once('/')
                .is_some_and(|(folders, _)| folders.split('/').any(is_test_folder));
            let imports = &self.index.file_outline(file).imports;
            let imports_tests = || {
                imports
                    .iter()
                    .any(|it| TEST_PACKAGES.iter().any(|test| it.path.starts_with(test)))
            };
            if in_folder || imports_tests() {
                CodeKind::Test
            } else {
                CodeKind::Main
            }
        })
    }

    fn items(&self, method: MethodId) -> &[Item<'r>] {
        let declared = self.index.method(method);
        let Some(code) = declared.code.as_ref().filter(|it| it.may_call()) else {
            return &[];
        };
        let file = self.index.file_of(method.owner);
        let slots = &self.items[file.position()];
        self.index.slot_of(slots, file, code).get_or_init(|| {
            let body = ScannedBody {
                index: self.index,
                extra: self.extra,
                owner: method.owner,
                file,
                block: &code.get().block,
                targets: method_targets(self.index, method),
                code: self.kind_of(file),
                mocks: &self.mocks,
            };
            items(body)
        })
    }

    fn flatten(&self, items: &[Item<'r>], calls: u8, events: &mut Vec<Event<'r>>) {
        for item in items {
            match item {
                Item::Event(event) => events.push(event.clone()),
                Item::Call(call) => self.called(call, calls, events),
                Item::Loop(inner) => self.repeated(inner, calls, events),
            }
            if events.len() > 4 * MAX_EVENTS {
                return;
            }
        }
    }

    /// Adds the timing events of a called body, in terms of the caller's variables.
    fn called(&self, call: &CalledCode<'r>, calls: u8, events: &mut Vec<Event<'r>>) {
        if call.is_asynchronous {
            let first = call.callees.first().map(|it| it.owner);
            let kinds = [EventKind::Concurrent(Span::Task), EventKind::Start];
            events.extend(
                first
                    .into_iter()
                    .flat_map(|owner| kinds.map(|kind| (owner, kind)))
                    .map(|(owner, kind)| Event {
                        kind,
                        site: call.site,
                        owner,
                        steps: Vec::new(),
                        names: call.names.clone(),
                        effects: call.effects.clone(),
                        certainty: call.certainty,
                        object: None,
                    }),
            );
            return;
        }
        let before = events.len();
        let is_lifecycle = |event: &Event<'_>| call.is_lifecycle && event.kind == EventKind::Start;
        if let Some(calls) = calls.checked_sub(1) {
            let is_single = call.callees.len() == 1;
            for callee in &call.callees {
                let is_main = self.kind_of(self.index.file_of(callee.owner)) == CodeKind::Main;
                for event in self.of(*callee, calls).iter() {
                    // Which of several implementations runs is unknown, so that only waits are certain enough.
                    let is_concurrent = matches!(event.kind, EventKind::Concurrent(_));
                    let is_near = is_concurrent && event.steps.len() < MAX_CONCURRENT_CALLS;
                    if is_concurrent && (!is_near || call.is_direct) {
                        continue;
                    }
                    let is_kept = is_single || matches!(event.kind, EventKind::Wait | EventKind::InnerWait) || is_near;
                    let is_kept = is_kept && !(is_main && is_lifecycle(event));
                    let is_kept = is_kept && !(call.is_direct && event.kind == EventKind::Start);
                    let is_change = matches!(event.kind, EventKind::TaskChange(_));
                    let is_kept = is_kept && !(is_change && call.receiver == CallReceiver::Other);
                    if is_kept && !(is_main && event.certainty == Certainty::Sometimes && is_sleep(event.kind)) {
                        events.push(in_caller(event, call));
                    }
                }
            }
        }
        let has_timing = |it: &Event<'_>| is_sleep(it.kind) || is_wait(it.kind);
        if call.says_wait && !events[before..].iter().any(has_timing) {
            let owner = call.callees.first().map(|it| it.owner);
            events.extend(owner.map(|owner| Event {
                kind: EventKind::Wait,
                site: call.site,
                owner,
                steps: Vec::new(),
                names: call.names.clone(),
                effects: call.effects.clone(),
                certainty: call.certainty,
                object: None,
            }));
        }
    }

    /// Removes repeated events for code that runs beside the caller, of test code and of main code each. Of events for
    /// services only the first stays. Of events for tasks the first stays, and the first after each wait.
    fn keep_one_concurrent(&self, events: &mut Vec<Event<'r>>) {
        let mut seen: Vec<(EventKind, CodeKind)> = Vec::new();
        events.retain(|event| {
            // A wait ends tasks, so those after it say something new.
            if is_wait(event.kind) {
                seen.retain(|it| it.0 != EventKind::Concurrent(Span::Task));
            }
            if !matches!(event.kind, EventKind::Concurrent(_)) {
                return true;
            }
            let key = (event.kind, self.kind_of(event.site.file));
            let is_first = !seen.contains(&key);
            if is_first {
                seen.push(key);
            }
            is_first
        });
    }

    /// Adds the timing events of a loop. A loop that sleeps between checks of a condition counts as one wait.
    fn repeated(&self, inner: &LoopItems<'r>, calls: u8, events: &mut Vec<Event<'r>>) {
        let before = events.len();
        self.flatten(&inner.items, calls, events);
        decide_turns(&mut events[before..]);
        let pauses = |it: &Event<'_>| is_sleep(it.kind) || is_wait(it.kind) || it.kind == EventKind::Yield;
        let is_wait_loop = inner.is_polling && events[before..].iter().any(pauses);
        if !is_wait_loop {
            return;
        }
        let mut kept: Vec<Event<'r>> = events.drain(before..).collect();
        kept.retain(|it| {
            !is_sleep(it.kind)
                && !matches!(
                    it.kind,
                    EventKind::Assertion(_)
                        | EventKind::LimitedWait { .. }
                        | EventKind::GarbageCollection
                        | EventKind::Yield
                )
        });
        events.extend(kept);
        events.push(Event {
            kind: EventKind::Wait,
            site: inner.site,
            owner: inner.owner,
            steps: Vec::new(),
            names: Vec::new(),
            effects: Vec::new(),
            certainty: Certainty::Always,
            object: None,
        });
    }
}

/// Packages that only test code imports.
const TEST_PACKAGES: [&str; 8] = [
    "org.junit",
    "junit.framework",
    "org.testng",
    "org.mockito",
    "org.assertj",
    "org.hamcrest",
    "org.easymock",
    "org.awaitility",
];

fn is_sleep(kind: EventKind) -> bool {
    matches!(kind, EventKind::Sleep(_))
}

fn is_wait(kind: EventKind) -> bool {
    matches!(kind, EventKind::Wait | EventKind::LimitedWait { .. })
}

/// Decides whether tasks that a loop starts run at the same time: not if the loop waits in each turn.
fn decide_turns(events: &mut [Event<'_>]) {
    let waits = events
        .iter()
        .any(|it| is_wait(it.kind) || matches!(it.kind, EventKind::InnerWait | EventKind::Sleep(_)));
    if waits {
        return;
    }
    for event in events {
        if event.kind == EventKind::TaskChange(Turns::EachTurn) {
            event.kind = EventKind::TaskChange(Turns::Several);
        }
    }
}

/// Keeps the events of main code that matter to callers: starts after its last wait, the last wait, and sleeps that
/// always happen.
fn settle_inside(events: &mut Vec<Event<'_>>) {
    let is_any_wait = |it: &Event<'_>| is_wait(it.kind) || it.kind == EventKind::InnerWait;
    let last_wait = events.iter().rposition(is_any_wait);
    let mut at = 0;
    events.retain_mut(|event| {
        let position = at;
        at += 1;
        match event.kind {
            EventKind::Start | EventKind::Concurrent(Span::Task) => last_wait.is_none_or(|it| it < position),
            EventKind::Concurrent(Span::Service | Span::Library | Span::Presence) => true,
            EventKind::Sleep(_) => event.certainty == Certainty::Always,
            EventKind::Wait | EventKind::LimitedWait { .. } | EventKind::InnerWait => {
                event.kind = EventKind::InnerWait;
                last_wait == Some(position)
            }
            _ => false,
        }
    });
}

/// Marks all tasks that run beside the caller as running until they are stopped, like a server.
fn serve_on(events: &mut [Event<'_>]) {
    for event in events {
        if event.kind == EventKind::Concurrent(Span::Task) {
            event.kind = EventKind::Concurrent(Span::Service);
        }
    }
}

/// Removes each wait that directly follows a wait of the same kind.
fn merge_repeated(events: &mut Vec<Event<'_>>) {
    events.dedup_by(|next, before| {
        matches!(
            (before.kind, next.kind),
            (EventKind::Wait, EventKind::Wait) | (EventKind::InnerWait, EventKind::InnerWait)
        )
    });
}

/// A timing event of a called body, in terms of the caller's variables.
fn in_caller<'r>(event: &Event<'r>, call: &CalledCode<'r>) -> Event<'r> {
    let mut steps: Vec<Site> = Vec::with_capacity(event.steps.len() + 1);
    steps.push(call.site);
    steps.extend(&event.steps);
    let is_change = matches!(event.kind, EventKind::TaskChange(_));
    let mut names = if is_change { Vec::new() } else { call.names.clone() };
    let mut effects = if is_change { Vec::new() } else { call.effects.clone() };
    // A helper on the same object shares its fields with the caller.
    if call.receiver == CallReceiver::Own {
        names.extend(event.names.iter().filter(|it| is_change || !call.names.contains(it)));
        effects.extend(
            event
                .effects
                .iter()
                .filter(|it| is_change || !call.effects.contains(it)),
        );
    }
    Event {
        steps,
        names,
        effects,
        certainty: event.certainty.max(call.certainty),
        ..event.clone()
    }
}
