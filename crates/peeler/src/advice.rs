//! The advice for a flow: that of its rule, unless the API at its source needs other words.

use peeler_features::Rule;

/// Calls that make random values and take no seed, with the advice for tests that assert on them.
const WITHOUT_SEED: [(&str, &str); 3] = [
    (
        "Math.random",
        "`Math.random` takes no seed: use a `Random` with a fixed seed, or assert what holds for every value.",
    ),
    (
        "ThreadLocalRandom",
        "`ThreadLocalRandom` takes no seed: use a `Random` with a fixed seed, or assert what holds for every value.",
    ),
    (
        "SecureRandom",
        "A seed does not make `SecureRandom` repeat its values: pass the value in, or assert what holds for every one.",
    ),
];

/// The advice for a flow of a rule whose source has this text.
pub(crate) fn advice(rule: Rule, source: &str) -> &'static str {
    let special = WITHOUT_SEED.iter().find(|(name, _)| source.contains(name));
    match special {
        Some((_, advice)) if rule == Rule::RandomValueAsserted => advice,
        _ => rule.advice(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_api_without_a_seed_gets_no_advice_about_seeds() {
        let unseeded = advice(Rule::RandomValueAsserted, "ThreadLocalRandom.current().nextInt()");
        assert!(unseeded.contains("takes no seed"), "{unseeded}");
        let plain = advice(Rule::RandomValueAsserted, "new Random().nextInt()");
        assert_eq!(plain, Rule::RandomValueAsserted.advice());
        assert_eq!(
            advice(Rule::ClockCompared, "Math.random()"),
            Rule::ClockCompared.advice()
        );
    }
}
