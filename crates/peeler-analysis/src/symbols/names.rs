//! What a type name means where it stands.
//!
//! In Java's order: the types around the place and their nested types, single imports, the package,
//! inherited nested types, wildcard imports, `java.lang`. Of several modules that declare the same
//! name, the one nearest to the asking file wins.

use std::sync::Arc;

use super::index::{FileId, Index, TypeId};
use super::type_text::{TypeParameter, TypeText, parse_type};
use super::types::Type;
use crate::syntax::outline::simple_name;

/// Where a name stands: the file, and the innermost type around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) file: FileId,
    pub(crate) owner: Option<TypeId>,
}

/// What a type name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named<'r> {
    Type(TypeId),
    /// Not declared here; qualified where an import says so.
    External(&'r str),
}

/// Whether a file's names hide inherited nested types or are hidden by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Precedence {
    /// Single imports and the types of the package.
    OverInherited,
    /// Wildcard imports and `java.lang`.
    UnderInherited,
}

/// How many types are visited in search of an inherited nested type.
const MAX_VISITED: usize = 24;

impl<'r> Index<'r> {
    /// Resolves a written type. `method_parameters` are the type parameters of the method around it.
    pub(crate) fn resolve_type(
        &self,
        text: &TypeText<'r>,
        scope: Scope,
        method_parameters: &[TypeParameter<'r>],
    ) -> Type<'r> {
        let base = self.resolve_base(text, scope, method_parameters);
        base.array_of(text.dimensions)
    }

