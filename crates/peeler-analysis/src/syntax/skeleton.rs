//! The text of a file without the ranges that a parse of its declarations can skip, such as method bodies. Offsets in
//! the shortened text can be mapped back to the file.
//!
//! The parser tree-sitter can skip ranges by itself, but searches all of them for every token. A generated file with
//! thousands of methods would then take seconds. A copy without the ranges is cheap.

use std::borrow::Cow;
use std::ops::Range;

use crate::repository::narrow;

pub(super) struct Skeleton<'r> {
    pub(super) text: Cow<'r, str>,
    /// Where each piece of the file that the skeleton keeps starts: its offset in the skeleton's text and its offset in
    /// the file, ascending.
    pieces: Vec<(u32, u32)>,
}

impl<'r> Skeleton<'r> {
    pub(super) fn new(text: &'r str, elided: &[Range<u32>]) -> Self {
        if elided.is_empty() {
            return Self {
                text: Cow::Borrowed(text),
                pieces: vec![(0, 0)],
            };
        }
        let mut kept = String::with_capacity(text.len());
        let mut pieces = Vec::with_capacity(elided.len() + 1);
        let mut start = 0;
        for range in elided {
            pieces.push((narrow(kept.len()), start));
            kept.push_str(&text[start as usize..range.start as usize]);
            start = range.end;
        }
        pieces.push((narrow(kept.len()), start));
        kept.push_str(&text[start as usize..]);
        Self {
            text: Cow::Owned(kept),
            pieces,
        }
    }

    /// The offset in the file that belongs to an offset in the skeleton's text, which lacks parts of the file such as
    /// method bodies.
    pub(super) fn offset(&self, at: usize) -> u32 {
        let at = narrow(at);
        let piece = self.pieces.partition_point(|(start, _)| *start <= at) - 1;
        let (start, original) = self.pieces[piece];
        original + (at - start)
    }

    /// The range in the file that belongs to a range in the skeleton's text. It includes parts of the file, such as
    /// method bodies, that the skeleton lacks.
    pub(super) fn range(&self, range: Range<usize>) -> Range<u32> {
        let start = self.offset(range.start);
        let end = match range.end.checked_sub(1) {
            Some(last) if range.end > range.start => self.offset(last) + 1,
            _ => start,
        };
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::Skeleton;

    #[test]
    fn offsets_lead_back_to_the_file() {
        let text = "void f() { body } int g;";
        let body = 10..16;
        let skeleton = Skeleton::new(text, &[body]);
        assert_eq!(skeleton.text, "void f() {} int g;");
        let block = skeleton.range(9..11);
        assert_eq!(&text[block.start as usize..block.end as usize], "{ body }");
        assert_eq!(skeleton.offset(16), 22);
    }
}
