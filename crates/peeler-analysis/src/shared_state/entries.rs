//! Entries of maps and arrays as shared states of their own, and what is known about the fields that hold them.
//!
//! ```java
//! RATES.put("EUR", 1.0);      // changes the entry RATES[EUR], and what RATES holds
//! RATES.get("USD");           // reads RATES[USD], another state
//! RATES.get(currency());      // an unknown key: in doubt, no read
//! ```

use std::sync::Arc;

use super::names::{LocalFact, Names};
use super::state::{EntryKey, StateKey};
use crate::syntax::body::{Expression, ExpressionKind};

impl<'r> Names<'_, '_, 'r> {
    /// The shared state that is one entry of the map or array in `whole`. `None` if the key is neither a constant nor a
    /// parameter.
    pub(super) fn entry(&self, whole: StateKey<'r>, key: &Expression<'r>) -> Option<StateKey<'r>> {
        Some(StateKey::Entry(Arc::new(whole), self.entry_key(key)?))
    }

    /// The key of a map entry that an expression evaluates to, if the expression is a constant or a parameter.
    pub(super) fn entry_key(&self, key: &Expression<'r>) -> Option<EntryKey> {
        if let ExpressionKind::Name(name) = &key.kind
            && let Some(LocalFact::Parameter(at)) = self.fact(name)
        {
            return Some(EntryKey::Parameter(at));
        }
        let constant = match key.kind {
            ExpressionKind::Literal(_) => Some(self.text(key).trim_matches('"').to_owned()),
            _ => self.constant(key),
        };
        constant.map(|it| EntryKey::Constant(it.into()))
    }

    /// Whether only an assignment changes a shared state, because its field holds an immutable object.
    pub(super) fn is_immutable(&self, key: &StateKey<'r>) -> bool {
        match key {
            StateKey::Field(owner, name) | StateKey::Own(owner, name) => {
                self.fields.of_type(*owner, name).is_some_and(|it| it.is_immutable)
            }
            _ => false,
        }
    }

    /// Whether a shared state is a static field that starts without a value or with `null`. Only fields of the class
    /// whose code is analysed count.
    pub(super) fn starts_unset(&self, key: &StateKey<'r>) -> bool {
        match key {
            StateKey::Field(owner, name) if *owner == self.owner => {
                let state = self.fields.of_type(*owner, name);
                state.is_some_and(|it| matches!(it.initial, "" | "null"))
            }
            _ => false,
        }
    }
}
