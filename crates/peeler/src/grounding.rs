//! Which flows are reasons: to list a test by themselves, or to be named for a test that is listed anyway.
//!
//! The conditions come from findings that were read against their sources, 976 of them in `corpus/readings.csv`.

use peeler_analysis::{Flow, FlowOrigin};
use peeler_features::{Rule, RuleFamily};

use crate::finding::{Origin, RuleMatch};

/// The most calls from the test to the source of an order in the code under test that lists the test.
///
/// Of the orders that were read, 14 of 23 with one call, 4 of 11 with two, and none of 7 with more were right.
const MOST_CALLS: u8 = 2;

/// The properties of a flow that decide whether it is a reason.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grounding<'f> {
    rule: Rule,
    /// The calls from the test to the code under test with the flow's source; `None` if the source is in the test, its
    /// helpers or its setup.
    calls: Option<u8>,
    /// Whether the source is in the body of the test method.
    is_in_body: bool,
    /// Whether what the flow needs is known to be there, such as two elements in an undefined order.
    is_sure: bool,
    /// Whether every step of the flow is in the file of its source or of its assertion.
    is_local: bool,
    /// The file and the text of the flow's source, where the nondeterminism comes from.
    source: (&'f str, &'f str),
    /// The file and the source text of the assertion that notices the flow; `None` if the flow has none.
    oracle: Option<(&'f str, &'f str)>,
}

impl<'f> Grounding<'f> {
    /// The properties of a flow that the analysis found.
    pub(crate) fn of(flow: &'f Flow) -> Self {
        Self {
            rule: flow.rule,
            calls: match flow.origin {
                FlowOrigin::CodeUnderTest(calls) => Some(calls),
                _ => None,
            },
            is_in_body: flow.origin == FlowOrigin::Body,
            is_sure: flow.is_sure,
            is_local: flow.steps.iter().all(|it| {
                it.file == flow.source.file || flow.oracle.as_ref().is_some_and(|oracle| it.file == oracle.file)
            }),
            source: (&flow.source.file, &flow.source.text),
            oracle: flow.oracle.as_ref().map(|it| (it.file.as_str(), it.text.as_str())),
        }
    }

    /// The properties of a flow that a finding names.
    pub(crate) fn of_match(matched: &'f RuleMatch) -> Self {
        let oracle = matched.oracle.as_ref();
        Self {
            rule: matched.rule,
            calls: (!matched.origin.is_direct()).then_some(matched.calls),
            is_in_body: matched.origin == Origin::Body,
            is_sure: matched.is_sure,
            is_local: matched.steps.iter().all(|it| {
                let file = &it.region.file;
                *file == matched.source.region.file || oracle.is_some_and(|oracle| *file == oracle.region.file)
            }),
            source: (&matched.source.region.file, &matched.source.text),
            oracle: oracle.map(|it| (it.region.file.as_str(), it.text.as_str())),
        }
    }

    /// Whether the flow's source is in the test, its helpers or its setup.
    pub(crate) fn is_in_test(&self) -> bool {
        self.calls.is_none()
    }

    /// Whether a report may name the flow as the reason for a finding, be it listed because of this flow or because of
    /// its probability. An order in the code under test has to be as near and sure as one that lists a test.
    pub(crate) fn is_shown(&self) -> bool {
        let is_order = self.rule.family() == RuleFamily::Order;
        self.is_noticed() && self.is_likely() && (self.is_in_test() || !is_order || self.is_near_order())
    }

    /// Whether the flow is a reason to list its test, however low the test's probability is.
    ///
    /// Its source has to be in the test's own code, with one exception: orders in the code under test, a few calls from
    /// the test.
    pub(crate) fn is_reason(&self) -> bool {
        self.is_noticed() && self.is_likely() && (self.is_in_test() || self.is_near_order())
    }

