//! From a repository to findings: every test is judged, and those that stand out are looked at once more for
//! their cause, their path and their source.
//!
//! Invariant: what a finding says about a test was read in that test or in code that it leads to; without a match in
//! the catalogue of causes the reason is the strongest path.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

use peeler_analysis::{
    Analysis, Cause, CauseCatalogue, CutView, EdgeView, Extraction, Limits, NodeKind, Problem, Repository, Suppression,
};
use peeler_eval::build::{Gathered, Unlabelled, unlabelled_corpus};
use peeler_eval::corpus::stable_hash;
use peeler_eval::sample::Sample;
use peeler_model::{Backend, BackendError, BodyReading, Dataset, TrainedModel};

use crate::cache::Cache;
use crate::finding::{
    Edge, Excerpt, Finding, Given, Graph, Judge, JudgedTest, Node, Path, Region, Role, RootCause, SCHEMA, Scan, Since,
    Step, Summary, Tool,
};
use crate::memory::{Found, Judgement, Look, Memory};
use crate::settings::Settings;
use crate::since::Past;

/// Paths that are searched for causes and shown.
const STRONGEST: usize = 8;

/// What a scan is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'r> {
    /// What judges.
    pub(crate) model: &'r TrainedModel,
    /// What computes.
    pub(crate) backend: Backend,
    /// Tests from this probability on are findings; the model's own threshold by default.
    pub(crate) min_probability: Option<f32>,
    /// The most probable only.
    pub(crate) top: Option<usize>,
    /// Keep the probability of every test.
    pub(crate) all: bool,
    /// What a team says once for all scans.
    pub(crate) settings: &'r Settings,
    /// Look only at tests of these files, relative to the root.
    pub(crate) given: Option<&'r BTreeSet<String>>,
    /// Look only at tests that changed since then.
    pub(crate) since: Option<&'r Past>,
    /// Tests that are listed first, whatever their probability: runs proved them flaky.
    pub(crate) proven: &'r BTreeSet<String>,
    /// Where results of earlier scans are.
    pub(crate) cache: Option<&'r Cache>,
    /// When the command began.
    pub(crate) started: Instant,
}

impl Request<'_> {
    /// Tests from this probability on are findings.
    fn threshold(&self) -> f32 {
        self.min_probability.unwrap_or(self.model.threshold)
    }
}

