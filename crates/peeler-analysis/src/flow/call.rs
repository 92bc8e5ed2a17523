//! Calls: what goes in, what comes out, what they change, and which are followed into.

use super::{CHANGED, FOLLOW_UNTIL_NODES, Frame, MAX_DEFINITIONS, MAX_FOLLOWED, Run, Value, through};
use crate::graph::{Cut, NodeKind, Operation, OperationKind};
use crate::symbols::index::MethodId;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, CallId, Expression, ExpressionKind};

/// Beginnings of method names that look at their receiver without changing it.
const LOOKING: [&str; 24] = [
    "get", "is", "has", "contains", "equals", "compare", "index", "last", "size", "length", "find", "to", "as", "matches",
    "starts", "ends", "char", "sub", "split", "format", "count", "exists", "peek", "resolve",
];

impl<'r> Run<'_, 'r> {
    /// A call whose value is used.
    pub(super) fn call(&mut self, call: &Call<'r>, expression: &Expression<'r>) -> Value<'r> {
        if let Some(value) = self.assertion_with_value(call, expression) {
            return value;
        }
        let (inputs, _) = self.inputs(call);
        let changes = !call.arguments.is_empty() && !LOOKING.iter().any(|it| call.name.starts_with(it));
        if let Some(receiver) = call.receiver.as_ref().filter(|_| changes) {
            if matches!(receiver.kind, ExpressionKind::Name(_) | ExpressionKind::Field { .. }) {
                if let Some(name) = self.root_variable(receiver) {
                    let operation = self.call_operation(call);
                    self.change_variable(name, call.name_at, &inputs, &operation);
                }
            }
        }
        inputs
    }

    /// An expression whose value is not used: an assertion, or something done for its effect.
    pub(super) fn discard(&mut self, expression: &Expression<'r>) {
        if self.assertion_chain(expression) {
            return;
        }
        match &expression.kind {
            ExpressionKind::Call(call) => self.effect_of(call, expression),
            ExpressionKind::New(_) => {
                let value = self.operand(expression);
                if let Some(flow) = value.first() {
                    self.effect(flow.node);
                }
            }
            ExpressionKind::Ternary { .. } | ExpressionKind::Binary { .. } | ExpressionKind::Opaque(_) => {
                for flow in self.value(expression) {
                    self.effect(flow.node);
                }
            }
            _ => {
                self.value(expression);
            }
        }
    }

    fn effect_of(&mut self, call: &Call<'r>, expression: &Expression<'r>) {
        let operation = self.call_operation(call);
        let (inputs, was_followed) = self.inputs(call);
        let stubbed = self.stubbed_variable(expression);
        let root = stubbed.or_else(|| call.receiver.as_ref().and_then(|it| self.root_variable(it)));
        if let Some(name) = root {
            let node = self.change_variable(name, call.name_at, &inputs, &operation);
            self.effect(node);
        } else if !was_followed {
            let node = self.call_node(expression);
            self.connect(&inputs, node, &operation);
            self.effect(node);
        }
    }

    /// `when(mock.call()).thenReturn(value)` and `doReturn(value).when(mock).call()` put `value` into
    /// `mock`.
    fn stubbed_variable(&self, expression: &Expression<'r>) -> Option<&'r str> {
        let mut current = expression;
        loop {
            let ExpressionKind::Call(call) = &current.kind else {
                return None;
            };
            if let ("when" | "given" | "expect" | "lenient", [argument]) = (call.name, call.arguments.as_slice()) {
                return self.root_variable(argument);
            }
            current = call.receiver.as_ref()?;
        }
    }

    /// Data goes into a variable's object: one more definition beside those it has. What the call
    /// only passes from the object to itself is chained, so that `x.start()` stays visible.
    pub(super) fn change_variable(
        &mut self,
        name: &'r str,
        at: u32,
        inputs: &Value<'r>,
        operation: &Operation<'r>,
    ) -> crate::graph::NodeId {
        let before = self.read(name, at);
        let own: Vec<_> = before.iter().map(|it| it.node).collect();
        let given: Value<'r> = inputs.iter().filter(|it| !own.contains(&it.node)).cloned().collect();
        let node = self.node(NodeKind::Variable, at, CHANGED, name);
        self.connect(&given, node, operation);
        if given.is_empty() || own.len() >= MAX_DEFINITIONS {
            self.connect_through(&before, node, operation);
            self.environment.redefine(name, node);
        } else {
            self.environment.add_definition(name, node);
        }
        node
    }

    pub(super) fn cut(&self, id: CallId) -> Cut {
        match self.target(id) {
            Target::Declared(method) => Cut::Method(method),
            Target::Owner(owner) => Cut::Type(owner),
            Target::Unknown | Target::External(_) | Target::Library(_) => Cut::No,
        }
    }

    /// The operation of a call: its name, with the type in front of a static one.
    pub(super) fn call_operation(&self, call: &Call<'r>) -> Operation<'r> {
        let text = match &call.receiver {
            Some(receiver) if self.is_type_name(receiver) => {
                let end = call.name_at as usize + call.name.len();
                let written = self.text(receiver.start, u32::try_from(end).unwrap_or(receiver.end));
                if written.contains(char::is_whitespace) { call.name } else { written }
            }
            _ => call.name,
        };
        let mut operation = self.operation(OperationKind::Call, call.name_at, text);
        operation.cut = self.cut(call.id);
        operation
    }

    /// Everything that flows into a call, passing through it, and whether it was followed into.
    pub(super) fn inputs(&mut self, call: &Call<'r>) -> (Value<'r>, bool) {
        let operation = self.call_operation(call);
        let mut inputs = Value::new();
        let mut source = "this";
        if let Some(receiver) = &call.receiver {
            if self.is_type_name(receiver) {
                source = self.text_of(receiver);
            } else {
                inputs.extend(self.operand(receiver));
            }
        }
        let given = through(inputs.clone(), &operation);
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let value = match &argument.kind {
                ExpressionKind::Lambda(lambda) => self.lambda(lambda, &given),
                _ => self.argument(argument),
            };
            inputs.extend(value.iter().cloned());
            arguments.push(value);
        }
        let mut was_followed = false;
        if let Some(method) = self.followable(call) {
            was_followed = true;
            inputs.extend(self.follow(method, call, &arguments, &operation));
        }
        (
            self.through_or_from(inputs, &operation, call.name_at, source),
            was_followed,
        )
    }

    /// The arguments of a construction.
    pub(super) fn arguments(&mut self, arguments: &[Expression<'r>]) -> Value<'r> {
        let mut inputs = Value::new();
        for argument in arguments {
            inputs.extend(self.argument(argument));
        }
        inputs
    }

    /// An argument, and the variables directly inside it where it is a call itself.
    fn argument(&mut self, argument: &Expression<'r>) -> Value<'r> {
        let mut value = self.operand(argument);
        let inner = match &argument.kind {
            ExpressionKind::Call(call) => &call.arguments,
            ExpressionKind::New(new) => &new.arguments,
            _ => return value,
        };
        for part in inner {
            if let ExpressionKind::Name(name) = &part.kind {
                if self.environment.definitions(name).is_some() {
                    value.extend(self.read(name, part.start));
                }
            }
        }
        value
    }

    /// The body that a call on the test itself runs: a helper of its class, a superclass or an
    /// enclosing class. Overrides of the concrete class come first.
    pub(super) fn followable(&self, call: &Call<'r>) -> Option<MethodId> {
        let (Target::Declared(method) | Target::Library(method)) = self.target(call.id) else {
            return None;
        };
        let is_super = match &call.receiver {
            None => false,
            Some(receiver) => match &receiver.kind {
                ExpressionKind::This => false,
                ExpressionKind::Super => true,
                _ if self.is_type_name(receiver) => false,
                _ => return None,
            },
        };
        let mut class = Some(self.class);
        let is_helper = loop {
            match class {
                Some(id) if self.index.inherits(id, method.owner) => break true,
                Some(id) => class = self.index.enclosing(id),
                None => break false,
            }
        };
        if !is_helper || self.followed.len() >= MAX_FOLLOWED || self.graph.nodes.len() >= FOLLOW_UNTIL_NODES {
            return None;
        }
        let declared = self.index.method(method);
        let runs = if is_super || declared.is_static {
            method
        } else {
            self.index
                .ancestors(self.class)
                .iter()
                .take_while(|it| it.id != method.owner)
                .find_map(|it| {
                    self.index.methods_named(it.id, declared.name).find(|candidate| {
                        let candidate = self.index.method(*candidate);
                        candidate.parameters.len() == declared.parameters.len() && candidate.code.is_some()
                    })
                })
                .unwrap_or(method)
        };
        let is_recursive = self.followed.contains(&runs) || self.frame.method == Some(runs);
        (self.index.method(runs).code.is_some() && !is_recursive).then_some(runs)
    }

    /// Runs a helper's body with its parameters bound to the arguments; returns what it returns.
    fn follow(
        &mut self,
        method: MethodId,
        call: &Call<'r>,
        arguments: &[Value<'r>],
        operation: &Operation<'r>,
    ) -> Value<'r> {
        let declared = self.index.method(method);
        let Some(code) = &declared.code else {
            return Value::new();
        };
        let context = self.context_for(self.frame.file, call.name_at);
        let caller = std::mem::replace(
            &mut self.frame,
            Frame {
                file: self.index.file_of(method.owner),
                owner: method.owner,
                targets: method_targets(self.index, method),
                context,
                returned: Value::new(),
                method: Some(method),
            },
        );
        let locals = std::mem::take(&mut self.environment.locals);
        self.followed.push(method);
        for (at, parameter) in declared.parameters.iter().enumerate() {
            let node = self.node(NodeKind::Variable, parameter.at, 0, parameter.name);
            let is_rest = declared.is_variadic && at + 1 == declared.parameters.len();
            let bound = if is_rest {
                arguments.get(at..).unwrap_or_default()
            } else {
                arguments.get(at..=at).unwrap_or_default()
            };
            for value in bound {
                self.connect_through(value, node, operation);
            }
            self.environment.declare_local(parameter.name, node);
        }
        self.block(&code.get().block);
        self.followed.pop();
        self.environment.locals = locals;
        let callee = std::mem::replace(&mut self.frame, caller);
        callee.returned
    }
}
