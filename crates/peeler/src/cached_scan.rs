//! The cached results of a scan: every test with its score, its finding and the files that both depend on.
//!
//! After a change, a test is scored again if it depends on a changed file. It is also scored again if one of its files
//! mentions a name that now means something else ([`crate::change`]). The results of all other tests are reused.

use std::collections::{BTreeSet, HashSet};

use peeler_analysis::{Analysis, FileId, FileInterface, Part, Repository};
use serde::{Deserialize, Serialize};

use crate::change::Change;
use crate::ranking::ListingRule;
use crate::scored_test::ScoredTest;
use crate::state_pairs;

/// The cached results of a scan: its files, and its tests with their scores and findings.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CachedScan {
    files: Vec<CachedFile>,
    /// Names of annotations that make a method a test, as the cached scan found them.
    test_annotations: Vec<String>,
    tests: Vec<ScoredTest>,
}

/// A Java file as the cached scan read it: its path, a hash of its text, and its declarations.
#[derive(Debug, Serialize, Deserialize)]
struct CachedFile {
    path: String,
    digest: u64,
    interface: FileInterface,
}

/// The tests of a cached scan that are still valid, and the classes and files that have to be analysed again.
#[derive(Debug)]
pub(crate) struct ReusableTests {
    /// Cached tests that are still valid. The files they depend on (`grounds`) are indices into the files of the new
    /// scan.
    tests: Vec<ScoredTest>,
    /// Names of classes with tests that have to be scored again.
    classes: HashSet<String>,
    /// New and changed files of the repository, which may declare further tests.
    changed_files: Vec<FileId>,
    /// Names that are declared differently than in the cached scan. A class whose supertype has one of these names may
    /// inherit other tests.
    changed_names: BTreeSet<String>,
    /// Files that tests of the cached scan depended on, for those tests that are no longer valid.
    dependencies: Vec<FileId>,
    /// For each file of the new scan, its declarations that other files can see. Those of an unchanged file are copied
    /// from the cached scan.
    pub(crate) interfaces: Vec<FileInterface>,
    test_annotations: Vec<String>,
}

impl ReusableTests {
    /// Returns the tests that can be reused, and leaves none behind.
    pub(crate) fn take_tests(&mut self) -> Vec<ScoredTest> {
        std::mem::take(&mut self.tests)
    }

    /// Whether no test of the repository has to be scored again.
    pub(crate) fn is_everything(&self) -> bool {
        self.classes.is_empty() && self.changed_files.is_empty() && self.changed_names.is_empty()
    }

    /// Marks classes for a new analysis if the new report lists one of their tests and the cached test has no graph and
    /// source.
    pub(crate) fn leave_out_unexplained(&mut self, rule: &ListingRule<'_>) {
        state_pairs::pair(&mut self.tests);
        let mut selection = rule.select(&self.tests);
        rule.limit(&self.tests, &mut selection);
        let listed = selection.tests().iter().map(|at| &self.tests[*at]);
        let unexplained = listed.filter(|it| it.detail.is_none());
        self.classes.extend(unexplained.map(|it| it.test.class().to_owned()));
    }

    /// Whether the tests of a class have to be analysed again.
    pub(crate) fn is_analysed(&self, class: &str) -> bool {
        self.classes.contains(class)
    }

    /// The part of the repository to analyse for graph, paths and source of reused tests, where the cache does not have
    /// them. The tests are in `classes` and depend on the files `dependencies`.
    pub(crate) fn part<'p>(&'p self, classes: &'p HashSet<String>, dependencies: &'p [FileId]) -> Part<'p> {
        static NO_NAMES: BTreeSet<String> = BTreeSet::new();
        Part {
            classes,
            files: &[],
            supertypes: &NO_NAMES,
            dependencies,
            interfaces: &self.interfaces,
            test_annotations: &self.test_annotations,
        }
    }

    /// The part of the repository whose tests have to be analysed again, because they changed since the cached scan.
    pub(crate) fn rest(&self) -> Part<'_> {
        Part {
            classes: &self.classes,
            files: &self.changed_files,
            supertypes: &self.changed_names,
            dependencies: &self.dependencies,
            interfaces: &self.interfaces,
            test_annotations: &self.test_annotations,
        }
    }
}

impl CachedScan {
    /// The cached results of a finished scan. `known` holds the declarations of each file that other files can see, as
    /// far as a cached scan knew them. It is empty if no cached scan was used.
    pub(crate) fn new(
        repository: &Repository,
        analysis: &Analysis<'_>,
        known: Vec<FileInterface>,
        tests: Vec<ScoredTest>,
    ) -> Self {
        let files = repository.files().iter().zip(analysis.file_interfaces(known));
        let cached = files.map(|(file, interface)| CachedFile {
            path: file.path().to_owned(),
            digest: file.digest(),
            interface,
        });
        Self {
            files: cached.collect(),
            test_annotations: analysis.test_annotations().to_vec(),
            tests,
        }
    }

    /// Removes graph, paths and source of findings, which take most of the space.
    pub(crate) fn drop_details(&mut self) {
        self.tests.iter_mut().for_each(|it| it.detail = None);
    }

    /// The tests that are still valid for the repository as it is now; `None` if every test may have changed.
    pub(crate) fn reusable(self, repository: &Repository) -> Option<ReusableTests> {
        let mut change = Change::default();
        let mut before: Vec<Option<CachedFile>> = repository.files().iter().map(|_| None).collect();
        // From the file indices of the cached scan to those of the new one.
        let mut places = Vec::with_capacity(self.files.len());
        for file in self.files {
            let now = repository.file_id(&file.path);
            match now {
                Some(now) => before[now.position()] = Some(file),
                None => change.without(file.interface)?,
            }
            places.push(now);
        }
        let mut interfaces = Vec::with_capacity(before.len());
        for (at, (file, before)) in repository.files().iter().zip(before).enumerate() {
            interfaces.push(match before {
                Some(before) if before.digest == file.digest() => before.interface,
                before => change.with(FileId::new(at), file, before.map(|it| it.interface))?,
            });
        }
        change.spread(&interfaces);
        let mut is_concerned = vec![false; interfaces.len()];
        let mentioning = repository.files_that_mention(&change.names.iter().map(String::as_str).collect());
        for at in mentioning.into_iter().chain(change.files.iter().copied()) {
            is_concerned[at.position()] = true;
        }
        let mut tests = Vec::with_capacity(self.tests.len());
        let mut classes = HashSet::new();
        let mut dependencies = BTreeSet::new();
        for mut test in self.tests {
            let mut stands = !change.declares(test.test.class());
            test.grounds.retain_mut(|ground| {
                let now = places.get(ground.position()).copied().flatten();
                stands &= now.is_some_and(|now| !is_concerned[now.position()]);
                now.inspect(|now| *ground = *now).is_some()
            });
            if stands {
                tests.push(test);
            } else {
                classes.insert(test.test.class().to_owned());
                dependencies.extend(test.grounds);
            }
        }
        Some(ReusableTests {
            tests,
            classes,
            changed_files: change.files,
            changed_names: change.names,
            dependencies: dependencies.into_iter().collect(),
            interfaces,
            test_annotations: self.test_annotations,
        })
    }
}
