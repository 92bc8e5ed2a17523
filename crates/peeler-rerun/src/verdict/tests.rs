use super::*;

fn name(text: &str) -> TestName {
    text.parse().expect("a test")
}

fn run(test: &str, stage: Stage, jvm: u32, outcome: Outcome) -> Event {
    Event::Run(Run {
        test: name(test),
        stage,
        jvm,
        perturbation: Perturbation::None,
        outcome,
        milliseconds: 1,
        failure: None,
    })
}

fn perturbed(test: &str, perturbation: Perturbation, outcome: Outcome) -> Event {
    let Event::Run(run) = run(test, Stage::Perturbed, 9, outcome) else {
        unreachable!("it is a run")
    };
    Event::Run(Run { perturbation, ..run })
}

fn coverage(changed: &[&str], inconclusive: Option<&str>) -> Event {
    Event::Coverage(Coverage {
        test: name("a.T#t"),
        since: "HEAD~1".to_owned(),
        loaded: 10,
        changed: changed.iter().map(|it| (*it).to_owned()).collect(),
        inconclusive: inconclusive.map(str::to_owned),
    })
}

fn only(events: &[Event]) -> Verdict {
    let all = verdicts(events, &[]);
    all.into_iter().find(|it| it.test == name("a.T#t")).expect("a verdict")
}

use Outcome::{Crashed, Failed, Missing, Passed, Skipped, TimedOut};

#[test]
fn one_outcome_is_no_proof_however_often_it_comes() {
    let many = |outcome| vec![run("a.T#t", Stage::First, 1, outcome); 50];
    assert_eq!(only(&many(Failed)).status, Status::Failing);
    assert_eq!(only(&many(Crashed)).status, Status::Failing);
    assert_eq!(only(&many(Passed)).status, Status::Stable);
}

#[test]
fn both_outcomes_are_proof_and_the_stage_of_the_change_is_named() {
    let verdict = only(&[
        run("a.T#t", Stage::First, 1, Failed),
        run("a.T#t", Stage::Rerun, 1, Failed),
        run("a.T#t", Stage::Postpone, 1, Passed),
    ]);
    assert_eq!(
        (verdict.status, verdict.shown_by),
        (Status::Flaky, Some(Stage::Postpone))
    );
    assert_eq!((verdict.runs, verdict.failures), (3, 2));
    assert_eq!(verdict.depends_on, Some(Dependence::Chance));
}

#[test]
fn failures_behind_other_tests_and_passes_in_other_jvms_are_a_matter_of_state() {
    let mut events = vec![
        run("a.T#other", Stage::First, 1, Passed),
        run("a.T#t", Stage::First, 1, Failed),
        run("a.T#t", Stage::Rerun, 1, Failed),
        run("a.T#t", Stage::Fork, 2, Passed),
    ];
    assert_eq!(only(&events).depends_on, Some(Dependence::State));
    events.push(run("a.T#t", Stage::Repeat, 1, Passed));
    assert_eq!(only(&events).depends_on, Some(Dependence::Chance));
    // Without an earlier test in the JVM there is no state to depend on.
    assert_eq!(only(&events[1..4]).depends_on, Some(Dependence::Chance));
}

#[test]
fn a_failure_that_loads_no_changed_class_is_flaky_unless_something_speaks_against_it() {
    let failed = run("a.T#t", Stage::Fork, 1, Failed);
    let verdict = only(&[failed.clone(), coverage(&[], None)]);
    assert_eq!(
        (verdict.status, verdict.shown_by),
        (Status::Flaky, Some(Stage::Intersect))
    );
    assert!(verdict.sentence().contains("provided it passed there"));
    let verdict = only(&[failed.clone(), coverage(&["a.Changed"], None)]);
    assert_eq!(verdict.status, Status::Failing);
    assert_eq!(
        verdict.note.as_deref(),
        Some("it loads a.Changed, which changed since HEAD~1")
    );
    let verdict = only(&[failed, coverage(&[], Some("pom.xml changed too"))]);
    assert_eq!(verdict.status, Status::Failing);
    assert_eq!(verdict.note.as_deref(), Some("pom.xml changed too"));
}

#[test]
fn what_did_not_run_proves_nothing() {
    let verdict = only(&[
        run("a.T#t", Stage::First, 1, Skipped),
        run("a.T#t", Stage::First, 1, Missing),
    ]);
    assert_eq!((verdict.status, verdict.runs), (Status::NotRun, 0));
    let mixed = only(&[
        run("a.T#t", Stage::First, 1, Skipped),
        run("a.T#t", Stage::First, 1, Passed),
    ]);
    assert_eq!(mixed.status, Status::Stable);
    let never = verdicts(&[], &[name("a.T#t")]);
    assert_eq!(never[0].sentence(), "not run: it was not chosen");
}

