//! Features of analysed tests: what a model may see of them, read from sources, graphs and calls.
//!
//! A [`FeatureReader`] reads tests class by class on the thread that analysed them. Texts stay slices of the sources.
//! Words of the class around a test and calls of its setup are read once for all tests of a class. The texts of graphs
//! are made when a model asks for paths.

use std::borrow::Cow;
use std::sync::{Arc, RwLock};

use peeler_features::graph::{Edge, Graph, Method, MethodKey, MethodWords, Node};
use peeler_features::{
    CallList, CauseFeature, FlowFeature, GraphFeatures, LibraryCall, NodeMark, OracleFeature, ReachedCode,
    TestFeatures, TextList, sub_tokens,
};
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::causes::{CauseCatalogue, CauseFinder, CauseKinds};
use crate::code_under_test::{CutMethodId, PathContext};
use crate::extraction::{CutView, EdgeView};
use crate::flows::{FlowFinder, TestFlows};
use crate::nondeterminism_features::{cause_features, flow_feature};
use crate::oracle_features::oracle_features;
use crate::paths::Limits;
use crate::reach::{Reachability, ReachableCode};
use crate::repository::narrow;
use crate::symbols::ids::FileId;
use crate::traced::TracedTest;
use crate::walk::MAX_DEPTH;

/// The maximum number of path contexts of a method: pairs of tokens with the syntax tree path between them.
const MOST_CONTEXTS: usize = 64;

/// Selection of the features that are slow to compute and that only some models need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureSelection {
    /// Whether the path contexts of method bodies are computed: pairs of tokens with the syntax tree path between them.
    pub path_contexts: bool,
    /// Whether causes of flakiness are searched, such as clock reads and other entries of the catalogue of causes.
    pub causes: bool,
    /// The maximum number of nested calls into the repository's code that are followed from a test.
    pub call_depth: usize,
}

impl FeatureSelection {
    /// Selects all features, including those that are slow to compute.
    pub const EVERYTHING: Self = Self {
        path_contexts: true,
        causes: true,
        call_depth: MAX_DEPTH,
    };

    /// Selects none of the features that are slow to compute.
    pub const CHEAPEST: Self = Self {
        path_contexts: false,
        causes: false,
        call_depth: 0,
    };
}

/// A cache of the path contexts of method bodies: pairs of tokens with the syntax tree path between them.
type KnownContexts = RwLock<FxHashMap<CutMethodId, Arc<[PathContext]>>>;

/// Reads the features of tests, which models learn from and predict with.
pub struct FeatureReader<'a, 'r> {
    analysis: &'a Analysis<'r>,
    selection: FeatureSelection,
    causes: CauseFinder<'a, 'r>,
    flows: FlowFinder<'a, 'r>,
    contexts: Option<Arc<KnownContexts>>,
}

/// A test with what a model may see of it: graph, paths, words, reachable library calls, causes and flows.
#[derive(Debug)]
pub struct AnalysedTest<'a> {
    /// The test with its dependency graph and contextual paths.
    pub traced: TracedTest<'a>,
    /// The library calls that the test can reach, from its body and from its setup.
    pub reach: Reachability<'a>,
    /// The flows of nondeterminism that rules find in the test, and the state that it shares with other tests.
    pub flows: TestFlows,
    /// The source of the test's method, from its name to its closing brace.
    method: &'a str,
    words: Vec<Cow<'a, str>>,
    calls: Vec<LibraryCall<'a>>,
    causes: Vec<CauseFeature<'static>>,
    flow_features: Vec<FlowFeature>,
    oracles: Vec<OracleFeature<'a>>,
    /// The number of method bodies that were not followed because the test reaches too many.
    dropped_bodies: usize,
    class: Arc<ClassFeatures<'a>>,
}

impl AnalysedTest<'_> {
    /// Whether a limit left out a part of the dependency graph, of the code that the test can reach, or of the test
    /// class.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.dropped_bodies + self.traced.dropped_nodes + self.class.dropped_texts > 0
    }
}

/// Features that all tests of a class have in common.
#[derive(Debug, Default)]
struct ClassFeatures<'a> {
    context_words: Vec<Cow<'a, str>>,
    /// The number of source texts of the test class, such as fields and setup methods, that were left out because it is
    /// too long.
    dropped_texts: usize,
    setup_calls: Vec<LibraryCall<'a>>,
}

