//! Generated corpora for tests.

use peeler_eval::corpus::{CodeRecord, Corpus, FeatureRecord, GraphRecord, TestRecord};
use peeler_features::TestName;

/// A corpus with this number of projects, classes per project and tests per class. Every fifth test is flaky.
pub(crate) fn corpus(projects: u32, classes: u32, tests: u32) -> Corpus {
    let mut corpus = Corpus {
        strings: (0..50).map(|it| format!("word{it}")).collect(),
        ..Corpus::default()
    };
    for project in 0..projects {
        corpus.projects.push(format!("project{project}"));
        for class in 0..classes {
            for test in 0..tests {
                let number = corpus.tests.len() as u64;
                corpus.tests.push(TestRecord {
                    project,
                    group: project * classes + class,
                    family: project * classes + class / 2,
                    features: FeatureRecord {
                        name: TestName::new(&format!("p{project}.C{class}"), &format!("t{test}")),
                        lines: 3 + test,
                        tokens: vec![test % 50, class % 50],
                        words: vec![(test * 7) % 50],
                        context_words: vec![class % 50],
                        graph: GraphRecord::default(),
                        body: CodeRecord::default(),
                        setup: CodeRecord::default(),
                        causes: Vec::new(),
                        flows: Vec::new(),
                        oracles: Vec::new(),
                    },
                    flaky: number.is_multiple_of(5),
                    category: None,
                    runs: None,
                    file: String::new(),
                    line: 1,
                    path_bag: number % 30,
                    token_bag: number % 40,
                });
            }
        }
    }
    corpus
}
