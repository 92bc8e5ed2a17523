//! Reads the body of a method into steps: what it does with shared states, in the order of evaluation.
//!
//! Left out on purpose: values that are computed once and then kept (`if (cache == null) cache = load();`). Counters of
//! the code under test are left out too.

use super::blocks::last_statement;
use super::catalogue::CATALOGUE;
use super::names::{LocalFact, Names, is_saved};
use super::state::{Action, Alternative, Callee, Extent, Receiver, StateKey, Step, Value};
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Block, Body, ClassBody, Expression, ExpressionKind, Lambda, LiteralKind, Local, Statement};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local, walk_statement};

/// Whether the body of a method belongs to tests. A counter that tests change is a shared state; one of other code is
/// not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeKind {
    Test,
    Main,
}

/// The steps in the body of a method that can affect shared states: reads, writes, calls and branches.
pub(super) fn body_steps<'r>(names: Names<'_, '_, 'r>, kind: CodeKind, body: &Body<'r>) -> Vec<Step<'r>> {
    let mut reader = StepReader {
        names,
        kind,
        steps: Vec::new(),
        guards: Vec::new(),
        is_restoring: false,
        is_exceptional: false,
    };
    walk_block(&mut reader, &body.block);
    reader.steps
}

/// A visitor that turns the statements and expressions of a body into steps that can affect shared states.
pub(super) struct StepReader<'a, 'i, 'r> {
    pub(super) names: Names<'a, 'i, 'r>,
    pub(super) kind: CodeKind,
    pub(super) steps: Vec<Step<'r>>,
    /// Shared states that a condition around the visited code found unset, as in `if (cache == null)`. What the code
    /// assigns to them is computed once.
    pub(super) guards: Vec<StateKey<'r>>,
    /// Whether the visited code restores things: it is in a `finally` block or in the teardown of an anonymous JUnit
    /// rule.
    pub(super) is_restoring: bool,
    /// Whether the visited code is in a `catch` block, which a test that passes seldom reaches.
    is_exceptional: bool,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for StepReader<'_, '_, 'r> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise),
            Statement::Loop {
                init,
                condition,
                update,
                body,
            } => {
                self.block(init);
                if let Some(condition) = condition {
                    self.expression(condition);
                }
                let run = self.alternative(|it| {
                    it.block(body);
                    for update in update {
                        it.expression(update);
                    }
                });
                self.maybe(run);
            }
            Statement::ForEach {
                variable,
                iterable,
                body,
            } => {
                self.expression(iterable);
                self.local(variable);
                let run = self.alternative(|it| it.block(body));
                self.maybe(run);
            }
            Statement::Switch(switch) => {
                self.expression(&switch.subject);
                let mut alternatives: Vec<Alternative<'r>> = switch
                    .arms
                    .iter()
                    .map(|arm| self.alternative(|it| it.block(&arm.body)))
                    .collect();
                if !switch.has_default {
                    alternatives.push(Alternative::default());
                }
                self.steps.push(Step::Branch(alternatives));
            }
            Statement::Try {
                resources,
                body,
                catches,
                finally,
            } => {
                self.block(resources);
                self.block(body);
                self.close(resources);
                for catch in catches {
                    self.local(&catch.variable);
                    let before = std::mem::replace(&mut self.is_exceptional, true);
                    let run = self.alternative(|it| it.block(&catch.body));
                    self.is_exceptional = before;
                    self.maybe(run);
                }
                let before = std::mem::replace(&mut self.is_restoring, true);
                self.block(finally);
                self.is_restoring = before;
            }
            Statement::Return(Some(value)) => {
                self.expression(value);
                // Who gets a static mock closes it.
                if let ExpressionKind::Name(name) = value.kind
                    && let Some(LocalFact::Mock(key)) = self.names.fact(name)
                {
                    self.access(key, Action::Write(Value::Restored, Extent::Whole), value);
                }
            }
            _ => walk_statement(self, statement),
        }
    }

    fn local(&mut self, local: &'b Local<'r>) {
        // A value that is read to be restored later decides nothing.
        if !is_saved(local.name) {
            walk_local(self, local);
        }
        let fact = local
            .value
            .as_ref()
            .map_or(LocalFact::Plain, |it| self.names.local_fact(it));
        if let LocalFact::Mock(key) = &fact
            && let Some(value) = &local.value
        {
            self.access(key.clone(), Action::Write(Value::Changed, Extent::Whole), value);
        }
        self.names.declare(local.name, fact);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => self.assign(operator, target, value, expression),
            ExpressionKind::Update { operand, .. } => {
                // A counter matters where an assertion names it; most counters make names unique.
                if let Some(key) = self.names.key(operand)
                    && self.kind == CodeKind::Test
                    && self.names.is_asserted(self.names.text(operand))
                {
                    self.access(key, Action::Write(Value::Changed, Extent::Nothing), expression);
                }
            }
            ExpressionKind::Name(_) | ExpressionKind::Field { .. } => match self.names.written_key(expression) {
                // A bean is read when it is called.
                Some(StateKey::Named(_)) => {}
                Some(key) => self.access(key, Action::Read, expression),
                None => walk_expression(self, expression),
            },
            ExpressionKind::Index { index, .. } => {
                self.expression(index);
                match self.names.key(expression) {
                    Some(key) => self.access(key, Action::Read, expression),
                    None => walk_expression(self, expression),
                }
            }
            // Whether a cache is there yet decides only who fills it.
            ExpressionKind::Binary { operands, .. }
                if self.kind == CodeKind::Main
                    && operands.iter().any(is_null)
                    && operands.iter().any(|it| self.names.key(it).is_some()) => {}
            ExpressionKind::Call(call) => self.call(call, expression),
            ExpressionKind::New(new) => self.construct(new, expression),
            ExpressionKind::DelegateConstructor { id, arguments, .. } => {
                for argument in arguments {
                    self.expression(argument);
                }
                if let Target::Declared(method) = self.names.target(*id) {
                    self.run(&[Callee::Method(method)], Receiver::This, arguments);
                }
            }
            ExpressionKind::Lambda(lambda) => self.lambda(lambda),
            ExpressionKind::MethodReference { .. } => {}
            _ => walk_expression(self, expression),
        }
    }

    fn class(&mut self, class: &'b ClassBody<'r>) {
        self.names.enter_class(class);
        for field in &class.fields {
            walk_local(self, field);
        }
        let before = self.is_restoring;
        for method in &class.methods {
            self.is_restoring = before || CATALOGUE.methods.is_teardown(method.name);
            for parameter in &method.parameters {
                self.names.declare(parameter.name, LocalFact::Plain);
            }
            let run = self.alternative(|it| it.block(&method.body));
            self.maybe(run);
        }
        self.is_restoring = before;
        self.names.leave_class();
    }
}

