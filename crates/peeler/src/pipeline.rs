//! From a repository to findings: every test is judged, and those that stand out are looked at once more for
//! their cause, their path and their source.
//!
//! Invariant: what a finding says about a test was read in that test or in code that it leads to; without a match in
//! the catalogue of causes the reason is the strongest path.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use peeler_analysis::{
    Analysis, Cause, CauseCatalogue, CutView, EdgeView, Extraction, Limits, NodeKind, Problem, Repository, Suppression,
};
use peeler_eval::build::{Gathered, unlabelled_corpus};
use peeler_eval::corpus::{Corpus, stable_hash};
use peeler_eval::sample::Sample;
use peeler_model::{Backend, BackendError, BodyReading, Dataset, TrainedModel, Verdict};

use crate::finding::{
    Edge, Excerpt, Finding, Given, Graph, Judge, JudgedTest, Node, Path, Region, Role, RootCause, SCHEMA, Scan, Since,
    Step, Summary, Tool,
};
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
    let mut analysis = Analysis::new(repository).with_assertions(&settings.assertions);
    let excluded = analysis.keep_tests(|it| settings.takes(it.method));
    let given = request.given.map(|files| Given {
        files: files.len(),
        others: analysis.keep_tests(|it| files.contains(it.method) || files.contains(it.class)),
    });
    let changes = request.since.map(|it| it.changes(&analysis));
    let is_wanted = |name: &str| changes.as_ref().is_none_or(|it| it.tests.contains(name));
    let (corpus, verdicts) = judged(&analysis, request, is_wanted)?;
    let threshold = request.threshold();
    let mut chosen = ranked(&corpus, &verdicts);
    chosen.retain(|(_, verdict)| verdict.probability >= threshold);
    let suppressed = leave_out_suppressed(&analysis, &mut chosen);
    chosen.truncate(request.top.unwrap_or(usize::MAX));
    let findings = findings(&analysis, settings.causes(), &chosen);

    let tests = request.all.then(|| {
        let judged = corpus.tests.iter().zip(&verdicts);
        judged
            .map(|(test, verdict)| JudgedTest {
                test: test.sample.name.clone(),
                file: test.file.clone(),
                line: test.line,
                probability: verdict.probability,
            })
            .collect()
    });
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
        summary: Summary {
            files: repository.files().len(),
            tests: corpus.tests.len(),
            findings: findings.len(),
            suppressed,
            excluded,
            given,
            since: request.since.zip(changes).map(|(past, changes)| Since {
                revision: past.revision.clone(),
                unchanged: changes.unchanged,
            }),
            milliseconds: u64::try_from(request.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..Summary::default()
        },
        findings,
        known: Vec::new(),
        tests,
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
    let (corpus, verdicts) = judged(analysis, request, |_| true)?;
    let ranked = ranked(&corpus, &verdicts);
    let Some(place) = ranked.iter().position(|(name, _)| *name == test) else {
        return Ok(None);
    };
    let settings = request.settings;
    let finding = findings(analysis, settings.causes(), &ranked[place..=place]).pop();
    Ok(finding.map(|finding| Explanation {
        excluded_by: settings.file().filter(|_| !settings.takes(&finding.file)),
        finding,
        rank: place + 1,
        tests: ranked.len(),
        threshold: request.threshold(),
        suppression: analysis.suppressions(|name| name == test).pop(),
    }))
}

/// The wanted tests of a repository with what the model says.
fn judged(
    analysis: &Analysis<'_>,
    request: Request<'_>,
    is_wanted: impl Fn(&str) -> bool + Sync,
) -> Result<(Corpus, Vec<Verdict>), BackendError> {
    let gathered = Gathered {
        path_contexts: request.model.config.body == BodyReading::Contexts,
        tokens: false,
        digests: false,
    };
    let corpus = unlabelled_corpus(analysis, gathered, Limits::default(), is_wanted);
    let samples: Vec<&Sample> = corpus.tests.iter().map(|it| &it.sample).collect();
    let dataset = Dataset::new(&samples, corpus.tables());
    let verdicts = request.model.judge(&dataset, request.backend)?;
    Ok((corpus, verdicts))
}

/// The names of all tests with their verdicts, the most probable first.
fn ranked<'c>(corpus: &'c Corpus, verdicts: &'c [Verdict]) -> Vec<(&'c str, &'c Verdict)> {
    let names = corpus.tests.iter().map(|it| it.sample.name.as_str());
    let mut ranked: Vec<(&str, &Verdict)> = names.zip(verdicts).collect();
    ranked.sort_by(|a, b| b.1.probability.total_cmp(&a.1.probability).then(a.0.cmp(b.0)));
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

/// Looks at the chosen tests, named with what the model said about them, in their order.
fn findings(analysis: &Analysis<'_>, causes: &CauseCatalogue, chosen: &[(&str, &Verdict)]) -> Vec<Finding> {
    let place = |name: &str| chosen.iter().position(|(known, _)| *known == name);
    let mut found: Vec<Option<Finding>> = vec![None; chosen.len()];
    analysis.extract(
        Limits::default(),
        |name| place(name).is_some(),
        |extraction| {
            let at = place(&extraction.case.name)?;
            Some((at, finding(analysis, causes, &extraction, chosen[at].1)))
        },
        |made| {
            if let Some((at, finding)) = made {
                // Modules may hold copies of one test; the first stands for all, as it did for the model.
                found[at].get_or_insert(finding);
            }
        },
    );
    found.into_iter().flatten().collect()
}

/// Takes away the tests about which their code asks for silence, and counts them.
fn leave_out_suppressed(analysis: &Analysis<'_>, chosen: &mut Vec<(&str, &Verdict)>) -> usize {
    let names: HashSet<&str> = chosen.iter().map(|(name, _)| *name).collect();
    let suppressions = analysis.suppressions(|name| names.contains(name));
    let silent: HashSet<&str> = suppressions.iter().map(|it| it.test.as_str()).collect();
    chosen.retain(|(name, _)| !silent.contains(name));
    silent.len()
}

fn finding(
    analysis: &Analysis<'_>,
    causes: &CauseCatalogue,
    extraction: &Extraction<'_>,
    verdict: &Verdict,
) -> Finding {
    let strongest: Vec<(usize, f32)> = verdict
        .paths
        .iter()
        .map(|(number, attention)| (*number as usize, *attention))
        .filter(|(number, _)| *number < extraction.paths.len())
        .take(STRONGEST)
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
        probability: verdict.probability,
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
fn fingerprint(test: &str, cause: Option<&RootCause>) -> String {
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
