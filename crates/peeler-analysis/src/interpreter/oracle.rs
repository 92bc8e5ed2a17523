//! The abstract run of assertions: what they notice of the values that reach them.
//!
//! ```java
//! assertEquals("a,b", text)                      // text: notices order and values
//! assertThat(list).containsExactly("a", "b")     // notices order
//! assertThat(list).containsExactlyInAnyOrder(..) // does not
//! assertTrue(random.nextInt(10) < 9)             // notices values
//! ```

use super::checks::{Check, is_unordered_matcher};
use super::compare::{Extent, has_equal_order};
use super::report::Report;
use super::run::Run;
use super::trace::{Exposure, SourceKind};
use super::value::{Form, Value};
use crate::assertions::{AssertionRole, AssertionRule};
use crate::dependence::assertion_rules::{links, rule_of};
use crate::dependence::operands::{OperandSide, operands};
use crate::flows::flow::Site;
use crate::repository::is_test_file;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// Abstractly runs an expression if it is an assertion of a library. Returns whether it is.
    pub(super) fn assertion(&mut self, expression: &'i Expression<'r>) -> bool {
        let calls = links(expression);
        let found = calls
            .iter()
            .enumerate()
            .find_map(|(at, call)| self.rule(call).map(|rule| (at, rule)));
        let Some((at, rule)) = found else {
            return false;
        };
        let site = self.site(expression);
        self.remember_single(&calls[at..]);
        let is_about_members = !matches!(calls[at].name, "assertNotNull" | "assertNull" | "fail");
        for trace in std::mem::take(&mut self.picked_members) {
            if is_about_members && self.units == 0 && self.stack.len() == 1 {
                self.report(Report::of_one(trace, site));
            }
        }
        match rule.role {
            AssertionRole::Call => {
                for (place, call) in calls.iter().enumerate().skip(at) {
                    if let Some(rule) = if place == at { Some(rule) } else { self.rule(call) } {
                        self.assert_call(call, rule, site);
                    }
                }
            }
            AssertionRole::Opener => self.assert_chain(&calls[at..], rule, site),
            AssertionRole::Link => {
                if let Some(receiver) = &calls[at].receiver {
                    self.value(receiver);
                }
                for call in &calls[at..] {
                    self.run_lambdas(&call.arguments);
                    self.values_without_functions(&call.arguments);
                }
            }
        }
        true
    }

    /// Remembers a container that the test asserts to have one element: `assertEquals(1, names.size())`, `hasSize(1)`.
    fn remember_single(&mut self, calls: &[&'i Call<'r>]) {
        let is_one = |run: &Self, it: &Expression<'r>| matches!(run.text(it), "1" | "1L");
        let mut single = None;
        match (calls[0].name, calls[0].arguments.as_slice()) {
            ("assertEquals", arguments) if arguments.iter().any(|it| is_one(self, it)) => {
                single = arguments.iter().find_map(sized);
            }
            ("assertTrue", arguments) => {
                single = arguments.iter().find_map(|it| match &it.kind {
                    ExpressionKind::Binary {
                        operator: "==",
                        operands,
                    } if operands.iter().any(|it| is_one(self, it)) => operands.iter().find_map(sized),
                    _ => None,
                });
            }
            ("assertThat", [actual, matchers @ ..]) => {
                let matchers = matchers.iter().filter_map(|it| match &it.kind {
                    ExpressionKind::Call(call) => Some(&**call),
                    _ => None,
                });
                let mut checks = calls.iter().copied().chain(matchers);
                single = checks.find_map(|it| match (it.name, it.arguments.first()) {
                    ("hasSize" | "hasLength", Some(size)) if is_one(self, size) => Some(actual),
                    ("is" | "equalTo" | "isEqualTo", Some(size)) if is_one(self, size) => sized(actual),
                    _ => None,
                });
            }
            _ => {}
        }
        if let Some(single) = single {
            self.singles.push(self.text(single));
        }
    }

    fn rule(&self, call: &Call<'r>) -> Option<AssertionRule> {
        let target = self.target(call.id);
        // The repository's own assertions are run as methods, with their arguments.
        if matches!(target, Target::Declared(_)) {
            return None;
        }
        let has_receiver = call.receiver.as_ref().is_some_and(|it| self.named_type(it).is_none());
        rule_of(self.shared.index, self.shared.assertions, call, target, has_receiver)
    }

    /// Abstractly runs the Java statement `assert condition`.
    pub(super) fn assert_condition(&mut self, condition: &'i Expression<'r>) {
        let mut value = self.value(condition);
        let site = self.site(condition);
        // Code under test asserts what it needs of its arguments; a test that gives random ones meets that. What it
        // asserts of an element holds for all.
        if self.units > 0 || self.stack.len() > 1 {
            value.taints.clear();
            if !is_test_file(self.shared.index.source(self.frame.file).path()) {
                return;
            }
        }
        self.notice(&value, site);
    }

    /// Records the undefined order in a condition that decides whether code fails: `if (!a.equals(b)) { fail(); }`. A
    /// picked element does not count: `if (!rows.next())` only asks whether there is one.
    pub(super) fn fail_by(&mut self, condition: &'i Expression<'r>, outcome: &Value<'i, 'r>) {
        let site = self.site(condition);
        let order = outcome.disorder.as_ref();
        if let Some(disorder) = order.filter(|it| it.exposure != Exposure::Element) {
            self.report(Report::of_order(disorder, site));
        }
    }

    fn assert_call(&mut self, call: &'i Call<'r>, rule: AssertionRule, site: Site) {
        self.run_lambdas(&call.arguments);
        if rule.family == "jsonassert" || rule.family == "xmlunit" || self.is_document_check(call) {
            let values = self.values_without_functions(&call.arguments);
            // Objects are compared without order, arrays with it where the comparison is strict.
            let is_strict = call.arguments.last().is_some_and(|it| {
                let text = self.text(it);
                text == "true" || text.ends_with("STRICT")
            });
            if let ([expected, actual, ..], true) = (values.as_slice(), is_strict)
                && expected
                    .constant
                    .is_some_and(|it| it.trim_start_matches(['"', ' ']).starts_with('['))
            {
                let outcome = self.compare(expected, actual, site);
                self.notice(&outcome, site);
            }
            return;
        }
        let (sides, others) = operands(call, rule);
        let tolerance = others.iter().any(|it| {
            let value = self.value(it);
            value.form == Form::Number
        });
        match (call.name, sides.as_slice()) {
            ("assertTrue" | "assertFalse" | "isTrue", [(condition, _), ..]) => {
                let mut value = self.value(condition);
                // A text is the message of the assertion.
                let other = call.arguments.iter().find(|it| it.start != condition.start);
                if let Some(other) = other.filter(|_| value.form == Form::Text) {
                    value = self.value(other);
                }
                self.notice(&value, site);
            }
            ("assertThat", sides) if sides.len() >= 2 => {
                let actual = self.value(sides[0].0);
                self.matched(&actual, sides[1].0, site);
            }
            ("assertThat", [(condition, _)]) => {
                let value = self.value(condition);
                self.notice(&value, site);
            }
            (name, [(a, side), (b, _), ..]) if Check::named(name, false) == Check::Equal => {
                let (mut one, mut other) = (self.value(a), self.value(b));
                if *side == OperandSide::Expected {
                    one = self.without_shared_order(one, &other);
                } else {
                    other = self.without_shared_order(other, &one);
                }
                if name == "assertIterableEquals" {
                    for side in [&mut one, &mut other] {
                        side.disorder = side.exposed(Exposure::Sequence, site);
                        side.form = Form::List;
                    }
                }
                let mut outcome = self.compare(&one, &other, site);
                if is_same_call(a, b) {
                    outcome.disorder = outcome.disorder.filter(|it| !it.trace.origin().kind.is_reflective());
                }
                if name == "assertSame" {
                    outcome.disorder = outcome.disorder.filter(|it| it.exposure == Exposure::Element);
                }
                if tolerance {
                    outcome
                        .taints
                        .retain(|it| !matches!(it.kind(), SourceKind::Clock | SourceKind::Elapsed));
                }
                self.notice(&outcome, site);
            }
            (_, sides) => {
                for (side, _) in sides {
                    if !matches!(side.kind, ExpressionKind::Lambda(_)) {
                        self.value(side);
                    }
                }
            }
        }
    }

    /// Abstractly runs a fluent chain such as `assertThat(actual).isEqualTo(expected)`.
    fn assert_chain(&mut self, calls: &[&'i Call<'r>], rule: AssertionRule, site: Site) {
        let opener = calls[0];
        self.run_lambdas(&opener.arguments);
        let arguments = self.values_without_functions(&opener.arguments);
        let is_verification = rule.family == "mockito" || rule.family == "awaitility";
        if rule.family == "mockito"
            && let [_, call, ..] = calls
        {
            self.verify_sent(call, site);
        }
        // Documents are compared without the order of their properties.
        let is_document = opener.name == "assertThatJson";
        if is_verification || is_document || opener.name.starts_with("await") {
            for call in &calls[1..] {
                self.run_lambdas(&call.arguments);
                self.values_without_functions(&call.arguments);
            }
            return;
        }
        let mut actual = arguments.into_iter().next().unwrap_or_default();
        let is_truth = matches!(self.target(opener.id), Target::External(name) if name.contains("truth"));
        let is_unordered = calls
            .iter()
            .any(|it| it.name.contains("AnyOrder") || it.name.contains("ignoringCollectionOrder"));
        let in_order = is_truth && calls.iter().any(|it| it.name == "inOrder");
        for call in &calls[1..] {
            let check = if in_order && call.name.starts_with("containsExactly") {
                Check::InOrder
            } else {
                Check::named(call.name, is_truth)
            };
            if check == Check::InOrder && is_unordered {
                continue;
            }
            let tolerance = call.arguments.len() > 1 && check == Check::Equal;
            self.run_lambdas(&call.arguments);
            actual = self.checked(check, &actual, &call.arguments, tolerance, site);
        }
    }

    /// Applies one check of an assertion chain, such as `isEqualTo(..)`, to a value. Returns the value that the next
    /// check of the chain is applied to.
    fn checked(
        &mut self,
        check: Check,
        actual: &Value<'i, 'r>,
        arguments: &'i [Expression<'r>],
        tolerance: bool,
        site: Site,
    ) -> Value<'i, 'r> {
        match check {
            Check::Equal | Check::Part | Check::Identical => {
                let expected = arguments.first().map(|it| self.value(it)).unwrap_or_default();
                let expected = self.without_shared_order(expected, actual);
                let extent = if check == Check::Part {
                    Extent::Part
                } else {
                    Extent::Whole
                };
                let mut outcome = self.compared(actual, &expected, extent, site);
                if check == Check::Identical {
                    outcome.disorder = outcome.disorder.filter(|it| it.exposure == Exposure::Element);
                }
                if tolerance {
                    outcome
                        .taints
                        .retain(|it| !matches!(it.kind(), SourceKind::Clock | SourceKind::Elapsed));
                }
                self.notice(&outcome, site);
            }
            Check::TextEqual => {
                let expected = arguments.first().map(|it| self.value(it)).unwrap_or_default();
                let text = self.text_of(actual, site);
                let outcome = self.compare(&text, &expected, site);
                self.notice(&outcome, site);
            }
            Check::InOrder => {
                let expected = self.values_without_functions(arguments);
                let few = match expected.as_slice() {
                    [only] => !only.form.is_container() || only.count.is_some_and(|it| it < 2),
                    all => all.len() < 2 || self.are_written_alike(arguments),
                };
                let has_same = |it: &Value<'_, '_>| {
                    let both = it.disorder.as_ref().zip(actual.disorder.as_ref());
                    both.is_some_and(|(a, b)| a.trace.has_origin_of(&b.trace) || has_equal_order(a, b))
                };
                if !few && !expected.iter().any(has_same) {
                    let mut outcome = Value::of(Form::Boolean);
                    outcome.disorder = actual.exposed(Exposure::Sequence, site);
                    if let Some(disorder) = &mut outcome.disorder {
                        disorder.is_sure |= expected.len() > 1 || expected.iter().any(|it| it.count.is_some());
                    }
                    self.notice(&outcome, site);
                }
            }
            Check::Truth => self.notice(actual, site),
            Check::Less => {
                let expected = arguments.first().map(|it| self.value(it)).unwrap_or_default();
                let outcome = self.relation("<", (actual, &expected), site, site);
                self.notice(&outcome, site);
            }
            Check::Matcher => match arguments.first() {
                Some(argument) => self.matched(actual, argument, site),
                None => return actual.clone(),
            },
            Check::Matchers => arguments.iter().for_each(|it| self.matched(actual, it, site)),
            Check::First => {
                self.values_without_functions(arguments);
                return self.picked(actual, site);
            }
            Check::AsText => return self.text_of(actual, site),
            Check::Same => {
                self.values_without_functions(arguments);
            }
            Check::Blind => {
                self.values_without_functions(arguments);
                self.notice_settled(actual, site);
            }
        }
        actual.clone()
    }

    /// Applies a matcher of an assertion to `actual`: `is("a")`, `contains("a", "b")`, or a plain expected value.
    fn matched(&mut self, actual: &Value<'i, 'r>, matcher: &'i Expression<'r>, site: Site) {
        let ExpressionKind::Call(call) = &matcher.kind else {
            let expected = self.value(matcher);
            let outcome = self.compare(actual, &expected, site);
            self.notice(&outcome, site);
            return;
        };
        let is_library = !matches!(self.target(call.id), Target::Declared(_));
        let is_static = call.receiver.as_ref().is_none_or(|it| self.named_type(it).is_some());
        if is_library && !is_static && is_unordered_matcher(first_call(call).name) {
            return;
        }
        if !is_library || !is_static {
            let expected = self.value(matcher);
            let outcome = self.compare(actual, &expected, site);
            self.notice(&outcome, site);
            return;
        }
        let check = match call.name {
            // Hamcrest's `contains` checks all elements in order; `is` may take a matcher or a value.
            "contains" => Check::InOrder,
            "is" | "describedAs" => Check::Matcher,
            name => Check::named(name, false),
        };
        self.checked(check, actual, &call.arguments, false, site);
    }

    /// Reports what differs from run to run in a value that an assertion depends on.
    pub(super) fn notice(&mut self, value: &Value<'i, 'r>, oracle: Site) {
        if let Some(disorder) = &value.disorder {
            self.report(Report::of_order(disorder, oracle));
        }
        for taint in &value.taints {
            self.report(Report::of_one(taint.trace.clone(), oracle));
        }
        self.notice_settled(value, oracle);
    }

    /// Records a flow that an operation such as a sort made harmless, to explain why the test is not reported for it.
    fn notice_settled(&mut self, value: &Value<'i, 'r>, oracle: Site) {
        if let Some(settled) = value.settled.as_ref().filter(|_| value.disorder.is_none()) {
            self.report(Report {
                trace: settled.trace.clone(),
                exposure: settled.exposure,
                oracle,
                settled_by: Some(settled.by),
                is_sure: true,
            });
        }
    }
}

