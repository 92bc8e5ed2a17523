//! What the order of a collection is, as far as the code says: the concrete type behind a variable, a field or the
//! result of a method.
//!
//! ```java
//! Map<String, String> names = new HashMap<>();   // names: no defined order
//! for (String key : names.keySet()) { .. }       // neither has its key set
//! Map<String, String> sorted = new TreeMap<>(names);
//! ```
//!
//! A value says more than the type of its variable. Left out: what is passed in as a parameter of an interface type,
//! and everything that is stored in other objects.

use rustc_hash::FxHashMap;

use super::catalogue::{CauseCatalogue, Order};
use super::owner::Owner;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::resolve::{code_targets, method_targets};
use crate::symbols::targets::Target;
use crate::symbols::type_text::parse_type;
use crate::symbols::types::Type;
use crate::syntax::body::{Call, Expression, ExpressionKind, Local, Statement};
use crate::syntax::declarations::FieldDeclaration;
use crate::syntax::outline::simple_name;
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local, walk_statement};
use crate::walk::Code;

/// How many methods are looked through for what they return.
const MOST_RETURNS: usize = 3;

/// The order of collections, with what was found out before.
pub(super) struct Orders<'c, 'r> {
    pub(super) catalogue: &'c CauseCatalogue,
    pub(super) index: &'c Index<'r>,
    fields: FxHashMap<(TypeId, &'r str), Order<'c>>,
    returns: FxHashMap<MethodId, Order<'c>>,
    returning: usize,
}

/// A body while it is walked: whose it is, what its calls mean, and what its variables hold.
pub(super) struct Frame<'c, 'r> {
    pub(super) owner: TypeId,
    pub(super) file: FileId,
    pub(super) targets: &'c [Target<'r>],
    pub(super) locals: FxHashMap<&'r str, Order<'c>>,
}

impl<'c, 'r> Orders<'c, 'r> {
    pub(super) fn new(catalogue: &'c CauseCatalogue, index: &'c Index<'r>) -> Self {
        Self {
            catalogue,
            index,
            fields: FxHashMap::default(),
            returns: FxHashMap::default(),
            returning: 0,
        }
    }

    /// The frame of a body.
    pub(super) fn frame_of(&self, code: Code<'_, 'r>) -> Frame<'c, 'r> {
        match code {
            Code::Method(id, _) => self.method_frame(id),
            Code::Initialiser(id, _) => self.frame(id, code.targets(self.index)),
        }
    }

    /// The frame of a body for who does not ask about order: parameters are names only.
    pub(super) fn bare_frame_of(&self, code: Code<'_, 'r>) -> Frame<'c, 'r> {
        let mut frame = self.frame(code.owner(), code.targets(self.index));
        if let Code::Method(id, _) = code {
            let parameters = &self.index.method(id).parameters;
            frame
                .locals
                .extend(parameters.iter().map(|it| (it.name, Order::Unknown)));
        }
        frame
    }

    /// The frame of a method, with its parameters.
    fn method_frame(&self, id: MethodId) -> Frame<'c, 'r> {
        let mut frame = self.frame(id.owner, method_targets(self.index, id));
        for parameter in &self.index.method(id).parameters {
            let order = self.order_of_type(parameter.type_text, &frame);
            frame.locals.insert(parameter.name, order);
        }
        frame
    }

