//! The entry point of the analysis: [`Analysis`] indexes a repository, finds its tests and answers queries about them.
//!
//! [`Analysis`] holds the index and the tests and delegates everything else. The modules that it delegates to do not
//! import it: each takes the index and the values that it needs.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use peeler_features::TestName;
use rayon::prelude::*;

use crate::assertions::ExtraAssertion;
use crate::code_under_test::{self, CutMethod, CutMethodId};
use crate::digest;
use crate::discovery::{DiscoveredTest, discover_tests, test_annotations};
use crate::extraction::Extraction;
use crate::file_interface::{self, FileInterface};
use crate::part::Part;
use crate::paths::Limits;
use crate::places::{self, Place, TestSource};
use crate::problem::Problem;
use crate::reach::{self, Reachability, SetupReaches};
use crate::repository::Repository;
use crate::resolved_calls::{ResolvedCall, resolved_calls};
use crate::suppression::{self, Suppression};
use crate::surroundings::{self, ClassTexts, Relatives};
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::syntax::outline::MAX_IMPORTS;
use crate::test_case::{TestCase, TestFiles, test_case, test_files};
use crate::threads::on_all_cores;
use crate::trace::Tracer;
use crate::traced::TracedTest;

/// A repository with its symbol index and its tests.
pub struct Analysis<'r> {
    index: Index<'r>,
    test_annotations: Vec<String>,
    tests: Vec<DiscoveredTest>,
    /// Assertion methods that the user's configuration adds to the shipped catalogue of assertions.
    assertions: Vec<ExtraAssertion>,
    setup_reaches: SetupReaches<'r>,
    times: StageTimes,
}

/// The times that the stages of [`Analysis::new`] took.
#[derive(Debug, Clone, Copy, Default)]
pub struct StageTimes {
    /// The time spent on the symbol index: on reading packages, imports and types of all files, and on indexing the
    /// types.
    pub index: Duration,
    /// The time spent on finding the tests, including the parsing of files that this needs.
    pub discovery: Duration,
}

impl<'r> Analysis<'r> {
    /// Indexes a repository and discovers its tests.
    ///
    /// # Panics
    ///
    /// When the operating system refuses to start threads.
    #[must_use]
    pub fn new(repository: &'r Repository) -> Self {
        Self::of(repository, None)
    }

    /// Indexes a whole repository but discovers only the tests of `part`, for example those that a change can affect.
    ///
    /// # Panics
    ///
    /// When the operating system refuses to start threads.
    #[must_use]
    pub fn of_part(repository: &'r Repository, part: &Part<'_>) -> Self {
        Self::of(repository, Some(part))
    }

    fn of(repository: &'r Repository, part: Option<&Part<'_>>) -> Self {
        let started = Instant::now();
        let stored = |file: FileId| part?.interfaces.get(file.position()).map(FileInterface::outline);
        let index = on_all_cores(|| Index::new(repository, stored));
        let indexed = started.elapsed();
        let discovering = Instant::now();
        let discover = || {
            let markers = part.map_or_else(|| test_annotations(&index), |it| it.test_annotations.to_vec());
            let tests = discover_tests(&index, &markers, part);
            (markers, tests)
        };
        let parse_dependencies = || {
            let dependencies = part.map_or(&[][..], |it| it.dependencies);
            dependencies.par_iter().with_max_len(1).for_each(|file| {
                index.file_declarations(*file);
            });
        };
        let ((test_annotations, tests), ()) = on_all_cores(|| rayon::join(discover, parse_dependencies));
        Self {
            index,
            test_annotations,
            tests,
            assertions: Vec::new(),
            setup_reaches: SetupReaches::default(),
            times: StageTimes {
                index: indexed,
                discovery: discovering.elapsed(),
            },
        }
    }

    /// Adds assertion methods of the user's configuration to those of the shipped catalogue of assertions.
    #[must_use]
    pub fn with_assertions(mut self, extra: &[ExtraAssertion]) -> Self {
        self.assertions.extend_from_slice(extra);
        self
    }

