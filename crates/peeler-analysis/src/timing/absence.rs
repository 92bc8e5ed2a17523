//! Finds assertions that a slow thread does not fail: they check that nothing has happened, or that nothing changed.
//!
//! ```java
//! AtomicBoolean failed = new AtomicBoolean();
//! new Thread(() -> failed.set(!cart.isValid())).start();
//! Thread.sleep(100);
//! assertFalse(failed.get());        // holds before the thread runs
//! ```

use crate::syntax::body::{Block, Call, Expression, ExpressionKind, LiteralKind, Statement};
use crate::syntax::visit::{Visit, walk_expression, walk_statement};

use super::catalogue::TimingCatalogue;
use super::own_writes::reads_own_writes;
use super::scanned_body::ScannedBody;
use super::variables::{Values, value_of};

/// Whether two source texts are the same but for white space.
pub(super) fn is_same_code(one: &str, other: &str) -> bool {
    let visible = |text: &'_ str| text.chars().filter(|it| !it.is_whitespace()).collect::<String>();
    one == other || visible(one) == visible(other)
}

/// Whether an assertion checks that nothing has happened, or is never reached by a test that passes.
///
/// `call` is the asserting call, and `whole` the statement around it: `assertThat(log)` and
/// `assertThat(log).isEmpty()`.
pub(super) fn asserts_absence<'r>(
    body: &ScannedBody<'_, 'r>,
    values: &Values<'_, 'r>,
    call: &Call<'r>,
    whole: &Expression<'r>,
) -> bool {
    let text = body.text(whole);
    // A thread that still runs was not waited for.
    let still_runs = text.contains(".isAlive()") && (call.name == "assertTrue" || text.ends_with(".isTrue()"));
    call.name.starts_with("fail")
        || call.name.starts_with("verifyNo")
        || call.name.starts_with("verifyZero")
        || text.contains("never()")
        || text.contains("times(0)")
        || still_runs
        || bounds_nothing(body, call, whole)
        || keeps_initial_value(body, values, whole)
        || reads_own_writes(body, call)
}

/// Whether an assertion only sets an upper limit, such as `assertThat(retries.get(), lessThan(20))`, or one that always
/// holds, such as `assertTrue(list.size() >= 0)`. Work that is not done yet seldom exceeds such limits.
fn bounds_nothing(body: &ScannedBody<'_, '_>, call: &Call<'_>, whole: &Expression<'_>) -> bool {
    let is_bound = |it: &str| it.starts_with("lessThan") || it.starts_with("isLessThan");
    let is_matcher = |it: &Expression<'_>| matches!(&it.kind, ExpressionKind::Call(inner) if is_bound(inner.name));
    let is_wide = |it: &Expression<'_>| match &it.kind {
        ExpressionKind::Binary {
            operator: "<" | "<=", ..
        } => true,
        ExpressionKind::Binary {
            operator: ">=",
            operands,
        } => operands.last().is_some_and(|it| is_default(body, it)),
        _ => false,
    };
    let ends_in_bound = matches!(&whole.kind, ExpressionKind::Call(outer) if is_bound(outer.name));
    ends_in_bound
        || call.arguments.iter().any(is_matcher)
        || call.name == "assertTrue" && call.arguments.iter().any(is_wide)
}

/// Whether an asserting call expects `false` or `null`, as in `assertFalse(latch.await(1, SECONDS))`. Also whether a call
/// expects no call of a mock, as in `timeout(2000).times(0)`, which holds at once.
pub(super) fn expects_refusal(body: &ScannedBody<'_, '_>, call: &Call<'_>) -> bool {
    let is_refusal = |it: &Expression<'_>| is_default(body, it) && !body.text(it).starts_with(['0', '"']);
    match call.name {
        "assertFalse" | "assertNull" | "isFalse" | "isNull" | "never" => true,
        "times" => call.arguments.iter().any(|it| body.text(it) == "0"),
        "assertTrue" => call
            .arguments
            .iter()
            .any(|it| matches!(it.kind, ExpressionKind::Unary { operator: "!", .. })),
        "assertEquals" | "isEqualTo" => call.arguments.iter().any(is_refusal),
        "assertThat" => call.arguments.len() > 1 && call.arguments.last().is_some_and(|it| matches_default(body, it)),
        _ => false,
    }
}

