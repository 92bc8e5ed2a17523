//! Library calls and constructions that return something nondeterministic, or a new container.

use super::compare::has_other_letters;
use super::expression::local_name;
use super::facts::{CallText, ClassRef, FactoryKind, IterationOrder};
use super::library::filled_from;
use super::run::Run;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, New};
use std::sync::Arc;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value of a library call that returns something nondeterministic; `None` for other calls.
    pub(super) fn source(&self, class: ClassRef<'_>, call: CallText<'_>, site: Site) -> Option<Value<'i, 'r>> {
        let fact = self.shared.facts.source(class, call)?;
        if fact.kind == SourceKind::ZoneLocale && self.is_zone_set {
            return Some(Value::of(fact.form));
        }
        let trace = Trace::new(fact.kind, site, fact.what.clone());
        let mut value = Value::of(fact.form);
        match fact.kind {
            SourceKind::HashOrder | SourceKind::ReflectionOrder | SourceKind::ListingOrder => {
                value.disorder = Some(Disorder::boxed(fact.exposure(), trace));
                value.settings.is_array = fact.form == Form::List;
            }
            SourceKind::QueryOrder => value.disorder = Some(Disorder::boxed(Exposure::Container, trace)),
            _ => value.taints.push(Taint {
                trace,
                is_shifted: false,
            }),
        }
        Some(value)
    }

    /// The abstract value of a nondeterministic call that is recognised without its class, such as
    /// `availableProcessors()`; `None` for other calls.
    pub(super) fn unowned_source(
        &mut self,
        call: &'i Call<'r>,
        receiver: &Value<'i, 'r>,
        text: CallText<'_>,
        class: Option<ClassRef<'_>>,
        site: Site,
    ) -> Option<Value<'i, 'r>> {
        let is_date = class.is_some_and(|it| it.simple == "Date");
        let sql = text.text.trim_start_matches('"').to_ascii_lowercase();
        let is_query = sql.starts_with("select ") && !sql.contains("order by") && !sql.contains("count(");
        let (kind, form, what) = match call.name {
            "executeQuery" if receiver.form == Form::Rows => {
                return Some(receiver.clone());
            }
            "executeQuery" | "prepareStatement" | "queryForRowSet" if is_query => (
                SourceKind::QueryOrder,
                Form::Rows,
                "reads rows that a query does not sort",
            ),
            "queryForList" | "query" if is_query => (
                SourceKind::QueryOrder,
                Form::List,
                "reads rows that a query does not sort",
            ),
            "availableProcessors" => (
                SourceKind::Environment,
                Form::Number,
                "asks for the resources of the machine",
            ),
            "join" if receiver.form == Form::Unknown => {
                let arguments = self.values_without_functions(&call.arguments);
                let joined = arguments
                    .iter()
                    .find(|it| it.form.is_container() && it.disorder.is_some())?;
                let mut text = self.text_of(joined, site);
                if let Some(disorder) = &mut text.disorder {
                    disorder.bracket = None;
                }
                return Some(text);
            }
            "getBytes" if call.arguments.is_empty() && receiver.form == Form::Text => {
                let mut bytes = receiver.derived(Form::List, site);
                bytes.settings.is_array = true;
                let what = "encodes text in the default charset".to_owned();
                let kind = match receiver.constant {
                    Some(text) if has_other_letters(text) => Some(SourceKind::EncodedText),
                    // Every charset in use encodes ASCII alike.
                    Some(_) => None,
                    None => Some(SourceKind::Charset),
                };
                if let Some(kind) = kind {
                    let taint = Taint::new(Trace::new(kind, site, what));
                    bytes.inner = Some(Arc::new(Value {
                        taints: vec![taint.clone()],
                        ..Value::of(Form::Number)
                    }));
                    bytes.add_taint(taint);
                }
                return Some(bytes);
            }
            "toUpperCase" | "toLowerCase" if call.arguments.is_empty() && receiver.form == Form::Text => {
                let mut text = receiver.derived(Form::Text, site);
                text.constant = receiver.constant;
                let what = "changes letters by the rules of the default locale".to_owned();
                text.add_taint(Taint::new(Trace::new(SourceKind::LetterCase, site, what)));
                return Some(text);
            }
            "toString" if receiver.form == Form::Time && is_date => {
                let mut text = receiver.derived(Form::Text, site);
                let what = "writes a date in the default time zone".to_owned();
                text.add_taint(Taint::new(Trace::new(SourceKind::ZoneLocale, site, what)));
                return Some(text);
            }
            _ => return None,
        };
        self.values_without_functions(&call.arguments);
        let trace = Trace::new(kind, site, what.to_owned());
        let mut value = Value::of(form);
        match kind {
            SourceKind::QueryOrder => value.disorder = Some(Disorder::boxed(Exposure::Container, trace)),
            _ => value.taints.push(Taint::new(trace)),
        }
        Some(value)
    }

    /// A new abstract container without elements. `name` is the name of its class for messages.
    pub(super) fn container(&self, form: Form, order: IterationOrder, name: &str, site: Site) -> Value<'i, 'r> {
        let mut value = Value {
            count: Some(0),
            ..Value::of(form)
        };
        if !keeps_all(name) {
            value = value.told_apart();
        }
        value.settings.is_sorted = order == IterationOrder::Sorted;
        value.settings.is_builder = name.eq_ignore_ascii_case("builder");
        if order == IterationOrder::Unordered {
            let what = format!("fills a {name}, which has no defined order");
            value.disorder = Some(Disorder::boxed(
                Exposure::Container,
                Trace::new(SourceKind::HashOrder, site, what),
            ));
        }
        value
    }

    pub(super) fn factory_call(
        &mut self,
        class: ClassRef<'_>,
        call: CallText<'_>,
        arguments: &'i [Expression<'r>],
        site: Site,
    ) -> Option<Value<'i, 'r>> {
        let fact = self.shared.facts.factory(class, call)?;
        let values = self.values(arguments);
        let mut container = self.container(fact.form, fact.order, &fact.container, site);
        if keeps_all(class.simple) {
            container.keyed = None;
        }
        Some(match fact.from {
            FactoryKind::Elements => {
                let mut value = container;
                for it in &values {
                    value.add_element(it);
                }
                value.keyed = None;
                let elements = if fact.form == Form::Map && class.simple == "Map" && call.name == "of" {
                    values.len() / 2
                } else {
                    values.len()
                };
                value.count = u8::try_from(elements).ok();
                // Such a map cannot grow.
                if class.simple == "Map" && call.name == "of" && elements < 2 {
                    value.disorder = None;
                }
                // One argument may be an array of any length, or a container.
                if let [only] = values.as_slice()
                    && only.form.is_container()
                    && (only.settings.is_array || call.name.starts_with("new"))
                {
                    return Some(filled_from(value, only, fact.order, site));
                }
                value
            }
            FactoryKind::Copy => match values.first() {
                Some(only) => filled_from(container, only, fact.order, site),
                None => container,
            },
            FactoryKind::Wrap => {
                let mut value = values.into_iter().next().unwrap_or_default();
                if fact.form != Form::Unknown {
                    value.form = fact.form;
                }
                value
            }
        })
    }

    /// The abstract value of a `new` expression of a library class.
    pub(super) fn construct_library(
        &mut self,
        new: &'i New<'r>,
        target: Target<'r>,
        arguments: &[Value<'i, 'r>],
        site: Site,
    ) -> Value<'i, 'r> {
        let index = self.shared.index;
        let written = crate::symbols::type_text::parse_type(new.type_text).name;
        let class = ClassRef::of_target(index, target).unwrap_or_else(|| ClassRef::named(written));
        let text = match (new.arguments.first(), new.arguments.last()) {
            (Some(first), Some(last)) => {
                let source = index.source(self.frame.file).text();
                source.get(first.start as usize..last.end as usize).unwrap_or_default()
            }
            _ => "",
        };
        let call = CallText {
            name: crate::syntax::body::CONSTRUCTOR,
            arguments: arguments.len(),
            text,
        };
        if let Some(mut value) = self.source(class, call, site) {
            value.constant = arguments.first().and_then(|it| it.constant);
            return value;
        }
        let facts = self.shared.facts;
        if let Some(fact) = facts.container(class) {
            let container = self.container(fact.form, fact.order, class.simple, site);
            let copied = arguments
                .iter()
                .find(|it| it.form.is_container() || it.disorder.is_some());
            return match copied {
                Some(copied) if fact.form != Form::Tree || copied.form != Form::Text => {
                    filled_from(container, copied, fact.order, site)
                }
                _ => {
                    let mut value = container;
                    // A parsed document, or a copy of something unknown, has any number of elements.
                    let is_unknown = |it: &Value<'_, '_>| it.form != Form::Number && it.function.is_none();
                    if arguments.iter().any(is_unknown) {
                        value.count = None;
                    }
                    value
                }
            };
        }
        let form = self.form_of(class);
        let mut value = match self.computed_container(class) {
            Some((_, Some(order))) => self.container(form, order, class.simple, site),
            _ => Value::of(form),
        };
        if class.simple.ends_with("Exception") || class.simple.ends_with("Error") {
            let mut message = Value::of(Form::Text);
            for it in arguments {
                message.absorb(it);
            }
            value.inner = Some(Arc::new(message));
        }
        if form.is_scalar() {
            for argument in arguments {
                value.absorb(&argument.derived(form, site));
            }
            if form == Form::Builder
                && let Some(Some(name)) = new.arguments.first().map(local_name)
                && arguments[0].form == Form::Builder
            {
                value.backing = Some(name);
            }
            let reads_bytes = match class.simple {
                "String" => arguments.len() == 1 && arguments[0].form == Form::List && arguments[0].settings.is_array,
                "InputStreamReader" | "FileReader" => arguments.len() == 1,
                _ => false,
            };
            if reads_bytes {
                let what = "decodes bytes in the default charset".to_owned();
                value.add_taint(Taint::new(Trace::new(SourceKind::Charset, site, what)));
            }
            if form == Form::Time && arguments.iter().all(|it| it.constant.is_some()) && !arguments.is_empty() {
                value.constant = arguments[0].constant;
            }
            if matches!(form, Form::Text | Form::Builder) && arguments.len() == 1 {
                value.constant = arguments[0].constant;
            }
        }
        value
    }
}

/// Whether a map of a class keeps all values that are put for one key, by the simple name of the class.
fn keeps_all(name: &str) -> bool {
    name.contains("Multimap") || name.contains("Valued") || name == "HashBasedTable"
}
