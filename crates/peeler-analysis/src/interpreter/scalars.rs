//! The abstract run of methods of values that are no containers: texts, numbers, dates, generators, formatters and
//! serialisers.

use super::computed_call::Callee;
use super::facts::{CallText, ClassRef};
use super::run::Run;
use super::trace::{Exposure, SourceKind};
use super::value::{Form, Taint, Value};
use crate::flows::flow::Site;
use crate::symbols::targets::Target;
use crate::syntax::body::Call;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value of a call of a library method for which `values.toml` has no particular effect. Some methods
    /// are recognised by name, such as `equals` and `isBefore`.
    pub(super) fn other_call(
        &mut self,
        receiver: Value<'i, 'r>,
        call: &'i Call<'r>,
        target: Target<'r>,
        (class, text): (Option<ClassRef<'_>>, CallText<'_>),
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
        let is_order = match call.name {
            "before" | "after" => receiver.form == Form::Time,
            "isBefore" | "isAfter" => matches!(receiver.form, Form::Time | Form::Unknown),
            _ => false,
        };
        if is_order && let [other] = call.arguments.as_slice() {
            let other = self.value(other);
            let operator = if call.name.ends_with("efore") { "<" } else { ">" };
            let start = call.receiver.as_ref().map_or(site.start, |it| it.start);
            return self.relation(operator, (&receiver, &other), Site { start, ..site }, site);
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
        // The content of an optional, a future or a reference. What is got by one key is no such content, but a part of a
        // time is.
        let is_unwrapped = call.name == "get" && (call.arguments.len() != 1 || receiver.form == Form::Time)
            || matches!(
                call.name,
                "orElse" | "orElseThrow" | "orElseGet" | "join" | "block" | "getNow" | "blockingGet" | "getAndSet"
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
        let is_sorted_query = text.text.contains("order by") || text.text.contains("ORDER BY");
        value.settings.is_opaque = receiver.form != Form::Tree && !is_sorted_query;
        self.add_computed(&mut value, (Callee::Instance, class, text), &arguments, site);
        if !is_shown_only(call.name) {
            self.give(&arguments, &value);
        }
        value
    }

    /// The abstract value that a method of a random generator or a formatter returns, such as `random.nextInt(10)`.
    pub(super) fn tool_result(
        &mut self,
        mut value: Value<'i, 'r>,
        receiver: Value<'i, 'r>,
        call: &'i Call<'r>,
        arguments: &[Value<'i, 'r>],
        site: Site,
    ) -> Value<'i, 'r> {
        // What the tool got as an argument is the same value as before.
        let is_own = |it: &Taint| receiver.taints.iter().any(|own| own.trace.has_origin_of(&it.trace));
        for taint in value.taints.iter_mut().filter(|it| is_own(it)) {
            taint.trace = taint.trace.drawn(site);
        }
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
            name if name.starts_with("parse") && value.form == Form::Tool => Form::Time,
            "nextBoolean" => Form::Boolean,
            "millis" => Form::Number,
            "instant" => Form::Time,
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

    /// Makes a calendar deterministic if a call sets its time, and shifts it if a call adds to its time. Returns the
    /// value of such a call, and `None` for other calls.
    pub(super) fn changed_time(&mut self, receiver: &Value<'i, 'r>, call: &'i Call<'r>) -> Option<Value<'i, 'r>> {
        let is_moved = matches!(call.name, "add" | "roll");
        if !call.name.starts_with("set") && call.name != "clear" && !is_moved {
            return None;
        }
        let mut changed = receiver.clone();
        let is_default_zone = |it: &Taint| it.trace.origin().what.contains("default");
        if is_moved {
            changed.taints.iter_mut().for_each(|it| it.is_shifted = true);
        } else if call.name == "setTimeInMillis" {
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

    /// A serialiser after a call such as `mapper.enable(SORT_PROPERTIES_ALPHABETICALLY)` changed one of its settings.
    pub(super) fn configured(&mut self, receiver: Value<'i, 'r>, call: &'i Call<'r>) -> Value<'i, 'r> {
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

/// Whether a method of this name writes its arguments to a log or to the console, where nothing reads them.
pub(super) fn is_shown_only(name: &str) -> bool {
    matches!(
        name,
        "println" | "print" | "printf" | "trace" | "debug" | "info" | "warn" | "error" | "log" | "fine" | "severe"
    )
}

/// The form (text, number, date, ...) of what a method of a scalar returns: that of its declared type, or else of the
/// receiver.
fn scalar_form(receiver: &Value<'_, '_>, declared: &Value<'_, '_>) -> Form {
    match declared.form {
        Form::Unknown => receiver.form,
        known => known,
    }
}
