//! The file `.peeler/tuned`: what tuning learned from a repository's own past.
//!
//! Invariants: the same history gives the same bytes. A file that is damaged, of another version or made for another
//! model is never used.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use peeler_features::content_hash;
use peeler_learning::atomic_file::{self, Durability};
use serde::{Deserialize, Serialize};

use super::partner::Partner;
use super::probability_map::ProbabilityMap;
use crate::finding::TuningSummary;

/// The place of the file in a repository.
const PLACE: &str = ".peeler/tuned";
/// The first bytes of the file. The number in them grows when the format changes.
const MAGIC: &[u8; 16] = b"peeler tuned 02\n";
/// What helps against every problem with the file.
const REMEDY: &str = "run `peeler tune` again, or delete the file";

/// What tuning learned from a repository's own past.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tuning {
    /// The hash of the model that the partner completes.
    pub(crate) model: String,
    /// What reports say about the tuning.
    pub(crate) summary: TuningSummary,
    pub(crate) partner: Partner,
    pub(crate) probabilities: ProbabilityMap,
}

impl Tuning {
    /// The path of the file in the repository whose root is `root`.
    pub(crate) fn place(root: &Path) -> PathBuf {
        root.join(PLACE)
    }

    /// Writes the file, and its folder if there is none.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}; check its permissions", folder.display()))?;
        }
        let content = postcard::to_stdvec(self)?;
        let sum = content_hash(&content).to_le_bytes();
        Ok(atomic_file::replace(
            path,
            &[MAGIC, &sum, &content],
            Durability::Synced,
        )?)
    }

    /// Reads the file of a repository. `None` if it has none. `model` is the hash of the model of the scan.
    pub(crate) fn open(root: &Path, model: &str) -> anyhow::Result<Option<Self>> {
        let path = Self::place(root);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}; {REMEDY}", path.display())),
        };
        Self::from_bytes(&bytes, model)
            .map(Some)
            .with_context(|| format!("{} cannot be used", path.display()))
    }

    /// A hash that differs between tunings that give different scores.
    pub(crate) fn digest(&self) -> u64 {
        postcard::to_stdvec(self).map_or(0, |it| content_hash(&it))
    }

    /// Parses the bytes of the file and checks them.
    pub(crate) fn from_bytes(bytes: &[u8], model: &str) -> anyhow::Result<Self> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            bail!("it is no file of this version of `peeler tune`; {REMEDY}");
        };
        let checked = rest
            .split_at_checked(8)
            .filter(|(sum, content)| *sum == content_hash(content).to_le_bytes());
        let tuning: Option<Self> = checked.and_then(|(_, content)| postcard::from_bytes(content).ok());
        let Some(tuning) = tuning.filter(|it| it.partner.is_sound() && it.probabilities.is_sound()) else {
            bail!("it is damaged; {REMEDY}");
        };
        if tuning.model != model {
            bail!("it was made for another model; {REMEDY}");
        }
        Ok(tuning)
    }
}
