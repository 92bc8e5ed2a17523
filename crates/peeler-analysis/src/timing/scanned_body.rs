//! A method body with the targets of its calls, and what these calls mean for timing.

use crate::assertions::ExtraAssertion;
use crate::symbols::ids::{FileId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Block, Call, CallId, Expression, ExpressionKind};

use super::assigned_mocks::AssignedMocks;
use super::catalogue::{CallShape, Operation, TimingCatalogue};
use super::owner::{assertion_rule, chain_owner, is_timed, owner_name};

/// A method body with the targets of its calls, and whether it is test code or main code.
#[derive(Clone, Copy)]
pub(super) struct ScannedBody<'a, 'r> {
    pub(super) index: &'a Index<'r>,
    pub(super) extra: &'a [ExtraAssertion],
    pub(super) owner: TypeId,
    pub(super) file: FileId,
    pub(super) block: &'a Block<'r>,
    pub(super) targets: &'a [Target<'r>],
    pub(super) code: CodeKind,
    /// The fields and variables of each file that hold mocks.
    pub(super) mocks: &'a AssignedMocks<'r>,
}

/// The kind of code that a method body belongs to: tests or main code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeKind {
    Test,
    Main,
}

impl<'r> ScannedBody<'_, 'r> {
    /// The source text of an expression.
    pub(super) fn text(&self, expression: &Expression<'_>) -> &'r str {
        let text = self.index.source(self.file).text();
        &text[expression.start as usize..expression.end as usize]
    }

    pub(super) fn target(&self, id: CallId) -> Target<'r> {
        self.targets[id.0 as usize]
    }

    /// Whether the target of a call belongs to a class of servers, brokers, listeners or timers, which run beside their
    /// caller.
    pub(super) fn is_service_class(&self, target: Target<'_>) -> bool {
        let names = &TimingCatalogue::shipped().concurrent;
        owner_name(self.index, target).is_some_and(|it| {
            if it.contains('.') {
                return names.is_service(&it) && !names.is_value(&it);
            }
            let imports = &self.index.file_outline(self.file).imports;
            !names.is_value(&it)
                && imports.iter().any(|import| {
                    let is_imported =
                        import.name == it && !import.is_wildcard || import.is_wildcard && !import.is_static;
                    is_imported && names.is_service(import.path) && names.is_service(&full_name(import.path, &it))
                })
        })
    }

    /// The timing catalogue entry that matches a call; `None` if no entry does.
    pub(super) fn operation(&self, call: &Call<'r>) -> Option<&'static Operation> {
        self.operation_with_links(call, &chain_links(call))
    }

    /// The timing catalogue entry that matches a call; `None` if no entry does. `links` are the names of earlier calls
    /// in its chain: `b` and `a` for `c` in `a().b().c()`.
    pub(super) fn operation_with_links(&self, call: &Call<'r>, links: &[&str]) -> Option<&'static Operation> {
        let catalogue = TimingCatalogue::shipped();
        if !catalogue.may_match(call.name) {
            return None;
        }
        let target = self.target(call.id);
        let owner = owner_name(self.index, target).or_else(|| chain_owner(self.index, self.targets, call));
        let imports = self.index.file_outline(self.file).imports.iter();
        let packages: Vec<&str> = imports.filter(|it| it.is_wildcard).map(|it| it.path).collect();
        let shape = CallShape {
            name: call.name,
            owner: owner.as_deref(),
            arguments: call.arguments.len(),
            is_timed: is_timed(call),
            links,
            packages: &packages,
        };
        catalogue.operation(shape).or_else(|| {
            // A chain of a known class may end in a class that is not known: `client.send(..).get(5, SECONDS)`.
            let is_guess = target == Target::Unknown && shape.owner.is_some();
            is_guess.then(|| catalogue.operation(CallShape { owner: None, ..shape }))?
        })
    }

    /// Whether a call is an operation of a stream of `java.util.stream`.
    pub(super) fn is_stream_step(&self, call: &Call<'r>) -> bool {
        let owner =
            owner_name(self.index, self.target(call.id)).or_else(|| chain_owner(self.index, self.targets, call));
        owner.is_some_and(|it| it.starts_with("java.util.stream."))
    }

    /// Whether a call is an assertion.
    pub(super) fn asserts(&self, call: &Call<'r>) -> bool {
        assertion_rule(self.index, self.extra, call, self.target(call.id)).is_some()
    }

    /// Whether a call asserts and does not wait.
    pub(super) fn only_asserts(&self, call: &Call<'r>) -> bool {
        let names = &TimingCatalogue::shipped().names;
        let waits = names.says_wait(call.name) || names.retries(call.name) || self.operation(call).is_some();
        !waits && self.asserts(call)
    }
}

/// The timing catalogue entry that matches a method reference, by the full name of its class; `None` if no entry does.
pub(super) fn operation_of_reference(owner: &str, name: &str) -> Option<&'static Operation> {
    TimingCatalogue::shipped().operation(CallShape {
        name,
        owner: Some(owner),
        arguments: 0,
        is_timed: false,
        links: &[],
        packages: &[],
    })
}

/// The names of the methods called before a call in its chain: `b` and `a` for the call of `c` in `a().b().c()`.
fn chain_links<'r>(call: &Call<'r>) -> Vec<&'r str> {
    let mut links = Vec::new();
    let mut receiver = call.receiver.as_ref();
    while let Some(ExpressionKind::Call(inner)) = receiver.map(|it| &it.kind) {
        links.push(inner.name);
        receiver = inner.receiver.as_ref();
    }
    links
}

/// The full name of an imported class: `a.B` for the import `a.B`, and for the package import `a` with the class `B`.
fn full_name(import: &str, class: &str) -> String {
    if import.ends_with(class) {
        import.to_owned()
    } else {
        format!("{import}.{class}")
    }
}
