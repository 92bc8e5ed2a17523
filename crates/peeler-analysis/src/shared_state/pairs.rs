//! Pairs tests that read a shared state with tests that leave it changed.

use std::collections::BTreeMap;

use peeler_features::{Rule, TestName};
use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{StateAccess, StateKind, StateReach, StateUse, state_name};
use crate::flows::flow::{Flow, FlowOrigin, FlowStep};

/// The maximum number of other tests that a finding about shared state names.
const MAX_PARTNERS: usize = 5;
/// The maximum number of findings about shared state for one test and one rule.
const MAX_FINDINGS: usize = 3;
/// A shared state counts as common only if more tests of a module than this number read it. Readers and writers of a
/// common state are paired within one class only.
const MIN_COMMON: usize = 50;
/// The maximum number of pairs of a reading and a writing test that are compared for one shared state.
const MAX_PAIRS: usize = 500_000;
/// The minimum ratio of tests that read a shared state to tests that leave it changed. With a smaller ratio, writes in
/// nested calls count as normal work of the code under test.
const RARE_WRITERS: usize = 3;

/// A finding that a shared state connects two tests, reported for one of them: the victim or the polluter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateFinding {
    /// The position of the test with the finding in the list of tests that [`pair_states`] got.
    pub test: usize,
    /// The flow from the write that one test leaves behind to the place where another test reads the state.
    pub flow: Flow,
    /// The id of the shared state, such as `property:user.home`.
    pub state: String,
    /// The other tests that the shared state connects with this one. If this test is the victim, they are its
    /// polluters, likeliest first. If it is the polluter, they are its victims.
    pub partners: Vec<TestName>,
}

impl StateFinding {
    /// Whether the finding is about the victim: the test that reads the shared state, while `partners` leave it
    /// changed.
    #[must_use]
    pub fn is_victim(&self) -> bool {
        matches!(self.flow.rule, Rule::StaticStateAssumed | Rule::TestOrderRequired)
    }
}

/// A read or write of a shared state by a test. `test` is the position of that test in the list of tests that
/// [`pair_states`] got.
#[derive(Clone, Copy)]
struct Use<'a> {
    test: usize,
    what: &'a StateUse,
}

/// The tests of one module that read a shared state, and those that leave it changed.
#[derive(Default)]
struct Users<'a> {
    readers: Vec<Use<'a>>,
    writers: Vec<Use<'a>>,
}

/// One shared state of a module, with the tests that use it.
struct SharedUse<'a> {
    tests: &'a [(TestName, &'a StateAccess)],
    state: &'a str,
    users: Users<'a>,
    /// For each test that leaves the shared state changed, the file and line of its write. The key is the position of
    /// the test in the list of tests that [`pair_states`] got.
    left_at: FxHashMap<usize, (&'a str, u32)>,
    /// The tests that assign a value to the shared state or to a part of it, as positions in `tests`.
    setters: FxHashSet<usize>,
    /// Whether more than a quarter of the module's tests, and more than [`MIN_COMMON`], read the shared state. If so,
    /// its readers and writers are paired within one class only.
    is_common: bool,
}

/// The findings about shared states that connect two tests of a scan, sorted by test.
///
/// A test is a victim if it reads a state without setting it, and another test of its module leaves that state changed.
/// The cost grows with the number of reads and writes, and with the product of readers and writers of each state.
#[must_use]
pub fn pair_states(tests: &[(TestName, &StateAccess)]) -> Vec<StateFinding> {
    let mut states: BTreeMap<(&str, &str), Users<'_>> = BTreeMap::new();
    let mut sizes: FxHashMap<&str, usize> = FxHashMap::default();
    for (test, (_, access)) in tests.iter().enumerate() {
        *sizes.entry(&access.module).or_default() += 1;
        for what in &access.reads {
            let users = states.entry((&access.module, &what.state)).or_default();
            users.readers.push(Use { test, what });
        }
        for what in &access.left {
            let users = states.entry((&access.module, &what.state)).or_default();
            users.writers.push(Use { test, what });
        }
    }
    let mut findings: Vec<(u32, StateFinding)> = Vec::new();
    for ((module, state), users) in states {
        if !users.readers.is_empty() && !users.writers.is_empty() {
            let left_at = users.writers.iter().map(|it| (it.test, place(it)));
            let setters = users.writers.iter().filter(|it| assigned(&it.what.site.text).is_some());
            let common = MIN_COMMON.max(sizes[module] / 4);
            let shared = SharedUse {
                tests,
                state,
                left_at: left_at.collect(),
                setters: setters.map(|it| it.test).collect(),
                is_common: users.readers.len() > common,
                users,
            };
            shared.findings(&mut findings);
        }
    }
    findings.sort_by(|(a, one), (b, other)| (one.test, b, &one.state).cmp(&(other.test, a, &other.state)));
    let mut kept: Vec<StateFinding> = Vec::with_capacity(findings.len());
    for (_, finding) in findings {
        let same = kept.iter().rev().take_while(|it| it.test == finding.test);
        if same.filter(|it| it.flow.rule == finding.flow.rule).count() < MAX_FINDINGS {
            kept.push(finding);
        }
    }
    kept
}

