//! The state of the abstract run of a test, and how it adds nodes and edges to the dependency graph.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::effects::Effects;
use super::environment::Environment;
use crate::assertions::ExtraAssertion;
use crate::graph::{Cut, Graph, NodeForm, NodeId, NodeKey, NodeKind, Operation, OperationKind};
use crate::repository::narrow;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::body::{CallId, Expression};

/// The maximum depth of nested calls into helper methods of the test class that are followed.
pub(super) const MAX_FOLLOWED: usize = 4;
/// The number of graph nodes from which on calls into helper methods of the test class are no longer followed.
pub(super) const FOLLOW_UNTIL_NODES: usize = 1_500;
/// The number of definitions that a variable may have before a change of its object replaces them all instead of adding
/// one.
pub(super) const MAX_DEFINITIONS: usize = 8;

/// The maximum number of variables and definitions that may be copied in one test so that its branches run separately.
const MAX_COPIED: usize = 2_000_000;

/// Data that flows from a graph node to the current position of an abstract run, with the last operation it passed
/// through.
#[derive(Debug, Clone)]
pub(super) struct Flow<'r> {
    pub(super) node: NodeId,
    pub(super) operation: Option<Operation<'r>>,
}

pub(super) type Value<'r> = SmallVec<[Flow<'r>; 4]>;

/// The body of a method or initialiser that an abstract run is executing, with what it returned so far.
#[derive(Debug, Clone)]
pub(super) struct Frame<'i, 'r> {
    pub(super) file: FileId,
    /// The type that declares the body that is being run abstractly.
    pub(super) owner: TypeId,
    pub(super) targets: &'i [Target<'r>],
    /// The identifier of the chain of followed calls that led to the body that is being run abstractly.
    pub(super) context: u32,
    /// Values of the `return` statements that ran in this body.
    pub(super) returned: Value<'r>,
    pub(super) method: Option<MethodId>,
}

/// An exception that a test expects, with the operation that declares it, such as `expect` of `thrown.expect(X.class)`.
#[derive(Debug, Clone)]
pub(super) struct ExpectedException<'r> {
    pub(super) text: &'r str,
    pub(super) at: u32,
    /// The data that flows into the expected exception, as from `matcher` in `thrown.expect(matcher)`; empty for
    /// `X.class`.
    pub(super) value: Value<'r>,
    pub(super) operation: Operation<'r>,
}

/// The state of the abstract run of one test, which builds its dependency graph.
pub(super) struct Run<'i, 'r> {
    pub(super) index: &'i Index<'r>,
    /// Assertion methods that the user's configuration adds to the shipped catalogue of assertions.
    pub(super) extra: &'i [ExtraAssertion],
    pub(super) graph: Graph<'r>,
    pub(super) environment: Environment<'r>,
    pub(super) frame: Frame<'i, 'r>,
    /// Helper methods whose bodies are being followed, outermost first.
    pub(super) followed: Vec<MethodId>,
    /// The concrete class whose test is run abstractly, in which overrides are looked up.
    pub(super) class: TypeId,
    pub(super) contexts: FxHashMap<(u32, FileId, u32), u32>,
    pub(super) effects: Effects,
    /// The data of the values that the innermost `switch` expression has yielded so far.
    pub(super) yielded: Value<'r>,
    /// The data of the conditions of the branches around the current position, innermost last.
    pub(super) conditions: Vec<Value<'r>>,
    /// Graph nodes that represent a change of an object in place.
    pub(super) changes: FxHashSet<NodeId>,
    /// Exceptions that the test expects through the `ExpectedException` rule of JUnit 4.
    pub(super) expected: Vec<ExpectedException<'r>>,
    /// The number of times that an assertion was reached. One assertion may be reached several times.
    pub(super) assertions_made: usize,
    pub(super) loop_depth: usize,
    /// The number of variables and their definitions that branches of the test have copied.
    copied: usize,
    /// Messages about code that was left out, that has syntax errors, or whose branches could not be kept apart. No
    /// message occurs twice.
    pub(super) problems: Vec<&'static str>,
}

impl<'i, 'r> Run<'i, 'r> {
    pub(super) fn new(index: &'i Index<'r>, extra: &'i [ExtraAssertion], class: TypeId) -> Self {
        Self {
            index,
            extra,
            graph: Graph::default(),
            environment: Environment::default(),
            frame: Frame {
                file: index.file_of(class),
                owner: class,
                targets: &[],
                context: 0,
                returned: Value::new(),
                method: None,
            },
            followed: Vec::new(),
            class,
            contexts: FxHashMap::default(),
            effects: Effects::default(),
            yielded: Value::new(),
            conditions: Vec::new(),
            changes: FxHashSet::default(),
            expected: Vec::new(),
            assertions_made: 0,
            loop_depth: 0,
            copied: 0,
            problems: Vec::new(),
        }
    }

