//! `peeler.toml`, as a team writes it beside its Java.

mod support;

use serde_json::Value;
use support::{Project, found, own};

/// Tests in two modules that sleep, and one with an assertion that only the settings declare.
const FILES: [(&str, &str); 4] = [
    (
        "core/src/CoreTest.java",
        "package core; import org.junit.*; public class CoreTest {\n\
         @Test public void waits() throws Exception { Thread.sleep(10); Assert.assertTrue(done()); }\n\
         static boolean done() { return new Gateway().call() == 1; } }",
    ),
    (
        "core/src/CoreIT.java",
        "package core; import org.junit.*; public class CoreIT {\n\
         @Test public void waitsLonger() throws Exception { Thread.sleep(99); Assert.assertTrue(CoreTest.done()); } }",
    ),
    (
        "web/src/WebTest.java",
        "package web; import org.junit.*; public class WebTest {\n\
         @Test public void asks() { core.Checks.ensureSame(1, new core.Gateway().call()); } }",
    ),
    (
        "core/src/Gateway.java",
        "package core; public class Gateway { public int call() { return 1; } }\n\
         class Checks { static void ensureSame(Object a, Object b) {} }",
    ),
];

/// A project of the files with this `peeler.toml`.
fn project(settings: &str) -> Project {
    let project = Project::of(&FILES);
    project.write("peeler.toml", settings);
    project
}

/// The JSON of a scan with the threshold of the settings or of the model.
fn scan(project: &Project, arguments: &[&str]) -> Value {
    project
        .peeler(&[&["scan", "--format", "json", "--exit-zero"], arguments].concat())
        .ended(0)
        .json()
}

fn sorted(scan: &Value) -> Vec<&str> {
    let mut names = found(scan);
    names.sort_unstable();
    names
}

const ALL: [&str; 3] = ["core.CoreIT#waitsLonger", "core.CoreTest#waits", "web.WebTest#asks"];

#[test]
fn the_threshold_is_that_of_the_settings_unless_the_command_says_otherwise() {
    let project = project("min-probability = 0\n");
    let every = scan(&project, &[]);
    assert_eq!(sorted(&every), ALL);
    assert_eq!(every["model"]["threshold"], 0.0);
    let none = scan(&project, &["--min-probability", "1", "--ignore", "ALL"]);
    assert_eq!((found(&none).len(), &none["model"]["threshold"]), (0, &1.0.into()));
    project.write("peeler.toml", "min-probability = 1.0\n");
    assert_eq!(scan(&project, &[])["model"]["threshold"], 1.0);
    let shown = project.peeler(&["explain", ".", "--test", ALL[1]]).ended(0).stdout;
    assert!(shown.contains("reported from 100.0% on"), "{shown}");
}

#[test]
fn the_nearest_settings_count_alone() {
    let project = project("min-probability = 1.0\n");
    project.write("core/peeler.toml", "exclude = [\"*IT.java\"]\nmin-probability = 0\n");
    assert_eq!(sorted(&scan(&project, &["core"])), ["core.CoreTest#waits"]);
    assert_eq!(
        sorted(&scan(&project, &["core/src/CoreTest.java"])),
        ["core.CoreTest#waits"]
    );
    assert_eq!(scan(&project, &["web"])["model"]["threshold"], 1.0);
    assert_eq!(scan(&project, &["."])["model"]["threshold"], 1.0);
    // A folder with the name of the settings file is not a settings file.
    std::fs::create_dir_all(project.path("web/peeler.toml")).expect("a folder");
    assert_eq!(scan(&project, &["web"])["model"]["threshold"], 1.0);
}

#[test]
fn config_names_another_file_and_no_config_none() {
    let project = project("min-probability = 1.0\n");
    project.write("team/strict.toml", "min-probability = 0\nexclude = [\"/web/\"]\n");
    let strict = scan(&project, &["--config", "team/strict.toml"]);
    assert_eq!(
        sorted(&strict),
        ALL[..2],
        "globs of a file from elsewhere are relative to the scanned path"
    );
    let none = scan(&project, &["--no-config", "--min-probability", "0"]);
    assert_eq!(sorted(&none), ALL);
    assert!(scan(&project, &["--no-config"])["model"]["threshold"].as_f64() < Some(1.0));
    for command in [&["scan", "."][..], &["explain", ".", "--test", ALL[0]]] {
        let refuses = |more: &[&str], words: &[&str]| project.peeler(&[command, more].concat()).refused(words);
        refuses(
            &["--config", "nowhere.toml"],
            &[
                "cannot read the settings file nowhere.toml",
                "pass a TOML file to --config",
            ],
        );
        refuses(
            &["--config", "peeler.toml", "--no-config"],
            &["--config", "--no-config"],
        );
    }
}

