//! The abstract run of methods of containers, streams, texts and builders, by the effect that each method has.

use std::sync::Arc;

use super::compare::Extent;
use super::facts::Effect;
use super::run::Run;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;
use crate::syntax::body::{Call, Expression, ExpressionKind};

/// The number of elements of a container up to which the interpreter counts them.
const MAX_COUNT: u8 = 100;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value that a library method with a known effect, such as `keySet`, returns.
    pub(super) fn method_call(
        &mut self,
        effect: Effect,
        receiver: Value<'i, 'r>,
        call: &'i Call<'r>,
        site: Site,
    ) -> Value<'i, 'r> {
        match effect {
            Effect::Drop => {
                self.values_without_functions(&call.arguments);
                let is_number = !call.name.starts_with("is") && !call.name.starts_with("contains");
                let mut value = Value::of(if is_number { Form::Number } else { Form::Boolean });
                if call.name == "hashCode"
                    && receiver.object.is_some()
                    && receiver.class.is_some_and(|it| self.prints_identity(it))
                {
                    let what = "asks for the identity hash of an object".to_owned();
                    value.add_taint(Taint::new(Trace::new(SourceKind::Identity, site, what)));
                }
                value
            }
            Effect::Keys => self.view(&receiver, Form::Set, None, site),
            Effect::Values => {
                let inner = receiver.inner.clone();
                self.view(&receiver, Form::View, inner, site)
            }
            Effect::Entries => {
                let entry = Value {
                    inner: receiver.inner.clone(),
                    ..Value::of(Form::Entry)
                };
                self.view(&receiver, Form::Set, Some(Arc::new(entry)), site)
            }
            Effect::Lookup => {
                let arguments = self.values_without_functions(&call.arguments);
                let mut value = receiver.entry(arguments.first());
                if receiver.form == Form::Entry && call.name == "getKey" {
                    value = Value::default();
                }
                // What is looked up by a picked key, or in a picked entry, is picked too.
                let of_key = arguments.first().and_then(|it| it.disorder.as_ref());
                let picked = receiver
                    .disorder
                    .as_ref()
                    .or(of_key)
                    .filter(|it| it.exposure == Exposure::Element);
                if value.disorder.is_none() && picked.is_some() {
                    value.disorder = picked.cloned();
                }
                value
            }
            Effect::Put | Effect::Append => self.added(effect, receiver, call, site),
            Effect::AddAll => {
                let arguments = self.values(&call.arguments);
                if let (Some(from), Some(place)) = (arguments.first(), &call.receiver)
                    && call.name.starts_with(['a', 'p', 's'])
                {
                    let mut changed = receiver;
                    let both = changed.count.zip(from.count.filter(|_| from.form.is_container()));
                    changed.count = both.map(|(a, b)| a.saturating_add(b));
                    if let Some(element) = &from.inner {
                        changed.add_element(element);
                    }
                    changed.keyed = None;
                    if changed.form == Form::List && changed.disorder.is_none() {
                        changed.disorder = from.exposed(Exposure::Sequence, site);
                    } else if changed.disorder.is_none() && !changed.settings.is_sorted {
                        changed.disorder = from.exposed(Exposure::Container, site);
                    }
                    let is_builder = changed.settings.is_builder;
                    self.store_changed(place, changed.clone());
                    if is_builder {
                        return changed;
                    }
                }
                Value::of(Form::Boolean)
            }
            Effect::Iterator => self.view(&receiver, Form::Iterator, receiver.inner.clone(), site),
            Effect::Stream => {
                let mut stream = self.view(&receiver, Form::Stream, receiver.inner.clone(), site);
                stream.settings.is_parallel |= call.name.starts_with("parallel");
                stream
            }
            Effect::Sorted => {
                self.values_without_functions(&call.arguments);
                let by = call.arguments.first().map(|it| self.text(it)).unwrap_or_default();
                // Entries with the same value keep the order in which they came.
                if by.contains("comparingByValue") && !by.contains("thenComparing") {
                    return receiver;
                }
                receiver.ordered(site)
            }
            Effect::Transform => self.transformed(&receiver, call, site),
            Effect::Sequence => {
                self.values_without_functions(&call.arguments);
                let mut value = Value {
                    inner: receiver.inner.clone(),
                    count: receiver.count,
                    settled: receiver.settled.clone(),
                    ..Value::of(if matches!(call.name, "limit" | "skip") {
                        Form::Stream
                    } else {
                        Form::List
                    })
                };
                value.disorder = receiver.exposed(Exposure::Sequence, site);
                value
            }
            Effect::Pick => {
                self.values_without_functions(&call.arguments);
                if self.is_single(call) {
                    return receiver.element();
                }
                if call.name == "findAny" && receiver.settings.is_parallel {
                    let what = "takes any element of a parallel stream".to_owned();
                    let trace = Trace::new(SourceKind::ParallelOrder, site, what);
                    let mut element = receiver.element();
                    element.disorder = Some(Disorder::boxed(Exposure::Element, trace));
                    return element;
                }
                self.picked(&receiver, site)
            }
            Effect::Collect => self.collected(&receiver, call, site),
            Effect::Each => {
                self.each(&receiver, call, site);
                Value::default()
            }
            Effect::Sort => {
                if let Some(place) = &call.receiver {
                    self.store_changed(place, receiver.ordered(site));
                }
                Value::default()
            }
            Effect::Clear => {
                if let Some(place) = &call.receiver {
                    let mut cleared = receiver;
                    cleared.count = Some(0);
                    cleared.inner = None;
                    if cleared.keyed.is_some() {
                        cleared = cleared.told_apart();
                    }
                    self.store_changed(place, cleared);
                }
                Value::default()
            }
            Effect::Text => self.text_of(&receiver, site),
            Effect::AppendText => self.appended(receiver, call, site),
            Effect::Split => {
                self.values_without_functions(&call.arguments);
                let is_stream = matches!(call.name, "chars" | "lines");
                let mut parts = receiver.derived(if is_stream { Form::Stream } else { Form::List }, site);
                parts.inner = (!receiver.taints.is_empty()).then(|| {
                    Arc::new(Value {
                        taints: receiver.taints.clone(),
                        ..Value::of(Form::Text)
                    })
                });
                parts.settings.is_array = !is_stream;
                if let Some(disorder) = &mut parts.disorder {
                    disorder.exposure = Exposure::Sequence;
                }
                parts
            }
            Effect::Part => {
                let arguments = self.values(&call.arguments);
                let part = arguments.first().cloned().unwrap_or_default();
                let extent = if call.name == "matches" {
                    Extent::Whole
                } else {
                    Extent::Part
                };
                self.compared(&receiver, &part, extent, site)
            }
            Effect::Pass if receiver.form.is_container() => {
                let mut built = receiver;
                built.settings.is_builder = false;
                built
            }
            Effect::Pass => {
                let mut value = receiver.derived(
                    if call.name.starts_with("to") {
                        Form::Text
                    } else {
                        receiver.form
                    },
                    site,
                );
                value.constant = receiver.constant;
                value
            }
            Effect::SortedCopy
            | Effect::Shuffle
            | Effect::Parse
            | Effect::Serialise
            | Effect::SerialiseMaps
            | Effect::SerialiseTree => Value::default(),
        }
    }

    /// Whether the test asserted that the container from which `call` picks an element has one element.
    pub(super) fn is_single(&self, call: &Call<'r>) -> bool {
        let Some(receiver) = call.receiver.as_ref().filter(|_| !self.singles.is_empty()) else {
            return false;
        };
        let mut text = self.text(receiver);
        for view in [".iterator()", ".stream()", ".values()", ".keySet()", ".entrySet()"] {
            text = text.strip_suffix(view).unwrap_or(text);
        }
        self.singles.contains(&text)
    }

    /// A view of the container `of` with the same order, such as the keys of a map. `inner` is the joined abstract
    /// value of the view's elements, if it is known.
    pub(super) fn view(
        &self,
        of: &Value<'i, 'r>,
        form: Form,
        inner: Option<Arc<Value<'i, 'r>>>,
        site: Site,
    ) -> Value<'i, 'r> {
        Value {
            disorder: of.disorder.as_ref().map(|it| Box::new(it.then(site))),
            inner,
            count: of.count,
            settled: of.settled.clone(),
            settings: of.settings,
            ..Value::of(form)
        }
    }

    /// Stores a container after a method changed it. A chain of calls on a builder, such as `text.append(a).append(b)`,
    /// changes the variable at its root. Results of other calls are not stored.
    pub(super) fn store_changed(&mut self, place: &'i Expression<'r>, value: Value<'i, 'r>) {
        match &place.kind {
            ExpressionKind::Call(call) => {
                // `map.computeIfAbsent(..).add(..)` changes an element, `builder.append(..).append(..)` the builder.
                if (value.form == Form::Builder || value.settings.is_builder)
                    && let Some(receiver) = &call.receiver
                {
                    self.store_changed(receiver, value);
                }
            }
            _ => self.store(place, value),
        }
    }

    /// Adds an element to the container that a call such as `list.add(x)` changes, and returns the element. A builder is
    /// returned itself.
    pub(super) fn added(
        &mut self,
        effect: Effect,
        receiver: Value<'i, 'r>,
        call: &'i Call<'r>,
        site: Site,
    ) -> Value<'i, 'r> {
        let mut arguments = self.values_without_functions(&call.arguments);
        if matches!(call.name, "computeIfAbsent" | "compute" | "merge")
            && let Some(ExpressionKind::Lambda(lambda)) = call.arguments.last().map(|it| &it.kind)
        {
            let made = self.inline_lambda(lambda, &[]);
            arguments.push(made);
        }
        let mut changed = receiver;
        let mut element = arguments.last().cloned().unwrap_or_default();
        // Elements that are taken one by one make a sequence.
        let is_taken = element
            .disorder
            .as_ref()
            .is_some_and(|it| it.exposure == Exposure::Element);
        let is_gathered = effect == Effect::Append && is_taken && !self.frame.loops.is_empty();
        let taken = if is_gathered { element.disorder.take() } else { None };
        if let Some(mut disorder) = taken.filter(|_| changed.disorder.is_none()) {
            disorder.exposure = Exposure::Sequence;
            changed.disorder = Some(Box::new(disorder.then(site)));
        }
        changed.add_element(&element);
        let key = arguments.first().filter(|_| effect == Effect::Put);
        let is_replaced = key.is_some_and(|it| changed.has_entry(it));
        if effect == Effect::Put {
            changed.put_entry(key, &element);
        }
        if call.name != "set" && call.name != "replace" && !is_replaced {
            let is_once = self.frame.loops.is_empty();
            changed.count = changed.count.filter(|it| is_once && *it < MAX_COUNT).map(|it| it + 1);
        }
        // An element that is set at a position of its own is there in every order.
        let is_placed = call.name == "set" && call.arguments.first().is_some_and(|it| !self.is_counted(it));
        if effect == Effect::Append
            && !changed.settings.is_sorted
            && !is_placed
            && let Some(place) = &call.receiver
        {
            let changed = &mut changed;
            self.expose_in_loop(changed, place, Exposure::Sequence, site);
        }
        // A map that keeps the order of insertion shows the order in which it was filled.
        if effect == Effect::Put
            && changed.disorder.is_none()
            && !changed.settings.is_sorted
            && let Some(place) = &call.receiver
        {
            self.expose_in_loop(&mut changed, place, Exposure::Container, site);
        }
        let is_builder = changed.settings.is_builder;
        if let Some(place) = &call.receiver {
            self.store_changed(place, changed.clone());
        }
        if is_builder { changed } else { element }
    }

    /// Appends the text of a call's arguments to a `StringBuilder` or writer, and returns the builder or writer.
    pub(super) fn appended(&mut self, receiver: Value<'i, 'r>, call: &'i Call<'r>, site: Site) -> Value<'i, 'r> {
        let mut changed = receiver;
        changed.constant = None;
        let arguments = self.values_without_functions(&call.arguments);
        for argument in &arguments {
            let part = self.text_of(argument, site);
            changed.absorb(&part);
        }
        if matches!(call.name, "println" | "newLine") {
            let what = "writes the line separator of the platform".to_owned();
            changed.add_taint(Taint::new(Trace::new(SourceKind::LineSeparator, site, what)));
        }
        if let Some(place) = &call.receiver {
            // The same text in every turn of a loop has no order.
            if arguments.iter().any(|it| it.constant.is_none()) {
                self.expose_in_loop(&mut changed, place, Exposure::Text, site);
            }
            self.write_through(&changed);
            self.store_changed(place, changed.clone());
        }
        changed
    }
}
