//! Building a corpus: labels and sources become labelled tests.
//!
//! One folder a project below the sources. Every labelled test is looked up by its identity; what is not
//! found is listed with its cause, never dropped in silence.

mod groups;
mod reading;
mod unlabelled;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use peeler_analysis::{
    Analysis, CutMethodId, CutReference, CutView, Extraction, Limits, MAX_DEPTH, Reach, Repository, RepositoryError,
    Way,
};
use rustc_hash::{FxHashMap, FxHashSet};

use self::groups::Relations;
use self::reading::{ContextWords, RawTest, Reader};
pub use self::unlabelled::{Glance, Origin, Unlabelled, unlabelled_classes};
use crate::corpus::{Corpus, TestRecord};
use crate::labels::{KnownLabel, Labels, ProjectLabels};
use peeler_features::narrow;
use peeler_features::sub_tokens;
use peeler_features::texts::TextSet;
use peeler_features::{
    EdgeRecord, GraphRecord, MethodRecord, NodeRecord, ReachRecord, ReachedCallRecord, Sample, TextId,
};

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
    let mut building = Building::new(Gathered::EVERYTHING, Graphs::Whole);
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
    Ok(building.finish())
}

/// What is gathered of a test beside its graph, words and reach. Each takes time and is read by few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gathered {
    /// The path contexts of method bodies, for networks that read bodies by them.
    pub path_contexts: bool,
    /// The tokens of the method, for FLAST.
    pub tokens: bool,
    /// Related classes, and digests of all paths and of all tokens to find copies, for splits.
    pub relatives: bool,
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
        relatives: true,
        causes: true,
        depth: MAX_DEPTH,
    };
}

/// How much of the graphs of tests a corpus holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graphs {
    /// All of them, with the methods that they refer to.
    Whole,
    /// How many nodes and paths they have, for predictors that read no paths.
    Sizes,
}

