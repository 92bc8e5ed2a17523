//! Joins of abstract values, for a value that may be one or the other.

use std::cmp::Reverse;
use std::sync::Arc;

use super::value::{Disorder, Form, Keyed, MAX_KEYS, Value};

/// The maximum nesting of fields and elements up to which two abstract values are joined.
const MAX_JOIN_DEPTH: usize = 4;

impl Value<'_, '_> {
    /// The join of two abstract values, for a value that may be either of them.
    pub(super) fn join(mut self, other: &Self) -> Self {
        self.join_with(other);
        self
    }

    /// Joins this abstract value with another one, for a value that may be either of them.
    pub(super) fn join_with(&mut self, other: &Self) {
        self.join_inside(other, 0);
    }

    fn join_inside(&mut self, other: &Self, depth: usize) {
        if self.form != other.form {
            self.form = match (self.form, other.form) {
                (Form::Unknown, known) | (known, Form::Unknown) => known,
                // A list or a set: what compares it takes no order for granted.
                (Form::List | Form::Set | Form::View, Form::List | Form::Set | Form::View) => Form::View,
                _ => Form::Unknown,
            };
        }
        // The nearest of several sources explains most.
        let rank = |it: &Option<Box<Disorder>>| it.as_ref().map(|it| (it.exposure, Reverse(it.trace.calls())));
        if rank(&self.disorder) < rank(&other.disorder) {
            self.disorder.clone_from(&other.disorder);
        }
        for taint in &other.taints {
            self.add_taint(taint.clone());
        }
        if self.count != other.count {
            self.count = None;
        }
        if self.constant != other.constant {
            self.constant = None;
        }
        self.literal_parts = self.literal_parts.min(other.literal_parts);
        if self.class != other.class {
            self.class = self
                .class
                .or(other.class)
                .filter(|_| self.class.is_none() || other.class.is_none());
        }
        self.inner = match (self.inner.take(), &other.inner) {
            (Some(a), Some(b)) if depth < MAX_JOIN_DEPTH && !Arc::ptr_eq(&a, b) => {
                let mut joined = a;
                Arc::make_mut(&mut joined).join_inside(b, depth + 1);
                Some(joined)
            }
            (Some(a), _) => Some(a),
            (None, b) => b.clone(),
        };
        self.keyed = joined_entries(self.keyed.take(), other.keyed.as_ref(), depth);
        self.object = match (self.object.take(), &other.object) {
            (Some(a), Some(b)) if Arc::ptr_eq(&a, b) => Some(a),
            (Some(a), Some(b)) if a.class == b.class && depth < MAX_JOIN_DEPTH => {
                let mut joined = a;
                let object = Arc::make_mut(&mut joined);
                for (name, value) in &b.fields {
                    match object.fields.get_mut(name) {
                        Some(known) => known.join_inside(value, depth + 1),
                        None => {
                            object.fields.insert(name, value.clone());
                        }
                    }
                }
                Some(joined)
            }
            (Some(a), None) => Some(a),
            (None, Some(b)) => Some(b.clone()),
            _ => None,
        };
        if self.function.is_none() {
            self.function.clone_from(&other.function);
        }
        self.settings.is_opaque |= other.settings.is_opaque;
        self.settings.is_array &= other.settings.is_array;
        self.settings.is_sorted &= other.settings.is_sorted;
        self.settings.is_placeholder &= other.settings.is_placeholder;
        self.settings.sorts_maps |= other.settings.sorts_maps;
        self.settings.sorts_properties |= other.settings.sorts_properties;
        if self.settled.is_none() {
            self.settled.clone_from(&other.settled);
        }
    }
}

/// Joins the entries of two maps, of which a value may be either. `None` if one of the maps has no separate abstract
/// values for its keys, if there are too many keys, or if the maps are nested too deeply.
fn joined_entries<'i, 'r>(
    one: Option<Keyed<'i, 'r>>,
    other: Option<&Keyed<'i, 'r>>,
    depth: usize,
) -> Option<Keyed<'i, 'r>> {
    let (mut one, other) = (one?, other?);
    if Arc::ptr_eq(&one, other) {
        return Some(one);
    }
    if depth >= MAX_JOIN_DEPTH {
        return None;
    }
    let entries = Arc::make_mut(&mut one);
    for (key, value) in other.iter() {
        match entries.get_mut(key) {
            Some(known) => known.join_inside(value, depth + 1),
            None => {
                entries.insert(key, value.clone());
            }
        }
    }
    (entries.len() <= MAX_KEYS).then_some(one)
}
