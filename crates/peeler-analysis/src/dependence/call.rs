//! The abstract run of calls: the data that flows into them and out of them, and the variables that they change.

use std::borrow::Cow;

use super::run::{MAX_DEFINITIONS, Run, Value, plain, through};
use crate::graph::{Cut, NodeForm, NodeKind, Operation, OperationKind};
use crate::repository::narrow;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, CallId, Expression, ExpressionKind};

/// Prefixes of names of methods that read their receiver without changing it.
const LOOKING: [&str; 27] = [
    "get",
    "is",
    "has",
    "contains",
    "equals",
    "compare",
    "index",
    "last",
    "size",
    "length",
    "find",
    "to",
    "as",
    "matches",
    "starts",
    "ends",
    "char",
    "sub",
    "split",
    "format",
    "count",
    "exists",
    "peek",
    "resolve",
    "substring",
    "indexOf",
    "lastIndexOf",
];

impl<'r> Run<'_, 'r> {
    /// The graph nodes whose data flows through a call whose value is used. A call with arguments may also change its
    /// receiver.
    pub(super) fn call(&mut self, call: &Call<'r>, expression: &Expression<'r>) -> Value<'r> {
        if let Some(value) = self.assertion_with_value(call, expression) {
            return value;
        }
        let (inputs, _) = self.inputs(call);
        let changes = !call.arguments.is_empty() && !only_looks(call.name);
        if let Some(receiver) = call.receiver.as_ref().filter(|_| changes)
            && matches!(receiver.kind, ExpressionKind::Name(_) | ExpressionKind::Field { .. })
            && let Some(name) = self.root_variable(receiver)
        {
            let operation = self.call_operation(call);
            self.change_variable(name, call.name_at, &inputs, &operation);
        }
        inputs
    }

    /// Abstractly runs an expression whose value is not used: an assertion, or an expression with side effects.
    pub(super) fn discard(&mut self, expression: &Expression<'r>) {
        if self.assertion_chain(expression) {
            return;
        }
        match &expression.kind {
            ExpressionKind::Call(call) => self.effect_of(call, expression),
            ExpressionKind::New(_) => {
                let value = self.operand(expression);
                if let Some(flow) = value.first() {
                    self.effects.done(flow.node);
                }
            }
            ExpressionKind::Ternary { .. } | ExpressionKind::Binary { .. } | ExpressionKind::Opaque(_) => {
                for flow in self.value(expression) {
                    self.effects.done(flow.node);
                }
            }
            _ => {
                self.value(expression);
            }
        }
    }

    /// Abstractly runs a call for its side effect. The call changes its receiver, and it is ordered before the next
    /// assertion.
    fn effect_of(&mut self, call: &Call<'r>, expression: &Expression<'r>) {
        let operation = self.call_operation(call);
        let start = self.effects.position();
        let (inputs, was_followed) = self.inputs(call);
        if let Some(mock) = self.stubbed_variable(expression) {
            self.change_variable(mock, call.name_at, &inputs, &operation);
            return;
        }
        let root = match &call.receiver {
            Some(receiver) => self.root_variable(receiver),
            None => None,
        };
        if let Some(name) = root {
            self.change_variable(name, call.name_at, &inputs, &operation);
        } else if let Some(name) = self.filled_argument(call) {
            self.change_variable(name, call.name_at, &inputs, &operation);
        }
        let did_something = was_followed && !self.effects.done_since(start).is_empty();
        if did_something || is_logging(call, root) {
            return;
        }
        let node = self.call_node(expression);
        self.connect(&inputs, node, &operation);
        if let Some(node) = node {
            self.effects.done(node);
        }
    }

    /// The variable that a call of a static method fills or reorders: `list` for `Collections.sort(list)`. Only methods
    /// of `Collections` and `Arrays`, and `System.arraycopy`, are known; `None` for all others.
    fn filled_argument(&self, call: &Call<'r>) -> Option<&'r str> {
        let owner = call.receiver.as_ref().filter(|it| self.is_type_name(it))?;
        let place = match (self.text_of(owner), call.name) {
            ("Collections" | "Arrays" | "java.util.Collections" | "java.util.Arrays", _) => 0,
            ("System", "arraycopy") => 2,
            _ => return None,
        };
        self.root_variable(call.arguments.get(place)?)
    }

    /// The variable of the mock that an expression stubs; `None` if the expression stubs no mock.
    ///
    /// `when(mock.call()).thenReturn(value)` and `doReturn(value).when(mock).call()` let `value` flow into `mock`.
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

    /// Adds a graph node for a variable whose object was changed in place.
    ///
    /// A call without data from other variables, such as `x.start()`, replaces the earlier definitions of the variable.
    /// So contextual paths lead through the call.
    pub(super) fn change_variable(&mut self, name: &'r str, at: u32, inputs: &Value<'r>, operation: &Operation<'r>) {
        let before = self.read(name, at);
        let own: Vec<_> = before.iter().map(|it| it.node).collect();
        let given: Value<'r> = inputs.iter().filter(|it| !own.contains(&it.node)).cloned().collect();
        let node = self.node(NodeKind::Variable, at, NodeForm::Changed, name);
        self.changes.extend(node);
        self.connect(&given, node, operation);
        if given.is_empty() || own.len() >= MAX_DEFINITIONS {
            self.connect_through(&before, node, operation);
            self.environment.redefine(name, node);
        } else {
            self.environment.add_definition(name, node);
        }
    }

    /// The method or class of the repository that a call runs; `Cut::No` for a library or an unknown target.
    pub(super) fn cut(&self, id: CallId) -> Cut {
        match self.target(id) {
            Target::Declared(method) => Cut::Method(method),
            Target::Owner(owner) => Cut::Type(owner),
            Target::Unknown | Target::External(_) | Target::Library(_) => Cut::No,
        }
    }

    /// The operation that a call puts on graph edges: the name of the method, qualified with the type for a static one.
    pub(super) fn call_operation(&self, call: &Call<'r>) -> Operation<'r> {
        let text = match &call.receiver {
            Some(receiver) if self.is_type_name(receiver) => {
                let end = call.name_at + narrow(call.name.len());
                let written = self.text(receiver.start, end);
                if written.contains(|c: char| c.is_whitespace() || c == '<') {
                    Cow::Owned(format!("{}.{}", self.text_of(receiver), call.name))
                } else {
                    Cow::Borrowed(written)
                }
            }
            _ => Cow::Borrowed(call.name),
        };
        let mut operation = self.operation(OperationKind::Call, call.name_at, text);
        // If the concrete class overrides a helper, the override runs.
        operation.cut = match self.cut(call.id) {
            Cut::Method(declared) => Cut::Method(self.runs(declared, call)),
            other => other,
        };
        operation
    }

    /// The graph nodes whose data flows through a call, and whether the call was followed into a helper of the test
    /// class.
    pub(super) fn inputs(&mut self, call: &Call<'r>) -> (Value<'r>, bool) {
        let operation = self.call_operation(call);
        let mut inputs = Value::new();
        let mut source = self.implied_receiver(call);
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
                ExpressionKind::MethodReference { object, name } => {
                    let value = self.argument(argument);
                    // `names.forEach(out::add)` fills `out`.
                    if let Some(variable) = self.root_variable(object).filter(|_| !given.is_empty()) {
                        let into = self.operation(OperationKind::Call, argument.start, *name);
                        let passed = given.iter().map(|it| plain(it.node)).collect();
                        self.change_variable(variable, argument.start, &passed, &into);
                    }
                    value
                }
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

    /// The text of the graph node at which the data of an unqualified call begins: `this`, or the class of a static
    /// method.
    fn implied_receiver(&self, call: &Call<'r>) -> &'r str {
        match self.target(call.id) {
            Target::Declared(method) | Target::Library(method) if self.index.method(method).is_static => {
                self.index.outline(method.owner).name
            }
            _ => "this",
        }
    }

    /// The graph nodes whose data flows into the arguments of a `new` expression.
    pub(super) fn arguments(&mut self, arguments: &[Expression<'r>]) -> Value<'r> {
        let mut inputs = Value::new();
        for argument in arguments {
            inputs.extend(self.argument(argument));
        }
        inputs
    }

    /// The graph nodes whose data flows out of an argument. For a nested call these include the variables among its own
    /// arguments.
    fn argument(&mut self, argument: &Expression<'r>) -> Value<'r> {
        let mut value = self.operand(argument);
        let inner = match &argument.kind {
            ExpressionKind::Call(call) => &call.arguments,
            ExpressionKind::New(new) => &new.arguments,
            _ => return value,
        };
        for part in inner {
            if let ExpressionKind::Name(name) = &part.kind
                && self.environment.definitions(name).is_some()
            {
                value.extend(self.read(name, part.start));
            }
        }
        value
    }
}

/// Whether a method leaves its receiver unchanged, going by its name.
fn only_looks(name: &str) -> bool {
    LOOKING.iter().any(|it| {
        name.strip_prefix(it)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_uppercase()))
    })
}

/// Whether a call only prints or logs, as `log.info(..)` does. `root` is the variable that the call is made on, if any.
/// No graph node is added for such a call.
fn is_logging(call: &Call<'_>, root: Option<&str>) -> bool {
    const LEVELS: [&str; 9] = [
        "trace", "debug", "info", "warn", "error", "fine", "finest", "severe", "log",
    ];
    let is_printing = matches!(call.name, "println" | "print" | "printf" | "printStackTrace");
    let is_log = root.is_some_and(|it| it.to_ascii_lowercase().starts_with("log"));
    is_printing || is_log && LEVELS.contains(&call.name)
}
