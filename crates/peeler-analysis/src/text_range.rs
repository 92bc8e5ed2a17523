//! Ranges of bytes in a text.

use serde::{Deserialize, Serialize};

use crate::repository::narrow;

/// A range of bytes in a text: from `start` up to, but not including, `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct TextRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl TextRange {
    /// The empty range at an offset.
    pub(crate) fn empty(at: u32) -> Self {
        Self { start: at, end: at }
    }

    /// The range of bytes that `slice` takes up in `text`; `None` if it was not cut out of this very text.
    ///
    /// Addresses are compared, not contents. This is `str::substr_range` of the standard library, which is not stable
    /// yet. No other code of this crate compares addresses.
    pub(crate) fn of_slice(text: &str, slice: &str) -> Option<Self> {
        let start = slice.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
        let end = start + slice.len();
        (end <= text.len()).then(|| Self {
            start: narrow(start),
            end: narrow(end),
        })
    }

    /// The part of `text` in this range; `None` if the text is too short or the range splits a character.
    pub(crate) fn slice(self, text: &str) -> Option<&str> {
        text.get(self.start as usize..self.end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::TextRange;

    #[test]
    fn a_slice_has_the_range_it_was_cut_from_and_no_other() {
        let text = String::from("total + total");
        let range = TextRange::of_slice(&text, &text[8..]).expect("a slice of the text");
        assert_eq!((range.start, range.end), (8, 13));
        assert_eq!(range.slice(&text), Some("total"));
        assert_eq!(TextRange::of_slice(&text[8..], &text[..5]), None, "it lies before");
        assert_eq!(TextRange::of_slice(&text[..5], &text[8..]), None, "it lies behind");
        assert_eq!(
            TextRange::of_slice(&text, &String::from("total")),
            None,
            "equal, but another text"
        );
    }

    #[test]
    fn a_range_that_does_not_fit_a_text_has_no_slice() {
        let range = TextRange { start: 1, end: 2 };
        assert_eq!(range.slice("a"), None);
        assert_eq!(range.slice("\u{e4}"), None, "half a character");
    }
}