/// A project whose tests are being added.
struct Project<'a, 'r> {
    analysis: &'a Analysis<'r>,
    known: &'a ProjectLabels,
    place: u32,
    methods: FxHashMap<CutMethodId, u32>,
    relations: Relations,
    /// The words around the tests of the class that came last,
    context: Option<(ContextWords<'a>, Vec<TextId>)>,
    /// and what its setup reaches.
    setup: Option<(Arc<Way<'a>>, Vec<ReachedCallRecord>)>,
}

struct Building {
    gathered: Gathered,
    graphs: Graphs,
    corpus: Corpus,
    texts: TextSet,
    report: BuildReport,
    next_group: u32,
    next_family: u32,
}

impl Building {
    fn new(gathered: Gathered, graphs: Graphs) -> Self {
        Self {
            gathered,
            graphs,
            corpus: Corpus::default(),
            texts: TextSet::default(),
            report: BuildReport::default(),
            next_group: 0,
            next_family: 0,
        }
    }

    fn begin<'a, 'r>(&mut self, name: &str, analysis: &'a Analysis<'r>, known: &'a ProjectLabels) -> Project<'a, 'r> {
        self.corpus.projects.push(name.to_owned());
        Project {
            analysis,
            known,
            place: narrow(self.corpus.projects.len() - 1),
            methods: FxHashMap::default(),
            relations: Relations::default(),
            context: None,
            setup: None,
        }
    }

    fn finish(mut self) -> (Corpus, BuildReport) {
        self.corpus.strings = self.texts.iter().map(str::to_owned).collect();
        (self.corpus, self.report)
    }

    fn lose_all(&mut self, project: &str, known: &ProjectLabels, cause: &'static str) {
        for (test, label) in &known.tests {
            self.lose(project, test.as_str(), label, cause);
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
        let elsewhere: FxHashSet<&str> = known.elsewhere.iter().map(peeler_features::TestName::as_str).collect();
        let wanted: FxHashSet<&str> = cases
            .iter()
            .filter(|case| {
                let is_listed = known.tests.contains_key(case.name.as_str());
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
            if found.contains(test.as_str()) {
                self.report.rows += label.rows;
                self.report.rows_found += label.rows;
                continue;
            }
            let cause = if classes.contains(test.class()) {
                "no such test in its class"
            } else {
                "no test class of that name in Java"
            };
            self.lose(project, test.as_str(), label, cause);
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
        let mut project = self.begin(project, analysis, known);
        let mut found: FxHashSet<String> = FxHashSet::default();
        let reader = Reader::new(analysis, self.gathered);
        let first = self.corpus.tests.len();
        analysis.extract_classes(
            limits,
            wanted,
            |traced| reader.test(traced),
            |tests| reader.class(tests),
            |class| {
                for raw in class {
                    // Modules may hold copies of one test; the first stands for all.
                    if found.insert(raw.traced.case.name.clone()) {
                        self.add(&raw, &mut project);
                    }
                }
            },
        );
        let relations = &project.relations;
        for record in &mut self.corpus.tests[first..] {
            let sample = &mut record.sample;
            sample.group = self.next_group + relations.twins.root(sample.group);
            sample.family = self.next_family + relations.families.root(sample.family);
        }
        self.next_group += relations.twins.count();
        self.next_family += relations.families.count();
        found
    }

    fn add<'a>(&mut self, raw: &RawTest<'a>, project: &mut Project<'a, '_>) {
        let case = &raw.traced.case;
        let label = project.known.tests.get(case.name.as_str());
        self.report.assumed_stable += usize::from(label.is_none());
        let graph = match self.graphs {
            Graphs::Whole => self.graph(&project.analysis.extraction(&raw.traced), project),
            Graphs::Sizes => GraphRecord::hollow(raw.traced.node_count(), raw.traced.path_count()),
        };
        let reach = self.reach(&raw.reach, project);
        let tokens = if self.gathered.tokens {
            self.interned(raw.method.split_whitespace())
        } else {
            Vec::new()
        };
        let words = self.interned(&raw.words);
        let causes = self.interned(&raw.causes);
        let context_words = match &project.context {
            Some((words, numbers)) if Arc::ptr_eq(words, &raw.context_words) => numbers.clone(),
            _ => {
                let numbers = self.interned(raw.context_words.iter());
                project.context = Some((raw.context_words.clone(), numbers.clone()));
                numbers
            }
        };
        let relations = &mut project.relations;
        let relatives = raw.relatives.as_ref();
        let sample = Sample {
            project: project.place,
            group: relatives.map_or(0, |it| relations.twins.join(&it.twins)),
            family: relatives.map_or(0, |it| relations.families.join(&it.related)),
            lines: raw.lines(),
            tokens,
            words,
            context_words,
            name: case.name.clone(),
            graph,
            reach,
            causes,
        };
        self.corpus.tests.push(TestRecord {
            sample,
            flaky: label.is_some_and(|it| it.flaky),
            category: label.and_then(|it| it.category.clone()),
            runs: label.and_then(|it| it.runs),
            file: case.file.clone(),
            line: case.line,
            path_bag: raw.path_bag,
            token_bag: raw.token_bag,
        });
    }

    fn interned(&mut self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<TextId> {
        let texts = texts.into_iter();
        texts.map(|it| self.texts.number(it.as_ref())).collect()
    }

    fn graph(&mut self, extraction: &Extraction<'_>, project: &mut Project<'_, '_>) -> GraphRecord {
        let methods: Vec<u32> = extraction
            .cut_methods
            .iter()
            .map(|it| self.method(it, project))
            .collect();
        let nodes = extraction
            .nodes
            .iter()
            .map(|it| NodeRecord {
                text: self.texts.number(&it.text),
                kind: it.kind as u8,
                marks: u8::from(it.start) | u8::from(it.assert) << 1,
                line: it.line,
            })
            .collect();
        let edges = extraction
            .edges
            .iter()
            .map(|it| EdgeRecord {
                from: narrow(it.from),
                to: narrow(it.to),
                operation: self.texts.number(&it.operation),
                kind: it.kind as u8,
                methods: match &it.cut {
                    Some(CutView::Resolved {
                        declaration,
                        implementations,
                    }) => {
                        let all = std::iter::once(declaration).chain(implementations);
                        all.map(|at| methods[*at]).collect()
                    }
                    _ => Vec::new(),
                },
            })
            .collect();
        let paths = extraction.paths.iter();
        let paths = paths.map(|it| it.elements.iter().map(|at| narrow(*at)).collect());
        GraphRecord {
            nodes,
            edges,
            paths: paths.collect(),
        }
    }

    /// The place of a method of the repository.
    fn method(&mut self, method: &CutReference, project: &mut Project<'_, '_>) -> u32 {
        let id = method.id;
        if let Some(known) = project.methods.get(&id) {
            return *known;
        }
        let words = self.interned(sub_tokens(project.analysis.method_source(id)));
        let contexts = if self.gathered.path_contexts {
            project.analysis.cut_method(id, 0).path_contexts
        } else {
            Vec::new()
        };
        let contexts = contexts
            .iter()
            .take(MOST_CONTEXTS)
            .map(|it| [&it.from, &it.path, &it.to].map(|text| self.texts.number(text)))
            .collect();
        self.corpus.methods.push(MethodRecord {
            project: project.place,
            signature: method.method.clone(),
            words,
            contexts,
        });
        let place = narrow(self.corpus.methods.len() - 1);
        project.methods.insert(id, place);
        place
    }

    fn reach<'a>(&mut self, reach: &Reach<'a>, project: &mut Project<'a, '_>) -> ReachRecord {
        let mut calls = self.calls(0, &reach.body);
        match &project.setup {
            Some((way, known)) if Arc::ptr_eq(way, &reach.setup) => calls.extend_from_slice(known),
            _ => {
                let own = self.calls(1, &reach.setup);
                calls.extend_from_slice(&own);
                project.setup = Some((reach.setup.clone(), own));
            }
        }
        ReachRecord {
            calls,
            bodies: [reach.body.bodies, reach.setup.bodies],
        }
    }

    fn calls(&mut self, origin: u8, way: &Way<'_>) -> Vec<ReachedCallRecord> {
        let mut text = String::new();
        let calls = way.calls.iter().map(|it| {
            text.clear();
            it.append_to(&mut text);
            ReachedCallRecord {
                origin,
                depth: u8::try_from(it.depth).expect("calls are followed a few steps"),
                call: self.texts.number(&text),
            }
        });
        calls.collect()
    }
}

/// The root module `.` is what is not in a module of its own.
fn in_modules(file: &str, modules: &[String]) -> bool {
    modules.iter().any(|module| match module.as_str() {
        "." | "" => file.starts_with("src/") || file.starts_with("test/"),
        module => file.strip_prefix(module).is_some_and(|rest| rest.starts_with('/')),
    })
}
