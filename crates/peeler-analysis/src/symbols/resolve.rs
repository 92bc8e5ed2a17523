//! What the calls of a body resolve to.
//!
//! One walk over a body with the types of its variables. A call is looked up in the type of its
//! receiver and above, an unqualified one in the enclosing types and then among static imports; among
//! overloads the arguments decide (see [`super::overloads`]). The result is a list of targets by call
//! id, computed once a body, whoever asks.
//!
//! ```java
//! var cart = shop.carts().get(0);   // List<Cart> -> Cart
//! cart.total();                     // Declared(Cart#total)
//! ```
//!
//! What is left out: type inference through chains of generic lambdas beyond one level, and
//! everything about third-party types that no stub describes.

use std::sync::Arc;

use super::index::{FileId, Index, MethodId, TypeId};
use super::names::Scope;
use super::receivers::Receiver;
use super::targets::Target;
use super::type_text::{TypeParameter, parse_type, parse_type_parameters};
use super::types::Type;
use crate::syntax::body::{
    Block, Body, CallId, ClassBody, Expression, ExpressionKind, Lambda, LiteralKind, Local, Statement, Switch,
};
use crate::syntax::declarations::LazyBody;

/// The targets of the calls in a method or constructor.
pub(crate) fn method_targets<'i, 'r>(index: &'i Index<'r>, id: MethodId) -> &'i [Target<'r>] {
    let method = index.method(id);
    let Some(code) = &method.code else {
        return &[];
    };
    index.cached_targets(index.file_of(id.owner), code, || {
        let mut resolver = Resolver::new(index, id.owner);
        resolver.method_parameters = parse_type_parameters(method.type_parameters);
        for parameter in &method.parameters {
            let type_ = resolver.written_type(parameter.type_text, parameter.dimensions);
            resolver.locals.push((parameter.name, type_));
        }
        resolver.run(code.get())
    })
}

/// The targets of the calls in a field declaration or initialiser block.
pub(crate) fn code_targets<'i, 'r>(index: &'i Index<'r>, owner: TypeId, code: &LazyBody<'r>) -> &'i [Target<'r>] {
    index.cached_targets(index.file_of(owner), code, || {
        Resolver::new(index, owner).run(code.get())
    })
}

pub(super) struct Resolver<'i, 'r> {
    pub(super) index: &'i Index<'r>,
    pub(super) scope: Scope,
    method_parameters: Vec<TypeParameter<'r>>,
    pub(super) locals: Vec<(&'r str, Type<'r>)>,
    /// Anonymous and local classes around the current place, innermost last.
    pub(super) inner: Vec<InnerClass<'r>>,
    pub(super) targets: Vec<Target<'r>>,
    /// What the innermost lambda was seen to return.
    returned: Type<'r>,
}

pub(super) struct InnerClass<'r> {
    pub(super) supertype: Type<'r>,
    pub(super) methods: Vec<(&'r str, Type<'r>)>,
}

impl<'i, 'r> Resolver<'i, 'r> {
    fn new(index: &'i Index<'r>, owner: TypeId) -> Self {
        Self {
            index,
            scope: Scope {
                file: index.file_of(owner),
                owner: Some(owner),
            },
            method_parameters: Vec::new(),
            locals: Vec::new(),
            inner: Vec::new(),
            targets: Vec::new(),
            returned: Type::Unknown,
        }
    }

    fn run(mut self, body: &Body<'r>) -> Box<[Target<'r>]> {
        self.targets = vec![Target::Unknown; body.calls.len()];
        self.block(&body.block);
        self.targets.into()
    }

    pub(super) fn file(&self) -> FileId {
        self.scope.file
    }

