//! The encoder: test features to numbers, the same for training and for scanning.
//!
//! Invariant: the numbers of a test depend only on its features, the call depth and the numbering of names. With or
//! without paths, a test has the same words, calls, causes, flows, oracles and measures.

mod path_encoder;

use std::fmt::Write as _;

use self::path_encoder::PathEncoder;
use crate::dataset::{Dataset, EncodedTest};
use crate::oracle_feature::OracleFeature;
use crate::reached_code::{CallList, CallOrigin};
use crate::test_features::TestFeatures;
use crate::text_list::TextList;
use crate::texts::TextSet;

/// The highest depth in the name of a library call. A call 3 calls away from the test is named like one 2 calls away.
const FAR: usize = 2;

/// Which of a test's features are encoded: all, or all but the contextual paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// All features are encoded.
    WithPaths,
    /// All features are encoded except the paths, which take longest.
    WithoutPaths,
}

/// Encodes tests one by one into a [`Dataset`].
#[derive(Debug)]
pub struct Encoder<'t> {
    call_depth: usize,
    depth: Depth,
    dataset: Dataset,
    paths: PathEncoder,
    /// The words of the last test's class, imports, fields and setup, with their numbers in the dataset. They are kept
    /// because the next test often has the same ones. `None` before the first test.
    context: Option<(TextList<'t>, Vec<u32>)>,
    /// The library calls of the last test's setup, with their numbers in the dataset. They are kept because the next
    /// test often has the same ones. `None` before the first test.
    setup: Option<(CallList<'t>, Vec<u32>)>,
    /// A reused buffer in which names of features are built.
    name: String,
}

impl<'t> Encoder<'t> {
    /// An encoder that reads code up to `call_depth` calls away from tests.
    #[must_use]
    pub fn new(call_depth: usize, depth: Depth) -> Self {
        Self {
            call_depth,
            depth,
            dataset: Dataset::default(),
            paths: PathEncoder::default(),
            context: None,
            setup: None,
            name: String::new(),
        }
    }

    /// Adds a test of the project with this number. Methods with the same key must be the same method in all tests.
    pub fn add(&mut self, test: &TestFeatures<'t>, project: u32) {
        let paths = match self.depth {
            Depth::WithPaths => self.paths.encode(&test.graph.read(), &mut self.dataset),
            Depth::WithoutPaths => Vec::new(),
        };
        let mut calls = self.calls(test.body.calls, CallOrigin::Body);
        let words = numbers(&mut self.dataset.tokens, test.words.iter());
        let context = self.context(test.context_words);
        calls.extend(self.setup_calls(test.setup.calls));
        let encoded = EncodedTest {
            project,
            words,
            context,
            calls: distinct(calls),
            causes: self.causes(test),
            flows: self.flows(test),
            oracles: self.oracles(test),
            measures: test.measures(self.call_depth),
            paths,
        };
        self.dataset.tests.push(encoded);
    }

    /// The dataset with all tests that were added.
    #[must_use]
    pub fn finish(self) -> Dataset {
        self.dataset
    }

    fn context(&mut self, words: TextList<'t>) -> Vec<u32> {
        if let Some((_, known)) = self.context.as_ref().filter(|it| it.0.is_same_as(&words)) {
            return known.clone();
        }
        let encoded = numbers(&mut self.dataset.tokens, words.iter());
        self.context = Some((words, encoded.clone()));
        encoded
    }

    fn setup_calls(&mut self, calls: CallList<'t>) -> Vec<u32> {
        if let Some((_, known)) = self.setup.as_ref().filter(|it| it.0.is_same_as(&calls)) {
            return known.clone();
        }
        let encoded = self.calls(calls, CallOrigin::Setup);
        self.setup = Some((calls, encoded.clone()));
        encoded
    }

    /// The numbers of library calls in the dataset. A name such as `01 Thread#sleep` consists of origin, depth and
    /// method.
    fn calls(&mut self, calls: CallList<'_>, origin: CallOrigin) -> Vec<u32> {
        let near = calls.iter().filter(|it| it.depth <= self.call_depth);
        let name = &mut self.name;
        let known = &mut self.dataset.calls;
        let numbers = near.map(|it| {
            name.clear();
            let depth = it.depth.min(FAR);
            let _ = write!(name, "{}{depth} {}#{}", origin.prefix(), it.owner, it.method);
            known.number(name)
        });
        numbers.collect()
    }

    /// The numbers of a test's causes in the dataset. New causes are numbered in the order of their names.
    fn causes(&mut self, test: &TestFeatures<'_>) -> Vec<u32> {
        let near = test.causes.iter().filter(|it| it.is_within(self.call_depth));
        let mut names: Vec<String> = near.map(ToString::to_string).collect();
        names.sort_unstable();
        numbers(&mut self.dataset.causes, names.iter().map(String::as_str))
    }

    /// The numbers that the names of a test's flows have in the dataset. A name that the dataset does not contain yet
    /// gets the next number.
    fn flows(&mut self, test: &TestFeatures<'_>) -> Vec<u32> {
        let known = &mut self.dataset.flows;
        let names = test.flows.iter().flat_map(|it| it.names());
        distinct(names.map(|it| known.number(&it)).collect())
    }

    /// The numbers that the names of what a test compares have in the dataset. A name that the dataset does not contain
    /// yet gets the next number.
    fn oracles(&mut self, test: &TestFeatures<'_>) -> Vec<u32> {
        let known = &mut self.dataset.oracles;
        let names = test.oracles.iter().flat_map(OracleFeature::names);
        distinct(names.map(|it| known.number(&it)).collect())
    }
}

/// Encodes tests of one project into a dataset, with code up to `call_depth` calls away from the tests.
pub fn encode<'t, 'f>(tests: impl IntoIterator<Item = &'f TestFeatures<'t>>, call_depth: usize, depth: Depth) -> Dataset
where
    't: 'f,
{
    let mut encoder = Encoder::new(call_depth, depth);
    for test in tests {
        encoder.add(test, 0);
    }
    encoder.finish()
}

/// The numbers that `names` have in the table `known`, each once and ascending. Names that `known` lacks are added to
/// it.
fn numbers<'n>(known: &mut TextSet, names: impl Iterator<Item = &'n str>) -> Vec<u32> {
    distinct(names.map(|it| known.number(it)).collect())
}

