//! Assertions in the task of another thread, whose failure nobody sees.

use crate::syntax::body::{Block, Expression, ExpressionKind, Statement};
use crate::syntax::visit::{Visit, walk_expression, walk_statement};

use super::scanned_body::ScannedBody;

/// The first assertion of a task whose failure is lost; `None` if the task keeps failures or makes none.
pub(super) fn lost_assertion<'b, 'r>(scanned: &ScannedBody<'_, 'r>, task: &'b Block<'r>) -> Option<&'b Expression<'r>> {
    let mut search = Search {
        scanned,
        found: None,
        keepers: 0,
    };
    search.block(task);
    search.found
}

struct Search<'s, 'a, 'b, 'r> {
    scanned: &'s ScannedBody<'a, 'r>,
    found: Option<&'b Expression<'r>>,
    /// The number of handlers around the current code that catch errors.
    keepers: u32,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Search<'_, '_, 'b, 'r> {
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
        if let ExpressionKind::Call(call) = &expression.kind
            && self.keepers == 0
            && self.found.is_none()
            && self.scanned.operation(call).is_none()
            && self.scanned.asserts(call)
        {
            self.found = Some(expression);
            return;
        }
        if !matches!(expression.kind, ExpressionKind::Lambda(_)) {
            walk_expression(self, expression);
        }
    }
}
