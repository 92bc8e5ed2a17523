//! Arrays with a row for each step of a path, packed by time step: their row numbers, and how paths are cut into
//! chunks.
//!
//! Packed by time step means: the first steps of all paths, then the second steps of those that have one, and so on.

use std::ops::Range;

/// The row numbers of path steps in an array with the first steps of all paths, then their second steps, and so on.
pub(crate) struct Packing {
    /// For each time step, the number of paths that are long enough to have it.
    pub(super) active: Vec<usize>,
    /// For each time step, its first row in an array of path steps packed by time step. The last element is the number
    /// of all rows.
    pub(super) starts: Vec<usize>,
}

/// Consecutive paths of a batch that one thread computes together.
pub(super) struct Chunk {
    /// The index of the chunk's first path among all paths of the batch.
    pub(super) first_path: usize,
    /// The row numbers in an array that holds only the steps of this chunk's paths.
    pub(super) packing: Packing,
}

impl Packing {
    /// The row numbers of path steps in an array with the first steps of all paths, then the second steps, and so on.
    ///
    /// Paths are sorted by length, longest first; `active[t]` is the number of paths that have a step `t`.
    pub(crate) fn new(active: Vec<usize>) -> Self {
        assert!(
            active.is_sorted_by(|earlier, later| earlier >= later),
            "paths are sorted by length, longest first"
        );
        let mut starts = vec![0];
        starts.extend(active.iter().scan(0, |rows, active| {
            *rows += active;
            Some(*rows)
        }));
        Self { active, starts }
    }

    /// The number of time steps of the longest path.
    pub(super) fn steps(&self) -> usize {
        self.active.len()
    }

    /// The number of paths that have row numbers: all paths with at least one step.
    pub(super) fn paths(&self) -> usize {
        self.active.first().copied().unwrap_or(0)
    }

    /// The number of rows of an array with one row for each step of each path.
    pub(super) fn rows(&self) -> usize {
        self.starts[self.steps()]
    }

    /// The rows of one time step in an array of path steps: one row for each path that is long enough to have the step.
    pub(super) fn rows_of(&self, step: usize) -> Range<usize> {
        self.starts[step]..self.starts[step + 1]
    }

    /// For each path, the row of its last time step in an array of the steps of all paths.
    pub(crate) fn last_rows(&self) -> impl Iterator<Item = usize> {
        (0..self.paths()).map(|path| self.starts[self.active.partition_point(|active| *active > path) - 1] + path)
    }

    /// Cuts the paths into chunks, each for one thread: enough for many cores, but large enough for fast matrix
    /// products.
    pub(super) fn chunks(&self) -> Vec<Chunk> {
        const CHUNKS: usize = 16;
        const LEAST_PATHS: usize = 32;
        let size = self.paths().div_ceil(CHUNKS).max(LEAST_PATHS);
        let chunk = |first_path| {
            let active = self
                .active
                .iter()
                .map(|active| active.saturating_sub(first_path).min(size));
            Chunk {
                first_path,
                packing: Packing::new(active.take_while(|active| *active > 0).collect()),
            }
        };
        (0..self.paths()).step_by(size).map(chunk).collect()
    }

    /// Splits an array that is packed by time step into mutable slices for each chunk of paths, one slice per time
    /// step.
    pub(super) fn scatter_targets<'a>(
        &self,
        mut values: &'a mut [f32],
        columns: usize,
        chunks: &[Chunk],
    ) -> Vec<Vec<&'a mut [f32]>> {
        let mut targets: Vec<Vec<_>> = chunks
            .iter()
            .map(|chunk| Vec::with_capacity(chunk.packing.steps()))
            .collect();
        for step in 0..self.steps() {
            for (chunk, targets) in chunks.iter().zip(&mut targets) {
                if let Some(active) = chunk.packing.active.get(step) {
                    targets.push(
                        values
                            .split_off_mut(..active * columns)
                            .expect("chunks make up the rows of a step"),
                    );
                }
            }
        }
        targets
    }
}

impl Chunk {
    /// Copies the rows of this chunk's paths from an array with the steps of all paths.
    pub(super) fn gather(&self, values: &[f32], columns: usize, all: &Packing) -> Vec<f32> {
        let mut rows = Vec::with_capacity(self.packing.rows() * columns);
        for (start, active) in all.starts.iter().zip(&self.packing.active) {
            rows.extend_from_slice(&values[(start + self.first_path) * columns..][..active * columns]);
        }
        rows
    }
}
