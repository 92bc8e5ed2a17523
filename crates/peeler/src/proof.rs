//! Attaches the results of test runs to the findings of a scan. Nothing is run here.
//!
//! ```text
//! evidence log | results of `peeler confirm` | folders of JUnit XML  ->  Evidence  ->  Finding::proof
//! ```
//!
//! Invariants: a test that runs proved flaky is listed whatever its probability. Runs without a failure never remove a
//! finding and are never called proof. Runs of different sources are added up, so no source may count twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use peeler_features::TestName;
use peeler_rerun::evidence::Event;
use peeler_rerun::summary::{self, RerunResults, RerunSummary};
use peeler_rerun::verdict::Status;
use peeler_rerun::{history, log};
use serde_json::Value;

use crate::finding::{Excerpt, Finding, FoundBy, Graph, Proof, RerunStatus, Scan, TestScore};
use crate::{fingerprint, ranking};

/// The maximum number of tests named in the note about tests that runs proved flaky but that a report does not list.
const NAMED: usize = 5;

/// The advice in error messages about a file that should contain results of test runs.
const REMEDY: &str = "pass the evidence log of `peeler confirm` (.peeler/evidence.jsonl in the project) or the output \
                      of `peeler confirm --format json`";

/// The options that name files with results of earlier test runs.
#[derive(Debug, Args)]
pub(crate) struct ProofArgs {
    /// Results of `peeler confirm` to show with the findings: its evidence log (.peeler/evidence.jsonl) or its JSON
    /// report. Tests that were proven flaky are listed first, even below the threshold
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Folder of JUnit XML reports from earlier runs of the same code, by Surefire or Gradle; can be repeated
    #[arg(long, value_name = "DIR")]
    history: Vec<PathBuf>,
}

impl ProofArgs {
    /// Reads all results of test runs that the options name. `root` is the project's folder, which commands that
    /// reproduce a failure name.
    pub(crate) fn open(&self, root: &str) -> anyhow::Result<Evidence> {
        let mut shown = BTreeMap::new();
        if let Some(path) = &self.proof {
            let results = read_proof(path, root)?;
            if results.counts_history && !self.history.is_empty() {
                bail!(
                    "{} already includes reports of earlier builds, so --history would count them twice; omit \
                     --history, or pass the evidence log instead",
                    path.display()
                );
            }
            if results.tests.is_empty() {
                eprintln!("note: {} contains no test run", path.display());
            }
            shown = results.tests;
        }
        summary::add_history(&mut shown, summary::from_history(&read_history(&self.history)?));
        Ok(Evidence::new(shown))
    }
}

impl ProofArgs {
    /// The tests that the files of `--proof` and of `--history` show to be flaky, in one set for each of the two
    /// options.
    pub(crate) fn flaky_tests(&self) -> anyhow::Result<FlakyTests> {
        let flaky = |shown: BTreeMap<TestName, RerunSummary>| -> BTreeSet<TestName> {
            let tests = shown.into_iter().filter(|(_, it)| it.status == Status::Flaky);
            tests.map(|(test, _)| test).collect()
        };
        let proof = self.proof.as_deref().map(|it| read_proof(it, ".")).transpose()?;
        Ok(FlakyTests {
            proven: proof.map(|it| flaky(it.tests)).unwrap_or_default(),
            history: flaky(summary::from_history(&read_history(&self.history)?)),
        })
    }
}

/// Tests that runs showed to be flaky: one set for `peeler confirm`, and one for earlier builds.
pub(crate) struct FlakyTests {
    /// Tests that `peeler confirm` proved flaky.
    pub(crate) proven: BTreeSet<TestName>,
    /// Tests that passed and failed in reports of earlier builds.
    pub(crate) history: BTreeSet<TestName>,
}

/// What test runs showed about each test that ran.
#[derive(Debug, Default)]
pub(crate) struct Evidence(BTreeMap<TestName, Proof>);

impl Evidence {
    fn new(shown: BTreeMap<TestName, RerunSummary>) -> Self {
        let proofs = shown.into_iter().filter_map(|(test, it)| Some((test, proof(it)?)));
        Self(proofs.collect())
    }

    /// Parses the text of an evidence log or of a JSON report of `peeler confirm`. Error messages name `path` as the
    /// file.
    pub(crate) fn from_bytes(path: &Path, text: &[u8], root: &str) -> anyhow::Result<Self> {
        Ok(Self::new(proof_from_bytes(path, text, root)?.tests))
    }

