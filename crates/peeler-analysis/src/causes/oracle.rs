//! Whether an assertion would notice another order.
//!
//! ```java
//! assertEquals("{a=1, b=2}", names.toString());   // notices
//! assertEquals(2, names.size());                  // does not
//! assertThat(names.keySet(), containsInAnyOrder("a", "b"));
//! ```
//!
//! Judged by the end of a contextual path: the operation of its assertion and what the value is compared to. A doubt
//! counts as noticing.

use crate::extraction::{Extraction, PathView};
use crate::graph::{NodeKind, OperationKind};

/// Words of assertions that look at presence, number or membership, or that compare without order.
const BLIND: [&str; 24] = [
    "assertNull",
    "assertNotNull",
    "isNull",
    "isNotNull",
    "notNullValue",
    "InAnyOrder",
    "containsOnly",
    "hasSize",
    "hasItem",
    "hasKey",
    "hasEntry",
    "containsKey",
    "containsEntry",
    "isEmpty",
    "isNotEmpty",
    "isInstanceOf",
    "instanceOf",
    "assertThrows",
    "fail",
    "verify",
    "JSONAssert",
    "assertThatJson",
    "assertJson",
    "andExpect",
];

/// Whether the assertion at the end of a path would notice another order.
pub(super) fn sees_order(extraction: &Extraction<'_>, path: &PathView) -> bool {
    let is_blind = path.edges().map(|it| &extraction.edges[it]).any(|edge| {
        matches!(edge.kind, OperationKind::Assert | OperationKind::Call)
            && BLIND.iter().any(|it| edge.operation.contains(it))
    });
    let Some(last) = path.nodes().last().map(|it| &extraction.nodes[it]) else {
        return false;
    };
    let is_order_only = path
        .edges()
        .last()
        .is_some_and(|it| extraction.edges[it].kind == OperationKind::Order);
    !is_blind && !is_order_only && last.assert && (last.kind != NodeKind::Literal || is_sequence(&last.text))
}

/// Whether a literal is text with more than one part.
fn is_sequence(literal: &str) -> bool {
    literal.starts_with('"') && literal.contains([',', ' ', '&', ';', '|', '\\'])
}
