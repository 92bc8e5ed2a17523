//! The stored form of the tests of a corpus: texts are indices into a text table.

use peeler_features::graph::{Edge, Graph, Method, MethodKey, MethodWords, Node, PathContext};
use peeler_features::{
    CallList, CauseFeature, CauseKind, Coded, FlowFeature, FlowOutcome, FlowPlace, GraphFeatures, LiteralMeasure,
    LiteralRole, MAX_DEPTH, NodeKind, NodeMark, NumberedCall, OperationKind, OracleFeature, ReachedCode, Rule,
    TestFeatures, TestName, TextId, TextList,
};
use peeler_learning::predictor::{KindLabels, Label};
use serde::{Deserialize, Serialize};

/// One labelled test as a corpus file stores it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestRecord {
    /// Index of the test's project in the corpus.
    pub project: u32,
    /// The number of the test's group: tests of one outermost class, and of classes that inherit a test from the same
    /// class.
    pub group: u32,
    /// The number of the test's family: all tests whose classes share a superclass of the repository.
    pub family: u32,
    /// Whether the test is flaky.
    pub flaky: bool,
    /// The category of flakiness, such as `OD` for order-dependent, if the label names one.
    pub category: Option<String>,
    /// The numbers of failed and passed runs of the test, if they were counted.
    pub runs: Option<(u64, u64)>,
    /// The path of the test's file, relative to the root of its project.
    pub file: String,
    /// The line of the test in its file.
    pub line: u32,
    /// A hash that is equal for tests whose graphs have the same paths equally often.
    pub path_bag: u64,
    /// A hash that is equal for tests that have the same tokens equally often.
    pub token_bag: u64,
    /// Everything that a model may see of the test.
    pub features: FeatureRecord,
}

/// The stored form of [`TestFeatures`]: everything that a model may see of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureRecord {
    /// The name of the test.
    pub name: TestName,
    /// The number of lines of the test method.
    pub lines: u32,
    /// White-space separated tokens of the test method, in order.
    pub tokens: Vec<TextId>,
    /// Lower-case sub-tokens of the test method, in order: `get` and `name` for `getName`.
    pub words: Vec<TextId>,
    /// Lower-case sub-tokens of the test's class, its imports, its fields and its setup: `get` and `name` for
    /// `getName`.
    pub context_words: Vec<TextId>,
    /// The code reachable from the body of the test.
    pub body: CodeRecord,
    /// The code reachable from the setup of the test's class.
    pub setup: CodeRecord,
    /// The causes of nondeterminism that the catalogue of causes finds in the test.
    pub causes: Vec<CauseRecord>,
    /// The flows of nondeterminism that rules find in the test, settled ones among them.
    pub flows: Vec<FlowRecord>,
    /// What the assertions of the test compare.
    pub oracles: Vec<OracleRecord>,
    /// The dependency graph of the test, with its contextual paths.
    pub graph: GraphRecord,
}

/// The stored form of [`ReachedCode`]: library calls and method bodies that a test can reach.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeRecord {
    /// The library calls that the test can reach, sorted by the number of calls on the way to them, fewest first.
    pub calls: Vec<NumberedCall>,
    /// How many bodies of the repository's methods and initialisers the test can reach. The index is the number of
    /// calls between the test and the body.
    pub bodies: [u32; MAX_DEPTH + 1],
}

/// The stored form of [`CauseFeature`]: a feature about the causes of nondeterminism in a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CauseRecord {
    /// A kind of cause, and the number of calls between the test and its nearest cause of this kind.
    Nearest(Coded<CauseKind>, u8),
    /// The kind of the test's first cause. Causes on contextual paths to assertions come before others.
    First(Coded<CauseKind>),
    /// The description of the test's first cause, such as `reads the clock`.
    FirstDescription(TextId),
}

/// The stored form of [`FlowFeature`]: a flow of nondeterminism in a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowRecord {
    /// The rule that finds the flow.
    pub rule: Coded<Rule>,
    /// Whether an operation such as a sort makes the flow harmless.
    pub outcome: Coded<FlowOutcome>,
    /// The code that contains the source of the flow.
    pub place: Coded<FlowPlace>,
    /// Whether the flow is known to reach an assertion that notices it.
    pub is_noticed: bool,
    /// The calls from the test to the source of the flow, as in [`FlowFeature`].
    pub calls: u8,
    /// Whether at least two elements are known to be in the undefined order; true for flows that are about no order.
    pub is_sure: bool,
}

impl From<FlowFeature> for FlowRecord {
    fn from(feature: FlowFeature) -> Self {
        Self {
            rule: Coded(feature.rule),
            outcome: Coded(feature.outcome),
            place: Coded(feature.place),
            is_noticed: feature.is_noticed,
            calls: feature.calls,
            is_sure: feature.is_sure,
        }
    }
}