/// Parts of names that stand for failures, such as `error` in `lastError`. An assertion that `lastError` is `null` also
/// holds if a slow thread did not run yet.
const FAILURES: [&str; 5] = ["error", "exception", "fail", "throwable", "rejected"];

/// Whether an assertion expects the value with which a variable starts, and the body itself does not change the
/// variable: only other threads and callbacks do. An assertion that nothing failed always counts.
fn keeps_initial_value<'r>(body: &ScannedBody<'_, 'r>, values: &Values<'_, 'r>, whole: &Expression<'r>) -> bool {
    let Some(subject) = expected_default(body, whole) else {
        return false;
    };
    let text = body.text(subject).to_ascii_lowercase();
    if FAILURES.iter().any(|it| text.contains(it)) {
        return true;
    }
    let Some(name) = asserted_variable(subject) else {
        return false;
    };
    let starts_empty = match value_of(body, values, name) {
        Some(value) => starts_empty(body, value),
        None => is_holding_field(body, name),
    };
    starts_empty && !changes_directly(body.block, name)
}

/// Whether a name is that of a field whose type is `boolean`, `int`, `long`, or a class such as `AtomicInteger` or
/// `ArrayList`. Objects of such a class are empty when they are new, so the field probably starts empty.
fn is_holding_field(body: &ScannedBody<'_, '_>, name: &str) -> bool {
    let field = body.index.field(body.owner, name);
    field.is_some_and(|(_, it)| {
        let class = simple_name(it.type_text);
        matches!(class, "boolean" | "int" | "long") || TimingCatalogue::shipped().names.is_holder(class)
    })
}

/// The name of a type without its package and type arguments: `List` for `java.util.List<String>`.
fn simple_name(type_text: &str) -> &str {
    let class = type_text.split('<').next().unwrap_or_default();
    class.rsplit('.').next().unwrap_or(class)
}

/// Whether an assertion expects `false`, zero, `null` or emptiness of something that was never known to be otherwise:
/// the body does not change it, and no assertion before was about it. `asserted` has the texts of these.
pub(super) fn expects_default<'r>(body: &ScannedBody<'_, 'r>, whole: &Expression<'r>, asserted: &[&str]) -> bool {
    let subject = expected_default(body, whole);
    let is_changed = |it| asserted_variable(it).is_some_and(|name| changes_directly(body.block, name));
    let was_asserted = |it| asserted.iter().any(|text| text.contains(body.text(it)));
    subject.is_some_and(|it| !is_changed(it) && !was_asserted(it))
}

/// Whether an assertion only expects that something is not `null`.
pub(super) fn expects_presence(whole: &Expression<'_>) -> bool {
    let ExpressionKind::Call(call) = &whole.kind else {
        return false;
    };
    match call.name {
        "assertNotNull" | "isNotNull" => true,
        "assertThat" => call.arguments.len() > 1 && call.arguments.last().is_some_and(matches_presence),
        _ => false,
    }
}

/// Whether an assertion only expects that a method answers `true` when it is asked with arguments.
pub(super) fn expects_answer(whole: &Expression<'_>) -> bool {
    let ExpressionKind::Call(call) = &whole.kind else {
        return false;
    };
    let is_answer = |it: &Expression<'_>| match &it.kind {
        // `String.format(..)` is a message.
        ExpressionKind::Call(asked) => !asked.arguments.is_empty() && asked.name != "format",
        _ => false,
    };
    match call.name {
        "assertTrue" => call.arguments.iter().any(is_answer),
        "isTrue" => opened_subject(call).is_some_and(is_answer),
        _ => false,
    }
}

