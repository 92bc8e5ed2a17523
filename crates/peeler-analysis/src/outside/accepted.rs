//! `try` statements that go on after any exception, so that nothing around them fails the test.
//!
//! ```java
//! try { assertNotNull(new URL("https://example.org").openStream()); } catch (Exception e) { e.printStackTrace(); }
//! ```

use crate::syntax::body::{Block, Catch, Expression, ExpressionKind, Statement};

/// Whether a `try` statement contains the assertions of its test, and goes on after any exception. Then a port that is
/// taken or a host that does not answer fails nothing.
pub(super) fn accepts_failures(body: &Block<'_>, catches: &[Catch<'_>]) -> bool {
    let is_general = |it: &Catch<'_>| {
        let mut types = it.variable.type_text.split('|').map(str::trim);
        types.any(|it| matches!(it, "Exception" | "Throwable" | "IOException"))
    };
    let asserts = |it: &Block<'_>| it.iter().any(is_check);
    asserts(body) && catches.iter().any(|it| is_general(it) && !asserts(&it.body))
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
