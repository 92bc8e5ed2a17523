//! Processes that end together with everything they started.
//!
//! A test may start processes, and these may start more. On Unix every process that Peeler starts leads a process
//! group, which its descendants belong to, so killing the group kills them all. A descendant that left the group (a
//! daemon, a `setsid`) still has the environment variable [`MARK`], by which Peeler finds it on Linux.
//!
//! Invariant: no process of a dropped [`ProcessTree`] is alive; on Linux, this also holds after Peeler itself was
//! killed. Only a process that leaves the group and also empties its environment can escape.

use std::io::{Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{JvmError, watchdog};

/// The environment variable by which Peeler recognises every descendant of a process that it started.
pub const MARK: &str = "PEELER_RUN";

/// The number of bytes at the end of a process's output that are kept.
const KEPT_OUTPUT: usize = 8 * 1024;

/// A flag that asks `peeler confirm` to stop. The handler of signals sets it.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks `peeler confirm` to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether `peeler confirm` was asked to stop.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error if `peeler confirm` was asked to stop.
    ///
    /// # Errors
    ///
    /// [`JvmError::Interrupted`].
    pub fn check(&self) -> Result<(), JvmError> {
        if self.is_requested() {
            Err(JvmError::Interrupted)
        } else {
            Ok(())
        }
    }
}

/// A process that Peeler started and all its descendants, which are killed when this value is dropped.
#[derive(Debug)]
pub struct ProcessTree {
    child: Child,
    mark: String,
    output: Arc<Mutex<OutputTail>>,
    is_over: bool,
}

impl ProcessTree {
    /// Starts a command as the root of a process tree. The last 8 KiB of its output are kept.
    ///
    /// # Errors
    ///
    /// When the program cannot be started.
    pub fn start(command: Command, input: Stdio) -> Result<Self, JvmError> {
        Self::start_to(command, input, Stdio::piped())
    }

    /// Starts a command as the root of a process tree. Standard output goes to `stdout`, and is kept if that is a pipe.
    fn start_to(mut command: Command, input: Stdio, stdout: Stdio) -> Result<Self, JvmError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        watchdog::start(MARK);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{number}", std::process::id());
        command.env(MARK, &mark).stdin(input);
        command.stdout(stdout).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|source| JvmError::CannotStart {
            program: command.get_program().into(),
            source,
        })?;
        let output = Arc::new(Mutex::new(OutputTail::default()));
        if let Some(stream) = child.stdout.take() {
            drain(stream, Arc::clone(&output));
        }
        if let Some(stream) = child.stderr.take() {
            drain(stream, Arc::clone(&output));
        }
        Ok(Self {
            child,
            mark,
            output,
            is_over: false,
        })
    }

    /// The root process of the process tree.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The id of the tree's root process, which is also the id of its process group.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The value of the environment variable that marks the processes of the tree.
    #[must_use]
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// The exit status of the tree's root process, if it has ended.
    #[must_use]
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// The end of what the processes of the tree wrote to standard output and standard error.
    #[must_use]
    pub fn output(&self) -> String {
        let tail = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        plain(&String::from_utf8_lossy(&tail.0)).trim().to_owned()
    }

    /// Whether Peeler finds a process by the mark of this tree. Such a process can leave the group and is still killed.
    #[cfg(target_os = "linux")]
    pub(super) fn finds(&self, process: i32) -> bool {
        marked(&self.mark).contains(&process)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn finds(&self, _process: i32) -> bool {
        false
    }

    /// Kills every process of the process tree that is still alive.
    pub fn kill(&mut self) {
        if self.is_over {
            return;
        }
        self.is_over = true;
        kill_group(self.child.id());
        let _ = self.child.kill();
        // The group is killed before its leader is waited for, because its id cannot be reused until then.
        let _ = self.child.wait();
        kill_marked(&self.mark);
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs a command to its end, and returns its exit status and the end of its output.
///
/// # Errors
///
/// When the command cannot be started, or the user interrupts.
pub fn complete(command: Command, interrupt: &Interrupt) -> Result<(ExitStatus, String), JvmError> {
    let mut family = ProcessTree::start(command, Stdio::null())?;
    let status = end(&mut family, interrupt)?;
    Ok((status, settled_output(&family)))
}

/// A command that has ended: its exit status, all of its standard output, and the end of its standard error.
#[derive(Debug)]
pub struct Completed {
    /// The exit status of the command.
    pub status: ExitStatus,
    /// All bytes that the command wrote to standard output.
    pub stdout: Vec<u8>,
    /// The end of what the command wrote to standard error.
    pub stderr: String,
}

/// Runs a command to its end, and keeps all of its standard output.
///
/// # Errors
///
/// When the command cannot be started, its output cannot be stored in a temporary file, or the user interrupts.
pub fn complete_with_output(command: Command, interrupt: &Interrupt) -> Result<Completed, JvmError> {
    let io = |source| JvmError::Io {
        path: std::env::temp_dir(),
        source,
    };
    // A file takes any amount of output without a reader, and outlives no process.
    let mut file = tempfile::tempfile().map_err(io)?;
    let stdout = file.try_clone().map_err(io)?;
    let mut family = ProcessTree::start_to(command, Stdio::null(), stdout.into())?;
    let status = end(&mut family, interrupt)?;
    let mut stdout = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut stdout)).map_err(io)?;
    Ok(Completed {
        status,
        stdout,
        stderr: settled_output(&family),
    })
}

