//! The `ASSERT` nodes of an assertion: the nodes of its operands, and the edges that end in them.

use smallvec::SmallVec;

use super::effects::LogPosition;
use super::operands::is_literal;
use super::run::{ExpectedException, Run};
use crate::graph::{NodeForm, NodeId, NodeKind, Operation, OperationKind};
use crate::repository::narrow;
use crate::syntax::body::{Expression, ExpressionKind};

/// The graph nodes of the actual or of the expected side of an assertion.
pub(super) type Nodes = SmallVec<[NodeId; 4]>;

impl<'r> Run<'_, 'r> {
    /// Connects the graph nodes of the actual and the expected side of an assertion. Adds the assertion to the list in
    /// the graph, and returns its nodes. A `fail()`, an assertion of literals only, or one whose only operand is a call
    /// gets a node of its own.
    pub(super) fn conclude(
        &mut self,
        expression: &Expression<'r>,
        family: &'static str,
        actual: &[NodeId],
        expected: &[NodeId],
        operation: &Operation<'r>,
    ) -> Nodes {
        for from in actual {
            for to in expected {
                self.graph.connect(*from, *to, operation);
            }
        }
        let mut nodes: Nodes = actual.iter().chain(expected).copied().collect();
        let kind = |id: &NodeId| self.graph.node(*id).kind;
        let is_failure = operation
            .text
            .rsplit('.')
            .next()
            .is_some_and(|it| it.starts_with("fail"));
        let is_bare = nodes.iter().all(|it| kind(it) == NodeKind::Literal);
        // If the only operand is a call, the assertion gets a node of its own, which names the kind of check.
        let is_unnamed = expected.is_empty() && nodes.len() == 1 && kind(&nodes[0]) == NodeKind::Call;
        let is_unnamed = is_unnamed && !self.graph.passes_on(nodes[0]);
        if is_bare || is_failure || is_unnamed {
            let itself = self.call_node(expression);
            if let Some(itself) = itself {
                for node in &nodes {
                    self.graph.connect(*node, itself, operation);
                }
                self.graph.mark_assert(itself);
                if is_failure {
                    self.order_failure(itself);
                }
            }
            if !is_unnamed {
                nodes = itself.into_iter().collect();
            }
        }
        if let Some(first) = nodes.first().filter(|_| !is_failure) {
            self.order(*first);
        }
        self.record(expression, family);
        nodes
    }

    /// Adds graph edges to a `fail()` from the calls before it that should have thrown, and from the condition around
    /// it.
    pub(super) fn order_failure(&mut self, failure: NodeId) {
        let at = self.graph.node(failure).at;
        let then = self.operation(OperationKind::Order, at, "then");
        for effect in self.effects.before_failure() {
            if effect < failure && !self.graph.is_connected(effect, failure) {
                self.graph.connect(effect, failure, &then);
            }
        }
        if let Some(condition) = self.conditions.last().cloned() {
            let under = self.operation(OperationKind::Operator, at, "if");
            self.connect_through(&condition, Some(failure), &under);
        }
    }

    /// Adds graph edges from the calls before an assertion to one of its nodes, because these calls run first.
    fn order(&mut self, asserted: NodeId) {
        let at = self.graph.node(asserted).at;
        let operation = self.operation(OperationKind::Order, at, "then");
        for effect in self.effects.before_assertion() {
            if effect < asserted && !self.graph.is_connected(effect, asserted) {
                self.graph.connect(effect, asserted, &operation);
            }
        }
    }

    /// Adds graph nodes for an operand of an assertion, marks them as `ASSERT` and returns them.
    pub(super) fn asserted(&mut self, expression: &Expression<'r>, operation: &Operation<'r>) -> Nodes {
        let nodes: Nodes = match &expression.kind {
            _ if is_literal(expression) => self.value(expression).iter().map(|it| it.node).collect(),
            ExpressionKind::Name(name) => {
                let value = self.value(expression);
                if value.is_empty() {
                    return Nodes::new();
                }
                let node = self.node(NodeKind::Variable, expression.start, NodeForm::Occurrence, name);
                self.connect_through(&value, node, operation);
                node.into_iter().collect()
            }
            ExpressionKind::Call(_) | ExpressionKind::New(_) => {
                self.operand(expression).iter().map(|it| it.node).collect()
            }
            // A field of some object already has a node at this position.
            ExpressionKind::Field { .. } if self.variable_name(expression).is_none() => {
                self.value(expression).iter().map(|it| it.node).collect()
            }
            ExpressionKind::Cast { value, .. } => return self.asserted(value, operation),
            ExpressionKind::Unary { operand, .. } => return self.asserted(operand, operation),
            ExpressionKind::Binary { operator, operands } => {
                return self.asserted_binary(operator, operands, expression, operation);
            }
            _ => {
                let value = self.value(expression);
                if value.is_empty() {
                    return Nodes::new();
                }
                let kind = if matches!(
                    expression.kind,
                    ExpressionKind::Lambda(_) | ExpressionKind::MethodReference { .. }
                ) {
                    NodeKind::Call
                } else {
                    NodeKind::Variable
                };
                let text = self.text_of(expression);
                let node = self.node(kind, expression.start, NodeForm::Occurrence, text);
                self.connect(&value, node, operation);
                node.into_iter().collect()
            }
        };
        for node in &nodes {
            self.graph.mark_assert(*node);
        }
        nodes
    }

    /// Adds and returns the `ASSERT` nodes of a binary expression in an assertion.
    ///
    /// `assertTrue(list.size() > 3)` compares like `assertEquals`: data flows from the computed side to the literal.
    /// Edges into operands of arithmetic are labelled with its operator.
    fn asserted_binary(
        &mut self,
        operator: &'r str,
        operands: &[Expression<'r>],
        expression: &Expression<'r>,
        operation: &Operation<'r>,
    ) -> Nodes {
        let is_comparison = matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=");
        let own = self.operation(OperationKind::Operator, expression.start, operator);
        let is_logical = matches!(operator, "&&" | "||" | "&" | "|" | "^");
        let inner = if is_comparison || is_logical { operation } else { &own };
        // The sort is stable: literals go last, everything else keeps its order.
        let mut ordered: Vec<&Expression<'r>> = operands.iter().collect();
        ordered.sort_by_key(|it| is_literal(it));
        let sides: Vec<Nodes> = ordered.into_iter().map(|it| self.asserted(it, inner)).collect();
        if is_comparison {
            for pair in sides.windows(2) {
                for from in &pair[0] {
                    for to in &pair[1] {
                        self.graph.connect(*from, *to, &own);
                    }
                }
            }
        }
        sides.into_iter().flatten().collect()
    }

    /// Marks the nodes of the last calls of a test as `ASSERT`, because the test fails when they throw. Only calls
    /// after position `since` of the log of effects count. `expected` are the exceptions that they should throw.
    pub(super) fn assert_effects(&mut self, since: LogPosition, expected: &[ExpectedException<'r>]) {
        let mut asserted = self.effects.final_since(since);
        if asserted.is_empty() {
            // In a body without calls, the last node is marked.
            asserted.extend(narrow(self.graph.nodes.len()).checked_sub(1).map(NodeId));
        }
        for node in &asserted {
            self.graph.mark_assert(*node);
        }
        // Created after the effects, since data flows from the effects to the expected exception.
        for exception in expected {
            let kind = if exception.value.is_empty() {
                NodeKind::Literal
            } else {
                NodeKind::Call
            };
            let Some(node) = self.node(kind, exception.at, NodeForm::Occurrence, exception.text) else {
                continue;
            };
            self.connect(&exception.value, Some(node), &exception.operation);
            self.graph.mark_assert(node);
            for from in &asserted {
                self.graph.connect(*from, node, &exception.operation);
            }
        }
    }
}
