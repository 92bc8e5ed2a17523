//! Search for the known tests whose projected bags of tokens are nearest to that of a test, by cosine distance.
//!
//! Projected bags are sparse, so known tests are listed by dimension, and a search reads only the lists of its own
//! dimensions. The distances equal those of a linear search.
//!
//! Invariant: coordinates are whole numbers and dot products are exact. So a known test at distance 0 is found without
//! a tolerance.

use super::projection::{Projection, project, squared_length};
use peeler_features::{TestFeatures, TextList, stored_hash};

/// The number of nearest known tests that vote on whether a test is flaky, k in the FLAST paper.
pub(super) const NEIGHBOURS: usize = 7;

/// An index of known tests by the dimensions of their projected bags of tokens.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) projection: Projection,
    /// For each dimension, the known tests with a non-zero coordinate in it: position of the test, and coordinate.
    by_dimension: Vec<Vec<(u32, i32)>>,
    squared_lengths: Vec<i64>,
    /// The inverse length of each projected test as a vector; 0 for tests without non-zero coordinates.
    ///
    /// The angle to such tests is undefined. Their distance from all others is 1, as in scikit-learn.
    inverse_lengths: Vec<f64>,
}

/// A known test with its cosine distance from another test.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    /// The position of the known test in the index.
    pub(super) test: usize,
    pub(super) distance: f64,
}

impl Index {
    /// Builds an index of projected tests, each given as its non-zero coordinates by dimension.
    pub(super) fn new(projection: Projection, projected: impl Iterator<Item = Vec<(u32, i64)>>) -> Self {
        let mut by_dimension = vec![Vec::new(); projection.dimensions as usize];
        let mut squared_lengths = Vec::new();
        for (test, point) in projected.enumerate() {
            squared_lengths.push(squared_length(&point));
            for (dimension, coordinate) in point {
                let coordinate = i32::try_from(coordinate).expect("a test has fewer than 2^31 tokens");
                by_dimension[dimension as usize].push((position(test), coordinate));
            }
        }
        let inverse_lengths = squared_lengths.iter().map(|&squared| inverse_length(squared)).collect();
        Self {
            projection,
            by_dimension,
            squared_lengths,
            inverse_lengths,
        }
    }

    /// The projected tests in the order of their positions in the index, each as its non-zero coordinates by dimension.
    pub(super) fn points(&self) -> Vec<Vec<(u32, i32)>> {
        let mut points = vec![Vec::new(); self.squared_lengths.len()];
        for (dimension, tests) in self.by_dimension.iter().enumerate() {
            for &(test, coordinate) in tests {
                points[test as usize].push((position(dimension), coordinate));
            }
        }
        points
    }

    /// The known tests that are nearest to a test, at most [`NEIGHBOURS`], nearest first. Empty if no projected
    /// coordinate of the test is non-zero.
    pub(super) fn neighbours(&self, test: &TestFeatures<'_>) -> Vec<Neighbour> {
        let projected = self.projected(&test.tokens);
        if projected.is_empty() {
            return Vec::new();
        }
        let mut dot_products = vec![0_i64; self.squared_lengths.len()];
        for &(dimension, coordinate) in &projected {
            for &(test, other) in &self.by_dimension[dimension as usize] {
                dot_products[test as usize] += coordinate * i64::from(other);
            }
        }

        let squared = squared_length(&projected);
        let inverse = inverse_length(squared);
        let mut nearest = Nearest::default();
        for (test, (&dot_product, &other)) in dot_products.iter().zip(&self.inverse_lengths).enumerate() {
            nearest.offer(test, exact(dot_product) * other);
        }
        let neighbours = nearest.tests.into_iter().map(|(test, similarity)| Neighbour {
            test,
            distance: if is_parallel(dot_products[test], squared, self.squared_lengths[test]) {
                0.0
            } else {
                // Rounding must not turn a close neighbour into an exact copy.
                (1.0 - similarity * inverse).max(f64::EPSILON)
            },
        });
        let mut neighbours: Vec<Neighbour> = neighbours.collect();
        neighbours.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.test.cmp(&b.test)));
        neighbours
    }

    fn projected(&self, tokens: &TextList<'_>) -> Vec<(u32, i64)> {
        let rows: Vec<_> = bag(tokens.iter())
            .into_iter()
            .map(|(token, multiplicity)| (self.projection.row(stored_hash(token.as_bytes())), multiplicity))
            .collect();
        project(rows.iter().map(|(row, multiplicity)| (row.as_slice(), *multiplicity)))
    }
}

/// The distinct items in ascending order, each with the number of times that it occurs.
pub(super) fn bag<T: Ord>(items: impl Iterator<Item = T>) -> Vec<(T, u32)> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    let mut bag: Vec<(T, u32)> = Vec::new();
    for item in items {
        match bag.last_mut() {
            Some((last, multiplicity)) if *last == item => *multiplicity += 1,
            _ => bag.push((item, 1)),
        }
    }
    bag
}

/// Up to [`NEIGHBOURS`] known tests: those that are most similar to a test, the most similar first.
///
/// Known tests must be offered in the order of their positions in the index. Of equally similar tests, the one offered
/// first comes first.
#[derive(Debug, Default)]
struct Nearest {
    tests: Vec<(usize, f64)>,
}

impl Nearest {
    fn offer(&mut self, test: usize, similarity: f64) {
        if self.tests.len() == NEIGHBOURS {
            if self.tests[NEIGHBOURS - 1].1 >= similarity {
                return;
            }
            self.tests.pop();
        }
        let rank = self.tests.partition_point(|&(_, other)| other >= similarity);
        self.tests.insert(rank, (test, similarity));
    }
}

/// Whether two vectors have the same direction: the inequality of Cauchy and Schwarz is then an equality.
fn is_parallel(dot_product: i64, squared_length: i64, other_squared_length: i64) -> bool {
    dot_product > 0 && i128::from(dot_product).pow(2) == i128::from(squared_length) * i128::from(other_squared_length)
}

fn inverse_length(squared_length: i64) -> f64 {
    if squared_length == 0 {
        0.0
    } else {
        exact(squared_length).sqrt().recip()
    }
}

/// An index of a test, token or dimension as `u32`.
pub(super) fn position(index: usize) -> u32 {
    u32::try_from(index).expect("a corpus has fewer than 2^32 tests and texts")
}

#[expect(
    clippy::cast_precision_loss,
    reason = "only squares of tests with millions of tokens reach 2^53"
)]
fn exact(whole: i64) -> f64 {
    whole as f64
}

#[cfg(test)]
mod tests {
    use super::{Index, Nearest};
    use crate::rivals::projection::Projection;

    #[test]
    fn the_earlier_of_equally_near_tests_comes_first() {
        let mut nearest = Nearest::default();
        for (test, similarity) in [0.5, 0.9, 0.5, 0.1, 0.9, 0.1, 0.5, 0.5, 0.1].into_iter().enumerate() {
            nearest.offer(test, similarity);
        }
        let order: Vec<usize> = nearest.tests.iter().map(|&(test, _)| test).collect();
        assert_eq!(order, [1, 4, 0, 2, 6, 7, 3]);
    }

    #[test]
    fn an_index_gives_back_the_tests_it_was_made_of() {
        let projection = Projection {
            seed: 1,
            dimensions: 4,
            density: 0.5,
        };
        let tests = [vec![(0, 2), (3, -1)], vec![], vec![(3, 5)]];
        let index = Index::new(projection, tests.into_iter());
        assert_eq!(index.points(), [vec![(0, 2), (3, -1)], vec![], vec![(3, 5)]]);
    }
}