/// Waits for the end of a tree's root process, unless the user interrupts.
fn end(family: &mut ProcessTree, interrupt: &Interrupt) -> Result<ExitStatus, JvmError> {
    loop {
        if let Some(status) = family.ended() {
            return Ok(status);
        }
        interrupt.check()?;
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The end of the output of a process that has ended.
///
/// Waits at most half a second for the threads that read the output.
pub(super) fn settled_output(family: &ProcessTree) -> String {
    let until = Instant::now() + Duration::from_millis(500);
    // Both threads hold a reference until their stream ends. A descendant may keep a stream open for ever.
    while Arc::strong_count(&family.output) > 1 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(2));
    }
    family.output()
}

/// How a process ended, as a phrase: `exit status 1` or `killed by signal 9`.
#[must_use]
pub fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exit status {code}"),
        None => "no exit status".to_owned(),
    }
}

/// The text without what could control a terminal: colours are dropped, other control characters become U+FFFD.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' if characters.peek() == Some(&'[') => {
                characters.next();
                // Parameters and intermediates end with the first letter.
                while characters.next_if(|it| ('\u{20}'..='\u{3f}').contains(it)).is_some() {}
                characters.next_if(|it| ('\u{40}'..='\u{7e}').contains(it));
            }
            '\n' | '\t' => out.push(character),
            '\r' => {}
            _ if character.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(character),
        }
    }
    out
}

#[derive(Debug, Default)]
struct OutputTail(Vec<u8>);

fn drain(mut stream: impl Read + Send + 'static, tail: Arc<Mutex<OutputTail>>) {
    std::thread::spawn(move || {
        let mut buffer = [0; 8 * 1024];
        while let Ok(read) = stream.read(&mut buffer) {
            if read == 0 {
                break;
            }
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            tail.0.extend_from_slice(&buffer[..read]);
            let excess = tail.0.len().saturating_sub(KEPT_OUTPUT);
            tail.0.drain(..excess);
        }
    });
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // An error means that the group has no processes left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_leader: u32) {}

/// Kills the processes whose environment variable [`MARK`] has the value `mark`.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) {
    use rustix::process::{Pid, Signal, kill_process};
    // A process may have started another one in the meantime, so the search is repeated until none is left.
    for _ in 0..20 {
        let marked = marked(mark);
        if marked.is_empty() {
            return;
        }
        for process in marked {
            if let Some(process) = Pid::from_raw(process) {
                let _ = kill_process(process, Signal::KILL);
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_mark: &str) {}

/// The ids of the living processes whose environment variable [`MARK`] has the value `mark`.
#[cfg(target_os = "linux")]
#[must_use]
pub fn marked(mark: &str) -> Vec<i32> {
    let wanted = format!("{MARK}={mark}");
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|process| {
            // A zombie process has an empty environment.
            std::fs::read(format!("/proc/{process}/environ"))
                .is_ok_and(|it| it.split(|&byte| byte == 0).any(|entry| entry == wanted.as_bytes()))
        })
        .collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn until(mut condition: impl FnMut() -> bool) {
        let end = Instant::now() + Duration::from_secs(10);
        while !condition() {
            assert!(Instant::now() < end, "it never came true");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn children_and_those_that_left_the_group_die_with_the_family() {
        let script = "sleep 1000 & setsid sleep 1000 & wait";
        let mut family = ProcessTree::start(shell(script), Stdio::null()).expect("it starts");
        let mark = family.mark.clone();
        // These are the shell, its child, and a process in a session of its own.
        until(|| marked(&mark).len() == 3);
        family.kill();
        assert_eq!(marked(&mark), [0_i32; 0]);
    }

    #[test]
    fn a_family_whose_head_is_gone_is_ended_too() {
        let mut family = ProcessTree::start(shell("sleep 1000 & exit 3"), Stdio::null()).expect("it starts");
        let mark = family.mark.clone();
        until(|| family.ended().is_some());
        until(|| marked(&mark).len() == 1);
        drop(family);
        assert_eq!(marked(&mark), [0_i32; 0]);
    }

    #[test]
    fn a_flood_is_drained_and_its_end_is_kept() {
        let script = "yes flood | head -c 3000000; echo last words";
        let (status, output) = complete(shell(script), &Interrupt::default()).expect("it runs");
        assert!(status.success());
        assert!(output.ends_with("last words"), "{output}");
        assert!(output.len() <= KEPT_OUTPUT);
    }

    #[test]
    fn all_of_the_standard_output_can_be_kept() {
        let script = "yes flood | head -c 3000000; echo trouble >&2; exit 3";
        let ended = complete_with_output(shell(script), &Interrupt::default()).expect("it runs");
        assert_eq!((ended.stdout.len(), ended.stderr.as_str()), (3_000_000, "trouble"));
        assert_eq!(ended.status.code(), Some(3));
    }

    #[test]
    fn colours_are_dropped_and_nothing_steers_the_terminal() {
        assert_eq!(
            plain("\u{1b}[0m\u{1b}[1;31mERROR\u{1b}[m\r\n\tat\u{7}\u{1b}]0;title"),
            "ERROR\n\tat\u{fffd}\u{fffd}]0;title"
        );
    }

    #[test]
    fn an_interrupt_ends_a_command() {
        let interrupt = Interrupt::default();
        interrupt.request();
        let error = complete(shell("sleep 1000"), &interrupt).expect_err("it is interrupted");
        assert!(matches!(error, JvmError::Interrupted));
    }
}
