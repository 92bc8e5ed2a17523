//! Numbers that operations need beside matrices, packed on any thread and copied to a card in one go.
//!
//! All indices are checked while they are packed, because a kernel cannot check them.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use cudarc::driver::CudaSlice;

/// Lists of rows of a matrix, with a factor for each row. An operation sums the rows of each list.
#[derive(Debug)]
pub struct RowLists {
    starts: Vec<u32>,
    rows: Vec<u32>,
    /// The factors of the rows; `None` if all are one.
    weights: Option<Vec<f32>>,
    /// The number of rows of the matrix.
    sources: usize,
}

impl RowLists {
    /// Lists of rows of a matrix with `sources` rows. List `i` has the elements `starts[i]..starts[i + 1]`.
    ///
    /// # Panics
    ///
    /// If there is no such row, or the starts are not in order.
    #[must_use]
    pub fn new(starts: Vec<u32>, rows: Vec<u32>, weights: Option<Vec<f32>>, sources: usize) -> Self {
        assert!(
            starts.first() == Some(&0) && starts.is_sorted(),
            "lists follow each other"
        );
        assert_eq!(
            starts.last().map(|it| *it as usize),
            Some(rows.len()),
            "lists end with the rows"
        );
        assert!(
            rows.iter().all(|it| (*it as usize) < sources),
            "a row is one of the matrix"
        );
        let counts = weights.as_ref().map_or(rows.len(), Vec::len);
        assert_eq!(counts, rows.len(), "each row has a factor");
        Self {
            starts,
            rows,
            weights,
            sources,
        }
    }

    /// Lists of one row each.
    #[must_use]
    pub fn picks(rows: Vec<u32>, sources: usize) -> Self {
        Self::new((0..=narrow(rows.len())).collect(), rows, None, sources)
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// For each row of the matrix, the lists that it is in: gradients flow back along them.
    fn transposed(&self) -> Self {
        let mut starts = vec![0_u32; self.sources + 1];
        for row in &self.rows {
            starts[*row as usize + 1] += 1;
        }
        for at in 0..self.sources {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; self.rows.len()];
        let mut weights = self.weights.as_ref().map(|it| vec![0.0; it.len()]);
        for list in 0..self.count() {
            for at in self.starts[list] as usize..self.starts[list + 1] as usize {
                let place = &mut next[self.rows[at] as usize];
                rows[*place as usize] = narrow(list);
                if let (Some(weights), Some(own)) = (&mut weights, &self.weights) {
                    weights[*place as usize] = own[at];
                }
                *place += 1;
            }
        }
        Self {
            starts,
            rows,
            weights,
            sources: self.count(),
        }
    }

    fn longest(&self) -> usize {
        self.starts
            .windows(2)
            .map(|it| (it[1] - it[0]) as usize)
            .max()
            .unwrap_or(0)
    }
}

/// Numbers for operations, still in the memory of the host.
#[derive(Debug)]
pub struct Package {
    number: u64,
    words: Vec<u32>,
}

/// The numbers of a [`Package`] in the memory of a card.
#[derive(Debug)]
pub struct Delivery {
    pub(crate) number: u64,
    pub(crate) words: CudaSlice<u32>,
}

/// Packed [`RowLists`].
#[derive(Debug)]
pub struct Lists {
    pub(crate) package: u64,
    pub(crate) starts: Range<usize>,
    pub(crate) rows: Range<usize>,
    pub(crate) weights: Option<Range<usize>>,
    pub(crate) sources: usize,
    pub(crate) longest: usize,
    /// The lists along which gradients flow back; `None` if no gradients are needed.
    pub(crate) back: Option<Box<Lists>>,
}

impl Lists {
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Packed groups of rows of a matrix, in which a row is at most once.
#[derive(Debug)]
pub struct Groups {
    pub(crate) package: u64,
    pub(crate) starts: Range<usize>,
    pub(crate) members: Range<usize>,
    pub(crate) sources: usize,
}

impl Groups {
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Packed bits.
#[derive(Debug)]
pub struct Bits {
    pub(crate) package: u64,
    pub(crate) words: Range<usize>,
    pub(crate) count: usize,
}

/// Packed floats.
#[derive(Debug)]
pub struct Floats {
    pub(crate) package: u64,
    pub(crate) words: Range<usize>,
}

impl Default for Package {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            words: Vec::new(),
        }
    }
}

impl Package {
    /// Packs lists of rows through which gradients can flow back.
    #[must_use]
    pub fn lists_both_ways(&mut self, lists: &RowLists) -> Lists {
        Lists {
            back: Some(Box::new(self.lists(&lists.transposed()))),
            ..self.lists(lists)
        }
    }

