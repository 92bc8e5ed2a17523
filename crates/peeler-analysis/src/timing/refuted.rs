//! Finds waits with a time limit whose result a test asserts to be false: the test expects the limit to be reached.
//!
//! ```java
//! boolean isDone = latch.await(1, SECONDS);
//! assertFalse(isDone);
//! ```

use crate::syntax::body::{Block, Call, Expression, ExpressionKind};
use crate::syntax::visit::{Visit, walk_expression};

/// Whether code asserts that a local variable is false or null.
pub(super) fn is_refuted(block: &Block<'_>, name: &str) -> bool {
    let mut search = Search { name, is_found: false };
    search.block(block);
    search.is_found
}

struct Search<'n> {
    name: &'n str,
    is_found: bool,
}

impl Search<'_> {
    fn is_refutal(&self, call: &Call<'_>) -> bool {
        let mentions = |it: &Expression<'_>| matches!(it.kind, ExpressionKind::Name(name) if name == self.name);
        match call.name {
            "assertFalse" | "assertNull" => call.arguments.iter().any(mentions),
            "isFalse" | "isNull" => match call.receiver.as_ref().map(|it| &it.kind) {
                Some(ExpressionKind::Call(opener)) => opener.arguments.first().is_some_and(mentions),
                _ => false,
            },
            _ => false,
        }
    }
}

impl<'a, 'r: 'a> Visit<'a, 'r> for Search<'_> {
    fn expression(&mut self, expression: &'a Expression<'r>) {
        if let ExpressionKind::Call(call) = &expression.kind {
            self.is_found |= self.is_refutal(call);
        }
        walk_expression(self, expression);
    }
}
