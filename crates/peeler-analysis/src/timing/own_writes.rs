//! Finds assertions about a field that only the test's own thread sets, so that no other work can change them.
//!
//! ```java
//! monitor.stop();                   // sets `isStopped`, and nothing else does
//! Thread.sleep(100);
//! assertTrue(monitor.isStopped());  // holds without the sleep
//! ```

use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Block, Call, Expression, ExpressionKind, Statement};
use crate::syntax::visit::{Visit, walk_expression, walk_statement};

use super::publishers::last_statement;
use super::scanned_body::ScannedBody;

/// Whether every value that an assertion reads is a literal, or a field that only the body's own calls set.
pub(super) fn reads_own_writes<'r>(body: &ScannedBody<'_, 'r>, call: &Call<'r>) -> bool {
    let is_value = |it: &&Expression<'r>| !matches!(it.kind, ExpressionKind::Literal(_));
    let mut read = call.arguments.iter().filter(is_value).peekable();
    read.peek().is_some() && read.all(|it| is_own_write(body, it))
}

fn is_own_write<'r>(body: &ScannedBody<'_, 'r>, read: &Expression<'r>) -> bool {
    let (object, field) = match &read.kind {
        ExpressionKind::Field { object, name } => (object.as_ref(), *name),
        ExpressionKind::Call(getter) if getter.arguments.is_empty() => match (&getter.receiver, field_of(body, getter))
        {
            (Some(object), Some(field)) => (object, field),
            _ => return false,
        },
        _ => return false,
    };
    let ExpressionKind::Name(object) = object.kind else {
        return false;
    };
    let called = calls(body.block, body.targets, Object::Variable(object));
    let Some(class) = called.direct.first().map(|it| it.owner) else {
        return false;
    };
    let Some(setters) = setters(body, class, field) else {
        return false;
    };
    let later = [called.later, called_later(body, class)].concat();
    let own = with_own_calls(body, called.direct);
    let is_called = |it: &MethodId| own.contains(it) && !later.contains(it);
    let is_own = |it: &MethodId| is_called(it) || body.index.method(*it).is_constructor;
    setters.iter().all(is_own) && setters.iter().any(is_called)
}

/// Methods, and those of their class that they call on the same object before they return.
fn with_own_calls(body: &ScannedBody<'_, '_>, mut methods: Vec<MethodId>) -> Vec<MethodId> {
    let mut at = 0;
    while let Some(method) = methods.get(at).copied() {
        at += 1;
        let more = own_calls(body, method).direct;
        let is_new = |it: &MethodId| it.owner == method.owner && !methods.contains(it);
        let more: Vec<MethodId> = more.into_iter().filter(is_new).collect();
        methods.extend(more);
    }
    methods
}

/// The methods that functions of a class call, and its method `run`: another thread may do so.
fn called_later(body: &ScannedBody<'_, '_>, class: TypeId) -> Vec<MethodId> {
    let methods = body.index.declaration(class).methods.iter().enumerate();
    let calls = methods.map(|(at, method)| {
        let calls = own_calls(body, MethodId::new(class, at));
        let runs = matches!(method.name, "run" | "call") && method.parameters.is_empty();
        let direct = if runs { calls.direct } else { Vec::new() };
        [calls.later, direct].concat()
    });
    calls.flatten().collect()
}

/// The methods that a method calls on its own object.
fn own_calls(body: &ScannedBody<'_, '_>, method: MethodId) -> Calls {
    match &body.index.method(method).code {
        Some(code) if code.may_call() => calls(&code.get().block, method_targets(body.index, method), Object::This),
        _ => Calls::default(),
    }
}

/// The field that a getter of the repository returns; `None` if the call is none of such a getter.
fn field_of<'r>(body: &ScannedBody<'_, 'r>, getter: &Call<'r>) -> Option<&'r str> {
    let Target::Declared(id) = body.target(getter.id) else {
        return None;
    };
    let code = body.index.method(id).code.as_ref()?;
    match last_statement(&code.get().block) {
        Some(Statement::Return(Some(value))) => own_field(value),
        _ => None,
    }
}

