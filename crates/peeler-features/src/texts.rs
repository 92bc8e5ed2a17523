//! Compact lists of short texts, and sets of texts with numbers.

use std::fmt;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A count or index as `u32`.
///
/// # Panics
///
/// When the value does not fit: corpora have fewer than four billion of anything.
#[must_use]
pub fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("corpora have fewer than four billion of anything")
}

/// A list of texts that are stored in one string. Scans read vocabularies of thousands of names, which is faster in
/// this form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Texts {
    all: String,
    ends: Vec<u32>,
}

impl Texts {
    /// Appends a text to the list.
    pub fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(narrow(self.all.len()));
    }

    /// The number of texts in the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the list has no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text at an index of the list.
    ///
    /// # Panics
    ///
    /// When the list has no such index.
    #[must_use]
    pub fn get(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.all[start as usize..self.ends[at] as usize]
    }

    /// The texts of the list in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|at| self.get(at))
    }
}

/// A set of texts, which are numbered in the order in which they were added.
#[derive(Debug, Default)]
pub struct TextSet {
    texts: Texts,
    hashes: Vec<u64>,
    numbers: HashTable<u32>,
}

impl TextSet {
    /// The number of a text in the set. A text that is not in the set is added.
    pub fn number(&mut self, text: &str) -> u32 {
        let Self { texts, hashes, numbers } = self;
        let hash = hash_of(text);
        let is_same = |it: &u32| hashes[*it as usize] == hash && texts.get(*it as usize) == text;
        match numbers.entry(hash, is_same, |it| hashes[*it as usize]) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let number = narrow(hashes.len());
                new.insert(number);
                texts.push(text);
                hashes.push(hash);
                number
            }
        }
    }

    /// The number of texts in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether the set has no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The texts of the set in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.texts.iter()
    }

    /// The texts of the set in the order of their numbers, each with its hash by [`hash_of`].
    pub fn hashed(&self) -> impl Iterator<Item = (&str, u64)> {
        self.texts.iter().zip(self.hashes.iter().copied())
    }
}

/// A hash of a text for tables in memory. It may change between versions, so it must not be stored.
#[must_use]
pub fn hash_of(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
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

#[cfg(test)]
mod tests {
    use super::TextSet;

    #[test]
    fn a_text_keeps_its_number_however_many_come_behind_it() {
        let mut texts = TextSet::default();
        let all: Vec<String> = (0..1_000).map(|it| format!("text {it}")).collect();
        let first: Vec<u32> = all.iter().map(|it| texts.number(it)).collect();
        let again: Vec<u32> = all.iter().map(|it| texts.number(it)).collect();
        assert_eq!(first, (0..1_000).collect::<Vec<u32>>());
        assert_eq!(again, first);
        assert!(texts.iter().eq(all.iter().map(String::as_str)));
        assert_eq!(
            (texts.number(""), texts.number("größe"), texts.len()),
            (1_000, 1_001, 1_002)
        );
    }
}
