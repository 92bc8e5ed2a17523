//! Objects of a test that several threads change without synchronisation.

use crate::symbols::ids::MethodId;
use crate::syntax::body::{Block, Call, Expression, ExpressionKind, Statement};
use crate::syntax::outline::simple_name;
use crate::syntax::visit::{Visit, walk_expression, walk_statement};

use super::catalogue::TimingCatalogue;
use super::duration::last_name;
use super::effects::root_variable;
use super::mocks::is_replaced;
use super::references::{called_method, is_own_method, referenced_method, scanned_method};
use super::scanned_body::ScannedBody;
use super::variables::{Tasks, Values, names_in, value_of};

/// A change of a shared object by a task of another thread.
pub(super) struct SharedChange<'b, 'r> {
    pub(super) change: &'b Expression<'r>,
    /// The variable or field that holds the changed object.
    pub(super) name: &'r str,
    /// The field that the task changes by calling a method of the object: `lines` for `log.write("a")`. `None` for
    /// other changes, such as `list.add(1)`.
    pub(super) field: Option<&'r str>,
}

/// The first change of each unsynchronised object in tasks that run in several threads.
pub(super) fn shared_changes<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    tasks: &Tasks<'b, 'r>,
    values: &Values<'b, 'r>,
) -> Vec<SharedChange<'b, 'r>> {
    let mut found: Vec<SharedChange<'b, 'r>> = Vec::new();
    for task in &tasks.blocks {
        // A lock anywhere in the task may guard the change.
        if !is_locked(scanned, task) {
            let mut changes = Changes {
                direct: Vec::new(),
                calls: Vec::new(),
            };
            changes.block(task);
            let direct = changes.direct.into_iter();
            found.extend(
                direct
                    .filter(|(_, name)| is_unsynchronised(scanned, values, name))
                    .map(|(change, name)| SharedChange {
                        change,
                        name,
                        field: None,
                    }),
            );
            let calls = changes.calls.into_iter();
            found.extend(calls.filter_map(|(at, call)| by_call(scanned, values, at, call)));
        }
    }
    for reference in &tasks.references {
        found.extend(by_reference(scanned, values, reference));
    }
    let mut seen: Vec<&str> = Vec::new();
    found.retain(|it| {
        let is_new = !seen.contains(&it.name);
        seen.push(it.name);
        is_new
    });
    found
}

/// The change of a shared object by a call of one of its methods, such as `log.write("a")`. `None` if the method
/// changes no unsynchronised field, or the object is not known to be shared.
fn by_call<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    change: &'b Expression<'r>,
    call: &'b Call<'r>,
) -> Option<SharedChange<'b, 'r>> {
    let method = called_method(scanned, call)?;
    let receiver = call.receiver.as_ref();
    if receiver.is_some_and(|it| is_replaced(scanned, values, it)) {
        return None;
    }
    let field = changed_field(scanned, method)?;
    match receiver.map(|it| (&it.kind, root_variable(it))) {
        None | Some((ExpressionKind::This | ExpressionKind::Super, _)) => {
            is_own_method(scanned, method).then_some(SharedChange {
                change,
                name: field,
                field: None,
            })
        }
        Some((_, name)) => Some(SharedChange {
            change,
            name: name.filter(|it| is_captured(scanned, values, it))?,
            field: Some(field),
        }),
    }
}

/// The change of a shared object by a method reference, such as `hits::hit` or `numbers::add`. `None` if it changes no
/// unsynchronised object.
fn by_reference<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    change: &'b Expression<'r>,
) -> Option<SharedChange<'b, 'r>> {
    let ExpressionKind::MethodReference { object, name: method } = &change.kind else {
        return None;
    };
    let found = |name, field| SharedChange { change, name, field };
    if let Some(id) = referenced_method(scanned, values, object, method) {
        let field = changed_field(scanned, id)?;
        return match &object.kind {
            ExpressionKind::This | ExpressionKind::Super => Some(found(field, None)),
            _ => {
                let name = root_variable(object).filter(|it| is_captured(scanned, values, it))?;
                Some(found(name, Some(field)))
            }
        };
    }
    let name = root_variable(object)?;
    let is_change = TimingCatalogue::shipped().names.is_change(method);
    (is_change && is_unsynchronised(scanned, values, name)).then(|| found(name, None))
}

/// Whether a variable that a task uses has a `new` expression as its value. The variable is a field, or a local one
/// that is declared outside the task.
fn is_captured<'b, 'r>(scanned: &ScannedBody<'b, 'r>, values: &Values<'b, 'r>, name: &str) -> bool {
    value_of(scanned, values, name).is_some_and(|it| matches!(it.kind, ExpressionKind::New(_)))
}

/// The unsynchronised field that a method changes on its own object. `None` if it changes none, or if its text mentions
/// a lock.
fn changed_field<'r>(scanned: &ScannedBody<'_, 'r>, method: MethodId) -> Option<&'r str> {
    let declared = scanned.index.method(method);
    let body = scanned_method(scanned, method)?;
    let code = declared.code.as_ref()?;
    let text = scanned.index.source(body.file).text();
    let text = text
        .get(declared.start as usize..code.end as usize)?
        .to_ascii_lowercase();
    if ["synchronized", "lock"].iter().any(|it| text.contains(it)) {
        return None;
    }
    let mut changes = Changes {
        direct: Vec::new(),
        calls: Vec::new(),
    };
    changes.block(body.block);
    let is_field = |name: &str| scanned.index.field(method.owner, name).is_some();
    let direct = changes.direct.into_iter().map(|(_, name)| name);
    let mut fields = direct.filter(|it| is_field(it) && !declares(body.block, it));
    fields.find(|it| is_unsynchronised(&body, &Values::new(), it))
}

