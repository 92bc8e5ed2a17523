//! Tests of the sample `tests/testng`, run with several versions of TestNG.

use std::path::{Path, PathBuf};
use std::time::Duration;

use peeler_rerun::confirmation::Confirmation;
use peeler_rerun::evidence::{Event, Outcome, Run, Stage, runs};
use peeler_rerun::jvm::jdk::Jdk;
use peeler_rerun::jvm::pool::{JvmSettings, Pool};
use peeler_rerun::jvm::process::Interrupt;
use peeler_rerun::log::Log;
use peeler_rerun::project::{Build, BuildOptions};
use tempfile::TempDir;

use crate::javac::{JUNIT4, PLATFORM, TESTNG, compile, copy, jars};
use crate::sample::{name, outcomes};

const TESTS: [(&str, Outcome); 34] = [
    ("StockTest#adds", Outcome::Passed),
    ("StockTest#losesOne", Outcome::Failed),
    ("StockTest#startsEmpty", Outcome::Passed),
    ("StockTest#isOverridden", Outcome::Passed),
    ("StockTest#isPositive", Outcome::Passed),
    ("StockTest#isSmall", Outcome::Failed),
    ("StockTest#isOdd", Outcome::Passed),
    ("StockTest#hasNoNumbers", Outcome::Skipped),
    ("StockTest#isOff", Outcome::Skipped),
    ("StockTest#isClosedToday", Outcome::Skipped),
    ("StockTest#refuses", Outcome::Passed),
    ("StockTest#acceptsEverything", Outcome::Failed),
    ("StockTest#isQuick", Outcome::Passed),
    ("StockTest#isSlow", Outcome::Failed),
    ("StockTest#worksMostly", Outcome::Passed),
    ("StockTest#sells", Outcome::Passed),
    ("StockTest#countsTheLost", Outcome::Skipped),
    ("StockTest#followsAnotherClass", Outcome::Passed),
    ("StockTest#returnsSomething", Outcome::Missing),
    ("StockTest#isNoTest", Outcome::Missing),
    ("StockTest#empty", Outcome::Missing),
    ("StockTest#noSuchTest", Outcome::Missing),
    ("WholeClassTest#isTest", Outcome::Passed),
    ("WholeClassTest#fails", Outcome::Failed),
    ("WholeClassTest#isNoTest", Outcome::Missing),
    ("WholeClassTest#cleans", Outcome::Missing),
    ("FactoryTest#isPositive", Outcome::Passed),
    ("FactoryTest#isOne", Outcome::Failed),
    ("SetUpTest$OfMethod#weighs", Outcome::Failed),
    ("SetUpTest$OfClass#stores", Outcome::Failed),
    ("SetUpTest$OfSuite#stands", Outcome::Failed),
    ("SetUpTest$CleanUp#isSwept", Outcome::Failed),
    ("SetUpTest$Skipping#isMonday", Outcome::Skipped),
    ("NoSuchTest#t", Outcome::Missing),
];

/// The archives of TestNG in this version, which `run-tests` downloads, with the libraries that it needs.
fn testng(version: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("testng");
    let downloaded = [format!("testng-{version}.jar"), "slf4j-api-1.7.36.jar".to_owned()];
    let downloaded = downloaded.map(|it| folder.join(it));
    for path in &downloaded {
        assert!(path.is_file(), "{} is missing: ./run-tests gets it", path.display());
    }
    [&downloaded[..], &jars(&TESTNG[1..])].concat()
}

