//! A logistic regression over the names (words, calls, causes) and measures of a test, averaged with a network in
//! log-odds.
//!
//! A network trained on a few thousand flaky tests memorises combinations of names. A regression with a penalty weighs
//! each name alone, and rare names hardly at all. The errors of the two differ, so their mean is better than either.
//!
//! Names are weighted by TF-IDF as scikit-learn computes it, and the vector of all words, calls or causes is scaled to
//! length one. The losses of flaky and of stable tests have factors with equal sums. Names without an embedding row of
//! their own are left out.
//!
//! In a file of weights the regression is stored as `linear.rarity` and `linear.weight`. Columns are the words, calls
//! and causes that the configuration reads, then the measures, then the intercept.

use std::collections::BTreeMap;
use std::sync::Arc;

use peeler_learning::regression::{Example, ExampleOf, regression};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::batch::View;
use crate::config::{Config, Input};
use crate::sampler::Sampler;
use crate::vocabulary::{Rows, Vocabulary};
use crate::weights::{Array, Values, Weights, WeightsError};
use peeler_features::{Dataset, EncodedTest, MEASURES, narrow};

const RARITY: &str = "linear.rarity";
const WEIGHT: &str = "linear.weight";
/// The factor of standardised measures, such as the number of lines.
///
/// With it, the vector of measures is about as long as that of a bag of names, whose length is one.
const MEASURE_SCALE: f32 = 0.2;

/// A fitted logistic regression over the names (words, calls, causes) and measures of a test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Regression {
    columns: Columns,
    /// The inverse document frequency of every name that has a column in the logistic regression, `[names]`.
    rarity: Arc<[f32]>,
    /// The weights of all columns of the logistic regression, then the intercept, `[columns + 1]`.
    weight: Arc<[f32]>,
}

impl Regression {
    /// Fits a logistic regression to the tests with these indices.
    ///
    /// `cost` weighs the mean loss of the tests against the penalty on large weights. All weights are zero if the
    /// tests are all flaky or all stable. `fixes` are indices of flaky tests, each with that of the test after its fix.
    pub(crate) fn fit(view: View<'_>, cost: f32, tests: &[usize], flaky: &[bool], fixes: &[(usize, usize)]) -> Self {
        let columns = Columns::new(view.config, view.vocabulary);
        let rarity = rarities(view, &columns, tests);
        let example = |at: usize, cost: f64| Example {
            features: features(view, &columns, &rarity, at)
                .map(|(column, value)| (column, f64::from(value)))
                .collect(),
            flaky: flaky[at],
            cost,
            of: ExampleOf::Test,
        };
        let mut examples: Vec<Example> = [true, false]
            .into_iter()
            .flat_map(|class| {
                let own = tests.iter().copied().filter(|at| flaky[*at] == class).collect();
                costs(view.config, view.dataset, cost, own, tests.len())
            })
            .map(|(at, cost)| example(at, cost))
            .collect();
        if view.config.ranking > 0.0 {
            let rivals = Rivals::new(view.dataset, tests, flaky);
            let ranked = tests
                .iter()
                .copied()
                .filter(|at| flaky[*at] && !rivals.of(*at).is_empty());
            let factor = cost * view.config.ranking;
            let weighed = costs(view.config, view.dataset, factor, ranked.collect(), tests.len());
            for (at, cost) in weighed {
                let own = example(at, cost).features;
                let stable = rivals.drawn(at);
                #[expect(clippy::cast_precision_loss, reason = "few tests are drawn")]
                let cost = cost / stable.len() as f64;
                examples.extend(stable.into_iter().map(|other| Example {
                    features: difference(own.clone(), example(other, cost).features),
                    flaky: true,
                    cost,
                    of: ExampleOf::Difference,
                }));
            }
        }
        let learned: FxHashSet<usize> = tests.iter().copied().collect();
        let after: FxHashMap<usize, usize> = fixes
            .iter()
            .copied()
            .filter(|(before, after)| learned.contains(before) && learned.contains(after))
            .collect();
        if view.config.contrast > 0.0 && !after.is_empty() {
            let mut before: Vec<usize> = after.keys().copied().collect();
            before.sort_unstable();
            let weighed = costs(
                view.config,
                view.dataset,
                cost * view.config.contrast,
                before,
                tests.len(),
            );
            examples.extend(weighed.into_iter().map(|(at, cost)| Example {
                features: difference(example(at, cost).features, example(after[&at], cost).features),
                flaky: true,
                cost,
                of: ExampleOf::Difference,
            }));
        }
        let has_both = tests.iter().any(|at| flaky[*at]) && tests.iter().any(|at| !flaky[*at]);
        let weight = if has_both {
            #[allow(clippy::cast_possible_truncation)]
            let narrowed = |it: f64| it as f32;
            regression(&examples, columns.count).into_iter().map(narrowed).collect()
        } else {
            vec![0.0; columns.count + 1]
        };
        Self {
            columns,
            rarity: rarity.into(),
            weight: weight.into(),
        }
    }

