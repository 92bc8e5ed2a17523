//! The track record of a model: its probabilities for held-out tests, counted in bins with the true labels.
//!
//! ```text
//! from 0.012:  41 stable,  1 flaky
//! from 0.013:  38 stable,  0 flaky
//! ...
//! from 0.86:    2 stable, 17 flaky
//! ```
//!
//! A trained model stores its track record, so that users can choose thresholds without the corpus. Bins are a
//! thousandth wide below 0.1, where most tests lie, and a hundredth above. Their edges are the thresholds that
//! [`crate::cannier::front`] tries, so a track record gives the same choice of thresholds as the tests themselves.
//!
//! Invariant: the bins are sorted by probability, and each holds at least one test.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cannier::{steps, threshold};

/// The numbers of stable and flaky held-out tests by probability; empty if no tests were held out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Bin>", into = "Vec<Bin>")]
pub struct TrackRecord {
    bins: Vec<Bin>,
}

/// The largest number of held-out tests in a track record that is read from a file.
///
/// A limit is needed because [`TrackRecord::predictions`] makes a list of all of them.
const MOST_TESTS: u64 = 1 << 24;

impl TryFrom<Vec<Bin>> for TrackRecord {
    type Error = InvalidTrackRecord;

    fn try_from(bins: Vec<Bin>) -> Result<Self, InvalidTrackRecord> {
        if !bins.is_sorted_by(|one, other| one.thousandths < other.thousandths) {
            return Err(InvalidTrackRecord::Order);
        }
        let tests: u64 = bins.iter().map(|it| u64::from(it.stable) + u64::from(it.flaky)).sum();
        if tests > MOST_TESTS || bins.iter().any(|it| it.thousandths > 1_000) {
            return Err(InvalidTrackRecord::Size);
        }
        Ok(Self { bins })
    }
}

impl From<TrackRecord> for Vec<Bin> {
    fn from(record: TrackRecord) -> Self {
        record.bins
    }
}

/// The reason why a list of bins that was read from a file is not a valid track record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum InvalidTrackRecord {
    /// The lowest probabilities of the bins do not rise from bin to bin.
    #[error("the bins of a track record must rise")]
    Order,
    /// The bins hold more than [`MOST_TESTS`] tests, or a bin starts at a probability above 1.
    #[error("a track record has at most {MOST_TESTS} tests, with probabilities of at most 1,000 thousandths")]
    Size,
}

/// Counts of the held-out tests whose predicted probabilities lie in one small interval, such as from 0.012 to 0.013.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Bin {
    /// The lowest probability of the interval that this bin counts, in thousandths.
    thousandths: u32,
    stable: u32,
    flaky: u32,
}

impl Bin {
    /// The lowest probability of the interval that this bin counts.
    fn from(&self) -> f64 {
        threshold(self.thousandths)
    }
}

impl TrackRecord {
    /// The track record of calibrated `probabilities` of held-out tests; `flaky` holds their true labels in the same
    /// order.
    #[must_use]
    pub fn new(probabilities: &[f32], flaky: &[bool]) -> Self {
        let mut counts: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for (probability, is_flaky) in probabilities.iter().zip(flaky) {
            let (stable, flaky) = counts.entry(bin_of(f64::from(*probability))).or_default();
            *(if *is_flaky { flaky } else { stable }) += 1;
        }
        Self::of_counts(counts)
    }

    /// The track record of two models together: the sums of their counts.
    #[must_use]
    pub fn with(self, other: &Self) -> Self {
        let mut counts: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for bin in self.bins.iter().chain(&other.bins) {
            let (stable, flaky) = counts.entry(bin.thousandths).or_default();
            *stable = stable.saturating_add(bin.stable);
            *flaky = flaky.saturating_add(bin.flaky);
        }
        Self::of_counts(counts)
    }

    fn of_counts(counts: BTreeMap<u32, (u32, u32)>) -> Self {
        let bins = counts.into_iter().map(|(thousandths, (stable, flaky))| Bin {
            thousandths,
            stable,
            flaky,
        });
        Self { bins: bins.collect() }
    }

