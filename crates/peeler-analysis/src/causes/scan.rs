//! The sources of nondeterminism in one body: known calls, and unordered collections that are used in order.
//!
//! ```java
//! Map<String, Integer> counts = new HashMap<>();
//! counts.put("a", 1);                     // nothing: no order shows
//! return counts.toString();               // turns a HashMap into text
//! ```
//!
//! Invariant: a call matches by the class that declares its method; where that class is not known nothing matches.
//! Left out: collections in string concatenations, which are messages far more often than results.

use std::cell::Cell;

use super::CauseKind;
use super::catalogue::{CallShape, Order, mentions};
use super::collections::{Frame, Orders, owner_of};
use crate::symbols::index::FileId;
use crate::syntax::body::{Block, Body, CONSTRUCTOR, Call, CallId, Expression, ExpressionKind, Local, New, Statement};
use crate::syntax::outline::simple_name;
use crate::syntax::visit::{Visit, walk_block, walk_class, walk_expression, walk_local, walk_statement};
use crate::walk::Code;

/// A source of nondeterminism where it stands.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) kind: CauseKind,
    pub(super) what: String,
    /// Outside the test more often bookkeeping than a cause.
    pub(super) is_incidental: bool,
    /// Only an assertion that looks at order notices it.
    pub(super) is_order: bool,
    /// `Type#method`, or what stands for it.
    pub(super) call: String,
    pub(super) file: FileId,
    /// The name of the call, the `new`, or the variable of a loop: where the dependency graph has the operation.
    pub(super) at: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The sites of a body.
#[derive(Default)]
pub(super) struct Sites {
    /// In order.
    pub(super) found: Vec<Site>,
    /// Whether it was asked what cleans up after the test, so that tests of another class may have other sites here.
    pub(super) depend_on_teardown: bool,
}

/// All sites of a body. `teardown` is the source of the methods that clean up after the test.
pub(super) fn sites<'r>(orders: &mut Orders<'_, 'r>, code: Code<'_, 'r>, teardown: &[&str]) -> Sites {
    let Promise {
        asks_for_order,
        calls_known_classes,
    } = Promise::of(orders, code);
    if !asks_for_order && !calls_known_classes {
        return Sites::default();
    }
    let body = code.body().get();
    let frame = if asks_for_order {
        orders.frame_of(code)
    } else {
        orders.bare_frame_of(code)
    };
    let mut scan = Scan {
        orders,
        frame,
        asks_for_order,
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

/// What the calls of a body let expect. Most bodies have no sites, and that is seen here.
struct Promise {
    /// A loop may use a collection in order, or a call does, or a call copies one, so that the order of variables matters.
    asks_for_order: bool,
    /// A call is one of a class that the catalogue has entries for.
    calls_known_classes: bool,
}

impl Promise {
    fn of<'r>(orders: &Orders<'_, 'r>, code: Code<'_, 'r>) -> Self {
        let (index, catalogue) = (orders.index, orders.catalogue);
        let file = index.file_of(code.owner());
        let mut promise = Self {
            asks_for_order: may_loop(code.body().source()),
            calls_known_classes: false,
        };
        for (site, target) in code.body().get().calls.iter().zip(code.targets(index)) {
            promise.asks_for_order |= catalogue.collections.use_of(site.name).is_some();
            if let Some(owner) = owner_of(index, *target, file) {
                promise.asks_for_order |= catalogue.collections.copy(index, owner, site.name).is_some();
                promise.calls_known_classes |= catalogue.has_calls_of(owner);
            }
        }
        promise
    }
}

/// Whether the word `for` stands in a source, maybe in a comment or a text.
fn may_loop(source: &str) -> bool {
    let is_part_of_a_name = |byte: Option<&u8>| byte.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    let bytes = source.as_bytes();
    let mut places = memchr::memmem::find_iter(bytes, "for");
    places.any(|at| !is_part_of_a_name(bytes[..at].last()) && !is_part_of_a_name(bytes.get(at + 3)))
}

