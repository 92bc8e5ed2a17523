//! Hands the repositories of a list to workers and writes their records as they come.
//!
//! Invariants: every entry of the shard gets one record. An entry that the output already holds is not scanned. Only a
//! wrong list, worker program or output ends the command early.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::list::{Entry, List};
use super::output::{Known, Output};
use super::record::{Run, Status};
use super::shard::Shard;
use super::worker::Outcome;
use super::worker_process::{Answer, Limits, WorkerProcess};

/// The pause between two looks at whether the command is about to end.
const POLL: Duration = Duration::from_millis(50);

/// The settings of a scan of many repositories: which of them, how many at a time, and what each may use.
pub(crate) struct Plan {
    /// The part of the list of repositories that is scanned.
    pub(crate) shard: Shard,
    /// The number of repositories that are scanned at a time.
    pub(crate) jobs: usize,
    /// The time and memory that the scan of one repository may use.
    pub(crate) limits: Limits,
}

/// The counts of a fleet scan.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Repositories with a new record.
    pub(crate) repositories: usize,
    /// Repositories whose record says what went wrong.
    pub(crate) errors: usize,
    /// Repositories that the output held before.
    pub(crate) skipped: usize,
    /// Findings in new records.
    pub(crate) findings: u64,
}

/// The message of a scanning thread to the thread that writes the output: the outcome and the record of one repository.
/// An error ends the command.
type Message = anyhow::Result<(Outcome, Vec<u8>)>;

/// Scans the repositories of a list that the output does not hold yet.
pub(crate) fn run(plan: &Plan, list: List, output: &mut Output) -> anyhow::Result<Totals> {
    let queue = Queue {
        entries: Mutex::new(read(list, plan.shard)),
        known: output.take_known(),
        skipped: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
    };
    let mut totals = Totals::default();
    thread::scope(|scope| {
        let (send, records) = mpsc::sync_channel(plan.jobs);
        for _ in 0..plan.jobs {
            let (send, queue) = (send.clone(), &queue);
            scope.spawn(move || {
                if let Err(error) = work(queue, plan.limits, &send) {
                    // Without a writer nobody needs the error.
                    let _ = send.send(Err(error));
                }
            });
        }
        drop(send);
        let written = records.into_iter().try_for_each(|message: Message| {
            let (outcome, line) = message?;
            totals.repositories += 1;
            totals.errors += usize::from(outcome.status.is_error());
            totals.findings += outcome.findings;
            output.add(&line)
        });
        queue.stop.store(true, Ordering::Relaxed);
        written
    })?;
    totals.skipped = queue.skipped.into_inner();
    Ok(totals)
}

/// The entries of a list that belong to a shard. A thread reads the list a few lines ahead. Nothing waits for the end
/// of this thread, because the input may stay open after an error.
fn read(mut list: List, shard: Shard) -> Receiver<anyhow::Result<Entry>> {
    let (send, entries) = mpsc::sync_channel(1);
    thread::spawn(move || {
        while let Some(entry) = list.read().transpose() {
            let is_last = entry.is_err();
            let is_taken = entry.as_ref().map_or(true, |it| shard.takes(&it.name));
            if is_taken && send.send(entry).is_err() || is_last {
                break;
            }
        }
    });
    entries
}

/// The entries that are still to be scanned.
struct Queue {
    entries: Mutex<Receiver<anyhow::Result<Entry>>>,
    known: Known,
    /// The number of entries that were skipped because the output holds them.
    skipped: AtomicUsize,
    /// Whether the command is about to end.
    stop: AtomicBool,
}

impl Queue {
    fn next(&self) -> anyhow::Result<Option<Entry>> {
        let Ok(entries) = self.entries.lock() else {
            return Ok(None);
        };
        while !self.stop.load(Ordering::Relaxed) {
            let entry = match entries.recv_timeout(POLL) {
                Ok(entry) => entry?,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            };
            if !self.known.holds(&entry)? {
                return Ok(Some(entry));
            }
            self.skipped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(None)
    }
}

/// Scans entries of the queue until it is empty.
fn work(queue: &Queue, limits: Limits, send: &SyncSender<Message>) -> anyhow::Result<()> {
    let mut worker = None;
    while let Some(entry) = queue.next()? {
        let Some(message) = scanned(&mut worker, &entry, limits, &queue.stop)? else {
            break;
        };
        if send.send(Ok(message)).is_err() {
            break;
        }
    }
    Ok(())
}

/// The outcome and the record of one entry; `None` if the command is about to end. `worker` is the worker process of
/// the calling thread: started if there is none, and taken away if it must end.
fn scanned(
    worker: &mut Option<WorkerProcess>,
    entry: &Entry,
    limits: Limits,
    stop: &AtomicBool,
) -> anyhow::Result<Option<(Outcome, Vec<u8>)>> {
    loop {
        let mut asked = match worker.take() {
            Some(worker) => worker,
            None => WorkerProcess::start()?,
        };
        let started = Instant::now();
        let (status, words) = match asked.ask(entry, limits, stop) {
            Answer::Record(outcome, line) if outcome.status != Status::Crashed => {
                *worker = Some(asked);
                return Ok(Some((outcome, line)));
            }
            Answer::Record(outcome, line) if asked.requests == 1 => return Ok(Some((outcome, line))),
            Answer::Stopped => return Ok(None),
            // What earlier repositories left behind must not decide: a new worker has the last word.
            Answer::Record(..) | Answer::Died(_) | Answer::OverMemory if asked.requests > 1 => continue,
            Answer::Record(outcome, line) => return Ok(Some((outcome, line))),
            Answer::Died(how) => (
                Status::Crashed,
                format!(
                    "the process that scanned it {how}; was there enough memory? scan it alone to see its messages"
                ),
            ),
            Answer::OverMemory => (
                Status::OverMemory,
                "it needs more than the memory limit; raise --memory-limit or leave it out".to_owned(),
            ),
            Answer::OverTime => (
                Status::OverTime,
                "it takes longer than the time limit; raise --time-limit or leave it out".to_owned(),
            ),
        };
        let run = Run {
            seconds: started.elapsed().as_secs_f64(),
            peak_memory: None,
        };
        let record = asked.origin.record(entry, status, Some(words), run);
        return Ok(Some((Outcome::of(&record), record.line())));
    }
}
