//! Types of the expressions of a body. Finding the type of an expression also resolves the calls in it.

use std::sync::Arc;

use super::receivers::Receiver;
use super::resolver::Resolver;
use super::types::Type;
use crate::syntax::body::{Expression, ExpressionKind, LiteralKind};

impl<'r> Resolver<'_, 'r> {
    /// Finds the types of expressions only to resolve the calls in them; the types are not used.
    pub(super) fn types_of(&mut self, values: &[Expression<'r>]) {
        for value in values {
            self.type_of(value);
        }
    }

    /// The type of an expression. All calls inside it are resolved.
    pub(super) fn type_of(&mut self, expression: &Expression<'r>) -> Type<'r> {
        match &expression.kind {
            ExpressionKind::Name(_) | ExpressionKind::Field { .. } => match self.receiver(expression) {
                Receiver::Value(type_) => type_,
                Receiver::Static(_) => Type::Unknown,
            },
            ExpressionKind::Literal(kind) => self.literal(*kind, expression),
            ExpressionKind::This => match self.inner.last() {
                Some(inner) => inner.supertype.clone(),
                None => self.this(),
            },
            ExpressionKind::Super => self.super_type(),
            ExpressionKind::Call(call) => self.call(call),
            ExpressionKind::New(new) => self.new_object(new),
            ExpressionKind::DelegateConstructor {
                id,
                to_super,
                arguments,
            } => {
                let type_ = if *to_super { self.super_type() } else { self.this() };
                self.construct(*id, &type_, arguments);
                Type::Unknown
            }
            ExpressionKind::NewArray {
                type_text,
                dimensions,
                parts,
            } => {
                self.types_of(parts);
                self.written_type(type_text, *dimensions)
            }
            ExpressionKind::ArrayValues(parts) | ExpressionKind::Opaque(parts) => {
                self.types_of(parts);
                Type::Unknown
            }
            ExpressionKind::Index { array, index } => {
                self.type_of(index);
                match self.type_of(array) {
                    Type::Array(inner) => (*inner).clone(),
                    _ => Type::Unknown,
                }
            }
            ExpressionKind::Unary { operator, operand } => {
                let type_ = self.type_of(operand);
                if *operator == "!" {
                    Type::Primitive("boolean")
                } else {
                    type_
                }
            }
            ExpressionKind::Update { operand, .. } => self.type_of(operand),
            ExpressionKind::Binary { operator, operands } => self.binary(operator, operands),
            ExpressionKind::Assign { target, value, .. } => {
                let expected = self.type_of(target);
                self.argument(value, &expected);
                expected
            }
            ExpressionKind::Ternary {
                condition,
                then,
                otherwise,
            } => {
                self.type_of(condition);
                let then = self.type_of(then);
                let otherwise = self.type_of(otherwise);
                if matches!(then, Type::Unknown | Type::Null) {
                    otherwise
                } else {
                    then
                }
            }
            ExpressionKind::Cast { type_text, value } => {
                let type_ = self.written_type(type_text, 0);
                self.argument(value, &type_);
                type_
            }
            ExpressionKind::InstanceOf { value, bindings } => {
                self.type_of(value);
                for binding in bindings {
                    let type_ = self.written_type(binding.type_text, 0);
                    self.locals.push((binding.name, type_));
                }
                Type::Primitive("boolean")
            }
            ExpressionKind::Lambda(lambda) => {
                self.lambda(lambda, &[]);
                Type::Function(Some(lambda.parameters.len()))
            }
            ExpressionKind::MethodReference { object, .. } => {
                self.receiver(object);
                Type::Function(None)
            }
            ExpressionKind::Switch(switch) => self.switch(switch),
        }
    }

    /// The type of a literal: `int` for `1`, `Class<T>` for `T.class`.
    fn literal(&self, kind: LiteralKind, expression: &Expression<'r>) -> Type<'r> {
        match kind {
            LiteralKind::Integer => Type::Primitive("int"),
            LiteralKind::Long => Type::Primitive("long"),
            LiteralKind::Floating => {
                let text = self.text(expression);
                Type::Primitive(if text.ends_with(['f', 'F']) { "float" } else { "double" })
            }
            LiteralKind::Boolean => Type::Primitive("boolean"),
            LiteralKind::Character => Type::Primitive("char"),
            LiteralKind::String => self.string(),
            LiteralKind::Null => Type::Null,
            LiteralKind::Class => {
                let text = self.text(expression);
                let named = text.rsplit_once('.').map_or(text, |(before, _)| before);
                let argument = self.written_type(named.trim(), 0);
                match self.library("java.lang.Class") {
                    Type::Declared(class, _) => Type::Declared(class, Arc::new([argument])),
                    other => other,
                }
            }
        }
    }

    /// The type of an operation with two or more operands: `String` for `"a" + 1`, `boolean` for `a < b`.
    fn binary(&mut self, operator: &str, operands: &[Expression<'r>]) -> Type<'r> {
        let types: Vec<_> = operands.iter().map(|it| self.type_of(it)).collect();
        match operator {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => Type::Primitive("boolean"),
            _ => {
                let string = self.string();
                if operator == "+" && types.contains(&string) {
                    return string;
                }
                let rank = |type_: &Type<'r>| match type_ {
                    Type::Primitive("double") => 4,
                    Type::Primitive("float") => 3,
                    Type::Primitive("long") => 2,
                    Type::Primitive(_) => 1,
                    _ => 0,
                };
                if types.iter().any(|it| rank(it) == 0) {
                    return Type::Unknown;
                }
                types.into_iter().max_by_key(rank).unwrap_or(Type::Unknown)
            }
        }
    }
}
