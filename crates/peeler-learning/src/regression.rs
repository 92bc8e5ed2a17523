//! Logistic regression on sparse features: Newton's method, with directions by conjugate gradients.
//!
//! The solver is part of this crate because linfa and smartcore need dense matrices. For 20,000 tests and 20,000 words
//! that would be three gigabytes of zeros. The objective is strictly convex, so every solver finds the same solution.
//! This one reads the data only in sparse products, like the solver `newton-cg` of scikit-learn.

use rayon::prelude::*;

/// A labelled test for the logistic regression, with the cost of misjudging it.
#[derive(Debug)]
pub struct Example {
    /// The columns of the test's non-zero features, and their values.
    pub features: Vec<(u32, f64)>,
    /// Whether the test is flaky.
    pub flaky: bool,
    /// The factor of this test's loss in the sum that the logistic regression minimises. The penalty on weights has the
    /// factor 1.
    pub cost: f64,
    /// Whether the example is a single test, or the difference of two, of which the first should get the higher score.
    pub of: ExampleOf,
}

/// What an example of the logistic regression stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleOf {
    /// A test.
    Test,
    /// The features of a test minus those of another one. The intercept, which both have, cancels out.
    Difference,
}

impl ExampleOf {
    /// The value of the feature whose weight is the intercept.
    fn constant(self) -> f64 {
        match self {
            Self::Test => 1.0,
            Self::Difference => 0.0,
        }
    }
}

impl Example {
    /// The scalar product of the example's features with `vector`, plus the intercept, which is the last element of
    /// `vector`.
    fn dot(&self, vector: &[f64]) -> f64 {
        let intercept = vector[vector.len() - 1];
        self.of.constant() * intercept
            + self
                .features
                .iter()
                .map(|&(column, value)| vector[column as usize] * value)
                .sum::<f64>()
    }

    /// Adds `factor` times the example's features to `vector`. Its last element stands for the intercept.
    fn add_to(&self, factor: f64, vector: &mut [f64]) {
        for &(column, value) in &self.features {
            vector[column as usize] += factor * value;
        }
        if let Some(intercept) = vector.last_mut() {
            *intercept += factor * self.of.constant();
        }
    }

    /// The logistic loss of the test at these log-odds of being flaky, times its cost; computed without overflow.
    fn loss(&self, log_odds: f64) -> f64 {
        let margin = if self.flaky { log_odds } else { -log_odds };
        self.cost * ((-margin.abs()).exp().ln_1p() + (-margin).max(0.0))
    }
}

/// The maximum number of Newton steps in fitting the logistic regression. Fewer than ten are usual.
const MOST_STEPS: usize = 100;

/// The maximum number of conjugate gradient steps that compute the direction of one Newton step.
const MOST_INNER_STEPS: usize = 250;

/// Fitting the logistic regression stops when the norm of the gradient is at most this share of its initial norm.
const FLAT: f64 = 1e-5;

/// Fits a logistic regression: returns the weights, followed by the intercept.
///
/// They minimise half the sum of squared weights plus the losses of the examples. The intercept is not penalised.
#[must_use]
pub fn regression(examples: &[Example], columns: usize) -> Vec<f64> {
    let mut weights = vec![0.0; columns + 1];
    let mut log_odds = vec![0.0; examples.len()];
    let mut flat = None;
    for _ in 0..MOST_STEPS {
        let mut gradient = weights.clone();
        gradient[columns] = 0.0;
        let probabilities: Vec<f64> = log_odds.iter().map(|it| sigmoid(*it)).collect();
        add_examples(examples, &mut gradient, |at, example| {
            example.cost * (probabilities[at] - f64::from(u8::from(example.flaky)))
        });
        let curvatures: Vec<f64> = examples
            .iter()
            .zip(&probabilities)
            .map(|(example, probability)| example.cost * probability * (1.0 - probability))
            .collect();
        let steepness = product(&gradient, &gradient).sqrt();
        if steepness <= *flat.get_or_insert(FLAT * steepness) {
            break;
        }

        let direction = newton_direction(examples, &curvatures, &gradient);
        let change: Vec<f64> = examples.par_iter().map(|example| example.dot(&direction)).collect();
        let Some(step) = step_length(examples, &weights, &log_odds, &gradient, &direction, &change) else {
            break;
        };
        add_multiple(step, &direction, &mut weights);
        add_multiple(step, &change, &mut log_odds);
    }
    weights
}

/// The number of examples in a chunk, whose features one thread adds up.
///
/// The sums of all chunks are then added in order, so the result does not depend on the number of threads.
const ADDED_TOGETHER: usize = 4_096;

/// Adds the features of every example, times `factor` of its index and itself, to the vector `sum`.
fn add_examples(examples: &[Example], sum: &mut [f64], factor: impl Fn(usize, &Example) -> f64 + Sync) {
    let width = sum.len();
    let parts: Vec<Vec<f64>> = examples
        .par_chunks(ADDED_TOGETHER)
        .enumerate()
        .map(|(part, examples)| {
            let mut sum = vec![0.0; width];
            for (at, example) in examples.iter().enumerate() {
                example.add_to(factor(part * ADDED_TOGETHER + at, example), &mut sum);
            }
            sum
        })
        .collect();
    for part in &parts {
        add_multiple(1.0, part, sum);
    }
}

