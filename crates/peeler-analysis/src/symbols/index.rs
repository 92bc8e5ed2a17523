//! The symbol index: tables of all files, types and methods of a repository.
//!
//! The index is built from outlines alone. The declarations of a file are parsed when a member of one of its types is
//! first asked for. Library stubs follow the files of the repository. They are signatures of the JDK and of a few test
//! libraries, written in Java and read by the same code. With them `list.get(0).total()` resolves to `total` although
//! `List` is not part of the repository.
//!
//! Invariant: the index does no name resolution by Java's rules. It does not import the modules that do (`names.rs`,
//! `hierarchy.rs`), and only stores caches of their results.

use std::sync::{OnceLock, RwLock};

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

pub(crate) use super::ids::{FileId, MethodId, TypeId};
use super::scope::{Precedence, TypeReference};
use super::stubs;
use super::targets::Target;
use super::type_text::{TypeParameter, parse_type};
use super::types::{Ancestor, Signature, Type};
use crate::repository::{Repository, SourceFile, narrow};
use crate::slots::Slots;
use crate::syntax::body::CONSTRUCTOR;
use crate::syntax::declarations::{
    Declarations, FieldDeclaration, LazyBody, MethodDeclaration, TypeDeclaration, declarations,
};
use crate::syntax::outline::{Outline, TypeOutline, outline, simple_name};
use crate::syntax::stored_outline::StoredOutline;

/// A file in the symbol index, with caches of everything computed about it so far.
pub(super) struct FileEntry<'r> {
    source: &'r SourceFile,
    pub(super) outline: Outline<&'r str>,
    first_type: u32,
    declarations: OnceLock<Declarations<'r>>,
    /// Cache of module `names`: the type that a type name refers to at the top level of the file, by name and group of
    /// types. `None` if no type of the group has the name.
    pub(super) names: RwLock<FxHashMap<(&'r str, Precedence), Option<TypeReference<'r>>>>,
    /// Cache of module `resolve`: for each method body of the file, the declarations that its calls resolve to.
    targets: Slots<Box<[Target<'r>]>>,
}

/// A type in the symbol index, with caches of everything computed about it so far.
pub(super) struct TypeEntry<'r> {
    file: FileId,
    in_file: u32,
    pub(super) parameters: OnceLock<Vec<TypeParameter<'r>>>,
    pub(super) supertypes: OnceLock<Vec<Type<'r>>>,
    pub(super) ancestors: OnceLock<Vec<Ancestor<'r>>>,
    /// The cached parameter and result types of methods, one slot for each method of the type.
    pub(super) signatures: Slots<Signature<'r>>,
    /// For each abstract method of the type, its cached implementations. Slots of other methods stay empty.
    pub(super) implementations: Slots<Box<[MethodId]>>,
    methods_by_name: OnceLock<FxHashMap<&'r str, SmallVec<[u32; 2]>>>,
    setup_methods: OnceLock<Box<[MethodId]>>,
    /// The positions of the type's fields in its declaration, by name.
    fields_by_name: OnceLock<FxHashMap<&'r str, u32>>,
}

/// The symbol index of a repository: its files, types and methods, and those of the library stubs.
pub(crate) struct Index<'r> {
    pub(super) files: Vec<FileEntry<'r>>,
    pub(super) types: Vec<TypeEntry<'r>>,
    /// All types of the index by simple name; several types may share a name.
    pub(super) by_name: FxHashMap<&'r str, SmallVec<[TypeId; 2]>>,
    /// Types of the index by the simple name of each supertype that their declaration names.
    subtypes_by_name: FxHashMap<&'r str, Vec<TypeId>>,
    repository_files: usize,
    /// The type `java.lang.Object`, which a library stub declares. `None` only while the index is being built.
    pub(super) object: Option<TypeId>,
    /// The type `java.lang.Enum`, which a library stub declares. `None` only while the index is being built.
    pub(super) enumeration: Option<TypeId>,
}

