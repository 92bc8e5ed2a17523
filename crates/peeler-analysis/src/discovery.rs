//! Finds the methods that are test cases.
//!
//! Tests of JUnit 3 (a direct or indirect subclass of `TestCase`), JUnit 4, JUnit 5 and TestNG are found. Annotations
//! that the repository declares count too when they carry a test annotation themselves. A test method belongs to every
//! concrete class that inherits it.
//!
//! ```java
//! abstract class StoreContract { @Test void keepsOrder() {} }    // no test by itself
//! class MemoryStoreTest extends StoreContract {}                 // MemoryStoreTest#keepsOrder
//! ```

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::lifecycle::Phase;
use crate::part::Part;
use crate::symbols::ids::{FileId, MethodId, TypeId};
use crate::symbols::index::Index;
use crate::symbols::types::Type;
use crate::syntax::declarations::{Annotation, MethodDeclaration};
use crate::syntax::outline::{TypeKind, simple_name};

/// Simple names of the annotations of JUnit and `TestNG` that make a method a test.
pub(crate) const TEST_ANNOTATIONS: [&str; 6] = [
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "TestTemplate",
    "Theory",
];

/// TestNG's `@Test` on a class makes its public `void` methods tests, except those with one of these annotations.
/// Methods with annotations of setup and teardown are excepted too.
const TESTNG_CONFIGURATION: [&str; 4] = ["DataProvider", "Factory", "Override", "Parameters"];

/// The framework that runs a test: JUnit 3, 4 or 5, or `TestNG`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Framework {
    /// JUnit 3: test classes extend `TestCase`, test methods are named `testX()`.
    JUnit3,
    /// JUnit 4, with annotations such as `org.junit.Test`.
    JUnit4,
    /// JUnit 5, with annotations of `org.junit.jupiter`.
    JUnit5,
    /// TestNG, with annotations of `org.testng`.
    TestNg,
}

/// One test: a method together with the concrete class that runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DiscoveredTest {
    /// The class that runs the test.
    pub(crate) class: TypeId,
    /// The method that runs as the test. If the class overrides an inherited test method, it is the override.
    pub(crate) method: MethodId,
    pub(crate) framework: Framework,
}

/// All tests of a repository, or only those of `part` if it is given, ordered by class and then by declaration.
/// `markers` are the annotations that make a method a test.
pub(crate) fn discover_tests(index: &Index<'_>, markers: &[String], part: Option<&Part<'_>>) -> Vec<DiscoveredTest> {
    let markers: FxHashSet<&str> = markers.iter().map(String::as_str).collect();
    let mut candidates = candidate_types(index, &markers);
    if let Some(part) = part {
        let heirs = with_subtypes(index, part);
        // A comparison of simple names rules out most classes before their binary name is built.
        let names: FxHashSet<&str> = part.classes.iter().map(|it| last_name(it)).collect();
        let is_asked_for = |id: TypeId| {
            let name = index.outline(id).name;
            (names.contains(name) || name.contains('$')) && part.classes.contains(&index.binary_name(id))
        };
        candidates.retain(|id| heirs.contains(id) || is_asked_for(*id));
    }
    candidates
        .par_iter()
        .flat_map_iter(|&id| tests_of(index, id, &markers))
        .collect()
}

/// The simple name of a class, from its binary name. It is wrong for simple names that contain a `$`.
fn last_name(binary_name: &str) -> &str {
    binary_name.rsplit(['.', '$']).next().unwrap_or(binary_name)
}

/// The simple names of all annotations that make a method a test, sorted. They are those of JUnit and TestNG, and
/// annotations of the repository that carry one of these, directly or indirectly.
pub(crate) fn test_annotations<'r>(index: &Index<'r>) -> Vec<String> {
    let mut markers: FxHashSet<&'r str> = TEST_ANNOTATIONS.into_iter().collect();
    let declares_annotation = |file: &FileId| {
        let types = &index.file_outline(*file).types;
        types.iter().any(|it| it.kind == TypeKind::Annotation)
    };
    let files: Vec<FileId> = index.repository_files().filter(declares_annotation).collect();
    loop {
        let before = markers.len();
        let mentions_marker = |file: &FileId| {
            let annotations = &index.file_outline(*file).annotations;
            annotations.iter().any(|it| markers.contains(it))
        };
        let candidates: Vec<FileId> = files.iter().copied().filter(mentions_marker).collect();
        // Most of these are long test files that declare an annotation, and they are parsed here for the first time.
        candidates.par_iter().with_max_len(1).for_each(|file| {
            index.file_declarations(*file);
        });
        for file in candidates {
            for id in index.types_of(file) {
                let is_marked = || is_annotated(&index.declaration(id).annotations, &markers);
                if index.outline(id).kind == TypeKind::Annotation && is_marked() {
                    markers.insert(index.outline(id).name);
                }
            }
        }
        if markers.len() == before {
            let mut markers: Vec<String> = markers.into_iter().map(str::to_owned).collect();
            markers.sort_unstable();
            return markers;
        }
    }
}

