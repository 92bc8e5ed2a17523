//! Assignments of an abstract run: where values are stored, and how a loop over unordered elements changes them.

use super::expression::{local_name, root};
use super::run::Run;
use super::trace::Exposure;
use super::value::{Disorder, Form, Value};
use crate::symbols::names::TypeReference;
use crate::syntax::body::{Expression, ExpressionKind};
use std::sync::Arc;

impl<'i, 'r> Run<'_, 'i, 'r> {
    pub(super) fn assignment(
        &mut self,
        operator: &'r str,
        target: &'i Expression<'r>,
        expression: &'i Expression<'r>,
    ) -> Value<'i, 'r> {
        let site = self.site(expression);
        let mut value = self.value(expression);
        let is_plus = operator == "+=";
        if is_plus || is_sum_with(target, expression) {
            let before = self.value(target);
            let is_text = before.form == Form::Text || value.form == Form::Text;
            let mut sum = Value::of(if is_text { Form::Text } else { before.form });
            sum.absorb(&before);
            if is_plus {
                sum.absorb(&value);
            } else {
                sum = value;
            }
            if is_text {
                self.expose_in_loop(&mut sum, target, Exposure::Text, site);
            }
            value = sum;
        } else if operator == "=" {
            let at = local_name(target).and_then(|it| self.local_at(it));
            let last_wins = self.loop_around(at).filter(|it| it.takes_any(local_name(target)));
            if let Some(trace) = last_wins.and_then(|it| it.trace.as_ref())
                && value.constant.is_none()
                && value.disorder.is_none()
                && value.form != Form::Boolean
                && at.is_some()
            {
                value.disorder = Some(Box::new(Disorder {
                    exposure: Exposure::Element,
                    trace: trace.then(site),
                    is_sure: true,
                    bracket: None,
                }));
            }
        }
        if let ExpressionKind::Index { array, index } = &target.kind {
            let mut container = self.value(array);
            let mut element = value.clone();
            let is_placed = matches!(index.kind, ExpressionKind::Literal(_));
            // Elements that are taken one by one make a sequence.
            let taken = element
                .disorder
                .take_if(|it| it.exposure == Exposure::Element && !is_placed && !self.frame.loops.is_empty());
            if let Some(mut disorder) = taken.filter(|_| container.disorder.is_none()) {
                disorder.exposure = Exposure::Sequence;
                container.disorder = Some(Box::new(disorder.then(site)));
            }
            container.add_element(&element);
            if self.is_counted(index) {
                self.expose_in_loop(&mut container, array, Exposure::Sequence, site);
            }
            self.store(array, container);
            return value;
        }
        self.store(target, value.clone());
        value
    }

    /// Whether an array or list index counts the iterations of a loop: `i++`, or a variable from outside the loop.
    pub(super) fn is_counted(&self, position: &Expression<'r>) -> bool {
        match &position.kind {
            ExpressionKind::Update { .. } => true,
            ExpressionKind::Name(name) => {
                let outside = self.frame.loops.last().map_or(0, |it| it.outside);
                self.local_at(name).is_none_or(|at| at < outside)
            }
            ExpressionKind::Binary { operands, .. } => operands.iter().any(|it| self.is_counted(it)),
            _ => false,
        }
    }

    /// Marks a value as unordered if it was put together in a loop that visits elements in no defined order. `place` is
    /// the variable that holds the value, and `exposure` tells how the order shows in it.
    pub(super) fn expose_in_loop(
        &self,
        value: &mut Value<'i, 'r>,
        place: &Expression<'r>,
        exposure: Exposure,
        site: crate::flows::flow::Site,
    ) {
        let at = local_name(root(place)).and_then(|it| self.local_at(it));
        if value
            .disorder
            .as_ref()
            .is_some_and(|it| it.exposure != Exposure::Container)
        {
            return;
        }
        if let Some(around) = self.loop_around(at)
            && let Some(trace) = &around.trace
        {
            value.disorder = Some(Box::new(Disorder {
                exposure,
                trace: trace.then(site),
                is_sure: around.is_sure,
                bracket: None,
            }));
        }
    }

    /// Stores an abstract value in a variable or field. Values of other places, such as array elements, are not
    /// tracked.
    pub(super) fn store(&mut self, target: &'i Expression<'r>, value: Value<'i, 'r>) {
        match &target.kind {
            ExpressionKind::Name(name) => match self.local_at(name) {
                Some(at) => {
                    let known = &self.locals[at].1;
                    let (form, class) = (known.form, known.class);
                    let place = &mut self.locals[at].1;
                    *place = value;
                    if place.form == Form::Unknown && place.class.is_none() {
                        place.form = form;
                        place.class = class;
                    }
                }
                None => self.store_field(name, value),
            },
            ExpressionKind::Field { object, name } => match &object.kind {
                ExpressionKind::This | ExpressionKind::Super => self.store_field(name, value),
                _ => match self.named_type(object) {
                    Some(TypeReference::Type(id)) => {
                        if let Some((ancestor, field)) = self.shared.index.field(id, name) {
                            self.statics.insert((ancestor.id, field.name), value);
                        }
                    }
                    Some(TypeReference::External(_)) => {}
                    None => {
                        let mut owner = self.value(object);
                        if let Some(object_value) = &mut owner.object {
                            Arc::make_mut(object_value).fields.insert(name, value);
                            self.store(object, owner);
                        }
                    }
                },
            },
            ExpressionKind::Cast { value: place, .. } => self.store(place, value),
            _ => {}
        }
    }

    pub(super) fn store_field(&mut self, name: &'r str, value: Value<'i, 'r>) {
        let index = self.shared.index;
        let mut around = Some(self.frame.owner);
        while let Some(id) = around {
            if let Some((ancestor, field)) = index.field(id, name) {
                if field.is_static {
                    self.statics.insert((ancestor.id, field.name), value);
                } else if let Some(this) = &mut self.frame.this {
                    let mut value = value;
                    if value.form == Form::Unknown
                        && let Some(known) = this.fields.get(name)
                    {
                        value.form = known.form;
                    }
                    Arc::make_mut(this).fields.insert(field.name, value);
                }
                return;
            }
            around = index.enclosing(id);
        }
    }
}

/// Whether an expression is a sum that contains the variable `target`, as in `text = text + word`.
fn is_sum_with(target: &Expression<'_>, value: &Expression<'_>) -> bool {
    let (
        Some(name),
        ExpressionKind::Binary {
            operator: "+",
            operands,
        },
    ) = (local_name(target), &value.kind)
    else {
        return false;
    };
    operands.iter().any(|it| local_name(it) == Some(name))
}
