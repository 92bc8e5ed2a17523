//! The repositories of several outputs, each once.
//!
//! Invariants: of two records of a repository, one with results wins over one with an error. Two different results, or
//! records of different models, versions or options, are an error unless the user allows a mix; then the first wins.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use peeler_features::content_hash;

use crate::fleet::record::{Origin, Record, Run};

/// Whether outputs of different models, versions or options may be joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mixing {
    Refused,
    Allowed,
}

/// Chooses one record for each repository while the outputs of several fleet scans are read.
pub(crate) struct Joined {
    mixing: Mixing,
    /// All combinations of version, model and options that made the records. There is more than one only with
    /// [`Mixing::Allowed`].
    pub(crate) origins: Vec<Origin>,
    seen: BTreeMap<String, Seen>,
    /// The number of records that were read so far.
    read: usize,
}

/// The record that was chosen for a repository, among all its records that were read so far.
struct Seen {
    digest: u64,
    is_error: bool,
    /// The path of the output file that contains the record.
    file: String,
    /// The number of the record, from one. It counts all records of all outputs in the order in which they are read.
    number: usize,
}

/// Whether a record is taken for its repository, given the records that were read before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The record is taken: it is the first of its repository, or has results where the earlier ones have an error.
    Taken,
    /// The record is left out, because an earlier record of the same repository is kept.
    Repeated,
}

impl Joined {
    /// Starts without any records. `mixing` says whether records of different models, versions or options may be
    /// joined.
    pub(crate) fn new(mixing: Mixing) -> Self {
        Self {
            mixing,
            origins: Vec::new(),
            seen: BTreeMap::new(),
            read: 0,
        }
    }

    /// Whether the record with this number is the one that was chosen for the repository. Records are numbered in the
    /// order in which they were read, from one.
    pub(crate) fn is_chosen(&self, name: &str, number: usize) -> bool {
        self.seen.get(name).is_some_and(|it| it.number == number)
    }

    /// Decides whether a record that was read from `file` is taken for its repository. Unless mixing is allowed, a
    /// record of another model, version or options than the first one is an error. So are results that differ from
    /// those of an earlier record of the repository.
    pub(crate) fn choose(&mut self, record: &Record, file: &Path) -> anyhow::Result<Choice> {
        self.read += 1;
        self.check_origin(record, file)?;
        let digest = digest(record);
        let is_error = record.status.is_error();
        match self.seen.get(&record.name) {
            Some(seen) if !seen.is_error && is_error => return Ok(Choice::Repeated),
            Some(seen) if seen.is_error == is_error => {
                if !is_error && seen.digest != digest && self.mixing == Mixing::Refused {
                    bail!(
                        "{} and {} have different results for `{}`; leave one of them out, or use --allow-mixed to \
                         keep the first",
                        seen.file,
                        file.display(),
                        record.name
                    );
                }
                return Ok(Choice::Repeated);
            }
            _ => {}
        }
        let seen = Seen {
            digest,
            is_error,
            file: file.display().to_string(),
            number: self.read,
        };
        self.seen.insert(record.name.clone(), seen);
        Ok(Choice::Taken)
    }

    fn check_origin(&mut self, record: &Record, file: &Path) -> anyhow::Result<()> {
        let origin = Origin {
            version: record.tool.version.clone(),
            model: record.model.name.clone(),
            identity: record.model.identity.clone(),
            options: record.options.clone(),
        };
        if self.origins.contains(&origin) {
            return Ok(());
        }
        if let Some(first) = self.origins.first().filter(|_| self.mixing == Mixing::Refused) {
            let differences = [
                ("version", &first.version, &origin.version),
                ("model", &first.model, &origin.model),
                ("model", &first.identity, &origin.identity),
                ("options", &first.options, &origin.options),
            ];
            let found = differences.into_iter().find(|(_, one, other)| one != other);
            let (what, one, other) = found.unwrap_or(("origin", &first.version, &origin.version));
            bail!(
                "{} holds records of another {what} than the outputs before ({other} instead of {one}); scan again \
                 with one program, or use --allow-mixed",
                file.display()
            );
        }
        self.origins.push(origin);
        Ok(())
    }
}

/// A hash of everything in a record that does not differ from run to run.
fn digest(record: &Record) -> u64 {
    let settled = Record {
        run: Run::default(),
        ..record.clone()
    };
    content_hash(&settled.line())
}
