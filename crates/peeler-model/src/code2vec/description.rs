//! The description of a pretrained network: sizes, settings, data and results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::report::{NameEpoch, PretrainingData};
use super::settings::PretrainingSettings;

/// The version of the format that this program reads and writes.
pub(super) const VERSION: u32 = 1;

/// What `code2vec.json` says about a pretrained network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The version of the format, [`VERSION`].
    pub(super) version: u32,
    /// The number of rows of the table of sub-tokens, with row 0 for unknown ones.
    pub words: usize,
    /// The number of sub-tokens that names are predicted from; their rows start at 1.
    pub targets: usize,
    /// The number of rows of the table of paths, with row 0 for unknown ones.
    pub paths: usize,
    /// The width of code vectors.
    pub code_width: usize,
    /// The shape of the network and how it was trained.
    pub settings: PretrainingSettings,
    /// What the network was trained on.
    pub data: PretrainingData,
    /// The results of all epochs.
    pub epochs: Vec<NameEpoch>,
    /// The checksums (XXH3) of the other files, by name.
    pub(super) hashes: BTreeMap<String, String>,
}

impl Description {
    /// The result of the epoch whose network is stored: the one with the highest F1 on held-out libraries, or the last.
    #[must_use]
    pub fn best_epoch(&self) -> Option<&NameEpoch> {
        let f1 = |it: &NameEpoch| it.held_out.map_or(0.0, |it| it.f1());
        let is_better = |best: &NameEpoch, it: &NameEpoch| it.held_out.is_none() || f1(it) > f1(best);
        let mut epochs = self.epochs.iter();
        let first = epochs.next()?;
        Some(epochs.fold(first, |best, it| if is_better(best, it) { it } else { best }))
    }
}
