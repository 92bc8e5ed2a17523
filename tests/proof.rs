//! Tests of proof in scans and reports: results of runs are shown with the findings.
//!
//! Most evidence here is synthetic; the last test makes real evidence with a real JVM.

#[cfg(unix)]
#[path = "../crates/peeler-rerun/tests/jvm/javac.rs"]
mod javac;
mod support;

use serde_json::{Value, json};

use support::{Project, Ran, found};

/// The source of a test that sleeps and one without a cause.
const SOURCE: &str = "package shop; import org.junit.*; public class MadeTest {\n\
                      @Test public void waits() throws Exception { Thread.sleep(10); Assert.assertTrue(done()); }\n\
                      @Test public void adds() { Assert.assertEquals(2, 1 + 1); }\n\
                      static boolean done() { return true; } }";
const WAITS: &str = "shop.MadeTest#waits";
const ADDS: &str = "shop.MadeTest#adds";

/// A folder with these tests, which no rule finds.
fn project() -> Project {
    let project = Project::java(SOURCE);
    project.write("peeler.toml", "[rules]\nignore = [\"ALL\"]\n");
    project
}

/// An evidence log with these outcomes: `p` passed, `f` failed.
fn log(runs: &[(&str, &str)]) -> String {
    let mut lines = vec![json!({"event": "session", "format": 1, "code": "c0de"})];
    for (test, outcomes) in runs {
        lines.extend(outcomes.chars().map(|it| {
            let mut run = json!({"event": "run", "test": test, "stage": "repeat", "jvm": 1, "milliseconds": 2});
            run["outcome"] = json!(if it == 'p' { "passed" } else { "failed" });
            if it == 'f' {
                run["failure"] = json!("java.lang.AssertionError: too late\n\tat shop.MadeTest");
            }
            run
        }));
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

/// A JUnit XML report with one test case.
fn xml(method: &str, inside: &str) -> String {
    format!("<testsuite><testcase name=\"{method}\" classname=\"shop.MadeTest\">{inside}</testcase></testsuite>")
}

/// The finding of a test.
fn finding<'a>(scan: &'a Value, test: &str) -> &'a Value {
    let findings = scan["findings"].as_array().expect("findings");
    findings.iter().find(|it| it["test"] == test).unwrap_or(&Value::Null)
}

