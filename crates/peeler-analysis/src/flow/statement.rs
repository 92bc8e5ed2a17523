//! Statements: how values move into variables and along the ways through a body.

use super::{Run, Value, plain, through};
use crate::graph::{NodeId, NodeKind, OperationKind};
use crate::syntax::body::{Block, Expression, Local, Statement, Switch};

impl<'r> Run<'_, 'r> {
    pub(super) fn block(&mut self, block: &Block<'r>) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement<'r>) {
        match statement {
            Statement::Local(local) => self.local(local),
            Statement::Expression(value) => self.discard(value),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.value(condition);
                self.branches(&[then, otherwise]);
            }
            Statement::Loop {
                init,
                condition,
                update,
                body,
            } => {
                self.block(init);
                self.turns(|run| {
                    if let Some(condition) = condition {
                        run.value(condition);
                    }
                    run.block(body);
                    for value in update {
                        run.discard(value);
                    }
                });
            }
            Statement::ForEach {
                variable,
                iterable,
                body,
            } => {
                let value = self.value(iterable);
                let operation = self.operation(OperationKind::Iterate, variable.at, "for");
                let node = self.define_local(variable);
                self.connect(&value, node, &operation);
                self.turns(|run| run.block(body));
            }
            Statement::Switch(switch) => {
                self.switch(switch);
            }
            Statement::Return(Some(value)) => {
                let value = self.value(value);
                self.frame.returned.extend(value);
            }
            Statement::Return(None) => {}
            Statement::Yield(value) | Statement::Throw(value) => {
                self.value(value);
            }
            Statement::Try {
                resources,
                body,
                catches,
                finally,
            } => {
                let effects = self.effects.len();
                self.block(resources);
                self.block(body);
                let thrown = self.effects.get(effects..).unwrap_or_default().to_vec();
                let normal = self.environment.clone();
                for catch in catches {
                    let node = self.define_local(&catch.variable);
                    let operation = self.operation(OperationKind::Assign, catch.variable.at, "catch");
                    for effect in &thrown {
                        self.graph.connect(*effect, node, &operation);
                    }
                    self.block(&catch.body);
                }
                self.environment.join(&normal);
                self.block(finally);
            }
            Statement::Assert {
                at,
                condition,
                message,
            } => self.assert_statement(*at, condition, message.as_ref()),
            Statement::Block(block) => self.block(block),
            // Its methods run when somebody makes an instance; they are followed where they stand.
            Statement::LocalType(class) => {
                self.class_body(class);
            }
        }
    }

    pub(super) fn local(&mut self, local: &Local<'r>) {
        let value = match &local.value {
            Some(value) => self.value(value),
            None => Value::new(),
        };
        let operation = self.operation(OperationKind::Assign, local.at, "=");
        let node = self.define_local(local);
        self.connect(&value, node, &operation);
    }

    /// A new local variable with one definition.
    pub(super) fn define_local(&mut self, local: &Local<'r>) -> NodeId {
        let node = self.node(NodeKind::Variable, local.at, 0, local.name);
        self.environment.declare_local(local.name, node);
        node
    }

    /// Runs each way from the same state and joins what they leave.
    fn branches(&mut self, ways: &[&Block<'r>]) {
        let before = self.environment.clone();
        let mut joined = None;
        for way in ways {
            self.environment = before.clone();
            self.block(way);
            match &mut joined {
                None => joined = Some(self.environment.clone()),
                Some(known) => known.join(&self.environment),
            }
        }
        if let Some(joined) = joined {
            self.environment = joined;
        }
    }

    /// A loop: not at all, once, and once more for what is carried around. Inner loops of nested ones
    /// turn only once in each turn of the outer.
    fn turns(&mut self, body: impl Fn(&mut Self)) {
        let before = self.environment.clone();
        self.loop_depth += 1;
        body(self);
        if self.loop_depth == 1 {
            self.environment.join(&before);
            body(self);
        }
        self.loop_depth -= 1;
        self.environment.join(&before);
    }

    pub(super) fn switch(&mut self, switch: &Switch<'r>) -> Value<'r> {
        let subject = self.value(&switch.subject);
        let operation = self.operation(OperationKind::Operator, switch.subject.start, "switch");
        let mut value = through(subject, &operation);
        let before = self.environment.clone();
        let mut joined = before.clone();
        for arm in &switch.arms {
            self.environment = before.clone();
            for binding in &arm.bindings {
                let node = self.define_local(binding);
                self.connect_through(&value.clone(), node, &operation);
            }
            for statement in &arm.body {
                match statement {
                    Statement::Yield(yielded) => {
                        let yielded = self.value_or_effect(yielded);
                        value.extend(yielded);
                    }
                    other => self.statement(other),
                }
            }
            joined.join(&self.environment);
        }
        self.environment = joined;
        value
    }

    /// The value of a switch arm, which may also stand for its effect alone.
    fn value_or_effect(&mut self, expression: &Expression<'r>) -> Value<'r> {
        if self.is_assertion(expression) {
            self.discard(expression);
            return Value::new();
        }
        self.value(expression)
    }

    /// A variable that already exists or is a field gets a new definition.
    pub(super) fn assign(&mut self, name: &'r str, at: u32, value: &Value<'r>, operator: &'r str) {
        let operation = self.operation(OperationKind::Assign, at, operator);
        let before: Value<'r> = if operator == "=" {
            Value::new()
        } else {
            self.read(name, at)
        };
        let node = self.node(NodeKind::Variable, at, 0, name);
        self.connect_through(&before, node, &operation);
        self.connect(value, node, &operation);
        self.environment.redefine(name, node);
    }

    /// The definitions of a variable as a value; at its first appearance it becomes a source.
    pub(super) fn read(&mut self, name: &'r str, at: u32) -> Value<'r> {
        if let Some(known) = self.environment.definitions(name) {
            return known.iter().copied().map(plain).collect();
        }
        let node = self.node(NodeKind::Variable, at, 0, name);
        self.environment.add_definition(name, node);
        Value::from_iter([plain(node)])
    }
}
