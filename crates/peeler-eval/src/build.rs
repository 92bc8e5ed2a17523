//! Building a corpus: labels and sources become labelled tests.
//!
//! One folder a project below the sources. Every labelled test is looked up by its identity; what is not
//! found is listed with its cause, never dropped in silence.

mod groups;
mod reading;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use peeler_analysis::{Analysis, CutMethodId, Limits, MAX_DEPTH, Repository, RepositoryError};
use rustc_hash::{FxHashMap, FxHashSet};

use self::groups::Relations;
use self::reading::{RawTest, Reader};
use crate::corpus::{Corpus, Interner, TestRecord, narrow};
use crate::labels::{KnownLabel, Labels, ProjectLabels};
use crate::sample::{
    EdgeRecord, GraphRecord, MethodRecord, NodeRecord, ReachRecord, ReachedCallRecord, Sample, TextId,
};
use crate::words::sub_tokens;

/// AST path contexts kept of a method.
const MOST_CONTEXTS: usize = 64;

/// Why no corpus could be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The sources are not there.
    #[error("no folder {}; lay the projects out as {}/<project>", .0.display(), .0.display())]
    NoSources(PathBuf),
    /// No project of the labels has a folder.
    #[error("none of the {labelled} labelled projects has a folder below {}; the first would be {}", sources.display(), first.display())]
    NoProject {
        /// How many projects the labels name.
        labelled: usize,
        /// The folder with sources.
        sources: PathBuf,
        /// Where the first project was expected.
        first: PathBuf,
    },
}

/// What became of the labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// Rows of the label file.
    pub rows: usize,
    /// Rows whose test was found.
    pub rows_found: usize,
    /// Tests that are stable because nobody listed them in a module with listed ones.
    pub assumed_stable: usize,
    /// Rows not found, by cause, with the tests.
    pub lost: BTreeMap<&'static str, Vec<String>>,
}

