//! The symbol index: every type of the repository, and what its name means where.
//!
//! The index is built from outlines alone; the declarations of a file are parsed when somebody asks
//! for a member of one of its types. Behind the files of the repository stand the *library stubs*:
//! signatures of the JDK and of a few test libraries, written in Java and read by the same code, so
//! that `list.get(0).total()` finds `total` although `List` is not part of the repository.
//!
//! Invariant: identifiers (`FileId`, `TypeId`, `MethodId`) are dense and follow the sorted file order,
//! so they are the same every run.

use std::sync::{OnceLock, RwLock};

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::hierarchy::{Ancestor, Signature};
use super::names::{Named, Precedence};
use super::stubs;
use super::targets::Target;
use super::type_text::{TypeParameter, parse_type};
use super::types::Type;
use crate::face::Face;
use crate::repository::{Repository, SourceFile, narrow};
use crate::slots::Slots;
use crate::syntax::body::CONSTRUCTOR;
use crate::syntax::declarations::{Declarations, LazyBody, MethodDeclaration, TypeDeclaration, declarations};
use crate::syntax::outline::{Outline, TypeOutline, outline, simple_name};

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

pub(super) struct FileEntry<'r> {
    source: &'r SourceFile,
    pub(super) outline: Outline<&'r str>,
    first_type: u32,
    declarations: OnceLock<Declarations<'r>>,
    /// What names mean to the whole file.
    pub(super) names: RwLock<FxHashMap<(&'r str, Precedence), Option<Named<'r>>>>,
    /// What the calls of each body resolve to, by call id.
    targets: Slots<Box<[Target<'r>]>>,
}

pub(super) struct TypeEntry<'r> {
    file: FileId,
    in_file: u32,
    pub(super) parameters: OnceLock<Vec<TypeParameter<'r>>>,
    pub(super) supertypes: OnceLock<Vec<Type<'r>>>,
    pub(super) ancestors: OnceLock<Vec<Ancestor<'r>>>,
    /// By the index of the method.
    pub(super) signatures: Slots<Signature<'r>>,
    /// By the index of an abstract method.
    pub(super) implementations: Slots<Box<[MethodId]>>,
    methods_by_name: OnceLock<FxHashMap<&'r str, SmallVec<[u32; 2]>>>,
}

pub(crate) struct Index<'r> {
    pub(super) files: Vec<FileEntry<'r>>,
    pub(super) types: Vec<TypeEntry<'r>>,
    pub(super) by_name: FxHashMap<&'r str, SmallVec<[TypeId; 2]>>,
    /// By the simple name of a supertype as written.
    pub(super) subtypes_by_name: FxHashMap<&'r str, Vec<TypeId>>,
    repository_files: usize,
    pub(super) object: Option<TypeId>,
    pub(super) enumeration: Option<TypeId>,
}

impl<'r> Index<'r> {
    /// Indexes a repository. `known` is empty, or the faces of all its files as they are now.
    pub(crate) fn new(repository: &'r Repository, known: &[Face]) -> Self {
        let sources: Vec<&'r SourceFile> = repository.files().iter().chain(stubs::files()).collect();
        let outlines: Vec<Outline<&'r str>> = sources
            .par_iter()
            .with_min_len(16)
            .enumerate()
            .map(|(at, source)| {
                let kept = known.get(at).and_then(|it| it.outline().of(source.text()));
                kept.unwrap_or_else(|| outline(source.text()))
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
                signatures: Slots::default(),
                implementations: Slots::default(),
                methods_by_name: OnceLock::new(),
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

    /// All files, the stubs behind those of the repository.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..narrow(self.files.len())).map(FileId)
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

    pub(crate) fn file_outline(&self, file: FileId) -> &Outline<&'r str> {
        &self.files[file.0 as usize].outline
    }

    pub(crate) fn file_of(&self, id: TypeId) -> FileId {
        self.types[id.0 as usize].file
    }

    /// Whether the file is one of the repository, no library stub.
    pub(crate) fn is_repository_file(&self, file: FileId) -> bool {
        (file.0 as usize) < self.repository_files
    }

    /// Whether the type is declared by a library stub, so not by the repository.
    pub(crate) fn is_library(&self, id: TypeId) -> bool {
        !self.is_repository_file(self.file_of(id))
    }

    pub(crate) fn outline(&self, id: TypeId) -> &TypeOutline<&'r str> {
        let entry = &self.types[id.0 as usize];
        &self.files[entry.file.0 as usize].outline.types[entry.in_file as usize]
    }

    /// The type that encloses `id`.
    pub(crate) fn enclosing(&self, id: TypeId) -> Option<TypeId> {
        let file = &self.files[self.file_of(id).0 as usize];
        self.outline(id).enclosing.map(|at| TypeId(file.first_type + at))
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
        code: &LazyBody<'r>,
        compute: impl FnOnce() -> Box<[Target<'r>]>,
    ) -> &[Target<'r>] {
        let slots = &self.files[file.0 as usize].targets;
        self.slot_of(slots, file, code).get_or_init(compute)
    }

    /// The slot of a body among those of its file.
    pub(crate) fn slot_of<'s, T>(&self, slots: &'s Slots<T>, file: FileId, code: &LazyBody<'r>) -> &'s OnceLock<T> {
        slots.slot(code.number as usize, || self.file_declarations(file).bodies as usize)
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
}
