//! Rows of embedding tables as tensors: weighted sums of lists of rows, and tensors of indices.

use burn::tensor::{Device, Int, Tensor, TensorData};

use crate::batch::Lists;

/// The weighted sum of embedding rows for each list, `[lists, width]`, as one product with a matrix of the weights.
pub(super) fn bag(lists: &Lists, table: Tensor<2>, device: &Device) -> Tensor<2> {
    let rows = table.dims()[0];
    let mut dense = vec![0.0; lists.len() * rows];
    for at in 0..lists.len() {
        for (row, weight) in lists.list(at) {
            dense[at * rows + row as usize] += weight;
        }
    }
    let dense = Tensor::<2>::from_data(TensorData::new(dense, [lists.len(), rows]), device);
    dense.matmul(table)
}

/// The weighted sum of embedding rows for each list, `[lists, width]`, by copying the rows.
///
/// It is faster than [`bag`] for short lists and large tables.
pub(super) fn gathered(lists: &Lists, table: Tensor<2>, device: &Device) -> Tensor<2> {
    let (count, longest, width) = (lists.len(), lists.longest().max(1), table.dims()[1]);
    let mut rows = vec![0_i32; count * longest];
    let mut weights = vec![0.0_f32; count * longest];
    for at in 0..count {
        for (place, (row, weight)) in lists.list(at).enumerate() {
            rows[at * longest + place] = index(row as usize);
            weights[at * longest + place] = weight;
        }
    }
    let rows = indices(rows, device);
    let weights = Tensor::<3>::from_data(TensorData::new(weights, [count, longest, 1]), device);
    let vectors: Tensor<3> = table.select(0, rows).reshape([count, longest, width]);
    (vectors * weights).sum_dim(1).reshape([count, width])
}

/// The numbers as a tensor of indices on the device.
pub(super) fn indices(values: Vec<i32>, device: &Device) -> Tensor<1, Int> {
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), device)
}

/// A number as an index of the type that Burn's tensors take.
pub(super) fn index(place: usize) -> i32 {
    i32::try_from(place).expect("batches have fewer than two billion of anything")
}

/// Indices of things in a batch, such as texts or edges, as a tensor on the device.
pub(super) fn places(values: &[u32], device: &Device) -> Tensor<1, Int> {
    indices(values.iter().map(|it| index(*it as usize)).collect(), device)
}