/// Scans one repository. What of its findings is listed is for [`crate::listing`] to say.
pub(crate) fn scan(root: &str, repository: &Repository, request: Request<'_>) -> Result<Scan, BackendError> {
    let settings = request.settings;
    // What changed since a revision is found by looking at every test, and tests of some files are no whole memory.
    let cache = request
        .cache
        .filter(|_| request.since.is_none() && request.given.is_none());
    let threshold = request.threshold();
    let mut kept = cache.and_then(|it| it.load()?.kept(repository));
    if let Some(kept) = &mut kept {
        kept.look_again_at(threshold, request.proven, request.top);
    }
    let analysis = match &kept {
        Some(kept) if kept.is_everything() => None,
        Some(kept) => Some(Analysis::of_part(repository, &kept.part())),
        None => Some(Analysis::new(repository)),
    };
    let mut analysis = analysis.map(|it| it.with_assertions(&settings.assertions));
    if let Some(analysis) = &mut analysis {
        analysis.keep_tests(|it| settings.takes(it.method));
    }
    let given = request.given.zip(analysis.as_mut()).map(|(files, analysis)| Given {
        files: files.len(),
        others: analysis.keep_tests(|it| files.contains(it.method) || files.contains(it.class)),
    });
    let changes = request.since.zip(analysis.as_ref()).map(|(past, it)| past.changes(it));
    let mut tests = kept
        .as_mut()
        .map(|it| std::mem::take(&mut it.tests))
        .unwrap_or_default();
    let reused = tests.len();
    if let Some(analysis) = &analysis {
        let known: HashSet<&str> = tests.iter().map(|it| it.test.as_str()).collect();
        let is_changed = |name: &str| changes.as_ref().is_none_or(|it| it.tests.contains(name));
        let fresh = judged(analysis, request, |name| !known.contains(name) && is_changed(name))?;
        tests.extend(fresh);
    }
    tests.sort_by(|a, b| (&a.file, a.line, &a.test).cmp(&(&b.file, b.line, &b.test)));

    let mut chosen = ranked(&tests);
    let is_proven = |it: &Judgement| request.proven.contains(&it.test);
    chosen.retain(|at| tests[*at].probability >= threshold || is_proven(&tests[*at]));
    chosen.sort_by_key(|at| !is_proven(&tests[*at]));
    if let Some(analysis) = &analysis {
        mark_suppressed(analysis, &mut tests, &chosen);
    }
    let suppressed = chosen.len();
    chosen.retain(|at| !matches!(tests[*at].look, Some(Look::Suppressed)));
    let suppressed = suppressed - chosen.len();
    chosen.truncate(request.top.unwrap_or(usize::MAX));
    if let Some(analysis) = &analysis {
        look_at(analysis, settings.causes(), &mut tests, &chosen);
    }
    let findings: Vec<Finding> = chosen.iter().filter_map(|at| tests[*at].finding()).collect();

    let listed = request.all.then(|| {
        let all = tests.iter().map(|it| JudgedTest {
            test: it.test.clone(),
            file: it.file.clone(),
            line: it.line,
            probability: it.probability,
        });
        all.collect()
    });
    let summary = Summary {
        files: repository.files().len(),
        tests: tests.len(),
        findings: findings.len(),
        suppressed,
        excluded: repository
            .files()
            .iter()
            .filter(|it| !settings.takes(it.path()))
            .count(),
        given,
        since: request.since.zip(changes).map(|(past, changes)| Since {
            revision: past.revision.clone(),
            unchanged: changes.unchanged,
        }),
        reused,
        milliseconds: u64::try_from(request.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        ..Summary::default()
    };
    if let Some((cache, analysis)) = cache.zip(analysis.as_ref()) {
        let memory = Memory::new(repository, analysis, kept, tests);
        if let Err(error) = cache.save(&memory) {
            let folder = cache.folder().display();
            eprintln!(
                "warning: nothing is kept for the next scan, because {folder} cannot be written: {error}; name another \
                       folder with --cache-dir, or use --no-cache"
            );
        }
    }
    Ok(Scan {
        version: SCHEMA,
        tool: Tool {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
        model: Judge {
            name: request.model.config.name.clone(),
            threshold,
        },
        roots: vec![root.to_owned()],
        summary,
        findings,
        known: Vec::new(),
        tests: listed,
        problems: repository.problems().iter().map(problem).collect(),
    })
}

/// One test among the others of its repository.
pub(crate) struct Explanation {
    /// What a scan would say about it.
    pub(crate) finding: Finding,
    /// Its place by probability, from one on.
    pub(crate) rank: usize,
    /// How many tests there are.
    pub(crate) tests: usize,
    /// Where findings begin.
    pub(crate) threshold: f32,
    /// The settings that leave its file out of scans.
    pub(crate) excluded_by: Option<String>,
    /// Where its code asks scans for silence.
    pub(crate) suppression: Option<Suppression>,
}

/// Looks at one test, whatever its probability; none where there is no such test.
pub(crate) fn explain(
    analysis: &Analysis<'_>,
    test: &str,
    request: Request<'_>,
) -> Result<Option<Explanation>, BackendError> {
    let mut tests = judged(analysis, request, |_| true)?;
    let ranked = ranked(&tests);
    let Some(place) = ranked.iter().position(|at| tests[*at].test == test) else {
        return Ok(None);
    };
    let at = ranked[place];
    let settings = request.settings;
    look_at(analysis, settings.causes(), &mut tests, &[at]);
    Ok(tests[at].finding().map(|finding| Explanation {
        excluded_by: settings.file().filter(|_| !settings.takes(&finding.file)),
        finding,
        rank: place + 1,
        tests: tests.len(),
        threshold: request.threshold(),
        suppression: analysis.suppressions(|name| name == test).pop(),
    }))
}

/// The wanted tests of a repository with what the model says.
fn judged(
    analysis: &Analysis<'_>,
    request: Request<'_>,
    is_wanted: impl Fn(&str) -> bool + Sync,
) -> Result<Vec<Judgement>, BackendError> {
    let gathered = Gathered {
        path_contexts: request.model.config.body == BodyReading::Contexts,
        tokens: false,
        digests: false,
    };
    let Unlabelled { corpus, grounds } = unlabelled_corpus(analysis, gathered, Limits::default(), is_wanted);
    let samples: Vec<&Sample> = corpus.tests.iter().map(|it| &it.sample).collect();
    let dataset = Dataset::new(&samples, corpus.tables());
    let verdicts = request.model.judge(&dataset, request.backend)?;
    let tests = corpus.tests.into_iter().zip(verdicts).zip(grounds);
    let judged = tests.map(|((test, verdict), grounds)| {
        let mut strongest: Vec<(u32, f32)> = verdict.paths.iter().map(|it| (it.0, rounded(it.1))).collect();
        strongest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        strongest.truncate(STRONGEST);
        Judgement {
            test: test.sample.name,
            file: test.file,
            line: test.line,
            probability: rounded(verdict.probability),
            strongest,
            grounds,
            look: None,
        }
    });
    Ok(judged.collect())
}

/// To five places: the last digits depend on which tests were judged side by side, and mean nothing.
fn rounded(share: f32) -> f32 {
    (share * 1e5).round() / 1e5
}

/// The places of all tests, the most probable first.
fn ranked(tests: &[Judgement]) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..tests.len()).collect();
    ranked.sort_by(|a, b| {
        let [a, b] = [a, b].map(|it| &tests[*it]);
        b.probability.total_cmp(&a.probability).then(a.test.cmp(&b.test))
    });
    ranked
}

