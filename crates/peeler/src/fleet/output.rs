//! The output of a fleet scan: standard output, a file of JSON lines, or a folder of Parquet files.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};

use super::header::Header;
use super::lines_file::LinesFile;
use super::list::Entry;
use super::parquet::folder::PartFolder;
use super::record::Origin;
use super::shard::Shard;
use crate::exit::TO_STDOUT;

/// The place that the records of a fleet scan are written to, with the repositories whose records it held before.
pub(crate) struct Output {
    place: Place,
    known: Known,
}

enum Place {
    Stdout,
    /// A device or a pipe. Records of an earlier scan cannot be read from it.
    Stream(File),
    Lines(LinesFile),
    Parts(PartFolder),
}

/// Whether a fleet scan starts a new output or continues that of an earlier scan (`--resume`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The scan starts a new output. It is an error if the output holds records already.
    New,
    /// The scan continues the output of an earlier scan (`--resume`), whose records are kept.
    Resumed,
}

impl Output {
    /// An output that writes records to standard output. It knows no records of earlier scans.
    pub(crate) fn stdout() -> Self {
        Self {
            place: Place::Stdout,
            known: Known::default(),
        }
    }

    /// Opens a file of JSON lines, a device or a pipe. `start` says whether a file may hold records already. These must
    /// have the version, model and options of `origin`.
    pub(crate) fn lines(path: &Path, start: Start, origin: &Origin) -> anyhow::Result<Self> {
        refuse_existing(path, start)?;
        if path.metadata().is_ok_and(|it| !it.is_file() && !it.is_dir()) {
            let opened = File::options().write(true).open(path);
            return Ok(Self {
                place: Place::Stream(opened.with_context(|| format!("cannot write {}", path.display()))?),
                known: Known::default(),
            });
        }
        let mut known = Known::default();
        let file = LinesFile::open(path, |header| known.add(&header, origin, path))?;
        Ok(Self {
            place: Place::Lines(file),
            known,
        })
    }

    /// Opens a folder of Parquet files, for records of one shard. `start` says whether the folder may hold records of
    /// the shard already. All records of the folder must have the version, model and options of `origin`.
    pub(crate) fn parts(folder: &Path, shard: Shard, start: Start, origin: &Origin) -> anyhow::Result<Self> {
        if folder.is_file() {
            bail!(
                "{} is a file; Parquet needs a folder, choose another output",
                folder.display()
            );
        }
        if start == Start::New && PartFolder::holds(folder, shard) {
            bail!(
                "{} holds records of this shard; continue it with --resume, delete it, or choose another output",
                folder.display()
            );
        }
        let mut known = Known::default();
        let parts = PartFolder::open(folder, shard, |header| known.add(header, origin, folder))?;
        Ok(Self {
            place: Place::Parts(parts),
            known,
        })
    }

    /// Takes the repositories whose records the output held when it was opened.
    pub(crate) fn take_known(&mut self) -> Known {
        std::mem::take(&mut self.known)
    }

    /// Adds a record, given as a line of JSON with its line break.
    pub(crate) fn add(&mut self, line: &[u8]) -> anyhow::Result<()> {
        match &mut self.place {
            Place::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(line).and_then(|()| out.flush()).context(TO_STDOUT)
            }
            Place::Stream(file) => file.write_all(line).context("cannot write the output"),
            Place::Lines(file) => file.add(line),
            Place::Parts(folder) => folder.add(line),
        }
    }

    /// Completes the output after the last record: sends a file to the disk, or writes the last Parquet file.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self.place {
            Place::Stdout | Place::Stream(_) => Ok(()),
            Place::Lines(mut file) => file.sync(),
            Place::Parts(folder) => folder.finish(),
        }
    }
}

fn refuse_existing(path: &Path, start: Start) -> anyhow::Result<()> {
    // A device or a pipe holds nothing that could be lost.
    let holds_records = path.is_dir() || path.metadata().is_ok_and(|it| it.is_file() && it.len() > 0);
    if start == Start::New && holds_records {
        bail!(
            "{} exists; continue it with --resume, delete it, or choose another output",
            path.display()
        );
    }
    Ok(())
}

/// The repositories whose records an output holds, by name.
#[derive(Debug, Default)]
pub(crate) struct Known(HashMap<String, Entry>);

impl Known {
    /// Adds the repository of a record that the output holds. Returns an error if the record does not have the version,
    /// model and options of `origin`.
    pub(crate) fn add(&mut self, header: &Header, origin: &Origin, path: &Path) -> anyhow::Result<()> {
        let made = header.origin();
        let difference = [
            ("version", &made.version, &origin.version),
            ("model", &made.identity, &origin.identity),
            ("options", &made.options, &origin.options),
        ];
        if let Some((what, then, now)) = difference.into_iter().find(|(_, then, now)| then != now) {
            bail!(
                "{} holds records of another {what} ({then} instead of {now}); resume with the same program, model and \
                 options, or choose another output",
                path.display()
            );
        }
        self.0.insert(header.name.clone(), header.entry());
        Ok(())
    }

    /// Whether the output holds a record of the repository `entry`. A record of the same name with another path or
    /// revision is an error.
    pub(crate) fn holds(&self, entry: &Entry) -> anyhow::Result<bool> {
        match self.0.get(&entry.name) {
            None => Ok(false),
            Some(known) if known == entry => Ok(true),
            Some(known) => bail!(
                "the output holds `{}` with the path {} and the revision {}; choose another output, or name the line \
                 differently",
                entry.name,
                known.path,
                known.revision.as_deref().unwrap_or("-")
            ),
        }
    }
}
