//! Visits the statements of a method body to know which local variables are in scope, and their types.

use super::members::element_type;
use super::resolver::{InnerClass, Resolver};
use super::targets::Target;
use super::types::Type;
use crate::syntax::body::{Block, Body, ClassBody, Expression, Lambda, Local, Statement, Switch};
use crate::syntax::visit::{Visit, walk_block, walk_statement};

impl<'r> Resolver<'_, 'r> {
    /// Resolves the calls of the whole body, and returns the declarations that they resolve to, by call id.
    pub(super) fn run(mut self, body: &Body<'r>) -> Box<[Target<'r>]> {
        self.targets = vec![Target::Unknown; body.calls.len()];
        self.block(&body.block);
        self.targets.into()
    }

    /// Resolves the calls in the body of an anonymous or local class.
    pub(super) fn class_body(&mut self, class: &ClassBody<'r>) {
        let supertype = self.written_type(class.supertype, 0);
        let depth = self.locals.len();
        let methods = class
            .methods
            .iter()
            .map(|it| (it.name, self.written_type(it.return_type, 0)))
            .collect();
        self.inner.push(InnerClass { supertype, methods });
        for field in &class.fields {
            self.local(field);
        }
        let returned = self.returned.clone();
        for method in &class.methods {
            let depth = self.locals.len();
            for parameter in &method.parameters {
                let type_ = self.written_type(parameter.type_text, parameter.dimensions);
                self.locals.push((parameter.name, type_));
            }
            self.block(&method.body);
            self.locals.truncate(depth);
        }
        self.returned = returned;
        self.locals.truncate(depth);
        self.inner.pop();
    }

    /// Resolves the calls of a `switch`, and returns the type of the last value that it yields.
    pub(super) fn switch(&mut self, switch: &Switch<'r>) -> Type<'r> {
        self.type_of(&switch.subject);
        let mut value = Type::Unknown;
        for arm in &switch.arms {
            let depth = self.locals.len();
            for binding in &arm.bindings {
                let type_ = self.written_type(binding.type_text, 0);
                self.locals.push((binding.name, type_));
            }
            for statement in &arm.body {
                match statement {
                    Statement::Yield(yielded) => value = self.type_of(yielded),
                    other => self.statement(other),
                }
            }
            self.locals.truncate(depth);
        }
        value
    }

    /// Resolves the calls of a lambda whose parameters have these types, and returns the type of its result.
    pub(super) fn lambda(&mut self, lambda: &Lambda<'r>, parameters: &[Type<'r>]) -> Type<'r> {
        let depth = self.locals.len();
        for (at, parameter) in lambda.parameters.iter().enumerate() {
            let mut type_ = self.written_type(parameter.type_text, parameter.dimensions);
            if type_ == Type::Unknown {
                type_ = parameters.get(at).map_or(Type::Unknown, Type::erase_variable);
            }
            self.locals.push((parameter.name, type_));
        }
        let outer = std::mem::replace(&mut self.returned, Type::Unknown);
        for statement in &lambda.body {
            self.statement(statement);
        }
        self.locals.truncate(depth);
        std::mem::replace(&mut self.returned, outer)
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Resolver<'_, 'r> {
    /// Resolves the calls of a block. Its local variables go out of scope at the end.
    fn block(&mut self, block: &'b Block<'r>) {
        let depth = self.locals.len();
        walk_block(self, block);
        self.locals.truncate(depth);
    }

    /// Resolves the calls of one statement. Statements that declare variables or have a value are handled here, all
    /// others by `walk_statement`.
    fn statement(&mut self, statement: &'b Statement<'r>) {
        match statement {
            Statement::Loop {
                init,
                condition,
                update,
                body,
            } => {
                let depth = self.locals.len();
                // The variables of the head are in scope until the loop ends.
                walk_block(self, init);
                for value in condition.iter().chain(update) {
                    self.type_of(value);
                }
                self.block(body);
                self.locals.truncate(depth);
            }
            Statement::ForEach {
                variable,
                iterable,
                body,
            } => {
                let iterable = self.type_of(iterable);
                let depth = self.locals.len();
                let mut type_ = self.written_type(variable.type_text, variable.dimensions);
                if type_ == Type::Unknown {
                    type_ = element_type(self.index, &iterable);
                }
                self.locals.push((variable.name, type_));
                self.block(body);
                self.locals.truncate(depth);
            }
            Statement::Switch(switch) => {
                self.switch(switch);
            }
            Statement::Return(Some(value)) => self.returned = self.type_of(value),
            Statement::Try {
                resources,
                body,
                catches,
                finally,
            } => {
                let depth = self.locals.len();
                walk_block(self, resources);
                self.block(body);
                self.locals.truncate(depth);
                for catch in catches {
                    let first = catch.variable.type_text.split('|').next().unwrap_or("");
                    let type_ = self.written_type(first.trim(), 0);
                    self.locals.push((catch.variable.name, type_));
                    self.block(&catch.body);
                    self.locals.truncate(depth);
                }
                self.block(finally);
            }
            _ => walk_statement(self, statement),
        }
    }

    /// Adds a local variable to the scope. If its type is not written, as with `var`, it gets the type of its value.
    fn local(&mut self, local: &'b Local<'r>) {
        let mut type_ = self.written_type(local.type_text, local.dimensions);
        if let Some(value) = &local.value {
            let found = self.argument(value, &type_);
            if type_ == Type::Unknown {
                type_ = found;
            }
        }
        self.locals.push((local.name, type_));
    }

    /// Resolves the calls in an expression.
    fn expression(&mut self, expression: &'b Expression<'r>) {
        self.type_of(expression);
    }

    /// Resolves the calls in a local class.
    fn class(&mut self, class: &'b ClassBody<'r>) {
        self.class_body(class);
    }
}
