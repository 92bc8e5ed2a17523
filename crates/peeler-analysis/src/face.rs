//! The face of a file: what the rest of a repository can see of it.
//!
//! A test whose code was not touched may still mean something else when other files change: a type appears, a method gets
//! an overload. Whoever is concerned by that mentions a name that changed, so faces are compared by name:
//!
//! ```java
//! class Stock { int count() { return 1; } }       // before
//! class Stock { long count() { return 1; } }      // after: whoever mentions `count` is concerned
//! ```
//!
//! Invariant: two faces without a difference declare the same types with the same supertypes and members. Bodies and
//! values of fields are no part of a face.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::iter;

use rayon::prelude::*;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use crate::repository::SourceFile;
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::symbols::type_text::parse_type;
use crate::syntax::declarations::{Declarations, declarations};
use crate::syntax::kept_outline::KeptOutline;
use crate::syntax::outline::{Outline, TypeKind, outline, simple_name};
use crate::threads::on_all_cores;

/// What the rest of a repository can see of a file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Face {
    /// Of the package, and of the types without their members.
    header: u64,
    /// Simple names of the types and of their supertypes.
    names: Names,
    /// None where nobody ever looked for a member of this file: then none of them matters.
    members: Option<Members>,
    /// Annotations of the repository can make methods tests.
    declares_annotation: bool,
    /// Where all of that stands; the one thing here that may differ without a difference.
    outline: KeptOutline,
}

/// The members of a file's types, sorted.
#[derive(Debug, Serialize, Deserialize)]
struct Members {
    names: Names,
    /// Of how each is declared.
    digests: Vec<u64>,
}

impl Members {
    fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.names.iter().zip(self.digests.iter().copied())
    }
}

/// Java names, one a line: most faces are only carried from scan to scan.
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

impl Face {
    /// The whole face of a file.
    #[must_use]
    pub fn of(file: &SourceFile) -> Self {
        let outline = outline(file.text());
        let declared = declarations(file.text(), &outline);
        Self::new(file.text(), &outline, Some(&declared))
    }

    fn new(text: &str, outline: &Outline<&str>, declared: Option<&Declarations<'_>>) -> Self {
        let mut hasher = FxHasher::default();
        outline.package.hash(&mut hasher);
        let mut names = BTreeSet::new();
        for it in &outline.types {
            (it.name, it.kind as u8, it.enclosing, it.type_parameters).hash(&mut hasher);
            (&it.supertypes, it.extended, it.is_abstract).hash(&mut hasher);
            names.insert(it.name);
            names.extend(it.supertypes.iter().map(|it| simple_name(parse_type(it).name)));
        }
        Self {
            header: hasher.finish(),
            names: names.into_iter().collect(),
            members: declared.map(|declared| members(text, declared)),
            declares_annotation: outline.types.iter().any(|it| it.kind == TypeKind::Annotation),
            outline: KeptOutline::new(outline, text),
        }
    }

    /// Whether a change of the file may change what counts as a test anywhere.
    #[must_use]
    pub fn declares_annotation(&self) -> bool {
        self.declares_annotation
    }

    /// The names of the types and of their supertypes: what the file brings when it appears, and takes when it goes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// The names that mean something else in the later face.
    #[must_use]
    pub fn difference<'f>(&'f self, later: &'f Self) -> BTreeSet<&'f str> {
        let mut names = BTreeSet::new();
        if self.header != later.header {
            names.extend(self.names().chain(later.names()));
        }
        if let (Some(before), Some(after)) = (&self.members, &later.members) {
            let [before, after] = [before, after].map(|it| it.iter().collect::<BTreeSet<_>>());
            names.extend(before.symmetric_difference(&after).map(|(name, _)| name));
        }
        names
    }

    /// Where everything stands in the file that this is the face of.
    pub(crate) fn outline(&self) -> &KeptOutline {
        &self.outline
    }
}

fn members<'r>(text: &str, declared: &Declarations<'r>) -> Members {
    let mut members: Vec<(&'r str, u64)> = Vec::new();
    for (at, it) in declared.types.iter().enumerate() {
        let mut add = |name: &'r str, value: &dyn Fn(&mut FxHasher)| {
            let mut hasher = FxHasher::default();
            at.hash(&mut hasher);
            value(&mut hasher);
            members.push((name, hasher.finish()));
        };
        for field in &it.fields {
            add(field.name, &|hasher| {
                (field.type_text, field.dimensions, field.is_static).hash(hasher);
            });
        }
        for method in &it.methods {
            // Without a body the declaration ends where nothing that counts follows.
            let end = method.code.as_ref().map_or(method.at, |code| code.start);
            add(method.name, &|hasher| {
                text[method.start as usize..end as usize].hash(hasher);
                (method.return_type, method.return_dimensions, method.is_variadic).hash(hasher);
                for parameter in &method.parameters {
                    (parameter.type_text, parameter.dimensions).hash(hasher);
                }
            });
        }
    }
    members.sort_unstable();
    Members {
        names: members.iter().map(|it| it.0).collect(),
        digests: members.iter().map(|it| it.1).collect(),
    }
}

/// The interfaces of all files of the repository, in their order. Members are listed only for files whose declarations
/// were parsed. `known` is empty, or holds the interfaces of all files as far as an earlier analysis computed them.
pub(crate) fn interfaces(index: &Index<'_>, known: Vec<Face>) -> Vec<Face> {
    let known = known.into_iter().map(Some).chain(iter::repeat_with(|| None));
    let files: Vec<_> = index.repository_files().zip(known).collect();
    let interface = |(file, known): (FileId, Option<Face>)| {
        let is_parsed = index.is_parsed(file);
        let complete = known.filter(|it| it.members.is_some() || !is_parsed);
        complete.unwrap_or_else(|| {
            let declared = is_parsed.then(|| index.file_declarations(file));
            Face::new(index.source(file).text(), index.file_outline(file), declared)
        })
    };
    on_all_cores(|| files.into_par_iter().with_min_len(16).map(interface).collect())
}
