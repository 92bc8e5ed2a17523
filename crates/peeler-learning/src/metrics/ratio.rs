//! Shares of counts, such as 3 flaky tests of 4 tests as 0.75.

/// The share `part / whole`; 0 if `whole` is 0.
pub(super) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { real(part) / real(whole) }
}

/// A count as a float.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of tests and of pairs of tests stay far below 2^53"
)]
pub(super) fn real(count: u64) -> f64 {
    count as f64
}
