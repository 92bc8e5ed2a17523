//! Which methods are test cases.
//!
//! JUnit 3 (`extends TestCase`, however far up), JUnit 4, JUnit 5 and TestNG, by annotation, by
//! annotations of annotations that the repository declares, and by inheritance: a test method belongs
//! to every concrete class that inherits it.
//!
//! ```java
//! abstract class StoreContract { @Test void keepsOrder() {} }    // no test by itself
//! class MemoryStoreTest extends StoreContract {}                 // MemoryStoreTest#keepsOrder
//! ```

use std::collections::HashSet;

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::face::Face;
use crate::lifecycle::Phase;
use crate::repository::narrow;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::types::Type;
use crate::syntax::declarations::{Annotation, MethodDeclaration};
use crate::syntax::outline::{TypeKind, simple_name};

/// Annotations that make a method a test.
const TEST_ANNOTATIONS: [&str; 6] = [
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "TestTemplate",
    "Theory",
];

/// Annotations of TestNG methods that are not tests although the class is.
const TESTNG_CONFIGURATION: [&str; 4] = ["DataProvider", "Factory", "Override", "Parameters"];

/// The test framework that runs a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Framework {
    /// `extends TestCase`, methods `testX()`.
    JUnit3,
    /// `org.junit.Test`.
    JUnit4,
    /// `org.junit.jupiter`.
    JUnit5,
    /// `org.testng`.
    TestNg,
}

/// One test: a method as a concrete class runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DiscoveredTest {
    /// The class that runs it.
    pub(crate) class: TypeId,
    /// The method whose body runs: the nearest override.
    pub(crate) method: MethodId,
    pub(crate) framework: Framework,
}

/// A part of a repository that is looked at again, and what is known of all of it.
#[derive(Debug, Clone, Copy)]
pub struct Part<'p> {
    /// Classes by binary name.
    pub classes: &'p HashSet<String>,
    /// Files as places among the repository's: all classes in them, and those that may inherit from one.
    pub files: &'p [usize],
    /// Files that its tests rested on when they were last looked at, as places too: most will be parsed.
    pub grounds: &'p [usize],
    /// The faces of all files as they are now.
    pub faces: &'p [Face],
    /// What [`Analysis::test_annotations`](crate::Analysis::test_annotations) said: no file that declares annotations has
    /// changed since.
    pub test_annotations: &'p [String],
}

