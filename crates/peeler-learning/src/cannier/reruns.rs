//! The expected number of runs until the outcome of a test changes.

/// The expected number of runs until the outcome of a flaky test changes, at most `max_reruns`.
///
/// With a failure rate of `q`, the first change comes with run `x` with probability `q^(x-1) (1-q) + (1-q)^(x-1) q`.
/// The remaining probability falls on `max_reruns`. With a failure rate that is 0, 1, NaN or out of range the outcome
/// never changes, so the result is `max_reruns`.
#[must_use]
pub fn expected_reruns(failure_rate: f64, max_reruns: u32) -> f64 {
    // The formula is symmetric in q and 1-q. The smaller of the two keeps its digits.
    let rare = failure_rate.min(1.0 - failure_rate).max(0.0);
    if rare == 0.0 || max_reruns < 2 {
        return f64::from(max_reruns);
    }
    // An expectation is the sum over x of the probability to reach run x. The first run is certain. A later run
    // is reached if all x-1 runs before it agree, which has probability q^(x-1) + (1-q)^(x-1).
    let frequent = 1.0 - rare;
    let later_runs = f64::from(max_reruns - 1);
    let rare_agree = rare * (1.0 - rare.powf(later_runs)) / frequent;
    // (1 - frequent^later_runs) / rare: both terms vanish together, and only this form keeps their ratio.
    let frequent_agree = frequent * -(later_runs * (-rare).ln_1p()).exp_m1() / rare;
    1.0 + rare_agree + frequent_agree
}

/// The mean of [`expected_reruns`] over all failure rates between 0 and 1.
///
/// With a failure rate of `q`, run `x` is reached with probability `q^(x-1) + (1-q)^(x-1)`. The mean over `q` is `2/x`.
/// The first run is certain.
#[must_use]
pub fn expected_reruns_at_unknown_rate(max_reruns: u32) -> f64 {
    (1..=max_reruns)
        .map(|run| if run == 1 { 1.0 } else { 2.0 / f64::from(run) })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_over_all_rates_agrees_with_the_formula_at_each() {
        let steps = 20_000;
        let mean = (0..steps)
            .map(|step| expected_reruns((f64::from(step) + 0.5) / f64::from(steps), 25))
            .sum::<f64>()
            / f64::from(steps);
        assert!((mean - expected_reruns_at_unknown_rate(25)).abs() < 1e-3, "{mean}");
    }
}