/// The flows of shared states that a test must not leave changed even if no other test reads them. These are system
/// properties, defaults of the JVM and static mocks.
pub(crate) fn left_flows(access: &StateAccess) -> Vec<Flow> {
    let left = access.left.iter().filter(|it| is_reported_alone(it));
    left.map(|it| Flow {
        rule: left_rule(&it.state),
        what: format!("leaves {} changed", words(&it.state)),
        source: it.site.clone(),
        steps: Vec::new(),
        oracle: None,
        origin: origin(it),
        settled_by: None,
        is_sure: true,
    })
    .collect()
}

fn is_reported_alone(left: &StateUse) -> bool {
    let kind = StateKind::of(&left.state);
    let is_of_the_jvm = matches!(kind, StateKind::Property | StateKind::Default | StateKind::Mock);
    is_of_the_jvm && left.depth == 0 && left.reach != StateReach::Class
}

/// The file and line where a test reads or writes a shared state.
fn place<'a>(used: &Use<'a>) -> (&'a str, u32) {
    (&used.what.site.file, used.what.site.line)
}

impl SharedUse<'_> {
    /// Adds the findings about this shared state. The number with a victim says how likely its likeliest polluter is:
    /// the higher, the likelier. It is 0 for polluters.
    fn findings(&self, findings: &mut Vec<(u32, StateFinding)>) {
        // Of a state with very many users, each is compared with the first partners only.
        let most_writers = (MAX_PAIRS / self.users.readers.len().max(1)).max(MAX_PARTNERS);
        let most_readers = (MAX_PAIRS / self.users.writers.len().max(1)).max(MAX_PARTNERS);
        for reader in &self.users.readers {
            let writers = self.users.writers.iter().take(most_writers);
            let writers = writers.filter(|writer| self.is_pair(reader, writer));
            let mut polluters: Vec<(u32, Use<'_>)> = writers
                .map(|writer| (likelihood(self.tests, reader, writer), *writer))
                .collect();
            polluters.sort_by(|a, b| (b.0, a.1.test).cmp(&(a.0, b.1.test)));
            let Some((score, nearest)) = polluters.first().copied() else {
                continue;
            };
            let partners = polluters
                .iter()
                .take(MAX_PARTNERS)
                .map(|it| self.tests[it.1.test].0.clone());
            findings.push((
                score,
                StateFinding {
                    test: reader.test,
                    flow: victim_flow(self.tests, self.state, reader, &nearest),
                    state: self.state.to_owned(),
                    partners: partners.collect(),
                },
            ));
        }
        for writer in self.users.writers.iter().filter(|it| !is_reported_alone(it.what)) {
            let mut victims = self
                .users
                .readers
                .iter()
                .take(most_readers)
                .filter(|reader| self.is_pair(reader, writer) && !needs_order(self.tests, reader, writer))
                .peekable();
            let Some(nearest) = victims.peek().copied() else {
                continue;
            };
            // A test that asserts the state shows best what is wrong.
            let asserted = victims.clone().find_map(|it| self.shown(it, writer));
            let flow = polluter_flow(self.tests, self.state, writer, asserted.unwrap_or(&nearest.what.site));
            let partners = victims
                .take(MAX_PARTNERS)
                .map(|it| self.tests[it.test].0.clone())
                .collect();
            findings.push((
                0,
                StateFinding {
                    test: writer.test,
                    flow,
                    state: self.state.to_owned(),
                    partners,
                },
            ));
        }
    }

    /// The assertion of `reader` that fails if `writer` ran before. `None` if there is none, or if it is in doubt: the
    /// reader sets the state itself, expects what the writer sets, or one of the two tests runs the other.
    fn shown<'s>(&self, reader: &Use<'s>, writer: &Use<'_>) -> Option<&'s FlowStep> {
        let assertion = reader.what.assertion.as_ref()?;
        let class = self.tests[reader.test].0.class();
        let other = self.tests[writer.test].0.class();
        let encloses = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|it| it.starts_with('$'));
        let written = &writer.what.site.text;
        let is_expected = assigned(written).is_some_and(|value| assertion.text.contains(value));
        // A write that is expected to throw changes nothing, and a read that is expected to throw asserts nothing.
        let is_refused = |it: &StateUse| {
            it.assertion
                .as_ref()
                .is_some_and(|it| it.text.starts_with("assertThrows"))
        };
        let is_other_part = assigned_part(written).is_some_and(|part| !mentions(&assertion.text, part));
        let is_doubtful = self.setters.contains(&reader.test)
            || is_refused(writer.what)
            || is_refused(reader.what)
            || is_expected
            || is_other_part
            || encloses(class, other)
            || encloses(other, class)
            || !written.contains(field_name(self.state));
        (!is_doubtful).then_some(assertion)
    }

    /// Whether the state that `writer` leaves changed can reach `reader`. The write must also be more than normal work
    /// of the code under test, such as filling a cache.
    fn is_pair(&self, reader: &Use<'_>, writer: &Use<'_>) -> bool {
        if reader.test == writer.test {
            return false;
        }
        let (reading, writing) = (&self.tests[reader.test], &self.tests[writer.test]);
        let class = reading.0.class();
        let is_class = class == writing.0.class();
        // A test that depends on others of its class runs after them.
        if is_class && writing.1.is_ordered && !reading.1.is_ordered {
            return false;
        }
        let is_reached = match (reader.what.reach, writer.what.reach) {
            (StateReach::Class, StateReach::OtherClasses) => false,
            (_, StateReach::OtherClasses) => !is_class,
            (StateReach::Class, _) | (_, StateReach::Class) => is_class,
            _ => true,
        };
        is_reached && (is_class || !self.is_common) && self.is_plausible(class, reader, writer)
    }

    /// Whether a write to a shared state is more than normal work of the code under test, such as filling a cache.
    fn is_plausible(&self, class: &str, reader: &Use<'_>, writer: &Use<'_>) -> bool {
        match StateKind::of(self.state) {
            StateKind::Field => {}
            // Code far below a test reads properties and defaults for its own purposes.
            StateKind::Property | StateKind::Default => return writer.what.depth <= 1 && reader.what.depth <= 2,
            _ => return true,
        }
        let own_place = self.left_at.get(&reader.test);
        let is_of_class = self.state.strip_prefix(class).is_some_and(|rest| rest.starts_with('#'));
        let is_deep = writer.what.depth > 1 || reader.what.depth > 2;
        if is_deep && own_place == Some(&place(writer)) && !is_of_class {
            return false;
        }
        // Deep writes of many tests fill caches and pools.
        writer.what.depth <= 1
            || own_place.is_none() && self.users.writers.len() * RARE_WRITERS <= self.users.readers.len()
    }
}

