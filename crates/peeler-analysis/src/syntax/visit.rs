//! Visits the statements and expressions of a method body. A visitor overrides methods for what it handles itself.
//!
//! Everything is visited in the order of evaluation: a receiver before the arguments, a condition before its branches.
//! Members of local and anonymous classes are visited where they are declared.

use super::body::{Block, ClassBody, Expression, ExpressionKind, Local, Statement, Switch};

/// A visitor of the statements, variables and expressions of a method body.
///
/// An overriding method can call the `walk_` function of the same name to visit the parts of a statement or expression.
pub(crate) trait Visit<'b, 'r: 'b>: Sized {
    fn block(&mut self, block: &'b Block<'r>) {
        walk_block(self, block);
    }

    fn statement(&mut self, statement: &'b Statement<'r>) {
        walk_statement(self, statement);
    }

    fn local(&mut self, local: &'b Local<'r>) {
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        walk_expression(self, expression);
    }

    /// Visits a local or anonymous class.
    fn class(&mut self, class: &'b ClassBody<'r>) {
        walk_class(self, class);
    }
}

/// Visits the statements of a block.
pub(crate) fn walk_block<'b, 'r: 'b>(visitor: &mut impl Visit<'b, 'r>, block: &'b Block<'r>) {
    for statement in block {
        visitor.statement(statement);
    }
}

/// Visits the initial value of a variable, if it has one.
pub(crate) fn walk_local<'b, 'r: 'b>(visitor: &mut impl Visit<'b, 'r>, local: &'b Local<'r>) {
    if let Some(value) = &local.value {
        visitor.expression(value);
    }
}

/// Visits the expressions and nested statements of a statement, but not the statement itself.
pub(crate) fn walk_statement<'b, 'r: 'b>(visitor: &mut impl Visit<'b, 'r>, statement: &'b Statement<'r>) {
    match statement {
        Statement::Local(local) => visitor.local(local),
        Statement::Expression(value) | Statement::Throw(value) | Statement::Yield(value) => visitor.expression(value),
        Statement::If {
            condition,
            then,
            otherwise,
        } => {
            visitor.expression(condition);
            visitor.block(then);
            visitor.block(otherwise);
        }
        Statement::Loop {
            init,
            condition,
            update,
            body,
        } => {
            visitor.block(init);
            walk_all(visitor, condition);
            visitor.block(body);
            walk_all(visitor, update);
        }
        Statement::ForEach {
            variable,
            iterable,
            body,
        } => {
            visitor.expression(iterable);
            visitor.local(variable);
            visitor.block(body);
        }
        Statement::Switch(switch) => walk_switch(visitor, switch),
        Statement::Return(value) => walk_all(visitor, value),
        Statement::Try {
            resources,
            body,
            catches,
            finally,
        } => {
            visitor.block(resources);
            visitor.block(body);
            for catch in catches {
                visitor.local(&catch.variable);
                visitor.block(&catch.body);
            }
            visitor.block(finally);
        }
        Statement::Assert { condition, message, .. } => {
            visitor.expression(condition);
            walk_all(visitor, message);
        }
        Statement::Block(block) => visitor.block(block),
        Statement::LocalType(class) => visitor.class(class),
    }
}

/// Visits the operands and other parts of an expression, but not the expression itself.
pub(crate) fn walk_expression<'b, 'r: 'b>(visitor: &mut impl Visit<'b, 'r>, expression: &'b Expression<'r>) {
    match &expression.kind {
        ExpressionKind::Name(_) | ExpressionKind::Literal(_) | ExpressionKind::This | ExpressionKind::Super => {}
        ExpressionKind::Call(call) => {
            walk_all(visitor, &call.receiver);
            walk_all(visitor, &call.arguments);
        }
        ExpressionKind::New(new) => {
            walk_all(visitor, &new.outer);
            walk_all(visitor, &new.arguments);
            if let Some(body) = &new.body {
                visitor.class(body);
            }
        }
        ExpressionKind::DelegateConstructor { arguments: parts, .. }
        | ExpressionKind::NewArray { parts, .. }
        | ExpressionKind::ArrayValues(parts)
        | ExpressionKind::Binary { operands: parts, .. }
        | ExpressionKind::Opaque(parts) => walk_all(visitor, parts),
        ExpressionKind::Field { object, .. } | ExpressionKind::MethodReference { object, .. } => {
            visitor.expression(object);
        }
        ExpressionKind::Index { array, index } => {
            visitor.expression(array);
            visitor.expression(index);
        }
        ExpressionKind::Unary { operand, .. } | ExpressionKind::Update { operand, .. } => visitor.expression(operand),
        ExpressionKind::Assign { target, value, .. } => {
            visitor.expression(target);
            visitor.expression(value);
        }
        ExpressionKind::Ternary {
            condition,
            then,
            otherwise,
        } => {
            visitor.expression(condition);
            visitor.expression(then);
            visitor.expression(otherwise);
        }
        ExpressionKind::Cast { value, .. } => visitor.expression(value),
        ExpressionKind::InstanceOf { value, bindings } => {
            visitor.expression(value);
            for binding in bindings {
                visitor.local(binding);
            }
        }
        ExpressionKind::Lambda(lambda) => {
            for parameter in &lambda.parameters {
                visitor.local(parameter);
            }
            visitor.block(&lambda.body);
        }
        ExpressionKind::Switch(switch) => walk_switch(visitor, switch),
    }
}

/// Visits the fields and methods of a local or anonymous class.
pub(crate) fn walk_class<'b, 'r: 'b>(visitor: &mut impl Visit<'b, 'r>, class: &'b ClassBody<'r>) {
    for field in &class.fields {
        visitor.local(field);
    }
    for method in &class.methods {
        for parameter in &method.parameters {
            visitor.local(parameter);
        }
        visitor.block(&method.body);
    }
}

fn walk_switch<'b, 'r: 'b>(visitor: &mut impl Visit<'b, 'r>, switch: &'b Switch<'r>) {
    visitor.expression(&switch.subject);
    for arm in &switch.arms {
        for binding in &arm.bindings {
            visitor.local(binding);
        }
        visitor.block(&arm.body);
    }
}

fn walk_all<'b, 'r: 'b>(visitor: &mut impl Visit<'b, 'r>, expressions: impl IntoIterator<Item = &'b Expression<'r>>) {
    for expression in expressions {
        visitor.expression(expression);
    }
}
