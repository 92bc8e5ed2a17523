//! The fields of a class that the body of a method reads and writes.

use rustc_hash::FxHashSet;

use super::catalogue::{Catalogue, lists};
use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::syntax::body::{Expression, ExpressionKind, Local};
use crate::syntax::visit::{Visit, walk_block, walk_expression, walk_local};

/// The fields that a method itself reads and writes, by name, without those of methods that it calls.
#[derive(Debug, Default)]
pub(super) struct FieldUses<'r> {
    pub(super) reads: FxHashSet<&'r str>,
    pub(super) writes: FxHashSet<&'r str>,
    /// Fields that the method reads earlier in its source text than it assigns them, or that it reads and never
    /// assigns.
    pub(super) needs: FxHashSet<&'r str>,
    /// Fields with a list or text that the method adds to: `log.append("a")`.
    pub(super) extends: FxHashSet<&'r str>,
}

impl<'r> FieldUses<'r> {
    /// The fields that a method uses, if its class or superclasses declare them.
    pub(super) fn of(index: &Index<'r>, method: MethodId) -> Self {
        let declared = index.method(method);
        let mut uses = Collector {
            index,
            owner: method.owner,
            locals: declared.parameters.iter().map(|it| it.name).collect(),
            found: Self::default(),
        };
        let Some(code) = &declared.code else {
            return uses.found;
        };
        walk_block(&mut uses, &code.get().block);
        let mocks = &Catalogue::shipped().mocks;
        if code.get().calls.iter().any(|it| lists(&mocks.calls, it.name)) {
            let fields = index.declaration(method.owner).fields.iter();
            let mocked = fields.filter(|it| {
                mocks
                    .annotations
                    .iter()
                    .any(|name| it.code.source().contains(name.as_str()))
            });
            uses.found.writes.extend(mocked.map(|it| it.name));
        }
        uses.found
    }

    /// A field that both methods add to, or else a field that one of them writes and the other reads or writes. Of
    /// several, the same one is always returned; `None` if there is none.
    pub(super) fn shared_with(&self, other: &Self) -> Option<&'r str> {
        if let Some(extended) = self.extends.intersection(&other.extends).min() {
            return Some(extended);
        }
        let used = |one: &Self, other: &Self| {
            let touched = one
                .writes
                .iter()
                .filter(|it| other.reads.contains(*it) || other.writes.contains(*it));
            touched.copied().min()
        };
        used(self, other).or_else(|| used(other, self))
    }
}

/// A visitor that collects the fields that the body of a method uses.
struct Collector<'i, 'r> {
    index: &'i Index<'r>,
    owner: TypeId,
    locals: Vec<&'r str>,
    found: FieldUses<'r>,
}

impl<'r> Collector<'_, 'r> {
    /// The field of the class that an expression such as `log` or `this.log` names; `None` for other expressions.
    fn field(&self, expression: &Expression<'r>) -> Option<&'r str> {
        let name = match &expression.kind {
            ExpressionKind::Name(name) if !self.locals.contains(name) => name,
            ExpressionKind::Field { object, name } if matches!(object.kind, ExpressionKind::This) => name,
            _ => return None,
        };
        self.index.field(self.owner, name).map(|_| *name)
    }

    /// The field with a list or text that a call adds to: `log` in `log.append("a")`. `None` for other expressions.
    fn extended(&self, expression: &Expression<'r>) -> Option<&'r str> {
        let ExpressionKind::Call(call) = &expression.kind else {
            return None;
        };
        let field = self.field(call.receiver.as_ref()?)?;
        let sequences = &Catalogue::shipped().sequences;
        let (_, declared) = self.index.field(self.owner, field)?;
        let type_name = declared.type_text.split('<').next().unwrap_or_default();
        (lists(&sequences.types, type_name) && lists(&sequences.calls, call.name)).then_some(field)
    }
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Collector<'_, 'r> {
    fn local(&mut self, local: &'b Local<'r>) {
        self.locals.push(local.name);
        walk_local(self, local);
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        let ExpressionKind::Assign { target, value, .. } = &expression.kind else {
            if let Some(field) = self.field(expression) {
                self.found.reads.insert(field);
                if !self.found.writes.contains(field) {
                    self.found.needs.insert(field);
                }
            }
            self.found.extends.extend(self.extended(expression));
            return walk_expression(self, expression);
        };
        self.expression(value);
        if let Some(field) = self.field(target) {
            self.found.writes.insert(field);
        } else {
            self.expression(target);
        }
    }
}
