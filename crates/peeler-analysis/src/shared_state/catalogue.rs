//! The catalogue of shared state: library calls that change it, and fields and beans that are or are not state.
//!
//! The data file is `catalogue/shared_state.toml`, whose header explains its fields.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

/// The catalogue of shared state that is built into the program.
pub(super) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let file: CatalogueFile =
        toml::from_str(include_str!("../../catalogue/shared_state.toml")).expect("the catalogue is well-formed");
    Catalogue::new(file)
});

/// The effect of a method on a shared state, by the method's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MethodEffect {
    Read,
    /// The method reads one entry of a map by its key.
    ReadKeyed,
    /// The method replaces one entry of a map.
    Put,
    Mutate,
    /// The method sets the state to its value at the start.
    Clear,
    /// The method takes away from the state what another method added.
    Remove,
    /// The method restores all states of one kind.
    ClearAll,
    /// The method adds a value to the state once; the value is the same whoever adds it.
    Lazy,
    /// The method changes a counter.
    Count,
}

/// The catalogue of shared state, with library states by the classes that hold them.
#[derive(Debug)]
pub(super) struct Catalogue {
    libraries: FxHashMap<String, Vec<LibraryState>>,
    /// The names of methods that use the state of a library.
    names: FxHashSet<String>,
    /// Patterns for names of methods that use the state of a library.
    patterns: Vec<String>,
    pub(super) methods: MethodNames,
    pub(super) fields: FieldTypes,
    pub(super) beans: Beans,
    pub(super) files: Files,
    pub(super) restoring: FxHashMap<String, Vec<String>>,
}

/// The catalogue file of shared state, as serde reads it.
#[derive(Debug, Deserialize)]
struct CatalogueFile {
    library: Vec<LibraryState>,
    methods: MethodNames,
    fields: FieldTypes,
    beans: Beans,
    files: Files,
    restoring: FxHashMap<String, Vec<String>>,
}

/// A shared state behind static methods of a library.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct LibraryState {
    pub(super) kind: String,
    /// The name of the library state; `None` if the first argument of a call names it.
    pub(super) name: Option<String>,
    classes: Vec<String>,
    #[serde(default)]
    reads: Vec<String>,
    #[serde(default)]
    writes: Vec<String>,
    #[serde(default)]
    clears: Vec<String>,
    #[serde(default)]
    clears_all: Vec<String>,
}

/// Part of the catalogue: names of methods that change the object they are called on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MethodNames {
    clears: Vec<String>,
    puts: Vec<String>,
    mutates: Vec<String>,
    removes: Vec<String>,
    lazy: Vec<String>,
    counters: Vec<String>,
    keyed: Vec<String>,
    teardown: Vec<String>,
    stubbing: Vec<String>,
    verifying: Vec<String>,
    resetting: Vec<String>,
}

/// Part of the catalogue: simple names of types of fields that are or are not shared state.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldTypes {
    pub(super) immutable: Vec<String>,
    pub(super) ignored: Vec<String>,
    pub(super) holders: Vec<String>,
}

/// Part of the catalogue: objects that a dependency injection container shares between tests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beans {
    pub(super) annotations: Vec<String>,
    pub(super) containers: Vec<String>,
    pub(super) undone: Vec<String>,
    pub(super) ignored: Vec<String>,
    pub(super) suffixes: Vec<String>,
    clears: Vec<String>,
    mutates: Vec<String>,
    removes: Vec<String>,
}

/// Part of the catalogue: names of methods and classes that write, delete and read files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Files {
    paths: Vec<String>,
    #[serde(rename = "path-classes")]
    path_classes: Vec<String>,
    classes: Vec<String>,
    writers: Vec<String>,
    readers: Vec<String>,
    writes: Vec<String>,
    deletes: Vec<String>,
}

impl Files {
    /// Whether a static method makes a path of its arguments.
    pub(super) fn is_path(&self, method: &str) -> bool {
        any(&self.paths, method)
    }

    /// Whether a class makes paths of names.
    pub(super) fn has_path_class(&self, class: &str) -> bool {
        self.path_classes.iter().any(|it| it == class)
    }

    /// Whether static methods of a class work on the file that is their argument.
    pub(super) fn has_class(&self, class: &str) -> bool {
        self.classes.iter().any(|it| it == class)
    }

    /// The effect of a method on the file that it is called with, judged by its name.
    pub(super) fn effect(&self, method: &str) -> MethodEffect {
        if any(&self.deletes, method) {
            MethodEffect::Clear
        } else if any(&self.writes, method) {
            MethodEffect::Put
        } else {
            MethodEffect::Read
        }
    }

