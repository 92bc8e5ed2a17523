//! Conversion of test features to records of a corpus. Every text and every method is stored once.

use peeler_features::graph::{Graph, Method, MethodKey, MethodWords};
use peeler_features::texts::TextSet;
use peeler_features::{
    CauseFeature, Coded, NumberedCall, OracleFeature, ReachedCode, TestFeatures, TextId, narrow, stored_hash,
    sub_tokens,
};
use rustc_hash::FxHashMap;

use crate::records::{
    CauseRecord, CodeRecord, EdgeRecord, FeatureRecord, FlowRecord, GraphRecord, MethodRecord, NodeRecord, OracleRecord,
};

/// The texts and methods of a corpus that is being built.
#[derive(Default)]
pub(super) struct Recorder {
    texts: TextSet,
    methods: Vec<MethodRecord>,
    project: u32,
    /// The methods of the current project that were recorded so far: the index of each in the corpus, by its
    /// `MethodKey`.
    known_methods: FxHashMap<MethodKey, u32>,
}

impl Recorder {
    /// Starts recording the project with the given index, and forgets the keys of the previous project's methods. A
    /// `MethodKey` identifies a method within one project only.
    pub(super) fn start_project(&mut self, project: u32) {
        self.project = project;
        self.known_methods.clear();
    }

    /// The stored form of a test's features. New texts and methods are added to the tables of the corpus.
    pub(super) fn record(&mut self, test: &TestFeatures<'_>) -> FeatureRecord {
        FeatureRecord {
            name: test.name.clone(),
            lines: test.lines,
            graph: self.graph(&test.graph.read()),
            body: self.code(&test.body),
            setup: self.code(&test.setup),
            tokens: self.numbers(test.tokens.iter()),
            words: self.numbers(test.words.iter()),
            context_words: self.numbers(test.context_words.iter()),
            causes: test.causes.iter().map(|it| self.cause(it)).collect(),
            flows: test.flows.iter().copied().map(FlowRecord::from).collect(),
            oracles: test.oracles.iter().map(|it| self.oracle(it)).collect(),
        }
    }

    /// The table of all texts of the corpus, and all its methods.
    pub(super) fn finish(self) -> (Vec<String>, Vec<MethodRecord>) {
        (self.texts.iter().map(str::to_owned).collect(), self.methods)
    }

    fn numbers<'w>(&mut self, texts: impl Iterator<Item = &'w str>) -> Vec<TextId> {
        texts.map(|it| self.texts.number(it)).collect()
    }

    fn code(&mut self, code: &ReachedCode<'_>) -> CodeRecord {
        let calls = code.calls.iter().map(|it| NumberedCall {
            depth: u8::try_from(it.depth).expect("calls are followed a few steps"),
            owner: self.texts.number(it.owner),
            method: self.texts.number(it.method),
        });
        CodeRecord {
            calls: calls.collect(),
            bodies: code.bodies,
        }
    }

    fn cause(&mut self, cause: &CauseFeature<'_>) -> CauseRecord {
        match cause {
            CauseFeature::Nearest { kind, depth } => CauseRecord::Nearest(Coded(*kind), *depth),
            CauseFeature::First(kind) => CauseRecord::First(Coded(*kind)),
            CauseFeature::FirstDescription(text) => CauseRecord::FirstDescription(self.texts.number(text)),
        }
    }

    fn oracle(&mut self, oracle: &OracleFeature<'_>) -> OracleRecord {
        match oracle {
            OracleFeature::Literals { role, measure, digits } => {
                OracleRecord::Literals(Coded(*role), Coded(*measure), *digits)
            }
            OracleFeature::Actual { operation, has_parts } => {
                OracleRecord::Actual(self.texts.number(operation), *has_parts)
            }
        }
    }

    fn graph(&mut self, graph: &Graph<'_>) -> GraphRecord {
        let methods: Vec<u32> = graph.methods.iter().map(|it| self.method(it)).collect();
        let nodes = graph.nodes.iter().map(|it| NodeRecord {
            text: self.texts.number(&it.text),
            kind: Coded(it.kind),
            mark: Coded(it.mark),
            line: it.line,
        });
        let nodes = nodes.collect();
        let edges = graph.edges.iter().map(|it| EdgeRecord {
            from: it.from,
            to: it.to,
            operation: self.texts.number(&it.operation),
            kind: Coded(it.kind),
            methods: it.methods.iter().map(|at| methods[*at as usize]).collect(),
        });
        GraphRecord {
            nodes,
            edges: edges.collect(),
            paths: graph.paths.to_vec(),
        }
    }

    fn method(&mut self, method: &Method<'_>) -> u32 {
        if let Some(known) = self.known_methods.get(&method.key) {
            return *known;
        }
        let words = match method.words {
            MethodWords::Source(source) => sub_tokens(source).map(|it| self.texts.number(&it)).collect(),
            MethodWords::Words(words) => self.numbers(words.iter()),
        };
        let contexts = method.contexts.iter();
        let contexts = contexts.map(|it| [&it.from, &it.way, &it.to].map(|text| self.texts.number(text)));
        let record = MethodRecord {
            project: self.project,
            signature: method.signature.to_string(),
            contexts: contexts.collect(),
            words,
        };
        self.methods.push(record);
        let place = narrow(self.methods.len() - 1);
        self.known_methods.insert(method.key, place);
        place
    }
}

/// A hash of the multiset of a graph's paths: equal for graphs that have the same paths equally often.
pub(super) fn path_bag(graph: &Graph<'_>) -> u64 {
    let paths = graph.paths.iter().map(|path| {
        let mut text = String::new();
        for (at, element) in path.iter().enumerate() {
            if at % 2 == 0 {
                text.push_str(&graph.nodes[*element as usize].text);
            } else {
                text.push('\t');
                text.push_str(&graph.edges[*element as usize].operation);
                text.push('\t');
            }
        }
        text
    });
    bag(paths)
}

/// A hash of a multiset of texts: equal for lists that have the same texts equally often, in any order.
pub(super) fn bag(texts: impl Iterator<Item = impl AsRef<str>>) -> u64 {
    let mut hashes: Vec<u64> = texts.map(|it| stored_hash(it.as_ref().as_bytes())).collect();
    hashes.sort_unstable();
    let bytes: Vec<u8> = hashes.iter().flat_map(|it| it.to_le_bytes()).collect();
    stored_hash(&bytes)
}