    fn frame(&self, owner: TypeId, targets: &'c [Target<'r>]) -> Frame<'c, 'r> {
        Frame {
            owner,
            file: self.index.file_of(owner),
            targets,
            locals: FxHashMap::default(),
        }
    }

    /// What a declaration makes of a variable.
    pub(super) fn declare(&mut self, local: &Local<'r>, frame: &mut Frame<'c, 'r>) {
        let value = local.value.as_ref().map_or(Order::Unknown, |it| self.order(it, frame));
        let order = match value {
            Order::Unknown => self.order_of_type(local.type_text, frame),
            known => known,
        };
        frame.locals.insert(local.name, order);
    }

    /// What an assignment makes of a variable.
    pub(super) fn assign(&mut self, target: &Expression<'r>, value: &Expression<'r>, frame: &mut Frame<'c, 'r>) {
        if let ExpressionKind::Name(name) = &target.kind
            && frame.locals.contains_key(name)
        {
            let order = self.order(value, frame);
            frame.locals.insert(name, order);
        }
    }

    /// The order of the collection that an expression stands for.
    pub(super) fn order(&mut self, expression: &Expression<'r>, frame: &Frame<'c, 'r>) -> Order<'c> {
        match &expression.kind {
            ExpressionKind::Name(name) => match frame.locals.get(name) {
                Some(known) => *known,
                None => self.field(frame.owner, name),
            },
            ExpressionKind::Field { object, name } => match &object.kind {
                ExpressionKind::This => self.field(frame.owner, name),
                ExpressionKind::Name(owner) => match self.index.resolve_name(owner, scope_of(frame)) {
                    Some(TypeReference::Type(id)) if !frame.locals.contains_key(owner) => self.field(id, name),
                    _ => Order::Unknown,
                },
                _ => Order::Unknown,
            },
            ExpressionKind::New(new) => self.order_of_type(new.type_text, frame),
            ExpressionKind::Cast { type_text, value } => match self.order(value, frame) {
                Order::Unknown => self.order_of_type(type_text, frame),
                known => known,
            },
            ExpressionKind::Ternary { then, otherwise, .. } => match self.order(then, frame) {
                Order::Unknown => self.order(otherwise, frame),
                known => known,
            },
            ExpressionKind::Assign { value, .. } => self.order(value, frame),
            ExpressionKind::Call(call) => self.order_of_call(call, frame),
            _ => Order::Unknown,
        }
    }

    fn order_of_call(&mut self, call: &Call<'r>, frame: &Frame<'c, 'r>) -> Order<'c> {
        let collections = &self.catalogue.collections;
        let target = frame.targets[call.id.0 as usize];
        if let (true, Some(receiver)) = (collections.is_view(call.name), &call.receiver) {
            let order = self.order(receiver, frame);
            if order != Order::Unknown {
                return order;
            }
        }
        if let ("collect", [collector]) = (call.name, call.arguments.as_slice()) {
            return self.order(collector, frame);
        }
        if let Target::Declared(id) = target {
            return self.returned(id);
        }
        let Some(owner) = owner_of(self.index, target, frame.file) else {
            return Order::Unknown;
        };
        match call.arguments.as_slice() {
            [wrapped] if collections.wraps(self.index, owner, call.name) => self.order(wrapped, frame),
            arguments => collections.made_by(self.index, owner, call.name, arguments.len()),
        }
    }

    /// What the type of a variable says by itself.
    pub(super) fn order_of_type(&self, text: &'r str, frame: &Frame<'c, 'r>) -> Order<'c> {
        let type_ = self.index.resolve_type(&parse_type(text), scope_of(frame), &[]);
        self.order_of_class(&type_, frame.file)
    }

    fn order_of_class(&self, type_: &Type<'r>, file: FileId) -> Order<'c> {
        let collections = &self.catalogue.collections;
        match type_ {
            Type::Declared(id, _) => self
                .index
                .ancestors(*id)
                .iter()
                .map(|it| collections.order_of_class(self.index, declared_owner(self.index, it.id)))
                .find(|it| *it != Order::Unknown)
                .unwrap_or(Order::Unknown),
            Type::External(name) => collections.order_of_class(self.index, named_owner(name, file)),
            _ => Order::Unknown,
        }
    }

    /// The order of a field of `owner`, of what it inherits, or of the classes around it.
    fn field(&mut self, owner: TypeId, name: &str) -> Order<'c> {
        let index = self.index;
        let mut around = Some(owner);
        while let Some(id) = around {
            if let Some((ancestor, field)) = index.field(id, name) {
                return self.declared_field(ancestor.id, field);
            }
            around = index.enclosing(id);
        }
        Order::Unknown
    }

    fn declared_field(&mut self, owner: TypeId, field: &'c FieldDeclaration<'r>) -> Order<'c> {
        if let Some(known) = self.fields.get(&(owner, field.name)) {
            return *known;
        }
        // A field that is made of itself is not known.
        self.fields.insert((owner, field.name), Order::Unknown);
        let frame = self.frame(owner, code_targets(self.index, owner, &field.code));
        let value = field.code.get().block.iter().find_map(|it| match it {
            Statement::Local(local) if local.name == field.name => local.value.as_ref(),
            _ => None,
        });
        let mut order = value.map_or(Order::Unknown, |it| self.order(it, &frame));
        if order == Order::Unknown {
            order = self.order_of_type(field.type_text, &frame);
        }
        if order == Order::Unknown && value.is_none() {
            order = self.assigned_by_constructors(owner, field.name);
        }
        self.fields.insert((owner, field.name), order);
        order
    }

    fn assigned_by_constructors(&mut self, owner: TypeId, name: &'r str) -> Order<'c> {
        let mut found = Order::Unknown;
        for id in self.index.methods_named(owner, crate::syntax::body::CONSTRUCTOR) {
            let Some(code) = &self.index.method(id).code else {
                continue;
            };
            let frame = self.method_frame(id);
            let mut values = Values {
                orders: self,
                frame,
                of: Wanted::Field(name),
                found: Order::Unknown,
            };
            walk_block(&mut values, &code.get().block);
            found = either(found, values.found);
        }
        found
    }

    /// The order of what a method of the repository returns: by its type, or by what its body returns.
    fn returned(&mut self, id: MethodId) -> Order<'c> {
        if let Some(known) = self.returns.get(&id) {
            return *known;
        }
        let index = self.index;
        let by_type = self.order_of_class(&index.signature(id).returns, index.file_of(id.owner));
        let Some(code) = index.method(id).code.as_ref().filter(|_| by_type == Order::Unknown) else {
            self.returns.insert(id, by_type);
            return by_type;
        };
        if self.returning == MOST_RETURNS {
            return Order::Unknown;
        }
        // Recursion returns what the other returns say.
        self.returns.insert(id, Order::Unknown);
        self.returning += 1;
        let frame = self.method_frame(id);
        let mut values = Values {
            orders: self,
            frame,
            of: Wanted::Returned,
            found: Order::Unknown,
        };
        walk_block(&mut values, &code.get().block);
        let found = values.found;
        self.returning -= 1;
        self.returns.insert(id, found);
        found
    }
}

/// What a body assigns to a field, or returns.
struct Values<'o, 'c, 'r> {
    orders: &'o mut Orders<'c, 'r>,
    frame: Frame<'c, 'r>,
    of: Wanted<'r>,
    found: Order<'c>,
}