impl From<FlowRecord> for FlowFeature {
    fn from(record: FlowRecord) -> Self {
        Self {
            rule: record.rule.0,
            outcome: record.outcome.0,
            place: record.place.0,
            is_noticed: record.is_noticed,
            calls: record.calls,
            is_sure: record.is_sure,
        }
    }
}

/// The stored form of [`OracleFeature`]: a feature about what the assertions of a test compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OracleRecord {
    /// The role of literals, what is counted in them, and the number of binary digits of the count.
    Literals(Coded<LiteralRole>, Coded<LiteralMeasure>, u8),
    /// The operation whose result is compared, and whether the expected text has several parts.
    Actual(TextId, bool),
}

/// The stored form of [`Graph`]: the dependency graph of a test with its contextual paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphRecord {
    /// The nodes of the dependency graph.
    pub nodes: Vec<NodeRecord>,
    /// The edges of the dependency graph.
    pub edges: Vec<EdgeRecord>,
    /// The contextual paths, as alternating indices of nodes and edges.
    pub paths: Vec<Vec<u32>>,
}

impl GraphRecord {
    /// This graph with its size alone: as many nodes and paths, all of them empty.
    #[must_use]
    pub(crate) fn size_only(&self) -> Self {
        let node = NodeRecord {
            text: 0,
            kind: Coded(NodeKind::Variable),
            mark: Coded(NodeMark::Inner),
            line: 0,
        };
        Self {
            nodes: vec![node; self.nodes.len()],
            edges: Vec::new(),
            paths: vec![Vec::new(); self.paths.len()],
        }
    }

    /// Whether only the size of the graph is stored. In a stored graph lines begin at 1, and paths have a node.
    pub(crate) fn is_size_only(&self) -> bool {
        let has_empty_nodes = self.nodes.iter().all(|it| it.line == 0);
        !self.paths.is_empty() && has_empty_nodes && self.paths.iter().all(Vec::is_empty)
    }
}

/// The stored form of [`Node`]: a node of a dependency graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeRecord {
    /// The source text of the graph node.
    pub text: TextId,
    /// What the graph node stands for: a variable, a literal or a call.
    pub kind: Coded<NodeKind>,
    /// Whether data begins at the graph node and whether an assertion mentions it.
    pub mark: Coded<NodeMark>,
    /// The source line of the graph node.
    pub line: u32,
}

/// The stored form of [`Edge`]: an edge of a dependency graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeRecord {
    /// Index of the graph node that data comes from.
    pub from: u32,
    /// Index of the graph node that data goes to.
    pub to: u32,
    /// The text of the operation on the graph edge, such as the name of the called method.
    pub operation: TextId,
    /// The kind of the operation on the graph edge, such as a method call or an assignment.
    pub kind: Coded<OperationKind>,
    /// Methods of the repository that the operation on the edge may call, as indices in the corpus. The declared method
    /// comes first, then its implementations. Empty if no such method is known.
    pub methods: Vec<u32>,
}

/// The stored form of [`Method`]: a method of a repository that an edge of a dependency graph may call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodRecord {
    /// The index of the method's project in the corpus.
    pub project: u32,
    /// The signature of the method: `package.Class#method(Type)`.
    pub signature: String,
    /// Lower-case sub-tokens of the method's body, in order: `get` and `name` for `getName`.
    pub words: Vec<TextId>,
    /// AST path contexts of the method's body, as in code2vec: the first terminal, the syntax tree path, the last
    /// terminal.
    pub contexts: Vec<[TextId; 3]>,
}

impl TestRecord {
    /// Whether the test is flaky, and the category of its flakiness. Nothing is said about single kinds, which other
    /// tests of the corpus decide.
    #[must_use]
    pub fn label(&self) -> Label<'_> {
        Label {
            flaky: self.flaky,
            category: self.category.as_deref(),
            kinds: KindLabels::default(),
        }
    }
}

