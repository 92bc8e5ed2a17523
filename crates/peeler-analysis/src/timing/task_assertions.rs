//! Finds assertions in tasks of other threads, where a failure does not reach the test.

use crate::flows::flow::Site;
use crate::syntax::body::{Block, Expression, ExpressionKind, Statement};
use crate::syntax::visit::{Visit, walk_expression, walk_statement};

use super::references::{called_method, is_own_method, referenced_method, scanned_method};
use super::scanned_body::ScannedBody;
use super::variables::{Tasks, Values};

/// The maximum number of helper methods between a task of another thread and an assertion.
const MAX_CALLS: u8 = 2;

/// The first assertion in tasks that other threads run, where its failure does not reach the test. `None` if there is
/// none outside a `try` that catches failures.
pub(super) fn lost_assertion<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    tasks: &Tasks<'b, 'r>,
    values: &Values<'b, 'r>,
) -> Option<Site> {
    let in_blocks = tasks.blocks.iter().find_map(|it| in_block(scanned, it, MAX_CALLS));
    in_blocks.or_else(|| {
        tasks.references.iter().find_map(|it| match &it.kind {
            ExpressionKind::MethodReference { object, name } => {
                let method = referenced_method(scanned, values, object, name)?;
                if !is_own_method(scanned, method) {
                    return None;
                }
                let body = scanned_method(scanned, method)?;
                in_block(&body, body.block, MAX_CALLS - 1)
            }
            _ => None,
        })
    })
}

fn in_block<'b, 'r>(scanned: &ScannedBody<'b, 'r>, block: &'b Block<'r>, calls: u8) -> Option<Site> {
    let mut search = Search {
        scanned,
        found: None,
        keepers: 0,
        calls,
    };
    search.block(block);
    search.found
}

struct Search<'s, 'b, 'r> {
    scanned: &'s ScannedBody<'b, 'r>,
    found: Option<Site>,
    /// The number of `try` statements around the current code that catch a `Throwable` or an `Error`.
    keepers: u32,
    /// The number of further calls of helper methods that may be followed from a task.
    calls: u8,
}

impl<'b, 'r: 'b> Search<'_, 'b, 'r> {
    /// The assertion that an expression in a task of another thread runs: a call that asserts, or the first assertion
    /// in a called helper. `None` if it runs none.
    fn lost(&self, expression: &'b Expression<'r>) -> Option<Site> {
        let ExpressionKind::Call(call) = &expression.kind else {
            return None;
        };
        if self.scanned.operation(call).is_some() {
            return None;
        }
        if self.scanned.asserts(call) {
            return Some(Site {
                file: self.scanned.file,
                start: expression.start,
                end: expression.end,
            });
        }
        let calls = self.calls.checked_sub(1)?;
        let is_own = call
            .receiver
            .as_ref()
            .is_none_or(|it| matches!(it.kind, ExpressionKind::This | ExpressionKind::Super));
        let method = called_method(self.scanned, call).filter(|it| is_own && is_own_method(self.scanned, *it))?;
        let body = scanned_method(self.scanned, method)?;
        in_block(&body, body.block, calls)
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Search<'_, 'b, 'r> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        match statement {
            Statement::Try {
                body, catches, finally, ..
            } => {
                let keeps = catches.iter().any(|it| {
                    let caught = it.variable.type_text;
                    caught.contains("Throwable") || caught.contains("Error")
                });
                self.keepers += u32::from(keeps);
                self.block(body);
                self.keepers -= u32::from(keeps);
                for catch in catches {
                    self.block(&catch.body);
                }
                self.block(finally);
            }
            Statement::Expression(value) => self.expression(value),
            _ => walk_statement(self, statement),
        }
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        if self.keepers == 0
            && self.found.is_none()
            && let Some(lost) = self.lost(expression)
        {
            self.found = Some(lost);
            return;
        }
        if !matches!(expression.kind, ExpressionKind::Lambda(_)) {
            walk_expression(self, expression);
        }
    }
}
