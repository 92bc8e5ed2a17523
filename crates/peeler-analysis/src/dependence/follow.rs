//! Follows calls into helper methods during the abstract run of a test.
//!
//! A helper is a method of the test class, a superclass or an enclosing class. It runs with its parameters bound to the
//! arguments, to a limited depth and never recursively. Helpers that a limit leaves out are reported.

use super::run::{FOLLOW_UNTIL_NODES, Frame, MAX_FOLLOWED, Run, Value};
use crate::graph::{NodeForm, NodeKind, Operation};
use crate::symbols::index::MethodId;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, ExpressionKind};
use crate::syntax::visit::Visit;

impl<'r> Run<'_, 'r> {
    /// The helper method of the test class that a call runs. `None` if the call runs no helper, or if the limits on
    /// depth and graph size forbid following it, which is reported as a problem.
    pub(super) fn followable(&mut self, call: &Call<'r>) -> Option<MethodId> {
        let helper = self.called_helper(call)?;
        if self.followed.len() >= MAX_FOLLOWED {
            self.problem("helpers that are nested deeper than 4 calls were not followed");
            return None;
        }
        if self.graph.nodes.len() >= FOLLOW_UNTIL_NODES {
            self.problem("helpers that are called after the graph had 1500 nodes were not followed");
            return None;
        }
        Some(helper)
    }

    /// The helper that a call on the test object runs: a method of its class, a superclass or an enclosing class.
    ///
    /// Overrides of the concrete class come first. `None` if the call runs no helper, or one that is being followed
    /// already.
    fn called_helper(&self, call: &Call<'r>) -> Option<MethodId> {
        let (Target::Declared(method) | Target::Library(method)) = self.target(call.id) else {
            return None;
        };
        let is_on_test = match &call.receiver {
            None => true,
            Some(receiver) => {
                matches!(receiver.kind, ExpressionKind::This | ExpressionKind::Super) || self.is_type_name(receiver)
            }
        };
        if !is_on_test || !self.is_helper(method) {
            return None;
        }
        let runs = self.runs(method, call);
        let is_recursive = self.followed.contains(&runs) || self.frame.method == Some(runs);
        (self.index.method(runs).code.is_some() && !is_recursive).then_some(runs)
    }

    /// Whether the test class, a superclass or an enclosing class declares the method.
    fn is_helper(&self, method: MethodId) -> bool {
        let mut class = Some(self.class);
        while let Some(id) = class {
            if self.index.inherits(id, method.owner) {
                return true;
            }
            class = self.index.enclosing(id);
        }
        false
    }

    /// The method that runs when a method is called on the test object: the nearest override.
    pub(super) fn runs(&self, method: MethodId, call: &Call<'r>) -> MethodId {
        let declared = self.index.method(method);
        let is_virtual = match &call.receiver {
            None => true,
            Some(receiver) => matches!(receiver.kind, ExpressionKind::This),
        };
        if !is_virtual || declared.is_static || !self.index.inherits(self.class, method.owner) {
            return method;
        }
        self.index.override_in(self.class, method)
    }

    /// Abstractly runs a helper method of the test class, with its parameters bound to the arguments. Returns its
    /// result.
    pub(super) fn follow(
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
            let node = self.node(NodeKind::Variable, parameter.at, NodeForm::Plain, parameter.name);
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
        let inside = std::mem::replace(&mut self.environment.locals, locals);
        let callee = std::mem::replace(&mut self.frame, caller);
        // Changes of objects that were passed as arguments are visible to the caller.
        for (parameter, argument) in declared.parameters.iter().zip(&call.arguments) {
            let variable = self.variable_name(argument);
            let (Some(variable), Some(definitions)) = (variable, inside.get(parameter.name)) else {
                continue;
            };
            for node in definitions {
                if self.changes.contains(node) {
                    self.environment.add_definition(variable, Some(*node));
                }
            }
        }
        callee.returned
    }
}