    /// The tests that runs proved flaky.
    pub(crate) fn proven(&self) -> BTreeSet<TestName> {
        let proven = self.0.iter().filter(|(_, it)| it.is_proof());
        proven.map(|(test, _)| test.clone()).collect()
    }

    /// Adds the results of test runs to the findings of a scan, and sorts tests that runs proved flaky to the front.
    pub(crate) fn attach(&self, scan: &mut Scan) {
        let mut times: BTreeMap<TestName, usize> = BTreeMap::new();
        for finding in &scan.findings {
            *times.entry(finding.test.clone()).or_default() += 1;
        }
        for finding in &mut scan.findings {
            match self.0.get(&finding.test) {
                None => {}
                Some(proof) if times[&finding.test] == 1 => finding.proof = Some(proof.clone()),
                // Run results identify a test by its name alone, so the root is unknown.
                Some(proof) => finding.proof = proof.is_proof().then(|| proof.of_one_among_several()),
            }
        }
        ranking::sort(&mut scan.findings);
    }

    /// Adds tests that runs proved flaky and that are below the threshold as findings. The scan has to list the scores
    /// of all tests (`--all`).
    pub(crate) fn add_proven(&self, scan: &mut Scan) {
        let listed: BTreeSet<&str> = scan.findings.iter().map(|it| it.test.as_str()).collect();
        let known: BTreeSet<&str> = scan.known.iter().map(|it| it.test.as_str()).collect();
        let threshold = scan.model.threshold;
        // Other unlisted tests, which a rule or the network found, are suppressed or were cut off by `--top`.
        let wanted = |it: &&TestScore| {
            let test = it.test.as_str();
            it.probability < threshold
                && it.rules.is_empty()
                && !listed.contains(test)
                && !known.contains(test)
                && self.0.get(test).is_some_and(Proof::is_proof)
        };
        let added: Vec<Finding> = scan
            .tests
            .iter()
            .flatten()
            .filter(wanted)
            .map(|it| without_details(it, "runs proved it flaky; no rule found a cause"))
            .collect();
        scan.findings.extend(added);
        scan.summary.findings = scan.findings.len();
    }

    /// Prints the names of tests that runs proved flaky and that a report does not list. `why` names the possible
    /// reasons.
    pub(crate) fn tell_unlisted(&self, scan: &Scan, why: &str) {
        let findings = scan.findings.iter().map(|it| it.test.as_str());
        let listed: BTreeSet<&str> = findings.chain(scan.known.iter().map(|it| it.test.as_str())).collect();
        let proven = self.proven();
        let unlisted: Vec<&str> = proven
            .iter()
            .map(TestName::as_str)
            .filter(|it| !listed.contains(it))
            .collect();
        let more = match unlisted.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names = unlisted.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        match unlisted.len() {
            0 => {}
            1 => eprintln!("note: 1 test that runs proved flaky is not listed; it is {why}: {names}"),
            count => {
                eprintln!("note: {count} tests that runs proved flaky are not listed; each is {why}: {names}{more}");
            }
        }
    }
}

/// Reads the runs in folders of JUnit XML reports, and prints which files could not be read.
pub(crate) fn read_history(folders: &[PathBuf]) -> anyhow::Result<Vec<Event>> {
    const PLACES: &str =
        "Surefire writes them to target/surefire-reports in each module, Gradle to build/test-results/test";
    let mut events = Vec::new();
    for folder in folders {
        let shown = folder.display();
        let read = history::read(folder).with_context(|| format!("cannot read the folder {shown}; {PLACES}"))?;
        for (file, reason) in &read.problems {
            eprintln!("skipped {}: {reason}", file.display());
        }
        if read.reports == 0 {
            bail!("{shown} contains no JUnit XML report; {PLACES}");
        }
        let reports = if read.reports == 1 { "report" } else { "reports" };
        eprintln!("read {} {reports} from {shown}", read.reports);
        events.extend(read.events);
    }
    Ok(events)
}

/// Reads an evidence log or a JSON report of `peeler confirm`, whichever the file contains.
fn read_proof(path: &Path, root: &str) -> anyhow::Result<RerunResults> {
    let shown = path.display();
    if path.is_dir() {
        bail!("{shown} is a folder; {REMEDY}, or pass a folder of JUnit XML to --history");
    }
    let text = std::fs::read(path).with_context(|| format!("cannot read {shown}; {REMEDY}"))?;
    proof_from_bytes(path, &text, root)
}