#[test]
fn excluded_files_hold_no_findings_but_are_still_read() {
    let project = project("exclude = [\"*IT.java\", \"/web/\"]\n");
    let scan = project.scan(&["--all"]);
    assert_eq!(found(&scan), ["core.CoreTest#waits"]);
    assert_eq!(
        (
            &scan["summary"]["excluded"],
            &scan["summary"]["tests"],
            &scan["summary"]["files"]
        ),
        (&2.into(), &1.into(), &4.into())
    );
    assert_eq!(scan["tests"].as_array().map(Vec::len), Some(1));
    let shown = project.peeler(&["scan", "--min-probability", "0"]).ended(1).stdout;
    let line = shown.lines().last().expect("a closing line");
    assert!(
        line.starts_with("1 finding: ")
            && line.contains(" among 1 test in 4 Java files,")
            && line.ends_with("; 2 files excluded by settings"),
        "{line}"
    );
    // Calls into an excluded file are still followed.
    project.write("peeler.toml", "exclude = [\"CoreTest.java\"]\n");
    let other = &project.scan(&[])["findings"][0];
    let calls = |finding: &Value| finding["graph"].to_string().contains("core.CoreTest#done");
    assert!(other["test"] == ALL[0] && calls(other), "{other}");
}

#[test]
fn only_included_files_hold_findings_and_exclusion_wins() {
    let project = project("include = [\"core/\"]\n");
    assert_eq!(sorted(&project.scan(&[])), ALL[..2]);
    assert_eq!(
        sorted(&project.scan(&["core"])),
        ALL[..2],
        "relative to the settings, not to the path"
    );
    project.write("peeler.toml", "include = [\"core/\"]\nexclude = [\"CoreIT.java\"]\n");
    assert_eq!(found(&project.scan(&[])), ["core.CoreTest#waits"]);
    project.write("peeler.toml", "include = [\"nothing/\"]\n");
    let shown = project.peeler(&["scan"]).ended(0).stdout;
    assert!(
        shown.contains("among 0 tests in 4 Java files") && !shown.contains("no tests were found"),
        "{shown}"
    );
}

#[test]
fn an_excluded_test_is_still_explained_with_who_leaves_it_out() {
    let project = project("exclude = [\"/web/\"]\n");
    let explain = |test: &str| project.peeler(&["explain", ".", "--test", test]).ended(0).stdout;
    let shown = explain("web.WebTest#asks");
    assert!(
        shown.contains("scans do not report it: peeler.toml excludes its file"),
        "{shown}"
    );
    assert!(!explain("core.CoreTest#waits").contains("do not report it"));
}

#[test]
fn a_method_that_the_team_calls_an_assertion_is_one() {
    let project = project("");
    let paths = |scan: &Value| {
        let finding = scan["findings"].as_array().expect("findings").iter();
        let mut finding = finding.filter(|it| it["test"] == ALL[2]);
        let finding = finding.next().expect("the test");
        let nodes = finding["paths"][0]["nodes"].as_array().expect("a path");
        let last = nodes.last().and_then(Value::as_u64).expect("a node");
        let last = usize::try_from(last).expect("an index");
        finding["graph"]["nodes"][last]["text"]
            .as_str()
            .expect("text")
            .to_owned()
    };
    let before = paths(&project.scan(&[]));
    project.write(
        "peeler.toml",
        "[[assertions]]\nowner = \"core.Checks\"\nmethod = \"ensure*\"\nexpected = \"first\"\n",
    );
    let after = paths(&project.scan(&[]));
    assert_ne!(before, after);
    assert_eq!(after, "1", "the path ends in the expected value");
    let shown = project.peeler(&["explain", ".", "--test", ALL[2]]).ended(0).stdout;
    assert!(shown.contains("-[core.Checks.ensureSame"), "{shown}");
}

#[test]
fn a_cause_that_the_team_knows_reaches_the_model() {
    let project = project("");
    let probability = || {
        let scan = scan(&project, &["--all", "--no-cache"]);
        let tests = scan["tests"].as_array().expect("all tests").clone();
        let own = tests.iter().find(|it| it["test"] == ALL[2]).expect("the test");
        let kinds = own["kinds"].as_array().expect("kinds");
        // The network is a matter of the environment, which belongs to the head for timing.
        let timing = kinds
            .iter()
            .find(|it| it["kind"] == "nod")
            .expect("the head for timing");
        timing["probability"].as_f64().expect("a number")
    };
    let before = probability();
    project.write(
        "peeler.toml",
        "[[causes]]\nkind = \"network\"\nowner = \"core.Gateway\"\nmethod = \"call\"\n",
    );
    let after = probability();
    assert!(after > 1.2 * before, "{before} and {after}");
}

