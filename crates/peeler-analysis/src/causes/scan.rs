//! Scans one body for sources of nondeterminism: known calls, and unordered collections that are used in order.
//!
//! ```java
//! Map<String, Integer> counts = new HashMap<>();
//! counts.put("a", 1);                     // no site: the order does not matter
//! return counts.toString();               // turns a HashMap into text
//! ```
//!
//! Invariant: a call matches by the class that declares its method; where that class is not known nothing matches.
//! Left out: collections in string concatenations, which are messages far more often than results.

use std::cell::Cell;
use std::sync::Arc;

use super::class_name::owner_of;
use super::collection_rules::Order;
use super::collections::{BodyScope, Orders};
use super::conditions::{CallShape, mentions};
use super::prefilter::Prefilter;
use super::rule::{CauseDescription, CauseRule};
use super::site::{NoticedBy, Site, Weight};
use crate::syntax::body::{Block, Body, CONSTRUCTOR, Call, CallId, Expression, ExpressionKind, Local, New, Statement};
use crate::syntax::outline::simple_name;
use crate::syntax::visit::{Visit, walk_block, walk_class, walk_expression, walk_local, walk_statement};
use crate::walk::Code;

/// The places in one body that match the catalogue of causes.
#[derive(Default)]
pub(super) struct Sites {
    /// Places in a body that match the catalogue of causes, in the order of the source.
    pub(super) found: Vec<Site>,
    /// Whether the causes found in a body depend on the teardown of the test class, so that they cannot be shared
    /// between test classes.
    pub(super) depend_on_teardown: bool,
}

/// All places in a body that match the catalogue of causes. `teardown` is the source of the teardown methods of the
/// test class.
pub(super) fn sites<'r>(orders: &mut Orders<'_, 'r>, code: Code<'_, 'r>, teardown: &[&str]) -> Sites {
    let prefilter = Prefilter::of(orders.index, orders.catalogue, code);
    if !prefilter.passes() {
        return Sites::default();
    }
    let needs_order = prefilter.needs_order;
    let body = code.body().get();
    let scope = if needs_order {
        orders.scope_of(code)
    } else {
        orders.bare_scope_of(code)
    };
    let mut scan = Scan {
        orders,
        scope,
        needs_order,
        body,
        teardown,
        asked_teardown: Cell::new(false),
        then: Vec::new(),
        inside: Vec::new(),
        found: Vec::new(),
    };
    walk_block(&mut scan, &body.block);
    Sites {
        found: scan.found,
        depend_on_teardown: scan.asked_teardown.get(),
    }
}

/// The visitor that collects the places of causes of flakiness in one body.
struct Scan<'o, 'b, 'c, 'r> {
    orders: &'o mut Orders<'c, 'r>,
    scope: BodyScope<'c, 'r>,
    /// Whether this scan of a body tracks which variables hold unordered collections.
    needs_order: bool,
    body: &'b Body<'r>,
    teardown: &'b [&'b str],
    asked_teardown: Cell<bool>,
    /// Names of the methods called on the current expression and of fields read from it, nearest last: `["c", "b"]` for
    /// `a` in `a.b().c`.
    then: Vec<&'r str>,
    /// Names of the calls that have the current expression among their arguments, nearest last: `["f", "g"]` for `a` in
    /// `f(g(a))`.
    inside: Vec<&'r str>,
    found: Vec<Site>,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Scan<'_, 'b, '_, 'r> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        if let Statement::ForEach {
            variable,
            iterable,
            body,
        } = statement
        {
            self.for_each(variable, iterable, body);
        }
        walk_statement(self, statement);
    }

    fn local(&mut self, local: &'b Local<'r>) {
        walk_local(self, local);
        if self.needs_order {
            self.orders.declare(local, &mut self.scope);
        }
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Call(call) => {
                self.call(call, expression);
                if let Some(receiver) = &call.receiver {
                    self.then.push(call.name);
                    self.expression(receiver);
                    self.then.pop();
                }
                self.arguments(call.name, &call.arguments);
            }
            ExpressionKind::New(new) => {
                self.construction(new, expression);
                self.arguments(written_class(new), &new.arguments);
                if let Some(body) = &new.body {
                    walk_class(self, body);
                }
            }
            ExpressionKind::Field { object, name } => {
                self.then.push(name);
                self.expression(object);
                self.then.pop();
            }
            ExpressionKind::Assign { target, value, .. } => {
                walk_expression(self, expression);
                if self.needs_order {
                    self.orders.assign(target, value, &mut self.scope);
                }
            }
            _ => walk_expression(self, expression),
        }
    }
}