    /// The effect of constructing a class on the file that is its first argument.
    pub(super) fn construction(&self, class: &str) -> Option<MethodEffect> {
        if self.writers.iter().any(|it| it == class) {
            Some(MethodEffect::Put)
        } else if self.readers.iter().any(|it| it == class) {
            Some(MethodEffect::Read)
        } else {
            None
        }
    }
}

impl Catalogue {
    fn new(file: CatalogueFile) -> Self {
        let mut libraries: FxHashMap<String, Vec<LibraryState>> = FxHashMap::default();
        let mut names = FxHashSet::default();
        let mut patterns = Vec::new();
        for state in file.library {
            for name in [&state.reads, &state.writes, &state.clears, &state.clears_all]
                .into_iter()
                .flatten()
            {
                if name.ends_with('*') {
                    patterns.push(name.clone());
                } else {
                    names.insert(name.clone());
                }
            }
            for class in &state.classes {
                libraries.entry(class.clone()).or_default().push(state.clone());
            }
        }
        Self {
            libraries,
            names,
            patterns,
            methods: file.methods,
            fields: file.fields,
            beans: file.beans,
            files: file.files,
            restoring: file.restoring,
        }
    }

    /// Whether the state of a library has a method of this name. Most calls have other names.
    pub(super) fn may_know(&self, method: &str) -> bool {
        self.names.contains(method) || any(&self.patterns, method)
    }

    /// The states behind the static methods of a class, by its full name.
    pub(super) fn libraries(&self, class: &str) -> &[LibraryState] {
        self.libraries.get(class).map_or(&[], Vec::as_slice)
    }
}

impl LibraryState {
    /// The effect of a method on the library's state; `None` if it has none.
    pub(super) fn effect(&self, method: &str) -> Option<MethodEffect> {
        if any(&self.clears, method) {
            Some(MethodEffect::Clear)
        } else if any(&self.clears_all, method) {
            Some(MethodEffect::ClearAll)
        } else if any(&self.writes, method) {
            Some(MethodEffect::Put)
        } else if any(&self.reads, method) {
            Some(MethodEffect::Read)
        } else {
            None
        }
    }
}

impl MethodNames {
    /// The effect of a method on the object it is called on, judged by its name.
    pub(super) fn effect(&self, method: &str) -> MethodEffect {
        if any(&self.counters, method) {
            MethodEffect::Count
        } else if any(&self.lazy, method) {
            MethodEffect::Lazy
        } else if any(&self.clears, method) {
            MethodEffect::Clear
        } else if any(&self.removes, method) {
            MethodEffect::Remove
        } else if any(&self.keyed, method) {
            MethodEffect::ReadKeyed
        } else if any(&self.puts, method) {
            MethodEffect::Put
        } else if any(&self.mutates, method) {
            MethodEffect::Mutate
        } else {
            MethodEffect::Read
        }
    }

    /// Whether a method sets its object to the value at the start, judged by its name.
    pub(super) fn is_clearing(&self, method: &str) -> bool {
        any(&self.clears, method)
    }

    /// The effect of a mocking library's method on the mock in its argument; `None` if it has none.
    pub(super) fn mocking(&self, method: &str) -> Option<MethodEffect> {
        if any(&self.stubbing, method) {
            Some(MethodEffect::Mutate)
        } else if any(&self.verifying, method) {
            Some(MethodEffect::Read)
        } else if any(&self.resetting, method) {
            Some(MethodEffect::Clear)
        } else {
            None
        }
    }

    /// Whether a method of an anonymous rule or extension runs after a test.
    pub(super) fn is_teardown(&self, method: &str) -> bool {
        any(&self.teardown, method)
    }
}

impl Beans {
    /// The effect of a method on the store behind a bean, judged by its name.
    pub(super) fn effect(&self, method: &str) -> MethodEffect {
        if any(&self.clears, method) {
            MethodEffect::Clear
        } else if any(&self.removes, method) {
            MethodEffect::Remove
        } else if any(&self.mutates, method) {
            MethodEffect::Mutate
        } else {
            MethodEffect::Read
        }
    }

    /// The name of the store behind a bean of this type: `Task` for `TaskRepository`.
    pub(super) fn store<'t>(&self, type_name: &'t str) -> &'t str {
        let cut = self
            .suffixes
            .iter()
            .filter_map(|it| type_name.strip_suffix(it.as_str()));
        cut.filter(|it| !it.is_empty())
            .min_by_key(|it| it.len())
            .unwrap_or(type_name)
    }
}

/// Whether one of the patterns matches a name. A `*` at the end stands for the end of the name or another word.
fn any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        None => pattern == name,
        Some(prefix) => name
            .strip_prefix(prefix)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase())),
    })
}
