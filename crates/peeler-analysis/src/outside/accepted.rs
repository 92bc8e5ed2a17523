//! `try` statements that go on after any exception, so that nothing around them fails the test.
//!
//! ```java
//! try { assertNotNull(new URL("https://example.org").openStream()); } catch (Exception e) { e.printStackTrace(); }
//! try { url.openStream(); } catch (IOException e) { return; }      // the test needs the network, or is over
//! ```

use crate::syntax::body::{Block, Catch, Expression, ExpressionKind, Statement};

/// Whether a `try` statement contains the assertions of its test, and goes on after any exception, or ends the code
/// around it then. So a port that is taken or a host that does not answer fails nothing.
pub(super) fn accepts_failures(body: &Block<'_>, catches: &[Catch<'_>]) -> bool {
    let is_general = |it: &Catch<'_>| {
        let mut types = it.variable.type_text.split('|').map(str::trim);
        types.any(|it| matches!(it, "Exception" | "Throwable" | "IOException"))
    };
    let asserts = |it: &Block<'_>| it.iter().any(is_check);
    let goes_on = |it: &Catch<'_>| asserts(body) || it.body.iter().any(gives_up);
    catches
        .iter()
        .any(|it| is_general(it) && !asserts(&it.body) && goes_on(it))
}

/// Whether a statement ends the code around it without a failure, or skips the test.
fn gives_up(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::Return(value) => value.is_none(),
        Statement::Expression(Expression {
            kind: ExpressionKind::Call(call),
            ..
        }) => call.name.starts_with("assume"),
        _ => false,
    }
}

/// Whether a statement is an assertion, or ends the code around it with an exception.
fn is_check(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::Throw(_) => true,
        Statement::Expression(Expression {
            kind: ExpressionKind::Call(call),
            ..
        }) => call.name.starts_with("assert") || call.name.starts_with("fail"),
        _ => false,
    }
}
