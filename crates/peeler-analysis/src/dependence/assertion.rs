//! Assertions in all their forms: single calls, fluent chains, links, `assert` statements and thrown errors.
//!
//! ```java
//! assertThat(cart.items().get(0)).isEqualTo("pen");
//! // cart.items() -get-> cart.items().get(0) -isEqualTo-> "pen", the last two are ASSERT
//! ```

use super::assert_nodes::Nodes;
use super::assertion_rules::links;
use super::operands::{OperandSide, is_call_or_literal, is_literal, operands};
use super::run::{ExpectedException, Run, Value, plain, through};
use crate::assertions::{AssertionRole, AssertionRule, OWN};
use crate::graph::{Assertion, Operation, OperationKind};
use crate::syntax::body::{Call, Expression, ExpressionKind};

impl<'r> Run<'_, 'r> {
    /// Abstractly runs an assertion whose value is used, such as `error = assertThrows(..)`. Returns `None` if the call
    /// does not assert by itself, or is an assertion of the repository.
    pub(super) fn assertion_with_value(&mut self, call: &Call<'r>, expression: &Expression<'r>) -> Option<Value<'r>> {
        let rule = self
            .rule(call)
            .filter(|it| it.role == AssertionRole::Call && it.family != OWN)?;
        let nodes = self.assert_call(call, expression, rule);
        let operation = self.call_operation(call);
        Some(through(nodes.into_iter().map(plain).collect(), &operation))
    }

    /// Abstractly runs an expression statement if one of the calls of its chain asserts. Returns whether one does.
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
            AssertionRole::Call => {
                if rule.family == OWN && self.asserts_inside(links[at], expression) {
                    return true;
                }
                // `response.assertCode(200).assertBody("x")`: every link asserts.
                for link in &links[at..] {
                    match self.rule(link).filter(|it| it.role == AssertionRole::Call) {
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
            AssertionRole::Opener => self.assert_opened(&links, at, expression, rule),
            AssertionRole::Link => self.assert_linked(&links, at, expression, rule),
        }
        true
    }

    /// Follows a call into an assertion helper of the test. Returns whether the helper's body contains assertions.
    fn asserts_inside(&mut self, call: &Call<'r>, expression: &Expression<'r>) -> bool {
        let is_whole = matches!(&expression.kind, ExpressionKind::Call(outer) if outer.id == call.id);
        if !is_whole || self.followable(call).is_none() {
            return false;
        }
        let before = self.assertions_made;
        self.inputs(call);
        self.assertions_made > before
    }

    /// Records an assertion in the dependency graph, once for each position in the source.
    pub(super) fn record(&mut self, expression: &Expression<'r>, family: &'static str) {
        self.assertions_made += 1;
        let assertion = Assertion {
            file: self.frame.file,
            at: expression.start,
            end: expression.end,
            family,
            text: self.text_of(expression),
        };
        self.graph.add_assertion(assertion);
    }

    fn assert_operation(&self, at: u32, text: &'r str) -> Operation<'r> {
        self.operation(OperationKind::Assert, at, text)
    }

    /// Abstractly runs a call that asserts by itself, such as `assertEquals(expected, actual)`. Returns the `ASSERT`
    /// nodes of the assertion.
    fn assert_call(&mut self, call: &Call<'r>, expression: &Expression<'r>, rule: AssertionRule) -> Nodes {
        let operation = Operation {
            kind: OperationKind::Assert,
            ..self.call_operation(call)
        };
        if rule.family == "expected-exception" {
            return self.expect_exception(call, expression, &operation);
        }
        let (mut operands, others) = operands(call, rule);
        // Data flows from the actual value to the expected one, and evaluation has the same order.
        operands.sort_by_key(|(_, side)| *side);
        for other in others {
            self.value(other);
        }
        let mut actual = Nodes::new();
        let mut expected = Nodes::new();
        if let Some(receiver) = call.receiver.as_ref().filter(|it| !self.is_type_name(it)) {
            actual.extend(self.asserted(receiver, &operation));
        }
        for (operand, side) in operands {
            let nodes = self.asserted(operand, &operation);
            match side {
                OperandSide::Actual => actual.extend(nodes),
                OperandSide::Expected => expected.extend(nodes),
            }
        }
        self.conclude(expression, rule.family, &actual, &expected, &operation)
    }

    /// Records the exceptions of `thrown.expect(X.class)`, which the last calls of the test should throw. Returns no
    /// nodes, because `ASSERT` nodes for exceptions are added at the end of the test.
    fn expect_exception(&mut self, call: &Call<'r>, expression: &Expression<'r>, operation: &Operation<'r>) -> Nodes {
        for argument in &call.arguments {
            let value = if is_literal(argument) {
                Value::new()
            } else {
                self.operand(argument)
            };
            self.expected.push(ExpectedException {
                text: self.text_of(argument),
                at: argument.start,
                value,
                operation: operation.clone(),
            });
        }
        self.record(expression, "expected-exception");
        Nodes::new()
    }

    /// Abstractly runs a fluent chain such as `assertThat(actual).isEqualTo(expected)`. `links` are its calls, and `at`
    /// is the index of `assertThat` in them.
    fn assert_opened(&mut self, links: &[&Call<'r>], at: usize, expression: &Expression<'r>, rule: AssertionRule) {
        let opener = links[at];
        let mut operation = Operation {
            kind: OperationKind::Assert,
            ..self.call_operation(opener)
        };
        // The names of links without operands are part of the operation: assertThat.isNotNull.
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
            // `verify(mock, times(2))`, `assertThat("reason", actual)`: the mode or reason is no operand of the
            // assertion.
            if place == 0 || !is_call_or_literal(argument) {
                actual.extend(self.asserted(argument, &operation));
            } else {
                self.value(argument);
            }
        }
        let mut expected = Nodes::new();
        for link in &links[at + 1..] {
            // Of `await().atMost(5, SECONDS).until(..)` only the condition is an operand of the assertion.
            let is_setting = opener.arguments.is_empty() && !link.name.starts_with("until");
            let is_description = matches!(link.name, "as" | "describedAs" | "withFailMessage" | "because");
            if link.arguments.is_empty() || is_setting || is_description {
                for argument in &link.arguments {
                    self.value(argument);
                }
                continue;
            }
            let comparison = Operation {
                kind: OperationKind::Assert,
                ..self.call_operation(link)
            };
            for argument in &link.arguments {
                let nodes = self.asserted(argument, &comparison);
                for from in &actual {
                    for to in &nodes {
                        self.graph.connect(*from, *to, &comparison);
                    }
                }
                expected.extend(nodes);
            }
        }
        // `await().until(..)` opens a chain without operands, so those of its links are asserted on.
        let asserted = if actual.is_empty() { &expected } else { &actual };
        self.conclude(expression, rule.family, asserted, &[], &operation);
    }

    /// Abstractly runs a chain with asserting links such as `mvc.perform(..).andExpect(..)`. `links` are its calls, and
    /// `at` is the index of the first asserting one, which asserts on its receiver.
    fn assert_linked(&mut self, links: &[&Call<'r>], at: usize, expression: &Expression<'r>, rule: AssertionRule) {
        let operation = Operation {
            kind: OperationKind::Assert,
            ..self.call_operation(links[at])
        };
        let mut actual = Nodes::new();
        if let Some(receiver) = &links[at].receiver {
            actual.extend(self.asserted(receiver, &operation));
        }
        let mut expected = Nodes::new();
        for link in &links[at..] {
            for argument in &link.arguments {
                expected.extend(self.asserted(argument, &operation));
            }
        }
        self.conclude(expression, rule.family, &actual, &expected, &operation);
    }

    /// Abstractly runs an `assert` statement.
    pub(super) fn assert_statement(&mut self, at: u32, condition: &Expression<'r>, message: Option<&Expression<'r>>) {
        let operation = self.assert_operation(at, "assert");
        if let Some(message) = message {
            self.value(message);
        }
        let actual = self.asserted(condition, &operation);
        self.conclude(condition, "assert", &actual, &[], &operation);
    }

    /// Abstractly runs a `throw`. `throw new AssertionError(..)` counts as `fail(..)`.
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

    /// The exception that a test expects because of an annotation such as `@Test(expected = X.class)`.
    pub(super) fn expected_by_annotation(&self, at: u32, text: &'r str) -> ExpectedException<'r> {
        ExpectedException {
            text,
            at,
            value: Value::new(),
            operation: self.operation(OperationKind::Assert, at, "expected"),
        }
    }

    /// Records an assertion that is not an expression, such as that of `@Test(expected = X.class)`.
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
