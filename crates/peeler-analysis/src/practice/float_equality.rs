//! Assertions that compare computed floating-point numbers for equality.
//!
//! ```java
//! assertEquals(0.3, price + 0.2);           // PLR308, with double price
//! assertEquals(0.3, price + 0.2, 1e-9);     // no finding
//! ```
//!
//! Left out: expected numbers such as `0.5` that a `double` holds exactly, and assertion methods that the repository
//! declares.

use peeler_features::Rule;

use super::catalogue::Catalogue;
use super::floats::{Computation, FloatBody};
use crate::assertions::{AssertionOwner, ExtraAssertion, classify};
use crate::flows::flow::{FlowOrigin, FoundFlow, Site};
use crate::symbols::ids::MethodId;
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind, LiteralKind, Statement};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_statement};

/// The flows from floating-point computations to assertions without a tolerance in a method of the test's own classes.
/// `own` is the origin of flows whose computation is in that method.
pub(super) fn float_comparisons(
    index: &Index<'_>,
    extra: &[ExtraAssertion],
    method: MethodId,
    own: FlowOrigin,
) -> Vec<FoundFlow> {
    let code = index.method(method).code.as_ref();
    // Most bodies end here: they compare nothing.
    if !code.is_some_and(|it| it.source().contains("assert")) {
        return Vec::new();
    }
    let Some(body) = FloatBody::new(index, method) else {
        return Vec::new();
    };
    let mut comparisons = Comparisons {
        index,
        extra,
        body: &body,
        found: Vec::new(),
    };
    walk_block(&mut comparisons, &body.body.block);
    let found = comparisons.found.into_iter();
    found
        .map(|(oracle, computation)| FoundFlow {
            rule: Rule::FloatEquality,
            what: "compares a computed floating-point number without a tolerance".to_owned(),
            source: computation.site,
            steps: Vec::new(),
            oracle: Some(oracle),
            origin: match computation.calls {
                0 => own,
                calls => FlowOrigin::CodeUnderTest(calls),
            },
            settled_by: None,
            is_sure: true,
        })
        .collect()
}

/// A visitor that collects assertions that compare a computed floating-point number for equality.
struct Comparisons<'c, 'i, 'r> {
    index: &'i Index<'r>,
    extra: &'c [ExtraAssertion],
    body: &'c FloatBody<'i, 'r>,
    found: Vec<(Site, Computation)>,
}

impl<'i, 'r: 'i> Visit<'i, 'r> for Comparisons<'_, 'i, 'r> {
    fn statement(&mut self, statement: &'i Statement<'r>) {
        if let Statement::Assert { condition, .. } = statement {
            self.condition(condition, self.body.site(condition));
        }
        walk_statement(self, statement);
    }

    fn expression(&mut self, expression: &'i Expression<'r>) {
        if let ExpressionKind::Call(call) = &expression.kind {
            self.call(call, self.body.site(expression));
        }
        walk_expression(self, expression);
    }
}

impl<'i, 'r: 'i> Comparisons<'_, 'i, 'r> {
    fn call(&mut self, call: &'i Call<'r>, site: Site) {
        match (call.name, call.arguments.as_slice()) {
            ("assertEquals", [a, b]) if self.is_library_assertion(call) => self.pair(a, b, site),
            ("assertEquals", [message, a, b]) if is_text(message) && self.is_library_assertion(call) => {
                self.pair(a, b, site);
            }
            ("assertEquals", [a, b, message]) if is_text(message) && self.is_library_assertion(call) => {
                self.pair(a, b, site);
            }
            ("assertTrue", [condition]) => self.condition(condition, site),
            ("assertTrue", [a, b]) => {
                let condition = if is_text(a) { b } else { a };
                self.condition(condition, site);
            }
            ("isEqualTo", [expected]) => {
                if let Some(actual) = call.receiver.as_ref().and_then(opened_by) {
                    let chain = call.receiver.as_ref().map_or("", |it| self.body.text(it));
                    let is_tolerant = Catalogue::shipped()
                        .float
                        .tolerant
                        .iter()
                        .any(|it| chain.contains(it.as_str()));
                    if !is_tolerant {
                        self.pair(expected, actual, site);
                    }
                }
            }
            ("assertThat", [actual, matcher]) => {
                if let ExpressionKind::Call(matcher) = &matcher.kind
                    && ["is", "equalTo"].contains(&matcher.name)
                    && let [expected] = matcher.arguments.as_slice()
                {
                    self.pair(expected, actual, site);
                }
            }
            _ => {}
        }
    }

