//! Problems with source files that are reported beside the results of the analysis.

use std::fmt;

use serde::Serialize;

/// Something in a source file that could not be analysed as written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// The file with the problem, relative to the repository's root.
    pub file: String,
    /// The line of the problem, counted from one; `None` for a problem of the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What the problem is, as a message for the user.
    pub message: String,
}

impl Problem {
    /// A problem of a whole file, with a message for the user.
    pub(crate) fn file(file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            message: message.into(),
        }
    }

    /// A problem at a line of a file.
    pub(crate) fn line(file: &str, line: u32, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: Some(line),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}
