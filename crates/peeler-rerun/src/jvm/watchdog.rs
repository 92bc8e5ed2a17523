//! The watchdog: a process that kills what Peeler has started if Peeler itself is killed.
//!
//! A program that gets the signal KILL cannot end its JVMs, compilers and builds. The watchdog is a small shell script
//! that reads from a pipe. The pipe ends when Peeler does. The script then kills all processes whose environment has
//! Peeler's mark, a variable.
//!
//! A process that is just being started has no mark yet, but holds the pipe open until it has one. So the script misses
//! none.
//!
//! Left out: systems other than Linux, where marks cannot be found. JVMs that run tests also end there, because they
//! read from a pipe themselves.

use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;

const SCRIPT: &str = include_str!("watchdog.sh");

/// Starts the watchdog, a process that kills what Peeler has started if Peeler itself is killed.
///
/// Nothing happens if it is running, there is no shell, or the system is not Linux. The processes to kill have the
/// environment variable `variable`, whose value begins with Peeler's process id and a dash.
pub(super) fn start(variable: &str) {
    // The pipe is never closed: it ends with the program.
    static PIPE: OnceLock<Option<ChildStdin>> = OnceLock::new();
    PIPE.get_or_init(|| {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "peeler-watchdog"]);
        command.arg(format!("{variable}={}-", std::process::id()));
        command.current_dir("/").env_remove(variable);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // A signal to the group of the program, as from a terminal, must not end the watchdog.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().ok()?.stdin.take()
    });
}
