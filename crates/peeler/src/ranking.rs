//! Which tests a report lists, and in which order.
//!
//! ```text
//! proven by runs -> found by a rule in the test -> found by a rule in the code under test -> found by the network
//!   -> below the threshold, with a hint of a rule -> below the threshold
//! ```
//!
//! Within each of these groups the most probable test comes first.
//!
//! Invariant: no other module decides this order. Scans, merged scans, results of runs and draft issues all use
//! [`Rank`].

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use peeler_features::TestName;

use crate::finding::Finding;
use crate::grounding::Grounding;
use crate::rule_selection::RuleSelection;
use crate::scored_test::{ReportedFlow, ScoredTest};

/// The number of tests that a report names when it has no findings: those with the highest probabilities.
pub(crate) const LIKELIEST: usize = 3;

/// The reason why a report lists a test. Surer reasons sort first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grounds {
    /// Runs showed that the test passes and fails on the same code.
    Proven,
    /// A rule found a flow whose source is in the test, its helpers or its setup.
    RuleInTest,
    /// A rule found a flow whose source is in the code under test.
    RuleInCode,
    /// Neither runs nor rules are a reason to list the test, but the model's probability is high enough.
    Probability,
    /// There is no reason to list the test, but a rule found a flow that hints at one.
    Hint,
    /// There is no reason to list the test.
    Nothing,
}

impl Grounds {
    /// The reason to list a test, by the flows that rules found. `is_probable` says whether its probability is high
    /// enough.
    fn of<'f>(is_proven: bool, is_probable: bool, flows: impl Iterator<Item = Grounding<'f>>) -> Self {
        if is_proven {
            return Self::Proven;
        }
        let weakest = if is_probable { Self::Probability } else { Self::Nothing };
        flows
            .map(|it| match (it.is_reason(), it.is_in_test()) {
                (true, true) => Self::RuleInTest,
                (true, false) => Self::RuleInCode,
                _ if it.is_hint() => Self::Hint,
                _ => Self::Nothing,
            })
            .fold(weakest, Self::min)
    }
}

/// The sort key of a test in a report: tests with smaller ranks are listed first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rank<'t> {
    grounds: Grounds,
    probability: f32,
    test: &'t TestName,
}

impl<'t> Rank<'t> {
    /// The rank of a finding among the findings of a report.
    pub(crate) fn of(finding: &'t Finding) -> Self {
        let flows = finding.rules.iter().map(Grounding::of_match);
        Self {
            grounds: Grounds::of(finding.is_proven(), !finding.below_threshold, flows),
            probability: finding.probability,
            test: &finding.test,
        }
    }

    /// Whether a report lists the test: because of runs or a rule, or because its probability reaches `threshold`.
    pub(crate) fn is_listed(self, threshold: f32) -> bool {
        self.grounds <= Grounds::RuleInCode || self.probability >= threshold
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

/// Sorts findings in the order in which reports list them.
pub(crate) fn sort(findings: &mut [Finding]) {
    findings.sort_by(|one, other| Rank::of(one).cmp(&Rank::of(other)));
}

/// Decides which tests a scan of one root lists: by threshold, selected rules, results of runs and maximum number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListingRule<'r> {
    /// Tests with at least this probability are listed.
    pub(crate) threshold: f32,
    /// The rules that make a test a finding, whatever its probability.
    pub(crate) rules: &'r RuleSelection<'r>,
    /// Tests that runs proved flaky, which are listed whatever their probability.
    pub(crate) proven: &'r BTreeSet<TestName>,
    /// The maximum number of tests that a scan lists; `None` for all findings.
    pub(crate) top: Option<usize>,
    /// The number of tests below the threshold that are chosen in addition, so that `--top` lists as many as it says.
    pub(crate) extra: usize,
    /// Whether tests that do not run are listed.
    pub(crate) disabled: DisabledTests,
}

/// Whether a scan lists tests that do not run, such as those with `@Disabled`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DisabledTests {
    /// Disabled tests are not listed; the summary counts those that would be findings.
    LeaveOut,
    /// Disabled tests are listed like all others.
    List,
}

