//! What a test did so far, in order: the calls made for their effect, and those whose value was kept.
//!
//! An assertion comes after the effects before it; a test without assertion is judged by its last
//! ones; what is caught was thrown by one of those in the `try`.

use crate::graph::NodeId;

/// How many of the effects before an assertion are remembered for it.
const MAX_REMEMBERED: usize = 6;

/// A log that only grows, so that a place in it stays valid.
#[derive(Debug, Clone, Default)]
pub(super) struct Effects {
    log: Vec<Effect>,
    /// Where the effects begin that no assertion came after yet.
    current: usize,
    is_judged: bool,
}

#[derive(Debug, Clone, Copy)]
struct Effect {
    node: NodeId,
    /// Its value went into a variable.
    is_kept: bool,
}

/// A place in the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogPosition(usize);

impl Effects {
    /// A call whose value nobody used.
    pub(super) fn done(&mut self, node: NodeId) {
        self.push(Effect { node, is_kept: false });
    }

    /// A call whose value went into the variable at `node`.
    pub(super) fn kept(&mut self, node: NodeId) {
        self.push(Effect { node, is_kept: true });
    }

    fn push(&mut self, effect: Effect) {
        if std::mem::take(&mut self.is_judged) {
            self.current = self.log.len();
        }
        // A loop does the same again.
        if !self.log[self.current..].iter().any(|it| it.node == effect.node) {
            self.log.push(effect);
        }
    }

    pub(super) fn mark(&self) -> LogPosition {
        LogPosition(self.log.len())
    }

    /// Everything since a mark that was done for its effect.
    pub(super) fn done_since(&self, mark: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(mark.0..).unwrap_or_default();
        since.iter().filter(|it| !it.is_kept).map(|it| it.node).collect()
    }

    /// The last effects since a mark, of both kinds.
    pub(super) fn last_since(&self, mark: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(mark.0..).unwrap_or_default();
        let start = since.len().saturating_sub(MAX_REMEMBERED);
        since[start..].iter().map(|it| it.node).collect()
    }

    /// What a test without assertion is judged by: its last effects since a mark. Values that went
    /// into variables count only where nothing else was done at the end.
    pub(super) fn final_since(&self, mark: LogPosition) -> Vec<NodeId> {
        let since = self.log.get(mark.0..).unwrap_or_default();
        let start = since.len().saturating_sub(MAX_REMEMBERED);
        let last = since.len().saturating_sub(1);
        let tail = since.iter().enumerate().skip(start);
        tail.filter(|(at, it)| !it.is_kept || *at == last)
            .map(|(_, it)| it.node)
            .collect()
    }

    /// The effects that the next assertion comes after; all that follow belong to the one after it.
    pub(super) fn before_assertion(&mut self) -> Vec<NodeId> {
        self.is_judged = true;
        let done: Vec<NodeId> = self.log[self.current..]
            .iter()
            .filter(|it| !it.is_kept)
            .map(|it| it.node)
            .collect();
        done[done.len().saturating_sub(MAX_REMEMBERED)..].to_vec()
    }

    /// The effects that a `fail()` says should have thrown: of both kinds.
    pub(super) fn before_failure(&mut self) -> Vec<NodeId> {
        self.is_judged = true;
        self.last_since(LogPosition(self.current))
    }
}
