//! Summaries of units of code (methods, constructors, static fields), computed once for all abstract runs.
//!
//! Recursion ends at the limit of nested calls. If this limit cuts off a part of the code, the summary holds only for
//! the call depth at which it was computed. Any other summary holds at every depth where its own nested calls stay
//! within the limit. So results do not depend on which run asks first.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::report::Report;
use super::run::{MAX_DEPTH, MAX_SENT, Run};
use super::shared::{Summary, Unit};
use super::statement::either_thrown;
use super::trace::Trace;
use super::value::Value;
use crate::symbols::ids::{FileId, MethodId, TypeId};

impl<'i, 'r> Run<'_, 'i, 'r> {
    /// The summary of a method or other unit of code. It is computed once for all abstract runs, or once for each call
    /// depth if the limit of nested calls matters.
    pub(super) fn summary(&mut self, unit: Unit<'r>) -> Arc<Summary<'i, 'r>> {
        if self.depth >= MAX_DEPTH {
            self.is_depth_cut = true;
            self.is_cut = true;
            return Arc::new(Summary::unknown());
        }
        let summary = match self.shared.summary(unit, self.depth) {
            Some(known) => known,
            None => self.compute(unit),
        };
        self.deepest = self.deepest.max(self.depth + summary.height);
        self.is_cut |= summary.is_cut;
        self.is_depth_cut |= summary.is_depth_cut;
        if self.used.insert(summary.number) {
            self.files.extend(summary.files.iter().copied());
        }
        self.replay(&summary);
        summary
    }

    /// Computes the summary of a method or other unit of code. Nothing of the current run has an influence, except the
    /// number of nested calls.
    fn compute(&mut self, unit: Unit<'r>) -> Arc<Summary<'i, 'r>> {
        let start = self.depth;
        let outer = Outer {
            stack: std::mem::replace(&mut self.stack, vec![unit]),
            steps: std::mem::take(&mut self.steps),
            reports: std::mem::take(&mut self.reports),
            thrown: self.thrown.take(),
            sent: std::mem::take(&mut self.sent),
            given: std::mem::take(&mut self.given),
            singles: std::mem::take(&mut self.singles),
            files: std::mem::take(&mut self.files),
            used: std::mem::take(&mut self.used),
            statics: std::mem::take(&mut self.statics),
            is_cut: std::mem::take(&mut self.is_cut),
            is_depth_cut: std::mem::take(&mut self.is_depth_cut),
            is_zone_set: std::mem::take(&mut self.is_zone_set),
            deepest: self.deepest,
        };
        self.units += 1;
        self.depth += 1;
        self.deepest = self.depth;
        let mut summary = self.run_unit(unit);
        self.depth -= 1;
        self.units -= 1;
        let mut files: Vec<_> = std::mem::replace(&mut self.files, outer.files).into_iter().collect();
        files.sort_unstable();
        summary.files = files.into();
        self.used = outer.used;
        summary.reports = std::mem::replace(&mut self.reports, outer.reports);
        summary.thrown = std::mem::replace(&mut self.thrown, outer.thrown).map(Box::new);
        summary.sent = std::mem::replace(&mut self.sent, outer.sent);
        summary.height = self.deepest - start;
        summary.is_cut = std::mem::replace(&mut self.is_cut, outer.is_cut);
        summary.is_depth_cut = std::mem::replace(&mut self.is_depth_cut, outer.is_depth_cut);
        self.stack = outer.stack;
        self.steps = outer.steps;
        summary.given = std::mem::replace(&mut self.given, outer.given);
        self.singles = outer.singles;
        self.statics = outer.statics;
        self.deepest = outer.deepest;
        self.is_zone_set = outer.is_zone_set;
        summary.number = self.shared.next_number();
        let summary = Arc::new(summary);
        self.shared.store(unit, start, summary.clone());
        summary
    }

    /// Adds what a summary describes to the current run: values at assertions, exceptions, and arguments passed to
    /// mocks or to unknown code.
    pub(super) fn replay(&mut self, summary: &Summary<'i, 'r>) {
        for report in &summary.reports {
            if self.is_new(report) {
                self.reports.push(report.clone());
            }
        }
        if let Some(thrown) = &summary.thrown {
            self.thrown = Some(match self.thrown.take() {
                Some(known) => either_thrown(known, thrown),
                None => Value::clone(thrown),
            });
        }
        let room = MAX_SENT.saturating_sub(self.sent.len());
        self.sent.extend(summary.sent.iter().take(room).cloned());
        // What code under test passes on inside does not concern the test.
        let own = summary
            .given
            .iter()
            .filter(|it| it.origin().site.file == self.frame.file);
        let own: Vec<Trace> = own.filter(|it| it.origin().kind.is_drawn()).cloned().collect();
        for trace in &own {
            self.remember_given(trace, &Value::default());
        }
    }

    pub(super) fn run_unit(&mut self, unit: Unit<'r>) -> Summary<'i, 'r> {
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
}

/// The state of an abstract run that is set aside while the summary of a called method is computed.
struct Outer<'i, 'r> {
    stack: Vec<Unit<'r>>,
    steps: u32,
    reports: Vec<Report>,
    thrown: Option<Value<'i, 'r>>,
    sent: Vec<(MethodId, Vec<Value<'i, 'r>>)>,
    given: Vec<Trace>,
    singles: Vec<&'r str>,
    files: FxHashSet<FileId>,
    used: FxHashSet<u32>,
    statics: FxHashMap<(TypeId, &'r str), Value<'i, 'r>>,
    is_cut: bool,
    is_depth_cut: bool,
    is_zone_set: bool,
    deepest: u16,
}
