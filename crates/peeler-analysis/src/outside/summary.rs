//! What a method does with ports, hosts and files: uses of constants, and uses of values that its caller passes.
//!
//! ```java
//! void serve(int port) { new ServerSocket(port); }    // open: binds parameter 0
//! void serve() { serve(8080); }                       // found: binds the fixed port 8080
//! ```
//!
//! The summary of a method includes the methods it calls, up to a maximum depth of calls. Each summary is made of
//! summaries with a smaller depth, so recursion ends.

use std::sync::Arc;

use super::accepted::accepts_failures;
use super::bodies::BodyVariables;
use super::catalogue::{Catalogue, Use, UseEntry};
use super::evaluator::{Construction, Evaluator, path};
use super::free_port::released_ports;
use super::library_class::target_of_chain;
use super::receiver::{is_fitting, is_static_mock};
use super::summary_cache::{Key, Reached, Summarised, SummaryCache, higher};
use super::uses::{OpenUse, Summary};
use super::value::{Term, Wanted};
use crate::flows::flow::Site;
use crate::lifecycle::own_class;
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{CONSTRUCTOR, CallId, Expression, ExpressionKind, Statement};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_statement};
use crate::walk::{Code, initialisers};

/// The maximum number of nested calls between a test and a call that uses a port, host or path.
pub(super) const MAX_CALLS: u8 = 6;
/// The maximum number of uses of ports, hosts and paths that a summary lists.
const MAX_USES: usize = 24;

/// The summaries of how methods use ports, hosts and paths, each computed once. Code without such a use has no summary.
pub(super) struct Summaries<'i, 'r> {
    index: &'i Index<'r>,
    evaluator: Evaluator<'i, 'r>,
    cache: SummaryCache,
}

impl<'i, 'r> Summaries<'i, 'r> {
    pub(super) fn new(index: &'i Index<'r>) -> Self {
        Self {
            index,
            evaluator: Evaluator::new(index),
            cache: SummaryCache::default(),
        }
    }

    /// The summary of uses of ports, hosts and paths in `method`, called from a test of `class`. The method belongs to
    /// that class or to a supertype or enclosing class. `None` if there are no uses.
    pub(super) fn own_method(&self, class: TypeId, method: MethodId) -> Option<Arc<Summary>> {
        let callee = Summarised::Method(method);
        self.own(class, callee)
    }

    /// The summary of uses of ports, hosts and paths in the initial values of fields of `declaring`, for tests of
    /// `class`. `declaring` is that class or a supertype or enclosing class. `None` if there are no uses.
    pub(super) fn own_initialisers(&self, class: TypeId, declaring: TypeId) -> Option<Arc<Summary>> {
        let callee = Summarised::Initialisers(declaring);
        self.own(class, callee)
    }

    fn own(&self, class: TypeId, callee: Summarised) -> Option<Arc<Summary>> {
        let key = Key {
            class: Some(class),
            callee,
            calls: MAX_CALLS,
        };
        self.reached(key).summary
    }

    fn reached(&self, key: Key) -> Reached {
        if let Some(known) = self.cache.get(key) {
            return known;
        }
        let mut summary = Summary::default();
        let mut height = Some(0);
        match key.callee {
            Summarised::Method(id) => {
                if let Some(body) = &self.index.method(id).code {
                    height = self.add_body(&mut summary, key, Code::Method(id, body));
                }
            }
            Summarised::Initialisers(id) => {
                for code in initialisers(self.index, id) {
                    height = higher(height, self.add_body(&mut summary, key, code));
                }
            }
        }
        summary.found.truncate(MAX_USES);
        summary.open.truncate(MAX_USES);
        let is_empty = summary.found.is_empty() && summary.open.is_empty();
        let reached = Reached {
            summary: (!is_empty).then(|| Arc::new(summary)),
            height,
        };
        self.cache.insert(key, reached)
    }

