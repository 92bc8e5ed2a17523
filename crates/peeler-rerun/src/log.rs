//! The log of evidence: a file of JSON lines that only grows.
//!
//! Invariant: an event is on its way to the disk before the next run begins, so a confirmation that is killed loses at
//! most the run that was under way. A last line without an end is what such a death leaves; it is cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::evidence::{Event, FORMAT};
use crate::invocation::Invocation;

/// Why a log could not be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("cannot use the log {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A line is no event.
    #[error("{path} is no log of evidence: line {line}: {reason}")]
    NotALog {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The log belongs to other code.
    #[error(
        "{path} holds outcomes of other code than what would run now, and the two must not be mixed; begin again with \
         --fresh, or choose another --log"
    )]
    OtherCode {
        /// The file.
        path: PathBuf,
    },
}

/// An open log.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    events: Vec<Event>,
}

impl Log {
    /// Opens a log to go on with it, or begins one. `code` is the fingerprint of what will run, `invocation` how that was
    /// asked for.
    ///
    /// # Errors
    ///
    /// When the file is no log, or the log of other code.
    pub fn resume(path: &Path, code: &str, invocation: Option<&Invocation>) -> Result<Self, LogError> {
        let io = |source| LogError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        let (events, whole) = parse(path, &text)?;
        if let Some(other) = events.iter().find_map(session_code)
            && other != code
        {
            return Err(LogError::OtherCode { path: path.to_owned() });
        }
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut log = Self {
            path: path.to_owned(),
            file,
            events,
        };
        log.append(Event::Session {
            format: FORMAT,
            code: code.to_owned(),
            invocation: invocation.cloned(),
        })?;
        Ok(log)
    }

    /// Begins a log; what the file held is gone.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn fresh(path: &Path, code: &str, invocation: Option<&Invocation>) -> Result<Self, LogError> {
        match std::fs::remove_file(path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(LogError::Io {
                path: path.to_owned(),
                source,
            }),
            _ => Self::resume(path, code, invocation),
        }
    }

    /// Writes an event down.
    ///
    /// # Errors
    ///
    /// When the disk refuses.
    pub fn append(&mut self, event: Event) -> Result<(), LogError> {
        let io = |source| LogError::Io {
            path: self.path.clone(),
            source,
        };
        let mut line = serde_json::to_vec(&event).map_err(io::Error::from).map_err(io)?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(io)?;
        self.file.flush().map_err(io)?;
        self.events.push(event);
        Ok(())
    }

    /// Everything so far.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Where it is written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads a log without opening it for more.
///
/// # Errors
///
/// When the file cannot be read or is no log.
pub fn read(path: &Path) -> Result<Vec<Event>, LogError> {
    let text = std::fs::read(path).map_err(|source| LogError::Io {
        path: path.to_owned(),
        source,
    })?;
    Ok(parse(path, &text)?.0)
}

fn session_code(event: &Event) -> Option<&str> {
    match event {
        Event::Session { code, .. } => Some(code),
        _ => None,
    }
}

/// The events, and the length of the lines that are whole.
fn parse(path: &Path, text: &[u8]) -> Result<(Vec<Event>, usize), LogError> {
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut events = Vec::new();
    for (index, line) in text[..whole].split(|&byte| byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let wrong = |reason: String| LogError::NotALog {
            path: path.to_owned(),
            line: index + 1,
            reason,
        };
        let event: Event = serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
        if let Event::Session { format, .. } = &event
            && *format != FORMAT
        {
            return Err(wrong(format!(
                "it has format {format}, this program reads format {FORMAT}"
            )));
        }
        events.push(event);
    }
    if events.is_empty() && !text.is_empty() && whole == 0 && text[0] != b'{' {
        return Err(LogError::NotALog {
            path: path.to_owned(),
            line: 1,
            reason: "it is not JSON lines".to_owned(),
        });
    }
    Ok((events, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(seed: u64) -> Event {
        Event::OrderDone { seed }
    }

    #[test]
    fn a_log_goes_on_where_it_was_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log.jsonl");
        let mut log = Log::resume(&path, "code", None).expect("a log");
        log.append(order(1)).expect("it is written");
        drop(log);
        let mut file = OpenOptions::new().append(true).open(&path).expect("the log");
        file.write_all(b"{\"event\":\"order-do").expect("half a line");
        let mut log = Log::resume(&path, "code", None).expect("half a line is no harm");
        log.append(order(2)).expect("it is written");
        let events = read(&path).expect("a whole log");
        assert_eq!(events, log.events());
        let seeds: Vec<_> = events.iter().filter(|it| session_code(it).is_none()).collect();
        assert_eq!(seeds, [&order(1), &order(2)]);
    }

    #[test]
    fn outcomes_of_other_code_are_not_mixed_in() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log.jsonl");
        drop(Log::resume(&path, "before", None).expect("a log"));
        let error = Log::resume(&path, "after", None)
            .expect_err("it is refused")
            .to_string();
        assert!(error.contains("--fresh"), "{error}");
        let log = Log::fresh(&path, "after", None).expect("a fresh log");
        assert_eq!(log.events().len(), 1);
    }

    #[test]
    fn another_file_is_refused_and_left_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        for text in ["not a log", "not a log\n", "{\"event\":\"unheard-of\"}\n"] {
            let path = folder.path().join("notes.txt");
            std::fs::write(&path, text).expect("a file");
            assert!(Log::resume(&path, "code", None).is_err(), "{text:?}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
        }
    }
}
