//! The share of calls in tests that resolve to the same declaration as in javac.
//!
//! `cargo bench -p peeler-benches --bench resolution -- SOURCES ORACLE.tsv`
//!
//! `tests/oracle/CallOracle.java` writes the oracle file for the same sources.

use std::path::Path;

use anyhow::Context;
use peeler_analysis::{Analysis, Repository};
use peeler_benches::agreement::{Agreement, compare, read_oracle};

/// The number of disagreements that are shown.
const SHOWN: usize = 5;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1).filter(|it| !it.starts_with("--"));
    let (Some(sources), Some(oracle)) = (arguments.next(), arguments.next()) else {
        println!("skipped: give a folder with sources and the oracle's file for it");
        return Ok(());
    };
    let oracle = std::fs::read_to_string(&oracle).with_context(|| format!("cannot read {oracle}"))?;
    let repository = Repository::open(Path::new(&sources))?;
    let analysis = Analysis::new(&repository);
    let Agreement {
        right,
        wrong,
        unresolved,
    } = compare(&analysis.calls(), &read_oracle(&oracle));
    let all = right + wrong.len() + unresolved.len();
    #[allow(clippy::cast_precision_loss)]
    let share = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
    println!(
        "{sources}: {all} calls, right {right} ({:.2}%), wrong {} ({:.2}%), unresolved {} ({:.2}%)",
        share(right),
        wrong.len(),
        share(wrong.len()),
        unresolved.len(),
        share(unresolved.len())
    );
    for (kind, calls) in [("wrong", &wrong), ("unresolved", &unresolved)] {
        for call in calls.iter().take(SHOWN) {
            println!("  {kind}: {call}");
        }
    }
    Ok(())
}
