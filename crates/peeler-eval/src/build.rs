//! Building a corpus: labels and sources become labelled tests.
//!
//! Each project has a folder below the sources. Every labelled test is looked up by its name. Labels whose test is not
//! found are listed with the cause.

mod groups;
mod recorder;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use peeler_analysis::{
    AnalysedTests, Analysis, CauseCatalogue, FeatureReader, FeatureSelection, Limits, Relatives, Repository,
    RepositoryError, TestCase,
};
use peeler_features::{TestFeatures, TestName, narrow};
use rustc_hash::FxHashSet;

use self::groups::Relations;
use self::recorder::{Recorder, bag, path_bag};
use crate::corpus::{Corpus, TestRecord};
use crate::labels::{KnownLabel, Labels, ProjectLabels};

/// The reason why no corpus could be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The folder below which each project has a folder with its sources does not exist.
    #[error("no folder {}; lay the projects out as {}/<project>", .0.display(), .0.display())]
    NoSources(PathBuf),
    /// No project of the label file has a folder with sources.
    #[error("none of the {labelled} labelled projects has a folder below {}; the first would be {}", sources.display(), first.display())]
    NoProject {
        /// The number of projects that the label file names.
        labelled: usize,
        /// The folder in which the sources of projects were expected.
        sources: PathBuf,
        /// The folder in which the first project of the label file was expected.
        first: PathBuf,
    },
}

/// The number of labelled tests that were found in the sources, and a list of those that were not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// The number of rows of the label file.
    pub rows: usize,
    /// The number of rows of the label file whose test was found in the sources.
    pub rows_found: usize,
    /// The number of tests that the label file does not list, but that are assumed stable because their module has
    /// listed tests.
    pub assumed_stable: usize,
    /// The tests of the label file that were not found in the sources, by the reason why.
    pub lost: BTreeMap<&'static str, Vec<String>>,
}

/// Builds a corpus of all labelled tests below `sources`. `progress` gets the name of each project as it starts.
///
/// # Errors
///
/// When the folder of sources is missing, or the folders of all projects are. A single missing project only loses its
/// labels.
pub fn build_corpus(
    labels: &Labels,
    sources: &Path,
    limits: Limits,
    mut progress: impl FnMut(&str),
) -> Result<(Corpus, BuildReport), BuildError> {
    if !sources.is_dir() {
        return Err(BuildError::NoSources(sources.to_owned()));
    }
    let mut building = Building::default();
    for (project, known) in labels {
        progress(project);
        let folder = sources.join(project);
        match Repository::open(&folder) {
            Ok(repository) => building.project(project, &[(known.clone(), repository)], limits),
            Err(RepositoryError::Missing(_)) => building.lose_all(project, known, "no sources of the project"),
            Err(_) => building.lose_all(project, known, "no Java in the sources of the project"),
        }
    }
    if building.corpus.projects.is_empty() {
        let first = labels.keys().next().map(|it| sources.join(it)).unwrap_or_default();
        return Err(BuildError::NoProject {
            labelled: labels.len(),
            sources: sources.to_owned(),
            first,
        });
    }
    Ok(building.finish())
}

/// A labelled state of a project: labels of tests, and the sources in which they are looked up.
pub type LabelledSnapshot = (ProjectLabels, Repository);

/// Builds a corpus from snapshots of projects that `snapshots` reads by name, one project after the other. A test that
/// several snapshots of its project label is taken from the first. A project without snapshots is left out.
///
/// # Errors
///
/// When reading the snapshots of a project fails.
pub fn build_from_snapshots<E>(
    projects: &[String],
    limits: Limits,
    mut snapshots: impl FnMut(&str) -> Result<Vec<LabelledSnapshot>, E>,
) -> Result<(Corpus, BuildReport), E> {
    let mut building = Building::default();
    for project in projects {
        let snapshots = snapshots(project)?;
        if !snapshots.is_empty() {
            building.project(project, &snapshots, limits);
        }
    }
    Ok(building.finish())
}

/// A corpus that is being built, with a report of the labelled tests that were found and not found.
#[derive(Default)]
struct Building {
    corpus: Corpus,
    recorder: Recorder,
    report: BuildReport,
    next_group: u32,
    next_family: u32,
}

/// The classes that share code with a test, and hashes of its paths and tokens. Splits keep tests of these classes
/// together; tests with equal hashes count as copies.
struct Identity {
    relatives: Relatives,
    path_bag: u64,
    token_bag: u64,
}

impl Building {
    fn finish(mut self) -> (Corpus, BuildReport) {
        (self.corpus.strings, self.corpus.methods) = self.recorder.finish();
        (self.corpus, self.report)
    }

    fn lose_all(&mut self, project: &str, known: &ProjectLabels, cause: &'static str) {
        for (test, label) in &known.tests {
            self.lose(project, test, label, cause);
        }
    }

