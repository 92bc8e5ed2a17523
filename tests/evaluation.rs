//! `peeler corpus` and `peeler eval`, as a user runs them, and the committed score table of the samples.

mod support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use support::{Ran, build_corpus, own, run};

/// Builds a corpus of the samples from a label file.
fn build(labels: &Path, layout: &str, file: &Path) {
    let message = build_corpus(labels, layout, file).stderr;
    assert!(message.contains("342 of 342 labels found"), "{message}");
}

/// The corpus of the samples, in a folder.
fn sample_corpus(folder: &Path) -> PathBuf {
    let file = folder.join("samples.corpus");
    build(&own("corpus/samples-labels.csv"), "csv", &file);
    file
}

fn eval(corpus: &Path, more: &[&str]) -> Ran {
    let corpus = corpus.to_string_lossy();
    run(&[&["eval", "--corpus", &corpus], more].concat()).ended(0)
}

#[test]
fn the_score_table_of_the_samples_is_the_committed_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let corpus = sample_corpus(folder.path());
    for split in ["random", "class"] {
        let made = folder.path().join(format!("{split}.json"));
        eval(&corpus, &["--split", split, "--scores", &made.to_string_lossy()]);
        let committed = own(&format!("corpus/scores/samples-{split}.json"));
        let made = std::fs::read_to_string(made).expect("the figures");
        let committed_text = std::fs::read_to_string(&committed).expect("the committed figures");
        assert!(
            made == committed_text,
            "{} has changed; if that is wanted, write it anew with the command in corpus/scores/README.md",
            committed.display()
        );
    }
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let corpus = sample_corpus(folder.path());
    let evaluate = |name: &str| {
        let json = folder.path().join(name);
        let page = folder.path().join(format!("{name}.html"));
        let output = eval(
            &corpus,
            &[
                "--split",
                "class",
                "--model",
                "flast",
                "vocabulary",
                "--seed",
                "3",
                "--json",
                &json.to_string_lossy(),
                "--html",
                &page.to_string_lossy(),
            ],
        );
        (
            output.stdout,
            std::fs::read(json).expect("the JSON"),
            std::fs::read(page).expect("the page"),
        )
    };
    let (table, json, page) = evaluate("a");
    assert!(
        (table.clone(), json.clone(), page.clone()) == evaluate("b"),
        "two runs differ"
    );
    assert!(table.contains("vocabulary"));
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(json["models"][0]["predictions"].as_array().map(Vec::len), Some(342));
    // Self-contained: the only address in it is the name of the SVG format.
    let page = String::from_utf8(page)
        .expect("UTF-8")
        .replace("http://www.w3.org/2000/svg", "");
    assert!(
        page.contains("<svg") && !page.contains("http"),
        "the page asks for nothing"
    );
}

#[test]
fn a_corpus_without_graphs_is_smaller_and_serves_models_that_read_no_paths() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let labels = std::fs::read_to_string(own("corpus/samples-labels.csv")).expect("labels");
    let labels = labels
        .replace("unordered-collection", "ID")
        .replace("reflection-order", "ID");
    std::fs::write(at("labels.csv"), labels).expect("labels");
    build(Path::new(&at("labels.csv")), "csv", Path::new(&at("all.corpus")));
    let select = |name: &str, more: &[&str]| {
        let output = at(name);
        run(&[
            &["corpus", "select", &at("all.corpus"), "--kind", "id", "-o", &output],
            more,
        ]
        .concat())
        .ended(0);
        std::fs::metadata(&output).expect("a corpus").len()
    };
    let whole = select("whole.corpus", &[]);
    let small = select("small.corpus", &["--without-graphs"]);
    assert!(small * 2 < whole, "{small} of {whole} bytes");

    let config = "inputs = [\"measures\", \"flows\", \"oracles\"]\nregression_share = 1.0\nepochs = 1\n";
    std::fs::write(at("lean.toml"), config).expect("a configuration");
    let evaluate = |name: &str, config: &str| {
        let more = [
            "--split", "class", "--folds", "3", "--model", "peeler", "--config", config,
        ];
        run(&[&["eval", "--corpus", &at(name)], more.as_slice()].concat())
    };
    let figures = |name: &str| {
        let table = evaluate(name, &at("lean.toml")).ended(0).stdout;
        let row = table.lines().find(|it| it.contains("peeler"));
        row.expect("a row").to_owned()
    };
    assert_eq!(figures("whole.corpus"), figures("small.corpus"));
    let refused = evaluate("small.corpus", "default").ended(2);
    assert!(refused.stderr.contains("--without-graphs"), "{}", refused.stderr);
}