impl<'r> Index<'r> {
    /// Builds the index of a repository. `stored` returns the outline of a file if an earlier run stored it.
    pub(crate) fn new<'k>(
        repository: &'r Repository,
        stored: impl Fn(FileId) -> Option<&'k StoredOutline> + Sync,
    ) -> Self {
        let sources: Vec<&'r SourceFile> = repository.files().iter().chain(stubs::files()).collect();
        let outlines: Vec<Outline<&'r str>> = sources
            .par_iter()
            .with_min_len(16)
            .enumerate()
            .map(|(at, source)| {
                let stored = stored(FileId::new(at)).and_then(|it| it.of(source.text()));
                stored.unwrap_or_else(|| outline(source.text()))
            })
            .collect();
        let types: usize = outlines.iter().map(|it| it.types.len()).sum();
        let mut index = Self {
            files: Vec::with_capacity(sources.len()),
            types: Vec::with_capacity(types),
            by_name: FxHashMap::with_capacity_and_hasher(types, FxBuildHasher),
            subtypes_by_name: FxHashMap::default(),
            repository_files: repository.files().len(),
            object: None,
            enumeration: None,
        };
        for (source, outline) in sources.into_iter().zip(outlines) {
            index.add(source, outline);
        }
        index.object = index.lookup_qualified("java.lang.Object", FileId(0));
        index.enumeration = index.lookup_qualified("java.lang.Enum", FileId(0));
        index
    }

    fn add(&mut self, source: &'r SourceFile, outline: Outline<&'r str>) {
        let file = FileId::new(self.files.len());
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
                signatures: Slots::default(),
                implementations: Slots::default(),
                methods_by_name: OnceLock::new(),
                setup_methods: OnceLock::new(),
                fields_by_name: OnceLock::new(),
            });
        }
        self.files.push(FileEntry {
            source,
            outline,
            first_type,
            declarations: OnceLock::new(),
            names: RwLock::default(),
            targets: Slots::default(),
        });
    }

    /// All files of the index: those of the repository, then the library stubs.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..narrow(self.files.len())).map(FileId)
    }

    /// The files of the repository, without the library stubs.
    pub(crate) fn repository_files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..narrow(self.repository_files)).map(FileId)
    }

    /// The files of the library stubs, which follow the files of the repository.
    pub(crate) fn library_files(&self) -> impl Iterator<Item = FileId> + use<> {
        (narrow(self.repository_files)..narrow(self.files.len())).map(FileId)
    }

    /// The types that a file declares, in the order of declaration.
    pub(crate) fn types_of(&self, file: FileId) -> impl Iterator<Item = TypeId> + use<> {
        let entry = &self.files[file.position()];
        let first = entry.first_type;
        (first..first + narrow(entry.outline.types.len())).map(TypeId)
    }

    /// A file of the index, with its path and text.
    pub(crate) fn source(&self, file: FileId) -> &'r SourceFile {
        self.files[file.position()].source
    }

    /// The outline of a file: package, imports, types and positions of bodies, found without a parse tree.
    pub(crate) fn file_outline(&self, file: FileId) -> &Outline<&'r str> {
        &self.files[file.position()].outline
    }

    /// The file that declares a type.
    pub(crate) fn file_of(&self, id: TypeId) -> FileId {
        self.types[id.position()].file
    }

    /// Whether the file belongs to the repository and is not a library stub.
    pub(crate) fn is_repository_file(&self, file: FileId) -> bool {
        file.position() < self.repository_files
    }

    /// Whether a library stub declares the type.
    pub(crate) fn is_library(&self, id: TypeId) -> bool {
        !self.is_repository_file(self.file_of(id))
    }

    /// The outline of a type: its name, kind, supertypes and positions, found without a parse tree.
    pub(crate) fn outline(&self, id: TypeId) -> &TypeOutline<&'r str> {
        let entry = &self.types[id.position()];
        &self.files[entry.file.position()].outline.types[entry.in_file as usize]
    }

    /// The type that directly encloses the type `id`; `None` for a top-level type.
    pub(crate) fn enclosing(&self, id: TypeId) -> Option<TypeId> {
        let file = &self.files[self.file_of(id).position()];
        self.outline(id).enclosing.map(|at| TypeId(file.first_type + at))
    }

    /// The binary name of a type: `package.Outer$Inner`.
    pub(crate) fn binary_name(&self, id: TypeId) -> String {
        let mut names = vec![self.outline(id).name];
        let mut current = id;
        while let Some(outer) = self.enclosing(current) {
            names.push(self.outline(outer).name);
            current = outer;
        }
        names.reverse();
        let package = self.files[self.file_of(id).position()].outline.package;
        if package.is_empty() {
            names.join("$")
        } else {
            format!("{package}.{}", names.join("$"))
        }
    }

    /// The declarations of a file, parsed on the first call.
    pub(crate) fn file_declarations(&self, file: FileId) -> &Declarations<'r> {
        let entry = &self.files[file.position()];
        entry
            .declarations
            .get_or_init(|| declarations(entry.source.text(), &entry.outline))
    }

    /// Whether the declarations of a file have been parsed so far.
    pub(crate) fn is_parsed(&self, file: FileId) -> bool {
        self.files[file.position()].declarations.get().is_some()
    }

    /// The files of the repository whose declarations have been parsed so far.
    pub(crate) fn parsed_files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.repository_files().filter(|file| self.is_parsed(*file))
    }

    /// The declaration of a type with its members. Parses the file of the type if needed.
    pub(crate) fn declaration(&self, id: TypeId) -> &TypeDeclaration<'r> {
        let entry = &self.types[id.position()];
        &self.file_declarations(entry.file).types[entry.in_file as usize]
    }

    /// The declaration of a method or constructor. Parses its file if needed.
    pub(crate) fn method(&self, id: MethodId) -> &MethodDeclaration<'r> {
        &self.declaration(id.owner).methods[id.index as usize]
    }

    /// The declarations that the calls in a method body resolve to; `compute` finds them on the first request.
    pub(crate) fn cached_targets(
        &self,
        file: FileId,
        code: &LazyBody<'r>,
        compute: impl FnOnce() -> Box<[Target<'r>]>,
    ) -> &[Target<'r>] {
        let slots = &self.files[file.position()].targets;
        self.slot_of(slots, file, code).get_or_init(compute)
    }

    /// The cache slot of a method body in `slots`, which has one slot for each body of its file.
    pub(crate) fn slot_of<'s, T>(&self, slots: &'s Slots<T>, file: FileId, code: &LazyBody<'r>) -> &'s OnceLock<T> {
        slots.slot(code.number as usize, || self.file_declarations(file).bodies as usize)
    }

    /// Types whose declaration names a supertype with this simple name, whichever type that name means.
    pub(crate) fn subtypes_by_written_name(&self, name: &str) -> &[TypeId] {
        self.subtypes_by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The field with this name that `owner` itself declares; `None` if it declares none.
    pub(crate) fn own_field(&self, owner: TypeId, name: &str) -> Option<&FieldDeclaration<'r>> {
        let fields = &self.declaration(owner).fields;
        let by_name = self.types[owner.position()].fields_by_name.get_or_init(|| {
            // The first of several fields with a name counts.
            let positions = fields.iter().enumerate().rev();
            positions.map(|(at, field)| (field.name, narrow(at))).collect()
        });
        by_name.get(name).map(|at| &fields[*at as usize])
    }

    /// The setup and teardown methods of a type, found by `find` on the first call.
    pub(crate) fn cached_setup(&self, id: TypeId, find: impl FnOnce() -> Box<[MethodId]>) -> &[MethodId] {
        self.types[id.position()].setup_methods.get_or_init(find)
    }

    /// The methods with this name that `owner` itself declares, in the order of declaration. Constructors have the name
    /// `<init>`.
    pub(crate) fn methods_named(&self, owner: TypeId, name: &str) -> impl Iterator<Item = MethodId> + use<'_, 'r> {
        let by_name = self.types[owner.position()].methods_by_name.get_or_init(|| {
            let mut map: FxHashMap<&'r str, SmallVec<[u32; 2]>> = FxHashMap::default();
            for (at, method) in self.declaration(owner).methods.iter().enumerate() {
                let name = if method.is_constructor {
                    CONSTRUCTOR
                } else {
                    method.name
                };
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

    /// The type with this name that `id` directly encloses; `None` if there is none.
    pub(super) fn directly_nested(&self, id: TypeId, name: &str) -> Option<TypeId> {
        self.by_name
            .get(name)?
            .iter()
            .copied()
            .find(|candidate| self.enclosing(*candidate) == Some(id))
    }

    /// The top-level type with this name in a package; `None` if there is none. If several modules declare one, the one
    /// nearest to the file `near`.
    pub(super) fn in_package(&self, package: &str, name: &str, near: FileId) -> Option<TypeId> {
        let candidates = self.by_name.get(name)?.iter().copied().filter(|candidate| {
            self.outline(*candidate).enclosing.is_none()
                && self.file_outline(self.file_of(*candidate)).package == package
        });
        self.nearest(candidates, near)
    }

    /// The type with this qualified name, nested types joined with dots; `None` if no file declares it. If several
    /// modules declare one, the one nearest to the file `near`.
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
        rest == self.file_outline(self.file_of(id)).package
    }

    /// Chooses among types of one name in several modules: the one whose file path shares the longest prefix with that
    /// of `near`. The first among equals; `None` if there are no candidates.
    fn nearest(&self, mut candidates: impl Iterator<Item = TypeId>, near: FileId) -> Option<TypeId> {
        let first = candidates.next()?;
        // Nearly all names are unique: paths are compared only where there is a second candidate.
        let Some(second) = candidates.next() else {
            return Some(first);
        };
        let asking = self.source(near).path().as_bytes();
        let shared = |id: TypeId| {
            let path = self.source(self.file_of(id)).path().as_bytes();
            asking.iter().zip(path).take_while(|(a, b)| a == b).count()
        };
        let mut best = (shared(first), first);
        for candidate in std::iter::once(second).chain(candidates) {
            let score = shared(candidate);
            if score > best.0 {
                best = (score, candidate);
            }
        }
        Some(best.1)
    }
}
