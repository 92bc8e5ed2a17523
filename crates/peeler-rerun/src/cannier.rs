//! CANNIER: the model decides the clear cases, reruns decide the rest.
//!
//! ```text
//!   0 ........ lower ............ upper ........ 1
//!     stable    |      rerun       |    flaky
//! ```
//!
//! A [`Plan`] says which tests are run, and what that will cost. The arithmetic is that of [`peeler_learning::cannier`]. How
//! often a flaky test fails is not known before it has run: without earlier runs every rate counts as equally likely.
//!
//! Thresholds come from a front of labelled predictions where there are some ([`validation_front`]): its balanced point, or
//! for a budget the best point that the tests at hand can be run for. Without labels the front is made over the tests at
//! hand, with the model's probabilities taken at their word: of a hundred tests with 0.2, twenty are flaky.
//!
//! Run times come from earlier runs, as in the paper. The first run in a JVM also loads the test framework, which takes
//! longer than most tests; that is counted for each JVM, not for whichever test came first.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use peeler_features::TestName;
use peeler_learning::cannier::{Case, Point, expected_reruns, front, knee, plain_rerun_cost, within_budget};
use serde::Serialize;

use crate::evidence::{Event, runs};
use crate::verdict::counts;

/// A test is taken as this many cases, flaky ones in proportion to its probability.
const COPIES: u32 = 100;

/// Tests whose run time is not known are taken to last this long.
pub const ASSUMED_SECONDS: f64 = 0.5;

/// The JVMs of a confirmation: one for the stages, one for repetition. Those of tests that fail again and again come on top.
const JVMS: f64 = 2.0;

/// Where the model is sure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Thresholds {
    /// Below it a test is taken as stable.
    pub lower: f64,
    /// From it on a test is taken as flaky.
    pub upper: f64,
}

impl Default for Thresholds {
    /// The balanced point of the paper: no test is taken as flaky without a run.
    fn default() -> Self {
        Self {
            lower: 0.07,
            upper: 1.01,
        }
    }
}

/// What the model says about a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prediction {
    /// Surely stable.
    Stable,
    /// Unsure.
    Unsure,
    /// Surely flaky.
    Flaky,
}

impl Thresholds {
    /// What a probability means.
    #[must_use]
    pub fn prediction(&self, probability: f64) -> Prediction {
        if probability >= self.upper.max(self.lower) {
            Prediction::Flaky
        } else if probability >= self.lower {
            Prediction::Unsure
        } else {
            Prediction::Stable
        }
    }

    /// The balanced thresholds of a front of labelled predictions.
    #[must_use]
    pub fn balanced(front: &ValidationFront) -> Self {
        knee(&front.points, front.full_cost).map_or_else(Self::default, Self::of)
    }

    /// The best thresholds of a front whose price for these tests is within a budget.
    #[must_use]
    pub fn best_within(front: &ValidationFront, budget: Duration, candidates: &[Candidate], most_runs: u32) -> Self {
        let affordable = front.points.iter().rev().map(Self::of).find(|thresholds| {
            let plan = Plan::new(candidates, Some(*thresholds), most_runs);
            plan.estimate.seconds <= budget.as_secs_f64()
        });
        // The cheapest point of a front reruns nothing, but for tests that take no time.
        affordable.unwrap_or_else(|| front.points.first().map_or_else(Self::default, Self::of))
    }

    fn of(point: &Point) -> Self {
        Self {
            lower: point.lower,
            upper: point.upper,
        }
    }

    /// The thresholds that find most within a budget, with the model's probabilities taken at their word.
    #[must_use]
    pub fn within(budget: Duration, candidates: &[Candidate], most_runs: u32) -> Self {
        let mut cases = Vec::with_capacity(candidates.len() * COPIES as usize);
        for candidate in candidates {
            let probability = candidate.probability.unwrap_or(0.5);
            let flaky = share_of_copies(probability);
            for copy in 0..COPIES {
                cases.push(Case {
                    probability,
                    flaky: copy < flaky,
                    failure_rate: candidate
                        .failure_rate
                        .unwrap_or((f64::from(copy) + 0.5) / f64::from(flaky.max(1))),
                    run_time: candidate.seconds.unwrap_or(ASSUMED_SECONDS) / f64::from(COPIES),
                });
            }
        }
        let front = front(&cases, most_runs);
        within_budget(&front, budget.as_secs_f64()).map_or_else(Self::default, Self::of)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a probability lies between 0 and 1"
)]
fn share_of_copies(probability: f64) -> u32 {
    (probability.clamp(0.0, 1.0) * f64::from(COPIES)).round() as u32
}

/// The choices of thresholds that labelled predictions leave, the cheapest and worst first.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidationFront {
    points: Vec<Point>,
    full_cost: f64,
}