    /// Removes the arrays of the logistic regression from `weights` and returns it; `None` if the configuration asks
    /// for none.
    ///
    /// # Errors
    ///
    /// When an array is missing or has the wrong length.
    pub(crate) fn take_from(
        config: &Config,
        vocabulary: &Vocabulary,
        weights: &mut Weights,
    ) -> Result<Option<Self>, WeightsError> {
        if config.regression.is_none() {
            return Ok(None);
        }
        let columns = Columns::new(config, vocabulary);
        let rarity = weights.array(RARITY, &[columns.names])?.values.shared();
        let weight = weights.array(WEIGHT, &[columns.count + 1])?.values.shared();
        weights.arrays.remove(RARITY);
        weights.arrays.remove(WEIGHT);
        Ok(Some(Self {
            columns,
            rarity,
            weight,
        }))
    }

    /// The arrays of the logistic regression by name, as files store them.
    pub(crate) fn to_weights(&self) -> Weights {
        let array = |values: &Arc<[f32]>| Array {
            shape: vec![values.len()],
            values: Values::Single(values.clone()),
        };
        let arrays = [(RARITY, &self.rarity), (WEIGHT, &self.weight)];
        Weights {
            arrays: arrays.map(|(name, values)| (name.to_owned(), array(values))).into(),
        }
    }

    /// The log-odds of being flaky for the tests with these indices, by the logistic regression.
    ///
    /// The regression is fitted as if half of the tests were flaky. A shift corrects this to the share of flaky tests
    /// in the batches from which the network learns.
    pub(crate) fn logits(&self, view: View<'_>, tests: &[usize]) -> Vec<f32> {
        let columns = &self.columns;
        let intercept = self.weight[columns.count];
        #[allow(clippy::cast_possible_truncation)]
        let flaky = view.config.flaky_share() as f32;
        let shift = (flaky / (1.0 - flaky)).ln();
        tests
            .iter()
            .map(|at| {
                let features = features(view, columns, &self.rarity, *at);
                let sum: f32 = features
                    .map(|(column, value)| value * self.weight[column as usize])
                    .sum();
                sum + intercept + shift
            })
            .collect()
    }
}

/// The features of one test minus those of another, without zeros.
fn difference(one: Vec<(u32, f64)>, other: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    let mut values: BTreeMap<u32, f64> = BTreeMap::new();
    let negated = other.into_iter().map(|(column, value)| (column, -value));
    for (column, value) in one.into_iter().chain(negated) {
        *values.entry(column).or_default() += value;
    }
    values.into_iter().filter(|(_, value)| *value != 0.0).collect()
}

/// The stable tests that flaky tests are compared with: those of the same project.
struct Rivals<'d> {
    dataset: &'d Dataset,
    /// The indices of the stable training tests of each project.
    stable: FxHashMap<u32, Vec<usize>>,
}

/// The number of stable tests with which a flaky one is compared.
const RIVALS: usize = 8;

impl<'d> Rivals<'d> {
    fn new(dataset: &'d Dataset, tests: &[usize], flaky: &[bool]) -> Self {
        let mut stable: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for at in tests.iter().filter(|at| !flaky[**at]) {
            stable.entry(dataset.tests[*at].project).or_default().push(*at);
        }
        Self { dataset, stable }
    }

    /// The stable tests of the project of a test.
    fn of(&self, at: usize) -> &[usize] {
        let own = self.stable.get(&self.dataset.tests[at].project);
        own.map_or(&[], Vec::as_slice)
    }

    /// Stable tests of the project of a test, at most [`RIVALS`], at equal distances; the first depends on the test.
    fn drawn(&self, at: usize) -> Vec<usize> {
        let all = self.of(at);
        let count = RIVALS.min(all.len());
        (0..count)
            .map(|draw| all[(at + draw * all.len() / count) % all.len()])
            .collect()
    }
}