/// Tests of one repository with what a model may see of them.
pub struct AnalysedTests<'a, 'r> {
    analysis: &'a Analysis<'r>,
    contexts: Option<Arc<KnownContexts>>,
    tests: Vec<AnalysedTest<'a>>,
}

impl<'a, 'r> FeatureReader<'a, 'r> {
    /// A reader of the selected features of tests. `catalogue` lists the causes of flakiness to find.
    #[must_use]
    pub fn new(analysis: &'a Analysis<'r>, catalogue: &'a CauseCatalogue, selection: FeatureSelection) -> Self {
        Self {
            analysis,
            selection,
            causes: CauseFinder::new(analysis, catalogue).within(selection.call_depth),
            flows: FlowFinder::new(analysis),
            contexts: selection.path_contexts.then(Arc::default),
        }
    }

    /// The files that the flows of a test depend on, in addition to [`TestFlows::files`]. A change of one of them can
    /// add or remove flows.
    #[must_use]
    pub fn grounds(&self, traced: &TracedTest<'_>) -> Vec<FileId> {
        self.flows.grounds(traced)
    }

    /// Reads the wanted tests of the repository class by class. `map` gets the tests of a class on the thread that
    /// analysed them. `each` gets the results of `map` in the order of the classes, on the calling thread.
    ///
    /// Several modules may contain a copy of one test; every copy is read.
    pub fn read_classes<T: Send>(
        &self,
        limits: Limits,
        wanted: impl Fn(&str) -> bool + Sync,
        map: impl Fn(AnalysedTests<'a, 'r>) -> T + Sync,
        each: impl FnMut(T),
    ) {
        let class = |tests| map(self.class(tests));
        self.analysis
            .extract_classes(limits, wanted, |traced| self.test(traced), class, each);
    }

    /// Reads the features of one test, without those that all tests of its class share.
    fn test(&self, traced: TracedTest<'a>) -> AnalysedTest<'a> {
        let method = self.analysis.method_text(&traced);
        let reach = self.analysis.reach(&traced, self.selection.call_depth);
        let causes = if self.selection.causes {
            self.causes.kinds(&traced)
        } else {
            CauseKinds::default()
        };
        let flows = self.flows.flows(&traced);
        let dropped_bodies = causes.dropped_bodies + reach.body.dropped_bodies + reach.setup.dropped_bodies;
        AnalysedTest {
            method,
            words: sub_tokens(method).collect(),
            calls: library_calls(&reach.body),
            causes: cause_features(causes),
            flow_features: flows.flows.iter().map(flow_feature).collect(),
            oracles: oracle_features(&traced),
            flows,
            dropped_bodies,
            class: Arc::default(),
            reach,
            traced,
        }
    }

    /// Completes the tests of one class with the features that they share, such as calls of the setup.
    fn class(&self, mut tests: Vec<AnalysedTest<'a>>) -> AnalysedTests<'a, 'r> {
        if let Some(first) = tests.first() {
            let context = self.analysis.context(&first.traced);
            let shared = Arc::new(ClassFeatures {
                context_words: context.texts.into_iter().flat_map(sub_tokens).collect(),
                dropped_texts: context.dropped,
                setup_calls: library_calls(&first.reach.setup),
            });
            for test in &mut tests {
                test.class = shared.clone();
            }
        }
        AnalysedTests {
            analysis: self.analysis,
            contexts: self.contexts.clone(),
            tests,
        }
    }
}

impl<'a, 'r> AnalysedTests<'a, 'r> {
    /// The number of tests in this collection.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// Whether this collection has no test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// The analysis of the repository that contains the tests.
    #[must_use]
    pub fn analysis(&self) -> &'a Analysis<'r> {
        self.analysis
    }

    /// Appends other tests of the same repository.
    pub fn extend(&mut self, other: Self) {
        self.tests.extend(other.tests);
    }

    /// The tests, in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = &AnalysedTest<'a>> {
        self.tests.iter()
    }

