//! Assertions: which calls assert, which operands they judge, and the `ASSERT` nodes that result.
//!
//! ```java
//! assertThat(cart.items().get(0)).isEqualTo("pen");
//! // cart.items() -get-> cart.items().get(0) -isEqualTo-> "pen", the last two are ASSERT
//! ```

use smallvec::SmallVec;

use super::{OCCURRENCE, Run, Value, plain};
use crate::assertions::{Owner, Role, Rule, classify};
use crate::graph::{Assertion, NodeId, NodeKind, Operation, OperationKind};
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind, LiteralKind};

type Nodes = SmallVec<[NodeId; 4]>;

impl<'r> Run<'_, 'r> {
    /// What the catalogue says about a call.
    fn rule(&self, call: &Call<'r>) -> Option<Rule> {
        let mut rule = self.catalogued(call)?;
        // `assertThat(actual, matcher)` judges by itself, `assertThat(actual)` only opens a chain.
        if call.name == "assertThat" && call.arguments.len() == 1 {
            rule.role = Role::Opener;
        }
        Some(rule)
    }

    fn catalogued(&self, call: &Call<'r>) -> Option<Rule> {
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
                classify(call.name, Owner::Repository(&name), has_receiver)
            }
            Target::Owner(id) => {
                let name = self.index.binary_name(id).replace('$', ".");
                classify(call.name, Owner::Repository(&name), has_receiver)
            }
        }
    }

    pub(super) fn is_assertion(&self, expression: &Expression<'r>) -> bool {
        links(expression).iter().any(|it| self.rule(it).is_some())
    }

    /// An assertion in a place where its value is used: `error = assertThrows(..)`.
    pub(super) fn assertion_with_value(&mut self, call: &Call<'r>, expression: &Expression<'r>) -> Option<Value<'r>> {
        let rule = self.rule(call).filter(|it| it.role == Role::Call && it.family != "own")?;
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
                if rule.family == "own" && self.asserts_inside(links[at], expression) {
                    return true;
                }
                self.assert_call(links[at], expression, rule);
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
            if is_expected { expected.extend(nodes) } else { actual.extend(nodes) }
        }
        self.conclude(expression, rule.family, &actual, &expected, &operation)
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
            if link.arguments.is_empty() || matches!(link.name, "as" | "describedAs" | "withFailMessage" | "because") {
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

    pub(super) fn assert_statement(
        &mut self,
        at: u32,
        condition: &Expression<'r>,
        message: Option<&Expression<'r>>,
    ) {
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
        let is_literal = |id: &NodeId| self.graph.node(*id).kind == NodeKind::Literal;
        if nodes.iter().all(is_literal) || operation.text.rsplit('.').next().is_some_and(|it| it.starts_with("fail")) {
            let itself = self.call_node(expression);
            for literal in nodes {
                self.graph.connect(literal, itself, operation);
            }
            self.graph.mark_assert(itself);
            nodes = Nodes::from_slice(&[itself]);
        }
        if let Some(first) = nodes.first() {
            self.order(*first);
        }
        self.record(expression, family);
        nodes
    }

    /// What was done before the assertion, in order.
    fn order(&mut self, judged: NodeId) {
        let at = self.graph.node(judged).at;
        let operation = self.operation(OperationKind::Order, at, "then");
        for effect in self.effects.clone() {
            if effect < judged && !self.graph.is_connected(effect, judged) {
                self.graph.connect(effect, judged, &operation);
            }
        }
        self.effects_are_judged = true;
    }

    /// The `ASSERT` nodes of an operand.
    fn judged(&mut self, expression: &Expression<'r>, operation: &Operation<'r>) -> Nodes {
        let nodes = match &expression.kind {
            ExpressionKind::Literal(_) => self.value(expression).iter().map(|it| it.node).collect(),
            ExpressionKind::Name(name) => {
                let value = self.value(expression);
                if value.is_empty() {
                    return Nodes::new();
                }
                let node = self.node(NodeKind::Variable, expression.start, OCCURRENCE, name);
                self.connect_through(&value, node, operation);
                Nodes::from_slice(&[node])
            }
            ExpressionKind::Call(_) | ExpressionKind::New(_) => {
                self.operand(expression).iter().map(|it| it.node).collect()
            }
            // The field of some object has a node for this very place already.
            ExpressionKind::Field { .. } if self.variable_name(expression).is_none() => {
                self.value(expression).iter().map(|it| it.node).collect()
            }
            ExpressionKind::Cast { value, .. } => return self.judged(value, operation),
            ExpressionKind::Unary { operand, .. } if !matches!(operand.kind, ExpressionKind::Literal(_)) => {
                return self.judged(operand, operation);
            }
            ExpressionKind::Binary { operator, operands } => return self.judged_binary(operator, operands, expression, operation),
            _ => {
                let value = self.value(expression);
                if value.is_empty() {
                    return Nodes::new();
                }
                let kind = if matches!(expression.kind, ExpressionKind::Lambda(_) | ExpressionKind::MethodReference { .. })
                {
                    NodeKind::Call
                } else {
                    NodeKind::Variable
                };
                let text = self.text_of(expression);
                let node = self.node(kind, expression.start, OCCURRENCE, text);
                self.connect(&value, node, operation);
                Nodes::from_slice(&[node])
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

    /// A test without any assertion fails when its last effects throw; `expected=` asserts that they
    /// do.
    pub(super) fn judge_effects(&mut self, family: &'static str, text: &'r str, at: u32) {
        let mut judged: Vec<NodeId> = self.effects.clone();
        if judged.is_empty() {
            let last = self.graph.nodes.len().checked_sub(1);
            judged.extend(last.and_then(|it| u32::try_from(it).ok()).map(NodeId));
        }
        for node in judged {
            self.graph.mark_assert(node);
        }
        self.graph.assertions.push(Assertion {
            file: self.frame.file,
            at,
            end: at,
            family,
            text,
        });
    }
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

fn is_call_or_literal(expression: &Expression<'_>) -> bool {
    matches!(expression.kind, ExpressionKind::Call(_) | ExpressionKind::Literal(_))
}

fn is_literal(expression: &Expression<'_>) -> bool {
    matches!(expression.kind, ExpressionKind::Literal(_))
        || matches!(&expression.kind, ExpressionKind::Unary { operand, .. } if is_literal(operand))
}

fn is_text(expression: &Expression<'_>) -> bool {
    match &expression.kind {
        ExpressionKind::Literal(kind) => *kind == LiteralKind::String,
        ExpressionKind::Binary { operator, operands } => *operator == "+" && operands.first().is_some_and(is_text),
        _ => false,
    }
}

/// The judged operands of a call, each with whether it is the expected side, and the others:
/// messages and tolerances.
fn operands<'e, 'r>(call: &'e Call<'r>, rule: Rule) -> (Vec<(&'e Expression<'r>, bool)>, Vec<&'e Expression<'r>>) {
    let arguments: Vec<&Expression<'r>> = call.arguments.iter().collect();
    if rule.family == "own" || call.name.starts_with("fail") || call.name == "assertAll" {
        return (arguments.into_iter().map(|it| (it, is_literal(it))).collect(), Vec::new());
    }
    let wanted = if takes_one(call.name) { 1 } else { 2 };
    if arguments.len() <= wanted {
        return (sides(&arguments, rule), Vec::new());
    }
    // JUnit 4 takes its message first, JUnit 5 and TestNG last; so do tolerances.
    let begins_with_message = rule.expected_first && is_text(arguments[0]) && !is_tolerance(&arguments);
    let begins_with_message = begins_with_message || call.name == "assertThat";
    let skipped = usize::from(begins_with_message);
    let judged = &arguments[skipped..(skipped + wanted).min(arguments.len())];
    let others = arguments
        .iter()
        .enumerate()
        .filter(|(at, _)| *at < skipped || *at >= skipped + wanted)
        .map(|(_, it)| *it)
        .collect();
    (sides(judged, rule), others)
}

/// `assertEquals("expected", actual, "message")` has a text at both ends: the last is the message.
fn is_tolerance(arguments: &[&Expression<'_>]) -> bool {
    arguments.len() == 3 && arguments.last().is_some_and(|it| is_text(it))
}

fn takes_one(name: &str) -> bool {
    ["assertTrue", "assertFalse", "assertNull", "assertNotNull"].contains(&name)
}

fn sides<'e, 'r>(operands: &[&'e Expression<'r>], rule: Rule) -> Vec<(&'e Expression<'r>, bool)> {
    match operands {
        [first, second] => {
            let expected = match (is_literal(first), is_literal(second)) {
                (true, false) => 0,
                (false, true) => 1,
                _ => usize::from(!rule.expected_first),
            };
            vec![(*first, expected == 0), (*second, expected == 1)]
        }
        others => others.iter().map(|it| (*it, false)).collect(),
    }
}
