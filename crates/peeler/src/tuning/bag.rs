//! The words, called methods and types in the source of a test, as hashes.
//!
//! They are read from the text alone, so a test of an old commit needs no other file of that commit.

use std::sync::Arc;

use peeler_features::{content_hash, sub_tokens};
use peeler_mine::stripped;

/// The words, called methods and types in the source of a test method, and the words of its class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bag {
    /// Hashes of the words in the method (sub-tokens of its identifiers), sorted, each once.
    pub(crate) words: Vec<u64>,
    /// Hashes of called methods and types in the method, sorted, each once.
    pub(crate) names: Vec<u64>,
    /// Hashes of the words around the method: imports, fields, setup and superclasses of its class, sorted, each once.
    pub(crate) context: Arc<[u64]>,
}

impl Bag {
    /// The bag of a test method, with the words of its class. Comments and words such as `flaky` do not count.
    pub(crate) fn of(source: &str, context: Arc<[u64]>) -> Self {
        let source = stripped(source);
        let mut names = Vec::new();
        let mut rest = source.as_str();
        while let Some(start) = rest.find(|it: char| it.is_alphabetic() || it == '_') {
            let name = &rest[start..];
            let end = name.find(|it: char| !(it.is_alphanumeric() || it == '_'));
            let (name, behind) = name.split_at(end.unwrap_or(name.len()));
            if behind.trim_start().starts_with('(') {
                names.push(hash("call", name));
            }
            if name.starts_with(char::is_uppercase) {
                names.push(hash("type", name));
            }
            rest = behind;
        }
        Self {
            words: words_of(&source),
            names: sorted(names),
            context,
        }
    }
}

/// The hashes of the words in the texts of a class, sorted, each once.
pub(crate) fn context_of<'t>(texts: impl Iterator<Item = &'t str>) -> Arc<[u64]> {
    sorted(texts.flat_map(|it| words_of(&stripped(it))).collect()).into()
}

/// The hashes of the words in a text without markers, sorted, each once.
fn words_of(text: &str) -> Vec<u64> {
    let is_word = |it: &std::borrow::Cow<'_, str>| it.len() > 1 && !it.starts_with(|it: char| it.is_ascii_digit());
    sorted(sub_tokens(text).filter(is_word).map(|it| hash("word", &it)).collect())
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
    use std::sync::Arc;

    use super::{Bag, context_of, hash};

    #[test]
    fn a_bag_has_words_calls_and_types_but_no_markers() {
        let bag = Bag::of(
            "sums() { Cart cart = openCart(); /* flaky */ isFlaky(); }",
            Arc::default(),
        );
        for (kind, name) in [("call", "openCart"), ("type", "Cart"), ("call", "isxxxxx")] {
            assert!(bag.names.contains(&hash(kind, name)), "{kind} {name}");
        }
        for (kind, name) in [("call", "isFlaky"), ("type", "cart"), ("call", "cart")] {
            assert!(!bag.names.contains(&hash(kind, name)), "{kind} {name}");
        }
        assert!(bag.words.contains(&hash("word", "open")) && !bag.words.contains(&hash("word", "flaky")));
    }

    #[test]
    fn the_context_has_the_words_of_all_texts() {
        let context = context_of(["org.shop.CartTest", "// flaky\nBroker broker;"].into_iter());
        assert!(context.contains(&hash("word", "shop")) && context.contains(&hash("word", "broker")));
        assert!(!context.contains(&hash("word", "flaky")));
    }
}
