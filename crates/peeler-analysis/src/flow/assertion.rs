//! Assertions: which calls assert, which operands they judge, and the `ASSERT` nodes that result.
//!
//! ```java
//! assertThat(cart.items().get(0)).isEqualTo("pen");
//! // cart.items() -get-> cart.items().get(0) -isEqualTo-> "pen", the last two are ASSERT
//! ```

use smallvec::SmallVec;

use super::effects::Mark;
use super::operands::{is_call_or_literal, is_literal, operands};
use super::{Expected, Run, Value, plain};
use crate::assertions::{self, OWN, Owner, Position, Role, Rule};
use crate::graph::{Assertion, NodeForm, NodeId, NodeKind, Operation, OperationKind};
use crate::repository::narrow;
use crate::symbols::index::MethodId;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

type Nodes = SmallVec<[NodeId; 4]>;

impl<'r> Run<'_, 'r> {
    /// What the catalogue says about a call.
    fn rule(&self, call: &Call<'r>) -> Option<Rule> {
        let mut rule = self.catalogued(call)?;
        // `assertThat(actual, matcher)` judges by itself, `assertThat(actual)` only opens a chain.
        if call.name == "assertThat" {
            rule.expected = Position::Last;
            rule.message = Position::First;
            if call.arguments.len() == 1 {
                rule.role = Role::Opener;
            }
        }
        Some(rule)
    }

    fn catalogued(&self, call: &Call<'r>) -> Option<Rule> {
        let classify = |name, owner, has_receiver| assertions::classify(self.extra, name, owner, has_receiver);
        let has_receiver = call.receiver.as_ref().is_some_and(|it| !self.is_type_name(it));
        match self.target(call.id) {
            Target::Unknown => classify(call.name, Owner::Unknown, has_receiver),
            Target::External(name) => classify(call.name, Owner::Outside(name), has_receiver),
            Target::Library(method) => {
                let name = self.index.binary_name(method.owner).replace('$', ".");
                classify(call.name, Owner::Outside(&name), has_receiver)
            }
            Target::Declared(method) => {
                let name = self.index.binary_name(method.owner).replace('$', ".");
                classify(call.name, Owner::Repository(&name), has_receiver).or_else(|| {
                    let asserts = may_check(call.name) && self.asserts_in_body(method);
                    asserts.then_some(Rule {
                        family: OWN,
                        role: Role::Call,
                        expected: Position::First,
                        message: Position::Last,
                    })
                })
            }
            Target::Owner(id) => {
                let name = self.index.binary_name(id).replace('$', ".");
                classify(call.name, Owner::Repository(&name), has_receiver)
            }
        }
    }

    /// Whether a method of the repository makes an assertion itself.
    fn asserts_in_body(&self, method: MethodId) -> bool {
        let Some(code) = &self.index.method(method).code else {
            return false;
        };
        let targets = method_targets(self.index, method);
        code.get().calls.iter().zip(targets.iter()).any(|(site, target)| {
            let owner = match target {
                Target::Unknown => Owner::Unknown,
                Target::External(name) => Owner::Outside(name),
                Target::Library(_) | Target::Declared(_) | Target::Owner(_) => return false,
            };
            assertions::classify(self.extra, site.name, owner, false).is_some()
        })
    }

    pub(super) fn is_assertion(&self, expression: &Expression<'r>) -> bool {
        links(expression).iter().any(|it| self.rule(it).is_some())
    }

    /// An assertion in a place where its value is used: `error = assertThrows(..)`.
    pub(super) fn assertion_with_value(&mut self, call: &Call<'r>, expression: &Expression<'r>) -> Option<Value<'r>> {
        let rule = self.rule(call).filter(|it| it.role == Role::Call && it.family != OWN)?;
        let nodes = self.assert_call(call, expression, rule);
        let operation = self.call_operation(call);
        Some(super::through(nodes.into_iter().map(plain).collect(), &operation))
    }

    /// Handles an expression statement that asserts; false when it does not.
    pub(super) fn assertion_chain(&mut self, expression: &Expression<'r>) -> bool {
        let links = links(expression);
        let Some((at, rule)) = links
            .iter()
            .enumerate()
            .find_map(|(at, it)| self.rule(it).map(|rule| (at, rule)))
        else {
            return false;
        };
        match rule.role {
            Role::Call => {
                if rule.family == OWN && self.asserts_inside(links[at], expression) {
                    return true;
                }
                // `response.assertCode(200).assertBody("x")`: every link judges.
                for link in &links[at..] {
                    match self.rule(link).filter(|it| it.role == Role::Call) {
                        Some(rule) => {
                            self.assert_call(link, expression, rule);
                        }
                        None => {
                            for argument in &link.arguments {
                                self.value(argument);
                            }
                        }
                    }
                }
            }
            Role::Opener => self.assert_opened(&links, at, expression, rule),
            Role::Link => self.assert_linked(&links, at, expression, rule),
        }
        true
    }

    /// An assertion helper that is followed into counts by the assertions it makes.
    fn asserts_inside(&mut self, call: &Call<'r>, expression: &Expression<'r>) -> bool {
        let is_whole = matches!(&expression.kind, ExpressionKind::Call(outer) if outer.id == call.id);
        if !is_whole || self.followable(call).is_none() {
            return false;
        }
        let before = self.assertions_made;
        self.inputs(call);
        self.assertions_made > before
    }

    fn record(&mut self, expression: &Expression<'r>, family: &'static str) {
        self.assertions_made += 1;
        let assertion = Assertion {
            file: self.frame.file,
            at: expression.start,
            end: expression.end,
            family,
            text: self.text_of(expression),
        };
        if !self.graph.assertions.contains(&assertion) {
            self.graph.assertions.push(assertion);
        }
    }

    fn assert_operation(&self, at: u32, text: &'r str) -> Operation<'r> {
        self.operation(OperationKind::Assert, at, text)
    }

    /// `assertEquals(expected, actual)` and everything else that asserts by itself.
    fn assert_call(&mut self, call: &Call<'r>, expression: &Expression<'r>, rule: Rule) -> Nodes {
        let operation = Operation {
            kind: OperationKind::Assert,
            ..self.call_operation(call)
        };
        if rule.family == "expected-exception" {
            return self.expect_exception(call, expression, &operation);
        }
        let (mut operands, others) = operands(call, rule);
        // Data runs from the actual value to the expected one, and so does the evaluation.
        operands.sort_by_key(|(_, is_expected)| *is_expected);
        for other in others {
            self.value(other);
        }
        let mut actual = Nodes::new();
        let mut expected = Nodes::new();
        if let Some(receiver) = call.receiver.as_ref().filter(|it| !self.is_type_name(it)) {
            actual.extend(self.judged(receiver, &operation));
        }
        for (operand, is_expected) in operands {
            let nodes = self.judged(operand, &operation);
            if is_expected {
                expected.extend(nodes);
            } else {
                actual.extend(nodes);
            }
        }
        self.conclude(expression, rule.family, &actual, &expected, &operation)
    }

    /// `thrown.expect(X.class)`: what the test does afterwards is judged, at its end.
    fn expect_exception(&mut self, call: &Call<'r>, expression: &Expression<'r>, operation: &Operation<'r>) -> Nodes {
        for argument in &call.arguments {
            let value = if is_literal(argument) {
                Value::new()
            } else {
                self.operand(argument)
            };
            self.expected.push(Expected {
                text: self.text_of(argument),
                at: argument.start,
                value,
                operation: operation.clone(),
            });
        }
        self.record(expression, "expected-exception");
        Nodes::new()
    }

    /// `assertThat(actual).isEqualTo(expected)`.
    fn assert_opened(&mut self, links: &[&Call<'r>], at: usize, expression: &Expression<'r>, rule: Rule) {
        let opener = links[at];
        let mut operation = Operation {
            kind: OperationKind::Assert,
            ..self.call_operation(opener)
        };
        // Links without operands belong to the judgement itself: assertThat.isNotNull.
        let mut words = String::from(&*operation.text);
        for link in links[at + 1..].iter().filter(|it| it.arguments.is_empty()) {
            words.push('.');
            words.push_str(link.name);
        }
        operation.text = words.into();
        let mut actual = Nodes::new();
        if let Some(receiver) = opener.receiver.as_ref().filter(|it| !self.is_type_name(it)) {
            self.value(receiver);
        }
        for (place, argument) in opener.arguments.iter().enumerate() {
            // `verify(mock, times(2))`, `assertThat("reason", actual)`: the mode is not judged.
            if place == 0 || !is_call_or_literal(argument) {
                actual.extend(self.judged(argument, &operation));
            } else {
                self.value(argument);
            }
        }
        let mut expected = Nodes::new();
        for link in &links[at + 1..] {
            // Of `await().atMost(5, SECONDS).until(..)` only the condition is judged.
            let is_setting = opener.arguments.is_empty() && !link.name.starts_with("until");
            let is_description = matches!(link.name, "as" | "describedAs" | "withFailMessage" | "because");
            if link.arguments.is_empty() || is_setting || is_description {
                for argument in &link.arguments {
                    self.value(argument);
                }
                continue;
            }
            let judgement = Operation {
                kind: OperationKind::Assert,
                ..self.call_operation(link)
            };
            for argument in &link.arguments {
                let nodes = self.judged(argument, &judgement);
                for from in &actual {
                    for to in &nodes {
                        self.graph.connect(*from, *to, &judgement);
                    }
                }
                expected.extend(nodes);
            }
        }
        // `await().until(..)` opens with nothing: what its links are given is judged.
        let judged = if actual.is_empty() { &expected } else { &actual };
        self.conclude(expression, rule.family, judged, &[], &operation);
    }

    /// `mvc.perform(..).andExpect(..)`: what stands before the first judging link is judged.
    fn assert_linked(&mut self, links: &[&Call<'r>], at: usize, expression: &Expression<'r>, rule: Rule) {
        let operation = Operation {
            kind: OperationKind::Assert,
            ..self.call_operation(links[at])
        };
        let mut actual = Nodes::new();
        if let Some(receiver) = &links[at].receiver {
            actual.extend(self.judged(receiver, &operation));
        }
        let mut expected = Nodes::new();
        for link in &links[at..] {
            for argument in &link.arguments {
                expected.extend(self.judged(argument, &operation));
            }
        }
        self.conclude(expression, rule.family, &actual, &expected, &operation);
    }

    pub(super) fn assert_statement(&mut self, at: u32, condition: &Expression<'r>, message: Option<&Expression<'r>>) {
        let operation = self.assert_operation(at, "assert");
        if let Some(message) = message {
            self.value(message);
        }
        let actual = self.judged(condition, &operation);
        self.conclude(condition, "assert", &actual, &[], &operation);
    }

    /// Joins the sides of an assertion, marks its nodes and records it. An assertion about nothing
    /// but literals, or about nothing, is a node itself.
    fn conclude(
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
        // Where nothing else names the judgement of a call, its own node does.
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

    /// A `fail()` is about what should have thrown before it, and about the condition it stands under.
    fn order_failure(&mut self, failure: NodeId) {
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

    /// `throw new AssertionError(..)` is `fail(..)` by another name.
    pub(super) fn throw(&mut self, thrown: &Expression<'r>) {
        let fails = match &thrown.kind {
            ExpressionKind::New(new) => {
                new.type_text.ends_with("AssertionError") || new.type_text.ends_with("AssertionFailedError")
            }
            _ => false,
        };
        let value = self.operand(thrown);
        let Some(node) = value.first().map(|it| it.node).filter(|_| fails) else {
            return;
        };
        self.graph.mark_assert(node);
        self.order_failure(node);
        self.record(thrown, "throw");
    }

    /// What was done before the assertion, in order.
    fn order(&mut self, judged: NodeId) {
        let at = self.graph.node(judged).at;
        let operation = self.operation(OperationKind::Order, at, "then");
        for effect in self.effects.before_assertion() {
            if effect < judged && !self.graph.is_connected(effect, judged) {
                self.graph.connect(effect, judged, &operation);
            }
        }
    }

    /// The `ASSERT` nodes of an operand.
    fn judged(&mut self, expression: &Expression<'r>, operation: &Operation<'r>) -> Nodes {
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
            // The field of some object has a node for this very place already.
            ExpressionKind::Field { .. } if self.variable_name(expression).is_none() => {
                self.value(expression).iter().map(|it| it.node).collect()
            }
            ExpressionKind::Cast { value, .. } => return self.judged(value, operation),
            ExpressionKind::Unary { operand, .. } => return self.judged(operand, operation),
            ExpressionKind::Binary { operator, operands } => {
                return self.judged_binary(operator, operands, expression, operation);
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

    /// `assertTrue(list.size() > 3)` compares like `assertEquals`: from what is computed to the
    /// literal. What is only calculated with reaches its occurrence through the operator.
    fn judged_binary(
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
        // Stable: literals go last, everything else keeps its order.
        let mut ordered: Vec<&Expression<'r>> = operands.iter().collect();
        ordered.sort_by_key(|it| is_literal(it));
        let sides: Vec<Nodes> = ordered.into_iter().map(|it| self.judged(it, inner)).collect();
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

    /// A test without any assertion fails when its last effects throw. `expected` says what they
    /// should throw.
    pub(super) fn judge_effects(&mut self, since: Mark, expected: &[Expected<'r>]) {
        let mut judged = self.effects.final_since(since);
        if judged.is_empty() {
            // A body without any call: whatever it computed last.
            judged.extend(narrow(self.graph.nodes.len()).checked_sub(1).map(NodeId));
        }
        for node in &judged {
            self.graph.mark_assert(*node);
        }
        // Made now, since data runs from what is done to what is expected of it.
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
            for from in &judged {
                self.graph.connect(*from, node, &exception.operation);
            }
        }
    }

    /// The exception that an annotation expects.
    pub(super) fn expected_by_annotation(&self, at: u32, text: &'r str) -> Expected<'r> {
        Expected {
            text,
            at,
            value: Value::new(),
            operation: self.operation(OperationKind::Assert, at, "expected"),
        }
    }

    /// Records an assertion that no expression makes.
    pub(super) fn record_at(&mut self, at: u32, family: &'static str, text: &'r str) {
        self.graph.assertions.push(Assertion {
            file: self.frame.file,
            at,
            end: at,
            family,
            text,
        });
    }
}

/// Beginnings of names behind which a check may hide; the body decides.
fn may_check(name: &str) -> bool {
    const BEGINNINGS: [&str; 9] = [
        "check", "validate", "ensure", "test", "compare", "should", "must", "require", "do",
    ];
    BEGINNINGS.iter().any(|it| name.starts_with(it))
}

/// The calls of a chain, first to last.
fn links<'e, 'r>(expression: &'e Expression<'r>) -> Vec<&'e Call<'r>> {
    let mut links = Vec::new();
    let mut current = Some(expression);
    while let Some(ExpressionKind::Call(call)) = current.map(|it| &it.kind) {
        links.push(&**call);
        current = call.receiver.as_ref();
    }
    links.reverse();
    links
}
