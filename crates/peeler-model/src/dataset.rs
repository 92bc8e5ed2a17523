//! Tests as numbers: every distinct text, edge, tuple and method once, paths as lists of tuples.
//!
//! A path `n1 -e1-> n2 -e2-> n3` is the tuples `(n1,e1) (n2,e2) (n3,-)`. Nothing here depends on training
//! data: names are numbered as they come, and a [`crate::Vocabulary`] says later which row stands for each.

use peeler_features::sub_tokens;
use peeler_features::texts::TextSet;
use peeler_features::{MAX_DEPTH, Sample, Tables};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sub-tokens read of one text.
const MOST_SUB_TOKENS: usize = 14;
/// Sub-tokens read of one method body.
const MOST_BODY_WORDS: usize = 64;
/// Numbers that describe a test as a whole.
pub(crate) const MEASURES: usize = 21;
/// Two calls away or three makes little difference.
pub(crate) const FAR: usize = 2;
const NODE_KINDS: [&str; 3] = ["<variable>", "<literal>", "<call>"];

/// Tests, ready to be read by a network.
#[derive(Debug, Default)]
pub struct Dataset {
    pub(crate) tokens: TextSet,
    pub(crate) calls: TextSet,
    pub(crate) causes: TextSet,
    pub(crate) ways: TextSet,
    /// Sub-tokens of the distinct texts of nodes and edges.
    pub(crate) texts: Vec<Vec<u32>>,
    pub(crate) methods: Vec<Body>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) tuples: Vec<Tuple>,
    /// The tests in the order in which they were given.
    pub(crate) tests: Vec<EncodedTest>,
}

/// How much of a dataset occurs more than once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Paths of all tests,
    pub paths: usize,
    /// and those that differ.
    pub distinct_paths: usize,
    /// Steps of all paths,
    pub steps: usize,
    /// their distinct tuples of node and edge,
    pub tuples: usize,
    /// and the distinct beginnings of the paths of each test: the steps that a network has to take.
    pub beginnings: usize,
}

/// A method of the repository.
#[derive(Debug, Default)]
pub(crate) struct Body {
    pub(crate) words: Vec<u32>,
    /// Token, way, token.
    pub(crate) contexts: Vec<[u32; 3]>,
}

/// An edge: its text and, through code under test, the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Edge {
    pub(crate) text: u32,
    pub(crate) method: Option<u32>,
}

/// A node with the edge that leaves it; the last node of a path has the edge of nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Tuple {
    pub(crate) node: u32,
    pub(crate) edge: u32,
}

/// One test.
#[derive(Debug)]
pub(crate) struct EncodedTest {
    pub(crate) project: u32,
    /// Distinct, sorted.
    pub(crate) words: Vec<u32>,
    pub(crate) context: Vec<u32>,
    pub(crate) calls: Vec<u32>,
    pub(crate) causes: Vec<u32>,
    pub(crate) measures: [f32; MEASURES],
    /// Tuples from the source to the assertion; at least one path, of nothing where the test has none. Empty where paths
    /// were not encoded.
    pub(crate) paths: Vec<Vec<u32>>,
}

/// How much of a test is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// All that a network asks for.
    Everything,
    /// All but the paths, which take longest.
    Glance,
}

impl Dataset {
    /// Encodes samples of one corpus, with what lies up to `depth` calls away from them.
    #[must_use]
    pub fn new(samples: &[&Sample], tables: Tables<'_>, depth: usize) -> Self {
        Self::of(samples, tables, depth, Reading::Everything)
    }

    /// The same with as much of them as is read.
    #[must_use]
    pub fn of(samples: &[&Sample], tables: Tables<'_>, depth: usize, reading: Reading) -> Self {
        let mut encoding = Encoding {
            tables,
            depth,
            out: Self::default(),
            texts: FxHashMap::default(),
            edges: FxHashMap::default(),
            tuples: FxHashMap::default(),
            methods: FxHashMap::default(),
            words: vec![u32::MAX; tables.strings.len()],
            calls: FxHashMap::default(),
            context: (Vec::new(), Vec::new()),
        };
        for sample in samples {
            let paths = match reading {
                Reading::Everything => encoding.paths(sample),
                Reading::Glance => Vec::new(),
            };
            let test = encoding.test(sample, paths);
            encoding.out.tests.push(test);
        }
        encoding.out
    }

    /// Number of tests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// What paths have in common.
    #[must_use]
    pub fn sharing(&self) -> Sharing {
        let mut sharing = Sharing {
            tuples: self.tuples.len(),
            ..Sharing::default()
        };
        let mut distinct: FxHashSet<&[u32]> = FxHashSet::default();
        for test in &self.tests {
            let mut own: FxHashSet<&[u32]> = FxHashSet::default();
            for path in &test.paths {
                sharing.paths += 1;
                sharing.steps += path.len();
                distinct.insert(path);
                own.extend((1..=path.len()).map(|end| &path[..end]));
            }
            sharing.beginnings += own.len();
        }
        sharing.distinct_paths = distinct.len();
        sharing
    }

