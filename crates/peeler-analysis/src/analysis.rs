//! The analysis of a repository: its tests, each with its graph and its contextual paths.
//!
//! [`Analysis::new`] outlines every file and finds the tests; graphs are built when asked for, class
//! by class, in parallel, and handed on in a fixed order, so that a large repository is never in
//! memory as graphs.

use std::sync::{Arc, OnceLock, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::assertions::ExtraAssertion;
use crate::cut::{CutMethodId, CutReference};
use crate::discovery::{DiscoveredTest, Framework, Part, discover_tests, test_annotations};
use crate::flow::{class_context, test_graph};
use crate::paths::{Limits, contextual_paths};
use crate::problem::Problem;
use crate::reach::ReachableCode;
use crate::repository::{Repository, narrow};
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::syntax::body::CONSTRUCTOR;
use crate::threads::on_all_cores;
use crate::traced::TracedTest;

/// How many classes are analysed before their results are handed on.
const CLASSES_AT_ONCE: usize = 64;

/// What the setups of classes reach, by how far that was followed.
type SetupReaches<'r> = RwLock<FxHashMap<(TypeId, usize), Arc<ReachableCode<'r>>>>;

/// A repository with its symbol index and its tests.
pub struct Analysis<'r> {
    index: Index<'r>,
    test_annotations: Vec<String>,
    tests: Vec<DiscoveredTest>,
    /// Beside those of the catalogue.
    assertions: Vec<ExtraAssertion>,
    setup_reaches: SetupReaches<'r>,
    times: StageTimes,
}

/// How long the stages of [`Analysis::new`] took.
#[derive(Debug, Clone, Copy, Default)]
pub struct StageTimes {
    /// Outlining all files and indexing their types.
    pub index: Duration,
    /// Finding the tests, with the parsing it needs.
    pub discovery: Duration,
}

/// One test case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    /// `package.Class#method`, nested classes with `$`.
    pub name: String,
    /// The file of the method that runs, relative to the root.
    pub file: String,
    /// The line of the method's name.
    pub line: u32,
    /// The framework that runs it.
    pub framework: Framework,
    /// The class that declares the method, where it is inherited.
    pub declared_in: Option<String>,
}

/// The files of a test, relative to the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestFiles<'a> {
    /// The file of the method that runs, which is that of [`TestCase`].
    pub method: &'a str,
    /// The file of the class that runs it; another one where the method is inherited.
    pub class: &'a str,
}