    /// Whether flows of this form were right more often than not.
    fn is_likely(&self) -> bool {
        match self.rule {
            // Of the orders whose elements are not known, or that other files work with, 4 of 15 were right; of the others,
            // and of those of texts that a test makes itself, 21 of 25.
            Rule::UnorderedTextCompared => self.is_sure && (self.is_local || self.is_in_body),
            Rule::UnorderedSequenceCompared => self.is_sure && self.is_local,
            // Mostly there is one member, annotation or file. Of serialised forms with fewer than two known members, 10 of 15
            // were right, of the others 73 of 83.
            Rule::ReflectionOrderCompared | Rule::SerialisedOrderCompared => self.is_sure,
            Rule::FileListingCompared => false,
            // What other code makes of a time or of a random value mostly holds for each one.
            Rule::ElapsedTimeCompared => self.is_local,
            Rule::RandomValueAsserted => self.is_in_body && self.is_sure && self.is_local && self.is_at_home(),
            // Where nothing is seen to go on beside the test, the awaited work was often done in the test's own thread.
            Rule::ShortTimeLimit => self.is_sure,
            // Where the code under test starts what goes on, a sleep often waits for something else: 47 of 72 were right, and
            // 24 of 32 beside a start in test code. An assertion elsewhere mostly checks another step.
            Rule::SleepBeforeAssertion => self.is_sure && self.is_at_home(),
            // Of twelve such findings none was right. So only static fields of the test class that nothing resets count.
            Rule::StaticStateLeft => self.is_sure,
            _ => true,
        }
    }

    /// Whether the assertion, if there is one, is in the file of the source.
    fn is_at_home(&self) -> bool {
        self.oracle.is_none_or(|(file, _)| file == self.source.0)
    }

    /// Whether the flow puts its test before others that are not listed. State that tests share does not: in some
    /// projects nearly all tests have it.
    pub(crate) fn is_hint(&self) -> bool {
        let is_far = matches!(self.rule.family(), RuleFamily::TestOrder | RuleFamily::Practice);
        self.is_noticed() && !is_far
    }

    /// Whether something notices the flow. A sleep counts only with an assertion that it may be too short for. A static
    /// state that a test leaves changed counts only if an assertion of the same file reads it.
    fn is_noticed(&self) -> bool {
        match self.rule {
            Rule::SleepBeforeAssertion => self.oracle.is_some(),
            Rule::StaticStateLeft => {
                let (place, write) = self.source;
                let is_asserted = |(file, text): (&str, &str)| file == place && text.starts_with("assert");
                // What a mock is told holds for some arguments only.
                let is_stub = write.contains(".when(");
                self.is_in_test() && !is_stub && self.oracle.is_some_and(is_asserted)
            }
            _ => true,
        }
    }

    /// Whether the flow is an undefined order in the code under test that a comparison a few calls away depends on: of
    /// a text, sequence or serialised form.
    ///
    /// Texts and serialised forms count if at least two elements are known. Of the tests with such a text or serialised
    /// form in projects with labels, half are labelled as flaky, and a seventh of those where no two elements are known.
    fn is_near_order(&self) -> bool {
        let is_order = match self.rule {
            Rule::UnorderedTextCompared | Rule::SerialisedOrderCompared => self.is_sure,
            Rule::UnorderedSequenceCompared => true,
            _ => false,
        };
        is_order && self.calls.is_some_and(|it| it <= MOST_CALLS)
    }
}

#[cfg(test)]
mod tests {
    use peeler_features::Rule;

    use super::Grounding;

    #[test]
    fn a_static_state_is_named_if_an_assertion_of_its_file_reads_it() {
        let left = |write, oracle| Grounding {
            rule: Rule::StaticStateLeft,
            calls: None,
            is_in_body: true,
            is_sure: true,
            is_local: true,
            source: ("CartTest.java", write),
            oracle,
        };
        let asserted = Some(("CartTest.java", "assertEquals(1, size)"));
        assert!(left("size = 2", asserted).is_shown());
        assert!(
            !left("size = 2", Some(("CartTest.java", "size"))).is_shown(),
            "read only"
        );
        assert!(!left("size = 2", Some(("ShopTest.java", "assertEquals(1, size)"))).is_shown());
        assert!(!left("doThrow(e).when(CART).add(1)", asserted).is_shown(), "a stub");
        let elsewhere = Grounding {
            is_sure: false,
            ..left("size = 2", asserted)
        };
        assert!(!elsewhere.is_shown(), "of another class, or reset");
    }