    /// Whether there is no test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }
}

/// What a text stands for; the same text as node and as edge are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Node { kind: u8, marks: u8 },
    Edge { kind: u8 },
    Nothing,
}

struct Encoding<'c> {
    tables: Tables<'c>,
    /// Nothing further away is read.
    depth: usize,
    out: Dataset,
    texts: FxHashMap<(u32, Role), u32>,
    edges: FxHashMap<Edge, u32>,
    tuples: FxHashMap<Tuple, u32>,
    methods: FxHashMap<u32, u32>,
    /// The number of every text that is one sub-token, and was met; `u32::MAX` of others,
    words: Vec<u32>,
    /// and of one that is a call, by its origin and distance.
    calls: FxHashMap<(u8, usize, u32), u32>,
    /// What stands around the test that came last, which is often that of the next, as texts and as names.
    context: (Vec<u32>, Vec<u32>),
}

impl Encoding<'_> {
    /// At least one path for a test to attend to.
    fn paths(&mut self, sample: &Sample) -> Vec<Vec<u32>> {
        let graph = &sample.graph;
        let nodes: Vec<u32> = graph
            .nodes
            .iter()
            .map(|it| {
                let (kind, marks) = (it.kind, it.marks);
                self.text(it.text, Role::Node { kind, marks })
            })
            .collect();
        let edges: Vec<u32> = graph
            .edges
            .iter()
            .map(|it| {
                let text = self.text(it.operation, Role::Edge { kind: it.kind });
                // An abstract method says less than its implementation.
                let method = it.methods.last().map(|at| self.method(*at));
                self.edge(Edge { text, method })
            })
            .collect();
        let nothing = self.nothing();
        let mut paths: Vec<Vec<u32>> = graph
            .paths
            .iter()
            .map(|path| {
                path.chunks(2)
                    .map(|step| {
                        let edge = step.get(1).map_or(nothing, |at| edges[*at as usize]);
                        let node = nodes[step[0] as usize];
                        self.tuple(Tuple { node, edge })
                    })
                    .collect()
            })
            .collect();
        if paths.is_empty() {
            let node = self.out.edges[nothing as usize].text;
            paths.push(vec![self.tuple(Tuple { node, edge: nothing })]);
        }
        paths
    }

    /// A test with the paths that were read.
    fn test(&mut self, sample: &Sample, paths: Vec<Vec<u32>>) -> EncodedTest {
        let depth = self.depth;
        let calls = sample.reach.calls.iter().filter(|it| usize::from(it.depth) <= depth);
        let calls = calls.map(|it| {
            let (origin, depth) = (it.origin, usize::from(it.depth).min(FAR));
            let number = || {
                let name = &self.tables.strings[it.call as usize];
                self.out.calls.number(&format!("{origin}{depth} {name}"))
            };
            *self.calls.entry((origin, depth, it.call)).or_insert_with(number)
        });
        let calls = distinct(calls.collect());
        EncodedTest {
            project: sample.project,
            words: self.words(&sample.words),
            context: self.context(&sample.context_words),
            calls,
            causes: self.causes(&sample.causes),
            measures: sizes(sample).measures(depth),
            paths,
        }
    }

    fn causes(&mut self, texts: &[u32]) -> Vec<u32> {
        let texts = texts.iter().map(|it| self.tables.strings[*it as usize].as_str());
        let is_read = |it: &&str| is_cause_within(self.depth, it);
        let causes = &mut self.out.causes;
        distinct(texts.filter(is_read).map(|it| causes.number(it)).collect())
    }

    fn context(&mut self, texts: &[u32]) -> Vec<u32> {
        if self.context.0 != texts {
            self.context = (texts.to_vec(), self.words(texts));
        }
        self.context.1.clone()
    }

    fn words(&mut self, texts: &[u32]) -> Vec<u32> {
        let tables = self.tables;
        let tokens = &mut self.out.tokens;
        let numbers = texts.iter().map(|text| {
            let number = &mut self.words[*text as usize];
            if *number == u32::MAX {
                *number = tokens.number(&tables.strings[*text as usize]);
            }
            *number
        });
        distinct(numbers.collect())
    }

    fn text(&mut self, text: u32, role: Role) -> u32 {
        if let Some(&known) = self.texts.get(&(text, role)) {
            return known;
        }
        let mut tokens: Vec<u32> = sub_tokens(&self.tables.strings[text as usize])
            .take(MOST_SUB_TOKENS)
            .map(|it| self.out.tokens.number(&it))
            .collect();
        match role {
            Role::Node { kind, marks } => {
                tokens.push(self.out.tokens.number(NODE_KINDS[usize::from(kind).min(2)]));
                if marks != 0 {
                    let mark = if marks & 1 == 1 { "<start>" } else { "<assert>" };
                    tokens.push(self.out.tokens.number(mark));
                }
            }
            Role::Edge { kind } => tokens.push(self.out.tokens.number(&format!("<edge {kind}>"))),
            Role::Nothing => {}
        }
        self.out.texts.push(tokens);
        let number = narrow(self.out.texts.len() - 1);
        self.texts.insert((text, role), number);
        number
    }

    /// The edge behind the last node.
    fn nothing(&mut self) -> u32 {
        let known = self.texts.get(&(u32::MAX, Role::Nothing)).copied();
        let text = known.unwrap_or_else(|| {
            let end = self.out.tokens.number("<end>");
            self.out.texts.push(vec![end]);
            let number = narrow(self.out.texts.len() - 1);
            self.texts.insert((u32::MAX, Role::Nothing), number);
            number
        });
        self.edge(Edge { text, method: None })
    }

    fn edge(&mut self, edge: Edge) -> u32 {
        let edges = &mut self.out.edges;
        *self.edges.entry(edge).or_insert_with(|| {
            edges.push(edge);
            narrow(edges.len() - 1)
        })
    }

    fn tuple(&mut self, tuple: Tuple) -> u32 {
        let tuples = &mut self.out.tuples;
        *self.tuples.entry(tuple).or_insert_with(|| {
            tuples.push(tuple);
            narrow(tuples.len() - 1)
        })
    }

    fn method(&mut self, at: u32) -> u32 {
        if let Some(&known) = self.methods.get(&at) {
            return known;
        }
        let record = &self.tables.methods[at as usize];
        let strings = self.tables.strings;
        // The first ones as they stand in the body: numbers depend on which tests came before.
        let mut seen = FxHashSet::default();
        let mut first = record.words.clone();
        first.retain(|it| seen.len() < MOST_BODY_WORDS && seen.insert(*it));
        let words = self.words(&first);
        let contexts = record
            .contexts
            .iter()
            .map(|&[from, way, to]| {
                let end = |text: u32| sub_tokens(&strings[text as usize]).last().unwrap_or_default();
                [
                    self.out.tokens.number(&end(from)),
                    self.out.ways.number(&strings[way as usize]),
                    self.out.tokens.number(&end(to)),
                ]
            })
            .collect();
        self.out.methods.push(Body { words, contexts });
        let number = narrow(self.out.methods.len() - 1);
        self.methods.insert(at, number);
        number
    }
}

