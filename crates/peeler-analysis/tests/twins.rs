//! The engine on the twins of `corpus/twins`: the right rule and line for flaky twins, silence for stable ones.
//!
//! `TWINS=order/Json cargo test -p peeler-analysis --test twins -- --nocapture` prints the misses of some
//! pairs: those whose names contain `order/Json`.

mod twin_pairs;

use std::collections::BTreeMap;

use peeler_analysis::{Analysis, Flow, FlowFinder, Limits, Repository, pair_states};
use peeler_features::Rule;

use self::twin_pairs::{Pair, Twin, pairs};

/// The least share of flaky twins whose rule and source line are found, in percent. A floor that may only rise.
///
/// The goal of 95% is reached: 322 of 332 are found.
const FOUND_PERCENT: usize = 96;

/// The least share of stable twins without an unsettled flow, in percent: the goal. 330 of 332 are silent.
const SILENT_PERCENT: usize = 97;

/// The maximum number of lines of a source in which a marked line counts.
const MOST_LINES: u32 = 4;

/// The unsettled flows of all tests of a twin, those between its tests included.
fn flows(pair: &Pair, twin: Twin) -> Vec<Flow> {
    let files = pair.files(twin);
    let sources = files.into_iter().map(|(path, text)| (path, text.into_bytes()));
    let repository = Repository::from_sources(sources.collect());
    let analysis = Analysis::new(&repository);
    let finder = FlowFinder::new(&analysis);
    let mut tests = Vec::new();
    analysis.extract(
        Limits::default(),
        |_| true,
        |traced| (traced.case.name.clone(), finder.flows(&traced)),
        |test| tests.push(test),
    );
    let states: Vec<_> = tests.iter().map(|(name, found)| (name.clone(), &found.state)).collect();
    let between_tests = pair_states(&states).into_iter().map(|it| it.flow);
    let own = tests.iter().flat_map(|(_, found)| found.flows.iter().cloned());
    let mut found: Vec<Flow> = own.chain(between_tests).collect();
    found.retain(|it| it.settled_by.is_none());
    found
}

/// Whether a flow has a rule and a source that the pair expects. Lines are those of the pair's own file.
///
/// The source may be an expression of a few lines, of which one is marked.
fn is_expected(pair: &Pair, flow: &Flow) -> bool {
    let lines = flow.source.line..=flow.source.end_line.min(flow.source.line + MOST_LINES - 1);
    let expected = pair.expected();
    let mut at_source = expected.iter().filter(|it| lines.contains(&it.line));
    at_source.any(|it| it.rules.iter().any(|rule| rule == flow.rule.id()))
}

fn described(flow: &Flow) -> String {
    format!(
        "{} at {}:{} `{}`",
        flow.rule, flow.source.file, flow.source.line, flow.source.text
    )
}

/// Counts of one rule: flaky twins found, stable twins silent, pairs.
#[derive(Default)]
struct Tally {
    found: usize,
    silent: usize,
    pairs: usize,
}

#[test]
fn flaky_twins_are_found_and_stable_twins_are_silent() {
    let pairs = pairs();
    let mut rules: BTreeMap<String, Tally> = BTreeMap::new();
    let mut misses = Vec::new();
    for pair in &pairs {
        let name = format!("{}/{}", pair.family, pair.name);
        let tally = rules.entry(pair.rule()).or_default();
        tally.pairs += 1;
        let flaky = flows(pair, Twin::Flaky);
        if flaky.iter().any(|it| is_expected(pair, it)) {
            tally.found += 1;
        } else {
            let wanted = pair
                .expected()
                .into_iter()
                .map(|it| format!("{} at line {}", it.rules.join("/"), it.line));
            let wanted = wanted.collect::<Vec<_>>().join(" or ");
            let got = flaky.iter().map(described).collect::<Vec<_>>().join("; ");
            misses.push(format!("not found: {name}: wanted {wanted}, got [{got}]"));
        }
        let stable = flows(pair, Twin::Stable);
        if stable.is_empty() {
            tally.silent += 1;
        } else {
            let got = stable.iter().map(described).collect::<Vec<_>>().join("; ");
            misses.push(format!("not silent: {name} ({}): got [{got}]", pair.settled));
        }
    }
    misses.sort();
    for miss in &misses {
        println!("{miss}");
    }
    println!("rule    pairs  flaky found  stable silent");
    for (rule, tally) in &rules {
        println!("{rule}  {:5}  {:11}  {:13}", tally.pairs, tally.found, tally.silent);
    }
    let found: usize = rules.values().map(|it| it.found).sum();
    let silent: usize = rules.values().map(|it| it.silent).sum();
    println!("all     {:5}  {found:11}  {silent:13}", pairs.len());
    assert!(
        found * 100 >= pairs.len() * FOUND_PERCENT,
        "{found} of {} flaky twins are found",
        pairs.len()
    );
    assert!(
        silent * 100 >= pairs.len() * SILENT_PERCENT,
        "{silent} of {} stable twins are silent",
        pairs.len()
    );
}

#[test]
fn every_rule_has_a_pair() {
    if std::env::var_os("TWINS").is_some() {
        return;
    }
    let pairs = pairs();
    let named: Vec<String> = pairs.iter().map(Pair::rule).collect();
    let missing: Vec<&str> = Rule::all()
        .iter()
        .map(|it| it.id())
        .filter(|it| !named.iter().any(|rule| rule == it))
        .collect();
    assert!(missing.is_empty(), "rules without a pair: {missing:?}");
    assert!(pairs.len() >= 200, "{} pairs", pairs.len());
}

#[test]
fn twins_differ_and_are_java_with_tests() {
    for pair in pairs() {
        let name = format!("{}/{}", pair.family, pair.name);
        assert_ne!(pair.twin(Twin::Flaky), pair.twin(Twin::Stable), "{name}");
        for expected in pair.expected() {
            assert!(
                expected.rules.iter().all(|it| Rule::find(it).is_some()),
                "{name}: {:?}",
                expected.rules
            );
        }
        for twin in [Twin::Flaky, Twin::Stable] {
            let sources = pair
                .files(twin)
                .into_iter()
                .map(|(path, text)| (path, text.into_bytes()));
            let repository = Repository::from_sources(sources.collect());
            assert!(
                repository.problems().is_empty(),
                "{name} {twin:?}: {:?}",
                repository.problems()
            );
            let mut tests = 0;
            Analysis::new(&repository).extract(Limits::default(), |_| true, |_| (), |()| tests += 1);
            assert!(tests > 0, "{name} {twin:?} has no test");
        }
    }
}
