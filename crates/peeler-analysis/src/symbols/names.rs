//! Resolution of type names at the position where they are written.
//!
//! Names are looked up in Java's order: the enclosing types and their nested types, single imports, the package,
//! inherited nested types, wildcard imports, `java.lang`. Where several modules declare the same name, the type nearest
//! to the referring file is chosen.

use super::ids::{FileId, TypeId};
use super::index::Index;
use super::scope::Precedence;
pub(crate) use super::scope::{Scope, TypeReference};
use super::type_text::parse_type;

/// The maximum number of types visited in search of an inherited nested type.
const MAX_VISITED: usize = 24;

impl<'r> Index<'r> {
    /// The type that a name, perhaps with dots, refers to at the position `scope`. `None` for a name without dots that
    /// no declaration or import explains. `None` also for `A.B` if the known type `A` has no nested type `B`.
    pub(crate) fn resolve_name(&self, name: &'r str, scope: Scope) -> Option<TypeReference<'r>> {
        let Some((first, rest)) = name.split_once('.') else {
            return self.resolve_simple(name, scope);
        };
        if let Some(TypeReference::Type(mut id)) = self.resolve_simple(first.trim(), scope) {
            for part in rest.split('.') {
                id = self.nested(id, part.trim())?;
            }
            return Some(TypeReference::Type(id));
        }
        self.lookup_qualified(name, scope.file)
            .map(TypeReference::Type)
            .or(Some(TypeReference::External(name)))
    }

    /// The type that a name without dots refers to at the position `scope`. `None` if no declaration or import explains
    /// the name.
    fn resolve_simple(&self, name: &'r str, scope: Scope) -> Option<TypeReference<'r>> {
        let mut owner = scope.owner;
        while let Some(id) = owner {
            if self.outline(id).name == name {
                return Some(TypeReference::Type(id));
            }
            if let Some(nested) = self.directly_nested(id, name) {
                return Some(TypeReference::Type(nested));
            }
            owner = self.enclosing(id);
        }
        if let Some(named) = self.file_scope(name, scope.file, Precedence::OverInherited) {
            return Some(named);
        }
        if let Some(id) = scope.owner.and_then(|it| self.inherited_nested(it, name)) {
            return Some(TypeReference::Type(id));
        }
        self.file_scope(name, scope.file, Precedence::UnderInherited)
    }

    /// The type that a name refers to at the top level of a file, in the group of types that `precedence` selects.
    /// `None` if it is none of them. Results are cached.
    fn file_scope(&self, name: &'r str, file: FileId, precedence: Precedence) -> Option<TypeReference<'r>> {
        let cache = &self.files[file.position()].names;
        if let Some(known) = cache.read().expect("no holder panics").get(&(name, precedence)) {
            return *known;
        }
        let found = match precedence {
            Precedence::OverInherited => self.imported_or_in_package(name, file),
            Precedence::UnderInherited => self.imported_by_wildcard(name, file),
        };
        cache
            .write()
            .expect("no holder panics")
            .insert((name, precedence), found);
        found
    }

    /// The type that a name refers to by an import of one type (`import a.B;`) or as a type of the file's own package.
    /// `None` if it is neither.
    fn imported_or_in_package(&self, name: &'r str, file: FileId) -> Option<TypeReference<'r>> {
        let outline = &self.files[file.position()].outline;
        for import in outline.imports.iter().filter(|it| !it.is_wildcard) {
            if import.name == name {
                if let Some(id) = self.lookup_qualified(import.path, file) {
                    return Some(TypeReference::Type(id));
                }
                if !import.is_static {
                    return Some(TypeReference::External(import.path));
                }
            }
        }
        self.in_package(outline.package, name, file).map(TypeReference::Type)
    }

    /// The type that a name refers to by a wildcard import (`import a.*;`) or as a type of `java.lang`. `None` if
    /// neither gives a known type.
    fn imported_by_wildcard(&self, name: &'r str, file: FileId) -> Option<TypeReference<'r>> {
        let outline = &self.files[file.position()].outline;
        for import in outline.imports.iter().filter(|it| it.is_wildcard) {
            let found = self.in_package(import.path, name, file).or_else(|| {
                let outer = self.lookup_qualified(import.path, file)?;
                self.nested(outer, name)
            });
            if let Some(id) = found {
                return Some(TypeReference::Type(id));
            }
        }
        self.in_package("java.lang", name, file).map(TypeReference::Type)
    }

    /// The nested type with this name that the type `id` declares, or that it or an enclosing type inherits. `None` if
    /// there is none.
    pub(crate) fn nested(&self, id: TypeId, name: &str) -> Option<TypeId> {
        self.directly_nested(id, name)
            .or_else(|| self.inherited_nested(id, name))
    }

    /// The nested type with this name that the type `id` or an enclosing type inherits; `None` if there is none.
    ///
    /// Supertypes are found by their names in the source only. Resolving them here could recurse without end, because a
    /// supertype may itself be named through an inherited nested type.
    fn inherited_nested(&self, id: TypeId, name: &str) -> Option<TypeId> {
        // Most names belong to no nested type at all.
        if !self
            .by_name
            .get(name)?
            .iter()
            .any(|it| self.outline(*it).enclosing.is_some())
        {
            return None;
        }
        let mut pending = vec![id];
        let mut outer = self.enclosing(id);
        while let Some(id) = outer {
            pending.push(id);
            outer = self.enclosing(id);
        }
        let mut seen: Vec<TypeId> = Vec::new();
        while let Some(current) = pending.pop() {
            if seen.contains(&current) || seen.len() > MAX_VISITED {
                continue;
            }
            seen.push(current);
            if current != id
                && let Some(found) = self.directly_nested(current, name)
            {
                return Some(found);
            }
            let file = self.file_of(current);
            for written in &self.outline(current).supertypes {
                let supertype = parse_type(written).name;
                pending.extend(self.supertype_by_name(supertype, file));
            }
        }
        None
    }

    /// The supertype that a name in an `extends` or `implements` clause refers to, by import, package or qualified
    /// name. `None` if no file declares it.
    fn supertype_by_name(&self, name: &'r str, file: FileId) -> Option<TypeId> {
        let outline = &self.files[file.position()].outline;
        let first = name.split('.').next().unwrap_or(name);
        let imported = outline
            .imports
            .iter()
            .find(|it| !it.is_wildcard && it.name == first)
            .and_then(|it| self.lookup_qualified(it.path, file));
        let base = imported
            .or_else(|| self.in_package(outline.package, first, file))
            .or_else(|| {
                outline
                    .imports
                    .iter()
                    .filter(|it| it.is_wildcard)
                    .find_map(|it| self.in_package(it.path, first, file))
            });
        match base {
            Some(base) => name
                .split('.')
                .skip(1)
                .try_fold(base, |outer, part| self.directly_nested(outer, part)),
            None => self.lookup_qualified(name, file),
        }
    }
}
