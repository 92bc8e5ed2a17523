//! The output file of `peeler scan --repos` in JSON lines. It grows by whole records (scan results of repositories) and
//! can be continued after a kill.
//!
//! A record is appended with its line break in one write. So a kill leaves whole lines and at most one torn line at the
//! end, which the next opening cuts off. A crash of the machine may leave more: lines at the end that hold no record
//! are cut off together.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use peeler_learning::atomic_file::remedy;

use super::header::Header;

/// The minimum time between two syncs, which send the written records to the disk.
const SYNC_PERIOD: Duration = Duration::from_secs(1);

/// An output file of `peeler scan --repos`: one record (scan result of a repository) per line. It is open for
/// appending, and locked.
pub(crate) struct LinesFile {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl LinesFile {
    /// Opens an output file for appending, creates it if it is missing, and cuts off a record that a kill left
    /// unfinished. `each` is called with the header of every record in the file.
    pub(crate) fn open(path: &Path, mut each: impl FnMut(Header) -> anyhow::Result<()>) -> anyhow::Result<Self> {
        let mut options = OpenOptions::new();
        let opened = options.read(true).append(true).create(true).open(path);
        let file = opened.map_err(|error| failed(path, &error))?;
        if file.try_lock().is_err() {
            bail!(
                "another program is writing {}; wait for its end, or choose another output",
                path.display()
            );
        }
        let whole = whole_records(path, &file, &mut each)?;
        let length = file.metadata().map_err(|error| failed(path, &error))?.len();
        if whole < length {
            file.set_len(whole).map_err(|error| failed(path, &error))?;
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            synced: Instant::now(),
        })
    }

    /// Appends a record, which is a line of JSON with its line break.
    pub(crate) fn add(&mut self, line: &[u8]) -> anyhow::Result<()> {
        self.file.write_all(line).map_err(|error| failed(&self.path, &error))?;
        if self.synced.elapsed() >= SYNC_PERIOD {
            self.sync()?;
        }
        Ok(())
    }

    /// Deletes all records from the file.
    pub(crate) fn clear(&mut self) -> anyhow::Result<()> {
        self.file.set_len(0).map_err(|error| failed(&self.path, &error))
    }

    /// Deletes the file.
    pub(crate) fn remove(self) -> anyhow::Result<()> {
        fs::remove_file(&self.path).map_err(|error| failed(&self.path, &error))
    }

    /// Sends the written records to the disk.
    pub(crate) fn sync(&mut self) -> anyhow::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| failed(&self.path, &error))
    }
}

/// Calls `each` with the header of every whole record in a file. Returns the length in bytes of these records; a record
/// that a kill left unfinished may follow.
fn whole_records(path: &Path, file: &File, each: &mut impl FnMut(Header) -> anyhow::Result<()>) -> anyhow::Result<u64> {
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut number, mut at, mut whole) = (Vec::new(), 0, 0_u64, 0_u64);
    let mut broken = None;
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line);
        if read.with_context(|| format!("cannot read the output {}", path.display()))? == 0 {
            return Ok(whole);
        }
        number += 1;
        at += line.len() as u64;
        let header = Header::of(&line).with_context(|| format!("{}:{number}", path.display()));
        match header {
            Ok(_) if broken.is_some() => {
                let (error, first) = broken.take().unwrap_or((anyhow::anyhow!("damaged"), number));
                return Err(error.context(format!(
                    "line {first} of {} is damaged, but later lines are whole; delete this line and resume again",
                    path.display()
                )));
            }
            Ok(header) if line.ends_with(b"\n") => {
                each(header)?;
                whole = at;
            }
            // A whole record without a line break: the kill came between the two.
            Ok(_) => {}
            Err(error) => {
                if number == 1 && line.ends_with(b"\n") {
                    return Err(error.context(format!(
                        "{} is no output of `peeler scan --repos`; choose another file",
                        path.display()
                    )));
                }
                broken.get_or_insert((error, number));
            }
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow::anyhow!("cannot write {}: {error}; {}", path.display(), remedy(error))
}
