//! A report of `peeler confirm` as text for a terminal.
//!
//! Invariant: no text of a test controls the terminal; control characters are written as U+FFFD.

use std::io::{self, Write};

use super::content::Report;
use crate::verdict::Status;

/// Writes a report of `peeler confirm` as text: flaky and failing tests one by one, and the number of all other tests.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    // Replayed tests are listed below.
    let listed = if report.reproductions.is_empty() {
        &report.tests[..]
    } else {
        &[]
    };
    for entry in listed {
        let verdict = &entry.verdict;
        let word = match verdict.status {
            Status::Flaky => "FLAKY",
            Status::Failing => "FAILING",
            Status::Stable | Status::NotRun => continue,
        };
        writeln!(out, "{word} {}", printable(verdict.test.as_str()))?;
        writeln!(out, "  {}", printable(&entry.sentence))?;
        if let Some(stage) = verdict.shown_by {
            writeln!(out, "  shown by {}", stage.words())?;
        }
        if let Some(run) = &verdict.failure {
            let text = run.failure.as_deref().and_then(|it| it.lines().next());
            let text = text.map_or_else(|| run.outcome.words().to_owned(), printable);
            writeln!(out, "  first failure: {text}")?;
        }
        if let Some(note) = &verdict.note {
            writeln!(out, "  {}", printable(note))?;
        }
        if let Some(command) = entry.proof.as_ref().and_then(|it| it.command.as_deref()) {
            writeln!(out, "  see it again: {}", printable(command))?;
        }
        writeln!(out)?;
    }
    for reproduction in &report.reproductions {
        let name = printable(reproduction.test.as_str());
        writeln!(out, "REPLAYED {name}\n  {}\n", printable(&reproduction.sentence()))?;
    }
    let summary = &report.summary;
    writeln!(
        out,
        "{} flaky, {} failing every time, {} stable so far, {} not run",
        summary.flaky, summary.failing, summary.stable, summary.not_run
    )?;
    let cost = &report.cost;
    write!(
        out,
        "{} runs in {} JVMs took {}",
        cost.runs,
        cost.jvms,
        seconds(cost.milliseconds)
    )?;
    if report.reproductions.is_empty() {
        let expected = report.estimate.runs;
        write!(
            out,
            "; {} of them until outcomes changed, {expected:.0} were expected",
            cost.steered_runs
        )?;
        if report.thresholds.is_some() {
            write!(out, ", {:.0} without the model", report.plain.runs)?;
        }
    }
    writeln!(out)?;
    if let Some(stopped) = &report.stopped {
        writeln!(out, "not everything was done: {}", printable(stopped))?;
    }
    writeln!(out, "the evidence is in {}", printable(&report.log))
}

/// Milliseconds as seconds with one decimal.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:01} s", milliseconds / 1000, milliseconds % 1000 / 100)
}

/// A text with control characters replaced by U+FFFD.
fn printable(text: &str) -> String {
    text.chars()
        .map(|character| {
            if character.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                character
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{report, written};
    use super::*;

    #[test]
    fn what_failed_is_listed_with_its_reason_and_the_rest_is_counted() {
        let expected = "FLAKY a.B$C#flaky
  failed 1 of 2 runs; it changes under the same conditions
  shown by repetition in one JVM
  first failure: failed
  see it again: peeler confirm . --replay log.jsonl --test 'a.B$C#flaky'

FAILING a.B#failing
  failed 3 of 3 runs: no proof that it is flaky
  first failure: failed

1 flaky, 1 failing every time, 1 stable so far, 1 not run
8 runs in 1 JVMs took 0.0 s; 8 of them until outcomes changed, 8 were expected, 11 without the model
the evidence is in log.jsonl
";
        assert_eq!(written(write, &report()), expected);
    }

    #[test]
    fn a_failure_text_cannot_steer_the_terminal() {
        let mut report = report();
        let failure = report.tests[0].verdict.failure.as_mut().expect("a failure");
        failure.failure = Some("\u{1b}[2Jgone\nsecond line".to_owned());
        let text = written(write, &report);
        assert!(text.contains("first failure: \u{fffd}[2Jgone\n"), "{text}");
        assert!(!text.contains("second line"));
    }
}