impl<'b, 'r: 'b> StepReader<'_, '_, 'r> {
    pub(super) fn index(&self) -> &Index<'r> {
        self.names.fields.index
    }

    /// Collects the steps that `read` adds, as one alternative of a branching statement.
    fn alternative(&mut self, read: impl FnOnce(&mut Self)) -> Alternative<'r> {
        let outer = std::mem::take(&mut self.steps);
        let guards = self.guards.len();
        read(self);
        self.guards.truncate(guards);
        Alternative {
            steps: std::mem::replace(&mut self.steps, outer),
            throws: false,
        }
    }

    /// Adds a branch whose steps may or may not run, such as the body of a loop.
    fn maybe(&mut self, alternative: Alternative<'r>) {
        if !alternative.steps.is_empty() {
            self.steps.push(Step::Branch(vec![alternative, Alternative::default()]));
        }
    }

    fn branch(&mut self, condition: &'b Expression<'r>, then: &'b Block<'r>, otherwise: &'b Block<'r>) {
        self.expression(condition);
        let returns = matches!(last_statement(then), Some(Statement::Return(_)));
        let guarded = if returns || tests_absence(self.names.text(condition)) {
            self.names.mentioned(condition)
        } else {
            Vec::new()
        };
        let read = |reader: &mut Self, block: &'b Block<'r>| {
            let mut alternative = reader.alternative(|it| {
                it.guards.extend(guarded.iter().cloned());
                it.block(block);
            });
            alternative.throws = matches!(last_statement(block), Some(Statement::Throw(_)));
            alternative
        };
        let alternatives = vec![read(self, then), read(self, otherwise)];
        if alternatives.iter().any(|it| !it.steps.is_empty() || it.throws) {
            self.steps.push(Step::Branch(alternatives));
        }
        // `if (cache != null) return cache;` guards the rest of the body.
        if returns {
            self.guards.extend(guarded);
        }
    }

    /// Adds the closing of static mocks that are resources of a `try`: the mocked class is restored.
    fn close(&mut self, resources: &'b Block<'r>) {
        for resource in resources {
            if let Statement::Local(local) = resource
                && let (Some(LocalFact::Mock(key)), Some(value)) = (self.names.fact(local.name), &local.value)
            {
                self.access(key, Action::Write(Value::Restored, Extent::Whole), value);
            }
        }
    }

    fn assign(
        &mut self,
        operator: &str,
        target: &'b Expression<'r>,
        value: &'b Expression<'r>,
        whole: &'b Expression<'r>,
    ) {
        let is_kept =
            matches!(&target.kind, ExpressionKind::Name(name) | ExpressionKind::Field { name, .. } if is_saved(name));
        if !is_kept {
            self.expression(value);
        }
        let fact = self.names.local_fact(value);
        match &target.kind {
            ExpressionKind::Name(name) if self.names.is_local(name) => {
                if let LocalFact::Mock(key) = &fact {
                    self.access(key.clone(), Action::Write(Value::Changed, Extent::Whole), whole);
                }
                self.names.declare(name, fact);
            }
            ExpressionKind::Name(_) | ExpressionKind::Field { .. } => match self.names.assigned(target) {
                Some(state) if operator == "=" => {
                    let value = self.names.assigned_value(value, state.initial);
                    self.access(state.key, Action::Write(value, Extent::Whole), whole);
                }
                Some(state) => {
                    if self.kind == CodeKind::Test || !state.is_immutable {
                        self.access(state.key, Action::Write(Value::Changed, Extent::Nothing), whole);
                    }
                }
                None => {
                    if let ExpressionKind::Field { object, .. } = &target.kind {
                        match self.names.key(object) {
                            Some(key) => self.access(key, Action::Write(Value::Changed, Extent::Nothing), whole),
                            None => self.expression(object),
                        }
                    }
                }
            },
            ExpressionKind::Index { array, index } => {
                self.expression(index);
                match self.names.key(array) {
                    Some(key) => {
                        let element = self.names.entry(key.clone(), index);
                        self.access(key, Action::Write(Value::Changed, Extent::Nothing), whole);
                        if let Some(element) = element {
                            self.access(element, Action::Write(Value::Changed, Extent::Whole), whole);
                        }
                    }
                    None => self.expression(array),
                }
            }
            _ => self.expression(target),
        }
    }

    fn lambda(&mut self, lambda: &'b Lambda<'r>) {
        for parameter in &lambda.parameters {
            self.names.declare(parameter.name, LocalFact::Plain);
        }
        let run = self.alternative(|it| it.block(&lambda.body));
        self.maybe(run);
    }

    /// Adds a read or write of a shared state. Left out are changes in a `catch` block, and writes that only fill in a
    /// missing value: `if (cache == null) cache = load();`.
    pub(super) fn access(&mut self, key: StateKey<'r>, action: Action, whole: &Expression<'r>) {
        let action = match action {
            // A value that is computed when it is missing is the same whoever computes it.
            Action::Write(value, _) if value != Value::Restored && self.guards.contains(&key) => return,
            Action::Write(Value::Changed | Value::Parameter(_), _) if self.is_exceptional && !self.is_restoring => {
                return;
            }
            Action::Write(_, extent) if self.is_restoring => Action::Write(Value::Restored, extent),
            other => other,
        };
        self.steps.push(Step::Access {
            key,
            action,
            start: whole.start,
            end: whole.end,
        });
    }
}

fn is_null(expression: &Expression<'_>) -> bool {
    matches!(expression.kind, ExpressionKind::Literal(LiteralKind::Null))
}

/// Whether a condition asks if something is missing, judged by its text: `cache == null`, `list.isEmpty()`.
fn tests_absence(condition: &str) -> bool {
    ["null", "!", "isEmpty", "contains", "== 0", "isPresent", "false"]
        .iter()
        .any(|it| condition.contains(it))
}
