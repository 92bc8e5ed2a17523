//! Objects of a test that several threads change without synchronisation.

use crate::syntax::body::{Block, Expression, ExpressionKind, Statement};
use crate::syntax::outline::simple_name;
use crate::syntax::visit::{Visit, walk_expression};

use super::catalogue::TimingCatalogue;
use super::duration::last_name;
use super::scanned_body::ScannedBody;
use super::variables::Values;

/// The first change of each unsynchronised object in tasks that run in several threads, with its variable.
pub(super) fn shared_changes<'b, 'r>(
    scanned: &ScannedBody<'_, 'r>,
    tasks: &[&'b Block<'r>],
    values: &Values<'_, 'r>,
) -> Vec<(&'b Expression<'r>, &'r str)> {
    let mut changes = Changes(Vec::new());
    for task in tasks {
        // A lock anywhere in the task may guard the change.
        if !is_locked(scanned, task) {
            changes.block(task);
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    changes.0.retain(|(_, name)| {
        let is_new = !seen.contains(name);
        seen.push(name);
        is_new && is_unsynchronised(scanned, values, name)
    });
    changes.0
}

/// Whether the text of a task mentions a lock.
fn is_locked(scanned: &ScannedBody<'_, '_>, task: &Block<'_>) -> bool {
    let mut range = Range(u32::MAX, 0);
    range.block(task);
    let text = scanned.index.source(scanned.file).text();
    // The text before the first expression may hold a `synchronized (`.
    let start = (range.0 as usize).saturating_sub(20);
    let start = (0..=start).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(0);
    let task = text.get(start..range.1 as usize).unwrap_or_default();
    ["synchronized", "lock"].iter().any(|it| task.contains(it))
}

/// Whether a variable holds an object of a class that threads must not share, or a plain counter.
fn is_unsynchronised(scanned: &ScannedBody<'_, '_>, values: &Values<'_, '_>, name: &str) -> bool {
    if let Some((_, value)) = values.iter().rev().find(|(it, _)| *it == name) {
        return makes_unsynchronised(value);
    }
    let Some((_, field)) = scanned.index.field(scanned.owner, name) else {
        return false;
    };
    if matches!(field.type_text, "int" | "long" | "Integer" | "Long") && field.dimensions == 0 {
        return true;
    }
    match field.code.get().block.first() {
        Some(Statement::Local(local)) => local.value.as_ref().is_some_and(makes_unsynchronised),
        _ => false,
    }
}

fn makes_unsynchronised(value: &Expression<'_>) -> bool {
    match &value.kind {
        ExpressionKind::New(new) if new.body.is_none() => {
            let class = new.type_text.split('<').next().unwrap_or_default();
            TimingCatalogue::shipped()
                .names
                .is_unsynchronised(simple_name(class.trim()))
        }
        ExpressionKind::NewArray { type_text, .. } => matches!(*type_text, "int" | "long"),
        ExpressionKind::Call(call) => {
            let owner = call.receiver.as_ref().and_then(last_name);
            matches!(owner, Some("Lists" | "Maps" | "Sets"))
                && ["newArrayList", "newHashMap", "newHashSet", "newLinkedList"].contains(&call.name)
        }
        _ => false,
    }
}

struct Changes<'b, 'r>(Vec<(&'b Expression<'r>, &'r str)>);

impl<'b, 'r: 'b> Visit<'b, 'r> for Changes<'b, 'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        let changed = match &expression.kind {
            ExpressionKind::Call(call) if TimingCatalogue::shipped().names.is_change(call.name) => {
                call.receiver.as_ref().and_then(last_name)
            }
            // `results[i] = x` gives each thread an element of its own, `count[0]++` does not.
            ExpressionKind::Update { operand, .. } => match &operand.kind {
                ExpressionKind::Index { array, index } if matches!(index.kind, ExpressionKind::Literal(_)) => {
                    last_name(array)
                }
                _ => last_name(operand),
            },
            ExpressionKind::Assign { operator, target, .. } if *operator != "=" => last_name(target),
            _ => None,
        };
        if let Some(name) = changed {
            self.0.push((expression, name));
        }
        walk_expression(self, expression);
    }
}

/// The first and last offset of the expressions of a block.
struct Range(u32, u32);

impl<'b, 'r: 'b> Visit<'b, 'r> for Range {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        self.0 = self.0.min(expression.start);
        self.1 = self.1.max(expression.end);
        walk_expression(self, expression);
    }
}