#[test]
fn what_is_wrong_with_settings_is_said_with_file_line_and_remedy() {
    let project = project("");
    let remedy = "--no-config ignores it";
    for (settings, words) in [
        (
            "\nmin-probabilty = 0.5\n",
            &[
                "peeler.toml:2: unknown field `min-probabilty`",
                "`min-probability`",
                remedy,
            ][..],
        ),
        (
            "min-probability = \"high\"\n",
            &["peeler.toml:1: invalid type", "high", remedy],
        ),
        (
            "\n\nmin-probability = 1.5\n",
            &["peeler.toml:3: min-probability is 1.5", "between 0 and 1"],
        ),
        (
            "min-probability = nan\n",
            &["peeler.toml:1: min-probability is NaN", "between 0 and 1"],
        ),
        (
            "exclude = \"a\"\n",
            &["peeler.toml:1: invalid type", "sequence", remedy],
        ),
        (
            "exclude = [\n  \"a\",\n  \"a[\",\n]\n",
            &[
                "peeler.toml:3: `a[` is not a valid glob for files",
                "use the syntax of .gitignore",
            ],
        ),
        (
            "include = [\"!a\"]\n",
            &["peeler.toml:1: `!a` is not a valid glob for files", "exceptions"],
        ),
        (
            "[[causes]]\nkind = \"weather\"\nowner = \"A\"\nmethod = \"b\"\n",
            &["peeler.toml:2: unknown variant `weather`", "`network`", remedy],
        ),
        (
            "[[causes]]\nkind = \"clock\"\nowner = \"A\"\n",
            &["peeler.toml:1: missing field `method`", remedy],
        ),
        (
            "\n[[assertions]]\nowner = \"shop.Checks#ensure\"\nmethod = \"ensure\"\n",
            &[
                "peeler.toml:2: `shop.Checks#ensure` is not a class name",
                "package.Class",
            ],
        ),
        (
            "[[assertions]]\nowner = \"A\"\nmethod = \"b\"\nrole = \"friend\"\n",
            &["peeler.toml:4: unknown variant `friend`", "`opener`", remedy],
        ),
        ("include = [\"a\"\n", &["peeler.toml:", remedy]),
    ] {
        project.write("peeler.toml", settings);
        project.peeler(&["scan"]).refused(words);
        project.peeler(&["explain", ".", "--test", ALL[0]]).refused(words);
        // From a subfolder, the message names the file relative to the working directory.
        project.peeler(&["scan", "core"]).refused(words);
    }
    project.write("peeler.toml", [0xff, 0xfe]);
    project
        .peeler(&["scan"])
        .refused(&["cannot read the settings file peeler.toml", "UTF-8"]);
}

#[test]
fn the_example_of_the_manual_is_accepted() {
    let manual = std::fs::read_to_string(own("docs/commands.md")).expect("a manual");
    let example = manual.split("```toml\n").nth(1).and_then(|it| it.split("```").next());
    let project = project(example.expect("an example"));
    let scan = scan(&project, &[]);
    assert_eq!(
        scan["model"]["threshold"].as_f64().map(|it| (it * 10.0).round()),
        Some(3.0)
    );
    assert_eq!(
        scan["summary"]["excluded"], 4,
        "no file of these lies where the example asks for"
    );
}

#[test]
fn what_earlier_scans_left_is_only_used_with_the_same_settings() {
    let project = project("exclude = [\"*IT.java\"]\n");
    let timeless = |more: &[&str]| {
        let arguments = [
            "scan",
            "--format",
            "json",
            "--min-probability",
            "0",
            "--cache-dir",
            "kept",
        ];
        let mut scan = project.peeler(&[&arguments, more].concat()).json();
        for differing in ["milliseconds", "reused"] {
            scan["summary"][differing] = 0.into();
        }
        scan
    };
    let cold = timeless(&[]);
    assert_eq!(sorted(&cold), ALL[1..]);
    assert_eq!(timeless(&[]), cold, "a second scan says the same");
    // A scan of no file must not leave a cache entry that a full scan would use.
    assert_eq!(found(&timeless(&["--stdin-files"])).len(), 0);
    assert_eq!(timeless(&[]), cold);
    let cause = "[[causes]]\nkind = \"network\"\nowner = \"Gateway\"\nmethod = \"call\"\n";
    project.write("peeler.toml", cause);
    let other = timeless(&[]);
    assert_eq!(sorted(&other), ALL);
    let probability = |scan: &Value| {
        let mut findings = scan["findings"].as_array().expect("findings").iter();
        let own = findings.find(|it| it["test"] == ALL[2]).expect("the test");
        own["probability"].clone()
    };
    assert_ne!(probability(&other), probability(&cold), "the model knows the cause");
    project.write("peeler.toml", "exclude = [\"*IT.java\"]\n");
    assert_eq!(timeless(&[]), cold);
    // A changed file is checked with the settings too.
    project.write("core/src/CoreIT.java", FILES[1].1.replace("99", "98"));
    assert_eq!(sorted(&timeless(&[])), ALL[1..]);
}