/// Tests chosen for a report, as indices into the scored tests, in the order of the report.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// The tests that a report lists as findings.
    Findings(Vec<usize>),
    /// The most probable tests, when a report lists no findings.
    Likeliest(Vec<usize>),
}

impl Selection {
    /// The chosen tests, as indices into the scored tests, in the order of the report.
    pub(crate) fn tests(&self) -> &[usize] {
        match self {
            Self::Findings(tests) | Self::Likeliest(tests) => tests,
        }
    }
}

impl ListingRule<'_> {
    /// Chooses the tests to list, including tests whose findings are suppressed. [`Self::limit`] removes those later.
    pub(crate) fn select(&self, tests: &[ScoredTest]) -> Selection {
        let mut order = self.order(tests);
        order.retain(|at| self.is_allowed(&tests[*at]));
        // All tests that are listed come before those that are not.
        let listed = order.partition_point(|at| self.is_chosen(&tests[*at]));
        if listed + self.extra > 0 {
            // Some of the additional tests may be suppressed.
            order.truncate(listed + 2 * self.extra);
            Selection::Findings(order)
        } else {
            // No hint decides here: these are the most probable tests.
            order.sort_by(|one, other| tests[*other].probability.total_cmp(&tests[*one].probability));
            order.truncate(LIKELIEST);
            Selection::Likeliest(order)
        }
    }

    /// Whether a rule, runs or the probability are a reason to list the test, suppressed or not.
    fn is_chosen(&self, test: &ScoredTest) -> bool {
        self.rank(test).is_listed(self.threshold)
    }

    /// Whether the test runs, or tests that do not run are listed too.
    fn is_allowed(&self, test: &ScoredTest) -> bool {
        self.disabled == DisabledTests::List || !test.is_disabled
    }

    /// The number of tests that would be findings if they were not disabled.
    pub(crate) fn disabled_findings(&self, tests: &[ScoredTest]) -> usize {
        let is_left_out = |it: &&ScoredTest| !self.is_allowed(it) && self.is_chosen(it);
        tests.iter().filter(is_left_out).count()
    }

    /// Whether a report lists the test. Findings that the test's comments and annotations suppress are no reason to
    /// list it. If these were not read yet, nothing counts as suppressed.
    pub(crate) fn lists(&self, test: &ScoredTest) -> bool {
        !test.is_silent() && self.is_allowed(test) && self.unsuppressed_rank(test).is_listed(self.threshold)
    }

    /// Drops tests whose findings are suppressed from a selection, then tests beyond `top`. Returns how many tests were
    /// dropped as suppressed.
    pub(crate) fn limit(&self, tests: &[ScoredTest], selection: &mut Selection) -> usize {
        match selection {
            Selection::Findings(chosen) => {
                let findings = |chosen: &[usize]| chosen.iter().filter(|at| self.is_chosen(&tests[**at])).count();
                let all = findings(chosen);
                chosen.retain(|at| {
                    let test = &tests[*at];
                    self.lists(test) || !test.is_silent() && !self.is_chosen(test)
                });
                let suppressed = all - findings(chosen);
                // A test may have lost its nearest flow to a suppression.
                chosen.sort_by_cached_key(|at| self.unsuppressed_rank(&tests[*at]));
                self.keep_top(tests, chosen);
                suppressed
            }
            Selection::Likeliest(chosen) => {
                chosen.retain(|at| !tests[*at].is_silent());
                0
            }
        }
    }

    /// Drops tests beyond `top`. Tests of several classes that run one method count once.
    fn keep_top(&self, tests: &[ScoredTest], chosen: &mut Vec<usize>) {
        let Some(top) = self.top else {
            return;
        };
        let mut methods: HashSet<(&str, u32)> = HashSet::new();
        chosen.retain(|at| {
            let method = (tests[*at].file.as_str(), tests[*at].line);
            methods.contains(&method) || methods.len() < top && methods.insert(method)
        });
    }

    /// The indices of all tests in the order in which a report would list them.
    pub(crate) fn order(&self, tests: &[ScoredTest]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..tests.len()).collect();
        order.sort_by_cached_key(|at| self.rank(&tests[*at]));
        order
    }

    /// The rank of a test by all its flows of selected rules, including suppressed ones.
    fn rank<'t>(&self, test: &'t ScoredTest) -> Rank<'t> {
        self.rank_by(test, test.selected_flows(self.rules))
    }

    /// The rank of a test by its flows of selected rules, without those that comments or annotations suppress.
    fn unsuppressed_rank<'t>(&self, test: &'t ScoredTest) -> Rank<'t> {
        self.rank_by(test, test.reported_flows(self.rules))
    }

    fn rank_by<'t, 'f>(&self, test: &'t ScoredTest, flows: impl Iterator<Item = ReportedFlow<'f>>) -> Rank<'t> {
        let flows = flows.map(|it| Grounding::of(it.flow));
        let is_probable = test.probability >= self.threshold;
        Rank {
            grounds: Grounds::of(self.proven.contains(&test.test), is_probable, flows),
            probability: test.probability,
            test: &test.test,
        }
    }
}

