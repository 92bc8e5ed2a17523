//! State that tests share, such as static fields: what each test reads without setting it, and what it leaves changed.
//!
//! ```java
//! @Test void strict() { Parser.strict = true; ... }              // leaves Parser#strict changed: PLR501
//! @Test void parses() { assertEquals(3, Parser.parse("3;")); }   // reads Parser#strict: PLR502, a victim of strict()
//! ```
//!
//! There are two steps, because a scan reuses results of unchanged tests. [`SharedState::access`] computes the
//! [`StateAccess`] of one test. [`pair_states`] compares the results of all tests, and needs no source.
//!
//! Invariant: a state that setup sets before each test, or that teardown restores, is not shared.

mod access;
mod blocks;
mod calls;
mod catalogue;
mod class_setup;
mod entries;
mod fields;
mod frame;
mod names;
mod pairs;
mod state;
mod steps;
mod summaries;

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

pub use self::access::{StateAccess, StateReach, StateUse};
pub(crate) use self::pairs::left_flows;
pub use self::pairs::{StateFinding, pair_states};

use self::class_setup::{ClassSetup, fixes_order, is_disabled, restoring_kinds};
use self::frame::{Frame, is_of_kind};
use self::state::{EntryKey, StateKey, Value};
use self::summaries::{MAX_CALLS, Summaries, same_object};
use crate::discovery::DiscoveredTest;
use crate::flows::flow::{FlowStep, Site};
use crate::repository::narrow;
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;

/// The maximum length of each of two lists that are stored for a test: shared states that it reads, and those that it
/// leaves changed.
const MAX_USES: usize = 40;

/// Finds the shared states that tests read, and those that they leave changed. Results about code that tests share are
/// computed once.
pub(crate) struct SharedState<'i, 'r> {
    index: &'i Index<'r>,
    summaries: Summaries<'i, 'r>,
    classes: RwLock<FxHashMap<TypeId, Arc<ClassSetup<'r>>>>,
}

impl<'i, 'r> SharedState<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>) -> Self {
        Self {
            index,
            summaries: Summaries::new(index),
            classes: RwLock::default(),
        }
    }

    /// The shared states that a test reads without setting them, and those that it leaves changed.
    pub(crate) fn access(&self, test: DiscoveredTest) -> StateAccess {
        let setup = self.setup(test.class);
        let method = self.index.method(test.method);
        let path = self.index.source(self.index.file_of(test.class)).path();
        let mut access = StateAccess {
            module: module_of(path).to_owned(),
            is_ordered: setup.is_ordered || method.annotations.iter().any(fixes_order),
            ..StateAccess::default()
        };
        if setup.is_disabled || is_disabled(&method.annotations) {
            return access;
        }
        let mut frame = setup.before_each.clone();
        let own = self.summaries.method(test.method, MAX_CALLS);
        frame.call(&own.frame, &same_object());
        let shows = |key: &StateKey<'r>, depth: u8| match key {
            StateKey::Own(..) => setup.shares_fields(test.framework),
            StateKey::Entry(_, EntryKey::Parameter(_)) | StateKey::FileOf(_) => false,
            StateKey::Entry(whole, _) if matches!(**whole, StateKey::Own(..)) => setup.shares_fields(test.framework),
            StateKey::Named(name) if name.starts_with("store:") && depth > 0 => false,
            _ => true,
        };
        let is_undone = setup.is_undone || method.annotations.iter().any(|it| it.name == "Transactional");
        for (key, read) in &frame.reads {
            if !shows(key, read.depth) || !setup.has_container && is_store(key) {
                continue;
            }
            let reach = if restores(&setup.before_all, key) || is_own(key) {
                StateReach::Class
            } else {
                StateReach::Module
            };
            access.reads.push(self.state_use(key, read.site, read.depth, reach));
        }
        for (key, write) in left(&frame, &setup) {
            let is_restored = setup.restored.iter().any(|it| kind_of(key) == *it)
                || restoring_kinds(&method.annotations).any(|it| it == kind_of(key))
                || is_undone && is_store(key);
            if is_restored || !shows(key, write.depth) || !setup.has_container && is_store(key) {
                continue;
            }
            let is_restored_at_end = restores(&setup.after_all, key);
            let is_from_setup = !own.frame.writes.contains_key(key);
            let reach = match (is_restored_at_end || is_own(key), is_from_setup) {
                (true, true) => continue,
                (true, false) => StateReach::Class,
                // Every test of the class repeats its setup, and finds what it left.
                (false, true) => StateReach::OtherClasses,
                (false, false) => StateReach::Module,
            };
            access.left.push(self.state_use(key, write.site, write.depth, reach));
        }
        access.dropped = shorten(&mut access.reads) + shorten(&mut access.left);
        access
    }

    fn setup(&self, class: TypeId) -> Arc<ClassSetup<'r>> {
        if let Some(known) = self.classes.read().expect("no holder panics").get(&class) {
            return known.clone();
        }
        let setup = Arc::new(ClassSetup::new(&self.summaries, class));
        let mut classes = self.classes.write().expect("no holder panics");
        classes.entry(class).or_insert(setup).clone()
    }

    /// The statement around a range of bytes, if the statement begins with `assert`; otherwise `None`.
    fn assertion(&self, site: Site) -> Option<FlowStep> {
        let text = self.index.source(site.file).text();
        let before = &text[..site.start as usize];
        let after_last = before.rfind([';', '{', '}']).map_or(0, |at| at + 1);
        let start = text.len() - text[after_last..].trim_start().len();
        let end = site.end as usize + text[site.end as usize..].find(';')?;
        let is_assertion = text[start..end].starts_with("assert");
        is_assertion.then(|| {
            let whole = Site {
                file: site.file,
                start: narrow(start),
                end: narrow(end),
            };
            FlowStep::new(self.index, whole)
        })
    }

    fn state_use(&self, key: &StateKey<'r>, site: Site, depth: u8, reach: StateReach) -> StateUse {
        let (state, starts_unset) = match key {
            StateKey::Named(name) => (name.to_string(), false),
            StateKey::Part(owner, name, part) => (format!("{}#{name}.{part}", self.index.binary_name(*owner)), false),
            StateKey::Entry(whole, entry) => {
                let whole = self.state_use(whole, site, depth, reach).state;
                let entry = match entry {
                    EntryKey::Constant(text) => &**text,
                    EntryKey::Parameter(_) => "",
                };
                (format!("{whole}[{entry}]"), false)
            }
            StateKey::FileOf(_) => (String::new(), false),
            StateKey::Field(owner, name) | StateKey::Own(owner, name) => {
                let initial = self.summaries.fields.of_type(*owner, name).map_or("", |it| it.initial);
                let is_unset = matches!(initial, "" | "null");
                (format!("{}#{name}", self.index.binary_name(*owner)), is_unset)
            }
        };
        StateUse {
            state,
            site: FlowStep::new(self.index, site),
            depth,
            reach,
            starts_unset,
            assertion: self.assertion(site).filter(|_| depth == 0),
        }
    }
}

