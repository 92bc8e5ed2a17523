//! Results that all abstract runs share: summaries of methods, new objects and static fields.
//!
//! Invariant: a shared result depends on the code and on the number of nested calls alone, not on the run that computed
//! it first.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::computed::table::LibraryTable;
use super::facts::Facts;
use super::report::Report;
use super::trace::Trace;
use super::value::{Object, Value};
use crate::assertions::ExtraAssertion;
use crate::symbols::ids::{FileId, MethodId, TypeId};
use crate::symbols::index::Index;

/// The maximum number of nested calls that the interpreter follows.
pub(super) const MAX_DEPTH: u16 = 10;

/// The summary of a method: what a call of it does, for arguments of which nothing is known.
#[derive(Debug, Default)]
pub(super) struct Summary<'i, 'r> {
    /// The abstract value that the summarised method returns.
    pub(super) value: Value<'i, 'r>,
    /// The receiver after a call of the summarised method; `None` if the call does not change it.
    pub(super) this: Option<Arc<Object<'i, 'r>>>,
    /// The arguments after a call of the summarised method, where the call changed them; empty if it changed none.
    pub(super) arguments: Vec<Option<Value<'i, 'r>>>,
    /// The exceptions that the summarised method may throw, with their messages, as one abstract value; `None` if it
    /// throws none.
    pub(super) thrown: Option<Box<Value<'i, 'r>>>,
    /// Arguments that the summarised method passes to abstract or mocked methods.
    pub(super) sent: Vec<(MethodId, Vec<Value<'i, 'r>>)>,
    /// Nondeterministic values that the summarised method passes to code about which nothing is known.
    pub(super) given: Vec<Trace>,
    /// The nondeterministic values that reach assertions inside the summarised method.
    pub(super) reports: Vec<Report>,
    /// The files that the summary of a method depends on, sorted.
    pub(super) files: Box<[FileId]>,
    /// A number that no other summary has.
    pub(super) number: u32,
    /// The largest number of nested calls that were followed from the summarised method.
    pub(super) height: u16,
    /// Whether a limit cut off a part of the summarised code.
    pub(super) is_cut: bool,
    /// Whether the limit of nested calls cut off a part of the code. If so, the summary holds only for the call depth
    /// at which it was computed.
    pub(super) is_depth_cut: bool,
}

impl Summary<'_, '_> {
    /// The summary of code that is not followed because of a limit, such as the limit of nested calls. Nothing is known
    /// of the value that it returns.
    pub(super) fn unknown() -> Self {
        let mut summary = Self::default();
        summary.value.settings.is_opaque = true;
        summary
    }
}

/// The code that a summary describes: a method, a constructor or the initialiser of a static field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Unit<'r> {
    /// The summary describes a call of the method. It assumes that the receiver was just constructed, but that
    /// containers in its fields may have any number of elements.
    Method(MethodId),
    /// The summary describes a construction with a declared constructor.
    Constructor(MethodId),
    /// The summary describes a construction of a class that declares no constructor.
    Implicit(TypeId),
    /// The summary describes the first value of a static field.
    Static(TypeId, &'r str),
}

/// Summaries of methods that all abstract runs share, with the index and library facts that they are computed from.
pub(super) struct Shared<'i, 'r> {
    pub(super) index: &'i Index<'r>,
    pub(super) assertions: &'i [ExtraAssertion],
    pub(super) facts: &'static Facts,
    /// What was computed in advance about methods of libraries, from the source code of these libraries.
    pub(super) table: &'static LibraryTable,
    /// Summaries of code from which the limit of nested calls cut nothing off.
    summaries: RwLock<FxHashMap<Unit<'r>, Arc<Summary<'i, 'r>>>>,
    /// Summaries of code of which the limit of nested calls cut off a part. The number in the key is the call depth at
    /// which the summary was computed.
    cut: RwLock<FxHashMap<(Unit<'r>, u16), Arc<Summary<'i, 'r>>>>,
    /// The number of summaries that were computed so far.
    computed: AtomicU32,
}

impl<'i, 'r> Shared<'i, 'r> {
    pub(super) fn new(index: &'i Index<'r>, assertions: &'i [ExtraAssertion]) -> Self {
        Self::with_table(index, assertions, LibraryTable::shipped())
    }

    /// An empty cache of summaries. `table` says what methods of libraries return; it replaces the table that is built
    /// into Peeler.
    pub(super) fn with_table(
        index: &'i Index<'r>,
        assertions: &'i [ExtraAssertion],
        table: &'static LibraryTable,
    ) -> Self {
        Self {
            index,
            assertions,
            facts: Facts::shipped(),
            table,
            summaries: RwLock::default(),
            cut: RwLock::default(),
            computed: AtomicU32::default(),
        }
    }

    /// The summary of a method or other code, called inside `depth` nested calls; `None` if it was not computed yet.
    pub(super) fn summary(&self, unit: Unit<'r>, depth: u16) -> Option<Arc<Summary<'i, 'r>>> {
        let complete = self.summaries.read().expect("no holder panics").get(&unit).cloned();
        if complete.as_ref().is_some_and(|it| depth + it.height <= MAX_DEPTH) {
            return complete;
        }
        self.cut.read().expect("no holder panics").get(&(unit, depth)).cloned()
    }

    /// A number for a new summary, which no other summary has.
    pub(super) fn next_number(&self) -> u32 {
        self.computed.fetch_add(1, Ordering::Relaxed)
    }

    /// Stores a summary that was computed inside `depth` nested calls. A summary that is stored already stays.
    pub(super) fn store(&self, unit: Unit<'r>, depth: u16, summary: Arc<Summary<'i, 'r>>) {
        if summary.is_depth_cut {
            let mut cut = self.cut.write().expect("no holder panics");
            cut.entry((unit, depth)).or_insert(summary);
        } else {
            let mut summaries = self.summaries.write().expect("no holder panics");
            summaries.entry(unit).or_insert(summary);
        }
    }
}
