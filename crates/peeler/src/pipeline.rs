//! From a repository to findings: every test is judged, and those that stand out are looked at once more
//! ([`crate::look`]) for their cause, their path and their source.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use peeler_analysis::{AnalysedTests, Analysis, FeatureReader, Limits, Problem, Repository, Suppression, TracedTest};
use peeler_learning::track_record::TrackRecord;
use peeler_model::BackendError;

use crate::finding::{Finding, Given, JudgedTest, LIKELIEST, SCHEMA, Scan, Since, Summary, Tool};
use crate::judge::Judge;
use crate::look::{Looker, mark_suppressed};
use crate::memory::{Judgement, Look, Memory};
use crate::settings::Settings;
use crate::since::Past;

/// Paths that are searched for causes and shown.
const STRONGEST: usize = 8;

/// What a scan is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'r> {
    /// What judges.
    pub(crate) judge: &'r dyn Judge,
    /// Tests from this probability on are findings; the judge's own threshold by default.
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
    /// Whether the next scan wants to know what this one found.
    pub(crate) remembers: bool,
    /// Nothing is scanned after it. What it holds then goes with the process, at once: given back piece by piece it would
    /// take a twentieth of a scan.
    pub(crate) is_last: bool,
    /// When the command began.
    pub(crate) started: Instant,
}

impl Request<'_> {
    /// Tests from this probability on are findings.
    fn threshold(&self) -> f32 {
        self.min_probability.unwrap_or(self.judge.threshold())
    }
}

