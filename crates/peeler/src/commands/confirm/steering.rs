//! Which changes of the environment fit the tests of a scan, by the rules and kinds that the scan gives them.

use peeler_features::{FlakinessKind, Rule, TestName};
use peeler_rerun::perturbation::PerturbationKind;
use peeler_rerun::steering::{Hints, Steering, SuspectedPair};

use crate::finding::{KindScore, Scan};

/// The most tests that are tried as the partner of one test of a suspected pair.
const MOST_PARTNERS: usize = 5;

/// What fits each test of a scan: findings in their order, then the other tests by their probability.
pub(super) fn steering(scan: &Scan) -> anyhow::Result<Steering> {
    let mut steering = Steering::default();
    for finding in &scan.findings {
        let test: TestName = finding.test.as_str().parse()?;
        let mut hints = Hints::default();
        for found in &finding.rules {
            add_rule(&mut hints, found.rule);
            for partner in found.partners.iter().take(MOST_PARTNERS) {
                steering.pairs.push(pair(found.rule, &test, partner));
            }
        }
        if hints == Hints::default() {
            add_kind(&mut hints, &finding.kinds);
        }
        hints.is_found = true;
        if steering.hints.insert(test.clone(), hints).is_none() {
            steering.ranking.push(test);
        }
    }
    let mut others: Vec<(TestName, f32)> = Vec::new();
    for score in scan.tests.iter().flatten() {
        let test: TestName = score.test.as_str().parse()?;
        if steering.hints.contains_key(&test) {
            continue;
        }
        let mut hints = Hints::default();
        for rule in &score.rules {
            add_rule(&mut hints, *rule);
        }
        add_kind(&mut hints, &score.kinds);
        steering.hints.insert(test.clone(), hints);
        others.push((test, score.probability));
    }
    others.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    steering.ranking.extend(others.into_iter().map(|(test, _)| test));
    steering.pairs.sort();
    steering.pairs.dedup();
    Ok(steering)
}

/// The tests of a flow between two tests, with the one first that leaves a state changed.
fn pair(rule: Rule, test: &TestName, partner: &TestName) -> SuspectedPair {
    let is_victim = matches!(rule, Rule::StaticStateAssumed | Rule::TestOrderRequired);
    let (polluter, victim) = if is_victim { (partner, test) } else { (test, partner) };
    SuspectedPair {
        polluter: polluter.clone(),
        victim: victim.clone(),
    }
}

/// Adds what fits tests that a rule found.
fn add_rule(hints: &mut Hints, rule: Rule) {
    use PerturbationKind::{Charset, Delay, Locale, NonDex, Order, Processors, Stress, Zone};
    let id = rule.id();
    let kinds: &[PerturbationKind] = match (rule, &id[..4]) {
        (Rule::ParallelOrderCompared, _) | (_, "PLR2") => &[Stress, Delay, Processors],
        (_, "PLR1") => &[NonDex],
        (Rule::DefaultZoneOrLocaleCompared, _) => &[Zone, Locale],
        (Rule::DefaultCharsetCompared, _) => &[Charset],
        (Rule::ClockCompared, _) => &[Stress, Delay],
        (_, "PLR5") => &[Order],
        _ => &[],
    };
    hints.kinds.extend(kinds);
    hints.repeats |= matches!(&id[..4], "PLR2" | "PLR3" | "PLR4");
}

/// Adds what fits the likeliest kind of flakiness of a test.
fn add_kind(hints: &mut Hints, kinds: &[KindScore]) {
    use PerturbationKind::{Delay, NonDex, Order, Stress};
    let likeliest = kinds
        .iter()
        .max_by(|one, other| one.probability.total_cmp(&other.probability));
    match likeliest.map(|it| it.kind) {
        Some(FlakinessKind::UnspecifiedBehaviour) | None => {
            hints.kinds.insert(NonDex);
        }
        Some(FlakinessKind::TestOrder) => {
            hints.kinds.insert(Order);
        }
        Some(FlakinessKind::Timing) => {
            hints.kinds.extend([Stress, Delay]);
            hints.repeats = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_rule(rule: Rule) -> Hints {
        let mut hints = Hints::default();
        add_rule(&mut hints, rule);
        hints
    }

    #[test]
    fn every_rule_that_runs_can_show_has_something_that_fits() {
        assert!(
            of_rule(Rule::UnorderedTextCompared)
                .kinds
                .contains(&PerturbationKind::NonDex)
        );
        let sleeping = of_rule(Rule::SleepBeforeAssertion);
        assert!(sleeping.kinds.contains(&PerturbationKind::Delay) && sleeping.repeats);
        assert!(of_rule(Rule::RandomValueAsserted).repeats);
        assert!(
            of_rule(Rule::DefaultZoneOrLocaleCompared)
                .kinds
                .contains(&PerturbationKind::Zone)
        );
        assert!(of_rule(Rule::StaticStateLeft).kinds.contains(&PerturbationKind::Order));
    }

    #[test]
    fn the_test_that_leaves_a_state_comes_first_in_a_pair() {
        let (one, other): (TestName, TestName) =
            ("a.T#one".parse().expect("a test"), "a.T#two".parse().expect("a test"));
        assert_eq!(pair(Rule::StaticStateLeft, &one, &other).polluter, one);
        assert_eq!(pair(Rule::StaticStateAssumed, &one, &other).polluter, other);
    }
}
