//! The words, called methods and types in the source of a test, as hashes.
//!
//! They are read from the text alone, so a test of an old commit needs no other file of that commit.

use peeler_features::{content_hash, sub_tokens};
use peeler_mine::stripped;

/// The words, called methods and types in the source of a test method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bag {
    /// Hashes of the words in the method (sub-tokens of its identifiers), sorted, each once.
    pub(crate) words: Vec<u64>,
    /// Hashes of words, called methods and types in the method, sorted, each once.
    pub(crate) all: Vec<u64>,
}

impl Bag {
    /// The bag of a test method. Comments and words such as `flaky` do not count.
    pub(crate) fn of(source: &str) -> Self {
        let source = stripped(source);
        let words = sub_tokens(&source).filter(|it| it.len() > 1 && !it.starts_with(|it: char| it.is_ascii_digit()));
        let words = sorted(words.map(|it| hash("word", &it)).collect());
        let mut all = words.clone();
        let mut rest = source.as_str();
        while let Some(start) = rest.find(|it: char| it.is_alphabetic() || it == '_') {
            let name = &rest[start..];
            let end = name.find(|it: char| !(it.is_alphanumeric() || it == '_'));
            let (name, behind) = name.split_at(end.unwrap_or(name.len()));
            if behind.trim_start().starts_with('(') {
                all.push(hash("call", name));
            }
            if name.starts_with(char::is_uppercase) {
                all.push(hash("type", name));
            }
            rest = behind;
        }
        Self {
            words,
            all: sorted(all),
        }
    }
}

fn hash(kind: &str, name: &str) -> u64 {
    content_hash(format!("{kind} {name}").as_bytes())
}

fn sorted(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use super::{Bag, hash};

    #[test]
    fn a_bag_has_words_calls_and_types_but_no_markers() {
        let bag = Bag::of("sums() { Cart cart = openCart(); /* flaky */ isFlaky(); }");
        for (kind, name) in [
            ("word", "open"),
            ("call", "openCart"),
            ("type", "Cart"),
            ("call", "isxxxxx"),
        ] {
            assert!(bag.all.contains(&hash(kind, name)), "{kind} {name}");
        }
        for (kind, name) in [
            ("word", "flaky"),
            ("call", "isFlaky"),
            ("type", "cart"),
            ("call", "cart"),
        ] {
            assert!(!bag.all.contains(&hash(kind, name)), "{kind} {name}");
        }
        assert!(bag.words.iter().all(|it| bag.all.contains(it)));
    }
}
