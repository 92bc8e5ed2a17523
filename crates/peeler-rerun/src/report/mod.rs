//! Reports of `peeler confirm`: the content and its formats.

mod content;
mod junit;
mod labels;
mod outcomes;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
mod text;

use std::io::{self, Write};

pub use content::{Price, Report, TestEntry, VerdictCounts};
pub use labels::write_labels;
pub use outcomes::{COLUMNS, ProjectName, write_outcomes};

impl Report {
    /// Writes the report as text for a terminal.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        text::write(self, out)
    }

    /// Writes the report as JSON.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes the report as JUnit XML for build servers.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    pub fn write_junit(&self, out: &mut dyn Write) -> io::Result<()> {
        junit::write(self, out)
    }
}
