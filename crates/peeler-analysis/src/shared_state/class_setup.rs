//! What the setup and teardown of a test class do with states.

use super::catalogue::CATALOGUE;
use super::frame::Frame;
use super::summaries::{MAX_CALLS, Summaries, same_object};
use crate::discovery::Framework;
use crate::lifecycle::{Phase, phase_around_test, setup_types};
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::declarations::{Annotation, MethodDeclaration};

/// Annotations of tests and classes that do not run.
const DISABLED: [&str; 2] = ["Ignore", "Disabled"];

/// The effects of the code around the tests of a class.
#[derive(Debug, Default)]
pub(super) struct ClassSetup<'r> {
    pub(super) before_all: Frame<'r>,
    /// Instance fields, constructors and setup methods, in this order.
    pub(super) before_each: Frame<'r>,
    pub(super) after_each: Frame<'r>,
    pub(super) after_all: Frame<'r>,
    /// Whether a container shares beans between tests.
    pub(super) has_container: bool,
    /// Whether the container undoes what a test did.
    pub(super) is_undone: bool,
    pub(super) is_disabled: bool,
    /// Whether the class fixes the order of its tests.
    pub(super) is_ordered: bool,
    /// Whether one object runs all tests of the class.
    pub(super) shares_instance: bool,
    /// Kinds of state that a rule or annotation of the class restores.
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
            let declared = index.declaration(*id);
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

    /// Whether a test of this framework shares the fields of its object with other tests.
    pub(super) fn shares_fields(&self, framework: Framework) -> bool {
        self.shares_instance || framework == Framework::TestNg
    }
}

/// Whether one of the annotations disables a test or a class.
pub(super) fn is_disabled(annotations: &[Annotation<'_>]) -> bool {
    let is_switched_off =
        |it: &Annotation<'_>| it.name == "Test" && it.arguments.replace(' ', "").contains("enabled=false");
    annotations
        .iter()
        .any(|it| DISABLED.contains(&it.name) || is_switched_off(it))
}

/// Whether an annotation fixes the order of tests.
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
    let is_last = method.annotations.iter().any(|it| is_after_all(it.name));
    is_last.then_some(Phase::AfterAll)
}
