//! The words in the source of a test and around it, as hashes.
//!
//! They are read from the text alone, so a test of an old commit needs no other file of that commit.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use peeler_features::{content_hash, sub_tokens};
use peeler_mine::stripped;

/// The words in the source of a test method, and those of its class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bag {
    /// Hashes of the words in the method (sub-tokens of its identifiers), sorted, each once.
    pub(crate) words: Vec<u64>,
    /// Hashes of the words around the method: imports, fields, setup and superclasses of its class, sorted, each once.
    pub(crate) context: Arc<[u64]>,
}

impl Bag {
    /// The bag of a test method, with the words of its class. Comments and words such as `flaky` do not count.
    pub(crate) fn of(source: &str, context: Arc<[u64]>) -> Self {
        Self {
            words: words_of(source),
            context,
        }
    }
}

/// The hashes of the words in the texts of a class, sorted, each once.
pub(crate) fn context_of<'t>(texts: impl Iterator<Item = &'t str>) -> Arc<[u64]> {
    sorted(texts.flat_map(words_of).collect()).into()
}

/// The hashes of the words in a text, sorted, each once. Comments and words such as `flaky` do not count.
fn words_of(text: &str) -> Vec<u64> {
    let text = stripped(text);
    sorted(words(&text).map(|it| content_hash(it.as_bytes())).collect())
}

/// The words in a text, sorted, each once. Comments and words such as `flaky` do not count.
pub(crate) fn spelled_words(text: &str) -> BTreeSet<String> {
    let text = stripped(text);
    words(&text).map(Cow::into_owned).collect()
}

/// The sub-tokens of a text that are words.
fn words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    sub_tokens(text).filter(|it| it.len() > 1 && !it.starts_with(|it: char| it.is_ascii_digit()))
}

fn sorted(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use peeler_features::content_hash;

    use super::{Bag, context_of, spelled_words};

    #[test]
    fn a_bag_has_the_words_of_the_method_and_of_its_class_but_no_markers() {
        let context = context_of(["org.shop.CartTest", "// flaky\nBroker broker;"].into_iter());
        let bag = Bag::of("sums() { Cart cart = openCart(); /* flaky */ isFlaky(2); }", context);
        let has = |hashes: &[u64], word: &str| hashes.contains(&content_hash(word.as_bytes()));
        assert!(has(&bag.words, "open") && has(&bag.words, "cart") && !has(&bag.words, "flaky"));
        let spelled = spelled_words("sums() { openCart(); /* flaky */ isFlaky(2); }");
        assert!(spelled.iter().eq(["cart", "isxxxxx", "open", "sums"]), "{spelled:?}");
        assert!(has(&bag.context, "shop") && has(&bag.context, "broker") && !has(&bag.context, "flaky"));
    }
}
