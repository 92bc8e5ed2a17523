//! The interface of a file: the declarations that other files can see.
//!
//! A change of one file can change the meaning of code in other files: a type appears, or a method gets an overload.
//! All affected files mention a name whose declaration changed, so interfaces are compared name by name.
//!
//! ```java
//! class Stock { int count() { return 1; } }       // before
//! class Stock { long count() { return 1; } }      // after: files that mention `count` are affected
//! ```
//!
//! Invariant: two interfaces without a difference declare the same types with the same supertypes and members. A
//! declaration includes the imports that tell which types it names. Bodies of methods and values of fields are not part
//! of an interface.

use std::collections::BTreeSet;
use std::iter;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::repository::SourceFile;
use crate::stable_hash::StableHasher;
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::symbols::type_text::parse_type;
use crate::syntax::declarations::{Declarations, declarations};
use crate::syntax::outline::{Import, Outline, TypeKind, outline, simple_name};
use crate::syntax::stored_outline::StoredOutline;
use crate::threads::on_all_cores;

/// The declarations of a file that other files can see.
#[derive(Debug, Serialize, Deserialize)]
pub struct FileInterface {
    /// Hash of the file's package, and of its types without their members.
    header: u64,
    /// One line for each type of the file: its simple name, then the simple names of its supertypes.
    types: Names,
    /// The fields and methods of the file's types; `None` if no analysis needed a member of this file.
    members: Option<Members>,
    /// Whether the file declares an annotation (`@interface`). Methods that carry this annotation may be tests.
    declares_annotation: bool,
    /// Positions of the file's package, imports, types and bodies. Comparisons of interfaces ignore them.
    outline: StoredOutline,
}

/// The fields and methods of all types in a file, sorted by name.
#[derive(Debug, Serialize, Deserialize)]
struct Members {
    names: Names,
    /// A hash of the declaration of each field and method, in the order of `names`, which holds their names.
    hashes: Vec<u64>,
    /// Fields and methods whose declarations name types, each on a line: its name, then the names of the types.
    typed: Names,
}

impl Members {
    fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.names.iter().zip(self.hashes.iter().copied())
    }
}

/// Lines of Java names in one string. A line has one name, or the name of a declaration and the types that it mentions,
/// with spaces between them. It is one string because most names are only copied from scan to scan.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Names(String);

impl Names {
    fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.lines()
    }
}

impl<'n> FromIterator<&'n str> for Names {
    fn from_iter<I: IntoIterator<Item = &'n str>>(names: I) -> Self {
        let mut lines = String::new();
        for name in names {
            lines.push_str(name);
            lines.push('\n');
        }
        Self(lines)
    }
}

impl FileInterface {
    /// The declarations of a file that other files can see, including fields and methods.
    #[must_use]
    pub fn of(file: &SourceFile) -> Self {
        let outline = outline(file.text());
        let declared = declarations(file.text(), &outline);
        Self::new(file.text(), &outline, Some(&declared))
    }

    fn new(text: &str, outline: &Outline<&str>, declared: Option<&Declarations<'_>>) -> Self {
        let mut hasher = StableHasher::default();
        let mut lines = BTreeSet::new();
        let imports = Imports::new(&outline.imports);
        hasher.text(outline.package);
        for it in &outline.types {
            hasher.text(it.name);
            hasher.number(it.kind as u8);
            hasher.number(it.enclosing.map_or(0, |outer| u64::from(outer) + 1));
            hasher.text(it.type_parameters);
            hasher.number(it.supertypes.len() as u64);
            it.supertypes.iter().for_each(|it| hasher.text(it));
            hasher.number(it.extended as u64);
            hasher.number(it.is_abstract);
            let mentioned = it.supertypes.iter().copied().chain([it.type_parameters]);
            mentioned.for_each(|it| imports.add_to(&mut hasher, it));
            let supertypes = it.supertypes.iter().map(|it| simple_name(parse_type(it).name));
            lines.insert(iter::once(it.name).chain(supertypes).collect::<Vec<_>>().join(" "));
        }
        Self {
            header: hasher.finish(),
            types: lines.iter().map(String::as_str).collect(),
            members: declared.map(|declared| members(text, declared, &imports, &mut hasher)),
            declares_annotation: outline.types.iter().any(|it| it.kind == TypeKind::Annotation),
            outline: StoredOutline::new(outline, text),
        }
    }

    /// Whether the file declares an annotation (`@interface`). If so, a change of the file may change which methods of
    /// the repository are tests.
    #[must_use]
    pub fn declares_annotation(&self) -> bool {
        self.declares_annotation
    }

    /// The names of the file's types and of their supertypes. Adding or removing the file can change the meaning of
    /// these names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.types.iter().flat_map(|it| it.split(' '))
    }

    /// The simple names of the file's types, each with the simple names of its supertypes.
    pub fn types(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = &str> + Clone)> {
        self.types.iter().map(first_and_rest)
    }

    /// The fields and methods whose declarations name types, each with the names of these types. Empty if no analysis
    /// needed a member of the file.
    pub fn typed_members(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = &str> + Clone)> {
        let members = self.members.iter().flat_map(|it| it.typed.iter());
        members.map(first_and_rest)
    }

    /// Whether the package or the types of the file differ between this interface and a later one of the same file.
    /// Fields and methods of the types are not compared.
    #[must_use]
    pub fn differs_in_types(&self, later: &Self) -> bool {
        self.header != later.header
    }

    /// The names of types, fields and methods whose declarations differ between this interface and a later one of the
    /// same file.
    #[must_use]
    pub fn difference<'f>(&'f self, later: &'f Self) -> BTreeSet<&'f str> {
        let mut names = BTreeSet::new();
        if self.differs_in_types(later) {
            names.extend(self.names().chain(later.names()));
        }
        if let (Some(before), Some(after)) = (&self.members, &later.members) {
            let [before, after] = [before, after].map(|it| it.iter().collect::<BTreeSet<_>>());
            names.extend(before.symmetric_difference(&after).map(|(name, _)| name));
        }
        names
    }

    /// The positions of the file's package, imports, types and bodies.
    pub(crate) fn outline(&self) -> &StoredOutline {
        &self.outline
    }
}

