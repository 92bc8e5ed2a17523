//! Comparisons of abstract values: whether an object was changed, and whether a call changed its argument.

use std::sync::Arc;

use super::value::{Form, Value};

/// The maximum nesting of objects in fields up to which the nondeterminism of two objects is compared.
const MAX_FIELD_DEPTH: u8 = 4;

/// Whether a field with the value `used` is as nondeterministic as in a newly constructed object. There its value is
/// `new`, or unknown if that is `None`.
pub(super) fn is_alike(new: Option<&Value<'_, '_>>, used: &Value<'_, '_>) -> bool {
    let Some(new) = new else {
        return used.is_plain();
    };
    let origin = |it: &Value<'_, '_>| it.disorder.as_ref().map(|it| (it.exposure, it.trace.origin().site));
    origin(new) == origin(used)
        && new.taints.len() == used.taints.len()
        && new.settings == used.settings
        && new.function.is_some() == used.function.is_some()
        && used.inner.as_ref().is_none_or(|it| it.is_plain())
        && has_same_taints(new, used, MAX_FIELD_DEPTH)
}

/// Whether the fields of two objects, at most `depth` levels deep, have the same number of nondeterministic scalars.
fn has_same_taints(new: &Value<'_, '_>, used: &Value<'_, '_>, depth: u8) -> bool {
    let Some(object) = &used.object else {
        return true;
    };
    let known = new.object.as_ref();
    if depth == 0 || known.is_some_and(|it| Arc::ptr_eq(it, object)) {
        return true;
    }
    object.fields.iter().all(|(name, used)| {
        let none = Value::default();
        let new = known.and_then(|it| it.fields.get(name)).unwrap_or(&none);
        new.taints.len() == used.taints.len() && has_same_taints(new, used, depth - 1)
    })
}

/// Properties of an argument before and after a call, compared to tell whether the call changed it.
#[derive(PartialEq, Eq)]
pub(super) struct Fingerprint {
    is_disordered: bool,
    taints: usize,
    count: Option<u8>,
    object: usize,
    has_inner: bool,
}

impl Fingerprint {
    pub(super) fn of(value: &Value<'_, '_>) -> Self {
        Self {
            is_disordered: value.disorder.is_some(),
            taints: value.taints.len(),
            count: value.count,
            object: value.object.as_ref().map_or(0, |it| Arc::as_ptr(it).addr()),
            has_inner: value.inner.is_some(),
        }
    }
}

/// Whether an argument is a container, builder or object, so that the called method can change it for its caller.
pub(super) fn may_change(value: &Value<'_, '_>) -> bool {
    value.form.is_container() || value.form == Form::Builder || value.object.is_some()
}
