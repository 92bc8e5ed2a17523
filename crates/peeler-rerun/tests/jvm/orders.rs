//! Tests of shuffled orders and changed environments, with real victims.

use std::collections::BTreeMap;

use peeler_rerun::evidence::{Event, Stage, runs};
use peeler_rerun::log;
use peeler_rerun::orders::{Orders, run_orders};
use peeler_rerun::perturbation::PerturbationKind;
use peeler_rerun::perturbed::{Conditions, run_perturbed};
use peeler_rerun::repeat::RepeatUntil;
use peeler_rerun::replay::replay;
use peeler_rerun::stages::{RerunCounts, run_stages};
use peeler_rerun::verdict::{Dependence, Status};

use crate::sample::{Bench, name, names, verdict};

const SUITE: [&str; 6] = [
    "shop.PriceTest#isFull",
    "shop.StableTest#adds",
    "shop.StableTest#divides",
    "shop.TillTest#opens",
    "shop.CartTest#startsEmpty",
    "shop.SaleTest#halvesPrices",
];

fn orders() -> Orders {
    Orders {
        seeds: vec![1, 2, 3],
        most_pairs: 20,
        probabilities: BTreeMap::new(),
    }
}

#[test]
fn shuffling_finds_the_victim_names_the_polluter_and_replay_shows_it_again() {
    let bench = Bench::new();
    let suite = names(&SUITE);
    let (events, result) = bench.act(|it| {
        run_stages(it, &suite, &RerunCounts::default(), None)?;
        run_orders(it, &suite, &orders())
    });
    result.expect("it runs");
    let victim = verdict(&events, "shop.PriceTest#isFull");
    let expected = Dependence::Order {
        polluters: vec![name("shop.SaleTest#halvesPrices")],
        setters: vec![],
    };
    assert_eq!((victim.status, victim.depends_on), (Status::Flaky, Some(expected)));
    for test in &SUITE[1..] {
        assert_eq!(verdict(&events, test).status, Status::Stable, "{test}");
    }

    let record = log::read(&bench.log_path()).expect("the record");
    assert_eq!(record, events);
    let again = Bench::new();
    let (seen, result) = again.act(|it| replay(it, &record, &[], 1));
    let reproductions = result.expect("it runs");
    assert_eq!(reproductions.len(), 1);
    assert!(reproductions[0].is_complete(), "{reproductions:?}");
    assert_eq!(
        reproductions[0].sentence(),
        "failed again behind shop.SaleTest#halvesPrices; passed again alone in a new JVM"
    );
    assert_eq!(runs(&seen).count(), 3, "no more than needed");
}

#[test]
fn a_victim_of_the_suites_own_order_needs_no_shuffling() {
    let suite = names(&[
        "shop.BasketTest#fillsTheCart",
        "shop.StableTest#adds",
        "shop.CartTest#startsEmpty",
    ]);
    let counts = RerunCounts {
        threshold: Some(1.0),
        immediate: 0,
        end: 0,
        ..RerunCounts::default()
    };
    let orders = Orders {
        seeds: vec![],
        ..orders()
    };
    let (events, result) = Bench::new().act(|it| {
        run_stages(it, &suite, &counts, None)?;
        run_orders(it, &suite, &orders)
    });
    result.expect("it runs");
    let expected = Dependence::Order {
        polluters: vec![name("shop.BasketTest#fillsTheCart")],
        setters: vec![],
    };
    assert_eq!(verdict(&events, "shop.CartTest#startsEmpty").depends_on, Some(expected));
}

#[test]
fn a_search_that_was_cut_off_goes_on_and_repeats_nothing() {
    let suite = names(&SUITE);
    let whole = |bench: &Bench| {
        let (events, result) = bench.act(|it| {
            run_stages(it, &suite, &RerunCounts::default(), None)?;
            run_orders(it, &suite, &orders())
        });
        result.expect("it runs");
        events
    };
    let bench = Bench::new();
    let events = whole(&bench);
    // The log is cut as if the program had been killed after the second order, in the middle of a line.
    let text = std::fs::read_to_string(bench.log_path()).expect("the log");
    let end = text
        .match_indices("order-done")
        .nth(1)
        .map(|(at, _)| text[at..].find('\n').expect("a line") + at + 1);
    let kept = &text[..end.expect("two orders")];
    std::fs::write(bench.log_path(), format!("{kept}{{\"event\":\"ru")).expect("a cut");
    let resumed = whole(&bench);
    let stages = |events: &[Event]| {
        let mut stages: Vec<(String, Stage)> = runs(events).map(|run| (run.test.to_string(), run.stage)).collect();
        stages.sort();
        stages
    };
    assert_eq!(stages(&resumed), stages(&events));
    assert_eq!(
        verdict(&resumed, "shop.PriceTest#isFull").depends_on,
        verdict(&events, "shop.PriceTest#isFull").depends_on
    );
    // After a complete run, a resumed one has nothing to do.
    assert_eq!(runs(&whole(&bench)).count(), runs(&resumed).count());
}

#[test]
fn zone_and_locale_find_what_depends_on_them_and_nothing_else() {
    let suite = names(&[
        "shop.LabelTest#isInCapitals",
        "shop.ClockTest#isNearGreenwich",
        "shop.StableTest#adds",
    ]);
    let conditions = Conditions {
        perturbations: PerturbationKind::ALL.iter().flat_map(|it| it.conditions()).collect(),
        runs: 1,
        until: RepeatUntil::OutcomeChanges,
    };
    let (events, result) = Bench::new().act(|it| {
        run_stages(it, &suite, &RerunCounts::default(), None)?;
        run_perturbed(it, &suite, &conditions, None)
    });
    result.expect("it runs");
    let depends_on = |test: &str| match verdict(&events, test).depends_on {
        Some(Dependence::Environment { perturbation }) => perturbation.words(),
        other => format!("{other:?}"),
    };
    assert_eq!(depends_on("shop.LabelTest#isInCapitals"), "locale tr_TR");
    assert_eq!(
        depends_on("shop.ClockTest#isNearGreenwich"),
        "time zone Pacific/Kiritimati"
    );
    let stable = verdict(&events, "shop.StableTest#adds");
    assert_eq!(
        (stable.status, stable.runs as usize),
        (Status::Stable, 1 + conditions.perturbations.len())
    );
}
