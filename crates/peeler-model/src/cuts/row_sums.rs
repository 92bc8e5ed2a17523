//! Weighted sums of rows of a tensor, in operations that occupy a whole GPU.
//!
//! The Burn library adds rows to others one after the other, in one thread for each column. Here the rows of each sum
//! are put into groups of equal size, the groups are summed all at once, and so on with the sums, until each group is
//! one sum.

use burn::tensor::{Device, Int, Tensor, TensorData};
use peeler_features::narrow;

use super::rows::places;

/// The largest size of a group of rows.
const LARGEST_GROUP: usize = 8;
/// The size of a group of sums. There are far fewer sums than rows, so a little room in their groups costs nothing.
const GROUP_OF_SUMS: usize = 32;

/// A row that is a part of a sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// The index of the sum.
    pub(super) sum: u32,
    /// The index of the row.
    pub(super) row: u32,
    /// The factor of the row.
    pub(super) weight: f32,
}

/// Which rows of a tensor make up which sums, in groups.
pub(super) struct RowSums {
    /// Groups of rows of the tensor, then groups of the sums of the level before.
    levels: Vec<Groups>,
    /// For each sum, its place among the groups of all levels and one, or any place and zero if it has no parts. `None`
    /// if the first level has one group for each sum.
    found: Option<(Tensor<1, Int>, Tensor<2>)>,
}

/// Groups of rows that are summed at once.
struct Groups {
    size: usize,
    /// The rows of all groups, one group after the other.
    rows: Tensor<1, Int>,
    /// The factors of the rows, `[groups, size, 1]`. They are zero in the room that a group does not need.
    weights: Tensor<3>,
}

impl RowSums {
    /// The sums with indices below `sums` of these parts, in any order.
    pub(super) fn new(sums: usize, parts: &[Part], device: &Device) -> Self {
        let (mut starts, mut parts) = sorted(sums, parts);
        let filled = starts.windows(2).filter(|it| it[0] < it[1]).count();
        let mut size = (parts.len() / filled.max(1)).next_power_of_two().min(LARGEST_GROUP);
        // The sums that a level adds up, and the number of groups of the levels before.
        let mut open: Vec<usize> = (0..sums).collect();
        let mut before = 0;
        let mut levels = Vec::new();
        let mut places_of: Vec<Option<u32>> = vec![None; sums];
        while !open.is_empty() {
            let (groups, groups_of) = Groups::new(&starts, &parts, size, device);
            let first = before;
            before += groups.weights.dims()[0];
            levels.push(groups);
            let mut next = (Vec::new(), vec![0], Vec::new());
            for (sum, own) in open.into_iter().zip(groups_of.windows(2)) {
                match own[1] - own[0] {
                    0 => (),
                    1 => places_of[sum] = Some(narrow(first + own[0])),
                    _ => {
                        next.0.push(sum);
                        next.2.extend((own[0]..own[1]).map(|row| (narrow(row), 1.0)));
                        next.1.push(next.2.len());
                    }
                }
            }
            (open, starts, parts) = next;
            size = GROUP_OF_SUMS;
        }
        let is_in_place = levels.len() == 1 && filled == sums;
        let found = (!is_in_place).then(|| {
            let rows: Vec<u32> = places_of.iter().map(|it| it.unwrap_or(0)).collect();
            let weights: Vec<f32> = places_of.iter().map(|it| f32::from(u8::from(it.is_some()))).collect();
            let weights = Tensor::from_data(TensorData::new(weights, [sums, 1]), device);
            (places(&rows, device), weights)
        });
        Self { levels, found }
    }

    /// The sums of rows of `values`, `[sums, width]`.
    pub(super) fn of(self, values: &Tensor<2>) -> Tensor<2> {
        let mut sums: Vec<Tensor<2>> = Vec::with_capacity(self.levels.len());
        for groups in self.levels {
            let of = groups.sums(sums.last().unwrap_or(values).clone());
            sums.push(of);
        }
        let sums = match sums.len() {
            1 => sums.remove(0),
            _ => Tensor::cat(sums, 0),
        };
        match self.found {
            Some((rows, weights)) => sums.select(0, rows) * weights,
            None => sums,
        }
    }
}

