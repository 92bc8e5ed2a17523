//! Which row of a table stands for a name.
//!
//! Names that enough of the training data uses have a row of their own; all others share rows by their
//! hash, so that an unknown name is still the same name wherever it occurs.

use std::hash::BuildHasher;
use std::sync::OnceLock;

use peeler_eval::corpus::stable_hash;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

/// Names with their rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Lexicon {
    /// Names with rows of their own, sorted.
    names: Vec<String>,
    /// Shared rows behind them.
    buckets: usize,
    /// The rows of names by their hash, made when somebody asks. Of names with the same hash one is missing.
    #[serde(skip)]
    places: OnceLock<FxHashMap<u64, usize>>,
}

impl PartialEq for Lexicon {
    fn eq(&self, other: &Self) -> bool {
        (&self.names, self.buckets) == (&other.names, other.buckets)
    }
}

/// How often a name is used in training data.
#[derive(Debug, Clone, Default)]
pub(crate) struct Usage {
    pub(crate) tests: usize,
    pub(crate) projects: usize,
    last_project: Option<u32>,
}

impl Usage {
    /// One more test uses the name. Tests come project by project.
    pub(crate) fn add(&mut self, project: u32) {
        self.tests += 1;
        if self.last_project != Some(project) {
            self.last_project = Some(project);
            self.projects += 1;
        }
    }
}

impl Lexicon {
    pub(crate) fn new(mut names: Vec<String>, buckets: usize) -> Self {
        names.sort_unstable();
        names.dedup();
        Self {
            names,
            buckets: buckets.max(1),
            places: OnceLock::new(),
        }
    }

    /// The names with rows of their own, in the order of their rows.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.names.len() + self.buckets
    }

    /// Number of names with a row of their own.
    #[must_use]
    pub fn known(&self) -> usize {
        self.names.len()
    }

    fn row_of_its_own(&self, name: &String) -> Option<usize> {
        let places = self.places.get_or_init(|| {
            let rows = self.names.iter().enumerate();
            rows.map(|(row, name)| (hash(name), row)).collect()
        });
        let row = *places.get(&hash(name))?;
        if self.names[row] == *name {
            Some(row)
        } else {
            self.names.binary_search(name).ok()
        }
    }

    /// The row of each name.
    pub(crate) fn rows_of<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> Vec<u32> {
        let row = |name: &String| {
            let known = self.row_of_its_own(name);
            known.unwrap_or_else(|| self.names.len() + bucket(name, self.buckets))
        };
        names
            .into_iter()
            .map(|it| u32::try_from(row(it)).expect("tables have fewer than four billion rows"))
            .collect()
    }
}

fn hash(name: &str) -> u64 {
    FxBuildHasher.hash_one(name)
}

fn bucket(name: &str, buckets: usize) -> usize {
    let hash = stable_hash(name.as_bytes());
    usize::try_from((hash >> 32) % buckets as u64).expect("less than the number of buckets")
}

#[cfg(test)]
mod tests {
    use super::Lexicon;

    #[test]
    fn unknown_names_share_rows_but_keep_their_row() {
        let lexicon = Lexicon::new(vec!["sleep".to_owned(), "await".to_owned()], 4);
        let names = ["await", "sleep", "frobnicate", "frobnicate"].map(str::to_owned);
        let rows = lexicon.rows_of(&names);
        assert_eq!(rows[..2], [0, 1]);
        assert_eq!(rows[2], rows[3]);
        assert!((2..6).contains(&rows[2]));
    }
}
