//! Setup and teardown methods that run in no defined order, or that hide those of a superclass.
//!
//! ```java
//! @Before public void open() { store = new Store(); }
//! @Before public void fill() { store.add("a"); }          // PLR602: may run before open()
//! ```
//!
//! Left out: methods that share no field, and methods whose order TestNG is told. A replaced setup is also left out if
//! it only sets fields that its replacement does not read.

use peeler_features::Rule;

use super::catalogue::Catalogue;
use super::field_uses::FieldUses;
use crate::flows::flow::{FlowOrigin, FoundFlow, Site};
use crate::lifecycle::{is_setup_or_teardown, is_teardown, setup_methods, setup_types};
use crate::repository::narrow;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::body::{Expression, ExpressionKind, Statement};
use crate::syntax::declarations::MethodDeclaration;
use crate::syntax::visit::{Visit, walk_expression};

/// Annotations such as `@Before` that make a method run before or after tests.
const LIFECYCLE: [&str; 18] = [
    "Before",
    "BeforeEach",
    "BeforeMethod",
    "BeforeClass",
    "BeforeAll",
    "BeforeSuite",
    "BeforeTest",
    "BeforeGroups",
    "After",
    "AfterEach",
    "AfterMethod",
    "AfterClass",
    "AfterAll",
    "AfterSuite",
    "AfterTest",
    "AfterGroups",
    "BeforeTemplate",
    "AfterTemplate",
];
/// Attributes by which TestNG orders methods.
const ORDERING: [&str; 4] = ["dependsOnMethods", "dependsOnGroups", "priority", "onlyForGroups"];

/// The flows of the setup and teardown methods of a test class: undefined order, and replaced methods of superclasses.
pub(super) fn lifecycle_flows(index: &Index<'_>, class: TypeId) -> Vec<FoundFlow> {
    let types = setup_types(index, class);
    let mut flows: Vec<FoundFlow> = types.iter().flat_map(|id| duplicates(index, *id)).collect();
    flows.extend(types.iter().flat_map(|id| replaced(index, *id)));
    flows
}

/// The flows of setup or teardown methods of one class with the same annotation that use the same field. Each pair of
/// methods is found once.
fn duplicates(index: &Index<'_>, id: TypeId) -> Vec<FoundFlow> {
    let annotated: Vec<(&str, &MethodDeclaration<'_>, FieldUses<'_>)> = setup_methods(index, id)
        .filter_map(|it| {
            let method = index.method(it);
            Some((lifecycle_annotation(method)?, method, FieldUses::of(index, it)))
        })
        .collect();
    let mut flows = Vec::new();
    for (position, (name, first, uses)) in annotated.iter().enumerate() {
        for (_, second, others) in annotated[position + 1..].iter().filter(|it| it.0 == *name) {
            if let Some(field) = uses.shared_with(others) {
                flows.push(FoundFlow {
                    rule: Rule::DuplicateLifecycle,
                    what: format!(
                        "has @{name} methods in no defined order that both use {field}: {} and {}",
                        first.name, second.name
                    ),
                    source: site(index, id, second),
                    steps: vec![site(index, id, first)],
                    oracle: None,
                    origin: FlowOrigin::Setup,
                    settled_by: None,
                    is_sure: true,
                });
            }
        }
    }
    flows
}

/// The setup or teardown annotation of a method; `None` if there is none, or if an annotation fixes the order of the
/// method.
fn lifecycle_annotation<'r>(method: &MethodDeclaration<'r>) -> Option<&'r str> {
    let annotation = method.annotations.iter().find(|it| LIFECYCLE.contains(&it.name))?;
    let is_ordered = ORDERING.iter().any(|it| annotation.arguments.contains(it))
        || method.annotations.iter().any(|it| it.name == "Order");
    (!is_ordered).then_some(annotation.name)
}

/// The flows of methods of the class `id` that override a setup or teardown method without calling it. They count only
/// if the overridden method restores state, or sets a field that the overriding method reads.
fn replaced(index: &Index<'_>, id: TypeId) -> Vec<FoundFlow> {
    let methods = index.declaration(id).methods.iter().enumerate();
    let own = methods.filter(|(_, it)| !it.is_constructor && !it.is_static && it.parameters.is_empty());
    own.filter_map(|(at, method)| {
        let hidden = hidden_method(index, id, method)?;
        if is_teardown(index.method(hidden)) && replaces_setup(index, id, hidden.owner) {
            return None;
        }
        let code = method.code.as_ref()?;
        let calls = &code.get().calls;
        let Some(cleaning) = cleaning_call(index, hidden) else {
            let is_called = calls.iter().any(|it| it.name == method.name);
            let field = needed_field(index, MethodId::new(id, at), hidden).filter(|_| !is_called)?;
            return Some(FoundFlow {
                rule: Rule::SuperSetupNotCalled,
                what: format!(
                    "replaces {}#{}, which sets {field}, and reads {field}",
                    index.outline(hidden.owner).name,
                    method.name
                ),
                source: site(index, id, method),
                steps: vec![site(index, hidden.owner, index.method(hidden))],
                oracle: None,
                origin: FlowOrigin::Setup,
                settled_by: None,
                is_sure: true,
            });
        };
        // A replacement that cleans up itself is meant.
        let is_repeated = calls.iter().any(|it| it.name == cleaning.1 || it.name == method.name);
        (!is_repeated && !code.get().block.is_empty()).then(|| FoundFlow {
            rule: Rule::SuperSetupNotCalled,
            what: format!(
                "replaces {}#{}, which calls {}",
                index.outline(hidden.owner).name,
                method.name,
                cleaning.1
            ),
            source: site(index, id, &index.declaration(id).methods[at]),
            steps: vec![cleaning.0],
            oracle: None,
            origin: FlowOrigin::Setup,
            settled_by: None,
            is_sure: true,
        })
    })
    .collect()
}

