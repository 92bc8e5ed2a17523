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

/// What the command must know about a record without reading it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// How the scan of the repository ended.
    pub(crate) status: Status,
    /// The number of findings.
    pub(crate) findings: u64,
}

impl Outcome {
    /// The outcome that a record tells.
    pub(crate) fn of(record: &Record) -> Self {
        Self {
            status: record.status,
            findings: record.counts.findings,
        }
    }
}

/// Scans the repositories that standard input names, until it ends.
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

/// The repositories that standard input names. Its end ends the process.
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

/// The record of a repository, also if the scan panics.
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