/// The front of predictions whose truth is known: the probability, and whether the test is flaky. Run times count as equal,
/// and flaky tests fail at all rates.
#[must_use]
pub fn validation_front(predictions: &[(f64, bool)], most_runs: u32) -> ValidationFront {
    // A rate for each, spread over the flaky ones in the order they come: its place among them has no meaning.
    let flaky = predictions.iter().filter(|(_, flaky)| *flaky).count();
    let mut rates = spread(flaky);
    let cases: Vec<Case> = predictions
        .iter()
        .map(|&(probability, flaky)| Case {
            probability,
            flaky,
            failure_rate: if flaky { rates.next().unwrap_or(0.5) } else { 0.0 },
            run_time: 1.0,
        })
        .collect();
    ValidationFront {
        points: front(&cases, most_runs),
        full_cost: plain_rerun_cost(&cases, most_runs),
    }
}

/// Numbers spread evenly between 0 and 1, neighbours far from each other: multiples of the golden ratio.
fn spread(count: usize) -> impl Iterator<Item = f64> {
    let mut value = 0.5_f64;
    std::iter::repeat_with(move || {
        value = (value + 0.618_033_988_749_894_9).fract();
        value
    })
    .take(count)
}

/// A test that might be run, with what is known before.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The test.
    pub test: TestName,
    /// The model's probability, where a model was asked.
    pub probability: Option<f64>,
    /// Seconds of a run in a JVM that has run others, where it ran before.
    pub seconds: Option<f64>,
    /// The share of its runs that failed, where it failed in some and passed in others.
    pub failure_rate: Option<f64>,
}

/// Tests with their probabilities, and what earlier runs say about time and failures.
#[must_use]
pub fn candidates(tests: &[TestName], probabilities: &BTreeMap<TestName, f64>, events: &[Event]) -> Vec<Candidate> {
    let known = experience(events);
    let candidate = |test: &TestName| {
        let rate = known.get(test).map(Experience::failure_rate);
        Candidate {
            test: test.clone(),
            probability: probabilities.get(test).copied(),
            seconds: known.get(test).map(Experience::mean_seconds),
            // A rate of 0 or 1 may only mean that there were too few runs.
            failure_rate: rate.filter(|it| *it > 0.0 && *it < 1.0),
        }
    };
    tests.iter().map(candidate).collect()
}

/// How many seconds the first run in a JVM takes more than others of the same test, by earlier runs; 0 where none say.
#[must_use]
pub fn warm_up(events: &[Event]) -> f64 {
    let known = experience(events);
    let extra = known.values().filter_map(Experience::extra_of_first_runs);
    let (extra, jvms) = extra.fold((0.0, 0), |(sum, count), (extra, runs)| (sum + extra, count + runs));
    (extra / f64::from(jvms.max(1))).max(0.0)
}

/// The earlier runs of a test.
#[derive(Debug, Default)]
struct Experience {
    failures: u32,
    /// Those that were the first in their JVM, and their seconds.
    first: (u32, f64),
    /// All others.
    later: (u32, f64),
}

impl Experience {
    fn failure_rate(&self) -> f64 {
        f64::from(self.failures) / f64::from(self.first.0 + self.later.0)
    }

    /// Of later runs, where there are some.
    fn mean_seconds(&self) -> f64 {
        let (runs, seconds) = if self.later.0 > 0 { self.later } else { self.first };
        seconds / f64::from(runs)
    }

    /// What its first runs took longer than its others, in all, and how many these are.
    fn extra_of_first_runs(&self) -> Option<(f64, u32)> {
        let (runs, seconds) = self.first;
        (runs > 0 && self.later.0 > 0).then(|| (seconds - f64::from(runs) * self.mean_seconds(), runs))
    }
}

/// What each test of these events went through; in changed environments runs take and show something else.
fn experience(events: &[Event]) -> BTreeMap<&TestName, Experience> {
    let mut known: BTreeMap<&TestName, Experience> = BTreeMap::new();
    let mut jvms = BTreeSet::new();
    for run in runs(events) {
        // JVMs of somebody else have no number, and what they ran before is not known.
        let is_first = run.jvm > 0 && jvms.insert(run.jvm);
        if !counts(run) || !run.perturbation.is_none() {
            continue;
        }
        let experience = known.entry(&run.test).or_default();
        experience.failures += u32::from(run.outcome.is_failure());
        let (runs, seconds) = if is_first {
            &mut experience.first
        } else {
            &mut experience.later
        };
        *runs += 1;
        *seconds += Duration::from_millis(run.milliseconds).as_secs_f64();
    }
    known
}

