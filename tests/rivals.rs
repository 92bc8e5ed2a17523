//! End-to-end tests of FLAST and the vocabulary: trained, stored, and used in scans.

mod support;

use serde_json::Value;
use support::{Project, Ran, build_sample_corpus, found, own, peeler, samples};

const RIVALS: [&str; 2] = ["flast", "vocabulary"];
const JAVA: &str = "import org.junit.*; import java.util.*; public class MadeTest {\n\
    @Test public void sleeps() throws Exception { Thread.sleep(10); Assert.assertTrue(done()); }\n\
    @Test public void adds() { int sum = 1 + 2; Assert.assertEquals(3, sum); }\n\
    @Test public void asserts() { }\n\
    static boolean done() { return true; } }";

fn probabilities(scan: &Value) -> Vec<f64> {
    let findings = scan["findings"].as_array().expect("findings").iter();
    findings.filter_map(|it| it["probability"].as_f64()).collect()
}

/// A folder with a corpus of our samples.
fn with_corpus() -> Project {
    let project = Project::empty();
    build_sample_corpus(&project.path("samples.corpus"));
    project
}

fn train(project: &Project, rival: &str, more: &[&str]) -> Ran {
    let arguments = ["train", "--rival", rival, "--corpus", "samples.corpus", "--out", rival];
    project.peeler(&[&arguments, more].concat())
}

#[test]
fn a_scan_says_which_of_them_judged_and_claims_no_attention() {
    let project = Project::java(JAVA);
    for rival in RIVALS {
        let scan = project.scan(&["--model", rival]);
        assert_eq!(scan["model"]["name"], rival);
        assert_eq!(found(&scan).len(), 3, "{scan}");
        for finding in scan["findings"].as_array().expect("findings") {
            let probability = finding["probability"].as_f64().expect("a number");
            assert!(probability > 0.0 && probability < 1.0, "{finding}");
            let paths = finding["paths"].as_array().expect("paths");
            assert!(paths.iter().all(|it| it.get("attention").is_none()), "{finding}");
        }
        assert!(scan["findings"][0]["paths"][0]["nodes"].is_array(), "{scan}");
    }
}

#[test]
fn without_a_rule_the_reason_says_what_was_gone_by() {
    let project = Project::java(JAVA);
    for (rival, words) in [
        ("flast", "judged by how much it reads like known flaky tests"),
        ("vocabulary", "judged by its words alone"),
    ] {
        let scan = project.scan(&["--model", rival, "--ignore", "ALL"]);
        for finding in scan["findings"].as_array().expect("findings") {
            assert_eq!(finding["reason"], format!("no cause found; {words}"));
        }
    }
}

#[test]
fn one_test_is_explained_without_shares_of_attention() {
    let project = Project::java(JAVA);
    for rival in RIVALS {
        let explain = ["explain", ".", "--test", "MadeTest#sleeps", "--model", rival];
        let shown = project.peeler(&explain).ended(0).stdout;
        let (_, paths) = shown
            .split_once("\npaths of the dependency graph, which do not explain the probability:\n")
            .unwrap_or_else(|| panic!("{shown}"));
        assert!(paths.contains("Thread.sleep") && !paths.contains('%'), "{paths}");
        assert!(shown.contains("of 3 tests; "), "{shown}");
        assert!(!shown.contains("attention"), "{shown}");
    }
}

#[test]
fn every_format_is_written_for_a_judge_that_weighs_no_paths() {
    let project = Project::java(JAVA);
    for format in [
        "text", "json", "jsonl", "sarif", "junit", "github", "gitlab", "markdown", "html",
    ] {
        let arguments = [
            "scan",
            "--min-probability",
            "0",
            "--model",
            "vocabulary",
            "--format",
            format,
        ];
        let written = project.peeler(&arguments).ended(1).stdout;
        assert!(written.contains("sleeps"), "{format}: {written}");
        for nonsense in ["NaN", "\"attention\":", "attention 0"] {
            assert!(!written.contains(nonsense), "{format} says {nonsense}: {written}");
        }
    }
}

#[test]
fn a_scan_with_them_can_be_reported_later() {
    let project = Project::java(JAVA);
    let scan = [
        "scan",
        "--format",
        "json",
        "--min-probability",
        "0",
        "--model",
        "flast",
        "-o",
        "scan.json",
    ];
    project.peeler(&scan).ended(1);
    let report = [
        "report",
        "scan.json",
        "--format",
        "json",
        "--min-probability",
        "0",
        "--out",
        "again.json",
    ];
    project.peeler(&report).ended(0);
    let again: Value = serde_json::from_str(&project.read("again.json")).expect("JSON");
    assert_eq!(again["model"]["name"], "flast");
    assert_eq!(found(&again).len(), 3);
    let drafts = [
        "report",
        "scan.json",
        "--unproven",
        "--min-probability",
        "0",
        "--out",
        "drafts",
    ];
    project.peeler(&drafts).ended(0);
    assert!(project.read("drafts/index.md").contains("sleeps"));
}