/// Whether a Hamcrest matcher expects anything but `null`: `notNullValue()`, `is(not(nullValue()))`.
fn matches_presence(matcher: &Expression<'_>) -> bool {
    let ExpressionKind::Call(call) = &matcher.kind else {
        return false;
    };
    let argument = || call.arguments.first().map(|it| &it.kind);
    match call.name {
        "notNullValue" => true,
        "is" => call.arguments.first().is_some_and(matches_presence),
        "not" => matches!(argument(), Some(ExpressionKind::Call(inner)) if inner.name == "nullValue"),
        _ => false,
    }
}

/// The asserted expression of an assertion that expects `false`, zero, `null` or emptiness; `None` for others.
fn expected_default<'e, 'r>(body: &ScannedBody<'_, 'r>, whole: &'e Expression<'r>) -> Option<&'e Expression<'r>> {
    let ExpressionKind::Call(call) = &whole.kind else {
        return None;
    };
    // A message is a literal, or a sum with one.
    let is_message = |it: &Expression<'_>| matches!(it.kind, ExpressionKind::Binary { operator: "+", .. });
    let is_value = |it: &&Expression<'_>| !matches!(it.kind, ExpressionKind::Literal(_)) && !is_message(it);
    let first = || call.arguments.iter().find(is_value);
    match call.name {
        "assertFalse" | "assertNull" => first().filter(|it| !matches!(it.kind, ExpressionKind::Unary { .. })),
        "assertTrue" => denied(body, first()?),
        "assertEquals" | "assertSame" => beside_default(body, &call.arguments),
        "assertThat" => {
            let matcher = call.arguments.last().filter(|_| call.arguments.len() > 1)?;
            let is_default = matches_default(body, matcher);
            is_default.then(|| call.arguments.iter().rev().nth(1)).flatten()
        }
        "isFalse" | "isNull" | "isZero" | "isEmpty" | "isNullOrEmpty" => opened_subject(call),
        "isEqualTo" | "hasSize" | "hasValue" => {
            let is_default = call.arguments.first().is_some_and(|it| is_default(body, it));
            is_default.then(|| opened_subject(call)).flatten()
        }
        _ => None,
    }
}

/// What a condition says to be `false`, zero, `null` or empty; `None` for other conditions. `a == null || !a.isOpen()`
/// says so of `a`.
fn denied<'e, 'r>(body: &ScannedBody<'_, 'r>, condition: &'e Expression<'r>) -> Option<&'e Expression<'r>> {
    match &condition.kind {
        ExpressionKind::Unary { operator: "!", operand } => Some(operand),
        ExpressionKind::Call(call) if call.name == "isEmpty" => call.receiver.as_ref(),
        ExpressionKind::Binary {
            operator: "==",
            operands,
        } => beside_default(body, operands),
        ExpressionKind::Binary {
            operator: "||",
            operands,
        } => {
            let mut parts = operands.iter().map(|it| denied(body, it));
            let first = parts.next()??;
            parts.all(|it| it.is_some()).then_some(first)
        }
        _ => None,
    }
}

/// Of expressions that are compared, the one beside a literal `false`, `0`, `null` or `""`; `None` without such a
/// literal.
fn beside_default<'e, 'r>(body: &ScannedBody<'_, 'r>, compared: &'e [Expression<'r>]) -> Option<&'e Expression<'r>> {
    let has_default = compared.iter().any(|it| is_default(body, it));
    let is_value = |it: &&Expression<'_>| !matches!(it.kind, ExpressionKind::Literal(_));
    has_default.then(|| compared.iter().find(is_value)).flatten()
}

/// Whether a Hamcrest matcher expects `false`, zero, `null` or emptiness: `is(0)`, `empty()`.
fn matches_default(body: &ScannedBody<'_, '_>, matcher: &Expression<'_>) -> bool {
    let ExpressionKind::Call(call) = &matcher.kind else {
        return false;
    };
    match call.name {
        "nullValue" | "empty" | "emptyIterable" | "emptyString" | "anEmptyMap" => true,
        "is" | "equalTo" | "hasSize" => {
            let expects = |it: &Expression<'_>| is_default(body, it) || matches_default(body, it);
            call.arguments.first().is_some_and(expects)
        }
        _ => false,
    }
}

