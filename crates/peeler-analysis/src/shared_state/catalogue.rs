//! The catalogue of shared state: library calls that change it, and types of fields and beans that are or are not
//! shared state.
//!
//! The data file is `catalogue/shared_state.toml`, whose header explains its fields.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::catalogue_text;

/// The catalogue of shared state that is built into Peeler.
pub(super) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let file: CatalogueFile = catalogue_text::read(include_str!("../../catalogue/shared_state.toml"));
    Catalogue::new(file)
});

/// The effect of a method on a shared state such as a static map, judged by the method's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MethodEffect {
    Read,
    /// The method reads one entry of a map by its key.
    ReadKeyed,
    /// The method replaces one entry of a map, or sets a whole state such as a system property.
    Put,
    Mutate,
    /// The method resets the shared state to its value before any test ran, as `clear()` does.
    Clear,
    /// The method takes something away from the shared state, such as an entry that another method added.
    Remove,
    /// The method restores all shared states of one kind, as `System.setProperties` does for all system properties.
    ClearAll,
    /// The method adds a value only if it is missing, so that the value is the same whoever adds it: `computeIfAbsent`.
    Lazy,
    /// The method changes a counter, as `incrementAndGet` does.
    Count,
}

/// The catalogue of shared state. States of libraries are listed by the classes whose static methods use them.
#[derive(Debug)]
pub(super) struct Catalogue {
    libraries: FxHashMap<String, Vec<LibraryState>>,
    /// Names of static methods that use the shared state of a library, such as `setProperty`.
    names: FxHashSet<String>,
    /// Patterns such as `setCurrentMillis*` for names of static methods that use the shared state of a library.
    patterns: Vec<String>,
    pub(super) methods: MethodNames,
    pub(super) fields: FieldTypes,
    pub(super) beans: Beans,
    pub(super) files: Files,
    pub(super) restoring: FxHashMap<String, Vec<String>>,
}

/// The catalogue of shared state, as serde reads it from its file.
#[derive(Debug, Deserialize)]
struct CatalogueFile {
    library: Vec<LibraryState>,
    methods: MethodNames,
    fields: FieldTypes,
    beans: Beans,
    files: Files,
    restoring: FxHashMap<String, Vec<String>>,
}

/// A shared state that static methods of a library read and write, such as the default locale.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct LibraryState {
    pub(super) kind: String,
    /// The name of the library's state, such as `Locale`. `None` if the first argument of a call names it, as for
    /// system properties.
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

/// Part of the catalogue of shared state: names of methods that change the object they are called on.
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

/// Part of the catalogue of shared state: simple names of types of fields that are or are not shared state.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldTypes {
    pub(super) immutable: Vec<String>,
    pub(super) ignored: Vec<String>,
    pub(super) holders: Vec<String>,
}

/// Part of the catalogue of shared state: beans, which a dependency injection container shares between tests.
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

/// Part of the catalogue of shared state: names of methods and classes that write, delete and read files.
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
    /// Whether a method name is that of a static method that makes a path of its arguments: `Paths.get`.
    pub(super) fn is_path(&self, method: &str) -> bool {
        any(&self.paths, method)
    }

    /// Whether a class, by its full name, has static methods that make paths, as `java.nio.file.Paths` has.
    pub(super) fn has_path_class(&self, class: &str) -> bool {
        self.path_classes.iter().any(|it| it == class)
    }

    /// Whether a class, by its full name, has static methods that work on the file in their first argument.
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

    /// The effect of constructing a class on the file in the first argument, as in `new FileWriter("a")`. `None` if it
    /// has none.
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

    /// Whether the catalogue lists any static method with this name that uses a library's shared state. This quick
    /// check rejects most calls.
    pub(super) fn may_know(&self, method: &str) -> bool {
        self.names.contains(method) || any(&self.patterns, method)
    }

    /// The shared states that static methods of a class use; the class is given by its full name.
    pub(super) fn libraries(&self, class: &str) -> &[LibraryState] {
        self.libraries.get(class).map_or(&[], Vec::as_slice)
    }
}

impl LibraryState {
    /// The effect of a static method on this state of a library; `None` if it has none.
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

    /// Whether a method empties or resets the object that it is called on, judged by its name: `clear`.
    pub(super) fn is_clearing(&self, method: &str) -> bool {
        any(&self.clears, method)
    }

    /// The effect of a mocking library's method, such as `verify` or `reset`, on the mock in its argument. `None` if it
    /// has none.
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

    /// Whether a method of an anonymous JUnit rule or extension runs after a test, judged by its name: `after`.
    pub(super) fn is_teardown(&self, method: &str) -> bool {
        any(&self.teardown, method)
    }
}

impl Beans {
    /// The effect of a method on the stored data behind a bean such as `TaskRepository`, judged by its name.
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

    /// The name of the stored data behind a bean of this type: `Task` for `TaskRepository`.
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

/// Whether one of the patterns matches a name. A `*` at the end stands for anything that does not begin with a
/// lower-case letter.
fn any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        None => pattern == name,
        Some(prefix) => name
            .strip_prefix(prefix)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase())),
    })
}
