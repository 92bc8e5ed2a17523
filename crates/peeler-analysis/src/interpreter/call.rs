//! The abstract run of calls: which code runs, with which arguments, and what comes back.

use std::sync::Arc;

use super::likeness::{Fingerprint, is_alike, may_change};
use super::literals::literal_parts;
use super::run::{EXACT_DEPTH, EXACT_STEPS, Frame, MAX_SENT, Run};
use super::shared::{Summary, Unit};
use super::trace::Exposure;
use super::value::{Form, Function, Object, Value};
use crate::flows::flow::Site;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

/// The maximum number of implementations that are run abstractly for a call of an abstract method. Their results are
/// joined into the value of the call.
const MAX_IMPLEMENTATIONS: usize = 5;

/// A call of a method of the repository: the abstract values of its receiver and its arguments.
pub(super) struct Invocation<'i, 'r> {
    pub(super) this: Value<'i, 'r>,
    pub(super) arguments: Vec<Value<'i, 'r>>,
    pub(super) site: Site,
}

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value that a call returns.
    pub(super) fn call(&mut self, call: &'i Call<'r>, expression: &'i Expression<'r>) -> Value<'i, 'r> {
        let mut value = self.called(call, expression);
        if call.name == "build" && call.arguments.is_empty() {
            value.settings.sorts_properties |= is_set(self.text(expression), "SORT_PROPERTIES_ALPHABETICALLY");
        }
        value
    }

    fn called(&mut self, call: &'i Call<'r>, expression: &'i Expression<'r>) -> Value<'i, 'r> {
        let target = self.target(call.id);
        let Target::Declared(method) = target else {
            return self.library_call(call, expression, target);
        };
        let site = self.range(call.name_at, expression.end);
        let declared = self.shared.index.method(method);
        let this = match &call.receiver {
            Some(receiver) if self.named_type(receiver).is_none() => self.value(receiver),
            Some(_) => Value::default(),
            None if declared.is_static => Value::default(),
            None => self.this_value(),
        };
        if call.receiver.is_some() && this.function.is_some() {
            let arguments = self.values(&call.arguments);
            let function = this.function.clone();
            return function.map_or_else(Value::default, |it| self.apply(&it, arguments, site));
        }
        if let Some(value) = self.own_serialiser(method, call, &this, site) {
            return value;
        }
        let arguments = self.values(&call.arguments);
        let is_super = matches!(call.receiver.as_ref().map(|it| &it.kind), Some(ExpressionKind::Super));
        let method = match this.class.filter(|_| !declared.is_static && !is_super) {
            Some(class) if self.shared.index.inherits(class, method.owner) => {
                self.shared.index.override_in(class, method)
            }
            _ => method,
        };
        let invocation = Invocation { this, arguments, site };
        let picked = invocation
            .this
            .disorder
            .clone()
            .filter(|it| it.exposure == Exposure::Element);
        let document = match invocation.arguments.as_slice() {
            [only] => only
                .constant
                .filter(|it| it.starts_with('"') && it.contains(['{', '['])),
            _ => None,
        };
        let drawn: Vec<Value<'i, 'r>> = invocation
            .arguments
            .iter()
            .filter(|it| it.is_drawn())
            .cloned()
            .collect();
        let (mut value, this, changed) = self.invoke(method, invocation);
        self.give(&drawn, &value);
        if let Some(document) = document {
            keep_document(&mut value, document);
        }
        if value.disorder.is_none() && picked.is_some() {
            value.disorder = picked;
        }
        if let Some(this) = this {
            match &call.receiver {
                Some(receiver) => self.store(receiver, this),
                None => self.frame.this = this.object.or(self.frame.this.take()),
            }
        }
        for (argument, changed) in call.arguments.iter().zip(changed) {
            if let Some(changed) = changed {
                self.write_through(&changed);
                self.store(argument, changed);
            }
        }
        value
    }

    /// The abstract values of the arguments of a call.
    pub(super) fn values(&mut self, arguments: &'i [Expression<'r>]) -> Vec<Value<'i, 'r>> {
        arguments.iter().map(|it| self.value(it)).collect()
    }

    /// Abstractly runs a method of the repository. Returns its value, and the receiver and the arguments as the method
    /// changed them. `None` stands for an unchanged one; the list may be empty if no argument was changed.
    pub(super) fn invoke(
        &mut self,
        method: MethodId,
        invocation: Invocation<'i, 'r>,
    ) -> (Value<'i, 'r>, Option<Value<'i, 'r>>, Vec<Option<Value<'i, 'r>>>) {
        let index = self.shared.index;
        let declared = index.method(method);
        if let Some(answer) = self.answer(method, &invocation) {
            return (returned(&answer, invocation.site), None, Vec::new());
        }
        if declared.code.is_none() {
            let implementations = index.implementations(method);
            if !invocation.arguments.iter().all(Value::is_plain) && self.sent.len() < MAX_SENT {
                self.sent.push((method, invocation.arguments.clone()));
            }
            let mut joined: Option<Value<'i, 'r>> = None;
            for implementation in implementations.iter().take(MAX_IMPLEMENTATIONS) {
                let copy = Invocation {
                    this: Value::default(),
                    arguments: invocation.arguments.clone(),
                    site: invocation.site,
                };
                let (value, _, _) = self.invoke(*implementation, copy);
                joined = Some(joined.map_or_else(|| value.clone(), |it| it.join(&value)));
            }
            let value = joined.unwrap_or_else(|| {
                let mut value = self.returned_type(method);
                value.settings.is_opaque = true;
                value
            });
            return (value, None, Vec::new());
        }
        let site = invocation.site;
        let is_default = declared.is_static || self.is_default_object(method.owner, &invocation.this);
        let is_plain = is_default && invocation.arguments.iter().all(Value::is_plain);
        let summary = if is_plain && !self.is_chosen_by(method, &invocation) {
            self.summary(Unit::Method(method))
        } else {
            self.inline(method, invocation)
        };
        let mut value = returned(&summary.value, site);
        if value.form == Form::Unknown && value.class.is_none() {
            let typed = self.returned_type(method);
            value.form = typed.form;
            value.class = typed.class;
        }
        let this = summary.this.clone().map(|it| returned(&Value::of_object(it), site));
        let arguments = summary
            .arguments
            .iter()
            .map(|it| it.as_ref().map(|it| returned(it, site)));
        (value, this, arguments.collect())
    }

    /// The abstract value that a method of the repository returns when it is called on a value.
    pub(super) fn call_method(
        &mut self,
        method: MethodId,
        this: Value<'i, 'r>,
        arguments: Vec<Value<'i, 'r>>,
        site: Site,
    ) -> Value<'i, 'r> {
        self.invoke(method, Invocation { this, arguments, site }).0
    }

    /// Abstractly runs a method that a test runner calls. Returns the test object as it is after the method; `None` if
    /// the method did not change it.
    pub(super) fn run_test_method(
        &mut self,
        method: MethodId,
        this: Value<'i, 'r>,
        arguments: Vec<Value<'i, 'r>>,
    ) -> Option<Value<'i, 'r>> {
        self.stack.push(Unit::Method(method));
        self.depth += 1;
        let summary = self.body_of(method, this.object, arguments);
        self.depth -= 1;
        self.stack.pop();
        summary.this.map(Value::of_object)
    }

    /// Whether the summary of a method of class `owner` also holds for the receiver `object`. Summaries assume an
    /// object as a constructor makes it.
    pub(super) fn is_default_object(&mut self, owner: TypeId, object: &Value<'i, 'r>) -> bool {
        let Some(known) = object.object.clone() else {
            return object.is_plain();
        };
        // A summary is about objects of the class that declares the method.
        if known.class != owner {
            return false;
        }
        let Some(new) = self.instance(owner).object else {
            return false;
        };
        let is_near = self.units == 0 && self.depth <= EXACT_DEPTH && self.steps < EXACT_STEPS;
        // A summary is about objects that other methods may have filled.
        let has_few = |it: &Value<'_, '_>| it.disorder.is_some() && !it.may_have_two();
        if is_near && known.fields.values().any(has_few) {
            return false;
        }
        if Arc::ptr_eq(&new, &known) {
            return true;
        }
        !is_near
            && known
                .fields
                .iter()
                .all(|(name, value)| is_alike(new.fields.get(name), value))
    }

    /// An abstract value of which only the type is known: the return type of a method.
    pub(super) fn returned_type(&self, method: MethodId) -> Value<'i, 'r> {
        self.of_type(&self.shared.index.signature(method).returns)
    }

    /// Abstractly runs a method with the given arguments, instead of using its summary.
    pub(super) fn inline(&mut self, method: MethodId, invocation: Invocation<'i, 'r>) -> Arc<Summary<'i, 'r>> {
        let unit = Unit::Method(method);
        let repeated = self.stack.iter().filter(|it| **it == unit).count();
        if repeated > 1 || !self.enter() {
            return Arc::new(Summary::unknown());
        }
        self.stack.push(unit);
        let this = match invocation.this.object {
            Some(object) => Some(object),
            None if self.shared.index.method(method).is_static => None,
            None => Some(self.object_of(invocation.this.class.unwrap_or(method.owner))),
        };
        let reports = self.reports.len();
        let summary = self.body_of(method, this, invocation.arguments);
        for report in &mut self.reports[reports..] {
            report.trace = report.trace.then(invocation.site);
        }
        self.leave();
        self.stack.pop();
        Arc::new(summary)
    }

    /// Abstractly runs the body of a method or constructor with its own local variables. `this` is the object that it
    /// is called on; `None` for a static method.
    pub(super) fn body_of(
        &mut self,
        method: MethodId,
        this: Option<Arc<Object<'i, 'r>>>,
        arguments: Vec<Value<'i, 'r>>,
    ) -> Summary<'i, 'r> {
        let index = self.shared.index;
        let declared = index.method(method);
        let Some(code) = &declared.code else {
            return Summary::default();
        };
        let file = index.file_of(method.owner);
        self.files.insert(file);
        let before = this.clone();
        let outer_frame = std::mem::replace(
            &mut self.frame,
            Frame {
                file,
                owner: method.owner,
                targets: method_targets(index, method),
                this,
                returned: None,
                is_done: false,
                loops: Vec::new(),
            },
        );
        let outer_locals = std::mem::take(&mut self.locals);
        let is_given = !arguments.is_empty();
        let mut given = arguments.into_iter();
        let mut originals = Vec::with_capacity(declared.parameters.len());
        for (at, parameter) in declared.parameters.iter().enumerate() {
            let mut value = given.next().unwrap_or_default().kept();
            if declared.is_variadic && at + 1 == declared.parameters.len() && value.form != Form::List {
                let mut rest = Value::of(Form::List);
                rest.settings.is_array = true;
                rest.add_element(&value);
                let mut count = 1;
                for it in given.by_ref() {
                    rest.add_element(&it);
                    count += 1;
                }
                rest.count = is_given.then_some(count);
                value = rest;
            }
            if value.form == Form::Unknown && value.class.is_none() {
                let typed = self.of_written_type(parameter.type_text, parameter.dimensions);
                value.form = typed.form;
                value.class = typed.class;
                value.settings.is_array = typed.settings.is_array;
            }
            originals.push(Fingerprint::of(&value));
            self.locals.push((parameter.name, value));
        }
        self.block(&code.get().block);
        let frame = std::mem::replace(&mut self.frame, outer_frame);
        let locals = std::mem::replace(&mut self.locals, outer_locals);
        let changed = |(at, (_, value)): (usize, (&'r str, Value<'i, 'r>))| {
            (Fingerprint::of(&value) != originals[at] && may_change(&value)).then_some(value)
        };
        let arguments: Vec<_> = locals
            .into_iter()
            .take(originals.len())
            .enumerate()
            .map(changed)
            .collect();
        let is_any_changed = arguments.iter().any(Option::is_some);
        let this = match (before, frame.this) {
            (Some(before), Some(after)) if Arc::ptr_eq(&before, &after) => None,
            (_, after) => after,
        };
        Summary {
            value: frame.returned.unwrap_or_default(),
            this,
            arguments: if is_any_changed { arguments } else { Vec::new() },
            ..Summary::default()
        }
    }

    /// Adds the text of a writer that wraps another one, as in `new PrintWriter(out)`, to the wrapped writer.
    pub(super) fn write_through(&mut self, value: &Value<'i, 'r>) {
        if let Some(at) = value.backing.and_then(|it| self.local_at(it)) {
            self.locals[at].1.absorb(value);
        }
    }

    /// The abstract value that a lambda or anonymous class returns for these arguments.
    pub(super) fn apply(
        &mut self,
        function: &Function<'i, 'r>,
        arguments: Vec<Value<'i, 'r>>,
        site: Site,
    ) -> Value<'i, 'r> {
        if !self.step(1 + function.captured.len() / 4) || !self.enter() {
            return Value::default();
        }
        let frame = Frame {
            file: self.shared.index.file_of(function.owner),
            owner: function.owner,
            targets: function.targets,
            this: function.this.clone(),
            returned: None,
            is_done: false,
            loops: Vec::new(),
        };
        let outer = std::mem::replace(&mut self.frame, frame);
        let locals = std::mem::replace(&mut self.locals, function.captured.to_vec());
        let mut given = arguments.into_iter();
        for parameter in function.parameters {
            let mut value = given.next().unwrap_or_default().kept();
            self.give_type(&mut value, parameter);
            self.locals.push((parameter.name, value));
        }
        self.block(function.body);
        self.locals = locals;
        let frame = std::mem::replace(&mut self.frame, outer);
        self.leave();
        returned(&frame.returned.unwrap_or_default(), site)
    }
}

