//! Finds conditions whose outcome follows from constants. The branch that such a condition excludes is not run
//! abstractly.
//!
//! ```java
//! Object find(boolean all) { if (all) { return new HashSet<>(names); } return names.get(0); }
//! find(false)    // never returns the set
//! ```

use super::call::Invocation;
use super::run::{EXACT_DEPTH, EXACT_STEPS, Run};
use super::value::Value;
use crate::symbols::ids::MethodId;
use crate::syntax::body::{Block, Expression, ExpressionKind, LiteralKind, Statement};
use crate::syntax::outline::simple_name;

/// The maximum nesting of the operators in a condition, such as `!(a && b)`. Operands that are nested deeper are not
/// looked at.
const MAX_NESTING: usize = 6;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// Whether a condition is true or false; `None` if constants do not decide it. In a loop it is always `None`,
    /// because variables may have other values in a later iteration.
    pub(super) fn decided(&self, condition: &Expression<'r>) -> Option<bool> {
        if self.frame.loops.is_empty() {
            self.outcome(condition, 0)
        } else {
            None
        }
    }

    fn outcome(&self, condition: &Expression<'r>, depth: usize) -> Option<bool> {
        if depth == MAX_NESTING {
            return None;
        }
        let of = |it: &Expression<'r>| self.outcome(it, depth + 1);
        match &condition.kind {
            ExpressionKind::Literal(LiteralKind::Boolean) => Some(self.text(condition) == "true"),
            ExpressionKind::Name(_) => match self.known(condition)? {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            },
            ExpressionKind::Unary { operator: "!", operand } => of(operand).map(|it| !it),
            ExpressionKind::Binary {
                operator: "&&",
                operands,
            } => {
                let all: Vec<Option<bool>> = operands.iter().map(of).collect();
                let is_any = all.contains(&Some(false));
                let are_all = all.iter().all(|it| *it == Some(true));
                (is_any || are_all).then_some(are_all)
            }
            ExpressionKind::Binary {
                operator: "||",
                operands,
            } => {
                let all: Vec<Option<bool>> = operands.iter().map(of).collect();
                let is_any = all.contains(&Some(true));
                let are_all = all.iter().all(|it| *it == Some(false));
                (is_any || are_all).then_some(is_any)
            }
            ExpressionKind::Binary {
                operator: operator @ ("==" | "!="),
                operands,
            } => {
                let [a, b] = operands.as_slice() else { return None };
                let is_equal = are_equal(self.known(a)?, self.known(b)?)?;
                Some(is_equal == (*operator == "=="))
            }
            ExpressionKind::Call(call) if call.name == "equals" => {
                let (receiver, [argument]) = (call.receiver.as_ref()?, call.arguments.as_slice()) else {
                    return None;
                };
                are_equal(self.known(receiver)?, self.known(argument)?)
            }
            _ => None,
        }
    }

    /// The literal that is known to be the value of an expression, as source text. The expression is a literal itself
    /// or the name of a local variable. `None` if no literal is known.
    fn known(&self, expression: &Expression<'r>) -> Option<&'r str> {
        match &expression.kind {
            ExpressionKind::Literal(_) => Some(self.text(expression)),
            ExpressionKind::Name(name) => self.locals[self.local_at(name)?].1.constant,
            _ => None,
        }
    }

    /// Calls `run` while the local variable at the position `at` is null. `None` changes nothing.
    pub(super) fn with_null(&mut self, at: Option<usize>, run: impl FnOnce(&mut Self)) {
        let null = Value {
            constant: Some("null"),
            ..Value::default()
        };
        let known = at.map(|it| (it, std::mem::replace(&mut self.locals[it].1, null)));
        run(self);
        if let Some((at, known)) = known
            && self.locals[at].1.constant == Some("null")
        {
            self.locals[at].1 = known;
        }
    }

    /// Whether a constant argument of a call may decide which branch of the called method runs. Then the method is run
    /// with the arguments of the call, and its summary is not used.
    pub(super) fn is_chosen_by(&self, method: MethodId, invocation: &Invocation<'i, 'r>) -> bool {
        let is_near = self.units == 0 && self.depth <= EXACT_DEPTH && self.steps < EXACT_STEPS;
        if !is_near || !invocation.arguments.iter().any(|it| it.constant.is_some()) {
            return false;
        }
        let declared = self.shared.index.method(method);
        let constants: Vec<&str> = (declared.parameters.iter().zip(&invocation.arguments))
            .filter(|(_, it): &(_, &Value<'i, 'r>)| it.constant.is_some())
            .map(|(parameter, _)| parameter.name)
            .collect();
        declared
            .code
            .as_ref()
            .is_some_and(|it| has_choice(&it.get().block, &constants))
    }
}

