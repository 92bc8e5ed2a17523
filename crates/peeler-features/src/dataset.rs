//! Tests as numbers: every distinct text, edge, tuple and method once, paths as lists of tuples.
//!
//! A path `n1 -e1-> n2 -e2-> n3` consists of the tuples `(n1,e1) (n2,e2) (n3,-)`. Nothing here depends on training
//! data: names are numbered in order of appearance. The vocabulary of a model later maps each to a row.

use rustc_hash::FxHashSet;

use crate::measures::MEASURES;
use crate::texts::TextSet;

/// Encoded tests, with the tables of texts, calls and graph parts that they refer to by index.
#[derive(Debug, Default)]
pub struct Dataset {
    /// The distinct sub-tokens of source texts, such as `get` and `name` of `getName`. Also tokens for kinds and marks
    /// of graph nodes and edges, such as `<call>`.
    pub tokens: TextSet,
    /// The names of distinct library calls, such as `01 Thread#sleep`: from a test body (0), one call away (1).
    pub calls: TextSet,
    /// The names of distinct causes of nondeterminism, such as `network 1` for network use that is one call away.
    pub causes: TextSet,
    /// The names of distinct flows of nondeterminism, such as `PLR101 body` for a flow that starts in the test body.
    pub flows: TextSet,
    /// The names of distinct features about what assertions compare, such as `expected keys 2`.
    pub oracles: TextSet,
    /// The distinct paths in syntax trees between two terminals of a method body.
    pub ways: TextSet,
    /// For each distinct text of graph nodes and edges, such as `getName`, its sub-tokens `get` and `name` as indices
    /// in `tokens`.
    pub texts: Vec<Vec<u32>>,
    /// The methods of repositories that edges of the tests' dependency graphs may call.
    pub methods: Vec<EncodedMethod>,
    /// The distinct edges of the dataset's graphs.
    pub edges: Vec<EncodedEdge>,
    /// The distinct steps of contextual paths: a graph node and the edge that leaves it.
    pub tuples: Vec<Tuple>,
    /// The tests in the order in which they were added.
    pub tests: Vec<EncodedTest>,
}

/// A method of a repository, with the words of its body as numbers.
#[derive(Debug, Default)]
pub struct EncodedMethod {
    /// The distinct sub-tokens of the method's body (`get` and `name` for `getName`), as ascending indices in
    /// [`Dataset::tokens`]. Of a long body only the first ones are kept.
    pub words: Vec<u32>,
    /// AST path contexts of the method's body, as in code2vec: numbers of a sub-token, a syntax tree path and a
    /// sub-token.
    pub contexts: Vec<[u32; 3]>,
}

/// An edge of a dependency graph: the numbers of its text and of the method that it calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EncodedEdge {
    /// The index in [`Dataset::texts`] of the edge's text, such as the name of a called method.
    pub text: u32,
    /// The index in [`Dataset::methods`] of the repository's method that the edge calls, or of an implementation of it.
    /// `None` if no such method is known.
    pub method: Option<u32>,
}

/// A step of a contextual path: a node with the edge that leaves it. The last node of a path has the edge `<end>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tuple {
    /// The index in [`Dataset::texts`] of the text of the graph node at this step of a contextual path.
    pub node: u32,
    /// The index in [`Dataset::edges`] of the edge from the node to the next one of the contextual path. The last node
    /// of a path has the edge `<end>`.
    pub edge: u32,
}

/// One test with its features as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedTest {
    /// The number of the test's project. Training uses it to weight projects equally; models do not read it.
    pub project: u32,
    /// The distinct sub-tokens of the test method (`get` and `name` for `getName`), as ascending indices in
    /// [`Dataset::tokens`].
    pub words: Vec<u32>,
    /// The distinct sub-tokens (`get` and `name` for `getName`) of the test's class, imports, fields and setup. They
    /// are stored as ascending indices in [`Dataset::tokens`].
    pub context: Vec<u32>,
    /// The distinct library calls that the test can reach, as ascending indices in [`Dataset::calls`].
    pub calls: Vec<u32>,
    /// The distinct causes that the catalogue finds in the test, as ascending indices in [`Dataset::causes`].
    pub causes: Vec<u32>,
    /// The distinct flows of nondeterminism that rules find in the test, as ascending indices in [`Dataset::flows`].
    pub flows: Vec<u32>,
    /// What the assertions of the test compare, as ascending indices in [`Dataset::oracles`].
    pub oracles: Vec<u32>,
    /// Logarithms of the sizes of the test, such as its number of lines.
    pub measures: [f32; MEASURES],
    /// The contextual paths of the test from source to assertion, as indices in [`Dataset::tuples`].
    ///
    /// A test without paths has one path that consists of `<end>` only. An empty list means that paths were not
    /// encoded.
    pub paths: Vec<Vec<u32>>,
}

/// Counts that show how often paths, and their steps of node and edge, repeat in a dataset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sharing {
    /// The number of paths of all tests.
    pub paths: usize,
    /// The number of distinct paths of all tests.
    pub distinct_paths: usize,
    /// The number of steps of all paths, each a node with the edge that leaves it.
    pub steps: usize,
    /// The number of distinct steps of all paths, each a node with the edge that leaves it.
    pub tuples: usize,
    /// The number of distinct prefixes of a test's paths, summed over all tests. A network computes one time step for
    /// each prefix.
    pub beginnings: usize,
}

impl Dataset {
    /// The number of tests in the dataset.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// Whether the dataset has no test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Counts of paths and of their steps of node and edge, all and distinct ones.
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
}