    /// Whether the track record counts no held-out test.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bins.is_empty()
    }

    /// The number of held-out tests, and of flaky tests among them.
    #[must_use]
    pub fn tests(&self) -> (u32, u32) {
        self.tests_from(0.0)
    }

    /// The held-out tests, each with the lowest probability of the bin that counts it, and whether the test is flaky.
    #[must_use]
    pub fn predictions(&self) -> Vec<(f64, bool)> {
        let repeated = |bin: &Bin, flaky: bool, count: u32| (0..count).map(move |_| (bin.from(), flaky)).collect();
        let of_bin =
            |bin: &Bin| -> [Vec<(f64, bool)>; 2] { [repeated(bin, false, bin.stable), repeated(bin, true, bin.flaky)] };
        self.bins.iter().flat_map(of_bin).flatten().collect()
    }

    /// The share of flaky tests among the held-out tests with a probability of at least `threshold`.
    ///
    /// `None` if there is no such test. A bin that starts below the threshold is left out.
    #[must_use]
    pub fn precision_from(&self, threshold: f64) -> Option<f64> {
        let (tests, flaky) = self.tests_from(threshold);
        (tests > 0).then(|| f64::from(flaky) / f64::from(tests))
    }

    /// The lowest threshold such that at least the share `precision` of the held-out tests at or above it is flaky.
    ///
    /// At least `least_tests` held-out tests must be at or above it, because the share among a few tests is unreliable.
    /// `None` if there is no such threshold.
    #[must_use]
    pub fn lowest_threshold_with_precision(&self, precision: f64, least_tests: u32) -> Option<f64> {
        let is_shown = |threshold: &f64| {
            let enough = self.tests_from(*threshold).0 >= least_tests;
            enough && self.precision_from(*threshold).is_some_and(|it| it >= precision)
        };
        self.bins.iter().map(Bin::from).find(is_shown)
    }

    /// The number of held-out tests with a probability of at least `threshold`, and of flaky tests among them.
    ///
    /// A bin that starts below the threshold is left out.
    #[must_use]
    pub fn tests_from(&self, threshold: f64) -> (u32, u32) {
        let above = self.bins.iter().filter(|bin| bin.from() >= threshold);
        above.fold((0, 0), |(tests, flaky), bin| {
            (tests + bin.stable + bin.flaky, flaky + bin.flaky)
        })
    }
}

