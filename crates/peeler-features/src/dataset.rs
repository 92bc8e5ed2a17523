//! Tests as numbers: every distinct text, edge, tuple and method once, paths as lists of tuples.
//!
//! A path `n1 -e1-> n2 -e2-> n3` is the tuples `(n1,e1) (n2,e2) (n3,-)`. Nothing here depends on training data: names
//! are numbered as they come, and the vocabulary of a model says later which row stands for each.

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
    /// Causes, such as `network 1`.
    pub causes: TextSet,
    /// Ways between terminals in the syntax trees of method bodies.
    pub ways: TextSet,
    /// The sub-tokens of each distinct text of nodes and edges.
    pub texts: Vec<Vec<u32>>,
    /// The methods of repositories that paths pass through.
    pub methods: Vec<EncodedMethod>,
    /// The distinct edges.
    pub edges: Vec<EncodedEdge>,
    /// The distinct tuples of node and edge.
    pub tuples: Vec<Tuple>,
    /// The tests in the order in which they were added.
    pub tests: Vec<EncodedTest>,
}

/// A method of a repository as numbers.
#[derive(Debug, Default)]
pub struct EncodedMethod {
    /// The first distinct sub-tokens of its body, by number.
    pub words: Vec<u32>,
    /// AST path contexts of its body: sub-token, way, sub-token.
    pub contexts: Vec<[u32; 3]>,
}

/// An edge as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EncodedEdge {
    /// Index of the text of its operation.
    pub text: u32,
    /// Index of the code under test behind the operation.
    pub method: Option<u32>,
}

/// A node with the edge that leaves it. The last node of a path has the edge `<end>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tuple {
    /// Index of the text of the node.
    pub node: u32,
    /// Index of the edge.
    pub edge: u32,
}

/// One test as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedTest {
    /// The number of its project. Learners give projects the same weight by it; models do not read it.
    pub project: u32,
    /// The distinct sub-tokens of its method, ascending.
    pub words: Vec<u32>,
    /// The distinct sub-tokens of its class, ascending.
    pub context: Vec<u32>,
    /// The distinct library calls that it can reach, ascending.
    pub calls: Vec<u32>,
    /// The distinct causes that the catalogue finds, ascending.
    pub causes: Vec<u32>,
    /// Logarithms of its sizes.
    pub measures: [f32; MEASURES],
    /// Its paths as tuples from the source to the assertion. A test without paths has one path, which is only the end.
    /// No path at all means that paths were not encoded.
    pub paths: Vec<Vec<u32>>,
}

/// How much of the paths in a dataset occurs more than once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Paths of all tests.
    pub paths: usize,
    /// Paths that differ from each other.
    pub distinct_paths: usize,
    /// Tuples of all paths.
    pub steps: usize,
    /// Tuples that differ from each other.
    pub tuples: usize,
    /// Distinct prefixes of the paths of each test: the steps that a network has to compute.
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