#[test]
fn what_a_log_shows_stands_beside_the_findings_and_what_is_proven_comes_first() {
    let project = project();
    project.write("log.jsonl", log(&[(WAITS, "pppp"), (ADDS, "ppfp")]));
    let scan = project.scan(&["--proof", "log.jsonl"]);
    assert_eq!(found(&scan), [ADDS, WAITS]);
    assert_eq!(
        finding(&scan, ADDS)["proof"],
        json!({
            "showed": "flaky",
            "runs": 4,
            "failures": 1,
            "how": "it changes under the same conditions",
            "failure": "java.lang.AssertionError: too late",
            "command": format!("peeler confirm . --replay log.jsonl --test '{ADDS}'"),
        })
    );
    assert_eq!(
        finding(&scan, WAITS)["proof"],
        json!({"showed": "no-failure", "runs": 4, "failures": 0})
    );
    let text = project.peeler(&["scan", "--min-probability", "0", "--proof", "log.jsonl"]);
    let text = text.ended(1).stdout;
    for expected in [
        "       proven by runs: failed 1 of 4 runs; it changes under the same conditions\n",
        "       runs: no failure in 4 runs, which does not rule it out\n",
        "warning: shop.MadeTest#adds is flaky (",
        "warning: shop.MadeTest#waits may be flaky (",
        "= help: see it fail again: peeler confirm . --replay log.jsonl --test 'shop.MadeTest#adds'",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_proven_test_below_the_threshold_is_listed_and_says_so_in_every_format() {
    let project = project();
    project.write("log.jsonl", log(&[(ADDS, "pf"), (WAITS, "pppp")]));
    let scan = |format: &str| {
        let arguments = [
            "scan",
            "--min-probability",
            "1",
            "--proof",
            "log.jsonl",
            "--format",
            format,
        ];
        project.peeler(&arguments).ended(1)
    };
    let json = scan("json").json();
    assert_eq!(found(&json), [ADDS], "runs without a failure list nothing");
    let listed = finding(&json, ADDS);
    assert!(listed["probability"].as_f64().is_some_and(|it| it < 1.0), "{listed}");
    assert!(
        !listed["source"]["lines"].as_array().expect("lines").is_empty(),
        "it is looked at like any other"
    );
    assert_eq!(json["summary"]["findings"], 1);
    let text = scan("text").stdout;
    assert!(
        text.contains("below the threshold, but proven by runs: failed 1 of 2 runs"),
        "{text}"
    );
    assert!(text.contains("1 finding: 1 by runs alone among 2 tests"), "{text}");
    for format in ["sarif", "junit", "github", "gitlab"] {
        let said = scan(format).stdout;
        let expected = "below the threshold, but proven by runs; it failed 1 of 2 runs";
        assert!(said.contains(expected), "{format}: {said}");
    }
    let sarif = scan("sarif").json();
    assert_eq!(sarif["runs"][0]["results"][0]["properties"]["proof"]["failures"], 1);
    let markdown = scan("markdown").stdout;
    assert!(
        markdown.contains("Of these, 1 only because runs proved them flaky."),
        "{markdown}"
    );
    assert!(scan("html").stdout.contains("\"showed\":\"flaky\""));
    assert!(scan("jsonl").stdout.contains("\"showed\":\"flaky\""));
}

#[test]
fn top_and_baseline_and_silence_hold_for_proven_tests_too() {
    let project = project();
    project.write("log.jsonl", log(&[(ADDS, "pf")]));
    let first = project.scan(&["--proof", "log.jsonl", "--top", "1"]);
    assert_eq!(found(&first), [ADDS], "proof goes before probability");
    let known = [
        "scan",
        "--min-probability",
        "1",
        "--proof",
        "log.jsonl",
        "--write-baseline",
        "known.json",
    ];
    project.peeler(&known).ended(0);
    let known = [
        "scan",
        "--min-probability",
        "1",
        "--proof",
        "log.jsonl",
        "--baseline",
        "known.json",
    ];
    let silent = project.peeler(&known).ended(0);
    assert!(silent.stdout.contains("1 known to the baseline"), "{silent:?}");
    assert!(!silent.stderr.contains("not listed"), "{silent:?}");

    project.write(
        "MadeTest.java",
        SOURCE.replace(
            "@Test public void adds",
            "@SuppressWarnings(\"peeler\") @Test public void adds",
        ),
    );
    let suppressed = project
        .peeler(&["scan", "--min-probability", "1", "--proof", "log.jsonl"])
        .ended(0);
    assert!(
        suppressed
            .stderr
            .contains("1 test that runs proved flaky is not listed")
            && suppressed.stderr.contains(ADDS),
        "{suppressed:?}"
    );
}

#[test]
fn a_scan_from_the_cache_lists_proven_tests_like_a_fresh_one() {
    let project = project();
    project.write("log.jsonl", log(&[(ADDS, "pf")]));
    let scan = |more: &[&str]| {
        let arguments = [
            "scan",
            "--format",
            "json",
            "--min-probability",
            "1",
            "--cache-dir",
            "cache",
        ];
        let mut scan = project.peeler(&[&arguments, more].concat()).json();
        scan["summary"]["milliseconds"] = json!(0);
        scan
    };
    assert_eq!(found(&scan(&[])), [""; 0]);
    let after_nothing = scan(&["--proof", "log.jsonl"]);
    assert_eq!(found(&after_nothing), [ADDS]);
    assert_eq!(scan(&["--proof", "log.jsonl"]), after_nothing);
    assert_eq!(found(&scan(&[])), [""; 0], "proof is not remembered as a finding");
}

#[test]
fn reports_of_builds_are_evidence_for_scans() {
    let project = project();
    project.write("ci/1/TEST-a.xml", xml("adds", "<flakyFailure>late</flakyFailure>"));
    project.write("ci/1/TEST-b.xml", xml("waits", ""));
    project.write("ci/2/TEST-b.xml", xml("waits", ""));
    project.write("ci/2/TEST-half.xml", "<testsuite>");
    let ran = project
        .peeler(&["scan", "--format", "json", "--min-probability", "1", "--history", "ci"])
        .ended(1);
    assert!(
        ran.stderr.contains("read 3 reports from ci") && ran.stderr.contains("TEST-half.xml"),
        "{ran:?}"
    );
    let scan = ran.json();
    assert_eq!(found(&scan), [ADDS]);
    let proof = &finding(&scan, ADDS)["proof"];
    assert_eq!(
        (&proof["runs"], &proof["failures"], &proof["command"]),
        (&json!(2), &json!(1), &json!(null))
    );
    assert!(
        proof["how"]
            .as_str()
            .is_some_and(|it| it.contains("taken to be of the same code")),
        "{proof}"
    );
    // Runs of both sources are added up.
    project.write("log.jsonl", log(&[(WAITS, "ppp")]));
    let both = project.scan(&["--history", "ci", "--proof", "log.jsonl"]);
    assert_eq!(finding(&both, WAITS)["proof"]["runs"], 5);
}

#[test]
fn a_scan_of_yesterday_gets_the_proof_of_today() {
    let project = project();
    project
        .peeler(&[
            "scan",
            "--format",
            "json",
            "--all",
            "--min-probability",
            "1",
            "-o",
            "scan.json",
        ])
        .ended(0);
    project.write("log.jsonl", log(&[(ADDS, "ppf"), ("gone.Test#t", "pf")]));
    let report = |more: &[&str]| {
        let arguments = ["report", "scan.json", "--proof", "log.jsonl", "--out"];
        project.peeler(&[&arguments, more].concat()).ended(0)
    };
    let ran = report(&["drafts"]);
    assert!(
        ran.stderr.contains("gone.Test#t") && ran.stderr.contains("peeler scan --all"),
        "{ran:?}"
    );
    let draft = project.read("drafts/001-made-test-adds.md");
    for expected in [
        "# Test is flaky: MadeTest#adds failed 1 of 3 runs\n",
        "did not suspect it: it puts the probability at",
        "The first failure: `java.lang.AssertionError: too late`",
        "peeler confirm . --replay log.jsonl --test 'shop.MadeTest#adds'\n",
    ] {
        assert!(draft.contains(expected), "{expected}: {draft}");
    }
    for format in ["text", "json", "sarif", "junit", "github", "gitlab", "html"] {
        report(&["out", "--format", format]);
        assert!(project.read("out").contains("no rule found a cause"), "{format}");
    }
    report(&["out.json", "--format", "json"]);
    let again = ["report", "out.json", "--format", "text", "--out", "out.txt"];
    project.peeler(&again).ended(0);
    assert!(
        project.read("out.txt").contains("proven by runs: failed 1 of 3 runs"),
        "proof stays in the JSON of a report"
    );
}

#[test]
fn what_tells_of_no_runs_is_refused_with_its_path_and_a_remedy() {
    let project = project();
    project.write("notes.txt", "not a log\n");
    project.write("empty.jsonl", "");
    project.write("object.json", "{\"tests\": 3}");
    project.write("future.json", "{\"version\": 9, \"tests\": []}");
    project.write("folder/pom.xml", "<project/>");
    project
        .peeler(&["scan", "--format", "json", "--exit-zero", "-o", "scan.json"])
        .ended(0);
    let refused = |arguments: &[&str], words: &[&str]| {
        project.peeler(&[&["scan"], arguments].concat()).refused(words);
        let report = ["report", "scan.json", "--format", "text", "--out", "out.txt"];
        project.peeler(&[&report, arguments].concat()).refused(words);
    };
    let remedy = ".peeler/evidence.jsonl";
    refused(&["--proof", "nowhere.jsonl"], &["cannot read nowhere.jsonl", remedy]);
    refused(
        &["--proof", "notes.txt"],
        &["notes.txt contains no results of runs", remedy],
    );
    refused(&["--proof", "empty.jsonl"], &["empty.jsonl is empty", remedy]);
    refused(
        &["--proof", "object.json"],
        &["object.json contains no results of runs", remedy],
    );
    refused(
        &["--proof", "future.json"],
        &["future.json has format version 9", "`peeler confirm` again"],
    );
    refused(&["--proof", "scan.json"], &["scan.json is the JSON of a scan", remedy]);
    refused(&["--proof", "folder"], &["folder is a folder", "--history"]);
    refused(
        &["--history", "nowhere"],
        &["cannot read the folder nowhere", "surefire-reports"],
    );
    refused(
        &["--history", "folder"],
        &["folder contains no JUnit XML report", "build/test-results"],
    );
    assert!(!project.path("out.txt").exists());
}

#[test]
fn results_that_count_reports_of_builds_are_not_counted_twice() {
    let project = project();
    let results = json!({"version": 1, "log": "log.jsonl", "tests": [{
        "test": ADDS, "status": "flaky", "runs": 2, "failures": 1, "sentence": "failed 1 of 2 runs",
        "shown_by": "history", "depends_on": {"on": "chance"},
        "stages": [{"stage": "history", "runs": 2, "failures": 1}],
    }]});
    project.write("results.json", results.to_string());
    project.write("ci/TEST-a.xml", xml("adds", ""));
    let scan = project.scan(&["--proof", "results.json"]);
    assert_eq!(finding(&scan, ADDS)["proof"]["runs"], 2);
    project
        .peeler(&["scan", "--proof", "results.json", "--history", "ci"])
        .refused(&[
            "results.json already includes reports of earlier builds",
            "evidence log",
        ]);
}

/// A compiled class of the sample shop that needs only JUnit 4, and its class path.
#[cfg(unix)]
fn ledger() -> (Project, String) {
    let project = Project::empty();
    let jars = std::env::join_paths(javac::jars(&javac::JUNIT4)).expect("a class path");
    let jars = jars.into_string().expect("a class path in UTF-8");
    let mut javac = std::process::Command::new("javac");
    javac.args(["-cp", &jars, "-d"]).arg(project.path("classes"));
    for file in ["shop/Chance.java", "shop/legacy/LedgerTest.java"] {
        let source = support::own("crates/peeler-rerun/tests/project/src/test/java").join(file);
        project.write(file, std::fs::read(source).expect("the sample"));
        javac.arg(project.path(file));
    }
    Ran::of(&mut javac).ended(0);
    (project, format!("classes:{jars}"))
}

#[cfg(unix)]
#[test]
fn what_a_confirmation_proves_reaches_scans_and_reports() {
    let (project, classpath) = ledger();
    let [flaky, failing, passing] =
        ["closesInTime", "neverCloses", "balances"].map(|it| format!("shop.legacy.LedgerTest#{it}"));
    let folder = format!("--jvm-arg=-Dsample.dir={}", project.path("").display());
    let confirm = ["confirm", ".", "--classpath", &classpath, &folder, "--runs", "4"];
    let results = ["--format", "json", "-o", "results.json"];
    project.peeler(&[&confirm[..], &results].concat()).ended(1);

    let mut commands = Vec::new();
    for proof in ["./.peeler/evidence.jsonl", "results.json"] {
        let scan = project.scan(&["--proof", proof]);
        assert_eq!(found(&scan)[0], flaky, "{proof}");
        let counts = |test: &str| {
            let proof = &finding(&scan, test)["proof"];
            let showed = proof["showed"].as_str().expect("a word").to_owned();
            (showed, proof["runs"] == proof["failures"], proof["failures"] == 0)
        };
        assert_eq!(counts(&flaky), ("flaky".to_owned(), false, false), "{proof}");
        assert_eq!(counts(&failing), ("only-failures".to_owned(), true, false), "{proof}");
        assert_eq!(counts(&passing), ("no-failure".to_owned(), false, true), "{proof}");
        let command = finding(&scan, &flaky)["proof"]["command"].as_str().expect("a command");
        commands.push(command.to_owned());
    }
    assert_eq!(commands[0], commands[1], "the log knows how the tests were run");

    let whole = [
        "scan",
        "--format",
        "json",
        "--all",
        "--min-probability",
        "1",
        "-o",
        "scan.json",
    ];
    project.peeler(&whole).ended(0);
    let drafts = [
        "report",
        "scan.json",
        "--proof",
        "./.peeler/evidence.jsonl",
        "--out",
        "drafts",
    ];
    project.peeler(&drafts).ended(0);
    let draft = project.read("drafts/001-ledger-test-closes-in-time.md");
    assert!(
        draft.starts_with("# Test is flaky: LedgerTest#closesInTime failed 1 of "),
        "{draft}"
    );
    assert!(draft.contains(&commands[0]), "{draft}");

    // The command is run as by a shell. `Chance` starts again.
    std::fs::remove_file(project.path("ledger.runs")).expect("a counter");
    let again = Ran::of(support::shell(&commands[0]).current_dir(project.path(""))).ended(1);
    assert!(again.stdout.contains("failed again"), "{again:?}");
}