/// Finds all tests, or those of a part, ordered by class and then by declaration. `markers` are the annotations that make
/// a method a test.
pub(crate) fn discover_tests(index: &Index<'_>, markers: &[String], part: Option<&Part<'_>>) -> Vec<DiscoveredTest> {
    let markers: FxHashSet<&str> = markers.iter().map(String::as_str).collect();
    let mut candidates = candidate_types(index, &markers);
    if let Some(part) = part {
        let heirs = with_subtypes(index, part.files);
        // Most differ in their last name already.
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

/// What a class is called in the class or package around it, unless there is a `$` in that.
fn last_name(binary_name: &str) -> &str {
    binary_name.rsplit(['.', '$']).next().unwrap_or(binary_name)
}

/// The simple names of the known test annotations and of those of the repository that carry one, sorted.
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
        // Most are tests with an annotation of their own: long, and parsed here for the first time.
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

/// Types that declare tests or, by the written names of their supertypes, may inherit some.
fn candidate_types(index: &Index<'_>, markers: &FxHashSet<&str>) -> Vec<TypeId> {
    let mut found: FxHashSet<TypeId> = FxHashSet::default();
    let mut pending = Vec::new();
    let mut names = FxHashSet::default();
    // Base classes of test libraries run their tests in every subclass.
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
        // A file with tests also holds types without any; only what inherits from them matters here.
        if found.insert(id) && names.insert(index.outline(id).name) {
            pending.extend(index.subtypes_by_written_name(index.outline(id).name));
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// The types of some files and, by the written names of supertypes, all that may inherit from them.
fn with_subtypes(index: &Index<'_>, files: &[usize]) -> FxHashSet<TypeId> {
    let mut pending: Vec<TypeId> = files
        .iter()
        .flat_map(|at| index.types_of(FileId(narrow(*at))))
        .collect();
    let mut found = FxHashSet::default();
    while let Some(id) = pending.pop() {
        if found.insert(id) {
            pending.extend(index.subtypes_by_written_name(index.outline(id).name));
        }
    }
    found
}

fn tests_of(index: &Index<'_>, class: TypeId, markers: &FxHashSet<&str>) -> Vec<DiscoveredTest> {
    let outline = index.outline(class);
    if outline.is_abstract || !matches!(outline.kind, TypeKind::Class | TypeKind::Record) || index.is_library(class) {
        return Vec::new();
    }
    let is_junit3 = is_junit3(index, class);
    let mut tests: Vec<DiscoveredTest> = Vec::new();
    // Nearest first, so that the first declaration of a signature is the body that runs.
    let mut nearest: Vec<MethodId> = Vec::new();
    let mut class_is_testng_test = false;
    for ancestor in index.ancestors(class) {
        let declared = index.declaration(ancestor.id);
        let testng = uses_testng(index, ancestor.id);
        class_is_testng_test |= testng && declared.annotations.iter().any(|it| it.name == "Test");
        for (at, method) in declared.methods.iter().enumerate() {
            if method.is_constructor || method.is_static {
                continue;
            }
            let id = MethodId {
                owner: ancestor.id,
                index: narrow(at),
            };
            let overriding = nearest
                .iter()
                .copied()
                .find(|it| same_signature(index.method(*it), method));
            let runs = overriding.unwrap_or(id);
            if overriding.is_none() {
                nearest.push(id);
            }
            let annotated = is_annotated(&method.annotations, markers);
            let by_name = is_junit3 && is_junit3_method(method);
            let by_class = class_is_testng_test && testng && is_testng_method(method);
            if !(annotated || by_name || by_class) || tests.iter().any(|it| it.method == runs) {
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

fn is_annotated(annotations: &[Annotation<'_>], markers: &FxHashSet<&str>) -> bool {
    annotations.iter().any(|it| markers.contains(it.name))
}

/// Whether a supertype outside the repository makes the class a JUnit 3 one.
fn is_junit3(index: &Index<'_>, class: TypeId) -> bool {
    index.ancestors(class).iter().any(|ancestor| {
        index
            .supertypes(ancestor.id)
            .iter()
            .any(|it| matches!(it, Type::External(name) if simple_name(name).contains("TestCase")))
    })
}

fn is_junit3_method(method: &MethodDeclaration<'_>) -> bool {
    method.name.starts_with("test") && method.is_public && method.parameters.is_empty() && method.return_type == "void"
}

fn is_testng_method(method: &MethodDeclaration<'_>) -> bool {
    method.is_public
        && method.return_type == "void"
        && !method
            .annotations
            .iter()
            .any(|it| Phase::of_annotation(it.name).is_some() || TESTNG_CONFIGURATION.contains(&it.name))
}

fn same_signature(a: &MethodDeclaration<'_>, b: &MethodDeclaration<'_>) -> bool {
    a.name == b.name && a.parameters.len() == b.parameters.len()
}

fn uses_testng(index: &Index<'_>, id: TypeId) -> bool {
    imports(index, id, "org.testng")
}

fn imports(index: &Index<'_>, id: TypeId, package: &str) -> bool {
    index
        .file_outline(index.file_of(id))
        .imports
        .iter()
        .any(|it| it.path.starts_with(package))
}

fn framework(index: &Index<'_>, declared_in: TypeId, method: &MethodDeclaration<'_>) -> Framework {
    let has = |names: &[&str]| method.annotations.iter().any(|it| names.contains(&it.name));
    if uses_testng(index, declared_in) {
        Framework::TestNg
    } else if is_junit3_method(method) && method.annotations.iter().all(|it| it.name == "Override") {
        Framework::JUnit3
    } else if imports(index, declared_in, "org.junit.jupiter") || !has(&["Test", "Theory"]) {
        // Annotations of annotations and all but the plainest are known to JUnit 5 alone.
        Framework::JUnit5
    } else {
        Framework::JUnit4
    }
}
