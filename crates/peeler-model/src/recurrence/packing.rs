//! Arrays of path steps packed by time: their row numbers, and how paths are cut into chunks.

use std::ops::Range;

/// The row numbers of path steps in an array packed by time.
pub(super) struct Packing {
    /// The number of paths that are long enough to have each time step.
    pub(super) active: Vec<usize>,
    /// The first row of each time step in the packed array; the last element is the number of rows.
    pub(super) starts: Vec<usize>,
}

/// Consecutive paths that one thread computes together.
pub(super) struct Chunk {
    /// The number of the first path of the chunk.
    pub(super) first_path: usize,
    /// The row numbers of the steps of this chunk's paths alone.
    pub(super) packing: Packing,
}

impl Packing {
    /// The row numbers of path steps in an array packed by time; `active[t]` is the number of paths with a step `t`.
    pub(super) fn new(active: Vec<usize>) -> Self {
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

    /// The number of paths in the packed array.
    pub(super) fn paths(&self) -> usize {
        self.active.first().copied().unwrap_or(0)
    }

    /// The number of rows of the packed array: the steps of all paths.
    pub(super) fn rows(&self) -> usize {
        self.starts[self.steps()]
    }

    /// The rows of one time step in the packed array.
    pub(super) fn rows_of(&self, step: usize) -> Range<usize> {
        self.starts[step]..self.starts[step + 1]
    }

    /// The row of the last time step of each path in the packed array.
    pub(super) fn last_rows(&self) -> impl Iterator<Item = usize> {
        (0..self.paths()).map(|path| self.starts[self.active.partition_point(|active| *active > path) - 1] + path)
    }

    /// Cuts the paths into chunks: enough for many cores, but large enough for fast matrix products.
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

    /// Splits an array packed by time into mutable slices for each chunk, one slice per time step.
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
    /// Copies the rows of this chunk's paths from an array of all paths.
    pub(super) fn gather(&self, values: &[f32], columns: usize, all: &Packing) -> Vec<f32> {
        let mut rows = Vec::with_capacity(self.packing.rows() * columns);
        for (start, active) in all.starts.iter().zip(&self.packing.active) {
            rows.extend_from_slice(&values[(start + self.first_path) * columns..][..active * columns]);
        }
        rows
    }
}