/// Parses the text of an evidence log or of a JSON report of `peeler confirm`. Error messages name `path` as the file.
fn proof_from_bytes(path: &Path, text: &[u8], root: &str) -> anyhow::Result<RerunResults> {
    let shown = path.display();
    let neither = || format!("{shown} contains no results of runs; {REMEDY}");
    match serde_json::from_slice::<Value>(text) {
        Ok(value) if value.get("findings").is_some() => {
            bail!("{shown} is the JSON of a scan, not of test runs; {REMEDY}")
        }
        Ok(value) if value.get("tests").is_some() => match value.get("version").and_then(Value::as_u64) {
            Some(version) if version != u64::from(summary::SCHEMA) => bail!(
                "{shown} has format version {version}, but this program reads version {}; run `peeler confirm` again",
                summary::SCHEMA
            ),
            _ => summary::from_results(value).with_context(neither),
        },
        _ => {
            let events = log::from_bytes(path, text).with_context(neither)?;
            if events.is_empty() {
                bail!("{shown} is empty; {REMEDY}");
            }
            Ok(RerunResults {
                tests: summary::from_log(&events, &shown.to_string(), root),
                counts_history: false,
            })
        }
    }
}

fn proof(shown: RerunSummary) -> Option<Proof> {
    let showed = match shown.status {
        Status::Flaky => RerunStatus::Flaky,
        Status::Failing => RerunStatus::OnlyFailures,
        Status::Stable => RerunStatus::NoFailure,
        Status::NotRun => return None,
    };
    Some(Proof {
        showed,
        runs: shown.runs,
        failures: shown.failures,
        how: shown.how,
        failure: shown.failure,
        command: shown.command,
    })
}

/// A finding for a test of which only position and probability are known, without graph, paths and source.
pub(crate) fn without_details(test: &TestScore, reason: &str) -> Finding {
    Finding {
        test: test.test.clone(),
        file: test.file.clone(),
        line: test.line,
        end_line: test.line,
        probability: test.probability,
        kind: None,
        kinds: Vec::new(),
        found_by: FoundBy::Neither,
        below_threshold: false,
        inherited_by: Vec::new(),
        rules: Vec::new(),
        root_cause: None,
        reason: reason.to_owned(),
        fingerprint: fingerprint::by_network(&test.test, None),
        witness: Vec::new(),
        paths: Vec::new(),
        graph: Graph::default(),
        source: Excerpt {
            file: test.file.clone(),
            first_line: test.line,
            lines: Vec::new(),
        },
        neighbours: Vec::new(),
        proof: None,
    }
}

impl Proof {
    /// This proof with a note that several scanned folders have a test of this name, so it is not known which one ran.
    fn of_one_among_several(&self) -> Self {
        let how = self.how.as_deref().map_or_else(String::new, |it| format!("{it}; "));
        let how = format!("{how}several roots have a test of this name, and it is not known which of them ran");
        Self {
            how: Some(how),
            ..self.clone()
        }
    }

    /// The counts of a test's runs in words: `failed 7 of 100 runs` or `no failure in 100 runs`.
    pub(crate) fn counts(&self) -> String {
        let (runs, failures) = (self.runs, self.failures);
        match (failures, runs) {
            (0, 1) => "no failure in 1 run".to_owned(),
            (0, _) => format!("no failure in {runs} runs"),
            (1, 1) => "failed its only run".to_owned(),
            _ if failures == runs => format!("failed all {runs} runs"),
            _ => format!("failed {failures} of {runs} runs"),
        }
    }

    /// The counts of a test's runs and their meaning: `no failure in 100 runs, which does not rule it out`. Parts may
    /// come from the repository and have to be escaped.
    pub(crate) fn words(&self) -> String {
        let counts = self.counts();
        match (self.showed, &self.how) {
            (RerunStatus::Flaky, Some(how)) => format!("{counts}; {how}"),
            (RerunStatus::Flaky, None) => counts,
            (RerunStatus::OnlyFailures, _) => format!("{counts}, so it may be broken rather than flaky"),
            (RerunStatus::NoFailure, _) => format!("{counts}, which does not rule it out"),
        }
    }

