//! Numbers that describe a test as a whole: logarithms of sizes.
//!
//! Shipped models depend on the order of these numbers.

use crate::reached_code::MAX_DEPTH;
use crate::texts::narrow;

/// The number of measures of a test: logarithms of sizes, such as its lines, that models read.
pub const MEASURES: usize = 21;

/// The sizes of a test and of the code that it reaches.
pub(crate) struct Sizes {
    pub(crate) lines: u32,
    pub(crate) paths: usize,
    pub(crate) nodes: usize,
    pub(crate) words: usize,
    pub(crate) context_words: usize,
    /// How many bodies of the repository's methods and initialisers the test can reach. The first index is 0 from the
    /// test's body and 1 from its setup; the second is the number of calls on the way.
    pub(crate) bodies: [[u32; MAX_DEPTH + 1]; 2],
    /// How many library calls the test can reach. The first index is 0 from the test's body and 1 from its setup; the
    /// second is the number of repository methods on the way.
    pub(crate) calls: [[u32; MAX_DEPTH + 1]; 2],
}

impl Sizes {
    /// The value `ln(1 + size)` of every size; zero for code further than `call_depth` calls away.
    pub(crate) fn measures(&self, call_depth: usize) -> [f32; MEASURES] {
        let sizes = [self.paths, self.nodes, self.words, self.context_words].map(narrow);
        let reached = self.bodies.iter().chain(&self.calls).flat_map(|by_depth| {
            let counts = by_depth.iter().enumerate();
            counts.map(|(depth, count)| if depth <= call_depth { *count } else { 0 })
        });
        let all = [self.lines].into_iter().chain(sizes).chain(reached);
        let mut measures = [0.0; MEASURES];
        for (measure, size) in measures.iter_mut().zip(all) {
            #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^24")]
            let size = size as f32;
            *measure = size.ln_1p();
        }
        measures
    }
}

#[cfg(test)]
mod tests {
    use super::Sizes;

    #[test]
    fn measures_are_in_the_order_of_shipped_models() {
        let sizes = Sizes {
            lines: 1,
            paths: 2,
            nodes: 3,
            words: 4,
            context_words: 5,
            bodies: [[6, 7, 8, 9], [10, 11, 12, 13]],
            calls: [[14, 15, 16, 17], [18, 19, 20, 21]],
        };
        let rounded = |depth: usize| sizes.measures(depth).map(|it| it.exp_m1().round());
        let all: Vec<f32> = (1_u16..=21).map(f32::from).collect();
        assert_eq!(rounded(3).to_vec(), all);
        assert_eq!(rounded(1)[5..9], [6.0, 7.0, 0.0, 0.0]);
    }
}
