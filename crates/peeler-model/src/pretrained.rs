//! Vectors of sub-tokens that were trained elsewhere, on code without labels.
//!
//! They are read from the text format of word2vec: a line a sub-token, its name first, then its numbers,
//! separated by blanks; a first line with two counts is passed over.

use peeler_features::stored_hash;
use rustc_hash::FxHashMap;

/// Vectors by sub-token, all of one width.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pretrained {
    width: usize,
    vectors: FxHashMap<String, Vec<f32>>,
    fingerprint: u64,
}

impl Pretrained {
    /// Reads vectors.
    ///
    /// # Errors
    ///
    /// The first line that is wrong, and what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut pretrained = Self {
            fingerprint: stored_hash(text.as_bytes()),
            ..Self::default()
        };
        for (at, line) in text.lines().enumerate() {
            let mut fields = line.split_ascii_whitespace();
            let Some(name) = fields.next() else { continue };
            let vector: Vec<f32> = fields
                .map(|it| it.parse().ok().filter(|it: &f32| it.is_finite()))
                .collect::<Option<_>>()
                .ok_or_else(|| format!("line {}: not all fields behind `{name}` are numbers", at + 1))?;
            let is_heading = at == 0 && vector.len() == 1 && name.parse::<u64>().is_ok();
            if is_heading {
                continue;
            }
            if pretrained.width == 0 {
                pretrained.width = vector.len();
            }
            if vector.is_empty() || vector.len() != pretrained.width {
                let (found, wanted) = (vector.len(), pretrained.width);
                return Err(format!(
                    "line {}: {found} numbers, the lines before have {wanted}",
                    at + 1
                ));
            }
            pretrained.vectors.insert(name.to_owned(), vector);
        }
        if pretrained.vectors.is_empty() {
            return Err("it has no vectors".to_owned());
        }
        Ok(pretrained)
    }

    /// The numbers of every vector.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The same for the same text.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    pub(crate) fn vector(&self, token: &str) -> Option<&[f32]> {
        self.vectors.get(token).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::Pretrained;

    #[test]
    fn vectors_are_read_with_and_without_a_heading() {
        let plain = Pretrained::parse("sleep 0.5 -1\nawait 2 3e-1\n").expect("two vectors");
        let headed = Pretrained::parse("2 2\nsleep 0.5 -1\nawait 2 3e-1\n").expect("two vectors");
        for read in [plain, headed] {
            assert_eq!(read.width(), 2);
            assert_eq!(read.vector("await"), Some(&[2.0, 0.3][..]));
            assert_eq!(read.vector("2"), None);
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, wrong) in [
            ("sleep 1 2\nawait 1\n", "line 2: 1 numbers"),
            ("sleep 1 two\n", "line 1"),
            ("sleep 1 NaN\n", "line 1"),
            ("", "no vectors"),
        ] {
            let refused = Pretrained::parse(text).expect_err(text);
            assert!(refused.contains(wrong), "{refused}");
        }
    }
}