    pub(super) fn text(&self, start: u32, end: u32) -> &'r str {
        &self.index.source(self.frame.file).text()[start as usize..end as usize]
    }

    pub(super) fn text_of(&self, expression: &Expression<'r>) -> &'r str {
        self.text(expression.start, expression.end)
    }

    pub(super) fn target(&self, id: CallId) -> Target<'r> {
        self.frame
            .targets
            .get(id.0 as usize)
            .copied()
            .unwrap_or(Target::Unknown)
    }

    /// The graph node for a position of the current body, created if necessary. `None` if it is new and the graph has
    /// its maximum number of nodes.
    pub(super) fn node(&mut self, kind: NodeKind, at: u32, form: NodeForm, text: &'r str) -> Option<NodeId> {
        let key = NodeKey {
            context: self.frame.context,
            file: self.frame.file,
            at,
            kind,
            form,
        };
        let node = self.graph.node_at(key, text);
        if node.is_none() {
            self.problem("the graph is larger than 20000 nodes and was cut off");
        }
        node
    }

    pub(super) fn problem(&mut self, words: &'static str) {
        if !self.problems.contains(&words) {
            self.problems.push(words);
        }
    }

    pub(super) fn operation(&self, kind: OperationKind, at: u32, text: impl Into<Cow<'r, str>>) -> Operation<'r> {
        Operation {
            text: text.into(),
            kind,
            file: self.frame.file,
            at,
            cut: Cut::No,
        }
    }

    /// Adds graph edges to the node `to` from all nodes whose data is in `value`. An edge is labelled with the last
    /// operation that its data passed through, or else with `operation`. If `to` was left out of the graph (`None`),
    /// does nothing.
    pub(super) fn connect(&mut self, value: &Value<'r>, to: Option<NodeId>, operation: &Operation<'r>) {
        let Some(to) = to else { return };
        self.check_edges();
        for flow in value {
            let through = flow.operation.as_ref().unwrap_or(operation);
            self.graph.connect(flow.node, to, through);
        }
    }

    /// Adds graph edges to the node `to` from all nodes whose data is in `value`. All edges are labelled `operation`,
    /// whatever operations the data passed through before. If `to` was left out of the graph (`None`), does nothing.
    pub(super) fn connect_through(&mut self, value: &Value<'r>, to: Option<NodeId>, operation: &Operation<'r>) {
        let Some(to) = to else { return };
        self.check_edges();
        for flow in value {
            self.graph.connect(flow.node, to, operation);
        }
    }

    fn check_edges(&mut self) {
        if self.graph.is_full_of_edges() {
            self.problem("the graph has more than 60000 edges and was cut off");
        }
    }

    /// A copy of the definitions of all variables. `None` if the test has copied too many, so that its branches have to
    /// share them.
    pub(super) fn copied_environment(&mut self) -> Option<Environment<'r>> {
        let size = self.environment.size();
        self.may_copy(size).then(|| self.environment.clone())
    }

    /// Counts `size` copied variables and definitions. Returns whether the test is still within its limit of copies.
    pub(super) fn may_copy(&mut self, size: usize) -> bool {
        self.copied = self.copied.saturating_add(size);
        if self.copied > MAX_COPIED {
            self.problem("the test has too many branches; data of all of them was mixed");
        }
        self.copied <= MAX_COPIED
    }

    pub(super) fn context_for(&mut self, file: FileId, at: u32) -> u32 {
        let next = narrow(self.contexts.len()) + 1;
        *self.contexts.entry((self.frame.context, file, at)).or_insert(next)
    }
}

/// The data that begins at one graph node, with no operation yet; empty if the node was left out of the graph.
pub(super) fn value_of<'r>(node: Option<NodeId>) -> Value<'r> {
    node.into_iter().map(plain).collect()
}

/// A flow that starts at a graph node and has not passed through an operation yet.
pub(super) fn plain<'r>(node: NodeId) -> Flow<'r> {
    Flow { node, operation: None }
}

/// The data of `value`, from the same graph nodes, after it passed through `operation`.
pub(super) fn through<'r>(value: Value<'r>, operation: &Operation<'r>) -> Value<'r> {
    value
        .into_iter()
        .map(|flow| Flow {
            node: flow.node,
            operation: Some(operation.clone()),
        })
        .collect()
}