impl<'b, 'c, 'r: 'b> Scan<'_, 'b, 'c, 'r> {
    fn arguments(&mut self, of: &'r str, arguments: &'b [Expression<'r>]) {
        let then = std::mem::take(&mut self.then);
        self.inside.push(of);
        for argument in arguments {
            self.expression(argument);
        }
        self.inside.pop();
        self.then = then;
    }

    fn call(&mut self, call: &'b Call<'r>, expression: &Expression<'r>) {
        if let Some(receiver) = &call.receiver {
            self.collection_use(call, receiver, expression);
        }
        self.known(call.id, call.name, &call.arguments, call.name_at, expression);
    }

    fn construction(&mut self, new: &'b New<'r>, expression: &Expression<'r>) {
        self.known(new.id, CONSTRUCTOR, &new.arguments, new.at, expression);
    }

    /// Adds a cause for a call that matches the catalogue of causes, or that copies an unordered collection into an
    /// ordered one.
    fn known(&mut self, id: CallId, name: &str, arguments: &'b [Expression<'r>], at: u32, whole: &Expression<'r>) {
        let index = self.orders.index;
        let target = self.scope.targets[id.0 as usize];
        let Some(owner) = owner_of(index, target, self.scope.file) else {
            return;
        };
        let catalogue = self.orders.catalogue;
        let shape = CallShape {
            name,
            arguments: arguments.len(),
            text: &index.source(self.scope.file).text()[whole.start as usize..whole.end as usize],
            then: &self.then,
            inside: &self.inside,
            body_calls: &|name| self.body.calls.iter().any(|it| it.name == name),
            is_restored_by: &|words| {
                self.asked_teardown.set(true);
                self.teardown.iter().any(|it| mentions(words, it))
            },
        };
        let call = || format!("{}#{name}", owner.simple);
        if let Some(entry) = catalogue.call(index, owner, &shape) {
            self.found.push(Site {
                description: entry.rule.clone().into(),
                weight: entry.weight,
                noticed_by: entry.noticed_by,
                call: call(),
                file: self.scope.file,
                at,
                start: whole.start,
                end: whole.end,
            });
            return;
        }
        if let Some(rule) = catalogue.collections().copy(index, owner, name)
            && !self.is_settled()
            && let Some(type_) = arguments.iter().find_map(|it| self.unordered(it))
        {
            self.unordered_site(rule, type_, call(), at, whole);
        }
    }

    fn collection_use(&mut self, call: &'b Call<'r>, receiver: &'b Expression<'r>, whole: &Expression<'r>) {
        let collections = self.orders.catalogue.collections();
        let Some(rule) = collections.use_of(call.name) else {
            return;
        };
        let is_harmless = match call.arguments.as_slice() {
            [argument] => match &argument.kind {
                ExpressionKind::Lambda(lambda) => self.is_harmless(&lambda.body),
                _ => false,
            },
            _ => false,
        };
        if is_harmless || self.is_settled() {
            return;
        }
        if let Some(type_) = self.unordered(receiver) {
            let name = format!("{type_}#{}", call.name);
            self.unordered_site(rule, type_, name, call.name_at, whole);
        }
    }

    fn for_each(&mut self, variable: &Local<'r>, iterable: &'b Expression<'r>, body: &'b Block<'r>) {
        let Some(type_) = self.unordered(iterable) else {
            return;
        };
        let Some(rule) = self.orders.catalogue.collections().use_of("iterator") else {
            return;
        };
        if self.is_harmless(body) || self.is_settled() {
            return;
        }
        let call = format!("{type_}#iterator");
        self.unordered_site(rule, type_, call, variable.at, iterable);
    }

    /// Adds a cause where the order of a collection of class `type_` matters.
    fn unordered_site(&mut self, rule: &CauseRule, type_: &str, call: String, at: u32, whole: &Expression<'r>) {
        self.found.push(Site {
            description: CauseDescription {
                rule: rule.clone(),
                subject: Some(Arc::from(type_)),
            },
            weight: Weight::Full,
            noticed_by: NoticedBy::OrderAssertion,
            call,
            file: self.scope.file,
            at,
            start: whole.start,
            end: whole.end,
        });
    }

    /// Whether the order of elements in the current expression does not matter.
    ///
    /// The reason can be an operation applied to the expression, a call around it, or a sort anywhere in the body.
    fn is_settled(&self) -> bool {
        let collections = self.orders.catalogue.collections();
        collections.is_settled_by(&self.then)
            || collections.is_settled_by(&self.inside)
            || self.body.calls.iter().any(|it| matches!(it.name, "sort" | "sorted"))
    }

    /// Whether a loop body or lambda has the same effect in whatever order the elements are visited.
    fn is_harmless(&self, body: &'b Block<'r>) -> bool {
        let collections = self.orders.catalogue.collections();
        let mut effects = OrderEffects {
            is_harmless_call: &|name| collections.is_harmless(name),
            are_harmless: true,
        };
        walk_block(&mut effects, body);
        effects.are_harmless
    }

    /// The class of the unordered collection that an expression evaluates to; `None` if its order is defined or
    /// unknown.
    fn unordered(&mut self, expression: &Expression<'r>) -> Option<&'c str> {
        match self.orders.order(expression, &self.scope) {
            Order::Undefined(type_) => Some(type_),
            Order::Defined | Order::Unknown => None,
        }
    }
}

/// A visitor that decides by the names of calls whether a loop body has the same effect in whatever order elements are
/// visited.
struct OrderEffects<'a> {
    is_harmless_call: &'a dyn Fn(&str) -> bool,
    are_harmless: bool,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for OrderEffects<'_> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        self.are_harmless &= !matches!(statement, Statement::Return(Some(_)));
        walk_statement(self, statement);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        match &expression.kind {
            ExpressionKind::Call(call) => self.are_harmless &= (self.is_harmless_call)(call.name),
            ExpressionKind::Assign { operator, .. } => self.are_harmless &= *operator != "+=",
            _ => {}
        }
        walk_expression(self, expression);
    }
}

/// The simple name of the class in a `new` expression.
fn written_class<'r>(new: &New<'r>) -> &'r str {
    let name = new.type_text.split('<').next().unwrap_or(new.type_text);
    simple_name(name)
}
