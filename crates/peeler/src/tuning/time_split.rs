//! Judges the tuned model by a split in time: it learns from a repository's labels before a day, and is judged by later
//! ones.
//!
//! ```text
//! labels that a snapshot knew -> partner -> ranks the tests of the snapshot <- labels whose evidence came later
//! ```
//!
//! Tests with a label from before the day are not judged. A test is positive if evidence against it comes within three
//! years. Other tests of its class are neither positive nor negative. The negatives are tests of other classes that still
//! exist two years later, ten for each positive, of about the same length and kind.
//!
//! Invariant: whether a class had flaky tests before the day plays no part in the choice of negatives.

use std::collections::BTreeSet;
use std::path::Path;

use peeler_learning::metrics::{average_precision, precision_at};
use peeler_mine::{Mined, date, snapshot};
use serde::Serialize;

use super::activity::Activity;
use super::bag::spelled_words;
use super::candidates::{Candidates, Siblings, SizedTest, files_at, matched};
use super::labels::{Label, LabelIndex, LabelSplit, label_days};
use super::partner::{INPUTS, Partner, learned};
use super::past_reading::{Extent, PastReading};
use super::sources::StrippedSources;
use super::test_inputs::TestInputs;
use super::vocabulary::Vocabulary;
use crate::scorer::Scorer;

/// The number of past labels that a partner learns from, besides all.
pub(crate) const LABEL_COUNTS: [usize; 4] = [8, 20, 50, 100];
/// The number of seconds in a year.
const YEAR: i64 = 365 * 86_400;

/// The result of a split in time of one repository.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TimeSplit {
    /// The name of the repository.
    pub(crate) repository: String,
    /// The day of the split.
    pub(crate) day: String,
    /// The commit whose tests are ranked.
    pub(crate) commit: String,
    /// The number of labels that the commit knew.
    pub(crate) past: usize,
    /// The number of tests with evidence after the split and none before.
    pub(crate) positives: usize,
    /// The number of negatives that were matched to the positives.
    pub(crate) negatives: usize,
    /// The number of tests in the snapshot without a label from before the split.
    pub(crate) tests: usize,
    /// The figures of each predictor, such as `tuned 20`.
    pub(crate) figures: Vec<Figures>,
    /// The judged tests, with the inputs of the partner that learned from all past labels.
    pub(crate) judged: Vec<JudgedTest>,
    /// Past flaky tests, and tests of about the same length without a label from before the split.
    pub(crate) examples: Vec<WordExample>,
}

/// How well one predictor ranks the tests of a snapshot.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figures {
    /// The name of the predictor, with the number of labels that it learned from.
    pub(crate) predictor: String,
    /// Average precision over positives and matched negatives.
    pub(crate) average_precision: f64,
    /// The share of positives among the first 10 of them.
    pub(crate) first_ten: f64,
    /// Average precision over all tests of the snapshot without an earlier label. Tests without later evidence count as
    /// stable, so that it is a lower bound.
    pub(crate) average_precision_of_all: f64,
    /// The share of positives among the first 10 of all these tests.
    pub(crate) first_ten_of_all: f64,
}

/// A judged test with the inputs of the partner.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct JudgedTest {
    pub(crate) test: String,
    pub(crate) flaky: bool,
    /// The words in the test method.
    pub(crate) words: BTreeSet<String>,
    /// The inputs by number of labels that the partner learned from.
    pub(crate) inputs: Vec<(usize, [f32; INPUTS])>,
}

/// An example for the words that flaky tests of many projects have in common.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct WordExample {
    /// Whether the test was flaky in the past.
    pub(crate) flaky: bool,
    /// The words in the test method.
    pub(crate) words: BTreeSet<String>,
}

