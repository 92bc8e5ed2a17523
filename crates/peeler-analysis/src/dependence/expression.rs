//! The abstract run of expressions: which graph nodes have data that reaches the value of an expression.

use super::run::{Run, Value, plain, through, value_of};
use super::statement::is_call;
use crate::graph::{NodeForm, NodeId, NodeKind, Operation, OperationKind};
use crate::repository::narrow;
use crate::symbols::names::{Scope, TypeReference};
use crate::syntax::body::{ClassBody, Expression, ExpressionKind, Lambda, New};
use crate::syntax::visit::Visit;

impl<'r> Run<'_, 'r> {
    /// The graph nodes whose data reaches the value of an expression. A call gets no node of its own here: its inputs
    /// pass through it.
    pub(super) fn value(&mut self, expression: &Expression<'r>) -> Value<'r> {
        let (start, end) = (expression.start, expression.end);
        match &expression.kind {
            ExpressionKind::Name(name) => self.name(name, start),
            ExpressionKind::Literal(_) => {
                value_of(self.node(NodeKind::Literal, start, NodeForm::Plain, self.text(start, end)))
            }
            ExpressionKind::This | ExpressionKind::Super => self.read("this", start),
            ExpressionKind::Call(call) => self.call(call, expression),
            ExpressionKind::New(new) => self.construct(new),
            ExpressionKind::DelegateConstructor { arguments, .. } => {
                for argument in arguments {
                    self.value(argument);
                }
                Value::new()
            }
            ExpressionKind::NewArray { parts, type_text, .. } => {
                let inputs = self.operands(parts);
                let operation = self.operation(OperationKind::Construct, start, "new[]");
                self.through_or_from(inputs, &operation, start, type_text)
            }
            ExpressionKind::ArrayValues(parts) => {
                let inputs = self.operands(parts);
                let operation = self.operation(OperationKind::Construct, start, "new[]");
                self.through_or_from(inputs, &operation, start, "{}")
            }
            ExpressionKind::Opaque(parts) => self.operands(parts),
            ExpressionKind::Field { object, name } => self.field(expression, object, name),
            ExpressionKind::Index { array, index } => {
                let operation = self.operation(OperationKind::Index, start, "[]");
                let mut inputs = self.operand(array);
                // A constant index carries no data of interest.
                if !matches!(index.kind, ExpressionKind::Literal(_)) {
                    inputs.extend(self.operand(index));
                }
                through(inputs, &operation)
            }
            ExpressionKind::Unary { operator, operand } => {
                let operation = self.operation(OperationKind::Operator, start, *operator);
                let inputs = self.operand(operand);
                // A negative number is a literal.
                if matches!(operand.kind, ExpressionKind::Literal(_)) {
                    return value_of(self.node(NodeKind::Literal, start, NodeForm::Plain, self.text(start, end)));
                }
                through(inputs, &operation)
            }
            ExpressionKind::Update { operator, operand } => {
                let inputs = self.operand(operand);
                if let Some(name) = self.variable_name(operand) {
                    self.assign(name, start, &Value::new(), operator);
                    return self.read(name, start);
                }
                let operation = self.operation(OperationKind::Operator, start, *operator);
                through(inputs, &operation)
            }
            ExpressionKind::Binary { operator, operands } => {
                let operation = self.operation(OperationKind::Operator, start, *operator);
                through(self.operands(operands), &operation)
            }
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => self.assignment(operator, target, value),
            ExpressionKind::Ternary {
                condition,
                then,
                otherwise,
            } => {
                let operation = self.operation(OperationKind::Operator, start, "?:");
                let mut inputs = self.operand(condition);
                inputs.extend(self.operand(then));
                inputs.extend(self.operand(otherwise));
                through(inputs, &operation)
            }
            ExpressionKind::Cast { type_text, value } => {
                let operation = self.operation(OperationKind::Cast, start, *type_text);
                let inputs = self.value(value);
                // The operation of a call is more specific than the cast around it.
                inputs
                    .into_iter()
                    .map(|mut flow| {
                        flow.operation.get_or_insert_with(|| operation.clone());
                        flow
                    })
                    .collect()
            }
            ExpressionKind::InstanceOf { value, bindings } => {
                let operation = self.operation(OperationKind::Cast, start, "instanceof");
                let inputs = self.operand(value);
                for binding in bindings {
                    let node = self.define_local(binding);
                    self.connect_through(&inputs, node, &operation);
                }
                through(inputs, &operation)
            }
            ExpressionKind::Lambda(lambda) => self.lambda(lambda, &Value::new()),
            ExpressionKind::MethodReference { object, name } => {
                let operation = self.operation(OperationKind::Call, start, *name);
                let inputs = if self.is_type_name(object) {
                    Value::new()
                } else {
                    self.operand(object)
                };
                let source = self.text_of(object);
                self.through_or_from(inputs, &operation, start, source)
            }
            ExpressionKind::Switch(switch) => self.switch(switch),
        }
    }

    /// The graph nodes whose data reaches an expression that is part of another. A call becomes a graph node.
    pub(super) fn operand(&mut self, expression: &Expression<'r>) -> Value<'r> {
        match &expression.kind {
            ExpressionKind::Call(_) | ExpressionKind::New(_) => {
                let inputs = self.value(expression);
                let node = self.call_node(expression);
                let end = self.operation(OperationKind::Call, expression.end, "");
                self.connect(&inputs, node, &end);
                value_of(node)
            }
            ExpressionKind::Cast { value, .. } => self.operand(value),
            _ => self.value(expression),
        }
    }

    /// The graph node of a call; `None` if it is new and the graph has its maximum number of nodes. Its position is
    /// that of the method's name, because all calls of a chain begin at the same offset.
    pub(super) fn call_node(&mut self, expression: &Expression<'r>) -> Option<NodeId> {
        let at = match &expression.kind {
            ExpressionKind::Call(call) => call.name_at,
            ExpressionKind::New(new) => new.at,
            _ => expression.start,
        };
        self.node(NodeKind::Call, at, NodeForm::NestedCall, self.text_of(expression))
    }

    fn operands(&mut self, parts: &[Expression<'r>]) -> Value<'r> {
        let mut inputs = Value::new();
        for part in parts {
            inputs.extend(self.operand(part));
        }
        inputs
    }

    fn name(&mut self, name: &'r str, at: u32) -> Value<'r> {
        if self.environment.definitions(name).is_none() && self.is_type(name) {
            return Value::new();
        }
        self.read(name, at)
    }

    /// Whether an expression names a type rather than a value.
    pub(super) fn is_type_name(&self, expression: &Expression<'r>) -> bool {
        match &expression.kind {
            ExpressionKind::Name(name) => self.environment.definitions(name).is_none() && self.is_type(name),
            ExpressionKind::Field { object, name } => {
                let is_qualified = match &object.kind {
                    ExpressionKind::Name(first) => self.environment.definitions(first).is_none(),
                    ExpressionKind::Field { .. } => true,
                    _ => false,
                };
                is_qualified && is_capitalised(name) && !is_constant(name) && self.is_package_or_type(object)
            }
            _ => false,
        }
    }

    fn is_package_or_type(&self, expression: &Expression<'r>) -> bool {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                self.environment.definitions(name).is_none() && (self.is_type(name) || !is_field_like(self, name))
            }
            ExpressionKind::Field { object, .. } => self.is_package_or_type(object),
            _ => false,
        }
    }

    fn is_type(&self, name: &'r str) -> bool {
        if !is_capitalised(name) || is_field_like(self, name) {
            return false;
        }
        let scope = Scope {
            file: self.frame.file,
            owner: Some(self.frame.owner),
        };
        // A capitalised name that nothing declares is most likely a type from outside.
        match self.index.resolve_name(name, scope) {
            Some(TypeReference::Type(_) | TypeReference::External(_)) => true,
            None => !is_constant(name),
        }
    }

    fn field(&mut self, expression: &Expression<'r>, object: &Expression<'r>, name: &'r str) -> Value<'r> {
        let (start, end) = (expression.start, expression.end);
        if matches!(object.kind, ExpressionKind::This | ExpressionKind::Super) {
            return self.read(name, start);
        }
        // `Type.CONSTANT` is one variable, wherever it is written.
        if let Some(variable) = self.variable_name(expression) {
            return self.read(variable, start);
        }
        let inputs = self.operand(object);
        let operation = self.operation(OperationKind::Field, end, name);
        let name_at = end - narrow(name.len());
        let node = self.node(NodeKind::Variable, name_at, NodeForm::Field, self.text(start, end));
        self.connect_through(&inputs, node, &operation);
        value_of(node)
    }

    fn assignment(&mut self, operator: &'r str, target: &Expression<'r>, value: &Expression<'r>) -> Value<'r> {
        let is_call = is_call(value);
        let value = self.value(value);
        if let Some(name) = self.variable_name(target) {
            self.assign(name, target.start, &value, operator);
            let assigned = self.read(name, target.start);
            if let Some(flow) = assigned.first().filter(|_| is_call) {
                self.effects.assigned(flow.node);
            }
            return assigned;
        }
        match &target.kind {
            ExpressionKind::Index { array, index } => {
                self.value(index);
                self.change(array, target.start, &value, "[]=", OperationKind::Index);
            }
            ExpressionKind::Field { object, name } => {
                self.change(object, target.start, &value, name, OperationKind::Field);
            }
            _ => {
                self.value(target);
            }
        }
        value
    }

    /// The name of the variable that an expression stands for: a local, a field, `this.field`, or a static field of a
    /// named type. `None` for other expressions, such as calls.
    pub(super) fn variable_name(&self, expression: &Expression<'r>) -> Option<&'r str> {
        match &expression.kind {
            ExpressionKind::Name(name) => Some(name),
            ExpressionKind::Field { object, name } => {
                if matches!(object.kind, ExpressionKind::This | ExpressionKind::Super) {
                    Some(name)
                } else if self.is_type_name(object) {
                    let text = if self.is_own_type(object) {
                        name
                    } else {
                        self.text_of(expression)
                    };
                    Some(text)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// Whether an expression names the test class, a superclass or an enclosing class, whose static fields need no
    /// qualifier.
    fn is_own_type(&self, expression: &Expression<'r>) -> bool {
        let ExpressionKind::Name(name) = &expression.kind else {
            return false;
        };
        let scope = Scope {
            file: self.frame.file,
            owner: Some(self.frame.owner),
        };
        let Some(TypeReference::Type(named)) = self.index.resolve_name(name, scope) else {
            return false;
        };
        let mut class = Some(self.class);
        while let Some(id) = class {
            if self.index.inherits(id, named) {
                return true;
            }
            class = self.index.enclosing(id);
        }
        false
    }

    /// Adds a graph node for a variable whose object gets data without being replaced, as by `array[i] = x` and
    /// `object.field = x`.
    pub(super) fn change(
        &mut self,
        object: &Expression<'r>,
        at: u32,
        value: &Value<'r>,
        operation: &'r str,
        kind: OperationKind,
    ) {
        let Some(name) = self.root_variable(object) else {
            self.value(object);
            return;
        };
        let operation = self.operation(kind, at, operation);
        self.change_variable(name, at, value, &operation);
    }

    /// The variable at the root of an expression: `a` of `a.b().c[1]`. `None` if no variable is at the root, as in
    /// `load().size()`.
    pub(super) fn root_variable(&self, expression: &Expression<'r>) -> Option<&'r str> {
        let mut current = expression;
        loop {
            if let Some(name) = self.variable_name(current) {
                return (!self.is_type_name(current)).then_some(name);
            }
            current = match &current.kind {
                ExpressionKind::Field { object, .. } => object,
                ExpressionKind::Index { array, .. } => array,
                ExpressionKind::Call(call) => call.receiver.as_ref()?,
                ExpressionKind::Cast { value, .. } => value,
                _ => return None,
            };
        }
    }

    /// Abstractly runs a lambda whose parameters receive the data `given`. Returns the data of its result.
    pub(super) fn lambda(&mut self, lambda: &Lambda<'r>, given: &Value<'r>) -> Value<'r> {
        let operation = self.operation(
            OperationKind::Assign,
            lambda.parameters.first().map_or(0, |it| it.at),
            "->",
        );
        let outside = self.environment.enter(lambda.parameters.iter().map(|it| it.name));
        for parameter in &lambda.parameters {
            let node = self.define_local(parameter);
            self.connect(given, node, &operation);
        }
        let value = self.inner_body(|run| run.block(&lambda.body));
        self.environment.leave(outside);
        value
    }

    /// Abstractly runs a lambda, or a method of a local or anonymous class, as if it were called where it is written.
    /// Returns the data of its result and of calls that it makes for their effect.
    fn inner_body(&mut self, body: impl FnOnce(&mut Self)) -> Value<'r> {
        let outer = std::mem::take(&mut self.frame.returned);
        let start = self.effects.position();
        body(self);
        let mut value = std::mem::replace(&mut self.frame.returned, outer);
        for node in self.effects.done_since(start) {
            if !value.iter().any(|it| it.node == node) {
                value.push(plain(node));
            }
        }
        value
    }

    /// Abstractly runs the fields and methods of a local or anonymous class. Returns the data that its methods return.
    pub(super) fn class_body(&mut self, class: &ClassBody<'r>) -> Value<'r> {
        let outside = self.environment.enter(class.fields.iter().map(|it| it.name));
        for field in &class.fields {
            self.local(field);
        }
        let mut value = Value::new();
        for method in &class.methods {
            let outside = self.environment.enter(method.parameters.iter().map(|it| it.name));
            for parameter in &method.parameters {
                self.define_local(parameter);
            }
            value.extend(self.inner_body(|run| run.block(&method.body)));
            self.environment.leave(outside);
        }
        self.environment.leave(outside);
        value
    }

    fn construct(&mut self, new: &New<'r>) -> Value<'r> {
        let mut inputs = Value::new();
        if let Some(outer) = &new.outer {
            inputs.extend(self.operand(outer));
        }
        inputs.extend(self.arguments(&new.arguments));
        if let Some(body) = &new.body {
            inputs.extend(self.class_body(body));
        }
        let written = format!("new {}", erased(new.type_text));
        let mut operation = self.operation(OperationKind::Construct, new.at, written);
        operation.cut = self.cut(new.id);
        self.through_or_from(inputs, &operation, new.at, erased(new.type_text))
    }

    /// The data of `inputs` with `operation` applied. Without inputs, data begins at a graph node with the text
    /// `source`: a type or `this`.
    pub(super) fn through_or_from(
        &mut self,
        mut inputs: Value<'r>,
        operation: &Operation<'r>,
        at: u32,
        source: &'r str,
    ) -> Value<'r> {
        if inputs.is_empty() {
            let node = self.node(NodeKind::Variable, at, NodeForm::Source, source);
            inputs.extend(node.map(plain));
        }
        through(inputs, operation)
    }
}

fn is_field_like(run: &Run<'_, '_>, name: &str) -> bool {
    run.index.field(run.class, name).is_some() || run.index.field(run.frame.owner, name).is_some()
}

fn is_capitalised(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
}

/// Whether a name is written like a constant, such as `MAX_SIZE`.
fn is_constant(name: &str) -> bool {
    name.len() > 1 && name.chars().all(|c| c.is_uppercase() || c == '_' || c.is_numeric())
}

/// A type as written, without its type arguments.
fn erased(type_text: &str) -> &str {
    type_text.split('<').next().unwrap_or(type_text).trim()
}
