//! The worker's side of a fleet scan: a process that scans the repositories it is asked for.
//!
//! ```text
//! worker -> Origin                        once the model is loaded
//! command -> Entry                        a repository
//! worker -> Outcome, then the record      two lines
//! ```
//!
//! Every message is a line of JSON. Invariant: the worker ends when its standard input does, also in the middle of a
//! scan, so no worker outlives the command. A panic ends the worker too, after a record that says so.

use std::any::Any;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::{Arc, Mutex, mpsc};
use std::{panic, process, thread};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::list::Entry;
use super::memory;
use super::record::{Origin, Record, Run, Status};
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

/// Scans the repositories that standard input names and writes their records to standard output. If a scan panics, its
/// record says so, and the process ends.
pub(crate) fn run(scanner: &Scanner<'_>) -> anyhow::Result<()> {
    memory::volunteer_as_victim();
    let entries = entries();
    let scanned = answer_panics(scanner.origin.clone());
    send(&[&line(&scanner.origin)?])?;
    for entry in entries {
        *scanned.lock().expect("no holder panics") = Some(entry.clone());
        let record = scanner.record(&entry);
        *scanned.lock().expect("no holder panics") = None;
        send_record(&record)?;
    }
    Ok(())
}

/// From now on, a panic of any thread sends the record of the repository that is being scanned, and ends the process:
/// nothing is known about its state, and the command starts another worker. Returns the place of that repository, which
/// the caller keeps up to date.
fn answer_panics(origin: Origin) -> Arc<Mutex<Option<Entry>>> {
    let place = Arc::new(Mutex::new(None));
    let scanned = Arc::clone(&place);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        usual(panic);
        // Other threads that panic wait here until the process has ended.
        let mut scanned = scanned.lock().expect("no holder panics");
        if let Some(entry) = scanned.take() {
            let words = format!(
                "the scan panicked: {}; this is an error of Peeler, please report it",
                message(panic.payload())
            );
            let record = origin.record(&entry, Status::Crashed, Some(words), Run::default());
            // Without a command that reads it there is nobody to tell.
            let _ = send_record(&record);
        }
        process::exit(101);
    }));
    place
}

/// The message of a panic.
fn message(payload: &dyn Any) -> &str {
    let said = payload.downcast_ref::<String>().map(String::as_str);
    said.or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
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

fn send_record(record: &Record) -> anyhow::Result<()> {
    send(&[&line(&Outcome::of(record))?, &record.line()])
}

fn line(message: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

fn send(lines: &[&[u8]]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
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

    /// Set in the process that the test below starts as a worker.
    const IS_WORKER: &str = "PEELER_TEST_IS_WORKER";

    #[test]
    fn a_panic_is_a_record() {
        if std::env::var_os(IS_WORKER).is_some() {
            run(&broken_scanner()).unwrap();
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let test = "import org.junit.*; public class ATest { @Test public void t() { Assert.assertTrue(true); } }";
        std::fs::write(folder.path().join("ATest.java"), test).unwrap();
        let entry = Entry {
            name: "a".to_owned(),
            path: folder.path().display().to_string(),
            revision: None,
        };
        let mut worker = process::Command::new(std::env::current_exe().unwrap())
            .args(["fleet::worker::tests::a_panic_is_a_record", "--exact", "--nocapture"])
            .env(IS_WORKER, "1")
            .stdin(process::Stdio::piped())
            .stdout(process::Stdio::piped())
            .stderr(process::Stdio::null())
            .spawn()
            .unwrap();
        let mut asked = worker.stdin.take().unwrap();
        asked.write_all(&line(&entry).unwrap()).unwrap();
        let answer = worker.wait_with_output().unwrap();
        drop(asked);
        assert_eq!(answer.status.code(), Some(101));
        let answer = String::from_utf8(answer.stdout).unwrap();
        let record = answer.lines().last().unwrap();
        let record: serde_json::Value = serde_json::from_str(record).unwrap();
        assert_eq!(record["status"], "crashed");
        let error = record["error"].as_str().unwrap();
        assert!(
            error.contains("panicked: the model is broken; this is an error of Peeler"),
            "{error}"
        );
    }

    fn broken_scanner() -> Scanner<'static> {
        Scanner {
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
        }
    }
}