#[derive(PartialEq, Eq)]
enum Wanted<'r> {
    Field(&'r str),
    Returned,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Values<'_, '_, 'r> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        if let (Statement::Return(Some(value)), Wanted::Returned) = (statement, &self.of) {
            let order = self.orders.order(value, &self.frame);
            self.found = either(self.found, order);
        }
        walk_statement(self, statement);
    }

    fn local(&mut self, local: &'b Local<'r>) {
        self.orders.declare(local, &mut self.frame);
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            // What a lambda or an anonymous class returns, the method does not.
            ExpressionKind::Lambda(_) | ExpressionKind::New(_) => {}
            ExpressionKind::Assign { target, value, .. } => {
                self.orders.assign(target, value, &mut self.frame);
                if let Wanted::Field(field) = self.of
                    && assigned_field(target) == Some(field)
                {
                    let order = self.orders.order(value, &self.frame);
                    self.found = either(self.found, order);
                }
            }
            _ => walk_expression(self, expression),
        }
    }
}

fn assigned_field<'r>(target: &Expression<'r>) -> Option<&'r str> {
    match &target.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => Some(name),
        _ => None,
    }
}

/// Two values of the same thing: it may lack an order unless one of them is known to have one.
fn either<'c>(one: Order<'c>, other: Order<'c>) -> Order<'c> {
    match (one, other) {
        (Order::Defined, _) | (_, Order::Defined) => Order::Defined,
        (Order::Unknown, known) => known,
        (known, _) => known,
    }
}

pub(super) fn scope_of(frame: &Frame<'_, '_>) -> Scope {
    Scope {
        file: frame.file,
        owner: Some(frame.owner),
    }
}

/// The class that declares what a call means.
pub(super) fn owner_of<'r>(index: &Index<'r>, target: Target<'r>, file: FileId) -> Option<Owner<'r>> {
    match target {
        Target::Unknown => None,
        Target::External(name) => Some(named_owner(name, file)),
        Target::Library(id) | Target::Declared(id) => Some(declared_owner(index, id.owner)),
        Target::Owner(id) => Some(declared_owner(index, id)),
    }
}

fn declared_owner<'r>(index: &Index<'r>, id: TypeId) -> Owner<'r> {
    let file = index.file_of(id);
    Owner {
        package: Some(index.file_outline(file).package),
        simple: index.outline(id).name,
        file,
    }
}

fn named_owner(name: &str, file: FileId) -> Owner<'_> {
    Owner {
        package: name.rsplit_once('.').map(|(package, _)| package),
        simple: simple_name(name),
        file,
    }
}