    /// Packs lists of rows.
    #[must_use]
    pub fn lists(&mut self, lists: &RowLists) -> Lists {
        Lists {
            package: self.number,
            starts: self.push(lists.starts.iter().copied()),
            rows: self.push(lists.rows.iter().copied()),
            weights: lists
                .weights
                .as_ref()
                .map(|it| self.push(it.iter().map(|it| it.to_bits()))),
            sources: lists.sources,
            longest: lists.longest(),
            back: None,
        }
    }

    /// Packs groups of rows.
    ///
    /// # Panics
    ///
    /// If a row is in two groups.
    #[must_use]
    pub fn groups(&mut self, groups: &RowLists) -> Groups {
        let mut seen = vec![false; groups.sources];
        for row in &groups.rows {
            assert!(
                !std::mem::replace(&mut seen[*row as usize], true),
                "a row is in one group"
            );
        }
        Groups {
            package: self.number,
            starts: self.push(groups.starts.iter().copied()),
            members: self.push(groups.rows.iter().copied()),
            sources: groups.sources,
        }
    }

    /// Packs bits.
    #[must_use]
    pub fn bits(&mut self, bits: impl Iterator<Item = bool>) -> Bits {
        let first = self.words.len();
        let mut count = 0;
        let mut word = 0;
        for bit in bits {
            word |= u32::from(bit) << (count % 32);
            count += 1;
            if count % 32 == 0 {
                self.words.push(std::mem::take(&mut word));
            }
        }
        if count % 32 != 0 {
            self.words.push(word);
        }
        Bits {
            package: self.number,
            words: first..self.words.len(),
            count,
        }
    }

    /// Packs floats.
    #[must_use]
    pub fn floats(&mut self, values: impl Iterator<Item = f32>) -> Floats {
        Floats {
            package: self.number,
            words: self.push(values.map(f32::to_bits)),
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    fn push(&mut self, words: impl Iterator<Item = u32>) -> Range<usize> {
        let first = self.words.len();
        self.words.extend(words);
        first..self.words.len()
    }
}

/// An index in 32 bits.
///
/// # Panics
///
/// If it needs more.
pub(crate) fn narrow(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 of anything on a card")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_flow_back_to_each_row_in_the_order_of_lists() {
        let lists = RowLists::new(vec![0, 2, 2, 3], vec![3, 1, 3], Some(vec![0.5, 2.0, 4.0]), 4);
        let back = lists.transposed();
        assert_eq!(back.starts, [0, 0, 1, 1, 3]);
        assert_eq!(back.rows, [0, 0, 2]);
        assert_eq!(back.weights, Some(vec![2.0, 0.5, 4.0]));
        assert_eq!(back.sources, 3);
    }

    #[test]
    fn a_package_holds_everything_at_its_place() {
        let mut package = Package::default();
        let bits = package.bits((0..33).map(|it| it % 32 == 0));
        let floats = package.floats([1.5, -2.0].into_iter());
        let lists = package.lists_both_ways(&RowLists::picks(vec![2, 0], 3));
        assert_eq!(package.words()[bits.words], [1, 1]);
        assert_eq!(bits.count, 33);
        assert_eq!(package.words()[floats.words], [1.5_f32.to_bits(), (-2.0_f32).to_bits()]);
        assert_eq!(package.words()[lists.rows.clone()], [2, 0]);
        let back = lists.back.expect("a list in training has a way back");
        assert_eq!(package.words()[back.rows], [1, 0]);
        assert_eq!(package.words()[back.starts], [0, 1, 1, 2]);
    }

    #[test]
    #[should_panic(expected = "a row is one of the matrix")]
    fn a_row_beyond_the_matrix_is_refused() {
        let _ = RowLists::picks(vec![3], 3);
    }

    #[test]
    #[should_panic(expected = "a row is in one group")]
    fn a_row_in_two_groups_is_refused() {
        let groups = RowLists::new(vec![0, 1, 2], vec![1, 1], None, 2);
        let _ = Package::default().groups(&groups);
    }
}