    /// The counts of a test's runs and their meaning, as a clause with a subject: `it failed 7 of 100 runs`.
    pub(crate) fn clause(&self) -> String {
        let verb = if self.failures == 0 { "there was" } else { "it" };
        format!("{verb} {}", self.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::formats::made;

    fn seen(showed: RerunStatus, failures: u32, runs: u32) -> Proof {
        Proof {
            showed,
            runs,
            failures,
            how: None,
            failure: None,
            command: None,
        }
    }

    #[test]
    fn words_never_turn_passes_into_a_proof() {
        let words = |showed, failures, runs| seen(showed, failures, runs).words();
        assert_eq!(words(RerunStatus::Flaky, 7, 100), "failed 7 of 100 runs");
        assert_eq!(
            words(RerunStatus::NoFailure, 0, 100),
            "no failure in 100 runs, which does not rule it out"
        );
        assert_eq!(
            words(RerunStatus::NoFailure, 0, 1),
            "no failure in 1 run, which does not rule it out"
        );
        assert_eq!(
            words(RerunStatus::OnlyFailures, 1, 1),
            "failed its only run, so it may be broken rather than flaky"
        );
    }

    #[test]
    fn proven_tests_come_first_and_passes_change_no_place() {
        let mut scan = made::scan();
        let names: Vec<TestName> = scan.findings.iter().map(|it| it.test.clone()).collect();
        scan.findings[0].proof = None;
        let evidence = |showed, failures| Evidence([(names[1].clone(), seen(showed, failures, 9))].into());
        evidence(RerunStatus::NoFailure, 0).attach(&mut scan);
        assert_eq!(scan.findings[0].test, names[0]);
        evidence(RerunStatus::Flaky, 1).attach(&mut scan);
        assert_eq!(scan.findings[0].test, names[1]);
        assert!(scan.findings[0].is_proven() && !scan.findings[1].is_proven());
    }

    #[test]
    fn a_proof_of_one_of_two_tests_of_the_same_name_says_that_it_may_be_the_other() {
        let mut scan = made::scan();
        let mut copy = scan.findings[1].clone();
        copy.file = "other/BasketTest.java".to_owned();
        scan.findings.push(copy);
        let evidence = |showed, failures| Evidence([(scan.findings[1].test.clone(), seen(showed, failures, 9))].into());
        let mut attached = scan.clone();
        evidence(RerunStatus::Flaky, 1).attach(&mut attached);
        let how = attached
            .findings
            .iter()
            .filter_map(|it| it.proof.as_ref()?.how.as_deref());
        assert_eq!(
            how.filter(|it| it.contains("it is not known which of them ran"))
                .count(),
            2
        );
        let mut attached = scan.clone();
        evidence(RerunStatus::NoFailure, 0).attach(&mut attached);
        assert_eq!(
            attached.findings.iter().filter(|it| it.proof.is_some()).count(),
            1,
            "that of the other test"
        );
    }

    #[test]
    fn failures_alone_prove_nothing_whatever_they_did_not_load() {
        let intersect = seen(RerunStatus::Flaky, 3, 3);
        assert!(!intersect.is_proof() && seen(RerunStatus::Flaky, 1, 3).is_proof());
        let evidence = Evidence([(TestName::new("a.T", "t"), intersect)].into());
        assert_eq!(evidence.proven().len(), 0);
    }

    #[test]
    fn a_test_that_the_scan_was_silent_about_stays_unlisted() {
        let mut scan = made::scan();
        let judged = |test: &str, probability| TestScore {
            test: TestName::new("a.T", test),
            file: "T.java".to_owned(),
            line: 3,
            probability,
            kinds: Vec::new(),
            rules: Vec::new(),
        };
        scan.tests = Some(vec![judged("below", 0.1), judged("silenced", 0.9)]);
        let tests =
            ["below", "silenced", "unknown"].map(|it| (TestName::new("a.T", it), seen(RerunStatus::Flaky, 1, 2)));
        let evidence = Evidence(tests.into());
        evidence.add_proven(&mut scan);
        evidence.attach(&mut scan);
        assert_eq!(scan.summary.findings, 3);
        let added = scan
            .findings
            .iter()
            .find(|it| it.file == "T.java")
            .expect("it is listed");
        assert_eq!(added.test, "a.T#below");
        assert!(added.is_unsuspected(scan.model.threshold));
    }
}