/// The record with `text` applied to every index of a text, and `method` to every index of a method.
pub(crate) fn renumbered(
    mut record: FeatureRecord,
    mut text: impl FnMut(TextId) -> TextId,
    mut method: impl FnMut(u32) -> u32,
) -> FeatureRecord {
    let mut renumber = |id: &mut TextId| *id = text(*id);
    for texts in [&mut record.tokens, &mut record.words, &mut record.context_words] {
        texts.iter_mut().for_each(&mut renumber);
    }
    for call in record.body.calls.iter_mut().chain(&mut record.setup.calls) {
        renumber(&mut call.owner);
        renumber(&mut call.method);
    }
    for cause in &mut record.causes {
        match cause {
            CauseRecord::FirstDescription(id) => renumber(id),
            CauseRecord::Nearest(..) | CauseRecord::First(_) => {}
        }
    }
    for oracle in &mut record.oracles {
        match oracle {
            OracleRecord::Actual(id, _) => renumber(id),
            OracleRecord::Literals(..) => {}
        }
    }
    record.graph.nodes.iter_mut().for_each(|it| renumber(&mut it.text));
    for edge in &mut record.graph.edges {
        renumber(&mut edge.operation);
        edge.methods.iter_mut().for_each(|it| *it = method(*it));
    }
    record
}

/// The text table and the method table of a corpus, which records refer to by index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tables<'c> {
    pub(crate) strings: &'c [String],
    pub(crate) methods: &'c [MethodRecord],
}

impl<'c> Tables<'c> {
    /// The features of a test, borrowed from its record.
    pub(crate) fn features(self, record: &'c FeatureRecord) -> TestFeatures<'c> {
        let graph = &record.graph;
        TestFeatures {
            name: &record.name,
            lines: record.lines,
            tokens: self.texts(&record.tokens),
            words: self.texts(&record.words),
            context_words: self.texts(&record.context_words),
            body: self.code(&record.body),
            setup: self.code(&record.setup),
            causes: record.causes.iter().map(|it| self.cause(*it)).collect(),
            flows: record.flows.iter().copied().map(FlowFeature::from).collect(),
            oracles: record.oracles.iter().map(|it| self.oracle(*it)).collect(),
            graph: GraphFeatures::new(graph.nodes.len(), graph.paths.len(), move || self.graph(graph)),
        }
    }

    fn text(self, id: TextId) -> &'c str {
        &self.strings[id as usize]
    }

    fn texts(self, numbers: &'c [TextId]) -> TextList<'c> {
        TextList::Numbered {
            numbers,
            table: self.strings,
        }
    }

    fn code(self, record: &'c CodeRecord) -> ReachedCode<'c> {
        ReachedCode {
            calls: CallList::Numbered {
                calls: &record.calls,
                table: self.strings,
            },
            bodies: record.bodies,
        }
    }

    fn cause(self, record: CauseRecord) -> CauseFeature<'c> {
        match record {
            CauseRecord::Nearest(Coded(kind), depth) => CauseFeature::Nearest { kind, depth },
            CauseRecord::First(Coded(kind)) => CauseFeature::First(kind),
            CauseRecord::FirstDescription(id) => CauseFeature::FirstDescription(self.text(id).into()),
        }
    }

    fn oracle(self, record: OracleRecord) -> OracleFeature<'c> {
        match record {
            OracleRecord::Literals(Coded(role), Coded(measure), digits) => {
                OracleFeature::Literals { role, measure, digits }
            }
            OracleRecord::Actual(id, has_parts) => OracleFeature::Actual {
                operation: self.text(id).into(),
                has_parts,
            },
        }
    }

    /// The dependency graph of a record, with the methods that its edges may call; empty if only its size is stored.
    fn graph(self, record: &'c GraphRecord) -> Graph<'c> {
        if record.is_size_only() {
            return Graph::default();
        }
        let mut places: Vec<u32> = record.edges.iter().flat_map(|it| &it.methods).copied().collect();
        places.sort_unstable();
        places.dedup();
        let place_of = |method: &u32| {
            let at = places.binary_search(method).expect("all methods of edges are listed");
            peeler_features::narrow(at)
        };
        let nodes = record.nodes.iter().map(|it| Node {
            text: self.text(it.text).into(),
            kind: it.kind.0,
            mark: it.mark.0,
            line: it.line,
        });
        let edges = record.edges.iter().map(|it| Edge {
            from: it.from,
            to: it.to,
            operation: self.text(it.operation).into(),
            kind: it.kind.0,
            methods: it.methods.iter().map(place_of).collect(),
        });
        Graph {
            nodes: nodes.collect(),
            edges: edges.collect(),
            methods: places.iter().map(|at| self.method(*at)).collect(),
            paths: record.paths.as_slice().into(),
        }
    }

    fn method(self, at: u32) -> Method<'c> {
        let record = &self.methods[at as usize];
        let contexts = record.contexts.iter().map(|ids| {
            let [from, way, to] = ids.map(|it| self.text(it).into());
            PathContext { from, way, to }
        });
        Method {
            key: MethodKey(at.into()),
            signature: record.signature.as_str().into(),
            words: MethodWords::Words(self.texts(&record.words)),
            contexts: contexts.collect(),
        }
    }
}
