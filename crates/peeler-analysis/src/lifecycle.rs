//! Methods and classes that run around a test: setup, teardown, constructors, fields and initialisers.
//!
//! ```java
//! @BeforeEach void open() {}      // Phase::BeforeEach
//! @AfterClass void close() {}     // Phase::AfterAll
//! void setUp() {}                 // Phase::BeforeEach, by its name (JUnit 3)
//! ```
//!
//! Invariant: this is the only definition of setup and teardown in the crate. A method may have several phases.

use crate::repository::narrow;
use crate::symbols::index::{Index, MethodId, TypeId};
use crate::syntax::declarations::MethodDeclaration;

/// The time at which a method runs, relative to the tests of its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The method runs once before all tests.
    BeforeAll,
    /// The method runs before every test.
    BeforeEach,
    /// The method runs after every test.
    AfterEach,
    /// The method runs once after all tests.
    AfterAll,
    /// The method runs before something other than tests or classes, as with `@BeforeGroups`, or is a `setUp` with
    /// parameters.
    OtherBefore,
    /// The method runs after something other than tests or classes, as with `@AfterGroups`, or is a `tearDown` with
    /// parameters.
    OtherAfter,
}

impl Phase {
    /// The phase in which a method with an annotation of this simple name runs, such as before each test; `None` for
    /// other annotations.
    pub(crate) fn of_annotation(name: &str) -> Option<Self> {
        match name {
            "BeforeClass" | "BeforeAll" | "BeforeSuite" | "BeforeTest" => Some(Self::BeforeAll),
            "Before" | "BeforeEach" | "BeforeMethod" => Some(Self::BeforeEach),
            "After" | "AfterEach" | "AfterMethod" => Some(Self::AfterEach),
            "AfterClass" | "AfterAll" | "AfterSuite" | "AfterTest" => Some(Self::AfterAll),
            _ if name.starts_with("Before") => Some(Self::OtherBefore),
            _ if name.starts_with("After") => Some(Self::OtherAfter),
            _ => None,
        }
    }

    /// The phase in which JUnit 3 runs a method because of its name `setUp` or `tearDown`; `None` for other names.
    fn of_name(method: &MethodDeclaration<'_>) -> Option<Self> {
        match (method.name, method.parameters.is_empty()) {
            ("setUp", true) => Some(Self::BeforeEach),
            ("setUp", false) => Some(Self::OtherBefore),
            ("tearDown", true) => Some(Self::AfterEach),
            ("tearDown", false) => Some(Self::OtherAfter),
            _ => None,
        }
    }

    fn is_after(self) -> bool {
        matches!(self, Self::AfterEach | Self::AfterAll | Self::OtherAfter)
    }
}

/// All phases in which a method runs around tests: those of its annotations in order, then that of its name.
fn phases(method: &MethodDeclaration<'_>) -> impl Iterator<Item = Phase> {
    let by_annotation = method.annotations.iter().filter_map(|it| Phase::of_annotation(it.name));
    by_annotation.chain(Phase::of_name(method))
}

/// Whether a method runs before or after tests.
pub(crate) fn is_setup_or_teardown(method: &MethodDeclaration<'_>) -> bool {
    phases(method).next().is_some()
}

/// Whether a method runs after tests.
pub(crate) fn is_teardown(method: &MethodDeclaration<'_>) -> bool {
    phases(method).any(Phase::is_after)
}

/// The first of a method's phases in which it runs before all tests, before each test or after each test. `None` if it
/// has none of these phases.
pub(crate) fn phase_around_test(method: &MethodDeclaration<'_>) -> Option<Phase> {
    phases(method).find(|it| matches!(it, Phase::BeforeAll | Phase::BeforeEach | Phase::AfterEach))
}

/// The types whose fields and setup methods a test of `class` uses.
///
/// These are the class, its enclosing classes, and all their supertypes in the repository, each once.
pub(crate) fn setup_types(index: &Index<'_>, class: TypeId) -> Vec<TypeId> {
    let mut types = Vec::new();
    let mut around = Some(class);
    while let Some(outer) = around {
        for ancestor in index.ancestors(outer) {
            if !index.is_library(ancestor.id) && !types.contains(&ancestor.id) {
                types.push(ancestor.id);
            }
        }
        around = index.enclosing(outer);
    }
    types
}

/// The class of a test, or the nearest class around it, that is `owner` or inherits from it; `None` if none does.
pub(crate) fn own_class(index: &Index<'_>, class: TypeId, owner: TypeId) -> Option<TypeId> {
    let mut around = Some(class);
    while let Some(id) = around.filter(|it| !index.inherits(*it, owner)) {
        around = index.enclosing(id);
    }
    around
}

/// The maximum number of setup methods, teardown methods and constructors of a type that are analysed.
const MAX_SETUP_METHODS: usize = 100;
/// The number of setup methods of a type that are analysed even if the type declares very many methods.
const MIN_SETUP_METHODS: usize = 5;
/// The maximum of `methods * setups`, where a type has `methods` methods and `setups` of its setup methods are
/// analysed. Every test runs the setup, so without this limit the cost grows with the square of a type's size.
const MAX_SETUP_RUNS: usize = 200_000;

/// The maximum number of setup methods, teardown methods and constructors that are analysed of a type with `methods`
/// methods.
pub(crate) fn most_setup_methods(methods: usize) -> usize {
    (MAX_SETUP_RUNS / methods.max(1)).clamp(MIN_SETUP_METHODS, MAX_SETUP_METHODS)
}

/// The setup methods, teardown methods and constructors of a type that are analysed, at most [`most_setup_methods`].
pub(crate) fn setup_methods<'i>(index: &'i Index<'_>, id: TypeId) -> impl Iterator<Item = MethodId> + 'i {
    let found = index.cached_setup(id, || {
        let methods = &index.declaration(id).methods;
        methods
            .iter()
            .enumerate()
            .filter(|(_, method)| is_setup_or_teardown(method) || method.is_constructor)
            .take(most_setup_methods(methods.len()))
            .map(|(at, _)| MethodId {
                owner: id,
                index: narrow(at),
            })
            .collect()
    });
    found.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::Phase;

    #[test]
    fn annotations_of_all_frameworks_have_a_phase() {
        let phases = [
            ("BeforeClass", Phase::BeforeAll),
            ("BeforeAll", Phase::BeforeAll),
            ("Before", Phase::BeforeEach),
            ("BeforeEach", Phase::BeforeEach),
            ("BeforeMethod", Phase::BeforeEach),
            ("BeforeGroups", Phase::OtherBefore),
            ("After", Phase::AfterEach),
            ("AfterMethod", Phase::AfterEach),
            ("AfterClass", Phase::AfterAll),
            ("AfterAll", Phase::AfterAll),
            ("AfterGroups", Phase::OtherAfter),
        ];
        for (name, phase) in phases {
            assert_eq!(Phase::of_annotation(name), Some(phase), "{name}");
        }
        assert_eq!(Phase::of_annotation("Test"), None);
    }
}