impl Groups {
    /// Groups of `size` parts. The parts of sum `i` are `parts[starts[i]..starts[i + 1]]`: a row and its factor.
    ///
    /// Also returns where the groups of each sum start. There is at least one group.
    fn new(starts: &[usize], parts: &[(u32, f32)], size: usize, device: &Device) -> (Self, Vec<usize>) {
        let mut rows = Vec::with_capacity(parts.len() * 2);
        let mut weights = Vec::with_capacity(parts.len() * 2);
        let mut next_starts = vec![0];
        for own in starts.windows(2) {
            for group in parts[own[0]..own[1]].chunks(size) {
                rows.extend(group.iter().map(|it| it.0));
                weights.extend(group.iter().map(|it| it.1));
                rows.resize(rows.len().next_multiple_of(size), 0);
                weights.resize(rows.len(), 0.0);
            }
            next_starts.push(rows.len() / size);
        }
        if rows.is_empty() {
            rows.resize(size, 0);
            weights.resize(size, 0.0);
        }
        let shape = [rows.len() / size, size, 1];
        let groups = Self {
            size,
            rows: places(&rows, device),
            weights: Tensor::from_data(TensorData::new(weights, shape), device),
        };
        (groups, next_starts)
    }

    fn sums(self, values: Tensor<2>) -> Tensor<2> {
        let [groups, size, _] = self.weights.dims();
        let width = values.dims()[1];
        let rows = values.select(0, self.rows);
        if self.size == 1 {
            return rows * self.weights.reshape([groups, 1]);
        }
        let weighted: Tensor<3> = rows.reshape([groups, size, width]) * self.weights;
        weighted.sum_dim(1).reshape([groups, width])
    }
}

/// Rows and factors of parts sorted by the index of their sum, and where those of each sum start.
fn sorted(sums: usize, parts: &[Part]) -> (Vec<usize>, Vec<(u32, f32)>) {
    let mut starts = vec![0; sums + 1];
    for part in parts {
        starts[part.sum as usize + 1] += 1;
    }
    for sum in 0..sums {
        starts[sum + 1] += starts[sum];
    }
    let mut next = starts.clone();
    let mut sorted = vec![(0, 0.0); parts.len()];
    for part in parts {
        let place = &mut next[part.sum as usize];
        sorted[*place] = (part.row, part.weight);
        *place += 1;
    }
    (starts, sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(count: usize, parts: &[Part], values: &[f32]) -> Vec<f32> {
        let device = Device::flex();
        let values = Tensor::from_data(TensorData::new(values.to_vec(), [values.len() / 2, 2]), &device);
        let sums = RowSums::new(count, parts, &device).of(&values);
        assert_eq!(sums.dims(), [count, 2]);
        sums.into_data().try_to_vec().unwrap()
    }

    fn part(sum: u32, row: u32, weight: f32) -> Part {
        Part { sum, row, weight }
    }

    #[test]
    fn rows_are_weighted_and_added_by_sum_and_a_sum_without_parts_is_zero() {
        let parts = [part(2, 0, 1.0), part(0, 1, 0.5), part(2, 1, 2.0)];
        let found = sums(4, &parts, &[1.0, 2.0, 10.0, 20.0]);
        assert_eq!(found, [5.0, 10.0, 0.0, 0.0, 21.0, 42.0, 0.0, 0.0]);
        assert_eq!(sums(1, &[], &[1.0, 2.0]), [0.0, 0.0]);
    }

    /// A sum of a thousand rows takes three levels of groups, while the sums beside it have one row each.
    #[test]
    fn large_and_small_sums_are_right_beside_each_other() {
        let many = (0..1_000).map(|_| part(1, 0, 1.0));
        let parts: Vec<Part> = many.chain([part(0, 1, 1.0), part(2, 1, 3.0)]).collect();
        let found = sums(3, &parts, &[1.0, -1.0, 4.0, 5.0]);
        assert_eq!(found, [4.0, 5.0, 1_000.0, -1_000.0, 12.0, 15.0]);
    }
}
