//! CANNIER end to end on a sample that the built-in model was not trained on.
//!
//! The built-in model scores the lending library, its validation front gives the thresholds, and real JVMs run the
//! tests between them. A confirmation that may cost about half the time of running everything finds the same flaky
//! tests but one, with at most half of the runs. Its estimate is right, in runs and in time. The estimate is that of the paper,
//! from run times and failure rates of earlier runs.
//!
//! Not tested: that the flaky tests of other projects are found. This is one sample of 137 tests. The built-in model
//! ranks five of its seven flaky tests among the first six, one at place 40, and is wrong about the last
//! ([`MISJUDGED`]). The predictions for held-out projects are in the track record. A confirmation without a budget uses
//! the balanced point of its front, which is not tested here.
#![cfg(unix)]

#[path = "../crates/peeler-rerun/tests/jvm/javac.rs"]
mod javac;
mod support;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use support::{Ran, own, peeler};

/// The maximum number of runs. A test that fails every fourth time is missed once in three hundred cases. The flaky
/// tests of the sample fail about every second time, so they are nearly always found.
const RUNS: &str = "20";

/// The budget, as a share of the time of running everything. Suspected tests sleep more than others, so half of the
/// time is less than half of the runs.
const BUDGET: &str = "55%";

/// The maximum error of an estimate, as a share of the real cost.
const TOLERANCE: f64 = 0.25;

/// The flaky tests of the sample, as listed in its README.
const FLAKY: [&str; 7] = [
    "lending.AuthorIndexTest#printsAllAuthors",
    "lending.BranchesTest#nearestBranchAnswersFirst",
    "lending.DisplayTableTest#anotherBookLiesInFront",
    "lending.MemberPinTest#noDigitComesTwice",
    "lending.NewsletterTest#everyMailIsCounted",
    "lending.ReminderServiceTest#reminderIsSent",
    "lending.VisitTest#lastsAsLongAsOneStays",
];

/// The flaky test that the built-in model takes for stable, at place 92: the code under test shuffles a list, and no
/// rule reports it. A steered confirmation may leave it out.
const MISJUDGED: &str = "lending.DisplayTableTest#anotherBookLiesInFront";

/// The compiled sample, its scan, and a log of runs.
struct Library {
    folder: tempfile::TempDir,
    classpath: String,
}

impl Library {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("library");
        let classpath = javac::compiled_sample(&own("crates/peeler-rerun/tests/library"), &root);
        let library = Self { folder, classpath };
        let mut scan = peeler();
        scan.arg("scan").arg(&root);
        scan.args(["--all", "--format", "json", "--exit-zero", "-o"]);
        Ran::of(scan.arg(library.path("scan.json"))).ended(0);
        library
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Confirms tests of the scan. Evidence of earlier confirmations is discarded, except for the run times.
    fn confirm(&self, more: &[&str]) -> Confirmed {
        let mut command = peeler();
        command.arg("confirm").arg(self.path("library"));
        command.args(["--classpath", &self.classpath, "--jvm-arg=-XX:TieredStopAtLevel=1"]);
        command.arg("--unsure").arg("--from").arg(self.path("scan.json"));
        command.arg("--log").arg(self.path("log.jsonl"));
        command.args(["--fresh", "--runs", RUNS, "--format", "json"]).args(more);
        let ran = Ran::of(&mut command).ended(1);
        Confirmed {
            report: ran.json(),
            said: ran.stderr,
        }
    }
}

/// The report of a confirmation.
struct Confirmed {
    report: Value,
    said: String,
}

impl Confirmed {
    /// The tests that the report classifies as flaky, proven by runs or decided by the model.
    fn flaky(&self) -> BTreeSet<&str> {
        let tests = self.report["tests"].as_array().expect("tests").iter();
        tests
            .filter(|it| it["status"] == "flaky" || it["prediction"] == "flaky")
            .map(|it| it["test"].as_str().expect("a name"))
            .collect()
    }

    fn number(&self, of: &str, name: &str) -> f64 {
        self.report[of][name].as_f64().expect("a number")
    }

    fn runs(&self) -> f64 {
        self.number("cost", "steered_runs")
    }

    /// The error of the estimated number of runs, as a share of the real number.
    fn error_in_runs(&self) -> f64 {
        self.number("estimate", "runs") / self.runs() - 1.0
    }

    /// The error of the estimated time of all runs, as a share of the real time.
    fn error_in_time(&self) -> f64 {
        let seconds = self.number("cost", "milliseconds") / 1000.0;
        self.number("estimate", "seconds") / seconds - 1.0
    }

    fn words(&self) -> String {
        format!(
            "{} runs, foretold {:+.0}%; time foretold {:+.0}%\n{}",
            self.runs(),
            100.0 * self.error_in_runs(),
            100.0 * self.error_in_time(),
            self.said
        )
    }
}

#[test]
fn the_model_steers_to_the_verdicts_but_one_for_half_of_the_runs_at_the_price_it_foretold() {
    let library = Library::new();
    // Other programs affect the measured time. So two of at most four confirmations have to take about as long as the
    // previous runs of all tests predict.
    let (mut as_foretold, mut otherwise) = (0, Vec::new());
    while as_foretold < 2 {
        let plain = library.confirm(&["--all"]);
        let all = FLAKY.into();
        assert_eq!(plain.flaky(), all, "running everything finds what the README lists");
        let steered = library.confirm(&["--budget", BUDGET]);
        let words = steered.words();
        assert!(
            words.contains("by the model's predictions for"),
            "not its own front: {words}"
        );
        let mut found = steered.flaky();
        found.insert(MISJUDGED);
        assert_eq!(found, all, "{words}");
        assert!(
            2.0 * steered.runs() <= plain.runs(),
            "of {} runs: {words}",
            plain.runs()
        );
        assert!(steered.error_in_runs().abs() <= TOLERANCE, "{words}");
        assert_eq!(steered.report["estimate"]["assumed_times"], 0, "{words}");
        if steered.error_in_time().abs() <= TOLERANCE {
            as_foretold += 1;
        } else {
            otherwise.push(words);
        }
        assert!(otherwise.len() < 3, "{otherwise:?}");
    }
}

#[test]
fn the_sample_is_what_its_readme_says() {
    let readme = std::fs::read_to_string(own("crates/peeler-rerun/tests/library/README.md")).expect("a README");
    for test in FLAKY {
        let name = test.strip_prefix("lending.").expect("a package");
        assert!(readme.contains(&format!("`{name}`")), "{name}");
    }
    let tests = tests_below(&own("crates/peeler-rerun/tests/library/src/test"));
    assert!(
        readme.contains(&format!("{tests} tests {}", tests - FLAKY.len())),
        "{tests}"
    );
}

/// The number of test methods in the files of a folder.
fn tests_below(folder: &Path) -> usize {
    let entries = folder
        .read_dir()
        .expect("a folder")
        .map(|it| it.expect("an entry").path());
    let of = |path: std::path::PathBuf| {
        if path.is_dir() {
            return tests_below(&path);
        }
        let source = std::fs::read_to_string(path).expect("a source");
        let is_test = |line: &&str| matches!(line.trim(), "@Test" | "@ParameterizedTest");
        source.lines().filter(is_test).count()
    };
    entries.map(of).sum()
}
