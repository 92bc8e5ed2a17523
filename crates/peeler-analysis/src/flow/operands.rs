//! Which arguments of an assertion are judged, which side is expected, and which are messages or
//! tolerances.

use crate::assertions::{OWN, Position, Rule};
use crate::syntax::body::{Call, Expression, ExpressionKind, LiteralKind};

pub(super) fn is_call_or_literal(expression: &Expression<'_>) -> bool {
    matches!(expression.kind, ExpressionKind::Call(_) | ExpressionKind::Literal(_))
}

pub(super) fn is_literal(expression: &Expression<'_>) -> bool {
    matches!(expression.kind, ExpressionKind::Literal(_))
        || matches!(&expression.kind, ExpressionKind::Unary { operand, .. } if is_literal(operand))
}

fn is_text(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Literal(kind) => *kind == LiteralKind::String,
        ExpressionKind::Binary { operator, operands } => *operator == "+" && operands.first().is_some_and(is_text),
        _ => false,
    }
}

/// The judged operands of a call, each with whether it is the expected side, and the others:
/// messages and tolerances.
pub(super) fn operands<'e, 'r>(
    call: &'e Call<'r>,
    rule: Rule,
) -> (Vec<(&'e Expression<'r>, bool)>, Vec<&'e Expression<'r>>) {
    let arguments: Vec<&Expression<'r>> = call.arguments.iter().collect();
    if rule.family == OWN || call.name.starts_with("fail") || call.name == "assertAll" {
        return (
            arguments.into_iter().map(|it| (it, is_literal(it))).collect(),
            Vec::new(),
        );
    }
    let wanted = if takes_one(call.name) { 1 } else { 2 };
    if arguments.len() <= wanted {
        return (sides(&arguments, rule), Vec::new());
    }
    let skipped = usize::from(begins_with_message(call, rule, wanted));
    let judged = &arguments[skipped..(skipped + wanted).min(arguments.len())];
    let others = arguments
        .iter()
        .enumerate()
        .filter(|(at, _)| *at < skipped || *at >= skipped + wanted)
        .map(|(_, it)| *it)
        .collect();
    (sides(judged, rule), others)
}

/// JUnit 3 and 4 take a message first, everybody else last. A third argument may also be a tolerance,
/// which stands last everywhere.
fn begins_with_message(call: &Call<'_>, rule: Rule, wanted: usize) -> bool {
    let [first, .., last] = call.arguments.as_slice() else {
        return false;
    };
    match rule.message {
        Position::First => {
            let has_tolerance = call.arguments.len() == wanted + 1 && is_number(last) && !is_text(first);
            !(wanted == 2 && has_tolerance)
        }
        Position::Last => false,
        Position::Unknown => is_text(first) && !is_text(last),
    }
}

fn is_number(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Literal(kind) => {
            matches!(kind, LiteralKind::Floating | LiteralKind::Integer | LiteralKind::Long)
        }
        ExpressionKind::Unary { operand, .. } => is_number(operand),
        ExpressionKind::Cast { value, .. } => is_number(value),
        ExpressionKind::Name(name) => ["delta", "epsilon", "tolerance", "DELTA", "EPSILON"].contains(name),
        _ => false,
    }
}

fn takes_one(name: &str) -> bool {
    ["assertTrue", "assertFalse", "assertNull", "assertNotNull"].contains(&name)
}

fn sides<'e, 'r>(operands: &[&'e Expression<'r>], rule: Rule) -> Vec<(&'e Expression<'r>, bool)> {
    match operands {
        [first, second] => {
            let expected = match (is_literal(first), is_literal(second)) {
                (true, false) => 0,
                (false, true) => 1,
                _ => usize::from(rule.expected == Position::Last),
            };
            vec![(*first, expected == 0), (*second, expected == 1)]
        }
        others => others.iter().map(|it| (*it, false)).collect(),
    }
}