/// The index of each of `tests`, with the factor of its loss in fitting the logistic regression.
///
/// `tests` are either the flaky or the stable ones of the `all` training tests. Flaky and stable tests get factors with
/// the same sum. Projects are balanced as in the batches of the network.
fn costs(config: &Config, dataset: &Dataset, cost: f32, tests: Vec<usize>, all: usize) -> Vec<(usize, f64)> {
    #[allow(clippy::cast_precision_loss)]
    let class = f64::from(cost) * all as f64 / 2.0;
    let sampler = Sampler::new(tests, dataset, config.project_balance);
    sampler.shares().map(|(at, share)| (at, class * share)).collect()
}

/// Which columns of the logistic regression stand for which names and measures.
#[derive(Debug, Clone, PartialEq)]
struct Columns {
    bags: Vec<BagColumns>,
    /// The number of columns of the logistic regression that stand for names; those for measures follow.
    names: usize,
    /// The number of columns of the logistic regression without the intercept.
    count: usize,
}

/// The columns of the logistic regression that stand for one bag of names, such as the words of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BagColumns {
    input: Input,
    /// The first column of the logistic regression for this bag of names.
    start: usize,
    /// The number of names of this bag that have a column in the logistic regression.
    known: usize,
}

impl Columns {
    fn new(config: &Config, vocabulary: &Vocabulary) -> Self {
        let mut names = 0;
        let read = Input::BAGS.into_iter().filter(|it| config.reads(*it));
        let bags = read
            .map(|input| {
                let known = match input {
                    Input::Reach => vocabulary.calls.known(),
                    Input::Causes => vocabulary.causes.known(),
                    Input::Flows => vocabulary.flows.known(),
                    Input::Oracles => vocabulary.oracles.known(),
                    _ => vocabulary.tokens.known(),
                };
                let start = names;
                names += known;
                BagColumns { input, start, known }
            })
            .collect();
        let measures = if config.reads(Input::Measures) { MEASURES } else { 0 };
        Self {
            bags,
            names,
            count: names + measures,
        }
    }
}

/// The columns of the logistic regression for the names in one bag of a test, such as its words, ascending.
fn bag(test: &EncodedTest, rows: &Rows, &BagColumns { input, start, known }: &BagColumns) -> Vec<u32> {
    let (names, rows) = match input {
        Input::Reach => (&test.calls, &rows.calls),
        Input::Causes => (&test.causes, &rows.causes),
        Input::Flows => (&test.flows, &rows.flows),
        Input::Oracles => (&test.oracles, &rows.oracles),
        Input::Context => (&test.context, &rows.tokens),
        _ => (&test.words, &rows.tokens),
    };
    let own = names.iter().map(|it| rows[*it as usize]);
    let known = own.filter(|row| (*row as usize) < known);
    let mut columns: Vec<u32> = known.map(|row| narrow(start) + row).collect();
    columns.sort_unstable();
    columns
}

/// The inverse document frequency of every name that has a column in the logistic regression, as in scikit-learn.
fn rarities(view: View<'_>, columns: &Columns, tests: &[usize]) -> Vec<f32> {
    let mut used = vec![0_usize; columns.names];
    for at in tests {
        let test = &view.dataset.tests[*at];
        for column in columns.bags.iter().flat_map(|it| bag(test, view.rows, it)) {
            used[column as usize] += 1;
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let rarity = |used: usize| ((1 + tests.len()) as f32 / (1 + used) as f32).ln() + 1.0;
    used.into_iter().map(rarity).collect()
}

/// The columns of the logistic regression that are not zero for the test with the index `at`, with their values.
fn features<'d>(
    view: View<'d>,
    columns: &'d Columns,
    rarity: &'d [f32],
    at: usize,
) -> impl Iterator<Item = (u32, f32)> + 'd {
    let test = &view.dataset.tests[at];
    let names = columns.bags.iter().flat_map(move |it| {
        let own = bag(test, view.rows, it);
        let square = |column: u32| rarity[column as usize].powi(2);
        let length = own.iter().copied().map(square).sum::<f32>().sqrt();
        own.into_iter()
            .map(move |column| (column, rarity[column as usize] / length))
    });
    let measures = (columns.names..columns.count).enumerate().map(move |(place, column)| {
        let (mean, deviation) = view.vocabulary.measures[place];
        let value = (test.measures[place] - mean) / deviation;
        (narrow(column), MEASURE_SCALE * value)
    });
    names.chain(measures)
}
