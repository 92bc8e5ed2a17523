//! State that outlives a test: static fields and singletons that its code changes.
//!
//! ```java
//! @Test public void test() { Registry.strict = true; }        // seen by whatever test runs next
//! @Before public void setUp() { counter = 0; }                // no: every test starts with it
//! ```
//!
//! Only what the test's own classes do is looked at. Writes of the code under test are left out: most are caches and
//! lazy singletons, and whether they are ever reset cannot be told. So is a field that the setup or teardown of the
//! class mentions.

use rustc_hash::FxHashSet;

use super::CauseKind;
use super::collections::{Frame, scope_of};
use super::scan::Site;
use crate::surroundings::is_setup;
use crate::symbols::index::{Index, TypeId};
use crate::symbols::names::TypeReference;
use crate::symbols::targets::Target;
use crate::syntax::body::{Body, Call, Expression, ExpressionKind, Local};
use crate::syntax::declarations::{LazyBody, MethodDeclaration};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local};
use crate::walk::setup_types;

/// Methods that change the collection or counter they are called on.
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
/// Beginnings of methods that change a singleton or a static holder.
const SETTING: [&str; 4] = ["set", "register", "add", "put"];
/// Static methods that hand out the one instance.
const SINGLETON: [&str; 4] = ["getInstance", "instance", "get", "getDefault"];

/// The source of the methods that run around a test: static state that they mention is taken to be put back.
pub(super) fn setup_and_teardown<'r>(index: &Index<'r>, class: TypeId) -> Vec<&'r str> {
    sources(index, class, is_setup)
}

/// The source of the methods that clean up after a test.
pub(super) fn teardown<'r>(index: &Index<'r>, class: TypeId) -> Vec<&'r str> {
    sources(index, class, |method| {
        let by_annotation = method.annotations.iter().any(|it| it.name.starts_with("After"));
        by_annotation || method.name == "tearDown"
    })
}

fn sources<'r>(index: &Index<'r>, class: TypeId, wanted: impl Fn(&MethodDeclaration<'r>) -> bool) -> Vec<&'r str> {
    setup_types(index, class)
        .into_iter()
        .flat_map(|id| &index.declaration(id).methods)
        .filter(|it| wanted(it))
        .filter_map(|it| it.code.as_ref())
        .map(LazyBody::source)
        .collect()
}

/// The static state that a body of the test's own classes changes.
pub(super) fn static_writes<'r>(
    index: &Index<'r>,
    class: TypeId,
    frame: &Frame<'_, 'r>,
    body: &Body<'r>,
    restoring: &[&str],
) -> Vec<Site> {
    let mut writes = Writes {
        index,
        class,
        frame,
        restoring,
        locals: frame.locals.keys().copied().collect(),
        found: Vec::new(),
    };
    walk_block(&mut writes, &body.block);
    writes.found
}

struct Writes<'a, 'c, 'r> {
    index: &'a Index<'r>,
    class: TypeId,
    frame: &'a Frame<'c, 'r>,
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
                    let what = format!("assigns the static field {field}");
                    self.site(what, field, target.start, expression);
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
            let what = format!("changes the static field {field}");
            return self.site(what, field, call.name_at, whole);
        }
        if let Some(owner) = self.static_setter(call).or_else(|| self.set_singleton(call, receiver)) {
            let name = self.index.outline(owner).name;
            if !self.is_restored(name) {
                let what = format!("changes the static state of {name}");
                self.site(what, format!("{name}#{}", call.name), call.name_at, whole);
            }
        }
    }

    /// `Type#field` for a static field that nothing restores.
    fn static_field(&self, expression: &Expression<'r>) -> Option<String> {
        let (owner, name) = match &expression.kind {
            ExpressionKind::Name(name) if !self.locals.contains(name) => (self.frame.owner, name),
            ExpressionKind::Field { object, name } => match &object.kind {
                ExpressionKind::Name(type_) if !self.locals.contains(type_) => {
                    match self.index.resolve_name(type_, scope_of(self.frame))? {
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

    /// The class of a static setter of the repository, outside the test's own classes.
    fn static_setter(&self, call: &Call<'r>) -> Option<TypeId> {
        let Target::Declared(id) = self.frame.targets[call.id.0 as usize] else {
            return None;
        };
        let is_setter = self.index.method(id).is_static && begins_with(call.name, "set") && !call.arguments.is_empty();
        (is_setter && !self.index.inherits(self.class, id.owner)).then_some(id.owner)
    }

    /// The class of a singleton of the repository that is changed: `Registry.getInstance().setMode(..)`.
    fn set_singleton(&self, call: &Call<'r>, receiver: &Expression<'r>) -> Option<TypeId> {
        let ExpressionKind::Call(getter) = &receiver.kind else {
            return None;
        };
        let Target::Declared(id) = self.frame.targets[getter.id.0 as usize] else {
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

    fn site(&mut self, what: String, call: String, at: u32, whole: &Expression<'r>) {
        self.found.push(Site {
            kind: CauseKind::StaticState,
            what,
            is_incidental: false,
            is_order: false,
            call,
            file: self.frame.file,
            at,
            start: whole.start,
            end: whole.end,
        });
    }
}

/// Whether a name is `prefix` followed by another word.
fn begins_with(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}
