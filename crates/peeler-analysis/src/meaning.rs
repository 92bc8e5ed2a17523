//! What the names in a piece of Java refer to, as far as tokens show it. These are types and statically imported
//! members, by their qualified names, and methods that are passed on by reference.
//!
//! ```java
//! names.forEach(Ledger::add);     // refers to books.Ledger, java.util.List, ... and to Ledger#add
//! ```
//!
//! Invariant: a single import that no name of the piece needs leaves no trace. A class that neither the repository nor
//! a library stub nor a single import declares may come from any wildcard import of a library. Then all of these
//! imports count as its meaning. Likewise all static wildcard imports count for a call whose method is unknown.

use rustc_hash::FxHashSet;

use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::names::{Scope, TypeReference};
use crate::syntax::body::CONSTRUCTOR;
use crate::syntax::outline::Import;
use crate::syntax::tokens::tokens;

/// Names that resolution needs from the whole repository.
pub(crate) struct RepositoryNames<'i, 'r> {
    index: &'i Index<'r>,
    /// The packages of the repository.
    packages: FxHashSet<&'r str>,
}

impl<'i, 'r> RepositoryNames<'i, 'r> {
    pub(crate) fn new(index: &'i Index<'r>) -> Self {
        let files = index.repository_files();
        Self {
            index,
            packages: files.map(|it| index.file_outline(it).package).collect(),
        }
    }

    /// Whether a name that nothing declares may come from a wildcard import.
    fn may_bring(&self, import: &Import<&'r str>, name: &str, scope: Scope) -> bool {
        match self.index.lookup_qualified(import.path, scope.file) {
            Some(id) if !self.index.is_library(id) => self.index.field(id, name).is_some(),
            Some(_) => true,
            // All types of the JDK and of the repository are known, so a name that is missing there cannot come from
            // them.
            None => import.is_static || !import.path.starts_with("java.") && !self.packages.contains(import.path),
        }
    }
}

/// The names in one piece of Java, and what they refer to.
pub(crate) struct Meanings<'n, 'i, 'r> {
    known: &'n RepositoryNames<'i, 'r>,
    index: &'i Index<'r>,
    scope: Scope,
    owner: TypeId,
    /// Names in a piece of Java without a dot before them, sorted, each once.
    names: Vec<&'r str>,
    /// The two sides of each method reference `object::method` in a piece of Java.
    referred: Vec<(&'r str, &'r str)>,
}

impl<'n, 'i, 'r> Meanings<'n, 'i, 'r> {
    /// Collects the names in a piece of Java inside `owner`.
    pub(crate) fn new(known: &'n RepositoryNames<'i, 'r>, owner: TypeId, text: &'r str) -> Self {
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

    /// Calls `each` with the qualified name that each name refers to, in a fixed order. `unknown` holds the names of
    /// calls whose target is unknown.
    pub(crate) fn each(&self, unknown: &FxHashSet<&str>, mut each: impl FnMut(&str)) {
        let imports = &self.index.file_outline(self.scope.file).imports;
        let mut wildcards: Vec<&Import<&'r str>> = imports.iter().filter(|it| it.is_wildcard).collect();
        wildcards.sort_unstable_by_key(|it| (it.path, it.is_static));
        for &name in &self.names {
            let single = imports.iter().filter(|it| it.is_static && !it.is_wildcard);
            single.filter(|it| it.name == name).for_each(|it| each(it.path));
            let is_type = name.starts_with(char::is_uppercase);
            match is_type.then(|| self.index.resolve_name(name, self.scope)).flatten() {
                Some(TypeReference::Type(id)) => each(&self.index.binary_name(id)),
                Some(TypeReference::External(path)) => each(path),
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

    /// Whether a name that looks like a class is a field of `owner` or of an enclosing type.
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

    /// The methods of the repository that are referenced through a class, `this` or `super`.
    pub(crate) fn references(&self) -> Vec<MethodId> {
        let mut found = Vec::new();
        for &(object, name) in &self.referred {
            let owner = match object {
                "this" | "super" => self.owner,
                _ => match self.index.resolve_name(object, self.scope) {
                    Some(TypeReference::Type(id)) => id,
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
