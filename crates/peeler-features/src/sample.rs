//! What a model may see of one test: a [`Sample`] has no label and no way to one.

use serde::{Deserialize, Serialize};

/// The deepest call below a test that is followed.
pub const MAX_DEPTH: usize = 3;

/// Index of a text in the string table of a corpus.
pub type TextId = u32;

/// One test as a predictor may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Index of the project in its corpus.
    pub project: u32,
    /// `package.Class#method`.
    pub name: String,
    /// Tests of one outermost class share a group, and so do classes that inherit a test from the same class.
    pub group: u32,
    /// Groups whose classes have a superclass of the repository in common share a family.
    pub family: u32,
    /// Lines of the method.
    pub lines: u32,
    /// White-space separated tokens of the method, in order, as FLAST reads it.
    pub tokens: Vec<TextId>,
    /// Lower-case sub-tokens of the identifiers in the method, in order.
    pub words: Vec<TextId>,
    /// Lower-case sub-tokens of what stands around it: class, imports, fields, setup.
    pub context_words: Vec<TextId>,
    /// Its dependency graph and contextual paths.
    pub graph: GraphRecord,
    /// The library calls that it may make.
    pub reach: ReachRecord,
    /// What the catalogue of nondeterminism finds in it: every kind with its distance (`network 1`), and kind and words of
    /// the likeliest cause (`first network`, `first opens a port`). Sorted, each once.
    pub causes: Vec<TextId>,
}

/// A dependency graph with its paths, texts as indices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphRecord {
    /// The nodes.
    pub nodes: Vec<NodeRecord>,
    /// The edges.
    pub edges: Vec<EdgeRecord>,
    /// Indices of node, edge, node, ...
    pub paths: Vec<Vec<u32>>,
}

impl GraphRecord {
    /// A graph of that size with nothing in it.
    #[must_use]
    pub fn hollow(nodes: usize, paths: usize) -> Self {
        let nothing = NodeRecord {
            text: 0,
            kind: 0,
            marks: 0,
            line: 0,
        };
        Self {
            nodes: vec![nothing; nodes],
            edges: Vec::new(),
            paths: vec![Vec::new(); paths],
        }
    }
}

/// A node of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeRecord {
    /// Its text.
    pub text: TextId,
    /// 0 variable, 1 literal, 2 call.
    pub kind: u8,
    /// Bit 0: START, bit 1: ASSERT.
    pub marks: u8,
    /// Its line.
    pub line: u32,
}

/// An edge of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeRecord {
    /// Index of the node it comes from.
    pub from: u32,
    /// Index of the node it goes to.
    pub to: u32,
    /// The operation's text.
    pub operation: TextId,
    /// The kind of operation, in the order of `peeler_analysis::OperationKind`.
    pub kind: u8,
    /// Indices of methods: the declaration, then its implementations; empty for other operations.
    pub methods: Vec<u32>,
}

/// The library calls that a test may make, and how much code of the repository it may run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachRecord {
    /// The calls, nearest first.
    pub calls: Vec<ReachedCallRecord>,
    /// By origin (body, setup) and depth, how many bodies of the repository are reached.
    pub bodies: [[u32; MAX_DEPTH + 1]; 2],
}

/// A library call that a test may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedCallRecord {
    /// 0 from the body, 1 from the setup.
    pub origin: u8,
    /// How many calls of the repository's own methods lie between.
    pub depth: u8,
    /// `Type#method`, `Type#<init>` or `#method`.
    pub call: TextId,
}

/// A method of a repository that tests refer to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodRecord {
    /// Index of its project.
    pub project: u32,
    /// `package.Class#method(Type)`.
    pub signature: String,
    /// Lower-case sub-tokens of its body, in order.
    pub words: Vec<TextId>,
    /// AST path contexts of its body: where the way begins, the way, where it ends.
    pub contexts: Vec<[TextId; 3]>,
}

/// What the indices in samples refer to.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'c> {
    /// Texts.
    pub strings: &'c [String],
    /// The repositories' own methods.
    pub methods: &'c [MethodRecord],
}
