//! The symbol index: every type of the repository, and what its name means where.
//!
//! The index is built from outlines alone; the declarations of a file are parsed when somebody asks
//! for a member of one of its types. Behind the files of the repository stand the *library stubs*:
//! signatures of the JDK and of a few test libraries, written in Java and read by the same code, so
//! that `list.get(0).total()` finds `total` although `List` is not part of the repository.
//!
//! Invariant: identifiers (`FileId`, `TypeId`, `MethodId`) are dense and follow the sorted file order,
//! so they are the same every run.

use std::sync::{Arc, OnceLock, RwLock};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::stubs;
use super::targets::Target;
use super::type_text::{TypeParameter, TypeText, parse_type, parse_type_parameters};
use super::types::{Bindings, Type};
use crate::repository::{Repository, SourceFile, narrow};
use crate::syntax::body::CONSTRUCTOR;
use crate::syntax::declarations::{Declarations, FieldDeclaration, MethodDeclaration, TypeDeclaration, declarations};
use crate::syntax::outline::{Outline, TypeKind, TypeOutline, outline, simple_name};

/// A file of the repository, or behind those a library stub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FileId(pub(crate) u32);

/// A declared type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub(crate) u32);

/// A declared method or constructor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MethodId {
    pub(crate) owner: TypeId,
    pub(crate) index: u32,
}

/// What the calls of one body resolve to, by call id.
pub(crate) type Targets<'r> = Arc<[Target<'r>]>;

struct FileEntry<'r> {
    source: &'r SourceFile,
    outline: Outline<'r>,
    first_type: u32,
    declarations: OnceLock<Declarations<'r>>,
    /// What names mean to the whole file.
    names: RwLock<FxHashMap<(&'r str, Precedence), Option<Named<'r>>>>,
    /// By the offset at which a body starts.
    targets: RwLock<FxHashMap<u32, Targets<'r>>>,
}

struct TypeEntry<'r> {
    file: FileId,
    in_file: u32,
    parameters: OnceLock<Vec<TypeParameter<'r>>>,
    supertypes: OnceLock<Vec<Type<'r>>>,
    ancestors: OnceLock<Vec<Ancestor<'r>>>,
    methods_by_name: OnceLock<FxHashMap<&'r str, SmallVec<[u32; 2]>>>,
}

/// A type among the supertypes of another, with its arguments in terms of the other's parameters.
#[derive(Debug, Clone)]
pub(crate) struct Ancestor<'r> {
    pub(crate) id: TypeId,
    pub(crate) arguments: Arc<[Type<'r>]>,
}

/// Where a name stands: the file, and the innermost type around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) file: FileId,
    pub(crate) owner: Option<TypeId>,
}

/// How far inherited nested types and supertypes of supertypes are followed.
const MAX_ANCESTRY: usize = 24;

pub(crate) struct Index<'r> {
    files: Vec<FileEntry<'r>>,
    types: Vec<TypeEntry<'r>>,
    by_name: FxHashMap<&'r str, SmallVec<[TypeId; 2]>>,
    /// By the simple name of a supertype as written.
    subtypes_by_name: FxHashMap<&'r str, Vec<TypeId>>,
    repository_files: usize,
    object: Option<TypeId>,
    enumeration: Option<TypeId>,
    implementations: RwLock<FxHashMap<MethodId, Arc<[MethodId]>>>,
}

impl<'r> Index<'r> {
    pub(crate) fn new(repository: &'r Repository) -> Self {
        let sources: Vec<&'r SourceFile> = repository.files().iter().chain(stubs::files()).collect();
        let outlines: Vec<Outline<'r>> = sources
            .par_iter()
            .with_min_len(16)
            .map(|source| outline(source.text()))
            .collect();
        let mut index = Self {
            files: Vec::with_capacity(sources.len()),
            types: Vec::new(),
            by_name: FxHashMap::default(),
            subtypes_by_name: FxHashMap::default(),
            repository_files: repository.files().len(),
            object: None,
            enumeration: None,
            implementations: RwLock::default(),
        };
        for (source, outline) in sources.into_iter().zip(outlines) {
            index.add(source, outline);
        }
        index.object = index.lookup_qualified("java.lang.Object", FileId(0));
        index.enumeration = index.lookup_qualified("java.lang.Enum", FileId(0));
        index
    }

