//! Vectors of sub-tokens that were trained elsewhere, on code without labels.
//!
//! They come from a folder of `peeler pretrain`, with an encoder of method bodies, or from a file in the text format of
//! word2vec. Each line of such a file holds a sub-token and the numbers of its vector, separated by
//! blanks. A first line with two counts is skipped.

use peeler_features::content_hash;
use rustc_hash::FxHashMap;

use crate::weights::Weights;

/// The names of the embedding tables that have a row for each sub-token.
pub(crate) const TOKEN_TABLES: [&str; 3] = ["paths.tokens", "words", "context"];

/// Pretrained vectors by sub-token, all of one width.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pretrained {
    width: usize,
    vectors: FxHashMap<String, Vec<f32>>,
    /// Pretrained parameters of the encoder of method bodies, by their names in the network.
    encoder: Weights,
    is_frozen: bool,
    fingerprint: u64,
}

/// The reason why a text is not a list of pretrained vectors in the format of word2vec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PretrainedError {
    /// A field after the sub-token of a line is not a finite number.
    #[error("line {line}: not every field after `{token}` is a finite number")]
    NotNumbers {
        /// The number of the line with a field that is not a finite number, from one on.
        line: usize,
        /// The sub-token of the line with a field that is not a finite number.
        token: String,
    },
    /// A pretrained vector is empty, or has another length than the first one.
    #[error("line {line}: {found} numbers; the lines before have {expected}")]
    Length {
        /// The number of the line whose vector has another length than the first one, from one on.
        line: usize,
        /// The length of the vector that differs from the first one.
        found: usize,
        /// The length of the first pretrained vector.
        expected: usize,
    },
    /// The text contains no pretrained vector at all.
    #[error("it has no vectors")]
    Empty,
}

impl Pretrained {
    /// Vectors of sub-tokens and parameters of an encoder of method bodies. `fingerprint` is a hash of all of them.
    pub(crate) fn new(width: usize, vectors: FxHashMap<String, Vec<f32>>, encoder: Weights, fingerprint: u64) -> Self {
        Self {
            width,
            vectors,
            encoder,
            is_frozen: false,
            fingerprint,
        }
    }

    /// The same vectors, which training does not change.
    #[must_use]
    pub fn frozen(mut self) -> Self {
        self.is_frozen = true;
        self.fingerprint = content_hash(&self.fingerprint.to_le_bytes());
        self
    }

    /// Whether training leaves the parameter with this name as it is.
    pub(crate) fn freezes(&self, parameter: &str) -> bool {
        self.is_frozen && (TOKEN_TABLES.contains(&parameter) || self.encoder.arrays.contains_key(parameter))
    }

    /// The initial elements of a parameter of the encoder of method bodies, if they are known in this number.
    pub(crate) fn encoder_values(&self, parameter: &str, count: usize) -> Option<Vec<f32>> {
        let values = self.encoder.arrays.get(parameter)?.values.widened();
        (values.len() == count).then(|| values.into_owned())
    }

    /// Reads pretrained vectors of sub-tokens from a text in the format of word2vec.
    ///
    /// # Errors
    ///
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<Self, PretrainedError> {
        let mut pretrained = Self {
            fingerprint: content_hash(text.as_bytes()),
            ..Self::default()
        };
        for (at, line) in text.lines().enumerate() {
            let mut fields = line.split_ascii_whitespace();
            let Some(name) = fields.next() else { continue };
            let vector: Vec<f32> = fields
                .map(|it| it.parse().ok().filter(|it: &f32| it.is_finite()))
                .collect::<Option<_>>()
                .ok_or_else(|| PretrainedError::NotNumbers {
                    line: at + 1,
                    token: name.to_owned(),
                })?;
            let is_heading = at == 0 && vector.len() == 1 && name.parse::<u64>().is_ok();
            if is_heading {
                continue;
            }
            if pretrained.width == 0 {
                pretrained.width = vector.len();
            }
            if vector.is_empty() || vector.len() != pretrained.width {
                return Err(PretrainedError::Length {
                    line: at + 1,
                    found: vector.len(),
                    expected: pretrained.width,
                });
            }
            pretrained.vectors.insert(name.to_owned(), vector);
        }
        if pretrained.vectors.is_empty() {
            return Err(PretrainedError::Empty);
        }
        Ok(pretrained)
    }

    /// The length of every pretrained vector.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// A hash of the text that the pretrained vectors were read from.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The pretrained vector of a sub-token, if there is one.
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
            let refused = Pretrained::parse(text).expect_err(text).to_string();
            assert!(refused.contains(wrong), "{refused}");
        }
    }
}
