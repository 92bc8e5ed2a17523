//! Tests of `peeler tune` on git histories that are made for one test.

mod support;

use git2::Repository;
use serde_json::Value;
use support::Project;

/// The time of the first commit of a made history, in seconds since 1970.
const START: i64 = 1_500_000_000;
/// Thirty days in seconds.
const MONTH: i64 = 30 * 86_400;

/// Commits all files of a project `months` after the start of its history.
fn commit(repository: &Repository, message: &str, months: i64) {
    support::commit_java(repository, message, START + months * MONTH);
}

fn path(name: &str) -> String {
    format!("src/test/java/shop/{name}.java")
}

/// A test class with one test. Flaky ones talk to a broker, stable ones add numbers.
fn class(name: &str, body: &str) -> String {
    format!(
        "package shop;\nimport org.junit.Test;\npublic class {name} {{\n    @Test public void works() {{\n{body}    }}\n}}\n"
    )
}

fn flaky(number: usize) -> String {
    format!(
        "        Broker broker = new Broker({number});\n        broker.publish(\"a\");\n        assertEquals(1, broker.received());\n"
    )
}

fn stable(number: usize) -> String {
    format!(
        "        Sum sum = new Sum({number});\n        sum.add({number});\n        assertEquals({number}, sum.total());\n"
    )
}

/// A project with 60 stable tests and `count` flaky ones, of which every month one is fixed. The last ones stay.
fn project(count: usize, fixed: usize) -> Project {
    let project = Project::empty();
    let repository = Repository::init(project.path("")).expect("a repository");
    for number in 0..60 {
        let name = format!("Sum{number}Test");
        project.write(&path(&name), class(&name, &stable(number)));
    }
    for number in 0..count {
        let name = format!("Broker{number}Test");
        project.write(&path(&name), class(&name, &flaky(number)));
    }
    commit(&repository, "start", 0);
    for number in 0..fixed {
        let name = format!("Broker{number}Test");
        let body = format!("{}        Awaitility.await();\n", flaky(number));
        project.write(&path(&name), class(&name, &body));
        let months = i64::try_from(number).expect("a small number") + 1;
        commit(&repository, &format!("Fix flaky {name}"), months);
    }
    project
}

fn tuned_bytes(project: &Project) -> Vec<u8> {
    std::fs::read(project.path(".peeler/tuned")).expect("a file")
}

#[test]
fn a_tuned_scan_names_its_tuning_and_ranks_what_resembles_the_past_first() {
    let project = project(26, 24);
    let ran = project.peeler(&["tune"]).ended(0);
    assert!(
        ran.stdout
            .starts_with("tuned by 24 tests of this repository; on its own past (9 labels before "),
        "{}",
        ran.stdout
    );
    let first = tuned_bytes(&project);
    project.peeler(&["tune"]).ended(0);
    assert!(first == tuned_bytes(&project), "two runs give the same bytes");

    let scan = |more: &[&str]| -> Value {
        let all = [
            &["scan", "--all", "--exit-zero", "--format", "json", "--no-cache"],
            more,
        ]
        .concat();
        serde_json::from_str(&project.peeler(&all).ended(0).stdout).expect("JSON")
    };
    let tuned = scan(&[]);
    assert_eq!(tuned["model"]["tuned"]["tests"], 24);
    assert!(tuned["model"]["tuned"]["estimate"]["average_precision"].as_f64() > Some(0.5));
    let mut ranked: Vec<(f64, &str)> = tuned["tests"]
        .as_array()
        .expect("all tests")
        .iter()
        .filter(|it| !it["test"].as_str().is_some_and(|it| it.contains("Sum")))
        .filter_map(|it| Some((it["probability"].as_f64()?, it["test"].as_str()?)))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let stable = tuned["tests"].as_array().expect("all tests").iter();
    let stable = stable.filter(|it| it["test"].as_str().is_some_and(|it| it.contains("Sum")));
    let highest = stable.filter_map(|it| it["probability"].as_f64()).fold(0.0, f64::max);
    for unseen in ["shop.Broker24Test#works", "shop.Broker25Test#works"] {
        let found = ranked.iter().find(|(_, test)| *test == unseen).expect("a test");
        assert!(found.0 >= highest, "{unseen}: {} below {highest}", found.0);
    }
    assert_eq!(scan(&["--no-tuned"])["model"].get("tuned"), None);
    let text = project.peeler(&["scan", "--exit-zero", "--no-cache"]).ended(0).stdout;
    assert!(text.contains("tuned by 24 tests of this repository"), "{text}");
    let page = project
        .peeler(&["scan", "--exit-zero", "--no-cache", "--format", "html"])
        .ended(0)
        .stdout;
    assert!(page.contains("\"tuned\":{\"tests\":24"), "the page contains the tuning");
}

#[test]
fn too_few_labels_are_refused_and_nothing_is_written() {
    let project = project(7, 7);
    let ran = project.peeler(&["tune"]).ended(2);
    assert!(
        ran.stderr
            .contains("only 7 of the tests of . are known to have been flaky, and tuning needs 8; `peeler mine` lists"),
        "{}",
        ran.stderr
    );
    assert!(!project.path(".peeler").exists());
}

#[test]
fn a_scan_can_tune_first() {
    let project = project(9, 9);
    let text = project
        .peeler(&["scan", "--tune", "--exit-zero", "--no-cache"])
        .ended(0)
        .stdout;
    assert!(
        text.contains("tuned by 9 tests of this repository; its past is too short"),
        "{text}"
    );
}

