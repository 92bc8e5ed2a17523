//! Methods of containers, streams, texts and builders, by their effect.

use std::sync::Arc;

use super::compare::Extent;
use super::facts::Effect;
use super::facts::IterationOrder;
use super::library::filled_from;
use super::run::Run;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

/// The maximum number of elements that are counted.
const MAX_COUNT: u8 = 100;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The value of a method of a value whose form is known.
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
                let mut value = receiver.element();
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
                    if changed.form == Form::List && changed.disorder.is_none() {
                        changed.disorder = from.exposed(Exposure::Sequence, site);
                    }
                    self.store_changed(place, changed);
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
            Effect::Transform => self.transformed(receiver, call, site),
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
                if call.name == "findAny" && receiver.settings.is_parallel {
                    let what = "takes any element of a parallel stream".to_owned();
                    let trace = Trace::new(SourceKind::ParallelOrder, site, what);
                    let mut element = receiver.element();
                    element.disorder = Some(Disorder::new(Exposure::Element, trace));
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
            Effect::SortedCopy | Effect::Shuffle | Effect::Parse | Effect::Serialise | Effect::SerialiseMaps => {
                Value::default()
            }
        }
    }

    /// Another form of a container, with the same order.
    fn view(&self, of: &Value<'i, 'r>, form: Form, inner: Option<Arc<Value<'i, 'r>>>, site: Site) -> Value<'i, 'r> {
        Value {
            disorder: of.disorder.as_ref().map(|it| it.then(site)),
            inner,
            count: of.count,
            settled: of.settled.clone(),
            settings: of.settings,
            ..Value::of(form)
        }
    }

    /// Stores a container after a method changed it. A chain of calls changes the variable at its root.
    fn store_changed(&mut self, place: &'i Expression<'r>, value: Value<'i, 'r>) {
        match &place.kind {
            ExpressionKind::Call(call) => {
                // `map.computeIfAbsent(..).add(..)` changes an element, `builder.append(..).append(..)` the builder.
                if value.form == Form::Builder
                    && let Some(receiver) = &call.receiver
                {
                    self.store_changed(receiver, value);
                }
            }
            _ => self.store(place, value),
        }
    }

    /// Adds an element to a container.
    fn added(&mut self, effect: Effect, receiver: Value<'i, 'r>, call: &'i Call<'r>, site: Site) -> Value<'i, 'r> {
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
        if effect == Effect::Append && is_taken && !self.frame.loops.is_empty() {
            if let Some(mut disorder) = element.disorder.take().filter(|_| changed.disorder.is_none()) {
                disorder.exposure = Exposure::Sequence;
                changed.disorder = Some(disorder.then(site));
            }
        }
        changed.add_element(&element);
        if call.name != "set" && call.name != "replace" {
            let is_once = self.frame.loops.is_empty();
            changed.count = changed.count.filter(|it| is_once && *it < MAX_COUNT).map(|it| it + 1);
        }
        if effect == Effect::Append
            && !changed.settings.is_sorted
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
        if let Some(place) = &call.receiver {
            self.store_changed(place, changed);
        }
        element
    }

    /// Adds a text to a builder.
    fn appended(&mut self, receiver: Value<'i, 'r>, call: &'i Call<'r>, site: Site) -> Value<'i, 'r> {
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

    /// Calls a function with each element of a container.
    fn each(&mut self, receiver: &Value<'i, 'r>, call: &'i Call<'r>, site: Site) {
        let mut trace = receiver.iteration().map(|it| it.then(site));
        if receiver.settings.is_parallel && call.name != "forEachOrdered" {
            let what = "visits elements in parallel, in no defined order".to_owned();
            trace = Some(Trace::new(SourceKind::ParallelOrder, site, what));
        }
        let element = receiver.element();
        for argument in &call.arguments {
            self.turns(trace.clone(), receiver.count.is_some(), |run| {
                run.call_function(argument, &[element.clone(), element.clone()], site)
            });
        }
    }

    /// Calls a function that is written as an argument.
    fn call_function(&mut self, function: &'i Expression<'r>, given: &[Value<'i, 'r>], site: Site) {
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

    /// A stream after its elements were filtered or mapped.
    fn transformed(&mut self, receiver: Value<'i, 'r>, call: &'i Call<'r>, site: Site) -> Value<'i, 'r> {
        let element = receiver.element();
        let mut stream = self.view(&receiver, Form::Stream, receiver.inner.clone(), site);
        if call.name == "filter" || call.name == "distinct" || call.name == "flatMap" {
            stream.count = stream.count.filter(|it| *it < 2 && call.name != "flatMap");
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
                ExpressionKind::MethodReference { .. } => {
                    let mut mapped = Value::default();
                    mapped.absorb(&element);
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

    /// The result of collecting a stream.
    fn collected(&mut self, receiver: &Value<'i, 'r>, call: &'i Call<'r>, site: Site) -> Value<'i, 'r> {
        let Some(ExpressionKind::Call(collector)) = call.arguments.first().map(|it| &it.kind) else {
            self.values_without_functions(&call.arguments);
            return self.sequence_of(receiver, Form::Unknown, site);
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
                value.disorder = Some(Disorder::new(
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
                value.disorder = Some(Disorder::new(
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

    fn sequence_of(&self, receiver: &Value<'i, 'r>, form: Form, site: Site) -> Value<'i, 'r> {
        let mut value = Value {
            inner: receiver.inner.clone(),
            count: receiver.count,
            settled: receiver.settled.clone(),
            ..Value::of(form)
        };
        value.disorder = receiver.exposed(Exposure::Sequence, site);
        value
    }

    /// The value of a method of which nothing is known.
    pub(super) fn other_call(
        &mut self,
        receiver: Value<'i, 'r>,
        call: &'i Call<'r>,
        target: Target<'r>,
        site: Site,
    ) -> Value<'i, 'r> {
        if matches!(
            call.name,
            "equals" | "equalsIgnoreCase" | "contentEquals" | "compareTo" | "isEqual"
        ) {
            let arguments = self.values(&call.arguments);
            let other = arguments.first().cloned().unwrap_or_default();
            return self.compare(&receiver, &other, site);
        }
        if matches!(call.name, "before" | "after" | "isBefore" | "isAfter") && receiver.form == Form::Time {
            let arguments = self.values(&call.arguments);
            let other = arguments.first().cloned().unwrap_or_default();
            let operator = if call.name.ends_with("efore") { "<" } else { ">" };
            return self.relation(operator, &receiver, &other, site);
        }
        if matches!(call.name, "getMessage" | "getLocalizedMessage") && receiver.inner.is_some() {
            return receiver.element();
        }
        if matches!(call.name, "submit" | "execute" | "schedule" | "fork") {
            self.run_tasks(&call.arguments, site);
        } else {
            self.run_lambdas(&call.arguments);
        }
        let arguments = self.values_without_functions(&call.arguments);
        if receiver
            .disorder
            .as_ref()
            .is_some_and(|it| it.exposure == Exposure::Element)
        {
            let mut value = receiver.derived(Form::Unknown, site);
            value.inner.clone_from(&receiver.inner);
            return value;
        }
        // The content of an optional, a future or a reference.
        let is_unwrapped = matches!(
            call.name,
            "get" | "orElse" | "orElseThrow" | "orElseGet" | "join" | "block" | "getNow" | "blockingGet" | "getAndSet"
        );
        if is_unwrapped && !receiver.form.is_container() && receiver.form != Form::Tool {
            return receiver;
        }
        let declared = match target {
            Target::Library(method) => self.of_type(&self.shared.index.signature(method).returns),
            _ => Value::default(),
        };
        if receiver.form == Form::Serialiser {
            return self.configured(receiver, call);
        }
        if receiver.form.is_scalar() {
            let mut value = receiver.derived(scalar_form(&receiver, &declared), site);
            for argument in &arguments {
                value.absorb(&argument.derived(value.form, site));
            }
            if receiver.form == Form::Tool {
                return self.tool_result(value, receiver, call, &arguments, site);
            }
            if receiver.form == Form::Time
                && let Some(changed) = self.changed_time(&receiver, call)
            {
                return changed;
            }
            let mut both = vec![receiver.clone()];
            both.extend(arguments.iter().cloned());
            self.measure_difference(call.name, &mut value, &both);
            if !arguments.is_empty() && arguments.iter().any(|it| it.taints.is_empty()) {
                value.taints.iter_mut().for_each(|it| it.is_shifted = true);
            }
            if matches!(call.name, "replace" | "replaceAll" | "normalize" | "lines") {
                value.taints.retain(|it| it.kind() != SourceKind::LineSeparator);
            }
            if receiver.form == Form::Text && call.arguments.is_empty() {
                value.constant = receiver.constant;
            }
            return value;
        }
        let mut value = declared;
        if value.form == Form::Unknown && !receiver.form.is_container() {
            value.settings = receiver.settings;
        }
        value.settings.is_opaque = receiver.form != Form::Tree;
        value
    }

    /// The result of a generator or formatter.
    fn tool_result(
        &mut self,
        mut value: Value<'i, 'r>,
        receiver: Value<'i, 'r>,
        call: &'i Call<'r>,
        arguments: &[Value<'i, 'r>],
        site: Site,
    ) -> Value<'i, 'r> {
        value.taints.iter_mut().for_each(|it| it.trace = it.trace.drawn(site));
        // A seed or a zone that is set settles a generator or formatter.
        let names_text = receiver
            .constant
            .is_some_and(|it| it.contains("MMM") || it.contains("EEE"));
        if matches!(call.name, "setSeed" | "setCalendar") || call.name == "setTimeZone" && !names_text {
            let mut settled = receiver;
            settled.taints.clear();
            if let Some(place) = &call.receiver {
                self.store_changed(place, settled);
            }
            return Value::default();
        }
        value.form = match call.name {
            "format" | "getHostName" | "getHostAddress" | "getID" | "getDisplayName" => Form::Text,
            name if name.starts_with("next") => Form::Number,
            "nextBoolean" => Form::Boolean,
            _ => value.form,
        };
        let kind = value.taints.first().map(super::value::Taint::kind);
        // The bound of a random number, and one above every random fraction.
        if kind == Some(SourceKind::Random) {
            value.count = match (call.name, arguments) {
                ("nextInt" | "nextLong", [bound]) => bound.constant.and_then(|it| it.parse().ok()),
                ("nextDouble" | "nextFloat", []) => Some(1),
                _ => None,
            };
        }
        // A date that was made in the default zone too is formatted to the same text everywhere.
        if kind == Some(SourceKind::ZoneLocale) {
            let is_fixed =
                |it: &Value<'_, '_>| it.form == Form::Number || it.constant.is_some() && it.form != Form::Text;
            let is_formatted = call.name == "format" && !arguments.first().is_some_and(is_fixed);
            if is_formatted || call.name == "parse" {
                value.taints.clear();
            }
        }
        value
    }

    /// A calendar after its time was set; `None` if the call does not set it.
    fn changed_time(&mut self, receiver: &Value<'i, 'r>, call: &'i Call<'r>) -> Option<Value<'i, 'r>> {
        if !call.name.starts_with("set") && call.name != "clear" {
            return None;
        }
        let mut changed = receiver.clone();
        let is_default_zone = |it: &Taint| it.trace.origin().what.contains("default");
        if call.name == "setTimeInMillis" {
            changed.taints.retain(|it| is_default_zone(it));
            changed
                .taints
                .iter_mut()
                .for_each(|it| it.trace = it.trace.with_kind(SourceKind::ZoneLocale));
        } else {
            changed.taints.clear();
        }
        if let Some(place) = &call.receiver {
            self.store_changed(place, changed);
        }
        Some(Value::default())
    }

    /// A serialiser after a setting.
    fn configured(&mut self, receiver: Value<'i, 'r>, call: &'i Call<'r>) -> Value<'i, 'r> {
        let text = call
            .arguments
            .iter()
            .map(|it| self.text(it))
            .collect::<Vec<_>>()
            .join(",");
        let mut serialiser = receiver;
        let is_off = text.contains("false") || call.name.starts_with("disable");
        if text.contains("SORT_PROPERTIES_ALPHABETICALLY") && !is_off {
            serialiser.settings.sorts_properties = true;
        }
        if text.contains("ORDER_MAP_ENTRIES_BY_KEYS") && !is_off {
            serialiser.settings.sorts_maps = true;
        }
        if let Some(place) = &call.receiver {
            self.store_changed(place, serialiser.clone());
        }
        serialiser
    }
}

/// The form of a value that a method of a scalar computes.
fn scalar_form(receiver: &Value<'_, '_>, declared: &Value<'_, '_>) -> Form {
    match declared.form {
        Form::Unknown => receiver.form,
        known => known,
    }
}