    /// Adds the uses of ports, hosts and paths in a body to `summary`. Returns the length of the longest chain of calls
    /// from the body; `None` if the maximum depth cut it.
    fn add_body(&self, summary: &mut Summary, key: Key, code: Code<'i, 'r>) -> Option<u8> {
        let mut height = Some(0);
        if !code.body().may_call() {
            return height;
        }
        let targets = code.targets(self.index);
        let body = code.body().get();
        let mut interesting: Vec<(CallId, Interest)> = Vec::new();
        for (at, (site, target)) in body.calls.iter().zip(targets).enumerate() {
            let id = CallId(u32::try_from(at).unwrap_or(u32::MAX));
            let (called, called_height) = self.called(key, site.name, *target);
            height = higher(height, called_height);
            if !called.is_empty() || Catalogue::may_use(self.index, site.name, *target) {
                interesting.push((id, Interest { called }));
            }
        }
        let may_release = code.body().source().contains("getLocalPort");
        if interesting.is_empty() && !may_release {
            return height;
        }
        let body_variables = BodyVariables::new(self.index, code);
        if may_release {
            let text = self.index.source(body_variables.file).text();
            for socket in released_ports(text, &body_variables) {
                summary.find(Use::FindPort, body_variables.site(socket));
            }
        }
        let mut calls = Calls {
            summaries: self,
            summary,
            body: &body_variables,
            interesting: &interesting,
            skips_branches: key.class.is_none(),
            inside_assertion: 0,
        };
        walk_block(&mut calls, &body.block);
        height
    }

    /// The summaries of the code of the repository that a call runs, each with whether the code belongs to the test's
    /// own classes. Also returns the length of the longest chain of calls that begins with this call; `None` if the
    /// limit of nested calls cut it off.
    fn called(&self, key: Key, name: &str, target: Target<'r>) -> (Vec<(Arc<Summary>, Distance)>, Option<u8>) {
        let mut found = Vec::new();
        let mut height = Some(0);
        let mut add = |class: Option<TypeId>, callee| {
            let distance = if class.is_some() {
                Distance::Own
            } else {
                Distance::Outside
            };
            let Some(calls) = key.calls.checked_sub(1) else {
                height = None;
                return;
            };
            let reached = self.reached(Key { class, callee, calls });
            height = higher(height, reached.height.map(|it| it + 1));
            found.extend(reached.summary.map(|it| (it, distance)));
        };
        match target {
            Target::Declared(id) => {
                let declared = self.index.method(id);
                let own = key
                    .class
                    .and_then(|it| Some((it, own_class(self.index, it, id.owner)?)));
                if declared.is_constructor {
                    add(None, Summarised::Method(id));
                    add(None, Summarised::Initialisers(id.owner));
                } else if let Some((class, own)) = own {
                    add(Some(class), Summarised::Method(self.index.override_in(own, id)));
                } else if declared.code.is_some() {
                    add(None, Summarised::Method(id));
                } else if let [only] = self.index.implementations(id) {
                    // Of several implementations it is not known which one runs.
                    add(None, Summarised::Method(*only));
                }
            }
            Target::Owner(id) if name == CONSTRUCTOR => add(None, Summarised::Initialisers(id)),
            _ => {}
        }
        (found, height)
    }
}

/// Whether called code belongs to the test's own classes or lies outside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Distance {
    Own,
    Outside,
}

/// A call in a method body that may use a port, host or path. `called` holds the summaries of the code that it runs, if
/// any.
struct Interest {
    called: Vec<(Arc<Summary>, Distance)>,
}

/// A call with the receiver and arguments that it passes to called code.
struct Passing<'i, 'r> {
    id: CallId,
    receiver: Option<&'i Expression<'r>>,
    arguments: &'i [Expression<'r>],
}

