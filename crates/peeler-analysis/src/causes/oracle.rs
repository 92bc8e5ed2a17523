//! Decides whether an assertion would notice another order of elements.
//!
//! ```java
//! assertEquals("{a=1, b=2}", names.toString());   // notices
//! assertEquals(2, names.size());                  // does not
//! assertThat(names.keySet(), containsInAnyOrder("a", "b"));
//! ```
//!
//! The decision depends on a contextual path: on the operation of its assertion, on the expected value, and for
//! `assertTrue` on operations along the path. In case of doubt the assertion notices the order.

use std::cell::OnceCell;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::extraction::folded;
use crate::graph::{IMPLICIT, Node, NodeKind, OperationKind};
use crate::paths::Path;
use crate::symbols::index::Index;
use crate::traced::TracedTest;

/// Words in names of assertions that cannot notice another order of elements: they check presence, number or
/// membership.
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

/// Names of assertions on a boolean, as in `assertTrue(a.equals(b))`. They notice another order of elements only if an
/// operation before them on the contextual path depends on positions, such as `equals`.
const BOOLEAN: [&str; 4] = ["assertTrue", "assertFalse", "isTrue", "isFalse"];
/// Names of methods whose result depends on the positions of elements or characters.
const PLACES: [&str; 6] = ["equals", "startsWith", "endsWith", "indexOf", "matches", "get"];
/// Source texts that pick one element of a sequence by its position.
const PICKS: [&str; 5] = [".get(0)", ".get(1)", ".next()", "[0]", "[1]"];

/// An automaton that finds the words of [`BLIND`] and [`BOOLEAN`] in a text. Patterns of [`BLIND`] have the lower
/// numbers.
static ASSERTING: LazyLock<AhoCorasick> = LazyLock::new(|| searcher(BLIND.iter().chain(&BOOLEAN)));
static PICKING: LazyLock<AhoCorasick> = LazyLock::new(|| searcher(PICKS.iter()));

fn searcher<'w>(words: impl Iterator<Item = &'w &'w str>) -> AhoCorasick {
    AhoCorasick::new(words).expect("a few short words")
}

/// Decides which contextual paths of one test end in an assertion that notices the order of elements. Examines every
/// edge and node once, however many paths contain it.
pub(super) struct Oracle<'t, 'r, 'x> {
    index: &'t Index<'r>,
    traced: &'t TracedTest<'x>,
    edges: Vec<OnceCell<EdgeWords>>,
    /// For each node of the test's dependency graph, whether its text picks one element by position. Computed on
    /// demand.
    picks: Vec<OnceCell<bool>>,
}

/// What the name of an operation on a graph edge says about the order of elements. A blind assertion, such as
/// `hasSize`, cannot notice another order.
struct EdgeWords {
    is_blind: bool,
    is_boolean: bool,
    depends_on_position: bool,
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

    /// Whether the assertion at the end of a contextual path would notice another order of elements.
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
            && (!words().any(|it| it.is_boolean) || picks_one() || words().any(|it| it.depends_on_position))
    }

    fn words(&self, edge: usize) -> &EdgeWords {
        self.edges[edge].get_or_init(|| {
            let operation = &self.traced.edges[edge].operation;
            let text = folded(&operation.text);
            let mut words = EdgeWords {
                is_blind: false,
                is_boolean: false,
                depends_on_position: PLACES.contains(&text.as_ref()),
            };
            if matches!(operation.kind, OperationKind::Assert | OperationKind::Call) {
                for found in ASSERTING.find_overlapping_iter(&*text) {
                    let is_blind = found.pattern().as_usize() < BLIND.len();
                    words.is_blind |= is_blind;
                    words.is_boolean |= !is_blind;
                }
            }
            words
        })
    }

    fn picks(&self, node: usize) -> bool {
        *self.picks[node].get_or_init(|| PICKING.is_match(&*folded(self.traced.nodes[node].text)))
    }

    /// Whether the assertion that contains a graph node compares values. Verifications of mocks and implicit assertions
    /// do not.
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

/// Whether a literal is a string with several parts, such as `"a, b"`, so that it has an order.
fn is_sequence(literal: &str) -> bool {
    literal.starts_with('"') && literal.contains([',', ' ', '&', ';', '|', '\\'])
}