    pub(super) fn written_type(&self, text: &'r str, dimensions: u8) -> Type<'r> {
        let written = parse_type(text);
        self.index
            .resolve_type(&written, self.scope, &self.method_parameters)
            .array_of(dimensions)
    }

    fn block(&mut self, block: &Block<'r>) {
        let depth = self.locals.len();
        for statement in block {
            self.statement(statement);
        }
        self.locals.truncate(depth);
    }

    fn statement(&mut self, statement: &Statement<'r>) {
        match statement {
            Statement::Local(local) => self.local(local),
            Statement::Expression(value) | Statement::Throw(value) => {
                self.type_of(value);
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.type_of(condition);
                self.block(then);
                self.block(otherwise);
            }
            Statement::Loop {
                init,
                condition,
                update,
                body,
            } => {
                let depth = self.locals.len();
                for statement in init {
                    self.statement(statement);
                }
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
                    type_ = self.element_of(&iterable);
                }
                self.locals.push((variable.name, type_));
                self.block(body);
                self.locals.truncate(depth);
            }
            Statement::Switch(switch) => {
                self.switch(switch);
            }
            Statement::Return(value) => {
                if let Some(value) = value {
                    self.returned = self.type_of(value);
                }
            }
            Statement::Yield(value) => {
                self.type_of(value);
            }
            Statement::Try {
                resources,
                body,
                catches,
                finally,
            } => {
                let depth = self.locals.len();
                for resource in resources {
                    self.statement(resource);
                }
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
            Statement::Assert { condition, message, .. } => {
                self.type_of(condition);
                if let Some(message) = message {
                    self.type_of(message);
                }
            }
            Statement::Block(block) => self.block(block),
            Statement::LocalType(class) => self.class_body(class),
        }
    }

    fn local(&mut self, local: &Local<'r>) {
        let mut type_ = self.written_type(local.type_text, local.dimensions);
        if let Some(value) = &local.value {
            let found = self.argument(value, &type_);
            if type_ == Type::Unknown {
                type_ = found;
            }
        }
        self.locals.push((local.name, type_));
    }

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

    fn switch(&mut self, switch: &Switch<'r>) -> Type<'r> {
        let subject = self.type_of(&switch.subject);
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
        let _ = subject;
        value
    }

    fn string(&self) -> Type<'r> {
        self.library("java.lang.String")
    }

    fn library(&self, name: &str) -> Type<'r> {
        match self.index.lookup_qualified(name, self.file()) {
            Some(id) => Type::Declared(id, Arc::default()),
            None => Type::Unknown,
        }
    }

    pub(super) fn types_of(&mut self, values: &[Expression<'r>]) {
        for value in values {
            self.type_of(value);
        }
    }

    /// The type of an expression; every call below it gets its target on the way.
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

    fn literal(&self, kind: LiteralKind, expression: &Expression<'r>) -> Type<'r> {
        match kind {
            LiteralKind::Integer => Type::Primitive("int"),
            LiteralKind::Long => Type::Primitive("long"),
            LiteralKind::Floating => {
                let text = &self.index.source(self.file()).text()[expression.start as usize..expression.end as usize];
                Type::Primitive(if text.ends_with(['f', 'F']) { "float" } else { "double" })
            }
            LiteralKind::Boolean => Type::Primitive("boolean"),
            LiteralKind::Character => Type::Primitive("char"),
            LiteralKind::String => self.string(),
            LiteralKind::Null => Type::Null,
            LiteralKind::Class => {
                let text = &self.index.source(self.file()).text()[expression.start as usize..expression.end as usize];
                let named = text.rsplit_once('.').map_or(text, |(before, _)| before);
                let argument = self.written_type(named.trim(), 0);
                match self.library("java.lang.Class") {
                    Type::Declared(class, _) => Type::Declared(class, Arc::new([argument])),
                    other => other,
                }
            }
        }
    }

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

    pub(super) fn this(&self) -> Type<'r> {
        match self.scope.owner {
            Some(id) => Type::Declared(id, self.index.ancestors(id)[0].arguments.clone()),
            None => Type::Unknown,
        }
    }

    fn super_type(&self) -> Type<'r> {
        if let Some(inner) = self.inner.last() {
            return inner.supertype.clone();
        }
        match self.scope.owner {
            Some(id) => self.index.supertypes(id).first().cloned().unwrap_or(Type::Unknown),
            None => Type::Unknown,
        }
    }

    pub(super) fn set_target(&mut self, id: CallId, target: Target<'r>) {
        self.targets[id.0 as usize] = target;
    }

    /// Types a lambda with what its parameters are known to be and returns the type of its value.
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