fn distinct(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{Depth, encode};
    use crate::cause_feature::CauseFeature;
    use crate::cause_kind::CauseKind;
    use crate::dataset::Dataset;
    use crate::flow_feature::{FlowFeature, FlowOutcome, FlowPlace};
    use crate::graph::{Edge, Graph, Method, MethodKey, MethodWords, Node};
    use crate::graph_kinds::{NodeKind, NodeMark, OperationKind};
    use crate::oracle_feature::OracleFeature;
    use crate::reached_code::{CallList, LibraryCall, MAX_DEPTH, ReachedCode};
    use crate::rule::Rule;
    use crate::test_features::TestFeatures;
    use crate::test_name::TestName;
    use crate::text_list::TextList;

    /// The graph `url -fetchAll-> text -assertEquals-> "a"`, in which `fetchAll` is a method of the repository.
    fn graph(source: &'static str) -> Graph<'static> {
        let node = |text: &'static str, kind, mark| Node {
            text: text.into(),
            kind,
            mark,
            line: 1,
        };
        let edge = |from, operation: &'static str, kind, methods| Edge {
            from,
            to: from + 1,
            operation: operation.into(),
            kind,
            methods,
        };
        Graph {
            nodes: vec![
                node("url", NodeKind::Variable, NodeMark::Start),
                node("text", NodeKind::Call, NodeMark::Inner),
                node("\"a\"", NodeKind::Literal, NodeMark::Assert),
            ],
            edges: vec![
                edge(0, "fetchAll", OperationKind::Call, vec![0]),
                edge(1, "assertEquals", OperationKind::Assert, Vec::new()),
            ],
            methods: vec![Method {
                key: MethodKey(7),
                signature: "a.B#fetchAll()".into(),
                words: MethodWords::Source(source),
                contexts: Vec::new(),
            }],
            paths: vec![vec![0, 0, 1, 1, 2]].into(),
        }
    }

    fn calls(calls: &'static [LibraryCall<'static>]) -> ReachedCode<'static> {
        ReachedCode {
            calls: CallList::Slice(calls),
            bodies: [1, 0, 0, 0],
        }
    }

    fn features(name: &TestName) -> TestFeatures<'_> {
        const BODY: [LibraryCall<'_>; 2] = [
            LibraryCall {
                depth: 0,
                owner: "Thread",
                method: "sleep",
            },
            LibraryCall {
                depth: 3,
                owner: "",
                method: "run",
            },
        ];
        const SETUP: [LibraryCall<'_>; 1] = [LibraryCall {
            depth: 1,
            owner: "Socket",
            method: "<init>",
        }];
        TestFeatures {
            lines: 2,
            words: TextList::Parts("fetch url fetch"),
            context_words: TextList::Parts("b url"),
            body: calls(&BODY),
            setup: calls(&SETUP),
            causes: Cow::Owned(vec![
                CauseFeature::Nearest {
                    kind: CauseKind::Network,
                    depth: 1,
                },
                CauseFeature::First(CauseKind::Network),
                CauseFeature::FirstDescription("opens a port".into()),
                CauseFeature::Nearest {
                    kind: CauseKind::Clock,
                    depth: 2,
                },
            ]),
            flows: Cow::Owned(vec![FlowFeature {
                rule: Rule::SleepBeforeAssertion,
                outcome: FlowOutcome::Unsettled,
                place: FlowPlace::Body,
                is_noticed: true,
                calls: 0,
                is_sure: true,
            }]),
            oracles: Cow::Owned(vec![OracleFeature::Actual {
                operation: "fetchAll".into(),
                has_parts: false,
            }]),
            graph: graph("{ return get(url); }").into(),
            ..TestFeatures::empty(name)
        }
    }

    fn names(dataset: &Dataset) -> [Vec<&str>; 3] {
        [&dataset.tokens, &dataset.calls, &dataset.causes].map(|it| it.iter().collect())
    }

    #[test]
    fn names_are_those_of_shipped_vocabularies() {
        let name = TestName::new("a.B", "c");
        let dataset = encode([&features(&name)], MAX_DEPTH, Depth::WithPaths);
        let [tokens, calls, causes] = names(&dataset);
        assert_eq!(
            tokens,
            [
                "url",
                "<variable>",
                "<start>",
                "text",
                "<call>",
                "a",
                "<literal>",
                "<assert>",
                "fetch",
                "all",
                "<edge 1>",
                "return",
                "get",
                "assert",
                "equals",
                "<edge 8>",
                "<end>",
                "b"
            ]
        );
        assert_eq!(calls, ["00 Thread#sleep", "02 #run", "11 Socket#<init>"]);
        assert_eq!(causes, ["clock 2", "first network", "first opens a port", "network 1"]);
        let flows: Vec<&str> = dataset.flows.iter().collect();
        assert_eq!(
            flows,
            [
                "PLR2",
                "PLR201",
                "PLR201 body",
                "PLR201 noticed",
                "PLR201 sure",
                "PLR201 0 calls"
            ]
        );
        assert_eq!(dataset.tests[0].flows, [0, 1, 2, 3, 4, 5]);
        let oracles: Vec<&str> = dataset.oracles.iter().collect();
        assert_eq!(oracles, ["actual fetchAll", "actual fetchAll: one"]);
        assert_eq!(dataset.tests[0].oracles, [0, 1]);
    }

    #[test]
    fn what_lies_deeper_than_asked_is_left_out() {
        let name = TestName::new("a.B", "c");
        let dataset = encode([&features(&name)], 1, Depth::WithoutPaths);
        let [_, calls, causes] = names(&dataset);
        assert_eq!(calls, ["00 Thread#sleep", "11 Socket#<init>"]);
        assert_eq!(causes, ["network 1"]);
        assert!(dataset.tests[0].paths.is_empty());
    }

    #[test]
    fn a_test_reads_the_same_with_and_without_paths() {
        let name = TestName::new("a.B", "c");
        let test = features(&name);
        let [with, without] = [Depth::WithPaths, Depth::WithoutPaths].map(|it| encode([&test, &test], 2, it));
        let texts = |dataset: &Dataset, at: usize| {
            let test = &dataset.tests[at];
            let [tokens, calls, causes] = names(dataset);
            let text = |names: &[&str], numbers: &[u32]| {
                let mut texts: Vec<String> = numbers.iter().map(|it| names[*it as usize].to_owned()).collect();
                texts.sort_unstable();
                texts
            };
            let words = [text(&tokens, &test.words), text(&tokens, &test.context)];
            (
                words,
                text(&calls, &test.calls),
                text(&causes, &test.causes),
                test.measures,
            )
        };
        for at in [0, 1] {
            assert_eq!(texts(&with, at), texts(&without, at));
        }
        assert_eq!(
            with.tests[0].paths, with.tests[1].paths,
            "parts that were met are not encoded again"
        );
        assert_eq!((with.methods.len(), with.tuples.len()), (1, 3));
    }

    #[test]
    fn a_test_without_paths_has_one_that_is_only_the_end() {
        let name = TestName::new("a.B", "c");
        let dataset = encode([&TestFeatures::empty(&name)], 1, Depth::WithPaths);
        let [path] = dataset.tests[0].paths.as_slice() else {
            panic!("one path");
        };
        let tuple = dataset.tuples[path[0] as usize];
        assert_eq!(dataset.edges[tuple.edge as usize].text, tuple.node);
        assert_eq!(names(&dataset)[0], ["<end>"]);
    }

    #[test]
    fn of_a_body_the_first_64_distinct_words_are_read() {
        let name = TestName::new("a.B", "c");
        let body: String = (0..100)
            .map(|it| format!("w{} same ", char::from(b'a' + it % 26)).repeat(2))
            .collect();
        let words: Vec<String> = (1..=100).map(|it| "y".repeat(it)).collect();
        for (source, expected) in [(body, 27), (words.join(" "), 64)] {
            let source: &'static str = source.leak();
            let test = TestFeatures {
                graph: graph(source).into(),
                ..TestFeatures::empty(&name)
            };
            let dataset = encode([&test], 1, Depth::WithPaths);
            assert_eq!(dataset.methods[0].words.len(), expected);
        }
    }
}