    /// The features of every test, in the order of the tests.
    #[must_use]
    pub fn features<'t>(&'t self) -> Vec<TestFeatures<'t>>
    where
        'r: 't,
    {
        self.tests.iter().map(|it| self.features_of(it)).collect()
    }

    fn features_of<'t>(&'t self, test: &'t AnalysedTest<'a>) -> TestFeatures<'t> {
        let traced = &test.traced;
        TestFeatures {
            name: &test.traced.case.name,
            lines: u32::try_from(test.method.lines().count()).unwrap_or(u32::MAX),
            tokens: TextList::Parts(test.method),
            words: TextList::Slice(&test.words),
            context_words: TextList::Slice(&test.class.context_words),
            body: ReachedCode {
                calls: CallList::Slice(&test.calls),
                bodies: test.reach.body.bodies,
            },
            setup: ReachedCode {
                calls: CallList::Slice(&test.class.setup_calls),
                bodies: test.reach.setup.bodies,
            },
            causes: Cow::Borrowed(&test.causes),
            flows: Cow::Borrowed(&test.flow_features),
            oracles: Cow::Borrowed(&test.oracles),
            graph: GraphFeatures::new(traced.node_count(), traced.path_count(), move || self.graph(traced)),
        }
    }

    /// The dependency graph and the contextual paths of a test, with texts for a model.
    fn graph<'t>(&'t self, traced: &'t TracedTest<'a>) -> Graph<'t> {
        let extraction = self.analysis.extraction(traced);
        let nodes = extraction.nodes.into_iter().map(|it| Node {
            text: it.text,
            kind: it.kind,
            mark: NodeMark::new(it.start, it.assert),
            line: it.line,
        });
        let methods = extraction.cut_methods.into_iter().map(|it| Method {
            key: method_key(it.id),
            signature: it.method.into(),
            words: MethodWords::Source(self.analysis.method_source(it.id)),
            contexts: self.contexts_of(it.id),
        });
        let path = |elements: &[usize]| elements.iter().map(|at| narrow(*at)).collect();
        Graph {
            nodes: nodes.collect(),
            methods: methods.collect(),
            edges: extraction.edges.into_iter().map(edge).collect(),
            paths: extraction.paths.iter().map(|it| path(&it.elements)).collect(),
        }
    }

    /// The first path contexts of a method body, at most [`MOST_CONTEXTS`]; empty if [`FeatureSelection`] excludes
    /// them. A path context is a pair of tokens with the syntax tree path between them.
    fn contexts_of<'t>(&self, id: CutMethodId) -> Vec<peeler_features::graph::PathContext<'t>> {
        let Some(contexts) = &self.contexts else {
            return Vec::new();
        };
        let known = contexts.read().expect("no holder panics").get(&id).cloned();
        let contexts = known.unwrap_or_else(|| {
            let mut own = self.analysis.cut_method(id, 0).path_contexts;
            own.truncate(MOST_CONTEXTS);
            let mut contexts = contexts.write().expect("no holder panics");
            contexts.entry(id).or_insert(own.into()).clone()
        });
        let contexts = contexts.iter().map(|it| peeler_features::graph::PathContext {
            from: it.from.clone().into(),
            way: it.path.clone().into(),
            to: it.to.clone().into(),
        });
        contexts.collect()
    }
}

impl<'a> IntoIterator for AnalysedTests<'a, '_> {
    type Item = AnalysedTest<'a>;
    type IntoIter = std::vec::IntoIter<AnalysedTest<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.tests.into_iter()
    }
}

