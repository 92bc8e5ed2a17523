//! The state of one abstract run: variables, the current body, limits and reports.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::report::Report;
pub(super) use super::shared::MAX_DEPTH;
use super::shared::{Shared, Unit};
use super::trace::Trace;
use super::value::{Form, Object, Value};
use crate::flows::flow::Site;
use crate::symbols::ids::{FileId, MethodId, TypeId};
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::targets::Target;
use crate::symbols::type_text::parse_type;
use crate::symbols::types::Type;
use crate::syntax::body::{CallId, Expression};

use super::facts::ClassRef;

/// The maximum number of abstract steps of one method, apart from called methods that have a summary.
const MAX_STEPS: u32 = 4_000;
/// The number of steps up to which calls near the test run with the exact receiver instead of a summary.
pub(super) const EXACT_STEPS: u32 = 1_500;
/// The number of nested calls up to which calls run with the exact receiver instead of a summary.
pub(super) const EXACT_DEPTH: u16 = 3;
/// The maximum number of calls of abstract methods whose arguments are remembered.
pub(super) const MAX_SENT: usize = 16;
/// The maximum number of reports about one method or other unit of code.
const MAX_REPORTS: usize = 64;

/// The body that an abstract run is running.
#[derive(Debug, Clone)]
pub(super) struct Frame<'i, 'r> {
    pub(super) file: FileId,
    /// The type that declares the running body.
    pub(super) owner: TypeId,
    pub(super) targets: &'i [Target<'r>],
    pub(super) this: Option<Arc<Object<'i, 'r>>>,
    pub(super) returned: Option<Value<'i, 'r>>,
    /// The loops around the current statement, innermost last.
    pub(super) loops: Vec<Loop<'r>>,
}

/// A loop around the current statement.
#[derive(Debug, Clone)]
pub(super) struct Loop<'r> {
    /// The trace of the order in which the loop visits elements; `None` if the order is defined.
    pub(super) trace: Option<Trace>,
    /// Whether the loop is known to visit two or more elements.
    pub(super) is_sure: bool,
    /// The number of local variables outside the loop.
    pub(super) outside: usize,
    /// The conditions between the loop and the current statement.
    pub(super) conditions: Vec<Condition<'r>>,
}

/// The source of a condition around a statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition<'r>(pub(super) &'r str);

impl Condition<'_> {
    /// Whether the condition selects an element by its identity or key, or compares it with the variable `name`. Only
    /// conditions that several elements meet, such as `price < 10`, do not.
    pub(super) fn selects(self, name: Option<&str>) -> bool {
        let open = [" < ", " > ", " <= ", " >= ", "startsWith", "endsWith"];
        !open.iter().any(|it| self.0.contains(it)) || name.is_some_and(|it| self.0.contains(it))
    }
}

impl Loop<'_> {
    /// Whether a statement of the loop runs for any element, since no condition around it selects one.
    pub(super) fn takes_any(&self, name: Option<&str>) -> bool {
        !self.conditions.iter().any(|it| it.selects(name))
    }
}

