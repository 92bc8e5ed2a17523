//! Names of classes in the catalogue of causes, and how they match the class that declares a called method.

use crate::symbols::index::{FileId, Index, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::outline::simple_name;

/// The name of a class in the catalogue of causes of flakiness.
#[derive(Debug)]
pub(super) struct ClassName {
    /// The package of a class in the catalogue; `None` for a simple name, which matches in every package.
    package: Option<String>,
    pub(super) simple: String,
}

/// The class that declares a called method, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallOwner<'a> {
    /// The package of the class that declares a called method; `None` if no import names the class.
    pub(super) package: Option<&'a str>,
    pub(super) simple: &'a str,
    /// The file of the call, whose wildcard imports may supply the package of the class that declares the called
    /// method. If the repository or a library signature file declares that class, the file of the class instead.
    pub(super) file: FileId,
}

impl ClassName {
    pub(super) fn new(name: &str) -> Self {
        match name.rsplit_once('.') {
            Some((package, simple)) => Self {
                package: Some(package.to_owned()),
                simple: simple.to_owned(),
            },
            None => Self {
                package: None,
                simple: name.to_owned(),
            },
        }
    }

    #[cfg(test)]
    pub(super) fn is_full(&self) -> bool {
        self.package.is_some()
    }

    /// Whether `owner`, the class that declares a called method, is the class with this name of the catalogue.
    pub(super) fn is(&self, index: &Index<'_>, owner: CallOwner<'_>) -> bool {
        let Some(package) = &self.package else {
            return self.simple == owner.simple;
        };
        self.simple == owner.simple && is_in_package(index, package, owner)
    }
}

/// Whether `owner`, the class that declares a called method, has the name `full_name`.
pub(super) fn is_class(index: &Index<'_>, full_name: &str, owner: CallOwner<'_>) -> bool {
    // Hot path: called for every variable and every class of the catalogue. Most names differ in their last letters.
    let package = full_name.strip_suffix(owner.simple).and_then(|it| it.strip_suffix('.'));
    package.is_some_and(|it| is_in_package(index, it, owner))
}

/// Whether `owner`, the class that declares a called method, belongs to `package`. If its package is unknown, the
/// shipped signatures of libraries and the wildcard imports in the file of the call decide.
fn is_in_package(index: &Index<'_>, package: &str, owner: CallOwner<'_>) -> bool {
    if let Some(known) = owner.package {
        return known == package;
    }
    let mut imports = index.file_outline(owner.file).imports.iter();
    imports.any(|it| it.is_wildcard && !it.is_static && it.path == package)
        || index
            .lookup_qualified(&format!("{package}.{}", owner.simple), owner.file)
            .is_some_and(|id| index.is_library(id))
}

/// The class that declares the method `target` of a call in `file`; `None` if the class is unknown.
pub(super) fn owner_of<'r>(index: &Index<'r>, target: Target<'r>, file: FileId) -> Option<CallOwner<'r>> {
    match target {
        Target::Unknown => None,
        Target::External(name) => Some(named_owner(name, file)),
        Target::Library(id) | Target::Declared(id) => Some(declared_owner(index, id.owner)),
        Target::Owner(id) => Some(declared_owner(index, id)),
    }
}

/// Describes class `id` as the class that declares a called method. The repository or a shipped library signature file
/// contains the class.
pub(super) fn declared_owner<'r>(index: &Index<'r>, id: TypeId) -> CallOwner<'r> {
    let file = index.file_of(id);
    CallOwner {
        package: Some(index.file_outline(file).package),
        simple: index.outline(id).name,
        file,
    }
}

/// Describes a class outside the repository as the class that declares a called method. `name` is simple or qualified,
/// and `file` contains the call.
pub(super) fn named_owner(name: &str, file: FileId) -> CallOwner<'_> {
    CallOwner {
        package: name.rsplit_once('.').map(|(package, _)| package),
        simple: simple_name(name),
        file,
    }
}
