//! The abstract run of statements: how values move into variables, and how the branches of a body are joined.

use super::environment::Environment;
use super::run::{Flow, Run, Value, plain, through, value_of};
use crate::graph::{NodeForm, NodeId, NodeKind, OperationKind};
use crate::syntax::body::{Block, Catch, ClassBody, Expression, ExpressionKind, Local, Statement, Switch};
use crate::syntax::visit::{Visit, walk_block, walk_statement};

impl<'b, 'r: 'b> Visit<'b, 'r> for Run<'_, 'r> {
    /// Abstractly runs the statements of a block. Local variables that they declare go out of scope at its end.
    fn block(&mut self, block: &'b Block<'r>) {
        let declared = block.iter().filter_map(|it| match it {
            Statement::Local(local) => Some(local.name),
            _ => None,
        });
        let outside = self.environment.enter(declared);
        walk_block(self, block);
        self.environment.leave(outside);
    }

    /// Abstractly runs a statement. Control flow is handled here, other statements by the default visitor.
    fn statement(&mut self, statement: &'b Statement<'r>) {
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.value(condition);
                self.conditions.push(condition);
                self.branches(&[then, otherwise]);
                self.conditions.pop();
            }
            Statement::Loop {
                init,
                condition,
                update,
                body,
            } => {
                let declared = init.iter().filter_map(|it| match it {
                    Statement::Local(local) => Some(local.name),
                    _ => None,
                });
                let outside = self.environment.enter(declared);
                for statement in init {
                    self.statement(statement);
                }
                self.turns(|run| {
                    if let Some(condition) = condition {
                        run.value(condition);
                    }
                    run.block(body);
                    for value in update {
                        run.discard(value);
                    }
                });
                self.environment.leave(outside);
            }
            Statement::ForEach {
                variable,
                iterable,
                body,
            } => {
                let value = self.value(iterable);
                let operation = self.operation(OperationKind::Iterate, variable.at, "for");
                let outside = self.environment.enter([variable.name].into_iter());
                let node = self.define_local(variable);
                self.connect(&value, node, &operation);
                self.turns(|run| run.block(body));
                self.environment.leave(outside);
            }
            Statement::Switch(switch) => {
                self.switch(switch);
            }
            // A returned call becomes a node, so that its operation differs from that of the call it returns from.
            Statement::Return(Some(value)) => {
                if self.is_assertion(value) {
                    self.discard(value);
                } else {
                    let value = self.operand(value);
                    self.frame.returned.extend(value);
                }
            }
            Statement::Yield(value) => {
                if self.is_assertion(value) {
                    self.discard(value);
                } else {
                    let value = self.value(value);
                    self.yielded.extend(value);
                }
            }
            Statement::Throw(value) => self.throw(value),
            Statement::Try {
                resources,
                body,
                catches,
                finally,
            } => {
                let before = self.copied_environment();
                let start = self.effects.position();
                let outside = self.environment.enter(resources.iter().filter_map(|it| match it {
                    Statement::Local(local) => Some(local.name),
                    _ => None,
                }));
                for resource in resources {
                    self.statement(resource);
                }
                self.block(body);
                self.environment.leave(outside);
                let thrown = self.effects.last_since(start);
                self.catches(catches, before, &thrown);
                self.block(finally);
            }
            Statement::Assert { at, condition, message } => self.assert_statement(*at, condition, message.as_ref()),
            Statement::Local(_)
            | Statement::Expression(_)
            | Statement::Return(None)
            | Statement::Block(_)
            | Statement::LocalType(_) => walk_statement(self, statement),
        }
    }

    /// Abstractly runs the declaration of a local variable, with its initial value.
    fn local(&mut self, local: &'b Local<'r>) {
        let value = match &local.value {
            Some(value) => self.value(value),
            None => Value::new(),
        };
        let operation = self.operation(OperationKind::Assign, local.at, "=");
        let node = self.define_local(local);
        self.connect(&value, node, &operation);
        if let Some(node) = node.filter(|_| local.value.as_ref().is_some_and(is_call)) {
            self.effects.assigned(node);
        }
    }

    /// Abstractly runs an expression whose value is not used.
    fn expression(&mut self, expression: &'b Expression<'r>) {
        self.discard(expression);
    }

    /// Abstractly runs the methods of a local class where it is declared, as if an instance were made there.
    fn class(&mut self, class: &'b ClassBody<'r>) {
        self.class_body(class);
    }
}

