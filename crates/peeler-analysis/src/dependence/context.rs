//! The abstract run of the code around the body of a test: fields, initialisers, setup and teardown.
//!
//! The code before a test is run once for its class; each test continues from a copy of the resulting state.

use rustc_hash::FxHashMap;

use super::effects::Effects;
use super::environment::Environment;
use super::run::{Frame, Run, Value};
use crate::assertions::ExtraAssertion;
use crate::discovery::DiscoveredTest;
use crate::graph::{Graph, IMPLICIT, MAX_NODES, NodeForm, NodeKind, OperationKind};
use crate::lifecycle::{Phase, most_setup_methods, phase_around_test, setup_methods};
use crate::repository::narrow;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::resolve::{code_targets, method_targets};
use crate::syntax::body::Statement;
use crate::syntax::declarations::{LazyBody, MethodDeclaration};
use crate::syntax::visit::Visit;

/// The number of graph nodes that all tests of a class together may copy from the graph of its setup.
const MAX_COPIED_NODES: usize = 4_000_000;
/// The number of graph nodes that the setup of a class may have in any case, however many tests copy them.
const MIN_CONTEXT_NODES: usize = 200;

/// The state of an abstract run after the setup of a class, from which the run of each of its tests starts.
#[derive(Clone)]
pub(crate) struct ClassContext<'r> {
    graph: Graph<'r>,
    environment: Environment<'r>,
    contexts: FxHashMap<(u32, FileId, u32), u32>,
    effects: Effects,
    problems: Vec<&'static str>,
}

/// Abstractly runs fields, initialisers and setup of a class, its superclasses and its enclosing classes.
///
/// Each of the `tests` of the class copies the resulting graph. So the more tests there are, the fewer nodes it may
/// have.
pub(crate) fn class_context<'r>(
    index: &Index<'r>,
    extra: &[ExtraAssertion],
    class: TypeId,
    tests: usize,
) -> ClassContext<'r> {
    let mut run = Run::new(index, extra, class);
    run.graph.max_nodes = (MAX_COPIED_NODES / tests.max(1)).clamp(MIN_CONTEXT_NODES, MAX_NODES);
    let mut around = vec![class];
    while let Some(outer) = around.last().and_then(|it| index.enclosing(*it)) {
        around.push(outer);
    }
    for id in around.into_iter().rev() {
        run.class = id;
        run.context_of(id);
    }
    // Assertions of the setup are not assertions of the test, but their nodes stay in the graph.
    run.graph.clear_assertions();
    ClassContext {
        graph: run.graph,
        environment: run.environment,
        contexts: run.contexts,
        effects: run.effects,
        problems: run.problems,
    }
}

/// The dependency graph of one test, and messages about code that was left out or not parsed completely.
pub(crate) fn test_graph<'r>(
    index: &Index<'r>,
    extra: &[ExtraAssertion],
    context: &ClassContext<'r>,
    test: DiscoveredTest,
) -> (Graph<'r>, Vec<&'static str>) {
    let mut run = Run::new(index, extra, test.class);
    run.graph = context.graph.clone();
    run.graph.max_nodes = MAX_NODES;
    run.environment = context.environment.clone();
    run.contexts.clone_from(&context.contexts);
    run.effects = context.effects.clone();
    run.problems.clone_from(&context.problems);
    let began = run.effects.position();
    run.run_method(test.method, test.method.owner);
    let declared = index.method(test.method);
    run.frame.file = index.file_of(test.method.owner);
    let mut expected = std::mem::take(&mut run.expected);
    if let Some(text) = expected_exception(declared) {
        expected.push(run.expected_by_annotation(declared.at, text));
        run.record_at(declared.at, "expected", text);
    }
    let is_implicit = run.graph.assertions.is_empty();
    if is_implicit || !expected.is_empty() {
        run.assert_effects(began, &expected);
    }
    run.run_all(test.class, Phase::AfterEach);
    if run.graph.assertions.is_empty() {
        run.record_at(declared.at, IMPLICIT, declared.name);
    }
    (run.graph, run.problems)
}

/// The exception that `@Test(expected = X.class)` or `expectedExceptions` names, as `X.class`. `None` if the method's
/// annotation names none.
fn expected_exception<'r>(method: &MethodDeclaration<'r>) -> Option<&'r str> {
    let annotation = method.annotations.iter().find(|it| it.name == "Test")?;
    let (_, behind) = annotation.arguments.split_once("expected")?;
    let (_, value) = behind.split_once('=')?;
    let value = value.trim_start_matches(|c: char| c.is_whitespace() || c == '{');
    let end = value.find(".class")? + ".class".len();
    Some(&value[..end])
}