/// The argument of the `assertThat` that a chain of calls starts with: `log` of `assertThat(log).isEmpty()`. `None` for
/// other calls.
fn opened_subject<'e, 'r>(call: &'e Call<'r>) -> Option<&'e Expression<'r>> {
    let mut receiver = call.receiver.as_ref();
    while let Some(ExpressionKind::Call(inner)) = receiver.map(|it| &it.kind) {
        if inner.name == "assertThat" {
            return inner.arguments.first();
        }
        receiver = inner.receiver.as_ref();
    }
    None
}

/// Whether an expression is a literal `false`, `0`, `null` or `""`.
fn is_default(body: &ScannedBody<'_, '_>, value: &Expression<'_>) -> bool {
    match value.kind {
        ExpressionKind::Literal(LiteralKind::Null) => true,
        ExpressionKind::Literal(_) => matches!(body.text(value), "false" | "0" | "0L" | "0l" | "\"\""),
        _ => false,
    }
}

/// The name of the variable that an asserted expression is read from: `failed` for `failed.get()`. `None` if there is
/// none, as for `new Cart()`.
fn asserted_variable<'r>(subject: &Expression<'r>) -> Option<&'r str> {
    match &subject.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => Some(name),
        ExpressionKind::Field { object, .. } => asserted_variable(object),
        ExpressionKind::Index { array, .. } => asserted_variable(array),
        ExpressionKind::Cast { value, .. } => asserted_variable(value),
        ExpressionKind::Call(call) => asserted_variable(call.receiver.as_ref()?),
        _ => None,
    }
}

/// Whether a value is `false`, zero, `null`, or a new object without content, such as `new ArrayList<>()` or an atomic
/// integer of zero.
fn starts_empty(body: &ScannedBody<'_, '_>, value: &Expression<'_>) -> bool {
    let names = &TimingCatalogue::shipped().names;
    match &value.kind {
        ExpressionKind::Literal(_) => is_default(body, value),
        ExpressionKind::New(new) => {
            let is_holder = new.body.is_none() && names.is_holder(simple_name(new.type_text));
            is_holder && new.arguments.iter().all(|it| is_default(body, it))
        }
        ExpressionKind::NewArray { parts, .. } => parts.len() <= 1,
        ExpressionKind::Call(call) => {
            call.name.starts_with("synchronized") && call.arguments.iter().all(|it| starts_empty(body, it))
        }
        _ => false,
    }
}

/// Whether a block changes a variable, or the object in it, in its own thread: outside lambdas and classes.
pub(super) fn changes_directly(block: &Block<'_>, name: &str) -> bool {
    let mut search = DirectChanges { name, is_found: false };
    search.block(block);
    search.is_found
}

struct DirectChanges<'n> {
    name: &'n str,
    is_found: bool,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for DirectChanges<'_> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        if !matches!(statement, Statement::LocalType(_)) {
            walk_statement(self, statement);
        }
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        let is_meant = |it: &Expression<'r>| asserted_variable(it) == Some(self.name);
        let changes = match &expression.kind {
            ExpressionKind::Lambda(_) => return,
            ExpressionKind::New(new) => {
                for argument in &new.arguments {
                    self.expression(argument);
                }
                return;
            }
            ExpressionKind::Call(call) => {
                let is_effect = TimingCatalogue::shipped().names.is_effect(call.name);
                is_effect && call.receiver.as_ref().is_some_and(is_meant)
            }
            ExpressionKind::Update { operand, .. } => is_meant(operand),
            ExpressionKind::Assign { target, .. } => is_meant(target),
            _ => false,
        };
        self.is_found |= changes;
        walk_expression(self, expression);
    }
}