#[test]
fn a_damaged_file_is_refused_with_a_remedy() {
    let project = project(9, 9);
    project.peeler(&["tune"]).ended(0);
    let mut bytes = tuned_bytes(&project);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(project.path(".peeler/tuned"), &bytes).expect("a file");
    let ran = project.peeler(&["scan"]).ended(2);
    for words in [".peeler/tuned cannot be used: it is damaged", "run `peeler tune` again"] {
        assert!(ran.stderr.contains(words), "{words}\n{}", ran.stderr);
    }
    std::fs::write(project.path(".peeler/tuned"), "something else").expect("a file");
    let ran = project.peeler(&["scan"]).ended(2);
    assert!(
        ran.stderr.contains("no file of this version of `peeler tune`"),
        "{}",
        ran.stderr
    );
    project.peeler(&["scan", "--no-tuned", "--exit-zero"]).ended(0);
}

#[test]
fn folders_without_a_history_have_clear_messages() {
    let none = Project::empty();
    none.write(&path("SumTest"), class("SumTest", &stable(1)));
    let ran = none.peeler(&["tune"]).ended(2);
    assert!(
        ran.stderr.contains("is not in a git repository, so it has no history"),
        "{}",
        ran.stderr
    );
    Repository::init(none.path("")).expect("a repository");
    let ran = none.peeler(&["tune"]).ended(2);
    assert!(ran.stderr.contains("has no commit yet"), "{}", ran.stderr);
}

#[test]
fn a_shallow_clone_says_how_to_get_the_rest() {
    let project = project(7, 7);
    let head = Repository::open(project.path("")).expect("a repository");
    let head = head.head().expect("a head").peel_to_commit().expect("a commit").id();
    std::fs::write(project.path(".git/shallow"), format!("{head}\n")).expect("a file");
    let ran = project.peeler(&["tune"]).ended(2);
    assert!(
        ran.stderr.contains("The clone is shallow: `git fetch --unshallow`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_corpus_of_snapshots_is_labelled_by_later_commits() {
    let project = project(26, 24);
    let build = [
        "corpus",
        "build",
        "--layout",
        "mined",
        "--sources",
        ".",
        "-o",
        "mined.corpus",
    ];
    let ran = project.peeler(&build).ended(0);
    assert!(ran.stderr.contains("of 1 projects"), "{}", ran.stderr);
    let first = std::fs::read(project.path("mined.corpus")).expect("a corpus");
    project.peeler(&build).ended(0);
    assert!(
        first == std::fs::read(project.path("mined.corpus")).expect("a corpus"),
        "two runs give the same bytes"
    );
    let tests = project.peeler(&["corpus", "export", "mined.corpus"]).ended(0).stdout;
    let tests: Vec<Value> = tests
        .lines()
        .map(|it| serde_json::from_str(it).expect("JSON"))
        .collect();
    let flaky: Vec<&Value> = tests.iter().filter(|it| it["label"] == "flaky").collect();
    assert!(flaky.len() >= 5 && flaky.iter().all(|it| it["category"] == "NOD"));
    // Before the snapshot `Broker0Test` was fixed, so that nothing is known about it. Stable tests are never siblings.
    assert!(tests.iter().all(|it| it["test"] != "shop.Broker0Test#works"));
    for test in &tests {
        let is_broker = test["test"].as_str().is_some_and(|it| it.contains("Broker"));
        assert!(
            test["label"] == "flaky" || !is_broker || test["test"].as_str() >= Some("shop.Broker24Test"),
            "{test}"
        );
        assert!(
            !test["tokens"].to_string().contains("Awaitility"),
            "a flaky test is as it was before its fix"
        );
    }
    std::fs::write(project.path("keep-out.txt"), name(&project)).expect("a file");
    let refused = [&build[..], &["--keep-out", "keep-out.txt"]].concat();
    let ran = project.peeler(&refused).ended(2);
    assert!(
        ran.stderr.contains("is left out, because keep-out.txt names it"),
        "{}",
        ran.stderr
    );
}

/// The name under which commands that read many clones know a project.
fn name(project: &Project) -> String {
    let folder = project.path("").canonicalize().expect("a folder");
    folder.file_name().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn a_split_in_time_compares_the_tuned_model_with_rivals() {
    let project = project(40, 36);
    let here = project.path("").canonicalize().expect("a folder");
    let here = here.to_str().expect("a plain path");
    let ran = project
        .peeler(&["eval", "--split", "time", "--clones", here, "--json", "splits.json"])
        .ended(0);
    for row in [
        "1 repositories",
        "untuned",
        "length",
        "class rate 8",
        "vocabulary all",
        "tuned 20",
        "tuned all minus untuned",
    ] {
        assert!(ran.stdout.contains(row), "{row}\n{}", ran.stdout);
    }
    let splits: Value = serde_json::from_str(&project.read("splits.json")).expect("JSON");
    let figures = splits[0]["figures"].as_array().expect("figures");
    let of = |name: &str| figures.iter().find(|it| it["predictor"] == name).expect(name)["average_precision"].as_f64();
    assert!(of("tuned all") > of("untuned"), "{figures:?}");
    let ran = project.peeler(&["eval", "--split", "time"]).ended(2);
    assert!(ran.stderr.contains("--corpus"), "{}", ran.stderr);
}
