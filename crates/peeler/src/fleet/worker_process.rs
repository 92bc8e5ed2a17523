//! The command's side of a worker: starts the process, asks it for records, and ends it at a limit.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::list::Entry;
use super::memory;
use super::record::Origin;
use super::worker::Outcome;

/// The option that starts the program as a worker, which scans repositories for a fleet scan.
pub(crate) const WORKER_OPTION: &str = "--fleet-worker";

/// The environment variable that sets the number of threads of a process. The library `rayon` reads it.
const THREADS: &str = "RAYON_NUM_THREADS";

/// The pause between two checks of the memory and time of a worker, if its memory is limited.
const MEMORY_POLL: Duration = Duration::from_millis(5);
/// The maximum pause between two checks of the time of a worker, if its memory is not limited.
const POLL: Duration = Duration::from_millis(50);

/// The time and memory that the scan of one repository may use.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// The maximum time from the request for a repository's record to its arrival; `None` for no limit.
    pub(crate) time: Option<Duration>,
    /// The maximum memory in bytes that the worker process may occupy; `None` for no limit.
    pub(crate) memory: Option<u64>,
}

/// The answer of a worker that was asked for the record of a repository, or the reason why there is none.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The worker sent a record: its outcome, and the record as a line of JSON.
    Record(Outcome, Vec<u8>),
    /// The worker ended, or sent something unreadable; the text says how it ended: "was ended by signal 9".
    Died(String),
    OverTime,
    OverMemory,
    /// The command is about to end, so it no longer waits for the record.
    Stopped,
}

/// A process that scans one repository after the other.
pub(crate) struct WorkerProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Vec<u8>>,
    /// The version, model and options that all records of the worker have in common.
    pub(crate) origin: Origin,
    /// The number of records that the worker was asked for so far.
    pub(crate) requests: usize,
}

impl WorkerProcess {
    /// Starts this program again as a worker, with the same arguments, and waits until its model is loaded.
    pub(crate) fn start() -> anyhow::Result<Self> {
        const FAILED: &str = "cannot start a worker of the fleet";
        let program = own_program().context(FAILED)?;
        let mut command = Command::new(program);
        command.args(env::args_os().skip(1)).arg(WORKER_OPTION);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        if env::var_os(THREADS).is_none() {
            // A job is one core, so that as many jobs as there are cores share the machine.
            command.env(THREADS, "1");
        }
        let mut child = command.spawn().context(FAILED)?;
        let input = child.stdin.take().context(FAILED)?;
        let output = child.stdout.take().context(FAILED)?;
        let (send, lines) = mpsc::sync_channel(2);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|it| it > 0) && line.ends_with(b"\n") {
                if send.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        let Ok(first) = lines.recv() else {
            let how = ended(child.wait().context(FAILED)?);
            bail!("{FAILED}: it {how} before its model was loaded; its message is above");
        };
        Ok(Self {
            child,
            input,
            lines,
            origin: serde_json::from_slice(&first).context(FAILED)?,
            requests: 0,
        })
    }

    /// Asks for the record of a repository. After any answer but a record the process must be dropped.
    pub(crate) fn ask(&mut self, entry: &Entry, limits: Limits, stop: &AtomicBool) -> Answer {
        self.requests += 1;
        let mut line = serde_json::to_vec(entry).expect("an entry is plain text");
        line.push(b'\n');
        if self.input.write_all(&line).and_then(|()| self.input.flush()).is_err() {
            return self.died();
        }
        let deadline = limits.time.map(|it| Instant::now() + it);
        let poll = if limits.memory.is_some() { MEMORY_POLL } else { POLL };
        let mut outcome = None;
        loop {
            let left = deadline.map_or(poll, |it| it.saturating_duration_since(Instant::now()));
            match self.lines.recv_timeout(left.min(poll)) {
                Ok(line) => match outcome.take() {
                    Some(outcome) => return Answer::Record(outcome, line),
                    None => match serde_json::from_slice(&line) {
                        Ok(read) => outcome = Some(read),
                        Err(_) => return self.died(),
                    },
                },
                Err(RecvTimeoutError::Disconnected) => return self.died(),
                Err(RecvTimeoutError::Timeout) => {
                    if stop.load(Ordering::Relaxed) {
                        return Answer::Stopped;
                    }
                    if deadline.is_some_and(|it| Instant::now() >= it) {
                        return Answer::OverTime;
                    }
                    let occupied = limits.memory.and_then(|_| memory::occupied(self.child.id()));
                    if occupied > limits.memory && limits.memory.is_some() {
                        return Answer::OverMemory;
                    }
                }
            }
        }
    }

    fn died(&mut self) -> Answer {
        let end = Instant::now() + Duration::from_secs(1);
        while Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(1));
        }
        // A worker that still runs, but no longer speaks, is of no use.
        let _ = self.child.kill();
        Answer::Died(self.child.wait().map_or_else(|error| error.to_string(), ended))
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The path of the running program. On Linux it leads to the same program even after an update replaced the file.
fn own_program() -> std::io::Result<std::path::PathBuf> {
    if cfg!(target_os = "linux") {
        Ok("/proc/self/exe".into())
    } else {
        env::current_exe()
    }
}

/// How a process ended, in words that follow "it": "ended with status 2".
fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return format!("was ended by signal {signal}");
        }
    }
    match status.code() {
        Some(code) => format!("ended with status {code}"),
        None => "ended".to_owned(),
    }
}
