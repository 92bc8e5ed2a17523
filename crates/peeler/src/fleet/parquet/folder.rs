//! A folder of Parquet files that grows by parts and can be continued after a kill.
//!
//! ```text
//! part-00003-of-00010-00000.parquet     the first part of shard 3 of 10
//! _unfinished-00003-of-00010.jsonl      records of the shard that are in no part yet
//! ```
//!
//! Records go to the unfinished lines first. When there are enough, they become a part, which gets its name when it is
//! complete, and the lines are deleted. Invariant: the unfinished lines are in no part, or all of them are in one: then
//! a kill came before they were deleted, and the next opening deletes them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use peeler_learning::atomic_file::{AtomicFile, Durability};

use super::{reader, writer};
use crate::fleet::header::Header;
use crate::fleet::lines_file::LinesFile;
use crate::fleet::record::Record;
use crate::fleet::shard::Shard;

/// The number of unfinished records that become a part, which is one Parquet file of the folder.
const PART_RECORDS: usize = 500;
/// The number of bytes of unfinished records that become a part, even if they are fewer than `PART_RECORDS`.
const PART_BYTES: usize = 64 << 20;

/// A folder of Parquet files, called parts, that is open for more records of one shard.
pub(crate) struct PartFolder {
    folder: PathBuf,
    shard: Shard,
    unfinished: LinesFile,
    /// The number in the file name of the next part, a Parquet file with records of the shard.
    next: usize,
    /// The number of records in `unfinished`, which are in no Parquet file yet.
    records: usize,
    /// The number of bytes that were added to `unfinished` since the folder was opened or the last part was written.
    bytes: usize,
}

impl PartFolder {
    /// Whether a folder holds records of a shard.
    pub(crate) fn holds(folder: &Path, shard: Shard) -> bool {
        let is_own = |it: &PathBuf| {
            it.file_name()
                .is_some_and(|it| it.to_string_lossy().starts_with(&prefix(shard)))
        };
        parts(folder).is_ok_and(|it| it.iter().any(is_own)) || folder.join(unfinished_name(shard)).exists()
    }

    /// Opens a folder for records of a shard and creates it if it is missing. `each` gets every record that the folder
    /// holds, of all shards.
    pub(crate) fn open(
        folder: &Path,
        shard: Shard,
        mut each: impl FnMut(&Header) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}; choose another output", folder.display()))?;
        let mut unfinished_records = Vec::new();
        let mut unfinished = LinesFile::open(&folder.join(unfinished_name(shard)), |header| {
            unfinished_records.push(header);
            Ok(())
        })?;
        let mut next = 0;
        let mut is_in_part = false;
        for part in parts(folder)? {
            reader::headers(&part, |header| {
                is_in_part |= unfinished_records.iter().any(|it| it.name == header.name);
                each(&header)
            })?;
            next = next.max(number(&part, shard).map_or(0, |it| it + 1));
        }
        if is_in_part {
            unfinished.clear()?;
            unfinished_records.clear();
        }
        for header in &unfinished_records {
            each(header)?;
        }
        Ok(Self {
            folder: folder.to_owned(),
            shard,
            bytes: 0,
            records: unfinished_records.len(),
            unfinished,
            next,
        })
    }

    /// Adds a record, given as a line of JSON with its line break.
    pub(crate) fn add(&mut self, line: &[u8]) -> anyhow::Result<()> {
        self.unfinished.add(line)?;
        self.records += 1;
        self.bytes += line.len();
        if self.records >= PART_RECORDS || self.bytes >= PART_BYTES {
            self.write_part()?;
        }
        Ok(())
    }

    /// Writes the records that are in no Parquet file yet to a last one, and deletes the file of unfinished records.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        if self.records > 0 {
            self.write_part()?;
        }
        self.unfinished.remove()
    }

    fn write_part(&mut self) -> anyhow::Result<()> {
        let path = self
            .folder
            .join(format!("{}{:05}.parquet", prefix(self.shard), self.next));
        let records = line_records(&self.folder.join(unfinished_name(self.shard)))?;
        let mut file = AtomicFile::create(&path)?;
        writer::write(&records, &mut file)
            .with_context(|| format!("cannot write {}; is the disk full?", path.display()))?;
        file.finish(Durability::Synced)?;
        self.unfinished.clear()?;
        (self.next, self.records, self.bytes) = (self.next + 1, 0, 0);
        Ok(())
    }
}

/// The paths of the Parquet files in a folder, sorted. Files whose names start with `_` or `.` are left out.
pub(crate) fn parts(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let cannot = || format!("cannot list the folder {}; check its permissions", folder.display());
    let mut parts = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_hidden = name.starts_with(['_', '.']);
        if !is_hidden && name.ends_with(".parquet") {
            parts.push(path);
        }
    }
    parts.sort();
    Ok(parts)
}

/// The records in a file of JSON lines that holds the records that are in no Parquet file yet.
fn line_records(path: &Path) -> anyhow::Result<Vec<Record>> {
    let cannot = || format!("cannot read the unfinished records {}", path.display());
    let file = fs::File::open(path).with_context(cannot)?;
    let mut records = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.with_context(cannot)?;
        records.push(serde_json::from_str(&line).with_context(cannot)?);
    }
    if records.is_empty() {
        bail!("{} holds no records; resume the scan", path.display());
    }
    Ok(records)
}

fn prefix(shard: Shard) -> String {
    format!("part-{:05}-of-{:05}-", shard.index, shard.count)
}

fn unfinished_name(shard: Shard) -> String {
    format!("_unfinished-{:05}-of-{:05}.jsonl", shard.index, shard.count)
}

/// The number at the end of the file name of a part: 2 for `part-00003-of-00010-00002.parquet`. `None` if the part
/// belongs to another shard.
fn number(part: &Path, shard: Shard) -> Option<usize> {
    let name = part.file_stem()?.to_str()?;
    name.strip_prefix(&prefix(shard))?.parse().ok()
}
