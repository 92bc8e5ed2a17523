//! What the names in a piece of Java refer to, as far as its tokens show. The result lists types and statically
//! imported members, by their qualified names, and methods that are passed by reference.
//!
//! ```java
//! names.forEach(Ledger::add);     // refers to the class books.Ledger and to its method add
//! ```
//!
//! Invariant: an import of one class (`import a.B;`) that no name in the piece of Java uses does not change the result.
//!
//! A class is unknown if no import names it and neither the repository nor a library stub declares it. The result then
//! lists every wildcard import (`import a.*;`) that may declare the class. For a call of an unknown method, it lists
//! every static wildcard import that may declare the method.

use rustc_hash::FxHashSet;

use crate::symbols::ids::{MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::names::{Scope, TypeReference};
use crate::syntax::body::CONSTRUCTOR;
use crate::syntax::outline::Import;
use crate::syntax::tokens::tokens;

/// The types and packages that the whole repository declares. They decide what a name in a piece of Java can refer to.
pub(crate) struct RepositoryNames<'i, 'r> {
    index: &'i Index<'r>,
    /// The names of the packages that files of the repository declare.
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

    /// Whether `name`, which is known neither in the repository nor in a library stub, may come from the wildcard
    /// import `import`.
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

    /// For each name in the piece of Java, calls `each` with the qualified name of what the name refers to, in a fixed
    /// order. If that is unknown, `each` gets the wildcard imports that may declare it. `unknown` holds the names of
    /// called methods whose declaration is unknown.
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

    /// Whether a capitalised name, which looks like a class, is a field of the type around the piece of Java. Fields of
    /// the types that enclose this type count too.
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

    /// The methods of the repository that method references such as `Ledger::add` or `this::add` may mean.
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