impl<'r> Run<'_, 'r> {
    /// Abstractly runs the `catch` clauses of a `try`. `thrown` are the graph nodes of its last calls, which may throw
    /// the caught exceptions. `before` has the definitions of variables before the `try`; `None` if the test copied too
    /// many. Each clause starts with these definitions, joined with those after the `try`.
    fn catches(&mut self, catches: &[Catch<'r>], before: Option<Environment<'r>>, thrown: &[NodeId]) {
        let caught = before.map(|mut before| {
            before.join(&self.environment);
            before
        });
        let mut joined: Option<Environment<'r>> = None;
        for catch in catches {
            if let Some(caught) = &caught
                && let Some(normal) = self.copied_environment()
            {
                match &mut joined {
                    None => joined = Some(normal),
                    Some(joined) => joined.join(&normal),
                }
                self.environment = caught.clone();
            }
            let outside = self.environment.enter([catch.variable.name].into_iter());
            let node = self.define_local(&catch.variable);
            let operation = self.operation(OperationKind::Assign, catch.variable.at, "catch");
            if let Some(node) = node {
                for effect in thrown {
                    self.graph.connect(*effect, node, &operation);
                }
            }
            self.block(&catch.body);
            self.environment.leave(outside);
        }
        if let Some(joined) = joined {
            self.environment.join(&joined);
        }
    }

    /// Declares a local variable and returns the graph node of its definition. `None` if the graph has its maximum
    /// number of nodes.
    pub(super) fn define_local(&mut self, local: &Local<'r>) -> Option<NodeId> {
        let node = self.node(NodeKind::Variable, local.at, NodeForm::Plain, local.name);
        self.environment.declare_local(local.name, node);
        node
    }

    /// Abstractly runs each branch of a statement with the same definitions of variables, and joins what results. If
    /// the test copied too many definitions, the branches run one after the other.
    fn branches(&mut self, ways: &[&Block<'r>]) {
        let before = self.copied_environment();
        let mut joined: Option<Environment<'r>> = None;
        for way in ways {
            if let Some(before) = &before {
                self.environment = before.clone();
            }
            self.block(way);
            if before.is_some() {
                let after = std::mem::take(&mut self.environment);
                match &mut joined {
                    None => joined = Some(after),
                    Some(known) => known.join(&after),
                }
            }
        }
        if let Some(joined) = joined {
            self.environment = joined;
        }
    }

    /// Abstractly runs a loop body twice, the second time for data that one iteration passes to the next. Then joins
    /// the definitions of variables with those before the loop, because the body may never run.
    ///
    /// The body of an inner loop runs once in each run of the outer body. If the test copied too many definitions,
    /// every body runs once.
    fn turns(&mut self, body: impl Fn(&mut Self)) {
        let before = self.copied_environment();
        self.loop_depth += 1;
        body(self);
        if let Some(before) = &before
            && self.loop_depth == 1
        {
            self.environment.join(before);
            body(self);
        }
        self.loop_depth -= 1;
        if let Some(before) = before {
            self.environment.join(&before);
        }
    }

    /// Abstractly runs a `switch`. Returns the data of its subject and of the values that it yields.
    pub(super) fn switch(&mut self, switch: &Switch<'r>) -> Value<'r> {
        let subject = self.value(&switch.subject);
        let operation = self.operation(OperationKind::Operator, switch.subject.start, "switch");
        let mut value = through(subject, &operation);
        let outer = std::mem::take(&mut self.yielded);
        let mut joined: Option<Environment<'r>> = None;
        let before = self.copied_environment();
        if !switch.has_default {
            joined.clone_from(&before);
        }
        for arm in &switch.arms {
            if let Some(before) = &before
                && self.may_copy(before.size())
            {
                self.environment = before.clone();
            }
            for binding in &arm.bindings {
                let node = self.define_local(binding);
                self.connect_through(&value.clone(), node, &operation);
            }
            self.block(&arm.body);
            if before.is_some() {
                let after = self.environment.clone();
                match &mut joined {
                    None => joined = Some(after),
                    Some(known) => known.join(&after),
                }
            }
        }
        if let Some(joined) = joined {
            self.environment = joined;
        }
        value.extend(std::mem::replace(&mut self.yielded, outer));
        value
    }

    /// Adds a graph node for the new value of a known local variable or a field.
    pub(super) fn assign(&mut self, name: &'r str, at: u32, value: &Value<'r>, operator: &'r str) {
        let operation = self.operation(OperationKind::Assign, at, operator);
        let before: Value<'r> = if operator == "=" {
            Value::new()
        } else {
            self.read(name, at)
        };
        let node = self.node(NodeKind::Variable, at, NodeForm::Plain, name);
        self.connect_through(&before, node, &operation);
        self.connect(value, node, &operation);
        // `if (seen) found = true`: the value depends on nothing but the condition.
        let is_literal = |flow: &Flow<'r>| self.graph.node(flow.node).kind == NodeKind::Literal;
        if let Some(condition) = self.conditions.last().filter(|_| value.iter().all(is_literal)).cloned() {
            let under = self.operation(OperationKind::Operator, at, "if");
            self.connect_through(&condition, node, &under);
        }
        self.environment.redefine(name, node);
    }

    /// The graph nodes that may define a variable. For an unknown variable, a new graph node with its name.
    pub(super) fn read(&mut self, name: &'r str, at: u32) -> Value<'r> {
        if let Some(known) = self.environment.definitions(name) {
            return known.iter().copied().map(plain).collect();
        }
        let node = self.node(NodeKind::Variable, at, NodeForm::FirstRead, name);
        self.environment.add_definition(name, node);
        value_of(node)
    }
}

/// Whether an expression is a call or construction, ignoring casts.
pub(super) fn is_call(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Call(_) | ExpressionKind::New(_) => true,
        ExpressionKind::Cast { value, .. } => is_call(value),
        _ => false,
    }
}
