//! The log of effects of a test: calls whose value is not used, and calls whose value goes into a variable.
//!
//! An assertion is ordered after the effects before it. A test without assertions implicitly asserts that its last
//! effects do not throw. A caught exception comes from an effect inside the `try`.

use rustc_hash::FxHashSet;

use crate::graph::NodeId;

/// The maximum number of calls for which graph edges to the next assertion are added.
const MAX_REMEMBERED: usize = 6;

/// A log of the calls of a test whose value is unused or goes into a variable. It only grows, so positions in it stay
/// valid.
#[derive(Debug, Clone, Default)]
pub(super) struct Effects {
    log: Vec<Effect>,
    /// The position in the log of the first effect that belongs to the next assertion. Assertions in a row share their
    /// effects.
    current: usize,
    /// The graph nodes of the logged calls that belong to the next assertion.
    seen: FxHashSet<NodeId>,
    /// Whether an assertion followed the last effect of the log.
    is_asserted: bool,
}

#[derive(Debug, Clone, Copy)]
struct Effect {
    node: NodeId,
    value: EffectValue,
}

/// What a test does with the value that a logged call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EffectValue {
    Unused,
    /// The value of the logged call goes into a variable.
    Assigned,
}

/// A position in the log of effects.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogPosition(usize);

impl Effects {
    /// Logs a call whose value is not used.
    pub(super) fn done(&mut self, node: NodeId) {
        let value = EffectValue::Unused;
        self.push(Effect { node, value });
    }

    /// Logs a call whose value goes into the variable at `node`.
    pub(super) fn assigned(&mut self, node: NodeId) {
        let value = EffectValue::Assigned;
        self.push(Effect { node, value });
    }

    fn push(&mut self, effect: Effect) {
        if std::mem::take(&mut self.is_asserted) {
            self.current = self.log.len();
            self.seen.clear();
        }
        // A loop may run the same effect again.
        if self.seen.insert(effect.node) {
            self.log.push(effect);
        }
    }

    /// The position at the end of the log of effects.
    pub(super) fn position(&self) -> LogPosition {
        LogPosition(self.log.len())
    }

    /// The effects of the log since a position, only those whose value is not used.
    pub(super) fn done_since(&self, start: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(start.0..).unwrap_or_default();
        since
            .iter()
            .filter(|it| it.value == EffectValue::Unused)
            .map(|it| it.node)
            .collect()
    }

    /// The last effects of the log since a position.
    pub(super) fn last_since(&self, start: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(start.0..).unwrap_or_default();
        let start = since.len().saturating_sub(MAX_REMEMBERED);
        since[start..].iter().map(|it| it.node).collect()
    }

    /// The last effects of the log since a position, on which the implicit assertion of a test depends. An assigned
    /// value counts only as the very last effect.
    pub(super) fn final_since(&self, start: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(start.0..).unwrap_or_default();
        let start = since.len().saturating_sub(MAX_REMEMBERED);
        let last = since.len().saturating_sub(1);
        let tail = since.iter().enumerate().skip(start);
        tail.filter(|(at, it)| it.value == EffectValue::Unused || *at == last)
            .map(|(_, it)| it.node)
            .collect()
    }

    /// The latest logged calls with an unused value that belong to an assertion. Assertions in a row share them; a call
    /// that is logged later starts a new list.
    pub(super) fn before_assertion(&mut self) -> Vec<NodeId> {
        self.is_asserted = true;
        let latest = self.log[self.current..].iter().rev();
        let done = latest.filter(|it| it.value == EffectValue::Unused).map(|it| it.node);
        let mut done: Vec<NodeId> = done.take(MAX_REMEMBERED).collect();
        done.reverse();
        done
    }

    /// The effects of the log that should have thrown before a `fail()`.
    pub(super) fn before_failure(&mut self) -> Vec<NodeId> {
        self.is_asserted = true;
        self.last_since(LogPosition(self.current))
    }
}
