//! Checks whether the class of a called method is one that a catalogue lists by its full name.

use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Expression, ExpressionKind};

/// Whether the class with this full name declares the method that a call in `file` runs.
pub(crate) fn is_declared_by(index: &Index<'_>, file: FileId, target: Target<'_>, full_name: &str) -> bool {
    match target {
        Target::Unknown => false,
        Target::External(name) => is_class(index, file, name, full_name),
        Target::Library(id) | Target::Declared(id) => is_type(index, id.owner, full_name),
        Target::Owner(id) => is_type(index, id, full_name),
    }
}

fn is_type(index: &Index<'_>, id: crate::symbols::ids::TypeId, full_name: &str) -> bool {
    full_name.ends_with(index.outline(id).name) && index.binary_name(id).replace('$', ".") == full_name
}

/// Whether a class outside the repository that `file` calls `name` has this full name.
fn is_class(index: &Index<'_>, file: FileId, name: &str, full_name: &str) -> bool {
    if name == full_name {
        return true;
    }
    let Some(package) = full_name.strip_suffix(name).and_then(|it| it.strip_suffix('.')) else {
        return false;
    };
    let mut imports = index.file_outline(file).imports.iter();
    imports.any(|it| {
        if it.is_wildcard {
            !it.is_static && it.path == package
        } else {
            // `import a.Outer;` gives `Outer.Inner` its package.
            it.path == full_name
                || full_name
                    .strip_prefix(it.path)
                    .is_some_and(|rest| rest.starts_with('.'))
        }
    }) || index
        .lookup_qualified(full_name, file)
        .is_some_and(|id| index.is_library(id))
}

/// The declaration that a call resolves to. If it is unknown, the calls before it in the chain are tried, nearest
/// first. For `a().b().c()`, the result may be the declaration of `a`.
///
/// Methods of a library without a stub have no known result type. So only the first call of a chain of such methods
/// resolves.
pub(crate) fn target_of_chain<'r>(targets: &[Target<'r>], expression: &Expression<'r>) -> Target<'r> {
    let mut current = expression;
    loop {
        let (id, receiver) = match &current.kind {
            ExpressionKind::Call(call) => (call.id, call.receiver.as_ref()),
            ExpressionKind::New(new) => (new.id, None),
            _ => return Target::Unknown,
        };
        match (targets[id.0 as usize], receiver) {
            (Target::Unknown, Some(receiver)) => current = receiver,
            (target, _) => return target,
        }
    }
}
