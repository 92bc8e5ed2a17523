//! The gates of one time step of an LSTM layer, forward and backward, row by row.
//!
//! The loops use the widest vector instructions of the machine. Only code that is inlined into the function that
//! [`pulp`] compiles gets them, so everything is inlined. Only loops that write one slice are vectorised, so there are
//! many short loops over rows that stay in the first cache.
//!
//! Invariant: all machines compute the same values, because vectors of any width do the same operations in one order.
#![expect(
    clippy::inline_always,
    reason = "code that is not inlined is compiled for the oldest machine"
)]

use pulp::{Arch, Simd, WithSimd};

/// The forward pass of one LSTM time step: activates the gates and computes cells and outputs from the previous cells.
pub(crate) struct OpenGates<'a> {
    pub(crate) hidden: usize,
    /// The bias of the LSTM gates, `[4 * hidden]`.
    pub(crate) bias: &'a [f32],
    /// The LSTM cells of the previous time step, `[rows, hidden]`.
    pub(crate) before: &'a [f32],
    /// The gates of the time step: sums without bias before the pass, activated gates after it, `[rows, 4 * hidden]`.
    pub(crate) gates: &'a mut [f32],
    /// The LSTM cells that the time step computes, `[rows, hidden]`.
    pub(crate) cells: &'a mut [f32],
    /// The LSTM outputs that the time step computes, `[rows, hidden]`.
    pub(crate) outputs: &'a mut [f32],
}

impl OpenGates<'_> {
    /// Computes the gates, cells and outputs of the LSTM time step, with the widest vector instructions of the machine.
    pub(crate) fn run(self) {
        Arch::new().dispatch(self);
    }
}

impl WithSimd for OpenGates<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self {
            hidden,
            bias,
            before,
            gates,
            cells,
            outputs,
        } = self;
        let rows = gates.chunks_exact_mut(4 * hidden).zip(before.chunks_exact(hidden));
        let states = cells.chunks_exact_mut(hidden).zip(outputs.chunks_exact_mut(hidden));
        for ((gates, before), (cells, outputs)) in rows.zip(states) {
            let (sigmoids, rest) = gates.split_at_mut(2 * hidden);
            let (tanhs, last_sigmoids) = rest.split_at_mut(hidden);
            for (gate, bias) in sigmoids.iter_mut().zip(&bias[..2 * hidden]) {
                *gate = sigmoid(*gate + bias);
            }
            for (gate, bias) in tanhs.iter_mut().zip(&bias[2 * hidden..3 * hidden]) {
                *gate = tanh(*gate + bias);
            }
            for (gate, bias) in last_sigmoids.iter_mut().zip(&bias[3 * hidden..]) {
                *gate = sigmoid(*gate + bias);
            }
            let (input, forget, cell, output) = quarters(gates, hidden);
            let (before, cells, outputs) = (&before[..hidden], &mut cells[..hidden], &mut outputs[..hidden]);
            for unit in 0..hidden {
                cells[unit] = forget[unit] * before[unit] + input[unit] * cell[unit];
            }
            for unit in 0..hidden {
                outputs[unit] = output[unit] * tanh(cells[unit]);
            }
        }
    }
}

/// The backward pass of one LSTM time step: computes the gradients of the gate sums before activation.
///
/// `d_cells` holds the gradients of the cells from the next time step, and is overwritten with those for the previous
/// one. The gradients of the gate sums are added to `d_bias`.
pub(super) struct GateGradients<'a> {
    pub(super) hidden: usize,
    pub(super) gates: &'a [f32],
    pub(super) before: &'a [f32],
    pub(super) cells: &'a [f32],
    pub(super) d_outputs: &'a [f32],
    pub(super) d_gates: &'a mut [f32],
    pub(super) d_cells: &'a mut [f32],
    pub(super) d_bias: &'a mut [f32],
}

impl GateGradients<'_> {
    /// Computes the gradients of all LSTM gates with the widest vector instructions of the machine.
    pub(super) fn run(self) {
        Arch::new().dispatch(self);
    }
}