/// The name of a field of `this` that an expression stands for.
fn own_field<'r>(place: &Expression<'r>) -> Option<&'r str> {
    match &place.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => Some(name),
        _ => None,
    }
}

/// The methods of a class that assign one of its fields. `None` if one of them does so in a function, which another
/// thread may run.
fn setters(body: &ScannedBody<'_, '_>, class: TypeId, field: &str) -> Option<Vec<MethodId>> {
    let mut setters = Vec::new();
    for (at, method) in body.index.declaration(class).methods.iter().enumerate() {
        let Some(code) = &method.code else {
            continue;
        };
        let mut assignments = Assignments {
            field,
            functions: 0,
            is_direct: false,
            is_in_function: false,
        };
        assignments.block(&code.get().block);
        if assignments.is_in_function {
            return None;
        }
        if assignments.is_direct {
            setters.push(MethodId::new(class, at));
        }
    }
    Some(setters)
}

/// A visitor that looks for assignments of a field.
struct Assignments<'n> {
    field: &'n str,
    /// The number of lambdas and anonymous classes around the current code.
    functions: u32,
    is_direct: bool,
    is_in_function: bool,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Assignments<'_> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        let place = match &expression.kind {
            ExpressionKind::Assign { target, .. } => Some(target),
            ExpressionKind::Update { operand, .. } => Some(operand),
            _ => None,
        };
        if place.is_some_and(|it| own_field(it) == Some(self.field)) {
            self.is_direct |= self.functions == 0;
            self.is_in_function |= self.functions > 0;
        }
        let functions = u32::from(is_function(expression));
        self.functions += functions;
        walk_expression(self, expression);
        self.functions -= functions;
    }
}

/// The object whose methods are called: that of the calling code, or one in a variable.
#[derive(Clone, Copy)]
enum Object<'n> {
    This,
    Variable(&'n str),
}

/// The methods that code calls on one object.
#[derive(Default)]
struct Calls {
    /// The methods that the code calls before it returns.
    direct: Vec<MethodId>,
    /// The methods that lambdas and anonymous classes in the code call.
    later: Vec<MethodId>,
}

/// The methods of the repository that a block calls on an object.
fn calls<'r>(block: &Block<'r>, targets: &[Target<'r>], object: Object<'_>) -> Calls {
    let mut collector = CallCollector {
        targets,
        object,
        functions: 0,
        calls: Calls::default(),
    };
    collector.block(block);
    collector.calls
}

/// A visitor that collects the methods that code calls on one object.
struct CallCollector<'t, 'r, 'n> {
    targets: &'t [Target<'r>],
    object: Object<'n>,
    /// The number of lambdas and anonymous classes around the current code.
    functions: u32,
    calls: Calls,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for CallCollector<'_, 'r, '_> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        if !matches!(statement, Statement::LocalType(_)) {
            walk_statement(self, statement);
        }
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        if let ExpressionKind::Call(call) = &expression.kind {
            let is_on_object = match (self.object, call.receiver.as_ref().map(|it| &it.kind)) {
                (Object::This, None | Some(ExpressionKind::This)) => true,
                (Object::Variable(name), Some(ExpressionKind::Name(it))) => *it == name,
                _ => false,
            };
            if is_on_object && let Target::Declared(id) = self.targets[call.id.0 as usize] {
                let calls = match self.functions {
                    0 => &mut self.calls.direct,
                    _ => &mut self.calls.later,
                };
                calls.push(id);
            }
        }
        let functions = u32::from(is_function(expression));
        self.functions += functions;
        walk_expression(self, expression);
        self.functions -= functions;
    }
}

/// Whether an expression contains code that runs later: a lambda or an anonymous class.
fn is_function(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Lambda(_) => true,
        ExpressionKind::New(new) => new.body.is_some(),
        _ => false,
    }
}
