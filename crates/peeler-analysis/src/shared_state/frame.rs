//! The effect of a piece of code on shared states: what it reads before writing, and what it leaves written.

use std::collections::BTreeMap;

use super::state::{Action, Argument, Extent, StateKey, Value};
use crate::flows::flow::Site;

/// The maximum number of states in the effect of a piece of code, for reads and for writes. The nearest ones are kept.
const MAX_STATES: usize = 64;

/// The effect of a piece of code on shared states.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame<'r> {
    /// The shared states that the summarised code reads before it determines them.
    pub(super) reads: BTreeMap<StateKey<'r>, Read>,
    /// The last write to each shared state that the summarised code may write.
    pub(super) writes: BTreeMap<StateKey<'r>, Write>,
    /// The shared states that the summarised code surely determines.
    pub(super) determined: BTreeMap<StateKey<'r>, Extent>,
}

/// A read of a shared state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    pub(super) site: Site,
    /// The number of nested calls from the summarised code to the read of a state.
    pub(super) depth: u8,
}

/// A write to a shared state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Write {
    pub(super) value: Value,
    pub(super) site: Site,
    /// The number of nested calls from the summarised code to the write to a state.
    pub(super) depth: u8,
}

/// The translation of the effect of called code into an effect of its caller.
pub(super) struct Crossing<'a, 'r> {
    /// The shared state of the caller that a state of the called code stands for; `None` if the caller cannot see it.
    pub(super) rename: &'a dyn Fn(&StateKey<'r>) -> Option<StateKey<'r>>,
    /// The arguments of the call; `None` if parameters of the called code stay parameters of the caller.
    pub(super) arguments: Option<&'a [Argument<'r>]>,
    /// Shared states that the caller found unset. Writes to them do not count, because their value is computed once.
    pub(super) guards: &'a [StateKey<'r>],
    pub(super) is_restoring: bool,
    /// The number of calls between the caller and the called code.
    pub(super) depth: u8,
}

impl<'r> Frame<'r> {
    /// Adds a read, write or restoration of a shared state to the effect, as the last one so far.
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

    /// Adds the effect of called code, as if it ran after all earlier reads and writes.
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
            if crossing.guards.contains(&renamed) {
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

    /// The effect of code of which one of several alternatives runs. Alternatives that throw determine nothing and
    /// prevent nothing.
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

    /// The effect of code of which it is not known which alternative runs. It consists of writes that restore or remove
    /// something, and of what all alternatives determine.
    pub(super) fn in_doubt(alternatives: Vec<Self>) -> Self {
        let mut either = Self::either(alternatives.into_iter().map(|it| (it, false)).collect());
        either.reads.clear();
        either
            .writes
            .retain(|_, it| matches!(it.value, Value::Restored | Value::Removed));
        either
    }

    /// Adds the writes of other code that restore a shared state.
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

    /// Drops the farthest states of the effect where there are too many. Returns how many were dropped.
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

/// Whether a state is of the kind that another id stands for: `property:a` is of the kind `property:`.
pub(super) fn is_of_kind(key: &StateKey<'_>, kind: &StateKey<'_>) -> bool {
    match (key, kind) {
        (StateKey::Named(name), StateKey::Named(kind)) => kind.ends_with(':') && name.starts_with(&**kind),
        _ => false,
    }
}
