//! The abstract run of statements: how values move into variables, and how branches and loops are joined.

use std::sync::Arc;

use super::decide::null_branch;
use super::run::{Condition, Loop, Run};
use super::trace::{Exposure, Trace};
use super::value::{Disorder, Form, Value};
use crate::syntax::body::{Block, Catch, Expression, ExpressionKind, Local, Statement, Switch};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// Abstractly runs the statements of a block. Local variables that they declare go out of scope at its end.
    pub(super) fn block(&mut self, block: &'i Block<'r>) {
        let scope = self.locals.len();
        let mut guards = 0;
        for statement in block {
            if self.frame.is_done || !self.step(1) {
                break;
            }
            self.statement(statement);
            if let Some(condition) = guard(statement)
                && let Some(innermost) = self.frame.loops.last_mut()
            {
                let text = self.shared.index.source(self.frame.file).text();
                let condition = text.get(condition.start as usize..condition.end as usize);
                innermost.conditions.push(Condition(condition.unwrap_or_default()));
                guards += 1;
            }
        }
        if let Some(innermost) = self.frame.loops.last_mut() {
            innermost.conditions.truncate(innermost.conditions.len() - guards);
        }
        self.locals.truncate(scope);
    }

    fn statement(&mut self, statement: &'i Statement<'r>) {
        match statement {
            Statement::Local(local) => self.local(local),
            Statement::Expression(value) => self.discard(value),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let outcome = self.value(condition);
                if fails(then) || fails(otherwise) {
                    self.fail_by(condition, &outcome);
                }
                match self.decided(condition) {
                    Some(true) => self.block(then),
                    Some(false) => self.block(otherwise),
                    None => {
                        let text = self.text(condition);
                        let null = null_branch(condition);
                        self.conditionally(text, |run| run.branches([then, otherwise], null));
                    }
                }
            }
            Statement::Loop {
                init,
                condition,
                update,
                body,
            } => {
                let scope = self.locals.len();
                for statement in init {
                    self.statement(statement);
                }
                let trace = condition.as_ref().and_then(|it| {
                    let by_index = self.indexed_by(it, body);
                    by_index.or_else(|| self.visited_by(it))
                });
                self.turns(trace, false, |run| {
                    if let Some(condition) = condition {
                        run.value(condition);
                    }
                    run.block(body);
                    for value in update {
                        run.discard(value);
                    }
                });
                self.locals.truncate(scope);
            }
            Statement::ForEach {
                variable,
                iterable,
                body,
            } => {
                let container = self.value(iterable);
                let site = self.site(iterable);
                let trace = container.iteration().map(|it| it.then(site));
                let mut element = container.element();
                if element.form == Form::Unknown && element.class.is_none() {
                    let typed = self.of_written_type(variable.type_text, variable.dimensions);
                    element.form = typed.form;
                    element.class = typed.class;
                }
                if container.form == Form::Map {
                    element.form = Form::Entry;
                }
                self.turns(trace, container.count.is_some(), |run| {
                    run.locals.push((variable.name, element));
                    run.block(body);
                    run.locals.pop();
                });
            }
            Statement::Switch(switch) => {
                self.switch(switch);
            }
            Statement::Return(Some(value)) => {
                let returned = self.value(value);
                self.returns(returned, value);
                self.frame.is_done = true;
            }
            Statement::Yield(value) => {
                let yielded = self.value(value);
                self.returns(yielded, value);
            }
            Statement::Return(None) => self.frame.is_done = true,
            Statement::Throw(value) => {
                let thrown = self.value(value);
                self.thrown = Some(match self.thrown.take() {
                    Some(known) => either_thrown(known, &thrown),
                    None => thrown,
                });
                self.frame.is_done = true;
            }
            Statement::Try {
                resources,
                body,
                catches,
                finally,
            } => {
                let scope = self.locals.len();
                for resource in resources {
                    self.statement(resource);
                }
                let reports = self.reports.len();
                self.block(body);
                if catches.iter().any(accepts_failure) {
                    self.reports.truncate(reports);
                }
                // An exception may end the body before its end.
                self.frame.is_done &= catches.is_empty();
                let is_done = std::mem::take(&mut self.frame.is_done);
                self.locals.truncate(scope);
                for catch in catches {
                    let mut value = self.of_written_type(catch.variable.type_text, 0);
                    if let Some(thrown) = self.thrown.take() {
                        value.inner.clone_from(&thrown.inner);
                    }
                    self.conditionally("catch ==", |run| {
                        let before = run.snapshot();
                        run.locals.push((catch.variable.name, value));
                        run.block(&catch.body);
                        run.locals.pop();
                        run.join(before);
                    });
                    self.frame.is_done = false;
                }
                self.block(finally);
                self.frame.is_done |= is_done;
            }
            Statement::Assert { condition, .. } => self.assert_condition(condition),
            Statement::Block(block) => self.block(block),
            Statement::LocalType(_) => {}
        }
    }

    /// Abstractly runs the declaration of a local variable, with its initial value.
    pub(super) fn local(&mut self, local: &'i Local<'r>) {
        let mut value = match &local.value {
            Some(value) => self.value(value),
            None => Value::default(),
        };
        self.give_type(&mut value, local);
        self.locals.push((local.name, value));
    }

    /// Gives an abstract value, if it is not known to be a text, list or the like, the declared type of its variable.
    pub(super) fn give_type(&self, value: &mut Value<'i, 'r>, local: &Local<'r>) {
        if value.form != Form::Unknown || value.class.is_some() || local.type_text == "var" {
            return;
        }
        let typed = self.of_written_type(local.type_text, local.dimensions);
        value.form = typed.form;
        value.class = typed.class;
        value.inner = value.inner.take().or(typed.inner);
    }

    /// Records the value of a `return`. In a loop over unordered elements it counts as an element picked by position,
    /// unless a condition selects it.
    fn returns(&mut self, mut value: Value<'i, 'r>, expression: &Expression<'r>) {
        let site = self.site(expression);
        if let Some(around) = self.loop_around(None)
            && around.takes_any(None)
            && value.disorder.is_none()
            && value.constant.is_none()
            && value.form != Form::Boolean
        {
            value.disorder = around.trace.as_ref().map(|trace| {
                Box::new(Disorder {
                    exposure: Exposure::Element,
                    trace: trace.then(site),
                    is_sure: true,
                    bracket: None,
                })
            });
        }
        value.settings.is_placeholder =
            value.form.is_container() && value.count == Some(0) && matches!(expression.kind, ExpressionKind::New(_));
        self.frame.returned = Some(match self.frame.returned.take() {
            Some(known) => either_returned(known, value),
            None => value,
        });
    }

    /// The trace (source and places passed) of the undefined order in which a loop such as `while (names.hasNext())`
    /// visits elements. `None` if the order is defined.
    fn visited_by(&mut self, condition: &'i Expression<'r>) -> Option<Trace> {
        let ExpressionKind::Call(call) = &condition.kind else {
            return None;
        };
        if !matches!(call.name, "hasNext" | "hasMoreElements" | "next") {
            return None;
        }
        let iterator = self.value(call.receiver.as_ref()?);
        if call.name == "next" && iterator.form != Form::Rows {
            return None;
        }
        let site = self.site(condition);
        iterator.iteration().map(|it| it.then(site))
    }

    /// Calls `run` while `condition` counts as a condition around the current statement.
    pub(super) fn conditionally(&mut self, condition: &'r str, run: impl FnOnce(&mut Self)) {
        if let Some(innermost) = self.frame.loops.last_mut() {
            innermost.conditions.push(Condition(condition));
        }
        run(self);
        if let Some(innermost) = self.frame.loops.last_mut() {
            innermost.conditions.pop();
        }
    }

    /// Abstractly runs the body of a loop once and joins the resulting variables with those before the loop. `trace` is
    /// the source of the undefined order in which the loop visits elements; `None` if the order is defined. `is_sure`
    /// says whether the loop is known to visit two or more elements.
    pub(super) fn turns(&mut self, trace: Option<Trace>, is_sure: bool, body: impl FnOnce(&mut Self)) {
        let before = self.snapshot();
        self.frame.loops.push(Loop {
            trace,
            is_sure,
            outside: self.locals.len(),
            conditions: Vec::new(),
        });
        body(self);
        self.frame.is_done = false;
        self.frame.loops.pop();
        // A container to which the body added elements has another count before it, so the joined count is unknown.
        self.join(before);
    }

    /// Abstractly runs both branches of an `if`. `null` names a variable that is null in one of them.
    fn branches(&mut self, branches: [&'i Block<'r>; 2], null: Option<(&'r str, usize)>) {
        let mut is_done = true;
        self.alternatives(branches.len(), false, |run, at| {
            let variable = null.filter(|it| it.1 == at).and_then(|it| run.local_at(it.0));
            run.with_null(variable, |run| run.block(branches[at]));
            is_done &= std::mem::take(&mut run.frame.is_done);
        });
        self.frame.is_done = is_done;
    }

    /// The abstract value of a `switch`: the join of the values of its arms.
    pub(super) fn switch(&mut self, switch: &'i Switch<'r>) -> Value<'i, 'r> {
        self.value(&switch.subject);
        let outer = self.frame.returned.take();
        self.alternatives(switch.arms.len(), !switch.has_default, |run, at| {
            let arm = &switch.arms[at];
            let scope = run.locals.len();
            for binding in &arm.bindings {
                run.local(binding);
            }
            run.conditionally("switch ==", |run| run.block(&arm.body));
            run.frame.is_done = false;
            run.locals.truncate(scope);
        });
        let value = self.frame.returned.take();
        // A switch statement may also contain returns of its method, so its values stay returned values.
        self.frame.returned = match (outer, &value) {
            (Some(outer), Some(value)) => Some(outer.join(value)),
            (outer, value) => outer.or_else(|| value.clone()),
        };
        value.unwrap_or_default()
    }

    /// Abstractly runs each of `count` alternatives from the current point, and joins what they make of the local
    /// variables and the receiver. `may_run_none` says whether the code may also go on without any of them.
    fn alternatives(&mut self, count: usize, may_run_none: bool, mut alternative: impl FnMut(&mut Self, usize)) {
        let uses = count.saturating_sub(1) + usize::from(may_run_none);
        let mut starts = std::iter::repeat_n(self.snapshot(), uses);
        let mut joined = None;
        for at in 0..count {
            // The first alternative starts where the run is already.
            if at > 0
                && let Some(start) = starts.next()
            {
                self.restore(start);
            }
            alternative(self, at);
            if let Some(other) = joined.take() {
                self.join(other);
            }
            self.count_locals();
            if at + 1 < count {
                joined = Some(Snapshot {
                    locals: std::mem::take(&mut self.locals),
                    this: self.frame.this.take(),
                });
            }
        }
        if let Some(start) = starts.next() {
            self.join(start);
        }
    }

    /// Counts the steps that local variables cost where branches meet.
    fn count_locals(&mut self) {
        self.step(self.locals.len() / 4);
    }

    /// A copy of the local variables and the receiver at the current point of the abstract run.
    pub(super) fn snapshot(&mut self) -> Snapshot<'i, 'r> {
        self.count_locals();
        Snapshot {
            locals: self.locals.clone(),
            this: self.frame.this.clone(),
        }
    }

    fn restore(&mut self, snapshot: Snapshot<'i, 'r>) {
        self.locals = snapshot.locals;
        self.frame.this = snapshot.this;
    }

    /// Joins the local variables and the receiver with those that another branch has at the same point.
    pub(super) fn join(&mut self, other: Snapshot<'i, 'r>) {
        for ((_, value), (_, from)) in self.locals.iter_mut().zip(&other.locals) {
            value.join_with(from);
        }
        self.frame.this = match (self.frame.this.take(), other.this) {
            (Some(a), Some(b)) if Arc::ptr_eq(&a, &b) => Some(a),
            (a, b) => {
                let of = |object| Value {
                    object,
                    ..Value::default()
                };
                of(a).join(&of(b)).object
            }
        };
    }
}

