//! The announcement that a confirmation prints before it runs anything.

use std::fmt::Write as _;

use peeler_rerun::cannier::{ASSUMED_SECONDS, Plan, Prediction};
use peeler_rerun::confirm::Request;
use peeler_rerun::project::Build;

/// What will be run, and what it will probably cost.
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
        let left = |said: Prediction| plan.left_out.values().filter(|it| **it == said).count();
        let _ = writeln!(
            out,
            "skips {} tests below {}, which the model takes as stable, and {} at or above {}, which it takes as flaky",
            left(Prediction::Stable),
            thresholds.lower,
            left(Prediction::Flaky),
            thresholds.upper
        );
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
