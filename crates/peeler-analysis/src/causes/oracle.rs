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

use std::cell::OnceCell;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::extraction::folded;
use crate::graph::{IMPLICIT, Node, NodeKind, OperationKind};
use crate::paths::Path;
use crate::symbols::index::Index;
use crate::traced::TracedTest;

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
pub(super) struct Oracle<'t, 'r, 'x> {
    index: &'t Index<'r>,
    traced: &'t TracedTest<'x>,
    edges: Vec<OnceCell<EdgeWords>>,
    /// Whether each node picks one element by its place.
    picks: Vec<OnceCell<bool>>,
}

/// Which words stand in the operation of an edge.
struct EdgeWords {
    is_blind: bool,
    is_judged_before: bool,
    looks_at_places: bool,
}

impl<'t, 'r, 'x> Oracle<'t, 'r, 'x> {
    pub(super) fn new(index: &'t Index<'r>, traced: &'t TracedTest<'x>) -> Self {
        Self {
            index,
            traced,
            edges: traced.edges.iter().map(|_| OnceCell::new()).collect(),
            picks: traced.nodes.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// Whether the assertion at the end of a path would notice another order.
    pub(super) fn sees_order(&self, path: &Path) -> bool {
        let traced = self.traced;
        let Some(last) = traced.nodes_of(path).last().map(|it| &traced.nodes[it]) else {
            return false;
        };
        if !last.is_assert || !self.compares(last) {
            return false;
        }
        let kinds = || {
            let edges = path.edges.iter().map(|it| &traced.edges[*it as usize]);
            edges.map(|it| it.operation.kind)
        };
        let words = || path.edges.iter().map(|it| self.words(*it as usize));
        let picks_one =
            || kinds().any(|it| it == OperationKind::Index) || traced.nodes_of(path).any(|it| self.picks(it));
        kinds().next_back().is_none_or(|it| it != OperationKind::Order)
            && (last.kind != NodeKind::Literal || is_sequence(&folded(last.text)) || picks_one())
            && !words().any(|it| it.is_blind)
            && (!words().any(|it| it.is_judged_before) || picks_one() || words().any(|it| it.looks_at_places))
    }

    fn words(&self, edge: usize) -> &EdgeWords {
        self.edges[edge].get_or_init(|| {
            let operation = &self.traced.edges[edge].operation;
            let text = folded(&operation.text);
            let mut words = EdgeWords {
                is_blind: false,
                is_judged_before: false,
                looks_at_places: PLACES.contains(&text.as_ref()),
            };
            if matches!(operation.kind, OperationKind::Assert | OperationKind::Call) {
                for found in ASSERTING.find_overlapping_iter(&*text) {
                    let is_blind = found.pattern().as_usize() < BLIND.len();
                    words.is_blind |= is_blind;
                    words.is_judged_before |= !is_blind;
                }
            }
            words
        })
    }

    fn picks(&self, node: usize) -> bool {
        *self.picks[node].get_or_init(|| PICKING.is_match(&*folded(self.traced.nodes[node].text)))
    }

    /// Whether the assertion around a node compares values, as verifications of mocks and effects that must not throw do
    /// not.
    fn compares(&self, node: &Node<'_>) -> bool {
        let source = self.index.source(node.file);
        let line = source.line(node.at);
        let assertions = self.traced.assertions.iter().filter(|it| it.file == node.file);
        let before = assertions
            .map(|it| (source.line(it.at), it.family))
            .filter(|it| it.0 <= line);
        before.max_by_key(|it| it.0).is_some_and(|(_, family)| {
            !matches!(
                family,
                IMPLICIT | "mockito" | "easymock" | "expected-exception" | "jsonassert"
            )
        })
    }
}

/// Whether a literal is text with more than one part.
fn is_sequence(literal: &str) -> bool {
    literal.starts_with('"') && literal.contains([',', ' ', '&', ';', '|', '\\'])
}
