//! Entries of maps by constant keys, so that reading one entry does not give the nondeterminism of another.
//!
//! ```java
//! data.put("tags", new HashSet<>(tags));
//! data.put("name", "ann");
//! assertEquals("ann", data.get("name"));    // the entry "name" alone
//! ```

use std::sync::Arc;

use super::value::{Form, MAX_KEYS, Value};

impl Value<'_, '_> {
    /// Makes this map one whose entries are told apart by their keys. It has no entries yet.
    pub(super) fn told_apart(mut self) -> Self {
        if matches!(self.form, Form::Map | Form::Tree) {
            self.keyed = Some(Arc::default());
        }
        self
    }

    /// Stores an entry of this map. If its key is no literal, entries are no longer told apart.
    pub(super) fn put_entry(&mut self, key: Option<&Self>, value: &Self) {
        let key = key.and_then(|it| it.constant);
        let Some(mut keyed) = self.keyed.take() else { return };
        if let Some(key) = key
            && keyed.len() < MAX_KEYS
        {
            Arc::make_mut(&mut keyed).insert(key, value.clone());
            self.keyed = Some(keyed);
        }
    }

    /// The abstract value of an entry of this map; any entry if entries are not told apart.
    pub(super) fn entry(&self, key: Option<&Self>) -> Self {
        let key = key.and_then(|it| it.constant);
        match (&self.keyed, key) {
            (Some(keyed), Some(key)) => keyed.get(key).cloned().unwrap_or_default(),
            _ => self.element(),
        }
    }
}
