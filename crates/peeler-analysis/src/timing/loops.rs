//! Finds loops that wait until a condition holds, and loops that only spin on a field.

use crate::syntax::body::{Block, Expression, ExpressionKind, Statement};
use crate::syntax::visit::{Visit, walk_expression, walk_statement};

use super::absence::changes_directly;
use super::scanned_body::ScannedBody;

/// Whether a loop waits: it checks a condition in each turn and ends when the condition holds.
///
/// ```java
/// while (!server.isReady()) { Thread.sleep(10); }
/// for (int i = 0; i < 10; i++) { if (server.isReady()) break; Thread.sleep(10); }
/// while (true) { try { check(); return; } catch (AssertionError e) { Thread.sleep(10); } }
/// do { Thread.sleep(10); } while (count == 0);
/// do { Thread.sleep(10); state = server.state(); } while (state == null);
/// ```
pub(super) fn ends_on_condition<'r>(
    condition: Option<&Expression<'r>>,
    update: &[Expression<'r>],
    body: &Block<'r>,
) -> bool {
    let compares = |it| update.is_empty() && compares_others_variable(it, body);
    let asks = condition.is_some_and(|it| asks_for_state(it) || compares(it) || compares_read(it, body));
    asks || body.iter().any(checks_in_turn)
}

/// Whether a loop condition compares a variable with a literal, and the loop does not change the variable itself.
fn compares_others_variable(condition: &Expression<'_>, body: &Block<'_>) -> bool {
    let ExpressionKind::Binary { operands, .. } = &condition.kind else {
        return false;
    };
    let is_literal = |it: &Expression<'_>| matches!(it.kind, ExpressionKind::Literal(_));
    let is_others = |it: &Expression<'_>| field_name(it).is_some_and(|name| !changes_directly(body, name));
    operands.iter().any(is_literal) && operands.iter().any(is_others)
}

/// Whether a loop condition compares a variable that each turn of the loop reads anew, by a call.
fn compares_read(condition: &Expression<'_>, body: &Block<'_>) -> bool {
    let ExpressionKind::Binary { operator, operands } = &condition.kind else {
        return false;
    };
    match *operator {
        "&&" | "||" => operands.iter().any(|it| compares_read(it, body)),
        "==" | "!=" | "<" | ">" | "<=" | ">=" => operands
            .iter()
            .any(|it| field_name(it).is_some_and(|name| is_read(body, name))),
        _ => false,
    }
}

/// Whether a statement of a block assigns what a call returned to a variable.
fn is_read(block: &Block<'_>, name: &str) -> bool {
    block.iter().any(|it| match it {
        Statement::Expression(Expression {
            kind: ExpressionKind::Assign { target, value, .. },
            ..
        }) => field_name(target) == Some(name) && asks_by_call(value),
        _ => false,
    })
}

/// Whether a loop condition reads something that another thread can change: the result of a call, or a variable.
fn asks_for_state(condition: &Expression<'_>) -> bool {
    match &condition.kind {
        ExpressionKind::Call(call) => !matches!(call.name, "hasNext" | "hasMoreElements" | "size" | "length"),
        ExpressionKind::Name(_) | ExpressionKind::Field { .. } => true,
        ExpressionKind::Unary { operand, .. } => asks_for_state(operand),
        ExpressionKind::Binary { operator, operands } => match *operator {
            "&&" | "||" => operands.iter().any(asks_for_state),
            // `i < list.size()` only counts; `sink.size() < 3` asks.
            "<" | ">" | "<=" | ">=" | "==" | "!=" => operands.iter().any(asks_by_call),
            _ => false,
        },
        ExpressionKind::Assign { value, .. } => asks_for_state(value),
        _ => false,
    }
}

fn asks_by_call(operand: &Expression<'_>) -> bool {
    match &operand.kind {
        ExpressionKind::Call(call) => !matches!(call.name, "currentTimeMillis" | "nanoTime"),
        ExpressionKind::Assign { value, .. } => asks_by_call(value),
        ExpressionKind::Binary { operands, .. } => operands.iter().any(asks_by_call),
        _ => false,
    }
}

/// Whether a statement of a loop body checks something and can end the loop, or tries again after a failure.
fn checks_in_turn(statement: &Statement<'_>) -> bool {
    match statement {
        // Lowered bodies have no `break`: a branch without statements stands for one.
        Statement::If { then, otherwise, .. } => ends(then) || ends(otherwise) || then.iter().any(checks_in_turn),
        Statement::Try { catches, body, .. } => !catches.is_empty() || body.iter().any(checks_in_turn),
        Statement::Block(block) => block.iter().any(checks_in_turn),
        Statement::Return(_) => true,
        _ => false,
    }
}

fn ends(block: &Block<'_>) -> bool {
    block.is_empty() || block.iter().any(ends_statement)
}

fn ends_statement(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::Return(_) => true,
        Statement::Block(block) => ends(block),
        _ => false,
    }
}

/// Whether a loop such as `while (!done) {}` only reads a field that is not volatile, until another thread changes the
/// field.
pub(super) fn is_endless_spin<'r>(
    scanned: &ScannedBody<'_, 'r>,
    condition: &Expression<'r>,
    update: &[Expression<'r>],
    body: &Block<'r>,
) -> bool {
    let mut calls = Calls(false);
    calls.expression(condition);
    calls.block(body);
    if calls.0 || !update.is_empty() || !body.is_empty() {
        return false;
    }
    let field = match &condition.kind {
        ExpressionKind::Unary { operand, .. } => field_name(operand),
        _ => field_name(condition),
    };
    field.is_some_and(|name| is_plain_field(scanned, name))
}

fn field_name<'r>(expression: &Expression<'r>) -> Option<&'r str> {
    match &expression.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => Some(name),
        _ => None,
    }
}

/// Whether a name is a field that is not volatile.
fn is_plain_field(scanned: &ScannedBody<'_, '_>, name: &str) -> bool {
    let index = scanned.index;
    let Some((ancestor, field)) = index.field(scanned.owner, name) else {
        return false;
    };
    let text = index.source(index.file_of(ancestor.id)).text();
    let before = &text[..field.at as usize];
    let declaration = before.rfind([';', '}', '{']).map_or(before, |it| &before[it..]);
    !declaration.contains("volatile")
}

/// A visitor that finds out whether code contains a call.
struct Calls(bool);

impl<'b, 'r: 'b> Visit<'b, 'r> for Calls {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        walk_statement(self, statement);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        self.0 |= matches!(expression.kind, ExpressionKind::Call(_) | ExpressionKind::New(_));
        walk_expression(self, expression);
    }
}
