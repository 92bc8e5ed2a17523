//! Scans a list of repositories: hands them to worker processes, and writes a record (scan result) of each as it comes.
//!
//! Invariants: every repository of the shard (the chosen part of the list) gets one record. A repository whose record
//! is already in the output is not scanned. Only a wrong list, worker program or output ends the command early.

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

/// How long a thread waits for the next repository of the list before it checks whether the command is about to end.
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

/// Counts of a scan of many repositories (`peeler scan --repos`), which are printed at its end.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// The number of repositories that got a new record in the output, with results or with an error.
    pub(crate) repositories: usize,
    /// The number of repositories whose new record says why they have no results, such as a crash.
    pub(crate) errors: usize,
    /// The number of repositories that were not scanned, because the output had their records before.
    pub(crate) skipped: usize,
    /// The number of findings in all new records.
    pub(crate) findings: u64,
}

/// The message of a scanning thread to the thread that writes the output: the outcome and the record (a line of JSON)
/// of one repository. An error ends the command.
type Message = anyhow::Result<(Outcome, Vec<u8>)>;

/// Scans the repositories of a list whose records are not yet in `output`, and adds their records to it.
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

/// The repositories of a list that belong to a shard (a part of the list). A thread reads the list a few lines ahead.
/// Nothing waits for the end of this thread, because standard input may stay open after an error.
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

/// The repositories of a list that are still to be scanned. All scanning threads share the queue.
struct Queue {
    entries: Mutex<Receiver<anyhow::Result<Entry>>>,
    known: Known,
    /// The number of repositories that were skipped because the output already has their records.
    skipped: AtomicUsize,
    /// Whether scanning threads should stop, because the command is about to end.
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

/// Scans repositories of the queue until it is empty, and sends the outcome and record of each to the writing thread.
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

/// Scans the repository `entry`, and returns its outcome and its record; `None` if the command is about to end.
/// `worker` is the worker process of the calling thread: started if there is none, and taken away if it must end.
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