/// Scans one repository. `memory` is what the last scan of it left; with the scan comes what this one leaves, where that is
/// wanted and new. What of the findings is listed is for [`crate::listing`] to say.
pub(crate) fn scan(
    root: &str,
    repository: &Repository,
    memory: Option<Memory>,
    request: Request<'_>,
) -> Result<(Scan, Option<Memory>), BackendError> {
    let settings = request.settings;
    let threshold = request.threshold();
    let mut kept = memory.and_then(|it| it.kept(repository));
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
    let looker = analysis.as_ref().map(|it| Looker::new(it, &request));
    let mut tests = kept
        .as_mut()
        .map(|it| std::mem::take(&mut it.tests))
        .unwrap_or_default();
    let reused = tests.len();
    if let Some(analysis) = &analysis {
        let known: HashSet<&str> = tests.iter().map(|it| it.test.as_str()).collect();
        let is_changed = |name: &str| changes.as_ref().is_none_or(|it| it.tests.contains(name));
        // All that are found will be looked at, and where a test is judged at once everything is still at hand.
        let at_once = request.top.is_none() && request.judge.tests_at_once() == 1;
        let looker = looker.as_ref().filter(|_| at_once);
        let fresh = judged(analysis, request, looker, |name| {
            !known.contains(name) && is_changed(name)
        })?;
        tests.extend(fresh);
    }
    tests.sort_by(|a, b| (&a.file, a.line, &a.test).cmp(&(&b.file, b.line, &b.test)));

    let mut chosen = ranked(&tests);
    let is_proven = |it: &Judgement| request.proven.contains(&it.test);
    chosen.retain(|at| tests[*at].probability >= threshold || is_proven(&tests[*at]));
    chosen.sort_by_key(|at| !is_proven(&tests[*at]));
    // Also where all of these are silenced.
    let some_reach = !chosen.is_empty();
    if let Some(analysis) = &analysis {
        mark_suppressed(analysis, &mut tests, &chosen);
    }
    let suppressed = chosen.len();
    chosen.retain(|at| !matches!(tests[*at].look, Some(Look::Suppressed)));
    let suppressed = suppressed - chosen.len();
    chosen.truncate(request.top.unwrap_or(usize::MAX));
    if let Some(looker) = &looker {
        looker.look_at_chosen(&mut tests, &chosen);
    }
    let listed = |test: &mut Judgement| {
        if request.remembers {
            test.finding()
        } else {
            test.take_finding()
        }
    };
    let findings: Vec<Finding> = chosen.iter().filter_map(|at| listed(&mut tests[*at])).collect();
    // Who asked about some tests wants to know of nothing else.
    let likeliest = if some_reach || request.since.is_some() || request.given.is_some() {
        Vec::new()
    } else {
        likeliest(analysis.as_ref().zip(looker.as_ref()), &mut tests)
    };

    let track_record = if request.all {
        request.judge.track_record()
    } else {
        TrackRecord::default()
    };
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
    let memory = analysis.as_ref().filter(|_| request.remembers).map(|analysis| {
        let known = kept.map(|it| it.faces).unwrap_or_default();
        Memory::new(repository, analysis, known, tests)
    });
    if request.is_last {
        std::mem::forget(looker);
        std::mem::forget(analysis);
    }
    let scan = Scan {
        version: SCHEMA,
        tool: Tool {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
        model: crate::finding::Judge {
            name: request.judge.name().to_owned(),
            threshold,
            track_record,
        },
        roots: vec![root.to_owned()],
        summary,
        findings,
        known: Vec::new(),
        likeliest,
        tests: listed,
        problems: repository.problems().iter().map(problem).collect(),
    };
    Ok((scan, memory))
}

/// The likeliest tests, where none reaches the threshold.
fn likeliest(looking: Option<(&Analysis<'_>, &Looker<'_, '_>)>, tests: &mut [Judgement]) -> Vec<Finding> {
    let mut first = ranked(tests);
    first.truncate(LIKELIEST);
    if let Some((analysis, looker)) = looking {
        mark_suppressed(analysis, tests, &first);
        looker.look_at_chosen(tests, &first);
    }
    first.iter().filter_map(|at| tests[*at].finding()).collect()
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
    let mut tests = judged(analysis, request, None, |_| true)?;
    let ranked = ranked(&tests);
    let Some(place) = ranked.iter().position(|at| tests[*at].test == test) else {
        return Ok(None);
    };
    let at = ranked[place];
    let settings = request.settings;
    let looker = Looker::new(analysis, &request);
    looker.look_at_chosen(&mut tests, &[at]);
    Ok(tests[at].finding().map(|finding| Explanation {
        excluded_by: settings.file().filter(|_| !settings.takes(&finding.file)),
        finding,
        rank: place + 1,
        tests: tests.len(),
        threshold: request.threshold(),
        suppression: analysis.suppressions(|name| name == test).pop(),
    }))
}

/// The wanted tests of a repository with what the judge says. Those that are found get a closer look where there is a looker.
fn judged(
    analysis: &Analysis<'_>,
    request: Request<'_>,
    looker: Option<&Looker<'_, '_>>,
    is_wanted: impl Fn(&str) -> bool + Sync,
) -> Result<Vec<Judgement>, BackendError> {
    let judge = request.judge;
    let looker = looker.map(|it| (it, request.threshold()));
    let judgements = |tests: &AnalysedTests<'_, '_>| judgements(request, tests, looker);
    let mut known: HashSet<String> = HashSet::new();
    let mut all = Ok(Vec::new());
    let mut add = |judged: Result<Vec<Judgement>, BackendError>| match (&mut all, judged) {
        // Modules may hold copies of one test; the first stands for all.
        (Ok(all), Ok(judged)) => all.extend(judged.into_iter().filter(|it| known.insert(it.test.clone()))),
        (Ok(_), Err(error)) => all = Err(error),
        (Err(_), _) => {}
    };
    let mut waiting: Option<AnalysedTests<'_, '_>> = None;
    let reader = FeatureReader::new(analysis, request.settings.causes(), judge.reads());
    reader.read_classes(
        Limits::default(),
        is_wanted,
        |class| match judge.tests_at_once() {
            1 => Class::Judged(judgements(&class)),
            _ => Class::Waiting(class),
        },
        |class| match class {
            Class::Judged(judged) => add(judged),
            Class::Waiting(class) => {
                match &mut waiting {
                    Some(waiting) => waiting.extend(class),
                    None => waiting = Some(class),
                }
                if let Some(enough) = waiting.take_if(|it| it.len() >= judge.tests_at_once()) {
                    add(judgements(&enough));
                }
            }
        },
    );
    if let Some(rest) = waiting {
        add(judgements(&rest));
    }
    all
}

/// The tests of a class on their way.
enum Class<'a, 'r> {
    Judged(Result<Vec<Judgement>, BackendError>),
    /// For more of them.
    Waiting(AnalysedTests<'a, 'r>),
}

/// What the judge says about some tests. With a looker come those from a probability on that get a closer look.
fn judgements(
    request: Request<'_>,
    tests: &AnalysedTests<'_, '_>,
    looker: Option<(&Looker<'_, '_>, f32)>,
) -> Result<Vec<Judgement>, BackendError> {
    let predictions = request.judge.predictions(tests)?;
    let judged = tests.iter().zip(predictions).map(|(test, prediction)| {
        let traced = &test.traced;
        let paths = prediction.attention.unwrap_or_else(|| unweighed(traced));
        let mut strongest: Vec<(u32, f32)> = paths.iter().map(|it| (it.0, rounded(it.1))).collect();
        strongest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        strongest.truncate(STRONGEST);
        let case = &traced.case;
        let mut judgement = Judgement {
            test: case.name.clone(),
            file: case.file.clone(),
            line: case.line,
            probability: rounded(prediction.probability),
            strongest,
            grounds: if request.remembers {
                test.reach.files()
            } else {
                Vec::new()
            },
            look: None,
        };
        if let Some((looker, _)) = looker.filter(|(_, threshold)| judgement.probability >= *threshold) {
            looker.look_at(traced, &mut judgement);
        }
        judgement
    });
    Ok(judged.collect())
}

/// All paths of a test, without attention.
fn unweighed(traced: &TracedTest<'_>) -> Vec<(u32, f32)> {
    (0..).take(traced.path_count()).map(|at| (at, 0.0)).collect()
}

/// To five places: the last digits mean nothing, and on a GPU depend on which tests were judged side by side.
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