#[test]
fn what_one_judge_said_is_never_taken_over_for_another() {
    let project = Project::java(JAVA);
    let cached = |model: &str| probabilities(&project.scan(&["--cache-dir", "cache", "--model", model]));
    let anew = |model: &str| probabilities(&project.scan(&["--no-cache", "--model", model]));
    assert_ne!(anew("flast"), anew("vocabulary"));
    for model in ["flast", "vocabulary", "flast", "vocabulary"] {
        assert_eq!(cached(model), anew(model), "{model}");
    }
}

#[test]
fn trained_on_the_samples_they_find_what_they_have_learned() {
    let project = with_corpus();
    let labels = std::fs::read_to_string(own("corpus/samples-labels.csv")).expect("labels");
    for rival in RIVALS {
        let said = train(&project, rival, &[]).ended(0).stdout;
        assert!(
            said.starts_with(&format!("{rival} in {rival}: average precision")),
            "{said}"
        );
        let card = project.read(&format!("{rival}/README.md"));
        assert!(card.contains(&format!("# Model card: {rival}")), "{card}");

        let folder = project.path(rival);
        let scan = Ran::of(
            peeler()
                .arg("scan")
                .arg(samples())
                .args(["--format", "json", "--top", "10", "--model"])
                .arg(&folder),
        )
        .ended(1)
        .json();
        assert_eq!(scan["model"]["name"], rival);
        // Known flaky tests are their own nearest neighbours, and their words have the highest weights.
        let known = found(&scan);
        let flaky = known.iter().filter(|test| {
            let row = labels.lines().find(|it| it.contains(&format!("{test},")));
            row.is_some_and(|it| it.contains(",flaky"))
        });
        let flaky = flaky.count();
        assert!(flaky >= 7, "{flaky} of {known:?} with {rival}");
    }
}

#[test]
fn the_same_corpus_and_seed_train_the_same_bytes_and_a_folder_with_a_model_is_left_alone() {
    let project = with_corpus();
    train(&project, "vocabulary", &[]).ended(0);
    let first = std::fs::read(project.path("vocabulary/rival.peeler")).expect("a rival");
    train(&project, "vocabulary", &[]).refused(&["vocabulary already contains a model", "choose another folder"]);
    std::fs::remove_dir_all(project.path("vocabulary")).expect("a folder");
    train(&project, "vocabulary", &[]).ended(0);
    assert!(first == std::fs::read(project.path("vocabulary/rival.peeler")).expect("a rival"));
}

#[test]
fn options_of_the_network_are_refused_beside_a_rival() {
    let project = Project::empty();
    for option in [
        ["--epochs", "3"],
        ["--config", "paper"],
        ["--backend", "cpu"],
        ["--embeddings", "vectors.txt"],
    ] {
        train(&project, "flast", &option).refused(&["--rival", option[0]]);
    }
    train(&project, "oracle", &[]).refused(&["oracle", "flast", "vocabulary"]);
}

#[test]
fn a_damaged_rival_is_refused_with_its_file_and_the_remedy() {
    let project = Project::java(JAVA);
    let whole = std::fs::read(own("models/vocabulary/rival.peeler")).expect("a rival");
    let refuses = |words: &[&str]| {
        project.peeler(&["scan", "--model", "mine"]).refused(words);
        let explain = ["explain", ".", "--test", "MadeTest#adds", "--model", "mine"];
        project.peeler(&explain).refused(words);
    };
    let damaged = &["mine/rival.peeler is damaged", "copy the model again or train it anew"];
    project.write("mine/rival.peeler", &whole[..whole.len() / 2]);
    refuses(damaged);
    project.write("mine/rival.peeler", "");
    refuses(damaged);
    let mut changed = whole.clone();
    changed[1000] ^= 1;
    project.write("mine/rival.peeler", &changed);
    refuses(damaged);
    changed = whole.clone();
    changed[8] = 7;
    project.write("mine/rival.peeler", &changed);
    refuses(&["mine/rival.peeler is a model of version 7", "train it anew"]);
}

#[test]
fn a_folder_called_as_one_of_them_is_reached_by_its_path() {
    let project = Project::java(JAVA);
    let vocabulary = std::fs::read(own("models/vocabulary/rival.peeler")).expect("a rival");
    project.write("flast/rival.peeler", vocabulary);
    assert_eq!(project.scan(&["--model", "flast"])["model"]["name"], "flast");
    let by_path = project.scan(&["--model", "./flast"]);
    assert_eq!(by_path["model"]["name"], "vocabulary");
    assert_eq!(
        probabilities(&by_path),
        probabilities(&project.scan(&["--model", "vocabulary"]))
    );
}

#[test]
fn help_names_them_and_does_not_praise_them() {
    let project = Project::empty();
    for command in ["scan", "explain"] {
        let help = project.peeler(&[command, "--help"]).ended(0).stdout;
        assert!(help.contains("--model <DIR|flast|vocabulary>"), "{help}");
        let words: Vec<&str> = help.split_whitespace().collect();
        assert!(
            words.join(" ").contains("from the literature that are less accurate"),
            "{help}"
        );
    }
    let help = project.peeler(&["train", "--help"]).ended(0).stdout;
    assert!(help.contains("--rival") && help.contains("vocabulary"), "{help}");
}