    fn resolve_base(&self, text: &TypeText<'r>, scope: Scope, method_parameters: &[TypeParameter<'r>]) -> Type<'r> {
        if text.name.is_empty() || text.name == "var" {
            return Type::Unknown;
        }
        if is_primitive(text.name) {
            return Type::Primitive(text.name);
        }
        if let Some(variable) = self.type_variable(text.name, scope, method_parameters) {
            return variable;
        }
        match self.resolve_name(text.name, scope) {
            Some(Named::Type(id)) => {
                let arguments = text
                    .arguments
                    .iter()
                    .map(|it| self.resolve_type(it, scope, method_parameters))
                    .collect();
                Type::Declared(id, arguments)
            }
            Some(Named::External(name)) => Type::External(name),
            None => Type::External(text.name),
        }
    }

    fn type_variable(&self, name: &'r str, scope: Scope, method_parameters: &[TypeParameter<'r>]) -> Option<Type<'r>> {
        if let Some(parameter) = method_parameters.iter().find(|it| it.name == name) {
            let bound = parameter.bound.as_ref().and_then(|bound| {
                if let Some(other) = method_parameters.iter().find(|it| it.name == bound.name) {
                    return other.bound.as_ref().and_then(|it| self.named_type(it.name, scope));
                }
                self.named_type(bound.name, scope)
            });
            return Some(Type::Variable(name, Arc::new(bound.unwrap_or(Type::Unknown))));
        }
        let mut owner = scope.owner;
        while let Some(id) = owner {
            if let Some(parameter) = self.parameters(id).iter().find(|it| it.name == name) {
                return Some(Type::Variable(name, Arc::new(self.bound(parameter, id))));
            }
            owner = self.enclosing(id);
        }
        None
    }

    fn named_type(&self, name: &'r str, scope: Scope) -> Option<Type<'r>> {
        match self.resolve_name(name, scope)? {
            Named::Type(id) => Some(Type::Declared(id, Arc::default())),
            Named::External(_) => None,
        }
    }

    /// What a possibly dotted type name means at `scope`.
    pub(crate) fn resolve_name(&self, name: &'r str, scope: Scope) -> Option<Named<'r>> {
        let Some((first, rest)) = name.split_once('.') else {
            return self.resolve_simple(name, scope);
        };
        if let Some(Named::Type(mut id)) = self.resolve_simple(first.trim(), scope) {
            for part in rest.split('.') {
                id = self.nested(id, part.trim())?;
            }
            return Some(Named::Type(id));
        }
        self.lookup_qualified(name, scope.file)
            .map(Named::Type)
            .or(Some(Named::External(name)))
    }

    fn resolve_simple(&self, name: &'r str, scope: Scope) -> Option<Named<'r>> {
        let mut owner = scope.owner;
        while let Some(id) = owner {
            if self.outline(id).name == name {
                return Some(Named::Type(id));
            }
            if let Some(nested) = self.directly_nested(id, name) {
                return Some(Named::Type(nested));
            }
            owner = self.enclosing(id);
        }
        if let Some(named) = self.file_scope(name, scope.file, Precedence::OverInherited) {
            return Some(named);
        }
        if let Some(id) = scope.owner.and_then(|it| self.inherited_nested(it, name)) {
            return Some(Named::Type(id));
        }
        self.file_scope(name, scope.file, Precedence::UnderInherited)
    }

    /// What a name means to a whole file, remembered: names repeat far more often than they differ.
    fn file_scope(&self, name: &'r str, file: FileId, precedence: Precedence) -> Option<Named<'r>> {
        let cache = &self.files[file.0 as usize].names;
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

    fn imported_or_in_package(&self, name: &'r str, file: FileId) -> Option<Named<'r>> {
        let outline = &self.files[file.0 as usize].outline;
        for import in outline.imports.iter().filter(|it| !it.is_wildcard) {
            if import.name == name {
                if let Some(id) = self.lookup_qualified(import.path, file) {
                    return Some(Named::Type(id));
                }
                if !import.is_static {
                    return Some(Named::External(import.path));
                }
            }
        }
        self.in_package(outline.package, name, file).map(Named::Type)
    }

    fn imported_by_wildcard(&self, name: &'r str, file: FileId) -> Option<Named<'r>> {
        let outline = &self.files[file.0 as usize].outline;
        for import in outline.imports.iter().filter(|it| it.is_wildcard) {
            let found = self.in_package(import.path, name, file).or_else(|| {
                let outer = self.lookup_qualified(import.path, file)?;
                self.nested(outer, name)
            });
            if let Some(id) = found {
                return Some(Named::Type(id));
            }
        }
        self.in_package("java.lang", name, file).map(Named::Type)
    }

    /// A nested type of `id` or of what `id` inherits from.
    pub(crate) fn nested(&self, id: TypeId, name: &str) -> Option<TypeId> {
        self.directly_nested(id, name)
            .or_else(|| self.inherited_nested(id, name))
    }

    fn directly_nested(&self, id: TypeId, name: &str) -> Option<TypeId> {
        self.by_name
            .get(name)?
            .iter()
            .copied()
            .find(|candidate| self.enclosing(*candidate) == Some(id))
    }

    /// Follows supertypes by their written names only: asking for resolved supertypes here could ask
    /// for itself, since supertypes may be named through inherited nested types.
    fn inherited_nested(&self, id: TypeId, name: &str) -> Option<TypeId> {
        // Most names are not those of nested types at all.
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

    /// A supertype named by import, package or full name.
    fn supertype_by_name(&self, name: &'r str, file: FileId) -> Option<TypeId> {
        let outline = &self.files[file.0 as usize].outline;
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

    fn in_package(&self, package: &str, name: &str, near: FileId) -> Option<TypeId> {
        let candidates = self.by_name.get(name)?.iter().copied().filter(|candidate| {
            self.outline(*candidate).enclosing.is_none()
                && self.files[self.file_of(*candidate).0 as usize].outline.package == package
        });
        self.nearest(candidates, near)
    }

    /// The type with this fully qualified name, nested ones with dots.
    pub(crate) fn lookup_qualified(&self, path: &str, near: FileId) -> Option<TypeId> {
        let name = simple_name(path);
        let candidates = self
            .by_name
            .get(name)?
            .iter()
            .copied()
            .filter(|candidate| self.has_qualified_name(*candidate, path));
        self.nearest(candidates, near)
    }

    fn has_qualified_name(&self, id: TypeId, path: &str) -> bool {
        let mut rest = path;
        let mut current = Some(id);
        while let Some(id) = current {
            let name = self.outline(id).name;
            match rest.strip_suffix(name) {
                Some("") => rest = "",
                Some(before) => match before.strip_suffix('.') {
                    Some(before) => rest = before,
                    None => return false,
                },
                None => return false,
            }
            current = self.enclosing(id);
        }
        rest == self.files[self.file_of(id).0 as usize].outline.package
    }

    /// Modules may declare the same name: the one whose path shares most with the asking file wins,
    /// the first in order among equals.
    fn nearest(&self, candidates: impl Iterator<Item = TypeId>, near: FileId) -> Option<TypeId> {
        let asking = self.source(near).path().as_bytes();
        let shared = |id: TypeId| {
            let path = self.source(self.file_of(id)).path().as_bytes();
            asking.iter().zip(path).take_while(|(a, b)| a == b).count()
        };
        let mut best: Option<(usize, TypeId)> = None;
        for candidate in candidates {
            match best {
                None => best = Some((usize::MAX, candidate)),
                Some((score, current)) => {
                    let score = if score == usize::MAX { shared(current) } else { score };
                    let other = shared(candidate);
                    best = Some(if other > score {
                        (other, candidate)
                    } else {
                        (score, current)
                    });
                }
            }
        }
        best.map(|(_, id)| id)
    }
}

pub(crate) fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "int" | "long" | "boolean" | "double" | "float" | "byte" | "short" | "char" | "void"
    )
}
