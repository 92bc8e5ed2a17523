//! The class that declares a called method, as catalogues of library calls write it: `java.util.Map.Entry`.

use crate::assertions::{self, AssertionOwner, AssertionRule, ExtraAssertion};
use crate::symbols::ids::TypeId;
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Call, Expression, ExpressionKind};

use super::duration::{last_name, unit_millis};

/// The full name of a class, with a dot before a nested class: `a.Outer.Inner`.
fn full_name(index: &Index<'_>, id: TypeId) -> String {
    index.binary_name(id).replace('$', ".")
}

/// The full name of the class that declares the method that a call runs; `None` if the class is unknown.
pub(super) fn owner_name(index: &Index<'_>, target: Target<'_>) -> Option<String> {
    match target {
        Target::Unknown => None,
        Target::External(name) => Some(name.to_owned()),
        Target::Library(id) | Target::Declared(id) => Some(full_name(index, id.owner)),
        Target::Owner(id) => Some(full_name(index, id)),
    }
}

/// For the call of `c` in `a().b().c()`, the class that declares `b`, or `a` if the target of `b` is unknown. `None` if
/// that class is in the repository, or no target is known.
pub(super) fn chain_owner<'r>(index: &Index<'r>, targets: &[Target<'r>], call: &Call<'r>) -> Option<String> {
    let mut receiver = call.receiver.as_ref();
    while let Some(Expression {
        kind: ExpressionKind::Call(inner),
        ..
    }) = receiver
    {
        match targets[inner.id.0 as usize] {
            Target::Unknown => receiver = inner.receiver.as_ref(),
            // The result of a repository method can be anything.
            Target::Declared(_) | Target::Owner(_) => return None,
            target => return owner_name(index, target),
        }
    }
    None
}

/// The rule of the assertion catalogue or of `peeler.toml` by which a call is an assertion; `None` if the call does not
/// assert.
pub(super) fn assertion_rule(
    index: &Index<'_>,
    extra: &[ExtraAssertion],
    call: &Call<'_>,
    target: Target<'_>,
) -> Option<AssertionRule> {
    if !assertions::may_assert(extra, call.name) {
        return None;
    }
    let has_receiver = call.receiver.as_ref().is_some_and(|it| !is_type_name(it));
    let name = owner_name(index, target);
    let owner = match (&name, target) {
        (Some(name), Target::Declared(_) | Target::Owner(_)) => AssertionOwner::Repository(name),
        (Some(name), _) => AssertionOwner::Outside(name),
        (None, _) => AssertionOwner::Unknown,
    };
    assertions::classify(extra, call.name, owner, has_receiver)
}

/// Whether an expression looks like the name of a type, by its upper and lower case: `Thread`, not `thread` or `MAX`.
pub(super) fn is_type_name(expression: &Expression<'_>) -> bool {
    last_name(expression).is_some_and(|it| it.starts_with(char::is_uppercase) && it.contains(char::is_lowercase))
}

/// Whether an argument of a call is a unit or a length of time, such as `SECONDS` or `Duration.ofMillis(5)`.
pub(super) fn is_timed(call: &Call<'_>) -> bool {
    call.arguments.iter().any(|argument| match &argument.kind {
        ExpressionKind::Call(inner) => {
            inner.receiver.as_ref().and_then(last_name) == Some("Duration") || inner.name.starts_with("ofSeconds")
        }
        ExpressionKind::Name(name) | ExpressionKind::Field { name, .. } => {
            unit_millis(name).is_some() || name.to_ascii_lowercase().contains("duration")
        }
        _ => false,
    })
}
