//! The worker's side of a fleet scan: a process that scans the repositories it is asked for.
//!
//! ```text
//! worker -> Origin                        once the model is loaded
//! command -> Entry                        a repository
//! worker -> Outcome, then the record      two lines
//! ```
//!
//! Every message is a line of JSON. Invariant: the worker ends when its standard input does, also in the middle of a
//! scan, so no worker outlives the command.

use std::io::{self, BufRead, BufReader, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::{process, thread};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::list::Entry;
use super::memory;
use super::record::{Record, Run, Status};
use super::scanner::Scanner;

/// The fields of a record that `peeler scan --repos` counts. A worker sends them before the record, so that the record
/// need not be parsed.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// How the scan of the repository ended.
    pub(crate) status: Status,
    /// The number of findings of the repository.
    pub(crate) findings: u64,
}

impl Outcome {
    /// The status and the number of findings of a record.
    pub(crate) fn of(record: &Record) -> Self {
        Self {
            status: record.status,
            findings: record.counts.findings,
        }
    }
}

/// Scans the repositories that standard input names and writes their records to standard output. It returns after a
/// scan that panicked.
pub(crate) fn run(scanner: &Scanner<'_>) -> anyhow::Result<()> {
    memory::volunteer_as_victim();
    let entries = entries();
    let mut out = io::stdout().lock();
    send(&mut out, &[&line(&scanner.origin)?])?;
    for entry in entries {
        let record = record(scanner, &entry);
        let outcome = Outcome::of(&record);
        send(&mut out, &[&line(&outcome)?, &record.line()])?;
        if outcome.status == Status::Crashed {
            // After a panic nothing is known about the state of the process; the command starts another worker.
            break;
        }
    }
    Ok(())
}

/// The repositories that standard input names. When standard input ends, the process exits, even in the middle of a
/// scan.
fn entries() -> mpsc::IntoIter<Entry> {
    let (send, entries) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(io::stdin()).lines() {
            let entry = line.ok().and_then(|it| serde_json::from_str(&it).ok());
            if entry.is_none_or(|it| send.send(it).is_err()) {
                break;
            }
        }
        process::exit(0);
    });
    entries.into_iter()
}

/// Scans a repository and returns its record. If the scan panics, the record has the status `Crashed`.
fn record(scanner: &Scanner<'_>, entry: &Entry) -> Record {
    panic::catch_unwind(AssertUnwindSafe(|| scanner.record(entry))).unwrap_or_else(|payload| {
        let said = payload.downcast_ref::<String>().map(String::as_str);
        let said = said
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let words = format!("the scan panicked: {said}; this is an error of Peeler, please report it");
        scanner
            .origin
            .record(entry, Status::Crashed, Some(words), Run::default())
    })
}

fn line(message: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

fn send(out: &mut impl Write, lines: &[&[u8]]) -> anyhow::Result<()> {
    for line in lines {
        out.write_all(line)
            .context("the command that started this worker is gone")?;
    }
    out.flush().context("the command that started this worker is gone")
}

#[cfg(test)]
mod tests {
    use peeler_analysis::{AnalysedTests, FeatureSelection};
    use peeler_learning::track_record::TrackRecord;
    use peeler_model::BackendError;

    use super::super::record::Origin;
    use super::super::scanner::ScanOptions;
    use super::*;
    use crate::request::ScoreList;
    use crate::rule_selection::RuleChoices;
    use crate::scorer::{Basis, Score, Scorer};
    use crate::settings::Source;

    /// A model that panics.
    #[derive(Debug)]
    struct Broken;

    impl Scorer for Broken {
        fn name(&self) -> &'static str {
            "broken"
        }

        fn threshold(&self) -> f32 {
            0.5
        }

        fn track_record(&self) -> TrackRecord {
            TrackRecord::default()
        }

        fn reads(&self) -> FeatureSelection {
            FeatureSelection::EVERYTHING
        }

        fn basis(&self) -> Basis {
            Basis::Words
        }

        fn tests_at_once(&self) -> usize {
            1
        }

        fn scores(&self, _: &AnalysedTests<'_, '_>) -> Result<Vec<Score>, BackendError> {
            panic!("the model is broken")
        }
    }

    #[test]
    fn a_panic_is_a_record() {
        let scanner = Scanner {
            scorer: Box::new(Broken),
            options: ScanOptions {
                min_probability: None,
                top: None,
                scores: ScoreList::Nothing,
                rules: RuleChoices::default(),
                settings: Source::Nothing,
            },
            origin: Origin {
                version: "1".to_owned(),
                model: "broken".to_owned(),
                identity: String::new(),
                options: String::new(),
            },
        };
        let folder = tempfile::tempdir().unwrap();
        let test = "import org.junit.*; public class ATest { @Test public void t() { Assert.assertTrue(true); } }";
        std::fs::write(folder.path().join("ATest.java"), test).unwrap();
        let entry = Entry {
            name: "a".to_owned(),
            path: folder.path().display().to_string(),
            revision: None,
        };
        let record = record(&scanner, &entry);
        assert_eq!(record.status, Status::Crashed);
        let error = record.error.unwrap();
        assert!(
            error.contains("panicked: the model is broken; this is an error of Peeler"),
            "{error}"
        );
    }
}
