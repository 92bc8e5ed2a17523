//! The abstract run of one test, which builds its dependency graph from the bodies of its methods.
//!
//! A value is a set of `Flow`s: graph nodes whose data reaches the current place, each with the operation it passes
//! through. Statements move flows into variables; assertions turn them into `ASSERT` nodes.
//!
//! ```java
//! Tool tool = Tool.load("string", get(item), array[10]);
//! // "string" -Tool.load-> tool, item -get-> get(item), get(item) -Tool.load-> tool,
//! // item -Tool.load-> tool, array -Tool.load-> tool
//! ```
//!
//! A call whose value is stored has no node: its operation is on the edges. A call inside another expression is a node.
//! Variables inside a nested call also flow directly into the outer call, one level deep.
//!
//! Left out: conditions of branches carry no data, and two names of one object count as two objects.

mod assert_nodes;
mod assertion;
pub(crate) mod assertion_rules;
mod call;
mod context;
mod effects;
mod environment;
mod expression;
mod follow;
pub(crate) mod operands;
mod run;
mod statement;

pub(crate) use self::context::{class_context, test_graph};
