//! Finds out whether a collection has a defined order, as far as the code shows it. This follows from the concrete
//! class behind a variable, a field or the result of a method.
//!
//! ```java
//! Map<String, String> names = new HashMap<>();   // names: no defined order
//! for (String key : names.keySet()) { .. }       // neither has its key set
//! Map<String, String> sorted = new TreeMap<>(names);
//! ```
//!
//! The class of a value is preferred to the type of its variable. Left out: parameters of an interface type, and
//! collections that are stored in other objects.

use rustc_hash::FxHashMap;

use super::catalogue::CauseCatalogue;
use super::class_name::{declared_owner, named_owner, owner_of};
use super::collection_rules::Order;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::resolve::{code_targets, method_targets};
use crate::symbols::targets::Target;
use crate::symbols::type_text::parse_type;
use crate::symbols::types::Type;
use crate::syntax::body::{Call, Expression, ExpressionKind, Local, Statement};
use crate::syntax::declarations::FieldDeclaration;
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local, walk_statement};
use crate::walk::Code;

/// The maximum number of nested calls that are followed to find out whether a returned collection has a defined order.
const MOST_RETURNS: usize = 3;

/// Finds out whether collections have a defined order; caches the results for fields and methods.
pub(super) struct Orders<'c, 'r> {
    pub(super) catalogue: &'c CauseCatalogue,
    pub(super) index: &'c Index<'r>,
    fields: FxHashMap<(TypeId, &'r str), Order<'c>>,
    returns: FxHashMap<MethodId, Order<'c>>,
    returning: usize,
}

/// Facts about a body: its class, the targets of its calls, and whether collections in its local variables have an
/// order.
pub(super) struct BodyScope<'c, 'r> {
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

    /// What is known at the start of a body about the order of collections in it. The type of each parameter tells
    /// whether the collection in it has a defined order.
    pub(super) fn scope_of(&self, code: Code<'_, 'r>) -> BodyScope<'c, 'r> {
        match code {
            Code::Method(id, _) => self.method_scope(id),
            Code::Initialiser(id, _) => self.scope(id, code.targets(self.index)),
        }
    }

    /// What is known at the start of a body if the types of its parameters are ignored. It is unknown whether
    /// collections in parameters have a defined order. This is cheaper to compute than [`Self::scope_of`].
    pub(super) fn bare_scope_of(&self, code: Code<'_, 'r>) -> BodyScope<'c, 'r> {
        let mut scope = self.scope(code.owner(), code.targets(self.index));
        if let Code::Method(id, _) = code {
            let parameters = &self.index.method(id).parameters;
            scope
                .locals
                .extend(parameters.iter().map(|it| (it.name, Order::Unknown)));
        }
        scope
    }

    /// What is known at the start of a method's body about the order of collections in it. The type of each parameter
    /// tells whether the collection in it has a defined order.
    fn method_scope(&self, id: MethodId) -> BodyScope<'c, 'r> {
        let mut scope = self.scope(id.owner, method_targets(self.index, id));
        for parameter in &self.index.method(id).parameters {
            let order = self.order_of_type(parameter.type_text, &scope);
            scope.locals.insert(parameter.name, order);
        }
        scope
    }

    fn scope(&self, owner: TypeId, targets: &'c [Target<'r>]) -> BodyScope<'c, 'r> {
        BodyScope {
            owner,
            file: self.index.file_of(owner),
            targets,
            locals: FxHashMap::default(),
        }
    }

    /// Records in `scope` whether the collection that a declared variable holds has a defined order.
    pub(super) fn declare(&mut self, local: &Local<'r>, scope: &mut BodyScope<'c, 'r>) {
        let value = local.value.as_ref().map_or(Order::Unknown, |it| self.order(it, scope));
        let order = match value {
            Order::Unknown => self.order_of_type(local.type_text, scope),
            known => known,
        };
        scope.locals.insert(local.name, order);
    }

    /// Records in `scope` whether the collection that a variable holds after an assignment has a defined order.
    pub(super) fn assign(&mut self, target: &Expression<'r>, value: &Expression<'r>, scope: &mut BodyScope<'c, 'r>) {
        if let ExpressionKind::Name(name) = &target.kind
            && scope.locals.contains_key(name)
        {
            let order = self.order(value, scope);
            scope.locals.insert(name, order);
        }
    }