/// A visitor that adds the uses of ports, hosts and paths by the calls of one body to a summary.
struct Calls<'s, 'i, 'r> {
    summaries: &'s Summaries<'i, 'r>,
    summary: &'s mut Summary,
    body: &'s BodyVariables<'i, 'r>,
    interesting: &'s [(CallId, Interest)],
    /// Whether branches of `if` and `switch` are left out, and `catch` blocks too. This is done outside the test's own
    /// classes, where it is unknown which branch a test takes.
    skips_branches: bool,
    /// The number of calls of assertions that enclose the expression being visited.
    inside_assertion: usize,
}

impl<'i, 'r: 'i> Visit<'i, 'r> for Calls<'_, 'i, 'r> {
    fn statement(&mut self, statement: &'i Statement<'r>) {
        match statement {
            Statement::If { condition, .. } if self.skips_branches => self.expression(condition),
            Statement::Switch(switch) if self.skips_branches => self.expression(&switch.subject),
            Statement::Try {
                resources,
                body,
                finally,
                ..
            } if self.skips_branches => {
                for block in [resources, body, finally] {
                    self.block(block);
                }
            }
            Statement::Try {
                body, catches, finally, ..
            } if accepts_failures(body, catches) => {
                for catch in catches {
                    self.block(&catch.body);
                }
                self.block(finally);
            }
            _ => walk_statement(self, statement),
        }
    }

    fn expression(&mut self, expression: &'i Expression<'r>) {
        match &expression.kind {
            // What an assumption reaches can skip a test, but not fail it.
            ExpressionKind::Call(call) if call.name.starts_with("assume") => return,
            ExpressionKind::Call(call) => {
                self.call(call.id, call.name, call.receiver.as_ref(), &call.arguments, expression);
                let is_assertion = usize::from(call.name.starts_with("assert"));
                self.inside_assertion += is_assertion;
                walk_expression(self, expression);
                self.inside_assertion -= is_assertion;
                return;
            }
            ExpressionKind::New(new) => self.call(new.id, CONSTRUCTOR, None, &new.arguments, expression),
            ExpressionKind::DelegateConstructor { id, arguments, .. } => {
                self.call(*id, CONSTRUCTOR, None, arguments, expression);
            }
            _ => {}
        }
        walk_expression(self, expression);
    }
}

