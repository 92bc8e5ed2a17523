//! Loops that visit the elements of a list or array by position: `for (int i = 0; i < names.length; i++)`.
//!
//! Such a loop picks no element: it visits all of them, as `for (String name : names)` does. If it also uses the
//! position for something else, such as the elements of another list, the order matters.

use super::expression::local_name;
use super::oracle::sized;
use super::run::Run;
use super::trace::Trace;
use crate::syntax::body::{Block, Expression, ExpressionKind};
use crate::syntax::visit::{Visit, walk_expression};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The trace of the undefined order in which a loop with this condition visits elements by position. `None` if the
    /// order is defined, or if the loop uses the position for anything else than the elements.
    pub(super) fn indexed_by(&mut self, condition: &'i Expression<'r>, body: &'i Block<'r>) -> Option<Trace> {
        let ExpressionKind::Binary {
            operator: "<",
            operands,
        } = &condition.kind
        else {
            return None;
        };
        let [position, limit] = operands.as_slice() else {
            return None;
        };
        let (name, place) = (local_name(position)?, sized(limit)?);
        let container = self.value(place);
        let trace = container.iteration()?;
        let mut uses = PositionUses {
            name,
            place: self.text(place),
            text: self.shared.index.source(self.frame.file).text(),
            others: 0,
        };
        uses.block(body);
        (uses.others == 0).then(|| trace.then(self.site(condition)))
    }
}

/// Counts the uses of a loop variable such as `i`, other than for the element of a container at this position:
/// `names[i]` or `names.get(i)`.
struct PositionUses<'r> {
    /// The name of the loop variable that holds the position: `i` in `i < names.length`.
    name: &'r str,
    /// The source text of the container whose elements the loop visits: `names` in `i < names.length`.
    place: &'r str,
    /// The source text of the whole Java file that contains the loop.
    text: &'r str,
    others: usize,
}

impl<'r> PositionUses<'r> {
    fn is_position(&self, expression: &Expression<'r>) -> bool {
        local_name(expression) == Some(self.name)
    }

    fn is_place(&self, expression: &Expression<'r>) -> bool {
        let range = expression.start as usize..expression.end as usize;
        self.text.get(range) == Some(self.place)
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for PositionUses<'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Index { array, index } if self.is_place(array) && self.is_position(index) => {}
            ExpressionKind::Call(call)
                if call.name == "get"
                    && call.receiver.as_ref().is_some_and(|it| self.is_place(it))
                    && call.arguments.first().is_some_and(|it| self.is_position(it)) => {}
            ExpressionKind::Name(_) if self.is_position(expression) => self.others += 1,
            _ => walk_expression(self, expression),
        }
    }
}
