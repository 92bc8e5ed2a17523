//! The state of one abstract run: variables, the current body, limits, and what reached assertions.

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

/// The maximum number of steps (statements and expressions) in the abstract run of a test, or of a method for its
/// summary. The steps of a called method do not count if its summary is used.
const MAX_STEPS: u32 = 4_000;
/// The number of steps of a test up to which calls run with their actual receiver instead of a summary of the method.
pub(super) const EXACT_STEPS: u32 = 1_500;
/// The number of nested calls from a test up to which calls run with their actual receiver instead of a summary.
pub(super) const EXACT_DEPTH: u16 = 3;
/// The maximum number of calls of abstract or mocked methods whose arguments are remembered, to compare them with
/// `verify(..)`.
pub(super) const MAX_SENT: usize = 16;
/// The maximum number of nondeterministic values at assertions that are recorded for one method or other unit of code.
const MAX_REPORTS: usize = 64;

/// The body of a method or initialiser that an abstract run is executing, with its receiver, result and loops.
#[derive(Debug, Clone)]
pub(super) struct Frame<'i, 'r> {
    pub(super) file: FileId,
    /// The type that declares the body that is being run abstractly.
    pub(super) owner: TypeId,
    pub(super) targets: &'i [Target<'r>],
    pub(super) this: Option<Arc<Object<'i, 'r>>>,
    pub(super) returned: Option<Value<'i, 'r>>,
    /// Whether a `return` or `throw` ended the body that is being run abstractly, so that the statements after it are
    /// not reached.
    pub(super) is_done: bool,
    /// The loops around the current statement, innermost last.
    pub(super) loops: Vec<Loop<'r>>,
}

/// A loop around the current statement of an abstract run.
#[derive(Debug, Clone)]
pub(super) struct Loop<'r> {
    /// The trace (source and places passed) of the undefined order in which the loop visits elements; `None` if the
    /// loop has a defined order.
    pub(super) trace: Option<Trace>,
    /// Whether the loop is known to visit two or more elements.
    pub(super) is_sure: bool,
    /// The number of local variables that are declared outside the loop.
    pub(super) outside: usize,
    /// The conditions of the branches between the loop and the current statement.
    pub(super) conditions: Vec<Condition<'r>>,
}

/// The source text of a condition around a statement, such as that of an `if`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition<'r>(pub(super) &'r str);

impl Condition<'_> {
    /// Whether a condition in a loop is taken to hold for one certain element, going by its text. `price < 10` is not:
    /// several elements may meet it. `key.equals(wanted)` is, and so are all others without `<`, `>`, `startsWith` or
    /// `endsWith`.
    ///
    /// `name` is the variable that is assigned under the condition, if any. If the condition mentions it, one certain
    /// element is selected. So `if (price > max) max = price` selects the largest.
    pub(super) fn selects(self, name: Option<&str>) -> bool {
        let open = [" < ", " > ", " <= ", " >= ", "startsWith", "endsWith"];
        !open.iter().any(|it| self.0.contains(it)) || name.is_some_and(|it| self.0.contains(it))
    }
}

impl Loop<'_> {
    /// Whether a statement of the loop runs for any element, because no condition around it selects a certain one.
    /// `name` is the variable that the statement assigns, if any.
    pub(super) fn takes_any(&self, name: Option<&str>) -> bool {
        !self.conditions.iter().any(|it| it.selects(name))
    }
}