/// Treats an unknown text that a call returned as equal to `document`, the only argument of the call. An example is
/// `quoted("{'a':1}")`, where a helper replaces quotes. Values that are no text, or of which something is known, stay
/// as they are.
fn keep_document<'r>(value: &mut Value<'_, 'r>, document: &'r str) {
    let is_unknown = value.constant.is_none() && value.disorder.is_none() && value.literal_parts == 0;
    if value.form == Form::Text && is_unknown {
        value.constant = Some(document);
        value.literal_parts = literal_parts(document);
    }
}

/// A copy of an abstract value, with the call at `site` that returned it added to the trace of its nondeterminism.
fn returned<'i, 'r>(value: &Value<'i, 'r>, site: Site) -> Value<'i, 'r> {
    let mut value = value.clone();
    if let Some(disorder) = &mut value.disorder {
        disorder.trace = disorder.trace.returned(site);
    }
    for taint in &mut value.taints {
        taint.trace = taint.trace.returned(site);
    }
    if let Some(inner) = value.inner.take() {
        value.inner = Some(if inner.disorder.is_some() || !inner.taints.is_empty() {
            Arc::new(returned(&inner, site))
        } else {
            inner
        });
    }
    value
}

/// Whether a chain of calls switches a setting on: `builder().enable(SETTING).build()`,
/// `builder().configure(SETTING, true).build()`.
fn is_set(chain: &str, setting: &str) -> bool {
    let Some((before, after)) = chain.split_once(setting) else {
        return false;
    };
    let method = before.rsplit_once('(').map_or("", |(it, _)| it);
    let argument = after.trim_start_matches([',', ' ', '\t', '\n', '\r']);
    !method.ends_with("disable") && !argument.starts_with("false")
}
