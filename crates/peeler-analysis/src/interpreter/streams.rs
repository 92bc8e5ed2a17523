//! The abstract run of streams, and of functions that get each element of a container.

use super::facts::{ClassRef, Effect, IterationOrder};
use super::library::filled_from;
use super::run::Run;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Value};
use crate::flows::flow::Site;
use crate::symbols::type_text::parse_type;
use crate::syntax::body::{Call, Expression, ExpressionKind};
use std::sync::Arc;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// Abstractly runs the function argument of a call such as `forEach` with each element of a container.
    pub(super) fn each(&mut self, receiver: &Value<'i, 'r>, call: &'i Call<'r>, site: Site) {
        let mut trace = receiver.iteration().map(|it| it.then(site));
        if receiver.settings.is_parallel && call.name != "forEachOrdered" {
            let what = "visits elements in parallel, in no defined order".to_owned();
            trace = Some(Trace::new(SourceKind::ParallelOrder, site, what));
        }
        let element = receiver.element();
        for argument in &call.arguments {
            self.turns(trace.clone(), receiver.count.is_some(), |run| {
                run.call_function(argument, &[element.clone(), element.clone()], site);
            });
        }
    }

    /// Abstractly runs a function that is written as an argument, such as a lambda, with the values `given` as its
    /// parameters.
    pub(super) fn call_function(&mut self, function: &'i Expression<'r>, given: &[Value<'i, 'r>], site: Site) {
        match &function.kind {
            ExpressionKind::Lambda(lambda) => {
                self.inline_lambda(lambda, given);
            }
            ExpressionKind::MethodReference { object, name } => {
                if self.named_type(object).is_some() {
                    return;
                }
                let mut place = self.value(object);
                let exposure = match (place.form, self.shared.facts.method(place.form, name)) {
                    (Form::Builder, Some(Effect::AppendText)) => Exposure::Text,
                    (Form::List, Some(Effect::Append)) => Exposure::Sequence,
                    _ => return,
                };
                if let Some(element) = given.first() {
                    place.add_element(element);
                }
                place.count = None;
                self.expose_in_loop(&mut place, object, exposure, site);
                self.store_changed(object, place);
            }
            _ => {
                let value = self.value(function);
                if let Some(function) = value.function {
                    self.apply(&function, given.to_vec(), site);
                }
            }
        }
    }

    /// The abstract value of a stream after its elements were filtered or mapped: `stream.map(..)`.
    pub(super) fn transformed(&mut self, receiver: &Value<'i, 'r>, call: &'i Call<'r>, site: Site) -> Value<'i, 'r> {
        let element = receiver.element();
        let mut stream = self.view(receiver, Form::Stream, receiver.inner.clone(), site);
        if call.name == "filter" || call.name == "distinct" || call.name == "flatMap" {
            stream.count = stream.count.filter(|it| *it < 2 && call.name != "flatMap");
        }
        if call.name == "filter" {
            stream.settings.is_selected |= call.arguments.iter().any(|it| is_equality(self.text(it)));
        }
        let Some(argument) = call.arguments.first() else {
            return stream;
        };
        if call.name.starts_with("map") || call.name == "flatMap" {
            stream.inner = match &argument.kind {
                ExpressionKind::Lambda(lambda) => {
                    let mapped = self.inline_lambda(lambda, &[element]);
                    Some(Arc::new(mapped))
                }
                ExpressionKind::MethodReference { object, name } => {
                    let called = self.referenced(object, name, std::slice::from_ref(&element), site);
                    let mapped = called.unwrap_or_else(|| {
                        let mut mapped = Value::default();
                        mapped.absorb(&element);
                        mapped
                    });
                    Some(Arc::new(mapped))
                }
                _ => {
                    let value = self.value(argument);
                    let function = value.function;
                    function.map(|it| Arc::new(self.apply(&it, vec![element], site)))
                }
            };
            if call.name == "flatMap"
                && let Some(mapped) = stream.inner.take()
            {
                if stream.disorder.is_none() {
                    stream.disorder.clone_from(&mapped.disorder);
                }
                stream.inner.clone_from(&mapped.inner);
            }
        } else if let ExpressionKind::Lambda(lambda) = &argument.kind {
            self.inline_lambda(lambda, &[element]);
        }
        stream
    }

    /// The abstract value that `stream.collect(..)` returns, by the name of its collector.
    pub(super) fn collected(&mut self, receiver: &Value<'i, 'r>, call: &'i Call<'r>, site: Site) -> Value<'i, 'r> {
        let Some(ExpressionKind::Call(collector)) = call.arguments.first().map(|it| &it.kind) else {
            self.values_without_functions(&call.arguments);
            return match call.arguments.first().and_then(|it| self.supplied(it, site)) {
                Some((container, order)) => filled_from(container, receiver, order, site),
                None => self.sequence_of(receiver, Form::Unknown, site),
            };
        };
        let last: String = collector.arguments.iter().map(|it| self.text(it)).collect();
        let is_sorted = ["TreeMap", "TreeSet", "ConcurrentSkipList", "EnumMap"]
            .iter()
            .any(|it| last.contains(it));
        let is_kept = last.contains("Linked") || last.contains("ArrayList");
        match collector.name {
            "joining" => {
                let mut text = self.text_of(receiver, site);
                text.form = Form::Text;
                if let Some(inner) = &receiver.inner {
                    text.absorb(&inner.derived(Form::Text, site));
                }
                text
            }
            "toSet"
            | "toUnmodifiableSet"
            | "toMap"
            | "toUnmodifiableMap"
            | "groupingBy"
            | "toConcurrentMap"
            | "groupingByConcurrent" => {
                let is_set = collector.name.ends_with("Set");
                let form = if is_set { Form::Set } else { Form::Map };
                if is_sorted {
                    return filled_from(Value::of(form), receiver, IterationOrder::Sorted, site);
                }
                if is_kept && !is_set && collector.name != "groupingBy" || is_kept && collector.arguments.len() == 3 {
                    return filled_from(Value::of(form), receiver, IterationOrder::Kept, site);
                }
                let what = format!(
                    "collects with Collectors.{}, which has no defined order",
                    collector.name
                );
                let mut value = Value {
                    count: receiver.count,
                    inner: receiver.inner.clone(),
                    ..Value::of(form)
                };
                value.disorder = Some(Disorder::boxed(
                    Exposure::Container,
                    Trace::new(SourceKind::HashOrder, site, what),
                ));
                value
            }
            "toCollection" if is_sorted => filled_from(Value::of(Form::Set), receiver, IterationOrder::Sorted, site),
            "toCollection" if last.contains("LinkedHashSet") => {
                filled_from(Value::of(Form::Set), receiver, IterationOrder::Kept, site)
            }
            "toCollection" if last.contains("HashSet") => {
                let what = "collects into a HashSet, which has no defined order".to_owned();
                let mut value = Value::of(Form::Set);
                value.disorder = Some(Disorder::boxed(
                    Exposure::Container,
                    Trace::new(SourceKind::HashOrder, site, what),
                ));
                value
            }
            "counting"
            | "summingInt"
            | "summingLong"
            | "averagingInt"
            | "averagingDouble"
            | "partitioningBy"
            | "toImmutableSortedSet"
            | "toImmutableSortedMap"
            | "maxBy"
            | "minBy" => Value::default(),
            _ => self.sequence_of(receiver, Form::List, site),
        }
    }

    /// The empty container that a supplier such as `HashMap::new` makes, with its iteration order; `None` for other
    /// suppliers.
    fn supplied(&self, supplier: &Expression<'r>, site: Site) -> Option<(Value<'i, 'r>, IterationOrder)> {
        let ExpressionKind::MethodReference { object, name: "new" } = &supplier.kind else {
            return None;
        };
        let written = parse_type(self.text(object)).name;
        let fact = self.shared.facts.container(ClassRef::named(written))?;
        Some((self.container(fact.form, fact.order, written, site), fact.order))
    }

    pub(super) fn sequence_of(&self, receiver: &Value<'i, 'r>, form: Form, site: Site) -> Value<'i, 'r> {
        let mut value = Value {
            inner: receiver.inner.clone(),
            count: receiver.count,
            settled: receiver.settled.clone(),
            ..Value::of(form)
        };
        value.disorder = receiver.exposed(Exposure::Sequence, site);
        value
    }
}

/// Whether a condition, given as source text, asks whether something equals something else:
/// `it -> it.name().equals("pom.xml")`. Such a condition mostly holds for one element of a stream.
fn is_equality(condition: &str) -> bool {
    let is_compared = ["equals(", "equalsIgnoreCase(", "=="]
        .iter()
        .any(|it| condition.contains(it));
    is_compared && !condition.contains("null")
}
