//! Waits in the condition of an `if`: whether a test that reaches their time limit goes on, fails or asserts nothing.

use crate::syntax::body::{Block, Expression, ExpressionKind};
use crate::syntax::visit::Visit;

use super::refuted::{only_asserts, unheeded};
use super::scan::Scan;

impl<'a, 'r> Scan<'a, 'r> {
    /// Reads the condition of an `if` with these branches.
    pub(super) fn condition(&mut self, condition: &'a Expression<'r>, then: &Block<'r>, otherwise: &Block<'r>) {
        // `if (!pool.awaitTermination(1, SECONDS)) { pool.shutdownNow(); }` is a wait whose result is ignored.
        if let Some(call) = unheeded(condition, then, otherwise) {
            let around = self.statement.replace(call);
            self.expression(call);
            self.statement = around;
            return;
        }
        // `if (latch.await(1, SECONDS)) { assert...; }` asserts nothing once the limit is reached.
        let is_harmless = matches!(condition.kind, ExpressionKind::Call(_)) && only_asserts(then, otherwise);
        self.expected_limits += u32::from(is_harmless);
        self.expression(condition);
        self.expected_limits -= u32::from(is_harmless);
    }
}
