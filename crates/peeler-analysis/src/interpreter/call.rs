//! Calls: which code runs, with which arguments, and what comes back.

use std::sync::Arc;

use super::run::{EXACT_DEPTH, EXACT_STEPS, Frame, MAX_DEPTH, Run};
use super::shared::{Summary, Unit};
use super::trace::Exposure;
use super::value::{Form, Function, Object, Value};
use crate::flows::flow::Site;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::resolve::{code_targets, method_targets};
use crate::symbols::targets::Target;
use crate::syntax::body::{CONSTRUCTOR, Call, CallId, Expression, ExpressionKind, New, Statement};
use crate::syntax::declarations::LazyBody;

/// The maximum number of implementations of an abstract method that are joined.
const MAX_IMPLEMENTATIONS: usize = 5;

/// The maximum number of calls of abstract methods that are remembered.
const MAX_SENT: usize = 16;

/// A call of repository code: the receiver and the arguments.
pub(super) struct Invocation<'i, 'r> {
    pub(super) this: Value<'i, 'r>,
    pub(super) arguments: Vec<Value<'i, 'r>>,
    pub(super) site: Site,
}

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The value of a call.
    pub(super) fn call(&mut self, call: &'i Call<'r>, expression: &'i Expression<'r>) -> Value<'i, 'r> {
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
        let (mut value, this, changed) = self.invoke(method, invocation);
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

    /// The values of arguments.
    pub(super) fn values(&mut self, arguments: &'i [Expression<'r>]) -> Vec<Value<'i, 'r>> {
        arguments.iter().map(|it| self.value(it)).collect()
    }

    /// Runs a method of the repository. Returns its value, the changed receiver and the changed arguments.
    fn invoke(
        &mut self,
        method: MethodId,
        invocation: Invocation<'i, 'r>,
    ) -> (Value<'i, 'r>, Option<Value<'i, 'r>>, Vec<Option<Value<'i, 'r>>>) {
        let index = self.shared.index;
        let declared = index.method(method);
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
        let summary = if is_default && invocation.arguments.iter().all(Value::is_plain) {
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
        let this = summary.this.as_ref().map(|it| returned(it, site));
        let arguments = summary
            .arguments
            .iter()
            .map(|it| it.as_ref().map(|it| returned(it, site)));
        (value, this, arguments.collect())
    }

    /// The value of a method of the repository that is called on a value.
    pub(super) fn call_method(
        &mut self,
        method: MethodId,
        this: Value<'i, 'r>,
        arguments: Vec<Value<'i, 'r>>,
        site: Site,
    ) -> Value<'i, 'r> {
        self.invoke(method, Invocation { this, arguments, site }).0
    }

    /// Runs a method that a test runner calls. Returns the test object after it.
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
        summary.this
    }

    /// Whether the summary of a method holds for a receiver: nothing that matters distinguishes it from a new object.
    fn is_default_object(&mut self, owner: TypeId, object: &Value<'i, 'r>) -> bool {
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
        if Arc::ptr_eq(&new, &known) {
            return true;
        }
        let is_near = self.depth <= EXACT_DEPTH && self.steps < EXACT_STEPS;
        !is_near
            && known
                .fields
                .iter()
                .all(|(name, value)| is_alike(new.fields.get(name), value))
    }

    /// A value of which only the return type of a method is known.
    fn returned_type(&self, method: MethodId) -> Value<'i, 'r> {
        self.of_type(&self.shared.index.signature(method).returns)
    }

    /// Runs a method with known arguments inside the current run.
    fn inline(&mut self, method: MethodId, invocation: Invocation<'i, 'r>) -> Arc<Summary<'i, 'r>> {
        let unit = Unit::Method(method);
        let repeated = self.stack.iter().filter(|it| **it == unit).count();
        if self.depth >= MAX_DEPTH || repeated > 1 {
            self.is_cut |= self.depth >= MAX_DEPTH;
            return Arc::default();
        }
        self.stack.push(unit);
        self.depth += 1;
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
        self.depth -= 1;
        self.height = self.height.max(1);
        self.stack.pop();
        Arc::new(summary)
    }

    /// Runs the body of a method or constructor in a frame of its own.
    fn body_of(
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
                loops: Vec::new(),
            },
        );
        let outer_locals = std::mem::take(&mut self.locals);
        let is_given = !arguments.is_empty();
        let mut given = arguments.into_iter();
        let mut originals = Vec::with_capacity(declared.parameters.len());
        for (at, parameter) in declared.parameters.iter().enumerate() {
            let mut value = given.next().unwrap_or_default();
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
        let arguments = locals
            .into_iter()
            .take(originals.len())
            .enumerate()
            .map(changed)
            .collect();
        let this = match (before, frame.this) {
            (Some(before), Some(after)) if Arc::ptr_eq(&before, &after) => None,
            (_, Some(after)) => Some(Value {
                class: Some(after.class),
                object: Some(after),
                ..Value::default()
            }),
            _ => None,
        };
        Summary {
            value: frame.returned.unwrap_or_default(),
            this,
            arguments,
            ..Summary::default()
        }
    }

    /// The summary of a unit: computed once for all runs, unless it is part of a cycle or near a limit.
    pub(super) fn summary(&mut self, unit: Unit<'r>) -> Arc<Summary<'i, 'r>> {
        let known = self
            .shared
            .summary(unit)
            .or_else(|| self.provisional.get(&unit).cloned());
        if let Some(known) = known {
            if self.depth + known.height >= MAX_DEPTH {
                self.is_cut = true;
                return Arc::default();
            }
            self.height = self.height.max(known.height + 1);
            self.files.extend(known.files.iter().copied());
            self.replay(&known);
            return known;
        }
        if let Some(at) = self.stack.iter().position(|it| *it == unit) {
            self.cycle = self.cycle.min(at);
            return Arc::default();
        }
        if self.depth >= MAX_DEPTH {
            self.is_cut = true;
            return Arc::default();
        }
        self.compute(unit)
    }

    fn compute(&mut self, unit: Unit<'r>) -> Arc<Summary<'i, 'r>> {
        let position = self.stack.len();
        self.stack.push(unit);
        self.depth += 1;
        let outer = Outer {
            steps: std::mem::take(&mut self.steps),
            reports: std::mem::take(&mut self.reports),
            thrown: self.thrown.take(),
            sent: std::mem::take(&mut self.sent),
            files: std::mem::take(&mut self.files),
            statics: std::mem::take(&mut self.statics),
            cycle: std::mem::replace(&mut self.cycle, usize::MAX),
            is_cut: std::mem::take(&mut self.is_cut),
            height: std::mem::take(&mut self.height),
        };
        let mut summary = self.run_unit(unit);
        summary.reports = std::mem::take(&mut self.reports);
        summary.thrown = self.thrown.take();
        summary.sent = std::mem::take(&mut self.sent);
        let mut files: Vec<_> = self.files.iter().copied().collect();
        files.sort_unstable();
        summary.files = files.into();
        summary.height = self.height + 1;
        let summary = Arc::new(summary);
        self.depth -= 1;
        self.stack.pop();
        let is_shared = self.cycle >= position && self.depth + summary.height < MAX_DEPTH;
        let own_steps = self.steps;
        let is_cut = self.is_cut;
        let cycle = self.cycle;
        self.steps = outer.steps;
        self.reports = outer.reports;
        self.thrown = outer.thrown;
        self.sent = outer.sent;
        let inner = std::mem::replace(&mut self.files, outer.files);
        self.files.extend(inner);
        self.statics = outer.statics;
        self.height = outer.height.max(summary.height);
        self.is_cut = outer.is_cut;
        self.cycle = outer.cycle;
        if is_shared {
            self.shared.store(unit, summary.clone());
        } else {
            // The result depends on where the cycle was entered: it counts as a part of the current unit.
            self.steps = self.steps.saturating_add(own_steps);
            self.is_cut |= is_cut;
            if cycle < position {
                self.cycle = self.cycle.min(cycle);
            }
            self.provisional.insert(unit, summary.clone());
        }
        self.replay(&summary);
        summary
    }

    /// Takes over what a summary reports, throws and sends.
    fn replay(&mut self, summary: &Summary<'i, 'r>) {
        summary.reports.iter().for_each(|it| self.report(it.clone()));
        if let Some(thrown) = &summary.thrown {
            self.thrown = Some(thrown.clone());
        }
        let room = MAX_SENT.saturating_sub(self.sent.len());
        self.sent.extend(summary.sent.iter().take(room).cloned());
    }

    /// Adds the text of a writer to the writer that it writes to.
    pub(super) fn write_through(&mut self, value: &Value<'i, 'r>) {
        if let Some(at) = value.backing.and_then(|it| self.local_at(it)) {
            self.locals[at].1.absorb(value);
        }
    }

    fn run_unit(&mut self, unit: Unit<'r>) -> Summary<'i, 'r> {
        match unit {
            Unit::Method(method) => {
                let declared = self.shared.index.method(method);
                let this = (!declared.is_static).then(|| self.used_object(method.owner));
                self.body_of(method, this, Vec::new())
            }
            Unit::Constructor(method) => {
                let value = self.made(method.owner, Some(method), Vec::new());
                Summary {
                    value,
                    ..Summary::default()
                }
            }
            Unit::Implicit(class) => Summary {
                value: self.made(class, None, Vec::new()),
                ..Summary::default()
            },
            Unit::Static(owner, name) => Summary {
                value: self.first_static(owner, name),
                ..Summary::default()
            },
        }
    }

    /// The value of a construction.
    pub(super) fn construct(&mut self, new: &'i New<'r>, expression: &'i Expression<'r>) -> Value<'i, 'r> {
        if let Some(outer) = &new.outer {
            self.value(outer);
        }
        let site = self.site(expression);
        let target = self.target(new.id);
        if new.type_text == "Thread" {
            self.run_tasks(&new.arguments, site);
        }
        let arguments = self.values(&new.arguments);
        let are_plain = arguments.iter().all(Value::is_plain);
        let mut value = match target {
            Target::Declared(method) if are_plain => self.summary(Unit::Constructor(method)).value.clone(),
            Target::Declared(method) if self.depth < MAX_DEPTH => {
                let unit = Unit::Constructor(method);
                if self.stack.contains(&unit) {
                    return Value::default();
                }
                self.stack.push(unit);
                self.depth += 1;
                let value = self.made(method.owner, Some(method), arguments);
                self.depth -= 1;
                self.stack.pop();
                value
            }
            Target::Owner(class) => self.summary(Unit::Implicit(class)).value.clone(),
            _ => self.construct_library(new, target, &arguments, site),
        };
        if let Some(body) = &new.body {
            value.function = self.anonymous(body);
            // `new HashMap<>() {{ put(..); }}` has the elements that its initialiser adds.
            value.count = None;
            for method in &body.methods {
                if method.name.is_empty() {
                    let scope = self.locals.len();
                    self.block(&method.body);
                    self.locals.truncate(scope);
                }
            }
        }
        value
    }

    /// Runs the constructor call at the start of a constructor.
    pub(super) fn delegate(&mut self, id: CallId, arguments: &'i [Expression<'r>]) {
        let arguments = self.values(arguments);
        if let Target::Declared(method) = self.target(id)
            && let Some(this) = self.frame.this.clone()
            && self.depth < MAX_DEPTH
        {
            self.depth += 1;
            let summary = self.body_of(method, Some(this), arguments);
            self.depth -= 1;
            if let Some(object) = summary.this.and_then(|it| it.object) {
                self.frame.this = Some(object);
            }
        }
    }

    /// A new object: the values of its fields, then its constructor.
    fn made(&mut self, class: TypeId, constructor: Option<MethodId>, arguments: Vec<Value<'i, 'r>>) -> Value<'i, 'r> {
        let index = self.shared.index;
        let mut object = Arc::new(Object {
            class,
            fields: rustc_hash::FxHashMap::default(),
        });
        let chain: Vec<TypeId> = index.ancestors(class).iter().map(|it| it.id).collect();
        for id in chain.into_iter().rev().filter(|it| !index.is_library(*it)) {
            object = self.initialised(id, object);
        }
        if let Some(constructor) = constructor {
            let summary = self.body_of(constructor, Some(object.clone()), arguments);
            if let Some(changed) = summary.this.and_then(|it| it.object) {
                object = changed;
            }
        }
        let form = self
            .of_type(&crate::symbols::types::Type::Declared(class, Arc::default()))
            .form;
        Value {
            class: Some(class),
            object: Some(object),
            form,
            ..Value::default()
        }
    }

    /// Runs the field values and initialiser blocks of one class on an object.
    pub(super) fn initialised(&mut self, id: TypeId, object: Arc<Object<'i, 'r>>) -> Arc<Object<'i, 'r>> {
        let declared = self.shared.index.declaration(id);
        let mut object = object;
        for field in declared.fields.iter().filter(|it| !it.is_static) {
            // Most fields have no value, which a search of their source shows.
            if !field.code.source().contains('=') {
                continue;
            }
            let (value, this) = self.in_code(id, &field.code, Some(object), |run| {
                run.field_value(&field.code, field.name)
            });
            object = this.unwrap_or_else(|| {
                Arc::new(Object {
                    class: id,
                    fields: rustc_hash::FxHashMap::default(),
                })
            });
            if let Some(mut value) = value {
                if value.form == Form::Unknown && value.class.is_none() {
                    let typed = self.of_written_type(field.type_text, field.dimensions);
                    value.form = typed.form;
                    value.class = typed.class;
                }
                Arc::make_mut(&mut object).fields.insert(field.name, value);
            }
        }
        for block in declared.initialisers.iter().filter(|it| !it.is_static) {
            let ((), this) = self.in_code(id, &block.code, Some(object.clone()), |run| {
                run.block(&block.code.get().block)
            });
            object = this.unwrap_or(object);
        }
        object
    }

    /// The declared value of a field.
    fn field_value(&mut self, code: &'i LazyBody<'r>, name: &str) -> Option<Value<'i, 'r>> {
        let value = code.get().block.iter().find_map(|statement| match statement {
            Statement::Local(local) if local.name == name => local.value.as_ref(),
            _ => None,
        })?;
        Some(self.value(value))
    }

    /// Runs code of a type in a frame of its own. Returns its result and the object after it.
    pub(super) fn in_code<T>(
        &mut self,
        owner: TypeId,
        code: &'i LazyBody<'r>,
        this: Option<Arc<Object<'i, 'r>>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> (T, Option<Arc<Object<'i, 'r>>>) {
        let index = self.shared.index;
        let file = index.file_of(owner);
        self.files.insert(file);
        let outer = std::mem::replace(
            &mut self.frame,
            Frame {
                file,
                owner,
                targets: code_targets(index, owner, code),
                this,
                returned: None,
                loops: Vec::new(),
            },
        );
        let locals = std::mem::take(&mut self.locals);
        let result = run(self);
        self.locals = locals;
        let frame = std::mem::replace(&mut self.frame, outer);
        (result, frame.this)
    }

    fn first_static(&mut self, owner: TypeId, name: &'r str) -> Value<'i, 'r> {
        let index = self.shared.index;
        let Some((_, field)) = index.field(owner, name) else {
            return Value::default();
        };
        let (value, _) = self.in_code(owner, &field.code, None, |run| run.field_value(&field.code, name));
        let mut value = value.unwrap_or_default();
        if value.form == Form::Unknown && value.class.is_none() {
            let typed = self.of_written_type(field.type_text, field.dimensions);
            value.form = typed.form;
            value.class = typed.class;
        }
        // Static initialisers may add any number of elements.
        if index.declaration(owner).initialisers.iter().any(|it| it.is_static) {
            value.count = None;
        }
        value
    }

    /// The first value of a static field.
    pub(super) fn initial_static(&mut self, owner: TypeId, name: &'r str) -> Value<'i, 'r> {
        self.summary(Unit::Static(owner, name)).value.clone()
    }

    /// An object of a class of which nothing is known but how it is made.
    pub(super) fn instance(&mut self, class: TypeId) -> Value<'i, 'r> {
        let index = self.shared.index;
        let mut constructors = index.methods_named(class, CONSTRUCTOR);
        let first = constructors.next();
        let unit = match first {
            None => Unit::Implicit(class),
            Some(first) => {
                let all = index.methods_named(class, CONSTRUCTOR);
                let mut without = all.filter(|it| index.method(*it).parameters.is_empty());
                Unit::Constructor(without.next().unwrap_or(first))
            }
        };
        self.summary(unit).value.clone()
    }

    /// An object of a class after any number of calls: nothing is known of the sizes of its containers.
    fn used_object(&mut self, class: TypeId) -> Arc<Object<'i, 'r>> {
        let mut object = self.object_of(class);
        if object.fields.values().any(|it| it.count.is_some()) {
            for value in Arc::make_mut(&mut object).fields.values_mut() {
                value.count = None;
            }
        }
        object
    }

    /// The value of calling a function with arguments.
    pub(super) fn apply(
        &mut self,
        function: &Function<'i, 'r>,
        arguments: Vec<Value<'i, 'r>>,
        site: Site,
    ) -> Value<'i, 'r> {
        if self.depth >= MAX_DEPTH || !self.step(1 + function.captured.len() / 4) {
            return Value::default();
        }
        self.depth += 1;
        let frame = Frame {
            file: self.shared.index.file_of(function.owner),
            owner: function.owner,
            targets: function.targets,
            this: function.this.clone(),
            returned: None,
            loops: Vec::new(),
        };
        let outer = std::mem::replace(&mut self.frame, frame);
        let locals = std::mem::replace(&mut self.locals, function.captured.to_vec());
        let mut given = arguments.into_iter();
        for parameter in function.parameters {
            let mut value = given.next().unwrap_or_default();
            self.give_type(&mut value, parameter);
            self.locals.push((parameter.name, value));
        }
        self.block(function.body);
        self.locals = locals;
        let frame = std::mem::replace(&mut self.frame, outer);
        self.depth -= 1;
        returned(&frame.returned.unwrap_or_default(), site)
    }
}