/// Whether a block declares a local variable of this name at its top level.
fn declares(block: &Block<'_>, name: &str) -> bool {
    block
        .iter()
        .any(|it| matches!(it, Statement::Local(local) if local.name == name))
}

/// The names that occur in the bodies of repository methods that an expression calls. For `log.size()` it is `lines`,
/// if the body of `size` is `return lines.size();`.
pub(super) fn fields_read<'r>(scanned: &ScannedBody<'_, 'r>, expression: &Expression<'r>) -> Vec<&'r str> {
    let mut changes = Changes {
        direct: Vec::new(),
        calls: Vec::new(),
    };
    changes.expression(expression);
    let mut found: Vec<&'r str> = Vec::new();
    for (_, call) in changes.calls {
        let Some(method) = called_method(scanned, call) else {
            continue;
        };
        let Some(body) = scanned_method(scanned, method) else {
            continue;
        };
        let mut reads = Reads(Vec::new());
        reads.block(body.block);
        found.extend(reads.0);
    }
    found
}

struct Reads<'r>(Vec<&'r str>);

impl<'b, 'r: 'b> Visit<'b, 'r> for Reads<'r> {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        self.0.extend(names_in(expression));
    }
}

/// Whether the text of a task mentions a lock: `synchronized` or `lock`.
fn is_locked(scanned: &ScannedBody<'_, '_>, task: &Block<'_>) -> bool {
    let mut range = Range(u32::MAX, 0);
    range.block(task);
    let text = scanned.index.source(scanned.file).text();
    // The text before the first expression may hold a `synchronized (`.
    let start = (range.0 as usize).min(text.len()).saturating_sub(20);
    let start = (0..=start).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(0);
    let task = text.get(start..range.1 as usize).unwrap_or_default();
    ["synchronized", "lock"].iter().any(|it| task.contains(it))
}

/// Whether a variable holds an object that is not thread-safe, such as an `ArrayList`, or is a field with a plain
/// number.
fn is_unsynchronised<'b, 'r>(scanned: &ScannedBody<'b, 'r>, values: &Values<'b, 'r>, name: &str) -> bool {
    let is_local = values.iter().any(|(it, _)| *it == name);
    if !is_local && let Some((_, field)) = scanned.index.field(scanned.owner, name) {
        let is_number = matches!(field.type_text, "int" | "long" | "Integer" | "Long");
        if is_number && field.dimensions == 0 {
            return true;
        }
    }
    value_of(scanned, values, name).is_some_and(makes_unsynchronised)
}

fn makes_unsynchronised(value: &Expression<'_>) -> bool {
    match &value.kind {
        ExpressionKind::New(new) if new.body.is_none() => {
            let class = new.type_text.split('<').next().unwrap_or_default();
            TimingCatalogue::shipped()
                .names
                .is_unsynchronised(simple_name(class.trim()))
        }
        ExpressionKind::NewArray { type_text, .. } => matches!(*type_text, "int" | "long"),
        ExpressionKind::Call(call) => {
            let owner = call.receiver.as_ref().and_then(last_name);
            matches!(owner, Some("Lists" | "Maps" | "Sets"))
                && ["newArrayList", "newHashMap", "newHashSet", "newLinkedList"].contains(&call.name)
        }
        _ => false,
    }
}

struct Changes<'b, 'r> {
    /// Expressions that change a variable, with the name of the variable.
    direct: Vec<(&'b Expression<'r>, &'r str)>,
    /// All calls in the code that is searched for changes of variables, with their expressions.
    calls: Vec<(&'b Expression<'r>, &'b Call<'r>)>,
}

impl<'b, 'r: 'b> Visit<'b, 'r> for Changes<'b, 'r> {
    fn statement(&mut self, statement: &'b Statement<'r>) {
        match statement {
            // Handlers collect failures, of which a passing test has none or one.
            Statement::Try {
                resources,
                body,
                finally,
                ..
            } => {
                self.block(resources);
                self.block(body);
                self.block(finally);
            }
            _ => walk_statement(self, statement),
        }
    }

    fn expression(&mut self, expression: &'b Expression<'r>) {
        let changed = match &expression.kind {
            ExpressionKind::Call(call) => {
                self.calls.push((expression, call));
                let is_change = TimingCatalogue::shipped().names.is_change(call.name);
                call.receiver.as_ref().filter(|_| is_change).and_then(last_name)
            }
            // `results[i] = x` gives each thread an element of its own, `count[0]++` does not.
            ExpressionKind::Update { operand, .. } => match &operand.kind {
                ExpressionKind::Index { array, index } if matches!(index.kind, ExpressionKind::Literal(_)) => {
                    last_name(array)
                }
                _ => last_name(operand),
            },
            ExpressionKind::Assign { operator, target, .. } if *operator != "=" => last_name(target),
            _ => None,
        };
        if let Some(name) = changed {
            self.direct.push((expression, name));
        }
        walk_expression(self, expression);
    }
}

/// A visitor that finds the first and last byte offset of the expressions in a block.
struct Range(u32, u32);

impl<'b, 'r: 'b> Visit<'b, 'r> for Range {
    fn expression(&mut self, expression: &'b Expression<'r>) {
        self.0 = self.0.min(expression.start);
        self.1 = self.1.max(expression.end);
        walk_expression(self, expression);
    }
}