/// The local variable that is null in one branch of `if (name == null)`, and that branch: 0 for the first, 1 for
/// `else`. `None` for other conditions.
pub(super) fn null_branch<'r>(condition: &Expression<'r>) -> Option<(&'r str, usize)> {
    let ExpressionKind::Binary { operator, operands } = &condition.kind else {
        return None;
    };
    let branch = match *operator {
        "==" => 0,
        "!=" => 1,
        _ => return None,
    };
    let is_null = |it: &Expression<'_>| matches!(it.kind, ExpressionKind::Literal(LiteralKind::Null));
    match operands.as_slice() {
        [
            Expression {
                kind: ExpressionKind::Name(name),
                ..
            },
            other,
        ]
        | [
            other,
            Expression {
                kind: ExpressionKind::Name(name),
                ..
            },
        ] if is_null(other) => Some((*name, branch)),
        _ => None,
    }
}

/// Whether two literals are equal, given as source texts. `None` if the texts do not tell, as for `1` and `1.0`.
fn are_equal(one: &str, other: &str) -> Option<bool> {
    if one == other {
        return Some(true);
    }
    if let Some((one, other)) = one.strip_suffix(".class").zip(other.strip_suffix(".class")) {
        return Some(simple_name(one.trim_end()) == simple_name(other.trim_end()));
    }
    let kind = |it: &str| match it.chars().next() {
        Some('"') if it.matches('"').count() == 2 => Some(0),
        Some('\'') => Some(1),
        Some(first) if first.is_ascii_digit() && it.bytes().all(|it| it.is_ascii_digit()) => Some(2),
        _ if matches!(it, "true" | "false") => Some(3),
        _ if it == "null" => Some(4),
        _ => None,
    };
    match (kind(one)?, kind(other)?) {
        // A literal is never null.
        (4, _) | (_, 4) => Some(false),
        (a, b) if a == b => Some(false),
        _ => None,
    }
}

/// Whether a block has an `if`, or returns a `?:`, whose condition mentions one of the variables `names`.
fn has_choice(block: &Block<'_>, names: &[&str]) -> bool {
    block.iter().any(|statement| match statement {
        Statement::If {
            condition,
            then,
            otherwise,
        } => mentions(condition, names, 0) || has_choice(then, names) || has_choice(otherwise, names),
        Statement::Block(block) => has_choice(block, names),
        Statement::Try { body, .. } => has_choice(body, names),
        Statement::Return(Some(value)) => match &value.kind {
            ExpressionKind::Ternary { condition, .. } => mentions(condition, names, 0),
            _ => false,
        },
        _ => false,
    })
}

fn mentions(condition: &Expression<'_>, names: &[&str], depth: usize) -> bool {
    if depth == MAX_NESTING {
        return false;
    }
    let of = |it: &Expression<'_>| mentions(it, names, depth + 1);
    match &condition.kind {
        ExpressionKind::Name(name) => names.contains(name),
        ExpressionKind::Unary { operand, .. } => of(operand),
        ExpressionKind::Binary { operands, .. } => operands.iter().any(of),
        ExpressionKind::Call(call) if call.name == "equals" => {
            call.receiver.as_ref().is_some_and(of) || call.arguments.iter().any(of)
        }
        _ => false,
    }
}