/// A field that the overridden setup method `hidden` sets, and that `replacement` reads before setting it. Of several,
/// the first by name; `None` if there is none.
fn needed_field<'r>(index: &Index<'r>, replacement: MethodId, hidden: MethodId) -> Option<&'r str> {
    let needs = FieldUses::of(index, replacement).needs;
    let set = FieldUses::of(index, hidden).writes;
    needs.into_iter().filter(|it| set.contains(it)).min()
}

/// The method of the nearest superclass in the repository that `method` of the class `id` overrides. `None` if there is
/// none, or if it is no setup or teardown method with a body.
fn hidden_method(index: &Index<'_>, id: TypeId, method: &MethodDeclaration<'_>) -> Option<MethodId> {
    let ancestors = index.ancestors(id).iter().skip(1).filter(|it| !index.is_library(it.id));
    let mut overridden = ancestors.flat_map(|it| index.methods_named(it.id, method.name));
    let hidden = overridden.find(|it| {
        let declared = index.method(*it);
        declared.parameters.is_empty() && !declared.is_static && !declared.is_constructor
    })?;
    let declared = index.method(hidden);
    (is_setup_or_teardown(declared) && declared.code.is_some()).then_some(hidden)
}

/// Whether the class `id` overrides a setup method of `superclass` without calling it, so that there is nothing to tear
/// down.
fn replaces_setup(index: &Index<'_>, id: TypeId, superclass: TypeId) -> bool {
    let setups = index.declaration(superclass).methods.iter();
    let mut setups = setups.filter(|it| is_setup_or_teardown(it) && !is_teardown(it));
    setups.any(|setup| {
        let mut own = index.methods_named(id, setup.name);
        own.any(|it| {
            let code = index.method(it).code.as_ref();
            code.is_some_and(|it| it.get().calls.iter().all(|call| call.name != setup.name))
        })
    })
}

/// The first call inside a setup or teardown method that restores state for other tests, with the name of the called
/// method. `None` if there is no such call.
///
/// In a teardown, every call such as `clear()` counts. In a setup, only a call on a class or static field counts.
fn cleaning_call<'r>(index: &Index<'r>, id: MethodId) -> Option<(Site, &'r str)> {
    let method = index.method(id);
    let code = method.code.as_ref()?;
    let mut calls = Cleaning {
        index,
        owner: id.owner,
        needs_static: !is_teardown(method),
        found: None,
    };
    for statement in &code.get().block {
        // A cleaning call under a condition may never run.
        if !matches!(statement, Statement::If { .. }) {
            calls.statement(statement);
        }
    }
    let (start, end, name) = calls.found?;
    let file = index.file_of(id.owner);
    Some((Site { file, start, end }, name))
}

/// A visitor that finds the first call that restores state or releases something, such as `clear()` or `close()`.
struct Cleaning<'i, 'r> {
    index: &'i Index<'r>,
    owner: TypeId,
    needs_static: bool,
    found: Option<(u32, u32, &'r str)>,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Cleaning<'_, 'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        walk_expression(self, expression);
        let ExpressionKind::Call(call) = &expression.kind else {
            return;
        };
        let words = &Catalogue::shipped().cleaning.methods;
        let is_cleaning = words.iter().any(|it| begins_with(call.name, it));
        let is_static = match call.receiver.as_ref().map(|it| &it.kind) {
            Some(ExpressionKind::Name(name)) => match self.index.field(self.owner, name) {
                Some((_, field)) => field.is_static,
                None => name.starts_with(|it: char| it.is_uppercase()),
            },
            _ => false,
        };
        let is_own = matches!(call.receiver.as_ref().map(|it| &it.kind), Some(ExpressionKind::Super));
        if is_cleaning && !is_own && (is_static || !self.needs_static) && self.found.is_none() {
            self.found = Some((expression.start, expression.end, call.name));
        }
    }
}

/// Whether `name` is `word`, or begins with it and goes on with a capital letter: `clearAll` begins with `clear`.
fn begins_with(name: &str, word: &str) -> bool {
    name.strip_prefix(word)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(|it: char| it.is_uppercase()))
}

/// The range of bytes that the name of a method takes up where the method is declared.
fn site(index: &Index<'_>, owner: TypeId, method: &MethodDeclaration<'_>) -> Site {
    Site {
        file: index.file_of(owner),
        start: method.at,
        end: method.at + narrow(method.name.len()),
    }
}
