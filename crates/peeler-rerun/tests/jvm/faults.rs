//! Tests that damage their JVM: every fault is an outcome, the next test runs, and no process is left behind.

use std::time::Duration;

use peeler_rerun::confirmation::ConfirmError;
use peeler_rerun::evidence::{Event, Outcome, Stage, runs};
use peeler_rerun::jvm::JvmError;
use peeler_rerun::verdict::Status;

use crate::sample::{Bench, name, outcomes, verdict};

/// Runs faulty tests one after the other, each followed by a good test.
fn run(bench: &Bench, faults: &[&str]) -> Vec<Event> {
    let (events, result) = bench.act(|it| {
        for fault in faults {
            it.run(&name(&format!("shop.faults.FaultTest#{fault}")), Stage::First)?;
            it.run(&name("shop.faults.FaultTest#passes"), Stage::Lead)?;
        }
        Ok(())
    });
    result.expect("no fault of a test is an error of ours");
    let good = outcomes(&events, "shop.faults.FaultTest#passes");
    assert_eq!(
        good,
        vec![Outcome::Passed; faults.len()],
        "the next test runs whatever happened"
    );
    events
}

fn failure(events: &[Event], fault: &str) -> (Outcome, String) {
    let test = name(&format!("shop.faults.FaultTest#{fault}"));
    let run = runs(events).find(|run| run.test == test).expect("a run");
    (run.outcome, run.failure.clone().unwrap_or_default())
}

/// The live processes that Peeler started for a bench in this folder.
#[cfg(target_os = "linux")]
fn left_behind() -> Vec<String> {
    let me = format!("PEELER_RUN={}-", std::process::id());
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("processes").flatten() {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let is_ours = environment
            .split(|&byte| byte == 0)
            .any(|it| it.starts_with(me.as_bytes()));
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        // Other tests of this process have JVMs of their own.
        if is_ours && line.starts_with("sleep 1000") {
            found.push(line);
        }
    }
    found
}

#[test]
fn a_jvm_that_dies_is_an_outcome_with_its_last_words() {
    let events = run(&Bench::new(), &["exits", "killsItsJvm", "fillsTheHeap"]);
    let (outcome, text) = failure(&events, "exits");
    assert_eq!(outcome, Outcome::Crashed);
    assert!(text.contains("exit status 3"), "{text}");
    let (outcome, text) = failure(&events, "killsItsJvm");
    assert_eq!(outcome, Outcome::Crashed);
    assert!(text.contains("killed by signal 9"), "{text}");
    let (outcome, text) = failure(&events, "fillsTheHeap");
    assert_eq!(outcome, Outcome::Crashed);
    assert!(text.contains("OutOfMemoryError"), "{text}");
    // Each good test ran in a new JVM, because the previous one had ended.
    let mut jvms: Vec<u32> = runs(&events).map(|run| run.jvm).collect();
    jvms.dedup();
    assert_eq!(jvms, [1, 2, 3, 4]);
}

#[test]
fn streams_belong_to_the_tests() {
    let events = run(
        &Bench::new(),
        &["floods", "closesItsStreams", "readsItsInput", "floods"],
    );
    assert_eq!(
        outcomes(&events, "shop.faults.FaultTest#closesItsStreams"),
        [Outcome::Passed]
    );
    assert_eq!(
        outcomes(&events, "shop.faults.FaultTest#readsItsInput"),
        [Outcome::Passed]
    );
    let (first, text) = failure(&events, "floods");
    assert_eq!(first, Outcome::Passed, "{text}");
    assert!(runs(&events).all(|run| run.jvm == 1), "nobody died of it");
}

#[cfg(target_os = "linux")]
#[test]
fn a_hanging_test_is_killed_with_its_children_and_says_where_it_hung() {
    let mut bench = Bench::new();
    bench.limit = Duration::from_secs(6);
    let events = run(&bench, &["hangs", "hangsWithChildren", "leavesAChild"]);
    let (outcome, text) = failure(&events, "hangs");
    assert_eq!(outcome, Outcome::TimedOut);
    assert!(
        text.contains("killed after 6 s") && text.contains("FaultTest.hangs"),
        "{text}"
    );
    assert_eq!(failure(&events, "hangsWithChildren").0, Outcome::TimedOut);
    assert_eq!(failure(&events, "leavesAChild").0, Outcome::Passed);
    assert_eq!(left_behind(), [""; 0]);
}

#[test]
fn a_test_that_sometimes_exits_is_flaky_and_one_that_always_does_is_not() {
    let bench = Bench::new();
    let (events, result) = bench.act(|it| {
        for _ in 0..2 {
            it.run(&name("shop.faults.FaultTest#exits"), Stage::First)?;
            it.run(&name("shop.faults.FaultTest#exitsSometimes"), Stage::First)?;
        }
        Ok(())
    });
    result.expect("it runs");
    assert_eq!(verdict(&events, "shop.faults.FaultTest#exits").status, Status::Failing);
    assert_eq!(
        verdict(&events, "shop.faults.FaultTest#exitsSometimes").status,
        Status::Flaky
    );
}

#[test]
fn an_interrupt_ends_a_hanging_test_at_once_and_what_was_seen_stays() {
    let bench = Bench::new();
    let interrupt = bench.interrupt.clone();
    let (events, result) = bench.act(|it| {
        it.run(&name("shop.faults.FaultTest#passes"), Stage::First)?;
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            interrupt.request();
        });
        it.run(&name("shop.faults.FaultTest#hangs"), Stage::First)
    });
    assert!(
        matches!(result, Err(ConfirmError::Jvm(JvmError::Interrupted))),
        "{result:?}"
    );
    assert_eq!(outcomes(&events, "shop.faults.FaultTest#passes"), [Outcome::Passed]);
    assert!(outcomes(&events, "shop.faults.FaultTest#hangs").is_empty());
}