fn problem(problem: &Problem) -> crate::finding::Problem {
    crate::finding::Problem {
        file: problem.file.clone(),
        message: match problem.line {
            Some(line) => format!("line {line}: {}", problem.message),
            None => problem.message.clone(),
        },
    }
}

/// Looks at the chosen tests that nobody looked at yet.
fn look_at(analysis: &Analysis<'_>, causes: &CauseCatalogue, tests: &mut [Judgement], chosen: &[usize]) {
    let without = chosen.iter().copied().filter(|at| tests[*at].look.is_none());
    let places: HashMap<String, usize> = without.map(|at| (tests[at].test.clone(), at)).collect();
    let mut found: Vec<(usize, Finding)> = Vec::with_capacity(places.len());
    analysis.extract(
        Limits::default(),
        |name| places.contains_key(name),
        |extraction| {
            let at = *places.get(&extraction.case.name)?;
            Some((at, finding(analysis, causes, &extraction, &tests[at])))
        },
        |made| found.extend(made),
    );
    for (at, finding) in found {
        // Modules may hold copies of one test; the first stands for all, as it did for the model.
        let look = Look::Found(Found::Fresh(Box::new(finding)));
        tests[at].look.get_or_insert(look);
    }
}

/// Marks the chosen tests about which their code asks for silence.
fn mark_suppressed(analysis: &Analysis<'_>, tests: &mut [Judgement], chosen: &[usize]) {
    let without = chosen.iter().copied().filter(|at| tests[*at].look.is_none());
    let places: HashMap<String, usize> = without.map(|at| (tests[at].test.clone(), at)).collect();
    for suppression in analysis.suppressions(|name| places.contains_key(name)) {
        tests[places[&suppression.test]].look = Some(Look::Suppressed);
    }
}

fn finding(
    analysis: &Analysis<'_>,
    causes: &CauseCatalogue,
    extraction: &Extraction<'_>,
    judgement: &Judgement,
) -> Finding {
    let strongest: Vec<(usize, f32)> = judgement
        .strongest
        .iter()
        .map(|(number, attention)| (*number as usize, *attention))
        .filter(|(number, _)| *number < extraction.paths.len())
        .collect();
    let numbers: Vec<usize> = strongest.iter().map(|(number, _)| *number).collect();
    let causes = analysis.causes(causes, extraction, &numbers);
    let root_cause = causes.into_iter().next().map(root_cause);
    // The strongest path that passes the cause shows more than the strongest of all.
    let passes = |path: &&usize| root_cause.as_ref().is_some_and(|it| passes(extraction, **path, it));
    let shown = numbers.iter().find(passes).or(numbers.first());
    let witness = shown.map_or_else(Vec::new, |path| witness(analysis, extraction, *path));
    let source = analysis.test_source(extraction);
    let end_line = source.first_line + u32::try_from(source.lines.len()).unwrap_or(u32::MAX).saturating_sub(1);
    Finding {
        test: extraction.case.name.clone(),
        file: extraction.case.file.clone(),
        line: extraction.case.line,
        end_line,
        probability: judgement.probability,
        reason: reason(root_cause.as_ref(), &witness),
        fingerprint: fingerprint(&extraction.case.name, root_cause.as_ref()),
        root_cause,
        witness,
        paths: strongest
            .iter()
            .map(|(number, attention)| Path {
                attention: *attention,
                nodes: extraction.paths[*number].nodes().collect(),
                edges: extraction.paths[*number].edges().collect(),
            })
            .collect(),
        graph: graph(extraction),
        source: Excerpt {
            file: source.file.to_owned(),
            first_line: source.first_line,
            lines: source.lines.into_iter().map(str::to_owned).collect(),
        },
        neighbours: Vec::new(),
        proof: None,
    }
}

