//! Variables that expressions mention, and the code of tasks that they hold.

use crate::syntax::body::{Block, Expression, ExpressionKind};
use crate::syntax::visit::{Visit, walk_expression};

/// The maximum number of variables that are followed to their values for one task.
const MAX_ALIASES: usize = 8;

/// The variables and fields that an expression mentions, also inside its lambdas and classes; each once.
pub(super) fn names_in<'r>(expression: &Expression<'r>) -> Vec<&'r str> {
    let mut found = Mentioned(Vec::new());
    found.expression(expression);
    found.0
}

struct Mentioned<'r>(Vec<&'r str>);

impl<'b, 'r: 'b> Visit<'b, 'r> for Mentioned<'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Name(name) if is_variable(name) && !self.0.contains(name) => self.0.push(name),
            ExpressionKind::Field { object, name } => {
                if matches!(object.kind, ExpressionKind::This) && !self.0.contains(name) {
                    self.0.push(name);
                }
                walk_expression(self, expression);
            }
            _ => walk_expression(self, expression),
        }
    }
}

/// Whether a name is that of a variable and not of a class or constant.
fn is_variable(name: &str) -> bool {
    !name.starts_with(char::is_uppercase)
}

/// The values of the local variables of a body, in the order of assignment.
pub(super) type Values<'b, 'r> = Vec<(&'r str, &'b Expression<'r>)>;

/// The bodies of lambdas and anonymous classes in some expressions and in the variables that they mention, with all
/// variables that are mentioned on the way.
pub(super) fn tasks<'b, 'r>(
    expressions: impl IntoIterator<Item = &'b Expression<'r>>,
    values: &Values<'b, 'r>,
) -> (Vec<&'b Block<'r>>, Vec<&'r str>) {
    let mut blocks = Blocks(Vec::new());
    let mut names: Vec<&'r str> = Vec::new();
    for expression in expressions {
        blocks.expression(expression);
        names.extend(names_in(expression));
    }
    let mut at = 0;
    while at < names.len() && at < MAX_ALIASES {
        if let Some((_, value)) = values.iter().rev().find(|(it, _)| *it == names[at])
            && holds_task(value)
        {
            blocks.expression(value);
            for name in names_in(value) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        at += 1;
    }
    (blocks.0, names)
}

/// Whether a value may hold a task: a construction, a lambda, or a call that is given one.
fn holds_task(value: &Expression<'_>) -> bool {
    match &value.kind {
        ExpressionKind::New(_) | ExpressionKind::Lambda(_) | ExpressionKind::MethodReference { .. } => true,
        ExpressionKind::Call(call) => call.arguments.iter().any(holds_task),
        ExpressionKind::Cast { value, .. } => holds_task(value),
        _ => false,
    }
}

struct Blocks<'b, 'r>(Vec<&'b Block<'r>>);

impl<'b, 'r: 'b> Visit<'b, 'r> for Blocks<'b, 'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Lambda(lambda) => self.0.push(&lambda.body),
            ExpressionKind::New(new) => match &new.body {
                Some(class) => {
                    let tasks = class
                        .methods
                        .iter()
                        .filter(|it| matches!(it.name, "run" | "call" | "get"));
                    self.0.extend(tasks.map(|it| &it.body));
                }
                None => walk_expression(self, expression),
            },
            _ => walk_expression(self, expression),
        }
    }
}