#[cfg(test)]
mod tests {
    use peeler_analysis::{Flow, FlowOrigin, FlowStep, StateAccess};
    use peeler_features::Rule;

    use super::*;
    use crate::rule_selection::RuleChoices;
    use crate::scored_test::Silence;

    /// Scored tests `T#a`, `T#b`, ... with these probabilities.
    fn scored(probabilities: &[f32]) -> Vec<ScoredTest> {
        let names = ('a'..='z').map(|it| TestName::new("T", &it.to_string()));
        let tests = probabilities.iter().zip(names);
        tests
            .map(|(&probability, test)| ScoredTest {
                file: "T.java".to_owned(),
                line: u32::from(test.method().as_bytes()[0]),
                test,
                probability,
                kinds: Vec::new(),
                paths: Vec::new(),
                grounds: Vec::new(),
                is_incomplete: false,
                is_disabled: false,
                flows: Vec::new(),
                state: StateAccess::default(),
                shared: Vec::new(),
                silence: None,
                detail: None,
            })
            .collect()
    }

    fn flow(rule: Rule, origin: FlowOrigin) -> Flow {
        Flow {
            rule,
            what: "does it".to_owned(),
            source: FlowStep {
                file: "T.java".to_owned(),
                line: 1,
                column: 1,
                end_line: 1,
                end_column: 2,
                text: "x".to_owned(),
            },
            steps: Vec::new(),
            oracle: None,
            origin,
            settled_by: None,
            is_sure: true,
        }
    }

    /// The tests that are listed with the threshold 0.5 and default rules, and the number of suppressed tests.
    fn selected(tests: &[ScoredTest], proven: &[&str], top: Option<usize>) -> (Selection, usize) {
        let none = RuleChoices::default();
        let rule = ListingRule {
            threshold: 0.5,
            rules: &RuleSelection::new(&none, &none, &[], ""),
            proven: &proven.iter().map(|it| TestName::new("T", it)).collect(),
            top,
            extra: 0,
            disabled: DisabledTests::LeaveOut,
        };
        let mut selection = rule.select(tests);
        let suppressed = rule.limit(tests, &mut selection);
        (selection, suppressed)
    }

    #[test]
    fn proven_tests_come_first_then_the_most_probable_then_names() {
        let tests = scored(&[0.1, 0.6, 0.9, 0.6, 0.4]);
        let (selection, _) = selected(&tests, &["a"], None);
        assert_eq!(selection, Selection::Findings(vec![0, 2, 1, 3]));
    }

    #[test]
    fn rules_come_before_probabilities_and_flows_of_the_test_before_those_of_its_code() {
        let mut tests = scored(&[0.9, 0.1, 0.2, 0.3, 0.05, 0.0]);
        tests[1].flows = vec![flow(Rule::FixedPort, FlowOrigin::Setup)];
        tests[2].flows = vec![flow(Rule::SerialisedOrderCompared, FlowOrigin::CodeUnderTest(2))];
        tests[3].flows = vec![
            flow(Rule::FixedPort, FlowOrigin::CodeUnderTest(1)),
            flow(Rule::RandomValueAsserted, FlowOrigin::Body),
        ];
        tests[4].flows = vec![flow(Rule::RetriedTest, FlowOrigin::Body)];
        let (selection, _) = selected(&tests, &["f"], None);
        assert_eq!(selection, Selection::Findings(vec![5, 3, 1, 2, 0]), "habits are off");
    }