/// How likely `writer` pollutes `reader`, as a number for sorting: near test classes and direct writes come first.
fn likelihood(tests: &[(TestName, &StateAccess)], reader: &Use<'_>, writer: &Use<'_>) -> u32 {
    let (one, other) = (&tests[reader.test].0, &tests[writer.test].0);
    let nearness = if one.class() == other.class() {
        200
    } else if package(one.class()) == package(other.class()) {
        100
    } else {
        0
    };
    let directness = 40 * (8 - u32::from(writer.what.depth.min(8)));
    let shared = one
        .class()
        .bytes()
        .zip(other.class().bytes())
        .take_while(|(a, b)| a == b)
        .count();
    nearness + directness + u32::try_from(shared.min(30)).unwrap_or(0)
}

fn package(class: &str) -> &str {
    class.rsplit_once('.').map_or("", |it| it.0)
}

fn victim_flow(tests: &[(TestName, &StateAccess)], state: &str, reader: &Use<'_>, writer: &Use<'_>) -> Flow {
    let other = &tests[writer.test];
    let rule = if needs_order(tests, reader, writer) {
        Rule::TestOrderRequired
    } else {
        Rule::StaticStateAssumed
    };
    Flow {
        rule,
        what: format!("reads {}, which `{}` leaves changed", words(state), short(&other.0)),
        source: writer.what.site.clone(),
        steps: Vec::new(),
        oracle: Some(reader.what.site.clone()),
        origin: origin(reader.what),
        settled_by: None,
        is_sure: true,
    }
}

