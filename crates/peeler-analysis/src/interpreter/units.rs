//! Summaries of units of code, computed once for all runs unless a unit is part of a cycle or near a limit.

use super::run::{MAX_DEPTH, MAX_SENT, Run};
use super::shared::{Summary, Unit};
use super::value::Value;
use crate::symbols::ids::{MethodId, TypeId};
use std::sync::Arc;

impl<'i, 'r> Run<'_, 'i, 'r> {
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

    pub(super) fn compute(&mut self, unit: Unit<'r>) -> Arc<Summary<'i, 'r>> {
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
    pub(super) fn replay(&mut self, summary: &Summary<'i, 'r>) {
        summary.reports.iter().for_each(|it| self.report(it.clone()));
        if let Some(thrown) = &summary.thrown {
            self.thrown = Some(thrown.clone());
        }
        let room = MAX_SENT.saturating_sub(self.sent.len());
        self.sent.extend(summary.sent.iter().take(room).cloned());
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