/// A call in the body of a test and the declaration in the repository that it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedCall {
    /// The file of the call.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Where its name, or its `new`, begins in the decoded file.
    pub offset: u32,
    /// The name of the method; `<init>` for constructions.
    pub name: String,
    /// The method or constructor, where it was found.
    pub declaration: Option<CutReference>,
    /// The class that is made through a constructor nobody wrote.
    pub implicit_constructor_of: Option<String>,
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

    /// Indexes a repository and discovers the tests of a part of it.
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
        let index = on_all_cores(|| Index::new(repository, part.map_or(&[], |it| it.faces)));
        let indexed = started.elapsed();
        let discovering = Instant::now();
        let discover = || {
            let markers = part.map_or_else(|| test_annotations(&index), |it| it.test_annotations.to_vec());
            let tests = discover_tests(&index, &markers, part);
            (markers, tests)
        };
        let parse_grounds = || {
            let grounds = part.map_or(&[][..], |it| it.grounds);
            grounds.par_iter().with_max_len(1).for_each(|at| {
                index.file_declarations(FileId(narrow(*at)));
            });
        };
        let ((test_annotations, tests), ()) = on_all_cores(|| rayon::join(discover, parse_grounds));
        Self {
            index,
            test_annotations,
            tests,
            assertions: Vec::new(),
            setup_reaches: RwLock::default(),
            times: StageTimes {
                index: indexed,
                discovery: discovering.elapsed(),
            },
        }
    }

    /// The simple names of all annotations that make a method a test.
    #[must_use]
    pub fn test_annotations(&self) -> &[String] {
        &self.test_annotations
    }

    /// The same with assertions beside those of the catalogue.
    #[must_use]
    pub fn with_assertions(mut self, extra: &[ExtraAssertion]) -> Self {
        self.assertions.extend_from_slice(extra);
        self
    }

    /// Forgets the tests for which `is_kept` does not hold, and says how many those were. Their files stay: what other
    /// tests call in them is followed as before.
    pub fn keep_tests(&mut self, is_kept: impl Fn(TestFiles<'_>) -> bool) -> usize {
        let index = &self.index;
        let all = self.tests.len();
        self.tests.retain(|test| {
            let class = index.file_of(test.class);
            is_kept(TestFiles {
                method: index.source(file_of(index, *test)).path(),
                class: index.source(class).path(),
            })
        });
        all - self.tests.len()
    }

    /// How long indexing and discovery took.
    #[must_use]
    pub fn times(&self) -> StageTimes {
        self.times
    }

    /// The number of tests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// Whether the repository has no test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// All test cases, ordered by file, class and position.
    #[must_use]
    pub fn test_cases(&self) -> Vec<TestCase> {
        self.tests.iter().map(|test| self.test_case(*test)).collect()
    }

    fn test_case(&self, test: DiscoveredTest) -> TestCase {
        let index = &self.index;
        let method = index.method(test.method);
        let class = index.binary_name(test.class);
        let at = if index.is_library(test.method.owner) {
            index.outline(test.class).name_at
        } else {
            method.at
        };
        let source = index.source(file_of(index, test));
        TestCase {
            name: format!("{class}#{}", method.name),
            file: source.path().to_owned(),
            line: source.line(at),
            framework: test.framework,
            declared_in: (test.method.owner != test.class).then(|| index.binary_name(test.method.owner)),
        }
    }

    /// Extracts every test for which `wanted` holds. `map` sees each test on some thread; `each` gets
    /// what it returned, in order, on this one.
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

    /// The same class by class: what `map` returned for the tests of a class goes together through `finish`, on the thread
    /// that extracted them.
    pub fn extract_classes<'i, T: Send, C: Send>(
        &'i self,
        limits: Limits,
        wanted: impl Fn(&str) -> bool + Sync,
        map: impl Fn(TracedTest<'i>) -> T + Sync,
        finish: impl Fn(Vec<T>) -> C + Sync,
        each: impl FnMut(C),
    ) {
        let mut classes: Vec<&[DiscoveredTest]> = self.tests.chunk_by(|a, b| a.class == b.class).collect();
        classes.sort_by_key(|tests| tests[0].class);
        let make = |batch: &[&[DiscoveredTest]]| -> Vec<C> {
            on_all_cores(|| {
                self.parse_imports(batch);
                self.resolve_bodies(batch, &wanted);
                let classes = batch.par_iter().with_max_len(1);
                classes
                    .map(|tests| finish(self.extract_class(tests, limits, &wanted, &map)))
                    .collect()
            })
        };
        if classes.len() <= CLASSES_AT_ONCE {
            return make(&classes).into_iter().for_each(each);
        }
        // One batch is analysed while the results of the one before are handed on.
        let (hand_on, results) = mpsc::sync_channel::<Vec<C>>(1);
        thread::scope(|scope| {
            scope.spawn(|| {
                let hand_on = hand_on;
                for batch in classes.chunks(CLASSES_AT_ONCE) {
                    if hand_on.send(make(batch)).is_err() {
                        break;
                    }
                }
            });
            results.into_iter().flatten().for_each(each);
        });
    }

    /// Parses what the tests of some classes import, in parallel: almost all of it is needed, and a
    /// huge generated file should not be waited for inside one test.
    fn parse_imports(&self, classes: &[&[DiscoveredTest]]) {
        let mut files: Vec<FileId> = classes
            .iter()
            .flat_map(|tests| tests.iter().map(|test| self.index.file_of(test.method.owner)))
            .collect();
        files.sort_unstable();
        files.dedup();
        let mut imported: Vec<FileId> = files
            .into_iter()
            .flat_map(|file| {
                let imports = self.index.file_outline(file).imports.iter();
                imports.filter_map(move |it| self.index.lookup_qualified(it.path, file))
            })
            .map(|id| self.index.file_of(id))
            .filter(|file| !self.index.is_parsed(*file))
            .collect();
        imported.sort_unstable();
        imported.dedup();
        imported.par_iter().with_max_len(1).for_each(|file| {
            self.index.file_declarations(*file);
        });
    }

    /// Resolves the calls of the tests' bodies and of the helpers they call, with whatever parsing that
    /// takes, before graphs are built.
    fn resolve_bodies(&self, classes: &[&[DiscoveredTest]], wanted: &(impl Fn(&str) -> bool + Sync)) {
        classes.par_iter().flat_map(|tests| *tests).for_each(|test| {
            let method = self.index.method(test.method).name;
            let class = self.index.binary_name(test.class);
            if !wanted(&format!("{class}#{method}")) {
                return;
            }
            let mut resolved = vec![test.method];
            let mut at = 0;
            while let Some(&method) = resolved.get(at) {
                for target in method_targets(&self.index, method) {
                    match target {
                        Target::Declared(called)
                            if !resolved.contains(called) && self.index.inherits(test.class, called.owner) =>
                        {
                            resolved.push(*called);
                        }
                        _ => {}
                    }
                }
                at += 1;
            }
        });
    }

    fn extract_class<'i, T: Send>(
        &'i self,
        tests: &[DiscoveredTest],
        limits: Limits,
        wanted: &(impl Fn(&str) -> bool + Sync),
        map: &(impl Fn(TracedTest<'i>) -> T + Sync),
    ) -> Vec<T> {
        let context = OnceLock::new();
        // In parallel for the sake of a scan of a single class.
        let extracted = tests.par_iter().filter_map(|&test| {
            let case = self.test_case(test);
            if !wanted(&case.name) {
                return None;
            }
            let context = context.get_or_init(|| class_context(&self.index, &self.assertions, test.class));
            let started = Instant::now();
            let (graph, problems) = test_graph(&self.index, &self.assertions, context, test);
            let paths = contextual_paths(&graph, limits);
            let mut traced = TracedTest::new(test, case, graph, paths, problems);
            traced.took = started.elapsed();
            Some(map(traced))
        });
        extracted.collect()
    }

    /// What the calls in the bodies of all test methods resolve to, each body once.
    #[must_use]
    pub fn calls(&self) -> Vec<ResolvedCall> {
        let mut methods: Vec<_> = self.tests.iter().map(|test| test.method).collect();
        methods.sort_unstable();
        methods.dedup();
        let calls_of = |&method: &MethodId| -> Vec<ResolvedCall> {
            let Some(code) = &self.index.method(method).code else {
                return Vec::new();
            };
            let source = self.index.source(self.index.file_of(method.owner));
            let sites = code.get().calls.iter();
            sites
                .zip(method_targets(&self.index, method).iter())
                .map(|(site, target)| ResolvedCall {
                    file: source.path().to_owned(),
                    line: source.line(site.at),
                    offset: site.at,
                    name: site.name.to_owned(),
                    declaration: match target {
                        Target::Declared(id) => Some(CutReference::new(&self.index, CutMethodId(*id))),
                        _ => None,
                    },
                    implicit_constructor_of: match target {
                        Target::Owner(id) if site.name == CONSTRUCTOR => Some(self.index.binary_name(*id)),
                        _ => None,
                    },
                })
                .collect()
        };
        on_all_cores(|| methods.par_iter().flat_map_iter(calls_of).collect())
    }

    /// What went wrong in the files that were parsed, sorted.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for file in self.index.repository_files() {
            if !self.index.is_parsed(file) {
                continue;
            }
            let source = self.index.source(file);
            if let Some(&at) = self.index.file_declarations(file).errors.first() {
                let line = source.line(at);
                problems.push(Problem::line(
                    source.path(),
                    line,
                    "syntax error; the rest of the file was analysed",
                ));
            }
        }
        problems.sort();
        problems
    }

    /// How many files had to be parsed beyond their outline.
    #[must_use]
    pub fn parsed_files(&self) -> usize {
        self.index
            .repository_files()
            .filter(|file| self.index.is_parsed(*file))
            .count()
    }

    pub(crate) fn setup_reaches(&self) -> &SetupReaches<'r> {
        &self.setup_reaches
    }

    pub(crate) fn tests(&self) -> &[DiscoveredTest] {
        &self.tests
    }

    pub(crate) fn index(&self) -> &Index<'r> {
        &self.index
    }
}

/// The file of the method that runs. A test of a library's base class is reported where the repository inherits it.
fn file_of(index: &Index<'_>, test: DiscoveredTest) -> FileId {
    let is_outside = index.is_library(test.method.owner);
    index.file_of(if is_outside { test.class } else { test.method.owner })
}