/// One abstract run of code: variables, current body, limits and reports.
pub(super) struct Run<'s, 'i, 'r> {
    pub(super) shared: &'s Shared<'i, 'r>,
    pub(super) frame: Frame<'i, 'r>,
    /// Local variables of the run with their values, innermost scope last.
    pub(super) locals: Vec<(&'r str, Value<'i, 'r>)>,
    /// Static fields that were written in this run.
    pub(super) statics: FxHashMap<(TypeId, &'r str), Value<'i, 'r>>,
    /// Methods and other units of code that are being run, outermost first.
    pub(super) stack: Vec<Unit<'r>>,
    /// The number of methods and other units around the current code whose summary is being computed.
    pub(super) units: usize,
    pub(super) steps: u32,
    pub(super) reports: Vec<Report>,
    /// Class members that the test picked by their position in the order of reflection. Its later assertions are about
    /// them.
    pub(super) picked_members: Vec<Trace>,
    /// The source texts of containers that the test asserted to have one element.
    pub(super) singles: Vec<&'r str>,
    /// What the run has thrown up to this point: exceptions with their messages.
    pub(super) thrown: Option<Value<'i, 'r>>,
    /// Arguments that the run passed to abstract methods, behind which there may be mocks.
    pub(super) sent: Vec<(MethodId, Vec<Value<'i, 'r>>)>,
    pub(super) files: FxHashSet<FileId>,
    /// Whether a limit cut off a part of this run.
    pub(super) is_cut: bool,
    /// The number of calls around the current body.
    pub(super) depth: u16,
    /// The largest depth of calls that the method being summarised reached.
    pub(super) deepest: u16,
    /// Whether the limit of nested calls cut off a part of this run.
    pub(super) is_depth_cut: bool,
    /// Whether the run has set the default time zone or locale.
    pub(super) is_zone_set: bool,
}

impl<'s, 'i, 'r> Run<'s, 'i, 'r> {
    pub(super) fn new(shared: &'s Shared<'i, 'r>, class: TypeId) -> Self {
        Self {
            shared,
            frame: Frame {
                file: shared.index.file_of(class),
                owner: class,
                targets: &[],
                this: None,
                returned: None,
                loops: Vec::new(),
            },
            locals: Vec::new(),
            statics: FxHashMap::default(),
            stack: Vec::new(),
            units: 0,
            steps: 0,
            reports: Vec::new(),
            picked_members: Vec::new(),
            singles: Vec::new(),
            thrown: None,
            sent: Vec::new(),
            files: FxHashSet::default(),
            is_cut: false,
            depth: 0,
            deepest: 0,
            is_depth_cut: false,
            is_zone_set: false,
        }
    }

    /// Enters a call. Returns whether its body may be run; if so, [`Self::leave`] must follow.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.is_cut = true;
            self.is_depth_cut = true;
            return false;
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        true
    }

    /// Leaves a call that [`Self::enter`] entered.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts `cost` steps. Returns whether the run may go on.
    pub(super) fn step(&mut self, cost: usize) -> bool {
        self.steps = self.steps.saturating_add(u32::try_from(cost).unwrap_or(u32::MAX));
        let may = self.steps < MAX_STEPS;
        self.is_cut |= !may;
        may
    }

    pub(super) fn site(&self, expression: &Expression<'r>) -> Site {
        self.range(expression.start, expression.end)
    }

    pub(super) fn range(&self, start: u32, end: u32) -> Site {
        Site {
            file: self.frame.file,
            start,
            end,
        }
    }

    pub(super) fn text(&self, expression: &Expression<'r>) -> &'r str {
        let text = self.shared.index.source(self.frame.file).text();
        text.get(expression.start as usize..expression.end as usize)
            .unwrap_or_default()
    }

    pub(super) fn target(&self, id: CallId) -> Target<'r> {
        let target = self.frame.targets.get(id.0 as usize).copied();
        target.unwrap_or(Target::Unknown)
    }

    pub(super) fn scope(&self) -> Scope {
        Scope {
            file: self.frame.file,
            owner: Some(self.frame.owner),
        }
    }

    /// The position of a local variable in the list of local variables.
    pub(super) fn local_at(&self, name: &str) -> Option<usize> {
        self.locals.iter().rposition(|(known, _)| *known == name)
    }

    /// The type that a name refers to, if it is no variable.
    pub(super) fn type_named(&self, name: &'r str) -> Option<TypeReference<'r>> {
        if !name.starts_with(char::is_uppercase) || self.local_at(name).is_some() {
            return None;
        }
        let is_field = self.shared.index.field(self.frame.owner, name).is_some();
        let named = self.shared.index.resolve_name(name, self.scope()).filter(|_| !is_field);
        let is_constant = name.len() > 1 && name.chars().all(|it| it.is_uppercase() || it == '_' || it.is_numeric());
        named.or((!is_field && !is_constant).then_some(TypeReference::External(name)))
    }

    /// An abstract value of which only the type is known, as the source writes it.
    pub(super) fn of_written_type(&self, text: &'r str, dimensions: u8) -> Value<'i, 'r> {
        if text.is_empty() {
            return Value::default();
        }
        if dimensions > 0 {
            return array();
        }
        let type_ = self.shared.index.resolve_type(&parse_type(text), self.scope(), &[]);
        self.of_type(&type_)
    }

    /// An abstract value of which only the type is known.
    pub(super) fn of_type(&self, type_: &Type<'r>) -> Value<'i, 'r> {
        let facts = self.shared.facts;
        match type_ {
            Type::Primitive(name) => Value::of(facts.form(ClassRef::named(name))),
            Type::Array(_) => array(),
            Type::External(name) => Value::of(self.form_of(ClassRef::named(name))),
            Type::Declared(id, _) if self.shared.index.is_library(*id) => {
                Value::of(facts.form(ClassRef::declared(self.shared.index, *id)))
            }
            Type::Declared(id, _) => Value {
                class: Some(*id),
                form: self.inherited_form(*id),
                ..Value::default()
            },
            _ => Value::default(),
        }
    }

    /// The form of instances of a class of the repository, which may extend a container.
    fn inherited_form(&self, id: TypeId) -> Form {
        let index = self.shared.index;
        let libraries = index.ancestors(id).iter().filter(|it| index.is_library(it.id));
        let mut forms = libraries.map(|it| self.shared.facts.form(ClassRef::declared(index, it.id)));
        forms.find(|it| it.is_container()).unwrap_or_default()
    }

    /// Adds a report, unless there is one about the same source and assertion, or there are too many.
    pub(super) fn report(&mut self, report: Report) {
        if self.reports.len() < MAX_REPORTS && !self.reports.iter().any(|it| it.is_same(&report)) {
            self.reports.push(report);
        }
    }

    /// The innermost loop that visits elements in no defined order and does not declare the variable at position
    /// `local`.
    pub(super) fn loop_around(&self, local: Option<usize>) -> Option<&Loop<'r>> {
        let is_outside = |it: &&Loop<'r>| it.trace.is_some() && local.is_none_or(|at| at < it.outside);
        self.frame.loops.iter().rev().find(is_outside)
    }
}

/// An abstract array of which nothing is known.
fn array<'i, 'r>() -> Value<'i, 'r> {
    let mut array = Value::of(Form::List);
    array.settings.is_array = true;
    array
}
