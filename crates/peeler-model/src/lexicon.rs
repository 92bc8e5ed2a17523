//! A lexicon: a map from names, such as sub-tokens or library calls, to rows of an embedding table.
//!
//! Names that enough training tests use have a row of their own. All others share rows by their hash, so an unknown
//! name has the same row wherever it occurs.

use std::sync::OnceLock;

use peeler_features::texts::{TextSet, Texts, hash_of};
use peeler_features::{narrow, stored_hash};
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

/// The largest number of shared embedding rows (buckets) that is accepted from a model file.
const MOST_BUCKETS: usize = 1 << 24;

/// A map from names, such as sub-tokens or library calls, to rows of an embedding table.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Lexicon {
    /// The names that have an embedding row of their own, sorted; row `i` belongs to name `i`.
    names: Texts,
    /// The number of embedding rows that all other names share by hash. These rows follow those of `names`.
    #[serde(deserialize_with = "bucket_count")]
    buckets: usize,
    /// An open-addressing hash table from names to embedding rows, built at the first lookup.
    ///
    /// A slot contains a row plus one, or zero if it is empty.
    #[serde(skip)]
    places: OnceLock<Vec<u32>>,
}

impl PartialEq for Lexicon {
    fn eq(&self, other: &Self) -> bool {
        (&self.names, self.buckets) == (&other.names, other.buckets)
    }
}

/// The numbers of training tests and of training projects that use one name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Usage {
    pub(crate) tests: usize,
    pub(crate) projects: usize,
    last_project: Option<u32>,
}

impl Usage {
    /// Counts one more test, from `project`, that uses the name whose tests and projects are counted.
    ///
    /// All tests of one project must be added before those of the next.
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
        let mut texts = Texts::default();
        for name in &names {
            texts.push(name);
        }
        Self {
            names: texts,
            buckets: buckets.max(1),
            places: OnceLock::new(),
        }
    }

    /// The names with embedding rows of their own, in the order of their rows.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// The number of rows of the embedding table, own and shared ones.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.names.len() + self.buckets.max(1)
    }

    /// The number of names with an embedding row of their own.
    #[must_use]
    pub fn known(&self) -> usize {
        self.names.len()
    }

    fn row_of_its_own(&self, name: &str, hash: u64) -> Option<usize> {
        let places = self.places.get_or_init(|| places(&self.names));
        probe(places, hash).find(|row| self.names.get(*row) == name)
    }

    /// The embedding row of each name, own or shared, in the order of `names`.
    pub(crate) fn rows_of(&self, names: &TextSet) -> Vec<u32> {
        let row = |(name, hash): (&str, u64)| {
            let known = self.row_of_its_own(name, hash);
            known.unwrap_or_else(|| self.names.len() + bucket(name, self.buckets))
        };
        names
            .hashed()
            .map(|it| u32::try_from(row(it)).expect("tables have fewer than four billion rows"))
            .collect()
    }
}

/// Reads the number of shared embedding rows (buckets) from a model file. A number above [`MOST_BUCKETS`] is an error.
fn bucket_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let buckets = usize::deserialize(deserializer)?;
    if buckets <= MOST_BUCKETS {
        return Ok(buckets);
    }
    let found = Unexpected::Unsigned(buckets as u64);
    Err(D::Error::invalid_value(found, &"at most 16,777,216 buckets"))
}

fn places(names: &Texts) -> Vec<u32> {
    // Half of the slots stay empty.
    let mut places = vec![0; (2 * names.len()).next_power_of_two()];
    for (row, name) in names.iter().enumerate() {
        let hash = hash_of(name);
        let taken = probe(&places, hash).count();
        let last = places.len() - 1;
        places[(start(hash, last) + taken) & last] = narrow(row + 1);
    }
    places
}

/// The embedding rows that the hash table `places` holds from the slot of `hash` on, up to the first empty slot.
fn probe(places: &[u32], hash: u64) -> impl Iterator<Item = usize> {
    let last = places.len() - 1;
    let first = start(hash, last);
    let behind = (first..).map(move |at| places[at & last] as usize);
    behind.take_while(|it| *it > 0).map(|it| it - 1)
}

fn start(hash: u64, last: usize) -> usize {
    #[allow(clippy::cast_possible_truncation)]
    let hash = hash as usize;
    hash & last
}

fn bucket(name: &str, buckets: usize) -> usize {
    let hash = stored_hash(name.as_bytes());
    // A lexicon that a file leaves out has no buckets.
    usize::try_from((hash >> 32) % buckets.max(1) as u64).expect("less than the number of buckets")
}

#[cfg(test)]
mod tests {
    use peeler_features::texts::TextSet;

    use super::Lexicon;

    /// The embedding rows of some names, in the order of the names.
    fn rows_of(lexicon: &Lexicon, names: &[&str]) -> Vec<u32> {
        let mut known = TextSet::default();
        for name in names {
            known.number(name);
        }
        lexicon.rows_of(&known)
    }

    #[test]
    fn unknown_names_share_rows_but_keep_their_row() {
        let lexicon = Lexicon::new(vec!["sleep".to_owned(), "await".to_owned()], 4);
        let rows = rows_of(&lexicon, &["await", "sleep", "frobnicate"]);
        assert_eq!(rows[..2], [0, 1]);
        assert!((2..6).contains(&rows[2]));
        assert_eq!(rows_of(&lexicon, &["frobnicate"]), rows[2..]);
    }

    #[test]
    fn every_known_name_has_its_own_row_however_many_there_are() {
        let names: Vec<String> = (0..1_000).map(|it| format!("name{it:03}")).collect();
        let lexicon = Lexicon::new(names.clone(), 1);
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(rows_of(&lexicon, &all), (0..1_000).collect::<Vec<u32>>());
        assert_eq!(rows_of(&lexicon, &["name", ""]), [1_000, 1_000]);
        assert_eq!(rows_of(&Lexicon::new(Vec::new(), 1), &all[..1]), [0]);
        assert_eq!(
            rows_of(&Lexicon::default(), &all[..1]),
            [0],
            "a lexicon that a file leaves out"
        );
    }

    #[test]
    fn a_lexicon_comes_back_as_it_was_written() {
        let names = ["", "größe", "a \"quoted\" name"].map(str::to_owned);
        let lexicon = Lexicon::new(names.to_vec(), 3);
        let written = serde_json::to_string(&lexicon).unwrap();
        assert_eq!(serde_json::from_str::<Lexicon>(&written).unwrap(), lexicon);
        assert!(serde_json::from_str::<Lexicon>(r#"{"names": [1], "buckets": 3}"#).is_err());
        assert!(serde_json::from_str::<Lexicon>(r#"{"names": [], "buckets": 18446744073709551615}"#).is_err());
    }
}