    /// Removes the tests for which `is_kept` is false and returns their number. Their files stay in the index, so calls
    /// of other tests into them are still followed.
    pub fn keep_tests(&mut self, is_kept: impl Fn(TestFiles<'_>) -> bool) -> usize {
        let index = &self.index;
        let all = self.tests.len();
        self.tests.retain(|test| is_kept(test_files(index, *test)));
        all - self.tests.len()
    }

    /// The time that indexing and discovery took.
    #[must_use]
    pub fn times(&self) -> StageTimes {
        self.times
    }

    /// The number of discovered tests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// Whether the analysis has no test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// All test cases, ordered by file, class and position.
    #[must_use]
    pub fn test_cases(&self) -> Vec<TestCase> {
        self.tests.iter().map(|test| test_case(&self.index, *test)).collect()
    }

    /// The simple names of all annotations that make a method a test.
    #[must_use]
    pub fn test_annotations(&self) -> &[String] {
        &self.test_annotations
    }

    /// Builds the dependency graph and contextual paths of every test for whose name `wanted` is true.
    ///
    /// `map` gets each test on the thread that analysed it. `each` gets the results of `map` in the order of the tests,
    /// on the calling thread.
    pub fn extract<'i, T: Send>(
        &'i self,
        limits: Limits,
        wanted: impl Fn(&str) -> bool + Sync,
        map: impl Fn(TracedTest<'i>) -> T + Sync,
        mut each: impl FnMut(T),
    ) {
        self.extract_classes(
            limits,
            wanted,
            map,
            |tests| tests,
            |tests| tests.into_iter().for_each(&mut each),
        );
    }

    /// Builds the dependency graph and contextual paths of every test for whose name `wanted` is true, class by class.
    ///
    /// `finish` gets the results of `map` for all tests of a class, on the thread that analysed them. `each` gets the
    /// results of `finish` in the order of the classes, on the calling thread.
    pub fn extract_classes<'i, T: Send, C: Send>(
        &'i self,
        limits: Limits,
        wanted: impl Fn(&str) -> bool + Sync,
        map: impl Fn(TracedTest<'i>) -> T + Sync,
        finish: impl Fn(Vec<T>) -> C + Sync,
        each: impl FnMut(C),
    ) {
        let tracer = Tracer {
            index: &self.index,
            assertions: &self.assertions,
            limits,
        };
        tracer.trace(&self.tests, wanted, map, finish, each);
    }

    /// The dependency graph and contextual paths of a test, with source texts and lines instead of internal
    /// identifiers.
    #[must_use]
    pub fn extraction<'t>(&'t self, traced: &'t TracedTest<'_>) -> Extraction<'t> {
        Extraction::new(&self.index, traced)
    }

    /// The library calls that a test can reach through at most `deepest` nested calls of the repository's code. More
    /// than [`MAX_DEPTH`](crate::MAX_DEPTH) nested calls are never followed.
    #[must_use]
    pub fn reach(&self, traced: &TracedTest<'_>, deepest: usize) -> Reachability<'r> {
        reach::reach(&self.index, &self.setup_reaches, traced.test, deepest)
    }

    /// The source text of a test's method, from its name to its closing brace.
    #[must_use]
    pub fn method_text(&self, traced: &TracedTest<'_>) -> &str {
        surroundings::method_text(&self.index, traced.test)
    }

    /// Texts from the class of a test and its superclasses: class names, imports, fields and setup methods. They are
    /// the same for all tests of a class.
    #[must_use]
    pub fn context(&self, traced: &TracedTest<'_>) -> ClassTexts<'_> {
        surroundings::context(&self.index, traced.test.class)
    }

    /// The classes that share code with the class of a test, such as its superclasses and its outermost enclosing
    /// class.
    #[must_use]
    pub fn relatives(&self, traced: &TracedTest<'_>) -> Relatives {
        surroundings::relatives(&self.index, traced.test)
    }

    /// Describes a method of the repository, with the methods that it calls through at most `depth` nested calls.
    #[must_use]
    pub fn cut_method(&self, id: CutMethodId, depth: usize) -> CutMethod {
        code_under_test::cut_method(&self.index, id, depth)
    }

    /// The source text of the body of a method of the repository; empty if the method has no body.
    #[must_use]
    pub fn method_source(&self, id: CutMethodId) -> &str {
        code_under_test::method_source(&self.index, id)
    }

    /// The region of a source file that a node of a test's dependency graph stands for.
    #[must_use]
    pub fn node_place<'i>(&'i self, extraction: &Extraction<'_>, node: usize) -> Place<'i> {
        places::node_place(&self.index, extraction, node)
    }

    /// The source lines of a test. For a test that a library declares, the line of the class that inherits it.
    #[must_use]
    pub fn test_source<'i>(&'i self, traced: &TracedTest<'_>) -> TestSource<'i> {
        places::test_source(&self.index, traced.test)
    }

    /// The comments and annotations that suppress findings about the tests whose names are `wanted`, in the order of
    /// the tests. A test has several suppressions if they name different rules. Where several modules have a test of
    /// the same name, the first counts for all.
    #[must_use]
    pub fn suppressions(&self, wanted: impl Fn(&str) -> bool) -> Vec<Suppression> {
        suppression::suppressions(&self.index, &self.tests, wanted)
    }

    /// The digests of the tests whose names are `wanted`, by name. A digest changes when the code that a test depends
    /// on changes. Tests with one name in several modules share one digest.
    #[must_use]
    pub fn digests(&self, wanted: impl Fn(&str) -> bool + Sync) -> BTreeMap<TestName, u64> {
        digest::digests(&self.index, &self.tests, wanted)
    }

    /// For each file in the order of the index, the declarations that other files can see. Members are listed only for
    /// files whose declarations were parsed. `known` is empty, or holds what an earlier analysis computed for each
    /// file.
    #[must_use]
    pub fn file_interfaces(&self, known: Vec<FileInterface>) -> Vec<FileInterface> {
        file_interface::interfaces(&self.index, known)
    }

    /// Every call in the body of a test method, with the declaration that it resolves to. A body that several tests
    /// share counts once.
    #[must_use]
    pub fn calls(&self) -> Vec<ResolvedCall> {
        resolved_calls(&self.index, &self.tests)
    }

    /// Syntax errors in the files that were parsed, at most one for each file, and files with too many imports, sorted.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = self
            .index
            .parsed_files()
            .flat_map(|it| [self.syntax_error(it), self.unread_imports(it)])
            .flatten()
            .collect();
        problems.sort();
        problems
    }

    fn syntax_error(&self, file: FileId) -> Option<Problem> {
        let source = self.index.source(file);
        let at = *self.index.file_declarations(file).errors.first()?;
        let message = "syntax error; the rest of the file was analysed";
        Some(Problem::line(source.path(), source.line(at), message))
    }

    fn unread_imports(&self, file: FileId) -> Option<Problem> {
        let imports = self.index.file_outline(file).imports.len();
        let message = format!("only the first {MAX_IMPORTS} imports were read");
        (imports == MAX_IMPORTS).then(|| Problem::file(self.index.source(file).path(), message))
    }

    /// The number of files whose declarations were parsed. Of all other files only package, imports and types were
    /// read.
    #[must_use]
    pub fn parsed_files(&self) -> usize {
        self.index.parsed_files().count()
    }

    /// The assertion methods that the user's configuration adds to the shipped catalogue of assertions.
    pub(crate) fn extra_assertions(&self) -> &[ExtraAssertion] {
        &self.assertions
    }

    /// The symbol index of the repository: its files, types and methods.
    pub(crate) fn index(&self) -> &Index<'r> {
        &self.index
    }
}
