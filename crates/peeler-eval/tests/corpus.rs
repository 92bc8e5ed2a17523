//! Tests of corpora: built from the samples, written, read, merged, damaged.

mod made;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use peeler_analysis::Limits;
use peeler_eval::build::build_corpus;
use peeler_eval::corpus::{Corpus, NodeRecord, TestRecord};
use peeler_eval::labels::{Labels, Layout, read_labels};
use peeler_features::{Coded, NodeKind, NodeMark, NumberedCall};

fn corpus_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn sample_labels() -> Labels {
    let file = std::fs::File::open(corpus_folder().join("samples-labels.csv")).expect("the labels");
    read_labels(file, Layout::Csv, &BTreeMap::new()).expect("they read")
}

#[test]
fn every_label_of_the_samples_is_found() {
    let (corpus, report) =
        build_corpus(&sample_labels(), &corpus_folder(), Limits::default(), |_| ()).expect("it builds");
    assert_eq!((report.rows, report.rows_found), (342, 342));
    assert_eq!(corpus.tests.iter().filter(|it| it.flaky).count(), 119);
    assert!(corpus.tests.iter().all(|it| !it.features.graph.paths.is_empty()));
    assert!(!corpus.methods.is_empty());
    // Inherited copies of tests and nested classes are in the group of their relatives.
    let group = |name: &str| {
        corpus
            .tests
            .iter()
            .find(|it| it.features.name.as_str().contains(name))
            .expect("it is there")
            .group
    };
    assert_eq!(
        group("RetailPriceCalculatorTest#"),
        group("WholesalePriceCalculatorTest#")
    );
    assert_ne!(group("RetailPriceCalculatorTest#"), group("TtlCacheTest#"));
}

#[test]
fn what_is_lost_is_listed_by_cause() {
    let text = "project,test,label\nsamples,no.such.ClassTest#a,flaky\nsamples,dev.waybill.alerts.repo.ChangeNoticeExtractorTest#none,flaky\n\
                elsewhere,a.B#c,stable\nsamples,dev.waybill.alerts.repo.ChangeNoticeExtractorTest#allPathsAreListed,stable\n";
    let labels = read_labels(text.as_bytes(), Layout::Csv, &BTreeMap::new()).expect("they read");
    let (corpus, report) = build_corpus(&labels, &corpus_folder(), Limits::default(), |_| ()).expect("it builds");
    assert_eq!(corpus.tests.len(), 1);
    let causes: Vec<(&str, usize)> = report.lost.iter().map(|(cause, tests)| (*cause, tests.len())).collect();
    assert_eq!(
        causes,
        [
            ("no sources of the project", 1),
            ("no such test in its class", 1),
            ("no test class of that name in Java", 1)
        ]
    );
}

#[test]
fn a_corpus_reads_as_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.corpus");
    let corpus = made::corpus(3, 4, 5);
    corpus.save(&file).expect("it writes");
    assert_eq!(Corpus::load(&file).expect("it reads"), corpus);
    assert_eq!(corpus.fingerprint(), made::corpus(3, 4, 5).fingerprint());
    assert_ne!(corpus.fingerprint(), made::corpus(3, 4, 6).fingerprint());
}

#[test]
fn merged_corpora_keep_their_texts_groups_and_projects() {
    let mut merged = made::corpus(2, 2, 2);
    let mut other = made::corpus(1, 2, 2);
    other.strings[0] = "another".to_owned();
    other.projects[0] = "new".to_owned();
    merged.merge(&other);
    assert_eq!(merged.projects, ["project0", "project1", "new"]);
    let last = &merged.tests[8];
    assert_eq!(merged.strings[last.features.tokens[0] as usize], "another");
    assert_eq!(last.project, 2);
    assert!(merged.tests[..8].iter().all(|it| it.group != last.group));
}

#[test]
fn a_damaged_or_foreign_file_is_refused_with_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.corpus");
    made::corpus(1, 2, 3).save(&file).expect("it writes");
    let whole = std::fs::read(&file).expect("it reads");
    let message = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("it writes");
        Corpus::load(&file).expect_err("it is refused").to_string()
    };
    assert!(message(&whole[..whole.len() - 3]).contains("is damaged"));
    assert!(message(b"hello").contains("is not a corpus"));
    let mut newer = whole.clone();
    newer[8] = 9;
    assert!(message(&newer).contains("version 9"), "it says what it found");
    for at in 12..whole.len() {
        let mut wrong = whole.clone();
        wrong[at] ^= 0x55;
        // Any damage gives an error and never a panic.
        std::fs::write(&file, &wrong).expect("it writes");
        let _ = Corpus::load(&file);
    }
}

#[test]
fn a_file_that_lists_a_text_twice_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.corpus");
    let mut corpus = made::corpus(1, 2, 3);
    corpus.strings.push(corpus.strings[0].clone());
    corpus.save(&file).expect("it writes");
    let message = Corpus::load(&file).expect_err("it is refused").to_string();
    assert!(message.contains("is listed twice"), "{message}");
}

#[test]
fn a_file_whose_records_refer_to_nothing_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.corpus");
    let refused = |change: &dyn Fn(&mut TestRecord)| {
        let mut corpus = made::corpus(1, 2, 3);
        change(&mut corpus.tests[1]);
        corpus.save(&file).expect("it writes");
        Corpus::load(&file).expect_err("it is refused").to_string()
    };
    let call = NumberedCall {
        depth: 4,
        owner: 0,
        method: 0,
    };
    let graph = |test: &mut TestRecord, path: &[u32]| {
        test.features.graph.nodes.push(NodeRecord {
            text: 0,
            kind: Coded(NodeKind::Call),
            mark: Coded(NodeMark::Start),
            line: 1,
        });
        test.features.graph.paths.push(path.to_vec());
    };
    assert!(refused(&|it| it.project = 1).contains("project 1 of 1"));
    assert!(refused(&|it| it.group = u32::MAX).contains("in group 4294967295"));
    assert!(refused(&|it| it.runs = Some((1, u64::MAX))).contains("ran 1 and"));
    assert!(refused(&|it| it.features.words.push(50)).contains("text 50 of 50"));
    assert!(refused(&|it| it.features.body.calls.push(call)).contains("depth 4 of 4"));
    assert!(refused(&|it| graph(it, &[1])).contains("node 1 of 1"));
    assert!(refused(&|it| graph(it, &[0, 0, 0])).contains("edge 0 of 0"));
    assert!(refused(&|it| graph(it, &[0, 0])).contains("does not end with a node"));
    assert!(refused(&|it| graph(it, &[])).contains("does not end with a node"));
}