/// Builds a corpus. `progress` hears the name of each project as it begins.
///
/// # Errors
///
/// When there are no sources. A project without a folder is a cause of lost labels, no error.
pub fn build_corpus(
    labels: &Labels,
    sources: &Path,
    limits: Limits,
    mut progress: impl FnMut(&str),
) -> Result<(Corpus, BuildReport), BuildError> {
    if !sources.is_dir() {
        return Err(BuildError::NoSources(sources.to_owned()));
    }
    let mut building = Building::new(Gathered::EVERYTHING);
    for (project, known) in labels {
        progress(project);
        let folder = sources.join(project);
        match Repository::open(&folder) {
            Ok(repository) => building.project(project, known, &repository, limits),
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
    building.corpus.strings = building.interner.into_strings();
    Ok((building.corpus, building.report))
}

/// What is gathered of a test beside its graph, words and reach. Each takes time and is read by few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gathered {
    /// The path contexts of method bodies, for networks that read bodies by them.
    pub path_contexts: bool,
    /// The tokens of the method, for FLAST.
    pub tokens: bool,
    /// Digests of all paths and of all tokens, to find copies of a test.
    pub digests: bool,
    /// What the catalogue of nondeterminism finds in the test.
    pub causes: bool,
    /// How far calls are followed into the repository's code.
    pub depth: usize,
}

impl Gathered {
    /// Everything, for a corpus that others read.
    pub const EVERYTHING: Self = Self {
        path_contexts: true,
        tokens: true,
        digests: true,
        causes: true,
        depth: MAX_DEPTH,
    };
}

/// Tests without labels: each counts as stable.
#[derive(Default)]
pub struct Unlabelled {
    /// The tests.
    pub corpus: Corpus,
    /// For every test the files that it rests on, as [`peeler_analysis::Reach::files`] says.
    pub grounds: Vec<Vec<usize>>,
}

impl Unlabelled {
    /// Puts other tests of the same repository behind these.
    pub fn extend(&mut self, other: Self) {
        self.corpus.merge(&other.corpus);
        self.grounds.extend(other.grounds);
    }
}

/// The tests of one repository for which `wanted` holds, class by class, so that no large repository is ever in memory as a
/// corpus. `map` sees the tests of a class on the thread that analysed them; `each` gets what it returned, in order, on this one.
/// Modules may hold copies of one test; all are handed on.
pub fn unlabelled_classes<T: Send>(
    analysis: &Analysis<'_>,
    gathered: Gathered,
    limits: Limits,
    wanted: impl Fn(&str) -> bool + Sync,
    map: impl Fn(Unlabelled) -> T + Sync,
    each: impl FnMut(T),
) {
    let known = ProjectLabels::default();
    let reader = Reader::new(analysis, gathered);
    let class = |tests: Vec<RawTest>| {
        let mut building = Building::new(gathered);
        // All are of one project, whatever its name may be.
        building.corpus.projects.push(String::new());
        let mut methods = FxHashMap::default();
        let mut relations = Relations::default();
        for raw in tests {
            building.add(raw, 0, &known, analysis, &mut methods, &mut relations);
        }
        map(building.finish())
    };
    analysis.extract_classes(limits, wanted, |extraction| reader.read(&extraction), class, each);
}

struct Building {
    gathered: Gathered,
    corpus: Corpus,
    interner: Interner,
    grounds: Vec<Vec<usize>>,
    /// The words around the tests of the class that came last.
    context: Option<(Arc<[String]>, Vec<TextId>)>,
    report: BuildReport,
    next_group: u32,
    next_family: u32,
}

impl Building {
    fn new(gathered: Gathered) -> Self {
        Self {
            gathered,
            corpus: Corpus::default(),
            interner: Interner::default(),
            grounds: Vec::new(),
            context: None,
            report: BuildReport::default(),
            next_group: 0,
            next_family: 0,
        }
    }

    fn lose_all(&mut self, project: &str, known: &ProjectLabels, cause: &'static str) {
        for (test, label) in &known.tests {
            self.lose(project, test, label, cause);
        }
    }

    fn lose(&mut self, project: &str, test: &str, label: &KnownLabel, cause: &'static str) {
        self.report.rows += label.rows;
        let lost = self.report.lost.entry(cause).or_default();
        lost.extend((0..label.rows).map(|_| format!("{project} {test}")));
    }

    fn project(&mut self, project: &str, known: &ProjectLabels, repository: &Repository, limits: Limits) {
        let analysis = Analysis::new(repository);
        let cases = analysis.test_cases();
        let elsewhere: FxHashSet<&str> = known.elsewhere.iter().map(String::as_str).collect();
        let wanted: FxHashSet<&str> = cases
            .iter()
            .filter(|case| {
                let is_listed = known.tests.contains_key(&case.name);
                let is_stable = !elsewhere.contains(case.name.as_str())
                    && known
                        .stable_modules
                        .as_ref()
                        .is_some_and(|it| in_modules(&case.file, it));
                is_listed || is_stable
            })
            .map(|case| case.name.as_str())
            .collect();
        let found = self.tests(&analysis, project, known, |name| wanted.contains(name), limits);
        let classes: FxHashSet<&str> = cases.iter().filter_map(|it| it.name.split('#').next()).collect();
        for (test, label) in &known.tests {
            if found.contains(test) {
                self.report.rows += label.rows;
                self.report.rows_found += label.rows;
                continue;
            }
            let class = test.split('#').next().unwrap_or_default();
            let cause = if classes.contains(class) {
                "no such test in its class"
            } else {
                "no test class of that name in Java"
            };
            self.lose(project, test, label, cause);
        }
    }

    /// Adds the tests of a repository that are wanted, and says which there were.
    fn tests(
        &mut self,
        analysis: &Analysis<'_>,
        project: &str,
        known: &ProjectLabels,
        wanted: impl Fn(&str) -> bool + Sync,
        limits: Limits,
    ) -> FxHashSet<String> {
        let place = narrow(self.corpus.projects.len());
        self.corpus.projects.push(project.to_owned());
        let mut methods: FxHashMap<CutMethodId, u32> = FxHashMap::default();
        let mut relations = Relations::default();
        let mut found: FxHashSet<String> = FxHashSet::default();
        let reader = Reader::new(analysis, self.gathered);
        let first = self.corpus.tests.len();
        analysis.extract(
            limits,
            wanted,
            |extraction| reader.read(&extraction),
            |raw| {
                // Modules may hold copies of one test; the first stands for all.
                if found.insert(raw.name.clone()) {
                    self.add(raw, place, known, analysis, &mut methods, &mut relations);
                }
            },
        );
        for record in &mut self.corpus.tests[first..] {
            let sample = &mut record.sample;
            sample.group = self.next_group + relations.twins.root(sample.group);
            sample.family = self.next_family + relations.families.root(sample.family);
        }
        self.next_group += relations.twins.count();
        self.next_family += relations.families.count();
        found
    }

    fn add(
        &mut self,
        mut raw: RawTest,
        project: u32,
        known: &ProjectLabels,
        analysis: &Analysis<'_>,
        methods: &mut FxHashMap<CutMethodId, u32>,
        relations: &mut Relations,
    ) {
        self.grounds.push(std::mem::take(&mut raw.reach.files));
        let record = self.record(raw, project, known, analysis, methods, relations);
        self.corpus.tests.push(record);
    }

    fn finish(mut self) -> Unlabelled {
        self.corpus.strings = self.interner.into_strings();
        Unlabelled {
            corpus: self.corpus,
            grounds: self.grounds,
        }
    }

    fn record(
        &mut self,
        raw: RawTest,
        project: u32,
        known: &ProjectLabels,
        analysis: &Analysis<'_>,
        methods: &mut FxHashMap<CutMethodId, u32>,
        relations: &mut Relations,
    ) -> TestRecord {
        let label = known.tests.get(&raw.name);
        self.report.assumed_stable += usize::from(label.is_none());
        let places: Vec<u32> = raw
            .methods
            .into_iter()
            .map(|(id, signature)| {
                *methods.entry(id).or_insert_with(|| {
                    let words = sub_tokens(analysis.method_source(id))
                        .map(|it| self.interner.intern(&it))
                        .collect();
                    let contexts = if self.gathered.path_contexts {
                        analysis.cut_method(id, 0).path_contexts
                    } else {
                        Vec::new()
                    };
                    let contexts = contexts
                        .iter()
                        .take(MOST_CONTEXTS)
                        .map(|it| [&it.from, &it.path, &it.to].map(|text| self.interner.intern(text)))
                        .collect();
                    self.corpus.methods.push(MethodRecord {
                        project,
                        signature,
                        words,
                        contexts,
                    });
                    narrow(self.corpus.methods.len() - 1)
                })
            })
            .collect();
        let nodes = raw
            .nodes
            .iter()
            .map(|(text, kind, marks, line)| NodeRecord {
                text: self.interner.intern(text),
                kind: *kind,
                marks: *marks,
                line: *line,
            })
            .collect();
        let edges = raw
            .edges
            .into_iter()
            .map(|(from, to, operation, kind, own)| EdgeRecord {
                from,
                to,
                operation: self.interner.intern(&operation),
                kind,
                methods: own.into_iter().map(|it| places[it as usize]).collect(),
            })
            .collect();
        let calls = raw
            .reach
            .calls
            .iter()
            .map(|it| ReachedCallRecord {
                origin: it.origin as u8,
                depth: u8::try_from(it.depth).expect("calls are followed a few steps"),
                call: self.interner.intern(&it.call),
            })
            .collect();
        let mut intern = |texts: &[String]| texts.iter().map(|it| self.interner.intern(it)).collect::<Vec<_>>();
        let (tokens, words) = (intern(&raw.tokens), intern(&raw.words));
        let causes = intern(&raw.causes);
        let context_words = match &self.context {
            Some((words, numbers)) if Arc::ptr_eq(words, &raw.context_words) => numbers.clone(),
            _ => {
                let numbers = intern(&raw.context_words);
                self.context = Some((raw.context_words, numbers.clone()));
                numbers
            }
        };
        let sample = Sample {
            project,
            group: relations.twins.join(&raw.twins),
            family: relations.families.join(&raw.related),
            lines: raw.lines,
            tokens,
            words,
            context_words,
            name: raw.name,
            graph: GraphRecord {
                nodes,
                edges,
                paths: raw.paths,
            },
            reach: ReachRecord {
                calls,
                bodies: raw.reach.bodies,
            },
            causes,
        };
        TestRecord {
            sample,
            flaky: label.is_some_and(|it| it.flaky),
            category: label.and_then(|it| it.category.clone()),
            runs: label.and_then(|it| it.runs),
            file: raw.file,
            line: raw.line,
            path_bag: raw.path_bag,
            token_bag: raw.token_bag,
        }
    }
}

/// The root module `.` is what is not in a module of its own.
fn in_modules(file: &str, modules: &[String]) -> bool {
    modules.iter().any(|module| match module.as_str() {
        "." | "" => file.starts_with("src/") || file.starts_with("test/"),
        module => file.strip_prefix(module).is_some_and(|rest| rest.starts_with('/')),
    })
}
