//! The announcement that `peeler confirm` prints before it runs anything.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use peeler_features::TestName;
use peeler_learning::cannier::Decision;
use peeler_rerun::confirm::Request;
use peeler_rerun::plan::{ASSUMED_SECONDS, Plan};
use peeler_rerun::repeat::RepeatUntil;
use peeler_rerun::steering::Steering;

/// The line of the announcement about the sandbox.
pub(super) const SANDBOXED: &str = "test JVMs have no network but loopback, and a home and a temporary folder of their \
                                    own; --sandbox off changes that";

/// A text that says which tests will be run, how often, and what that will probably cost.
pub(super) fn announcement(commands: &[String], plan: &Plan, grounds: Option<&str>, request: &Request) -> String {
    let mut out = String::new();
    for command in commands {
        let _ = writeln!(out, "builds with: {command}");
    }
    if let Some(steering) = &request.steering {
        steered(&mut out, plan, request, steering);
        return out;
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
    price(&mut out, plan);
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
    for condition in &request.conditions.perturbations {
        let times = match request.conditions.runs_with(condition) {
            1 => "once".to_owned(),
            runs => format!("{runs} times"),
        };
        let which = match request.conditions.until {
            RepeatUntil::OutcomeChanges => "every undecided test",
            RepeatUntil::AllRunsMade => "every test",
        };
        let _ = writeln!(out, "runs {which} {times} with {}", condition.words());
    }
    out
}

fn price(out: &mut String, plan: &Plan) {
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
}

/// Adds what a steered plan does: how many tests run under each change of the environment, and the price.
fn steered(out: &mut String, plan: &Plan, request: &Request, steering: &Steering) {
    let all = steering.ranking.len();
    let _ = writeln!(
        out,
        "runs the {} likeliest of {all} tests, each under the changes that fit its rule:",
        plan.run.len()
    );
    let wanted: BTreeSet<&TestName> = plan.run.iter().collect();
    let repeated = steering.repeated().intersection(&wanted).count();
    if repeated > 0 {
        let _ = writeln!(out, "  {repeated} up to {} times unchanged", request.most_runs);
    }
    let pairs = steering.pairs_of(&plan.run).len();
    if pairs > 0 {
        let _ = writeln!(out, "  {pairs} suspected pairs, each in a new JVM");
    }
    for condition in &request.conditions.perturbations {
        let fitting = plan.run.iter().filter(|it| steering.fits(it, condition)).count();
        if fitting > 0 {
            let _ = writeln!(out, "  {fitting} with {}", condition.words());
        }
    }
    for sweep in &request.sweeps {
        let mut conditions = request.conditions.perturbations.iter();
        if let Some(condition) = conditions.find(|it| it.kind() == Some(sweep.kind)) {
            let _ = writeln!(out, "then {} tests once with {}", sweep.tests.len(), condition.words());
        }
    }
    price(out, plan);
    let _ = writeln!(
        out,
        "; everything for every test would take {:.0} runs and {:.1} s",
        plan.plain.runs, plan.plain.seconds
    );
}