/// One abstract run of code: variables, current body, limits, and what reached assertions.
pub(super) struct Run<'s, 'i, 'r> {
    pub(super) shared: &'s Shared<'i, 'r>,
    pub(super) frame: Frame<'i, 'r>,
    /// Local variables of the run with their abstract values, innermost scope last.
    pub(super) locals: Vec<(&'r str, Value<'i, 'r>)>,
    /// Static fields that were written in this run, with their abstract values.
    pub(super) statics: FxHashMap<(TypeId, &'r str), Value<'i, 'r>>,
    /// Methods, constructors and static field initialisers that are being run abstractly, outermost first.
    pub(super) stack: Vec<Unit<'r>>,
    /// The number of summaries (of methods, constructors or static fields) that are being computed now, each inside the
    /// one before it. Zero while the code of the test itself runs.
    pub(super) units: usize,
    pub(super) steps: u32,
    pub(super) reports: Vec<Report>,
    /// The traces of class members that the test picked by position, as in `getDeclaredMethods()[0]`. The next
    /// assertion of the test counts as one about them.
    pub(super) picked_members: Vec<Trace>,
    /// The source texts of containers that the test asserted to have one element.
    pub(super) singles: Vec<&'r str>,
    /// The exceptions that the code has thrown so far, with their messages, as one abstract value; `None` if it has
    /// thrown none.
    pub(super) thrown: Option<Value<'i, 'r>>,
    /// Arguments that the code passed to abstract or mocked methods, for comparison with `verify(..)`.
    pub(super) sent: Vec<(MethodId, Vec<Value<'i, 'r>>)>,
    /// The nondeterminism of values that were passed to unknown code. Later results of such code may contain it.
    pub(super) given: Vec<Trace>,
    /// The files that the result of this run depends on.
    pub(super) files: FxHashSet<FileId>,
    /// The numbers of the summaries whose files are among those of this run.
    pub(super) used: FxHashSet<u32>,
    /// Whether a limit on steps, calls or fields cut off a part of this run.
    pub(super) is_cut: bool,
    /// The number of nested calls around the body that is being run.
    pub(super) depth: u16,
    /// The largest number of nested calls that was reached while the current method is summarised.
    pub(super) deepest: u16,
    /// Whether the limit of nested calls cut off a part of this run.
    pub(super) is_depth_cut: bool,
    /// Whether the code has set the default time zone or locale, so that they no longer differ between machines.
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
                is_done: false,
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
            given: Vec::new(),
            files: FxHashSet::default(),
            used: FxHashSet::default(),
            is_cut: false,
            depth: 0,
            deepest: 0,
            is_depth_cut: false,
            is_zone_set: false,
        }
    }

    /// Enters a call. Returns whether its body may be run, which the limit of nested calls decides. If so,
    /// [`Self::leave`] must follow.
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

    /// Counts `cost` steps of the abstract run. Returns whether the run is still within its limit of steps.
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

    /// The index of the innermost local variable with this name in the list of all local variables; `None` if there is
    /// none.
    pub(super) fn local_at(&self, name: &str) -> Option<usize> {
        self.locals.iter().rposition(|(known, _)| *known == name)
    }

    /// The type that a name refers to; `None` if it is no name of a type.
    pub(super) fn type_named(&self, name: &'r str) -> Option<TypeReference<'r>> {
        if !name.starts_with(char::is_uppercase) || self.local_at(name).is_some() {
            return None;
        }
        let is_field = self.shared.index.field(self.frame.owner, name).is_some();
        let named = self.shared.index.resolve_name(name, self.scope()).filter(|_| !is_field);
        let is_constant = name.len() > 1 && name.chars().all(|it| it.is_uppercase() || it == '_' || it.is_numeric());
        named.or((!is_field && !is_constant).then_some(TypeReference::External(name)))
    }

    /// An abstract value of which only the type is known, given as the source writes it.
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
            Type::Declared(id, arguments) if self.shared.index.is_library(*id) => {
                let mut value = Value::of(facts.form(ClassRef::declared(self.shared.index, *id)));
                if value.form.is_container() {
                    let element = arguments.last().map(|it| self.of_type(it));
                    value.inner = element.filter(|it| it.class.is_some()).map(Arc::new);
                }
                value
            }
            Type::Declared(id, _) => Value {
                class: Some(*id),
                form: self.inherited_form(*id),
                ..Value::default()
            },
            _ => Value::default(),
        }
    }

    /// The form of instances of a class of the repository, such as list or map if it extends a container.
    fn inherited_form(&self, id: TypeId) -> Form {
        let index = self.shared.index;
        let libraries = index.ancestors(id).iter().filter(|it| index.is_library(it.id));
        let mut forms = libraries.map(|it| self.shared.facts.form(ClassRef::declared(index, it.id)));
        forms.find(|it| it.is_container()).unwrap_or_default()
    }

    /// Records a nondeterministic value that reached an assertion. It is left out if a value from the same source
    /// reached this assertion before, or if too many are recorded.
    pub(super) fn report(&mut self, report: Report) {
        if self.is_new(&report) {
            self.reports.push(report);
        }
    }

    /// Whether a nondeterministic value that reached an assertion is to be recorded.
    pub(super) fn is_new(&self, report: &Report) -> bool {
        self.reports.len() < MAX_REPORTS && !self.reports.iter().any(|it| it.is_same(report))
    }

    /// The innermost loop that visits elements in no defined order and does not declare the local variable at index
    /// `local`. If `local` is `None`, any such loop counts. Returns `None` if there is no such loop.
    pub(super) fn loop_around(&self, local: Option<usize>) -> Option<&Loop<'r>> {
        let is_outside = |it: &&Loop<'r>| it.trace.is_some() && local.is_none_or(|at| at < it.outside);
        self.frame.loops.iter().rev().find(is_outside)
    }
}

/// An abstract array of which neither elements nor length are known.
fn array<'i, 'r>() -> Value<'i, 'r> {
    let mut array = Value::of(Form::List);
    array.settings.is_array = true;
    array
}
