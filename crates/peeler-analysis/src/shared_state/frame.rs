//! The effect of a piece of code on shared states: which it reads before it sets them, and which it leaves written.

use std::collections::BTreeMap;

use super::state::{Action, Argument, Extent, StateKey, Value};
use crate::flows::flow::Site;

/// The maximum number of reads, and also of writes, of shared states that are listed for a piece of code. Those
/// reached through the fewest nested calls are kept.
const MAX_STATES: usize = 64;

/// The effect of a piece of code on shared states: which it reads, may write and certainly sets.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame<'r> {
    /// The shared states that the piece of code reads before it sets them.
    pub(super) reads: BTreeMap<StateKey<'r>, Read>,
    /// The last write to each shared state that the piece of code may write.
    pub(super) writes: BTreeMap<StateKey<'r>, Write>,
    /// The shared states that the piece of code certainly sets, so that later reads do not depend on earlier tests.
    pub(super) determined: BTreeMap<StateKey<'r>, Extent>,
}

/// A read of a shared state by a piece of code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    pub(super) site: Site,
    /// The number of nested calls between the analysed piece of code and its read of the shared state.
    pub(super) depth: u8,
}

/// A write to a shared state by a piece of code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Write {
    pub(super) value: Value,
    pub(super) site: Site,
    /// The number of nested calls between the analysed piece of code and its write to the shared state.
    pub(super) depth: u8,
}

/// How the effect of called code on shared states is translated into an effect of its caller.
pub(super) struct Crossing<'a, 'r> {
    /// Maps a shared state of the called code to the state that it is for the caller. `None` if the caller cannot see
    /// it.
    pub(super) rename: &'a dyn Fn(&StateKey<'r>) -> Option<StateKey<'r>>,
    /// The arguments of the call whose effect is translated. `None` if no call runs the code: it is a branch, an
    /// initialiser, a setup method or the test itself.
    pub(super) arguments: Option<&'a [Argument<'r>]>,
    /// Shared states that the caller found unset. Writes to them do not count: `if (cache == null) cache = load();`
    /// sets the value once.
    pub(super) guards: &'a [StateKey<'r>],
    pub(super) is_restoring: bool,
    /// The number of calls to add to the depth of each read and write: 0 if the called code counts as part of the
    /// caller.
    pub(super) depth: u8,
}

impl<'r> Frame<'r> {
    /// Adds a read, write or restoration of a shared state, after those that were added before.
    pub(super) fn access(&mut self, key: &StateKey<'r>, action: Action, site: Site, depth: u8) {
        match action {
            Action::Read => self.read(key.clone(), Read { site, depth }),
            Action::Write(value, extent) => {
                self.write(key.clone(), Write { value, site, depth });
                self.determine(key.clone(), extent);
            }
            Action::RestoreAll => {
                for (known, write) in &mut self.writes {
                    if is_of_kind(known, key) {
                        write.value = Value::Restored;
                    }
                }
                let value = Value::Restored;
                self.write(key.clone(), Write { value, site, depth });
            }
        }
    }

    /// Adds the effect of called code on shared states, as if it ran after all earlier reads and writes.
    pub(super) fn call(&mut self, called: &Self, crossing: &Crossing<'_, 'r>) {
        let deeper = |depth: u8| depth.saturating_add(crossing.depth);
        for (key, read) in &called.reads {
            if let Some(key) = (crossing.rename)(key) {
                let depth = deeper(read.depth);
                self.read(key, Read { depth, ..*read });
            }
        }
        for (key, write) in &called.writes {
            let Some(renamed) = (crossing.rename)(key) else {
                continue;
            };
            if write.value != Value::Restored && crossing.guards.contains(&renamed) {
                continue;
            }
            // Changing a field of an object that a state holds changes the state, whatever the value.
            let is_part = renamed != *key && matches!(renamed, StateKey::Field(..));
            let value = match write.value {
                _ if crossing.is_restoring => Value::Restored,
                Value::Parameter(at) => crossing.arguments.map_or(write.value, |arguments| {
                    arguments.get(at as usize).map_or(Value::Changed, |it| it.value)
                }),
                other => other,
            };
            let value = if is_part && value > Value::Removed {
                Value::Changed
            } else {
                value
            };
            let depth = deeper(write.depth);
            self.write(renamed, Write { value, depth, ..*write });
        }
        for (key, extent) in &called.determined {
            if let Some(renamed) = (crossing.rename)(key)
                && (renamed == *key || !matches!(renamed, StateKey::Field(..)))
            {
                self.determine(renamed, *extent);
            }
        }
    }