/// The writes to shared states by a test or its setup that nothing restores after the test.
fn left<'f, 'r>(
    frame: &'f Frame<'r>,
    setup: &'f ClassSetup<'r>,
) -> impl Iterator<Item = (&'f StateKey<'r>, &'f frame::Write)> {
    let once = setup
        .before_all
        .writes
        .iter()
        .filter(|(key, _)| !frame.writes.contains_key(*key));
    frame.writes.iter().chain(once).filter(|(key, write)| {
        let is_left = match write.value {
            Value::Changed | Value::Parameter(_) => true,
            // A class that cleans up before each test does not trust its tests to clean up after themselves.
            Value::Undone => setup
                .before_each
                .writes
                .get(*key)
                .is_some_and(|it| it.value == Value::Restored),
            // Taking away what the test did not add is cleaning up.
            Value::Restored | Value::Removed => false,
        };
        is_left && !restores(&setup.after_each, key)
    })
}

/// Whether the setup or teardown code `after` writes a shared state, which counts as restoring it.
fn restores<'r>(after: &Frame<'r>, key: &StateKey<'r>) -> bool {
    let is_written = |key: &StateKey<'r>| after.writes.contains_key(key);
    is_written(key)
        || key.whole().is_some_and(|it| restores(after, &it))
        || matches!(key, StateKey::Named(_)) && after.writes.keys().any(|it| is_of_kind(key, it))
}

/// Whether a shared state is an instance field of the object that runs the test, or an entry of a map in such a field.
fn is_own(key: &StateKey<'_>) -> bool {
    match key {
        StateKey::Own(..) => true,
        StateKey::Entry(whole, _) => is_own(whole),
        _ => false,
    }
}

fn is_store(key: &StateKey<'_>) -> bool {
    kind_of(key) == "store"
}

fn kind_of<'k>(key: &'k StateKey<'_>) -> &'k str {
    match key {
        StateKey::Named(name) => name.split(':').next().unwrap_or_default(),
        _ => "field",
    }
}

/// Keeps the uses of shared states with the fewest nested calls, sorted by state. Returns how many were left out.
fn shorten(uses: &mut Vec<StateUse>) -> u32 {
    let before = uses.len();
    if before > MAX_USES {
        uses.sort_by(|a, b| (a.depth, &a.state).cmp(&(b.depth, &b.state)));
        uses.truncate(MAX_USES);
    }
    uses.sort_by(|a, b| a.state.cmp(&b.state));
    u32::try_from(before - uses.len()).unwrap_or(u32::MAX)
}

/// The folder of the module of a file: the part of the path before `src`.
fn module_of(path: &str) -> &str {
    let mut parts = path.match_indices("src/").map(|it| it.0);
    let at = parts.find(|at| *at == 0 || path.as_bytes()[at - 1] == b'/');
    at.map_or("", |at| path[..at].trim_end_matches('/'))
}
