//! Roles of the arguments of an assertion: actual value, expected value, message or tolerance.

use crate::assertions::{AssertionRule, OWN, OperandPosition};
use crate::syntax::body::{Call, Expression, ExpressionKind, LiteralKind};

/// A side of an assertion: actual or expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OperandSide {
    Actual,
    Expected,
}

impl OperandSide {
    fn of_expected(is_expected: bool) -> Self {
        if is_expected { Self::Expected } else { Self::Actual }
    }
}

/// An operand of an assertion, and whether it is the actual or the expected value.
pub(crate) type JudgedOperand<'e, 'r> = (&'e Expression<'r>, OperandSide);

/// Whether an expression is a call or a literal.
pub(crate) fn is_call_or_literal(expression: &Expression<'_>) -> bool {
    matches!(expression.kind, ExpressionKind::Call(_) | ExpressionKind::Literal(_))
}

/// Whether an expression is a literal, with or without a sign.
pub(crate) fn is_literal(expression: &Expression<'_>) -> bool {
    matches!(expression.kind, ExpressionKind::Literal(_))
        || matches!(&expression.kind, ExpressionKind::Unary { operand, .. } if is_literal(operand))
}

/// Whether an expression is a string literal, or a concatenation that begins with one.
fn is_text(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Literal(kind) => *kind == LiteralKind::String,
        ExpressionKind::Binary { operator, operands } => *operator == "+" && operands.first().is_some_and(is_text),
        _ => false,
    }
}

/// The operands of an assertion, each with its side (actual or expected), and its other arguments: messages and
/// tolerances.
pub(crate) fn operands<'e, 'r>(
    call: &'e Call<'r>,
    rule: AssertionRule,
) -> (Vec<JudgedOperand<'e, 'r>>, Vec<&'e Expression<'r>>) {
    let arguments: Vec<&Expression<'r>> = call.arguments.iter().collect();
    if rule.family == OWN || call.name.starts_with("fail") || call.name == "assertAll" {
        return (
            arguments
                .into_iter()
                .map(|it| (it, OperandSide::of_expected(is_literal(it))))
                .collect(),
            Vec::new(),
        );
    }
    let wanted = if takes_one(call.name) { 1 } else { 2 };
    if arguments.len() <= wanted {
        return (sides(&arguments, rule), Vec::new());
    }
    let skipped = usize::from(begins_with_message(call, rule, wanted));
    let asserted = &arguments[skipped..(skipped + wanted).min(arguments.len())];
    let others = arguments
        .iter()
        .enumerate()
        .filter(|(at, _)| *at < skipped || *at >= skipped + wanted)
        .map(|(_, it)| *it)
        .collect();
    (sides(asserted, rule), others)
}

/// Whether the first argument of an assertion is a failure message.
///
/// JUnit 3 and 4 take a message first, all others last. A third argument may also be a tolerance, which is always last.
/// `wanted` is the number of arguments without message and tolerance: one for `assertTrue`, two for `assertEquals`.
fn begins_with_message(call: &Call<'_>, rule: AssertionRule, wanted: usize) -> bool {
    let [first, .., last] = call.arguments.as_slice() else {
        return false;
    };
    match rule.message {
        OperandPosition::First => {
            let has_tolerance = call.arguments.len() == wanted + 1 && is_number(last) && !is_text(first);
            !(wanted == 2 && has_tolerance)
        }
        OperandPosition::Last => false,
        OperandPosition::Unknown => is_text(first) && !is_text(last),
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

fn sides<'e, 'r>(operands: &[&'e Expression<'r>], rule: AssertionRule) -> Vec<JudgedOperand<'e, 'r>> {
    match operands {
        [first, second] => {
            let expected = match (is_literal(first), is_literal(second)) {
                (true, false) => 0,
                (false, true) => 1,
                _ => usize::from(rule.expected == OperandPosition::Last),
            };
            [*first, *second]
                .into_iter()
                .enumerate()
                .map(|(at, it)| (it, OperandSide::of_expected(at == expected)))
                .collect()
        }
        others => others.iter().map(|it| (*it, OperandSide::Actual)).collect(),
    }
}
