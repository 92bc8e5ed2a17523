//! The announcement that `peeler confirm` prints before it runs anything.

use std::fmt::Write as _;

use peeler_learning::cannier::Decision;
use peeler_rerun::confirm::Request;
use peeler_rerun::plan::{ASSUMED_SECONDS, Plan};
use peeler_rerun::project::Build;

/// A text that says which tests will be run, how often, and what that will probably cost.
pub(super) fn announcement(build: &Build, plan: &Plan, grounds: Option<&str>, request: &Request) -> String {
    let mut out = String::new();
    for command in build.commands() {
        let _ = writeln!(out, "builds with: {command}");
    }
    let _ = writeln!(
        out,
        "runs {} tests up to {} times each, until the outcome changes",
        plan.run.len(),
        plan.most_runs
    );
    if let Some(thresholds) = plan.thresholds {
        let count = |decision: Decision| plan.left_out.values().filter(|it| **it == decision).count();
        let (stable, lower) = (count(Decision::Stable), thresholds.lower);
        let _ = write!(
            out,
            "skips {stable} tests below {lower}, which the model takes as stable"
        );
        if let Some(upper) = thresholds.upper {
            let flaky = count(Decision::Flaky);
            let _ = write!(out, ", and {flaky} at or above {upper}, which it takes as flaky");
        }
        let _ = writeln!(out);
    }
    if let Some(grounds) = grounds {
        let _ = writeln!(out, "thresholds: {grounds}");
    }
    let _ = write!(out, "expects {:.0} runs", plan.estimate.runs);
    if plan.estimate.assumed_times == 0 {
        let _ = write!(out, " taking {:.1} s", plan.estimate.seconds);
    } else {
        let _ = write!(
            out,
            " taking about {:.1} s, assuming {ASSUMED_SECONDS} s for each of {} tests that never ran",
            plan.estimate.seconds, plan.estimate.assumed_times
        );
    }
    if plan.thresholds.is_some() {
        let _ = write!(out, "; {:.0} runs without the model", plan.plain.runs);
    }
    let _ = writeln!(out);
    let counts = &request.counts;
    let _ = writeln!(
        out,
        "reruns a failing test {} times immediately, {} times at the end, {} times in new JVMs",
        counts.immediate, counts.end, counts.new
    );
    if let Some(changes) = &request.changes {
        let _ = writeln!(
            out,
            "compares the classes that failing tests load with {} classes changed since {}",
            changes.classes.len(),
            changes.since
        );
    }
    if let Some(orders) = &request.orders {
        let _ = writeln!(
            out,
            "shuffles all {} tests {} times: {} more runs; runs a test that fails in one order after up to {} others",
            request.suite.len(),
            orders.seeds.len(),
            request.suite.len() * orders.seeds.len(),
            orders.most_pairs
        );
    }
    for condition in &request.conditions {
        let _ = writeln!(
            out,
            "runs every undecided test {} times with {}",
            request.perturbed_runs,
            condition.words()
        );
    }
    out
}
