//! Tests of the labels that a corpus has for one kind of flakiness.

mod made;

use peeler_eval::corpus::{Corpus, EdgeRecord, MethodRecord};
use peeler_features::{Coded, FlakinessKind, OperationKind};

/// Two projects of four tests, all stable. The first two tests of a project are in module `a`, the others in `b`.
fn two_projects() -> Corpus {
    let mut corpus = made::corpus(2, 2, 2);
    for (at, test) in corpus.tests.iter_mut().enumerate() {
        test.flaky = false;
        let module = if at % 4 < 2 { "a" } else { "b" };
        test.file = format!("{module}/src/test/java/Test{at}.java");
    }
    corpus
}

fn label(corpus: &mut Corpus, at: usize, category: Option<&str>) {
    corpus.tests[at].flaky = true;
    corpus.tests[at].category = category.map(str::to_owned);
}

/// The selected tests of a kind as text: the name of the project, the name of the test, and `!` after flaky ones.
fn known(corpus: &Corpus, kind: FlakinessKind) -> Vec<String> {
    let selected = corpus.of_kind(kind);
    let name = |it: &peeler_eval::corpus::TestRecord| {
        let mark = if it.flaky { "!" } else { "" };
        format!("{}{mark}", it.features.name)
    };
    selected.tests.iter().map(name).collect()
}

#[test]
fn unlisted_tests_are_stable_only_where_the_kind_was_looked_for() {
    let mut corpus = two_projects();
    label(&mut corpus, 0, Some("ID"));
    label(&mut corpus, 3, Some("OD-Vic;NOD"));
    assert_eq!(
        known(&corpus, FlakinessKind::UnspecifiedBehaviour),
        ["p0.C0#t0!", "p0.C0#t1"],
        "nothing is known about the other module and the other project"
    );
    assert_eq!(known(&corpus, FlakinessKind::TestOrder), ["p0.C1#t0", "p0.C1#t1!"]);
    assert_eq!(known(&corpus, FlakinessKind::Timing), ["p0.C1#t0", "p0.C1#t1!"]);
}

#[test]
fn a_test_that_is_flaky_in_another_way_is_no_stable_one() {
    let mut corpus = two_projects();
    label(&mut corpus, 0, Some("ID"));
    label(&mut corpus, 1, Some("OD"));
    assert_eq!(known(&corpus, FlakinessKind::UnspecifiedBehaviour), ["p0.C0#t0!"]);
}

#[test]
fn reruns_without_categories_speak_of_timing_in_the_whole_project() {
    let mut corpus = two_projects();
    label(&mut corpus, 4, None);
    assert_eq!(
        known(&corpus, FlakinessKind::Timing),
        ["p1.C0#t0!", "p1.C0#t1", "p1.C1#t0", "p1.C1#t1"]
    );
    assert!(known(&corpus, FlakinessKind::UnspecifiedBehaviour).is_empty());
}

#[test]
fn a_selection_keeps_what_its_tests_refer_to_and_nothing_else() {
    let mut corpus = two_projects();
    for project in 0..2 {
        corpus.methods.push(MethodRecord {
            project,
            words: vec![40 + project],
            contexts: vec![[41 + project, 44, 45]],
            signature: format!("m{project}()"),
        });
    }
    for test in &mut corpus.tests {
        test.features.graph.edges.push(EdgeRecord {
            from: 0,
            to: 0,
            operation: 49,
            kind: Coded(OperationKind::Call),
            methods: vec![test.project],
        });
    }
    label(&mut corpus, 5, Some("ID"));
    let selected = corpus.of_kind(FlakinessKind::UnspecifiedBehaviour);
    assert_eq!(selected.projects, ["project1"]);
    let signatures: Vec<&str> = selected.methods.iter().map(|it| it.signature.as_str()).collect();
    assert_eq!(signatures, ["m1()"]);
    assert!(selected.strings.len() < 12, "{:?}", selected.strings);
    assert_eq!(selected.tests.len(), 2);
    let texts = |corpus: &Corpus, at: usize| -> Vec<String> {
        let features = corpus.features(&corpus.tests[at]);
        features
            .tokens
            .iter()
            .chain(features.words.iter())
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(texts(&selected, 1), texts(&corpus, 5));
    let method = &selected.methods[0];
    let text = |id: u32| selected.strings[id as usize].as_str();
    assert_eq!(
        (text(method.words[0]), method.contexts[0].map(text)),
        ("word41", ["word42", "word44", "word45"])
    );
}
