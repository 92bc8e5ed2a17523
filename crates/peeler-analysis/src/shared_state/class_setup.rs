//! The effects of the setup and teardown of a test class on shared states.

use super::catalogue::CATALOGUE;
use super::frame::Frame;
use super::summaries::{MAX_CALLS, Summaries, same_object};
use crate::discovery::Framework;
use crate::lifecycle::{Phase, most_setup_methods, phase_around_test, setup_types};
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::type_text::parse_type;
use crate::syntax::declarations::{Annotation, MethodDeclaration};

/// Annotations that disable a test or a test class.
const DISABLED: [&str; 2] = ["Ignore", "Disabled"];

/// The effects of setup and teardown of a test class on shared states such as static fields.
#[derive(Debug, Default)]
pub(super) struct ClassSetup<'r> {
    pub(super) before_all: Frame<'r>,
    /// The effects that instance fields, constructors and setup methods have on shared states before each test.
    pub(super) before_each: Frame<'r>,
    pub(super) after_each: Frame<'r>,
    pub(super) after_all: Frame<'r>,
    /// Whether a dependency injection container shares beans between the tests of the class.
    pub(super) has_container: bool,
    /// Whether the dependency injection container undoes after each test what the test stored, as a transaction does.
    pub(super) is_undone: bool,
    pub(super) is_disabled: bool,
    /// Whether an annotation fixes the order of the tests of the class.
    pub(super) is_ordered: bool,
    /// Whether an annotation makes all tests of the class run on one test object: `@TestInstance(PER_CLASS)`.
    pub(super) shares_instance: bool,
    /// Kinds of shared state, such as `property`, that a rule or annotation of the test class restores.
    pub(super) restored: Vec<&'static str>,
}

impl<'r> ClassSetup<'r> {
    pub(super) fn new(summaries: &Summaries<'_, 'r>, class: TypeId) -> Self {
        let index = summaries.fields.index;
        let mut setup = Self::default();
        let mut types = setup_types(index, class);
        // Superclasses run first.
        types.reverse();
        for (at, id) in types.iter().enumerate() {
            setup.declarations(index, *id);
            let initial = summaries.initialisers(*id, MAX_CALLS);
            setup.before_each.call(&initial.frame, &same_object());
            // What the anonymous rules of the class put back after a test.
            setup.after_each.restore(&initial.frame);
            setup.rules(summaries, *id);
            let declared = index.declaration(*id);
            let mut run = 0;
            for (position, method) in declared.methods.iter().enumerate() {
                let method_id = MethodId::new(*id, position);
                if method.is_constructor {
                    if *id == class {
                        let effect = summaries.method(method_id, MAX_CALLS);
                        setup.before_each.call(&effect.frame, &same_object());
                    }
                    continue;
                }
                let Some(phase) = phase_of(method) else {
                    continue;
                };
                run += 1;
                if run > most_setup_methods(declared.methods.len()) {
                    break;
                }
                let is_overridden = types[at + 1..].iter().any(|it| {
                    let mut same = index.methods_named(*it, method.name);
                    index.inherits(*it, *id) && same.any(|it| index.method(it).parameters.is_empty())
                });
                if is_overridden && !method.is_static {
                    continue;
                }
                let effect = summaries.method(method_id, MAX_CALLS);
                let frame = match phase {
                    Phase::BeforeAll | Phase::OtherBefore => &mut setup.before_all,
                    Phase::BeforeEach => &mut setup.before_each,
                    Phase::AfterEach => &mut setup.after_each,
                    Phase::AfterAll | Phase::OtherAfter => &mut setup.after_all,
                };
                frame.call(&effect.frame, &same_object());
            }
        }
        setup
    }

    /// Adds the effects that the JUnit rules and extensions of a type have on shared states. Rules and extensions whose
    /// class the repository does not declare are skipped.
    fn rules(&mut self, summaries: &Summaries<'_, 'r>, id: TypeId) {
        let index = summaries.fields.index;
        let declared = index.declaration(id);
        let fields = declared.fields.iter().filter(|it| is_rule(it.code.source()));
        let written = fields.map(|it| parse_type(it.type_text).name);
        let extensions = declared.annotations.iter().filter(|it| it.name == "ExtendWith");
        let named = extensions.flat_map(|it| it.arguments.split(['{', '}', ',']));
        let classes = named.filter_map(|it| it.trim().strip_suffix(".class"));
        let scope = Scope {
            file: index.file_of(id),
            owner: Some(id),
        };
        for name in written.chain(classes) {
            let Some(TypeReference::Type(rule)) = index.resolve_name(name, scope) else {
                continue;
            };
            for ancestor in index.ancestors(rule).iter().filter(|it| !index.is_library(it.id)) {
                let methods = index.declaration(ancestor.id).methods.iter().enumerate();
                for (position, method) in methods {
                    let effect = || summaries.method(MethodId::new(ancestor.id, position), MAX_CALLS);
                    if CATALOGUE.methods.is_teardown(method.name) {
                        self.after_each.call(&effect().frame, &same_object());
                    } else if matches!(method.name, "apply" | "evaluate" | "interceptTestMethod") {
                        self.after_each.restore(&effect().frame);
                    } else if matches!(method.name, "before" | "beforeEach" | "starting") {
                        self.before_each.call(&effect().frame, &same_object());
                    }
                }
            }
        }
    }

