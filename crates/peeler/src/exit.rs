//! Exit statuses of the program, and the end of the program when the reader of its output is gone.

use std::io;
use std::process::{self, ExitCode};

/// The error message when standard output cannot be written.
pub(crate) const TO_STDOUT: &str = "cannot write to standard output";

/// The exit status of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// The exit status 0: the command succeeded. A scan or a rerun ends with it if it found no flaky test.
    Success,
    /// The exit status 1: a scan has findings, or reruns proved a test flaky.
    Findings,
    /// The exit status 2: the command failed.
    Failure,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Success => Self::SUCCESS,
            ExitStatus::Findings => Self::from(1),
            ExitStatus::Failure => Self::from(2),
        }
    }
}

/// Whether a command failed because the reader of its output is gone, as in `peeler extract . | head`.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|it| it.downcast_ref::<io::Error>())
        .any(|it| it.kind() == io::ErrorKind::BrokenPipe)
}

/// Ends the process with status 0 if `error` says that the reader of the output is gone, as with `| head`.
pub(crate) fn exit_if_closed(error: &io::Error) {
    if error.kind() == io::ErrorKind::BrokenPipe {
        process::exit(0);
    }
}