#[test]
fn running_out_of_time_counts_unless_the_machine_was_slowed() {
    let passed = run("a.T#t", Stage::First, 1, Passed);
    let slow = perturbed("a.T#t", Perturbation::Stress { threads: 2 }, TimedOut);
    assert_eq!(only(&[passed.clone(), slow]).status, Status::Stable);
    assert_eq!(
        only(&[passed, run("a.T#t", Stage::Repeat, 1, TimedOut)]).status,
        Status::Flaky
    );
}

#[test]
fn a_failure_in_another_time_zone_only_depends_on_it() {
    let zone = Perturbation::Zone {
        id: "Asia/Kolkata".to_owned(),
    };
    let verdict = only(&[
        run("a.T#t", Stage::First, 1, Passed),
        perturbed("a.T#t", zone.clone(), Failed),
    ]);
    assert_eq!(
        verdict.depends_on,
        Some(Dependence::Environment {
            perturbation: zone.clone()
        })
    );
    let both = only(&[
        run("a.T#t", Stage::First, 1, Passed),
        perturbed("a.T#t", zone.clone(), Failed),
        perturbed("a.T#t", zone, Passed),
    ]);
    assert_eq!(both.depends_on, Some(Dependence::Chance));
}

#[test]
fn a_victim_fails_in_one_order_passes_in_the_other_and_behind_its_polluter_fails_again() {
    let mut events = vec![
        run("a.T#t", Stage::First, 1, Passed),
        run("a.T#t", Stage::Shuffled, 2, Failed),
        run("a.T#t", Stage::TruncatedFailing, 3, Failed),
        run("a.T#t", Stage::TruncatedOriginal, 4, Passed),
        run("a.T#t", Stage::Alone, 5, Passed),
        run("a.T#innocent", Stage::Pair, 6, Passed),
        run("a.T#t", Stage::Pair, 6, Passed),
        run("a.T#polluter", Stage::Pair, 7, Passed),
        run("a.T#t", Stage::Pair, 7, Failed),
    ];
    let verdict = only(&events);
    let expected = Dependence::Order {
        polluters: vec![name("a.T#polluter")],
        setters: vec![],
    };
    assert_eq!(verdict.depends_on, Some(expected));
    assert!(
        verdict.sentence().ends_with("it fails behind a.T#polluter"),
        "{}",
        verdict.sentence()
    );
    // A failing order that passes the second time is chance, not order.
    events[2] = run("a.T#t", Stage::TruncatedFailing, 3, Passed);
    assert_eq!(only(&events).depends_on, Some(Dependence::Chance));
}

#[test]
fn a_test_that_fails_alone_names_what_it_needs() {
    let verdict = only(&[
        run("a.T#t", Stage::First, 1, Passed),
        run("a.T#t", Stage::TruncatedFailing, 3, Failed),
        run("a.T#t", Stage::TruncatedOriginal, 4, Passed),
        run("a.T#t", Stage::Alone, 5, Failed),
        run("a.T#setter", Stage::Pair, 6, Passed),
        run("a.T#t", Stage::Pair, 6, Passed),
    ]);
    let expected = Dependence::Order {
        polluters: vec![],
        setters: vec![name("a.T#setter")],
    };
    assert_eq!(verdict.depends_on, Some(expected));
}

/// The kinds of a test that passed twice, and then had these outcomes in changed environments.
fn kinds_of(changed: &[(Perturbation, Stage, Outcome)]) -> Vec<FlakyKind> {
    let mut events = vec![
        run("a.T#t", Stage::First, 1, Passed),
        run("a.T#t", Stage::Repeat, 1, Passed),
    ];
    for (perturbation, stage, outcome) in changed {
        let Event::Run(run) = perturbed("a.T#t", perturbation.clone(), *outcome) else {
            unreachable!("it is a run")
        };
        events.push(Event::Run(Run { stage: *stage, ..run }));
    }
    only(&events).kinds
}

#[test]
fn a_kind_is_named_only_if_runs_tell_it_from_chance() {
    let seed = |seed: u32| Perturbation::NonDex { seed, part: None };
    let zone = Perturbation::Zone { id: "UTC".to_owned() };
    let (once, again) = (Stage::Perturbed, Stage::Again);
    let one_seed = [
        (seed(1), once, Failed),
        (seed(1), again, Passed),
        (seed(2), once, Passed),
    ];
    assert_eq!(kinds_of(&one_seed), [FlakyKind::Random]);
    let two_seeds = [
        (seed(1), once, Failed),
        (seed(1), again, Passed),
        (seed(2), once, Failed),
    ];
    assert_eq!(kinds_of(&two_seeds), [FlakyKind::Unspecified]);
    assert_eq!(
        kinds_of(&[(seed(1), once, Failed), (seed(3), again, Failed)]),
        [FlakyKind::Unspecified]
    );
    assert_eq!(
        kinds_of(&[(zone.clone(), once, Failed), (zone.clone(), again, Passed)]),
        [FlakyKind::Random]
    );
    let both = [
        (zone.clone(), once, Failed),
        (zone, again, Failed),
        (Perturbation::Interpreted, once, Failed),
    ];
    assert_eq!(kinds_of(&both), [FlakyKind::Timing, FlakyKind::Environment]);
}