    fn add(&mut self, source: &'r SourceFile, outline: Outline<'r>) {
        let file = FileId(narrow(self.files.len()));
        let first_type = narrow(self.types.len());
        for (in_file, declared) in outline.types.iter().enumerate() {
            let id = TypeId(narrow(self.types.len()));
            self.by_name.entry(declared.name).or_default().push(id);
            for supertype in &declared.supertypes {
                let name = simple_name(parse_type(supertype).name);
                self.subtypes_by_name.entry(name).or_default().push(id);
            }
            self.types.push(TypeEntry {
                file,
                in_file: narrow(in_file),
                parameters: OnceLock::new(),
                supertypes: OnceLock::new(),
                ancestors: OnceLock::new(),
                methods_by_name: OnceLock::new(),
            });
        }
        self.files.push(FileEntry {
            source,
            outline,
            first_type,
            declarations: OnceLock::new(),
            names: RwLock::default(),
            targets: RwLock::default(),
        });
    }

    /// The files of the repository, without the stubs.
    pub(crate) fn repository_files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..narrow(self.repository_files)).map(FileId)
    }

    /// The library stubs.
    pub(crate) fn library_files(&self) -> impl Iterator<Item = FileId> + use<> {
        (narrow(self.repository_files)..narrow(self.files.len())).map(FileId)
    }

    pub(crate) fn types_of(&self, file: FileId) -> impl Iterator<Item = TypeId> + use<> {
        let entry = &self.files[file.0 as usize];
        let first = entry.first_type;
        (first..first + narrow(entry.outline.types.len())).map(TypeId)
    }

    pub(crate) fn source(&self, file: FileId) -> &'r SourceFile {
        self.files[file.0 as usize].source
    }

    pub(crate) fn file_outline(&self, file: FileId) -> &Outline<'r> {
        &self.files[file.0 as usize].outline
    }

    pub(crate) fn file_of(&self, id: TypeId) -> FileId {
        self.types[id.0 as usize].file
    }

    /// Whether the type is declared by a library stub, so not by the repository.
    pub(crate) fn is_library(&self, id: TypeId) -> bool {
        self.file_of(id).0 as usize >= self.repository_files
    }

    pub(crate) fn outline(&self, id: TypeId) -> &TypeOutline<'r> {
        let entry = &self.types[id.0 as usize];
        &self.files[entry.file.0 as usize].outline.types[entry.in_file as usize]
    }

    /// The type that encloses `id`.
    pub(crate) fn enclosing(&self, id: TypeId) -> Option<TypeId> {
        let file = &self.files[self.file_of(id).0 as usize];
        self.outline(id)
            .enclosing
            .map(|at| TypeId(file.first_type + at))
    }

    /// `package.Outer$Inner`.
    pub(crate) fn binary_name(&self, id: TypeId) -> String {
        let mut names = vec![self.outline(id).name];
        let mut current = id;
        while let Some(outer) = self.enclosing(current) {
            names.push(self.outline(outer).name);
            current = outer;
        }
        names.reverse();
        let package = self.files[self.file_of(id).0 as usize].outline.package;
        if package.is_empty() {
            names.join("$")
        } else {
            format!("{package}.{}", names.join("$"))
        }
    }

    pub(crate) fn file_declarations(&self, file: FileId) -> &Declarations<'r> {
        let entry = &self.files[file.0 as usize];
        entry
            .declarations
            .get_or_init(|| declarations(entry.source.text(), &entry.outline))
    }

    /// Whether the declarations of a file have been asked for.
    pub(crate) fn is_parsed(&self, file: FileId) -> bool {
        self.files[file.0 as usize].declarations.get().is_some()
    }

    pub(crate) fn declaration(&self, id: TypeId) -> &TypeDeclaration<'r> {
        let entry = &self.types[id.0 as usize];
        &self.file_declarations(entry.file).types[entry.in_file as usize]
    }

    pub(crate) fn method(&self, id: MethodId) -> &MethodDeclaration<'r> {
        &self.declaration(id.owner).methods[id.index as usize]
    }

    /// The targets of a body's calls, computed once.
    pub(crate) fn cached_targets(
        &self,
        file: FileId,
        start: u32,
        compute: impl FnOnce() -> Targets<'r>,
    ) -> Targets<'r> {
        let cache = &self.files[file.0 as usize].targets;
        if let Some(known) = cache.read().expect("no holder panics").get(&start) {
            return known.clone();
        }
        let computed = compute();
        cache
            .write()
            .expect("no holder panics")
            .entry(start)
            .or_insert(computed)
            .clone()
    }

    /// Type parameters of a type.
    pub(crate) fn parameters(&self, id: TypeId) -> &[TypeParameter<'r>] {
        self.types[id.0 as usize]
            .parameters
            .get_or_init(|| parse_type_parameters(self.outline(id).type_parameters))
    }

    /// Direct supertypes, resolved, with their arguments.
    pub(crate) fn supertypes(&self, id: TypeId) -> &[Type<'r>] {
        self.types[id.0 as usize].supertypes.get_or_init(|| {
            let declared = self.outline(id);
            let scope = Scope {
                file: self.file_of(id),
                owner: Some(id),
            };
            let mut supertypes: Vec<_> = declared
                .supertypes
                .iter()
                .map(|text| self.resolve_type(&parse_type(text), scope, &[]))
                .filter(|it| *it != Type::Declared(id, Arc::default()))
                .collect();
            if declared.kind == TypeKind::Enum {
                let own = Type::Declared(id, Arc::default());
                supertypes.extend(self.enumeration.map(|base| Type::Declared(base, Arc::new([own]))));
            }
            supertypes
        })
    }

    /// The type itself and everything it inherits from, nearest first, `Object` last.
    pub(crate) fn ancestors(&self, id: TypeId) -> &[Ancestor<'r>] {
        self.types[id.0 as usize].ancestors.get_or_init(|| {
            let own: Arc<[Type<'r>]> = self
                .parameters(id)
                .iter()
                .map(|it| Type::Variable(it.name, Arc::new(self.bound(it, id))))
                .collect();
            let mut found = vec![Ancestor { id, arguments: own }];
            let mut at = 0;
            while at < found.len() && found.len() < 4 * MAX_ANCESTRY {
                let current = found[at].clone();
                let bindings = self.bind(current.id, &current.arguments);
                for supertype in self.supertypes(current.id) {
                    if let Type::Declared(parent, arguments) = supertype {
                        if !found.iter().any(|it| it.id == *parent) {
                            let arguments = arguments.iter().map(|it| it.substitute(&bindings)).collect();
                            found.push(Ancestor {
                                id: *parent,
                                arguments,
                            });
                        }
                    }
                }
                at += 1;
            }
            if let Some(object) = self.object.filter(|it| *it != id) {
                found.push(Ancestor {
                    id: object,
                    arguments: Arc::default(),
                });
            }
            found
        })
    }

    fn bound(&self, parameter: &TypeParameter<'r>, owner: TypeId) -> Type<'r> {
        let scope = Scope {
            file: self.file_of(owner),
            owner: Some(owner),
        };
        match &parameter.bound {
            // Arguments of a bound often name the parameter itself; they are not needed.
            Some(bound) => match self.resolve_name(bound.name, scope) {
                Some(Named::Type(id)) => Type::Declared(id, Arc::default()),
                _ => Type::Unknown,
            },
            None => Type::Unknown,
        }
    }

    /// Parameters of `id` bound to `arguments`; a raw type leaves them at their bounds.
    pub(crate) fn bind(&self, id: TypeId, arguments: &[Type<'r>]) -> Bindings<'r> {
        self.parameters(id)
            .iter()
            .enumerate()
            .map(|(at, parameter)| {
                let argument = arguments.get(at).cloned();
                let argument = argument.filter(|it| *it != Type::Unknown);
                (parameter.name, argument.unwrap_or_else(|| self.bound(parameter, id)))
            })
            .collect()
    }

    /// Whether `id` is `ancestor` or inherits from it.
    pub(crate) fn inherits(&self, id: TypeId, ancestor: TypeId) -> bool {
        self.ancestors(id).iter().any(|it| it.id == ancestor)
    }

    /// Types of the repository that name `id` among their supertypes.
    pub(crate) fn direct_subtypes(&self, id: TypeId) -> impl Iterator<Item = TypeId> + '_ {
        self.subtypes_by_name
            .get(self.outline(id).name)
            .into_iter()
            .flatten()
            .copied()
            .filter(move |candidate| {
                self.supertypes(*candidate)
                    .iter()
                    .any(|it| matches!(it, Type::Declared(parent, _) if *parent == id))
            })
    }

    /// Types whose supertypes, as written, have this simple name.
    pub(crate) fn subtypes_by_written_name(&self, name: &str) -> &[TypeId] {
        self.subtypes_by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Methods of `owner` itself with that name, in the order of declaration.
    pub(crate) fn methods_named(&self, owner: TypeId, name: &str) -> impl Iterator<Item = MethodId> + use<'_, 'r> {
        let by_name = self.types[owner.0 as usize].methods_by_name.get_or_init(|| {
            let mut map: FxHashMap<&'r str, SmallVec<[u32; 2]>> = FxHashMap::default();
            for (at, method) in self.declaration(owner).methods.iter().enumerate() {
                let name = if method.is_constructor { CONSTRUCTOR } else { method.name };
                map.entry(name).or_default().push(narrow(at));
            }
            map
        });
        by_name
            .get(name)
            .into_iter()
            .flatten()
            .map(move |&index| MethodId { owner, index })
    }

    /// The field `name` of a type or its ancestors, with the type that declares it.
    pub(crate) fn field(&self, id: TypeId, name: &str) -> Option<(&Ancestor<'r>, &FieldDeclaration<'r>)> {
        self.ancestors(id).iter().find_map(|ancestor| {
            let declared = self.declaration(ancestor.id);
            let field = declared.fields.iter().find(|it| it.name == name)?;
            Some((ancestor, field))
        })
    }

    /// The bodies in the repository that run when an abstract method is called: its implementations,
    /// when there are at most `few`.
    pub(crate) fn implementations(&self, method: MethodId, few: usize) -> Arc<[MethodId]> {
        if let Some(known) = self
            .implementations
            .read()
            .expect("no holder panics")
            .get(&method)
        {
            return known.clone();
        }
        let found = self.find_implementations(method, few);
        self.implementations
            .write()
            .expect("no holder panics")
            .entry(method)
            .or_insert(found)
            .clone()
    }

    fn find_implementations(&self, method: MethodId, few: usize) -> Arc<[MethodId]> {
        let declared = self.method(method);
        if declared.code.is_some() || declared.is_constructor {
            return Arc::default();
        }
        let arity = declared.parameters.len();
        let mut found = Vec::new();
        let mut pending = vec![method.owner];
        let mut seen = vec![method.owner];
        while let Some(id) = pending.pop() {
            for subtype in self.direct_subtypes(id) {
                if seen.contains(&subtype) {
                    continue;
                }
                seen.push(subtype);
                pending.push(subtype);
                found.extend(self.methods_named(subtype, declared.name).filter(|candidate| {
                    let candidate = self.method(*candidate);
                    candidate.code.is_some() && candidate.parameters.len() == arity
                }));
            }
            if found.len() > few || seen.len() > 16 * few {
                return Arc::default();
            }
        }
        found.sort_unstable();
        found.into()
    }

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

    fn resolve_base(
        &self,
        text: &TypeText<'r>,
        scope: Scope,
        method_parameters: &[TypeParameter<'r>],
    ) -> Type<'r> {
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

    fn type_variable(
        &self,
        name: &'r str,
        scope: Scope,
        method_parameters: &[TypeParameter<'r>],
    ) -> Option<Type<'r>> {
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
        cache.write().expect("no holder panics").insert((name, precedence), found);
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
        if !self.by_name.get(name)?.iter().any(|it| self.outline(*it).enclosing.is_some()) {
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
            if seen.contains(&current) || seen.len() > MAX_ANCESTRY {
                continue;
            }
            seen.push(current);
            if current != id {
                if let Some(found) = self.directly_nested(current, name) {
                    return Some(found);
                }
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
                    best = Some(if other > score { (other, candidate) } else { (score, current) });
                }
            }
        }
        best.map(|(_, id)| id)
    }
}

/// Whether a file's names hide inherited nested types or are hidden by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Precedence {
    /// Single imports and the types of the package.
    OverInherited,
    /// Wildcard imports and `java.lang`.
    UnderInherited,
}

/// What a type name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named<'r> {
    Type(TypeId),
    /// Not declared here; qualified where an import says so.
    External(&'r str),
}

pub(crate) fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "int" | "long" | "boolean" | "double" | "float" | "byte" | "short" | "char" | "void"
    )
}
