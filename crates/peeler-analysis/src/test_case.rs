//! A test case as reports name it: class and method, file, line, framework.

use peeler_features::TestName;

use crate::disabled::is_disabled;
use crate::discovery::{DiscoveredTest, Framework};
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;

/// One test case as reports name it: a method that a test framework runs, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    /// The class that runs the test, and the test method.
    pub name: TestName,
    /// The file of the test's method, relative to the root of the repository.
    pub file: String,
    /// The line of the test method's name, counted from one.
    pub line: u32,
    /// The framework that runs the test.
    pub framework: Framework,
    /// The class that declares the test method; `None` if it is the class that runs the test.
    pub declared_in: Option<String>,
    /// Whether an annotation says that the test does not run: `@Ignore`, `@Disabled` or `@Test(enabled = false)`.
    pub is_disabled: bool,
}

/// The two files of a test: that of its method and that of the class that runs it. Paths are relative to the root of
/// the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestFiles<'a> {
    /// The file of the test's method; the same as [`TestCase::file`].
    pub method: &'a str,
    /// The file of the class that runs the method. It differs from `method` if the method is inherited.
    pub class: &'a str,
}

/// The test case of a discovered test, with names and position for reports.
pub(crate) fn test_case(index: &Index<'_>, test: DiscoveredTest) -> TestCase {
    let at = if index.is_library(test.method.owner) {
        index.outline(test.class).name_at
    } else {
        index.method(test.method).at
    };
    let source = index.source(file_of(index, test));
    TestCase {
        name: test_name(index, test),
        file: source.path().to_owned(),
        line: source.line(at),
        framework: test.framework,
        declared_in: (test.method.owner != test.class).then(|| index.binary_name(test.method.owner)),
        is_disabled: is_disabled(index, test),
    }
}

/// The name of a test: the class that runs it, and the test method.
pub(crate) fn test_name(index: &Index<'_>, test: DiscoveredTest) -> TestName {
    TestName::new(&index.binary_name(test.class), index.method(test.method).name)
}

/// The files of a test: that of its method and that of the class that runs it.
pub(crate) fn test_files<'i>(index: &'i Index<'_>, test: DiscoveredTest) -> TestFiles<'i> {
    TestFiles {
        method: index.source(file_of(index, test)).path(),
        class: index.source(index.file_of(test.class)).path(),
    }
}

/// The file of the test's method. A test that a library declares is reported at the class that inherits it.
fn file_of(index: &Index<'_>, test: DiscoveredTest) -> FileId {
    let is_outside = index.is_library(test.method.owner);
    index.file_of(if is_outside { test.class } else { test.method.owner })
}