    /// Whether a call is an assertion of a library. For assertion methods of the repository it is unknown whether they
    /// allow a tolerance.
    fn is_library_assertion(&self, call: &Call<'r>) -> bool {
        let name;
        let owner = match self.body.targets[call.id.0 as usize] {
            Target::Unknown => AssertionOwner::Unknown,
            Target::External(name) => AssertionOwner::Outside(name),
            Target::Library(id) => {
                name = self.index.binary_name(id.owner).replace('$', ".");
                AssertionOwner::Outside(&name)
            }
            Target::Declared(_) | Target::Owner(_) => return false,
        };
        classify(self.extra, call.name, owner, call.receiver.is_some()).is_some()
    }

    fn condition(&mut self, condition: &'i Expression<'r>, site: Site) {
        if let ExpressionKind::Binary { operator, operands } = &condition.kind
            && *operator == "=="
            && let [a, b] = operands.as_slice()
        {
            self.pair(a, b, site);
        }
    }

    fn pair(&mut self, a: &'i Expression<'r>, b: &'i Expression<'r>, site: Site) {
        let is_exact = [a, b].iter().any(|it| {
            let number = unboxed(it);
            is_exact_literal(self.body.text(number), number)
        });
        let is_floating = self.body.is_floating(a) || self.body.is_floating(b);
        if is_exact || !is_floating {
            return;
        }
        let computation = self.body.computation(b).or_else(|| self.body.computation(a));
        self.found.extend(computation.map(|it| (site, it)));
    }
}

/// The actual value of a fluent assertion that begins with `assertThat(actual)`. `None` after calls that may change
/// what is compared.
fn opened_by<'i, 'r>(chain: &'i Expression<'r>) -> Option<&'i Expression<'r>> {
    let mut current = chain;
    while let ExpressionKind::Call(call) = &current.kind {
        if let ("assertThat", [actual]) = (call.name, call.arguments.as_slice()) {
            return Some(actual);
        }
        // Other links may change what is compared.
        if !["as", "describedAs", "withFailMessage"].contains(&call.name) {
            return None;
        }
        current = call.receiver.as_ref()?;
    }
    None
}

fn is_text(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Literal(kind) => *kind == LiteralKind::String,
        ExpressionKind::Binary { operands, .. } => operands.first().is_some_and(is_text),
        _ => false,
    }
}

/// The argument of `valueOf`, as in `Double.valueOf(0.3)`, or the operand of a cast; every other expression itself.
fn unboxed<'i, 'r>(expression: &'i Expression<'r>) -> &'i Expression<'r> {
    match &expression.kind {
        ExpressionKind::Call(call) if call.name == "valueOf" => call.arguments.first().unwrap_or(expression),
        ExpressionKind::Cast { value, .. } => unboxed(value),
        _ => expression,
    }
}

/// Whether a literal such as `0.5` is a number that a `double` holds exactly, so that the test expects an exact result.
fn is_exact_literal(text: &str, expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Literal(LiteralKind::Integer | LiteralKind::Long | LiteralKind::Null) => true,
        ExpressionKind::Literal(LiteralKind::Floating) => {
            let digits = text.trim_end_matches(['f', 'F', 'd', 'D']).replace('_', "");
            digits.parse::<f64>().is_ok_and(|it| (it * 1024.0).fract() == 0.0)
        }
        ExpressionKind::Unary { operand, .. } => is_exact_literal(text.trim_start_matches(['-', '+', ' ']), operand),
        _ => false,
    }
}
