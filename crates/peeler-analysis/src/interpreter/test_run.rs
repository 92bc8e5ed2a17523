//! The abstract run of one test: static fields, the test object, setup, and the body.

use std::sync::Arc;

use super::mocks::mock;
use super::run::Run;
use super::shared::Unit;
use super::value::{Object, Value};
use crate::discovery::DiscoveredTest;
use crate::lifecycle::{Phase, phase_around_test, setup_methods};
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::names::Scope;
use crate::symbols::type_text::parse_type;
use crate::symbols::types::Type;

/// The maximum number of setup methods that run before a test, separately for `@BeforeAll` and `@BeforeEach` methods.
const MAX_SETUPS: usize = 30;

/// The number of bytes before the name of the first parameter of a test that are searched for annotations of the
/// parameter.
const MAX_PARAMETER: u32 = 120;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// Abstractly runs a test, after the fields, constructor and setup methods of its class.
    pub(super) fn test(&mut self, test: DiscoveredTest) {
        let mut object: Option<Arc<Object<'i, 'r>>> = self.instance(test.class).object;
        for phase in [Phase::BeforeAll, Phase::BeforeEach] {
            let methods = self.setup_methods(test.class, phase);
            self.is_cut |= methods.len() > MAX_SETUPS;
            for method in methods.into_iter().take(MAX_SETUPS) {
                object = self.setup(method, object);
            }
        }
        // Assertions of the setup are not assertions of the test.
        self.reports.clear();
        self.steps = 0;
        let this = Value {
            class: Some(test.class),
            object,
            ..Value::default()
        };
        let arguments = self.provided(test);
        self.run_test_method(test.method, this, arguments);
    }

    /// The abstract arguments that the method named by `@MethodSource` provides for a parameterised test.
    fn provided(&mut self, test: DiscoveredTest) -> Vec<Value<'i, 'r>> {
        let index = self.shared.index;
        let declared = index.method(test.method);
        let Some(source) = declared.annotations.iter().find(|it| it.name == "MethodSource") else {
            return self.mocked_parameters(test.method);
        };
        let name = source.arguments.trim_matches(['"', ' ']);
        let name = if name.is_empty() { declared.name } else { name };
        let mut classes = index.ancestors(test.class).iter().filter(|it| !index.is_library(it.id));
        let provider = classes.find_map(|it| {
            index
                .methods_named(it.id, name)
                .find(|it| index.method(*it).parameters.is_empty())
        });
        match provider {
            Some(provider) if provider != test.method && declared.parameters.len() == 1 => {
                vec![self.summary(Unit::Method(provider)).value.element()]
            }
            _ => Vec::new(),
        }
    }

    /// The abstract arguments of a test method: a mock for each `@Mock` parameter whose class the repository declares,
    /// and an unknown value for others. Empty if there is no mock.
    fn mocked_parameters(&self, method: MethodId) -> Vec<Value<'i, 'r>> {
        let index = self.shared.index;
        let parameters = &index.method(method).parameters;
        let text = index.source(index.file_of(method.owner)).text();
        let mut before = parameters.first().map_or(0, |it| it.at.saturating_sub(MAX_PARAMETER));
        let scope = Scope {
            file: index.file_of(method.owner),
            owner: Some(method.owner),
        };
        let mut values = Vec::new();
        for parameter in parameters {
            let written = text.get(before as usize..parameter.at as usize).unwrap_or_default();
            let is_mock = written.rsplit(['(', ')']).next().is_some_and(|it| it.contains("@Mock"));
            let class = match index.resolve_type(&parse_type(parameter.type_text), scope, &[]) {
                Type::Declared(id, _) if is_mock && !index.is_library(id) => Some(id),
                _ => None,
            };
            values.push(class.map_or_else(Value::default, mock));
            before = parameter.at;
        }
        let is_any = values.iter().any(|it| it.object.is_some());
        if is_any { values } else { Vec::new() }
    }

    fn setup(&mut self, method: MethodId, object: Option<Arc<Object<'i, 'r>>>) -> Option<Arc<Object<'i, 'r>>> {
        let this = Value {
            class: object.as_ref().map(|it| it.class),
            object: object.clone(),
            ..Value::default()
        };
        let after = self.run_test_method(method, this, Vec::new());
        after.and_then(|it| it.object).or(object)
    }

    /// The setup methods of a phase such as `@BeforeEach`, those of enclosing classes and superclasses first. An
    /// overridden method runs as its override.
    fn setup_methods(&self, class: TypeId, phase: Phase) -> Vec<MethodId> {
        let index = self.shared.index;
        let mut order: Vec<MethodId> = Vec::new();
        let mut around = vec![class];
        while let Some(outer) = around.last().and_then(|it| index.enclosing(*it)) {
            around.push(outer);
        }
        for class in around.into_iter().rev() {
            let ancestors = index.ancestors(class).iter().filter(|it| !index.is_library(it.id));
            let ids: Vec<TypeId> = ancestors.map(|it| it.id).collect();
            for id in ids.into_iter().rev() {
                for declared in setup_methods(index, id) {
                    let method = index.method(declared);
                    if phase_around_test(method) == Some(phase) && !method.is_constructor {
                        let runs = index.override_in(class, declared);
                        if !order.contains(&runs) {
                            order.push(runs);
                        }
                    }
                }
            }
        }
        order
    }
}
