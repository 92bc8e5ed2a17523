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
    /// This empty map, now with a separate abstract value for each literal key. A value that is no map stays as it is.
    pub(super) fn told_apart(mut self) -> Self {
        if matches!(self.form, Form::Map | Form::Tree) {
            self.keyed = Some(Arc::default());
        }
        self
    }

    /// Stores the value of a key in this map, if the map has separate values for its keys. If the key is missing or no
    /// literal, or if there are too many keys, the separate values are dropped.
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

    /// Whether this map has a separate value for a key that is a literal. A name may stand for several constants.
    pub(super) fn has_entry(&self, key: &Self) -> bool {
        let is_literal = |it: &&str| it.starts_with(|it: char| matches!(it, '"' | '\'' | '-') || it.is_ascii_digit());
        let keyed = self.keyed.as_ref().zip(key.constant.filter(is_literal));
        keyed.is_some_and(|(keyed, key)| keyed.contains_key(key))
    }

    /// The abstract value of a key in this map. If the key is missing or no literal, all values joined are returned. So
    /// they are if the map has no separate values for its keys.
    pub(super) fn entry(&self, key: Option<&Self>) -> Self {
        let key = key.and_then(|it| it.constant);
        match (&self.keyed, key) {
            (Some(keyed), Some(key)) => keyed.get(key).cloned().unwrap_or_default(),
            _ => self.element(),
        }
    }
}
