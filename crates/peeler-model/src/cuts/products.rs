//! Products and sums over many rows, in parts that occupy a whole GPU.
//!
//! The gradient of a weight matrix is a product over all rows of a batch with a small result. The Burn library computes
//! each element of the result in one go, which leaves most of a GPU idle.

use burn::tensor::Tensor;

/// The number of parts that rows are cut into.
const PARTS: usize = 32;
/// The fewest rows of a part that is worth a product of its own.
const FEWEST_ROWS: usize = 16;

/// The product of the transposed `left` and `right`, which have as many rows: `[left columns, right columns]`.
pub(super) fn transposed_product(left: Tensor<2>, right: Tensor<2>) -> Tensor<2> {
    let ([count, from], [_, to]) = (left.dims(), right.dims());
    let rows = count / PARTS;
    if rows < FEWEST_ROWS {
        return left.transpose().matmul(right);
    }
    let whole = PARTS * rows;
    let parts = |it: &Tensor<2>, width: usize| -> Tensor<3> { first(it, whole).reshape([PARTS, rows, width]) };
    let products = parts(&left, from).swap_dims(1, 2).matmul(parts(&right, to)); // [parts, from, to]
    let sum = products.sum_dim(0).reshape([from, to]);
    if whole == count {
        return sum;
    }
    let rest = |it: Tensor<2>, width: usize| it.slice([whole..count, 0..width]);
    sum + rest(left, from).transpose().matmul(rest(right, to))
}

/// The sum of all rows, `[1, columns]`.
pub(super) fn row_sum(tensor: Tensor<2>) -> Tensor<2> {
    let [count, width] = tensor.dims();
    let rows = count / PARTS;
    if rows < FEWEST_ROWS {
        return tensor.sum_dim(0);
    }
    let whole = PARTS * rows;
    let parts: Tensor<3> = first(&tensor, whole).reshape([PARTS, rows, width]);
    let sum = parts.sum_dim(1).reshape([PARTS, width]).sum_dim(0);
    if whole == count {
        return sum;
    }
    sum + tensor.slice([whole..count, 0..width]).sum_dim(0)
}

fn first(tensor: &Tensor<2>, count: usize) -> Tensor<2> {
    let [all, width] = tensor.dims();
    if count == all {
        return tensor.clone();
    }
    tensor.clone().slice([0..count, 0..width])
}

#[cfg(test)]
mod tests {
    use burn::tensor::{Device, Distribution, Tolerance};

    use super::*;

    #[test]
    fn parts_add_up_to_the_whole_with_and_without_a_rest() {
        let device = Device::flex();
        for count in [1, 511, 512, 531] {
            let [left, right] = [3, 5].map(|width| Tensor::<2>::random([count, width], Distribution::Default, &device));
            let product = left.clone().transpose().matmul(right.clone()).into_data();
            let found = transposed_product(left.clone(), right).into_data();
            found.assert_approx_eq::<f32>(&product, Tolerance::default());
            let sum = left.clone().sum_dim(0).into_data();
            row_sum(left)
                .into_data()
                .assert_approx_eq::<f32>(&sum, Tolerance::default());
        }
    }
}