impl<'r> Run<'_, 'r> {
    fn context_of(&mut self, class: TypeId) {
        let chain: Vec<TypeId> = self
            .index
            .ancestors(class)
            .iter()
            .map(|it| it.id)
            .filter(|it| !self.index.is_library(*it))
            .collect();
        for is_static in [true, false] {
            for &id in chain.iter().rev() {
                self.fields(id, is_static);
                if !is_static {
                    self.constructor(id);
                }
            }
            let phase = if is_static { Phase::BeforeAll } else { Phase::BeforeEach };
            self.run_all(class, phase);
        }
    }

    fn fields(&mut self, id: TypeId, is_static: bool) {
        let declared = self.index.declaration(id);
        for field in declared.fields.iter().filter(|it| it.is_static == is_static) {
            let code = field.code.get();
            let value = code.block.iter().find_map(|statement| match statement {
                Statement::Local(local) if local.name == field.name => local.value.as_ref(),
                _ => None,
            });
            let Some(value) = value else { continue };
            self.in_code(id, &field.code, |run| {
                let value = run.value(value);
                let operation = run.operation(OperationKind::Assign, field.at, "=");
                let node = run.node(NodeKind::Variable, field.at, NodeForm::Plain, field.name);
                run.connect(&value, node, &operation);
                run.environment.locals.remove(field.name);
                run.environment.redefine(field.name, node);
            });
        }
        for block in declared.initialisers.iter().filter(|it| it.is_static == is_static) {
            self.in_code(id, &block.code, |run| run.block(&block.code.get().block));
        }
    }

    fn in_code(&mut self, owner: TypeId, code: &LazyBody<'r>, body: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(
            &mut self.frame,
            Frame {
                file: self.index.file_of(owner),
                owner,
                targets: code_targets(self.index, owner, code),
                context: 0,
                returned: Value::new(),
                method: None,
            },
        );
        let locals = std::mem::take(&mut self.environment.locals);
        body(self);
        self.environment.locals = locals;
        self.frame = outer;
    }

    /// Abstractly runs the constructor that a test runner calls: the one without parameters, or else the only one.
    fn constructor(&mut self, id: TypeId) {
        let methods = &self.index.declaration(id).methods;
        let constructors: Vec<usize> = (0..methods.len()).filter(|at| methods[*at].is_constructor).collect();
        let chosen =
            constructors
                .iter()
                .find(|at| methods[**at].parameters.is_empty())
                .or(if constructors.len() == 1 {
                    constructors.first()
                } else {
                    None
                });
        if let Some(&at) = chosen {
            self.run_method(
                MethodId {
                    owner: id,
                    index: narrow(at),
                },
                id,
            );
        }
    }

    /// Abstractly runs the setup or teardown methods of a phase such as "before each test", those of superclasses
    /// first. An overridden method runs as its override.
    fn run_all(&mut self, class: TypeId, phase: Phase) {
        let index = self.index;
        let is_runnable = |id: &MethodId| {
            let method = index.method(*id);
            method.parameters.len() <= 2 && !method.is_constructor
        };
        let ancestors: Vec<TypeId> = index.ancestors(class).iter().map(|it| it.id).collect();
        let ancestors: Vec<TypeId> = ancestors.into_iter().filter(|it| !index.is_library(*it)).collect();
        let mut order: Vec<MethodId> = Vec::new();
        for (at, &ancestor) in ancestors.iter().enumerate() {
            let mut own = Vec::new();
            let mut found = 0;
            for id in setup_methods(index, ancestor) {
                found += 1;
                let method = index.method(id);
                if !is_runnable(&id) || phase_around_test(method) != Some(phase) {
                    continue;
                }
                let nearest = |it: &TypeId| index.methods_named(*it, method.name).find(is_runnable);
                let runs = ancestors[..=at].iter().find_map(nearest).unwrap_or(id);
                if !order.contains(&runs) && !own.contains(&runs) {
                    own.push(runs);
                }
            }
            if found == most_setup_methods(index.declaration(ancestor).methods.len()) {
                self.problem("only the first setup methods and constructors of a class are followed; it has too many");
            }
            order.splice(0..0, own);
        }
        for method in order {
            self.run_method(method, method.owner);
        }
    }

    /// Abstractly runs a test, setup or teardown method, or a constructor, as the test runner would call it.
    fn run_method(&mut self, method: MethodId, owner: TypeId) {
        let declared = self.index.method(method);
        let Some(code) = &declared.code else { return };
        if !code.get().errors.is_empty() {
            self.problem("the body has syntax errors");
        }
        if code.is_cut() {
            self.problem("the body is longer than 2 MB; statements at its end were left out");
        }
        let outer = std::mem::replace(
            &mut self.frame,
            Frame {
                file: self.index.file_of(owner),
                owner,
                targets: method_targets(self.index, method),
                context: 0,
                returned: Value::new(),
                method: Some(method),
            },
        );
        let locals = std::mem::take(&mut self.environment.locals);
        for parameter in &declared.parameters {
            let node = self.node(NodeKind::Variable, parameter.at, NodeForm::Plain, parameter.name);
            self.environment.declare_local(parameter.name, node);
        }
        self.block(&code.get().block);
        self.environment.locals = locals;
        self.frame = outer;
    }
}
