//! Finds assertions about a field that only the test's own thread sets, so that no other work can change them.
//!
//! ```java
//! monitor.stop();                   // sets `isStopped`, and nothing else does
//! Thread.sleep(100);
//! assertTrue(monitor.isStopped());  // holds without the sleep
//! ```

use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind, Statement};
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
    let mut called = OwnCalls {
        body,
        object,
        methods: Vec::new(),
    };
    called.block(body.block);
    let Some(class) = called.methods.first().map(|it| it.owner) else {
        return false;
    };
    let is_called = |it: &MethodId| called.methods.contains(it);
    let is_own = |it: &MethodId| is_called(it) || body.index.method(*it).is_constructor;
    setters(body, class, field).is_some_and(|it| it.iter().all(is_own) && it.iter().any(is_called))
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
        let is_function = match &expression.kind {
            ExpressionKind::Lambda(_) => true,
            ExpressionKind::New(new) => new.body.is_some(),
            _ => false,
        };
        self.functions += u32::from(is_function);
        walk_expression(self, expression);
        self.functions -= u32::from(is_function);
    }
}

/// A visitor that collects the methods that a body itself calls on the object in a variable.
struct OwnCalls<'s, 'b, 'r, 'n> {
    body: &'s ScannedBody<'b, 'r>,
    object: &'n str,
    methods: Vec<MethodId>,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for OwnCalls<'_, 'b, 'r, '_> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        if !matches!(statement, Statement::LocalType(_)) {
            walk_statement(self, statement);
        }
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Lambda(_) => return,
            ExpressionKind::Call(call) => {
                let receiver = call.receiver.as_ref().map(|it| &it.kind);
                if matches!(receiver, Some(ExpressionKind::Name(it)) if *it == self.object)
                    && let Target::Declared(id) = self.body.target(call.id)
                {
                    self.methods.push(id);
                }
            }
            _ => {}
        }
        walk_expression(self, expression);
    }
}
