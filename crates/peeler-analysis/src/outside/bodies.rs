//! The local variables and parameters of a method body, and the expression that is assigned to each.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::flows::flow::Site;
use crate::symbols::ids::{FileId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Expression, ExpressionKind, Local};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local};
use crate::walk::Code;

/// A method body or field initialiser, with its parameters and the values of its local variables.
pub(crate) struct BodyVariables<'i, 'r> {
    pub(crate) code: Code<'i, 'r>,
    pub(crate) file: FileId,
    pub(crate) targets: &'i [Target<'r>],
    parameters: Vec<&'r str>,
    /// The values of local variables, collected when the first variable is looked up.
    locals: OnceCell<FxHashMap<&'r str, Assigned<'i, 'r>>>,
}

/// What is assigned to a local variable: nothing, one expression, or several values.
#[derive(Clone, Copy)]
enum Assigned<'i, 'r> {
    Nothing,
    Once(&'i Expression<'r>),
    Often,
}

/// What a name in a method body refers to: a local variable, a parameter, or neither.
#[derive(Clone, Copy)]
pub(crate) enum Variable<'i, 'r> {
    /// The name refers to a local variable that only this expression is assigned to.
    Value(&'i Expression<'r>),
    Parameter(usize),
    /// The name refers to a local variable without a value or with several, or to a parameter that the body assigns.
    Unknown,
    /// The name refers to neither a local variable nor a parameter, so it may be a field.
    NotLocal,
}

impl<'i, 'r> BodyVariables<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>, code: Code<'i, 'r>) -> Self {
        let parameters: Vec<&'r str> = match code {
            Code::Method(id, _) => index.method(id).parameters.iter().map(|it| it.name).collect(),
            Code::Initialiser(..) => Vec::new(),
        };
        Self {
            code,
            file: index.file_of(code.owner()),
            targets: code.targets(index),
            parameters,
            locals: OnceCell::new(),
        }
    }

    fn locals(&self) -> &FxHashMap<&'r str, Assigned<'i, 'r>> {
        self.locals.get_or_init(|| {
            let mut locals = Locals {
                parameters: &self.parameters,
                found: FxHashMap::default(),
            };
            // The declaration of a field is lowered as a local variable, but is no variable of its body.
            if let Code::Method(..) = self.code {
                walk_block(&mut locals, &self.code.body().get().block);
            }
            locals.found
        })
    }

    /// The type that declares the method or field whose body this is.
    pub(crate) fn owner(&self) -> TypeId {
        self.code.owner()
    }

    /// The range of bytes that an expression of the body takes up in its file.
    pub(crate) fn site(&self, expression: &Expression<'r>) -> Site {
        Site {
            file: self.file,
            start: expression.start,
            end: expression.end,
        }
    }

    /// What a name inside the body refers to: a local variable, a parameter, or neither.
    pub(crate) fn variable(&self, name: &str) -> Variable<'i, 'r> {
        let parameter = self.parameters.iter().position(|it| *it == name);
        match (self.locals().get(name), parameter) {
            (None, None) => Variable::NotLocal,
            (None, Some(at)) => Variable::Parameter(at),
            (Some(Assigned::Once(value)), None) => Variable::Value(value),
            _ => Variable::Unknown,
        }
    }
}

/// A visitor that collects the values that a method body assigns to its local variables.
struct Locals<'p, 'i, 'r> {
    parameters: &'p [&'r str],
    found: FxHashMap<&'r str, Assigned<'i, 'r>>,
}

impl<'i, 'r: 'i> Locals<'_, 'i, 'r> {
    /// Notes that `target` gets a value; `value` is `None` if no expression states it, as in `count++`.
    fn assign(&mut self, target: &Expression<'r>, value: Option<&'i Expression<'r>>) {
        let ExpressionKind::Name(name) = target.kind else {
            return;
        };
        match (self.found.get_mut(name), value) {
            (Some(known @ Assigned::Nothing), Some(value)) => *known = Assigned::Once(value),
            (Some(known), _) => *known = Assigned::Often,
            (None, _) if self.parameters.contains(&name) => {
                self.found.insert(name, Assigned::Often);
            }
            _ => {}
        }
    }
}

impl<'i, 'r: 'i> Visit<'i, 'r> for Locals<'_, 'i, 'r> {
    fn local(&mut self, local: &'i Local<'r>) {
        let now = match (&local.value, self.found.get(local.name)) {
            (None, None) => Assigned::Nothing,
            (Some(value), None) => Assigned::Once(value),
            (_, Some(_)) => Assigned::Often,
        };
        self.found.insert(local.name, now);
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'i Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Assign {
                target,
                value,
                operator,
            } => {
                self.assign(target, (*operator == "=").then_some(value));
            }
            ExpressionKind::Update { operand, .. } => self.assign(operand, None),
            _ => {}
        }
        walk_expression(self, expression);
    }
}
