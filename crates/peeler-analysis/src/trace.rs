//! The main stage of the analysis: from discovered tests to their graphs and contextual paths.
//!
//! Tests are traced class by class, in parallel, and results are handed on in a fixed order. At no time are the graphs
//! of a whole repository in memory.

use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Instant;

use rayon::prelude::*;

use crate::assertions::ExtraAssertion;
use crate::dependence::{class_context, test_graph};
use crate::discovery::DiscoveredTest;
use crate::paths::{Limits, contextual_paths};
use crate::symbols::ids::FileId;
use crate::symbols::index::Index;
use crate::symbols::resolve::method_targets;
use crate::symbols::targets::Target;
use crate::test_case::{test_case, test_name};
use crate::threads::on_all_cores;
use crate::traced::TracedTest;

/// The maximum number of test classes whose graphs are built before the results are passed on.
const CLASSES_AT_ONCE: usize = 64;
/// The maximum number of tests whose graphs are built before the results are passed on.
const TESTS_AT_ONCE: usize = 2048;
/// The maximum number of tests of a class whose graphs are built together. A larger class is divided into parts.
const TESTS_OF_PART: usize = 512;
/// The maximum number of method bodies whose calls are resolved for one test before its graph is built.
const MAX_RESOLVED_AHEAD: usize = 100;

/// Tests of one class whose graphs are built together: a whole class, or a part of a large one.
#[derive(Clone, Copy)]
struct Part<'t> {
    tests: &'t [DiscoveredTest],
    /// The number of tests of the whole class, of which the part may hold only some.
    class_tests: usize,
}

/// Everything that is needed to build the graphs and contextual paths of tests: index, assertions and limits.
#[derive(Clone, Copy)]
pub(crate) struct Tracer<'i, 'r> {
    pub(crate) index: &'i Index<'r>,
    /// Assertions that a team configured in `peeler.toml`, in addition to those of the catalogue.
    pub(crate) assertions: &'i [ExtraAssertion],
    pub(crate) limits: Limits,
}

