//! Finds where a floating-point number is computed, through variables and methods of the repository.

use super::catalogue::{Catalogue, lists};
use crate::flows::flow::Site;
use crate::symbols::ids::{FileId, MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Body, Call, Expression, ExpressionKind, LiteralKind, Local, Statement};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local, walk_statement};
use rustc_hash::FxHashMap;

/// The maximum number of calls between an assertion and the floating-point arithmetic that computes its value.
const MAX_CALLS: u8 = 3;

/// The body of a method, with the types and values of its variables, to find floating-point arithmetic in it.
pub(super) struct FloatBody<'i, 'r> {
    index: &'i Index<'r>,
    owner: TypeId,
    pub(super) file: FileId,
    pub(super) targets: &'i [Target<'r>],
    pub(super) body: &'i Body<'r>,
    /// The declared type and the value of each variable; the value is `None` if none is known, as after a second `=`.
    variables: FxHashMap<&'r str, (&'r str, Option<&'i Expression<'r>>)>,
}

/// The place where a floating-point number is computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Computation {
    pub(super) site: Site,
    /// How many nested calls lie between an assertion and the place where its floating-point number is computed.
    pub(super) calls: u8,
}

impl<'i, 'r> FloatBody<'i, 'r> {
    /// The body of a method with its variables; `None` if the method has no body.
    pub(super) fn new(index: &'i Index<'r>, id: MethodId) -> Option<Self> {
        let method = index.method(id);
        let body = method.code.as_ref()?.get();
        let mut variables = Variables(FxHashMap::default());
        for parameter in &method.parameters {
            variables.0.insert(parameter.name, (parameter.type_text, None));
        }
        walk_block(&mut variables, &body.block);
        Some(Self {
            index,
            owner: id.owner,
            file: index.file_of(id.owner),
            targets: method_targets(index, id),
            body,
            variables: variables.0,
        })
    }

    pub(super) fn site(&self, expression: &Expression<'r>) -> Site {
        Site {
            file: self.file,
            start: expression.start,
            end: expression.end,
        }
    }