impl<'i, 'r: 'i> Calls<'_, 'i, 'r> {
    fn call(
        &mut self,
        id: CallId,
        name: &'r str,
        receiver: Option<&'i Expression<'r>>,
        arguments: &'i [Expression<'r>],
        whole: &'i Expression<'r>,
    ) {
        let Ok(at) = self.interesting.binary_search_by_key(&id.0, |(it, _)| it.0) else {
            return;
        };
        let summaries = self.summaries;
        let site = self.body.site(whole);
        let target = target_of_chain(self.body.targets, whole);
        let mut is_use = false;
        for entry in Catalogue::uses(summaries.index, self.body.file, target, name, arguments.len()) {
            is_use = true;
            self.add_use(entry, receiver, arguments, whole, site);
        }
        // A class of the repository that the catalogue knows is not searched again.
        if is_use {
            return;
        }
        for (called, distance) in &self.interesting[at].1.called {
            for found in &called.found {
                let is_outside = *distance == Distance::Outside;
                if is_outside && found.settled_by.is_some() {
                    continue;
                }
                let mut found = found.clone();
                found.depth = found.depth.saturating_add(u8::from(is_outside));
                self.summary.found.push(found);
            }
            for open in &called.open {
                self.complete(open, id, receiver, arguments, site);
            }
        }
    }

    fn add_use(
        &mut self,
        entry: &UseEntry,
        receiver: Option<&'i Expression<'r>>,
        arguments: &'i [Expression<'r>],
        whole: &'i Expression<'r>,
        site: Site,
    ) {
        let evaluator = &self.summaries.evaluator;
        let text = evaluator.text(self.body, whole);
        let mentions =
            |words: &[String], text: &str| words.is_empty() || words.iter().any(|it| text.contains(it.as_str()));
        let is_mentioned = mentions(&entry.mentions, text)
            && mentions(&entry.file_mentions, self.summaries.index.source(self.body.file).text());
        let is_mocked = receiver.is_some_and(|it| is_static_mock(evaluator, self.body, it));
        if !is_mentioned || is_mocked || !is_fitting(evaluator, self.body, entry, receiver) {
            return;
        }
        if entry.kind == Use::FindPort {
            // A port that is only asserted is not used.
            if self.inside_assertion == 0 {
                self.summary.find(entry.kind, site);
            }
            return;
        }
        let value = match entry.argument {
            Some(at) => arguments.get(at),
            None => receiver,
        };
        let Some(value) = value else {
            return;
        };
        let open = OpenUse {
            kind: entry.kind,
            term: evaluator.term(self.body, value, entry.kind.wanted()),
            site,
            steps: Vec::new(),
        };
        self.summary.add(open, site, Vec::new());
    }

    /// Adds a use of a port, host or path in called code, where its value is a parameter. The argument that this call
    /// passes takes the place of the parameter.
    fn complete(
        &mut self,
        open: &OpenUse,
        id: CallId,
        receiver: Option<&'i Expression<'r>>,
        arguments: &'i [Expression<'r>],
        site: Site,
    ) {
        let mut source = site;
        let mut steps = Vec::new();
        let passing = Passing {
            id,
            receiver,
            arguments,
        };
        let term = self.completed(&open.term, &passing, &mut source);
        if source != site {
            steps.push(site);
        }
        let mut passed = vec![site];
        passed.extend_from_slice(&open.steps);
        steps.extend_from_slice(&open.steps);
        steps.push(open.site);
        let open = OpenUse {
            kind: open.kind,
            term,
            site: open.site,
            steps: passed,
        };
        self.summary.add(open, source, steps);
    }

    /// The value `term` of called code, with parameters replaced by what a call passes. If the receiver got the value
    /// when it was constructed, `source` becomes the site of that `new` expression.
    fn completed(&self, term: &Term, passing: &Passing<'i, 'r>, source: &mut Site) -> Term {
        let evaluator = &self.summaries.evaluator;
        let argument = |at: usize, wanted| {
            let argument = passing.arguments.get(at);
            argument.map_or(Term::Unknown, |it| evaluator.term(self.body, it, wanted))
        };
        match term {
            Term::Parameter(at, wanted) => argument(*at, *wanted),
            Term::Constructed(constructor, at, wanted) => {
                let called = self.body.targets[passing.id.0 as usize];
                match passing.receiver {
                    _ if called == Target::Declared(*constructor) => argument(*at, *wanted),
                    Some(receiver) if !matches!(receiver.kind, ExpressionKind::This | ExpressionKind::Super) => {
                        let Some(made) = evaluator.construction(self.body, receiver) else {
                            return Term::Unknown;
                        };
                        *source = made.site;
                        self.constructed(&made, *constructor, *at, *wanted)
                    }
                    _ => term.clone(),
                }
            }
            Term::Path(parts, site) => {
                let parts: Vec<Term> = parts.iter().map(|it| self.completed(it, passing, source)).collect();
                path(&parts, *site)
            }
            Term::Known(..) => term.clone(),
            Term::Unknown => Term::Unknown,
        }
    }

    /// The value that the constructor `constructor` got as its argument `at` when the object `made` was constructed.
    /// Another constructor may have called it by `this(..)` or `super(..)`.
    fn constructed(&self, made: &Construction, constructor: MethodId, at: usize, wanted: Wanted) -> Term {
        let given = |at: usize| match made.arguments.get(at) {
            Some([port, _]) if wanted == Wanted::Port => port.clone(),
            Some([_, text]) => text.clone(),
            None => Term::Unknown,
        };
        if made.constructor == Some(constructor) {
            return given(at);
        }
        match made.constructor {
            Some(other) if self.summaries.index.inherits(made.class, constructor.owner) => {
                match self.summaries.evaluator.delegated(other, constructor, at, wanted) {
                    Term::Parameter(at, _) => given(at),
                    term => term,
                }
            }
            _ => Term::Unknown,
        }
    }
}