/// Joins two exceptions, of which either may be thrown. If only one has a message with an undefined order, the joined
/// message counts as ordered, so that nothing is reported in doubt.
pub(super) fn either_thrown<'i, 'r>(one: Value<'i, 'r>, other: &Value<'i, 'r>) -> Value<'i, 'r> {
    let has_order = |it: &Value<'_, '_>| it.inner.as_ref().is_none_or(|it| it.disorder.is_none());
    let is_doubtful = has_order(&one) != has_order(other);
    let mut joined = one.join(other);
    if is_doubtful && let Some(message) = &mut joined.inner {
        Arc::make_mut(message).disorder = None;
    }
    joined
}

/// Joins two returned values, of which either may be returned. A new container without elements, as in `return new
/// HashMap<>()`, stands in for content that is missing, so its order does not count beside other content.
fn either_returned<'i, 'r>(mut one: Value<'i, 'r>, mut other: Value<'i, 'r>) -> Value<'i, 'r> {
    let is_null = |it: &Value<'i, 'r>| it.constant == Some("null");
    match (one.settings.is_placeholder, other.settings.is_placeholder) {
        (true, false) if is_null(&other) => return one,
        (false, true) if is_null(&one) => return other,
        (true, false) => one.disorder = None,
        (false, true) => other.disorder = None,
        _ => {}
    }
    one.join(&other)
}

