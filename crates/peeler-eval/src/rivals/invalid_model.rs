//! Reasons why the stored model of a rival is invalid.

/// The reason why the stored model of a rival method is invalid.
#[derive(Debug, thiserror::Error)]
pub(super) enum InvalidModel {
    /// The size or density of the stored random projection of FLAST is out of range.
    #[error("a projection to {dimensions} dimensions of density {density}")]
    Projection {
        /// The number of dimensions that the random projection of FLAST reduces bags of tokens to.
        dimensions: u32,
        /// The share of non-zero entries of the matrix of FLAST's random projection.
        density: f64,
    },
    /// The stored threshold of FLAST is not between 0 and 1.
    #[error("a sigma of {0}")]
    Sigma(f64),
    /// The stored lists of a FLAST model, such as labels and coordinates, have lengths that do not fit together.
    #[error("tests, labels and coordinates do not fit together")]
    Lengths,
    /// A coordinate of a test that FLAST stored is out of range.
    #[error("a coordinate {coordinate} in dimension {dimension}")]
    Coordinate {
        /// The value of the coordinate that is out of range.
        coordinate: i32,
        /// The dimension of the coordinate that is out of range.
        dimension: u32,
    },
    /// The intercept of the logistic regression of the vocabulary rival is not finite.
    #[error("an intercept of {0}")]
    Intercept(f64),
    /// A word of the vocabulary rival has a weight that is not finite, or an inverse document frequency that is not
    /// finite and positive.
    #[error("a word of weight {weight} and inverse frequency {inverse_frequency}")]
    Word {
        /// The weight of the invalid word.
        weight: f32,
        /// The inverse document frequency of the invalid word.
        inverse_frequency: f32,
    },
    /// The stored model of the vocabulary rival has more words than a 32-bit column number can count.
    #[error("more than 2^32 words")]
    TooManyWords,
}