/// Whether two expressions call the same method, as in `one.toJson()` and `other.toJson()`. What changes a text, such
/// as `trim()`, is not looked at.
fn is_same_call(one: &Expression<'_>, other: &Expression<'_>) -> bool {
    match (&unchanged(one).kind, &unchanged(other).kind) {
        (ExpressionKind::Call(one), ExpressionKind::Call(other)) => {
            one.name == other.name && one.arguments.len() == other.arguments.len()
        }
        _ => false,
    }
}

/// The text that calls such as `trim()` and `replaceAll(..)` change: `order.toJson()` of `order.toJson().trim()`.
fn unchanged<'e, 'r>(mut text: &'e Expression<'r>) -> &'e Expression<'r> {
    while let ExpressionKind::Call(call) = &text.kind
        && matches!(
            call.name,
            "trim" | "strip" | "replace" | "replaceAll" | "replaceFirst" | "toLowerCase" | "toUpperCase"
        )
        && let Some(receiver) = &call.receiver
    {
        text = receiver;
    }
    text
}

/// The first call of a chain: `isSimilarTo(a)` of `isSimilarTo(a).ignoreWhitespace()`.
fn first_call<'e, 'r>(call: &'e Call<'r>) -> &'e Call<'r> {
    let mut first = call;
    while let Some(ExpressionKind::Call(before)) = first.receiver.as_ref().map(|it| &it.kind) {
        first = before;
    }
    first
}

/// The container whose size an expression asks for: `names` in `names.size()` or `names.length`. `None` for other
/// expressions.
pub(super) fn sized<'e, 'r>(expression: &'e Expression<'r>) -> Option<&'e Expression<'r>> {
    match &expression.kind {
        ExpressionKind::Call(call) if matches!(call.name, "size" | "length") => call.receiver.as_ref(),
        ExpressionKind::Field { object, name: "length" } => Some(object),
        _ => None,
    }
}