#[test]
fn a_corpus_is_described_exported_and_merged() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let corpus = sample_corpus(folder.path());
    let path = corpus.to_string_lossy().into_owned();
    let stats = run(&["corpus", "stats", &path]).json();
    assert_eq!(
        (&stats["tests"], &stats["flaky"]),
        (&Value::from(342), &Value::from(119))
    );
    assert_eq!(stats["categories"]["unordered-collection"], 21);
    let exported = run(&["corpus", "export", &path]).stdout;
    let lines: Vec<Value> = exported
        .lines()
        .map(|it| serde_json::from_str(it).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 342);
    assert!(
        lines
            .iter()
            .all(|it| it["paths"].as_array().is_some_and(|it| !it.is_empty()))
    );
    let writes_object = lines
        .iter()
        .find(|it| it["test"] == "dev.waybill.orders.json.JsonWriterTest#writesObject")
        .expect("a test of the samples");
    let oracles = writes_object["oracles"].as_array().expect("what assertions compare");
    assert!(oracles.contains(&Value::from("expected keys")), "{oracles:?}");
    let merged = folder.path().join("merged.corpus");
    run(&["corpus", "merge", &path, &path, "-o", &merged.to_string_lossy()]).ended(0);
    let stats = run(&["corpus", "stats", &merged.to_string_lossy()]).json();
    assert_eq!(
        (&stats["tests"], &stats["projects"]),
        (&Value::from(684), &Value::from(1))
    );
}

#[test]
fn rerunning_is_priced_where_runs_were_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let labels = folder.path().join("labels.csv");
    let plain = std::fs::read_to_string(own("corpus/samples-labels.csv")).expect("labels");
    let mut counted = String::from("project,test,flaky,failing_runs,passing_runs\n");
    for line in plain.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (flaky, failing) = if fields[2] == "flaky" { (1, 20) } else { (0, 0) };
        let _ = writeln!(
            counted,
            "{},{},{flaky},{failing},{}",
            fields[0],
            fields[1],
            100 - failing
        );
    }
    std::fs::write(&labels, counted).expect("a file");
    let corpus = folder.path().join("counted.corpus");
    build(&labels, "flakeflagger", &corpus);
    let output = eval(
        &corpus,
        &[
            "--split",
            "class",
            "--model",
            "vocabulary",
            "--cannier",
            "--max-reruns",
            "50",
            "--budget",
            "0.2",
        ],
    );
    let table = output.stdout;
    assert!(table.contains("reruns at most 50 a test; cost in runs"), "{table}");
    assert!(
        table
            .lines()
            .last()
            .is_some_and(|it| it.starts_with("vocabulary") && it.contains('[')),
        "{table}"
    );
    let times = folder.path().join("times.csv");
    std::fs::write(
        &times,
        "project,test,seconds\nsamples,dev.waybill.alerts.repo.ChangeNoticeExtractorTest#allPathsAreListed,0.5\n",
    )
    .expect("a file");
    let times = times.to_string_lossy().into_owned();
    let timed = eval(
        &corpus,
        &[
            "--split",
            "class",
            "--model",
            "vocabulary",
            "--cannier",
            "--times",
            &times,
        ],
    );
    assert!(timed.stdout.contains("cost in seconds"), "{timed:?}");
}

#[test]
fn what_cannot_be_evaluated_is_refused_with_a_remedy() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let corpus = sample_corpus(folder.path());
    let path = corpus.to_string_lossy().into_owned();
    let refuses = |arguments: &[&str], words: &[&str]| run(arguments).refused(words);
    refuses(&["eval", "--corpus", "none", "--split", "class"], &["cannot read none"]);
    refuses(
        &["eval", "--corpus", &path, "--split", "project"],
        &["only one project"],
    );
    refuses(
        &["eval", "--corpus", &path, "--split", "class", "--model", "oracle"],
        &["unknown predictor oracle", "flast"],
    );
    refuses(
        &["eval", "--corpus", &path, "--split", "class", "--category", "XX"],
        &["no flaky test is left"],
    );
    refuses(
        &["eval", "--corpus", &path, "--split", "class", "--folds", "1"],
        &["at least 2"],
    );
    let labels = folder.path().join("labels.csv");
    std::fs::write(&labels, "project,test,label\nsamples,a.B#c,perhaps\n").expect("a file");
    let labels = labels.to_string_lossy().into_owned();
    let build = [
        "corpus",
        "build",
        "--labels",
        &labels,
        "--layout",
        "csv",
        "--sources",
        "corpus",
        "-o",
        "x",
    ];
    refuses(&build, &["line 2", "perhaps", "write flaky or stable"]);
    refuses(
        &[
            "corpus",
            "build",
            "--labels",
            &labels,
            "--layout",
            "idoft",
            "--sources",
            "corpus",
            "-o",
            "x",
        ],
        &["line 1", "no column `repository`"],
    );
    refuses(
        &["corpus", "stats", &labels],
        &["is not a corpus", "peeler corpus build"],
    );
}
