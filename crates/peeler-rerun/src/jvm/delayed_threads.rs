//! Gives the threads that tests start the lowest priority, so that they get few turns on busy processors.
//!
//! A test that does not wait for its threads properly then asserts too early. The thread of the test itself and those of
//! the JVM keep their priority.
//!
//! Left out: systems other than Linux, which do not list the threads of a process as files.

use std::collections::BTreeSet;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open, setpriority_process};

use super::process::marked;

/// How often new threads are looked for.
const PERIOD: Duration = Duration::from_millis(1);

/// How often new processes are looked for, which takes longer.
const PROCESSES_PERIOD: Duration = Duration::from_millis(500);

/// The lowest priority of a thread on Linux.
const LOWEST: i32 = 19;

/// The beginnings of the names of threads that a JVM and Peeler's test runner start themselves.
const KEPT: [&str; 18] = [
    "java",
    "main",
    "peeler-",
    "GC Thread",
    "G1 ",
    "VM ",
    "C1 ",
    "C2 ",
    "Reference Handl",
    "Finalizer",
    "Signal Dispatch",
    "Service Thread",
    "Monitor Deflati",
    "Notification Th",
    "Common-Cleaner",
    "Attach Listener",
    "Sweeper thread",
    "bwrap",
];

/// Lowers the priority of threads that tests start, until this value is dropped.
#[derive(Debug)]
pub(super) struct DelayedThreads {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl DelayedThreads {
    /// Delays the threads of the processes with this mark ([`super::process`]).
    pub(super) fn start(mark: &str) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let (ended, mark) = (Arc::clone(&over), mark.to_owned());
        let thread = std::thread::spawn(move || watch(&mark, &ended));
        Self {
            over,
            thread: Some(thread),
        }
    }
}

impl Drop for DelayedThreads {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(mark: &str, over: &AtomicBool) {
    let mut known = BTreeSet::new();
    let mut processes: Vec<WatchedProcess> = Vec::new();
    let mut looked: Option<Instant> = None;
    while !over.load(Ordering::Relaxed) {
        if looked.is_none_or(|it| it.elapsed() >= PROCESSES_PERIOD) {
            processes = marked(mark).into_iter().filter_map(WatchedProcess::open).collect();
            looked = Some(Instant::now());
        }
        processes.retain(WatchedProcess::is_running);
        for process in &processes {
            delay_new_threads(process.id, &mut known);
        }
        std::thread::sleep(PERIOD);
    }
}

/// A process whose end is noticed without a look into `/proc`: who reads there while a process is removed holds Linux up.
struct WatchedProcess {
    id: i32,
    handle: OwnedFd,
}

impl WatchedProcess {
    fn open(id: i32) -> Option<Self> {
        let handle = pidfd_open(Pid::from_raw(id)?, PidfdFlags::empty()).ok()?;
        Some(Self { id, handle })
    }

    fn is_running(&self) -> bool {
        // The handle of a process can be read from once it has ended.
        poll(
            &mut [PollFd::new(&self.handle, PollFlags::IN)],
            Some(&Timespec::default()),
        ) == Ok(0)
    }
}

/// Lowers the priority of the threads of a process that are not in `known`, and adds them to it.
fn delay_new_threads(process: i32, known: &mut BTreeSet<i32>) {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return;
    };
    for thread in threads.flatten() {
        let Some(id) = thread.file_name().to_str().and_then(|it| it.parse::<i32>().ok()) else {
            continue;
        };
        if !known.insert(id) {
            continue;
        }
        let name = std::fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
        if KEPT.iter().any(|it| name.starts_with(it)) {
            // A new thread has the name of its process until it gives itself its own.
            if name.starts_with("java") && id != process {
                known.remove(&id);
            }
            continue;
        }
        let _ = setpriority_process(Pid::from_raw(id), LOWEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_process_is_noticed() {
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .expect("it starts");
        let process = WatchedProcess::open(i32::try_from(child.id()).expect("an id")).expect("a handle");
        assert!(process.is_running());
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        assert!(!process.is_running());
    }

    #[test]
    fn new_threads_get_the_lowest_priority_and_those_of_the_jvm_keep_theirs() {
        let priority_of = |name: &str| {
            let builder = std::thread::Builder::new().name(name.to_owned());
            let thread = builder.spawn(|| {
                // The test looks for new threads itself here, in the place of the watching thread.
                let process = i32::try_from(std::process::id()).expect("an id");
                delay_new_threads(process, &mut BTreeSet::new());
                // Without an id, Linux tells the priority of the calling thread.
                rustix::process::getpriority_process(None).expect("a priority")
            });
            thread.expect("a thread").join().expect("it ends")
        };
        assert_ne!(priority_of("GC Thread#0"), LOWEST);
        assert_eq!(priority_of("worker"), LOWEST);
    }
}