    fn lose(&mut self, project: &str, test: &TestName, label: &KnownLabel, cause: &'static str) {
        self.report.rows += label.rows;
        let lost = self.report.lost.entry(cause).or_default();
        lost.extend((0..label.rows).map(|_| format!("{project} {test}")));
    }

    /// Adds the labelled tests of all snapshots of a project to the corpus.
    fn project(&mut self, project: &str, snapshots: &[LabelledSnapshot], limits: Limits) {
        self.corpus.projects.push(project.to_owned());
        let mut relations = Relations::default();
        let first = self.corpus.tests.len();
        let mut added: FxHashSet<TestName> = FxHashSet::default();
        for (known, repository) in snapshots {
            self.snapshot(project, known, repository, limits, &mut relations, &mut added);
        }
        for record in &mut self.corpus.tests[first..] {
            record.group = self.next_group + relations.twins.root(record.group);
            record.family = self.next_family + relations.families.root(record.family);
        }
        self.next_group += relations.twins.count();
        self.next_family += relations.families.count();
    }

    /// Adds the labelled tests of one snapshot that are not yet in `added`.
    fn snapshot(
        &mut self,
        project: &str,
        known: &ProjectLabels,
        repository: &Repository,
        limits: Limits,
        relations: &mut Relations,
        added: &mut FxHashSet<TestName>,
    ) {
        let analysis = Analysis::new(repository);
        let cases = analysis.test_cases();
        let elsewhere: FxHashSet<&str> = known.elsewhere.iter().map(AsRef::as_ref).collect();
        let is_wanted = |case: &&TestCase| {
            let name: &str = case.name.as_ref();
            let modules = known.stable_modules.as_ref();
            let is_stable = !elsewhere.contains(name) && modules.is_some_and(|it| in_modules(&case.file, it));
            known.tests.contains_key(name) || is_stable
        };
        let wanted: FxHashSet<&str> = cases.iter().filter(is_wanted).map(|it| it.name.as_ref()).collect();
        self.recorder.start_project(narrow(self.corpus.projects.len() - 1));
        let reader = FeatureReader::new(&analysis, CauseCatalogue::shipped(), FeatureSelection::EVERYTHING);
        reader.read_classes(
            limits,
            |name| wanted.contains(name),
            |tests| {
                let identities = identities(&analysis, &tests);
                (tests, identities)
            },
            |(tests, identities)| {
                let features = tests.features();
                for ((test, features), identity) in tests.iter().zip(&features).zip(identities) {
                    let case = &test.traced.case;
                    // Several modules may contain a copy of one test; only the first copy is stored.
                    if added.insert(case.name.clone()) {
                        self.add(case, features, &identity, known, relations);
                    }
                }
            },
        );
        let classes: FxHashSet<&str> = cases.iter().map(|it| it.name.class()).collect();
        for (test, label) in &known.tests {
            if added.contains(test) {
                self.report.rows += label.rows;
                self.report.rows_found += label.rows;
                continue;
            }
            let cause = if classes.contains(test.class()) {
                "no such test in its class"
            } else {
                "no test class of that name in Java"
            };
            self.lose(project, test, label, cause);
        }
    }

    fn add(
        &mut self,
        case: &TestCase,
        features: &TestFeatures<'_>,
        identity: &Identity,
        known: &ProjectLabels,
        relations: &mut Relations,
    ) {
        let name: &str = case.name.as_ref();
        let label = known.tests.get(name);
        self.report.assumed_stable += usize::from(label.is_none());
        let relatives = &identity.relatives;
        self.corpus.tests.push(TestRecord {
            project: narrow(self.corpus.projects.len() - 1),
            group: relations.twins.join(&relatives.twins),
            family: relations.families.join(&relatives.related),
            flaky: label.is_some_and(|it| it.flaky),
            category: label.and_then(|it| it.category.clone()),
            runs: label.and_then(|it| it.runs),
            file: case.file.clone(),
            line: case.line,
            path_bag: identity.path_bag,
            token_bag: identity.token_bag,
            features: self.recorder.record(features),
        });
    }
}

/// For each test of a class, the classes that share code with it, such as superclasses, and the hashes of its paths and
/// tokens.
fn identities(analysis: &Analysis<'_>, tests: &AnalysedTests<'_, '_>) -> Vec<Identity> {
    let features = tests.features();
    let of_test = |(test, features): (&peeler_analysis::AnalysedTest<'_>, &TestFeatures<'_>)| Identity {
        relatives: analysis.relatives(&test.traced),
        path_bag: path_bag(&features.graph.read()),
        token_bag: bag(features.tokens.iter()),
    };
    tests.iter().zip(&features).map(of_test).collect()
}

/// Whether a file is in one of `modules`, given as paths. The root module `.` contains the files below `src/` and
/// `test/`.
fn in_modules(file: &str, modules: &[String]) -> bool {
    modules.iter().any(|module| match module.as_str() {
        "." | "" => file.starts_with("src/") || file.starts_with("test/"),
        module => file.strip_prefix(module).is_some_and(|rest| rest.starts_with('/')),
    })
}
