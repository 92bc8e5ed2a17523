//! Results that all runs of the interpreter share: summaries of methods, new objects and static fields.
//!
//! Invariant: a shared result depends on the code alone, not on the run that computed it first. Results that were
//! computed inside a cycle of calls or near a limit stay in their run.

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::report::Report;
use super::value::Value;
use crate::assertions::ExtraAssertion;
use crate::symbols::ids::{FileId, MethodId, TypeId};
use crate::symbols::index::Index;

/// What a call of a method does, for arguments of which nothing is known.
#[derive(Debug, Default)]
pub(super) struct Summary<'i, 'r> {
    /// The returned value.
    pub(super) value: Value<'i, 'r>,
    /// The receiver after the call, if the call changed it.
    pub(super) this: Option<Value<'i, 'r>>,
    /// The arguments after the call, where the call changed them.
    pub(super) arguments: Vec<Option<Value<'i, 'r>>>,
    /// The exceptions that the call may throw, with their messages.
    pub(super) thrown: Option<Value<'i, 'r>>,
    /// Arguments of calls of abstract methods.
    pub(super) sent: Vec<(MethodId, Vec<Value<'i, 'r>>)>,
    /// What assertions inside noticed.
    pub(super) reports: Vec<Report>,
    /// The files that the summary depends on, sorted.
    pub(super) files: Box<[FileId]>,
    /// The number of nested calls that were followed.
    pub(super) height: u16,
}

/// The code of which a result was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Unit<'r> {
    /// A call of a method on a new object.
    Method(MethodId),
    /// A construction with a declared constructor.
    Constructor(MethodId),
    /// A construction without one.
    Implicit(TypeId),
    /// The first value of a static field.
    Static(TypeId, &'r str),
}

/// Shared results, with the index and the facts that they were computed from.
pub(super) struct Shared<'i, 'r> {
    pub(super) index: &'i Index<'r>,
    pub(super) assertions: &'i [ExtraAssertion],
    pub(super) facts: &'static Facts,
    summaries: RwLock<FxHashMap<Unit<'r>, Arc<Summary<'i, 'r>>>>,
}

impl<'i, 'r> Shared<'i, 'r> {
    pub(super) fn new(index: &'i Index<'r>, assertions: &'i [ExtraAssertion]) -> Self {
        Self {
            index,
            assertions,
            facts: Facts::shipped(),
            summaries: RwLock::default(),
        }
    }

    /// The summary of a unit, if it was computed.
    pub(super) fn summary(&self, unit: Unit<'r>) -> Option<Arc<Summary<'i, 'r>>> {
        self.summaries.read().expect("no holder panics").get(&unit).cloned()
    }

    /// Stores a summary. The first one stored stays.
    pub(super) fn store(&self, unit: Unit<'r>, summary: Arc<Summary<'i, 'r>>) {
        let mut summaries = self.summaries.write().expect("no holder panics");
        summaries.entry(unit).or_insert(summary);
    }
}
