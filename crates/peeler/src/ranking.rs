//! Which tests a report lists, and in which order.
//!
//! ```text
//! proven by runs, most probable first   ->  suspected (at or above the threshold), most probable first
//! ```
//!
//! Invariant: no other module decides this. The pipeline, merged roots, proofs and drafts all order by [`Rank`].

use std::cmp::Ordering;
use std::collections::BTreeSet;

use peeler_features::TestName;

use crate::finding::Finding;
use crate::scored_test::{Detail, ScoredTest};

/// The number of tests below the threshold that a text report names when no test reaches it.
pub(crate) const LIKELIEST: usize = 3;

/// The reason why a test is listed. Proven tests sort first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grounds {
    /// Runs showed that the test passes and fails on the same code.
    Proven,
    /// The test has a high probability but no proof.
    Suspected,
}

/// The place of a test in a list: smaller ranks come first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rank<'t> {
    grounds: Grounds,
    probability: f32,
    test: &'t TestName,
}

impl<'t> Rank<'t> {
    /// The rank of a finding.
    pub(crate) fn of(finding: &'t Finding) -> Self {
        let grounds = if finding.is_proven() {
            Grounds::Proven
        } else {
            Grounds::Suspected
        };
        Self {
            grounds,
            probability: finding.probability,
            test: &finding.test,
        }
    }

    /// Whether a report with this threshold lists the test.
    pub(crate) fn is_listed(self, threshold: f32) -> bool {
        self.grounds == Grounds::Proven || self.probability >= threshold
    }
}

impl Ord for Rank<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_probability = other.probability.total_cmp(&self.probability);
        let by_grounds = self.grounds.cmp(&other.grounds);
        by_grounds.then(by_probability).then_with(|| self.test.cmp(other.test))
    }
}

impl PartialOrd for Rank<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank<'_> {}

/// Sorts findings as reports list them.
pub(crate) fn sort(findings: &mut [Finding]) {
    findings.sort_by(|one, other| Rank::of(one).cmp(&Rank::of(other)));
}

/// The rule that decides which tests a scan of one root lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListingRule<'r> {
    /// Tests with at least this probability are listed.
    pub(crate) threshold: f32,
    /// Tests that runs proved flaky, which are listed whatever their probability.
    pub(crate) proven: &'r BTreeSet<TestName>,
    /// The maximum number of findings.
    pub(crate) top: Option<usize>,
}

/// Tests chosen for a report, as indices into the scored tests, in the order of the report.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Tests to list.
    Findings(Vec<usize>),
    /// The most probable tests below the threshold, when no test is to be listed.
    Likeliest(Vec<usize>),
}

impl Selection {
    /// The chosen tests of either variant, as indices into the scored tests.
    pub(crate) fn tests(&self) -> &[usize] {
        match self {
            Self::Findings(tests) | Self::Likeliest(tests) => tests,
        }
    }
}

impl ListingRule<'_> {
    /// Chooses the tests to list, suppressed ones included. Call [`Self::limit`] on the result once suppressions are
    /// known.
    pub(crate) fn select(&self, tests: &[ScoredTest]) -> Selection {
        let mut order = self.order(tests);
        if order.iter().any(|at| self.rank(&tests[*at]).is_listed(self.threshold)) {
            order.retain(|at| self.rank(&tests[*at]).is_listed(self.threshold));
            Selection::Findings(order)
        } else {
            order.truncate(LIKELIEST);
            Selection::Likeliest(order)
        }
    }

    /// Drops suppressed tests from a selection, then findings beyond `top`. Returns how many findings were suppressed.
    pub(crate) fn limit(&self, tests: &[ScoredTest], selection: &mut Selection) -> usize {
        let is_suppressed = |at: &usize| matches!(tests[*at].detail, Some(Detail::Suppressed));
        match selection {
            Selection::Findings(chosen) => {
                let all = chosen.len();
                chosen.retain(|at| !is_suppressed(at));
                let suppressed = all - chosen.len();
                chosen.truncate(self.top.unwrap_or(usize::MAX));
                suppressed
            }
            Selection::Likeliest(chosen) => {
                chosen.retain(|at| !is_suppressed(at));
                0
            }
        }
    }

    /// The indices of all tests in the order of their ranks.
    pub(crate) fn order(&self, tests: &[ScoredTest]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..tests.len()).collect();
        order.sort_by(|one, other| self.rank(&tests[*one]).cmp(&self.rank(&tests[*other])));
        order
    }

    fn rank<'t>(&self, test: &'t ScoredTest) -> Rank<'t> {
        let grounds = if self.proven.contains(&test.test) {
            Grounds::Proven
        } else {
            Grounds::Suspected
        };
        Rank {
            grounds,
            probability: test.probability,
            test: &test.test,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests `T#a`, `T#b`, ... with these probabilities.
    fn scored(probabilities: &[f32]) -> Vec<ScoredTest> {
        let names = ('a'..='z').map(|it| TestName::new("T", &it.to_string()));
        let tests = probabilities.iter().zip(names);
        tests
            .map(|(&probability, test)| ScoredTest {
                test,
                file: "T.java".to_owned(),
                line: 1,
                probability,
                paths: Vec::new(),
                grounds: Vec::new(),
                is_incomplete: false,
                detail: None,
            })
            .collect()
    }

    fn rule(proven: &BTreeSet<TestName>, top: Option<usize>) -> ListingRule<'_> {
        ListingRule {
            threshold: 0.5,
            proven,
            top,
        }
    }

    #[test]
    fn proven_tests_come_first_then_the_most_probable_then_names() {
        let proven = BTreeSet::from([TestName::new("T", "a")]);
        let tests = scored(&[0.1, 0.6, 0.9, 0.6, 0.4]);
        assert_eq!(
            rule(&proven, None).select(&tests),
            Selection::Findings(vec![0, 2, 1, 3])
        );
    }

    #[test]
    fn suppressed_findings_are_counted_and_take_no_place_among_the_first() {
        let proven = BTreeSet::new();
        let mut tests = scored(&[0.9, 0.8, 0.7]);
        tests[0].detail = Some(Detail::Suppressed);
        let rule = rule(&proven, Some(1));
        let mut selection = rule.select(&tests);
        assert_eq!(rule.limit(&tests, &mut selection), 1);
        assert_eq!(selection, Selection::Findings(vec![1]));
    }

    #[test]
    fn without_findings_the_likeliest_tests_are_chosen_whatever_the_limit() {
        let proven = BTreeSet::new();
        let tests = scored(&[0.1, 0.4, 0.2, 0.3]);
        let rule = rule(&proven, Some(1));
        let mut selection = rule.select(&tests);
        assert_eq!(rule.limit(&tests, &mut selection), 0);
        assert_eq!(selection, Selection::Likeliest(vec![1, 3, 2]));
    }
}
