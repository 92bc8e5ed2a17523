//! Which row of a table stands for a name.
//!
//! Names that enough of the training data uses have a row of their own; all others share rows by their
//! hash, so that an unknown name is still the same name wherever it occurs.

use std::fmt;
use std::hash::BuildHasher;
use std::sync::OnceLock;

use peeler_eval::corpus::stable_hash;
use rustc_hash::FxBuildHasher;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::dataset::narrow;

/// Names with their rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Lexicon {
    /// Names with rows of their own, sorted.
    names: Texts,
    /// Shared rows behind them.
    buckets: usize,
    /// Where names stand by their hashes, made when somebody asks: rows from one on, zero where there is none. A name is at
    /// the place of its hash, or behind it where others were before.
    #[serde(skip)]
    places: OnceLock<Vec<u32>>,
}

/// Texts in one piece of memory: every scan reads thousands before it can begin.
#[derive(Debug, Clone, Default, PartialEq)]
struct Texts {
    all: String,
    ends: Vec<u32>,
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(narrow(self.all.len()));
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.all[start as usize..self.ends[at] as usize]
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|at| self.get(at))
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;
        impl<'de> Visitor<'de> for Reading {
            type Value = Texts;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of names")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Texts, A::Error> {
                let mut texts = Texts::default();
                while list.next_element_seed(Next(&mut texts))?.is_some() {}
                Ok(texts)
            }
        }
        struct Next<'t>(&'t mut Texts);
        impl<'de> DeserializeSeed<'de> for Next<'_> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                deserializer.deserialize_str(self)
            }
        }
        impl Visitor<'_> for Next<'_> {
            type Value = ();

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name")
            }

            fn visit_str<E>(self, text: &str) -> Result<(), E> {
                self.0.push(text);
                Ok(())
            }
        }
        deserializer.deserialize_seq(Reading)
    }
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

    /// The names with rows of their own, in the order of their rows.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
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

    fn row_of_its_own(&self, name: &str) -> Option<usize> {
        let places = self.places.get_or_init(|| places(&self.names));
        probe(places, name).find(|row| self.names.get(*row) == name)
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

fn places(names: &Texts) -> Vec<u32> {
    // Half of them stay empty.
    let mut places = vec![0; (2 * names.len()).next_power_of_two()];
    for (row, name) in names.iter().enumerate() {
        let taken = probe(&places, name).count();
        let last = places.len() - 1;
        places[(start(name, last) + taken) & last] = narrow(row + 1);
    }
    places
}

/// The rows at the place of a name and behind it, up to the first empty place.
fn probe(places: &[u32], name: &str) -> impl Iterator<Item = usize> {
    let last = places.len() - 1;
    let first = start(name, last);
    let behind = (first..).map(move |at| places[at & last] as usize);
    behind.take_while(|it| *it > 0).map(|it| it - 1)
}

fn start(name: &str, last: usize) -> usize {
    #[allow(clippy::cast_possible_truncation)]
    let hash = FxBuildHasher.hash_one(name) as usize;
    hash & last
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

    #[test]
    fn every_known_name_has_its_own_row_however_many_there_are() {
        let names: Vec<String> = (0..1_000).map(|it| format!("name{it:03}")).collect();
        let lexicon = Lexicon::new(names.clone(), 1);
        assert_eq!(lexicon.rows_of(&names), (0..1_000).collect::<Vec<u32>>());
        assert_eq!(lexicon.rows_of(&["name".to_owned(), String::new()]), [1_000, 1_000]);
        assert_eq!(Lexicon::new(Vec::new(), 1).rows_of(&names[..1]), [0]);
    }

    #[test]
    fn a_lexicon_comes_back_as_it_was_written() {
        let names = ["", "größe", "a \"quoted\" name"].map(str::to_owned);
        let lexicon = Lexicon::new(names.to_vec(), 3);
        let written = serde_json::to_string(&lexicon).unwrap();
        assert_eq!(serde_json::from_str::<Lexicon>(&written).unwrap(), lexicon);
        assert!(serde_json::from_str::<Lexicon>(r#"{"names": [1], "buckets": 3}"#).is_err());
    }
}