/// The lowest probability, in thousandths, of the bin that counts tests with this probability. NaN lies in the lowest
/// bin.
fn bin_of(probability: f64) -> u32 {
    // The edges are searched, not computed, because a product would round some of them into the bin below.
    let is_reached = |edge: &u32| probability >= threshold(*edge);
    steps().take_while(is_reached).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cannier::{Case, evaluate, front};

    /// Probabilities of 1,000 tests, from 0 to almost 1, and whether each test is flaky.
    ///
    /// The labels fit the probabilities: of the tests with a probability near 0.3, about 30% are flaky.
    fn held_out() -> (Vec<f32>, Vec<bool>) {
        (0_u16..1000)
            .map(|it| {
                let probability = (f32::from(it) / 1000.0).powi(3);
                (probability, f32::from(it * 7 % 100) < 100.0 * probability)
            })
            .unzip()
    }

    fn cases(predictions: impl IntoIterator<Item = (f64, bool)>) -> Vec<Case> {
        let case = |(probability, flaky)| Case {
            probability,
            flaky,
            failure_rate: 0.5,
            run_time: 1.0,
        };
        predictions.into_iter().map(case).collect()
    }

    #[test]
    fn bins_are_a_thousandth_wide_where_most_tests_lie_and_a_hundredth_above() {
        let bins = [0.0, 0.0009, 0.001, 0.0999, 0.1, 0.1099, 0.11, 0.999, 1.0, f64::NAN, 2.0].map(bin_of);
        assert_eq!(bins, [0, 0, 1, 99, 100, 100, 110, 990, 1000, 0, 1000]);
        for hundredths in 0..=100 {
            assert_eq!(bin_of(f64::from(hundredths) / 100.0), 10 * hundredths);
        }
    }

    #[test]
    fn a_record_counts_stable_and_flaky_tests_of_a_bin_and_keeps_no_empty_one() {
        let record = TrackRecord::new(&[0.0121, 0.0129, 0.9, 0.0125], &[false, true, true, false]);
        let text = serde_json::to_string(&record).expect("JSON");
        assert_eq!(
            text, r#"[{"thousandths":12,"stable":2,"flaky":1},{"thousandths":890,"stable":0,"flaky":1}]"#,
            "a float of 0.9 lies below the double"
        );
        let read: TrackRecord = serde_json::from_str(&text).expect("a record");
        assert_eq!((&read, read.tests()), (&record, (4, 2)));
        assert!(!record.is_empty() && TrackRecord::default().is_empty());
        for wrong in [
            r#"[{"thousandths":12,"stable":2,"flaky":1},{"thousandths":12,"stable":0,"flaky":1}]"#,
            r#"[{"thousandths":12,"stable":4294967295,"flaky":4294967295}]"#,
            r#"[{"thousandths":1001,"stable":1,"flaky":1}]"#,
        ] {
            assert!(serde_json::from_str::<TrackRecord>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_counts_of_two_records_add_up() {
        let one = TrackRecord::new(&[0.1, 0.5], &[false, true]);
        let other = TrackRecord::new(&[0.5, 0.7], &[false, true]);
        let both = TrackRecord::new(&[0.1, 0.5, 0.5, 0.7], &[false, true, false, true]);
        assert_eq!(one.clone().with(&other), both);
        assert_eq!(TrackRecord::default().with(&one), one);
    }

    #[test]
    fn the_front_of_a_record_is_that_of_its_tests() {
        let (probabilities, flaky) = held_out();
        let record = TrackRecord::new(&probabilities, &flaky);
        assert!(record.bins.len() <= 191);
        let each = probabilities.iter().map(|it| f64::from(*it)).zip(flaky);
        let (tests, kept) = (cases(each), cases(record.predictions()));
        assert_eq!(kept.len(), tests.len());
        // The sums may differ in their last digit, so the points of the record are evaluated on the tests.
        let (of_tests, of_record) = (front(&tests, 10), front(&kept, 10));
        assert!(of_tests.len() > 10);
        assert_eq!(of_record.len(), of_tests.len());
        for (one, other) in of_record.iter().zip(&of_tests) {
            let again = evaluate(&tests, one.thresholds, 10);
            assert!((again.cost - other.cost).abs() < 1e-9 && (again.mcc - other.mcc).abs() < 1e-12);
        }
    }

    #[test]
    fn a_threshold_is_as_precise_as_the_tests_above_it() {
        let probabilities = [0.1, 0.3, 0.5, 0.7, 0.9];
        let record = TrackRecord::new(&probabilities, &[false, true, false, true, true]);
        let close = |one: Option<f64>, other: f64| one.is_some_and(|it| (it - other).abs() < 1e-12);
        assert!(close(record.precision_from(0.0), 0.6));
        assert!(close(record.precision_from(0.4), 2.0 / 3.0));
        assert!(close(record.precision_from(0.6), 1.0));
        assert_eq!(record.precision_from(0.95), None);
        // Three of four from 0.3 on (a float of 0.3 lies above the double) are flaky, all of two from 0.7 on.
        assert!(close(record.lowest_threshold_with_precision(0.75, 1), 0.3));
        assert!(close(record.lowest_threshold_with_precision(0.9, 2), 0.69));
        assert_eq!(record.lowest_threshold_with_precision(0.9, 3), None);
        assert_eq!(TrackRecord::default().lowest_threshold_with_precision(0.0, 0), None);
    }
}