fn edge(edge: EdgeView<'_>) -> Edge<'_> {
    let methods = match edge.cut {
        Some(CutView::Resolved {
            declaration,
            implementations,
        }) => {
            let all = std::iter::once(declaration).chain(implementations);
            all.map(narrow).collect()
        }
        Some(CutView::Type(_)) | None => Vec::new(),
    };
    Edge {
        from: narrow(edge.from),
        to: narrow(edge.to),
        operation: edge.operation,
        kind: edge.kind,
        methods,
    }
}

fn method_key(id: CutMethodId) -> MethodKey {
    MethodKey(u64::from(id.0.owner.0) << 32 | u64::from(id.0.index))
}

fn library_calls<'r>(code: &ReachableCode<'r>) -> Vec<LibraryCall<'r>> {
    let calls = code.calls.iter().map(|it| LibraryCall {
        depth: it.depth,
        owner: it.type_,
        method: it.method,
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use peeler_features::graph::Edge;
    use peeler_features::{CauseFeature, FlowOutcome, FlowPlace};

    use super::{FeatureReader, FeatureSelection};
    use crate::analysis::Analysis;
    use crate::causes::{CauseCatalogue, CauseKind, ExtraCause};
    use crate::paths::Limits;
    use crate::repository::Repository;

    const JAVA: &str = "import org.junit.*; public class ShopTest {\n\
        Shop shop = new Shop(System.getenv(\"SHOP\"));\n\
        @Test public void pays() { Assert.assertEquals(1, shop.pay(2)); }\n\
        @Test public void waits() { Thread.yield(); Thread.sleep(50); Assert.assertTrue(shop.pay(3) > 0); } }\n\
        class Shop { Shop(String name) {} int pay(int sum) { return Gate.call(sum); } }\n\
        class Gate { static int call(int sum) { return sum; } }";

    /// Analyses the sample class `ShopTest`, which has two tests, and applies `read` to the features of these tests.
    fn check<T: Send>(
        catalogue: &CauseCatalogue,
        read: impl Fn(&[peeler_features::TestFeatures<'_>]) -> T + Sync,
    ) -> T {
        let repository = Repository::from_sources(vec![("ShopTest.java".into(), JAVA.into())]);
        let analysis = Analysis::new(&repository);
        let mut all = Vec::new();
        let reader = FeatureReader::new(&analysis, catalogue, FeatureSelection::EVERYTHING);
        reader.read_classes(
            Limits::default(),
            |_| true,
            |tests| read(&tests.features()),
            |it| all.push(it),
        );
        all.pop().expect("one class")
    }

    #[test]
    fn a_cause_of_the_teams_own_is_a_feature() {
        let extra = ExtraCause {
            kind: CauseKind::Network,
            owner: "Gate".to_owned(),
            method: "call".to_owned(),
            what: None,
        };
        let is_network = |it: &CauseFeature<'_>| {
            matches!(
                it,
                CauseFeature::Nearest {
                    kind: CauseKind::Network,
                    depth: 1
                }
            )
        };
        let has_network = |catalogue: &CauseCatalogue| check(catalogue, |tests| tests[0].causes.iter().any(is_network));
        assert!(!has_network(CauseCatalogue::shipped()));
        assert!(has_network(&CauseCatalogue::with_extra(&[extra])));
    }

    #[test]
    fn flows_are_features_of_a_test() {
        check(CauseCatalogue::shipped(), |tests| {
            let rules = |at: usize| tests[at].flows.iter().map(|it| it.rule.id()).collect::<Vec<_>>();
            assert_eq!([rules(0), rules(1)], [vec![], vec!["PLR201", "PLR207"]]);
            let flow = tests[1].flows[0];
            assert_eq!((flow.outcome, flow.place), (FlowOutcome::Unsettled, FlowPlace::Body));
        });
    }

    #[test]
    fn tests_of_a_class_share_context_and_setup() {
        check(CauseCatalogue::shipped(), |tests| {
            let [first, second] = tests else {
                panic!("two tests");
            };
            assert_eq!((first.name.as_str(), first.lines), ("ShopTest#pays", 1));
            assert!(first.context_words.is_same_as(&second.context_words));
            assert!(first.setup.calls.is_same_as(&second.setup.calls));
            assert!(first.setup.calls.iter().any(|it| it.method == "getenv"));
            assert!(first.context_words.iter().any(|it| it == "getenv"));
            assert!(second.words.iter().any(|it| it == "yield"));
        });
    }

    #[test]
    fn the_graph_is_as_large_as_it_says_and_refers_to_its_methods() {
        check(CauseCatalogue::shipped(), |tests| {
            for test in tests {
                let graph = test.graph.read();
                assert_eq!(graph.nodes.len(), test.graph.node_count());
                assert_eq!(graph.paths.len(), test.graph.path_count());
                let signatures = graph.edges.iter().filter_map(Edge::method);
                let signatures: Vec<&str> = signatures
                    .map(|at| graph.methods[at as usize].signature.as_ref())
                    .collect();
                assert!(signatures.contains(&"Shop#pay(int)"), "{signatures:?}");
            }
        });
    }
}