impl WithSimd for GateGradients<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self {
            hidden,
            gates,
            before,
            cells,
            d_outputs,
            d_gates,
            d_cells,
            d_bias,
        } = self;
        let kept = gates.chunks_exact(4 * hidden).zip(cells.chunks_exact(hidden));
        let kept = kept
            .zip(before.chunks_exact(hidden))
            .zip(d_outputs.chunks_exact(hidden));
        let found = d_gates
            .chunks_exact_mut(4 * hidden)
            .zip(d_cells.chunks_exact_mut(hidden));
        for ((((gates, cells), before), d_outputs), (d_gates, d_cells)) in kept.zip(found) {
            let (input, forget, cell, output) = quarters(gates, hidden);
            let (d_input, d_forget, d_cell, d_output) = quarters_mut(d_gates, hidden);
            let (cells, before, d_cells) = (&cells[..hidden], &before[..hidden], &mut d_cells[..hidden]);
            for unit in 0..hidden {
                d_output[unit] = tanh(cells[unit]);
            }
            for unit in 0..hidden {
                d_cells[unit] += d_outputs[unit] * output[unit] * (1.0 - d_output[unit] * d_output[unit]);
            }
            for unit in 0..hidden {
                d_output[unit] *= d_outputs[unit] * output[unit] * (1.0 - output[unit]);
            }
            for unit in 0..hidden {
                d_input[unit] = d_cells[unit] * cell[unit] * input[unit] * (1.0 - input[unit]);
            }
            for unit in 0..hidden {
                d_forget[unit] = d_cells[unit] * before[unit] * forget[unit] * (1.0 - forget[unit]);
            }
            for unit in 0..hidden {
                d_cell[unit] = d_cells[unit] * input[unit] * (1.0 - cell[unit] * cell[unit]);
            }
            for unit in 0..hidden {
                d_cells[unit] *= forget[unit];
            }
            for (sum, d_gate) in d_bias.iter_mut().zip(&*d_gates) {
                *sum += d_gate;
            }
        }
    }
}

#[inline(always)]
fn quarters(row: &[f32], hidden: usize) -> (&[f32], &[f32], &[f32], &[f32]) {
    let (input, rest) = row.split_at(hidden);
    let (forget, rest) = rest.split_at(hidden);
    let (cell, output) = rest.split_at(hidden);
    (input, forget, cell, &output[..hidden])
}

#[inline(always)]
fn quarters_mut(row: &mut [f32], hidden: usize) -> (&mut [f32], &mut [f32], &mut [f32], &mut [f32]) {
    let (input, rest) = row.split_at_mut(hidden);
    let (forget, rest) = rest.split_at_mut(hidden);
    let (cell, output) = rest.split_at_mut(hidden);
    (input, forget, cell, &mut output[..hidden])
}

/// The logistic function `1 / (1 + e^-x)`, with a relative error of at most 4e-7.
#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The function `tanh(x)`, with a relative error of at most 4e-7: a ratio of polynomials, as in Eigen.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    // Beyond this the value differs from one by less than the error.
    let x = x.clamp(-7.904_06, 7.904_06);
    let y = x * x;
    let odd = [
        -2.760_768_5e-16,
        2.000_188e-13,
        -8.604_672e-11,
        5.122_297e-8,
        1.485_722_4e-5,
        6.372_619_3e-4,
    ];
    let odd = odd.iter().fold(0.0, |sum, factor| sum * y + factor) * y + 4.893_525e-3;
    let even = ((1.198_258_4e-6 * y + 1.185_347_1e-4) * y + 2.268_434_6e-3) * y + 4.893_525e-3;
    x * odd / even
}

/// The function `e^x`, with a relative error of at most 2e-7. Arguments beyond the range of a float are clamped.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Adding this constant to a small number leaves the nearest integer in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    // ln 2 in two parts, the first exact in few bits, so that the rest keeps its precision.
    let rest = x - whole * 0.693_359_4 + whole * 2.121_944_4e-4;
    let factors = [
        1.987_569_1e-4,
        1.398_2e-3,
        8.333_452e-3,
        4.166_579_6e-2,
        1.666_666_5e-1,
        0.5,
    ];
    let power = factors.iter().fold(0.0, |sum, factor| sum * rest + factor) * rest * rest + rest + 1.0;
    f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_are_as_precise_as_their_documentation_says() {
        let worst = |found: fn(f32) -> f32, expected: fn(f64) -> f64, border: i16| {
            let points = (-32000..=32000_i16).map(|point| f32::from(point) * f32::from(border) / 32000.0);
            let error = |x: f32| ((f64::from(found(x)) - expected(f64::from(x))) / expected(f64::from(x))).abs();
            points.filter(|x| *x != 0.0).map(error).fold(0.0, f64::max)
        };
        assert!(worst(exp, f64::exp, 87) < 2e-7);
        assert!(worst(sigmoid, |x| 1.0 / (1.0 + (-x).exp()), 87) < 4e-7);
        assert!(worst(tanh, f64::tanh, 20) < 4e-7);
        assert_eq!(tanh(0.0).to_bits(), 0);
        assert!((tanh(1e30) - 1.0).abs() < 4e-7 && (tanh(-1e30) + 1.0).abs() < 4e-7);
        assert!(
            (sigmoid(1e30) - 1.0).abs() < 4e-7
                && sigmoid(-1e30) < 1e-37
                && sigmoid(f32::NAN).is_nan()
                && tanh(f32::NAN).is_nan()
        );
    }
}
