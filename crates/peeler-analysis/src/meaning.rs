//! What the names in a piece of Java mean, as far as tokens show it: types and statically imported members by their
//! full names, and methods that are handed on by reference.
//!
//! ```java
//! names.forEach(Ledger::add);     // books.Ledger, java.util.List, ...; Ledger#add is referred to
//! ```
//!
//! Invariant: a single import that no name of the piece needs leaves no trace. A class that neither the repository, nor
//! the library stubs, nor a single import knows may come from any wildcard import of a library, so all of these are its
//! meaning; and likewise the static ones for a call that nothing is known about.

use rustc_hash::FxHashSet;

use crate::symbols::index::{Index, MethodId, TypeId};
use crate::symbols::names::{Named, Scope};
use crate::syntax::body::CONSTRUCTOR;
use crate::syntax::outline::Import;
use crate::syntax::tokens::tokens;

/// What is known about names before any piece is looked at.
pub(crate) struct Names<'i, 'r> {
    index: &'i Index<'r>,
    /// The packages of the repository.
    packages: FxHashSet<&'r str>,
}

impl<'i, 'r> Names<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>) -> Self {
        let files = index.repository_files();
        Self {
            index,
            packages: files.map(|it| index.file_outline(it).package).collect(),
        }
    }

    /// Whether a wildcard import may bring a name that nothing else explains.
    fn may_bring(&self, import: &Import<&'r str>, name: &str, scope: Scope) -> bool {
        match self.index.lookup_qualified(import.path, scope.file) {
            Some(id) if !self.index.is_library(id) => self.index.field(id, name).is_some(),
            Some(_) => true,
            // The stubs name what is in use of the JDK, and the repository everything of its own.
            None => import.is_static || !import.path.starts_with("java.") && !self.packages.contains(import.path),
        }
    }
}

/// The names of one piece.
pub(crate) struct Meanings<'n, 'i, 'r> {
    known: &'n Names<'i, 'r>,
    index: &'i Index<'r>,
    scope: Scope,
    owner: TypeId,
    /// Names that are not members of what stands before them, sorted, each once.
    names: Vec<&'r str>,
    /// What stands on the two sides of `::`.
    referred: Vec<(&'r str, &'r str)>,
}

impl<'n, 'i, 'r> Meanings<'n, 'i, 'r> {
    /// Looks through a piece of Java inside `owner`.
    pub(crate) fn new(known: &'n Names<'i, 'r>, owner: TypeId, text: &'r str) -> Self {
        let index = known.index;
        let mut names = Vec::new();
        let mut referred = Vec::new();
        let mut before = ["", "", ""];
        for token in tokens(text) {
            match before {
                [object, ":", ":"] => referred.push((object, token)),
                [_, _, "."] => {}
                _ if token.starts_with(|it: char| it.is_alphabetic() || it == '_' || it == '$') => names.push(token),
                _ => {}
            }
            before = [before[1], before[2], token];
        }
        names.sort_unstable();
        names.dedup();
        let scope = Scope {
            file: index.file_of(owner),
            owner: Some(owner),
        };
        Self {
            known,
            index,
            scope,
            owner,
            names,
            referred,
        }
    }

    /// Hands on the full name behind every name that has one, in a fixed order. `unknown` are calls that nothing is
    /// known about.
    pub(crate) fn each(&self, unknown: &FxHashSet<&str>, mut each: impl FnMut(&str)) {
        let imports = &self.index.file_outline(self.scope.file).imports;
        let mut wildcards: Vec<&Import<&'r str>> = imports.iter().filter(|it| it.is_wildcard).collect();
        wildcards.sort_unstable_by_key(|it| (it.path, it.is_static));
        for &name in &self.names {
            let single = imports.iter().filter(|it| it.is_static && !it.is_wildcard);
            single.filter(|it| it.name == name).for_each(|it| each(it.path));
            let is_type = name.starts_with(char::is_uppercase);
            match is_type.then(|| self.index.resolve_name(name, self.scope)).flatten() {
                Some(Named::Type(id)) => each(&self.index.binary_name(id)),
                Some(Named::External(path)) => each(path),
                None if is_type && self.is_field(name) => {}
                None if is_type || unknown.contains(name) => {
                    let brought = wildcards.iter().filter(|it| is_type || it.is_static);
                    let brought = brought.filter(|it| self.known.may_bring(it, name, self.scope));
                    brought.for_each(|it| each(it.path));
                }
                None => {}
            }
        }
    }

    /// Whether a name that looks like a class is a constant of the class or of one around it.
    fn is_field(&self, name: &str) -> bool {
        let mut around = Some(self.owner);
        while let Some(id) = around {
            if self.index.field(id, name).is_some() {
                return true;
            }
            around = self.index.enclosing(id);
        }
        false
    }

    /// Methods of the repository that are referred to through a class, `this` or `super`.
    pub(crate) fn references(&self) -> Vec<MethodId> {
        let mut found = Vec::new();
        for &(object, name) in &self.referred {
            let owner = match object {
                "this" | "super" => self.owner,
                _ => match self.index.resolve_name(object, self.scope) {
                    Some(Named::Type(id)) => id,
                    _ => continue,
                },
            };
            if name == "new" {
                found.extend(self.index.methods_named(owner, CONSTRUCTOR));
                continue;
            }
            for ancestor in self.index.ancestors(owner) {
                found.extend(self.index.methods_named(ancestor.id, name));
            }
        }
        found.retain(|it| !self.index.is_library(it.owner));
        found
    }
}
