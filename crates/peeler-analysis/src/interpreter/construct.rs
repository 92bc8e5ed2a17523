//! Constructions in an abstract run: fields, initialisers and constructors of new objects, and first values of static
//! fields.

use super::facts::{ClassRef, IterationOrder};
use super::mocks::mock;
use super::run::{Frame, Run};
use super::shared::Unit;
use super::trace::{Exposure, SourceKind, Trace};
use super::value::{Disorder, Form, Object, Value};
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::resolve::code_targets;
use crate::symbols::targets::Target;
use crate::symbols::types::Type;
use crate::syntax::body::{CONSTRUCTOR, CallId, Expression, ExpressionKind, New, Statement};
use crate::syntax::declarations::LazyBody;
use crate::syntax::outline::simple_name;
use std::sync::Arc;

/// The maximum number of fields of an object whose values the interpreter follows.
const MAX_FIELDS: usize = 500;

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The abstract value of a new array. `parts` are its elements if `are_elements`, or else its lengths, with its
    /// elements behind them if it has any: `new int[] {1, 2}`.
    pub(super) fn new_array(&mut self, parts: &'i [Expression<'r>], are_elements: bool) -> Value<'i, 'r> {
        let mut array = Value::of(Form::List);
        array.settings.is_array = true;
        if let [length] = parts
            && !are_elements
            && self.text(length) == "0"
        {
            array.count = Some(0);
            return array;
        }
        if are_elements || parts.len() > 1 {
            array.count = u8::try_from(parts.len()).ok();
        }
        for part in parts {
            let element = self.value(part);
            if matches!(part.kind, ExpressionKind::ArrayValues(_)) {
                return element;
            }
            array.add_element(&element);
        }
        array
    }

    /// The abstract value of a `new` expression.
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
        let drawn: Vec<Value<'i, 'r>> = arguments.iter().filter(|it| it.is_drawn()).cloned().collect();
        let mut value = match target {
            Target::Declared(method) => self.constructed(method.owner, Some(method), arguments),
            Target::Owner(class) => self.constructed(class, None, Vec::new()),
            _ => {
                let value = self.construct_library(new, target, &arguments, site);
                if value.form == Form::Unknown {
                    self.give(&arguments, &value);
                }
                value
            }
        };
        if value.disorder.is_none()
            && let Some(name) = value.class.and_then(|it| self.unordered_base(it))
        {
            let what = format!("fills a subclass of {name}, which has no defined order");
            let trace = Trace::new(SourceKind::HashOrder, site, what);
            value.disorder = Some(Disorder::boxed(Exposure::Container, trace));
        }
        self.give(&drawn, &value);
        if new.body.is_some() {
            self.give_captured(expression);
        }
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

    /// A new abstract object, made by a constructor with these arguments; `None` stands for the default constructor.
    pub(super) fn constructed(
        &mut self,
        class: TypeId,
        constructor: Option<MethodId>,
        arguments: Vec<Value<'i, 'r>>,
    ) -> Value<'i, 'r> {
        let unit = constructor.map_or(Unit::Implicit(class), Unit::Constructor);
        if constructor.is_none() || arguments.iter().all(Value::is_plain) {
            return self.summary(unit).value.clone();
        }
        if self.stack.contains(&unit) || !self.enter() {
            return Value::default();
        }
        self.stack.push(unit);
        let value = self.made(class, constructor, arguments);
        self.leave();
        self.stack.pop();
        value
    }

    /// The name of the container without a defined order, such as `HashMap`, that a class of the repository extends;
    /// `None` if it extends none.
    fn unordered_base(&self, class: TypeId) -> Option<&'r str> {
        let index = self.shared.index;
        let facts = self.shared.facts;
        for ancestor in index.ancestors(class) {
            let known = if index.is_library(ancestor.id) {
                let class = ClassRef::declared(index, ancestor.id);
                facts.container(class).map(|it| (class.simple, it))
            } else {
                index.supertypes(ancestor.id).iter().find_map(|it| match it {
                    Type::External(name) => facts.container(ClassRef::named(name)).map(|it| (simple_name(name), it)),
                    _ => None,
                })
            };
            if let Some((name, fact)) = known {
                return (fact.order == IterationOrder::Unordered).then_some(name);
            }
        }
        None
    }

    /// Abstractly runs `this(..)` or `super(..)` at the start of a constructor.
    pub(super) fn delegate(&mut self, id: CallId, arguments: &'i [Expression<'r>]) {
        let arguments = self.values(arguments);
        if let Target::Declared(method) = self.target(id)
            && let Some(this) = self.frame.this.clone()
            && self.enter()
        {
            let summary = self.body_of(method, Some(this), arguments);
            self.leave();
            if let Some(object) = summary.this {
                self.frame.this = Some(object);
            }
        }
    }

    /// A new abstract object: the values of its fields are computed first, then its constructor is run abstractly.
    /// `constructor` is `None` if the class declares none.
    pub(super) fn made(
        &mut self,
        class: TypeId,
        constructor: Option<MethodId>,
        arguments: Vec<Value<'i, 'r>>,
    ) -> Value<'i, 'r> {
        let index = self.shared.index;
        let mut object = Arc::new(Object {
            class,
            fields: rustc_hash::FxHashMap::default(),
            stubs: None,
        });
        let chain: Vec<TypeId> = index.ancestors(class).iter().map(|it| it.id).collect();
        for id in chain.into_iter().rev().filter(|it| !index.is_library(*it)) {
            object = self.initialised(id, object);
        }
        if let Some(constructor) = constructor {
            let summary = self.body_of(constructor, Some(object.clone()), arguments);
            if let Some(changed) = summary.this {
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

    /// Abstractly runs the field values and initialiser blocks of one class on an object; returns the changed object.
    pub(super) fn initialised(&mut self, id: TypeId, object: Arc<Object<'i, 'r>>) -> Arc<Object<'i, 'r>> {
        let declared = self.shared.index.declaration(id);
        let mut object = object;
        for field in declared.fields.iter().filter(|it| !it.is_static) {
            if object.fields.len() >= MAX_FIELDS {
                self.is_cut = true;
                break;
            }
            // Most fields have no value, which a search of their source shows.
            let source = field.code.source();
            if !source.contains('=') {
                if source.contains("@Mock")
                    && let Some(class) = self.of_written_type(field.type_text, field.dimensions).class
                {
                    Arc::make_mut(&mut object).fields.insert(field.name, mock(class));
                }
                continue;
            }
            let (value, this) = self.in_code(id, &field.code, Some(object), |run| {
                run.field_value(&field.code, field.name)
            });
            object = this.unwrap_or_else(|| {
                Arc::new(Object {
                    class: id,
                    fields: rustc_hash::FxHashMap::default(),
                    stubs: None,
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
                run.block(&block.code.get().block);
            });
            object = this.unwrap_or(object);
        }
        object
    }

    /// The abstract value of the initialiser in a field's declaration; `None` if there is none.
    pub(super) fn field_value(&mut self, code: &'i LazyBody<'r>, name: &str) -> Option<Value<'i, 'r>> {
        let value = code.get().block.iter().find_map(|statement| match statement {
            Statement::Local(local) if local.name == name => local.value.as_ref(),
            _ => None,
        })?;
        Some(self.value(value))
    }

    /// Calls `run`, which abstractly runs an initialiser of type `owner`, with separate local variables. Returns the
    /// result of `run`, and the object `this` as it is afterwards; `None` for a static initialiser.
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
                is_done: false,
                loops: Vec::new(),
            },
        );
        let locals = std::mem::take(&mut self.locals);
        let result = run(self);
        self.locals = locals;
        let frame = std::mem::replace(&mut self.frame, outer);
        (result, frame.this)
    }

    pub(super) fn first_static(&mut self, owner: TypeId, name: &'r str) -> Value<'i, 'r> {
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

    /// The abstract value that the declaration of a static field gives it.
    pub(super) fn initial_static(&mut self, owner: TypeId, name: &'r str) -> Value<'i, 'r> {
        self.summary(Unit::Static(owner, name)).value.clone()
    }

    /// The abstract object that a constructor of a class makes, with unknown arguments. The constructor without
    /// parameters is preferred.
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

    /// An abstract object of a class after any number of calls on it, so that the sizes of its containers are unknown.
    pub(super) fn used_object(&mut self, class: TypeId) -> Arc<Object<'i, 'r>> {
        let mut object = self.object_of(class);
        if object.fields.values().any(|it| it.count.is_some()) {
            for value in Arc::make_mut(&mut object).fields.values_mut() {
                value.count = None;
            }
        }
        object
    }
}