    fn declarations(&mut self, index: &Index<'r>, id: TypeId) {
        let beans = &CATALOGUE.beans;
        let declared = index.declaration(id);
        let has = |names: &[String]| {
            declared
                .annotations
                .iter()
                .any(|it| names.iter().any(|name| name == it.name))
        };
        self.has_container |= has(&beans.containers) || declared.annotations.iter().any(is_spring_runner);
        self.is_undone |= has(&beans.undone);
        self.is_disabled |= is_disabled(&declared.annotations);
        self.is_ordered |= declared.annotations.iter().any(fixes_order);
        self.shares_instance |= declared
            .annotations
            .iter()
            .any(|it| it.name == "TestInstance" && it.arguments.contains("PER_CLASS"));
        for (kind, names) in &CATALOGUE.restoring {
            let is_restored = has(names)
                || declared
                    .fields
                    .iter()
                    .any(|it| names.iter().any(|name| it.type_text.contains(name.as_str())))
                || declared
                    .annotations
                    .iter()
                    .any(|it| names.iter().any(|name| it.arguments.contains(name.as_str())));
            if is_restored {
                self.restored.push(kind.as_str());
            }
        }
    }

    /// Whether tests of the class share the instance fields of one test object: always in TestNG, with `PER_CLASS` in
    /// JUnit.
    pub(super) fn shares_fields(&self, framework: Framework) -> bool {
        self.shares_instance || framework == Framework::TestNg
    }
}

/// The kinds of shared state, such as `property`, that the annotations of a test restore.
pub(super) fn restoring_kinds(annotations: &[Annotation<'_>]) -> impl Iterator<Item = &'static str> {
    let has = |names: &[String]| annotations.iter().any(|it| names.iter().any(|name| name == it.name));
    CATALOGUE
        .restoring
        .iter()
        .filter(move |it| has(it.1))
        .map(|it| it.0.as_str())
}

/// Whether a field is a JUnit rule or extension, judged by its annotations.
fn is_rule(field: &str) -> bool {
    ["@Rule", "@ClassRule", "@RegisterExtension"]
        .iter()
        .any(|it| field.contains(it))
}

/// Whether one of the annotations disables a test or a class.
pub(super) fn is_disabled(annotations: &[Annotation<'_>]) -> bool {
    let is_switched_off =
        |it: &Annotation<'_>| it.name == "Test" && it.arguments.replace(' ', "").contains("enabled=false");
    annotations
        .iter()
        .any(|it| DISABLED.contains(&it.name) || is_switched_off(it))
}

/// Whether an annotation such as `@FixMethodOrder` fixes the order of tests.
pub(super) fn fixes_order(annotation: &Annotation<'_>) -> bool {
    match annotation.name {
        "FixMethodOrder" | "TestMethodOrder" | "Stepwise" => true,
        "Test" => annotation.arguments.contains("dependsOn"),
        _ => false,
    }
}

fn is_spring_runner(annotation: &Annotation<'_>) -> bool {
    let names = [
        "SpringRunner",
        "SpringJUnit4ClassRunner",
        "SpringExtension",
        "SpringClassRule",
    ];
    matches!(annotation.name, "RunWith" | "ExtendWith") && names.iter().any(|it| annotation.arguments.contains(it))
}

fn phase_of(method: &MethodDeclaration<'_>) -> Option<Phase> {
    let is_after_all = |name| matches!(Phase::of_annotation(name), Some(Phase::AfterAll));
    if let Some(phase) = phase_around_test(method) {
        return Some(phase);
    }
    // JUnit 3 runs a test inside this method: what it writes around the test is restored.
    if method.name == "runBare" && method.parameters.is_empty() {
        return Some(Phase::AfterEach);
    }
    let is_last = method.annotations.iter().any(|it| is_after_all(it.name));
    is_last.then_some(Phase::AfterAll)
}
