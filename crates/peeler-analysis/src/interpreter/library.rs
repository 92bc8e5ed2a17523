//! Calls of libraries: sources, containers, texts and serialisers, by the facts of `catalogue/values.toml`.

use std::sync::Arc;

use super::expression::local_name;
use super::facts::{CallText, ClassRef, Effect, FactoryKind, FunctionFact, IterationOrder};
use super::run::Run;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;
use crate::symbols::ids::TypeId;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind, New};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The value of a call of a method that the repository does not declare.
    pub(super) fn library_call(
        &mut self,
        call: &'i Call<'r>,
        expression: &'i Expression<'r>,
        target: Target<'r>,
    ) -> Value<'i, 'r> {
        // A call of a chain is where its name is written, which may be lines below the start of the chain.
        let is_chain = matches!(call.receiver.as_ref().map(|it| &it.kind), Some(ExpressionKind::Call(_)));
        let site = if is_chain {
            self.range(call.name_at, expression.end)
        } else {
            self.site(expression)
        };
        let named = call.receiver.as_ref().and_then(|it| self.named_type(it));
        let receiver = match &call.receiver {
            Some(receiver) if named.is_none() => Some(self.value(receiver)),
            _ => None,
        };
        if let Some(function) = receiver.as_ref().and_then(|it| it.function.clone()) {
            let arguments = self.values(&call.arguments);
            return self.apply(&function, arguments, site);
        }
        let index = self.shared.index;
        let class = match (ClassRef::of_target(index, target), named) {
            (Some(class), _) => Some(class),
            (None, Some(crate::symbols::names::TypeReference::Type(id))) => Some(ClassRef::declared(index, id)),
            (None, Some(crate::symbols::names::TypeReference::External(name))) => Some(ClassRef::named(name)),
            (None, None) => None,
        };
        let text = CallText {
            name: call.name,
            arguments: call.arguments.len(),
            text: self.arguments_text(call),
        };
        if let Some(class) = class {
            let is_container = receiver.as_ref().is_some_and(|it| it.form.is_container());
            if let Some(value) = self.source(class, text, site).filter(|_| !is_container) {
                self.values(&call.arguments);
                return value;
            }
            if receiver.is_none()
                && let Some(value) = self.factory_call(class, text, &call.arguments, site)
            {
                return value;
            }
        }
        let Some(mut receiver) = receiver else {
            return self.static_call(call, class, text, site);
        };
        if let Some(value) = self.unowned_source(call, &receiver, text, site) {
            return value;
        }
        let function = class.and_then(|it| self.shared.facts.function(it, text));
        if let Some(function) = function.filter(|it| it.effect != Effect::Pass) {
            return self.function_call(function, call.name, Some(&receiver), &call.arguments, site);
        }
        if receiver.form == Form::Unknown
            && let Some(class) = class
        {
            receiver.form = self.shared.facts.form(class);
        }
        if let Some(effect) = self.shared.facts.method(receiver.form, call.name) {
            return self.method_call(effect, receiver, call, site);
        }
        self.other_call(receiver, call, target, site)
    }

    fn arguments_text(&self, call: &Call<'r>) -> &'r str {
        let (Some(first), Some(last)) = (call.arguments.first(), call.arguments.last()) else {
            return "";
        };
        let text = self.shared.index.source(self.frame.file).text();
        text.get(first.start as usize..last.end as usize).unwrap_or_default()
    }

    /// The value of a call that is a source.
    fn source(&self, class: ClassRef<'_>, call: CallText<'_>, site: Site) -> Option<Value<'i, 'r>> {
        let fact = self.shared.facts.source(class, call)?;
        let trace = Trace::new(fact.kind, site, fact.what.clone());
        let mut value = Value::of(fact.form);
        match fact.kind {
            SourceKind::HashOrder | SourceKind::ReflectionOrder | SourceKind::ListingOrder => {
                value.disorder = Some(Disorder::new(fact.exposure(), trace));
                value.settings.is_array = fact.form == Form::List;
            }
            SourceKind::QueryOrder => value.disorder = Some(Disorder::new(Exposure::Container, trace)),
            _ => value.taints.push(Taint {
                trace,
                is_shifted: false,
            }),
        }
        Some(value)
    }

    /// The value of a source whose class is often not known: a query, the number of processors.
    fn unowned_source(
        &mut self,
        call: &'i Call<'r>,
        receiver: &Value<'i, 'r>,
        text: CallText<'_>,
        site: Site,
    ) -> Option<Value<'i, 'r>> {
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
                return Some(self.text_of(joined, site));
            }
            "getBytes" if call.arguments.is_empty() && receiver.form == Form::Text => {
                let mut bytes = receiver.derived(Form::List, site);
                let what = "encodes text in the default charset".to_owned();
                bytes.add_taint(Taint::new(Trace::new(SourceKind::Charset, site, what)));
                return Some(bytes);
            }
            _ => return None,
        };
        self.values_without_functions(&call.arguments);
        let trace = Trace::new(kind, site, what.to_owned());
        let mut value = Value::of(form);
        match kind {
            SourceKind::QueryOrder => value.disorder = Some(Disorder::new(Exposure::Container, trace)),
            _ => value.taints.push(Taint::new(trace)),
        }
        Some(value)
    }

    /// A container without elements.
    fn container(&self, form: Form, order: IterationOrder, name: &str, site: Site) -> Value<'i, 'r> {
        let mut value = Value {
            count: Some(0),
            ..Value::of(form)
        };
        value.settings.is_sorted = order == IterationOrder::Sorted;
        if order == IterationOrder::Unordered {
            let what = format!("fills a {name}, which has no defined order");
            value.disorder = Some(Disorder::new(
                Exposure::Container,
                Trace::new(SourceKind::HashOrder, site, what),
            ));
        }
        value
    }

    fn factory_call(
        &mut self,
        class: ClassRef<'_>,
        call: CallText<'_>,
        arguments: &'i [Expression<'r>],
        site: Site,
    ) -> Option<Value<'i, 'r>> {
        let fact = self.shared.facts.factory(class, call)?;
        let values = self.values(arguments);
        let container = self.container(fact.form, fact.order, &fact.container, site);
        Some(match fact.from {
            FactoryKind::Elements => {
                let mut value = container;
                values.iter().for_each(|it| value.add_element(it));
                let elements = if fact.form == Form::Map && class.simple == "Map" && call.name == "of" {
                    values.len() / 2
                } else {
                    values.len()
                };
                value.count = u8::try_from(elements).ok();
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

    /// The value of a construction of a library class.
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
        let form = facts.form(class);
        let mut value = Value::of(form);
        if class.simple.ends_with("Exception") || class.simple.ends_with("Error") {
            let mut message = Value::of(Form::Text);
            arguments.iter().for_each(|it| message.absorb(it));
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

    fn static_call(
        &mut self,
        call: &'i Call<'r>,
        class: Option<ClassRef<'_>>,
        text: CallText<'_>,
        site: Site,
    ) -> Value<'i, 'r> {
        if let Some(function) = class.and_then(|it| self.shared.facts.function(it, text)) {
            return self.function_call(function, call.name, None, &call.arguments, site);
        }
        if matches!(
            call.name,
            "assertThrows" | "catchThrowable" | "expectThrows" | "assertThrowsExactly" | "catchThrowableOfType"
        ) {
            self.thrown = None;
            self.run_lambdas(&call.arguments);
            return self.thrown.take().unwrap_or_default();
        }
        self.run_lambdas(&call.arguments);
        let arguments = self.values_without_functions(&call.arguments);
        let mut value = self.of_target(call);
        value.settings.is_opaque = true;
        // Static methods of containers, serialisers and formatters mostly make one.
        if let Some(fact) = class.and_then(|it| self.shared.facts.container(it)) {
            value = self.container(fact.form, fact.order, text.name, site);
            value.count = None;
        }
        if let Some(form) = class.map(|it| self.shared.facts.form(it))
            && matches!(form, Form::Serialiser | Form::Tool)
        {
            value.form = form;
        }
        for argument in &arguments {
            let is_text = argument
                .disorder
                .as_ref()
                .is_some_and(|it| it.exposure != Exposure::Container);
            if is_text && argument.form.is_scalar() {
                value.absorb(&argument.derived(value.form, site));
            }
        }
        value
    }

    /// A value of which only the declared type of a library method is known.
    fn of_target(&self, call: &Call<'r>) -> Value<'i, 'r> {
        match self.target(call.id) {
            Target::Library(method) => self.of_type(&self.shared.index.signature(method).returns),
            _ => Value::default(),
        }
    }

    /// The text of a format, with what its directives depend on.
    fn formatted(&self, format: &Value<'i, 'r>, arguments: usize, site: Site) -> Value<'i, 'r> {
        let mut text = Value::of(Form::Text);
        let Some(pattern) = format.constant.filter(|it| it.contains('%') && arguments > 1) else {
            return text;
        };
        let mut depend = |kind, what: &str| {
            text.add_taint(Taint::new(Trace::new(kind, site, what.to_owned())));
        };
        if pattern.contains("%n") {
            depend(
                SourceKind::LineSeparator,
                "formats with the line separator of the platform",
            );
        }
        let has_fraction = pattern.contains("%.") && pattern.contains('f') || pattern.contains("%,");
        if has_fraction {
            depend(SourceKind::ZoneLocale, "formats numbers in the default locale");
        }
        text
    }

    /// Turns the difference of two readings of the clock into a duration.
    pub(super) fn measure_difference(&self, name: &str, value: &mut Value<'i, 'r>, of: &[Value<'i, 'r>]) {
        let is_reading = |it: &&Value<'_, '_>| it.taints.iter().any(|it| it.kind() == SourceKind::Clock);
        if matches!(name, "between" | "until" | "minus")
            && of.iter().filter(is_reading).count() > 1
            && let Some(first) = value.taints.first()
        {
            let trace = first.trace.with_kind(SourceKind::Elapsed);
            value.taints = smallvec::smallvec![Taint::new(trace)];
        }
    }

    /// The value of a method or function that the facts know by its class.
    fn function_call(
        &mut self,
        function: &FunctionFact,
        function_name: &str,
        receiver: Option<&Value<'i, 'r>>,
        expressions: &'i [Expression<'r>],
        site: Site,
    ) -> Value<'i, 'r> {
        let arguments = self.values_without_functions(expressions);
        let first = arguments.first().cloned().unwrap_or_default();
        match function.effect {
            Effect::Text => {
                let mut text = self.formatted(&first, expressions.len(), site);
                for argument in receiver.into_iter().chain(&arguments) {
                    let mut argument = argument.clone();
                    argument.settings.is_array = false;
                    let part = self.text_of(&argument, site);
                    text.absorb(&part);
                }
                text
            }
            Effect::Sort => {
                if let Some(place) = expressions.first() {
                    self.store(place, first.ordered(site));
                }
                Value::default()
            }
            Effect::SortedCopy => first.ordered(site),
            Effect::Shuffle => {
                if let Some(place) = expressions.first() {
                    let mut shuffled = first;
                    let generator = arguments
                        .get(1)
                        .map(|it| it.taints.first().map(|it| it.trace.then(site)));
                    if let Some(Some(trace)) = generator.clone() {
                        shuffled.disorder = Some(Disorder::new(Exposure::Sequence, trace));
                    }
                    if shuffled.may_have_two() && generator.is_none() {
                        let what = "shuffles a list without a seed".to_owned();
                        shuffled.disorder = Some(Disorder::new(
                            Exposure::Sequence,
                            Trace::new(SourceKind::Random, site, what),
                        ));
                    }
                    self.store(place, shuffled);
                }
                Value::default()
            }
            Effect::Pick => self.picked(&first, site),
            Effect::Parse => Value::of(Form::Tree),
            Effect::Serialise | Effect::SerialiseMaps => self.serialised(function, receiver, &first, site),
            Effect::Drop => Value::default(),
            _ => {
                let mut value = Value::of(first.form);
                for argument in receiver.into_iter().chain(&arguments) {
                    let mut part = argument.derived(argument.form, site);
                    if argument.form == Form::Tool {
                        part.taints.iter_mut().for_each(|it| it.trace = it.trace.drawn(site));
                    }
                    value.absorb(&part);
                    if value.form == Form::Unknown {
                        value.form = argument.form;
                    }
                }
                if value.form == Form::Tool {
                    value.form = Form::Time;
                }
                value.inner = first.inner.clone();
                self.measure_difference(function_name, &mut value, &arguments);
                value.constant = first.constant.filter(|_| arguments.len() == 1 && receiver.is_none());
                value
            }
        }
    }

    /// The text that a serialiser makes of a value.
    fn serialised(
        &mut self,
        function: &FunctionFact,
        serialiser: Option<&Value<'i, 'r>>,
        value: &Value<'i, 'r>,
        site: Site,
    ) -> Value<'i, 'r> {
        let settings = serialiser.map(|it| it.settings).unwrap_or_default();
        let mut text = Value::of(Form::Text);
        text.absorb(&Value {
            taints: value.taints.clone(),
            ..Value::default()
        });
        let is_map_order = |it: &Disorder| {
            !(settings.sorts_maps
                && it.trace.origin().kind == SourceKind::HashOrder
                && it.exposure == Exposure::Container)
        };
        let inside = self.disorder_inside(value, 0).filter(|_| value.may_have_two());
        if let Some(disorder) = inside.filter(is_map_order) {
            let trace = disorder.trace.with_kind(SourceKind::SerialiserOrder);
            text.disorder = Some(Disorder {
                exposure: Exposure::Text,
                trace: trace.then(site),
                is_sure: disorder.is_sure || value.count.is_some(),
            });
            return text;
        }
        let element = value.inner.as_ref().and_then(|it| it.class);
        if function.effect == Effect::Serialise
            && !settings.sorts_properties
            && let Some(class) = value.class.or(element)
            && self.has_open_order(class, &function.ordered_by)
        {
            let name = self.shared.index.outline(class).name;
            let what = format!(
                "serialises {name} with {}, its properties in the order of reflection",
                function.library
            );
            text.disorder = Some(Disorder::new(
                Exposure::Text,
                Trace::new(SourceKind::SerialiserOrder, site, what),
            ));
        }
        text
    }

    /// An undefined order in a value, its elements or its fields.
    fn disorder_inside(&self, value: &Value<'i, 'r>, depth: usize) -> Option<Disorder> {
        if let Some(disorder) = value.disorder.as_ref().filter(|_| value.may_have_two()) {
            return Some(disorder.clone());
        }
        if depth == 3 {
            return None;
        }
        if let Some(inner) = &value.inner {
            return self.disorder_inside(inner, depth + 1);
        }
        let object = value.object.as_ref()?;
        let mut names: Vec<&&str> = object.fields.keys().collect();
        names.sort_unstable();
        names
            .into_iter()
            .find_map(|name| self.disorder_inside(&object.fields[*name], depth + 1))
    }

    /// Whether a class of the repository has two or more properties in the order of reflection.
    fn has_open_order(&self, class: TypeId, ordered_by: &[String]) -> bool {
        let index = self.shared.index;
        if index.is_library(class) || index.outline(class).kind == crate::syntax::outline::TypeKind::Enum {
            return false;
        }
        let mut fields = 0;
        for ancestor in index.ancestors(class).iter().filter(|it| !index.is_library(it.id)) {
            let declared = index.declaration(ancestor.id);
            if declared
                .annotations
                .iter()
                .any(|it| ordered_by.iter().any(|known| known == it.name))
            {
                return false;
            }
            fields += declared.fields.iter().filter(|it| !it.is_static).count();
        }
        fields > 1
    }

    /// The text of a value, as concatenation and printing make it.
    pub(super) fn text_of(&mut self, value: &Value<'i, 'r>, site: Site) -> Value<'i, 'r> {
        if value.form == Form::Text {
            return value.clone();
        }
        let mut text = value.derived(Form::Text, site);
        text.disorder = None;
        if value.settings.is_array && value.form == Form::List {
            let what = "prints an array, whose text contains an identity hash".to_owned();
            text.add_taint(Taint::new(Trace::new(SourceKind::Identity, site, what)));
            return text;
        }
        if let Some(disorder) = &value.disorder {
            text.disorder = if disorder.exposure == Exposure::Element || value.form.is_scalar() {
                value.disorder.clone()
            } else {
                value.exposed(Exposure::Text, site)
            };
            if value.form == Form::Tree
                && let Some(disorder) = &mut text.disorder
            {
                disorder.trace = disorder.trace.with_kind(SourceKind::SerialiserOrder);
            }
            return text;
        }
        if let Some(inner) = value.inner.as_deref().filter(|it| it.disorder.is_some()) {
            text.disorder = inner.exposed(Exposure::Text, site);
            return text;
        }
        if let Some(class) = value.class
            && let Some(printed) = self.printed(class, value, site)
        {
            return printed;
        }
        text
    }

    /// The text that the `toString` of a class of the repository makes.
    fn printed(&mut self, class: TypeId, value: &Value<'i, 'r>, site: Site) -> Option<Value<'i, 'r>> {
        let index = self.shared.index;
        let mut classes = index.ancestors(class).iter().filter(|it| !index.is_library(it.id));
        let method = classes.find_map(|it| {
            let mut declared = index.methods_named(it.id, "toString");
            declared.find(|it| index.method(*it).parameters.is_empty() && index.method(*it).code.is_some())
        });
        if let Some(method) = method {
            return Some(self.call_method(method, value.clone(), Vec::new(), site));
        }
        let mut text = value.derived(Form::Text, site);
        if self.prints_identity(class) && value.object.is_some() {
            let what = format!(
                "prints {}, whose text contains an identity hash",
                index.outline(class).name
            );
            text.add_taint(Taint::new(Trace::new(SourceKind::Identity, site, what)));
        }
        Some(text)
    }

    /// Whether instances of a class have the text and hash of `Object`.
    pub(super) fn prints_identity(&self, class: TypeId) -> bool {
        let index = self.shared.index;
        let is_plain = |it: &crate::symbols::types::Ancestor<'r>| {
            let is_class = index.outline(it.id).kind == crate::syntax::outline::TypeKind::Class;
            let has_annotation = !index.is_library(it.id) && !index.declaration(it.id).annotations.is_empty();
            let is_open = index
                .supertypes(it.id)
                .iter()
                .any(|it| matches!(it, crate::symbols::types::Type::External(_)));
            index.outline(it.id).name == "Object" || is_class && !index.is_library(it.id) && !has_annotation && !is_open
        };
        index.ancestors(class).iter().all(is_plain)
    }

    /// One element of a container, picked by its position.
    pub(super) fn picked(&self, container: &Value<'i, 'r>, site: Site) -> Value<'i, 'r> {
        let mut element = container.element();
        // In a loop over the same container, each element is visited.
        let is_visited = self.frame.loops.iter().any(|it| {
            let both = it.trace.as_ref().zip(container.iteration());
            both.is_some_and(|(a, b)| a.has_origin_of(b))
        });
        if element.disorder.is_none() && !is_visited {
            element.disorder = container.exposed(Exposure::Element, site);
        }
        element
    }

    /// Runs lambdas that run in other threads. In a loop, they end in no defined order.
    pub(super) fn run_tasks(&mut self, arguments: &'i [Expression<'r>], site: Site) {
        if self.frame.loops.is_empty() {
            return self.run_lambdas(arguments);
        }
        let what = "runs tasks that end in no defined order".to_owned();
        let trace = Trace::new(SourceKind::ParallelOrder, site, what);
        self.turns(Some(trace), true, |run| run.run_lambdas(arguments));
    }

    /// Runs lambdas that an unknown method gets, so that assertions in them are seen.
    pub(super) fn run_lambdas(&mut self, arguments: &'i [Expression<'r>]) {
        for argument in arguments {
            if let ExpressionKind::Lambda(lambda) = &argument.kind {
                self.inline_lambda(lambda, &[]);
            }
        }
    }

    /// The values of arguments; lambdas are left out.
    pub(super) fn values_without_functions(&mut self, arguments: &'i [Expression<'r>]) -> Vec<Value<'i, 'r>> {
        let value = |it: &'i Expression<'r>| match &it.kind {
            ExpressionKind::Lambda(_) | ExpressionKind::MethodReference { .. } => Value::default(),
            _ => self.value(it),
        };
        arguments.iter().map(value).collect()
    }

    /// Runs a lambda where it is written; returns its value.
    pub(super) fn inline_lambda(
        &mut self,
        lambda: &'i crate::syntax::body::Lambda<'r>,
        given: &[Value<'i, 'r>],
    ) -> Value<'i, 'r> {
        let outer = self.frame.returned.take();
        let scope = self.locals.len();
        for (at, parameter) in lambda.parameters.iter().enumerate() {
            let mut value = given.get(at).cloned().unwrap_or_default();
            self.give_type(&mut value, parameter);
            self.locals.push((parameter.name, value));
        }
        // A returned value of a lambda is not picked by a loop around the lambda.
        let loops = self.frame.loops.len();
        self.block_of_lambda(&lambda.body);
        self.frame.loops.truncate(loops);
        self.locals.truncate(scope);
        std::mem::replace(&mut self.frame.returned, outer).unwrap_or_default()
    }

    fn block_of_lambda(&mut self, block: &'i crate::syntax::body::Block<'r>) {
        if let [crate::syntax::body::Statement::Return(Some(value))] = block.as_slice() {
            if !self.assertion(value) {
                self.frame.returned = Some(self.value(value));
            }
            return;
        }
        self.block(block);
    }
}

/// A container with the elements of another one.
pub(super) fn filled_from<'i, 'r>(
    mut container: Value<'i, 'r>,
    from: &Value<'i, 'r>,
    order: IterationOrder,
    site: Site,
) -> Value<'i, 'r> {
    container.count = if from.form.is_container() { from.count } else { None };
    container.inner.clone_from(&from.inner);
    container.settled.clone_from(&from.settled);
    match order {
        IterationOrder::Unordered => {}
        IterationOrder::Sorted => {
            container.settings.is_sorted = true;
            let settled = from.clone().ordered(site);
            container.settled = settled.settled;
        }
        IterationOrder::Kept => {
            container.disorder = match &from.disorder {
                Some(it) if it.exposure == Exposure::Element => None,
                Some(_) => from.exposed(Exposure::Sequence, site),
                None => None,
            };
            // A map or set is still compared without order.
            if matches!(container.form, Form::Map | Form::Set)
                && let Some(disorder) = &mut container.disorder
            {
                disorder.exposure = Exposure::Container;
            }
        }
    }
    if container.inner.is_some() {
        container.inner = container.inner.map(|it| Arc::new((*it).clone()));
    }
    container
}