/// The state of a run that the computation of a summary replaces.
struct Outer<'i, 'r> {
    steps: u32,
    reports: Vec<super::report::Report>,
    thrown: Option<Value<'i, 'r>>,
    sent: Vec<(MethodId, Vec<Value<'i, 'r>>)>,
    files: rustc_hash::FxHashSet<crate::symbols::ids::FileId>,
    statics: rustc_hash::FxHashMap<(TypeId, &'r str), Value<'i, 'r>>,
    cycle: usize,
    is_cut: bool,
    height: u16,
}

/// Whether a field of a used object has the same nondeterminism as that of a new object.
fn is_alike(new: Option<&Value<'_, '_>>, used: &Value<'_, '_>) -> bool {
    let Some(new) = new else {
        return used.is_plain();
    };
    let origin = |it: &Value<'_, '_>| it.disorder.as_ref().map(|it| (it.exposure, it.trace.origin().site));
    origin(new) == origin(used)
        && new.taints.len() == used.taints.len()
        && new.settings == used.settings
        && new.function.is_some() == used.function.is_some()
        && used.inner.as_ref().is_none_or(|it| it.is_plain())
}

/// What tells whether a call changed an argument.
#[derive(PartialEq, Eq)]
struct Fingerprint {
    is_disordered: bool,
    taints: usize,
    count: Option<u8>,
    object: usize,
    has_inner: bool,
}

impl Fingerprint {
    fn of(value: &Value<'_, '_>) -> Self {
        Self {
            is_disordered: value.disorder.is_some(),
            taints: value.taints.len(),
            count: value.count,
            object: value.object.as_ref().map_or(0, |it| Arc::as_ptr(it).addr()),
            has_inner: value.inner.is_some(),
        }
    }
}

/// Whether a method can change a value that its caller passes.
fn may_change(value: &Value<'_, '_>) -> bool {
    value.form.is_container() || value.form == Form::Builder || value.object.is_some()
}

/// A value after the call at `site` returned it.
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
