//! A cache of summaries of the uses of ports, hosts and paths, by the code and by the number of nested calls that are
//! followed.
//!
//! Invariant: an entry depends on its key alone, so that results do not depend on the order in which threads run.

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::uses::Summary;
use crate::symbols::ids::{MethodId, TypeId};

/// Key of a cached summary: a body, the number of nested calls to follow from it, and the test class. The class is
/// `None` for code outside the test's own classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) class: Option<TypeId>,
    pub(super) callee: Summarised,
    pub(super) calls: u8,
}

/// A piece of code that a summary of uses of ports, hosts and paths describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Summarised {
    Method(MethodId),
    /// The summarised code is the initial values of the fields of a class.
    Initialisers(TypeId),
}

/// A summary of the uses of ports, hosts and paths in a piece of code, with the length of its longest chain of calls.
#[derive(Debug, Clone)]
pub(super) struct Reached {
    pub(super) summary: Option<Arc<Summary>>,
    /// The length of the longest chain of calls from the summarised code; `None` if the maximum number of nested calls
    /// cut a chain.
    pub(super) height: Option<u8>,
}

/// A cache of summaries of the uses of ports, hosts and paths in pieces of code.
#[derive(Default)]
pub(super) struct SummaryCache {
    /// Summaries of code in which the maximum number of nested calls cut a chain of calls. Each holds for one such
    /// maximum only.
    cut: RwLock<FxHashMap<Key, Reached>>,
    /// Summaries of code whose calls were all followed. They hold for every maximum number of nested calls that the
    /// longest chain does not exceed. The key is the test class (`None` for code outside the test's own classes) and
    /// the code.
    complete: RwLock<FxHashMap<(Option<TypeId>, Summarised), Reached>>,
}

impl SummaryCache {
    /// The cached summary of the uses of ports, hosts and paths for a key; `None` if it is not computed yet.
    pub(super) fn get(&self, key: Key) -> Option<Reached> {
        let complete = self.complete.read().expect("no holder panics");
        let found = complete.get(&(key.class, key.callee));
        if let Some(found) = found.filter(|it| it.height.is_some_and(|it| it <= key.calls)) {
            return Some(found.clone());
        }
        self.cut.read().expect("no holder panics").get(&key).cloned()
    }

    /// Caches a summary under `key` and returns it. If another thread stored one before, that one stays and is
    /// returned.
    pub(super) fn insert(&self, key: Key, reached: Reached) -> Reached {
        if reached.height.is_some() {
            let mut complete = self.complete.write().expect("no holder panics");
            return complete.entry((key.class, key.callee)).or_insert(reached).clone();
        }
        let mut cut = self.cut.write().expect("no holder panics");
        cut.entry(key).or_insert(reached).clone()
    }
}

/// The longer of two lengths of call chains; `None` if one of them is not known.
pub(super) fn higher(a: Option<u8>, b: Option<u8>) -> Option<u8> {
    Some(a?.max(b?))
}
