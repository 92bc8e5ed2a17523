//! Writes to state that outlives a test: static fields and singletons that its code changes.
//!
//! ```java
//! @Test public void test() { Registry.strict = true; }        // seen by whatever test runs next
//! @Before public void setUp() { counter = 0; }                // no: every test starts with it
//! ```
//!
//! Left out: writes of the code under test, most of which are caches and lazy singletons; and fields that the setup or
//! teardown of the class mentions.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::collections::{BodyScope, name_scope};
use super::rule::{CauseDescription, CauseRule};
use super::site::{NoticedBy, Site, Weight};
use crate::lifecycle::{is_setup_or_teardown, is_teardown, setup_methods, setup_types};
use crate::symbols::index::{Index, TypeId};
use crate::symbols::names::TypeReference;
use crate::symbols::targets::Target;
use crate::syntax::body::{Body, Call, Expression, ExpressionKind, Local};
use crate::syntax::declarations::{LazyBody, MethodDeclaration};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local};
use peeler_features::CauseKind;

/// Names of methods that change the collection or counter they are called on.
const CHANGING: [&str; 14] = [
    "add",
    "addAll",
    "put",
    "putAll",
    "putIfAbsent",
    "remove",
    "removeAll",
    "set",
    "push",
    "offer",
    "incrementAndGet",
    "getAndIncrement",
    "decrementAndGet",
    "addAndGet",
];
/// Prefixes of names of methods that change a singleton, as in `Registry.getInstance().registerMode(..)`.
const SETTING: [&str; 4] = ["set", "register", "add", "put"];
/// Names of static methods that return the only instance of a class.
const SINGLETON: [&str; 4] = ["getInstance", "instance", "get", "getDefault"];

static ASSIGNS_FIELD: LazyLock<CauseRule> = LazyLock::new(|| rule("assigns the static field {type}"));
static CHANGES_FIELD: LazyLock<CauseRule> = LazyLock::new(|| rule("changes the static field {type}"));
static CHANGES_CLASS: LazyLock<CauseRule> = LazyLock::new(|| rule("changes the static state of {type}"));

fn rule(words: &str) -> CauseRule {
    CauseRule::new(CauseKind::StaticState, words)
}

/// The source texts of the setup and teardown methods of a test class. Static state that they mention counts as
/// restored.
pub(super) fn setup_and_teardown<'r>(index: &Index<'r>, class: TypeId) -> Vec<&'r str> {
    sources(index, class, is_setup_or_teardown)
}

/// The source texts of the teardown methods of a test class, which run after its tests.
pub(super) fn teardown<'r>(index: &Index<'r>, class: TypeId) -> Vec<&'r str> {
    sources(index, class, is_teardown)
}

fn sources<'r>(index: &Index<'r>, class: TypeId, wanted: impl Fn(&MethodDeclaration<'r>) -> bool) -> Vec<&'r str> {
    setup_types(index, class)
        .into_iter()
        .flat_map(|id| setup_methods(index, id))
        .map(|it| index.method(it))
        .filter(|it| wanted(it))
        .filter_map(|it| it.code.as_ref())
        .map(LazyBody::source)
        .collect()
}

/// The places where a body of the test's own classes changes static state that the texts `restoring` do not mention.
pub(super) fn static_writes<'r>(
    index: &Index<'r>,
    class: TypeId,
    scope: &BodyScope<'_, 'r>,
    body: &Body<'r>,
    restoring: &[&str],
) -> Vec<Site> {
    let mut writes = Writes {
        index,
        class,
        scope,
        restoring,
        locals: scope.locals.keys().copied().collect(),
        found: Vec::new(),
    };
    walk_block(&mut writes, &body.block);
    writes.found
}

/// A visitor that collects the places where a body writes to static fields or singletons.
struct Writes<'a, 'c, 'r> {
    index: &'a Index<'r>,
    class: TypeId,
    scope: &'a BodyScope<'c, 'r>,
    restoring: &'a [&'a str],
    locals: FxHashSet<&'r str>,
    found: Vec<Site>,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Writes<'_, '_, 'r> {
    fn local(&mut self, local: &'b Local<'r>) {
        self.locals.insert(local.name);
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Assign { target, .. } | ExpressionKind::Update { operand: target, .. } => {
                if let Some(field) = self.static_field(target) {
                    self.site(&ASSIGNS_FIELD, &field, field.clone(), target.start, expression);
                }
            }
            ExpressionKind::Call(call) => self.call(call, expression),
            _ => {}
        }
        walk_expression(self, expression);
    }
}

