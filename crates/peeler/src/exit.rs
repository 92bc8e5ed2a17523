//! Exit statuses, and output to a closed pipe.

use std::io;
use std::process::{self, ExitCode};

/// What could not be done when writing to standard output failed.
pub(crate) const TO_STDOUT: &str = "cannot write to standard output";

/// The exit status of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// The exit status 0: nothing was found.
    Success,
    /// The exit status 1: something was found.
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

/// Ends the process successfully if the reader of its output is gone.
pub(crate) fn exit_if_closed(error: &io::Error) {
    if error.kind() == io::ErrorKind::BrokenPipe {
        process::exit(0);
    }
}