struct Scan<'o, 'b, 'c, 'r> {
    orders: &'o mut Orders<'c, 'r>,
    frame: Frame<'c, 'r>,
    /// Else the order of variables is not followed.
    asks_for_order: bool,
    body: &'b Body<'r>,
    teardown: &'b [&'b str],
    asked_teardown: Cell<bool>,
    /// What is applied to the expression at hand, innermost last.
    then: Vec<&'r str>,
    /// The calls of which the expression at hand is an argument, innermost last.
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
        if self.asks_for_order {
            self.orders.declare(local, &mut self.frame);
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
                if self.asks_for_order {
                    self.orders.assign(target, value, &mut self.frame);
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

    /// A call that the catalogue knows, or that copies an unordered collection into something ordered.
    fn known(&mut self, id: CallId, name: &str, arguments: &'b [Expression<'r>], at: u32, whole: &Expression<'r>) {
        let index = self.orders.index;
        let target = self.frame.targets[id.0 as usize];
        let Some(owner) = owner_of(index, target, self.frame.file) else {
            return;
        };
        let catalogue = self.orders.catalogue;
        let shape = CallShape {
            name,
            arguments: arguments.len(),
            text: &index.source(self.frame.file).text()[whole.start as usize..whole.end as usize],
            then: &self.then,
            inside: &self.inside,
            body_calls: &|name| self.body.calls.iter().any(|it| it.name == name),
            is_restored_by: &|words| {
                self.asked_teardown.set(true);
                self.teardown.iter().any(|it| mentions(words, it))
            },
        };
        let call = || format!("{}#{name}", owner.simple);
        if let Some(rule) = catalogue.call(index, owner, &shape) {
            let site = self.site(rule.kind, rule.what.clone(), call(), at, whole);
            self.found.push(Site {
                is_incidental: rule.is_incidental,
                is_order: rule.is_order,
                ..site
            });
            return;
        }
        if let Some(what) = catalogue.collections.copy(index, owner, name)
            && !self.is_settled()
            && let Some(type_) = arguments.iter().find_map(|it| self.unordered(it))
        {
            self.unordered_site(filled(what, type_), call(), at, whole);
        }
    }

    fn collection_use(&mut self, call: &'b Call<'r>, receiver: &'b Expression<'r>, whole: &Expression<'r>) {
        let collections = &self.orders.catalogue.collections;
        let Some(what) = collections.use_of(call.name) else {
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
            self.unordered_site(filled(what, type_), name, call.name_at, whole);
        }
    }

    fn for_each(&mut self, variable: &Local<'r>, iterable: &'b Expression<'r>, body: &'b Block<'r>) {
        let Some(type_) = self.unordered(iterable) else {
            return;
        };
        let Some(what) = self.orders.catalogue.collections.use_of("iterator") else {
            return;
        };
        if self.is_harmless(body) || self.is_settled() {
            return;
        }
        let call = format!("{type_}#iterator");
        self.unordered_site(filled(what, type_), call, variable.at, iterable);
    }

    fn unordered_site(&mut self, what: String, call: String, at: u32, whole: &Expression<'r>) {
        let site = self.site(CauseKind::UnorderedCollection, what, call, at, whole);
        self.found.push(site);
    }

    fn site(&self, kind: CauseKind, what: String, call: String, at: u32, whole: &Expression<'r>) -> Site {
        Site {
            kind,
            what,
            is_incidental: false,
            is_order: kind.is_order(),
            call,
            file: self.frame.file,
            at,
            start: whole.start,
            end: whole.end,
        }
    }

    /// Whether what follows, what is around, or a sort anywhere in the body makes up for the lack of order.
    fn is_settled(&self) -> bool {
        let collections = &self.orders.catalogue.collections;
        collections.is_settled_by(&self.then)
            || collections.is_settled_by(&self.inside)
            || self.body.calls.iter().any(|it| matches!(it.name, "sort" | "sorted"))
    }

    fn is_harmless(&self, body: &'b Block<'r>) -> bool {
        let collections = &self.orders.catalogue.collections;
        let mut effects = Effects {
            is_harmless_call: &|name| collections.is_harmless(name),
            are_harmless: true,
        };
        walk_block(&mut effects, body);
        effects.are_harmless
    }

    fn unordered(&mut self, expression: &Expression<'r>) -> Option<&'c str> {
        match self.orders.order(expression, &self.frame) {
            Order::Undefined(type_) => Some(type_),
            Order::Defined | Order::Unknown => None,
        }
    }
}

/// Whether code does the same in any order, judged by what it calls.
struct Effects<'a> {
    is_harmless_call: &'a dyn Fn(&str) -> bool,
    are_harmless: bool,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Effects<'_> {
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

fn written_class<'r>(new: &New<'r>) -> &'r str {
    let name = new.type_text.split('<').next().unwrap_or(new.type_text);
    simple_name(name)
}

fn filled(what: &str, type_: &str) -> String {
    what.replace("{type}", type_)
}
