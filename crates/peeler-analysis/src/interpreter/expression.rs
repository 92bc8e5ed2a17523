//! The abstract run of expressions: what the interpreter knows of their values.

use std::sync::Arc;

use super::compare::has_kind;
use super::library::is_one_reading;
use super::literals::literal_parts;
use super::run::Run;
use super::trace::{Exposure, SourceKind};
use super::value::{Form, Function, Object, Taint, Value};
use crate::symbols::ids::TypeId;
use crate::symbols::names::TypeReference;
use crate::syntax::body::{ClassBody, Expression, ExpressionKind, LiteralKind};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// Abstractly runs an expression whose value is not used.
    pub(super) fn discard(&mut self, expression: &'i Expression<'r>) {
        if !self.assertion(expression) {
            self.value(expression);
        }
    }

    /// The abstract value of an expression: what the interpreter knows of it.
    pub(super) fn value(&mut self, expression: &'i Expression<'r>) -> Value<'i, 'r> {
        if !self.step(1) {
            return Value::default();
        }
        let site = self.site(expression);
        match &expression.kind {
            ExpressionKind::Name(name) => self.variable(name),
            ExpressionKind::Literal(kind) => self.literal(*kind, expression),
            ExpressionKind::This | ExpressionKind::Super => self.this_value(),
            ExpressionKind::Call(call) => self.call(call, expression),
            ExpressionKind::New(new) => self.construct(new, expression),
            ExpressionKind::DelegateConstructor { id, arguments, .. } => {
                self.delegate(*id, arguments);
                Value::default()
            }
            ExpressionKind::NewArray { parts, .. } => self.new_array(parts, false),
            ExpressionKind::ArrayValues(parts) => self.new_array(parts, true),
            ExpressionKind::Field { object, name } => self.field(object, name),
            ExpressionKind::Index { array, index } => {
                let container = self.value(array);
                let position = self.value(index);
                let element = if self.singles.contains(&self.text(array)) {
                    container.element()
                } else {
                    self.picked(&container, site)
                };
                if position.constant.is_some() {
                    self.remember_member(&element);
                }
                element
            }
            ExpressionKind::Unary { operand, .. } => {
                let operand_value = self.value(operand);
                let mut value = operand_value.derived(operand_value.form, site);
                if matches!(operand.kind, ExpressionKind::Literal(_)) {
                    value.constant = Some(self.text(expression));
                }
                value
            }
            ExpressionKind::Update { operand, .. } => {
                let value = self.value(operand);
                value.derived(Form::Number, site)
            }
            ExpressionKind::Binary { operator, operands } => self.binary(operator, operands, expression),
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => self.assignment(operator, target, value),
            ExpressionKind::Ternary {
                condition,
                then,
                otherwise,
            } => {
                let decided = self.decided(condition);
                let condition = self.value(condition);
                match decided {
                    Some(true) => return self.value(then),
                    Some(false) => return self.value(otherwise),
                    None => {}
                }
                let then = self.value(then);
                let otherwise = self.value(otherwise);
                let is_choice = then.constant.is_some() && otherwise.constant.is_some();
                let mut value = then.join(&otherwise);
                if is_choice {
                    value.absorb(&condition);
                }
                value
            }
            ExpressionKind::Cast { type_text, value } => {
                let mut value = self.value(value);
                let typed = self.of_written_type(type_text, 0);
                // No container is a number or text, so another value is cast here.
                if typed.form.is_scalar() && value.form.is_container() {
                    return typed;
                }
                if value.form == Form::Unknown && value.class.is_none() {
                    value.form = typed.form;
                    value.class = typed.class;
                }
                value
            }
            ExpressionKind::InstanceOf { value, bindings } => {
                let value = self.value(value);
                for binding in bindings {
                    let mut bound = value.clone();
                    self.give_type(&mut bound, binding);
                    self.locals.push((binding.name, bound));
                }
                // The elements of a container are mostly of one class, whichever is picked.
                Value::of(Form::Boolean)
            }
            ExpressionKind::Lambda(lambda) => Value {
                function: Some(self.function(&lambda.parameters, &lambda.body)),
                ..Value::default()
            },
            ExpressionKind::MethodReference { object, .. } => {
                if self.named_type(object).is_none() {
                    self.value(object);
                }
                Value::default()
            }
            ExpressionKind::Switch(switch) => self.switch(switch),
            ExpressionKind::Opaque(parts) => {
                for part in parts {
                    self.value(part);
                }
                Value::default()
            }
        }
    }

    /// The abstract value of a lambda: its code with the values of the variables around it.
    pub(super) fn function(
        &mut self,
        parameters: &'i [crate::syntax::body::Local<'r>],
        body: &'i crate::syntax::body::Block<'r>,
    ) -> Arc<Function<'i, 'r>> {
        self.step(self.locals.len() / 4);
        Arc::new(Function {
            parameters,
            body,
            owner: self.frame.owner,
            targets: self.frame.targets,
            captured: Arc::new(
                self.locals
                    .iter()
                    .map(|(name, it)| (*name, it.clone().kept()))
                    .collect(),
            ),
            this: self.frame.this.clone(),
        })
    }

    /// The only method of an anonymous class, as a function; `None` if the class has none or several.
    pub(super) fn anonymous(&mut self, class: &'i ClassBody<'r>) -> Option<Arc<Function<'i, 'r>>> {
        let mut methods = class.methods.iter().filter(|it| !it.name.is_empty());
        let only = methods.next().filter(|_| methods.next().is_none())?;
        Some(self.function(&only.parameters, &only.body))
    }

    pub(super) fn literal(&self, kind: LiteralKind, expression: &Expression<'r>) -> Value<'i, 'r> {
        let form = match kind {
            LiteralKind::Integer | LiteralKind::Long | LiteralKind::Floating => Form::Number,
            LiteralKind::Boolean => Form::Boolean,
            LiteralKind::Character | LiteralKind::String => Form::Text,
            LiteralKind::Null | LiteralKind::Class => Form::Unknown,
        };
        let mut value = Value {
            constant: Some(self.text(expression)),
            ..Value::of(form)
        };
        if kind == LiteralKind::String {
            value.literal_parts = literal_parts(self.text(expression));
        }
        value
    }

    pub(super) fn this_value(&self) -> Value<'i, 'r> {
        Value {
            object: self.frame.this.clone(),
            class: self.frame.this.as_ref().map(|it| it.class).or(Some(self.frame.owner)),
            ..Value::default()
        }
    }

    /// The abstract value of a local variable or a field.
    pub(super) fn variable(&mut self, name: &'r str) -> Value<'i, 'r> {
        if let Some(at) = self.local_at(name) {
            return self.locals[at].1.clone();
        }
        self.own_field(name)
    }

    /// The abstract value of a field of the current object, or of a static field that is visible without a qualifier.
    pub(super) fn own_field(&mut self, name: &'r str) -> Value<'i, 'r> {
        if let Some(value) = self.frame.this.as_ref().and_then(|it| it.fields.get(name)) {
            return value.clone().kept();
        }
        let index = self.shared.index;
        let mut around = Some(self.frame.owner);
        while let Some(id) = around {
            if let Some((ancestor, field)) = index.field(id, name) {
                if field.is_static {
                    return self.static_field(ancestor.id, field.name);
                }
                let is_own = self
                    .frame
                    .this
                    .as_ref()
                    .is_some_and(|it| index.inherits(it.class, ancestor.id));
                if !is_own && let Some(outer) = self.instance(id).object {
                    // A field of the enclosing object, of which nothing else is known.
                    if let Some(value) = outer.fields.get(name) {
                        return value.clone().kept();
                    }
                }
                return self.of_written_type(field.type_text, field.dimensions);
            }
            around = index.enclosing(id);
        }
        self.imported_static(name)
    }

    pub(super) fn imported_static(&mut self, name: &'r str) -> Value<'i, 'r> {
        let index = self.shared.index;
        let imports = &index.file_outline(self.frame.file).imports;
        let import = imports
            .iter()
            .find(|it| it.is_static && !it.is_wildcard && it.name == name);
        let Some((owner, _)) = import.and_then(|it| it.path.rsplit_once('.')) else {
            return Value::default();
        };
        match index.lookup_qualified(owner, self.frame.file) {
            Some(id) if !index.is_library(id) => match index.field(id, name) {
                Some((ancestor, field)) => self.static_field(ancestor.id, field.name),
                None => Value::default(),
            },
            _ => Value::default(),
        }
    }

    /// The type that an expression names, such as `Map` in `Map.of()`; `None` if it is no name of a type.
    pub(super) fn named_type(&self, expression: &Expression<'r>) -> Option<TypeReference<'r>> {
        match &expression.kind {
            ExpressionKind::Name(name) => self.type_named(name),
            ExpressionKind::Field { object, name } if name.starts_with(char::is_uppercase) => {
                let is_qualified = match &object.kind {
                    ExpressionKind::Name(first) => {
                        self.local_at(first).is_none() && self.shared.index.field(self.frame.owner, first).is_none()
                    }
                    ExpressionKind::Field { .. } => self.named_type(object).is_some(),
                    _ => false,
                };
                let is_constant = name.len() > 1 && name.chars().all(|it| it.is_uppercase() || it == '_');
                if !is_qualified || is_constant {
                    return None;
                }
                self.shared.index.resolve_name(self.text(expression), self.scope())
            }
            _ => None,
        }
    }

    pub(super) fn field(&mut self, object: &'i Expression<'r>, name: &'r str) -> Value<'i, 'r> {
        if matches!(object.kind, ExpressionKind::This | ExpressionKind::Super) {
            return self.own_field(name);
        }
        match self.named_type(object) {
            Some(TypeReference::Type(id)) if !self.shared.index.is_library(id) => {
                return match self.shared.index.field(id, name) {
                    Some((ancestor, field)) if field.is_static => self.static_field(ancestor.id, field.name),
                    _ => Value {
                        class: Some(id),
                        ..Value::default()
                    },
                };
            }
            // A constant of a library.
            Some(_) => {
                let is_constant = name.chars().all(|it| it.is_uppercase() || it == '_' || it.is_numeric());
                return Value {
                    constant: is_constant.then_some(name),
                    ..Value::default()
                };
            }
            None => {}
        }
        let object = self.value(object);
        if name == "length" && object.form == Form::List {
            return self.length_of(&object);
        }
        self.field_of(&object, name)
    }

    /// The number of elements of an array as an abstract value. For the bytes of a text it depends on the default
    /// charset.
    fn length_of(&self, array: &Value<'i, 'r>) -> Value<'i, 'r> {
        let mut length = Value::of(Form::Number);
        let encoded = array.taints.iter().filter(|it| it.kind() == SourceKind::EncodedText);
        encoded.for_each(|it| length.add_taint(it.clone()));
        length
    }

    /// The abstract value of a field of `object`.
    pub(super) fn field_of(&mut self, object: &Value<'i, 'r>, name: &'r str) -> Value<'i, 'r> {
        let picked = object.disorder.as_ref().filter(|it| it.exposure == Exposure::Element);
        let mut value = match object.object.as_ref().and_then(|it| it.fields.get(name)) {
            Some(value) => value.clone().kept(),
            None => match object.class.and_then(|class| self.shared.index.field(class, name)) {
                Some((_, field)) => self.of_written_type(field.type_text, field.dimensions),
                None => Value::default(),
            },
        };
        if value.disorder.is_none() && picked.is_some() {
            value.disorder = picked.cloned();
        }
        value
    }

    pub(super) fn binary(
        &mut self,
        operator: &'r str,
        operands: &'i [Expression<'r>],
        expression: &Expression<'r>,
    ) -> Value<'i, 'r> {
        let site = self.site(expression);
        let values: Vec<Value<'i, 'r>> = operands.iter().map(|it| self.value(it)).collect();
        match (operator, values.as_slice()) {
            ("==" | "!=", [a, b]) => self.identity(a, b, site),
            ("<" | ">" | "<=" | ">=", [a, b]) => self.relation(operator, (a, b), site, site),
            ("&&" | "||" | "==" | "!=", values) => {
                let mut value = Value::of(Form::Boolean);
                for it in values {
                    value.absorb(it);
                }
                // Several texts for one source: the orders are enumerated.
                let of_source = |it: &&Value<'_, '_>| {
                    let both = it.disorder.as_ref().zip(value.disorder.as_ref());
                    both.is_some_and(|(a, b)| a.trace.has_origin_of(&b.trace))
                };
                if operator == "||" && values.iter().filter(of_source).count() > 1 {
                    value = value.ordered(site);
                }
                value
            }
            ("+", values) if values.iter().any(|it| it.form == Form::Text) => {
                let mut text = Value::of(Form::Text);
                for value in &values.to_vec() {
                    let part = self.text_of(value, site);
                    text.absorb(&part);
                }
                let are_constant = values.iter().all(|it| it.constant.is_some());
                text.constant = are_constant.then(|| self.text(expression));
                text
            }
            (operator, values) => {
                let mut value = Value::of(Form::Number);
                for operand in values {
                    value.absorb(&operand.derived(Form::Number, site));
                }
                // `limit - elapsed < 50` is a lower limit of the elapsed time, which a slow machine cannot miss.
                if let ("-", [left, right]) = (operator, values)
                    && !has_kind(left, SourceKind::Elapsed)
                    && has_kind(right, SourceKind::Elapsed)
                {
                    value.taints.retain(|it| it.kind() != SourceKind::Elapsed);
                }
                // A sum in any order is the same, and two readings of the clock have a difference.
                value.disorder = value.disorder.filter(|it| it.exposure == Exposure::Element);
                let clocks = |it: &Value<'_, '_>| it.taints.iter().any(|it| it.kind() == SourceKind::Clock);
                let is_difference = operator == "-" && values.iter().filter(|it| clocks(it)).count() > 1;
                if is_difference && is_one_reading(values) {
                    value.taints.retain(|it| it.kind() != SourceKind::Clock);
                } else if is_difference {
                    if let Some(first) = value.taints.first() {
                        let trace = first.trace.with_kind(SourceKind::Elapsed);
                        value.taints = vec![Taint {
                            trace,
                            is_shifted: false,
                        }];
                    }
                } else if values.iter().any(|it| it.taints.is_empty()) {
                    value.taints.iter_mut().for_each(|it| it.is_shifted = true);
                }
                let are_constant = values.iter().all(|it| it.constant.is_some());
                value.constant = are_constant.then(|| self.text(expression));
                value
            }
        }
    }

    /// The abstract value of a static field: the one that this run stored in it, or else the one of its declaration.
    pub(super) fn static_field(&mut self, owner: TypeId, name: &'r str) -> Value<'i, 'r> {
        if let Some(value) = self.statics.get(&(owner, name)) {
            return value.clone().kept();
        }
        self.initial_static(owner, name).kept()
    }

    /// An abstract object as a constructor of a class makes it. If the interpreter cannot follow the construction, no
    /// field is known.
    pub(super) fn object_of(&mut self, class: TypeId) -> Arc<Object<'i, 'r>> {
        let made = self.instance(class).object;
        made.unwrap_or_else(|| {
            Arc::new(Object {
                class,
                fields: rustc_hash::FxHashMap::default(),
                stubs: None,
            })
        })
    }
}

/// The name of a variable or field that is written without a qualifier; `None` for other expressions.
pub(super) fn local_name<'r>(expression: &Expression<'r>) -> Option<&'r str> {
    match &expression.kind {
        ExpressionKind::Name(name) => Some(name),
        _ => None,
    }
}

/// The expression at the root of a chain: `a` of `a.b().c()`.
pub(super) fn root<'e, 'r>(expression: &'e Expression<'r>) -> &'e Expression<'r> {
    let mut current = expression;
    loop {
        current = match &current.kind {
            ExpressionKind::Call(call) => match &call.receiver {
                Some(receiver) => receiver,
                None => return current,
            },
            ExpressionKind::Cast { value, .. } => value,
            _ => return current,
        };
    }
}
