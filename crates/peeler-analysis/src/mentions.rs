//! Finds the files of a repository that mention a name.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;
use rayon::prelude::*;

use crate::repository::{FileId, Repository};
use crate::threads::on_all_cores;

impl Repository {
    /// The files that contain one of `names` as a whole word, in the order in which the repository lists its files.
    ///
    /// # Panics
    ///
    /// When the automaton that searches for the names does not fit into memory.
    #[must_use]
    pub fn files_that_mention(&self, names: &BTreeSet<&str>) -> Vec<FileId> {
        if names.is_empty() {
            return Vec::new();
        }
        let search = AhoCorasick::new(names).expect("names fit into memory");
        let is_part =
            |byte: Option<&u8>| byte.is_some_and(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'$'));
        let mentions = |text: &str| {
            let bytes = text.as_bytes();
            search.find_overlapping_iter(text).any(|found| {
                let before = found.start().checked_sub(1).and_then(|at| bytes.get(at));
                !is_part(before) && !is_part(bytes.get(found.end()))
            })
        };
        let files = self.files().par_iter().with_min_len(16).enumerate();
        let found = files
            .filter(|(_, file)| mentions(file.text()))
            .map(|(at, _)| FileId::new(at));
        on_all_cores(|| found.collect())
    }
}