/// Whether the reader of a state needs the writer to run first, so that the write is no pollution. Both are tests of
/// one class, which fixes the order of its tests or declares the state without a value.
fn needs_order(tests: &[(TestName, &StateAccess)], reader: &Use<'_>, writer: &Use<'_>) -> bool {
    let (name, access) = &tests[reader.test];
    let is_class = name.class() == tests[writer.test].0.class();
    is_class && (access.is_ordered || reader.what.starts_with_class(name.class()) && reader.what.starts_unset)
}

/// The flow that is reported for a test which leaves a shared state changed. It starts at the change by `writer` and
/// ends at `noticed`, where another test asserts or reads the state. A static state is sure if it is a field of the test
/// class that nothing resets.
fn polluter_flow(tests: &[(TestName, &StateAccess)], state: &str, writer: &Use<'_>, noticed: &FlowStep) -> Flow {
    let rule = left_rule(state);
    let is_of_class = writer.what.starts_with_class(tests[writer.test].0.class());
    let is_left = is_of_class && writer.what.reach == StateReach::Module;
    Flow {
        rule,
        what: format!("leaves {} changed, which other tests read", words(state)),
        source: writer.what.site.clone(),
        steps: Vec::new(),
        oracle: Some(noticed.clone()),
        origin: origin(writer.what),
        settled_by: None,
        is_sure: rule != Rule::StaticStateLeft || is_left,
    }
}

/// The value that an assignment sets, as source text: `5` for `a.b = 5`. `None` for other texts.
fn assigned(text: &str) -> Option<&str> {
    let (target, value) = text.split_once('=')?;
    let is_plain = !target.contains('(') && !target.ends_with(['!', '<', '>', '+', '-', '*', '/', '|', '&', '^', '%']);
    (is_plain && !value.starts_with('=')).then(|| value.trim())
}

/// The part of an object that an assignment sets: `b` for `a.b = 5`. `None` if it sets a variable, and for other texts.
fn assigned_part(text: &str) -> Option<&str> {
    assigned(text)?;
    let (target, _) = text.split_once('=')?;
    let (_, part) = target.trim().rsplit_once('.')?;
    (!part.contains('[')).then_some(part)
}

/// Whether a text has the name of a part, or that of its getter: `count` or `getCount`.
fn mentions(text: &str, part: &str) -> bool {
    let part = part.to_lowercase();
    let mut names = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    names.any(|it| it.to_lowercase().ends_with(&part))
}

/// The name of the field that holds a shared state: `items` for `a.Cart#items[x]`.
fn field_name(state: &str) -> &str {
    let name = state.rsplit_once('#').map_or("", |it| it.1);
    name.split(['.', '[']).next().unwrap_or(name)
}

/// The rule that reports a test which leaves this shared state changed. It depends on the kind of the state, such as a
/// property or a file.
fn left_rule(state: &str) -> Rule {
    match StateKind::of(state) {
        StateKind::Field | StateKind::Context => Rule::StaticStateLeft,
        StateKind::Property => Rule::SystemPropertyLeft,
        StateKind::Default => Rule::DefaultLeft,
        StateKind::File => Rule::FileLeft,
        StateKind::Mock => Rule::StaticMockLeft,
        StateKind::Store => Rule::SharedStoreLeft,
    }
}

/// The name of a shared state in words for a message: "the system property `user.home`".
fn words(state: &str) -> String {
    let name = state_name(state);
    match StateKind::of(state) {
        StateKind::Field => format!("the static state `{name}`"),
        StateKind::Property => format!("the system property `{name}`"),
        StateKind::Default => format!("the default {name}"),
        StateKind::Context => format!("the context of `{name}`"),
        StateKind::File => format!("the file `{name}`"),
        StateKind::Mock => format!("the static mock of `{name}`"),
        StateKind::Store => format!("the shared store of `{name}`"),
    }
}

fn origin(what: &StateUse) -> FlowOrigin {
    match what.depth {
        0 if what.reach == StateReach::OtherClasses => FlowOrigin::Setup,
        0 => FlowOrigin::Body,
        depth => FlowOrigin::CodeUnderTest(depth),
    }
}

/// The name of a test as `Class#method`.
fn short(test: &TestName) -> String {
    let class = test.class();
    let class = class.rsplit('.').next().unwrap_or(class);
    format!("{class}#{}", test.method())
}

impl StateUse {
    /// Whether the shared state is a field of the class with this name.
    fn starts_with_class(&self, class: &str) -> bool {
        self.state.strip_prefix(class).is_some_and(|rest| rest.starts_with('#'))
    }
}
