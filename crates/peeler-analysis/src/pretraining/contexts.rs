//! Path contexts of a method body: pairs of terminals with the path between them, within limits.
//!
//! ```java
//! { return price + tax; }   // price, binary_expression, tax
//! ```
//!
//! The length of a path is its number of nodes between the terminals. Its width is the distance of its two branches
//! below the topmost node. A body with more pairs than a limit has a random part of them, drawn from a seed.

use crate::syntax::flat_bodies::{FlatNode, NONE, Role};

/// The maximum number of syntax nodes on a path, both terminals excluded.
const MAX_LENGTH: u32 = 8;
/// The maximum distance of the two children of the topmost node that a path goes through.
const MAX_WIDTH: u32 = 3;

/// A pair of terminals of a body, by index, and the topmost node of the path between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) top: u32,
}

/// Replaces `pairs` by all pairs of terminals of a body whose paths are within the limits, sorted by the first one.
pub(super) fn find_pairs(nodes: &[FlatNode], body: u32, pairs: &mut Vec<Pair>) {
    pairs.clear();
    for from in body + 1..nodes[body as usize].end {
        if nodes[from as usize].role != Role::Inner {
            pairs_to_the_right(nodes, body, from, pairs);
        }
    }
}

fn pairs_to_the_right(nodes: &[FlatNode], body: u32, from: u32, pairs: &mut Vec<Pair>) {
    let mut child = from;
    for up in 1..=MAX_LENGTH {
        let top = nodes[child as usize].parent;
        let deepest = nodes[top as usize].depth + MAX_LENGTH + 1 - up;
        let mut sibling = nodes[child as usize].next;
        for _ in 0..MAX_WIDTH {
            if sibling == NONE {
                break;
            }
            terminals_within(nodes, sibling, deepest, |to| pairs.push(Pair { from, to, top }));
            sibling = nodes[sibling as usize].next;
        }
        if top == body {
            return;
        }
        child = top;
    }
}

/// Calls `each` for every terminal of a subtree that is no deeper than `deepest`.
fn terminals_within(nodes: &[FlatNode], root: u32, deepest: u32, mut each: impl FnMut(u32)) {
    let mut at = root;
    while at < nodes[root as usize].end {
        let node = &nodes[at as usize];
        at = match node.role {
            Role::Inner if node.depth >= deepest => node.end,
            Role::Inner => at + 1,
            _ => {
                if node.depth <= deepest {
                    each(at);
                }
                at + 1
            }
        };
    }
}

/// Reduces pairs to `most` of them, drawn at random from a seed and in their old order. Returns how many are left out.
pub(super) fn draw(pairs: &mut Vec<Pair>, most: usize, seed: u64) -> usize {
    let left_out = pairs.len().saturating_sub(most);
    if left_out > 0 {
        let mut state = seed;
        for place in 0..most {
            let rest = pairs.len() - place;
            pairs.swap(place, place + below(&mut state, rest));
        }
        pairs.truncate(most);
        pairs.sort_unstable();
    }
    left_out
}

/// A pseudo-random number below `bound`, by the generator `SplitMix64`.
fn below(state: &mut u64, bound: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    // The high half of the product is uniform below the bound, and thus fits.
    let high = (u128::from(mixed) * bound as u128) >> 64;
    usize::try_from(high).unwrap_or(0)
}