impl<'i> Tracer<'i, '_> {
    /// Builds the graph and the contextual paths of every test for whose name `wanted` is true.
    ///
    /// `map` gets each test on the thread that traced it. `finish` gets the results of `map` for the tests of a class,
    /// or for a part of a very large class. `each` gets the results of `finish`, in the order of the classes, on the
    /// calling thread.
    pub(crate) fn trace<T: Send, C: Send>(
        self,
        tests: &[DiscoveredTest],
        wanted: impl Fn(&str) -> bool + Sync,
        map: impl Fn(TracedTest<'i>) -> T + Sync,
        finish: impl Fn(Vec<T>) -> C + Sync,
        each: impl FnMut(C),
    ) {
        let mut classes: Vec<&[DiscoveredTest]> = tests.chunk_by(|a, b| a.class == b.class).collect();
        classes.sort_by_key(|tests| tests[0].class);
        let parts: Vec<Part<'_>> = classes.into_iter().flat_map(parts).collect();
        let make = |batch: &[Part<'_>]| -> Vec<C> {
            on_all_cores(|| {
                self.parse_imports(batch);
                self.resolve_bodies(batch, &wanted);
                let parts = batch.par_iter().with_max_len(1);
                parts
                    .map(|part| finish(self.trace_part(*part, &wanted, &map)))
                    .collect()
            })
        };
        let batches = batches(&parts);
        if let [batch] = batches[..] {
            return make(batch).into_iter().for_each(each);
        }
        // One batch is traced while the results of the previous batch are passed on.
        let (hand_on, results) = mpsc::sync_channel::<Vec<C>>(1);
        thread::scope(|scope| {
            scope.spawn(|| {
                let hand_on = hand_on;
                for batch in batches {
                    if hand_on.send(make(batch)).is_err() {
                        break;
                    }
                }
            });
            results.into_iter().flatten().for_each(each);
        });
    }

    /// Parses the files that some test classes import, in parallel.
    ///
    /// Nearly all of them are needed later. Otherwise a single test could wait while a huge generated file is parsed.
    fn parse_imports(self, parts: &[Part<'_>]) {
        let index = self.index;
        let mut files: Vec<FileId> = parts
            .iter()
            .flat_map(|part| part.tests.iter().map(|test| index.file_of(test.method.owner)))
            .collect();
        files.sort_unstable();
        files.dedup();
        let mut imported: Vec<FileId> = files
            .into_iter()
            .flat_map(|file| {
                let imports = index.file_outline(file).imports.iter();
                imports.filter_map(move |it| index.lookup_qualified(it.path, file))
            })
            .map(|id| index.file_of(id))
            .filter(|file| !index.is_parsed(*file))
            .collect();
        imported.sort_unstable();
        imported.dedup();
        imported.par_iter().with_max_len(1).for_each(|file| {
            index.file_declarations(*file);
        });
    }

    /// Resolves the calls of test bodies and of the helpers that they call, before graphs are built.
    fn resolve_bodies(self, parts: &[Part<'_>], wanted: &(impl Fn(&str) -> bool + Sync)) {
        let index = self.index;
        parts.par_iter().flat_map(|part| part.tests).for_each(|test| {
            if !wanted(test_name(index, *test).as_str()) {
                return;
            }
            let mut resolved = vec![test.method];
            let mut at = 0;
            // Bodies beyond the limit are resolved when they are read.
            while let Some(&method) = resolved.get(at).filter(|_| at < MAX_RESOLVED_AHEAD) {
                for target in method_targets(index, method) {
                    match target {
                        Target::Declared(called)
                            if !resolved.contains(called) && index.inherits(test.class, called.owner) =>
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

    /// Builds the graphs and paths of the wanted tests of a class, or of a part of a large class. Returns the results
    /// of `map`, in the order of the tests.
    fn trace_part<T: Send>(
        self,
        part: Part<'_>,
        wanted: &(impl Fn(&str) -> bool + Sync),
        map: &(impl Fn(TracedTest<'i>) -> T + Sync),
    ) -> Vec<T> {
        let index = self.index;
        let context = OnceLock::new();
        // Tests run in parallel, so that a scan of a single class uses all cores too.
        let traced = part.tests.par_iter().filter_map(|&test| {
            let case = test_case(index, test);
            if !wanted(case.name.as_str()) {
                return None;
            }
            let context = context.get_or_init(|| class_context(index, self.assertions, test.class, part.class_tests));
            let started = Instant::now();
            let (graph, problems) = test_graph(index, self.assertions, context, test);
            let paths = contextual_paths(&graph, self.limits);
            let mut traced = TracedTest::new(test, case, graph, paths, problems);
            traced.took = started.elapsed();
            Some(map(traced))
        });
        traced.collect()
    }
}

/// Divides the tests of one class into parts of at most [`TESTS_OF_PART`] tests. The graphs of a part are built
/// together.
fn parts(tests: &[DiscoveredTest]) -> impl Iterator<Item = Part<'_>> {
    let class_tests = tests.len();
    tests
        .chunks(TESTS_OF_PART)
        .map(move |tests| Part { tests, class_tests })
}

/// Groups consecutive parts of classes into batches whose graphs are built at once. A batch has at most
/// [`CLASSES_AT_ONCE`] parts and [`TESTS_AT_ONCE`] tests.
fn batches<'p, 't>(parts: &'p [Part<'t>]) -> Vec<&'p [Part<'t>]> {
    let mut batches = Vec::new();
    let mut start = 0;
    let mut tests = 0;
    for (at, part) in parts.iter().enumerate() {
        if at - start == CLASSES_AT_ONCE || tests + part.tests.len() > TESTS_AT_ONCE {
            batches.push(&parts[start..at]);
            (start, tests) = (at, 0);
        }
        tests += part.tests.len();
    }
    batches.push(&parts[start..]);
    batches
}
