//! Matches the class that declares a called method with full names of a catalogue.

use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::symbols::targets::Target;
use crate::syntax::body::{Expression, ExpressionKind};

/// Whether the target of a call that stands in `file` is declared by the class with this full name.
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

/// Whether a class outside the repository, by its name in `file`, has this full name.
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

/// The target that names the class of a call: its own, or for an unknown one that of the first call of its chain.
///
/// The links of a builder of a library without a stub have no known type, but the chain begins with a known class.
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
