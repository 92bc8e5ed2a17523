//! The partner of the network: combines what the network says of a test with what the repository's own past says.
//!
//! Every input is standardised over the tests of the repository and has a fixed weight. The weights were fitted on the
//! pasts of other projects (`corpus/EXPERIMENTS.md`); what a repository itself teaches is in the inputs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::activity::Activity;
use super::test_inputs::TestInputs;
use super::usual_words::usual_log_odds;
use super::vocabulary::{Vocabulary, WordedTest};

/// The number of inputs of the partner.
pub(crate) const INPUTS: usize = 9;

/// The weights of the inputs, in the order of [`Partner::inputs`].
const WEIGHTS: [f32; INPUTS] = [0.27, 0.18, 0.18, 0.21, 0.06, 0.04, -0.19, -0.38, 0.38];

/// The lowest and the highest value of a standardised input, so that one rare value does not decide alone.
const LIMITS: (f32, f32) = (-4.0, 6.0);

/// The number of tests that a class is taken to have if it is newer than the tuning.
const USUAL_TESTS: f32 = 5.0;

/// Flaky tests and all tests of a class or superclass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Count {
    flaky: u32,
    tests: u32,
}

impl Count {
    /// The share of flaky tests, as if there were `more` stable ones.
    #[expect(clippy::cast_precision_loss, reason = "counts of tests")]
    fn share(self, more: f32) -> f32 {
        self.flaky as f32 / (self.tests.max(self.flaky) as f32 + more)
    }
}

/// Counts of flaky tests by the hash of a class or superclass.
type Counts = BTreeMap<u64, Count>;

/// What a repository's past teaches about its tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Partner {
    /// The words of test methods.
    words: Vocabulary,
    /// The words of test classes around the methods.
    context: Vocabulary,
    classes: Counts,
    superclasses: Counts,
    activity: Activity,
    /// The mean and the standard deviation of each input over the tests of the repository.
    scale: [(f32, f32); INPUTS],
}

impl Partner {
    /// Learns from past flaky tests in the form in which they were flaky, and from the tests of the repository that were
    /// read. `is_past` says of each of the latter whether it was flaky in the past. `classes` has the hash of the class
    /// of every test of the repository.
    pub(crate) fn learn(
        past: &[&TestInputs],
        tests: &[TestInputs],
        classes: &[u64],
        is_past: &[bool],
        activity: Activity,
    ) -> Self {
        let unlabelled: Vec<&TestInputs> = tests
            .iter()
            .zip(is_past)
            .filter_map(|(it, is_past)| (!is_past).then_some(it))
            .collect();
        let mut partner = Self {
            words: learned(past, &unlabelled, |it| &it.bag.words),
            context: learned(past, &unlabelled, |it| &it.bag.context),
            classes: counts(past, |it| vec![it.class], classes.iter().copied()),
            superclasses: counts(
                past,
                |it| it.superclasses.clone(),
                tests.iter().flat_map(|it| it.superclasses.iter().copied()),
            ),
            activity,
            scale: [(0.0, 1.0); INPUTS],
        };
        let inputs: Vec<[f32; INPUTS]> = unlabelled.iter().map(|it| partner.inputs(it)).collect();
        partner.scale = std::array::from_fn(|at| mean_and_deviation(inputs.iter().map(|it| it[at])));
        partner
    }

    /// The inputs of the partner for one test, not yet standardised: the network's log-odds, the log-odds by words and by
    /// words of the class, past flaky tests of the class, their share in superclasses, recent changes of the file, its
    /// age, tests of the class, and words that flaky tests of many projects have in common.
    #[expect(clippy::cast_precision_loss, reason = "counts of tests")]
    pub(crate) fn inputs(&self, test: &TestInputs) -> [f32; INPUTS] {
        let class = self.class(test);
        let superclasses = test.superclasses.iter().filter_map(|it| self.superclasses.get(it));
        let changes = self.activity.of(&test.file);
        [
            test.log_odds,
            self.words.log_odds((test.class, &test.bag.words)),
            self.context.log_odds((test.class, &test.bag.context)),
            (class.flaky as f32).ln_1p(),
            superclasses.map(|it| it.share(10.0)).fold(0.0, f32::max),
            (changes.count as f32).ln_1p(),
            changes.years,
            (if class.tests == 0 {
                USUAL_TESTS
            } else {
                class.tests as f32
            })
            .ln_1p(),
            usual_log_odds(&test.bag.words),
        ]
    }

    fn class(&self, test: &TestInputs) -> Count {
        self.classes.get(&test.class).copied().unwrap_or_default()
    }

    /// The share of past flaky tests in the class of a test, as if the class had three more tests.
    pub(crate) fn class_rate(&self, test: &TestInputs) -> f32 {
        self.class(test).share(3.0)
    }

    /// A number that ranks tests: the higher, the likelier the test is flaky.
    pub(crate) fn score(&self, test: &TestInputs) -> f32 {
        let inputs = self.inputs(test).into_iter().zip(self.scale).zip(WEIGHTS);
        inputs
            .map(|((value, (mean, deviation)), weight)| weight * ((value - mean) / deviation).clamp(LIMITS.0, LIMITS.1))
            .sum()
    }

    /// Whether all parts of a partner that was read from a file fit together.
    pub(crate) fn is_sound(&self) -> bool {
        let is_scale = |(mean, deviation): &(f32, f32)| mean.is_finite() && deviation.is_finite() && *deviation > 0.0;
        self.words.is_sound() && self.context.is_sound() && self.scale.iter().all(is_scale)
    }
}

/// What past flaky tests have in common in one part of their bags.
pub(crate) fn learned(past: &[&TestInputs], others: &[&TestInputs], part: fn(&TestInputs) -> &[u64]) -> Vocabulary {
    let past: Vec<WordedTest<'_>> = past.iter().map(|it| (it.class, part(it))).collect();
    let others: Vec<WordedTest<'_>> = others.iter().map(|it| (it.class, part(it))).collect();
    Vocabulary::learn(&past, &others)
}

/// Counts the past flaky tests and all tests by the hash of a class or superclass.
fn counts(past: &[&TestInputs], keys: fn(&TestInputs) -> Vec<u64>, all: impl Iterator<Item = u64>) -> Counts {
    let mut counts = Counts::new();
    for key in all {
        counts.entry(key).or_default().tests += 1;
    }
    for key in past.iter().flat_map(|it| keys(it)) {
        counts.entry(key).or_default().flaky += 1;
    }
    counts
}

/// The mean of some values, and their standard deviation, which is 1 if all are equal.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "counts of tests"
)]
fn mean_and_deviation(values: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().map(f64::from).sum::<f64>() / count;
    let variance = values.map(|it| (f64::from(it) - mean).powi(2)).sum::<f64>() / count;
    let deviation = variance.sqrt();
    (mean as f32, if deviation > 1e-6 { deviation as f32 } else { 1.0 })
}