/// The past flaky tests of a reading, and ten times as many of its other tests, of about the same length and kind. Later
/// labels play no part.
fn word_examples(reading: &PastReading, sized: &[SizedTest<'_>], past: &[Label]) -> Vec<WordExample> {
    let index = LabelIndex::new(past);
    let others = 0..reading.tests.len();
    let others = others.filter(|at| index.find(sized[*at].test).is_none()).collect();
    let flaky: Vec<SizedTest<'_>> = reading.past.values().map(SizedTest::from).collect();
    let stable = matched(&flaky, sized, others);
    let stable = stable.into_iter().map(|at| (false, &reading.tests[at]));
    let tests = reading.past.values().map(|it| (true, it)).chain(stable);
    tests
        .map(|(flaky, it)| WordExample {
            flaky,
            words: spelled_words(&it.source),
        })
        .collect()
}

/// The day at which a repository's labels are split. Between 40% and 80% of the labels, and at least `least`, are older.
/// Among such days it is the one with most labels in the three years after it. `None` with too few dated labels.
pub(crate) fn split_day(mined: &Mined, least: usize) -> Option<String> {
    let days = label_days(mined);
    let after = |day: &str| -> usize {
        let end = date::start_of(day)
            .map(|it| date::day_of(it + 3 * YEAR))
            .unwrap_or_default();
        days.partition_point(|it| *it < end) - days.partition_point(|it| it.as_str() < day)
    };
    let first = least.max(days.len() * 2 / 5);
    let choice = days.iter().take(days.len() * 4 / 5).skip(first);
    choice.max_by_key(|it| after(it)).cloned()
}

/// Splits a repository at a day. With a sample of its tests, figures among all tests are too high.
///
/// `None` if no commit is older, or if fewer than `least` labels are on one side.
pub(crate) fn time_split(
    path: &Path,
    mined: &Mined,
    day: &str,
    (least_past, least_later): (usize, usize),
    scorer: &dyn Scorer,
    extent: Extent,
) -> anyhow::Result<Option<TimeSplit>> {
    let Some(now) = date::start_of(day) else {
        return Ok(None);
    };
    let Some(snapshot) = snapshot(path, Some(&mined.revision), day)? else {
        return Ok(None);
    };
    let end = date::day_of(now + 3 * YEAR);
    let split = LabelSplit::at(mined, &snapshot, day, &end);
    if split.past.len() < least_past || split.later.len() < least_later {
        return Ok(None);
    }
    let sources = StrippedSources::at(path, &snapshot.commit)?;
    let reading = PastReading::read(path, &sources, &split.past, &split.later, scorer, extent)?;
    let sized: Vec<SizedTest<'_>> = reading.tests.iter().map(SizedTest::from).collect();
    let alive = files_at(path, mined, now + 2 * YEAR)?;
    let candidates = Candidates::choose(&sized, &split, &alive, Siblings::OfLaterLabels);
    if candidates.positives() < least_later {
        return Ok(None);
    }
    let activity = Activity::before(&mined.activity, now, reading.files.iter().map(String::as_str));
    let judge = Judge {
        reading: &reading,
        candidates: &candidates,
    };
    let mut figures = vec![
        judge.figures("untuned", |it| it.log_odds),
        #[expect(clippy::cast_precision_loss, reason = "lines of a test")]
        judge.figures("length", |it| it.lines as f32),
    ];
    let mut inputs: Vec<Vec<(usize, [f32; INPUTS])>> = vec![Vec::new(); candidates.judged.len()];
    let counts = LABEL_COUNTS.into_iter().filter(|it| *it <= split.past.len());
    let counts = counts.map(|it| (it, it.to_string()));
    for (count, name) in counts.chain([(split.past.len(), "all".to_owned())]) {
        let learned = judge.learned(&split.past, split.newest(count));
        let partner = Partner::learn(
            &learned.past,
            &reading.tests,
            &reading.classes,
            &learned.is_past,
            activity.clone(),
        );
        figures.push(judge.figures(&format!("tuned {name}"), |it| partner.score(it)));
        figures.push(judge.figures(&format!("class rate {name}"), |it| partner.class_rate(it)));
        let words = learned.words_only(&reading.tests);
        figures.push(judge.figures(&format!("vocabulary {name}"), |it| {
            words.log_odds((it.class, &it.bag.words))
        }));
        for (inputs, at) in inputs.iter_mut().zip(&candidates.judged) {
            inputs.push((count, partner.inputs(&reading.tests[*at])));
        }
    }
    let judged = candidates.judged.iter().zip(inputs).map(|(at, inputs)| JudgedTest {
        test: reading.tests[*at].test.to_string(),
        flaky: candidates.is_positive[*at],
        words: spelled_words(&reading.tests[*at].source),
        inputs,
    });
    Ok(Some(TimeSplit {
        repository: mined.repository.clone(),
        day: day.to_owned(),
        commit: snapshot.commit.clone(),
        past: split.past.len(),
        positives: candidates.positives(),
        negatives: candidates.judged.len() - candidates.positives(),
        tests: candidates.open.len(),
        figures,
        judged: judged.collect(),
        examples: word_examples(&reading, &sized, &split.past),
    }))
}

/// What predictors learn from: past flaky tests, and which tests of the snapshot they are.
struct Learned<'r> {
    past: Vec<&'r TestInputs>,
    is_past: Vec<bool>,
}

impl Learned<'_> {
    /// The rival that reads only words of test methods.
    fn words_only(&self, tests: &[TestInputs]) -> Vocabulary {
        let others = tests.iter().zip(&self.is_past).filter(|(_, is_past)| !**is_past);
        let others: Vec<&TestInputs> = others.map(|(it, _)| it).collect();
        learned(&self.past, &others, |it| &it.bag.words)
    }
}

/// Judges predictors by the tests of one snapshot.
struct Judge<'r> {
    reading: &'r PastReading,
    candidates: &'r Candidates,
}

impl Judge<'_> {
    /// The past flaky tests of the newest labels. Tests with an older label count as tests without one.
    fn learned(&self, labels: &[Label], newest: &[Label]) -> Learned<'_> {
        let first = labels.len() - newest.len();
        let index = LabelIndex::new(newest);
        Learned {
            past: self.reading.past.range(first..).map(|(_, it)| it).collect(),
            is_past: self
                .reading
                .tests
                .iter()
                .map(|it| index.find(&it.test).is_some())
                .collect(),
        }
    }

    fn figures(&self, predictor: &str, score: impl Fn(&TestInputs) -> f32) -> Figures {
        let ranked = |tests: &[usize]| -> (f64, f64) {
            let scores: Vec<f32> = tests.iter().map(|at| score(&self.reading.tests[*at])).collect();
            let labels: Vec<bool> = tests.iter().map(|at| self.candidates.is_positive[*at]).collect();
            (average_precision(&scores, &labels), precision_at(&scores, &labels, 10))
        };
        let (average_precision, first_ten) = ranked(&self.candidates.judged);
        let (average_precision_of_all, first_ten_of_all) = ranked(&self.candidates.open);
        Figures {
            predictor: predictor.to_owned(),
            average_precision,
            first_ten,
            average_precision_of_all,
            first_ten_of_all,
        }
    }
}