/// The types that may have tests, judging only by simple names of annotations and supertypes. Some of them have none.
fn candidate_types(index: &Index<'_>, markers: &FxHashSet<&str>) -> Vec<TypeId> {
    let mut found: FxHashSet<TypeId> = FxHashSet::default();
    let mut pending = Vec::new();
    let mut names = FxHashSet::default();
    // Library stubs count too: base classes of test libraries have tests that run in every subclass.
    for file in index.repository_files().chain(index.library_files()) {
        let outline = index.file_outline(file);
        let has_marker = outline.annotations.iter().any(|it| markers.contains(it));
        for (id, declared) in index.types_of(file).zip(&outline.types) {
            let extends_test_case = declared
                .supertypes
                .iter()
                .any(|it| simple_name(it).contains("TestCase"));
            if has_marker || extends_test_case {
                pending.push(id);
            }
        }
    }
    while let Some(id) = pending.pop() {
        // Subtypes are looked up by name, so each name is looked up once.
        if found.insert(id) && names.insert(index.outline(id).name) {
            pending.extend(index.subtypes_by_written_name(index.outline(id).name));
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// The types in the files of `part`, and all types that may inherit from them. Types with a supertype named in
/// `part.supertypes` are included too: after a change, this name may mean another type. Only simple names of supertypes
/// are compared.
fn with_subtypes(index: &Index<'_>, part: &Part<'_>) -> FxHashSet<TypeId> {
    let mut pending: Vec<TypeId> = part.files.iter().flat_map(|file| index.types_of(*file)).collect();
    let renamed = part.supertypes.iter();
    pending.extend(renamed.flat_map(|name| index.subtypes_by_written_name(name)));
    let mut found = FxHashSet::default();
    while let Some(id) = pending.pop() {
        if found.insert(id) {
            pending.extend(index.subtypes_by_written_name(index.outline(id).name));
        }
    }
    found
}

/// The tests that a class runs, its own and inherited ones.
fn tests_of(index: &Index<'_>, class: TypeId, markers: &FxHashSet<&str>) -> Vec<DiscoveredTest> {
    let outline = index.outline(class);
    if outline.is_abstract || !matches!(outline.kind, TypeKind::Class | TypeKind::Record) || index.is_library(class) {
        return Vec::new();
    }
    let is_junit3 = is_junit3(index, class);
    let mut tests: Vec<DiscoveredTest> = Vec::new();
    // Ancestors come nearest first, so the first declaration with a name and number of parameters is the one that runs.
    let mut nearest: FxHashMap<(&str, usize), MethodId> = FxHashMap::default();
    let mut found: FxHashSet<MethodId> = FxHashSet::default();
    let mut class_is_testng_test = false;
    for ancestor in index.ancestors(class) {
        let declared = index.declaration(ancestor.id);
        let testng = uses_testng(index, ancestor.id);
        class_is_testng_test |= testng && declared.annotations.iter().any(|it| it.name == "Test");
        for (at, method) in declared.methods.iter().enumerate() {
            if method.is_constructor || method.is_static {
                continue;
            }
            let id = MethodId::new(ancestor.id, at);
            let runs = *nearest.entry((method.name, method.parameters.len())).or_insert(id);
            let annotated = is_annotated(&method.annotations, markers);
            let by_name = is_junit3 && is_junit3_method(method);
            let by_class = class_is_testng_test && testng && is_testng_method(method);
            if !(annotated || by_name || by_class) || !found.insert(runs) {
                continue;
            }
            tests.push(DiscoveredTest {
                class,
                method: runs,
                framework: framework(index, ancestor.id, method),
            });
        }
    }
    tests.retain(|test| index.method(test.method).code.is_some());
    tests.sort_by_key(|test| test.method);
    tests
}

/// Whether one of the annotations is in `markers`, the names of annotations that make a method a test.
fn is_annotated(annotations: &[Annotation<'_>], markers: &FxHashSet<&str>) -> bool {
    annotations.iter().any(|it| markers.contains(it.name))
}

/// Whether a class inherits from a class outside the repository whose name contains `TestCase`, as test classes of
/// JUnit 3 do.
fn is_junit3(index: &Index<'_>, class: TypeId) -> bool {
    index.ancestors(class).iter().any(|ancestor| {
        index
            .supertypes(ancestor.id)
            .iter()
            .any(|it| matches!(it, Type::External(name) if simple_name(name).contains("TestCase")))
    })
}

/// Whether JUnit 3 runs the method as a test: it is public and `void`, has no parameters, and its name begins with
/// `test`.
fn is_junit3_method(method: &MethodDeclaration<'_>) -> bool {
    method.name.starts_with("test") && method.is_public && method.parameters.is_empty() && method.return_type == "void"
}

/// Whether TestNG runs the method as a test only because its class is annotated with `@Test`. Such a method is public
/// and `void`, and is no setup, teardown or data provider.
fn is_testng_method(method: &MethodDeclaration<'_>) -> bool {
    method.is_public
        && method.return_type == "void"
        && !method
            .annotations
            .iter()
            .any(|it| Phase::of_annotation(it.name).is_some() || TESTNG_CONFIGURATION.contains(&it.name))
}

/// Whether the file of a type imports TestNG.
fn uses_testng(index: &Index<'_>, id: TypeId) -> bool {
    imports(index, id, "org.testng")
}

/// Whether the file of a type imports something from a package or its subpackages.
fn imports(index: &Index<'_>, id: TypeId, package: &str) -> bool {
    index
        .file_outline(index.file_of(id))
        .imports
        .iter()
        .any(|it| it.path.starts_with(package))
}

/// The framework that runs a test method, going by the imports of its file and by its annotations and name.
fn framework(index: &Index<'_>, declared_in: TypeId, method: &MethodDeclaration<'_>) -> Framework {
    let has = |names: &[&str]| method.annotations.iter().any(|it| names.contains(&it.name));
    if uses_testng(index, declared_in) {
        Framework::TestNg
    } else if is_junit3_method(method) && method.annotations.iter().all(|it| it.name == "Override") {
        Framework::JUnit3
    } else if imports(index, declared_in, "org.junit.jupiter") || !has(&["Test", "Theory"]) {
        // JUnit 4 has only these two test annotations.
        Framework::JUnit5
    } else {
        Framework::JUnit4
    }
}
