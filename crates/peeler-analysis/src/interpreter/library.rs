//! The abstract run of library calls: sources, containers, texts and serialisers, as `catalogue/values.toml` describes
//! them.

use std::sync::Arc;

use super::computed_call::Callee;
use super::facts::{CallText, ClassRef, Effect, FunctionFact, IterationOrder};
use super::run::Run;
use super::scalars::is_shown_only;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Taint, Value};
use crate::flows::flow::Site;
use crate::symbols::names::TypeReference;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value of a call of a method that the repository does not declare.
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
        if let Some(value) = self.mocking(call) {
            return value;
        }
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
        // A static method is that of the class that is written: `ImmutableMap.of` is not `Map.of`.
        let class = match named {
            Some(TypeReference::Type(id)) => Some(ClassRef::declared(index, id)),
            Some(TypeReference::External(name)) => Some(ClassRef::named(name)),
            None => ClassRef::of_target(index, target),
        };
        let text = CallText {
            name: call.name,
            arguments: call.arguments.len(),
            text: self.arguments_text(call),
        };
        if let Some(class) = class {
            if call.name == "setDefault" && matches!(class.simple, "Locale" | "TimeZone" | "DateTimeZone") {
                self.is_zone_set = true;
            }
            let is_container = receiver.as_ref().is_some_and(|it| it.form.is_container());
            if let Some(mut value) = self.source(class, text, site).filter(|_| !is_container) {
                self.values(&call.arguments);
                let few = receiver.as_ref().and_then(|it| self.few_members(call, it));
                value.count = value.count.or(few);
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
        if let Some(value) = self.unowned_source(call, &receiver, text, class, site) {
            return value;
        }
        let function = class.and_then(|it| self.shared.facts.function(it, text));
        let function = function.or_else(|| self.shared.facts.serialiser(receiver.form, text));
        if let Some(function) = function.filter(|it| it.effect != Effect::Pass) {
            return self.function_call(function, call.name, Some(&receiver), &call.arguments, site);
        }
        if receiver.form == Form::Unknown
            && let Some(class) = class
        {
            receiver.form = self.form_of(class);
        }
        if let Some(effect) = self.shared.facts.method(receiver.form, call.name) {
            return self.method_call(effect, receiver, call, site);
        }
        self.other_call(receiver, call, target, (class, text), site)
    }

    pub(super) fn arguments_text(&self, call: &Call<'r>) -> &'r str {
        let (Some(first), Some(last)) = (call.arguments.first(), call.arguments.last()) else {
            return "";
        };
        let text = self.shared.index.source(self.frame.file).text();
        text.get(first.start as usize..last.end as usize).unwrap_or_default()
    }

    pub(super) fn static_call(
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
            value.count = value.count.filter(|_| value.settings.is_builder);
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
        self.add_computed(&mut value, (Callee::Static, class, text), &arguments, site);
        if !is_shown_only(call.name) {
            self.give(&arguments, &value);
        }
        value
    }

    /// An abstract value of which only the type is known: the return type of the library method that a call runs.
    pub(super) fn of_target(&self, call: &Call<'r>) -> Value<'i, 'r> {
        match self.target(call.id) {
            Target::Library(method) => self.of_type(&self.shared.index.signature(method).returns),
            _ => Value::default(),
        }
    }

    /// Turns `value` into a duration if method `name` subtracts two clock readings, as `Duration.between(a, b)` does.
    pub(super) fn measure_difference(&self, name: &str, value: &mut Value<'i, 'r>, of: &[Value<'i, 'r>]) {
        let is_reading = |it: &&Value<'_, '_>| it.taints.iter().any(|it| it.kind() == SourceKind::Clock);
        if !matches!(name, "between" | "until" | "minus") || of.iter().filter(is_reading).count() < 2 {
            return;
        }
        if is_one_reading(of) {
            value.taints.retain(|it| it.kind() != SourceKind::Clock);
        } else if let Some(first) = value.taints.first() {
            let trace = first.trace.with_kind(SourceKind::Elapsed);
            value.taints = vec![Taint::new(trace)];
        }
    }

    /// The abstract value of a call of a library method that `function` describes, such as `Collections.sort(list)` or
    /// `gson.toJson(order)`.
    pub(super) fn function_call(
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
                    let mut part = self.text_of(&argument, site);
                    if let Some(disorder) = &mut part.disorder
                        && !matches!(function_name, "toString" | "valueOf" | "format" | "deepToString")
                    {
                        disorder.bracket = None;
                    }
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
            Effect::AddAll => {
                if let Some(place) = expressions.first() {
                    let mut filled = first;
                    filled.count = None;
                    arguments.iter().skip(1).for_each(|it| filled.add_element(it));
                    self.store(place, filled);
                }
                Value::default()
            }
            Effect::Shuffle => {
                if let Some(place) = expressions.first() {
                    let mut shuffled = first;
                    let generator = arguments
                        .get(1)
                        .map(|it| it.taints.first().map(|it| it.trace.then(site)));
                    if let Some(Some(trace)) = generator.clone() {
                        shuffled.disorder = Some(Disorder::boxed(Exposure::Sequence, trace));
                    }
                    if shuffled.may_have_two() && generator.is_none() {
                        let what = "shuffles a list without a seed".to_owned();
                        shuffled.disorder = Some(Disorder::boxed(
                            Exposure::Sequence,
                            Trace::new(SourceKind::Random, site, what),
                        ));
                    }
                    self.store(place, shuffled);
                }
                Value::default()
            }
            Effect::Pick => self.picked(&first, site),
            Effect::Parse => self
                .parsed_as(expressions, &arguments)
                .unwrap_or_else(|| Value::of(Form::Tree)),
            Effect::SerialiseTree => self.parsed_as(expressions, &arguments).unwrap_or_else(|| {
                let text = self.serialised(function, receiver, &first, site);
                let mut tree = Value::of(Form::Tree);
                tree.disorder = text.disorder.map(|mut it| {
                    it.exposure = Exposure::Container;
                    it
                });
                tree
            }),
            Effect::Serialise | Effect::SerialiseMaps => {
                let writer = arguments.iter().position(|it| it.form == Form::Builder);
                let written = arguments.iter().enumerate().find(|(at, _)| Some(*at) != writer);
                let text = match written {
                    Some((_, value)) => self.serialised(function, receiver, &value.clone(), site),
                    None => Value::of(Form::Text),
                };
                if let Some(at) = writer {
                    let mut changed = arguments[at].clone();
                    changed.absorb(&text);
                    changed.settings.is_opaque = false;
                    self.write_through(&changed);
                    self.store(&expressions[at], changed);
                }
                text
            }
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
                value.inner.clone_from(&first.inner);
                self.measure_difference(function_name, &mut value, &arguments);
                // Who rounds a time allows for the time that passes.
                if function_name == "round" {
                    value.taints.retain(|it| it.kind() != SourceKind::Clock);
                }
                value.constant = first.constant.filter(|_| arguments.len() == 1 && receiver.is_none());
                value
            }
        }
    }

    /// What a parser makes of a text, if an argument names a class of the repository: `Cart.class`, or
    /// `new TypeReference<List<Cart>>() {}`.
    fn parsed_as(&self, expressions: &[Expression<'r>], arguments: &[Value<'i, 'r>]) -> Option<Value<'i, 'r>> {
        let literal = || arguments.iter().find_map(|it| it.constant?.strip_suffix(".class"));
        let generic = expressions.iter().find_map(|it| match &it.kind {
            ExpressionKind::New(new) => new.type_text.strip_prefix("TypeReference<")?.strip_suffix('>'),
            _ => None,
        });
        let parsed = self.of_written_type(generic.or_else(literal)?.trim(), 0);
        let is_known = parsed.class.is_some() || parsed.inner.is_some();
        is_known.then_some(parsed)
    }

    /// One element of a container, picked by its position, as an abstract value. Its value depends on the container's
    /// order.
    pub(super) fn picked(&self, container: &Value<'i, 'r>, site: Site) -> Value<'i, 'r> {
        let mut element = container.element();
        // In a loop over the same container, each element is visited.
        let is_visited = self.frame.loops.iter().any(|it| {
            let both = it.trace.as_ref().zip(container.iteration());
            both.is_some_and(|(a, b)| a.has_origin_of(b))
        });
        if element.disorder.is_none() && !is_visited && !container.settings.is_selected {
            element.disorder = container.exposed(Exposure::Element, site);
        }
        element
    }

    /// Abstractly runs lambdas that the program runs in other threads. In a loop, they end in no defined order.
    pub(super) fn run_tasks(&mut self, arguments: &'i [Expression<'r>], site: Site) {
        if self.frame.loops.is_empty() {
            return self.run_lambdas(arguments);
        }
        let what = "runs tasks that end in no defined order".to_owned();
        let trace = Trace::new(SourceKind::ParallelOrder, site, what);
        self.turns(Some(trace), true, |run| run.run_lambdas(arguments));
    }

    /// Abstractly runs the lambdas among the arguments of a method about which nothing is known, so that assertions in
    /// them count.
    pub(super) fn run_lambdas(&mut self, arguments: &'i [Expression<'r>]) {
        for argument in arguments {
            if let ExpressionKind::Lambda(lambda) = &argument.kind {
                self.inline_lambda(lambda, &[]);
            }
        }
    }

    /// The abstract values of the arguments of a call. Lambdas and method references get an unknown value instead.
    pub(super) fn values_without_functions(&mut self, arguments: &'i [Expression<'r>]) -> Vec<Value<'i, 'r>> {
        let value = |it: &'i Expression<'r>| match &it.kind {
            ExpressionKind::Lambda(_) | ExpressionKind::MethodReference { .. } => Value::default(),
            _ => self.value(it),
        };
        arguments.iter().map(value).collect()
    }

    /// Abstractly runs a lambda with the arguments `given`, as a part of the current body. So it reads and changes the
    /// local variables around it. Returns its value.
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
        let is_done = std::mem::take(&mut self.frame.is_done);
        self.block_of_lambda(&lambda.body);
        self.frame.is_done = is_done;
        self.frame.loops.truncate(loops);
        self.locals.truncate(scope);
        std::mem::replace(&mut self.frame.returned, outer).unwrap_or_default()
    }

    pub(super) fn block_of_lambda(&mut self, block: &'i crate::syntax::body::Block<'r>) {
        if let [crate::syntax::body::Statement::Return(Some(value))] = block.as_slice() {
            if !self.assertion(value) {
                self.frame.returned = Some(self.value(value));
            }
            return;
        }
        self.block(block);
    }
}

/// Whether `values` have clock readings and all of these are one and the same reading. Then the reading cancels out
/// when one value is subtracted from another.
pub(super) fn is_one_reading(values: &[Value<'_, '_>]) -> bool {
    let mut readings = values
        .iter()
        .flat_map(|it| it.taints.iter().filter(|it| it.kind() == SourceKind::Clock));
    let Some(first) = readings.next() else {
        return false;
    };
    readings.all(|it| it.trace.has_origin_of(&first.trace))
}

/// Fills `container` with the elements of `from`. Their order stays, gets sorted or becomes undefined, as `order` says.
pub(super) fn filled_from<'i, 'r>(
    mut container: Value<'i, 'r>,
    from: &Value<'i, 'r>,
    order: IterationOrder,
    site: Site,
) -> Value<'i, 'r> {
    container.count = if from.form.is_container() { from.count } else { None };
    container.inner.clone_from(&from.inner);
    container.keyed = from.keyed.clone().filter(|_| container.keyed.is_some());
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