/// The Newton direction: the solution of `Hessian * direction = -gradient` by conjugate gradients.
///
/// The preconditioner is the diagonal of the Hessian.
fn newton_direction(examples: &[Example], curvatures: &[f64], gradient: &[f64]) -> Vec<f64> {
    let intercept = gradient.len() - 1;
    let mut diagonal = vec![1.0; gradient.len()];
    // The intercept has no penalty. This keeps it from zero if all examples are certain.
    diagonal[intercept] = f64::EPSILON;
    for (example, &curvature) in examples.iter().zip(curvatures) {
        for &(column, value) in &example.features {
            diagonal[column as usize] += curvature * value * value;
        }
        diagonal[intercept] += curvature * example.of.constant();
    }
    let hessian_times = |vector: &[f64]| {
        let mut result = vector.to_vec();
        result[intercept] *= f64::EPSILON;
        add_examples(examples, &mut result, |at, example| {
            curvatures[at] * example.dot(vector)
        });
        result
    };
    let precondition = |residual: &[f64]| -> Vec<f64> {
        residual
            .iter()
            .zip(&diagonal)
            .map(|(residual, diagonal)| residual / diagonal)
            .collect()
    };

    let mut direction = vec![0.0; gradient.len()];
    let mut residual: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
    let mut search = precondition(&residual);
    let mut energy = product(&residual, &search);
    // Far from the minimum a rough direction is enough; near it a precise one is worth its cost. A residual that
    // shrinks with the gradient makes the outer steps converge superlinearly.
    let start = energy.sqrt();
    let enough = start * start.sqrt().min(0.1);
    for _ in 0..MOST_INNER_STEPS {
        if energy.sqrt() <= enough {
            break;
        }
        let curved = hessian_times(&search);
        let step = energy / product(&search, &curved);
        add_multiple(step, &search, &mut direction);
        add_multiple(-step, &curved, &mut residual);
        let preconditioned = precondition(&residual);
        let next = product(&residual, &preconditioned);
        for (search, preconditioned) in search.iter_mut().zip(preconditioned) {
            *search = preconditioned + next / energy * *search;
        }
        energy = next;
    }
    direction
}

/// The first of the step lengths 1, 1/2, 1/4, ... that lowers the objective of the regression enough (Armijo rule).
///
/// `None` if no step length does, because rounding hides any descent.
fn step_length(
    examples: &[Example],
    weights: &[f64],
    log_odds: &[f64],
    gradient: &[f64],
    direction: &[f64],
    change: &[f64],
) -> Option<f64> {
    let intercept = weights.len() - 1;
    let objective = |step: f64| {
        let penalty: f64 = weights[..intercept]
            .iter()
            .zip(direction)
            .map(|(weight, direction)| (weight + step * direction).powi(2) / 2.0)
            .sum();
        let losses = examples.iter().zip(log_odds.iter().zip(change));
        penalty
            + losses
                .map(|(example, (log_odds, change))| example.loss(log_odds + step * change))
                .sum::<f64>()
    };
    let now = objective(0.0);
    let slope = product(gradient, direction);
    (0..30)
        .map(|halvings| 0.5_f64.powi(halvings))
        .find(|&step| objective(step) < now + 1e-4 * step * slope)
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_multiple(factor: f64, vector: &[f64], sum: &mut [f64]) {
    for (sum, value) in sum.iter_mut().zip(vector) {
        *sum += factor * value;
    }
}

/// The probability for log-odds: `1 / (1 + exp(-log_odds))`.
#[must_use]
pub fn sigmoid(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::{Example, ExampleOf, regression, sigmoid};

    #[test]
    fn a_difference_does_not_move_the_intercept() {
        let test = |value: f64, flaky: bool| Example {
            features: vec![(0, value)],
            flaky,
            cost: 1.0,
            of: ExampleOf::Test,
        };
        let tests = [test(0.0, true), test(0.0, false), test(0.0, false)];
        let without = regression(&tests, 2);
        let difference = Example {
            features: vec![(1, 1.0)],
            flaky: true,
            cost: 5.0,
            of: ExampleOf::Difference,
        };
        let [a, b, c] = tests;
        let with = regression(&[a, b, c, difference], 2);
        assert!((with[2] - without[2]).abs() < 1e-4, "{with:?} {without:?}");
        assert!(with[1] > 0.5 && without[1].abs() < 1e-9, "{with:?} {without:?}");
    }

    #[test]
    fn the_gradient_vanishes_at_the_solution() {
        // The examples are two overlapping clusters of unequal costs, so that the minimum is neither 0 nor infinite.
        let examples: Vec<Example> = [(1.0, true), (0.2, true), (0.4, false), (-0.7, false), (-1.0, true)]
            .into_iter()
            .map(|(value, flaky)| Example {
                features: vec![(0, value)],
                flaky,
                cost: if flaky { 2.0 } else { 3.0 },
                of: ExampleOf::Test,
            })
            .collect();
        let weights = regression(&examples, 1);
        let mut gradient = vec![weights[0], 0.0];
        for example in &examples {
            let error = sigmoid(example.dot(&weights)) - if example.flaky { 1.0 } else { 0.0 };
            example.add_to(example.cost * error, &mut gradient);
        }
        assert!(gradient.iter().all(|slope| slope.abs() < 1e-4), "{gradient:?}");
    }
}
