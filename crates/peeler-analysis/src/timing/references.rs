//! The methods that are named by method references and by calls in tasks.

use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::names::{Scope, TypeReference};
use crate::symbols::targets::Target;
use crate::syntax::body::{Block, Call, Expression, ExpressionKind};

use super::scanned_body::ScannedBody;
use super::variables::{Values, value_of};

/// The full name of the class in a method reference such as `Thread::start`; `None` if the object is a value or an
/// unknown class.
pub(super) fn referenced_class<'r>(scanned: &ScannedBody<'_, 'r>, object: &Expression<'r>) -> Option<String> {
    let ExpressionKind::Name(name) = object.kind else {
        return None;
    };
    if !name.starts_with(char::is_uppercase) {
        return None;
    }
    match type_named(scanned, name)? {
        TypeReference::Type(id) => Some(scanned.index.binary_name(id).replace('$', ".")),
        TypeReference::External(name) => Some(name.to_owned()),
    }
}

/// The repository method that a method reference such as `counter::add` names. `None` if its class is unknown, belongs
/// to a library, or overloads the name.
pub(super) fn referenced_method<'b, 'r>(
    scanned: &ScannedBody<'b, 'r>,
    values: &Values<'b, 'r>,
    object: &Expression<'r>,
    name: &str,
) -> Option<MethodId> {
    let owner = match &object.kind {
        ExpressionKind::This | ExpressionKind::Super => scanned.owner,
        ExpressionKind::Name(variable) => {
            let value = value_of(scanned, values, variable);
            if let Some(ExpressionKind::New(new)) = value.map(|it| &it.kind) {
                declared_type(scanned, new.type_text)?
            } else {
                let field = scanned.index.field(scanned.owner, variable);
                declared_type(scanned, field.map_or(*variable, |(_, it)| it.type_text))?
            }
        }
        _ => return None,
    };
    let index = scanned.index;
    let mut declared = index
        .ancestors(owner)
        .iter()
        .flat_map(|it| index.methods_named(it.id, name));
    let found = declared.next()?;
    let is_only = declared.all(|it| it.owner != found.owner);
    (is_only && !index.is_library(found.owner)).then_some(found)
}

/// The repository method that a call runs; `None` if the target of the call is unknown or in a library.
pub(super) fn called_method(scanned: &ScannedBody<'_, '_>, call: &Call<'_>) -> Option<MethodId> {
    match scanned.target(call.id) {
        Target::Declared(id) => Some(id),
        _ => None,
    }
}

/// The body of another method with the targets of its calls, for reading its timing events; `None` if it has no body.
pub(super) fn scanned_method<'b, 'r>(scanned: &ScannedBody<'b, 'r>, method: MethodId) -> Option<ScannedBody<'b, 'r>> {
    let block: &'b Block<'r> = &scanned.index.method(method).code.as_ref()?.get().block;
    Some(ScannedBody {
        owner: method.owner,
        file: scanned.index.file_of(method.owner),
        block,
        targets: crate::symbols::resolve::method_targets(scanned.index, method),
        ..*scanned
    })
}

/// Whether a method belongs to the class of a body, its superclasses or enclosing classes.
pub(super) fn is_own_method(scanned: &ScannedBody<'_, '_>, method: MethodId) -> bool {
    let mut around = Some(scanned.owner);
    while let Some(id) = around {
        if scanned.index.ancestors(id).iter().any(|it| it.id == method.owner) {
            return true;
        }
        around = scanned.index.enclosing(id);
    }
    false
}

fn declared_type<'r>(scanned: &ScannedBody<'_, 'r>, text: &'r str) -> Option<TypeId> {
    match type_named(scanned, text.split('<').next()?.trim())? {
        TypeReference::Type(id) => Some(id),
        TypeReference::External(_) => None,
    }
}

fn type_named<'r>(scanned: &ScannedBody<'_, 'r>, name: &'r str) -> Option<TypeReference<'r>> {
    let scope = Scope {
        file: scanned.file,
        owner: Some(scanned.owner),
    };
    scanned.index.resolve_name(name, scope)
}
