//! A logistic regression over the bags and the measures of a test, averaged with the network that reads the same.
//!
//! A network of some thousand flaky tests learns which names go together, and learns a good deal by heart; a regression with a
//! penalty weighs each name alone, and rare ones hardly at all. Their errors differ, so their mean is better than either.
//! Bags are weighted by the rarity of their names (TF-IDF as scikit-learn does it, rows of length one), so that no bag drowns another,
//! and both classes count the same in total. Names without a row of their own are left out.
//!
//! The numbers stand among the weights of a network as `linear.rarity` and `linear.weight`: a column for every name of each bag that
//! the configuration reads, then the measures, then the intercept.

use peeler_learning::regression::{Example, regression};

use crate::batch::View;
use crate::config::{Config, Input};
use crate::dataset::{Dataset, EncodedTest, MEASURES, narrow};
use crate::sampler::Sampler;
use crate::vocabulary::{Rows, Vocabulary};
use crate::weights::{Array, Numbers, Weights};

const RARITY: &str = "linear.rarity";
const WEIGHT: &str = "linear.weight";
/// All measures together are about as long as a bag.
const MEASURE_SCALE: f32 = 0.2;
const BAGS: [Input; 4] = [Input::Words, Input::Context, Input::Reach, Input::Causes];

/// A regression that was fitted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linear<'w> {
    rarity: &'w [f32],
    weight: &'w [f32],
}

/// Fits a regression to some tests of a dataset. Nothing of it is random.
pub(crate) fn fit(view: View<'_>, tests: &[usize], flaky: &[bool]) -> Weights {
    let columns = Columns::new(view.config, view.vocabulary);
    let rarity = rarities(view, &columns, tests);
    let example = |at: usize, cost: f64| Example {
        features: features(view, &columns, &rarity, at)
            .map(|(column, value)| (column, f64::from(value)))
            .collect(),
        flaky: flaky[at],
        cost,
    };
    let examples: Vec<Example> = [true, false]
        .into_iter()
        .flat_map(|class| {
            let own = tests.iter().copied().filter(|at| flaky[*at] == class).collect();
            costs(view.config, view.dataset, own, tests.len())
        })
        .map(|(at, cost)| example(at, cost))
        .collect();
    let has_both = examples.iter().any(|it| it.flaky) && examples.iter().any(|it| !it.flaky);
    let weight = if has_both {
        #[allow(clippy::cast_possible_truncation)]
        let narrowed = |it: f64| it as f32;
        regression(&examples, columns.count).into_iter().map(narrowed).collect()
    } else {
        vec![0.0; columns.count + 1]
    };
    let array = |values: Vec<f32>| Array {
        shape: vec![values.len()],
        values: Numbers::Full(values),
    };
    Weights {
        arrays: [(RARITY, rarity), (WEIGHT, weight)]
            .map(|(name, values)| (name.to_owned(), array(values)))
            .into(),
    }
}

/// What an error on each test of a class costs. All tests of a class cost half of all together, and projects are evened out as in
/// the batches of the network.
fn costs(config: &Config, dataset: &Dataset, tests: Vec<usize>, all: usize) -> Vec<(usize, f64)> {
    #[allow(clippy::cast_precision_loss)]
    let class = f64::from(config.regression) * all as f64 / 2.0;
    let drawing = Sampler::new(tests, dataset, config.project_balance);
    drawing.chances().map(|(at, chance)| (at, class * chance)).collect()
}

impl<'w> Linear<'w> {
    /// The regression among the weights of a network, if it has one.
    pub(crate) fn of(weights: &'w Weights) -> Option<Self> {
        let values = |name: &str| weights.get(name)?.values.full();
        Some(Self {
            rarity: values(RARITY)?,
            weight: values(WEIGHT)?,
        })
    }

    /// Whether the weights have the regression that a configuration asks for.
    ///
    /// # Errors
    ///
    /// What is missing or of the wrong length, in words.
    pub(crate) fn check(config: &Config, vocabulary: &Vocabulary, weights: &Weights) -> Result<(), String> {
        if config.regression <= 0.0 {
            return Ok(());
        }
        let columns = Columns::new(config, vocabulary);
        for (name, length) in [(RARITY, columns.names), (WEIGHT, columns.count + 1)] {
            let array = weights.get(name).ok_or_else(|| format!("`{name}` is missing"))?;
            if array.values.len() != length {
                return Err(format!("`{name}` has {} numbers, not {length}", array.values.len()));
            }
        }
        Ok(())
    }

    /// The log-odds of tests, as if a share of them as large as in the batches of the network were flaky.
    pub(crate) fn logits(self, view: View<'_>, tests: &[usize]) -> Vec<f32> {
        let columns = Columns::new(view.config, view.vocabulary);
        let intercept = self.weight[columns.count];
        #[allow(clippy::cast_possible_truncation)]
        let flaky = view.config.flaky_share() as f32;
        let shift = (flaky / (1.0 - flaky)).ln();
        tests
            .iter()
            .map(|at| {
                let features = features(view, &columns, self.rarity, *at);
                let sum: f32 = features
                    .map(|(column, value)| value * self.weight[column as usize])
                    .sum();
                sum + intercept + shift
            })
            .collect()
    }
}

/// Where each bag that a configuration reads begins, and how many names of it have a column.
struct Columns {
    bags: Vec<(Input, usize, usize)>,
    /// The names of all bags come before the measures.
    names: usize,
    count: usize,
}

impl Columns {
    fn new(config: &Config, vocabulary: &Vocabulary) -> Self {
        let mut names = 0;
        let read = BAGS.into_iter().filter(|it| config.reads(*it));
        let bags = read
            .map(|input| {
                let known = match input {
                    Input::Reach => vocabulary.calls.known(),
                    Input::Causes => vocabulary.causes.known(),
                    _ => vocabulary.tokens.known(),
                };
                names += known;
                (input, names - known, known)
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

/// The columns of the names in one bag of a test, ascending.
fn bag(test: &EncodedTest, rows: &Rows, &(input, start, known): &(Input, usize, usize)) -> Vec<u32> {
    let (names, rows) = match input {
        Input::Reach => (&test.calls, &rows.calls),
        Input::Causes => (&test.causes, &rows.causes),
        Input::Context => (&test.context, &rows.tokens),
        _ => (&test.words, &rows.tokens),
    };
    let own = names.iter().map(|it| rows[*it as usize]);
    let known = own.filter(|row| (*row as usize) < known);
    let mut columns: Vec<u32> = known.map(|row| narrow(start) + row).collect();
    columns.sort_unstable();
    columns
}

/// How rare each name is in its bags, as scikit-learn has it.
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

/// The columns of a test that are not zero.
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
