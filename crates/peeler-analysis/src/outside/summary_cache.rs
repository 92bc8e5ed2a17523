//! A cache of summaries, by the code and by the number of calls that may be followed from it.
//!
//! Invariant: an entry depends on its key alone, so that results are the same whatever thread comes first.

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::uses::Summary;
use crate::symbols::ids::{MethodId, TypeId};

/// Key of a cached summary: a body, the number of calls that may be followed from it, and the test class. The class is
/// `None` for code outside the test's own classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) class: Option<TypeId>,
    pub(super) callee: Summarised,
    pub(super) calls: u8,
}

/// Code that has a summary of its uses of ports, hosts and paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Summarised {
    Method(MethodId),
    /// The summarised code is the initial values of the fields of a class.
    Initialisers(TypeId),
}

/// A summary of the uses of ports, hosts and paths in a piece of code, with the longest chain of calls below it.
#[derive(Debug, Clone)]
pub(super) struct Reached {
    pub(super) summary: Option<Arc<Summary>>,
    /// The longest chain of calls below the summarised code; `None` if the limit of nested calls cut a chain.
    pub(super) height: Option<u8>,
}

/// A cache of summaries of the uses of ports, hosts and paths in pieces of code.
#[derive(Default)]
pub(super) struct SummaryCache {
    /// Summaries of code in which the limit of nested calls cut a chain. They hold for one limit only.
    cut: RwLock<FxHashMap<Key, Reached>>,
    /// Summaries of code whose calls were all followed. They hold for every limit that is not below the longest chain
    /// of calls.
    complete: RwLock<FxHashMap<(Option<TypeId>, Summarised), Reached>>,
}

impl SummaryCache {
    /// The cached summary for a key; `None` if it is not computed yet.
    pub(super) fn get(&self, key: Key) -> Option<Reached> {
        let complete = self.complete.read().expect("no holder panics");
        let found = complete.get(&(key.class, key.callee));
        if let Some(found) = found.filter(|it| it.height.is_some_and(|it| it <= key.calls)) {
            return Some(found.clone());
        }
        self.cut.read().expect("no holder panics").get(&key).cloned()
    }

    /// Caches a summary and returns it. If another thread was first, the earlier summary stays and is returned.
    pub(super) fn insert(&self, key: Key, reached: Reached) -> Reached {
        if reached.height.is_some() {
            let mut complete = self.complete.write().expect("no holder panics");
            return complete.entry((key.class, key.callee)).or_insert(reached).clone();
        }
        let mut cut = self.cut.write().expect("no holder panics");
        cut.entry(key).or_insert(reached).clone()
    }
}

/// The longer of two call chains, by their lengths; `None` if one of them is not known.
pub(super) fn higher(a: Option<u8>, b: Option<u8>) -> Option<u8> {
    Some(a?.max(b?))
}
