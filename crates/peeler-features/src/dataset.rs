//! Tests as numbers: every distinct text, edge, tuple and method once, paths as lists of tuples.
//!
//! A path `n1 -e1-> n2 -e2-> n3` consists of the tuples `(n1,e1) (n2,e2) (n3,-)`. Nothing here depends on training
//! data: names are numbered in order of appearance. The vocabulary of a model later maps each to a row.

use rustc_hash::FxHashSet;

use crate::measures::MEASURES;
use crate::texts::TextSet;

/// Encoded tests with the names and parts that they refer to by number.
#[derive(Debug, Default)]
pub struct Dataset {
    /// Sub-tokens, and tokens for kinds and marks such as `<call>`.
    pub tokens: TextSet,
    /// Library calls with origin and depth, such as `01 Thread#sleep`.
    pub calls: TextSet,
    /// The distinct causes of the dataset, such as `network 1`.
    pub causes: TextSet,
    /// Syntax tree paths between terminals of method bodies.
    pub ways: TextSet,
    /// The sub-tokens of each distinct text of nodes and edges.
    pub texts: Vec<Vec<u32>>,
    /// The methods of repositories that paths pass through.
    pub methods: Vec<EncodedMethod>,
    /// The distinct edges of the dataset's graphs.
    pub edges: Vec<EncodedEdge>,
    /// The distinct tuples of node and edge.
    pub tuples: Vec<Tuple>,
    /// The tests in the order in which they were added.
    pub tests: Vec<EncodedTest>,
}

/// A method of a repository as numbers.
#[derive(Debug, Default)]
pub struct EncodedMethod {
    /// The first distinct sub-tokens of the method's body, by number.
    pub words: Vec<u32>,
    /// AST path contexts of the method's body: sub-token, syntax tree path, sub-token.
    pub contexts: Vec<[u32; 3]>,
}

/// An edge of a dependency graph as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EncodedEdge {
    /// The index of the text of the edge's operation.
    pub text: u32,
    /// The index of the method of the code under test that the operation calls, if any.
    pub method: Option<u32>,
}

/// A node with the edge that leaves it. The last node of a path has the edge `<end>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tuple {
    /// The index of the text of the tuple's node.
    pub node: u32,
    /// The index of the tuple's edge.
    pub edge: u32,
}

/// One test as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedTest {
    /// The number of the test's project. Training uses it to weight projects equally; models do not read it.
    pub project: u32,
    /// The distinct sub-tokens of the test method, ascending.
    pub words: Vec<u32>,
    /// The distinct sub-tokens of the test's class, ascending.
    pub context: Vec<u32>,
    /// The distinct library calls that the test can reach, ascending.
    pub calls: Vec<u32>,
    /// The distinct causes that the catalogue finds in the test, ascending.
    pub causes: Vec<u32>,
    /// Logarithms of the sizes of the test, such as its number of lines.
    pub measures: [f32; MEASURES],
    /// The paths of the test, as tuples from the source to the assertion.
    ///
    /// A test without paths has one path that consists of `<end>` only. An empty list means that paths were not
    /// encoded.
    pub paths: Vec<Vec<u32>>,
}

/// Counts that show how often paths and tuples repeat in a dataset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sharing {
    /// The number of paths of all tests.
    pub paths: usize,
    /// The number of distinct paths.
    pub distinct_paths: usize,
    /// The number of tuples of all paths.
    pub steps: usize,
    /// The number of distinct tuples.
    pub tuples: usize,
    /// The number of distinct prefixes of the paths of each test: the time steps that a network has to compute.
    pub beginnings: usize,
}

impl Dataset {
    /// The number of tests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// Whether there is no test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Counts of paths and tuples, all and distinct ones.
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
