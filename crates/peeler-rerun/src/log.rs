//! The evidence log: a file of JSON lines to which events, such as runs of tests, are appended.
//!
//! Invariant: an event is written before the next run of a test starts, so a killed `peeler confirm` loses at most the
//! current run. A kill may leave an incomplete last line, which is cut off when the log is opened again. A full disk
//! leaves no incomplete line. A log has one writer at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use peeler_learning::atomic_file::{self, Durability, WriteError, remedy};

use crate::evidence::{Event, FORMAT};
use crate::invocation::Invocation;

/// The reason why an evidence log cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file of the evidence log cannot be read.
    #[error("cannot read the log {path}: {source}")]
    Read {
        /// The file of the evidence log that cannot be read.
        path: PathBuf,
        /// The error of the operating system when the evidence log was read.
        source: io::Error,
    },
    /// The file of the evidence log cannot be written.
    #[error(
        "cannot write the log {path}: {source}; {} (--log chooses a file); the same command continues where this one \
         stopped",
        remedy(source)
    )]
    Write {
        /// The file of the evidence log that cannot be written.
        path: PathBuf,
        /// The error of the operating system when the evidence log was written.
        source: io::Error,
    },
    /// The path of the evidence log names a device or a pipe, which keeps nothing.
    #[error("the log {path} is not a file; choose another --log")]
    NotAFile {
        /// The path that names a device or a pipe.
        path: PathBuf,
    },
    /// Another `peeler confirm` appends to the evidence log.
    #[error("another peeler confirm is writing the log {path}; wait until it ends, or choose another --log")]
    InUse {
        /// The file of the evidence log that another process writes.
        path: PathBuf,
    },
    /// The file is not an evidence log of this version: one of its lines is not an event, or states another format.
    #[error("{path} is not an evidence log: line {line}: {reason}")]
    NotALog {
        /// The file that is not an evidence log of this version.
        path: PathBuf,
        /// The number of the line of the file that cannot be used, from one on.
        line: usize,
        /// The reason why a line of the file cannot be used, such as an error of the JSON parser.
        reason: String,
    },
    /// The evidence log contains outcomes of other code, or of code that ran in another way, than now.
    #[error(
        "{path} holds outcomes of other code, JVM options or --sandbox than would be used now, and such outcomes must \
         not be mixed; start again with --fresh, or choose another --log"
    )]
    OtherCode {
        /// The file of the evidence log with outcomes of other code.
        path: PathBuf,
    },
}

/// An evidence log that is open for appending.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: TakenFile,
    /// The number of bytes of all complete lines of the evidence log.
    length: u64,
    events: Vec<Event>,
}

impl Log {
    /// Opens an evidence log for appending. Creates the file if it does not exist.
    ///
    /// `code` is the fingerprint of the compiled code that will run, `invocation` the command line of `peeler confirm`.
    ///
    /// # Errors
    ///
    /// When the file is not a log, or the log of other code.
    pub fn resume(path: &Path, code: &str, invocation: Option<&Invocation>) -> Result<Self, LogError> {
        let io = |source| LogError::Write {
            path: path.to_owned(),
            source,
        };
        require_file(path)?;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut taken = TakenFile::take(file, path)?;
        let file = &mut taken.0;
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
            file: taken,
            length: whole as u64,
            events,
        };
        log.append(Event::Session {
            format: FORMAT,
            code: code.to_owned(),
            invocation: invocation.cloned(),
        })?;
        Ok(log)
    }

    /// Starts a new evidence log, which replaces an existing file.
    ///
    /// `code` is the fingerprint of the compiled code that will run, `invocation` the command line of `peeler confirm`.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. The old file is then unchanged.
    pub fn fresh(path: &Path, code: &str, invocation: Option<&Invocation>) -> Result<Self, LogError> {
        require_file(path)?;
        if let Ok(earlier) = File::open(path) {
            TakenFile::take(earlier, path)?;
        }
        let line = line(&Event::Session {
            format: FORMAT,
            code: code.to_owned(),
            invocation: invocation.cloned(),
        });
        atomic_file::replace(path, &[&line], Durability::Synced)
            .map_err(|WriteError { path, source }| LogError::Write { path, source })?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|source| LogError::Write {
            path: path.to_owned(),
            source,
        })?;
        let file = TakenFile::take(file, path)?;
        let (events, _) = parse(path, &line)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            length: line.len() as u64,
            events,
        })
    }

    /// Appends an event to the evidence log.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn append(&mut self, event: Event) -> Result<(), LogError> {
        let line = line(&event);
        if let Err(source) = self.file.0.write_all(&line) {
            // The disk may be full: half a line must not stay. If it does, the next reader cuts it off.
            let _ = self.file.0.set_len(self.length);
            return Err(self.error(source));
        }
        self.length += line.len() as u64;
        self.events.push(event);
        Ok(())
    }

    /// Waits until all events of the evidence log are on the disk. It is called before results are reported.
    ///
    /// # Errors
    ///
    /// When the disk cannot be written.
    pub fn sync(&self) -> Result<(), LogError> {
        self.file.0.sync_all().map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> LogError {
        LogError::Write {
            path: self.path.clone(),
            source,
        }
    }

    /// All events of the evidence log, in their order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The path of the evidence log's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A file that other processes cannot take until it is dropped. File systems that know no locks let everybody.
#[derive(Debug)]
struct TakenFile(File);

impl TakenFile {
    fn take(file: File, path: &Path) -> Result<Self, LogError> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(LogError::InUse { path: path.to_owned() }),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self(file)),
        }
    }
}

impl Drop for TakenFile {
    fn drop(&mut self) {
        // Closing the file is not enough: a program that is just being started has a copy of it, and the lock with it.
        let _ = self.0.unlock();
    }
}

/// Reads the events of an evidence log.
///
/// # Errors
///
/// When the file cannot be read or is not a log.
pub fn read(path: &Path) -> Result<Vec<Event>, LogError> {
    require_file(path)?;
    let text = std::fs::read(path).map_err(|source| LogError::Read {
        path: path.to_owned(),
        source,
    })?;
    from_bytes(path, &text)
}

/// The events in the text of an evidence log. `path` is only named in errors.
///
/// # Errors
///
/// When the text is not a log.
pub fn from_bytes(path: &Path, text: &[u8]) -> Result<Vec<Event>, LogError> {
    Ok(parse(path, text)?.0)
}

/// An event as a JSON line of the evidence log.
fn line(event: &Event) -> Vec<u8> {
    let mut line = serde_json::to_vec(event).expect("an event is plain data");
    line.push(b'\n');
    line
}

/// An error if the path of an evidence log names a device or a pipe, because reading it might never end.
fn require_file(path: &Path) -> Result<(), LogError> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => Err(LogError::NotAFile { path: path.to_owned() }),
        _ => Ok(()),
    }
}

fn session_code(event: &Event) -> Option<&str> {
    match event {
        Event::Session { code, .. } => Some(code),
        _ => None,
    }
}

/// The events of an evidence log, and the number of bytes up to the end of the last complete line.
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

    #[test]
    fn a_log_has_one_writer() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log.jsonl");
        let first = Log::fresh(&path, "code", None).expect("a log");
        for second in [Log::resume(&path, "code", None), Log::fresh(&path, "code", None)] {
            assert!(matches!(second, Err(LogError::InUse { .. })), "{second:?}");
        }
        let inherited = first.file.0.try_clone().expect("a copy");
        drop(first);
        Log::resume(&path, "code", None).expect("nobody writes it any more");
        drop(inherited);
    }
}