/// Which tests are run, and at what price.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// Where the model is sure; none where every test is run.
    pub thresholds: Option<Thresholds>,
    /// The most runs of a test.
    pub most_runs: u32,
    /// The tests that are run, in the order they were given.
    pub run: Vec<TestName>,
    /// Those that are not, with what the model says.
    pub left_out: BTreeMap<TestName, Prediction>,
    /// What is expected to come.
    pub estimate: Estimate,
    /// What it would cost to run every test until its outcome changes.
    pub plain: Estimate,
}

/// An expected price.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// Runs of tests.
    pub runs: f64,
    /// Seconds of these runs, the start of JVMs not counted.
    pub seconds: f64,
    /// How many of the tests have a run time that was only assumed.
    pub assumed_times: usize,
}

impl Plan {
    /// Decides which tests are run. Without thresholds every test is.
    #[must_use]
    pub fn new(candidates: &[Candidate], thresholds: Option<Thresholds>, most_runs: u32) -> Self {
        let mut plan = Self {
            thresholds,
            most_runs,
            run: Vec::new(),
            left_out: BTreeMap::new(),
            estimate: Estimate::default(),
            plain: Estimate::default(),
        };
        for candidate in candidates {
            let prediction = match (thresholds, candidate.probability) {
                (Some(thresholds), Some(probability)) => thresholds.prediction(probability),
                _ => Prediction::Unsure,
            };
            plan.plain.add(candidate, most_runs);
            if prediction == Prediction::Unsure {
                plan.estimate.add(candidate, most_runs);
                plan.run.push(candidate.test.clone());
            } else {
                plan.left_out.insert(candidate.test.clone(), prediction);
            }
        }
        plan
    }

    /// The same plan, at a price that counts what the first run in each JVM takes longer.
    #[must_use]
    pub fn with_warm_up(mut self, seconds: f64) -> Self {
        for estimate in [&mut self.estimate, &mut self.plain] {
            if estimate.runs > 0.0 {
                estimate.seconds += JVMS * seconds;
            }
        }
        self
    }
}

impl Estimate {
    fn add(&mut self, candidate: &Candidate, most_runs: u32) {
        let runs = expected_runs(candidate, most_runs);
        self.runs += runs;
        self.seconds += runs * candidate.seconds.unwrap_or(ASSUMED_SECONDS);
        self.assumed_times += usize::from(candidate.seconds.is_none());
    }
}

/// The expected runs of a test until its outcome changes.
fn expected_runs(candidate: &Candidate, most_runs: u32) -> f64 {
    if let Some(rate) = candidate.failure_rate {
        return expected_reruns(rate, most_runs);
    }
    let never = f64::from(most_runs);
    match candidate.probability {
        Some(probability) => {
            let probability = probability.clamp(0.0, 1.0);
            probability * runs_at_any_rate(most_runs) + (1.0 - probability) * never
        }
        // Nothing speaks for a change.
        None => never,
    }
}