    /// Whether the collection that an expression evaluates to has a defined order.
    pub(super) fn order(&mut self, expression: &Expression<'r>, scope: &BodyScope<'c, 'r>) -> Order<'c> {
        match &expression.kind {
            ExpressionKind::Name(name) => match scope.locals.get(name) {
                Some(known) => *known,
                None => self.field(scope.owner, name),
            },
            ExpressionKind::Field { object, name } => match &object.kind {
                ExpressionKind::This => self.field(scope.owner, name),
                ExpressionKind::Name(owner) => match self.index.resolve_name(owner, name_scope(scope)) {
                    Some(TypeReference::Type(id)) if !scope.locals.contains_key(owner) => self.field(id, name),
                    _ => Order::Unknown,
                },
                _ => Order::Unknown,
            },
            ExpressionKind::New(new) => self.order_of_type(new.type_text, scope),
            ExpressionKind::Cast { type_text, value } => match self.order(value, scope) {
                Order::Unknown => self.order_of_type(type_text, scope),
                known => known,
            },
            ExpressionKind::Ternary { then, otherwise, .. } => match self.order(then, scope) {
                Order::Unknown => self.order(otherwise, scope),
                known => known,
            },
            ExpressionKind::Assign { value, .. } => self.order(value, scope),
            ExpressionKind::Call(call) => self.order_of_call(call, scope),
            _ => Order::Unknown,
        }
    }

    fn order_of_call(&mut self, call: &Call<'r>, scope: &BodyScope<'c, 'r>) -> Order<'c> {
        let collections = self.catalogue.collections();
        let target = scope.targets[call.id.0 as usize];
        if let (true, Some(receiver)) = (collections.is_view(call.name), &call.receiver) {
            let order = self.order(receiver, scope);
            if order != Order::Unknown {
                return order;
            }
        }
        if let ("collect", [collector]) = (call.name, call.arguments.as_slice()) {
            return self.order(collector, scope);
        }
        if let Target::Declared(id) = target {
            return self.returned(id);
        }
        let Some(owner) = owner_of(self.index, target, scope.file) else {
            return Order::Unknown;
        };
        match call.arguments.as_slice() {
            [wrapped] if collections.wraps(self.index, owner, call.name) => self.order(wrapped, scope),
            arguments => collections.made_by(self.index, owner, call.name, arguments.len()),
        }
    }

    /// Whether a collection has a defined order, going only by the type that the source writes for it, such as
    /// `HashMap<A, B>`.
    pub(super) fn order_of_type(&self, text: &'r str, scope: &BodyScope<'c, 'r>) -> Order<'c> {
        let type_ = self.index.resolve_type(&parse_type(text), name_scope(scope), &[]);
        self.order_of_class(&type_, scope.file)
    }

    fn order_of_class(&self, type_: &Type<'r>, file: FileId) -> Order<'c> {
        let collections = self.catalogue.collections();
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

    /// Whether the collection in a field of `owner`, of its supertypes or of its enclosing classes has a defined order.
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
        // A field that depends on itself has an unknown order.
        self.fields.insert((owner, field.name), Order::Unknown);
        let scope = self.scope(owner, code_targets(self.index, owner, &field.code));
        let value = field.code.get().block.iter().find_map(|it| match it {
            Statement::Local(local) if local.name == field.name => local.value.as_ref(),
            _ => None,
        });
        let mut order = value.map_or(Order::Unknown, |it| self.order(it, &scope));
        if order == Order::Unknown {
            order = self.order_of_type(field.type_text, &scope);
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
            let scope = self.method_scope(id);
            let mut values = Values {
                orders: self,
                scope,
                of: Wanted::Field(name),
                found: Order::Unknown,
            };
            walk_block(&mut values, &code.get().block);
            found = either(found, values.found);
        }
        found
    }

    /// Whether the collection that a method of the repository returns has a defined order, by its return type or its
    /// body.
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
        // A recursive call contributes nothing.
        self.returns.insert(id, Order::Unknown);
        self.returning += 1;
        let scope = self.method_scope(id);
        let mut values = Values {
            orders: self,
            scope,
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

/// A visitor that finds out whether the collections that a body assigns to a field, or returns, have a defined order.
struct Values<'o, 'c, 'r> {
    orders: &'o mut Orders<'c, 'r>,
    scope: BodyScope<'c, 'r>,
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
            let order = self.orders.order(value, &self.scope);
            self.found = either(self.found, order);
        }
        walk_statement(self, statement);
    }

    fn local(&mut self, local: &'b Local<'r>) {
        self.orders.declare(local, &mut self.scope);
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            // Values that a lambda or an anonymous class returns are not returned by the method.
            ExpressionKind::Lambda(_) | ExpressionKind::New(_) => {}
            ExpressionKind::Assign { target, value, .. } => {
                self.orders.assign(target, value, &mut self.scope);
                if let Wanted::Field(field) = self.of
                    && assigned_field(target) == Some(field)
                {
                    let order = self.orders.order(value, &self.scope);
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

/// Combines the orders of two collections, for a field or result that may be either of them. A defined order wins over
/// an undefined one, and both win over an unknown one.
fn either<'c>(one: Order<'c>, other: Order<'c>) -> Order<'c> {
    match (one, other) {
        (Order::Defined, _) | (_, Order::Defined) => Order::Defined,
        (Order::Unknown, known) => known,
        (known, _) => known,
    }
}

/// The file and class from which names in a body are resolved.
pub(super) fn name_scope(scope: &BodyScope<'_, '_>) -> Scope {
    Scope {
        file: scope.file,
        owner: Some(scope.owner),
    }
}