    #[test]
    fn hints_come_before_other_tests_below_the_threshold() {
        let mut tests = scored(&[0.3, 0.1, 0.6, 0.2, 0.4]);
        tests[1].flows = vec![flow(Rule::ClockCompared, FlowOrigin::CodeUnderTest(1))];
        tests[3].flows = vec![flow(Rule::RandomValueAsserted, FlowOrigin::CodeUnderTest(4))];
        tests[0].flows = vec![flow(Rule::RetriedTest, FlowOrigin::Body)];
        let none = RuleChoices::default();
        let rule = ListingRule {
            threshold: 0.5,
            rules: &RuleSelection::new(&none, &none, &[], ""),
            proven: &BTreeSet::new(),
            top: None,
            extra: 0,
            disabled: DisabledTests::LeaveOut,
        };
        assert_eq!(rule.order(&tests), [2, 3, 1, 4, 0], "habits are off");
        assert_eq!(rule.select(&tests), Selection::Findings(vec![2]));
        tests[2].probability = 0.2;
        assert_eq!(rule.select(&tests), Selection::Likeliest(vec![4, 0, 3]));
    }

    #[test]
    fn a_source_in_the_code_under_test_is_no_reason_by_itself_unless_an_order_shows() {
        let mut tests = scored(&[0.1, 0.2, 0.2]);
        tests[0].flows = vec![flow(Rule::UnorderedTextCompared, FlowOrigin::CodeUnderTest(2))];
        tests[1].flows = vec![flow(Rule::UnorderedTextCompared, FlowOrigin::CodeUnderTest(3))];
        tests[2].flows = vec![flow(Rule::ClockCompared, FlowOrigin::CodeUnderTest(1))];
        let (selection, _) = selected(&tests, &[], None);
        assert_eq!(selection, Selection::Findings(vec![0]));
    }

    #[test]
    fn a_sleep_is_a_reason_if_an_assertion_notices_it() {
        let mut tests = scored(&[0.1, 0.2]);
        let alone = flow(Rule::SleepBeforeAssertion, FlowOrigin::Body);
        let noticed = Flow {
            oracle: Some(alone.source.clone()),
            ..alone.clone()
        };
        tests[0].flows = vec![alone];
        tests[1].flows = vec![noticed];
        assert_eq!(selected(&tests, &[], None).0, Selection::Findings(vec![1]));
    }

    #[test]
    fn suppressed_findings_are_counted_and_take_no_place_among_the_first() {
        let mut tests = scored(&[0.9, 0.8, 0.7]);
        tests[0].silence = Some(Silence::Everything);
        assert_eq!(selected(&tests, &[], Some(1)), (Selection::Findings(vec![1]), 1));
    }

    #[test]
    fn a_suppressed_rule_leaves_other_reasons_to_list_a_test() {
        let mut tests = scored(&[0.1, 0.9, 0.2]);
        for test in &mut tests {
            test.flows = vec![flow(Rule::FixedPort, FlowOrigin::Body)];
            test.silence = Some(Silence::Rules(vec![Rule::FixedPort]));
        }
        tests[2].flows.push(flow(Rule::ClockCompared, FlowOrigin::Body));
        assert_eq!(selected(&tests, &[], None), (Selection::Findings(vec![2, 1]), 1));
    }

    #[test]
    fn without_findings_the_likeliest_tests_are_chosen_whatever_the_limit() {
        let tests = scored(&[0.1, 0.4, 0.2, 0.3]);
        assert_eq!(selected(&tests, &[], Some(1)), (Selection::Likeliest(vec![1, 3, 2]), 0));
    }
}