    /// The effect on shared states of a statement with several alternatives, such as `if` and `else`, of which one
    /// runs. The flag says whether an alternative throws. Such an alternative need not set what the others set, because
    /// no later code of the method runs.
    pub(super) fn either(alternatives: Vec<(Self, bool)>) -> Self {
        let mut union = Self::default();
        let mut determined: Option<BTreeMap<StateKey<'r>, Extent>> = None;
        for (frame, throws) in alternatives {
            for (key, read) in frame.reads {
                union.read(key, read);
            }
            for (key, write) in frame.writes {
                match union.writes.get(&key) {
                    Some(known) if known.value >= write.value => {}
                    _ => {
                        union.writes.insert(key, write);
                    }
                }
            }
            if !throws {
                determined = Some(match determined {
                    None => frame.determined,
                    Some(known) => intersection(&known, &frame.determined),
                });
            }
        }
        union.determined = determined.unwrap_or_default();
        union
    }

    /// The effect of a call that may run one of several overriding methods. It keeps only writes that restore or remove
    /// something, and states that all of the methods set.
    pub(super) fn in_doubt(alternatives: Vec<Self>) -> Self {
        let mut either = Self::either(alternatives.into_iter().map(|it| (it, false)).collect());
        either.reads.clear();
        either
            .writes
            .retain(|_, it| matches!(it.value, Value::Restored | Value::Removed));
        either
    }

    /// Adds only those writes of other code that restore a shared state.
    pub(super) fn restore(&mut self, other: &Self) {
        let restored = other.writes.iter().filter(|(_, write)| write.value == Value::Restored);
        self.writes.extend(restored.map(|(key, write)| (key.clone(), *write)));
    }

    fn read(&mut self, key: StateKey<'r>, read: Read) {
        let mut around = Some(key.clone());
        while let Some(state) = around {
            if self.determined.get(&state) == Some(&Extent::Whole) {
                return;
            }
            around = state.whole();
        }
        let known = self.reads.entry(key).or_insert(read);
        if (read.depth, read.site) < (known.depth, known.site) {
            *known = read;
        }
    }

    fn write(&mut self, key: StateKey<'r>, write: Write) {
        match self.writes.get_mut(&key) {
            Some(known) => {
                // Code that may run deep below, for instance behind a mock, does not clean up for the test.
                let is_deeper = write.depth > known.depth;
                known.value = match (write.value, known.value) {
                    (Value::Removed, Value::Changed | Value::Parameter(_)) if !is_deeper => Value::Undone,
                    (Value::Removed, other) => other,
                    (other, _) => other,
                };
                if write.depth <= known.depth || write.value <= Value::Undone {
                    (known.site, known.depth) = (write.site, write.depth);
                }
            }
            None => {
                self.writes.insert(key, write);
            }
        }
    }

    fn determine(&mut self, key: StateKey<'r>, extent: Extent) {
        if extent != Extent::Nothing {
            let known = self.determined.entry(key).or_insert(extent);
            *known = (*known).max(extent);
        }
    }

    /// If more than [`MAX_STATES`] reads or writes of shared states are listed, drops those reached through the most
    /// nested calls. Returns how many were dropped.
    pub(super) fn shorten(&mut self) -> usize {
        let before = self.reads.len() + self.writes.len();
        if self.reads.len() > MAX_STATES {
            let mut kept: Vec<_> = std::mem::take(&mut self.reads).into_iter().collect();
            kept.sort_by_key(|(_, it)| it.depth);
            kept.truncate(MAX_STATES);
            self.reads = kept.into_iter().collect();
        }
        if self.writes.len() > MAX_STATES {
            let mut kept: Vec<_> = std::mem::take(&mut self.writes).into_iter().collect();
            kept.sort_by_key(|(_, it)| it.depth);
            kept.truncate(MAX_STATES);
            self.writes = kept.into_iter().collect();
        }
        before - self.reads.len() - self.writes.len()
    }
}

fn intersection<'r>(
    one: &BTreeMap<StateKey<'r>, Extent>,
    other: &BTreeMap<StateKey<'r>, Extent>,
) -> BTreeMap<StateKey<'r>, Extent> {
    let shared = one.iter().filter_map(|(key, extent)| {
        let second = other.get(key)?;
        Some((key.clone(), (*extent).min(*second)))
    });
    shared.collect()
}

/// Whether a shared state belongs to a whole kind of states: `property:a` belongs to `property:`.
pub(super) fn is_of_kind(key: &StateKey<'_>, kind: &StateKey<'_>) -> bool {
    match (key, kind) {
        (StateKey::Named(name), StateKey::Named(kind)) => kind.ends_with(':') && name.starts_with(&**kind),
        _ => false,
    }
}
