//! The optimiser `AdamW`.

use crate::matrix::Matrix;
use crate::package::narrow;
use crate::queue::Argument::{Float, Large, Small};
use crate::queue::Queue;

/// The number of parts in which the square of a gradient's norm is summed.
const PARTS: usize = 64;

/// The optimiser `AdamW`, with gradients scaled down to a longest norm.
#[derive(Debug, Clone, Copy)]
pub struct AdamW {
    /// The share of the mean of gradients that a step keeps.
    pub beta_1: f32,
    /// The share of the mean of squared gradients that a step keeps.
    pub beta_2: f32,
    /// The number that is added to a root, so that one does not divide by zero.
    pub epsilon: f32,
    /// The factor of the decoupled weight decay.
    pub weight_decay: f32,
    /// The largest norm of the gradient of a matrix.
    pub longest_gradient: f32,
}

/// The means of a matrix's gradients and of their squares.
#[derive(Debug)]
pub struct Moments {
    /// The mean of gradients.
    pub mean: Matrix,
    /// The mean of squared gradients.
    pub square: Matrix,
    /// The number of steps so far.
    pub steps: i32,
}

impl Moments {
    /// The moments before the first step.
    #[must_use]
    pub fn new(queue: &Queue, rows: usize, columns: usize) -> Self {
        let [mean, square] = [(); 2].map(|()| queue.zeros(rows, columns));
        Self { mean, square, steps: 0 }
    }
}

impl AdamW {
    /// Changes a matrix by one step.
    ///
    /// # Panics
    ///
    /// If the shapes differ.
    pub fn step(&self, queue: &Queue, value: &Matrix, moments: &mut Moments, gradient: &Matrix, rate: f32) {
        let count = value.elements();
        let shape = |matrix: &Matrix| (matrix.rows(), matrix.columns());
        let others = [&moments.mean, &moments.square, gradient];
        assert!(
            others.into_iter().all(|it| shape(it) == shape(value)),
            "a gradient for each value"
        );
        moments.steps += 1;
        let squares = queue.unset(PARTS, 1);
        let whole = |matrix: &Matrix| queue.pointer(matrix, 0, matrix.elements());
        let size = Large(count as u64);
        queue.launch(
            "square_parts",
            (PARTS, 1),
            (256, 1),
            &[whole(&squares), whole(gradient), size],
        );
        let all = [value, &moments.mean, &moments.square, gradient];
        let [value, mean, square, gradient] = all.map(|it| queue.pointer(it, 0, count));
        let arguments = [
            value,
            mean,
            square,
            gradient,
            whole(&squares),
            Small(narrow(PARTS)),
            size,
            Float(self.longest_gradient),
            Float(rate),
            Float(self.weight_decay),
            Float(self.beta_1),
            Float(self.beta_2),
            Float(self.epsilon),
            Float(1.0 - self.beta_1.powi(moments.steps)),
            Float(1.0 - self.beta_2.powi(moments.steps)),
        ];
        queue.launch_each("adamw", count, &arguments);
    }
}