/// The mean of [`expected_reruns`] over all failure rates. Run x is reached with probability q^(x-1) + (1-q)^(x-1), whose
/// mean over q is 2/x; the first run is certain.
fn runs_at_any_rate(most_runs: u32) -> f64 {
    (1..=most_runs)
        .map(|run| if run == 1 { 1.0 } else { 2.0 / f64::from(run) })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Outcome, Run, Stage};
    use crate::perturbation::Perturbation;

    fn candidate(index: u32, probability: f64) -> Candidate {
        Candidate {
            test: format!("a.T#t{index}").parse().expect("a test"),
            probability: Some(probability),
            seconds: Some(2.0),
            failure_rate: None,
        }
    }

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn a_probability_at_the_upper_threshold_is_flaky_and_at_the_lower_one_unsure() {
        let thresholds = Thresholds { lower: 0.2, upper: 0.8 };
        let said = [0.19, 0.2, 0.79, 0.8].map(|it| thresholds.prediction(it));
        let expected = [
            Prediction::Stable,
            Prediction::Unsure,
            Prediction::Unsure,
            Prediction::Flaky,
        ];
        assert_eq!(said, expected);
        assert_eq!(Thresholds::default().prediction(1.0), Prediction::Unsure);
    }

    #[test]
    fn the_mean_over_all_rates_agrees_with_the_formula_at_each() {
        let steps = 20_000;
        let mean = (0..steps)
            .map(|step| expected_reruns((f64::from(step) + 0.5) / f64::from(steps), 25))
            .sum::<f64>()
            / f64::from(steps);
        assert!((mean - runs_at_any_rate(25)).abs() < 1e-3, "{mean}");
    }

    #[test]
    fn a_plan_runs_what_is_unsure_and_says_what_it_saves() {
        let candidates = [candidate(0, 0.01), candidate(1, 0.5), candidate(2, 0.99)];
        let plan = Plan::new(&candidates, Some(Thresholds { lower: 0.1, upper: 0.9 }), 10);
        assert_eq!(plan.run, [candidates[1].test.clone()]);
        assert_eq!(plan.left_out[&candidates[2].test], Prediction::Flaky);
        let expected = 0.5 * runs_at_any_rate(10) + 0.5 * 10.0;
        assert!(close(plan.estimate.runs, expected), "{plan:?}");
        assert!(close(plan.estimate.seconds, 2.0 * expected), "{plan:?}");
        assert!(plan.plain.runs > 2.0 * plan.estimate.runs);
    }

    #[test]
    fn a_known_failure_rate_replaces_the_guess() {
        let mut known = candidate(0, 0.5);
        known.failure_rate = Some(0.5);
        let plan = Plan::new(&[known], None, 10);
        assert!(close(plan.estimate.runs, expected_reruns(0.5, 10)));
    }

    fn passed(test: &str, jvm: u32, milliseconds: u64) -> Event {
        Event::Run(Run {
            test: test.parse().expect("a test"),
            stage: Stage::Repeat,
            jvm,
            perturbation: Perturbation::None,
            outcome: Outcome::Passed,
            milliseconds,
            failure: None,
        })
    }

    #[test]
    fn loading_a_framework_is_the_price_of_a_jvm_and_not_of_the_test_that_came_first() {
        let events = [
            passed("a.T#first", 1, 510),
            passed("a.T#first", 1, 10),
            passed("a.T#second", 1, 30),
            passed("a.T#first", 2, 710),
            passed("a.T#first", 2, 10),
            passed("a.T#alone", 3, 400),
        ];
        let tests = ["a.T#first", "a.T#second", "a.T#alone", "a.T#unknown"].map(|it| it.parse().expect("a test"));
        let known = candidates(&tests, &BTreeMap::new(), &events);
        let seconds: Vec<Option<f64>> = known.iter().map(|it| it.seconds).collect();
        assert_eq!(seconds, [Some(0.01), Some(0.03), Some(0.4), None]);
        // 500 ms in the first JVM, 700 ms in the second; nothing can be said about the third.
        assert!(close(warm_up(&events), 0.6), "{}", warm_up(&events));
        assert!(close(warm_up(&[]), 0.0));
        let plan = Plan::new(&known[..1], None, 10).with_warm_up(0.6);
        assert!(close(plan.estimate.seconds, 10.0 * 0.01 + 2.0 * 0.6), "{plan:?}");
        assert!(close(Plan::new(&[], None, 10).with_warm_up(0.6).estimate.seconds, 0.0));
    }

    #[test]
    fn labelled_predictions_choose_the_thresholds_and_the_budget_how_far_they_reach() {
        // The model is right below 0.2 and above 0.8, and knows nothing in between.
        let predictions: Vec<(f64, bool)> = (0..1000)
            .map(|it| {
                let probability = f64::from(it) / 1000.0;
                let flaky = probability > 0.8 || (probability > 0.2 && it % 2 == 0);
                (probability, flaky)
            })
            .collect();
        let front = validation_front(&predictions, 10);
        let candidates: Vec<_> = (0..100).map(|it| candidate(it, f64::from(it) / 100.0)).collect();
        let at = |budget| Thresholds::best_within(&front, Duration::from_secs(budget), &candidates, 10);
        let cost = |thresholds| Plan::new(&candidates, Some(thresholds), 10).estimate.seconds;
        let rich = at(100_000);
        assert!(
            (rich.lower - 0.2).abs() < 0.02 && (rich.upper - 0.81).abs() < 0.02,
            "{rich:?}"
        );
        let poor = at(300);
        assert!(cost(poor) <= 300.0 && cost(poor) > 0.0, "{poor:?}");
        assert!(cost(at(0)) <= 0.0);
        let balanced = cost(Thresholds::balanced(&front));
        assert!(balanced > 0.0 && balanced <= cost(rich), "{balanced}");
    }

    #[test]
    fn a_larger_budget_runs_more_and_none_is_exceeded() {
        let candidates: Vec<_> = (0..50).map(|it| candidate(it, f64::from(it) / 50.0)).collect();
        let mut before = 0;
        for budget in [0_u32, 10, 100, 400, 100_000] {
            let thresholds = Thresholds::within(Duration::from_secs(budget.into()), &candidates, 10);
            let plan = Plan::new(&candidates, Some(thresholds), 10);
            assert!(plan.run.len() >= before, "{budget}: {thresholds:?}");
            // The copies round probabilities to hundredths.
            assert!(
                plan.estimate.seconds <= 1.05 * f64::from(budget) + 1e-9,
                "{budget}: {plan:?}"
            );
            before = plan.run.len();
        }
        assert!(before > 40, "{before}");
    }
}