impl<'r> Writes<'_, '_, 'r> {
    fn call(&mut self, call: &Call<'r>, whole: &Expression<'r>) {
        let Some(receiver) = &call.receiver else {
            return;
        };
        if CHANGING.contains(&call.name)
            && let Some(field) = self.static_field(receiver)
        {
            return self.site(&CHANGES_FIELD, &field, field.clone(), call.name_at, whole);
        }
        if let Some(owner) = self.static_setter(call).or_else(|| self.set_singleton(call, receiver)) {
            let name = self.index.outline(owner).name;
            if !self.is_restored(name) {
                let setter = format!("{name}#{}", call.name);
                self.site(&CHANGES_CLASS, name, setter, call.name_at, whole);
            }
        }
    }

    /// The static field of the repository that an expression names, as `Type#field`. `None` if it names no such field,
    /// or if setup or teardown of the test class mention the field.
    fn static_field(&self, expression: &Expression<'r>) -> Option<String> {
        let (owner, name) = match &expression.kind {
            ExpressionKind::Name(name) if !self.locals.contains(name) => (self.scope.owner, name),
            ExpressionKind::Field { object, name } => match &object.kind {
                ExpressionKind::Name(type_) if !self.locals.contains(type_) => {
                    match self.index.resolve_name(type_, name_scope(self.scope))? {
                        TypeReference::Type(id) => (id, name),
                        TypeReference::External(_) => return None,
                    }
                }
                _ => return None,
            },
            _ => return None,
        };
        let (declaring, field) = self.index.field(owner, name)?;
        let is_ours = field.is_static && !self.index.is_library(declaring.id);
        (is_ours && !self.is_restored(name)).then(|| format!("{}#{name}", self.index.outline(declaring.id).name))
    }

    /// The class whose static setter a call runs: `Config` for `Config.setMode(..)`. `None` for other calls, and for
    /// setters of libraries or of the test's own classes.
    fn static_setter(&self, call: &Call<'r>) -> Option<TypeId> {
        let Target::Declared(id) = self.scope.targets[call.id.0 as usize] else {
            return None;
        };
        let is_setter = self.index.method(id).is_static && begins_with(call.name, "set") && !call.arguments.is_empty();
        (is_setter && !self.index.inherits(self.class, id.owner)).then_some(id.owner)
    }

    /// The class whose singleton a call changes: `Registry` for `Registry.getInstance().setMode(..)`. `None` for other
    /// calls and for library classes.
    fn set_singleton(&self, call: &Call<'r>, receiver: &Expression<'r>) -> Option<TypeId> {
        let ExpressionKind::Call(getter) = &receiver.kind else {
            return None;
        };
        let Target::Declared(id) = self.scope.targets[getter.id.0 as usize] else {
            return None;
        };
        let is_singleton =
            SINGLETON.contains(&getter.name) && getter.arguments.is_empty() && self.index.method(id).is_static;
        let changes = SETTING.iter().any(|it| begins_with(call.name, it)) && !call.arguments.is_empty();
        (is_singleton && changes).then_some(id.owner)
    }

    fn is_restored(&self, name: &str) -> bool {
        self.restoring.iter().any(|it| it.contains(name))
    }

    fn site(&mut self, rule: &CauseRule, subject: &str, call: String, at: u32, whole: &Expression<'r>) {
        self.found.push(Site {
            description: CauseDescription {
                rule: rule.clone(),
                subject: Some(subject.into()),
            },
            weight: Weight::Full,
            noticed_by: NoticedBy::AnyAssertion,
            call,
            file: self.scope.file,
            at,
            start: whole.start,
            end: whole.end,
        });
    }
}

/// Whether a name is `prefix` followed by another word: `setMode` begins with `set`, `settle` does not.
fn begins_with(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}
