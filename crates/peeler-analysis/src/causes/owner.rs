//! Whether the owner of a call is a class that the catalogue names.

use crate::symbols::index::{FileId, Index};

/// A class by name.
#[derive(Debug)]
pub(super) struct OwnerName {
    /// Nothing for a simple name, which stands for every package.
    package: Option<String>,
    pub(super) simple: String,
}

/// The owner of a call, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner<'a> {
    /// Unknown where no import names the class.
    pub(super) package: Option<&'a str>,
    pub(super) simple: &'a str,
    /// The file of the call, whose wildcard imports may supply the package.
    pub(super) file: FileId,
}

impl OwnerName {
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

    pub(super) fn is(&self, index: &Index<'_>, owner: Owner<'_>) -> bool {
        let Some(package) = &self.package else {
            return self.simple == owner.simple;
        };
        self.simple == owner.simple && is_in_package(index, package, owner)
    }
}

/// Whether the owner of a call is the class with this full name.
pub(super) fn is_class(index: &Index<'_>, full_name: &str, owner: Owner<'_>) -> bool {
    // Asked for every variable and every class of the catalogue: most differ in the last letters.
    let package = full_name.strip_suffix(owner.simple).and_then(|it| it.strip_suffix('.'));
    package.is_some_and(|it| is_in_package(index, it, owner))
}

/// A class whose package is not known may be one of the library's, or of a package that is imported as a whole.
fn is_in_package(index: &Index<'_>, package: &str, owner: Owner<'_>) -> bool {
    if let Some(known) = owner.package {
        return known == package;
    }
    let mut imports = index.file_outline(owner.file).imports.iter();
    imports.any(|it| it.is_wildcard && !it.is_static && it.path == package)
        || index
            .lookup_qualified(&format!("{package}.{}", owner.simple), owner.file)
            .is_some_and(|id| index.is_library(id))
}