/// The local variables and the receiver at one point of an abstract run.
#[derive(Clone)]
pub(super) struct Snapshot<'i, 'r> {
    locals: Vec<(&'r str, Value<'i, 'r>)>,
    this: Option<Arc<super::value::Object<'i, 'r>>>,
}

/// The condition of an `if` with nothing in it but `continue` or `break`, which decides whether the statements after it
/// run. `None` for other statements.
fn guard<'i, 'r>(statement: &'i Statement<'r>) -> Option<&'i Expression<'r>> {
    match statement {
        Statement::If {
            condition,
            then,
            otherwise,
        } if then.is_empty() && otherwise.is_empty() => Some(condition),
        _ => None,
    }
}

/// Whether a test goes on after a failed assertion: `catch (AssertionError expected) {}`.
fn accepts_failure(catch: &Catch<'_>) -> bool {
    let throws = catch.body.iter().any(|it| matches!(it, Statement::Throw(_)));
    catch.variable.type_text.contains("AssertionError") && !throws && !fails(&catch.body)
}

/// Whether a statement of a block fails the test: `fail(..)`, or `throw new AssertionError(..)`.
fn fails(block: &Block<'_>) -> bool {
    block.iter().any(|it| match it {
        Statement::Expression(Expression {
            kind: ExpressionKind::Call(call),
            ..
        }) => call.name == "fail",
        Statement::Throw(Expression {
            kind: ExpressionKind::New(new),
            ..
        }) => new.type_text.ends_with("AssertionError"),
        _ => false,
    })
}
