//! From bodies to the test dependency graph: an abstract run of one test.
//!
//! Values are sets of [`Flow`]s: nodes whose data reaches the current place, with the operation it
//! passes through. Statements move flows into variables; assertions turn them into `ASSERT` nodes.
//!
//! ```java
//! Tool tool = Tool.load("string", get(item), array[10]);
//! // "string" -Tool.load-> tool, item -get-> get(item), get(item) -Tool.load-> tool,
//! // item -Tool.load-> tool, array -Tool.load-> tool
//! ```
//!
//! A call whose value is stored has no node of its own: its operation is on the edges. A call inside
//! another expression is a node. The variables inside a nested call flow on directly as well, one
//! level deep.
//!
//! What is left out: conditions of branches carry no data, and aliases of one object are not known to
//! be the same.

mod assertion;
mod call;
mod context;
mod effects;
mod environment;
mod expression;
mod follow;
mod operands;
mod statement;

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::assertions::ExtraAssertion;
use crate::graph::{Cut, Graph, NodeForm, NodeId, NodeKey, NodeKind, Operation, OperationKind};
use crate::repository::narrow;
use crate::symbols::index::{FileId, Index, MethodId, TypeId};
use crate::symbols::targets::Target;
use crate::syntax::body::{CallId, Expression};
use effects::Effects;
use environment::Environment;

pub(crate) use context::{class_context, test_graph};

/// How deep helper methods are followed into.
const MAX_FOLLOWED: usize = 4;
/// How many nodes a graph may have before helpers are no longer followed.
const FOLLOW_UNTIL_NODES: usize = 1_500;
/// Beyond this many definitions of one variable, changes in place are chained instead of added.
const MAX_DEFINITIONS: usize = 8;

/// Data that reaches the current place, with the last operation it passed through.
#[derive(Debug, Clone)]
struct Flow<'r> {
    node: NodeId,
    operation: Option<Operation<'r>>,
}

type Value<'r> = SmallVec<[Flow<'r>; 4]>;

/// Where a body is being run.
#[derive(Debug, Clone)]
struct Frame<'i, 'r> {
    file: FileId,
    /// The type that declares the body.
    owner: TypeId,
    targets: &'i [Target<'r>],
    /// The chain of followed calls, as a number.
    context: u32,
    /// Values of the `return` statements seen so far.
    returned: Value<'r>,
    method: Option<MethodId>,
}

/// An exception that a test expects, and who said so.
#[derive(Debug, Clone)]
struct Expected<'r> {
    text: &'r str,
    at: u32,
    /// What a matcher for it is made of; nothing for `X.class`.
    value: Value<'r>,
    operation: Operation<'r>,
}

/// The abstract run.
struct Run<'i, 'r> {
    index: &'i Index<'r>,
    /// Assertions beside those of the catalogue.
    extra: &'i [ExtraAssertion],
    graph: Graph<'r>,
    environment: Environment<'r>,
    frame: Frame<'i, 'r>,
    /// Methods being followed, outermost first, for recursion.
    followed: Vec<MethodId>,
    /// The concrete class whose test runs: overrides are looked up from here.
    class: TypeId,
    contexts: FxHashMap<(u32, FileId, u32), u32>,
    effects: Effects,
    /// What the innermost switch has yielded so far.
    yielded: Value<'r>,
    /// Conditions of the branches around the current place, innermost last.
    conditions: Vec<Value<'r>>,
    /// Nodes that stand for a change of an object in place.
    changes: FxHashSet<NodeId>,
    /// Exceptions that a rule was told to expect.
    expected: Vec<Expected<'r>>,
    /// How often an assertion was reached, the same one again included.
    assertions_made: usize,
    loop_depth: usize,
    /// Set when something was left out, with the words for it.
    problems: Vec<&'static str>,
}

impl<'i, 'r> Run<'i, 'r> {
    fn new(index: &'i Index<'r>, extra: &'i [ExtraAssertion], class: TypeId) -> Self {
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
            problems: Vec::new(),
        }
    }

    fn text(&self, start: u32, end: u32) -> &'r str {
        &self.index.source(self.frame.file).text()[start as usize..end as usize]
    }

    fn text_of(&self, expression: &Expression<'r>) -> &'r str {
        self.text(expression.start, expression.end)
    }

    fn target(&self, id: CallId) -> Target<'r> {
        self.frame
            .targets
            .get(id.0 as usize)
            .copied()
            .unwrap_or(Target::Unknown)
    }

    /// The node of a place of the current body. `None` where it is new and the graph is full.
    fn node(&mut self, kind: NodeKind, at: u32, form: NodeForm, text: &'r str) -> Option<NodeId> {
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

    fn problem(&mut self, words: &'static str) {
        if !self.problems.contains(&words) {
            self.problems.push(words);
        }
    }

    fn operation(&self, kind: OperationKind, at: u32, text: impl Into<Cow<'r, str>>) -> Operation<'r> {
        Operation {
            text: text.into(),
            kind,
            file: self.frame.file,
            at,
            cut: Cut::No,
        }
    }

    /// Lets a value flow into a node: each flow with its own operation, or else with `operation`.
    fn connect(&mut self, value: &Value<'r>, to: Option<NodeId>, operation: &Operation<'r>) {
        let Some(to) = to else { return };
        for flow in value {
            let through = flow.operation.as_ref().unwrap_or(operation);
            self.graph.connect(flow.node, to, through);
        }
    }

    /// Lets a value flow into a node through `operation`, whatever it passed through before.
    fn connect_through(&mut self, value: &Value<'r>, to: Option<NodeId>, operation: &Operation<'r>) {
        let Some(to) = to else { return };
        for flow in value {
            self.graph.connect(flow.node, to, operation);
        }
    }

    fn context_for(&mut self, file: FileId, at: u32) -> u32 {
        let next = narrow(self.contexts.len()) + 1;
        *self.contexts.entry((self.frame.context, file, at)).or_insert(next)
    }
}

/// The value that consists of one node, or of nothing where the node was left out.
fn value_of<'r>(node: Option<NodeId>) -> Value<'r> {
    node.into_iter().map(plain).collect()
}

/// A flow that has not passed through an operation yet.
fn plain<'r>(node: NodeId) -> Flow<'r> {
    Flow { node, operation: None }
}

/// The value with every flow passing through `operation`.
fn through<'r>(value: Value<'r>, operation: &Operation<'r>) -> Value<'r> {
    value
        .into_iter()
        .map(|flow| Flow {
            node: flow.node,
            operation: Some(operation.clone()),
        })
        .collect()
}