/// Runs tests of the sample, compiled against `testng`, with only `libraries` beside its classes. No test may write
/// into the working folder.
fn run(testng: &[PathBuf], libraries: &[PathBuf], tests: &[&str]) -> Vec<Event> {
    let folder = TempDir::new().expect("a folder");
    let root = folder.path();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testng/src");
    copy(&sample, &root.join("src"));
    let frameworks = [testng, &jars(&PLATFORM), &jars(&JUNIT4)].concat();
    compile(root, "src", "classes", &frameworks);
    let work = root.join("work");
    std::fs::create_dir(&work).expect("a folder");
    let classpath = [&[root.join("classes")], libraries].concat();
    let project = Build::Classpath(classpath)
        .prepare(&work, &BuildOptions::default(), &Interrupt::default())
        .expect("a project");
    let settings = JvmSettings {
        maven: None,
        sandbox: None,
        options: vec![format!("-Dsample.dir={}", root.display())],
        limit: Duration::from_secs(60),
        cache: root.join("cache"),
    };
    let jdk = Jdk::find(None).expect("a JDK");
    let mut pool = Pool::new(&project, jdk, settings, Interrupt::default(), 0);
    let mut log = Log::fresh(&root.join("log.jsonl"), "code", None).expect("a log");
    let mut watch = |_: &Run| {};
    let mut confirmation = Confirmation::new(&mut pool, &mut log, None, &mut watch);
    for test in tests {
        confirmation
            .run(&name(&format!("stock.{test}")), Stage::First)
            .expect("it runs");
    }
    drop(pool);
    let written: Vec<_> = work.read_dir().expect("a folder").flatten().collect();
    assert!(written.is_empty(), "{written:?}");
    log.events().to_vec()
}

/// Checks all tests of the sample, with TestNG alone on the class path.
fn check(testng: &[PathBuf]) {
    let events = run(testng, testng, &TESTS.map(|(test, _)| test));
    for (test, outcome) in TESTS {
        let name = format!("stock.{test}");
        assert_eq!(
            outcomes(&events, &name),
            [outcome],
            "{test}: {}",
            failure(&events, &name)
        );
    }
    for (test, text) in [
        ("StockTest#isSmall", "3 is not small"),
        ("StockTest#isOff", "disabled"),
        ("StockTest#isClosedToday", "closed today"),
        ("StockTest#countsTheLost", "depends on"),
        ("SetUpTest$OfMethod#weighs", "no scales"),
        ("SetUpTest$Skipping#isMonday", "only on Mondays"),
    ] {
        let failure = failure(&events, &format!("stock.{test}"));
        assert!(failure.contains(text), "{test}: {failure}");
    }
    assert!(runs(&events).all(|run| run.jvm <= 1), "one JVM runs them all");
}

fn failure(events: &[Event], test: &str) -> String {
    let run = runs(events).find(|run| run.test == name(test)).expect("a run");
    run.failure.clone().unwrap_or_default()
}

#[test]
fn tests_of_testng_6_9_are_run() {
    check(&testng("6.9.10"));
}

#[test]
fn tests_of_debians_testng_are_run() {
    check(&jars(&TESTNG));
}

#[test]
fn tests_of_testng_6_14_are_run() {
    check(&testng("6.14.3"));
}

#[test]
fn tests_of_testng_7_are_run() {
    check(&testng("7.5.1"));
}

#[test]
fn each_framework_runs_its_own_tests_where_all_three_are_present() {
    let testng = testng("7.5.1");
    let all = [&testng[..], &jars(&PLATFORM), &jars(&JUNIT4)].concat();
    let without_platform = [&testng[..], &jars(&JUNIT4)].concat();
    for (libraries, of_junit_5) in [(&all, Outcome::Passed), (&without_platform, Outcome::Missing)] {
        let tests = [
            ("NewTest#isNew", of_junit_5),
            ("OldTest#isOld", Outcome::Passed),
            ("StockTest#adds", Outcome::Passed),
            ("StockTest#costs$5", Outcome::Passed),
            ("StockTest#losesOne", Outcome::Failed),
            ("StockTest#isOff", Outcome::Skipped),
            ("StockTest#noSuchTest", Outcome::Missing),
            ("OldTest#noSuchTest", Outcome::Missing),
            ("NewTest#noSuchTest", Outcome::Missing),
        ];
        let events = run(&testng, libraries, &tests.map(|(test, _)| test));
        for (test, outcome) in tests {
            assert_eq!(outcomes(&events, &format!("stock.{test}")), [outcome], "{test}");
        }
    }
}

#[test]
fn a_test_of_testng_that_fails_once_shows_it() {
    let testng = jars(&TESTNG);
    let events = run(&testng, &testng, &["StockTest#isFlaky", "StockTest#isFlaky"]);
    assert_eq!(
        outcomes(&events, "stock.StockTest#isFlaky"),
        [Outcome::Failed, Outcome::Passed]
    );
}
