//! Variables that expressions mention, and tasks for other threads that these variables hold.

use crate::syntax::body::{Block, Expression, ExpressionKind, Statement};
use crate::syntax::visit::{Visit, walk_expression};

use super::scanned_body::ScannedBody;

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

/// The expression that was last assigned to a local variable, or else the initialiser of the field with this name.
/// `None` if there is neither.
pub(super) fn value_of<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    name: &str,
) -> Option<&'b Expression<'r>> {
    if let Some((_, value)) = values.iter().rev().find(|(it, _)| *it == name) {
        return Some(value);
    }
    let (_, field) = scanned.index.field(scanned.owner, name)?;
    match field.code.get().block.first() {
        Some(Statement::Local(local)) => local.value.as_ref(),
        _ => None,
    }
}

/// The tasks of other threads: lambdas, anonymous classes and method references.
#[derive(Default)]
pub(super) struct Tasks<'b, 'r> {
    /// The bodies of lambdas and anonymous classes that other threads run.
    pub(super) blocks: Vec<&'b Block<'r>>,
    /// The method references that other threads run.
    pub(super) references: Vec<&'b Expression<'r>>,
    /// All variables that the expressions of the tasks mention, directly or through the values of other variables.
    pub(super) names: Vec<&'r str>,
}

/// The tasks for other threads in `expressions`. Variables that the expressions mention are followed: to their values
/// in `values`, and to the tasks in `contents` that were added to them.
pub(super) fn tasks<'b, 'r>(
    expressions: impl IntoIterator<Item = &'b Expression<'r>>,
    values: &Values<'b, 'r>,
    contents: &Values<'b, 'r>,
) -> Tasks<'b, 'r> {
    let mut tasks = Tasks::default();
    for expression in expressions {
        tasks.expression(expression);
        tasks.mention(expression);
    }
    let mut at = 0;
    while at < tasks.names.len() && at < MAX_ALIASES {
        let name = tasks.names[at];
        let value = values.iter().rev().find(|(it, _)| *it == name);
        let added = contents.iter().filter(|(it, _)| *it == name);
        for (_, value) in value.into_iter().chain(added) {
            if holds_task(value) {
                tasks.expression(value);
                tasks.mention(value);
            } else if let ExpressionKind::Name(_) = value.kind {
                tasks.mention(value);
            }
        }
        at += 1;
    }
    tasks
}

impl<'r> Tasks<'_, 'r> {
    fn mention(&mut self, expression: &Expression<'r>) {
        for name in names_in(expression) {
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        }
    }
}

/// Whether a name occurs in a block.
pub(super) fn mentions(block: &Block<'_>, name: &str) -> bool {
    let mut found = Mentioned(Vec::new());
    found.block(block);
    found.0.contains(&name)
}

/// Whether a value may hold a task for another thread: a `new` expression, a lambda, a method reference, or a call with
/// one of these as an argument.
pub(super) fn holds_task(value: &Expression<'_>) -> bool {
    match &value.kind {
        ExpressionKind::New(_) | ExpressionKind::Lambda(_) | ExpressionKind::MethodReference { .. } => true,
        ExpressionKind::Call(call) => call.arguments.iter().any(holds_task),
        ExpressionKind::Cast { value, .. } => holds_task(value),
        _ => false,
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Tasks<'b, 'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Lambda(lambda) => self.blocks.push(&lambda.body),
            ExpressionKind::MethodReference { .. } => self.references.push(expression),
            ExpressionKind::New(new) => match &new.body {
                Some(class) => {
                    let tasks = class
                        .methods
                        .iter()
                        .filter(|it| matches!(it.name, "run" | "call" | "get"));
                    self.blocks.extend(tasks.map(|it| &it.body));
                }
                None => walk_expression(self, expression),
            },
            _ => walk_expression(self, expression),
        }
    }
}
