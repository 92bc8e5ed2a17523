//! A list of texts that a test feature borrows: from sources, or by number from the text table of a corpus.

use std::borrow::Cow;

/// Index of a text in the text table of a corpus.
pub type TextId = u32;

/// A list of borrowed texts, in one of three forms.
#[derive(Debug, Clone, Copy)]
pub enum TextList<'t> {
    /// The list is a slice of texts.
    Slice(&'t [Cow<'t, str>]),
    /// The list consists of the parts of one text between white space.
    Parts(&'t str),
    /// The list consists of texts of a table, given by their indices.
    Numbered {
        /// The texts of the list, as indices in `table`.
        numbers: &'t [TextId],
        /// The text table that the indices of the list refer to.
        table: &'t [String],
    },
}

impl Default for TextList<'_> {
    fn default() -> Self {
        Self::Slice(&[])
    }
}

impl<'t> TextList<'t> {
    /// The texts of the list in their order.
    pub fn iter(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        let (slice, parts, numbered) = match *self {
            Self::Slice(texts) => (Some(texts), None, None),
            Self::Parts(text) => (None, Some(text), None),
            Self::Numbered { numbers, table } => (None, None, Some((numbers, table))),
        };
        let slice = slice.into_iter().flatten().map(AsRef::as_ref);
        let parts = parts.into_iter().flat_map(str::split_whitespace);
        let text = |(numbers, table): (&'t [TextId], &'t [String])| {
            numbers.iter().map(move |number| table[*number as usize].as_str())
        };
        slice.chain(parts).chain(numbered.into_iter().flat_map(text))
    }

    /// The number of texts in the list.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Slice(texts) => texts.len(),
            Self::Parts(text) => text.split_whitespace().count(),
            Self::Numbered { numbers, .. } => numbers.len(),
        }
    }

    /// Whether the list has no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether two lists are known to be equal without comparing texts.
    ///
    /// They are if they borrow the same slice or text, or have equal indices into the same table. Tests of one class
    /// often share a list in this way. Returns false if equality would have to be checked text by text.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Slice(one), Self::Slice(other)) => std::ptr::eq(*one, *other),
            (Self::Parts(one), Self::Parts(other)) => std::ptr::eq(*one, *other),
            (
                Self::Numbered { numbers, table },
                Self::Numbered {
                    numbers: others,
                    table: its,
                },
            ) => std::ptr::eq(*table, *its) && numbers == others,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TextList;

    #[test]
    fn every_form_lists_the_same_texts() {
        let table = ["await", "sleep"].map(str::to_owned);
        let texts = ["sleep", "await", "sleep"].map(Into::into);
        let lists = [
            TextList::Slice(&texts),
            TextList::Parts(" sleep await\tsleep\n"),
            TextList::Numbered {
                numbers: &[1, 0, 1],
                table: &table,
            },
        ];
        for list in lists {
            assert_eq!(list.iter().collect::<Vec<_>>(), ["sleep", "await", "sleep"]);
            assert_eq!((list.len(), list.is_empty()), (3, false));
            assert!(list.is_same_as(&list));
        }
        assert!(!lists[0].is_same_as(&lists[1]));
        assert!(TextList::default().is_empty());
    }
}