/// The first word of a line, and its other words.
fn first_and_rest(line: &str) -> (&str, impl Iterator<Item = &str> + Clone) {
    let mut words = line.split(' ');
    (words.next().unwrap_or_default(), words)
}

/// The words in the text of a type that may be names of types: `Map` and `Key` in `Map<Key, int[]>`.
fn type_names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '$')));
    words.filter(|it| !it.is_empty() && !is_primitive(it))
}

/// Whether a word is a primitive type, `void`, `extends` or `super`, so that it does not name a class.
fn is_primitive(word: &str) -> bool {
    matches!(
        word,
        "int" | "long" | "boolean" | "double" | "float" | "byte" | "short" | "char" | "void" | "extends" | "super"
    )
}

/// The imports of a file, which decide what the types in its declarations are.
struct Imports<'o, 'r> {
    all: &'o [Import<&'r str>],
    /// Hash of the wildcard imports of the file.
    wildcards: u64,
}

impl<'o, 'r> Imports<'o, 'r> {
    fn new(all: &'o [Import<&'r str>]) -> Self {
        let mut hasher = StableHasher::default();
        for import in all.iter().filter(|it| it.is_wildcard) {
            hasher.text(import.path);
            hasher.number(import.is_static);
        }
        Self {
            all,
            wildcards: hasher.finish(),
        }
    }

    /// Adds to a hash those imports that decide what the names in the text of a type refer to.
    fn add_to(&self, hasher: &mut StableHasher, text: &str) {
        for name in type_names(text) {
            let single = self.all.iter().find(|it| !it.is_wildcard && it.name == name);
            match single {
                Some(import) => hasher.text(import.path),
                None => hasher.number(self.wildcards),
            }
        }
    }
}

/// The fields and methods of all types in a file, with hashes of their declarations.
fn members<'r>(
    text: &str,
    declared: &Declarations<'r>,
    imports: &Imports<'_, '_>,
    hasher: &mut StableHasher,
) -> Members {
    let mut members: Vec<(&'r str, u64)> = Vec::new();
    let mut typed = BTreeSet::new();
    let mut add_types = |name: &str, texts: &[&str]| {
        let types: BTreeSet<&str> = texts.iter().flat_map(|it| type_names(it)).collect();
        if !types.is_empty() {
            typed.insert(iter::once(name).chain(types).collect::<Vec<_>>().join(" "));
        }
    };
    for (at, it) in declared.types.iter().enumerate() {
        for field in &it.fields {
            hasher.number(at as u64);
            hasher.text(field.type_text);
            hasher.number(field.dimensions);
            hasher.number(field.is_static);
            imports.add_to(hasher, field.type_text);
            add_types(field.name, &[field.type_text]);
            members.push((field.name, hasher.finish()));
        }
        for method in &it.methods {
            // A declaration without a body counts up to its name; what follows are the parameters, added below.
            let end = method.code.as_ref().map_or(method.at, |code| code.start);
            hasher.number(at as u64);
            hasher.text(&text[method.start as usize..end as usize]);
            hasher.text(method.return_type);
            hasher.number(method.return_dimensions);
            hasher.number(method.is_variadic);
            for parameter in &method.parameters {
                hasher.text(parameter.type_text);
                hasher.number(parameter.dimensions);
            }
            let parameters = method.parameters.iter().map(|it| it.type_text);
            let texts: Vec<&str> = parameters.chain([method.return_type, method.type_parameters]).collect();
            for text in &texts {
                imports.add_to(hasher, text);
            }
            add_types(method.name, &texts);
            members.push((method.name, hasher.finish()));
        }
    }
    members.sort_unstable();
    Members {
        names: members.iter().map(|it| it.0).collect(),
        hashes: members.iter().map(|it| it.1).collect(),
        typed: typed.iter().map(String::as_str).collect(),
    }
}

/// For each file of the repository, the declarations that other files can see. Members are listed only for files whose
/// declarations were parsed. `known` is empty, or holds what an earlier analysis computed for each file.
pub(crate) fn interfaces(index: &Index<'_>, known: Vec<FileInterface>) -> Vec<FileInterface> {
    let known = known.into_iter().map(Some).chain(iter::repeat_with(|| None));
    let files: Vec<_> = index.repository_files().zip(known).collect();
    let interface = |(file, known): (FileId, Option<FileInterface>)| {
        let is_parsed = index.is_parsed(file);
        let complete = known.filter(|it| it.members.is_some() || !is_parsed);
        complete.unwrap_or_else(|| {
            let declared = is_parsed.then(|| index.file_declarations(file));
            FileInterface::new(index.source(file).text(), index.file_outline(file), declared)
        })
    };
    on_all_cores(|| files.into_par_iter().with_min_len(16).map(interface).collect())
}
