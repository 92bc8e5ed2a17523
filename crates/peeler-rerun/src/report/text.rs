//! A report of `peeler confirm` as text for a terminal.
//!
//! Invariant: no text of a test controls the terminal; control characters are written as U+FFFD.

use std::io::{self, Write};

use super::content::{Price, Report};
use crate::bisect::{Bisection, Suspect};
use crate::verdict::Status;

/// Writes a report of `peeler confirm` as text: flaky and failing tests one by one, and the number of all other tests.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if let Some(bisection) = &report.bisection {
        return write_bisection(bisection, &report.cost, out);
    }
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
        if !verdict.kinds.is_empty() {
            let kinds: Vec<&str> = verdict.kinds.iter().map(|it| it.words()).collect();
            writeln!(out, "  kind: {}", kinds.join(" and "))?;
        }
        if let Some(place) = verdict.culprit_words() {
            writeln!(out, "  {}", printable(&place))?;
        }
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

/// The number of files of a commit that the text names.
const MOST_FILES: usize = 10;

fn write_bisection(bisection: &Bisection, cost: &Price, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "BISECTED {}", printable(bisection.test.as_str()))?;
    writeln!(out, "  the failure: {}", printable(&bisection.failing.words()))?;
    let suspects = &bisection.suspects;
    match (suspects.as_slice(), &bisection.stopped) {
        ([_], _) => writeln!(out, "  the first bad commit:")?,
        (_, Some(stopped)) => writeln!(out, "  {stopped}; the first bad commit is one of {}:", suspects.len())?,
        (_, None) => writeln!(
            out,
            "  skipped commits hide the first bad commit; it is one of {}:",
            suspects.len()
        )?,
    }
    for suspect in suspects {
        write_suspect(suspect, out)?;
    }
    for note in &bisection.notes {
        writeln!(out, "  note: {}", printable(note))?;
    }
    writeln!(
        out,
        "\n{} commits checked; {} runs in {} JVMs took {}",
        bisection.steps.len(),
        cost.runs,
        cost.jvms,
        seconds(cost.milliseconds)
    )
}

fn write_suspect(suspect: &Suspect, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {}", printable(&suspect.commit.line()))?;
    let (files, what) = match &suspect.loaded_files {
        None => (&suspect.files, "changes"),
        Some(loaded) if loaded.is_empty() => (&suspect.files, "changes, none of them loaded by the test"),
        Some(loaded) => (loaded, "changes, and the test loads"),
    };
    if files.is_empty() {
        return writeln!(out, "    changes no file");
    }
    let named: Vec<String> = files.iter().take(MOST_FILES).map(|it| printable(it)).collect();
    write!(out, "    {what}: {}", named.join(", "))?;
    match files.len().saturating_sub(MOST_FILES) {
        0 => writeln!(out),
        more => writeln!(out, " and {more} more"),
    }
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
    use crate::bisect::Commit;
    use crate::perturbation::Perturbation;
    use crate::replay::Recipe;

    #[test]
    fn what_failed_is_listed_with_its_reason_and_the_rest_is_counted() {
        let expected = "FLAKY a.B$C#flaky
  failed 1 of 2 runs; it changes under the same conditions
  kind: random
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
    fn a_bisection_names_its_commits_and_the_files_that_the_test_loads() {
        let suspect = |digit: &str, loaded: &[&str]| Suspect {
            commit: Commit {
                id: digit.repeat(40),
                date: "2024-05-31".to_owned(),
                author: "Ada".to_owned(),
                subject: "Cache prices".to_owned(),
                parents: Vec::new(),
            },
            files: (0..12).map(|it| format!("F{it}.java")).collect(),
            loaded_files: Some(loaded.iter().map(|it| (*it).to_owned()).collect()),
        };
        let mut report = report();
        report.bisection = Some(Bisection {
            test: "a.B#t".parse().expect("a test"),
            failing: Recipe {
                lead: vec!["a.C#polluter".parse().expect("a test")],
                perturbation: Perturbation::None,
            },
            attempts: 5,
            steps: Vec::new(),
            suspects: vec![suspect("1", &["F0.java"])],
            stopped: None,
            notes: vec!["luck".to_owned()],
        });
        let one = "BISECTED a.B#t
  the failure: behind a.C#polluter
  the first bad commit:
  1111111111 2024-05-31 Ada: Cache prices
    changes, and the test loads: F0.java
  note: luck

0 commits checked; 8 runs in 1 JVMs took 0.0 s
";
        assert_eq!(written(write, &report), one);
        let bisection = report.bisection.as_mut().expect("a bisection");
        bisection.suspects.push(suspect("2", &[]));
        let two = written(write, &report);
        assert!(
            two.contains("skipped commits hide the first bad commit; it is one of 2:"),
            "{two}"
        );
        assert!(two.contains("none of them loaded by the test: F0.java, "), "{two}");
        assert!(two.contains("F9.java and 2 more\n"), "{two}");
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