    /// A flow whose source is so many calls away, or in the test class, and whose steps are near.
    fn flow(rule: Rule, calls: Option<u8>, is_sure: bool) -> Grounding<'static> {
        Grounding {
            rule,
            calls,
            is_in_body: false,
            is_sure,
            is_local: true,
            source: ("Cart.java", "new HashMap<>()"),
            oracle: Some(("CartTest.java", "assertEquals(text, cart.toString())")),
        }
    }

    /// A flow from the body of a test to an assertion of the same file.
    fn home(rule: Rule) -> Grounding<'static> {
        Grounding {
            is_in_body: true,
            source: ("CartTest.java", "new Cart()"),
            ..flow(rule, None, true)
        }
    }

    #[test]
    fn an_order_of_the_code_under_test_counts_with_two_elements_and_few_calls() {
        for rule in [
            Rule::UnorderedTextCompared,
            Rule::UnorderedSequenceCompared,
            Rule::SerialisedOrderCompared,
        ] {
            assert!(flow(rule, Some(2), true).is_reason(), "{rule}");
            assert!(!flow(rule, Some(3), true).is_reason(), "{rule}");
            assert!(!flow(rule, Some(1), false).is_reason(), "{rule}");
        }
        assert!(flow(Rule::SerialisedOrderCompared, None, true).is_reason());
        assert!(!flow(Rule::SerialisedOrderCompared, None, false).is_reason());
        assert!(!flow(Rule::ClockCompared, Some(1), true).is_reason());
    }

    #[test]
    fn an_order_that_other_files_work_with_is_a_hint() {
        for rule in [Rule::UnorderedTextCompared, Rule::UnorderedSequenceCompared] {
            let far = Grounding {
                is_local: false,
                ..flow(rule, Some(1), true)
            };
            assert!(home(rule).is_reason(), "{rule}");
            assert!(!far.is_reason() && !far.is_shown() && far.is_hint(), "{rule}");
        }
        let far = |rule| Grounding {
            is_local: false,
            ..home(rule)
        };
        assert!(
            far(Rule::UnorderedTextCompared).is_reason(),
            "of a text that the test makes itself"
        );
        assert!(!far(Rule::UnorderedSequenceCompared).is_reason());
    }

    #[test]
    fn an_order_of_members_counts_with_two_elements_and_one_of_files_never() {
        let members = |is_sure| Grounding {
            is_sure,
            ..home(Rule::ReflectionOrderCompared)
        };
        assert!(members(true).is_reason());
        assert!(!members(false).is_reason());
        assert!(!home(Rule::FileListingCompared).is_reason());
        assert!(home(Rule::FileListingCompared).is_hint());
    }

    #[test]
    fn a_time_or_random_value_counts_where_no_other_code_works_with_it() {
        for rule in [Rule::RandomValueAsserted, Rule::ElapsedTimeCompared] {
            let far = Grounding {
                is_local: false,
                ..home(rule)
            };
            assert!(home(rule).is_reason(), "{rule}");
            assert!(!far.is_reason(), "{rule}");
        }
        let random = |is_in_body, is_sure| Grounding {
            is_in_body,
            is_sure,
            ..home(Rule::RandomValueAsserted)
        };
        assert!(!random(false, true).is_reason(), "in a helper");
        assert!(
            !random(true, false).is_reason(),
            "a shuffle of elements that are not known"
        );
    }

    #[test]
    fn a_wait_counts_with_work_beside_the_test_and_a_sleep_with_an_assertion_near_it() {
        let unsure = |rule| Grounding {
            is_sure: false,
            ..home(rule)
        };
        for rule in [Rule::ShortTimeLimit, Rule::SleepBeforeAssertion] {
            assert!(home(rule).is_reason(), "{rule}");
            assert!(!unsure(rule).is_reason() && unsure(rule).is_hint(), "{rule}");
        }
        let elsewhere = Grounding {
            oracle: Some(("Checks.java", "assertEquals(1, size)")),
            ..home(Rule::SleepBeforeAssertion)
        };
        assert!(!elsewhere.is_reason());
    }

    #[test]
    fn a_far_order_is_a_hint_and_no_reason_for_a_listed_test() {
        for far in [
            flow(Rule::UnorderedSequenceCompared, Some(6), false),
            flow(Rule::ReflectionOrderCompared, Some(5), false),
            flow(Rule::SerialisedOrderCompared, Some(1), false),
        ] {
            assert!(far.is_hint() && !far.is_shown(), "{far:?}");
        }
        assert!(flow(Rule::ClockCompared, Some(3), true).is_shown(), "about no order");
    }
}