    /// The source text of an expression in the body of the method.
    pub(super) fn text(&self, expression: &Expression<'r>) -> &'r str {
        &self.index.source(self.file).text()[expression.start as usize..expression.end as usize]
    }

    /// The place where the floating-point number of an expression is computed with rounding. `None` if no such
    /// computation is found.
    pub(super) fn computation(&self, expression: &'i Expression<'r>) -> Option<Computation> {
        self.computed(expression, MAX_CALLS)
    }

    fn computed(&self, expression: &'i Expression<'r>, calls: u8) -> Option<Computation> {
        match &expression.kind {
            ExpressionKind::Binary { operator, operands } => {
                let is_arithmetic = ["+", "-", "*", "/"].contains(operator);
                let rounds = is_arithmetic && operands.iter().any(|it| self.is_floating(it));
                let is_text = operands
                    .iter()
                    .any(|it| matches!(it.kind, ExpressionKind::Literal(LiteralKind::String)));
                // The compiler computes an operation on literals, always with the same result.
                let is_constant = operands.iter().all(is_constant);
                (rounds && !is_text && !is_constant).then(|| Computation {
                    site: self.site(expression),
                    calls: MAX_CALLS - calls,
                })
            }
            ExpressionKind::Name(name) => match self.variables.get(name) {
                Some((_, Some(value))) if self.is_floating(expression) => self.computed(value, calls),
                _ => None,
            },
            ExpressionKind::Cast { value, type_text } if is_floating_type(type_text) => self.computed(value, calls),
            ExpressionKind::Assign { operator, .. } if *operator != "=" => Some(Computation {
                site: self.site(expression),
                calls: MAX_CALLS - calls,
            }),
            ExpressionKind::Unary { operand, .. } => self.computed(operand, calls),
            ExpressionKind::Call(call) => self.computed_by(call, expression, calls),
            _ => None,
        }
    }

    fn computed_by(&self, call: &'i Call<'r>, whole: &Expression<'r>, calls: u8) -> Option<Computation> {
        let float = &Catalogue::shipped().float;
        let is_math = matches!(
            call.receiver.as_ref().map(|it| &it.kind),
            Some(ExpressionKind::Name("Math"))
        );
        let is_sum = lists(&float.sums, call.name) && self.text(whole).contains("Double");
        if is_math && lists(&float.inexact, call.name) || is_sum {
            return Some(Computation {
                site: self.site(whole),
                calls: MAX_CALLS - calls,
            });
        }
        let Target::Declared(id) = self.targets[call.id.0 as usize] else {
            return None;
        };
        let method = self.index.method(id);
        if !is_floating_type(method.return_type) || method.return_dimensions > 0 {
            return None;
        }
        let calls = calls.checked_sub(1)?;
        let body = FloatBody::new(self.index, id)?;
        let mut returns = Returns(Vec::new());
        walk_block(&mut returns, &body.body.block);
        returns.0.into_iter().find_map(|it| body.computed(it, calls))
    }

    /// Whether an expression has the type `float` or `double`, as far as declared types show.
    pub(super) fn is_floating(&self, expression: &Expression<'r>) -> bool {
        match &expression.kind {
            ExpressionKind::Literal(kind) => *kind == LiteralKind::Floating,
            ExpressionKind::Name(name) => match self.variables.get(name) {
                Some((type_text, _)) => is_floating_type(type_text),
                None => self.is_floating_field(name),
            },
            ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => {
                self.is_floating_field(name)
            }
            ExpressionKind::Cast { type_text, .. } => is_floating_type(type_text),
            ExpressionKind::Unary { operand, .. } => self.is_floating(operand),
            ExpressionKind::Binary { operator, operands } => {
                ["+", "-", "*", "/", "%"].contains(operator) && operands.iter().any(|it| self.is_floating(it))
            }
            ExpressionKind::Call(call) => match self.targets[call.id.0 as usize] {
                Target::Declared(id) | Target::Library(id) => {
                    let method = self.index.method(id);
                    is_floating_type(method.return_type) && method.return_dimensions == 0
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_floating_field(&self, name: &str) -> bool {
        let field = self.index.field(self.owner, name);
        field.is_some_and(|(_, it)| is_floating_type(it.type_text) && it.dimensions == 0)
    }
}

/// Whether an expression consists of literals alone, so that the compiler computes it.
fn is_constant(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Literal(_) => true,
        ExpressionKind::Unary { operand, .. } => is_constant(operand),
        ExpressionKind::Cast { value, .. } => is_constant(value),
        ExpressionKind::Binary { operands, .. } => operands.iter().all(is_constant),
        _ => false,
    }
}

fn is_floating_type(text: &str) -> bool {
    ["double", "float", "Double", "Float"].contains(&text)
}

/// A visitor that collects the declared type and the value of each variable of a body. The value is `None` if none is
/// known, as after a second `=`.
struct Variables<'i, 'r>(FxHashMap<&'r str, (&'r str, Option<&'i Expression<'r>>)>);

impl<'i, 'r: 'i> Visit<'i, 'r> for Variables<'i, 'r> {
    fn local(&mut self, local: &'i Local<'r>) {
        let value = if self.0.contains_key(local.name) {
            None
        } else {
            local.value.as_ref()
        };
        let type_text = if local.dimensions > 0 { "" } else { local.type_text };
        self.0.insert(local.name, (type_text, value));
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'i Expression<'r>) {
        if let ExpressionKind::Assign {
            target,
            operator,
            value,
        } = &expression.kind
            && let ExpressionKind::Name(name) = target.kind
            && let Some(known) = self.0.get_mut(name)
        {
            // `total += x` rounds, whatever the variable held before.
            known.1 = match (*operator, &known.1) {
                ("=", Some(_)) => None,
                ("=", None) => Some(&**value),
                _ => Some(expression),
            };
        }
        walk_expression(self, expression);
    }
}

/// A visitor that collects the values that a method returns, without those of lambdas and inner classes.
struct Returns<'i, 'r>(Vec<&'i Expression<'r>>);

impl<'i, 'r: 'i> Visit<'i, 'r> for Returns<'i, 'r> {
    fn statement(&mut self, statement: &'i Statement<'r>) {
        if let Statement::Return(Some(value)) = statement {
            self.0.push(value);
        }
        walk_statement(self, statement);
    }

    fn expression(&mut self, _: &'i Expression<'r>) {}
}
