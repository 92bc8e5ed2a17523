//! Nondeterministic values that a test gave to code about which nothing is known. What such code returns may be the
//! same value, so comparing the two says nothing.
//!
//! ```java
//! String body = gson.toJson(user);      // in no defined order
//! server.enqueue(body);                 // given to unknown code
//! assertEquals(body, client.fetch());   // the answer has the same order
//! ```

use super::run::Run;
use super::trace::Trace;
use super::value::{Form, Value};
use crate::syntax::body::Expression;

/// The maximum number of nondeterministic values passed to unknown code that an abstract run remembers.
const MAX_GIVEN: usize = 64;
/// The maximum nesting of elements and fields in which nondeterminism is looked for when a value is passed to unknown
/// code.
const MAX_DEPTH: usize = 2;
/// The maximum number of fields of an object that is passed to unknown code. The fields of larger objects are not
/// searched for nondeterminism.
const MAX_FIELDS: usize = 32;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// Remembers the nondeterminism of `values`, the arguments of a call, because later results of unknown code may
    /// contain it. Left out is what `result`, the value that the call returned, is already known to contain.
    pub(super) fn give(&mut self, values: &[Value<'i, 'r>], result: &Value<'i, 'r>) {
        for value in values {
            self.give_one(value, result, 0);
        }
    }

    /// Remembers the nondeterminism of the local variables that an anonymous class mentions, as if they were passed to
    /// unknown code. Unknown code may run the class later.
    pub(super) fn give_captured(&mut self, class: &Expression<'r>) {
        let text = self.text(class);
        let is_meant = |(name, value): &&(&'r str, Value<'i, 'r>)| !value.is_plain() && text.contains(*name);
        let values: Vec<Value<'i, 'r>> = self.locals.iter().filter(is_meant).map(|it| it.1.clone()).collect();
        self.give(&values, &Value::default());
    }

    fn give_one(&mut self, value: &Value<'i, 'r>, result: &Value<'i, 'r>, depth: usize) {
        if let Some(disorder) = &value.disorder {
            self.remember_given(&disorder.trace, result);
        }
        for taint in value.taints.iter().filter(|it| it.kind().is_drawn()) {
            self.remember_given(&taint.trace, result);
        }
        if depth == MAX_DEPTH {
            return;
        }
        if let Some(inner) = &value.inner {
            self.give_one(inner, result, depth + 1);
        }
        if let Some(object) = &value.object
            && object.fields.len() <= MAX_FIELDS
        {
            let object = object.clone();
            object
                .fields
                .values()
                .for_each(|it| self.give_one(it, result, depth + 1));
        }
    }

    pub(super) fn remember_given(&mut self, trace: &Trace, result: &Value<'i, 'r>) {
        let is_in_result = result.disorder.as_ref().is_some_and(|it| it.trace.has_origin_of(trace))
            || result.taints.iter().any(|it| it.trace.has_origin_of(trace));
        if !is_in_result && self.given.len() < MAX_GIVEN && !self.is_given(trace) {
            self.given.push(trace.clone());
        }
    }

    /// Whether the test gave a value with this nondeterminism to code about which nothing is known.
    pub(super) fn is_given(&self, trace: &Trace) -> bool {
        self.given.iter().any(|it| it.has_origin_of(trace))
    }

    /// The expected value of a comparison. Its order counts as defined if it comes from a serialiser or reflection and
    /// nothing is known of the actual value. The same serialiser probably made both values, so both have the same
    /// order.
    pub(super) fn without_shared_order(&self, expected: Value<'i, 'r>, actual: &Value<'i, 'r>) -> Value<'i, 'r> {
        let mut expected = expected;
        let is_unknown = actual.settings.is_opaque && actual.constant.is_none() && actual.literal_parts == 0;
        if is_unknown && actual.disorder.is_none() {
            expected.disorder = expected.disorder.filter(|it| !it.trace.origin().kind.is_reflective());
        }
        expected
    }

    /// Whether `value` may be something that the test gave to unknown code before: none of its content is known.
    pub(super) fn may_be_given(&self, value: &Value<'i, 'r>) -> bool {
        let is_unknown = |it: &Value<'_, '_>| {
            it.constant.is_none() && it.literal_parts == 0 && it.count.is_none() && it.disorder.is_none()
        };
        !self.given.is_empty()
            && is_unknown(value)
            && !matches!(value.form, Form::Number | Form::Boolean)
            && value.inner.as_ref().is_none_or(|it| is_unknown(it))
    }
}
