//! The log of effects of a test. An effect is a call whose value is not used or goes into a variable.
//!
//! An assertion is ordered after the effects before it. A test without assertions implicitly asserts that its last
//! effects do not throw. A caught exception comes from an effect inside the `try`.

use rustc_hash::FxHashSet;

use crate::graph::NodeId;

/// The maximum number of preceding calls that get a graph edge to an assertion.
const MAX_REMEMBERED: usize = 6;

/// A log of the calls of a test whose value is unused or goes into a variable. It only grows, so positions in it stay
/// valid.
#[derive(Debug, Clone, Default)]
pub(super) struct Effects {
    log: Vec<Effect>,
    /// The position in the log of the first call after the previous assertions. Assertions in a row share the calls
    /// before them.
    current: usize,
    /// The graph nodes of the calls that were logged since the previous assertions.
    seen: FxHashSet<NodeId>,
    /// Whether an assertion came after the last logged call of the test.
    is_asserted: bool,
}

#[derive(Debug, Clone, Copy)]
struct Effect {
    node: NodeId,
    value: EffectValue,
}

/// What a test does with the value that a call returns: it ignores the value or stores it in a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EffectValue {
    Unused,
    /// The test stores the value of the call in a variable.
    Assigned,
}

/// A position in the log of the calls that a test makes for their effect.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogPosition(usize);

impl Effects {
    /// Adds a call to this log of effects. Its value is not used, and `node` is its graph node.
    pub(super) fn done(&mut self, node: NodeId) {
        let value = EffectValue::Unused;
        self.push(Effect { node, value });
    }

    /// Adds a call to this log of effects. Its value goes into a variable, and `node` is the graph node of that
    /// variable.
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

    /// The end of the log of calls that a test makes for their effect.
    pub(super) fn position(&self) -> LogPosition {
        LogPosition(self.log.len())
    }

    /// The graph nodes of the calls with unused values after position `start` of this log.
    pub(super) fn done_since(&self, start: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(start.0..).unwrap_or_default();
        since
            .iter()
            .filter(|it| it.value == EffectValue::Unused)
            .map(|it| it.node)
            .collect()
    }

    /// The graph nodes of the last calls after position `start` of this log, at most [`MAX_REMEMBERED`].
    pub(super) fn last_since(&self, start: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(start.0..).unwrap_or_default();
        let start = since.len().saturating_sub(MAX_REMEMBERED);
        since[start..].iter().map(|it| it.node).collect()
    }

    /// The graph nodes of the last calls after position `start` of this log. A test without assertions implicitly
    /// asserts that they do not throw. A call whose value goes into a variable counts only as the very last one.
    pub(super) fn final_since(&self, start: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(start.0..).unwrap_or_default();
        let start = since.len().saturating_sub(MAX_REMEMBERED);
        let last = since.len().saturating_sub(1);
        let tail = since.iter().enumerate().skip(start);
        tail.filter(|(at, it)| it.value == EffectValue::Unused || *at == last)
            .map(|(_, it)| it.node)
            .collect()
    }

    /// The graph nodes of the last calls before an assertion, without those whose values go into variables. For several
    /// assertions in a row, these are the calls before the first one.
    pub(super) fn before_assertion(&mut self) -> Vec<NodeId> {
        self.is_asserted = true;
        let latest = self.log[self.current..].iter().rev();
        let done = latest.filter(|it| it.value == EffectValue::Unused).map(|it| it.node);
        let mut done: Vec<NodeId> = done.take(MAX_REMEMBERED).collect();
        done.reverse();
        done
    }

    /// The graph nodes of the last calls before a `fail()`. The test reaches it only if none of them throws.
    pub(super) fn before_failure(&mut self) -> Vec<NodeId> {
        self.is_asserted = true;
        self.last_since(LogPosition(self.current))
    }
}
