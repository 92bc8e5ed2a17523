//! Finds the variables that code changes: by an assignment, or by a call such as `list.add(x)`.

use crate::syntax::body::{Block, Expression, ExpressionKind, Statement};
use crate::syntax::visit::{Visit, walk_expression, walk_statement};

use super::catalogue::TimingCatalogue;
use super::variables::mentions;

/// The variables that blocks of code change, each once: by an assignment, by `++`, or by a call such as `list.add(x)`.
pub(super) fn changed_names<'b, 'r: 'b>(blocks: impl IntoIterator<Item = &'b Block<'r>>) -> Vec<&'r str> {
    let mut changed = Changed(Vec::new());
    for block in blocks {
        changed.block(block);
    }
    changed.0
}

/// The variables that lambdas, method references and anonymous classes in expressions change: `events` in
/// `bus.register(events::add)`.
pub(super) fn changed_by_functions<'b, 'r: 'b>(
    expressions: impl IntoIterator<Item = &'b Expression<'r>>,
) -> Vec<&'r str> {
    let mut functions = Functions {
        mentioning: None,
        changed: Changed(Vec::new()),
    };
    for expression in expressions {
        functions.expression(expression);
    }
    functions.changed.0
}

/// The variables, other than `name`, that are changed by those lambdas and anonymous classes of a block that mention
/// `name`.
///
/// For the name `latch` and `client.call(it -> { result.set(it); latch.countDown(); })` it returns `result`.
pub(super) fn changed_beside<'b, 'r: 'b>(block: &'b Block<'r>, name: &'r str) -> Vec<&'r str> {
    let mut functions = Functions {
        mentioning: Some(name),
        changed: Changed(Vec::new()),
    };
    functions.block(block);
    functions.changed.0.retain(|it| *it != name);
    functions.changed.0
}

struct Changed<'r>(Vec<&'r str>);

impl<'r> Changed<'r> {
    fn add(&mut self, name: Option<&'r str>) {
        if let Some(name) = name
            && !self.0.contains(&name)
        {
            self.0.push(name);
        }
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Changed<'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        let names = &TimingCatalogue::shipped().names;
        match &expression.kind {
            ExpressionKind::Call(call) if names.is_effect(call.name) => {
                self.add(call.receiver.as_ref().and_then(root_variable));
            }
            ExpressionKind::MethodReference { object, name } if names.is_effect(name) => {
                self.add(root_variable(object));
            }
            ExpressionKind::Update { operand, .. } => self.add(root_variable(operand)),
            ExpressionKind::Assign { target, .. } => self.add(root_variable(target)),
            _ => {}
        }
        walk_expression(self, expression);
    }
}

/// The variable or own field that an expression starts with: `results` of `results[0]` and of `this.results`. `None` if
/// it starts with something else, such as a call.
pub(super) fn root_variable<'r>(place: &Expression<'r>) -> Option<&'r str> {
    match &place.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => Some(name),
        ExpressionKind::Field { object, .. } => root_variable(object),
        ExpressionKind::Index { array, .. } => root_variable(array),
        _ => None,
    }
}

/// A visitor that collects the variables that lambdas, method references and anonymous classes change.
struct Functions<'r> {
    /// The variable that the body of a lambda or anonymous class must mention. Only then the variables that the body
    /// changes are collected. With `None` those of all bodies are collected.
    mentioning: Option<&'r str>,
    changed: Changed<'r>,
}

impl<'r> Functions<'r> {
    fn function(&mut self, block: &Block<'r>) {
        if self.mentioning.is_none_or(|it| mentions(block, it)) {
            self.changed.block(block);
        }
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Functions<'r> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        walk_statement(self, statement);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Lambda(lambda) => self.function(&lambda.body),
            ExpressionKind::MethodReference { .. } if self.mentioning.is_none() => {
                self.changed.expression(expression);
            }
            ExpressionKind::New(new) => {
                for argument in &new.arguments {
                    self.expression(argument);
                }
                for method in new.body.iter().flat_map(|it| &it.methods) {
                    self.function(&method.body);
                }
            }
            _ => walk_expression(self, expression),
        }
    }
}