/// Whether a path has a node in the line of a cause.
fn passes(extraction: &Extraction<'_>, path: usize, cause: &RootCause) -> bool {
    let of_test = cause.file == extraction.case.file;
    extraction.paths[path].nodes().any(|at| {
        let node = &extraction.nodes[at];
        node.line == cause.line && node.file.map_or(of_test, |file| file == cause.file)
    })
}

fn root_cause(cause: Cause) -> RootCause {
    RootCause {
        kind: cause.kind.id().to_owned(),
        title: cause.kind.title().to_owned(),
        what: cause.what,
        file: cause.file,
        line: cause.line,
        text: cause.text,
        via: cause.via,
        advice: cause.kind.advice().to_owned(),
    }
}

/// The nodes of a path with their places; those behind an edge into the repository's own code say so.
fn witness(analysis: &Analysis<'_>, extraction: &Extraction<'_>, path: usize) -> Vec<Step> {
    let path = &extraction.paths[path];
    let edges: Vec<usize> = path.edges().collect();
    let nodes: Vec<usize> = path.nodes().collect();
    let last = nodes.len().saturating_sub(1);
    nodes
        .iter()
        .enumerate()
        .map(|(at, &node)| {
            let is_cut = at > 0 && extraction.edges[edges[at - 1]].cut.is_some();
            let role = match at {
                _ if at == last => Role::Assertion,
                0 => Role::Source,
                _ if is_cut => Role::CodeUnderTest,
                _ => Role::Step,
            };
            let place = analysis.node_place(extraction, node);
            Step {
                role,
                region: Region {
                    file: place.file.to_owned(),
                    line: place.line,
                    column: place.column,
                    end_line: place.end_line,
                    end_column: place.end_column,
                },
                text: extraction.nodes[node].text.to_string(),
            }
        })
        .collect()
}

/// One line in plain words.
fn reason(cause: Option<&RootCause>, witness: &[Step]) -> String {
    if let Some(cause) = cause {
        let file = cause.file.rsplit('/').next().unwrap_or(&cause.file);
        let way = match cause.via.as_slice() {
            [] => String::new(),
            way => format!(" through {}", way.join(", ")),
        };
        return format!("it {}{way} ({file}:{})", cause.what, cause.line);
    }
    match witness {
        [] => "no contextual path; judged by its words and by what it reaches".to_owned(),
        [only] => format!("no known cause; what stood out is `{}`", only.text),
        [first, .., last] => format!(
            "no known cause; what stood out is the way from `{}` to `{}`",
            first.text, last.text
        ),
    }
}

/// Of the test and its cause, without lines.
pub(crate) fn fingerprint(test: &str, cause: Option<&RootCause>) -> String {
    let cause = cause.map_or_else(String::new, |it| format!("{} {}", it.kind, it.text));
    format!("{:016x}", stable_hash(format!("{test}\n{cause}").as_bytes()))
}

fn graph(extraction: &Extraction<'_>) -> Graph {
    let nodes = extraction.nodes.iter().map(|node| Node {
        text: node.text.to_string(),
        kind: match node.kind {
            NodeKind::Variable => "variable",
            NodeKind::Literal => "literal",
            NodeKind::Call => "call",
        }
        .to_owned(),
        line: node.line,
        file: node.file.map(str::to_owned),
        start: node.start,
        assert: node.assert,
    });
    let edges = extraction.edges.iter().map(|edge| Edge {
        from: edge.from,
        to: edge.to,
        operation: edge.operation.to_string(),
        kind: edge.kind.name().to_owned(),
        line: edge.line,
        cut: cut(extraction, edge),
    });
    Graph {
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

fn cut(extraction: &Extraction<'_>, edge: &EdgeView<'_>) -> Option<String> {
    match edge.cut.as_ref()? {
        CutView::Resolved { declaration, .. } => Some(extraction.cut_methods[*declaration].method.clone()),
        CutView::Type(name) => Some(name.clone()),
    }
}
