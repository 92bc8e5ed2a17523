//! Whether an assertion would notice another order.
//!
//! ```java
//! assertEquals("{a=1, b=2}", names.toString());   // notices
//! assertEquals(2, names.size());                  // does not
//! assertThat(names.keySet(), containsInAnyOrder("a", "b"));
//! ```
//!
//! Judged by a contextual path: the operation of its assertion, what the value is compared to, and for a mere
//! `assertTrue` whether something on the way looked at places. Elsewhere a doubt counts as noticing.

use crate::extraction::{AssertionView, Extraction, NodeView, PathView};
use crate::graph::{IMPLICIT, NodeKind, OperationKind};

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

/// Assertions of something that was judged before.
const JUDGED_BEFORE: [&str; 4] = ["assertTrue", "assertFalse", "isTrue", "isFalse"];
/// Operations that look at what stands where.
const PLACES: [&str; 6] = ["equals", "startsWith", "endsWith", "indexOf", "matches", "get"];
/// Texts that pick one element by its place.
const PICKS: [&str; 5] = [".get(0)", ".get(1)", ".next()", "[0]", "[1]"];

/// Whether the assertion at the end of a path would notice another order.
pub(super) fn sees_order(extraction: &Extraction<'_>, path: &PathView) -> bool {
    let Some(last) = path.nodes().last().map(|it| &extraction.nodes[it]) else {
        return false;
    };
    if !compares(extraction, last) {
        return false;
    }
    let edges = || path.edges().map(|it| &extraction.edges[it]);
    let asserts_any = |words: &[&str]| {
        edges().any(|edge| {
            matches!(edge.kind, OperationKind::Assert | OperationKind::Call)
                && words.iter().any(|it| edge.operation.contains(it))
        })
    };
    let picks_one = || {
        let picks = |text: &str| PICKS.iter().any(|it| text.contains(it));
        edges().any(|it| it.kind == OperationKind::Index) || path.nodes().any(|it| picks(&extraction.nodes[it].text))
    };
    let looks_at_places = || picks_one() || edges().any(|it| PLACES.contains(&it.operation.as_ref()));
    last.assert
        && edges().last().is_none_or(|it| it.kind != OperationKind::Order)
        && (last.kind != NodeKind::Literal || is_sequence(&last.text) || picks_one())
        && !asserts_any(&BLIND)
        && (!asserts_any(&JUDGED_BEFORE) || looks_at_places())
}

/// Whether the assertion around a node compares values, as verifications of mocks and effects that must not throw do
/// not.
fn compares(extraction: &Extraction<'_>, node: &NodeView<'_>) -> bool {
    let before = |it: &&AssertionView<'_>| it.file == node.file && it.line <= node.line;
    let around = extraction.assertions.iter().filter(before).max_by_key(|it| it.line);
    around.is_some_and(|it| {
        !matches!(
            it.family,
            IMPLICIT | "mockito" | "easymock" | "expected-exception" | "jsonassert"
        )
    })
}

/// Whether a literal is text with more than one part.
fn is_sequence(literal: &str) -> bool {
    literal.starts_with('"') && literal.contains([',', ' ', '&', ';', '|', '\\'])
}