fn sizes(sample: &Sample) -> Sizes {
    let reach = &sample.reach;
    let mut calls = [[0; MAX_DEPTH + 1]; 2];
    for call in &reach.calls {
        calls[usize::from(call.origin)][usize::from(call.depth)] += 1;
    }
    Sizes {
        lines: sample.lines,
        paths: sample.graph.paths.len(),
        nodes: sample.graph.nodes.len(),
        words: sample.words.len(),
        context_words: sample.context_words.len(),
        bodies: reach.bodies,
        calls,
    }
}

pub(crate) fn distinct(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Causes are written `kind depth`, and `first ...` for the one that a report names, wherever it may be.
pub(crate) fn is_cause_within(depth: usize, cause: &str) -> bool {
    if depth >= MAX_DEPTH {
        return true;
    }
    let end = cause.rsplit_once(' ').and_then(|(_, end)| end.parse::<usize>().ok());
    !cause.starts_with("first ") && end.is_none_or(|it| it <= depth)
}

/// The size of a test and of what it reaches.
pub(crate) struct Sizes {
    pub(crate) lines: u32,
    pub(crate) paths: usize,
    pub(crate) nodes: usize,
    pub(crate) words: usize,
    pub(crate) context_words: usize,
    /// How many bodies of the repository are reached, by origin and depth,
    pub(crate) bodies: [[u32; MAX_DEPTH + 1]; 2],
    /// and how many library calls.
    pub(crate) calls: [[u32; MAX_DEPTH + 1]; 2],
}

impl Sizes {
    /// Logarithms of counts: length, what is reached by origin and depth, size of the graph.
    pub(crate) fn measures(self, deepest: usize) -> [f32; MEASURES] {
        let sizes = [self.paths, self.nodes, self.words, self.context_words].map(narrow);
        let reached = self.bodies.iter().chain(&self.calls).flat_map(|by_depth| {
            let counts = by_depth.iter().enumerate();
            counts.map(|(depth, count)| if depth <= deepest { *count } else { 0 })
        });
        let mut measures = [0.0; MEASURES];
        for (measure, count) in measures
            .iter_mut()
            .zip([self.lines].into_iter().chain(sizes).chain(reached))
        {
            #[allow(clippy::cast_precision_loss)]
            let count = count as f32;
            *measure = count.ln_1p();
        }
        measures
    }
}

pub(crate) fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("datasets have fewer than four billion of anything")
}
