//! The part of a record (the scan result of one repository of a fleet) that says what it is about, read without its
//! findings.

use anyhow::{Context, bail};
use serde::Deserialize;

use super::list::Entry;
use super::record::{Counts, Origin, RecordKind, VERSION};
use crate::finding::Tool;

/// The fields of a record that name its repository, and the program, model and options that made it. A record is the
/// scan result of one repository of a fleet (`peeler scan --repos`).
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Header {
    /// The field `type` of the record, which is always `repository`. Parsing fails for any other value.
    #[serde(rename = "type")]
    #[allow(dead_code, reason = "reading it checks that the line is a record")]
    kind: RecordKind,
    version: u32,
    /// The name of the repository that the record is about.
    pub(crate) name: String,
    path: String,
    revision: Option<String>,
    tool: Tool,
    model: HeaderModel,
    options: String,
    /// The numbers of files, tests and findings of the repository. Parsing fails if they are missing.
    #[allow(dead_code, reason = "reading them checks that the line is a record")]
    counts: Counts,
}

#[derive(Debug, Clone, Deserialize)]
struct HeaderModel {
    name: String,
    identity: String,
}

impl Header {
    /// Parses the header of a record from a line of the output of `peeler scan --repos`.
    pub(crate) fn of(line: &[u8]) -> anyhow::Result<Self> {
        let header: Self = serde_json::from_slice(line).context("is not a record of `peeler scan --repos`")?;
        if header.version != VERSION {
            bail!(
                "is a record of version {}, and this Peeler reads version {VERSION}; scan again with this Peeler",
                header.version
            );
        }
        Ok(header)
    }

    /// The repository that the record is about: its name, path and revision, as the list of repositories gives them.
    pub(crate) fn entry(&self) -> Entry {
        Entry {
            name: self.name.clone(),
            path: self.path.clone(),
            revision: self.revision.clone(),
        }
    }

    /// The version of Peeler, the model and the options that made the record.
    pub(crate) fn origin(&self) -> Origin {
        Origin {
            version: self.tool.version.clone(),
            model: self.model.name.clone(),
            identity: self.model.identity.clone(),
            options: self.options.clone(),
        }
    }
}
