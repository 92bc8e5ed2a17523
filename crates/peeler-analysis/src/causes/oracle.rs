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

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::extraction::{AssertionView, EdgeView, Extraction, NodeView, PathView};
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

/// The blind words, then those of what was judged before.
static ASSERTING: LazyLock<AhoCorasick> = LazyLock::new(|| searcher(BLIND.iter().chain(&JUDGED_BEFORE)));
static PICKING: LazyLock<AhoCorasick> = LazyLock::new(|| searcher(PICKS.iter()));

fn searcher<'w>(words: impl Iterator<Item = &'w &'w str>) -> AhoCorasick {
    AhoCorasick::new(words).expect("a few short words")
}

/// What the edges and nodes of a test say about order, each looked at once however many paths pass it.
pub(super) struct Oracle<'e, 'x> {
    extraction: &'e Extraction<'x>,
    edges: Vec<EdgeWords>,
    /// Whether each node picks one element by its place.
    picks: Vec<bool>,
}

/// Which words stand in the operation of an edge.
struct EdgeWords {
    is_blind: bool,
    is_judged_before: bool,
    looks_at_places: bool,
}

impl<'e, 'x> Oracle<'e, 'x> {
    pub(super) fn new(extraction: &'e Extraction<'x>) -> Self {
        let words = |edge: &EdgeView<'_>| {
            let asserts = matches!(edge.kind, OperationKind::Assert | OperationKind::Call);
            let mut words = EdgeWords {
                is_blind: false,
                is_judged_before: false,
                looks_at_places: PLACES.contains(&edge.operation.as_ref()),
            };
            if asserts {
                for found in ASSERTING.find_overlapping_iter(&*edge.operation) {
                    let is_blind = found.pattern().as_usize() < BLIND.len();
                    words.is_blind |= is_blind;
                    words.is_judged_before |= !is_blind;
                }
            }
            words
        };
        let picks = |node: &NodeView<'_>| PICKING.is_match(&*node.text);
        Self {
            extraction,
            edges: extraction.edges.iter().map(words).collect(),
            picks: extraction.nodes.iter().map(picks).collect(),
        }
    }

    /// Whether the assertion at the end of a path would notice another order.
    pub(super) fn sees_order(&self, path: &PathView) -> bool {
        let extraction = self.extraction;
        let Some(last) = path.nodes().last().map(|it| &extraction.nodes[it]) else {
            return false;
        };
        if !last.assert || !compares(extraction, last) {
            return false;
        }
        let edges = || path.edges().map(|it| &extraction.edges[it]);
        let words = || path.edges().map(|it| &self.edges[it]);
        let picks_one = || edges().any(|it| it.kind == OperationKind::Index) || path.nodes().any(|it| self.picks[it]);
        edges().last().is_none_or(|it| it.kind != OperationKind::Order)
            && (last.kind != NodeKind::Literal || is_sequence(&last.text) || picks_one())
            && !words().any(|it| it.is_blind)
            && (!words().any(|it| it.is_judged_before) || picks_one() || words().any(|it| it.looks_at_places))
    }
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
